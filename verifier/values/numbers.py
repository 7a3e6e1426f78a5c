"""Digits with separators -> the numbers that they can mean. `1.234` can be two, and then it means both."""

from __future__ import annotations

from decimal import Decimal

MAX_DIGITS = 24  # a longer run of digits is an identifier, not an amount


def read_number(text: str, decimal: str) -> tuple[Decimal, ...]:
    """The numbers that digits with `.` and `,` can mean, the likelier in a language with that decimal mark first.

    >>> read_number("1,234.50", ".")
    (Decimal('1234.50'),)
    >>> read_number("1.234", ",")
    (Decimal('1234'), Decimal('1.234'))
    >>> read_number("12.5.1", ".")
    ()
    """
    if len(text) > MAX_DIGITS or not text or not (text[0].isdigit() and text[-1].isdigit()):
        return ()
    if text.isdigit():
        return (Decimal(text),)
    dots, commas = text.count("."), text.count(",")
    if not text.replace(".", "").replace(",", "").isdigit():
        return ()
    if dots and commas:
        return _both_marks(text)
    mark = "." if dots else ","
    parts = text.split(mark)
    if len(parts) > 2 and not all(parts):
        return ()
    grouped = len(parts[0]) <= 3 and parts[0] != "0" and all(len(part) == 3 for part in parts[1:])
    if len(parts) > 2:
        return (Decimal("".join(parts)),) if grouped else ()
    fraction = Decimal(".".join(parts))
    if not grouped:
        return (fraction,)
    whole = Decimal("".join(parts))
    return (fraction, whole) if mark == decimal else (whole, fraction)


def _both_marks(text: str) -> tuple[Decimal, ...]:
    mark = "." if text.rfind(".") > text.rfind(",") else ","
    group = "," if mark == "." else "."
    whole, _, fraction = text.partition(mark)
    parts = whole.split(group)
    if mark in fraction or group in fraction or not 1 <= len(parts[0]) <= 3 or any(len(p) != 3 for p in parts[1:]):
        return ()
    return (Decimal("".join(parts) + "." + fraction),)
