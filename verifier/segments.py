"""Cut a sentence into segments: stretches that each make a statement of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.grammar import Grammar

if TYPE_CHECKING:
    pass
from verifier.units import Word

ABBREVIATED = 4  # letters of a word that a stop behind it can shorten


def segments_of(words: list[Word], codes: str, grammar: Grammar) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Split at marks and conjunctions that have a statement on both sides; also the brackets that state nothing."""
    asides: list[tuple[int, int]] = []
    n = len(words)
    strong = grammar.marks("semi", "open", "close")
    weak = grammar.marks("dash", "colon", "comma", "end") | grammar.codes_of("and")
    but = grammar.codes_of("but", "reason")
    every = strong | weak | but
    comma, opening = grammar.class_codes["comma"], grammar.class_codes["open"]
    cuts = [0]
    end = grammar.class_codes["end"]
    tail = n
    while tail > 0 and codes[tail - 1] == end:
        tail -= 1  # the stop that ends the sentence belongs to its last segment
    inside = 0
    for i in range(tail):
        code = codes[i]
        if code not in every or i < inside or _abbreviates(words, i):
            continue
        if code == opening and (close := _empty_bracket(codes, words, i, grammar)):
            inside = close + 1  # `(reservation ID: HATHAT)` cuts nothing
            asides.append((i, inside))
            continue
        if code in strong or code in but:
            if i > cuts[-1] and (code in strong or _claims(codes[cuts[-1] : i], words[cuts[-1] : i], grammar)):
                cuts.append(i)
        elif (
            code in weak
            and i > cuts[-1]
            and (_claims if code == comma else _states)(codes[cuts[-1] : i], words[cuts[-1] : i], grammar)
        ):
            right = _right_side(codes, i + 1, every)
            if (
                _opens_statement(codes, i + 1, right, words, grammar)
                or code == end
                or _labels(words[cuts[-1] : i], words[i + 1 : right], codes[cuts[-1] : right], grammar)
            ):
                cuts.append(i)
    return [(a, b) for a, b in zip(cuts, [*cuts[1:], n], strict=True) if b > a], asides


def _empty_bracket(codes: str, words: list[Word], at: int, grammar: Grammar) -> int:
    """The place of the closing bracket of an aside that states nothing; 0 for one that does, or has no end."""
    close = codes.find(grammar.class_codes["close"], at, at + 14)
    if close < 0:
        return 0
    return 0 if _states(codes[at + 1 : close], words[at + 1 : close], grammar) else close


def _abbreviates(words: list[Word], i: int) -> bool:
    """Is this the stop of an abbreviation (`Dra. Okafor`)? Inside a sentence a stop behind a short word is one."""
    return (
        words[i].key == "."
        and 0 < i < len(words) - 1
        and len(words[i - 1].key) <= ABBREVIATED
        and words[i].start == words[i - 1].end
    )


def _right_side(codes: str, start: int, marks: frozenset[str]) -> int:
    end = start
    while end < len(codes) and codes[end] not in marks:
        end += 1
    return end


def _states(codes: str, words: list[Word], grammar: Grammar) -> bool:
    """Does this stretch state something: a finite word, an event word, or 'done'?"""
    if not (grammar.finite_codes.isdisjoint(codes) and grammar.codes_of("done-word", "if", "until").isdisjoint(codes)):
        return True
    return any(word.unit is not None and word.unit.forms for word in words)


def _claims(codes: str, words: list[Word], grammar: Grammar) -> bool:
    """Does this stretch hold more than a subject? `None of them, however, was archived` is one statement."""
    opens = grammar.codes_of("done-word", "if", "until", "intj")
    if not (grammar.finite_codes.isdisjoint(codes) and opens.isdisjoint(codes)):
        return True
    return any(word.unit is not None and word.unit.forms and "NOUN" not in word.unit.forms for word in words)


def _labels(left: list[Word], right: list[Word], codes: str, grammar: Grammar) -> bool:
    """`Garage locked and alarm armed`: two verbless statements, each with its own subject before the participle."""
    if not grammar.finite_codes.isdisjoint(codes):
        return False
    sides = []
    for side in (left, right):
        at = next((i for i, word in enumerate(side) if word.unit is not None and "PART" in word.unit.forms), 0)
        named = side[at - 1].unit if at else None
        sides.append(at > 0 and (named is None or "NOUN" in named.forms or bool(named.nouns)))
    return all(sides)


def _opens_statement(codes: str, a: int, b: int, words: list[Word], grammar: Grammar) -> bool:
    if a < b and codes[a] in grammar.codes_of("i", "you", "it", "let-me"):
        return True
    return not grammar.finite_codes.isdisjoint(codes[a:b])
