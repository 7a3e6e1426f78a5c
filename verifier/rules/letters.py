"""The words of a text as a reader sees them: case, accents, zero-width characters, look-alikes and spacing folded.

A word knows where it stands in the text. Its keys are all that it can be read as: a sign inside a word may stand for
a letter (`g0ld`), a capital i for an l, and letters set apart (`g r a t i s`) are one word more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from verifier.data import Problems, expect_map, expect_text, folder, load

MAX_WORD = 64  # letters of one word that are compared; a longer one is no word
MAX_SPACED = 240  # letters of one spaced-out run
MAX_READINGS = 8  # of one word: signs can stand for two letters each
_ASCII_WORD = re.compile(r"[A-Za-z0-9@$]{1,200}")
_MARKED_INSIDE = re.compile(r"[A-Za-z](?:\*{1,3}|~~)[A-Za-z]")  # emphasis in the middle of a word
_SPACED = re.compile(r"[^\W_](?:[^\w\r\n]{1,3}|_{1,2})[^\W_](?:[^\w\r\n]{1,3}|_{1,2})[^\W_](?![^\W_])")
_BREAK = re.compile(r"[.!?…。！？][\"'”’)*_]{0,3}[ \t\r\n]|\n[ \t]{0,8}\r?\n")
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters by category, but nobody sees them
_FLAG_A = 0x1F1E6
_SQUARED = ((0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
# Accents of Latin, Greek and Cyrillic, Hebrew points and Arabic vowel signs; the vowels of Indic scripts are letters.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]"
)
# Scripts that are written without spaces: a phrase may begin and end inside a run of letters.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0002ffff]"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word: what it can be read as (the plain reading first) and its span in the text."""

    keys: tuple[str, ...]
    start: int
    end: int
    breaks: bool = False  # whether a sentence or a paragraph ended before it


