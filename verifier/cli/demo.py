"""`verifier demo`: replies before and after, from the conversations that the package carries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from verifier.cli.inputs import Source, Turn, documents, turns_of
from verifier.cli.linting import languages
from verifier.cli.show import side_by_side

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from verifier.verdict import Verdict

SHOP = "shop"
SHOP_TITLE = "The shop's refunds: lost parcels, and a model that tells more than was done"


def folder() -> Traversable:
    """Where the conversations are, in a checkout and in an installed package alike."""
    return files("verifier") / "demo"


def conversations() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each file's name with its documents: the shop first, the others by name."""
    found = [entry for entry in folder().iterdir() if entry.name.endswith((".json", ".jsonl"))]
    spoken = {*languages(), "en"}
    for entry in sorted(found, key=lambda entry: (not entry.name.startswith(SHOP), entry.name)):
        rows = [_mapping(row) for _, row in documents(Source(entry.name, entry.read_text(encoding="utf-8")))]
        if rows[0].get("language", "en") in spoken:
            yield entry.name, rows


def _mapping(row: object) -> dict[str, Any]:
    assert isinstance(row, dict), "our own files hold mappings"
    return row


def checked(where: str, document: dict[str, Any]) -> Iterator[tuple[Turn, Verdict]]:
    """The replies of a document with their verdicts; `where` starts with the file's name."""
    from verifier import Verifier
    from verifier.data import load

    own = load(folder() / "shop.phrasings.yaml") if where.startswith(SHOP) else None
    check = Verifier(language=document.get("language", "en"), phrasings=own)
    for turn in turns_of(document, where, None):
        yield turn, check.verify(turn.reply, turn.ledger, final=turn.final)


def run(console: Console) -> None:
    """Print every conversation, and a closing line with counts."""
    counts: Counter[str] = Counter()
    for name, rows in conversations():
        title = rows[0].get("title", SHOP_TITLE)
        console.print(Rule(Text(title, style="bold"), align="left"))
        counts["conversations"] += len(rows)
        for number, document in enumerate(rows, start=1):
            for turn, verdict in checked(f"{name}:{number}" if len(rows) > 1 else name, document):
                side_by_side(console, turn, verdict)
                _count(counts, verdict)
    console.print(Rule())
    console.print(closing(counts), style="bold")


def _count(counts: Counter[str], verdict: Verdict) -> None:
    counts["replies"] += 1
    counts["changed"] += verdict.changed
    counts["added"] += len(verdict.appended)
    counts.update(sentence.action for sentence in verdict.sentences)


def closing(counts: Counter[str]) -> str:
    """The last line: what was checked and what became of it."""
    return (
        f"{counts['replies']} replies in {counts['conversations']} conversations: {counts['changed']} changed, "
        f"{counts['replies'] - counts['changed']} kept byte for byte; {counts['replaced']} sentences replaced, "
        f"{counts['removed']} removed, {counts['added']} added for a write that was left out."
    )
