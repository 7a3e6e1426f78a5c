"""A ledger from a conversation's history, message by message: what the adapters of the message formats share.

History shows what the model asked for, not what ran, so its calls have `source="history"`. Results are paired with
calls by id and, where ids repeat or are missing, by position.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from verifier.ledger import Ledger, LedgerError, Tool
from verifier.model import Outcome
from verifier.outcomes import outcome_of, parts_of, reason_of
from verifier.returned import content_text, parsed

NO_TOOL = "tool_result"  # the tool of a result whose call is nowhere; it counts as a read
MEDIA = frozenset({"image", "audio", "video", "file", "document", "resource"})  # kinds of content parts
MEDIA_KEYS = ("type", "mimeType", "mime_type", "media_type", "filename", "name")
MAX_ID_CHARS = 64  # a longer text is no id, and "seen before" is asked of ids only


class Reply(NamedTuple):
    """A text of the agent with what happened before it.

    `message` is the place of its message, `carries_calls` whether the same message calls tools (verify it with
    `final=False`).
    `ledger` goes on growing: read it before asking for the next reply.
    """

    message: int
    text: str
    carries_calls: bool
    ledger: Ledger


@dataclass(slots=True)
class _Open:
    """A call that was read and is not in the ledger yet, for its result may follow."""

    tool: str
    arguments: Mapping[str, Any]
    id: str
    agent: str
    answer: tuple[Any, object] | None = None  # the result and the error
    ran: Mapping[str, Any] | None = None  # the arguments that ran, where somebody saw it run
    source: str = "history"
    outcome: Outcome | None = None  # where the format says it


class _Seen:
    """The ids met so far; earlier values are searched only when somebody asks."""

    def __init__(self) -> None:
        self._waiting: list[Any] = []
        self._ids: set[str] = set()

    def add(self, value: Any) -> None:
        self._waiting.append(value)

    def __contains__(self, text: object) -> bool:
        while self._waiting:
            value = self._waiting.pop()
            if isinstance(value, Mapping):
                self._waiting.extend(value.values())
            elif isinstance(value, list | tuple):
                self._waiting.extend(value)
            elif isinstance(value, str | int) and len(str(value)) <= MAX_ID_CHARS:
                self._ids.add(str(value))
        return text in self._ids


class Conversation:
    """Builds a ledger from messages in order; `flush` puts the calls read so far into it."""

    def __init__(self, tools: Iterable[object] = (), *, now: date | datetime | None = None) -> None:
        """`tools` are `Tool`s or specs; tools that are only called are added. Raises `LedgerError`."""
        self.ledger = Ledger(tools=[Tool.from_spec(tool) for tool in tools], now=now)
        self._open: list[_Open] = []
        self._early: list[tuple[str, str, Any, object]] = []  # results whose call has not been read
        self._unanswered: dict[str, list[str]] = {}  # id -> ids in the ledger of calls without a result
        self._seen = _Seen()

    def context(self, text: str) -> None:
        """A system or developer message."""
        if text:
            self.ledger.context(text)

    def heard(self, text: str) -> None:
        """A message of the person; each but the first begins a turn."""
        self.flush()
        if self.ledger.heard:
            self.ledger.begin_turn()
        self.ledger.hear(text)

    def said(self, text: str) -> None:
        """A text of the agent."""
        if text:
            self.ledger.replied(text)

    def called(self, tool: str, arguments: object, id: str = "", agent: str = "") -> None:
        """A call; its result may come later, or have come before."""
        call = _Open(tool, as_arguments(arguments), id, agent)
        for at, (early_id, name, value, error) in enumerate(self._early):
            if early_id == id and name in ("", tool):
                del self._early[at]
                call.answer = (value, error)
                break
        self._open.append(call)

    def returned(
        self,
        id: str,
        value: object,
        *,
        error: object = None,
        name: str = "",
        ran: Mapping[str, Any] | None = None,
        source: str = "history",
        outcome: Outcome | None = None,
    ) -> None:
        """A result: of the first open call of its id, else of its tool where the result has no id.

        `ran` are the arguments that ran, where somebody saw it run; those of the call are then what was requested.
        `outcome` is given where the format says it (a person refused it).
        """
        answer = (as_result(value), error)
        for call in self._open:
            if call.answer is None and (call.id == id if id else name in ("", call.tool)):
                call.answer, call.ran, call.source, call.outcome = answer, ran, source, outcome
                return
        late = self._unanswered.get(id)
        if late:
            self._settle(late.pop(0), *answer, outcome)
        else:
            self._early.append((id, name, *answer))

    def flush_calls(self) -> None:
        """Record the calls read so far; one without a result is unknown until a later result settles it."""
        for call in self._open:
            self._record(call)
        self._open.clear()

    def flush(self) -> None:
        """Record the calls read so far, and results without a call as those of a read."""
        self.flush_calls()
        for id, name, value, error in self._early:
            tool = name or NO_TOOL
            self._know(tool, write=None if name else False)
            self._record(_Open(tool, {}, id, "", (value, error)))
        self._early.clear()

    def open_call(self, tool: str, arguments: Mapping[str, Any], id: str = "") -> str:
        """The id of the call of a tool that waits for its result, by its id or its arguments; else the given id."""
        for call in self._open:
            if call.answer is None and call.tool == tool and (call.id == id if id else call.arguments == arguments):
                return call.id
        return id

    def withdraw(self, id: str) -> None:
        """Forget the last open call of an id: it is told in another way."""
        at = next((at for at in range(len(self._open) - 1, -1, -1) if self._open[at].id == id), None)
        if at is not None:
            del self._open[at]

    def waits(self, tool: str, arguments: object, id: str) -> str:
        """A call that waits for the person's approval; gives its id in the ledger."""
        self.flush_calls()
        self._know(tool)
        given = as_arguments(arguments)
        waiting = Outcome.PENDING_CONFIRMATION
        return self.ledger.record(tool, given, outcome=waiting, id=self._free_id(id), source="history").id

    def settled(self, id: str, outcome: Outcome, *, reason: str = "") -> None:
        """What the format says became of a call that waited."""
        if self.ledger.call(id) is not None:
            self.ledger.settle(id, outcome, reason=reason)

    def answered(self, id: str, value: object, *, error: object = None) -> None:
        """The result of a call that waited."""
        self._settle(id, as_result(value), error)

    def _know(self, name: str, write: bool | None = None) -> Tool:
        tool = self.ledger.tool(name)
        if tool is None:
            tool = Tool(name, write=write)
            self.ledger.add_tool(tool)
        return tool

    def _free_id(self, id: str) -> str:
        made, number = id, 2
        while made and self.ledger.call(made) is not None:
            made, number = f"{id}#{number}", number + 1
        return made

    def _judge(
        self, tool: str, arguments: object, value: Any, error: object, told: Outcome | None = None
    ) -> tuple[Outcome, str]:
        came = {} if value is None and not error else value  # it came, and holds nothing
        outcome = told or outcome_of(came, error=error, tool=self._know(tool), arguments=arguments, seen=self._seen)
        return outcome, reason_of(value, outcome, error=error)

    def _record(self, call: _Open) -> None:
        self._know(call.tool)
        if call.answer is None:
            made = self._put(call, call.arguments, None, Outcome.UNKNOWN, "")
            self._unanswered.setdefault(call.id, []).append(made)
            return
        result, error = call.answer
        given = call.arguments if call.ran is None else call.ran
        outcome, reason = self._judge(call.tool, given, result, error, call.outcome)
        parts = parts_of(given, result) if outcome is Outcome.DONE else ()
        for arguments, part, kind in parts:  # done for some of its things: each has an outcome of its own
            self._put(call, arguments, part, kind, reason_of(part, kind))
        if not parts:
            self._put(call, given, result, outcome, reason)

    def _put(self, call: _Open, arguments: Mapping[str, Any], result: Any, outcome: Outcome, reason: str) -> str:
        edited = call.ran is not None and call.ran != call.arguments
        made = self.ledger.record(
            call.tool, arguments, outcome=outcome, result=result, reason=reason, id=self._free_id(call.id),
            agent=call.agent, source=call.source, requested_arguments=call.arguments if edited else None,
        )  # fmt: skip
        self._seen.add(made.arguments)
        self._seen.add(made.result)
        return made.id

    def _settle(self, ledger_id: str, value: Any, error: object, told: Outcome | None = None) -> None:
        call = self.ledger.call(ledger_id)
        if call is not None:
            outcome, reason = self._judge(call.tool, call.arguments, value, error, told)
            self.ledger.settle(ledger_id, outcome, value, reason)
            self._seen.add(value)


