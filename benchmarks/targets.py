"""Sentences that say, truly, that a write of this turn was done: what faults are injected into.

They are chosen by the pattern below or by the labels, never by the verifier: it shall not pick its own examination.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.material import SHARED, readers
from verifier.bench import conversations, stored_replies

# The participles under which a tool's act is told, by the verb of its name.
PARTICIPLES = {
    "add": "added|set",
    "book": "booked|made|confirmed",
    "cancel": "cancell?ed",
    "complete": "completed|marked",
    "create": "created|added|scheduled",
    "delete": "deleted|removed",
    "exchange": "exchanged|requested|initiated|processed|submitted|placed",
    "join": "added|joined",
    "message": "sent|messaged",
    "modify": "modified|updated|changed|switched|swapped",
    "request": "requested|submitted|sent",
    "reset": "reset",
    "return": "returned|requested|initiated|processed|submitted",
    "schedule": "scheduled|booked",
    "send": "sent|issued|added",
    "transfer": "transferred",
    "update": "updated|changed|upgraded|downgraded|added|modified",
}
HAVE = r"(?:\b(?:has|have)|['’]ve)(?: (?:now|just|also|both|all|been|successfully)){0,4} "
NOT_SO = re.compile(
    r"\?|n['’]t\b|\b(?:not|unable|cannot|already|earlier|previously|failed|error)\b|^\W{0,6}(?:if|once|when|after|before)\b",
    re.IGNORECASE,
)
PIECE = re.compile(r"[^\n.!?]{0,2000}(?:[.!?](?! )[^\n.!?]{0,2000}){0,40}[.!?]?")
ERROR = re.compile(r"^\W{0,3}(?:[A-Za-z]{0,30}error|failed|unable|cannot|invalid)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Target:
    """A true sentence of a reply, and the writes of the turn, all of them done, of which it tells."""

    name: str
    group: str
    reply: str
    start: int
    end: int
    language: str
    ledger: Any
    writes: tuple[Any, ...]

    @property
    def text(self) -> str:
        """Give the sentence."""
        return self.reply[self.start : self.end]


def rebuilt(ledger: Any, change: Callable[[Any], Any] = lambda call: call) -> Any:
    """Give a copy of `ledger` in which each call became `change(call)`; None takes it out."""
    from verifier import Ledger

    copy = Ledger(tools=ledger.tools)
    for event in ledger.events():
        if event.kind == "turn":
            copy.begin_turn()
        elif event.kind == "heard":
            copy.hear(event.value)
        elif event.kind == "reply":
            copy.replied(event.value)
        elif event.kind == "context":
            copy.context(event.value)
        elif event.kind == "now":
            copy.now = event.value
        elif event.kind == "call" and (call := change(ledger.call(event.value.id))) is not None:
            copy.add(replace(call, turn=event.turn))
    return copy


def targets(shared: Path = SHARED) -> Iterator[Target]:
    """Give the targets of the corpus and those of the labelled sets, in a fixed order."""
    files = sorted((shared / "corpus").glob("*.jsonl"))
    executed = [path for path in files if "-noexec" not in path.name and "-noledger" not in path.name]
    for path, row in conversations(executed):
        for stored in stored_replies(path, row):
            yield from _of_reply(stored)
    for name in ("trades-en", "trades-pt", "pt"):
        for _, build in readers(name, shared):
            yield from _of_case(build())


def _of_reply(stored: Any) -> Iterator[Target]:
    writes = done_writes(stored.ledger)
    if not stored.final or not writes:
        return
    said = re.compile(HAVE + f"(?:{'|'.join(sorted({_participles(call.tool) for call in writes}))})\\b", re.IGNORECASE)
    found = [span for span in pieces(stored.text) if _says(said, stored.text[slice(*span)], writes)]
    # The first, for the next ones say the same again; and the first that states an amount, for few do.
    priced = [span for span in found if "$" in stored.text[slice(*span)]]
    for start, end in sorted({*found[:1], *priced[:1]}):
        name = f"{stored.name}:{start}"
        yield Target(name, "corpus", stored.text, start, end, "en", rebuilt(stored.ledger), writes)


def _says(said: re.Pattern[str], sentence: str, writes: tuple[Any, ...]) -> bool:
    return said.search(sentence) is not None and NOT_SO.search(sentence) is None


def _participles(tool: str) -> str:
    words = re.findall(r"[A-Z]?[a-z]{1,40}", tool)
    return PARTICIPLES.get(words[0].lower(), "completed") if words else "completed"


def _of_case(case: Any) -> Iterator[Target]:
    writes = done_writes(case.ledger)
    for label in case.sentences:
        clauses = label.row["clauses"]
        told = {case.call_ids[clause["call"]] for clause in clauses if clause["call"] is not None}
        done = all(c["claim"] == "says_done" and c["write"] and c["true"] is True for c in clauses)
        if label.keep and done and told and told <= {call.id for call in writes}:
            name = f"{case.key}@{label.start}"
            yield Target(name, case.set, case.reply, label.start, label.end, case.language, case.ledger, writes)


def done_writes(ledger: Any) -> tuple[Any, ...]:
    """Give the writes of the current turn where all of them were done and no read followed them, else none.

    A read after the write would show its effect, so that the sentence stayed true whatever became of the call; a
    tool that also ran in an earlier turn would leave it in doubt of which call the sentence speaks.
    """
    calls = ledger.calls_in(ledger.turn)
    writes = tuple(call for call in calls if ledger.tool(call.tool).write)
    names = {call.tool for call in writes}
    before = any(call.turn < ledger.turn and ledger.tool(call.tool).write for call in ledger.calls)
    late_read = bool(writes) and calls[-1].tool not in names
    true = all(call.outcome == "done" and not ERROR.search(str(call.result)[:200]) for call in writes)
    return writes if true and not before and not late_read else ()


def pieces(reply: str) -> Iterator[tuple[int, int]]:
    """Give the spans of rough sentences: a line, cut after a full stop, question or exclamation mark and a space."""
    for match in PIECE.finditer(reply):
        text = match.group()
        start = match.start() + len(text) - len(text.lstrip(" \t-*>#•"))
        end = match.start() + len(text.rstrip(" \t"))
        if end - start > 3:
            yield start, end
