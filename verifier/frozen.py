"""JSON values that nobody can change later: what a ledger keeps of arguments and results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, NoReturn

MAX_DEPTH = 200  # a result nested deeper is a mistake or an attack; walking it must not exhaust the stack


def _refuse(self: object, *args: object, **named: object) -> NoReturn:
    raise TypeError("a ledger keeps what was recorded; make a copy with dict(…) or list(…) to change it")


class FrozenDict(dict[str, Any]):
    """A dict that refuses to change. `dict(it)` gives a copy that can."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Callable[[Any], Any], tuple[Any]]:
        """Pickle and copy as a plain dict that is frozen again."""
        return freeze, (dict(self),)

    def __deepcopy__(self, memo: object) -> FrozenDict:
        """Itself: nothing in it can change."""
        return self


class FrozenList(list[Any]):
    """A list that refuses to change. `list(it)` gives a copy that can."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = clear = extend = insert = pop = _refuse
    remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[Callable[[Any], Any], tuple[Any]]:
        """Pickle and copy as a plain list that is frozen again."""
        return freeze, (list(self),)

    def __deepcopy__(self, memo: object) -> FrozenList:
        """Itself: nothing in it can change."""
        return self


def freeze(value: Any, depth: int = 0) -> Any:
    """The value as unchangeable JSON: dicts, lists, texts, numbers, booleans and None.

    Dates become ISO texts, decimals numbers (texts where a float would differ), models and dataclasses dicts, and
    any other object its text: whatever a tool returned, the ledger can keep it. Raises `ValueError` where it is
    nested too deep.
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None or kind is FrozenDict or kind is FrozenList:
        return value
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is dict:
        return FrozenDict(
            {key if type(key) is str else _text(key): freeze(item, depth + 1) for key, item in value.items()}
        )
    if kind is list or kind is tuple:
        return FrozenList([freeze(item, depth + 1) for item in value])
    return _freeze_other(value, depth + 1)


def _freeze_other(value: Any, depth: int) -> Any:
    if isinstance(value, Enum):
        return freeze(value.value, depth)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))  # JSON has no NaN and no infinity
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, str | int):
        return str(value) if isinstance(value, str) else int(value)
    if isinstance(value, Mapping):
        return freeze(dict(value), depth)
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "backslashreplace")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if hasattr(value, "model_dump") and not isinstance(value, type):  # pydantic, without importing it
        return freeze(value.model_dump(mode="json"), depth)
    if is_dataclass(value) and not isinstance(value, type):
        return freeze(asdict(value), depth)
    if isinstance(value, set | frozenset):
        return freeze(sorted(value, key=lambda item: (type(item).__name__, _text(item))), depth)
    if isinstance(value, Iterable) and hasattr(value, "__len__"):
        return freeze(list(value), depth)
    return _text(value)


def _number(value: Decimal) -> int | float | str:
    if not value.is_finite() or value.adjusted() > 300:
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)


def _text(value: object) -> str:
    """The object's own text; its type's name where that would only be a memory address."""
    if isinstance(value, Enum):
        return str(value.value)
    kind = type(value)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        return f"<{kind.__name__}>"
    return str(value)
