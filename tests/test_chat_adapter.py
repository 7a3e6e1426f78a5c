"""OpenAI's message formats as ledgers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verifier.adapters.openai import ledger_from_chat, ledger_from_responses, replies_of
from verifier.ledger import Ledger, LedgerError, Tool

SHARED = Path(__file__).parents[1].parent / "shared"


def call(id: str, name: str, arguments: object = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*entries: dict[str, Any], text: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "tool_calls": list(entries)}


def result(id: str, content: object, **more: object) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content, **more}


def user(text: object = "hello") -> dict[str, Any]:
    return {"role": "user", "content": text}


def seen(ledger: Ledger) -> list[tuple[str, str, int, Any]]:
    return [(one.tool, one.outcome.value, one.turn, one.result) for one in ledger.calls]


def test_a_chat_of_two_turns() -> None:
    ledger = ledger_from_chat(
        [
            {"role": "system", "content": "policy"},
            {"role": "developer", "content": [{"type": "text", "text": "more policy"}]},
            {"role": "assistant", "content": "How can I help?"},
            user("refund 42"),
            calls(call("c1", "get_order", '{"id": 42}'), call("c2", "refund", '{"id": 42}'), text="One moment."),
            result("c1", '{"id": 42, "total": 12.5}'),
            result("c2", '{"error": "card expired"}'),
            {"role": "assistant", "content": "It failed."},
            user([{"type": "text", "text": "try"}, {"type": "text", "text": "again"}]),
            calls(call("c3", "refund", '{"id": 42}')),
            result("c3", "Refunded."),
        ]
    )
    assert seen(ledger) == [
        ("get_order", "done", 1, {"id": 42, "total": 12.5}),
        ("refund", "failed", 1, {"error": "card expired"}),
        ("refund", "done", 2, "Refunded."),
    ]
    assert [one.id for one in ledger.calls] == ["c1", "c2", "c3"]
    assert {one.source for one in ledger.calls} == {"history"}
    assert ledger.calls[1].reason == "card expired"
    assert ledger.calls[0].arguments == {"id": 42}
    assert ledger.contexts == ("policy", "more policy")
    assert ledger.heard == ((1, "refund 42"), (2, "try\nagain"))
    assert ledger.replies == ((1, "How can I help?"), (1, "One moment."), (1, "It failed."))
    assert [(tool.name, tool.write) for tool in ledger.tools] == [("get_order", False), ("refund", True)]


def test_given_tools_count_and_called_ones_are_added() -> None:
    spec = {"type": "function", "function": {"name": "refund", "parameters": {"type": "object"}}, "write": True}
    ledger = ledger_from_chat([user(), calls(call("a", "ship"))], [spec, Tool("get_order", write=True)])
    assert [(tool.name, tool.write) for tool in ledger.tools] == [("refund", True), ("get_order", True), ("ship", True)]


def test_ids_that_repeat_are_paired_by_position() -> None:
    messages = [
        user(),
        calls(call("x", "a"), call("x", "b")),
        result("x", "one"),
        result("x", "two"),
        calls(call("x", "c")),
        result("x", "three"),
    ]
    ledger = ledger_from_chat(messages)
    assert [(one.id, one.tool, one.result) for one in ledger.calls] == [
        ("x", "a", "one"),
        ("x#2", "b", "two"),
        ("x#3", "c", "three"),
    ]


def test_missing_ids_are_paired_by_name() -> None:
    function = {"role": "function", "name": "b", "content": "two"}
    ledger = ledger_from_chat(
        [
            user(),
            {"role": "assistant", "content": None, "function_call": {"name": "b", "arguments": "{}"}},
            function,
            calls({"function": {"name": "c", "arguments": "{}"}}),
            {"role": "tool", "content": "three"},
        ]
    )
    assert [(one.tool, one.result) for one in ledger.calls] == [("b", "two"), ("c", "three")]


def test_a_call_without_a_result_is_unknown_and_a_late_result_settles_it() -> None:
    messages = [user(), calls(call("x", "refund")), user("and?")]
    assert seen(ledger_from_chat(messages)) == [("refund", "unknown", 1, None)]
    late = ledger_from_chat([*messages, result("x", '{"ok": true}')])
    assert seen(late) == [("refund", "done", 2, {"ok": True})]
    unread = ledger_from_chat([*messages, result("x", '{"status": "processing"}')])
    assert seen(unread) == [("refund", "unknown", 2, {"status": "processing"})]


def test_results_without_calls_and_before_calls_are_kept() -> None:
    orphan = ledger_from_chat([user(), result("x", '{"total": 5}'), result("y", "Sent.", name="send_mail")])
    assert seen(orphan) == [("tool_result", "done", 1, {"total": 5}), ("send_mail", "done", 1, "Sent.")]
    tool = orphan.tool("tool_result")
    assert tool is not None
    assert not tool.write
    early = ledger_from_chat([user(), result("x", "Sent."), calls(call("x", "send_mail"))])
    assert seen(early) == [("send_mail", "done", 1, "Sent.")]
    twice = ledger_from_chat([user(), calls(call("x", "send_mail")), result("x", "Sent."), result("x", "Again.")])
    assert seen(twice) == [("send_mail", "done", 1, "Sent."), ("tool_result", "done", 1, "Again.")]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        (None, {}),
        ('{"a": ', {"input": '{"a": '}),
        ("[1]", {"input": "[1]"}),
        ("[" * 100_000, {"input": "[" * 100_000}),
    ],
)
def test_arguments_are_never_lost(arguments: object, kept: object) -> None:
    assert ledger_from_chat([calls(call("x", "send", arguments))]).calls[0].arguments == kept


def test_a_custom_tools_input_is_text() -> None:
    custom = {"id": "x", "type": "custom", "custom": {"name": "exec", "input": "ls -l"}}
    assert ledger_from_chat([calls(custom)]).calls[0].arguments == {"input": "ls -l"}


@pytest.mark.parametrize(
    ("content", "more", "outcome", "kept"),
    [
        ("boom", {"is_error": True}, "failed", "boom"),
        ("boom", {"status": "error"}, "failed", "boom"),
        ("User rejected the tool call", {"is_error": True}, "refused", "User rejected the tool call"),
        ("null", {}, "done", None),
        ("", {}, "done", ""),
        (None, {}, "done", None),
        ([{"type": "text", "text": '{"ok": false}'}], {}, "failed", {"ok": False}),
        ("{'ok': False}", {}, "failed", {"ok": False}),
        ('{"broken": ', {}, "done", '{"broken": '),
        ("Error: no such order", {}, "failed", "Error: no such order"),
    ],
)
def test_results_in_many_shapes(content: object, more: dict[str, Any], outcome: str, kept: object) -> None:
    ledger = ledger_from_chat([user(), calls(call("x", "refund")), result("x", content, **more)])
    assert seen(ledger) == [("refund", outcome, 1, kept)]


def test_an_id_seen_before_is_no_new_record() -> None:
    pending = '{"refund_id": "r1", "status": "pending", "amount": 5}'
    new = [user(), calls(call("x", "refund_order")), result("x", pending)]
    known = [user(), calls(call("w", "get_refunds")), result("w", '{"refunds": [{"id": "r1"}]}'), *new[1:]]
    assert ledger_from_chat(new).calls[-1].outcome == "unknown"
    assert ledger_from_chat(known).calls[-1].outcome == "done"


def test_a_partial_success_is_a_call_for_each_of_its_things() -> None:
    answer = {"results": [{"id": "t1", "ok": True}, {"id": "t2", "ok": False, "error": "gone"}]}
    messages = [
        user(),
        calls(call("x", "update_tasks", '{"ids": ["t1", "t2"], "to": "done"}')),
        result("x", json.dumps(answer)),
    ]
    ledger = ledger_from_chat(messages)
    assert [(one.id, one.arguments, one.outcome.value, one.reason) for one in ledger.calls] == [
        ("x", {"ids": ["t1"], "to": "done"}, "done", ""),
        ("x#2", {"ids": ["t2"], "to": "done"}, "failed", "gone"),
    ]
    order = {"order_id": "o1", "items": [{"name": "a", "status": "failed"}, {"name": "b", "status": "ok"}]}
    whole = ledger_from_chat(
        [user(), calls(call("x", "ship_order", '{"tags": ["p", "q"]}')), result("x", json.dumps(order))]
    )
    assert seen(whole) == [("ship_order", "done", 1, order)]


def test_replies_are_judged_by_what_came_before_them() -> None:
    messages = [
        {"role": "assistant", "content": "Hi!"},
        user(),
        calls(call("c1", "refund"), text="On it."),
        result("c1", "ok"),
        {"role": "assistant", "content": "Refunded."},
        user(),
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "I can't."}]},
    ]
    got = [
        (
            reply.message,
            reply.text,
            reply.carries_calls,
            reply.ledger.turn,
            len(reply.ledger.calls),
            len(reply.ledger.replies),
        )
        for reply in replies_of(messages)
    ]
    assert got == [
        (0, "Hi!", False, 1, 0, 0),
        (2, "On it.", True, 1, 0, 1),
        (4, "Refunded.", False, 1, 1, 2),
        (6, "I can't.", False, 2, 1, 3),
    ]


def test_client_models_are_messages() -> None:
    class Model:
        def model_dump(self, exclude_none: bool = False) -> dict[str, Any]:
            return {"role": "user", "content": "hello"}

    assert ledger_from_chat([Model()]).heard == ((1, "hello"),)


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"role": "robot", "content": "x"}, "/messages/1/role: cannot be 'robot'"),
        ({"content": "x"}, "/messages/1/role: cannot be None"),
        ("text", "/messages/1: a message is a mapping, not str"),
        ({"role": "assistant", "tool_calls": ["x"]}, "/messages/1/tool_calls/0: a call is a mapping"),
        ({"role": "assistant", "tool_calls": [{"id": "x"}]}, "/messages/1/tool_calls/0: the call has no name"),
    ],
)
def test_what_is_no_message_is_refused_with_its_place(message: object, place: str) -> None:
    with pytest.raises(LedgerError) as caught:
        ledger_from_chat([user(), message])
    assert str(caught.value).startswith(place)


def test_responses_items() -> None:
    items = [
        {"role": "developer", "content": "policy"},
        {"role": "user", "content": [{"type": "input_text", "text": "refund 42"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "refund", "arguments": '{"id": 42}', "id": "fc1"},
        {"type": "function_call_output", "call_id": "c1", "output": '{"error": "card expired"}'},
        {"type": "mcp_call", "id": "m1", "name": "ship", "arguments": "{}", "error": "no stock", "output": None},
        {"type": "mcp_call", "id": "m2", "name": "ship", "arguments": "{}", "output": "shipped"},
        {"type": "web_search_call", "id": "w1", "status": "completed", "action": {"query": "x"}},
        {"type": "mcp_approval_request", "id": "a1", "name": "pay", "arguments": '{"amount": 7}'},
        {"type": "mcp_approval_request", "id": "a2", "name": "pay", "arguments": '{"amount": 8}'},
        {"type": "mcp_approval_request", "id": "a3", "name": "pay", "arguments": '{"amount": 9}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "May I?"}]},
        {"role": "user", "content": "some"},
        {"type": "mcp_approval_response", "approval_request_id": "a1", "approve": False, "reason": "over limit"},
        {"type": "mcp_approval_response", "approval_request_id": "a2", "approve": True},
        {
            "type": "mcp_call",
            "id": "m3",
            "name": "pay",
            "arguments": "{}",
            "output": "paid",
            "approval_request_id": "a2",
        },
    ]
    ledger = ledger_from_responses(items)
    assert [(one.id, one.tool, one.outcome.value, one.turn, one.reason) for one in ledger.calls] == [
        ("c1", "refund", "failed", 1, "card expired"),
        ("m1", "ship", "failed", 1, "no stock"),
        ("m2", "ship", "done", 1, ""),
        ("w1", "web_search", "done", 1, ""),
        ("a1", "pay", "refused", 2, "over limit"),
        ("a2", "pay", "done", 2, ""),
        ("a3", "pay", "pending_confirmation", 1, ""),
    ]
    assert ledger.replies == ((1, "May I?"),)
    assert ledger.contexts == ("policy",)


def test_the_shared_conversations() -> None:
    files = sorted((SHARED / "corpus").glob("*.jsonl"))
    if not files:
        pytest.skip("the shared material is not here")
    texts = calling = 0
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            messages = json.loads(line)["messages"]
            for reply in replies_of(messages):
                calling += reply.carries_calls
                texts += not reply.carries_calls
            ledger = ledger_from_chat(messages)
            made = sum(len(message.get("tool_calls") or ()) for message in messages)
            assert len([one for one in ledger.calls if one.tool != "tool_result"]) == made
            assert Ledger.from_json(ledger.to_json()).to_json() == ledger.to_json()
    assert (texts, calling) == (3932, 148)
