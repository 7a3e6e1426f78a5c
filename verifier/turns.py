"""The words in scope that turn a reading into something else: negations, conditions, questions, doubts."""

from __future__ import annotations

import itertools
from dataclasses import replace

from verifier.grammar import Grammar
from verifier.readings import CLAIM_RANK, Reading, SentenceReading

MOST_EXCEPTED = 12  # words from an exception to what is told of the rest
WIDE = 16  # a turn that looks so far reaches over `and`, brackets and colons


def apply_turns(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> Reading:
    """Apply the turns in scope; the strongest outcome in the fixed ranking wins."""
    turns = [turn for turn in grammar.turns_of.get(reading.claim, ()) if sentence.mask & turn.mask]
    if not turns:
        return _turn_by_sentence(sentence, reading, grammar)
    own, b = sentence.segments[reading.segment]
    wide = _scope(sentence, reading.segment, grammar)
    codes, at = sentence.codes, reading.at
    best: tuple[int, str, str] | None = None
    for turn in turns:
        a = wide if turn.within >= WIDE else own
        left = codes[max(a, at - turn.within) : at] if turn.look != "right" else ""
        if turn.look == "clause":
            left = left.rpartition(grammar.class_codes["comma"])[2]
        right = codes[at + 1 : min(b, at + 1 + turn.within)] if turn.look not in ("left", "clause") else ""
        if turn.look == "right":
            right = right.partition(grammar.class_codes["comma"])[0]
        if not any(code in left or code in right for code in turn.code):
            continue
        if turn.unless and any(code in codes[a:at] for code in turn.unless):
            continue
        rank = CLAIM_RANK[turn.to]
        if best is None or rank > best[0]:
            best = (rank, turn.to, turn.where)
    if best is not None:
        reading = replace(reading, claim=best[1], turned=best[2])
        if best[2].endswith(" attempt") and _tells_failure(sentence, grammar):
            reading = replace(reading, claim="says_not_done", kind="attempt")
    return _turn_by_sentence(sentence, reading, grammar)


def _tells_failure(sentence: SentenceReading, grammar: Grammar) -> bool:
    """`I tried to write it, but got an error`: does the sentence go on to tell how an attempt failed?"""
    failure = grammar.lists.get("failure", frozenset())
    return any(
        word.key in failure
        or (word.unit is not None and word.unit.lemmas and all(lemma in grammar.fails for lemma in word.unit.lemmas))
        for word in sentence.words
    )


def _scope(sentence: SentenceReading, segment: int, grammar: Grammar) -> int:
    """Where a condition or an offer that governs a segment can begin: `and`, a dash, a bracket and a colon carry on."""
    carries = grammar.codes_of("and") | grammar.marks("dash", "open", "close", "colon")
    while segment > 0 and sentence.codes[sentence.segments[segment][0]] in carries:
        segment -= 1
    return sentence.segments[segment][0]


def _turn_by_sentence(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> Reading:
    """A question mark asks about its own segment; a condition elsewhere in the sentence turns a promise."""
    if sentence.question and _under_question(sentence, reading, grammar):
        return replace(reading, claim="asks", turned="question")
    conditional = sentence.condition or (sentence.offer and reading.kind == "present")
    if reading.kind == "effect" and sentence.condition:
        return replace(reading, claim="mentions", turned="condition")
    if (reading.claim == "promises" or reading.kind in ("present", "effect")) and conditional:
        return replace(reading, claim="asks", turned="condition")
    if "WE" in reading.forms and reading.claim == "says_done" and _opens_with_condition(sentence, reading, grammar):
        return replace(reading, claim="asks", turned="condition")  # `Se chegar avariada, abrimos`: now, not then
    if reading.claim == "promises" and _after_a_request(sentence, reading, grammar):
        return replace(reading, claim="asks", turned="request")
    if reading.claim == "says_done" and _by_somebody(sentence, reading, grammar):
        return replace(reading, claim="mentions", turned="by somebody")
    if reading.claim == "says_done" and sentence.condition and _follows_a_supposed_past(sentence, reading, grammar):
        return replace(reading, claim="mentions", turned="supposed past")
    if reading.claim in ("says_done", "says_not_done") and _is_excepted(sentence, reading, grammar):
        return replace(reading, claim="mentions", turned="excepted")
    if reading.kind == "event" and reading.claim == "says_done" and _by_another(sentence, reading, grammar):
        return replace(reading, kind="by another")
    return reading


def _opens_with_condition(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    """Does a condition or an `until` stand before the reading?"""
    return not grammar.codes_of("if", "until").isdisjoint(sentence.codes[: reading.at])


def _after_a_request(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    """`Pick one and I'll book it`: an imperative before the promise is its condition."""
    a, _ = sentence.segments[reading.segment]
    a += sentence.codes[a] == grammar.class_codes["comma"]
    if reading.segment == 0 or sentence.codes[a] not in grammar.code("and"):
        return False
    first = sentence.words[0]
    asked = any(other.kind == "imperative" and other.segment < reading.segment for other in sentence.readings)
    return asked or first.code in grammar.code("please") or first.unit is None or "BASE" in first.unit.forms


def _by_another(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    """`was cancelled by Dr. Lindgren`, `automatically`: an act that is not the agent's."""
    _, b = sentence.segments[reading.segment]
    codes = sentence.codes[reading.at + 1 : min(b, reading.at + 8)]
    if not grammar.codes_of("by-itself").isdisjoint(sentence.codes[reading.span[0] : min(b, reading.at + 8)]):
        return True
    by = grammar.code("by")
    for i, code in enumerate(codes[:-1]):
        if code in by:
            word = sentence.words[reading.at + 2 + i]
            return (word.unit is None and word.code == grammar.class_codes["other"]) or word.code in grammar.code(
                "det"
            ) + grammar.code("you")
    return False


def _is_excepted(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    """`Everything except the checkout is confirmed`: what is told is not of what the sentence excepts."""
    excepts, finite = grammar.lists["except"], grammar.finite_codes
    for place in range(reading.at - 1, max(-1, reading.at - MOST_EXCEPTED), -1):
        if sentence.words[place].key in excepts:
            verbs = [i for i in range(place + 1, reading.at) if sentence.codes[i] in finite]
            return bool(verbs) and verbs[-1] - verbs[0] < len(verbs)  # one verb, whose subject the exception is in
    return False


def _follows_a_supposed_past(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    """`If the button was pressed, the floor was halted`: what follows from what may have been."""
    past, conditions = grammar.lists["past-be"], grammar.codes_of("if")
    a, _ = sentence.segments[reading.segment]
    supposed = any(
        sentence.codes[place] in conditions
        and any(word.key in past for word in sentence.words[place:a])
        for place in range(a)
    )
    return supposed and any(word.key in past for word in sentence.words[a : reading.at])


def _by_somebody(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    """`The slot was taken by someone else`, `by another guest`: nobody of the house did it."""
    _, b = sentence.segments[reading.segment]
    by, somebody = grammar.code("by"), grammar.lists["somebody"]
    behind = sentence.words[reading.at + 1 : min(b, reading.at + 6)]
    return any(one.code in by and other.key in somebody for one, other in itertools.pairwise(behind))


def _under_question(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    if reading.segment == len(sentence.segments) - 1:
        return True
    a, _b = sentence.segments[0]
    inverted = (
        (grammar.inverts or grammar.finite.replace(grammar.code("i"), "")) + grammar.code("wh") + grammar.code("offer")
    )
    if sentence.codes[a : a + 1] in inverted and sentence.codes[a : a + 1]:
        return True
    return reading.claim not in ("says_done", "says_not_done")
