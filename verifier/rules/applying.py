"""Apply a rule set to a repaired reply: find, change, say where; all edits in places of the reply as it was given.

The order is fixed: offers, banned phrases, personal data, then required phrases; within a kind by the rule's id. What
a truth repair or a phrasing put there is never taken out again: of inserted text only the found words are masked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from verifier.model import Clause, Edit, Report, Sentence
from verifier.removal import replacement
from verifier.rules import banned, offers, pii, required
from verifier.rules.composition import Origins, compose
from verifier.rules.letters import Folded, fold_text
from verifier.rules.rule import BULLET, HIDDEN, Finding, Pii
from verifier.rules.ruleset import Plan, RuleSet
from verifier.splice import splice

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.phrasing import Phrasings

MAX_ROUNDS = 5  # what a change brings together may be found in the next round; one is nearly always enough


@dataclass(frozen=True, slots=True)
class Applied:
    """The edits with the rules folded in, what was found and kept, and how often each rule did what."""

    edits: tuple[Edit, ...] = ()
    reports: tuple[Report, ...] = ()
    fired: tuple[tuple[str, str, int], ...] = ()
    blocked: bool = False

    def __iter__(self) -> Iterator[tuple[Edit, ...] | tuple[Report, ...]]:
        """`edits, reports = apply(...)`."""
        yield self.edits
        yield self.reports


@dataclass(slots=True)
class _State:
    """A reply on its way through the rules."""

    reply: str
    edits: tuple[Edit, ...]
    text: str
    ledger: Ledger
    language: str
    plan: Plan
    sentences: Sequence[Sentence] | None
    clauses: dict[int, Sequence[Clause]]
    phrasings: Phrasings | None
    fired: Counter[tuple[str, str]]
    reports: list[Report]
    blocked: bool = False

    def change(self, more: Sequence[Edit]) -> None:
        """Take in edits of the text."""
        self.edits = compose(self.reply, self.edits, self.text, more)
        self.text = splice(self.text, more)
        self.sentences = None

    def split(self) -> Sequence[Sentence]:
        """The sentences of the text as it is now."""
        if self.sentences is None:
            from verifier.splitter import split

            self.sentences = split(self.text, self.language)
        return self.sentences

    def worded(self) -> Phrasings:
        """The phrasings of the language, for what opens a sentence and what stands for an empty reply."""
        if self.phrasings is None:
            from verifier.phrasing import Phrasings

            self.phrasings = Phrasings.load(self.language)
        return self.phrasings


def apply(
    reply: str,
    edits: Sequence[Edit],
    sentences: Sequence[Sentence],
    ledger: Ledger,
    ruleset: RuleSet,
    *,
    language: str = "en",
    clauses: Sequence[Sequence[Clause]] = (),
    phrasings: Phrasings | None = None,
    closing: bool = True,
    final: bool = True,
) -> Applied:
    """Apply a rule set to `reply` with its truth repairs `edits` (sorted, apart); gives all edits, in its own places.

    `sentences` are those of the reply and `clauses` what each was read as: a line that introduces removed ones and
    tells something itself stays. With `closing=False` nothing is added: no required phrase, no sentence for an empty
    reply; with `final=False` no required phrase. Pure: the same arguments give the same edits, and applying it to its
    own result gives none.
    """
    plan = ruleset.plan(language)
    text = splice(reply, edits) if edits else reply
    if _is_quiet(text, plan) and not (closing and plan.adds):
        return Applied(tuple(edits))
    at = {sentence.start: said for sentence, said in zip(sentences, clauses, strict=False)}
    state = _State(reply, tuple(edits), text, ledger, language, plan, None if edits else sentences, at, phrasings,
                   Counter(), [])  # fmt: skip
    appended = _change(state)
    if closing:
        _close(state, appended, ruleset, had_words=text, final=final)
    fired = tuple((rule, action, number) for (rule, action), number in sorted(state.fired.items()))
    return Applied(state.edits, tuple(state.reports), fired, state.blocked)


def _is_quiet(text: str, plan: Plan) -> bool:
    """The cheap look that most replies end with: whether nothing in the text can be found by any rule."""
    if plan.banned or plan.streets or (plan.pii and pii.look_at(text) is not pii.NOTHING):
        return False
    if plan.offers:
        lowered = text.lower()
        for rule in plan.offers:
            if offers.is_triggered(lowered, offers.triggers_of(rule)):
                return False
    return True


def _change(state: _State) -> list[Finding]:
    """Find and change until nothing is found any more; gives the findings that ask for a text at the end."""
    appended: list[Finding] = []
    for number in range(MAX_ROUNDS):
        found = _find(state)
        if not found:
            break
        if number == 0:
            appended = [one for one in found if one.action == "append"]
            _report(state, [one for one in found if one.action == "report"])
        blocking = next((one for one in found if one.action == "block"), None)
        if blocking is not None:
            _block(state, blocking)
            continue
        changes = [one for one in found if one.action in ("mask", "remove", "replace")]
        more = _edits(state, changes)
        if not more:
            break
        state.change(more)
    return appended


def _find(state: _State) -> list[Finding]:
    """What the rules find in the text as it is now; in inserted text a mask takes the place of anything more."""
    plan, text = state.plan, state.text
    found: list[Finding] = []
    if plan.offers and not state.blocked:
        lowered = text.lower()
        for rule in plan.offers:
            if offers.is_triggered(lowered, offers.triggers_of(rule)):
                found += offers.find(text, state.split(), rule, state.ledger, state.language)
    if plan.banned:
        folded = fold_text(text)
        for rule in plan.banned:
            found += banned.find(text, folded, rule, state.language)
    if plan.pii:
        look = pii.look_at(text)
        if look is not pii.NOTHING or plan.streets:
            for rule in plan.pii:
                found += pii.find(text, rule, look, state.ledger, state.language)
    return _for_inserted(state, found) if found and state.edits else found


def _for_inserted(state: _State, found: Sequence[Finding]) -> list[Finding]:
    origins = Origins(state.reply, state.edits)
    kept: list[Finding] = []
    for one in found:
        if not origins.inserted(one.start, one.end):
            kept.append(one)
        elif one.rule.kind == "offers":
            continue
        elif one.action in ("remove", "replace", "block") or (one.action, one.rule.kind) == ("mask", "banned"):
            kept.append(replace(one, action="mask", text=_masked(state, one)))
        else:
            kept.append(one)
    return kept


def _masked(state: _State, one: Finding) -> str:
    if isinstance(one.rule.detail, Pii):
        return pii.mask(state.text, one.start, one.end, replace(one.rule, texts={}), state.language)
    return HIDDEN


def _report(state: _State, found: Sequence[Finding]) -> None:
    origins = Origins(state.reply, state.edits)
    for one in found:
        start, end = origins.span(one.start, one.end)
        state.reports.append(Report(start, end, "rule", one.rule.id, one.why))


def _block(state: _State, finding: Finding) -> None:
    """The whole reply gives way to one sentence; what is appended after it is the caller's."""
    state.edits = (Edit(0, len(state.reply), finding.text, "block", "", finding.rule.id),)
    state.text, state.sentences, state.blocked = finding.text, None, True
    state.reports.clear()
    state.fired = Counter({(finding.rule.id, "block"): 1})


