"""How people say addresses and numbers aloud: `ana at mail dot com`, `four one five, five five five …`."""

from __future__ import annotations

import re
from collections.abc import Iterator

DIGIT_WORDS = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "um": "1", "dois": "2", "três": "3", "tres": "3", "quatro": "4", "cinco": "5",
    "seis": "6", "meia": "6", "sete": "7", "oito": "8", "nove": "9",
}  # fmt: skip
REPEATED = {"double": 2, "triple": 3}
FEWEST = 5  # digits said one after the other; fewer are counts of something
_WORD = re.compile(r"[^\W_]{1,40}")
_AT = re.compile(r"[ ](?:at|arroba)[ ]", re.IGNORECASE)
_DOT = re.compile(r"[ ](?:dot|ponto)[ ]", re.IGNORECASE)


def spoken_forms(text: str) -> Iterator[str]:
    """The addresses and numbers of a text that are said in words, written as usual."""
    lowered = text.lower()
    if " dot " in lowered or " ponto " in lowered:
        yield _DOT.sub(".", _AT.sub("@", text))
        yield re.sub("[ ]", "", _DOT.sub(".", _AT.sub("@", text)))
    run: list[str] = []
    times = 1
    for match in _WORD.finditer(lowered):
        word = match[0]
        digit = DIGIT_WORDS.get(word, word if word.isdigit() and word.isascii() else "")
        if digit:
            run.append(digit * times)
            times = 1
        elif word in REPEATED:
            times = REPEATED[word]
        else:
            yield from _number(run)
            run, times = [], 1
    yield from _number(run)


def _number(run: list[str]) -> Iterator[str]:
    digits = "".join(run)
    if len(digits) >= FEWEST:
        yield digits
