"""OpenTelemetry's GenAI spans as a ledger. Nothing of OpenTelemetry is imported.

The names are string literals: the conventions moved to a repository of their own and are still in development
(open-telemetry/semantic-conventions-genai). Tool approval is not standardised; a refusal is read from the result.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from verifier.adapters.otel_spans import Moment, Span, decoded, spans_of
from verifier.conversation import Conversation, as_arguments
from verifier.ledger import Ledger, Tool

MODEL = ("chat", "generate_content", "text_completion")
INPUT, OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
MAX_ANCESTORS = 64


def ledger_from_spans(
    spans: Iterable[object] | Mapping[str, Any], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of one conversation's spans: the SDK's, its JSON, or OTLP's JSON, in any order.

    An `execute_tool` span is a call that ran, with the arguments that ran; a call that the model asked for and that no
    span and no response shows is `unknown`. Where a trace holds no results, outcomes are known and values are not.
    Raises `LedgerError`.
    """
    trace = _Trace(spans_of(spans), Conversation(tools, now=now))
    for _, _, act, span in sorted(trace.acts(), key=lambda entry: entry[:2]):
        act(span)
    trace.conversation.flush()
    return trace.conversation.ledger


class _Trace:
    """The spans, what they tell of each call id, and which messages have been read."""

    def __init__(self, spans: list[Span], conversation: Conversation) -> None:
        self.conversation = conversation
        self.by_id = {span.id: span for span in spans if span.id}
        self.ran = [span for span in spans if self._is_call(span)]
        models = [span for span in spans if span.attributes.get("gen_ai.operation.name") in MODEL]
        told = [span for span in models if INPUT in span.attributes or OUTPUT in span.attributes]
        self.models = told or [span for span in spans if INPUT in span.attributes or OUTPUT in span.attributes]
        self.executed = Counter(_call_id(span) for span in self.ran)
        self.nameless = Counter(_tool(span) for span in self.ran if not _call_id(span))
        self.asked: dict[str, list[Any]] = defaultdict(list)  # id, or tool, -> the arguments that the model gave
        self.responses: dict[str, list[Any]] = defaultdict(list)
        self.read: Counter[str] = Counter()
        for message in self._all_messages():
            for part in _parts(message):
                if part.get("type") == "tool_call_response":
                    self.responses[str(part.get("id") or "")].append(_response(part))

    def acts(self) -> Iterator[tuple[Moment, int, Any, Span]]:
        """What happened when; a model's message comes before the calls that it asks for."""
        for span in self.models:
            yield span.start, 1, self._heard, span
            yield span.end or span.start, 0, self._said, span
        for span in self.ran:
            yield span.start, 2, self._called, span

    def _all_messages(self) -> Iterator[Mapping[str, Any]]:
        """Every message once: each span repeats the conversation so far."""
        counted: Counter[str] = Counter()
        for span in self.models:
            here: Counter[str] = Counter()
            for message in (*_messages(span, INPUT), *_messages(span, OUTPUT)):
                key = _key(message)
                here[key] += 1
                if here[key] > counted[key]:
                    counted[key] += 1
                    yield message

    def _is_call(self, span: Span) -> bool:
        """Whether a span runs a tool, and is not the same call seen again further in (a client's, a server's)."""
        if span.attributes.get("gen_ai.operation.name") != "execute_tool":
            return False
        return all(
            above.attributes.get("gen_ai.operation.name") != "execute_tool" or _tool(above) != _tool(span)
            for above in self._above(span)
        )

    def _above(self, span: Span) -> Iterator[Span]:
        for _ in range(MAX_ANCESTORS):
            parent = self.by_id.get(span.parent)
            if parent is None:
                return
            yield (span := parent)

    def _agent(self, span: Span) -> str:
        names = (one.attributes.get("gen_ai.agent.name") for one in (span, *self._above(span)))
        return next((str(name) for name in names if name), "")

    def _heard(self, span: Span) -> None:
        for spec in _list(span.attributes.get("gen_ai.tool.definitions")):
            tool = Tool.from_spec(spec)
            if self.conversation.ledger.tool(tool.name) is None:
                self.conversation.ledger.add_tool(tool)
        system = _list(span.attributes.get("gen_ai.system_instructions"))
        if system:
            self._message({"role": "system", "parts": system}, Counter(), span)
        here: Counter[str] = Counter()
        for message in _messages(span, INPUT):
            self._message(message, here, span)

    def _said(self, span: Span) -> None:
        here = Counter(_key(message) for message in _messages(span, INPUT))
        for message in _messages(span, OUTPUT):
            self._message(message, here, span)

    def _message(self, message: Mapping[str, Any], here: Counter[str], span: Span) -> None:
        """Read a message unless an earlier span showed it: `here` counts it within this span."""
        key = _key(message)
        here[key] += 1
        if here[key] <= self.read[key]:
            return
        self.read[key] += 1
        role, parts = message.get("role"), list(_parts(message))
        text = "\n".join(_text(part) for part in parts if part.get("type") == "text")
        if role in ("system", "developer"):
            self.conversation.context(text)
        elif role == "user" and text:
            self.conversation.heard(text)
        elif role == "assistant":
            self.conversation.said(text)
        for part in parts:
            self._part(part, span)

    def _part(self, part: Mapping[str, Any], span: Span) -> None:
        id, name = str(part.get("id") or ""), str(part.get("name") or "")
        if part.get("type") == "tool_call" and name:
            arguments = as_arguments(part.get("arguments"))
            if self.executed[id] and id:
                self.asked[id].append(arguments)
            elif self.nameless[name]:
                self.nameless[name] -= 1
                self.asked[f" {name}"].append(arguments)
            else:
                self.conversation.called(name, arguments, id, self._agent(span))
        elif part.get("type") == "tool_call_response" and not self.executed[id] and (id or not self.ran):
            self.conversation.returned(id, _response(part))

    def _called(self, span: Span) -> None:
        held, id, tool = span.attributes, _call_id(span), _tool(span)
        asked = self.asked[id or f" {tool}"]
        requested = asked.pop(0) if asked else None
        given = decoded(held.get("gen_ai.tool.call.arguments"))
        ran = None if given is None else as_arguments(given)
        arguments = requested if requested is not None else ran or {}
        self.conversation.called(tool, arguments, id, self._agent(span))
        if span.end is None:
            return
        value = held.get("gen_ai.tool.call.result")
        if value is None and self.responses[id]:
            value = self.responses[id].pop(0)
        self.conversation.returned(id, value, error=span.error or None, name=tool, ran=ran)


def _call_id(span: Span) -> str:
    return str(span.attributes.get("gen_ai.tool.call.id") or "")


def _tool(span: Span) -> str:
    return str(span.attributes.get("gen_ai.tool.name") or "tool")


def _list(value: object) -> list[Mapping[str, Any]]:
    found = decoded(value)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list | tuple) else []


def _messages(span: Span, key: str) -> list[Mapping[str, Any]]:
    return _list(span.attributes.get(key))


def _parts(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    parts = _list(message.get("parts"))
    return parts or ([{"type": "text", "content": message["content"]}] if message.get("content") else [])


def _text(part: Mapping[str, Any]) -> str:
    found = part.get("content", part.get("text"))
    return found if isinstance(found, str) else ""


def _response(part: Mapping[str, Any]) -> Any:
    return part.get("response", part.get("result"))


def _key(message: Mapping[str, Any]) -> str:
    return json.dumps([message.get("role"), _parts(message)], sort_keys=True, default=str)
