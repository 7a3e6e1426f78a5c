"""Verify every reply of stored conversations and say what was changed, how often, and whether the promises held.

The files are JSON Lines in the chat format: one conversation a line with `id` and `messages`, and `tools` or a `domain`
whose tools stand in `tools/DOMAIN.json` beside the file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.evaluation.treatments import ReplyRecord, Treatment, breakdown, compare, figures, treatments_of

Row = Mapping[str, Any]
Verify = Callable[..., Any]
Track = Callable[[Iterable[tuple[Path, Row]], int], Iterable[tuple[Path, Row]]]
MOST_FAILURES = 25  # Of each kind; the number of the rest is printed.


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply of a stored conversation with the ledger as it was when the reply was written."""

    file: str
    conversation: str
    message: int
    text: str
    final: bool
    ledger: Any

    @property
    def name(self) -> str:
        """Give the place of the reply: file, conversation and message."""
        return f"{self.file}#{self.conversation}@{self.message}"


@dataclass(frozen=True, slots=True)
class Bench:
    """The records of a run and the broken promises met in it, as (promise, place, what was seen)."""

    records: tuple[ReplyRecord, ...]
    broken: tuple[tuple[str, str, str], ...]

    @property
    def treatments(self) -> Iterator[Treatment]:
        """Give all that was done, reply by reply."""
        for record in self.records:
            yield from record.treatments


