"""Whether an amount stands: the exact rules of SPEC 3.3 for the main amount of a claim, other money, and mentions."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from verifier.amounts import (
    CENT,
    MAX_EQUATION,
    amounts,
    combined,
    deep_combination,
    equation,
    holds_amount,
    joint_sums,
    list_sums,
    numbers,
    part_sums,
    priced,
    product,
    rounded,
    stated_combination,
)
from verifier.case import Case, ValueCheck, replaced, reported, shown, supported
from verifier.context import Context, context
from verifier.labels import contradicting
from verifier.model import Outcome, Value
from verifier.money_record import (
    by_comparison,
    by_linked,
    by_session,
    by_whole,
    by_write_beside,
    first,
    is_main,
    meant,
    sum_of,
)
from verifier.records import CallFacts, Fact

MANY = 400  # amounts of a session: some two of them give almost any
FEW = 40  # amounts of a session: of more, any two have some difference
Rule = Callable[[Case, Value, Context], ValueCheck | None]


def check_money(case: Case, value: Value) -> ValueCheck:
    """The decision about an amount of the clause."""
    around = context(value, case.clause, case.reply, case.near(value), case.lexicon)
    rules = _STRICT if case.strict else _LOOSE
    for rule in rules:
        found = rule(case, value, around)
        if found:
            return found
    return _refused(case, value, around)


def _by_call(case: Case, value: Value, around: Context) -> ValueCheck | None:
    return (first(case, value, case.held, "money-of-call")
            or first(case, value, case.siblings, "money-of-sibling-call"))


def _by_length(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """`a total of 12` without a currency may be a number of things: the length of a list of the call."""
    if value.unit:
        return None
    for held in case.held:
        fact = next((fact for fact in held.of("length") if fact.meanings[0] in value.meanings), None)
        if fact:
            return supported(value, "count-of-call", held, fact)
    return None


def _by_equation(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """An equation that the reply writes out is checked as one; a wrong one contradicts itself."""
    low = max(case.clause.start, value.start - 2 * MAX_EQUATION)
    right = equation(case.reply[low : value.start], value, case.lexicon)
    if right is None:
        return None
    if right:
        return supported(value, "money-equation")
    return replaced(value, "money-equation", "the equation does not hold")


def _by_list(case: Case, value: Value, around: Context) -> ValueCheck | None:
    return sum_of(case, value, case.held, "money-list-sum")


def _by_turn(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """The sum over the turn's writes, or over the calls that the clause names."""
    records = _turn_writes(case)
    if len(records) < 2:
        return None
    if not _turn_sums(case).isdisjoint(meant(value)):
        return supported(value, "money-turn-sum", records[-1])
    return None


def _turn_sums(case: Case) -> set[Decimal]:
    records = _turn_writes(case)
    columns: dict[str, list[Decimal]] = {}
    for held in records:
        per_key = {fact.key: abs(m) for fact in priced(held) for m in fact.meanings if isinstance(m, Decimal)}
        for key, amount in per_key.items():
            columns.setdefault(key, []).append(amount)
    sums = joint_sums([numbers(priced(held)) | list_sums(held) for held in records])
    return sums.union(*(part_sums(column) - set(column) for column in columns.values()))


def _turn_writes(case: Case) -> list[CallFacts]:
    calls = {call.id: call for call in (*case.ledger.calls_in(case.ledger.turn), *case.clause.calls)}
    return [case.index.facts(call) for call in calls.values() if _ran_write(case, call.tool, call.outcome)]


def _ran_write(case: Case, name: str, outcome: Outcome) -> bool:
    tool = case.ledger.tool(name)
    return outcome in (Outcome.DONE, Outcome.UNDONE) and tool is not None and bool(tool.write)


