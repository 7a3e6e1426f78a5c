"""Offers that nothing granted: a discount, voucher, credit, refund, upgrade, waiver or free item promised by the reply.

A sentence offers where it gives a benefit (`I can offer you a voucher`, `a discount has been applied`), and is not a
denial, a look into it, the person's own request, a policy or a consequence. The grammar tells negation and quotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from verifier.data import DataError
from verifier.model import Sentence
from verifier.rules.granted import can_grant, is_granted
from verifier.rules.letters import Folded, Word, fold_text
from verifier.rules.phrases import Match
from verifier.rules.phrases import find as find_phrases
from verifier.rules.rule import Benefit, Finding, Offers, Rule

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.reader import SentenceReading

BETWEEN = 9  # words between what gives and what is given
FAR = 1_000
DENIES = ("not", "no", "unable", "unknown", "unavailable", "whether")


def is_triggered(lowered: str, rule: Rule) -> bool:
    """Whether a text, in lower case, holds a word of a benefit at all."""
    detail = rule.detail
    assert isinstance(detail, Offers)
    return any(trigger in lowered for trigger in detail.triggers)


def find(
    text: str, sentences: Sequence[Sentence], rule: Rule, ledger: Ledger, language: str
) -> Iterator[Finding]:
    """The offers of a text, at most one a sentence."""
    detail = rule.detail
    assert isinstance(detail, Offers)
    asks: bool | None = None
    for sentence in sentences:
        body = text[sentence.body_start : sentence.body_end]
        if sentence.kind == "code" or not is_triggered(body.lower(), rule):
            continue
        folded = fold_text(body)
        for start, end, benefit in _given(folded, detail):
            if _is_something_else(body, folded, start, end, detail, language) or is_granted(benefit, ledger):
                continue
            if benefit.proposable and not _is_done(folded, start, end, detail) and can_grant(benefit, ledger):
                asks = _asks(text, detail) if asks is None else asks
                if asks:
                    continue
            start, end = sentence.body_start + start, sentence.body_start + end
            yield Finding(start, end, rule, rule.action, rule.text(language), benefit.name)
            break


def _asks(text: str, detail: Offers) -> bool:
    """Whether the reply waits for the person's word before anything is done."""
    return "?" in text or bool(find_phrases(fold_text(text), detail.asks))


def _is_done(folded: Folded, start: int, end: int, detail: Offers) -> bool:
    return any(start <= one.start < end for one in find_phrases(folded, detail.done))


def _given(folded: Folded, detail: Offers) -> Iterator[tuple[int, int, Benefit]]:
    """Where a benefit is given: by a verb of its own, or by a noun with what gives it before or behind."""
    allowed = find_phrases(folded, detail.allowed)
    subjects, passives = find_phrases(folded, detail.subjects), find_phrases(folded, detail.passives)
    gives, given = find_phrases(folded, detail.gives), find_phrases(folded, detail.given)
    for benefit in detail.benefits:
        nouns = [noun for noun in find_phrases(folded, benefit.nouns) if not _inside(noun, allowed)]
        for before, index in ((subjects, benefit.verbs), (passives, benefit.passives)):
            for verb in find_phrases(folded, index) if before else ():
                near = [one for one in before if one.end <= verb.start and _apart(folded.words, one.end, verb.start) <= 2]
                if near and not _inside(verb, allowed):
                    yield near[-1].start, verb.end, benefit
        for noun in nouns:
            for give in gives:
                if give.end <= noun.start and _apart(folded.words, give.end, noun.start) <= BETWEEN:
                    yield give.start, noun.end, benefit
            for one in given:
                if noun.end <= one.start and _apart(folded.words, noun.end, one.start) <= BETWEEN // 2:
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


def _is_something_else(body: str, folded: Folded, start: int, end: int, detail: Offers, language: str) -> bool:
    """Whether the sentence denies it, looks into it, quotes, states a policy or a consequence."""
    for index in (detail.otherwise, detail.denied):
        if any(one.start < end for one in find_phrases(folded, index)):
            return True
    conditions = [one for one in find_phrases(folded, detail.conditions) if one.start < end]
    if conditions and not any(_inside(one, find_phrases(folded, detail.polite)) for one in conditions):
        return True
    return _is_turned(body, start, end, language)


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
