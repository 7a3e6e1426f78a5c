"""Read what a sentence says: its units, its segments, and one reading for each event word.

Anchor-out reading (docs/decisions/004): only event words are looked at, each through the phrases of the grammar that
can hold it, then through the turns in scope. The default is *mentions*: when in doubt, nobody is accused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from verifier.grammar import Grammar, Phrase, Unit

if TYPE_CHECKING:
    from verifier.model import Value
    from verifier.text import Tokens

MOST_BETWEEN = 4  # words of an object between a verb and its particle
MAX_UNITS = 240  # a longer sentence is read to here; no person writes one, and every loop stays bounded
ABBREVIATED = 4  # letters of a word that a stop behind it can shorten
QUOTED_WORDS = 3  # a quotation of at least so many words is text of its own; a shorter one is a name or a state
WIDE = 16  # a turn that looks so far reaches over `and`, brackets and colons
CLAIM_RANK = {"asks": 6, "says_unknown": 5, "promises": 4, "says_not_done": 3, "says_done": 2, "mentions": 1}
PUNCTUATION = {",": "comma", ";": "semi", ":": "colon", "?": "qmark", "(": "open", ")": "close", "[": "open",
               "]": "close", "→": "arrow", "->": "arrow", "=>": "arrow", "|": "bar", ".": "end", "!": "end",
               "…": "end", "✅": "check", "=": "colon", "¿": "end"}
DASHES = frozenset({"-", "–", "—", "--", "―", "·", "•"})
OPENING_QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»", "„": "“"}


@dataclass(slots=True)
class Word:
    """A unit in place: what it is, the tokens that it covers, and its place in the reply."""

    code: str
    unit: Unit | None
    first: int
    last: int
    start: int
    end: int
    key: str
    upper: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One event word and what is said of it. `claim` is a Claim's value; `rule` is the data line that decided."""

    at: int
    claim: str
    kind: str
    rule: str
    segment: int
    start: int
    end: int
    lemmas: tuple[str, ...]
    states: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset()
    fails: bool = False
    turned: str = ""
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class SentenceReading:
    """All that was read of one sentence."""

    words: list[Word]
    segments: list[tuple[int, int]]
    readings: list[Reading] = field(default_factory=list)
    question: bool = False
    condition: bool = False
    whole_turn: bool = False
    offer: bool = False
    request: bool = False
    codes: str = ""
    mask: int = 0


def words_of(
    tokens: Tokens, first: int, last: int, grammar: Grammar, overlay: Mapping[str, Unit], values: Sequence[Value] = ()
) -> list[Word]:
    """The units of the tokens `first:last`: a value, the longest entry that stands there, or the word or mark itself."""
    words: list[Word] = []
    keys, starts, ends = tokens.key, tokens.start, tokens.end
    singles, several = grammar.singles, grammar.several
    codes, exact = grammar.class_codes, grammar.exact
    after_value = grammar.lists.get("after-value", frozenset())
    last = min(last, first + MAX_UNITS)
    i = first
    spans = iter(values)
    value = next(spans, None)
    while i < last:
        key = keys[i]
        while value is not None and value.end <= starts[i]:
            value = next(spans, None)
        if value is not None and value.start <= starts[i] and value.kind != "count":
            width = 1
            while i + width < last and starts[i + width] < value.end:
                width += 1
            words.append(Word(codes["value"], None, i, i + width, starts[i], ends[i + width - 1], key))
            i += width
            continue
        unit, width = singles.get(key), 1
        if exact and not tokens.text[i].isascii():
            unit = exact.get(tokens.text[i].lower(), unit)
        if key in several:
            for rest, entry in several[key]:
                n = len(rest)
                if n < last - i and (n == 1 and rest[0] == keys[i + 1] or n > 1 and tuple(keys[i + 1 : i + 1 + n]) == rest):
                    unit, width = entry, n + 1
                    break
        if overlay and (width == 1) and key in overlay and (unit is None or not unit.lemmas):
            unit = overlay[key] if unit is None or unit.code == codes["noun"] else unit
        code = unit.code if unit is not None else _code_of(key, codes)
        if words and key in after_value and words[-1].code == codes["value"]:
            unit, code, width = None, codes["other"], 1  # 9 am
        if key == "-" and words and starts[i] == words[-1].end:
            code = codes["other"]  # a hyphen inside a word is no dash
        upper = unit is None and i > first and tokens.text[i][:1].isupper()
        words.append(Word(code, unit, i, i + width, starts[i], ends[i + width - 1], key, upper))
        i += width
    return words