# Edits ---------------------------------------------------------------------------------------------------------------


def _edits(state: _State, changes: Sequence[Finding]) -> list[Edit]:
    """The findings as sorted edits of the text: sentences that go first, then what is masked elsewhere."""
    whole: list[Finding] = []
    parts: list[Finding] = []
    for one in changes:
        of_sentence = one.action == "remove" or (one.action, one.rule.kind) == ("replace", "offers")
        (whole if of_sentence else parts).append(one)
    fixed = _sentence_edits(state, whole) if whole else []
    made, starts = list(fixed), [edit.start for edit in fixed]
    for one in pii.apart(parts):
        at = bisect_right(starts, one.start)
        before, after = fixed[at - 1 : at] if at else [], fixed[at : at + 1]
        if all(edit.end <= one.start for edit in before) and all(one.end <= edit.start for edit in after):
            made.append(Edit(one.start, one.end, one.text, one.action, "", one.rule.id))
            state.fired[one.rule.id, one.action] += 1
    return sorted(made)


def _sentence_edits(state: _State, whole: Sequence[Finding]) -> list[Edit]:
    """Remove or replace the sentences that the findings stand in; of code only what was found."""
    sentences = state.split()
    starts = [sentence.start for sentence in sentences]
    gone: dict[int, str] = {}
    put: dict[int, Edit] = {}
    masks: list[Finding] = []
    for one in whole:
        around = range(max(0, bisect_right(starts, one.start) - 1), bisect_left(starts, one.end))
        inside = [n for n in around if sentences[n].kind != "blank"]
        if any(sentences[n].kind == "code" for n in inside):
            masks.append(replace(one, text=_masked(state, one), action="mask"))
            continue
        state.fired[one.rule.id, one.action] += 1
        if one.action == "remove":
            gone.update((n, one.rule.id) for n in inside)
        elif inside:
            edit = replacement(state.text, sentences[inside[0]], one.text)
            put.setdefault(inside[0], replace(edit, kind="replace", rule=one.rule.id))
    made = [edit for n, edit in put.items() if n not in gone]
    for one in pii.apart(masks):
        made.append(Edit(one.start, one.end, one.text, "mask", "", one.rule.id))
        state.fired[one.rule.id, "mask"] += 1
    return _apart([*made, *(_removed(state, sentences, gone) if gone else ())])


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    """The edits sorted, those that overlap made one: of a removal the marks that it leaves stay."""
    made: list[Edit] = []
    for edit in sorted(edits):
        if made and edit.start < made[-1].end:
            last = made[-1]
            made[-1] = replace(last, end=max(last.end, edit.end), text=last.text + edit.text)
        else:
            made.append(edit)
    return made


