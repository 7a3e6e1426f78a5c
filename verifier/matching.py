"""Whether a stated value and a recorded one mean the same: 12.5 = £12.50, May 20 = 2026-05-20, #W1 = w1."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from decimal import Decimal

from verifier.model import Value
from verifier.records import CallFacts, Fact

NUMBERS = ("number", "money", "percent", "count", "mention")  # the kinds that are compared as numbers


def matches(value: Value, held: CallFacts) -> Iterator[Fact]:
    """The facts of a call that a value states, by meaning; a currency that contradicts the stated one is no match."""
    if value.kind in ("identifier", "email", "phone"):
        yield from _named_matches(value, held)
    elif value.kind == "date":
        for fact in held.of("date"):
            if any(same_date(stated, own) for stated in value.meanings for own in fact.meanings):
                yield fact
    elif value.kind == "time":
        yield from (fact for fact in held.of("time") if same_time(value, fact))
    else:
        found = held.once("numbers", _numbers)
        yield from (fact for meaning in value.meanings for fact in found.get(meaning, ()))


def _named_matches(value: Value, held: CallFacts) -> Iterator[Fact]:
    for meaning in value.meanings:
        text = str(meaning)
        if value.kind != "phone" and text[:1] != "*":
            yield from held.once("names", _names).get(text, ())
            continue
        for fact in held.of("identifier", "email", "phone"):
            if any(ends_in(str(own), text.lstrip("*")) for own in fact.meanings):
                yield fact


def _names(held: CallFacts) -> dict[Hashable, list[Fact]]:
    """The named things of a call by what they mean."""
    found: dict[Hashable, list[Fact]] = {}
    for fact in held.of("identifier", "email", "phone"):
        for own in fact.meanings:
            found.setdefault(own, []).append(fact)
    return found


def _numbers(held: CallFacts) -> dict[Hashable, list[Fact]]:
    """The numbers of a call, without their signs, by what they mean."""
    found: dict[Hashable, list[Fact]] = {}
    for fact in held.of(*NUMBERS):
        for own in fact.meanings:
            found.setdefault(abs(own) if isinstance(own, Decimal) else own, []).append(fact)
    return found


def same_date(stated: Hashable, held: Hashable) -> bool:
    """Whether two dates agree in what both give; the weekday is not compared here."""
    assert isinstance(stated, tuple)
    assert isinstance(held, tuple)
    shared = [(a, b) for a, b in zip(stated[:3], held[:3], strict=True) if a is not None and b is not None]
    return bool(shared) and all(a == b for a, b in shared)


def same_time(value: Value, fact: Fact) -> bool:
    """Whether a stated time is the recorded one; of an instant in UTC, whose local time nobody recorded, the minute."""
    for own in fact.meanings:
        assert isinstance(own, tuple)
        for stated in value.meanings:
            if stated == own or (fact.unit == "utc" and isinstance(stated, tuple) and stated[1] == own[1]):
                return True
    return False


def ends_in(name: str, digits: str) -> bool:
    """Whether a recorded number ends in the digits, or a recorded national number ends a stated international one."""
    plain = "".join(filter(str.isdigit, name)) if not name.isdigit() else name
    return plain.endswith(digits) or (len(plain) >= 7 and digits.endswith(plain))
