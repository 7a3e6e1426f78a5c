"""The decision of SPEC 3.3: each value that a clause asserts is supported, reported or replaced, and why.

A done claim of a write is held to the calls that it names; a denial, a claim about a read and a mention to the
session. Where the rules leave a doubt the value is supported: a false alarm on a true sentence is the worst fault.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from verifier.amounts import amounts, equal
from verifier.case import Case, ValueCheck, replaced, shown, supported
from verifier.count_evidence import check_count, check_percent
from verifier.date_evidence import check_date, check_time
from verifier.facts import index
from verifier.labels import renamed_text
from verifier.matching import matches
from verifier.model import Claim, LinkedClause, Outcome, Value
from verifier.money_evidence import check_money
from verifier.named_evidence import check_named
from verifier.values.lexicon import code, lexicon

if TYPE_CHECKING:
    from verifier.ledger import Ledger

__all__ = ["KINDS", "SEED_KINDS", "ValueCheck", "check"]

KINDS = ("money", "date", "time", "email", "identifier", "phone", "percent", "count")
SEED_KINDS = ("money", "date", "email", "identifier")  # money only with its currency
_UNASSERTED = (None, Claim.ASKS, Claim.PROMISES)
_RAN = (Outcome.DONE, Outcome.UNDONE)
_CHECKS: dict[str, Callable[[Case, Value], ValueCheck]] = {
    "money": check_money, "date": check_date, "time": check_time, "count": check_count, "percent": check_percent,
}


def check(
    clause: LinkedClause,
    reply: str,
    ledger: Ledger,
    *,
    mode: str = "session",
    kinds: Collection[str] | None = None,
    reply_values: tuple[Value, ...] = (),
    locale: str = "en",
) -> tuple[ValueCheck, ...]:
    """The decisions about the values of a clause, in their order; none for what it does not assert.

    `mode="call"` holds every clause to its calls alone; `kinds` names the kinds that are checked (all without it,
    the seed's with `SEED_KINDS`); `reply_values` are the values of the whole reply, for sums of what it states.
    Raises `ValueError` for an unknown mode, kind or language.
    """
    _check_options(mode, kinds)
    if not clause.asserted or clause.claim in _UNASSERTED or clause.tool is None:
        return ()
    ran = any(call.outcome in _RAN for call in clause.calls)
    done = clause.claim is Claim.SAYS_DONE or clause.under_done
    if clause.claim is Claim.SAYS_DONE and clause.tool.write and not ran:
        return ()  # the outcome decides; there is no value of something that did not happen
    strict = done and bool(clause.tool.write) and ran
    case = Case(clause, reply, ledger, index(ledger), lexicon(code(locale)), reply_values or clause.values, strict)
    checked = [value for value in clause.values if _is_checked(value, kinds)]
    decide = _by_call_alone if mode == "call" else _decide
    found = [decide(case, value) for value in checked]
    return (*found, *_named_fields(case, kinds))


def _check_options(mode: str, kinds: Collection[str] | None) -> None:
    if mode not in ("session", "call"):
        raise ValueError(f"evidence cannot be '{mode}'; it is 'session' or 'call'")
    for kind in kinds or ():
        if kind not in KINDS:
            raise ValueError(f"values cannot hold '{kind}'; kinds: {', '.join(KINDS)}")


def _is_checked(value: Value, kinds: Collection[str] | None) -> bool:
    return kinds is None or (value.kind in kinds and (value.kind != "money" or bool(value.unit) or "count" in kinds))


def _decide(case: Case, value: Value) -> ValueCheck:
    checker = _CHECKS.get(value.kind)
    return checker(case, value) if checker else check_named(case, value, case.clause.values)


def _by_call_alone(case: Case, value: Value) -> ValueCheck:
    """The strict reading of the seed: what the linked calls received or returned, and nothing else."""
    for held in case.held:
        if value.kind == "money":
            fact = next((fact for fact in amounts(held) if equal(value, fact, case.lexicon)), None)
        else:
            fact = next(matches(value, held), None)
        if fact:
            return supported(value, f"{value.kind}-of-call", held, fact)
    return replaced(value, f"{value.kind}-not-of-call", "the call neither received nor returned it")


def _named_fields(case: Case, kinds: Collection[str] | None) -> tuple[ValueCheck, ...]:
    """The finding about a field that the clause names with an argument's text where the result holds another."""
    if kinds is not None or not case.clause.calls:
        return ()
    found = renamed_text(case)
    if not found:
        return ()
    held, fact, text = found
    at = case.reply.lower().find(text.lower(), case.clause.start)
    at = at if at >= 0 else case.clause.start
    value = Value("text", at, at + len(text), case.reply[at : at + len(text)], (text,), fact.key)
    return (replaced(value, "text-contradicts-record", shown(fact), held, fact),)
