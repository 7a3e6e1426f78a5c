"""OpenTelemetry spans in one shape, whether they are the SDK's objects, its JSON, or the JSON of OTLP."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.ledger import LedgerError

Moment = tuple[int, int, str]  # nanoseconds, or a text that sorts by time


@dataclass(frozen=True, slots=True)
class Span:
    """What of a span is read. `error` is its text where it failed; `end` is None while it runs."""

    attributes: Mapping[str, Any]
    start: Moment
    end: Moment | None
    error: str = ""
    id: str = ""
    parent: str = ""


def spans_of(source: Iterable[object] | Mapping[str, Any]) -> list[Span]:
    """All spans of a source, by their start. Raises `LedgerError` for what is none."""
    found = [_span(one, f"/spans/{index}") for index, one in enumerate(_each(source))]
    return sorted(found, key=lambda span: span.start)


def _each(source: Iterable[object] | Mapping[str, Any]) -> Iterator[object]:
    """The spans of a list, or of OTLP's resourceSpans → scopeSpans → spans."""
    if isinstance(source, Mapping):
        for resource in source.get("resourceSpans") or ():
            for scope in resource.get("scopeSpans") or ():
                yield from scope.get("spans") or ()
        return
    for one in source:
        if isinstance(one, Mapping) and "resourceSpans" in one:
            yield from _each(one)
        else:
            yield one


def _span(one: object, place: str) -> Span:
    if isinstance(one, Mapping):
        return _of_mapping(one)
    if not hasattr(one, "attributes") or not hasattr(one, "status"):
        raise LedgerError(f"{place}: a span is an SDK's span or a mapping, not {type(one).__name__}")
    fields: Any = one
    attributes = _with_events(dict(fields.attributes or {}), [(e.name, e.attributes) for e in fields.events or ()])
    status = fields.status
    failed = getattr(status.status_code, "name", "") == "ERROR"
    end = None if fields.end_time is None else _moment(fields.end_time)
    context, parent = fields.context, fields.parent
    error = _error(attributes, failed, status.description)
    id = f"{context.span_id:x}" if context else ""
    return Span(attributes, _moment(fields.start_time), end, error, id, f"{parent.span_id:x}" if parent else "")


def _of_mapping(span: Mapping[str, Any]) -> Span:
    events = [(str(event.get("name")), event.get("attributes")) for event in span.get("events") or ()]
    attributes = _with_events(_plain(span.get("attributes")), [(name, _plain(held)) for name, held in events])
    status = span.get("status") or {}
    failed = status.get("status_code") in ("ERROR", "StatusCode.ERROR") or status.get("code") in (
        2,
        "STATUS_CODE_ERROR",
    )
    end = span.get("endTimeUnixNano", span.get("end_time"))
    context = span.get("context") or {}
    return Span(
        attributes,
        _moment(span.get("startTimeUnixNano", span.get("start_time"))),
        None if end in (None, "", 0, "0") else _moment(end),
        _error(attributes, failed, status.get("message") or status.get("description")),
        _hex(span.get("spanId") or context.get("span_id")),
        _hex(span.get("parentSpanId") or span.get("parent_id")),
    )


def _hex(id: object) -> str:
    return str(id or "").removeprefix("0x").lstrip("0")


def _moment(value: object) -> Moment:
    text = str(value or 0)
    return (0, int(text), "") if text.isascii() and text.isdigit() else (1, 0, text)


def _error(attributes: Mapping[str, Any], failed: bool, description: object) -> str:
    kind = attributes.get("error.type")
    if not failed and not kind:
        return ""
    return str(description or kind or "error")


def _with_events(attributes: dict[str, Any], events: Iterable[tuple[str, object]]) -> dict[str, Any]:
    """Messages may be attributes of an event instead of the span's own."""
    for _, held in events:
        for key, value in held.items() if isinstance(held, Mapping) else ():
            if str(key).startswith("gen_ai."):
                attributes.setdefault(str(key), value)
    return attributes


def _plain(attributes: object) -> dict[str, Any]:
    """Attributes as a mapping: OTLP writes a list of keys and typed values."""
    if isinstance(attributes, Mapping):
        return {str(key): value for key, value in attributes.items()}
    found = {}
    for entry in attributes if isinstance(attributes, list | tuple) else ():
        if isinstance(entry, Mapping) and isinstance(entry.get("key"), str):
            found[entry["key"]] = _value(entry.get("value"))
    return found


def _value(typed: object) -> Any:
    if not isinstance(typed, Mapping) or not typed:
        return None
    kind, value = next(iter(typed.items()))
    if kind == "intValue":
        return int(value)
    if kind == "arrayValue":
        return [_value(one) for one in value.get("values") or ()]
    if kind == "kvlistValue":
        return {one.get("key"): _value(one.get("value")) for one in value.get("values") or ()}
    return value


def decoded(value: object) -> Any:
    """An attribute that holds JSON as a text; what is no JSON stays the text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
