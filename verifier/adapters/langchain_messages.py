"""Messages of LangChain and LangGraph as a ledger; no framework is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from verifier.conversation import Conversation, text_of
from verifier.ledger import Ledger
from verifier.model import Outcome

MARK = "verifier"  # the key of a tool message's `additional_kwargs` under which stands what ran


def ledger_from_messages(
    messages: Iterable[Any],
    tools: Iterable[object] = (),
    *,
    interrupts: Iterable[Any] = (),
    now: date | datetime | None = None,
) -> Ledger:
    """The ledger of a state's messages. `interrupts` are those that a run stopped at: their calls wait for a person.

    Calls that `VerifyReplies` or `recorded` saw are `executed`, with the arguments that ran; others are history.
    """
    conversation = Conversation(tools, now=now)
    for message in messages:
        _READ.get(message.type, _other)(conversation, message)
    for request in _requests(interrupts):
        _wait(conversation, request)
    conversation.flush()
    return conversation.ledger


def _human(conversation: Conversation, message: Any) -> None:
    conversation.heard(text_of(message.content))


def _system(conversation: Conversation, message: Any) -> None:
    conversation.context(text_of(message.content))


def _ai(conversation: Conversation, message: Any) -> None:
    text = text_of(message.content)
    if text and not message.tool_calls:
        conversation.flush()
    conversation.said(text)
    for call in message.tool_calls:
        conversation.called(call["name"], call["args"], call["id"] or "")
    for call in message.invalid_tool_calls:
        id, error = call["id"] or "", str(call.get("error") or "the arguments are no JSON")
        conversation.called(str(call["name"]), call["args"], id)
        conversation.returned(id, None, error=error)


def _tool(conversation: Conversation, message: Any) -> None:
    more = message.additional_kwargs
    seen = more.get(MARK) or {}
    asked = more.get("lc_source") == "hitl_interrupt_decision" and (more.get("lc_data") or {}).get("decision")
    rejected = Outcome.REFUSED if asked == "reject" else None
    failed = message.status == "error"
    conversation.returned(
        message.tool_call_id,
        message.content,
        error=(message.text if rejected else True) if failed else None,
        name=message.name or "",
        ran=seen.get("arguments"),
        source="executed" if seen else "history",
        outcome=rejected,
    )


def _other(conversation: Conversation, message: Any) -> None:
    """Messages of other kinds (a removal) tell of no call."""


_READ: dict[str, Callable[[Conversation, Any], None]] = {
    "human": _human, "system": _system, "ai": _ai, "tool": _tool, "developer": _system,
}  # fmt: skip


def _requests(interrupts: Iterable[Any]) -> Iterable[Mapping[str, Any]]:
    """What interrupts of the human-in-the-loop middleware ask a person to approve."""
    for interrupt in interrupts:
        value = getattr(interrupt, "value", interrupt)
        if isinstance(value, Mapping):
            requests = value.get("action_requests")
            yield from requests if isinstance(requests, list) else [value] if "name" in value else []


def _wait(conversation: Conversation, request: Mapping[str, Any]) -> None:
    name, arguments = str(request.get("name")), request.get("args") or {}
    id = conversation.open_call(name, arguments, str(request.get("tool_call_id") or ""))
    conversation.withdraw(id)
    conversation.waits(name, arguments, id)
