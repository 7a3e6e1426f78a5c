"""Haystack: a hook of its `Agent` that verifies the reply before the run returns it.

Written for haystack-ai 3.4. A `streaming_callback` is called inside the generator and shows the model's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

from haystack.components.agents.state import State
from haystack.dataclasses import ChatMessage
from haystack.hooks import hook

from verifier.conversation import Conversation
from verifier.guard import Guard
from verifier.ledger import Ledger
from verifier.model import Outcome

REJECTED = "rejected by the user"  # ConfirmationHook's answer to the model; there is no other sign of it


def ledger_from_messages(
    messages: Iterable[Any], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of an agent's messages; a result names the call as it ran."""
    conversation = Conversation(tools, now=now)
    for message in messages:
        _read(conversation, message)
    conversation.flush()
    return conversation.ledger


def _read(conversation: Conversation, message: Any) -> None:
    text = "\n".join(message.texts)
    if message.is_from("user"):
        conversation.heard(text)
    elif message.is_from("system"):
        conversation.context(text)
    elif message.is_from("assistant"):
        if text and not message.tool_calls:
            conversation.flush()
        conversation.said(text)
    for call in message.tool_calls:
        conversation.called(call.tool_name, call.arguments, call.id or "")
    for back in message.tool_call_results:
        rejected = Outcome.REFUSED if back.error and REJECTED in str(back.result) else None
        failed = str(back.result) if back.error else None
        conversation.returned(
            back.origin.id or "",
            back.result,
            error=failed,
            name=back.origin.tool_name,
            ran=back.origin.arguments,
            outcome=rejected,
        )


def verify_reply(guard: Guard | None = None) -> Callable[[State], None]:
    """A hook for `Agent(hooks={"after_run": [verify_reply()]})`."""
    own = guard or Guard()

    @hook
    def verified(state: State) -> None:
        messages = state.data["messages"]
        last = messages[-1] if messages else None
        if last is None or not last.is_from("assistant") or not last.text:
            return
        before = messages[:-1]
        text = own.text(last.text, lambda: ledger_from_messages(before, own.tools), final=not last.tool_calls)
        if text != last.text:
            messages[-1] = ChatMessage.from_assistant(text, meta=last.meta, name=last.name, tool_calls=last.tool_calls)

    found: Any = verified
    return found  # type: ignore[no-any-return]
