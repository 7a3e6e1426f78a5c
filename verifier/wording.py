"""Recorded values and tool names in words, safe to put into a reply.

What is inserted may come from a tool's result, so nothing in it may act as Markdown, HTML, a line break or an
invisible character. Characters that could are replaced by ones that look alike and mean nothing: a backslash or an
entity would be right in one channel only and visible in every other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

MAX_VALUE_CHARS = 80  # of one value (SPEC 5)
MAX_REASON_CHARS = 300  # a reason may be a whole trace; its start is what a person can use
MAX_DEPTH = 4  # of nested objects; deeper ones are told by their size
MAX_ACRONYM = 5  # a longer name in capitals is a word that somebody wrote so
MAX_DIGITS = 40  # a longer number is told in scientific form
ELLIPSIS = "…"

# Look-alikes without a meaning in Markdown or HTML.
_HARMLESS = str.maketrans(
    {"*": "∗", "`": "'", "~": "∼", "[": "(", "]": ")", "<": "‹", ">": "›", "|": "¦"}
)
_LOOSE_UNDERSCORES = re.compile(r"(?<![^\W_])_{1,80}|_{1,80}(?![^\W_])")
_ESCAPES = re.compile(r"\\(?=[!-/:-@\[-`{-~ ]|\Z)")
_BLOCK_MARK = re.compile(r"(?:#{1,6}|[-+=]{1,80}|[0-9]{1,9}[.)])(?: |\Z)|[-+=]{3}")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]? |[!?]\Z")
# Arguments that nobody should read in a reply; a user's phrasing can still name one.
_SECRET = re.compile(
    r"(?i)(?:^|[^a-z])(?:password|passwd|passcode|passphrase|secret|token|api ?key|authorization|credentials?|cvv|cvc"
    r"|private key|senha)$"
)
_MARKUP = frozenset("*`~[]<>|_\\")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language that stand between values (`phrasings/<language>.yaml`, key `words`)."""

    with_: str
    and_: str
    yes: str
    no: str
    item: str
    items: str
    decimal: str


def neutral(text: str, limit: int = MAX_VALUE_CHARS) -> str:
    """The text on one line without markup, control or invisible characters, of at most `limit` characters."""
    text = text[: limit * 8]  # what is dropped below cannot make an endless value short
    if not text.isascii() or not text.isprintable():
        text = "".join(map(_visible, text))
    text = " ".join(word for word in text.split(" ") if word)
    if not _MARKUP.isdisjoint(text):
        text = _ESCAPES.sub("∖", text).translate(_HARMLESS)
        text = _LOOSE_UNDERSCORES.sub(lambda found: "ˍ" * len(found[0]), text)
    return text if len(text) <= limit else text[: limit - 1].rstrip(" ") + ELLIPSIS


def _visible(char: str) -> str:
    """A character, or what may stand for it: a space for white space, nothing for what cannot be seen."""
    if char in "\u200c\u200d":  # joiners shape letters of some scripts and emoji
        return char
    kind = unicodedata.category(char)
    if kind in ("Zs", "Zl", "Zp") or char in "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85":
        return " "
    if kind == "Cs":
        return "\ufffd"
    return "" if kind in ("Cc", "Cf") else char


def in_words(value: object, words: Words, depth: int = 0) -> str:
    """A recorded value as it is told: shortest numbers, lists by their size, objects key by key; null is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return words.yes if value else words.no
    if isinstance(value, int | float | Decimal):
        return number_in_words(value, words.decimal)
    if isinstance(value, Mapping):
        return _object_in_words(value, words, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return _size(len(value), words)
    return neutral(str(value))


def number_in_words(number: float | Decimal, decimal: str = ".") -> str:
    """The shortest form of a number: 12.50 is 12.5 and 100.0 is 100, with the language's decimal mark."""
    exact = number if isinstance(number, Decimal) else Decimal(number if isinstance(number, int) else repr(number))
    if not exact.is_finite():
        return str(number)
    if exact.adjusted() > MAX_DIGITS or exact.adjusted() < -MAX_DIGITS:
        return f"{exact:.6e}".replace(".", decimal)
    text = f"{exact:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return {"-0": "0"}.get(text, text).replace(".", decimal)


def _size(count: int, words: Words) -> str:
    return (words.item if count == 1 else words.items).replace("{count}", str(count))


def _object_in_words(value: Mapping[object, object], words: Words, depth: int) -> str:
    if depth >= MAX_DEPTH:
        return _size(len(value), words)
    told = ((name_in_words(str(key)), in_words(item, words, depth + 1)) for key, item in value.items())
    text = ", ".join(f"{key} {item}" for key, item in told if item and not _SECRET.search(key))
    return text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 1].rstrip(" ") + ELLIPSIS


def with_arguments(arguments: Mapping[str, object], words: Words) -> str:
    """The slot `{with}`: " with order id 4412 and amount 12.5", in recorded order; or nothing.

    Nulls and secrets (a password, a session token) are left out.
    """
    told = [(name_in_words(name), _quoted(in_words(value, words))) for name, value in arguments.items()]
    parts = [f"{name} {value}" for name, value in told if value and not _SECRET.search(name)]
    if not parts:
        return ""
    start, last = ", ".join(parts[:-1]), parts[-1]
    return f" {words.with_} {start} {words.and_} {last}" if start else f" {words.with_} {last}"


def _quoted(value: str) -> str:
    """A value that holds a sentence of its own stands in quotation marks, so that nobody takes it for ours."""
    return f"“{value}”" if _SENTENCE_END.search(value) else value


def at_line_start(value: str) -> str:
    """The value as it may open a line: what would make a heading, a list or a rule there goes into quotation marks."""
    return f"“{value}”" if _BLOCK_MARK.match(value) else value


@lru_cache(maxsize=4096)
def name_in_words(name: str) -> str:
    """A tool's or argument's name in words: refund_card is "refund card", getOrderID "get order ID"."""
    shouted = name.upper() == name and (len(name) > MAX_ACRONYM or not name.isalnum())
    words = _split(name[: MAX_VALUE_CHARS * 2].lower() if shouted else name[: MAX_VALUE_CHARS * 2])
    return neutral(" ".join(word if word[:2].isupper() and len(word) > 1 else word.lower() for word in words) or name)


def _split(name: str) -> list[str]:
    """The words of a name: parted by anything that is no letter or digit, and where a capital starts a new word."""
    words: list[str] = []
    start = 0
    for here in range(len(name) + 1):
        if here == len(name) or not name[here].isalnum():
            words.append(name[start:here])
            start = here + 1
        elif here > start and _starts_word(name, here):
            words.append(name[start:here])
            start = here
    return [word for word in words if word]


def _starts_word(name: str, here: int) -> bool:
    """Whether a capital opens a word: after a small letter or digit (orderID), or before a small one (SMSMessage)."""
    if not name[here].isupper():
        return False
    after = name[here + 1 : here + 3]
    plural = after[:1] == "s" and not after[1:].islower()  # the "s" of createPRs belongs to the acronym
    return not name[here - 1].isupper() or (after[:1].islower() and not plural)