def files_of(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Give the JSON Lines files among `paths`, those of a folder in the order of their names.

    Raises FileNotFoundError for a path that does not exist and for a folder without such a file.
    """
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not inside or not path.exists():
            raise FileNotFoundError(f"{path}: no JSON Lines file here")
        found += inside
    return tuple(found)


def conversations(files: Iterable[Path]) -> Iterator[tuple[Path, Row]]:
    """Give each conversation with its file. Raises ValueError naming file and line where a line is no conversation."""
    for path in files:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield path, _conversation(path, number, line)


def _conversation(path: Path, number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}:{number}:{error.colno}: not JSON: {error.msg}") from None
    if not isinstance(row, dict) or not isinstance(row.get("messages"), list):
        raise ValueError(f"{path}:{number}:1: a conversation is an object with a list `messages`")
    row.setdefault("id", str(number))
    return row


def stored_replies(path: Path, row: Row, tools: Path | None = None) -> Iterator[StoredReply]:
    """Give the replies of one conversation; `tools` is the folder of tool specs (default: `tools` beside the file).

    A reply's ledger is that of the messages before it and must be used before the next reply is asked for.
    """
    from verifier.adapters.openai import replies_of

    for message, text, carries_calls, ledger in replies_of(row["messages"], _tools(path, row, tools)):
        yield StoredReply(path.name, str(row["id"]), message, text, not carries_calls, ledger)


def _tools(path: Path, row: Row, folder: Path | None) -> Sequence[Any]:
    if isinstance(row.get("tools"), list):
        return list(row["tools"])
    specs = (folder or path.parent / "tools") / f"{row.get('domain', '')}.json"
    return list(json.loads(specs.read_text(encoding="utf-8"))) if specs.is_file() else []


def bench(
    files: Sequence[Path],
    verify: Verify,
    *,
    tools: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    track: Track | None = None,
) -> Bench:
    """Verify each reply of `files` with `verify` and `settings`, check its promises and keep what was done.

    `track` may wrap the conversations to show progress; it is told how many there are.
    """
    records: list[ReplyRecord] = []
    broken: list[tuple[str, str, str]] = []
    rows: Iterable[tuple[Path, Row]] = conversations(files)
    for path, row in track(rows, _lines(files)) if track else rows:
        for stored in stored_replies(path, row, tools):
            try:
                verdict = verify(stored.text, stored.ledger, final=stored.final, **(settings or {}))
                again = verify(verdict.text, stored.ledger, final=stored.final, **(settings or {}))
            except Exception as error:  # It must show as a fault of the verifier, and the others be counted.
                broken.append(("no exception", stored.name, f"{type(error).__name__}: {error}"))
                continue
            broken += [(promise, stored.name, seen) for promise, seen in broken_promises(stored.text, verdict, again)]
            records.append(_record(stored, verdict))
    return Bench(tuple(records), tuple(broken))


def _lines(files: Sequence[Path]) -> int:
    total = 0
    for path in files:
        with path.open("rb") as lines:
            total += sum(1 for line in lines if line.strip())
    return total


def _record(stored: StoredReply, verdict: Any) -> ReplyRecord:
    return ReplyRecord(
        stored.file,
        f"{stored.file}#{stored.conversation}",
        hashlib.sha256(stored.text.encode("utf-8", "surrogatepass")).hexdigest(),
        sum(any(character.isalnum() for character in sentence.text) for sentence in verdict.sentences),
        verdict.text != stored.text,
        verdict.read,
        treatments_of(stored.name, stored.text, verdict),
    )


def broken_promises(reply: str, verdict: Any, again: Any) -> Iterator[tuple[str, str]]:
    """Give the promises of SPEC section 4 that `verdict` breaks; `again` is the verdict over its text."""
    if verdict.text == reply and verdict.text is not reply:
        yield "unchanged is the same object", repr(reply[:80])
    if verdict.changed != (verdict.text != reply):
        yield "changed says whether the text differs", f"changed={verdict.changed}"
    if "".join(sentence.text for sentence in verdict.sentences) != reply:
        yield "the sentences tile the reply", repr(reply[:80])
    if replay(reply, verdict.edits) != verdict.text:
        yield "replaying the edits gives the text", repr(verdict.text[:80])
    if again.text != verdict.text:
        yield "verifying twice changes nothing", f"{verdict.text[-200:]!r} became {again.text[-200:]!r}"
    if reply and not verdict.text:
        yield "a reply is never returned empty", repr(reply[:80])


def replay(reply: str, edits: Iterable[Any]) -> str | None:
    """Apply `edits` over `reply` as they are documented; None where they overlap or are not sorted.

    Written apart from the code that makes the text, so that it can find a fault there.
    """
    text, done = "", 0
    for edit in edits:
        if not done <= edit.start <= edit.end <= len(reply):
            return None
        text, done = text + reply[done : edit.start] + edit.text, edit.end
    return text + reply[done:]


def report(run: Bench, *, groups: Mapping[str, Callable[[ReplyRecord], bool]] | None = None) -> list[str]:
    """Give the lines of a run: the rates (of each group too), what was done to which claims, the broken promises."""
    lines = figures(run.records)
    for name, belongs in (groups or {}).items():
        part = [record for record in run.records if belongs(record)]
        if part:
            lines += ["", f"{name}: " + figures(part)[0], *figures(part)[2:]]
    lines += ["", "Most frequent (kind · tool · claim · outcome; share of the sentences)", *breakdown(run.records)]
    return [*lines, "", *_broken_lines(run.broken)]


def _broken_lines(broken: Sequence[tuple[str, str, str]]) -> list[str]:
    if not broken:
        return ["Checks: same object where nothing changed, tiling, edits replay, verified twice: all held."]
    lines = []
    for promise in sorted({promise for promise, _, _ in broken}):
        seen = [(place, what) for kind, place, what in broken if kind == promise]
        lines.append(f"BROKEN {len(seen)} x {promise}")
        lines += [f"  {place}: {what}" for place, what in seen[:MOST_FAILURES]]
    return lines


def write_treatments(path: Path, treatments: Iterable[Treatment]) -> None:
    """Write each treatment as a line of JSON."""
    with path.open("w", encoding="utf-8") as out:
        for treatment in treatments:
            out.write(json.dumps(treatment.to_dict(), ensure_ascii=False) + "\n")


def read_treatments(path: Path) -> tuple[Treatment, ...]:
    """Read what `write_treatments` wrote; raises ValueError naming the line that is no treatment."""
    found = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                found.append(Treatment.from_dict(json.loads(line)))
            except (ValueError, TypeError) as error:
                raise ValueError(f"{path}:{number}: {error}") from None
    return tuple(found)


def run_command(
    paths: Sequence[Path],
    *,
    tools: Path | None = None,
    out: Path | None = None,
    against: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    groups: Mapping[str, Callable[[ReplyRecord], bool]] | None = None,
    echo: Callable[[str], object] = print,
) -> int:
    """Do what `verifier bench` does: verify, print, write `out`, compare with the run `against`; 1 if a check broke."""
    from verifier import verify

    old = read_treatments(against) if against else ()
    with progress() as track:
        run = bench(files_of(paths), verify, tools=tools, settings=settings, track=track)
    for line in report(run, groups=groups):
        echo(line)
    if against:
        changed = compare(old, run.treatments)
        for line in [f"Treatments that differ from {against.name}: {len(changed)}", *changed]:
            echo(line)
    if out:
        write_treatments(out, run.treatments)
    return 1 if run.broken else 0


def progress() -> AbstractContextManager[Track | None]:
    """Give a progress bar on standard error; None where nobody looks at it or `rich` (extra `cli`) is missing."""
    if not sys.stderr.isatty():
        return nullcontext(None)
    try:
        from verifier.evaluation.progress import bar
    except ImportError:
        return nullcontext(None)
    return bar()
