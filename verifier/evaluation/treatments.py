"""What verdicts did to many replies: each change for reading, and their rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from verifier.evaluation.intervals import clustered_interval, printed_interval, rate_interval

NO_CALL = "no call"
CHANGES = ("replaced", "edited", "removed")


@dataclass(frozen=True, slots=True)
class Treatment:
    """One thing that a verdict did: a sentence changed, a write appended or something reported.

    `kind` is replaced, edited, removed, appended or `reported:` and the report's kind. `name` says where it is:
    file, conversation, message and span; it is the same in each run over the same files.
    """

    name: str
    kind: str
    tool: str
    claim: str
    outcome: str
    before: str
    after: str
    call: str
    rule: str
    why: str
    reply: str

    def to_dict(self) -> dict[str, str]:
        """Give the treatment as a JSON object with its keys in a fixed order."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Treatment:
        """Read back what `to_dict` gave; raises ValueError naming a key that is missing or unknown."""
        known = {field.name for field in fields(cls)}
        if wrong := sorted(known ^ set(row)):
            raise ValueError(f"a treatment has exactly the keys {sorted(known)}; check {', '.join(wrong)}")
        return cls(**row)


@dataclass(frozen=True, slots=True)
class ReplyRecord:
    """What is kept of one verified reply. `cluster` is its conversation; `digest` tells copies from one another."""

    file: str
    cluster: str
    digest: str
    sentences: int
    changed: bool
    read: bool
    treatments: tuple[Treatment, ...]


def treatments_of(name: str, reply: str, verdict: Any) -> tuple[Treatment, ...]:
    """Give all that `verdict` did to `reply`, in the order of the reply; the reply's place is `name`."""
    return (
        *_changed_sentences(name, reply, verdict),
        *_appended(name, reply, verdict),
        *_reported(name, reply, verdict),
    )


def _changed_sentences(name: str, reply: str, verdict: Any) -> Iterator[Treatment]:
    for sentence in verdict.sentences:
        if sentence.action == "kept":
            continue
        edits = [edit for edit in verdict.edits if edit.start < sentence.end and edit.end > sentence.start]
        tool, claim, outcome, why = _clause_words(sentence.clauses)
        yield Treatment(
            f"{name}:{sentence.start}-{sentence.end}",
            str(sentence.action),
            tool,
            claim,
            outcome,
            before=sentence.text,
            after=" … ".join(edit.text for edit in edits if edit.text),
            call=", ".join(edit.call for edit in edits if edit.call),
            rule=", ".join(dict.fromkeys(edit.rule for edit in edits if edit.rule)),
            why=why,
            reply=reply,
        )


def _clause_words(clauses: Sequence[Any]) -> tuple[str, str, str, str]:
    """Give tool, claim, outcome and reason of the clause that decided: the first false one, else the first."""
    false = [clause for clause in clauses if not clause.true]
    for clause in [*false, *clauses]:
        outcome = str(clause.call.outcome) if clause.call is not None else NO_CALL
        return clause.tool or "", str(clause.claim or ""), outcome, clause.why
    return "", "", NO_CALL, ""


def _appended(name: str, reply: str, verdict: Any) -> Iterator[Treatment]:
    after = " … ".join(edit.text for edit in verdict.edits if edit.kind == "append")
    for place, call in enumerate(verdict.appended):
        outcome = str(call.outcome)
        yield Treatment(f"{name}:+{place}", "appended", call.tool, "", outcome, "", after, call.id, "append", "", reply)


def _reported(name: str, reply: str, verdict: Any) -> Iterator[Treatment]:
    for report in verdict.reports:
        yield Treatment(
            f"{name}:{report.start}-{report.end}",
            f"reported:{report.kind}",
            *_words_over(verdict, report.start, report.end),
            before=reply[report.start : report.end],
            after="",
            call=report.call,
            rule=report.rule,
            why=report.why,
            reply=reply,
        )


def _words_over(verdict: Any, start: int, end: int) -> tuple[str, str, str]:
    clauses = [
        clause
        for sentence in verdict.sentences
        if sentence.start < end and sentence.end > start
        for clause in sentence.clauses
        if clause.start < end and clause.end > start
    ]
    tool, claim, outcome, _ = _clause_words(clauses)
    return tool, claim, outcome


