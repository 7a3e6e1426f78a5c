"""Tool specs of OpenAI, Anthropic and MCP, and Python functions, as the fields of a `Tool`."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from verifier.tool import LedgerError

OURS = ("write", "report", "words")
SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema")  # OpenAI, Anthropic, MCP
JSON_TYPES: dict[object, str] = {
    str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array", tuple: "array",
    set: "array", type(None): "null",
}  # fmt: skip


def fields_of(spec: object) -> dict[str, Any]:
    """The keyword arguments of `Tool` for a spec (a mapping, a model with `model_dump`) or a Python function.

    Raises `LedgerError` where it has no name.
    """
    if isinstance(spec, Mapping):
        return _of_mapping(spec)
    if hasattr(spec, "model_dump") and not isinstance(spec, type):
        return _of_mapping(spec.model_dump(by_alias=True, exclude_none=True))
    if callable(spec) and hasattr(spec, "__name__"):
        return _of_function(spec)
    raise LedgerError(f": a tool spec is a mapping or a function, not {type(spec).__name__}")


def _of_mapping(spec: Mapping[str, Any]) -> dict[str, Any]:
    inner = next((spec[key] for key in ("function", "custom") if isinstance(spec.get(key), Mapping)), spec)
    name = inner.get("name") or spec.get("name") or spec.get("type")  # a provider's own tool has only a type
    if not isinstance(name, str) or not name or (name == "function" and inner is not spec):
        raise LedgerError(f"/name: the tool spec has no name (its keys: {', '.join(map(str, spec))})")
    fields: dict[str, Any] = {"name": name, "description": str(inner.get("description") or inner.get("title") or "")}
    schema = next((inner[key] for key in SCHEMA_KEYS if inner.get(key) is not None), None)
    if schema is not None:
        if not isinstance(schema, Mapping):
            raise LedgerError(f"/parameters: the tool '{name}' needs a JSON Schema as a mapping")
        fields["parameters"] = schema
    for key in OURS:
        value = inner.get(key, spec.get(key))
        if value is not None:
            fields[key] = value
    hints = spec.get("annotations")
    if "write" not in fields and isinstance(hints, Mapping) and isinstance(hints.get("readOnlyHint"), bool):
        fields["write"] = not hints["readOnlyHint"]
    return fields


def _of_function(function: Any) -> dict[str, Any]:
    try:
        hints = typing.get_type_hints(function)
    except (NameError, TypeError):  # a name that only a type checker knows; the parameters are listed without types
        hints = {}
    properties: dict[str, Any] = {}
    required = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("self", "cls") or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        properties[name] = _schema_of(hints.get(name))
        if parameter.default is parameter.empty:
            required.append(name)
    schema = {"type": "object", "properties": properties, "required": required}
    document = (inspect.getdoc(function) or "").split("\n\n")[0]
    return {"name": function.__name__, "description": " ".join(document.split()), "parameters": schema}


def _schema_of(hint: Any) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _schema_of(arguments[0])
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema_of(argument) for argument in arguments]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    kind = origin or hint
    if isinstance(kind, type) and kind not in JSON_TYPES:
        kind = dict if issubclass(kind, Mapping) else list if issubclass(kind, Sequence) else None
    if kind not in JSON_TYPES:
        return {}
    schema: dict[str, Any] = {"type": JSON_TYPES[kind]}
    if schema["type"] == "array" and arguments and arguments[0] is not Ellipsis:
        schema["items"] = _schema_of(arguments[0])
    return schema
