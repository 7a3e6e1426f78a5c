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
PROMISE = "I'll refund it now."


class Replays(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):  # type: ignore[misc]
    text, order = FALSE, 42

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **more: Any) -> Any:
        ran = any(content.type == "function_result" for message in messages for content in message.contents)
        call = Content.from_function_call("c1", "refund_order", arguments=f'{{"order_id": {self.order}}}')
        asks = [Content.from_text(PROMISE), call]

        async def pieces() -> AsyncIterator[ChatResponseUpdate]:
            for at in range(0, len(self.text), 6) if ran else ():
                yield ChatResponseUpdate(role="assistant", contents=[Content.from_text(self.text[at : at + 6])])
            if not ran:
                yield ChatResponseUpdate(role="assistant", contents=asks)

        async def whole() -> ChatResponse:
            contents = [Content.from_text(self.text)] if ran else asks
            return ChatResponse(messages=[Message(role="assistant", contents=contents)])

        return ResponseStream(pieces(), finalizer=ChatResponse.from_updates) if stream else whole()


@tool(name="refund_order", approval_mode="never_require")
def refund_order(order_id: int) -> str:
    """Refund an order."""
    if order_id == 42:
        raise ValueError("card expired")
    return '{"refunded": true}'


@tool(name="refund_order", approval_mode="always_require")
def gated(order_id: int) -> str:
    """Refund an order."""
    return "ok"


def agent(one: Any = refund_order, **guard: Any) -> Any:
    made = Guard(tools=[Tool("refund_order", write=True)], **guard)
    return Agent(client=Replays(), tools=[one], middleware=[VerifyReplies(made)])


def test_the_reply_is_replaced() -> None:
    response = asyncio.run(agent().run("refund order 42"))
    assert response.messages[0].text == PROMISE
    assert response.messages[-1].text.startswith("Not done: refund order")
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
    assert final.startswith(PROMISE)
    assert "Not done: refund order" in final
    assert FALSE not in final


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
    assert result.messages[-1].text.startswith("That can't be done: refund order")
    assert stored(session)[-1].text == result.messages[-1].text
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


@pytest.mark.parametrize("stream", [False, True])
def test_true_words_and_those_that_no_model_wrote_pass(stream: bool) -> None:
    one, asked = agent(), "Done! I refunded order 7 myself."
    one.client.text, one.client.order = "I refunded order 9.", 9

    async def go() -> tuple[str, Any]:
        session = one.create_session()
        if stream:
            text = (await one.run(asked, session=session, stream=True).get_final_response()).messages[-1].text
        else:
            text = (await one.run(asked, session=session)).messages[-1].text
        return text, stored(session)

    text, kept = asyncio.run(go())
    assert text == "I refunded order 9."
    assert kept[0].text == asked
    assert ledger_from_messages(kept).calls[0].outcome == "done"


@pytest.mark.parametrize(
    ("policy", "shown"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy(policy: Any, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    assert asyncio.run(agent(on_error=policy).run("refund order 42")).messages[-1].text == shown


def test_the_snippet() -> None:
    guard = Guard(tools=[Tool("refund_order", write=True)])
    made = run_snippet("agent-framework", client=Replays(), refund_order=refund_order, guard=guard)
    response = asyncio.run(made["agent"].run("refund order 42"))
    assert response.messages[-1].text.startswith("Not done: refund order")
