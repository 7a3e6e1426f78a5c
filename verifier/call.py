"""One attempt to call a tool, as a record that nobody can change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from verifier.data import did_you_mean
from verifier.frozen import FrozenDict, freeze
from verifier.model import Outcome
from verifier.tool import LedgerError

SOURCES = ("executed", "history")


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt to call a tool. A retry is a second call.

    `turn` 0 means the ledger's current one when it is added, `id` "" one that the ledger makes up (`call-3`).
    `source="history"` marks a call read from a conversation, whose arguments a person may have edited since;
    `requested_arguments` are the model's where others ran. `at` is when it ran. `result` keeps JSON values only.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=FrozenDict, hash=False)
    outcome: Outcome = Outcome.UNKNOWN
    result: Any = field(default=None, hash=False)
    reason: str = ""
    turn: int = 0
    id: str = ""
    agent: str = ""
    at: date | datetime | None = None
    source: str = "executed"
    requested_arguments: Mapping[str, Any] | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        """Check the fields and keep copies that cannot change. Raises `LedgerError` with the field's place."""
        put = object.__setattr__
        put(self, "outcome", as_outcome(self.outcome))
        put(self, "arguments", _arguments(self.arguments, "/arguments"))
        put(self, "result", _frozen(self.result, "/result"))
        put(self, "at", as_moment(self.at, "/at"))
        if self.requested_arguments is not None:
            put(self, "requested_arguments", _arguments(self.requested_arguments, "/requested_arguments"))
        for key in ("tool", "reason", "id", "agent"):
            if not isinstance(getattr(self, key), str):
                raise LedgerError(f"/{key}: must be a text, not {getattr(self, key)!r:.80}")
        if not self.tool:
            raise LedgerError("/tool: a call needs the name of its tool")
        if type(self.turn) is not int or self.turn < 0:
            raise LedgerError(f"/turn: must be a number from 1, not {self.turn!r:.80}")
        if self.source not in SOURCES:
            raise LedgerError(
                f"/source: cannot be {self.source!r:.80}; {did_you_mean(str(self.source), SOURCES, 'allowed')}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The call as JSON; fields that hold their default are left out."""
        found: dict[str, Any] = {"tool": self.tool, "arguments": self.arguments, "outcome": self.outcome.value}
        if self.result is not None:
            found["result"] = self.result
        if self.reason:
            found["reason"] = self.reason
        found["turn"] = self.turn
        found["id"] = self.id
        if self.agent:
            found["agent"] = self.agent
        if self.at is not None:
            found["at"] = self.at.isoformat()
        if self.source != "executed":
            found["source"] = self.source
        if self.requested_arguments is not None:
            found["requested_arguments"] = self.requested_arguments
        return found


def as_outcome(value: object) -> Outcome:
    """An outcome, also from its text. Raises `LedgerError` with the nearest one."""
    try:
        return Outcome(value)  # type: ignore[arg-type]
    except ValueError:
        hint = did_you_mean(str(value), tuple(Outcome), "outcomes")
        raise LedgerError(f"/outcome: {value!r:.80} is not an outcome; {hint}") from None


def _arguments(value: object, place: str) -> FrozenDict:
    if not isinstance(value, Mapping):
        raise LedgerError(f"{place}: must be a mapping of names to values, not {value!r:.80}")
    found: FrozenDict = _frozen(value, place)
    return found


def _frozen(value: object, place: str) -> Any:
    try:
        return freeze(value)
    except ValueError as error:
        raise LedgerError(f"{place}: {error}") from None


def as_moment(value: object, place: str) -> date | datetime | None:
    """A date or datetime, also from an ISO text; None stays None. Raises `LedgerError`."""
    if value is None or isinstance(value, date):
        return value
    try:
        if not isinstance(value, str):
            raise ValueError
        return date.fromisoformat(value) if len(value) == len("2025-01-31") else datetime.fromisoformat(value)
    except ValueError:
        raise LedgerError(f"{place}: must be a date or time like 2025-01-31T14:30:00, not {value!r:.80}") from None
