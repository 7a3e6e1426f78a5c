"""Haystack, with its mock generator."""

from __future__ import annotations

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
from verifier.adapters.haystack import ledger_from_messages, verify_reply
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."


@tool
def refund_order(order_id: Annotated[int, "the order"]) -> str:
    """Refund an order."""
    raise ValueError("card expired")


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


def test_the_snippet() -> None:
    asks = ChatMessage.from_assistant(tool_calls=[ToolCall("refund_order", {"order_id": 42}, id="c1")])
    guard = Guard(tools=[Tool("refund_order", write=True)])
    generator = MockChatGenerator(responses=[asks, FALSE])
    made = run_snippet("Haystack", generator=generator, refund_order=refund_order, guard=guard)
    result = made["agent"].run(messages=[ChatMessage.from_user("refund order 42")])
    assert result["last_message"].text.startswith("Not done: refund order:")
