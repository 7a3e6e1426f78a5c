"""Counts: a number with the noun that it counts. A length of time is one too (its unit says so), and so is the number
of a numbered thing (`table 14`, `40 Orchard Way`), whose unit ends in `#`: only a record's own field speaks against it.
"""

from __future__ import annotations

import re

from verifier.model import Value
from verifier.values.lexicon import fold, number_words
from verifier.values.numbers import read_number
from verifier.values.spot import Spot

_ADDRESS = re.compile("[ ]([A-ZÀ-Ý][A-Za-zÀ-ÿ']{1,20}(?: [A-ZÀ-Ý][A-Za-zÀ-ÿ']{0,20}){0,2})")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_OF_YEAR = re.compile(r"(?:19|20)[0-9]{2}/")


def read(spot: Spot) -> Value | None:
    """The count at a plain number, its unit the (folded) noun after it; None for measures and years."""
    numbers = read_number(spot.text, spot.lexicon.decimal)
    if not numbers:
        return None
    if _OF_YEAR.fullmatch(spot.reply[max(0, spot.at - 5) : spot.at]):
        return None  # `invoice 2026/0187`: the number of one of a year
    unit = _unit(spot, spot.next_words())
    if unit is None or (not unit and numbers[0] % 1) or _YEAR.fullmatch(spot.text):
        return None
    return spot.value("count", numbers, unit=unit)


def _unit(spot: Spot, following: list[str]) -> str | None:
    lexicon = spot.lexicon
    before = spot.word()
    if before in lexicon.party_of and spot.word(2) in lexicon.parties:
        return spot.word(2)
    if before in lexicon.labels or (before in ("#", ":") and spot.word(2) in lexicon.labels):
        return f"{before} #"
    if not following or following[0] in lexicon.not_nouns:
        return "" if lexicon.patterns["out_of_right"].match(spot.right) else f"{before} #" if before.isalpha() else "#"
    if following[0] in lexicon.measures and following[0] not in lexicon.durations:
        return None
    address = _ADDRESS.match(spot.reply, spot.to, spot.end) if spot.reply[spot.to + 1].isupper() else None
    if address:  # 901 Pine Lane, 21 Mill Rd
        return f"{fold(address[1])} #"
    stop = next((at for at, word in enumerate(following) if word in lexicon.not_nouns), len(following))
    return " ".join(following[:stop])


def read_words(spot: Spot, words: list[str], ends: list[int]) -> Value | None:
    """`three copies`, `both`, `party of six`: a count in words."""
    lexicon = spot.lexicon
    if words[0] in lexicon.both:
        return spot.value("count", (lexicon.both[words[0]],), unit=" ".join(words[1:2]), to=ends[0])
    number = number_words(words, lexicon)
    if not number or (words[0] in lexicon.too_common and number[1] == 1):
        return None
    following = []
    for word in words[number[1] : number[1] + 3]:
        if word in lexicon.not_nouns:
            break
        following.append(word)
    partied = spot.word() in lexicon.party_of and spot.word(2) in lexicon.parties
    unit = spot.word(2) if partied else " ".join(following)
    return spot.value("count", (number[0],), unit=unit, to=ends[number[1] - 1]) if unit else None
