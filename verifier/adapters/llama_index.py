"""LlamaIndex: a `FunctionAgent` that verifies its reply before memory and the result have it, also in a workflow.

Written for llama-index-core 0.14. Its `AgentStream` events show words when they are verified.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from llama_index.core.agent.workflow import AgentStream, FunctionAgent
from llama_index.core.base.llms.types import TextBlock
from pydantic import PrivateAttr

from verifier.conversation import Conversation
from verifier.guard import Guard, Held
from verifier.ledger import Ledger


def ledger_from_run(
    calls: Iterable[Any],
    history: Iterable[Any] = (),
    tools: Iterable[object] = (),
    *,
    now: date | datetime | None = None,
) -> Ledger:
    """The ledger of a turn's `ToolCallResult` events and of the memory's messages before and in it.

    A tool whose body ran again (it waited for a person) is one call: the last result of an id counts.
    """
    conversation = Conversation(tools, now=now)
    turn = {call.tool_id: call for call in calls}
    for message in history:
        _read(conversation, message, set(turn))
    for call in turn.values():
        output = call.tool_output
        conversation.called(call.tool_name, call.tool_kwargs, call.tool_id)
        raised = getattr(output, "exception", None) or getattr(output, "_exception", None)
        value = output.content if output.raw_output is None or output.is_error else output.raw_output
        error = (raised or output.content) if output.is_error else None
        conversation.returned(call.tool_id, value, error=error, source="executed")
    conversation.flush()
    return conversation.ledger


def _read(conversation: Conversation, message: Any, known: set[str]) -> None:
    role, text = str(getattr(message.role, "value", message.role)), message.content or ""
    blocks = [block for block in message.blocks if getattr(block, "block_type", "") == "tool_call"]
    if role == "user":
        conversation.heard(text)
    elif role in ("system", "developer"):
        conversation.context(text)
    elif role == "assistant":
        conversation.said(text)
        for block in blocks:
            if block.tool_call_id not in known:
                conversation.called(block.tool_name, block.tool_kwargs, block.tool_call_id or "")
    elif role == "tool":
        id = str(message.additional_kwargs.get("tool_call_id") or "")
        if id not in known:
            conversation.returned(id, text)


class VerifiedFunctionAgent(FunctionAgent):
    """A `FunctionAgent` whose replies are verified; `guarded` gives it another guard than the default."""

    _guard: Guard = PrivateAttr(default_factory=Guard)

    def guarded(self, guard: Guard) -> VerifiedFunctionAgent:
        """This agent with a guard: the verifier, the tools with their `write` flags, and the policy for errors."""
        self._guard = guard
        return self

    async def take_step(self, ctx: Any, llm_input: Any, tools: Any, memory: Any) -> Any:
        """Verify what the model answers, before events, memory and the result have it."""
        calls = await ctx.store.get("current_tool_calls", default=[])
        history = await memory.aget()

        def ledger() -> Ledger:
            return ledger_from_run(calls, history, self._guard.tools)

        stream = _HeldStream(ctx, self._guard.held(ledger))
        output = await super().take_step(stream, llm_input, tools, memory)
        words, final = output.response.content or "", not output.tool_calls
        streamed = stream.close(final)
        text = self._guard.text(words, ledger, final=final) if streamed is None else streamed
        if text != words:
            said = await ctx.store.get(self.scratchpad_key, default=[])
            for message in [output.response, *said[-1:]]:
                message.blocks = [TextBlock(text=text), *(one for one in message.blocks if one.block_type != "text")]
            await ctx.store.set(self.scratchpad_key, said)
        return output


class _HeldStream:
    """The context of a step, whose `AgentStream` events show verified words only."""

    def __init__(self, ctx: Any, held: Held) -> None:
        self._ctx, self._held = ctx, held
        self._last: AgentStream | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ctx, name)

    def write_event_to_stream(self, event: Any) -> None:
        """Pass an event on; the provider's own form of words is left out."""
        if isinstance(event, AgentStream):
            self._last = event
            ready = self._held.feed(event.delta) if event.delta else ""
            event = event.model_copy(update={"delta": ready, "response": self._held.shown, "raw": None})
        self._ctx.write_event_to_stream(event)

    def close(self, final: bool) -> str | None:
        """Show the rest; gives the whole text, or None where no words were streamed."""
        if self._last is None or not self._held.pieces:
            return None
        rest = self._held.close(final=final)
        whole = self._held.shown + rest
        told = {"delta": rest, "response": whole, "raw": None, "thinking_delta": None}
        self._ctx.write_event_to_stream(self._last.model_copy(update=told))
        return whole
