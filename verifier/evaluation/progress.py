"""A progress bar on standard error (extra `cli`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

T = TypeVar("T")


@contextmanager
def bar(what: str = "conversations") -> Iterator[Callable[[Iterable[T], int], Iterable[T]]]:
    """Give a function that passes things on one by one and moves the bar with each; it is told their number."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        yield lambda things, total: shown.track(things, total=total)
