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

PROMISE = "I'll refund it now."
WORDS = ("Sure, a moment. ", "I refunded ", "order 42. ", "Anything else?")


class Answer(llm.LLMStream):
    order = 42

    async def _run(self) -> None:
        ran = any(item.type == "function_call_output" for item in self._chat_ctx.items)
        call = llm.FunctionToolCall(name="refund_order", arguments=f'{{"order_id": {self.order}}}', call_id="c1")
        words = [word.replace("42", str(self.order)) for word in WORDS]
        deltas = [llm.ChoiceDelta(role="assistant", content=word) for word in words]
        asks = [llm.ChoiceDelta(role="assistant", content=PROMISE), llm.ChoiceDelta(tool_calls=[call])]
        for delta in deltas if ran else asks:
            self._event_ch.send_nowait(llm.ChatChunk(id="x", delta=delta))


class Replays(llm.LLM):
    order = 42

    def chat(
        self, *, chat_ctx: Any, tools: Any = None, conn_options: Any = DEFAULT_API_CONNECT_OPTIONS,
        parallel_tool_calls: Any = NOT_GIVEN, tool_choice: Any = NOT_GIVEN, **more: Any,
    ) -> Answer:  # fmt: skip
        made = Answer(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)
        made.order = self.order
        return made


class Shop(VerifiedAgent):
    @function_tool
    async def refund_order(self, order_id: int) -> str:
        """Refund an order."""
        if order_id == 42:
            raise llm.ToolError("card expired")
        return "The user rejected this call." if order_id == 7 else '{"refunded": true}'


def run(agent: Agent, order: int = 42) -> Any:
    async def go() -> Any:
        async with Replays() as model, AgentSession(llm=model) as session:
            model.order = order
            await session.start(agent)
            await session.run(user_input="Done! I refunded it myself.")
            return session.history.items

    return asyncio.run(go())


def said(items: Any) -> list[str]:
    return [item.text_content for item in items if item.type == "message" and item.role == "assistant"]


def shop(**guard: Any) -> Shop:
    return Shop(instructions="x", guard=Guard(tools=[Tool("refund_order", write=True)], **guard))


def test_what_is_said_and_kept_is_verified() -> None:
    items = run(shop())
    assert said(items) == [PROMISE, "Sure, a moment. Not done: refund order: card expired. Anything else?"]
    (call,) = ledger_from_context(items).calls
    assert (call.id, call.outcome, call.reason) == ("c1", "failed", "card expired")


def test_true_words_and_those_of_the_person_pass() -> None:
    items = run(shop(), 9)
    assert [item.text_content for item in items if item.type == "message" and item.role == "user"] == [
        "Done! I refunded it myself."
    ]
    assert ledger_from_context(items).calls[0].outcome == "done"
    assert said(items) == [PROMISE, "".join(WORDS).replace("42", "9")]


def test_a_refused_call_is_told_by_its_text() -> None:
    items = run(shop(), 7)
    assert ledger_from_context(items).calls[0].outcome == "refused"
    assert "That can't be done: refund order" in said(items)[1]


def test_errors_of_ours_follow_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    assert said(run(shop(on_error="pass")))[1] == "".join(WORDS)
    assert said(run(shop(on_error="block")))[1] == "I can't say reliably right now what was done."


def test_the_snippet() -> None:
    async def refund_order(order_id: int) -> str:
        """Refund an order."""
        raise llm.ToolError("card expired")

    guard = Guard(tools=[Tool("refund_order", write=True)])
    agent = run_snippet("LiveKit", refund_order=refund_order, guard=guard)["agent"]
    assert "Not done: refund order: card expired." in said(run(agent))[1]
