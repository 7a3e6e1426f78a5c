"""What all calls of a ledger hold and what the person said, looked up by meaning: a long session costs no more."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from decimal import Decimal

from verifier.matching import NUMBERS, same_date
from verifier.model import Value
from verifier.records import CallFacts, Fact, text_readings
from verifier.values.identifiers import identifier_key

MAX_HELD = 64  # places kept of one meaning; a session holds the number 1 thousands of times
MAX_NEAR = 256  # names compared letter by letter
NEAR_ENOUGH = 0.7  # of the longer name must be the same at its two ends, for one to be a slip of the other
NAMED = ("identifier", "email", "phone")
_DIGITS = re.compile("[0-9]{1,64}")
_MARKED = re.compile("[0-9@]|://")
Held = tuple[int, Fact]


class Session:
    """Facts by what they mean. A meaning is kept with the places of the calls that hold it, the earliest first."""

    def __init__(self) -> None:
        """Nothing is held yet."""
        self._held: dict[Hashable, list[Held]] = {}
        self._said: set[Hashable] = set()
        self._said_days: list[Hashable] = []
        self._texts: list[tuple[int, str]] = []
        self._spoken: list[str] = []
        self._joined: tuple[int, str] = (0, "")
        self._shapes: dict[str, str] = {}
        self._ends: dict[str, list[str]] = {}
        self._phones: list[str] = []

    def add(self, place: int, held: CallFacts) -> None:
        """Take in the facts of the call at a place."""
        for fact in held.facts:
            for meaning in fact.meanings:
                for key in _keys(fact.kind, meaning, fact.unit):
                    places = self._held.setdefault(key, [])
                    if len(places) < MAX_HELD:
                        places.append((place, fact))
            if fact.kind in NAMED:
                self._name(fact)
            elif fact.kind == "text" and _MARKED.search(fact.raw):
                self._texts.append((place, identifier_key(fact.raw)))

    def _name(self, fact: Fact) -> None:
        for meaning in fact.meanings:
            name = identifier_key(str(meaning))
            if self._shapes.setdefault(shape(name), name) == name:
                continue
            if fact.kind == "phone" and len(self._phones) < MAX_NEAR:
                self._phones.append(name)
            for end in ("^" + name[:2], "$" + name[-2:]):
                bucket = self._ends.setdefault(end, [])
                if len(bucket) < MAX_NEAR:
                    bucket.append(name)

    def hear(self, text: str) -> None:
        """Take in what the person said, or a text that is known to be true."""
        self._spoken.append(identifier_key(text))
        for kind, meanings, unit in text_readings(text):
            for meaning in meanings:
                if kind == "date":
                    self._said_days.append(meaning)
                self._said.update(_keys(kind, meaning, unit))

    def find(self, value: Value) -> Iterator[Held]:
        """The facts that a value states (no card endings or telephone numbers), each with the place of its call."""
        for meaning in value.meanings:
            for key in _wanted(value.kind, meaning):
                for place, fact in reversed(self._held.get(key, ())):
                    if value.kind != "date" or any(same_date(meaning, own) for own in fact.meanings):
                        yield place, fact

    def has(self, kind: str, meaning: Hashable) -> Held | None:
        """The earliest fact of exactly this kind and meaning."""
        key = ("number", meaning) if kind in NUMBERS else (kind, meaning)
        return next(((place, fact) for place, fact in self._held.get(key, ()) if fact.kind == kind), None)

    def said(self, value: Value) -> bool:
        """Whether the person (or the context) said it, by meaning or, for names, letter by letter."""
        if value.kind == "date":
            return any(same_date(stated, own) for stated in value.meanings for own in self._said_days)
        if any(key in self._said for meaning in value.meanings for key in _wanted(value.kind, meaning)):
            return True
        if value.kind not in NAMED:
            return False
        names = [identifier_key(str(meaning)).lstrip("*") for meaning in value.meanings]
        return any(name in text for text in self._spoken for name in names)

    def in_text(self, name: str) -> int | None:
        """The place of a call in one of whose texts a name stands, letter by letter."""
        if self._joined[0] != len(self._texts):
            self._joined = (len(self._texts), "\n".join(text for _, text in self._texts))
        if name not in self._joined[1]:
            return None
        return next(place for place, text in self._texts if name in text)

    def near(self, value: Value, first: Iterable[str] = ()) -> str:
        """A recorded name of the value's shape, or a slip away from it; those of `first` come first. Empty if none."""
        for meaning in value.meanings:
            text = identifier_key(str(meaning))
            for own in (*first, *self._candidates(value, text)):
                if len(own) > 2 and is_like(value, text, own):
                    return own
        return ""

    def _candidates(self, value: Value, text: str) -> Iterator[str]:
        if value.kind == "phone":
            yield from self._phones
            yield from self._shapes.values() if len(self._shapes) < MAX_NEAR else ()
            return
        same = self._shapes.get(shape(text))
        if same:
            yield same
        for end in ("^" + text[:2], "$" + text[-2:]):
            yield from self._ends.get(end, ())
        yield from self._shapes.values() if len(self._shapes) < MAX_NEAR else ()


def _keys(kind: str, meaning: Hashable, unit: str) -> Iterator[Hashable]:
    """The keys under which a recorded meaning is found."""
    if kind in NUMBERS:
        yield ("number", abs(meaning) if isinstance(meaning, Decimal) else meaning)
    elif kind == "date" and isinstance(meaning, tuple):
        year, month, day = meaning[:3]
        yield ("day", month, day)
        yield ("day", None, day)
        yield ("month", year, month)
        if month is None:
            yield ("any month", day)
    elif kind == "time" and unit == "utc" and isinstance(meaning, tuple):
        yield ("minute", meaning[1])
    else:
        yield (kind, meaning)


def _wanted(kind: str, meaning: Hashable) -> Iterator[Hashable]:
    """The keys under which a stated meaning is looked for."""
    if kind in NUMBERS:
        yield ("number", meaning)
    elif kind == "date" and isinstance(meaning, tuple):
        year, month, day = meaning[:3]
        if day is None:
            yield ("month", year, month)
        else:
            yield ("day", month, day)
            if month is not None:
                yield ("any month", day)
    elif kind == "time" and isinstance(meaning, tuple):
        yield ("time", meaning)
        yield ("minute", meaning[1])
    else:
        yield (kind, meaning)


def shape(text: str) -> str:
    """The form of an identifier: its letters, and how many digits stand where (`rf902` and `rf920` are `rf999`)."""
    return _DIGITS.sub(lambda run: "9" * len(run[0]), text.lower())


def is_like(value: Value, text: str, own: str) -> bool:
    """Whether a recorded name is one of the same shape as the stated one, or the stated one with a slip."""
    if value.kind == "phone":
        digits = "".join(filter(str.isdigit, own))
        size = min(len(digits), len(text))
        return size >= 7 and _is_slip(text[-size:], digits[-size:])
    if _is_slip(text, own):
        return value.kind != "email" or "@" in own
    return value.kind == "identifier" and not value.unit and len(text) > 2 and shape(text) == shape(own)


def _is_slip(one: str, other: str) -> bool:
    """Whether two texts are the same but for a short piece in one place."""
    longer = max(len(one), len(other))
    if abs(len(one) - len(other)) > 4 or longer < 5:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    end = next((at for at, (a, b) in enumerate(zip(reversed(one), reversed(other), strict=False)) if a != b), 0)
    return start + end >= NEAR_ENOUGH * longer
