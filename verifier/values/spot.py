"""A place in a sentence where a value may stand, with the words on both sides of it."""

from __future__ import annotations

import re

from verifier.model import Value
from verifier.values.lexicon import Lexicon, fold

LEFT = 40  # characters looked at before a number: "the card on file ending in the four digits 7334" fits
RIGHT = 48  # and after it: "5-7 regular business days" fits
_WORD = re.compile(r"[a-z][a-z'.-]{0,30}|[^ a-z0-9*_`\"“”(]")
_SPACE = " \u00a0\u202f"


class Spot:
    """A run of characters with a digit (or a number word), and lazily what stands beside it, folded."""

    __slots__ = ("_ahead", "_left", "_next", "_right", "_words", "at", "end", "lexicon", "reply", "start", "text", "to")

    def __init__(self, reply: str, start: int, end: int, at: int, to: int, lexicon: Lexicon) -> None:
        """`at:to` is the run, `start:end` the part of the reply that may be read."""
        self.reply, self.start, self.end, self.at, self.to, self.lexicon = reply, start, end, at, to, lexicon
        self.text = reply[at:to]
        self._left: str | None = None
        self._right: str | None = None
        self._words: list[str] | None = None
        self._next: list[str] | None = None
        self._ahead: bool | None = None

    @property
    def left(self) -> str:
        """Up to 40 folded characters before the run."""
        if self._left is None:
            self._left = fold(self.reply[max(self.start, self.at - LEFT) : self.at])
        return self._left

    @property
    def right(self) -> str:
        """Up to 48 folded characters after the run."""
        if self._right is None:
            self._right = fold(self.reply[self.to : min(self.end, self.to + RIGHT)])
        return self._right

    @property
    def words(self) -> list[str]:
        """The words and marks before the run, the nearest last; Markdown and opening quotes left out."""
        if self._words is None:
            self._words = _WORD.findall(self.left)[-8:]
        return self._words

    def word(self, back: int = 1) -> str:
        """The word that stands `back` words before the run, or an empty text."""
        words = self.words
        return words[-back] if len(words) >= back else ""

    def value(self, kind: str, meanings: tuple[object, ...], *, unit: str = "", at: int = -1, to: int = -1) -> Value:
        """A value that covers the run, or from `at` to `to`."""
        at, to = at if at >= 0 else self.at, to if to >= 0 else self.to
        own = meanings if len(meanings) == 1 else tuple(dict.fromkeys(meanings))
        return Value(kind, at, to, self.reply[at:to], own, unit)

    def is_led(self) -> bool:
        """Whether a word or sign before the number can make it more than a count of what follows."""
        if self.reply[max(self.start, self.at - 3) : self.at].rstrip(" *\u00a0\u202f")[-1:] in SIGN_ENDS:
            return True
        return not self.lexicon.before.isdisjoint(self.words)

    def leads_on(self) -> bool:
        """Whether the word or mark after the run may make it a date, a time, an amount or a share."""
        if self._ahead is None:
            found = _AFTER.match(self.right)
            self._ahead = found is not None and found[1] in self.lexicon.leads
        return self._ahead

    def next_words(self) -> list[str]:
        """The words right after the run, up to the next mark."""
        if self._next is None:
            self._next = self._following()
        return self._next

    def _following(self) -> list[str]:
        found = _FOLLOWING.match(self.right)
        return [word for word in found.groups() if word] if found else []


SIGN_ENDS = frozenset("$€£¥₹ABCDEFGHIJKLMNOPQRSTUVWXYZ")  # how a currency's sign or code before a number ends
_AFTER = re.compile("[ \u00a0\u202f]?([a-z]{1,12}|[^a-z \n])")
_FOLLOWING = re.compile("[ \u00a0*-]([a-z°]{1,30})(?:[ \u00a0-]([a-z°]{1,30})(?:[ \u00a0-]([a-z°]{1,30}))?)?")
