"""MCP's results as outcomes and calls, and a traffic of messages as a ledger."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from verifier.adapters.mcp import call_of, call_tool, ledger_from_traffic, outcome_of_result
from verifier.ledger import Ledger, LedgerError, Tool


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


@pytest.mark.parametrize(
    ("result", "outcome", "kept", "reason"),
    [
        ({"content": [text("Refunded.")]}, "done", "Refunded.", ""),
        ({"content": [text('{"a": 1}')], "structuredContent": {"a": 1}, "isError": False}, "done", {"a": 1}, ""),
        ({"content": [text("card expired")], "isError": True}, "failed", "card expired", "card expired"),
        ({"content": [], "resultType": "input_required"}, "pending_confirmation", None, ""),
        ({"content": [text("Error: no stock")]}, "failed", "Error: no stock", "no stock"),
        ({"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}]}, "done",
         [{"type": "image", "mimeType": "image/png"}], ""),
        ({"content": [], "_meta": {"x": 1}}, "done", None, ""),
        (None, "unknown", None, ""),
    ],
)  # fmt: skip
def test_a_result_as_a_call(result: object, outcome: str, kept: object, reason: str) -> None:
    call = call_of("refund", {"id": 42}, result)
    assert (call.outcome.value, call.result, call.reason, call.source) == (outcome, kept, reason, "history")


def test_models_are_results() -> None:
    class Model:
        def model_dump(self, **options: bool) -> dict[str, Any]:
            return {"content": [text("boom")], "isError": True}

    assert outcome_of_result(Model(), tool="refund") == "failed"
    with pytest.raises(LedgerError):
        outcome_of_result("boom")


def request(id: int, name: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments or {}, **more}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def answer(id: int, **result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def test_a_traffic() -> None:
    listed = [
        {"name": "refund", "inputSchema": {}, "annotations": {"readOnlyHint": False}},
        {"name": "settle", "inputSchema": {}, "annotations": {"readOnlyHint": True}},
    ]
    ledger = ledger_from_traffic(
        [
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}},
            answer(0, capabilities={}),
            {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            answer(1, tools=listed),
            request(2, "refund", {"id": 42}),
            request(3, "settle"),
            {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}},
            answer(3, content=[text("ok")]),
            {"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "no such order"}},
            request(2, "refund", {"id": 43}),
            answer(2, content=[], resultType="input_required", requestState="s"),
            request(9, "refund", {"id": 43}, requestState="s", inputResponses={}),
            answer(9, content=[text("Refunded.")]),
            request(10, "refund", {"id": 44}),
        ]
    )
    assert [(call.id, call.tool, call.outcome.value, call.reason) for call in ledger.calls] == [
        ("2", "refund", "failed", "no such order"),
        ("3", "settle", "done", ""),
        ("2#2", "refund", "done", ""),
        ("10", "refund", "unknown", ""),
    ]
    assert [(tool.name, tool.write) for tool in ledger.tools] == [("refund", True), ("settle", False)]
    assert {call.source for call in ledger.calls} == {"history"}
    with pytest.raises(LedgerError, match="/messages/0/params"):
        ledger_from_traffic([{"id": 1, "method": "tools/call"}])


def test_calls_are_recorded_as_they_run() -> None:
    async def session(name: str, arguments: dict[str, Any]) -> object:
        if arguments["id"] == 1:
            raise TimeoutError
        if arguments["id"] == 2:
            raise ValueError("no such order")
        return {"content": [text("Refunded.")]}

    async def run() -> Ledger:
        ledger = Ledger([Tool("refund")])
        for id in (1, 2):
            with pytest.raises((TimeoutError, ValueError)):
                await call_tool(session, ledger, "refund", {"id": id})
        assert await call_tool(session, ledger, "refund", {"id": 3}) == {"content": [text("Refunded.")]}
        return ledger

    calls = asyncio.run(run()).calls
    assert [(call.outcome.value, call.source, call.reason) for call in calls] == [
        ("unknown", "executed", ""),
        ("failed", "executed", "no such order"),
        ("done", "executed", ""),
    ]
