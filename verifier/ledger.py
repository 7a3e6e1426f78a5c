"""What an agent did: the tools it could call and, in order, every call it tried. Nothing is ever taken back.

ledger = Ledger(tools=[Tool("refund_card", write=True)])
ledger.record("refund_card", {"order_id": "4412", "amount": 12.50}, outcome="done")
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Literal

from verifier.call import Call, as_moment, as_outcome
from verifier.data import did_you_mean
from verifier.frozen import FrozenDict
from verifier.model import Outcome
from verifier.tool import LedgerError, Tool

__all__ = ["Call", "Event", "Ledger", "LedgerError", "Tool"]

# What a settlement may turn an outcome into. Anything else would rewrite what is already known.
SETTLES: dict[Outcome, frozenset[Outcome]] = {
    Outcome.PENDING_CONFIRMATION: frozenset(Outcome) - {Outcome.PENDING_CONFIRMATION},
    Outcome.UNKNOWN: frozenset(Outcome),  # also unknown again, with the answer that told no more
    Outcome.DONE: frozenset({Outcome.UNDONE}),
}


READ_AT_ONCE = frozenset({"call", "settle", "heard", "context"})  # events whose values a verdict looks for
READERS: list[Callable[[Ledger], None]] = []  # read them when they are recorded; an index that is loaded adds itself
Kind = Literal["tool", "call", "settle", "turn", "heard", "reply", "context", "now"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a ledger; `Ledger.events` are all of them, in order, and rebuild it.

    `value` is the `Tool`, the `Call` (as recorded, or as settled), the turn's number, the text or the moment.
    """

    kind: Kind
    value: Any
    turn: int