def _by_count(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """`per night` times a stated or recorded count gives an amount of the call; or the total of a stated unit."""
    own = {n for held in case.held for n in numbers(priced(held))}
    sums = {n for held in case.held for n in list_sums(held)}
    counts = _counts(case, value)
    if (around.per or not is_main(case, around)) and product(own | sums, meant(value), counts):
        return supported(value, "money-per-unit", case.held[0] if case.held else None)
    units = {m for other in case.near(value) if other.kind == "money" and other != value for m in meant(other)}
    if product(meant(value), units & (own | {n for held in case.linked for n in numbers(priced(held))}), counts):
        return supported(value, "money-unit-times-count", case.held[0] if case.held else None)
    return None


def _counts(case: Case, value: Value) -> set[Decimal]:
    """Whole numbers that may count units: stated in the reply, held by the call, or the length of its lists."""
    stated = (m for v in case.near(value) if v.kind == "count" for m in v.meanings)
    counts = {Decimal(m) for m in stated if isinstance(m, int | Decimal)}
    for held in case.held:
        for fact in held.of("number", "length", "count"):
            counts.update(Decimal(m) for m in fact.meanings if isinstance(m, int | Decimal) and m % 1 == 0)
    return counts


def _by_difference(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """With difference, remaining, balance or total: an amount of the call and one of a linked record."""
    if not around.difference:
        return None
    paid = around.main and any(holds_amount(held) for held in case.held)  # then the call tells it, not its items
    own = {n for held in case.held for n in numbers(priced(held)) | (set() if paid else list_sums(held))}
    own |= _turn_sums(case) if not paid or "total" in around.before else set()
    others = {n for held in case.linked for n in numbers(priced(held)) | (set() if paid else list_sums(held))}
    if combined(meant(value), own, others | own) or combined(meant(value), others, others):
        return supported(value, "money-difference", case.held[0] if case.held else None)
    session = _session_amounts(case)
    if (not others or around.compared) and len(session) <= FEW and combined(meant(value), own, session):
        return supported(value, "money-difference", case.held[0] if case.held else None)
    return None


def _by_item_difference(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """What one item of several cost more or less: its price in the call against the other one in a linked record."""
    own = numbers(fact for held in case.held for fact in priced(held) if _in_list(fact))
    others = numbers(fact for held in case.linked for fact in priced(held) if _in_list(fact))
    if own and any(target + one in others or one - target in others for one in own for target in meant(value)):
        return supported(value, "money-item-difference", case.held[0])
    return None


def _in_list(fact: Fact) -> bool:
    return any(part.isdigit() for part in fact.pointer.split("/")[2:])


def _by_parts(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """Amounts of the session that the clause adds up to one of the call: `€52 paid: €37 for … plus €15 for …`."""
    own = {n for held in case.held for n in numbers(amounts(held))}
    beside = (v for v in case.near(value) if case.clause.start <= v.start < case.clause.end and v.kind == "money")
    stated = [meant(v)[0] for v in beside if v.start != value.start and meant(v)]
    sums = {amount + meant(value)[0] for amount in part_sums(stated[:8]) if stated}
    return by_session(case, value, around) if sums & own & set(stated) else None


def _by_session_without_amounts(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """Neither the call nor a linked record holds an amount: the session decides."""
    if any(holds_amount(held) for held in (*case.held, *case.linked)):
        return None
    return by_session(case, value, around) or _by_arithmetic(case, value, around) or (
        supported(value, "money-two-amounts") if _two_amounts(case, value) else None)


def _by_linked_difference(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """Where the call holds no amount, sums and differences of linked records decide, whatever the word."""
    if any(holds_amount(held) for held in case.held):
        return None
    others = {n for held in case.linked for n in numbers(amounts(held)) | list_sums(held)}
    return supported(value, "money-linked-difference") if combined(meant(value), others, others) else None


def _by_rounding(case: Case, value: Value, around: Context) -> ValueCheck | None:
    if not around.about:
        return None
    exact = _session_amounts(case) | _session_sums(case)
    if case.strict:
        exact = {n for held in case.held for n in numbers(amounts(held)) | list_sums(held)}
    return supported(value, "money-rounded") if rounded(meant(value), exact) else None


def _by_arithmetic(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """Sums, part sums, differences and multiples of what the reply states; list sums of one record."""
    wanted = meant(value)
    stated = _stated(case, value)
    if stated_combination(wanted, stated):
        return supported(value, "money-stated-sum")
    counts = _counts(case, value) | ({Decimal(12)} if _tells_years(case) else set())
    if product(wanted, stated, counts) or product(stated, wanted, counts) or _by_rate(case, wanted, stated):
        return supported(value, "money-unit-times-count")
    if _session_sums(case).isdisjoint(wanted):
        return None
    return sum_of(case, value, map(case.index.facts, case.index.calls()), "money-list-sum")


def _stated(case: Case, value: Value) -> list[Decimal]:
    """The other amounts of the reply, those nearest to one of the places where it states this amount first."""
    around = case.near(value)
    places = [v.start for v in around if v.meanings == value.meanings] or [value.start]
    others = [v for v in around if v.kind == "money" and v.meanings != value.meanings and meant(v)]
    others.sort(key=lambda v: (min(abs(v.start - place) for place in places), v.start))
    return [meant(v)[0] for v in others]


def _tells_years(case: Case) -> bool:
    """Whether the clause turns a monthly amount into a yearly one."""
    return not case.words.isdisjoint(case.lexicon.roles["year"])


def _by_rate(case: Case, wanted: list[Decimal], stated: list[Decimal]) -> bool:
    """Whether an amount is a stated one times a recorded rate (below 100), to the cent: 2,000 at 0.255."""
    rates = [n for held in case.held for n in numbers(amounts(held)) if n % 1 and n < 100]
    return any(abs(amount * rate - target) < CENT for amount in stated for rate in rates for target in wanted)


def _session_amounts(case: Case) -> set[Decimal]:
    every = map(case.index.facts, case.index.calls())
    return case.index.once("amounts", lambda: {n for held in every for n in numbers(priced(held))})


def _session_sums(case: Case) -> set[Decimal]:
    every = map(case.index.facts, case.index.calls())
    return case.index.once("list_sums", lambda: set().union(*map(list_sums, every)))


def _two_amounts(case: Case, value: Value) -> bool:
    every = _session_amounts(case)
    if len(every) > MANY:
        return True
    return combined(meant(value), every, every)


def _by_label(case: Case, value: Value, around: Context) -> ValueCheck | None:
    """The clause names a field of the record, and the record holds another amount there."""
    found = contradicting(case, value, around.before + around.after)
    if found:
        held, fact = found
        return replaced(value, "money-contradicts-record", shown(fact), held, fact)
    return None


def _refused(case: Case, value: Value, around: Context) -> ValueCheck:
    held, fact = _nearest(case)
    if case.strict:
        why = shown(fact) if fact else "no call or linked record holds this amount"
        return replaced(value, "money-not-of-call", why, held, fact)
    if around.per and not case.strict:
        return reported(value, "money-per-unit", "no record holds this price of a unit; a policy may")
    if _two_amounts(case, value):
        return reported(value, "money-of-two-amounts", "only the sum or difference of two recorded amounts gives it")
    if around.supposed:
        return reported(value, "money-supposed", "the clause only supposes it")
    if around.difference and deep_combination(meant(value), _session_amounts(case)):
        return reported(value, "money-of-several-amounts", "a sum or difference of several amounts may give it")
    return replaced(value, "money-nowhere", "no amount of the session, and no two of them, give it", held, fact)


def _nearest(case: Case) -> tuple[CallFacts | None, Fact | None]:
    """An amount that the call does hold, for the explanation."""
    for held in case.held:
        facts: list[Fact] = list(amounts(held))
        for fact in sorted(facts, key=lambda f: not f.in_result):
            if holds_amount(CallFacts(held.call, (fact,), {fact.kind: (fact,)})):
                return held, fact
    return (case.held[0], None) if case.held else (None, None)


_STRICT: tuple[Rule, ...] = (
    _by_call, _by_length, _by_equation, _by_list, _by_turn, _by_count, _by_difference, _by_item_difference, by_linked,
    by_whole, by_write_beside, _by_linked_difference, _by_session_without_amounts, by_comparison, _by_parts,
    _by_rounding,
)
_LOOSE: tuple[Rule, ...] = (by_session, _by_equation, _by_arithmetic, _by_rounding, _by_label)
