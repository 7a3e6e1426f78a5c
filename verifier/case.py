"""What a value is judged against: the clause, its calls, their linked records and the session."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.facts import Index
from verifier.matching import matches
from verifier.model import LinkedClause, Outcome, Value
from verifier.records import CallFacts, Fact
from verifier.values.lexicon import Lexicon, fold

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.ledger import Ledger

SUPPORTED, REPORTED, REPLACED = "supported", "reported", "replaced"
_MARKS = "\"'“”‘’*_`#.,;:!?()[]{}…"
MAX_NEAR = 60  # values on each side of a value that are looked at with it: more than any reply to a person holds
MAX_LINKED = 64  # linked records looked at, the latest first: an account's id ties a whole session together


@dataclass(frozen=True, slots=True)
class ValueCheck:
    """What was decided about a value: it is supported, reported or replaced; `pointer` is the place in the call."""

    value: Value
    verdict: str
    rule: str
    call: Call | None = None
    pointer: str = ""
    why: str = ""


@dataclass(slots=True)
class Case:
    """A clause with all that may support its values. `strict` clauses are held to the calls they name."""

    clause: LinkedClause
    reply: str
    ledger: Ledger
    index: Index
    lexicon: Lexicon
    stated: tuple[Value, ...]
    strict: bool
    _held: tuple[CallFacts, ...] | None = field(default=None)
    _linked: tuple[CallFacts, ...] | None = field(default=None)
    _siblings: tuple[CallFacts, ...] | None = field(default=None)
    _folded: str | None = field(default=None)
    _words: frozenset[str] | None = field(default=None)

    @property
    def held(self) -> tuple[CallFacts, ...]:
        """The facts of the clause's calls."""
        if self._held is None:
            self._held = tuple(self.index.facts(call) for call in self.clause.calls)
        return self._held

    @property
    def linked(self) -> tuple[CallFacts, ...]:
        """The facts of the records that share an identifier with one of the clause's calls."""
        if self._linked is None:
            own = {call.id for call in self.clause.calls}
            found = {other.id: other for call in self.clause.calls for other in self.index.linked(call)}
            found.update((call.id, call) for call in self.index.calculations())
            records = [call for call in found.values() if call.id not in own and call.outcome is not Outcome.REFUSED]
            self._linked = tuple(self.index.facts(call) for call in records[-MAX_LINKED:])
        return self._linked

    @property
    def siblings(self) -> tuple[CallFacts, ...]:
        """Other calls that the sentence may speak of as well: those whose identifiers stand on its line, and, where
        it names none of its own calls, those of the same tool in the same turns.

        `A reminder for 9/15 and one for 9/17` may be linked to one of the two calls only.
        """
        if self._siblings is None:
            own = {call.id for call in self.clause.calls}
            found = [call for call in (*self._named_on_line(), *self._of_same_tool())
                     if call.id not in own and call.outcome in (Outcome.DONE, Outcome.UNDONE)]
            self._siblings = tuple(self.index.facts(call) for call in found[-MAX_LINKED:])
        return self._siblings

    def near(self, value: Value) -> tuple[Value, ...]:
        """The values of the reply around one of them, in their order: all of them in a reply of usual length."""
        if len(self.stated) <= 2 * MAX_NEAR:
            return self.stated
        at = bisect_left(self.stated, value.start, key=lambda other: other.start)
        return self.stated[max(at - MAX_NEAR, 0) : at + MAX_NEAR]

    def on_line(self) -> list[Value]:
        """The values of the reply that stand on the clause's line."""
        low = self.reply.rfind("\n", 0, self.clause.start) + 1
        high = self.reply.find("\n", self.clause.end)
        first = bisect_left(self.stated, low, key=lambda value: value.start)
        last = len(self.stated) if high < 0 else bisect_left(self.stated, high, key=lambda value: value.start)
        return list(self.stated[first : min(last, first + 2 * MAX_NEAR)])

    def _named_on_line(self) -> Iterator[Call]:
        """The writes that received an identifier which the line states and the clause's calls do not hold."""
        for value in self.on_line():
            if value.kind != "identifier" or any(next(matches(value, held), None) for held in self.held):
                continue
            for call in self.index.holders(value):
                tool = self.ledger.tool(call.tool)
                fact = self.index.call_has(call, value)
                if tool is not None and tool.write and fact is not None and not fact.in_result:
                    yield call

    def _of_same_tool(self) -> Iterator[Call]:
        named = [value for value in self.clause.values if value.kind in ("identifier", "email", "phone")]
        if self.clause.tool and not any(next(matches(value, held), None) for value in named for held in self.held):
            turns = {call.turn for call in self.clause.calls}
            yield from (call for call in self.ledger.calls_of(self.clause.tool.name) if call.turn in turns)

    @property
    def text(self) -> str:
        """The clause as written."""
        return self.reply[self.clause.start : self.clause.end]

    @property
    def folded(self) -> str:
        """The clause in lower case without accents."""
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    @property
    def words(self) -> frozenset[str]:
        """The folded words of the clause, without the marks around them."""
        if self._words is None:
            self._words = frozenset(word.strip(_MARKS) for word in self.folded.split())
        return self._words

    def in_session(self, value: Value) -> tuple[Call, Fact] | None:
        """A call and its fact that the value states, from the whole session."""
        return self.index.session_find(value)

    def was_said(self, value: Value) -> bool:
        """Whether the person said it, or the context (a policy) holds it."""
        return self.index.session.said(value)


def supported(value: Value, rule: str, held: CallFacts | None = None, fact: Fact | None = None) -> ValueCheck:
    """A value that stands, with the place that holds it."""
    return ValueCheck(value, SUPPORTED, rule, held.call if held else None, fact.pointer if fact else "")


def supported_by(value: Value, rule: str, call: Call | None, pointer: str = "") -> ValueCheck:
    """A value that stands because of a call."""
    return ValueCheck(value, SUPPORTED, rule, call, pointer)


def replaced(value: Value, rule: str, why: str, held: CallFacts | None = None, fact: Fact | None = None) -> ValueCheck:
    """A value that contradicts what is recorded."""
    return ValueCheck(value, REPLACED, rule, held.call if held else None, fact.pointer if fact else "", why)


def reported(value: Value, rule: str, why: str) -> ValueCheck:
    """A value that nothing supports and nothing contradicts."""
    return ValueCheck(value, REPORTED, rule, None, "", why)


def shown(fact: Fact) -> str:
    """A fact for an explanation, short."""
    return f"{fact.key or 'the text'} is {str(fact.raw)[:60]}"
