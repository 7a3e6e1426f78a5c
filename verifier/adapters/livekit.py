"""LiveKit: an agent whose words are verified before they are spoken, transcribed and kept.

Written for livekit-agents 1.8. A sentence is spoken as soon as nothing can change it any more. Raise `llm.ToolError` in
a tool so that its result is flagged; other exceptions are flagged too, with a text that hides the cause.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from datetime import date, datetime
from typing import Any

from livekit.agents import Agent

from verifier.conversation import Conversation
from verifier.guard import Guard
from verifier.ledger import Ledger


def ledger_from_context(
    items: Iterable[Any], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of the items of a chat context (`chat_ctx.items`, `session.history.items`)."""
    conversation = Conversation(tools, now=now)
    for item in items:
        _read(conversation, item)
    conversation.flush()
    return conversation.ledger


def _read(conversation: Conversation, item: Any) -> None:
    if item.type == "message":
        text = item.text_content or ""
        if item.role == "user":
            conversation.heard(text)
        elif item.role in ("system", "developer"):
            conversation.context(text)
        elif text:
            conversation.flush_calls()
            conversation.said(text)
    elif item.type == "function_call":
        conversation.called(item.name, item.arguments, item.call_id)
    elif item.type == "function_call_output":
        conversation.returned(item.call_id, item.output, error=item.is_error or None, name=item.name)


class VerifiedAgent(Agent):
    """Derive your agent from it instead of `Agent`. `guard` has the verifier, the tools and the policy for errors."""

    def __init__(self, *, guard: Guard | None = None, **more: Any) -> None:
        """The arguments of `Agent`, and a guard."""
        super().__init__(**more)
        self.guard = guard or Guard()

    async def llm_node(self, chat_ctx: Any, tools: Any, model_settings: Any) -> AsyncIterator[Any]:
        """What the model says, verified; its calls and usage pass."""
        held = self.guard.held(lambda: ledger_from_context(chat_ctx.items, self.guard.tools))
        calls = False
        async for chunk in Agent.default.llm_node(self, chat_ctx, tools, model_settings):
            delta = getattr(chunk, "delta", None)
            text = chunk if isinstance(chunk, str) else delta.content if delta else None
            calls = calls or bool(delta and delta.tool_calls)
            if text and (ready := held.feed(text)):
                yield ready
            if delta is not None and text:
                chunk = chunk.model_copy(update={"delta": delta.model_copy(update={"content": None})})
            if not isinstance(chunk, str):
                yield chunk
        if rest := held.close(final=not calls):
            yield rest
