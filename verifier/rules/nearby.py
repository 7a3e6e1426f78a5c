"""What stands beside a value: the words that say what it is, and the link or the code that it is a part of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

REACH = 48  # characters before and after a value in which a word can say what it is
WORDS_BEFORE, WORDS_AFTER = 6, 3
SIGNS = "☎☏📞📱📲✆🕾🕿"
_NAMES = ("_", "#", "$", "€", "£", "@")
_WORD = re.compile(r"[^\W\d_]{1,24}")
_STOP = re.compile(r"[.!?;|\n\r][ \t\r\n*_|]|[|\n\r]")
_FENCE = re.compile(r"(?m)^[ \t]{0,3}(?:```|~~~)")
_LINKS = ("http://", "https://", "ftp://", "mailto:", "tel:", "sms:", "www.", "](")
_LONGEST_LINK = 400


def says(text: str, start: int, end: int, words: Collection[str], other: Collection[str]) -> int:
    """1 where the nearest telling word (or a sign) says that this is it, -1 where it is something else, 0 for neither.

    Words after the value count only where none before it tells.
    """
    left = text[max(0, start - REACH) : start]
    if any(sign in left[-4:] for sign in SIGNS) and words:
        return 1
    cut = [stop.end() for stop in _STOP.finditer(left)]
    for word in reversed(_fold(left[cut[-1] if cut else 0 :])[-WORDS_BEFORE:]):
        if word in words:
            return 1
        if word in other:
            return -1
    right = text[end : end + REACH]
    stop = _STOP.search(right)
    for word in _fold(right[: stop.start()] if stop else right)[:WORDS_AFTER]:
        if word in words:
            return 1
        if word in other:
            return -1
    return 0


def _fold(text: str) -> list[str]:
    if text.isascii():
        return _WORD.findall(text.lower())
    plain = unicodedata.normalize("NFD", text.lower())
    return _WORD.findall("".join(char for char in plain if not unicodedata.combining(char)))


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a number is no part of a longer name, number or address: `#W2378156`, `1.5e10`, `a-4111…`."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if before.isalnum() or before in _NAMES or after.isalnum() or after in ("_", "@"):
        return False
    beyond = text[start - 2 : start - 1] if start > 1 else ""
    return not _goes_on(after, text[end + 1 : end + 2]) and not _goes_on(before, beyond)


def _goes_on(mark: str, beyond: str) -> bool:
    """Whether a mark beside a number ties it to what stands beyond: `12-a`, `1.5`, `12:30`; a slash only parts two."""
    if mark in ("-", "\\"):
        return beyond.isalnum()
    return mark in (".", ",", ":") and beyond.isdigit()


def in_link(text: str, start: int, end: int) -> bool:
    """Whether a span lies in a URL or in the target of a link."""
    before = text[max(0, start - _LONGEST_LINK) : start]
    if not before or before[-1].isspace():
        return False
    run = before.rsplit(maxsplit=1)[-1].lower()
    for mark in "<>\"'`":
        run = run.rpartition(mark)[2]
    return any(link in run for link in _LINKS)


def in_code(text: str, start: int) -> bool:
    """Whether a place lies in a fenced block or in a reply that is JSON, which a mask must not break."""
    if is_json(text):
        return True
    return ("```" in text or "~~~" in text) and len(_FENCE.findall(text, 0, start)) % 2 == 1


def is_json(text: str) -> bool:
    """Whether a text as a whole is JSON (whether it is well formed is not asked)."""
    bare = text.strip()
    return bare[:1] in ("{", "[") and bare[-1:] in ("}", "]") and '"' in bare


def is_bare_in_code(text: str, start: int, end: int) -> bool:
    """Whether a span of digits stands in code without quotes around it: only another number may stand there."""
    if not text[start:end].isdigit() or not in_code(text, start):
        return False
    line = text[max(text.rfind("\n", 0, start) + 1, start - 400) : start]
    return line.count('"') % 2 == 0 and line.count("'") % 2 == 0
