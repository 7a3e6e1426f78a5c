"""MCP: a `CallToolResult` as an outcome and a call, and a stored traffic of JSON-RPC messages as a ledger.

A result may be the SDK's model or the mapping that goes over the wire. Nothing of the SDK is imported.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from verifier.conversation import Conversation, as_result
from verifier.ledger import Call, Ledger, LedgerError, Tool
from verifier.model import Outcome
from verifier.outcomes import outcome_of, reason_of
from verifier.recording import note

WAITS = "input_required"  # the result type of a call that needs something of the person first
RETRIES = ("requestState", "inputResponses")  # parameters of the request that goes on with such a call


def outcome_of_result(
    result: object,
    *,
    tool: Tool | str | None = None,
    arguments: object = None,
    seen: Container[str] = (),
) -> Outcome:
    """What became of a call, by its `CallToolResult`. Raises `LedgerError` where it is none."""
    back = _fields(result)
    if back.get("resultType", back.get("result_type")) == WAITS:
        return Outcome.PENDING_CONFIRMATION
    held = content_of(back)
    came = {} if held is None else held  # it came, and holds nothing
    return outcome_of(came, error=_flag(back), tool=tool, arguments=arguments, seen=seen)


def call_of(tool: str, arguments: Mapping[str, Any] | None, result: object, *, id: str = "") -> Call:
    """A call by what was asked for and its `CallToolResult` (None: none came), for `Ledger.add`."""
    given = arguments or {}
    if result is None:
        return Call(tool, given, Outcome.UNKNOWN, id=id, source="history")
    back = _fields(result)
    outcome = outcome_of_result(back, tool=tool, arguments=given)
    reason = reason_of(content_of(back), outcome, error=_flag(back))
    return Call(tool, given, outcome, content_of(back), reason, id=id, source="history")


async def call_tool(
    call: Callable[..., Awaitable[object]],
    ledger: Ledger,
    name: str,
    arguments: Mapping[str, Any] | None = None,
    **options: Any,
) -> Any:
    """Call a tool through `session.call_tool` (or a client's), recording in the ledger what became of it.

    An exception is recorded and goes on to the caller; a lost connection leaves the outcome unknown.
    """
    given = dict(arguments or {})
    try:
        result = await call(name, given, **options)
    except BaseException as error:
        note(ledger, name, given, error=error)
        raise
    back = _fields(result)
    waits = outcome_of_result(back, tool=name) is Outcome.PENDING_CONFIRMATION
    outcome = Outcome.PENDING_CONFIRMATION if waits else None
    note(ledger, name, given, result=content_of(back), error=_flag(back), outcome=outcome)
    return result


def ledger_from_traffic(
    messages: Iterable[object], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of JSON-RPC messages between a client and its servers, in order.

    `tools/call` requests are the calls; answers of `tools/list` add what is known of the tools. Other messages are
    passed over. Raises `LedgerError` with the place of a message that is none.
    """
    traffic = _Traffic(Conversation(tools, now=now))
    for index, message in enumerate(messages):
        traffic.add(_fields(message, f"/messages/{index}"), index)
    traffic.conversation.flush()
    return traffic.conversation.ledger


class _Traffic:
    """Requests that still wait for their answers."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.waiting: dict[tuple[str, str], str] = {}  # tool and arguments of a call that needs input -> its id
        self.asked: dict[str, tuple[str, Mapping[str, Any], str]] = {}  # id -> tool, arguments, id it goes on with

    def add(self, message: Mapping[str, Any], index: int) -> None:
        """One message: a request, an answer or a notification."""
        id = str(message.get("id", ""))
        if message.get("method") == "tools/call":
            self._request(id, message.get("params"), index)
        elif "method" not in message and ("result" in message or "error" in message):
            self._answer(id, message)

    def _request(self, id: str, params: object, index: int) -> None:
        name = params.get("name") if isinstance(params, Mapping) else None
        if not isinstance(params, Mapping) or not isinstance(name, str) or not name:
            raise LedgerError(f"/messages/{index}/params: a call needs a tool's name")
        given = params.get("arguments")
        arguments: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        goes_on = ""
        if any(key in params for key in RETRIES):
            goes_on = self.waiting.pop((name, repr(arguments)), "")
        self.asked[id] = (name, arguments, goes_on)
        if not goes_on:
            self.conversation.called(name, arguments, id)

    def _answer(self, id: str, message: Mapping[str, Any]) -> None:
        back = message.get("result")
        fields = back if isinstance(back, Mapping) else {}
        if isinstance(fields.get("tools"), list):
            self._list(fields["tools"])
            return
        asked = self.asked.pop(id, None)
        if asked is None and "error" not in message and "content" not in fields and "structuredContent" not in fields:
            return  # the answer of another request than a call
        error = message.get("error")
        said = str(error.get("message") or "error") if isinstance(error, Mapping) else error or _flag(fields)
        if asked is not None and fields.get("resultType") == WAITS:
            self._waits(id, *asked)
        elif asked is not None and asked[2]:
            self.conversation.answered(asked[2], content_of(fields), error=said)
        elif asked is not None or "error" not in message:
            self.conversation.returned(id, content_of(fields), error=said)

    def _waits(self, id: str, name: str, arguments: Mapping[str, Any], goes_on: str) -> None:
        if not goes_on:
            self.conversation.withdraw(id)
            goes_on = self.conversation.waits(name, arguments, id)
        self.waiting[name, repr(arguments)] = goes_on

    def _list(self, specs: list[object]) -> None:
        for spec in specs:
            tool = Tool.from_spec(spec)
            if self.conversation.ledger.tool(tool.name) is None:
                self.conversation.ledger.add_tool(tool)


def content_of(result: object) -> Any:
    """What a `CallToolResult` holds: its structured content, else the texts of its content and the JSON in them."""
    back = _fields(result)
    structured = back.get("structuredContent", back.get("structured_content"))
    if structured is not None:
        return structured
    content = back.get("content")
    return as_result(list(content)) if content else None


def _flag(back: Mapping[str, Any]) -> bool | None:
    return True if back.get("isError") is True or back.get("is_error") is True else None


def _fields(value: object, place: str = "") -> Mapping[str, Any]:
    """A message or result as a mapping with the names of the wire."""
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "model_dump") and not isinstance(value, type):
        found: Mapping[str, Any] = value.model_dump(by_alias=True, exclude_none=True)
        return found
    raise LedgerError(f"{place}: a message or result of MCP is a mapping, not {type(value).__name__}")