def as_arguments(value: object) -> Mapping[str, Any]:
    """A call's arguments; what is no JSON object (broken JSON, a custom tool's free text) is kept under `input`."""
    found = value
    if isinstance(value, str):
        try:
            found = json.loads(value) if value.strip() else {}
        except (ValueError, RecursionError):
            found = value
    if found is None:
        return {}
    return found if isinstance(found, Mapping) else {"input": value if isinstance(value, str) else found}


def as_result(value: object) -> Any:
    """A result's content: the text of its parts, and what JSON that text holds.

    Of images, audio and files without a text only their kind is kept: no sentence is held to their bytes.
    """
    text = content_text(value)
    if text is not None:
        return parsed(text)
    if (
        isinstance(value, list | tuple)
        and value
        and all(isinstance(part, Mapping) and _is_media(part) for part in value)
    ):
        return [{key: part[key] for key in MEDIA_KEYS if isinstance(part.get(key), str)} for part in value]
    return value


def _is_media(part: Mapping[str, Any]) -> bool:
    return str(part.get("type")).removeprefix("input_").removesuffix("_url") in MEDIA


def as_mapping(message: object, place: str) -> Mapping[str, Any]:
    """A message as a mapping, also from a client's model. Raises `LedgerError` with its place."""
    if isinstance(message, Mapping):
        return message
    if hasattr(message, "model_dump") and not isinstance(message, type):
        found: Mapping[str, Any] = message.model_dump(exclude_none=True)
        return found
    raise LedgerError(f"{place}: a message is a mapping, not {type(message).__name__}")


def text_of(content: object) -> str:
    """The text of a message's content, which is a text, a list of parts or nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    parts = [part if isinstance(part, str) else _part(part) for part in content]
    return "\n".join(part for part in parts if part)


def _part(part: object) -> str:
    if not isinstance(part, Mapping):
        return ""
    found = part.get("text", part.get("refusal"))
    return found if isinstance(found, str) else ""


Feed = Callable[[Conversation, int, Mapping[str, Any]], Iterator[Reply]]


def run(messages: Iterable[object], conversation: Conversation, feed: Feed) -> Iterator[Reply]:
    """Feed each message of a format to a conversation, giving the agent's texts before they are part of it."""
    for index, message in enumerate(messages):
        yield from feed(conversation, index, as_mapping(message, f"/messages/{index}"))
    conversation.flush()
