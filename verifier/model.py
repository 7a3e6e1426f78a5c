"""The words of the project as plain records: outcomes, claims, values, clauses, edits.

Every position is an offset into the one reply that was given (Python characters), end exclusive.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.ledger import Call, Tool


class Outcome(StrEnum):
    """What became of a call, as the run recorded it (never as the model tells it)."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    PENDING_CONFIRMATION = "pending_confirmation"
    UNKNOWN = "unknown"
    UNDONE = "undone"
    NOT_ATTEMPTED = "not_attempted"


class Claim(StrEnum):
    """What a clause says about a call; in doubt it only *mentions* it."""

    SAYS_DONE = "says_done"
    SAYS_NOT_DONE = "says_not_done"
    PROMISES = "promises"
    ASKS = "asks"
    SAYS_UNKNOWN = "says_unknown"
    MENTIONS = "mentions"


@dataclass(frozen=True, slots=True)
class Value:
    """A value as the reply writes it: `kind` is money, date, time, email, identifier, phone, percent or count.

    `meanings` are all the things that the text can mean (`1.234` may be two numbers); a match with any of them
    counts. `unit` is the ISO currency of money, the counted noun of a count, else empty.
    """

    kind: str
    start: int
    end: int
    text: str
    meanings: tuple[Hashable, ...]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A span of the reply. `start:end` tile the reply; `body_start:body_end` is what is read and replaced.

    The body leaves out white space around it and the list marker, heading mark, quote mark or table bar before it.
    `kind`: prose, heading, item, row, code or blank. `lead` is the index of the sentence that introduces this one
    (the line before a list, the heading over it, a table's head), or -1. `depth` is the nesting of a list item.
    """

    start: int
    end: int
    body_start: int
    body_end: int
    kind: str
    lead: int = -1
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a sentence about one call (or about none: `tool` and `call` are None)."""

    start: int
    end: int
    tool: str | None
    claim: Claim | None
    call: Call | None = None
    values: tuple[Value, ...] = ()
    rule: str = ""
    true: bool = True
    why: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class LinkedClause:
    """A clause between linker and checker: `calls` are all the calls that it speaks of (recorded order).

    `asserted` is false for questions, offers and conditions. `under_done` is true for a detail line that stands
    under a lead-in which says done.
    """

    start: int
    end: int
    sentence: int
    claim: Claim | None
    tool: Tool | None
    calls: tuple[Call, ...] = ()
    values: tuple[Value, ...] = ()
    asserted: bool = True
    under_done: bool = False
    rule: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put `text` where `start:end` of the reply stood. `kind`: replace, remove, append, tidy, mask …"""

    start: int
    end: int
    text: str
    kind: str = "replace"
    call: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Something noteworthy that was kept: an unsupported value, a promise, an untooled claim, a rule's finding."""

    start: int
    end: int
    kind: str
    rule: str
    why: str = ""
    call: str = ""
