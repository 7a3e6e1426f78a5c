"""Dates: May 20, 20 May 2026, 2026-05-20, 5/9, 20/05, dia 20, tomorrow. A meaning is (year, month, day, weekday).

What a date leaves out is None; the weekday (Monday is 0) only says what the reply wrote beside the date.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from verifier.model import Value
from verifier.values.lexicon import Lexicon, fold
from verifier.values.spot import Spot

_ISO = re.compile(
    r"(?P<year>(?:19|20)[0-9]{2})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"(?P<rest>T(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::[0-9]{2}(?:[.][0-9]{1,9})?)?"
    r"(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_PARTS = re.compile(r"(?P<a>[0-9]{1,4})(?P<mark>[/.-])(?P<b>[0-9]{1,2})(?:(?P=mark)(?P<c>[0-9]{2,4}))?")
_DAY = re.compile(r"(?P<day>[0-9]{1,2})(?P<ordinal>st|nd|rd|th|[º°ª])?")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")

Date = tuple[int | None, int | None, int | None, int | None]


def valid(year: int | None, month: int, day: int) -> bool:
    """Whether such a day exists (in a leap year where no year is given)."""
    try:
        date(year or 2024, month, day)
    except ValueError:
        return False
    return True


def read(spot: Spot) -> tuple[Value, ...]:
    """The date (with an ISO time, date and time) at a run of digits; empty where it is none."""
    if len(spot.text) > 4 or not spot.text.isdigit():
        iso = _ISO.fullmatch(spot.text)
        if iso:
            return _iso(spot, iso)
        parts = _PARTS.fullmatch(spot.text)
        if parts:
            return _parts(spot, parts)
    day = _DAY.fullmatch(spot.text)
    if day:
        return _day(spot, int(day["day"]), bool(day["ordinal"]))
    if _YEAR.fullmatch(spot.text) and (month := spot.lexicon.patterns["month_left"].search(spot.left)):
        at = spot.at - len(spot.left) + month.start("month")
        return (spot.value("date", ((int(spot.text), spot.lexicon.months[month["month"]], None, None),), at=at),)
    return ()


def _iso(spot: Spot, iso: re.Match[str]) -> tuple[Value, ...]:
    year, month, day = int(iso["year"]), int(iso["month"]), int(iso["day"])
    if not valid(year, month, day):
        return ()
    value = _dated(spot, ((year, month, day),), spot.at, spot.at + 10)
    if not iso["rest"]:
        return (value,)
    when = (int(iso["hour"]), int(iso["minute"]))
    return value, spot.value("time", (when,), at=spot.at + 11, to=spot.to)


def _parts(spot: Spot, parts: re.Match[str]) -> tuple[Value, ...]:
    """`20/05`, `5/9`, `05/20/2026`, `20.05.2026`, `2026/05/20`, in each order that the language writes."""
    a, b, c = parts["a"], parts["b"], parts["c"]
    if len(a) > 2:
        ok = len(a) == 4 and c and valid(int(a), int(b), int(c))
        return (_dated(spot, ((int(a), int(b), int(c)),), spot.at, spot.to),) if ok and a[:2] in ("19", "20") else ()
    if not c and (parts["mark"] != "/" or not _short_date(spot, a, b)):
        return ()
    if c and len(c) == 3:
        return ()
    year = None if not c else int(c) if len(c) == 4 else 2000 + int(c)
    found = []
    for order in spot.lexicon.orders:
        month, day = (int(a), int(b)) if order == "mdy" else (int(b), int(a))
        if valid(year, month, day) and 1 <= month <= 12:
            found.append((year, month, day))
    return (_dated(spot, tuple(found), spot.at, spot.to),) if found else ()


def _short_date(spot: Spot, a: str, b: str) -> bool:
    """Whether n/n is a date: written with two digits each, or after a word such as `on`, `dia` or a weekday."""
    if spot.lexicon.orders == ("dmy",) and len(a) == 2 and len(b) == 2:
        return True
    before = spot.word(2) if spot.word() == "," else spot.word()
    return before in spot.lexicon.date_before or before in spot.lexicon.weekdays


def _day(spot: Spot, day: int, ordinal: bool) -> tuple[Value, ...]:
    """A day number with a month beside it, or alone after `dia` (`the 20th`)."""
    if not 1 <= day <= 31:
        return ()
    lexicon, patterns = spot.lexicon, spot.lexicon.patterns
    ahead = ordinal or spot.leads_on()
    after = patterns["month_right"].match(spot.right) if ahead else None
    if after:
        return _named(spot, day, after["month"], spot.at, spot.to + after.end("month"))
    named = not lexicon.month_words.isdisjoint(spot.words[-4:])
    before = patterns["month_left"].search(spot.left) if named else None
    if before and not spot.right.startswith((":", "%")) and not patterns["half_right"].match(spot.right):
        marked = None if ordinal else patterns["ordinal"].match(spot.right)
        end = spot.to + (marked.end() if marked else 0)
        at = spot.at if before["span"] else spot.at - len(spot.left) + before.start("month")
        return _named(spot, day, before["month"], at, end)
    later = patterns["month_later"].match(spot.right) if ahead else None
    if later:
        return _named(spot, day, later["month"], spot.at, spot.to, year_after=False)
    alone = spot.word() in lexicon.day_words or (ordinal and spot.word() in lexicon.ordinal_before)
    if alone and patterns["day_ends"].match(spot.right):
        return (_dated(spot, ((None, None, day),), spot.at, spot.to),)
    return ()


def _named(spot: Spot, day: int, month: str, at: int, to: int, *, year_after: bool = True) -> tuple[Value, ...]:
    number = spot.lexicon.months[month]
    year = None
    if year_after:
        found = spot.lexicon.patterns["year_right"].match(fold(spot.reply[to : min(spot.end, to + 12)]))
        if found:
            year, to = int(found["year"]), to + found.end()
    return (_dated(spot, ((year, number, day),), at, to),) if valid(year, number, day) else ()


def _dated(spot: Spot, days: tuple[tuple[int | None, int | None, int], ...], at: int, to: int) -> Value:
    """The value, with the weekday that stands directly before it."""
    weekday = _weekday(spot.reply, spot.start, at, spot.lexicon)
    return spot.value("date", tuple((*day, weekday) for day in days), at=at, to=to)


def _weekday(reply: str, start: int, at: int, lexicon: Lexicon) -> int | None:
    found = lexicon.patterns["weekday_left"].search(fold(reply[max(start, at - 24) : at]).replace("*", ""))
    return lexicon.weekdays.get(found["weekday"]) if found else None


def read_words(spot: Spot, words: list[str], ends: list[int], now: date | datetime | None) -> Value | None:
    """`tomorrow`, `amanhã`: a day counted from `now`; None where `now` is not known."""
    days = spot.lexicon.relative.get(words[0])
    if days is None or now is None:
        return None
    if f"{spot.word(2)} {spot.word()}" in spot.lexicon.day_after:
        days += 1  # the day after tomorrow, depois de amanhã
    today = now.date() if isinstance(now, datetime) else now
    day = today + timedelta(days=days)
    return spot.value("date", ((day.year, day.month, day.day, None),), to=ends[0])