@dataclass(frozen=True, slots=True)
class Spaced:
    """Letters that are set apart: joined, with the place of each in the text."""

    letters: str
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as words, and its runs of spaced-out letters."""

    words: tuple[Word, ...]
    spaced: tuple[Spaced, ...]


def fold_text(text: str) -> Folded:
    """The words of a text."""
    words = tuple(_words(text))
    return Folded(words, tuple(_spaced(text)) if _SPACED.search(text) or not text.isascii() else ())


@lru_cache(maxsize=4096)
def keys_of(text: str) -> tuple[str, ...]:
    """The plain readings of the words of a phrase."""
    return tuple(word.keys[0] for word in _words(text))


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that is written without spaces."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def _words(text: str) -> Iterator[Word]:
    stop = 0
    simple = text.isascii() and ("*" not in text or not _MARKED_INSIDE.search(text))
    runs = ((m[0], m.start(), m.end()) for m in _ASCII_WORD.finditer(text)) if simple else _runs(text)
    for raw, start, end in runs:
        keys = _readings(raw)
        if keys:
            yield Word(keys, start, end, stop > 0 and _BREAK.search(text, stop, start) is not None)
            stop = end


def _runs(text: str) -> Iterator[tuple[str, int, int]]:
    """Runs of letters, digits and signs that may stand for letters; what nobody sees does not end a run."""
    start = end = -1
    found: list[str] = []
    for at, char in enumerate(text):
        folded = _fold_char(char)
        if folded is None:  # between words
            if found and char in "*~" and _goes_on(text, at):
                continue
            if found:
                yield "".join(found), start, end
                found = []
            continue
        if folded:
            if not found:
                start = at
            found.append(folded)
            end = at + 1
        elif found and unicodedata.combining(char):
            end = at + 1
    if found:
        yield "".join(found), start, end


def _goes_on(text: str, at: int) -> bool:
    """Whether the emphasis mark at a place stands between two letters."""
    before = text[max(0, at - 3) : at].rstrip("*~")[-1:]
    after = text[at : at + 4].lstrip("*~")[:1]
    return before.isalpha() and after.isalpha()


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str | None:
    """What a character adds to a word: letters, nothing (it is not seen, or is an accent), or None: it ends words."""
    if char.isascii():
        return char if char.isalnum() or char in _signs() else None
    if _ACCENTS.match(char) or unicodedata.category(char) == "Cf" or char in _FILLERS:
        return ""
    code = ord(char)
    if _FLAG_A <= code < _FLAG_A + 26:
        return chr(ord("a") + code - _FLAG_A)
    for low, high in _SQUARED:
        if low <= code <= high:
            return chr(ord("a") + code - low)
    known = _letters().get(char) or _letters().get(char.lower())
    if known:
        return known
    plain = unicodedata.normalize("NFKD", char)
    folded = "".join(_letters().get(one.lower(), one) for one in plain if not _ACCENTS.match(one))
    folded = unicodedata.normalize("NFC", folded)  # kana and Hangul are taken apart by NFKD, too
    kept = "".join(one for one in folded if one.isalnum() or one in _signs() or unicodedata.category(one)[0] == "M")
    return kept if kept else None


@lru_cache(maxsize=8192)
def _readings(raw: str) -> tuple[str, ...]:
    """All that a run can be read as; nothing for a run without a letter or digit."""
    if not any(map(str.isalnum, raw)):
        return ()
    raw = raw[:MAX_WORD]
    plain = "".join(char for char in raw if char.isalnum() or char.isalpha() or unicodedata.category(char)[0] == "M")
    keys = {plain.casefold(): None}
    letters = sum(map(str.isalpha, raw))
    if letters and letters < len(raw):
        for reading in _substituted(raw):
            keys.setdefault(reading)
    if "I" in raw and any(map(str.islower, raw)):
        keys.setdefault(raw.replace("I", "l").casefold())
    return tuple(keys)


def _substituted(raw: str) -> list[str]:
    readings = [""]
    for char in raw.casefold():
        choices = _signs().get(char, char)
        readings = [reading + choice for reading in readings for choice in choices][:MAX_READINGS]
    return readings


def _spaced(text: str) -> Iterator[Spaced]:
    """Three letters or more with one to three marks or blanks between each two of them."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    for raw, start, end in _single_letters(text):
        if places and (start - places[-1][1] > 3 or "\n" in text[places[-1][1] : start]):
            if len(places) >= 3:
                yield Spaced("".join(letters), tuple(places))
            letters, places = [], []
        if raw:
            letters.append(raw)
            places.append((start, end))
            if len(places) >= MAX_SPACED:
                yield Spaced("".join(letters), tuple(places))
                letters, places = [], []
        elif places:
            if len(places) >= 3:
                yield Spaced("".join(letters), tuple(places))
            letters, places = [], []
    if len(places) >= 3:
        yield Spaced("".join(letters), tuple(places))


def _single_letters(text: str) -> Iterator[tuple[str, int, int]]:
    """The runs of one letter each, folded; a longer run comes as an empty one."""
    for raw, start, end in _runs(text):
        folded = _substituted(raw)[0] if raw in _signs() else raw.casefold()
        yield (folded, start, end) if len(raw) == 1 else ("", start, end)


@cache
def _tables() -> tuple[Mapping[str, str], Mapping[str, str]]:
    found = load(folder("rules") / "lookalikes.yaml")
    problems = Problems()
    letters: dict[str, str] = {}
    for letter, node in expect_map(found.get("letters"), "letters", problems, found).items():
        for char in expect_text(node, f"the look-alikes of {letter}", problems, found):
            letters[char] = letters[char.lower()] = str(letter)
    signs = {
        str(sign): str(expect_text(node, f"what {sign} stands for", problems, found))
        for sign, node in expect_map(found.get("inside_words"), "inside_words", problems, found).items()
    }
    problems.check()
    return letters, signs


def _letters() -> Mapping[str, str]:
    return _tables()[0]


def _signs() -> Mapping[str, str]:
    return _tables()[1]
