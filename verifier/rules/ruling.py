"""The rules' part of a verdict: what they take away comes before the omitted writes are told, what they add after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.model import Clause, Edit, Report, Sentence
from verifier.removal import content_end
from verifier.rules.applying import Applied, apply
from verifier.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.phrasing import Phrasings

Fired = tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A reply and the rules that it is held to."""

    reply: str
    sentences: Sequence[Sentence]
    ledger: Ledger
    rules: RuleSet
    language: str
    clauses: Sequence[Sequence[Clause]] = ()
    phrasings: Phrasings | None = None
    final: bool = True

    def cut(self, edits: Sequence[Edit]) -> Applied:
        """What the rules mask and take out of the repaired reply; nothing is added yet."""
        return self._apply(edits, closing=False)

    def close(self, cut: Applied, added: Sequence[Edit]) -> Applied:
        """The edits of `cut` and what was appended since, with masks in it and what the rules add."""
        if not added and not self.rules.plan(self.language).adds:
            return cut
        closed = self._apply((*cut.edits, *added), closing=True)
        counts = Counter({(rule, action): number for rule, action, number in cut.fired})
        counts.update({(rule, action): number for rule, action, number in closed.fired})
        fired = tuple((rule, action, number) for (rule, action), number in sorted(counts.items()))
        return Applied(closed.edits, closed.reports, fired, cut.blocked)

    def whole(self, edits: Sequence[Edit]) -> Applied:
        """All that the rules do, where nothing is appended between."""
        return self._apply(edits, closing=True)

    def _apply(self, edits: Sequence[Edit], *, closing: bool) -> Applied:
        return apply(
            self.reply, edits, self.sentences, self.ledger, self.rules, language=self.language, clauses=self.clauses,
            phrasings=self.phrasings, closing=closing, final=self.final,
        )  # fmt: skip

    def actions(self, actions: Sequence[str], before: Sequence[Edit], after: Sequence[Edit]) -> tuple[str, ...]:
        """What was done with each sentence once the rules' edits (`after`, but not `before`) are counted too."""
        known = set(before)
        new = [edit for edit in after if edit not in known and edit.end > edit.start]
        if not new:
            return tuple(actions)
        pairs = zip(self.sentences, actions, strict=True)
        return tuple(_action(self.reply, sentence, action, new) for sentence, action in pairs)


def fired_of(applied: Applied) -> Fired:
    """How often each rule did what, reports among it: never a word of the text."""
    reported = Counter(report.rule for report in applied.reports if report.kind == "rule")
    return tuple(sorted([*applied.fired, *((rule, "report", number) for rule, number in reported.items())]))


def _action(reply: str, sentence: Sentence, action: str, new: Sequence[Edit]) -> str:
    touching = [edit for edit in new if sentence.body_start < edit.end and edit.start < sentence.body_end]
    if not touching:
        return action
    end = content_end(reply, sentence)
    if any(edit.start <= sentence.body_start and end <= edit.end and edit.kind != "mask" for edit in touching):
        return "replaced" if any(edit.kind == "replace" for edit in touching) else "removed"
    return "edited" if action == "kept" else action


def reports_of(own: Sequence[Report], applied: Applied) -> tuple[Report, ...]:
    """The reports of the check and those of the rules."""
    return (*own, *applied.reports)
