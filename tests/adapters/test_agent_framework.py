"""Microsoft's agent-framework, with a chat client of our own that replays an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("agent_framework")

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
    tool,
)
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.agent_framework import VerifyReplies, ledger_from_messages, stored
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."


class Replays(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):  # type: ignore[misc]
    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **more: Any) -> Any:
        ran = any(content.type == "function_result" for message in messages for content in message.contents)
        call = Content.from_function_call("c1", "refund_order", arguments='{"order_id": 42}')

        async def pieces() -> AsyncIterator[ChatResponseUpdate]:
            for at in range(0, len(FALSE), 6) if ran else ():
                yield ChatResponseUpdate(role="assistant", contents=[Content.from_text(FALSE[at : at + 6])])
            if not ran:
                yield ChatResponseUpdate(role="assistant", contents=[call])

        async def whole() -> ChatResponse:
            contents = [Content.from_text(FALSE)] if ran else [call]
            return ChatResponse(messages=[Message(role="assistant", contents=contents)])

        return ResponseStream(pieces(), finalizer=ChatResponse.from_updates) if stream else whole()


@tool(name="refund_order", approval_mode="never_require")
def refund_order(order_id: int) -> str:
    """Refund an order."""
    raise ValueError("card expired")


@tool(name="refund_order", approval_mode="always_require")
def gated(order_id: int) -> str:
    """Refund an order."""
    return "ok"


def agent(one: Any = refund_order, **guard: Any) -> Any:
    made = Guard(tools=[Tool("refund_order", write=True)], **guard)
    return Agent(client=Replays(), tools=[one], middleware=[VerifyReplies(made)])


def test_the_reply_is_replaced() -> None:
    response = asyncio.run(agent().run("refund order 42"))
    assert response.text.startswith("Not done: refund order")
    assert FALSE not in str([message.text for message in response.messages])
    (call,) = ledger_from_messages(response.messages).calls
    assert (call.id, call.outcome) == ("c1", "failed")
    assert "card expired" in call.reason


def test_streams_show_the_verified_reply_only() -> None:
    async def streamed() -> tuple[str, str]:
        stream = agent().run("refund order 42", stream=True)
        shown = "".join([update.text async for update in stream])
        return shown, (await stream.get_final_response()).text

    shown, final = asyncio.run(streamed())
    assert shown == final
    assert final.startswith("Not done: refund order")


def test_a_call_waits_and_is_refused() -> None:
    async def asked() -> tuple[Any, Any, Any]:
        one = agent(gated)
        session = one.create_session()
        waiting = await one.run("refund order 42", session=session)
        answer = waiting.user_input_requests[0].to_function_approval_response(approved=False)
        result = await one.run([Message(role="user", contents=[answer])], session=session)
        return waiting, result, session

    waiting, result, session = asyncio.run(asked())
    (call,) = ledger_from_messages(waiting.messages).calls
    assert (call.id, call.outcome) == ("c1", "pending_confirmation")
    assert result.text.startswith("That can't be done: refund order")
    assert stored(session)[-1].text == result.text
    (call,) = ledger_from_messages(stored(session)).calls
    assert call.outcome == "refused"


def test_a_session_remembers_and_stores_the_verified_reply() -> None:
    async def twice(stream: bool) -> tuple[str, Any]:
        one = agent()
        session = one.create_session()
        if stream:
            await one.run("refund order 42", session=session, stream=True).get_final_response()
        else:
            await one.run("refund order 42", session=session)
        first = stored(session)[-1].text
        return first, ledger_from_messages(stored(session))

    for stream in (False, True):
        text, ledger = asyncio.run(twice(stream))
        assert text.startswith("Not done: refund order")
        assert ledger.calls[0].outcome == "failed"


def test_errors_of_ours_follow_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    assert asyncio.run(agent(on_error="pass").run("refund order 42")).text == FALSE


def test_the_snippet() -> None:
    guard = Guard(tools=[Tool("refund_order", write=True)])
    made = run_snippet("agent-framework", client=Replays(), refund_order=refund_order, guard=guard)
    assert asyncio.run(made["agent"].run("refund order 42")).text.startswith("Not done: refund order")
