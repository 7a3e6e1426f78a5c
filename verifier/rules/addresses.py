"""IP addresses (not version numbers), and street addresses that the ledger holds as such."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from ipaddress import IPv6Address

from verifier.rules.held import Held
from verifier.rules.nearby import says

_QUAD = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_V6 = re.compile(r"(?:[0-9a-fA-F]{1,4}:|::)[0-9a-fA-F:]{1,40}(?:\.[0-9]{1,3}){0,3}")
_OUTLINE = 30  # parts of a section's or a version's number are small
_NETMASK = re.compile(r"255\.(?:[0-9]{1,3}\.){2}[0-9]{1,3}|0\.0\.0\.0")


def find_ips(text: str, words: Collection[str], other: Collection[str]) -> Iterator[tuple[int, int]]:
    """The spans of IPv4 and IPv6 addresses."""
    if "." in text:
        for match in _QUAD.finditer(text):
            if _is_quad(text, match, words, other):
                yield match.span()
    if ":" in text:
        for match in _V6.finditer(text):
            end = _v6_end(text, match)
            if end:
                yield match.start(), end


def _is_quad(text: str, match: re.Match[str], words: Collection[str], other: Collection[str]) -> bool:
    start, end = match.span()
    parts = match[0].split(".")
    if any(int(part) > 255 or (len(part) > 1 and part[0] == "0") for part in parts) or _NETMASK.fullmatch(match[0]):
        return False
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if _ties(before[-1:], before[:-1]) or before[-1:] in ("#", "$", "€") or _ties(after[:1], after[1:]):
        return False
    said = says(text, start, end, words, other)
    return said > 0 or (said == 0 and not all(int(part) <= _OUTLINE for part in parts))


def _ties(mark: str, beyond: str) -> bool:
    """Whether what stands beside a quad makes it a part of something longer: a letter, or a mark with one behind."""
    return mark.isalnum() or mark == "_" or (mark in (".", "-", "+", ",") and beyond.isalnum())


def _v6_end(text: str, match: re.Match[str]) -> int:
    """Where an address ends, 0 for none: eight groups or `::`, so that no time of day and no ratio is one."""
    start, end = match.span()
    raw = match[0]
    if raw[-1] == ":" and raw[-2:] != "::":  # a colon of the sentence
        raw, end = raw[:-1], end - 1
    if text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum() or raw.count(":") < 2:
        return 0
    if "::" not in raw and raw.count(":") != 7:
        return 0
    if len(raw.replace(":", "")) < 3:
        return 0
    try:
        IPv6Address(raw)
    except ValueError:
        return 0
    return end


def find_streets(text: str, held: Held) -> Iterator[tuple[int, int]]:
    """The spans of the street addresses that a call holds under a key that says so."""
    lowered = text.casefold()
    if len(lowered) != len(text):
        return
    for address in held.addresses:
        at = lowered.find(address)
        while at >= 0:
            end = at + len(address)
            if not lowered[max(0, at - 1) : at].isalnum() and not lowered[end : end + 1].isalnum():
                yield at, end
            at = lowered.find(address, end)
