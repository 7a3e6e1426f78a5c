"""Read what a sentence says: its units, its segments, and one reading for each event word.

Anchor-out reading (docs/decisions/004): only event words are looked at, each through the phrases of the grammar that
can hold it, then through the turns in scope. The default is *mentions*: when in doubt, nobody is accused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.grammar import Grammar, Phrase, Unit

if TYPE_CHECKING:
    from verifier.model import Value
    from verifier.text import Tokens
import itertools

from verifier.readings import CLAIM_RANK, Reading, SentenceReading
from verifier.segments import segments_of
from verifier.turns import apply_turns
from verifier.units import MAX_UNITS, fold_quotes, join_particles, words_of


def read_sentence(
    tokens: Tokens,
    first: int,
    last: int,
    grammar: Grammar,
    overlay: Mapping[str, Unit] | None = None,
    values: Sequence[Value] = (),
) -> SentenceReading:
    """Read the tokens `first:last` of a reply as one sentence; `values` are those found in it."""
    words = fold_quotes(words_of(tokens, first, last, grammar, overlay or {}, values), grammar)
    join_particles(words, tokens, grammar)
    codes = "".join(word.code for word in words)
    segments, asides = segments_of(words, codes, grammar)
    for a, b in asides:  # what stands in brackets there turns nothing outside them
        codes = codes[:a] + grammar.class_codes["open"] * (b - a) + codes[b:]
    reading = SentenceReading(words, segments, codes=codes, mask=grammar.mask(codes))
    reading.question = _asks(codes, grammar)
    reading.condition = not grammar.codes_of("if").isdisjoint(codes)
    reading.offer = not grammar.codes_of("offer").isdisjoint(codes)
    reading.request = not grammar.codes_of("needed").isdisjoint(codes)
    _read_segments(reading, grammar)
    _tail_decides(reading, grammar)
    reading.whole_turn = _speaks_of_the_turn(reading, grammar)
    return reading


def _asks(codes: str, grammar: Grammar) -> bool:
    mark = grammar.class_codes["qmark"]
    return mark in codes[-4:]


def _read_segments(sentence: SentenceReading, grammar: Grammar) -> None:
    for number, (a, b) in enumerate(sentence.segments):
        codes = sentence.codes[a:b]
        found: dict[int, tuple[Phrase, int, int]] = {}
        anchors = [i for i in range(a, b) if (u := sentence.words[i].unit) is not None and u.forms]
        if not anchors:
            continue
        lead = _skip_marks(codes, grammar)
        mask = grammar.mask(codes)
        finite = mask & grammar.finite_mask or _goes_on(sentence, number, grammar)
        body, offset = codes[lead:], a + lead
        for phrase in grammar.phrases_for(mask):
            if not (finite and phrase.without):
                _find(phrase, body, offset, found, grammar)
        _coordinate(sentence, anchors, found, grammar)
        for i in anchors:
            if i not in found and sentence.words[i].unit.lemmas == ():  # type: ignore[union-attr]
                continue  # `on` is a state only where a phrase says so
            if _is_preposition(sentence, i, b, grammar):
                continue
            sentence.readings.append(_reading(sentence, number, i, found.get(i), grammar))


def _is_preposition(sentence: SentenceReading, at: int, end: int, grammar: Grammar) -> bool:
    """`The visit is on March 2`, `is on time`: what a value or a thing follows is no state."""
    unit = sentence.words[at].unit
    if unit is None or "class:prep" not in unit.forms or at + 1 >= end:
        return False
    after = sentence.words[at + 1]
    thing = after.unit is not None and not after.unit.lemmas and bool(after.unit.nouns)
    thing = thing or (after.unit is None and after.key.isalpha() and after.code == grammar.class_codes["other"])
    return thing or after.code == grammar.class_codes["value"]


def _goes_on(sentence: SentenceReading, number: int, grammar: Grammar) -> bool:
    """Does a finite word follow the brackets behind a segment? `The item delivered (7.5 m, green) is …`."""
    later = sentence.segments[number + 1 :]
    if not later or sentence.codes[later[0][0]] not in grammar.class_codes["open"]:
        return False
    closing = next((a for a, _ in later if sentence.codes[a] in grammar.class_codes["close"]), -1)
    after = sentence.codes[closing + 1 : closing + 3]
    return closing >= 0 and not (
        grammar.finite_codes.isdisjoint(after) and grammar.codes_of("not").isdisjoint(after)
    )


def _tail_decides(sentence: SentenceReading, grammar: Grammar) -> None:
    """What comes after decides: an attempt that `but` follows failed; `…, but I don't know if it went` is unknown."""
    but, unknown = grammar.codes_of("but"), grammar.codes_of("unknown")
    doubted = not unknown.isdisjoint(sentence.codes)
    for place, reading in enumerate(sentence.readings):
        rest = sentence.segments[reading.segment + 1 :]
        if reading.turned.endswith(" attempt"):
            lost = any(r.claim == "says_not_done" for r in sentence.readings[place + 1 :])
            if lost or any(sentence.codes[a] in but for a, _ in rest):
                sentence.readings[place] = replace(reading, claim="says_not_done", kind="attempt")
        elif (
            doubted
            and reading.claim in ("says_done", "says_not_done")
            and any(not unknown.isdisjoint(sentence.codes[a:b]) and _is_empty(sentence, a, b) for a, b in rest)
        ):
            sentence.readings[place] = replace(reading, claim="says_unknown", turned="unknown after")


def _is_empty(sentence: SentenceReading, a: int, b: int) -> bool:
    """Has a stretch no act of its own that is told?"""
    told = ("says_done", "says_not_done", "promises")
    return not any(a <= r.at < b and r.claim in told and r.kind != "state" for r in sentence.readings)


def _coordinate(
    sentence: SentenceReading, anchors: list[int], found: dict[int, tuple[Phrase, int, int]], grammar: Grammar
) -> None:
    """`cancelled and refunded`: a word of the same form behind `and` or a comma says what the first says."""
    both = grammar.codes_of("and")
    joins = both | grammar.marks("comma") | grammar.codes_of("adv")
    things = grammar.marks("value", "noun", "other", "quote") | grammar.codes_of("det")
    for before, at in itertools.pairwise(anchors):
        if at in found or before not in found:
            continue
        between = sentence.codes[before + 1 : at]
        one, other = sentence.words[before].unit, sentence.words[at].unit
        shared = one is not None and other is not None and (one.forms & other.forms) - {"NOUN", "STATE"}
        gapped = not both.isdisjoint(between) and len(between) <= 6 and found[before][0].kind == "event"
        joins_here = joins | things if gapped else joins  # `X was cancelled and Y refunded`
        if between and len(between) <= 6 and shared and joins_here.issuperset(between):
            found[at] = (found[before][0], found[before][1], found[before][2])


def _skip_marks(codes: str, grammar: Grammar) -> int:
    marks = grammar.marks("comma", "end", "dash", "semi", "open", "close", "colon")
    joins = grammar.codes_of("and", "but")
    i = 0
    while i < len(codes) and (codes[i] in marks or codes[i] in joins):
        i += 1
    return i


def _find(phrase: Phrase, codes: str, offset: int, found: dict[int, tuple[Phrase, int, int]], grammar: Grammar) -> None:
    """Keep, for each event word, the longest phrase that holds it; of equally long ones the stronger claim."""
    place = 0
    possessive = grammar.class_codes.get("apos", "")
    for _ in range(MAX_UNITS):
        match = phrase.pattern.search(codes, place)
        if match is None:
            return
        if codes[match.start()] == possessive and not grammar.finite_codes.isdisjoint(codes[match.end("at") :]):
            place = match.start() + 1
            continue  # `the order's split was changed`: the 's is no `is`
        at, width = match.start("at") + offset, match.end() - match.start()
        before = found.get(at)
        if before is None or (width, CLAIM_RANK[phrase.claim]) > (before[1], CLAIM_RANK[before[0].claim]):
            found[at] = (phrase, width, match.start() + offset)
        place = match.start() + 1


def _reading(
    sentence: SentenceReading, number: int, at: int, found: tuple[Phrase, int, int] | None, grammar: Grammar
) -> Reading:
    word = sentence.words[at]
    unit = word.unit
    assert unit is not None
    claim, kind, rule, begins = (
        ("mentions", "mention", "bare word", at)
        if found is None
        else (found[0].claim, found[0].kind, found[0].where, found[2])
    )
    if "class:now" in unit.forms:
        kind = "now"
    fails = bool(unit.lemmas) and all(lemma in grammar.fails for lemma in unit.lemmas)
    if fails and claim == "says_done":
        claim = "says_not_done"
    reading = Reading(
        at,
        claim,
        kind,
        rule,
        number,
        word.start,
        word.end,
        unit.lemmas,
        unit.states,
        unit.forms,
        fails,
        "",
        (begins, at + 1),
    )
    if claim == "says_done" and "participle" in rule and _aside(sentence, number, grammar):
        return replace(reading, claim="mentions", turned="aside")
    if kind == "state" and claim == "says_done":
        reading = _remains(sentence, reading, grammar)
    return apply_turns(sentence, reading, grammar)


def _aside(sentence: SentenceReading, number: int, grammar: Grammar) -> bool:
    """A bare participle in brackets (`(paid by card)`) or behind a condition that opens the sentence claims nothing."""
    a, _ = sentence.segments[number]
    conditions = grammar.codes_of("if")
    return sentence.codes[a] == grammar.class_codes["open"] or not conditions.isdisjoint(sentence.codes[:3])


def _remains(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> Reading:
    """`The light is still on` denies that it was turned off: a state that remains speaks of the opposite act."""
    a, _ = sentence.segments[reading.segment]
    if grammar.codes_of("remain").isdisjoint(sentence.codes[max(a, reading.at - 3) : reading.at]):
        return reading
    opposites = tuple(sorted({other for state in reading.states for other in grammar.opposites.get(state, ())}))
    return replace(reading, claim="says_not_done", states=opposites or reading.states, turned="remains")


def _speaks_of_the_turn(sentence: SentenceReading, grammar: Grammar) -> bool:
    """'Done!', 'All set': a statement about all that was done, where the sentence names no act of its own."""
    done = grammar.codes_of("done-word")
    if sentence.question or sentence.condition or sentence.offer:
        return False
    if done.isdisjoint(sentence.codes[:6]):
        return False
    skipped = grammar.codes_of("intj", "adv", "check") | grammar.marks("comma", "end", "dash", "check")
    place = next((i for i, code in enumerate(sentence.codes[:6]) if code not in skipped), -1)
    if place < 0 or sentence.codes[place] not in done:
        return False
    if any(
        (r.claim == "says_done" and r.at != place) or (r.at == place and r.claim != "says_done")
        for r in sentence.readings
    ):
        return False
    if any(r.at == place for r in sentence.readings):
        if _names_something(sentence, place, grammar):
            return False
        sentence.readings = [r for r in sentence.readings if r.at != place]
    return grammar.codes_of("not", "until").isdisjoint(sentence.codes[:place])


def _names_something(sentence: SentenceReading, place: int, grammar: Grammar) -> bool:
    """Does the segment of a done word name what was done (`Feito o estorno`)?"""
    a, b = next(((a, b) for a, b in sentence.segments if a <= place < b), (0, 0))
    named = "".join(grammar.class_codes[name] for name in ("noun", "value", "other"))
    stop = sentence.codes.find(grammar.class_codes["comma"], place)
    return any(
        sentence.codes[i] in named or "NOUN" in (w.unit.forms if (w := sentence.words[i]).unit else ())
        for i in range(a, b if stop < 0 else min(b, stop))
        if i != place
    )