def _removed(state: _State, sentences: Sequence[Sentence], gone: dict[int, str]) -> list[Edit]:
    """The edits that take sentences out with the marks, headings and connectors that would be left alone."""
    from verifier.repairs import repair

    judged: list[Sequence[Clause]] = []
    origins = Origins(state.reply, state.edits)
    for number, sentence in enumerate(sentences):
        if number in gone:
            judged.append([Clause(sentence.start, sentence.end, None, None, rule=gone[number], true=False)])
        elif origins.inserted(sentence.start, sentence.end):
            judged.append(())
        else:
            said = state.clauses.get(origins.span(sentence.start, sentence.end)[0], ())
            judged.append([replace(clause, true=True) for clause in said])
    return list(repair(state.text, sentences, judged, state.worded(), state.ledger, connectors=True).edits)


# The end -------------------------------------------------------------------------------------------------------------


def _close(state: _State, appended: Sequence[Finding], ruleset: RuleSet, *, had_words: str, final: bool) -> None:
    """Put a sentence where nothing is left, and add what the rules require or ask for, each once."""
    if state.text != had_words and _is_empty(state.text) and not _is_empty(had_words):
        said = ruleset.nothing(state.language) or state.worded().nothing
        state.change([Edit(0, len(state.text), said, "replace", "", "nothing-left")])
    for one in appended:
        if not required.stands_in(one.text, fold_text(state.text)):
            _add(state, required.at_end(state.text, one))
    for rule in state.plan.required if final else ():
        folded: Folded = fold_text(state.text)
        sentences = state.split() if rule.action == "append" else ()
        for one in required.find(state.text, folded, sentences, rule, state.ledger, state.language):
            _add(state, one)


def _is_empty(text: str) -> bool:
    """Whether nothing is left of a text but marks."""
    return BULLET not in text and not any(map(str.isalnum, text))


def _add(state: _State, one: Finding) -> None:
    if one.action == "report":
        _report(state, [one])
    else:
        state.fired[one.rule.id, one.action] += 1
        state.change([Edit(one.start, one.end, one.text, "append", "", one.rule.id)])