def figures(records: Sequence[ReplyRecord]) -> list[str]:
    """Give the lines that say how many replies and sentences were changed, with both intervals of each rate."""
    copies = len(records) - len({record.digest for record in records})
    sentences = sum(record.sentences for record in records)
    unread = sum(not record.read for record in records)
    lines = [
        f"{len(records)} replies ({copies} copies, {unread} unread) of "
        f"{len({record.cluster for record in records})} conversations, {sentences} sentences",
        f"  {'':<34} {'':>13}  {'rate':>6}  {'exact 95%':<18} by conversation",
        _rate("replies changed", [(record.cluster, int(record.changed), 1) for record in records]),
    ]
    for kind in CHANGES:
        changed = [(record.cluster, _count(record, kind), record.sentences) for record in records]
        lines.append(_rate(f"sentences {kind}", changed))
    kinds = {treatment.kind for record in records for treatment in record.treatments}
    for kind in sorted(kinds - set(CHANGES)):
        lines.append(_rate(f"replies {kind}", [(r.cluster, min(1, _count(r, kind)), 1) for r in records]))
    return lines


def _count(record: ReplyRecord, kind: str) -> int:
    return sum(treatment.kind == kind for treatment in record.treatments)


def _rate(word: str, counted: Iterable[tuple[str, int, int]]) -> str:
    """Write a rate with both intervals; `counted` holds (cluster, successes, observed)."""
    clusters: dict[str, tuple[int, int]] = {}
    for name, successes, observed in counted:
        before = clusters.get(name, (0, 0))
        clusters[name] = (before[0] + successes, before[1] + observed)
    successes = sum(cluster[0] for cluster in clusters.values())
    observed = sum(cluster[1] for cluster in clusters.values())
    if observed == 0:
        return f"  {word:<34} –"
    exact = printed_interval(*rate_interval(successes, observed))
    by_cluster = printed_interval(*clustered_interval(list(clusters.values())))
    return f"  {word:<34} {successes:>5} / {observed:<5}  {100 * successes / observed:5.1f}%  {exact:<18} {by_cluster}"


def breakdown(records: Sequence[ReplyRecord], most: int = 40) -> list[str]:
    """Give the most frequent combinations of kind, tool, claim and outcome, with their number and exact rate."""
    sentences = sum(record.sentences for record in records)
    counted = Counter(
        (t.kind, t.tool or "–", t.claim or "–", t.outcome) for record in records for t in record.treatments
    )
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"  {number:>5}  {' · '.join(words):<80} {_share(number, sentences)}" for words, number in ranked[:most]]
    if len(ranked) > most:
        lines.append(f"  … and {len(ranked) - most} more combinations")
    return lines


def _share(number: int, sentences: int) -> str:
    # A sentence can have more than one report: such a share is no rate of sentences.
    return printed_interval(*rate_interval(number, sentences)) if number <= sentences else ""


def compare(old: Iterable[Treatment], new: Iterable[Treatment]) -> list[str]:
    """Give a line for each sentence whose treatment differs between two runs, in the order of the names."""
    before, after = _by_place(old), _by_place(new)
    lines = []
    for place in sorted({*before, *after}):
        was, now = before.get(place), after.get(place)
        if was is None and now is not None:
            lines.append(_difference("new", now, now.after))
        elif now is None and was is not None:
            lines.append(_difference("gone", was, was.after))
        elif was and now and (was.kind, was.after) != (now.kind, now.after):
            lines.append(_difference("other", now, f"{was.after}  →  {now.after}"))
    return lines


def _by_place(treatments: Iterable[Treatment]) -> dict[tuple[str, str], Treatment]:
    # A sentence is changed once; it can have a report of each kind besides.
    return {(t.name, "" if t.kind in CHANGES else t.kind): t for t in treatments}


def _difference(what: str, treatment: Treatment, after: str) -> str:
    words = f"{treatment.kind} {treatment.tool} {treatment.claim} {treatment.outcome} ({treatment.rule})"
    return f"{what:<5} {treatment.name} {words}\n      {_line(treatment.before)}\n    → {_line(after)}"


def _line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ⏎ ")