def _code_of(key: str, codes: Mapping[str, str]) -> str:
    name = PUNCTUATION.get(key)
    if name is None:
        if key in DASHES:
            name = "dash"
        elif any(ch.isdigit() for ch in key) or "@" in key or "_" in key or "." in key[1:-1] or "/" in key[1:] or (not key[:1].isalnum() and len(key) > 1 and key[1:2].isalnum()):
            name = "value"
        elif key and not key[0].isalnum():
            name = "quote" if key in "\"“”«»'" else "value" if key in "$€£%#" else "end"
        else:
            name = "other"
    return codes[name]


def read_sentence(
    tokens: Tokens, first: int, last: int, grammar: Grammar, overlay: Mapping[str, Unit] | None = None,
    values: Sequence[Value] = (),
) -> SentenceReading:
    """Read the tokens `first:last` of a reply as one sentence; `values` are those found in it."""
    words = _fold_quotes(words_of(tokens, first, last, grammar, overlay or {}, values), grammar)
    _join_particles(words, tokens, grammar)
    codes = "".join(word.code for word in words)
    segments, asides = _segments(words, codes, grammar)
    for a, b in asides:  # what stands in brackets there turns nothing outside them
        codes = codes[:a] + grammar.class_codes["open"] * (b - a) + codes[b:]
    reading = SentenceReading(words, segments, codes=codes, mask=grammar.mask(codes))
    reading.question = _asks(codes, grammar)
    reading.condition = any(code in grammar.code("if") for code in codes)
    reading.offer = any(code in grammar.code("offer") for code in codes)
    reading.request = any(code in grammar.code("needed") for code in codes)
    _read_segments(reading, grammar)
    _tail_decides(reading, grammar)
    reading.whole_turn = _speaks_of_the_turn(reading, grammar)
    return reading


def _join_particles(words: list[Word], tokens: Tokens, grammar: Grammar) -> None:
    """`sent your money back`: a verb whose particle stands behind its object is that phrasal verb too."""
    particles = grammar.lists.get("particles", frozenset())
    for place, word in enumerate(words):
        particle = tokens.key[word.last - 1]  # `money back` may be one unit
        if particle not in particles:
            continue
        for before in range(place - 1, max(-1, place - MOST_BETWEEN - 2), -1):
            unit = words[before].unit
            if unit is None or not unit.lemmas or words[before].last - words[before].first > 1:
                continue
            joined = next((u for rest, u in grammar.several.get(words[before].key, ()) if rest == (particle,)), None)
            if joined is not None and joined.lemmas:
                lemmas = tuple(dict.fromkeys((*joined.lemmas, *unit.lemmas)))
                words[before].unit = replace(unit, lemmas=lemmas, states=unit.states)
            break


def _fold_quotes(words: list[Word], grammar: Grammar) -> list[Word]:
    """Make one unit of each quotation that is text of its own; a short one stays as it is, without its marks."""
    if not any(word.key in OPENING_QUOTES for word in words):
        return words
    folded: list[Word] = []
    i, n = 0, len(words)
    while i < n:
        closing = OPENING_QUOTES.get(words[i].key)
        if closing is None:
            folded.append(words[i])
            i += 1
            continue
        j = next((k for k in range(i + 1, n) if words[k].key == closing), -1)
        if j < 0:
            i += 1
        elif j - i - 1 >= QUOTED_WORDS or (folded and folded[-1].unit and {"PAST", "PART"} & folded[-1].unit.forms):
            inside = words[i : j + 1]
            folded.append(Word(grammar.class_codes["quote"], None, inside[0].first, inside[-1].last,
                               inside[0].start, inside[-1].end, "quote"))
            i = j + 1
        else:
            folded.extend(words[i + 1 : j])
            i = j + 1
    return folded


def _asks(codes: str, grammar: Grammar) -> bool:
    mark = grammar.class_codes["qmark"]
    return mark in codes[-4:]


