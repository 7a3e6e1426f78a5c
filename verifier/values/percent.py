"""Percentages: 40%, 40 percent, por cento."""

from __future__ import annotations

import re

from verifier.model import Value
from verifier.values.lexicon import number_words
from verifier.values.numbers import read_number
from verifier.values.spot import Spot

_PERCENT = re.compile(r"(?P<number>[0-9][0-9.,]{0,12})%")


def read(spot: Spot) -> Value | None:
    """The share at a run of digits, or None."""
    found = _PERCENT.fullmatch(spot.text) if spot.text[-1] == "%" else None
    if found:
        numbers = read_number(found["number"], spot.lexicon.decimal)
        return spot.value("percent", numbers) if numbers else None
    after = spot.lexicon.patterns["percent_right"].match(spot.right) if spot.leads_on() else None
    if after and spot.text[-1].isdigit():
        numbers = read_number(spot.text, spot.lexicon.decimal)
        return spot.value("percent", numbers, to=spot.to + after.end()) if numbers else None
    return None


def read_words(spot: Spot, words: list[str], ends: list[int]) -> Value | None:
    """`five percent`, `dez por cento`."""
    number = number_words(words, spot.lexicon)
    if not number:
        return None
    rest = words[number[1] : number[1] + 2]
    for size in (1, 2):
        if len(rest) >= size and " ".join(rest[:size]) in spot.lexicon.percent_words:
            return spot.value("percent", (number[0],), to=ends[number[1] + size - 1])
    return None
