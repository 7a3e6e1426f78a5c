"""Telephone numbers: candidates by bounded patterns, then `phonenumbers`, region by region.

With a plus, with an area code in brackets, or in a national shape they are found by themselves. A bare run of digits
is one only beside a word or sign that says so: half of all ten-digit order numbers are valid numbers somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from verifier.rules.nearby import says, stands_alone

_SEP = "[ .\\-\u00a0\u2010\u2011\u2013/]"
_PLUS = re.compile(
    rf"\+[ ]?[0-9]{{1,3}}{_SEP}?{_SEP}?(?:\([0-9]{{1,5}}\){_SEP}?{_SEP}?)?[0-9](?:{_SEP}?[0-9]){{4,14}}"
)
_BRACKETS = re.compile(
    rf"(?:(?:1|0){_SEP}?)?\([0-9]{{2,5}}\){_SEP}{{0,2}}[0-9]{{2,5}}(?:{_SEP}[0-9]{{2,5}}){{0,3}}"
)
_GROUPED = re.compile(rf"[0-9]{{1,5}}(?:{_SEP}[0-9]{{2,5}}){{1,5}}")
_BARE = re.compile(r"[0-9]{7,15}")
_COORDINATE = re.compile(r"\+[0-9]{1,3}\.[0-9]{3,8}")
_DATE = re.compile(
    r"(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}.{0,20}|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ](?:19|20)[0-9]{2}.{0,20}"
    r"|(?:19|20)[0-9]{2}[-–/](?:19|20)[0-9]{2}"
)
_SHAPES = {
    "US": re.compile(r"(?:1[-. ]|1-)?[2-9][0-9]{2}([-. \u00a0\u2010\u2011])[0-9]{3}[-. \u00a0\u2010\u2011][0-9]{4}"),
    "BR": re.compile(
        r"(?:0?[1-9][0-9] )(?:9[ .]?)?[0-9]{4}[-. \u2011][0-9]{4}|0?[1-9][0-9]-9?[0-9]{4}-[0-9]{4}"
        r"|0[3589]00[- ][0-9]{3}[- ]?[0-9]{4}"
    ),
}
_SHAPES["CA"] = _SHAPES["US"]


@lru_cache(maxsize=4096)
def number_of(text: str, region: str) -> tuple[str, str, int]:
    """Country code and national digits of a number, and how sure it is: 2 valid, 1 possible, 0 neither."""
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return "", "", 0
    sure = 2 if phonenumbers.is_valid_number(number) else int(phonenumbers.is_possible_number(number))
    return str(number.country_code), phonenumbers.national_significant_number(number), sure


def find(
    text: str, region: str, words: Collection[str], other: Collection[str]
) -> Iterator[tuple[int, int, str, bool]]:
    """The spans of telephone numbers, their national digits, and whether it is a bare run of digits."""
    stop = 0
    for start, end in sorted(_candidates(text)):
        if start < stop or not stands_alone(text, start, end):
            continue
        found = _read(text, start, end, region, words, other)
        if found:
            yield start, end, found, text[start:end].isdigit()
            stop = end


def _candidates(text: str) -> Iterator[tuple[int, int]]:
    marked = ((_PLUS, "+"), (_BRACKETS, "("))
    for pattern, sign in marked:
        if sign in text:
            yield from (match.span() for match in pattern.finditer(text))
    for pattern in (_GROUPED, _BARE):
        yield from (match.span() for match in pattern.finditer(text))


def _read(text: str, start: int, end: int, region: str, words: Collection[str], other: Collection[str]) -> str:
    """The national digits of a candidate; nothing where it is none."""
    raw = text[start:end]
    digits = sum(map(str.isdigit, raw))
    if not 7 <= digits <= 15 or _DATE.fullmatch(raw):
        return ""
    said = says(text, start, end, words, other)
    if raw[0] == "+" or "(" in raw:
        if _COORDINATE.fullmatch(raw) or (said < 0 and "(" not in raw):
            return ""
        _, national, sure = number_of(raw, region)
        if not sure:  # an area code in brackets is a sign of its own: the number may be one of another region
            national = next((n for _, n, valid in (number_of(raw, other) for other in _SHAPES) if valid == 2), "")
        return national or ("".join(filter(str.isdigit, raw)) if said > 0 else "")
    if said < 0:
        return ""
    _, national, sure = number_of(raw, region)
    if not raw.isdigit() and _is_shaped(raw, region, sure):
        return national
    if said > 0 and (sure or _is_local(raw) or _is_trunk(raw)):
        return national or "".join(filter(str.isdigit, raw))
    return ""


def _is_shaped(raw: str, region: str, sure: int) -> bool:
    """A national number in the shape that the region writes; elsewhere, a valid one with its trunk zero."""
    shape = _SHAPES.get(region)
    if shape is not None:
        return bool(shape.fullmatch(raw)) and sure > 0
    return sure == 2 and raw[0] == "0" and "." not in raw and "/" not in raw


def _is_local(raw: str) -> bool:
    """`555-0147`: a number without its area code."""
    return re.fullmatch(r"[0-9]{3,5}[- .]?[0-9]{4}", raw) is not None


def _is_trunk(raw: str) -> bool:
    """`020 7946 0958`: a national number of another region, with its zero."""
    return raw[0] == "0" and 9 <= sum(map(str.isdigit, raw)) <= 12