class Ledger:
    """The tools an agent could call and, in order, every call it tried; append-only.

    Where tools are given, a call of any other is an error; where none are, it adds its tool. `version` counts the
    events, so that an index beside the ledger (kept in `cache`) knows from where to go on.
    """

    def __init__(self, tools: Iterable[Tool] = (), *, now: date | datetime | None = None) -> None:
        """Start in turn 1. `now` is what "tomorrow" is measured from. Raises `LedgerError` for a tool given twice."""
        self._events: list[Event] = []
        self._tools: dict[str, Tool] = {}
        self._calls: list[Call] = []
        self._place: dict[str, int] = {}  # id of a call -> its place in _calls
        self._of_tool: dict[str, list[int]] = {}
        self._in_turn: dict[int, list[int]] = {}
        self._views: dict[str | int | None, tuple[Call, ...]] = {}  # built when asked for, dropped when outdated
        self._heard: list[tuple[int, str]] = []
        self._replies: list[tuple[int, str]] = []
        self._contexts: list[str] = []
        self._turn = 1
        self._now: date | datetime | None = None
        self.cache: dict[str, Any] = {}
        self.closed = False
        for tool in tools:
            self.add_tool(tool)
        self.closed = bool(self._tools)
        if now is not None:
            self.now = now

    def __repr__(self) -> str:
        return f"<Ledger: {len(self._tools)} tools, {len(self._calls)} calls, turn {self._turn}>"

    # What happened, in order ------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """How many events there have been."""
        return len(self._events)

    def events(self, since: int = 0) -> Iterator[Event]:
        """The events after the first `since`, in order."""
        for at in range(since, len(self._events)):
            yield self._events[at]

    def _note(self, kind: Kind, value: object) -> None:
        self._events.append(Event(kind, value, self._turn))
        if kind in READ_AT_ONCE:
            for read in READERS:
                read(self)

    # Tools ------------------------------------------------------------------------------------------------------

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, in the order in which they were given or first called."""
        return tuple(self._tools.values())

    def tool(self, name: str) -> Tool | None:
        """The tool of this name, if the ledger lists it."""
        return self._tools.get(name)

    def add_tool(self, tool: Tool) -> None:
        """List one more tool. Raises `LedgerError` where one of its name is listed."""
        if not isinstance(tool, Tool):
            raise LedgerError(f": must be a Tool, not {tool!r:.80}; see Tool.from_spec")
        if tool.name in self._tools:
            raise LedgerError(f"/name: the tool '{tool.name}' is listed twice")
        self._tools[tool.name] = tool
        self._note("tool", tool)

    # Calls ------------------------------------------------------------------------------------------------------

    def record(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        outcome: Outcome | str,
        result: object = None,
        reason: str = "",
        id: str = "",
        agent: str = "",
        at: date | datetime | str | None = None,
        source: str = "executed",
        requested_arguments: Mapping[str, Any] | None = None,
    ) -> Call:
        """Add a call to the current turn; gives it with its turn and id. Raises `LedgerError`."""
        when = as_moment(at, "/at")
        given = FrozenDict() if arguments is None else arguments
        made = id or self._new_id()
        kind = as_outcome(outcome)
        call = Call(tool, given, kind, result, reason, self._turn, made, agent, when, source, requested_arguments)
        self._append(call)
        return call

    def add(self, call: Call) -> Call:
        """Add a call made elsewhere; one of a later turn opens that turn, one of an earlier turn is an error."""
        if not isinstance(call, Call):
            raise LedgerError(f": must be a Call, not {call!r:.80}")
        if call.turn and call.turn < self._turn:
            raise LedgerError(
                f"/turn: cannot be {call.turn}: the ledger is in turn {self._turn}, and turns do not go back"
            )
        if call.turn == 0 or not call.id:
            call = replace(call, turn=call.turn or self._turn, id=call.id or self._new_id())
        self._check(call)
        while self._turn < call.turn:
            self.begin_turn()
        self._append(call)
        return call

    def _new_id(self) -> str:
        number = len(self._calls) + 1
        made = f"call-{number}"
        while made in self._place:
            number += 1
            made = f"call-{number}"
        return made

    def _check(self, call: Call) -> None:
        if self.closed and call.tool not in self._tools:
            hint = did_you_mean(call.tool, self._tools, "tools")
            raise LedgerError(f"/tool: the ledger lists no tool '{call.tool}'; {hint}")
        if call.id in self._place:
            raise LedgerError(f"/id: there is a call '{call.id}' already; a retry is a call of its own")

    def _append(self, call: Call) -> None:
        self._check(call)
        if call.tool not in self._tools:
            self.add_tool(Tool(call.tool))
        place = len(self._calls)
        self._calls.append(call)
        self._place[call.id] = place
        self._of_tool.setdefault(call.tool, []).append(place)
        self._in_turn.setdefault(call.turn, []).append(place)
        self._outdate(call)
        self._note("call", call)

    def settle(
        self,
        call_id: str,
        outcome: Outcome | str,
        result: object = None,
        reason: str = "",
        *,
        arguments: Mapping[str, Any] | None = None,
    ) -> Call:
        """Record what became of a pending or unknown call, or that a done one was rolled back (`undone`).

        The call then belongs to the current turn and counts once. `result=None` keeps what was returned before;
        `arguments` are those that ran where the person changed them. Raises `LedgerError`.
        """
        place = self._place.get(call_id)
        if place is None:
            raise LedgerError(f"/id: there is no call '{call_id}'; {did_you_mean(call_id, self._place, 'calls')}")
        old = self._calls[place]
        wanted = as_outcome(outcome)
        allowed = SETTLES.get(old.outcome, frozenset())
        if wanted not in allowed:
            can = ", ".join(sorted(allowed)) or "nothing: it is settled"
            raise LedgerError(f"/outcome: the call '{call_id}' is {old.outcome} and can become {can}; not {wanted}")
        new = replace(
            old, outcome=wanted, reason=reason, turn=self._turn, result=old.result if result is None else result
        )
        if arguments is not None:
            new = replace(new, arguments=arguments, requested_arguments=old.requested_arguments or old.arguments)
        self._calls[place] = new
        if new.turn != old.turn:
            self._in_turn[old.turn].remove(place)
            insort(self._in_turn.setdefault(new.turn, []), place)
        self._outdate(old)
        self._outdate(new)
        self._note("settle", new)
        return new

    def _outdate(self, call: Call) -> None:
        for key in (None, call.tool, call.turn):
            self._views.pop(key, None)

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call once, in its latest state, in the order in which they were recorded."""
        found = self._views.get(None)
        if found is None:
            found = self._views[None] = tuple(self._calls)
        return found

    def call(self, call_id: str) -> Call | None:
        """The call of this id, in its latest state."""
        place = self._place.get(call_id)
        return None if place is None else self._calls[place]

    def calls_of(self, tool: str) -> tuple[Call, ...]:
        """The calls of one tool, as in `calls`."""
        return self._view(tool, self._of_tool.get(tool, []))

    @property
    def tools_called(self) -> tuple[str, ...]:
        """The names of the tools that were called, the earliest first."""
        return tuple(self._of_tool)

    def calls_in(self, turn: int) -> tuple[Call, ...]:
        """The calls of one turn (that of their latest event), as in `calls`."""
        return self._view(turn, self._in_turn.get(turn, []))

    def _view(self, key: str | int, places: list[int]) -> tuple[Call, ...]:
        found = self._views.get(key)
        if found is None:
            found = tuple([self._calls[place] for place in places])
            if found:
                self._views[key] = found
        return found

    # What was said ----------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The number of the current turn, from 1."""
        return self._turn

    def begin_turn(self, text: str = "") -> int:
        """Open the next turn, with what the person said in it; gives its number."""
        self._turn += 1
        self._note("turn", self._turn)
        if text:
            self.hear(text)
        return self._turn

    def hear(self, text: str) -> None:
        """Keep what the person said in the current turn."""
        self._heard.append((self._turn, _said(text)))
        self._note("heard", text)

    def replied(self, text: str) -> None:
        """Keep an earlier message of the agent in the current turn."""
        self._replies.append((self._turn, _said(text)))
        self._note("reply", text)

    def context(self, text: str) -> None:
        """Add what else is known to be true: a policy, the system prompt."""
        self._contexts.append(_said(text))
        self._note("context", text)

    @property
    def heard(self) -> tuple[tuple[int, str], ...]:
        """What the person said, each with its turn."""
        return tuple(self._heard)

    @property
    def replies(self) -> tuple[tuple[int, str], ...]:
        """What the agent said before, each with its turn."""
        return tuple(self._replies)

    @property
    def contexts(self) -> tuple[str, ...]:
        """What else is known to be true."""
        return tuple(self._contexts)

    @property
    def now(self) -> date | datetime | None:
        """What "tomorrow" is measured from; None where nobody said it (there is no clock here)."""
        return self._now

    @now.setter
    def now(self, value: date | datetime | str | None) -> None:
        self._now = as_moment(value, "/now")
        self._note("now", self._now)

    # JSON -------------------------------------------------------------------------------------------------------

    @classmethod
    def from_json(cls, source: str | bytes | Mapping[str, Any]) -> Ledger:
        """A ledger from its JSON document or its JSON Lines. Raises `LedgerError` naming every wrong place."""
        from verifier.stored import read

        return read(source, cls)

    def to_json(self) -> str:
        """The ledger as one JSON document (verifier/ledger.schema.json); the same ledger gives the same text."""
        from verifier.stored import document, dump

        return dump(document(self))

    def to_json_lines(self, since: int = 0) -> str:
        """The events after the first `since` as JSON Lines, one a line: what a stream or an append-only file keeps."""
        from verifier.stored import dump, header, line

        first = () if since else (header(self),)
        return "".join(f"{dump(entry)}\n" for entry in (*first, *map(line, self.events(since))))


def _said(text: object) -> str:
    if not isinstance(text, str):
        raise LedgerError(f": must be a text, not {text!r:.80}")
    return text
