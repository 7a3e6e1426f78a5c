"""Pydantic AI, with its function model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("pydantic_ai")

from pydantic_ai import (
    Agent,
    ApprovalRequired,
    DeferredToolRequests,
    DeferredToolResults,
    RunContext,
    ToolApproved,
    ToolDenied,
    ToolFailed,
)
from pydantic_ai.messages import (
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.pydantic_ai import VerifyReplies, ledger_from_messages
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."
FAILED = "Not done: refund order: card expired."
PROMISE = "I'll refund it now."


def was_run(messages: Any) -> bool:
    return any(isinstance(part, ToolReturnPart) for message in messages for part in message.parts)


def scripted(text: str = FALSE) -> FunctionModel:
    def answer(messages: Any, info: Any) -> ModelResponse:
        if was_run(messages):
            return ModelResponse([TextPart(text)])
        return ModelResponse([TextPart(PROMISE), ToolCallPart("refund_order", {"order_id": 42}, "c1")])

    async def stream(messages: Any, info: Any) -> AsyncIterator[Any]:
        if was_run(messages):
            for at in range(0, len(text), 5):
                yield text[at : at + 5]
        else:
            yield {0: DeltaToolCall(name="refund_order", json_args='{"order_id": 42}', tool_call_id="c1")}

    return FunctionModel(answer, stream_function=stream)


def agent(text: str = FALSE, *, gated: bool = False, **guard: Any) -> Any:
    capability = VerifyReplies(Guard(tools=[Tool("refund_order", write=True)], **guard))
    made: Any = Agent(scripted(text), output_type=[str, DeferredToolRequests], capabilities=[capability])

    def refund_order(ctx: RunContext, order_id: int) -> dict[str, Any]:
        if gated and not ctx.tool_call_approved:
            raise ApprovalRequired
        if not gated:
            raise ToolFailed("card expired")
        return {"refunded": order_id}

    made.tool(refund_order)
    return made


def run(one: Any, *given: Any, **more: Any) -> Any:
    return asyncio.run(one.run(*given, **more))


def test_the_reply_is_replaced_in_output_and_history() -> None:
    result = run(agent(), "refund order 42")
    assert result.output == FAILED
    assert FALSE not in str(result.all_messages())
    assert PROMISE in [
        part.content for message in result.all_messages() for part in message.parts if part.part_kind == "text"
    ]
    (call,) = ledger_from_messages(result.all_messages()).calls
    assert (call.id, call.outcome, call.reason) == ("c1", "failed", "card expired")


def test_streams_show_the_verified_reply_only() -> None:
    async def streamed() -> tuple[str, str]:
        async with agent().run_stream("refund order 42") as result:
            text = "".join([piece async for piece in result.stream_text(delta=True)])
        events = ""
        async with agent().run_stream_events("refund order 42") as stream:
            async for event in stream:
                if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
                    events += event.part.content
                elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                    events += event.delta.content_delta
        return text, events

    assert asyncio.run(streamed()) == (FAILED, FAILED)


def test_a_call_waits_and_is_refused() -> None:
    one = agent(gated=True)
    waiting = run(one, "refund order 42")
    (call,) = ledger_from_messages(waiting.all_messages(), deferred=waiting.output).calls
    assert (call.id, call.outcome) == ("c1", "pending_confirmation")
    answers = DeferredToolResults(approvals={"c1": ToolDenied("over limit")})
    result = run(one, message_history=waiting.all_messages(), deferred_tool_results=answers)
    (call,) = ledger_from_messages(result.all_messages()).calls
    assert call.outcome == "refused"
    assert result.output.startswith("That can't be done: refund order")


def test_arguments_that_a_person_edited_are_those_that_ran() -> None:
    one = agent("I refunded order 42.", gated=True)
    waiting = run(one, "refund order 42")
    answers = DeferredToolResults(approvals={"c1": ToolApproved(override_args={"order_id": 99})})
    result = run(one, message_history=waiting.all_messages(), deferred_tool_results=answers)
    (call,) = ledger_from_messages(result.all_messages()).calls
    assert (call.arguments, call.requested_arguments, call.source) == ({"order_id": 99}, {"order_id": 42}, "executed")
    assert call.result == {"refunded": 99}
    assert "99" in result.output


def test_words_that_no_model_wrote_pass() -> None:
    before = run(Agent(scripted("unread")), "Hi", message_history=[]).all_messages()[:1]
    asked = "Done! I refunded order 42 myself."
    messages = run(agent(), asked, message_history=before).all_messages()
    assert asked in [part.content for message in messages for part in message.parts if part.part_kind == "user-prompt"]


@pytest.mark.parametrize(
    ("policy", "shown"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy(policy: Any, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    assert run(agent(on_error=policy), "refund order 42").output == shown


def test_the_snippet() -> None:
    def refund_order(order_id: int) -> str:
        raise ToolFailed("card expired")

    guard = Guard(tools=[Tool("refund_order", write=True)])
    made = run_snippet("Pydantic AI", model=scripted(), refund_order=refund_order, guard=guard)
    assert made["result"].output == FAILED
    assert made["ledger"].calls[0].outcome == "failed"
