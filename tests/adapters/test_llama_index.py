"""LlamaIndex, with its mock model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("llama_index.core.agent.workflow")

from llama_index.core.agent.workflow import AgentStream, AgentWorkflow
from llama_index.core.base.llms.types import TextBlock, ToolCallBlock
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.llama_index import VerifiedFunctionAgent, ledger_from_run
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."
PROMISE = "I'll refund it now."
FAILED = "Not done: refund order: card expired."


def answering(text: str = FALSE, order: int = 42) -> Any:
    def answer(messages: Any, **more: Any) -> ChatMessage:
        if messages[-1].role == "tool":
            return ChatMessage(role="assistant", content=text)
        block = ToolCallBlock(tool_call_id="c1", tool_name="refund_order", tool_kwargs={"order_id": order})
        return ChatMessage(role="assistant", blocks=[TextBlock(text=PROMISE), block])

    return MockFunctionCallingLLM(response_generator=answer)


async def refund_order(order_id: int) -> str:
    """Refund an order."""
    if order_id == 7:
        return "The user rejected this call."
    if order_id == 42:
        raise ValueError("card expired")
    return '{"refunded": true}'


def agent(llm: Any = None, *, streaming: bool = True, **guard: Any) -> VerifiedFunctionAgent:
    made = VerifiedFunctionAgent(
        name="a", description="d", tools=[refund_order], llm=llm or answering(), streaming=streaming
    )
    return made.guarded(Guard(tools=[Tool("refund_order", write=True)], **guard))


def run(one: Any) -> tuple[str, str, str]:
    """The result, the words of the stream, and what memory holds last."""

    async def go() -> tuple[str, str, str]:
        memory = ChatMemoryBuffer.from_defaults(token_limit=4000)
        handler = one.run(user_msg="refund order 42", memory=memory)
        words = "".join([event.delta async for event in handler.stream_events() if isinstance(event, AgentStream)])
        return str(await handler), words, memory.get_all()[-1].content or ""

    return asyncio.run(go())


@pytest.mark.parametrize("streaming", [False, True])
def test_the_reply_is_replaced_in_result_memory_and_stream(streaming: bool) -> None:
    result, words, kept = run(agent(streaming=streaming))
    assert (result, kept) == (FAILED, FAILED)
    assert words == (PROMISE + FAILED if streaming else "")


def test_inside_a_workflow() -> None:
    assert run(AgentWorkflow(agents=[agent()], root_agent="a"))[0] == FAILED


def test_true_words_pass_and_come_in_pieces() -> None:
    text = "The card was fine. I refunded order 9. Anything else?"
    assert run(agent(answering(text, 9))) == (text, PROMISE + text, text)


def test_a_refused_call_is_told_by_its_text() -> None:
    assert run(agent(answering(order=7)))[0].startswith("That can't be done: refund order")


def test_the_history_of_earlier_turns() -> None:
    block = ToolCallBlock(tool_call_id="c0", tool_name="refund_order", tool_kwargs={"order_id": 1})
    ledger = ledger_from_run(
        [],
        [
            ChatMessage(role="system", content="policy"),
            ChatMessage(role="user", content="refund order 1"),
            ChatMessage(role="assistant", blocks=[block]),
            ChatMessage(role="tool", content="Refunded.", additional_kwargs={"tool_call_id": "c0"}),
            ChatMessage(role="user", content="thanks"),
        ],
    )
    assert [(call.id, call.outcome.value, call.turn) for call in ledger.calls] == [("c0", "done", 1)]
    assert ledger.turn == 2


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("policy", "shown"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy(
    policy: Any, shown: str, streaming: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    result, words, kept = run(agent(streaming=streaming, on_error=policy))
    assert result == kept == shown
    assert (words[-len(shown) :] if streaming else shown) == shown


def test_the_snippet() -> None:
    guard = Guard(tools=[Tool("refund_order", write=True)])
    assert run(run_snippet("LlamaIndex", llm=answering(), refund_order=refund_order, guard=guard)["agent"])[0] == FAILED
