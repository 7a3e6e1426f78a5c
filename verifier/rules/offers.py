"""Offers that nothing granted: a discount, voucher, credit, refund, upgrade, waiver or free item promised by the reply.

A sentence offers where it gives a benefit (`I can offer you a voucher`, `a discount has been applied`), and is not a
denial, a look into it, the person's own request, a policy or a consequence. The grammar tells negation and quotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.data import DataError
from verifier.model import Sentence
from verifier.rules.granted import can_grant, is_granted
from verifier.rules.letters import Word, fold_text
from verifier.rules.phrases import Match
from verifier.rules.phrases import find as find_phrases
from verifier.rules.rule import Benefit, Finding, Offers, Rule

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.readings import SentenceReading

Triggers = Sequence[tuple[str, tuple[str, ...]]]
BETWEEN = 9  # words between what gives and what is given
WITHIN = 2  # words between who gives and the verb
FAR = 1_000
MOST = 40  # phrases of one role in a sentence; one with more is made up to cost time
DENIES = ("not", "no", "unable", "unknown", "unavailable", "whether")


def triggers_of(rule: Rule) -> Triggers:
    """The words without which a rule has nothing to look for."""
    assert isinstance(rule.detail, Offers)
    return rule.detail.triggers


def is_triggered(lowered: str, triggers: Triggers) -> bool:
    """Whether a text, in lower case, holds one of the words."""
    for trigger, ignored in triggers:
        if trigger in lowered and (not ignored or lowered.count(trigger) > sum(map(lowered.count, ignored))):
            return True
    return False


def find(text: str, sentences: Sequence[Sentence], rule: Rule, ledger: Ledger, language: str) -> Iterator[Finding]:
    """The offers of a text, at most one a sentence."""
    detail = rule.detail
    assert isinstance(detail, Offers)
    lowered = text.lower()
    spoken_of = [one for one in detail.benefits if is_triggered(lowered, one.triggers) and not is_granted(one, ledger)]
    triggers = [trigger for benefit in spoken_of for trigger in benefit.triggers]
    asks: bool | None = None
    for sentence in sentences if triggers else ():
        body = text[sentence.body_start : sentence.body_end]
        if sentence.kind == "code" or not is_triggered(body.lower(), triggers):
            continue
        said = _said(body, detail)
        for start, end, benefit in _given(said, spoken_of):
            if _is_something_else(said, end):
                continue
            if benefit.proposable and not _within(said.of("done"), start, end) and can_grant(benefit, ledger):
                asks = _asks(text, detail) if asks is None else asks
                if asks:
                    continue
            if _is_turned(body, start, end, language):
                continue
            start, end = sentence.body_start + start, sentence.body_start + end
            yield Finding(start, end, rule, rule.action, rule.text(language), benefit.name)
            break


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of a sentence, and where the phrases of each role stand in it."""

    words: Sequence[Word]
    roles: Mapping[str, list[Match]]

    def of(self, role: str) -> list[Match]:
        """The places of a role."""
        return self.roles.get(role, [])


def _said(body: str, detail: Offers) -> _Said:
    folded = fold_text(body)
    roles: dict[str, list[Match]] = {}
    for match in find_phrases(folded, detail.phrases):
        for role in detail.roles[match.phrase.written]:
            found = roles.setdefault(role, [])
            if len(found) < MOST:
                found.append(match)
    return _Said(folded.words, roles)


def _asks(text: str, detail: Offers) -> bool:
    """Whether the reply waits for the person's word before anything is done."""
    return "?" in text or bool(find_phrases(fold_text(text), detail.asks))


def _given(said: _Said, benefits: Sequence[Benefit]) -> Iterator[tuple[int, int, Benefit]]:
    """Where a benefit is given: by a verb of its own, or by a noun with what gives it before or behind."""
    allowed = said.of("allowed")
    for benefit in benefits:
        for role, before in (("verb", "subjects"), ("passive", "passives")):
            for verb in said.of(f"{role} {benefit.name}"):
                near = [one for one in said.of(before) if one.end <= verb.start]
                near = [one for one in near if _apart(said.words, one.end, verb.start) <= WITHIN]
                if near and not _inside(verb, allowed):
                    yield near[-1].start, verb.end, benefit
        for noun in said.of(f"noun {benefit.name}"):
            if _inside(noun, allowed):
                continue
            for give in said.of("gives"):
                if give.end <= noun.start and _apart(said.words, give.end, noun.start) <= BETWEEN:
                    yield give.start, noun.end, benefit
            for one in said.of("given"):
                if noun.end <= one.start and _apart(said.words, noun.end, one.start) <= BETWEEN // 2:
                    yield noun.start, one.end, benefit


def _apart(words: Sequence[Word], start: int, end: int) -> int:
    """How many words stand between two places; many where a sentence ends between them."""
    between = [word for word in words if start <= word.start < end]
    following = next((word for word in words if word.start >= end), None)
    if following is not None and following.start == end:
        between.append(following)
        return FAR if any(word.breaks for word in between) else len(between) - 1
    return FAR if any(word.breaks for word in between) else len(between)


def _inside(match: Match, others: Sequence[Match]) -> bool:
    return any(one.start <= match.start and match.end <= one.end for one in others)


def _within(matches: Sequence[Match], start: int, end: int) -> bool:
    return any(start <= one.start < end for one in matches)


def _is_something_else(said: _Said, end: int) -> bool:
    """Whether the sentence denies it, looks into it, quotes a request, states a policy or a consequence."""
    if _within([*said.of("otherwise"), *said.of("denied")], 0, end):
        return True
    conditions = [one for one in said.of("conditions") if one.start < end]
    return bool(conditions) and not any(_inside(one, said.of("polite")) for one in conditions)


def _is_turned(body: str, start: int, end: int, language: str) -> bool:
    """Whether the grammar reads a denial before the end of the span, or the span as part of a quotation."""
    reading, codes = _reading(body, language)
    if reading is None:
        return False
    for word in reading.words:
        if word.key == "quote" and word.start <= start and end <= word.end:
            return True
        if word.code in codes and start <= word.start < end:
            return True
    return False


def _reading(body: str, language: str) -> tuple[SentenceReading | None, str]:
    """The grammar's reading of a sentence and the codes of what denies; None for a language without a grammar."""
    from verifier.grammar import load
    from verifier.reader import read_sentence
    from verifier.text import tokenize

    try:
        grammar = load(language)
    except (DataError, ValueError):
        return None, ""
    tokens = tokenize(body, grammar.language)
    if not tokens.key:
        return None, ""
    return read_sentence(tokens, 0, len(tokens.key), grammar), "".join(grammar.code(name) for name in DENIES)
