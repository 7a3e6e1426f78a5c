"""Anthropic's Messages as ledgers."""

from __future__ import annotations

from typing import Any

import pytest

from verifier.adapters.anthropic import ledger_from_messages, replies_of
from verifier.ledger import LedgerError


def use(call: str, name: str, **arguments: object) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": name, "input": arguments, "cache_control": None}


def result(id: str, content: object, **more: object) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words, "citations": []}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def agent(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks), "stop_reason": "tool_use", "model": "m"}


def test_a_conversation() -> None:
    ledger = ledger_from_messages(
        [
            {"role": "user", "content": "refund 42"},
            agent({"type": "thinking", "thinking": "…"}, text("One "), text("moment."), use("a", "refund", id=42)),
            user(result("a", [{"type": "text", "text": '{"error": "card expired"}'}], is_error=True)),
            agent(use("b", "get_order", id=42), use("c", "refund", id=42)),
            user(result("c", "Refunded."), result("b", '{"total": 12.5}'), text("Thanks!")),
            agent(text("Done.")),
            user(text("And?")),
        ],
        [{"name": "refund", "input_schema": {"type": "object"}}],
        system=[{"type": "text", "text": "policy"}],
    )
    assert [(call.id, call.tool, call.outcome.value, call.turn, call.result) for call in ledger.calls] == [
        ("a", "refund", "failed", 1, {"error": "card expired"}),
        ("b", "get_order", "done", 1, {"total": 12.5}),
        ("c", "refund", "done", 1, "Refunded."),
    ]
    assert ledger.heard == ((1, "refund 42"), (2, "Thanks!"), (3, "And?"))
    assert ledger.replies == ((1, "One moment."), (2, "Done."))
    assert ledger.contexts == ("policy",)
    assert {call.source for call in ledger.calls} == {"history"}
    assert ledger.calls[0].reason == "card expired"


def test_retries_repeated_ids_missing_and_early_results() -> None:
    ledger = ledger_from_messages(
        [
            user(result("z", "Sent.")),
            agent(use("z", "send_mail")),
            agent(use("x", "refund", id=1), use("x", "refund", id=2)),
            user(result("x", "Error: busy"), result("x", "Refunded.")),
            agent(use("y", "refund", id=3)),
            user(text("well?")),
        ]
    )
    assert [(call.id, call.outcome.value, call.turn) for call in ledger.calls] == [
        ("z", "done", 1),
        ("x", "failed", 1),
        ("x#2", "done", 1),
        ("y", "unknown", 1),
    ]


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (
            [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}],
            [{"type": "image"}],
        ),
        ([{"type": "text", "text": "Sent."}, {"type": "image", "source": {"data": "AAAA"}}], "Sent."),
        ([], []),
        (None, None),
    ],
)
def test_images_in_results_leave_no_bytes(content: object, kept: object) -> None:
    ledger = ledger_from_messages([agent(use("a", "plot_chart")), user(result("a", content))])
    assert [(call.outcome.value, call.result) for call in ledger.calls] == [("done", kept)]


def test_tools_that_the_provider_runs() -> None:
    failed = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    found = [{"type": "web_search_result", "url": "https://a.test", "title": "A"}]
    message = agent(
        text("Let me look."),
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": found},
        {"type": "server_tool_use", "id": "s2", "name": "web_search", "input": {"query": "y"}},
        {"type": "web_search_tool_result", "tool_use_id": "s2", "content": failed},
        {"type": "mcp_tool_use", "id": "m1", "name": "pay", "server_name": "bank", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m1", "content": [text("card declined")], "is_error": True},
        text("I could not pay."),
    )
    got = [
        (reply.text, reply.carries_calls, [call.outcome.value for call in reply.ledger.calls])
        for reply in replies_of([user(text("go")), message])
    ]
    assert got == [("Let me look.", True, []), ("I could not pay.", False, ["done", "failed", "failed"])]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"role": "robot", "content": "x"}, "/messages/1/role: cannot be 'robot'"),
        ("text", "/messages/1: a message is a mapping, not str"),
        ({"role": "user", "content": [3]}, "/messages/1/content/0: a message is a mapping, not int"),
        ({"role": "user", "content": 3}, "/messages/1/content: a content is a text"),
        (agent({"type": "tool_use", "id": "x"}), "/messages/1/content: a tool_use block has no name"),
    ],
)
def test_what_is_no_message_is_refused_with_its_place(message: object, place: str) -> None:
    with pytest.raises(LedgerError) as caught:
        ledger_from_messages([{"role": "user", "content": "hello"}, message])
    assert str(caught.value).startswith(place)
