"""Haystack, with its mock generator."""

from __future__ import annotations

import asyncio
import os
from typing import Annotated, Any

import pytest

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
pytest.importorskip("haystack.hooks")

import haystack.hooks.human_in_the_loop as human
from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import tool
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.haystack import VerifyingGenerator, ledger_from_messages, verify_reply
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."


@tool
def refund_order(order_id: Annotated[int, "the order"]) -> str:
    """Refund an order."""
    if order_id == 42:
        raise ValueError("card expired")
    return '{"refunded": true}'


def run(**hooks: Any) -> Any:
    asks = ChatMessage.from_assistant(tool_calls=[ToolCall("refund_order", {"order_id": 42}, id="c1")])
    guard = hooks.pop("guard", None) or Guard(tools=[Tool("refund_order", write=True)])
    agent = Agent(
        chat_generator=MockChatGenerator(responses=[asks, FALSE]),
        tools=[refund_order],
        hooks={"after_run": [verify_reply(guard)], **hooks},
    )
    return agent.run(messages=[ChatMessage.from_system("policy"), ChatMessage.from_user("refund order 42")])


def test_the_reply_is_replaced_where_it_is_stored_and_returned() -> None:
    result = run()
    assert result["last_message"].text.startswith("Not done: refund order:")
    assert result["messages"][-1].text == result["last_message"].text
    ledger = ledger_from_messages(result["messages"])
    (call,) = ledger.calls
    assert (call.id, call.outcome, call.arguments) == ("c1", "failed", {"order_id": 42})
    assert "card expired" in call.reason
    assert ledger.contexts[:1] == ("policy",)


def test_a_refused_call() -> None:
    class Refuses:
        def get_user_confirmation(self, tool_name: str, tool_description: str, tool_params: Any) -> Any:
            return human.ConfirmationUIResult(action="reject", feedback="over limit")

        def to_dict(self) -> dict[str, Any]:
            return {}

    strategy = human.BlockingConfirmationStrategy(
        confirmation_policy=human.AlwaysAskPolicy(), confirmation_ui=Refuses()
    )
    result = run(before_tool=[human.ConfirmationHook(confirmation_strategies={"refund_order": strategy})])
    (call,) = ledger_from_messages(result["messages"]).calls
    assert call.outcome == "refused"
    assert result["last_message"].text.startswith("That can't be done: refund order")


def test_errors_of_ours_follow_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    guard = Guard(on_error="pass")
    monkeypatch.setattr(guard.verifier, "verify", lambda *given, **more: 1 / 0)
    assert run(guard=guard)["last_message"].text == FALSE


def streaming(**more: Any) -> tuple[Any, list[Any]]:
    """An agent whose generator streams; and the chunks that its callback is given."""
    asks = ChatMessage.from_assistant("One moment.", tool_calls=[ToolCall("refund_order", {"order_id": 42}, id="c1")])
    guard = more.pop("guard", None) or Guard(tools=[Tool("refund_order", write=True)])
    texts = more.pop("texts", [asks, FALSE])
    generator = VerifyingGenerator(MockChatGenerator(responses=texts), guard)
    return Agent(chat_generator=generator, tools=[refund_order], **more), []


ASK = [ChatMessage.from_user("refund order 42")]


def words(chunks: list[Any]) -> str:
    return "".join(chunk.content for chunk in chunks)


@pytest.mark.parametrize("awaited", [False, True])
def test_streams_show_the_verified_reply_only(awaited: bool) -> None:
    agent, chunks = streaming()

    async def show(chunk: Any) -> None:
        chunks.append(chunk)

    if awaited:
        result = asyncio.run(agent.run_async(ASK, streaming_callback=show))
    else:
        result = agent.run(ASK, streaming_callback=chunks.append)
    last = result["last_message"].text
    assert last.startswith("Not done: refund order:")
    assert result["messages"][-1].text == last
    assert "Done!" not in words(chunks)
    own = [one for one in chunks if one.tool_call_result is None and one.finish_reason != "tool_call_results"]
    assert words(own) == "One moment." + last
    assert [chunk.finish_reason for chunk in own if chunk.finish_reason] == ["tool_calls", "stop"]
    assert [chunk.content for chunk in own if chunk.start and chunk.content] == ["One moment.", last]
    assert sum(len(chunk.tool_calls or ()) for chunk in own) == 1


def test_the_generators_own_callback_and_true_words_come_in_pieces() -> None:
    shown: list[Any] = []
    text = "The card has expired. It is late. Sorry! Anything else?"
    generator = VerifyingGenerator(MockChatGenerator(responses=text, streaming_callback=shown.append))
    assert generator.run("hello")["replies"][0].text == text
    assert words(shown) == text
    assert len([chunk for chunk in shown if chunk.content]) > 1


@pytest.mark.parametrize(
    ("policy", "expected"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy_in_streams(
    policy: Any, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    guard = Guard(on_error=policy)
    agent, chunks = streaming(guard=guard, texts=[FALSE])
    assert agent.run(ASK, streaming_callback=chunks.append)["last_message"].text == expected
    assert words(chunks) == expected


@pytest.mark.parametrize("stream", [False, True])
def test_true_words_and_those_that_no_model_wrote_pass(stream: bool) -> None:
    asked, text = "Done! I refunded order 7 myself.", "I refunded order 9."
    asks = ChatMessage.from_assistant(
        "I'll refund it now.", tool_calls=[ToolCall("refund_order", {"order_id": 9}, id="c1")]
    )
    agent, chunks = streaming(texts=[asks, text])
    result = agent.run([ChatMessage.from_user(asked)], streaming_callback=chunks.append if stream else None)
    told = [message.text for message in result["messages"] if message.text]
    assert told == [asked, "I'll refund it now.", text]
    (call,) = ledger_from_messages(result["messages"]).calls
    assert (call.outcome, call.result) == ("done", {"refunded": True})
    assert not stream or words([one for one in chunks if not one.tool_call_result]) == "I'll refund it now." + text


def test_arguments_that_a_hook_edited_are_those_that_ran() -> None:
    class Edits:
        def get_user_confirmation(self, tool_name: str, tool_description: str, tool_params: Any) -> Any:
            return human.ConfirmationUIResult(action="modify", new_tool_params={"order_id": 9})

        def to_dict(self) -> dict[str, Any]:
            return {}

    strategy = human.BlockingConfirmationStrategy(confirmation_policy=human.AlwaysAskPolicy(), confirmation_ui=Edits())
    result = run(before_tool=[human.ConfirmationHook(confirmation_strategies={"refund_order": strategy})])
    (call,) = ledger_from_messages(result["messages"]).calls
    assert (call.outcome, call.arguments) == ("done", {"order_id": 9})
    assert "9" in result["last_message"].text


@pytest.mark.parametrize("place", [0, 1])
def test_the_snippets(place: int) -> None:
    asks = ChatMessage.from_assistant(tool_calls=[ToolCall("refund_order", {"order_id": 42}, id="c1")])
    guard = Guard(tools=[Tool("refund_order", write=True)])
    generator = MockChatGenerator(responses=[asks, FALSE])
    made = run_snippet("Haystack", place, generator=generator, refund_order=refund_order, guard=guard)
    assert made["agent"].run(messages=ASK)["last_message"].text.startswith("Not done: refund order:")
