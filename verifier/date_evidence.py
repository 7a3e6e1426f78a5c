"""Whether a date or a time of day stands (SPEC 3.3)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from verifier.case import Case, ValueCheck, replaced, reported, shown, supported, supported_by
from verifier.context import Context, context
from verifier.labels import contradicting, overruled
from verifier.matching import matches
from verifier.model import Outcome, Value
from verifier.records import Fact, is_bookkeeping


def check_date(case: Case, value: Value) -> ValueCheck:
    """A date: the call's where it holds any but bookkeeping ones, else the session's; its weekday must agree."""
    return _check_when(case, value, "date")


def check_time(case: Case, value: Value) -> ValueCheck:
    """A time of day, as a date."""
    return _check_when(case, value, "time")


def _check_when(case: Case, value: Value, kind: str) -> ValueCheck:
    around = context(value, case.clause, case.reply, case.near(value), case.lexicon)
    own = [(held, fact) for held in case.held for fact in held.of(kind)
           if not is_bookkeeping(fact.key) and fact.pointer not in overruled(held)]
    for held, fact in ((h, f) for h in case.held for f in matches(value, h) if f.pointer not in overruled(h)):
        return _weekday(value, fact) or supported(value, f"{kind}-of-call", held, fact)
    for held in case.siblings if case.strict else ():
        for fact in matches(value, held):
            return _weekday(value, fact) or supported(value, f"{kind}-of-sibling-call", held, fact)
    day = _is_day_number(case, value)
    if day is not None:
        return day
    if case.strict and own and not around.compared and not _is_beside(case, value, kind):
        return replaced(value, f"{kind}-not-of-call", shown(own[-1][1]), *own[-1])
    found = case.in_session(value)
    if found:
        return _weekday(value, found[1]) or supported_by(value, f"{kind}-of-session", found[0], found[1].pointer)
    if case.was_said(value) and (not case.strict or around.compared or not own):
        return supported(value, f"{kind}-said")
    return _when_nowhere(case, value, around)


def _is_day_number(case: Case, value: Value) -> ValueCheck | None:
    """`It is now due on the 15th of every month`: a day alone, which the call holds as a number."""
    days = {Decimal(stated[2]) for stated in value.meanings if isinstance(stated, tuple) and _is_day(stated)}
    for held in case.held if days else ():
        for fact in held.of("number"):
            if not days.isdisjoint(fact.meanings):
                return supported(value, "day-of-call", held, fact)
    return None


def _is_day(stated: tuple[object, ...]) -> bool:
    """A date of which only the day is said."""
    return len(stated) == 4 and stated[0] is None and stated[1] is None and isinstance(stated[2], int)


def _is_beside(case: Case, value: Value, kind: str) -> bool:
    """Whether the line also states what this call holds, and an earlier call of the tool, or a record of the same
    thing that was read, holds this value.

    `A consulta, que eu havia passado para as 15h, agora é às 16h20.` `Four nights from 18 to 22 August.`
    """
    peers = [other for other in case.on_line() if other.kind == kind and other.start != value.start]
    peers = [p for p in peers if not context(p, case.clause, case.reply, case.near(p), case.lexicon).compared]
    if case.clause.tool is None or not any(next(matches(peer, held), None) for peer in peers for held in case.held):
        return False
    earlier = (call for call in case.ledger.calls_of(case.clause.tool.name) if call.outcome is Outcome.DONE)
    if any(case.index.call_has(call, value) for call in earlier):
        return True
    return kind == "date" and any(next(matches(value, held), None) for held in case.linked)


def _when_nowhere(case: Case, value: Value, around: Context) -> ValueCheck:
    impossible = _weekday(value, None)
    if impossible:
        return impossible
    label = contradicting(case, value, around.before)
    if label:
        return replaced(value, f"{value.kind}-contradicts-record", shown(label[1]), *label)
    if case.strict and not around.compared:
        return replaced(value, f"{value.kind}-nowhere", "nothing in the session holds it")
    return reported(value, f"{value.kind}-unknown", "nothing in the session holds it")


def _weekday(value: Value, fact: Fact | None) -> ValueCheck | None:
    """A contradiction between a date and the weekday beside it; the recorded date gives the year."""
    days = set()
    for stated in value.meanings:
        if value.kind != "date" or not isinstance(stated, tuple) or stated[3] is None:
            return None
        for own in fact.meanings if fact else (stated,):
            assert isinstance(own, tuple)
            year, month, day = (a if a is not None else b for a, b in zip(own[:3], stated[:3], strict=True))
            if year is None or month is None or day is None:
                return None
            days.add((date(year, month, day).weekday(), stated[3]))
    if any(real == told for real, told in days):
        return None
    return replaced(value, "date-contradicts-weekday", "the date is another day of the week")
