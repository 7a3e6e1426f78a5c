"""LiveKit, in text mode, with a model of our own that replays an answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("livekit.agents")

from livekit.agents import Agent, AgentSession, function_tool, llm
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, NOT_GIVEN
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.livekit import VerifiedAgent, ledger_from_context
from verifier.guard import Guard

WORDS = ("Sure, a moment. ", "I refunded ", "order 42. ", "Anything else?")


class Answer(llm.LLMStream):
    async def _run(self) -> None:
        ran = any(item.type == "function_call_output" for item in self._chat_ctx.items)
        call = llm.FunctionToolCall(name="refund_order", arguments='{"order_id": 42}', call_id="c1")
        deltas = [llm.ChoiceDelta(role="assistant", content=word) for word in WORDS]
        for delta in deltas if ran else [llm.ChoiceDelta(role="assistant", tool_calls=[call])]:
            self._event_ch.send_nowait(llm.ChatChunk(id="x", delta=delta))


class Replays(llm.LLM):
    def chat(
        self, *, chat_ctx: Any, tools: Any = None, conn_options: Any = DEFAULT_API_CONNECT_OPTIONS,
        parallel_tool_calls: Any = NOT_GIVEN, tool_choice: Any = NOT_GIVEN, **more: Any,
    ) -> Answer:  # fmt: skip
        return Answer(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)


class Shop(VerifiedAgent):
    @function_tool
    async def refund_order(self, order_id: int) -> str:
        """Refund an order."""
        raise llm.ToolError("card expired")


def run(agent: Agent) -> Any:
    async def go() -> Any:
        async with Replays() as model, AgentSession(llm=model) as session:
            await session.start(agent)
            await session.run(user_input="refund order 42")
            return session.history.items

    return asyncio.run(go())


def said(items: Any) -> list[str]:
    return [item.text_content for item in items if item.type == "message" and item.role == "assistant"]


def shop(**guard: Any) -> Shop:
    return Shop(instructions="x", guard=Guard(tools=[Tool("refund_order", write=True)], **guard))


def test_what_is_said_and_kept_is_verified() -> None:
    items = run(shop())
    assert said(items) == ["Sure, a moment. Not done: refund order: card expired. Anything else?"]
    (call,) = ledger_from_context(items).calls
    assert (call.id, call.outcome, call.reason) == ("c1", "failed", "card expired")


def test_errors_of_ours_follow_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    assert said(run(shop(on_error="pass"))) == ["".join(WORDS)]
    assert said(run(shop(on_error="block"))) == ["I can't say reliably right now what was done."]


def test_the_snippet() -> None:
    async def refund_order(order_id: int) -> str:
        """Refund an order."""
        raise llm.ToolError("card expired")

    guard = Guard(tools=[Tool("refund_order", write=True)])
    agent = run_snippet("LiveKit", refund_order=refund_order, guard=guard)["agent"]
    assert "Not done: refund order: card expired." in said(run(agent))[0]
