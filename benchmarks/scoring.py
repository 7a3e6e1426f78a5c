"""Holding one verdict against the labels of its reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.material import Case, LabelSentence

# Edits that say nothing about a sentence: an addition at the end, and the white space or marker a removal leaves.
HARMLESS = frozenset({"append", "tidy"})
NONE = "none"


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """One label sentence and what the verdict made of it."""

    case: Case
    label: LabelSentence
    rewritten: bool
    claims: frozenset[str]
    label_claims: frozenset[str]
    tools: frozenset[str]
    label_tools: frozenset[str]
    calls: frozenset[int]
    label_calls: frozenset[int]
    edits: tuple[Any, ...]
    clauses: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Give the sentence's name: the key of its reply and where it starts."""
        return f"{self.case.key}@{self.label.start}"


@dataclass(frozen=True, slots=True)
class ReplyScore:
    """One labelled reply: its sentences, what was appended rightly, wrongly and not at all."""

    case: Case
    verdict: Any
    sentences: tuple[SentenceScore, ...]
    appended: tuple[int, ...] = ()
    appended_though_told: tuple[int, ...] = ()
    not_appended: tuple[int, ...] = ()
    changed: bool = False
    must_go_left: tuple[str, ...] = ()
    must_stay_lost: tuple[str, ...] = ()
    append_wrong: tuple[str, ...] = ()
    all_true: bool = False


def score(case: Case, verdict: Any) -> ReplyScore:
    """Hold `verdict` against the labels of `case`."""
    changed = verdict.text != case.reply
    if case.expect is not None:
        return _score_expected(case, verdict, changed)
    sentences = tuple(_score_sentence(case, label, verdict) for label in case.sentences)
    ours, told = Counter(_appended(case, verdict)), Counter(case.omitted)
    return ReplyScore(
        case,
        verdict,
        sentences,
        appended=tuple(sorted((ours & told).elements())),
        appended_though_told=tuple(sorted((ours - told).elements())),
        not_appended=tuple(sorted((told - ours).elements())),
        changed=changed,
        all_true=not case.omitted and all(label.keep for label in case.sentences),
    )


def _score_expected(case: Case, verdict: Any, changed: bool) -> ReplyScore:
    expect = case.expect or {}
    wanted: Counter[str] = Counter(expect["appended_tools"])
    ours: Counter[str] = Counter(call.tool for call in verdict.appended)
    wrong = [f"+{tool}" for tool in (ours - wanted).elements()] + [f"-{tool}" for tool in (wanted - ours).elements()]
    return ReplyScore(
        case,
        verdict,
        (),
        changed=changed,
        must_go_left=tuple(text for text in expect["removed"] if text in verdict.text),
        must_stay_lost=tuple(text for text in expect["kept"] if text not in verdict.text),
        append_wrong=tuple(wrong),
        all_true=not expect["removed"] and not expect["appended_tools"],
    )


def _score_sentence(case: Case, label: LabelSentence, verdict: Any) -> SentenceScore:
    clauses = tuple(clauses_over(verdict, label.start, label.end))
    edits = tuple(edit for edit in verdict.edits if rewrites(edit, case.reply, label.start, label.end))
    return SentenceScore(
        case,
        label,
        bool(edits),
        claims=_claims((clause.tool, clause.claim) for clause in clauses),
        label_claims=_claims((tool, claim) for tool, claim, _ in label.clauses),
        tools=frozenset(clause.tool for clause in clauses if clause.tool),
        label_tools=frozenset(tool for tool, _, _ in label.clauses if tool),
        calls=frozenset(index_of(case, clause.call) for clause in clauses if clause.call is not None),
        label_calls=frozenset(call for _, _, call in label.clauses if call is not None),
        edits=edits,
        clauses=clauses,
    )


def _claims(pairs: Iterator[tuple[Any, Any]]) -> frozenset[str]:
    """Give the claims of clauses that speak of a tool; none at all is the one word `none`."""
    claims = frozenset(str(claim) for tool, claim in pairs if tool is not None and claim is not None)
    return claims or frozenset({NONE})


def clauses_over(verdict: Any, start: int, end: int) -> Iterator[Any]:
    """Give the verdict's clauses that overlap `start:end` of the reply."""
    for sentence in verdict.sentences:
        if sentence.start < end and sentence.end > start:
            yield from (clause for clause in sentence.clauses if clause.start < end and clause.end > start)


def rewrites(edit: Any, reply: str, start: int, end: int) -> bool:
    """Tell whether `edit` touches more of `start:end` than white space and list or emphasis marks."""
    if edit.kind in HARMLESS:
        return False
    touched = reply[max(edit.start, start) : min(edit.end, end)]
    if any(character.isalnum() for character in touched):
        return True
    wordless = not any(character.isalnum() for character in reply[start:end])
    return wordless and touched.strip() != ""


def index_of(case: Case, call: Any) -> int:
    """Give the place at which the labels count `call`; -1 for a call that they do not count."""
    return case.call_ids.index(call.id) if call.id in case.call_ids else -1


def _appended(case: Case, verdict: Any) -> list[int]:
    return [index_of(case, call) for call in verdict.appended]
