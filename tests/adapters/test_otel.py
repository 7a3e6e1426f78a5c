"""OpenTelemetry's GenAI spans as a ledger."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from verifier.adapters.otel import ledger_from_spans
from verifier.ledger import Ledger, LedgerError


def said(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts), "finish_reason": "stop"}


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "content": text}


def asks(id: str, name: str, arguments: object) -> dict[str, Any]:
    return {"type": "tool_call", "id": id, "name": name, "arguments": arguments}


def answers(id: str, response: object) -> dict[str, Any]:
    return {"type": "tool_call_response", "id": id, "response": response}


def chat(start: int, before: list[Any], after: list[Any], **more: Any) -> dict[str, Any]:
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps(before),
        "gen_ai.output.messages": json.dumps(after),
        "gen_ai.usage.input_tokens": 7,
    }
    return {
        "start_time": start,
        "end_time": start + 1,
        "attributes": attributes | more,
        "context": {"span_id": f"0x{start}"},
    }


def ran(start: int, name: str, id: str = "", *, error: str = "", **attributes: Any) -> dict[str, Any]:
    held = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": id}
    held |= {f"gen_ai.tool.call.{key}": json.dumps(value) for key, value in attributes.items()}
    status = {"status_code": "ERROR", "description": error} if error else {"status_code": "UNSET"}
    return {"start_time": start, "end_time": start + 1, "attributes": held, "status": status}


def seen(ledger: Ledger) -> list[tuple[str, str, Any, Any]]:
    return [(call.id, call.outcome.value, dict(call.arguments), call.result) for call in ledger.calls]


HELLO = said("user", words("refund 42"))
ASKED = said("assistant", words("One moment."), asks("c1", "refund", {"id": 42}), asks("c2", "refund", {"id": 7}))


def test_calls_with_spans_and_without() -> None:
    after = said("tool", answers("c1", "card expired"))
    spans = [
        chat(30, [HELLO, ASKED, after], [said("assistant", words("It failed."))]),
        chat(10, [HELLO], [ASKED], **{"gen_ai.system_instructions": json.dumps([words("policy")])}),
        ran(20, "refund", "c1", error="card expired", arguments={"id": 42}),
    ]
    ledger = ledger_from_spans(spans)
    assert seen(ledger) == [("c1", "failed", {"id": 42}, None), ("c2", "unknown", {"id": 7}, None)] or seen(ledger) == [
        ("c2", "unknown", {"id": 7}, None),
        ("c1", "failed", {"id": 42}, "card expired"),
    ]
    assert {call.source for call in ledger.calls} == {"history"}
    assert ledger.heard == ((1, "refund 42"),)
    assert ledger.replies == ((1, "One moment."), (1, "It failed."))
    assert ledger.contexts == ("policy",)


def test_edited_arguments_and_results_that_only_a_message_holds() -> None:
    spans = [
        chat(10, [HELLO], [said("assistant", asks("c1", "refund", {"id": 42}))]),
        ran(20, "refund", "c1", arguments={"id": 99}),
        chat(
            30,
            [HELLO, said("assistant", asks("c1", "refund", {"id": 42})), said("tool", answers("c1", '{"ok": true}'))],
            [],
        ),
    ]
    (call,) = ledger_from_spans(spans).calls
    assert (call.arguments, call.requested_arguments, call.result) == ({"id": 99}, {"id": 42}, {"ok": True})


def test_messages_alone_and_a_refusal() -> None:
    asked = said("assistant", asks("c1", "refund", {"id": 1}), asks("c2", "refund", {"id": 2}))
    back = said("tool", answers("c2", "User rejected the tool call"), answers("c1", {"ok": True}))
    first = [HELLO, asked, back]
    yes = said("user", words("yes"))
    spans = [
        chat(10, [HELLO], [asked]),
        chat(20, first, []),
        chat(30, [*first, yes], []),
        chat(40, [*first, yes, yes], []),
    ]
    ledger = ledger_from_spans(spans)
    assert seen(ledger) == [
        ("c1", "done", {"id": 1}, {"ok": True}),
        ("c2", "refused", {"id": 2}, "User rejected the tool call"),
    ]
    assert ledger.heard == ((1, "refund 42"), (2, "yes"), (3, "yes"))


def test_spans_without_messages_retries_nesting_and_running_ones() -> None:
    outer = ran(10, "pay", "c1", arguments={"n": 1}) | {"spanId": "aa", "status": {"code": 2, "message": "timed out"}}
    inner = ran(11, "pay", "", arguments={"n": 1}) | {"spanId": "bb", "parentSpanId": "aa"}
    again = ran(20, "pay", "c1", arguments={"n": 1}, result={"paid": True})
    open_one = ran(30, "ship", "c2") | {"end_time": None}
    ledger = ledger_from_spans([open_one, again, inner, outer])
    assert [(call.id, call.tool, call.outcome.value) for call in ledger.calls] == [
        ("c1", "pay", "unknown"),
        ("c1#2", "pay", "done"),
        ("c2", "ship", "unknown"),
    ]


def test_the_json_of_otlp_and_an_agents_name() -> None:
    def span(name: str, start: int, parent: str = "", **held: str) -> dict[str, Any]:
        attributes = [{"key": key.replace("__", "."), "value": {"stringValue": value}} for key, value in held.items()]
        return {"spanId": name, "parentSpanId": parent, "startTimeUnixNano": str(start),
                "endTimeUnixNano": str(start + 5), "attributes": attributes, "status": {}}  # fmt: skip

    agent = span("a1", 1, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="shop")
    tool = span("b1", 2, "a1", gen_ai__operation__name="execute_tool", gen_ai__tool__name="refund",
                gen_ai__tool__call__arguments='{"id": 4}', gen_ai__tool__call__result="Refunded.")  # fmt: skip
    (call,) = ledger_from_spans({"resourceSpans": [{"scopeSpans": [{"spans": [tool, agent]}]}]}).calls
    assert (call.tool, call.arguments, call.result, call.agent) == ("refund", {"id": 4}, "Refunded.", "shop")


def test_the_sdks_spans() -> None:
    event = SimpleNamespace(
        name="gen_ai.client.inference.operation.details", attributes={"gen_ai.input.messages": [HELLO]}
    )
    status = SimpleNamespace(status_code=SimpleNamespace(name="UNSET"), description=None)
    attributes = {"gen_ai.operation.name": "chat"}
    span = SimpleNamespace(
        attributes=attributes, events=[event], status=status, start_time=1, end_time=2, context=None, parent=None
    )
    assert ledger_from_spans([span]).heard == ((1, "refund 42"),)


def test_what_is_no_span_is_refused() -> None:
    with pytest.raises(LedgerError, match=r"/spans/0: a span is"):
        ledger_from_spans([3])


def exported(run: Any) -> list[Any]:
    """The spans that the SDK hands to an exporter."""
    pytest.importorskip("opentelemetry.sdk.trace")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    run(provider)
    return list(exporter.get_finished_spans())


def test_spans_that_the_sdk_exports() -> None:
    StatusCode = pytest.importorskip("opentelemetry.trace").StatusCode

    def run(provider: Any) -> None:
        tracer = provider.get_tracer("shop")
        told = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shop"}
        with tracer.start_as_current_span("invoke_agent shop", attributes=told):
            for id, result in (("c1", '{"refunded": true}'), ("c2", None)):
                with tracer.start_as_current_span("execute_tool refund") as span:
                    span.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "refund"})
                    span.set_attributes({"gen_ai.tool.call.id": id, "gen_ai.tool.call.arguments": '{"id": 42}'})
                    if result:
                        span.set_attribute("gen_ai.tool.call.result", result)
            with tracer.start_as_current_span("execute_tool pay") as span:
                span.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay"})
                span.set_status(StatusCode.ERROR, "card expired")

    spans = exported(run)
    ledgers = [ledger_from_spans(spans), ledger_from_spans([json.loads(span.to_json()) for span in spans])]
    for ledger in ledgers:
        assert [(call.tool, call.outcome.value, call.agent) for call in ledger.calls] == [
            ("refund", "done", "shop"),
            ("refund", "done", "shop"),
            ("pay", "failed", "shop"),
        ]
        assert ledger.calls[0].result == {"refunded": True}
        assert "card expired" in ledger.calls[2].reason


def test_spans_that_a_framework_writes() -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import Instrumentation
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel
    from pydantic_ai.models.instrumented import InstrumentationSettings

    def answer(messages: Any, info: Any) -> ModelResponse:
        parts = [part for message in messages for part in message.parts]
        if any(isinstance(part, ToolReturnPart) for part in parts):
            return ModelResponse([TextPart("I refunded order 42.")])
        return ModelResponse([ToolCallPart("refund_order", {"order_id": 42}, "c1")])

    def run(provider: Any) -> None:
        settings = InstrumentationSettings(tracer_provider=provider)
        agent = Agent(FunctionModel(answer), capabilities=[Instrumentation(settings)])

        @agent.tool_plain
        def refund_order(order_id: int) -> dict[str, Any]:
            return {"refunded": order_id, "amount": "12.50"}

        agent.run_sync("refund order 42")

    ledger = ledger_from_spans(exported(run))
    (call,) = ledger.calls
    assert (call.tool, call.id, call.outcome.value) == ("refund_order", "c1", "done")
    assert (dict(call.arguments), call.result) == ({"order_id": 42}, {"refunded": 42, "amount": "12.50"})
    assert ledger.heard == ((1, "refund order 42"),)
