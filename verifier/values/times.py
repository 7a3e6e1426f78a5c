"""Times of day: 9:20 am, 15:40, 18h40, às 8h, noon, nine o'clock. Lengths of time are none."""

from __future__ import annotations

import re

from verifier.model import Value
from verifier.values.spot import Spot

_CLOCK = re.compile(r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::[0-9]{2})?(?P<half>[aApP]\.?[mM]?\.?)?")
_H = re.compile(r"(?P<hour>[0-9]{1,2})[hH](?P<minute>[0-9]{2})?(?:min)?")
_HALF = re.compile(r"(?P<hour>[0-9]{1,2})(?P<half>[aApP]\.?[mM]\.?)")
_HOUR_WORD = re.compile(r" (?P<word>[a-z']{1,7})(?![a-z])")

Time = tuple[int, int]


def read(spot: Spot) -> Value | None:
    """The time at a run of digits: meanings are (hour, minute) on the 24-hour clock; None where it is no time."""
    if spot.text.isdigit():
        return _hour(spot, int(spot.text)) if len(spot.text) <= 2 and spot.leads_on() else None
    found = _CLOCK.fullmatch(spot.text) or _H.fullmatch(spot.text) or _HALF.fullmatch(spot.text)
    return _clock(spot, found) if found else None


def _clock(spot: Spot, found: re.Match[str]) -> Value | None:
    groups = found.groupdict()
    hour, minute = int(found["hour"]), int(groups.get("minute") or 0)
    if hour > 24 or minute > 59 or (found.re is _H and _is_length(spot, groups.get("minute"))):
        return None
    if groups.get("half"):
        return spot.value("time", _halved(hour, minute, pm=groups["half"][0] in "pP"))
    return _with_half(spot, hour, minute, padded=len(found["hour"]) == 2 and found["hour"][0] == "0")


def _is_length(spot: Spot, minute: str | None) -> bool:
    """`24h`, `em 8h` are lengths, `às 8h`, `18h40` times; where am and pm are usual, any bare `8h` is a length."""
    if minute is not None or spot.word() in spot.lexicon.time_before:
        return False
    return spot.lexicon.clock == 12 or spot.word() in spot.lexicon.length_before


def _halved(hour: int, minute: int, *, pm: bool) -> tuple[Time, ...]:
    hour = hour % 12 if hour <= 12 else hour
    return ((hour + 12 if pm and hour < 12 else hour, minute),)


def _open(spot: Spot, hour: int, minute: int, *, padded: bool = False) -> tuple[Time, ...]:
    """A time without am or pm: on a twelve-hour clock it can be two."""
    later = spot.lexicon.patterns["later_right"].match(spot.right)
    if later and later["later"] in spot.lexicon.later and hour < 12:
        return ((hour + 12, minute),)
    hour %= 24
    if spot.lexicon.clock == 12 and 1 <= hour <= 12 and not padded:
        return ((hour, minute), ((hour + 12) % 24, minute))
    return ((hour, minute),)


def _with_half(spot: Spot, hour: int, minute: int, *, padded: bool) -> Value:
    """The time with the am or pm that stands after it, or after the end of the span it begins (`4:00 to 6:00 pm`)."""
    patterns = spot.lexicon.patterns
    half = patterns["half_right"].match(spot.right)
    if half:
        return spot.value("time", _halved(hour, minute, pm=bool(half["pm"])), to=spot.to + half.end())
    if hour <= 12 and (half := patterns["half_later"].match(spot.right)):
        both = _halved(hour, minute, pm=bool(half["pm"])) + _halved(hour, minute, pm=not half["pm"])
        return spot.value("time", both)
    return spot.value("time", _open(spot, hour, minute, padded=padded))


def _hour(spot: Spot, hour: int) -> Value | None:
    """`9 am`, `between 4 and 6 pm`, `9 o'clock`, `às 8 horas`: a bare hour that the words beside it make a time."""
    lexicon, right = spot.lexicon, spot.right
    if hour > 24:
        return None
    patterns = lexicon.patterns
    if patterns["half_right"].match(right) or (hour <= 12 and patterns["half_later"].match(right)):
        return _with_half(spot, hour, 0, padded=False)
    word = _HOUR_WORD.match(right)
    if word and word["word"] in lexicon.oclock:
        return spot.value("time", _open(spot, hour, 0), to=spot.to + word.end()) if _at_oclock(spot) else None
    if spot.word() in lexicon.time_before and patterns["time_later"].match(right):
        return spot.value("time", _open(spot, hour, 0))
    return None


def read_words(spot: Spot, words: list[str], ends: list[int]) -> Value | None:
    """`noon`, `meia-noite`, `nine o'clock`."""
    lexicon = spot.lexicon
    for size in (1, 2):
        time = lexicon.time_words.get(" ".join(words[:size]))
        if time is not None and len(words) >= size:
            return spot.value("time", (time,), to=ends[size - 1])
    hour = lexicon.units.get(words[0], 0)
    if len(words) > 1 and words[1] in lexicon.oclock and 1 <= hour <= 12 and _at_oclock(spot):
        return spot.value("time", _open(spot, hour, 0), to=ends[1])
    return None


def _at_oclock(spot: Spot) -> bool:
    """`9 o'clock` is always a time; `8 horas` is one only after `às`, else a length of time."""
    return spot.lexicon.clock == 12 or spot.word() in spot.lexicon.time_at
