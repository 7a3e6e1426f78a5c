"""What `verify` returns: the checked text, what was changed, and what decided each of it (SPEC 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.model import Clause, Edit, Report, Value

if TYPE_CHECKING:
    from verifier.ledger import Call

VERSION = 1  # of what `to_dict` returns


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """A sentence of the reply: what was done with it (kept, edited, replaced or removed) and what it was read as."""

    start: int
    end: int
    text: str
    action: str = "kept"
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Count:
    """How often something happened. `kind` is a sentence's action, "appended", or the kind of a report."""

    kind: str
    tool: str
    outcome: str
    number: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """A checked reply. `text` is what the person reads: with nothing to change it is the reply itself.

    `edits` are sorted and do not overlap; replaying them over `reply` gives `text`. `read` is false for a reply that
    is not in the language. `appended` are the calls told at the end, `reports` what was kept but is worth knowing.
    """

    reply: str
    text: str
    read: bool = True
    edits: tuple[Edit, ...] = ()
    sentences: tuple[SentenceVerdict, ...] = ()
    appended: tuple[Call, ...] = ()
    reports: tuple[Report, ...] = ()
    fired: tuple[tuple[str, str, int], ...] = ()  # of the reply rules: the rule, what it did, how often

    @property
    def changed(self) -> bool:
        """Whether the person reads something else than what the model wrote."""
        return self.text is not self.reply and self.text != self.reply

    @property
    def digest(self) -> str:
        """The SHA-256 of the reply, in hexadecimal: names it without showing it."""
        from hashlib import sha256

        return sha256(self.reply.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def counts(self) -> tuple[Count, ...]:
        """What happened, as numbers without a word of the text: sorted by kind, tool and outcome."""
        found = Counter(_counted(self))
        found.update({(f"{action}:{rule}", "", ""): number for rule, action, number in self.fired})
        return tuple(Count(*key, number) for key, number in sorted(found.items()))

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON values, keys always in this order; `version` grows when a key changes its meaning."""
        return {
            "version": VERSION,
            "text": self.text,
            "changed": self.changed,
            "read": self.read,
            "edits": [_fields(edit) for edit in self.edits],
            "sentences": [_sentence(sentence) for sentence in self.sentences],
            "appended": [{"id": one.id, "tool": one.tool, "outcome": one.outcome.value} for one in self.appended],
            "reports": [_fields(report) for report in self.reports],
            "counts": [_fields(count) for count in self.counts],
            "digest": self.digest,
        }

    def explain(self) -> str:
        """For a person: each sentence, how it was read, which call it was held against, and what decided."""
        return "\n".join(_explained(self))


def _counted(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    for sentence in verdict.sentences:
        spoken = {(one.tool or "", one.call.outcome.value if one.call else ""): None for one in sentence.clauses}
        for tool, outcome in spoken or {("", ""): None}:
            yield sentence.action, tool, outcome
    for call in verdict.appended:
        yield "appended", call.tool, call.outcome.value
    for report in verdict.reports:
        if report.kind != "rule":  # those are counted by rule
            yield report.kind, "", ""


def _fields(record: Edit | Report | Count) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}


def _sentence(sentence: SentenceVerdict) -> dict[str, Any]:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "text": sentence.text,
        "action": sentence.action,
        "clauses": [_clause(clause) for clause in sentence.clauses],
    }


def _clause(clause: Clause) -> dict[str, Any]:
    return {
        "start": clause.start,
        "end": clause.end,
        "tool": clause.tool,
        "claim": clause.claim.value if clause.claim else None,
        "call": clause.call.id if clause.call else None,
        "values": [_value(value) for value in clause.values],
        "true": clause.true,
        "rule": clause.rule,
        "why": clause.why,
        "place": clause.place,
    }


def _value(value: Value) -> dict[str, Any]:
    return {"kind": value.kind, "start": value.start, "end": value.end, "text": value.text, "unit": value.unit}


# For a person --------------------------------------------------------------------------------------------------------


def _explained(verdict: Verdict) -> Iterator[str]:
    """The lines of an explanation."""
    if not verdict.read:
        yield "not read: the reply is not in the language chosen, so only the reply rules apply"
    for sentence in verdict.sentences:
        yield f"{sentence.action:8} {sentence.start}:{sentence.end} {_one_line(sentence.text)}"
        for clause in sentence.clauses:
            yield from _explained_clause(verdict.reply, sentence, clause)
    for edit in verdict.edits:
        because = f" ({edit.rule})" if edit.rule else ""
        yield f"{edit.kind:8} {edit.start}:{edit.end} -> {_one_line(edit.text)!r}{because}"
    for call in verdict.appended:
        yield f"appended {call.tool} {call.id}: {call.outcome.value}, and the reply did not speak of it"
    for report in verdict.reports:
        yield f"report   {report.start}:{report.end} {report.kind}: {report.why} ({report.rule})"


def _explained_clause(reply: str, sentence: SentenceVerdict, clause: Clause) -> Iterator[str]:
    if (clause.start, clause.end) != (sentence.start, sentence.end):
        yield f"  in     {_one_line(reply[clause.start : clause.end])!r}"
    read = f"{clause.claim.value if clause.claim else 'nothing'} of {clause.tool or 'no tool'}"
    yield f"  read   {read}" + (f" ({clause.rule})" if clause.rule else "")
    if clause.call:
        yield f"  call   {clause.call.id} in turn {clause.call.turn}: {clause.call.outcome.value}"
    elif clause.tool:
        yield "  call   none"
    for value in clause.values:
        yield f"  value  {value.kind} {_one_line(value.text)!r}"
    decided = ", ".join(part for part in (clause.why, clause.place and f"at {clause.place}") if part)
    yield f"  {'true ' if clause.true else 'FALSE'}  {decided}".rstrip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
