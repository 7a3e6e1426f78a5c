"""Amounts that stand because a record holds them: the call's, a linked one's, any of the session."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from verifier.amounts import amounts, currency_fits, equal, holds_amount, is_amount_key, list_sums
from verifier.case import Case, ValueCheck, supported
from verifier.context import Context
from verifier.labels import overruled
from verifier.model import Outcome, Value
from verifier.records import CallFacts, Fact, key_words
from verifier.values.lexicon import record_keys

MOST_BETWEEN = 3  # words between a part and its whole: `of the original`
NEAR = 30  # characters

def meant(value: Value) -> list[Decimal]:
    """The amounts that a value can mean."""
    return [m for m in value.meanings if isinstance(m, Decimal)]


def first(case: Case, value: Value, records: Iterable[CallFacts], rule: str) -> ValueCheck | None:
    """The first of the records that holds the value as an amount, as the evidence for it under this rule; or None."""
    for held in records:
        hidden = overruled(held)
        for fact in amounts(held):
            if fact.pointer not in hidden and equal(value, fact, case.lexicon):
                return supported(value, rule, held, fact)
    return None


def by_session(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """Everything any call received or returned, what the person said, the context."""
    for call, fact in case.index.session_facts(value):
        held = case.index.facts(call)
        if is_amount(fact) and equal(value, fact, case.lexicon) and fact.pointer not in overruled(held):
            return supported(value, "money-of-session", held, fact)
    return supported(value, "money-said") if case.was_said(value) else None


def is_amount(fact: Fact) -> bool:
    """Is a fact one of money, by its kind or its key?"""
    return fact.kind == "money" or is_amount_key(fact.key)


def by_comparison(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """After `instead of`, `than`, `from`: what the session holds and what the person said."""
    if not around.compared:
        return None
    return by_session(case, value, around)


def sum_of(case: Case, value: Value, records: Iterable[CallFacts], rule: str) -> ValueCheck | None:
    """The first of the records whose list adds up to the value, in its currency, as the evidence for it; or None."""
    for held in records:
        if not list_sums(held).isdisjoint(meant(value)) and currency_of(case, value, held):
            return supported(value, rule, held)
    return None


def currency_of(case: Case, value: Value, held: CallFacts) -> bool:
    """Does the currency of a stated amount fit that of a record, or does the record name none?"""
    units = [fact.unit for fact in amounts(held) if fact.unit]
    return not units or any(currency_fits(value, unit, case.lexicon) for unit in units)


def by_linked(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """Other money may stand in a linked record; so may the main amount where the call holds none."""
    if is_main(case, around) and not around.compared and any(holds_amount(held) for held in case.held):
        return None
    return (first(case, value, case.linked, "money-linked-record")
            or sum_of(case, value, case.linked, "money-linked-sum"))


def is_main(case: Case, around: Context) -> bool:
    """Whether the amount is what was refunded, charged, paid: its words say so, or it is what the call was given."""
    if around.unnamed:
        return any(not fact.in_result for held in case.held for fact in amounts(held)
                   if not key_words(fact.key).isdisjoint(record_keys().money))
    return around.main


def by_whole(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """`€20 of the €60 payment`: what a part was taken of need not be an amount of the call."""
    before = around.before
    if not before or before[0] not in case.lexicon.roles["whole"] or len(before) > MOST_BETWEEN:
        return None
    parts = (other for other in case.near(value) if other.kind == "money" and 0 <= value.start - other.end < NEAR)
    return by_session(case, value, around) if any(parts) else None


def by_write_beside(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """`The stay costs $560, and breakfast adds $144`: two writes of a turn on one record, told in one sentence."""
    own = [other for other in case.clause.values if other.kind == "money" and other.start != value.start]
    if not any(first(case, other, case.held, "") for other in own):
        return None
    beside = [held for held in case.linked if held.call.outcome is Outcome.DONE and _is_write_of_turn(case, held)]
    return first(case, value, beside, "money-of-write-beside")


def _is_write_of_turn(case: Case, held: CallFacts) -> bool:
    tool = case.ledger.tool(held.call.tool)
    return tool is not None and bool(tool.write) and held.call.turn == case.ledger.turn
