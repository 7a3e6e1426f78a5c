"""A JSON value against a JSON Schema: what is wrong with it, and where.

The keywords that tool specs and our own schema use: type, enum, const, properties, required, additionalProperties,
items, the length and number limits, pattern, anyOf, oneOf, allOf, not and local references. Other keywords
(format, if/then, dependencies) are annotations here: they refuse nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from verifier.data import did_you_mean

MAX_REFERENCES = 64  # a schema that refers to itself without an end is followed no further
MAX_PATTERN_TEXT = 1_000  # a pattern of a tool's author is tried on no longer text: its cost is not ours to know

Found = list[tuple[str, str]]
TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list | tuple),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))
    ),
}
NAMES = {"object": "a mapping", "array": "a list", "string": "a text", "boolean": "true or false", "null": "null"}


def problems(value: Any, schema: Any, place: str = "") -> list[str]:
    """What is wrong with a value, each as `/json/pointer: what`; an empty list where it fits."""
    found: Found = []
    _check(value, schema, place, schema, found, 0)
    return [f"{at}: {what}" for at, what in found]


def pointer(place: str, key: object) -> str:
    """The JSON Pointer (RFC 6901) of a member of what is at `place`."""
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"


def _check(value: Any, schema: Any, place: str, root: Any, found: Found, depth: int) -> None:
    if schema is False:
        found.append((place, "is not allowed here"))
    if not isinstance(schema, Mapping):
        return
    if isinstance(schema.get("$ref"), str) and depth < MAX_REFERENCES:
        _check(value, _referred(schema["$ref"], root), place, root, found, depth + 1)
    _check_kind(value, schema, place, found)
    if isinstance(value, Mapping):
        _check_members(value, schema, place, root, found, depth)
    elif isinstance(value, list | tuple):
        _check_items(value, schema, place, root, found, depth)
    elif isinstance(value, str):
        _check_text(value, schema, place, found)
    elif TYPES["number"](value):
        _check_number(value, schema, place, found)
    _check_choices(value, schema, place, root, found, depth)


def _referred(reference: str, root: Any) -> Any:
    node = root
    for part in reference.removeprefix("#").split("/")[1:]:
        if not isinstance(node, Mapping):
            return None
        node = node.get(part.replace("~1", "/").replace("~0", "~"))
    return node


def _check_kind(value: Any, schema: Mapping[str, Any], place: str, found: Found) -> None:
    wanted = schema.get("type")
    kinds = [wanted] if isinstance(wanted, str) else list(wanted or ())
    if kinds and not any(kind in TYPES and TYPES[kind](value) for kind in kinds):
        names = " or ".join(NAMES.get(kind, f"a {kind}") for kind in kinds)
        found.append((place, f"must be {names}, not {value!r:.80}"))
    choices = schema.get("enum")
    if isinstance(choices, list) and not any(_same(value, choice) for choice in choices):
        texts = [choice for choice in choices if isinstance(choice, str)]
        hint = did_you_mean(value, texts, "allowed") if isinstance(value, str) else f"allowed: {choices!r:.200}"
        found.append((place, f"cannot be {value!r:.80}; {hint}"))
    if "const" in schema and not _same(value, schema["const"]):
        found.append((place, f"must be {schema['const']!r:.80}, not {value!r:.80}"))


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: in Python True is 1, in JSON it is not."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _check_members(value: Mapping[str, Any], schema: Any, place: str, root: Any, found: Found, depth: int) -> None:
    known = schema.get("properties")
    known = known if isinstance(known, Mapping) else {}
    for key in schema.get("required") or ():
        if key not in value:
            found.append((place, f"the key '{key}' is missing"))
    rest = schema.get("additionalProperties", True)
    for key, member in value.items():
        if key in known:
            _check(member, known[key], pointer(place, key), root, found, depth)
        elif rest is False:
            found.append(
                (pointer(place, key), f"the key '{key}' is not known; {did_you_mean(str(key), known, 'keys here')}")
            )
        elif rest is not True:
            _check(member, rest, pointer(place, key), root, found, depth)


def _check_items(value: Any, schema: Any, place: str, root: Any, found: Found, depth: int) -> None:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if isinstance(least, int) and len(value) < least:
        found.append((place, f"needs at least {least} items, not {len(value)}"))
    if isinstance(most, int) and len(value) > most:
        found.append((place, f"may hold at most {most} items, not {len(value)}"))
    if "items" in schema:
        for at, item in enumerate(value):
            _check(item, schema["items"], pointer(place, at), root, found, depth)


def _check_text(value: str, schema: Mapping[str, Any], place: str, found: Found) -> None:
    least, most, pattern = schema.get("minLength"), schema.get("maxLength"), schema.get("pattern")
    if isinstance(least, int) and len(value) < least:
        found.append((place, f"needs at least {least} characters, not {len(value)}"))
    if isinstance(most, int) and len(value) > most:
        found.append((place, f"may have at most {most} characters, not {len(value)}"))
    if isinstance(pattern, str) and len(value) <= MAX_PATTERN_TEXT:
        compiled = _compiled(pattern)
        if compiled is not None and not compiled.search(value):
            found.append((place, f"does not have the form {pattern}: {value!r:.80}"))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:  # JSON Schema has ECMAScript's patterns, and some of them are not Python's
        return None


LIMITS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (lambda value, limit: value >= limit, "at least"),
    "maximum": (lambda value, limit: value <= limit, "at most"),
    "exclusiveMinimum": (lambda value, limit: value > limit, "more than"),
    "exclusiveMaximum": (lambda value, limit: value < limit, "less than"),
}


def _check_number(value: Any, schema: Mapping[str, Any], place: str, found: Found) -> None:
    for key, (fits, words) in LIMITS.items():
        limit = schema.get(key)
        if TYPES["number"](limit) and not fits(value, limit):
            found.append((place, f"must be {words} {limit}, not {value!r:.80}"))


def _check_choices(value: Any, schema: Mapping[str, Any], place: str, root: Any, found: Found, depth: int) -> None:
    for part in schema.get("allOf") or ():
        _check(value, part, place, root, found, depth + 1)
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if not isinstance(options, list):
            continue
        results: list[Found] = []
        for option in options:
            results.append([])
            _check(value, option, place, root, results[-1], depth + 1)
        fitting = sum(not result for result in results)
        if not fitting:
            # The option that got furthest says best what is wrong.
            found.extend(max(results, key=lambda result: max(len(at) for at, _ in result)) if results else ())
        elif key == "oneOf" and fitting > 1:
            found.append((place, f"fits {fitting} of the forms of which it must have one"))
    if "not" in schema:
        inner: Found = []
        _check(value, schema["not"], place, root, inner, depth + 1)
        if not inner:
            found.append((place, "has a form that is not allowed here"))
