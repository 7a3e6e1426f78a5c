"""Arithmetic over recorded amounts: which sums, differences and products a reply may state (SPEC 3.3)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from decimal import Decimal
from functools import lru_cache

from verifier.model import Value
from verifier.records import CallFacts, Fact, is_bookkeeping, key_words, names_record
from verifier.values.lexicon import Lexicon, record_keys
from verifier.values.numbers import read_number

MAX_ITEMS = 10  # of longer lists only the whole sum counts: any amount is a part sum of enough items
MAX_SUMS = 4096
MAX_STATED = 12  # amounts of a reply whose part sums are looked at
MAX_PAIRED = 64  # and whose differences are
MAX_DEEP = 7  # amounts of a session whose every sum and difference can be tried
CENT = Decimal("0.01")
_ROUND_TO = (Decimal(1), Decimal(5), Decimal(10), Decimal(50), Decimal(100), Decimal(1000))
_TERM = re.compile(r"(?P<op>[-+x×*–−]|[a-z]{4,5})?[ $€£R]{0,4}(?P<number>[0-9][0-9.,]{0,15})")
_OPERATORS = {"-": "-", "–": "-", "−": "-", "+": "+", "x": "*", "×": "*", "*": "*"}
MAX_EQUATION = 80  # characters before the equals sign: five terms


def amounts(held: CallFacts) -> tuple[Fact, ...]:
    """The facts of a call that can be an amount: numbers that do not name a record, and money in texts."""
    return held.once("amounts", _amounts)


def _amounts(held: CallFacts) -> tuple[Fact, ...]:
    facts = held.of("money", "number", "mention")
    return tuple(fact for fact in facts if fact.kind == "money" or is_amount_key(fact.key))


@lru_cache(maxsize=4096)
def is_amount_key(key: str) -> bool:
    """Whether a number under this key can be an amount (not an id, a date or a length of time)."""
    return not names_record(key) and not is_bookkeeping(key)


def is_priced(key: str) -> bool:
    """Whether a key says that what stands under it is an amount of money."""
    return not key_words(key).isdisjoint(record_keys().money)


def priced(held: CallFacts) -> list[Fact]:
    """The facts that are surely amounts: money, under a money key, with cents; of a call without any, all amounts."""
    return held.once("priced", _priced)


def _priced(held: CallFacts) -> list[Fact]:
    every = list(amounts(held))
    money = record_keys().money
    sure = [fact for fact in every if fact.kind == "money" or not key_words(fact.key).isdisjoint(money)
            or (fact.kind == "number" and any(isinstance(m, Decimal) and m % 1 for m in fact.meanings))]
    return sure or every


def holds_amount(held: CallFacts) -> bool:
    """Whether a call received or returned any amount: money, a number under a money key, or one with cents."""
    money = record_keys().money
    for fact in amounts(held):
        if fact.kind == "mention":
            continue
        if fact.kind == "money" or not key_words(fact.key).isdisjoint(money):
            return True
        if any(isinstance(m, Decimal) and m % 1 for m in fact.meanings):
            return True
    return False


def currency_fits(value: Value, unit: str, lexicon: Lexicon) -> bool:
    """Whether a stated currency does not contradict a recorded one; a bare sign may be any currency that uses it."""
    if not value.unit or not unit or value.unit == unit or len(unit) != 3 or not unit.isupper():
        return True
    explicit = value.unit in value.text or (len(value.text) > 1 and value.text[1] == "$" and value.text[0].isalpha())
    return not explicit and unit in lexicon.ambiguous.get(value.unit, ())


def equal(value: Value, fact: Fact, lexicon: Lexicon) -> bool:
    """Whether an amount states what a fact holds; the sign does not count."""
    same = any(abs(m) in value.meanings for m in fact.meanings if isinstance(m, Decimal))
    return same and currency_fits(value, fact.unit, lexicon)


def numbers(facts: Iterable[Fact]) -> set[Decimal]:
    """The amounts of some facts, without signs."""
    return {abs(m) for fact in facts for m in fact.meanings if isinstance(m, Decimal)}


def list_sums(held: CallFacts) -> set[Decimal]:
    """The sums of the items of each list of a call: the whole, and of short lists every part; times their quantity."""
    return held.once("list_sums", _list_sums)


def _list_sums(held: CallFacts) -> set[Decimal]:
    sums: set[Decimal] = set()
    for (_, name), items in _columns(held).items():
        if len(items) > 1 or name.endswith("*"):
            sums |= part_sums(items)
    return sums


def _columns(held: CallFacts) -> dict[tuple[str, str], list[Decimal]]:
    """The numbers of each list by field: ("/result/items", "price") -> [10, 20]."""
    quantities = {
        fact.pointer.rsplit("/", 1)[0]: fact.meanings[0]
        for fact in held.of("number")
        if not key_words(fact.key).isdisjoint(record_keys().quantity)
    }
    columns: dict[tuple[str, str], list[Decimal]] = {}
    for fact in amounts(held):
        parts = fact.pointer.split("/")
        place = next((at for at in range(len(parts) - 1, 1, -1) if parts[at].isdigit()), 0)
        number = fact.meanings[0]
        if not place or not isinstance(number, Decimal):
            continue
        field = "/".join(parts[place + 1 :])
        columns.setdefault(("/".join(parts[:place]), field), []).append(abs(number))
        times = quantities.get(fact.pointer.rsplit("/", 1)[0])
        if isinstance(times, Decimal):
            columns.setdefault(("/".join(parts[:place]), field + "*"), []).append(abs(number) * times)
    return columns


def part_sums(items: list[Decimal]) -> set[Decimal]:
    """The sum of all items, and of every part of at most ten."""
    if len(items) > MAX_ITEMS:
        return {sum(items, Decimal(0))}
    sums = {Decimal(0)}
    for item in items:
        sums |= {item + other for other in sums}
    return sums - {Decimal(0)}


def joint_sums(choices: list[set[Decimal]]) -> set[Decimal]:
    """Every sum of one amount each of two calls or more."""
    single: set[Decimal] = set()
    sums: set[Decimal] = set()
    for amounts_of_call in choices[:MAX_ITEMS]:
        own = sorted(amounts_of_call)[:8]
        sums |= {item + other for item in own for other in sums | single}
        single.update(own)
        if len(sums) > MAX_SUMS:
            break
    return sums


def combined(wanted: Collection[Decimal], first: set[Decimal], second: set[Decimal]) -> bool:
    """Whether one of the wanted amounts is the sum or difference of one of the first and one of the second."""
    for target in wanted:
        for one in first:
            if (target - one) in second or (one - target) in second or (one + target) in second:
                return True
    return False


def stated_combination(wanted: Collection[Decimal], stated: list[Decimal]) -> bool:
    """Whether an amount is a sum, part sum or difference of amounts that the reply states, the nearest first.

    A part sum is one of the first half and one of the second: 64 of each are made, and not the 4,096 of them together.
    """
    near = stated[:MAX_STATED]
    first, second = part_sums(near[::2]) | {Decimal(0)}, part_sums(near[1::2]) | {Decimal(0)}
    whole = sum(stated, Decimal(0))
    paired = stated[:MAX_PAIRED]
    others = set(paired)
    for target in filter(None, wanted):
        if target == whole or any(target - one in second for one in first):
            return True
        if any(amount + target in others for amount in paired):
            return True
    return False


def deep_combination(wanted: Collection[Decimal], every: set[Decimal]) -> bool:
    """Whether an amount is some sum and difference of a few recorded amounts; always so where they are many."""
    if len(every) > MAX_DEEP:
        return True
    sums = {Decimal(0)}
    for amount in sorted(every):
        sums |= {other + amount for other in sums} | {other - amount for other in sums}
    return any(target in sums for target in wanted)


def product(wanted: Collection[Decimal], units: Iterable[Decimal], counts: Iterable[Decimal]) -> bool:
    """Whether an amount is a unit times a count."""
    times = [count for count in counts if 1 < count <= 1000]
    return any(unit * count in wanted for unit in units for count in times)


def rounded(wanted: Collection[Decimal], exact: Iterable[Decimal]) -> bool:
    """Whether `about 50` is a recorded amount rounded to a usual step (at most 5 % away)."""
    for target in wanted:
        for amount in exact:
            if abs(amount - target) * 20 <= amount and any(target % step == 0 for step in _ROUND_TO):
                return True
    return False


def equation(text: str, value: Value, lexicon: Lexicon) -> bool | None:
    """Whether the equation before the value (`$597 x 2 =`) gives it; None where there is none. `text` ends there."""
    head = text.rstrip(" $€£R*-–−")
    if not head.endswith("="):
        return None
    total: Decimal | None = None
    terms = 0
    for term in _TERM.finditer(head[-MAX_EQUATION:-1]):
        numbers_read = read_number(term["number"].rstrip(".,"), lexicon.decimal)
        if not numbers_read:
            return None
        sign = _OPERATORS.get(term["op"] or "") or lexicon.operators.get(term["op"] or "", "")
        terms = terms + 1 if sign else 1
        total = _apply(total, sign, numbers_read[0]) if total is not None and sign else numbers_read[0]
    if total is None or terms < 2:
        return None
    return any(abs(abs(total) - m) < CENT for m in value.meanings if isinstance(m, Decimal))


def _apply(total: Decimal, sign: str, number: Decimal) -> Decimal:
    if sign == "*":
        return total * number
    return total + number if sign == "+" else total - number