def _segments(
    words: list[Word], codes: str, grammar: Grammar
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Split at marks and conjunctions that have a statement on both sides; also the brackets that state nothing."""
    asides: list[tuple[int, int]] = []
    n = len(words)
    strong = grammar.class_codes["semi"] + grammar.class_codes["open"] + grammar.class_codes["close"]
    weak = (grammar.class_codes["dash"] + grammar.class_codes["colon"] + grammar.class_codes["comma"]
            + grammar.code("and") + grammar.class_codes["end"])
    but = grammar.code("but") + grammar.code("reason")
    comma = grammar.class_codes["comma"]
    cuts = [0]
    end = grammar.class_codes["end"]
    tail = n
    while tail > 0 and codes[tail - 1] == end:
        tail -= 1  # the stop that ends the sentence belongs to its last segment
    inside = 0
    for i in range(tail):
        code = codes[i]
        if i < inside or _abbreviates(words, i):
            continue
        if code == grammar.class_codes["open"] and (close := _empty_bracket(codes, words, i, grammar)):
            inside = close + 1  # `(reservation ID: HATHAT)` cuts nothing
            asides.append((i, inside))
            continue
        if code in strong or code in but:
            if i > cuts[-1] and (code in strong or _claims(codes[cuts[-1]:i], words[cuts[-1]:i], grammar)):
                cuts.append(i)
        elif code in weak and i > cuts[-1] and (_claims if code == comma else _states)(
            codes[cuts[-1]:i], words[cuts[-1]:i], grammar
        ):
            right = _right_side(codes, i + 1, strong + weak + but)
            if (_opens_statement(codes, i + 1, right, words, grammar) or code == grammar.class_codes["end"]
                    or _labels(words[cuts[-1]:i], words[i + 1 : right], codes[cuts[-1]:right], grammar)):
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
    return words[i].key == "." and 0 < i < len(words) - 1 and len(words[i - 1].key) <= ABBREVIATED and words[i].start == words[i - 1].end


def _right_side(codes: str, start: int, marks: str) -> int:
    end = start
    while end < len(codes) and codes[end] not in marks:
        end += 1
    return end


def _states(codes: str, words: list[Word], grammar: Grammar) -> bool:
    """Does this stretch state something: a finite word, an event word, or 'done'?"""
    finite, done = grammar.finite, grammar.code("done-word")
    starts = grammar.code("if") + grammar.code("until")
    return any(code in finite or code in done or code in starts for code in codes) or any(
        word.unit is not None and word.unit.forms for word in words)


def _claims(codes: str, words: list[Word], grammar: Grammar) -> bool:
    """Does this stretch hold more than a subject? `None of them, however, was archived` is one statement."""
    opens = grammar.finite + grammar.code("done-word") + grammar.code("if") + grammar.code("until") + grammar.code("intj")
    return any(code in opens for code in codes) or any(
        word.unit is not None and word.unit.forms and "NOUN" not in word.unit.forms for word in words)


def _labels(left: list[Word], right: list[Word], codes: str, grammar: Grammar) -> bool:
    """`Garage locked and alarm armed`: two verbless statements, each with its own subject before the participle."""
    if any(code in grammar.finite for code in codes):
        return False
    sides = []
    for side in (left, right):
        at = next((i for i, word in enumerate(side) if word.unit is not None and "PART" in word.unit.forms), 0)
        named = side[at - 1].unit if at else None
        sides.append(at > 0 and (named is None or "NOUN" in named.forms or bool(named.nouns)))
    return all(sides)


def _opens_statement(codes: str, a: int, b: int, words: list[Word], grammar: Grammar) -> bool:
    finite = grammar.finite
    subject = grammar.code("i") + grammar.code("you") + grammar.code("it") + grammar.code("let-me")
    if a < b and codes[a] in subject:
        return True
    return any(code in finite for code in codes[a:b])


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
        for phrase in grammar.phrases:
            if finite and phrase.without:
                continue
            for need in phrase.masks:
                if not mask & need:
                    break
            else:
                _find(phrase, body, offset, found, grammar)
        _coordinate(sentence, anchors, found, grammar)
        for i in anchors:
            if i not in found and sentence.words[i].unit.lemmas == ():  # type: ignore[union-attr]
                continue  # `on` is a state only where a phrase says so
            sentence.readings.append(_reading(sentence, number, i, found.get(i), grammar))


def _goes_on(sentence: SentenceReading, number: int, grammar: Grammar) -> bool:
    """Does a finite word follow the brackets behind a segment? `The item delivered (7.5 m, green) is …`."""
    later = sentence.segments[number + 1 :]
    if not later or sentence.codes[later[0][0]] not in grammar.class_codes["open"]:
        return False
    closing = next((a for a, _ in later if sentence.codes[a] in grammar.class_codes["close"]), -1)
    opens = grammar.finite + grammar.code("not")
    return closing >= 0 and any(code in opens for code in sentence.codes[closing + 1 : closing + 3])


def _tail_decides(sentence: SentenceReading, grammar: Grammar) -> None:
    """What comes after decides: an attempt that `but` follows failed; `…, but I don't know if it went` is unknown."""
    but, unknown = grammar.code("but"), grammar.code("unknown")
    for place, reading in enumerate(sentence.readings):
        rest = sentence.segments[reading.segment + 1 :]
        if reading.turned.endswith(" attempt"):
            lost = any(r.claim == "says_not_done" for r in sentence.readings[place + 1 :])
            if lost or any(sentence.codes[a] in but for a, _ in rest):
                sentence.readings[place] = replace(reading, claim="says_not_done", kind="attempt")
        elif reading.claim in ("says_done", "says_not_done") and any(
            any(code in unknown for code in sentence.codes[a:b]) and _is_empty(sentence, a, b) for a, b in rest
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
    joins = grammar.code("and") + grammar.class_codes["comma"] + grammar.code("adv")
    things = "".join(grammar.class_codes[name] for name in ("value", "noun", "other", "quote")) + grammar.code("det")
    for before, at in zip(anchors, anchors[1:], strict=False):
        if at in found or before not in found:
            continue
        between = sentence.codes[before + 1 : at]
        one, other = sentence.words[before].unit, sentence.words[at].unit
        shared = one is not None and other is not None and (one.forms & other.forms) - {"NOUN", "STATE"}
        own_subject = grammar.code("and") in between or any(code in grammar.code("and") for code in between)
        if own_subject and len(between) <= 6 and found[before][0].kind == "event":
            joins_here = joins + things  # `X was cancelled and Y refunded`
        else:
            joins_here = joins
        if between and len(between) <= 6 and shared and all(code in joins_here for code in between):
            found[at] = (found[before][0], found[before][1], found[before][2])


def _skip_marks(codes: str, grammar: Grammar) -> int:
    marks = (grammar.class_codes["comma"] + grammar.class_codes["end"] + grammar.class_codes["dash"]
             + grammar.code("and") + grammar.code("but") + grammar.class_codes["semi"]
             + grammar.class_codes["open"] + grammar.class_codes["close"] + grammar.class_codes["colon"])
    i = 0
    while i < len(codes) and codes[i] in marks:
        i += 1
    return i


def _find(
    phrase: Phrase, codes: str, offset: int, found: dict[int, tuple[Phrase, int, int]], grammar: Grammar
) -> None:
    """Keep, for each event word, the longest phrase that holds it; of equally long ones the stronger claim."""
    place = 0
    possessive = grammar.class_codes.get("apos", "")
    finite = grammar.finite

    def finite_after(codes: str, end: int) -> bool:
        return any(code in finite for code in codes[end:])

    for _ in range(MAX_UNITS):
        match = phrase.pattern.search(codes, place)
        if match is None:
            return
        if codes[match.start()] == possessive and finite_after(codes, match.end("at")):
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
    claim, kind, rule, begins = ("mentions", "mention", "bare word", at) if found is None else (
        found[0].claim, found[0].kind, found[0].where, found[2])
    if "class:now" in unit.forms:
        kind = "now"
    fails = bool(unit.lemmas) and all(lemma in grammar.fails for lemma in unit.lemmas)
    if fails and claim == "says_done":
        claim = "says_not_done"
    reading = Reading(at, claim, kind, rule, number, word.start, word.end, unit.lemmas, unit.states, unit.forms,
                      fails, "", (begins, at + 1))
    if claim == "says_done" and "participle" in rule and _aside(sentence, number, grammar):
        return replace(reading, claim="mentions", turned="aside")
    if kind == "state" and claim == "says_done":
        reading = _remains(sentence, reading, grammar)
    return _turn(sentence, reading, grammar)


def _aside(sentence: SentenceReading, number: int, grammar: Grammar) -> bool:
    """A bare participle in brackets (`(paid by card)`), or in a sentence that opens with a condition, claims nothing."""
    a, _ = sentence.segments[number]
    conditions = grammar.code("if")
    return sentence.codes[a] == grammar.class_codes["open"] or any(code in conditions for code in sentence.codes[:3])


def _remains(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> Reading:
    """`The light is still on` denies that it was turned off: a state that remains speaks of the opposite act."""
    a, _ = sentence.segments[reading.segment]
    remain = grammar.code("remain")
    if not any(code in remain for code in sentence.codes[max(a, reading.at - 3) : reading.at]):
        return reading
    opposites = tuple(sorted({other for state in reading.states for other in grammar.opposites.get(state, ())}))
    return replace(reading, claim="says_not_done", states=opposites or reading.states, turned="remains")


def _turn(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> Reading:
    """Apply the turns in scope; the strongest outcome in the fixed ranking wins."""
    turns = [turn for turn in grammar.turns if sentence.mask & turn.mask and reading.claim in turn.of]
    if not turns:
        return _turn_by_sentence(sentence, reading, grammar)
    own, b = sentence.segments[reading.segment]
    wide = _scope(sentence, reading.segment, grammar)
    codes, at = sentence.codes, reading.at
    best: tuple[int, str, str] | None = None
    for turn in turns:
        a = wide if turn.within >= WIDE else own
        left = codes[max(a, at - turn.within) : at] if turn.look != "right" else ""
        right = codes[at + 1 : min(b, at + 1 + turn.within)] if turn.look != "left" else ""
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
    return any(word.key in failure or word.unit is not None and word.unit.lemmas
               and all(lemma in grammar.fails for lemma in word.unit.lemmas) for word in sentence.words)


def _scope(sentence: SentenceReading, segment: int, grammar: Grammar) -> int:
    """Where a condition or an offer that governs a segment can begin: `and`, a dash, a bracket and a colon carry on."""
    carries = grammar.code("and") + "".join(grammar.class_codes[name] for name in ("dash", "open", "close", "colon"))
    while segment > 0 and sentence.codes[sentence.segments[segment][0]] in carries:
        segment -= 1
    return sentence.segments[segment][0]


def _turn_by_sentence(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> Reading:
    """A question mark asks about its own segment; a condition elsewhere in the sentence turns a promise."""
    if sentence.question and _under_question(sentence, reading, grammar):
        return replace(reading, claim="asks", turned="question")
    conditional = sentence.condition or (sentence.offer and reading.kind == "present")
    if (reading.claim == "promises" or reading.kind in ("present", "effect")) and conditional:
        return replace(reading, claim="asks", turned="condition")
    if reading.claim == "promises" and _after_a_request(sentence, reading, grammar):
        return replace(reading, claim="asks", turned="request")
    if reading.kind == "event" and reading.claim == "says_done" and _by_another(sentence, reading, grammar):
        return replace(reading, kind="by another")
    return reading


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
    itself = grammar.code("by-itself")
    if any(code in itself for code in sentence.codes[reading.span[0] : min(b, reading.at + 8)]):
        return True
    by = grammar.code("by")
    for i, code in enumerate(codes[:-1]):
        if code in by:
            word = sentence.words[reading.at + 2 + i]
            return word.unit is None and word.code == grammar.class_codes["other"] or word.code in grammar.code("det") + grammar.code("you")
    return False


def _under_question(sentence: SentenceReading, reading: Reading, grammar: Grammar) -> bool:
    if reading.segment == len(sentence.segments) - 1:
        return True
    a, b = sentence.segments[0]
    inverted = (grammar.inverts or grammar.finite.replace(grammar.code("i"), "")) + grammar.code("wh") + grammar.code("offer")
    if sentence.codes[a : a + 1] in inverted and sentence.codes[a:a + 1]:
        return True
    return reading.claim not in ("says_done", "says_not_done")


def _speaks_of_the_turn(sentence: SentenceReading, grammar: Grammar) -> bool:
    """'Done!', 'All set': a statement about all that was done, where the sentence names no act of its own."""
    done = grammar.code("done-word")
    if sentence.question or sentence.condition or sentence.offer:
        return False
    skipped = (grammar.code("intj") + grammar.code("adv") + grammar.code("check") + "".join(
        grammar.class_codes[name] for name in ("comma", "end", "dash", "check")))
    place = next((i for i, code in enumerate(sentence.codes[:6]) if code not in skipped), -1)
    if place < 0 or sentence.codes[place] not in done:
        return False
    if any(r.claim == "says_done" and r.at != place or r.at == place and r.claim != "says_done" for r in sentence.readings):
        return False
    if any(r.at == place for r in sentence.readings):
        if _names_something(sentence, place, grammar):
            return False
        sentence.readings = [r for r in sentence.readings if r.at != place]
    return not any(code in grammar.code("not") + grammar.code("until") for code in sentence.codes[:place])


def _names_something(sentence: SentenceReading, place: int, grammar: Grammar) -> bool:
    """Does the segment of a done word name what was done (`Feito o estorno`)?"""
    a, b = next(((a, b) for a, b in sentence.segments if a <= place < b), (0, 0))
    named = "".join(grammar.class_codes[name] for name in ("noun", "value", "other"))
    stop = sentence.codes.find(grammar.class_codes["comma"], place)
    return any(sentence.codes[i] in named or "NOUN" in (w.unit.forms if (w := sentence.words[i]).unit else ())
               for i in range(a, b if stop < 0 else min(b, stop)) if i != place)
