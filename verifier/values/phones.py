"""Telephone numbers: with a plus, in a national shape, or after a word such as `call`; never a bare run of digits."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.model import Value
from verifier.values.spot import Spot

_MARKED = re.compile(r"\+[0-9][0-9 ().\u00a0-]{5,22}[0-9]|\([0-9]{2,3}\) ?[0-9]{3,5}[ .-]?[0-9]{4}(?![0-9])")
_SHAPED = re.compile(r"(?:1[-.])?[0-9]{3}[-.][0-9]{3}[-.][0-9]{4}")
_GROUPED = re.compile(r"[0-9]{2,5}(?:[ .-][0-9]{2,5}){1,4}(?![0-9])")
REGIONS = {"en": "US", "pt-BR": "BR"}


@lru_cache(maxsize=4096)
def phone_key(text: str, region: str) -> str:
    """The digits of the number with its country code; a national number keeps its own digits only. Empty if none."""
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return ""
    if not 7 <= len(str(number.national_number)) <= 15:
        return ""
    return f"{number.country_code if text.startswith('+') else ''}{number.national_number}"


def find_marked(reply: str, start: int, end: int, locale: str) -> list[Value]:
    """Numbers that begin with a plus or an area code in brackets."""
    found = []
    for match in _MARKED.finditer(reply, start, end):
        key = phone_key(match[0], REGIONS[locale])
        if key:
            found.append(Value("phone", match.start(), match.end(), match[0], (key,)))
    return found


def read(spot: Spot) -> Value | None:
    """`202-555-0147`, `call 555 0174`: a national number by its shape, or by a word among the three before it."""
    if len(spot.text) > 11 and _SHAPED.fullmatch(spot.text):
        key = phone_key(spot.text, REGIONS[spot.lexicon.language])
        return spot.value("phone", (key,)) if key else None
    if spot.lexicon.phone_words.isdisjoint(spot.words[-4:]):
        return None
    found = _GROUPED.match(spot.reply, spot.at, spot.end) or re.match(r"[0-9]{8,13}\Z", spot.text)
    if not found or sum(map(str.isdigit, found[0])) < 7:
        return None
    key = phone_key(found[0], REGIONS[spot.lexicon.language])
    return spot.value("phone", (key,), to=spot.at + len(found[0])) if key else None
