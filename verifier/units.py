"""The units of a sentence: values, entries of the grammar, quotations, words and marks, each in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.grammar import Grammar, Unit

if TYPE_CHECKING:
    from verifier.model import Value
    from verifier.text import Tokens


MOST_BETWEEN = 4  # words of an object between a verb and its particle
MAX_UNITS = 240  # a longer sentence is read to here; no person writes one, and every loop stays bounded
QUOTED_WORDS = 3  # a quotation of at least so many words is text of its own; a shorter one is a name or a state
PUNCTUATION = {
    ",": "comma",
    ";": "semi",
    ":": "colon",
    "?": "qmark",
    "(": "open",
    ")": "close",
    "[": "open",
    "]": "close",
    "→": "arrow",
    "->": "arrow",
    "=>": "arrow",
    "|": "bar",
    ".": "end",
    "!": "end",
    "…": "end",
    "✅": "check",
    "=": "colon",
    "¿": "end",
}
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


def words_of(
    tokens: Tokens, first: int, last: int, grammar: Grammar, overlay: Mapping[str, Unit], values: Sequence[Value] = ()
) -> list[Word]:
    """The units of the tokens `first:last`: a value, the longest entry there, or the word or mark itself."""
    words: list[Word] = []
    keys, starts, ends = tokens.key, tokens.start, tokens.end
    singles, several = grammar.singles, grammar.several
    codes, exact = grammar.class_codes, grammar.exact
    after_value = grammar.lists.get("after-value", frozenset())
    dated, days = grammar.lists.get("dated", frozenset()), grammar.lists.get("days", frozenset())
    last = min(last, first + MAX_UNITS)
    denying = grammar.codes_of("no", "not")
    i = first
    spans = iter(values)
    value = next(spans, None)
    dates = {value.start for value in values if value.kind == "date"} if dated else frozenset()

    def _is_day(place: int) -> bool:
        return keys[place] in days or starts[place] in dates

    while i < last:
        key, start = keys[i], starts[i]
        while value is not None and value.end <= start:
            value = next(spans, None)
        if value is not None and value.start <= start and value.kind != "count":
            width = 1
            while i + width < last and starts[i + width] < value.end:
                width += 1
            words.append(Word(codes["value"], None, i, i + width, start, ends[i + width - 1], key))
            i += width
            continue
        unit, width = singles.get(key), 1
        if exact and not tokens.text[i].isascii():
            unit = exact.get(tokens.text[i].lower(), unit)
        if key in several:
            day = i + 2 < last and keys[i + 1] in dated and _is_day(i + 2)  # `sent on Monday` is no `sent on`
            for rest, entry in several[key]:
                n = len(rest)
                if day and n == 1:
                    continue
                if n < last - i and (
                    (n == 1 and rest[0] == keys[i + 1]) or (n > 1 and tuple(keys[i + 1 : i + 1 + n]) == rest)
                ):
                    unit, width = entry, n + 1
                    break
        if overlay and (width == 1) and key in overlay and (unit is None or not unit.lemmas):
            unit = overlay[key] if unit is None or unit.code == codes["noun"] else unit
        code = unit.code if unit is not None else codes[_class_of(key)]
        if words and key in after_value and words[-1].code == codes["value"]:
            unit, code, width = None, codes["other"], 1  # 9 am
        if key == "-" and words and start == words[-1].end:
            code = codes["other"]  # a hyphen inside a word is no dash
            if words[-1].code in denying and i + 1 < last and starts[i + 1] == start + 1:
                words[-1].code, words[-1].unit = codes["other"], None  # a `no-parking zone` denies nothing
        upper = unit is None and i > first and tokens.text[i][:1].isupper()
        words.append(Word(code, unit, i, i + width, start, ends[i + width - 1], key, upper))
        i += width
    return words


@lru_cache(maxsize=8192)
def _class_of(key: str) -> str:
    """The class of a word or mark that the grammar does not hold."""
    name = PUNCTUATION.get(key)
    if name is None:
        if key in DASHES:
            name = "dash"
        elif (
            any(ch.isdigit() for ch in key)
            or "@" in key
            or "_" in key
            or "." in key[1:-1]
            or "/" in key[1:]
            or (not key[:1].isalnum() and len(key) > 1 and key[1:2].isalnum())
        ):
            name = "value"
        elif key and not key[0].isalnum():
            name = "quote" if key in "\"“”«»'" else "value" if key in "$€£%#" else "end"
        else:
            name = "other"
    return name


def join_particles(words: list[Word], tokens: Tokens, grammar: Grammar) -> None:
    """`sent your money back`: a verb whose particle stands behind its object is that phrasal verb too."""
    particles = grammar.lists.get("particles", frozenset())
    dated, days = grammar.lists.get("dated", frozenset()), grammar.lists.get("days", frozenset())
    for place, word in enumerate(words):
        particle = tokens.key[word.last - 1]  # `money back` may be one unit
        if particle not in particles:
            continue
        after = words[place + 1] if place + 1 < len(words) else None
        if particle in dated and after is not None and (
            after.code == grammar.class_codes["value"] or after.key in days
        ):
            continue  # `sent your parcel on Monday`
        for before in range(place - 1, max(-1, place - MOST_BETWEEN - 2), -1):
            unit = words[before].unit
            if unit is None or not unit.lemmas or words[before].last - words[before].first > 1:
                continue
            joined = next((u for rest, u in grammar.several.get(words[before].key, ()) if rest == (particle,)), None)
            if joined is not None and joined.lemmas:
                lemmas = tuple(dict.fromkeys((*joined.lemmas, *unit.lemmas)))
                words[before].unit = replace(unit, lemmas=lemmas, states=unit.states)
            break


def fold_quotes(words: list[Word], grammar: Grammar) -> list[Word]:
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
            folded.append(
                Word(
                    grammar.class_codes["quote"],
                    None,
                    inside[0].first,
                    inside[-1].last,
                    inside[0].start,
                    inside[-1].end,
                    "quote",
                )
            )
            i = j + 1
        else:
            folded.extend(words[i + 1 : j])
            i = j + 1
    return folded
