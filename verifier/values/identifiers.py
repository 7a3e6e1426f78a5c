"""Identifiers: RX-301, #W4836353, HAT271, gift_card_3491931, order 4412, ending in 7447, 2.4.7, 203.0.113.42."""

from __future__ import annotations

import re

from verifier.model import Value
from verifier.values.spot import Spot

_DROP = str.maketrans("", "", "# -\u00a0\u202f\u2010\u2011")
_HASHED = re.compile(r"#[A-Za-z0-9][A-Za-z0-9_./-]{0,48}")
_JOINED = re.compile(r"(?P<prefix>[A-Za-zÀ-ÿ]{1,12})(?P<rest>(?:[-_][A-Za-zÀ-ÿ]{1,16}){0,4}[-_][A-Za-z0-9_-]{1,40})")
_MIXED = re.compile(r"[A-Za-z]{1,16}[0-9][A-Za-z0-9]{0,40}|[0-9]{1,20}[A-Za-z][A-Za-z0-9]{1,40}")
_MEASURED = re.compile(r"[0-9]{1,9}[A-Za-z]{1,4}|[0-9]{1,4}[xX][0-9]{1,4}")
_PUNCTUATED = re.compile(r"[0-9]{1,20}(?:[./-][0-9]{1,20}){1,5}")
_VERSION = re.compile(r"[vV]?[0-9]{1,4}(?:\.[0-9]{1,6}){2,3}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PLACEHOLDER = re.compile("[^0-9]{0,6}0{4,20}")  # `#W0000000`: only shows what one looks like
UUID_CHARS = 36
_FLIGHT = re.compile(r"(?P<carrier>[A-Z][A-Z0-9]) ?\Z")


def identifier_key(text: str) -> str:
    """How identifiers are compared: without `#`, spaces, hyphens and the case of letters."""
    return text.translate(_DROP).lower()


def read(spot: Spot) -> Value | None:
    """The identifier that a run with letters or marks is; None where it is a measure, a range or a plain number."""
    text = spot.text
    if text.endswith("0000") and _PLACEHOLDER.fullmatch(text):
        return None
    first = text[0]
    if first == "#":
        named = _HASHED.fullmatch(text) and (len(text) > 3 or (len(text) == 3 and text[1].isalpha()))
    elif len(text) == UUID_CHARS and _UUID.fullmatch(text):
        named = True
    elif text.count(".") > 1 and _VERSION.fullmatch(text):
        return spot.value("identifier", (identifier_key(text).lstrip("v"),), unit="version")
    elif first.isdigit():
        named = _is_numeric(text)
    elif "-" in text or "_" in text:
        joined = _JOINED.fullmatch(text)
        named = joined is not None and _is_joined(joined, spot)
    else:
        named = _MIXED.fullmatch(text) is not None and _is_mixed(text)
    return _named(spot) if named else None


def _is_numeric(text: str) -> bool:
    """A run that begins with a digit: a long number, a punctuated one, or digits mixed with letters."""
    if text.isdigit():
        return 6 <= len(text) <= 30
    if _PUNCTUATED.fullmatch(text):
        return _is_punctuated(text)
    return _MEASURED.fullmatch(text) is None and _MIXED.fullmatch(text) is not None and _is_mixed(text)


def _named(spot: Spot) -> Value:
    return spot.value("identifier", (identifier_key(spot.text),))


def _is_punctuated(text: str) -> bool:
    """77120-3, 04567-000, 123.456.789-09: five digits or more with a hyphen; not a date, a range or an amount."""
    return "-" in text and sum(map(str.isdigit, text)) >= 6 and len(text.split("-")[-1]) <= 4


def _is_mixed(text: str) -> bool:
    """HAT271, M20IZO, K264, 3RK2T9, a4f29c1: capitals with two digits or five characters, or a long mixed run."""
    digits = sum(map(str.isdigit, text))
    if text.upper() == text:
        return len(text) >= 5 or (text[0].isalpha() and digits >= 2)
    return len(text) >= 6 and digits >= 2


def _is_joined(found: re.Match[str], spot: Spot) -> bool:
    prefix, rest = found["prefix"], found["rest"]
    if prefix.lower() in spot.lexicon.not_prefixes or not any(map(str.isdigit, rest)):
        return False
    if "_" in found[0]:
        return sum(map(str.isdigit, rest)) >= 1
    tail = rest.rpartition("-")[2]
    if not any(map(str.isdigit, tail)):
        return sum(map(str.isdigit, rest)) >= 3
    return len(prefix) <= 4 or prefix.isupper() or sum(map(str.isdigit, tail)) >= 3


def read_plain(spot: Spot) -> Value | None:
    """`order 4412`, `ending in 7447`, `flight ZP 640`: a plain number that the words before it name."""
    text, lexicon = spot.text, spot.lexicon
    if not text.isdigit():
        return None
    if len(text) in (3, 4) and not lexicon.endings.isdisjoint(spot.words):
        words = [word for word in spot.words[-6:] if word not in lexicon.ending_fill]
        if words and words[-1] in lexicon.endings:
            return spot.value("identifier", ("*" + text,), unit="ending")
    before = spot.word()
    if before == ":" and spot.left.rstrip().endswith('":'):
        return None  # a number of a JSON body
    if before in ("#", "º", "°", ":", "no.", "nr."):
        before = spot.word(2) if spot.word(2) else before
    carrier = None
    if len(text) <= 4 and spot.word(2) in lexicon.flights:
        carrier = _FLIGHT.search(spot.reply[max(spot.start, spot.at - 4) : spot.at])
    if carrier:
        at = spot.at - len(carrier[0])
        return spot.value("identifier", (identifier_key(spot.reply[at : spot.to]),), at=at)
    if len(text) >= 3 and before in lexicon.id_words:
        return _named(spot)
    return None
