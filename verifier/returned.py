"""What a tool returned, in whichever wrapping: JSON in text, MCP content, `key: value` lines, plain prose."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from verifier.outcome_rules import OutcomeRules, plain

MAX_LITERAL_CHARS = 20_000  # Python's own notation is read by a parser that is slow on long texts
MAX_LINES = 200  # of a text are looked at for `key: value`
MAX_KEY_CHARS = 40
MAX_BEGINNING = 160
MAX_WRAPPINGS = 4
CROSSES = "✗✘❌✖"
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Returned:
    """A result taken apart.

    `record` is the innermost mapping, `levels` it and what wraps it, `items` the list of things done one by one.
    `beginning` and `error` are words (see `plain`); `prose` is whether the result is a text that is no JSON.
    """

    levels: tuple[Mapping[str, Any], ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[Any, ...] = ()
    beginning: str = ""
    error: str = ""
    failed: bool = False
    raised: bool = False
    prose: bool = False
    error_beginning: bool = False
    code: int = 0  # the HTTP code with which a text begins
    crossed: bool = False


def unwrap(result: object, error: object, rules: OutcomeRules) -> Returned:
    """The result, and the error (an exception, its text, or a flag), taken apart."""
    value = result
    flagged = bool(error)
    for _ in range(MAX_WRAPPINGS):
        if isinstance(value, str | bytes):
            inner = parsed(value if isinstance(value, str) else value.decode("utf-8", "replace"))
        else:
            flagged = flagged or _is_flagged(value)
            inner = _content(value)
        if inner is value:
            break
        value = inner
    said = _said(error)
    if isinstance(value, str):
        return _of_text(value, said, flagged, bool(error), rules)
    if value is False:  # `remove(…) -> bool`
        return Returned(error=said, failed=True, raised=bool(error))
    levels = _levels(value, rules)
    record = levels[-1] if levels else NOTHING
    return Returned(levels, record, _items(value, levels, rules), _message(levels, rules), said, flagged, bool(error))


def _said(error: object) -> str:
    """An error as words; the name of an exception's class is part of it (`ReadTimeout`)."""
    if isinstance(error, BaseException):
        lost = isinstance(error, TimeoutError | ConnectionError) and not isinstance(error, ConnectionRefusedError)
        kind = "timeout " if lost else ""
        return f"{kind}{plain(type(error).__name__)} {plain(str(error)[:MAX_BEGINNING])}".strip()
    return plain(error[:MAX_BEGINNING]) if isinstance(error, str) else ""


def parsed(text: str) -> Any:
    """The JSON (or the Python literal) that a text holds; else the text itself."""
    bare = text.strip()
    if bare[:1] not in ("{", "[", '"') and bare not in ("null", "true", "false"):
        return text
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        pass
    if len(bare) <= MAX_LITERAL_CHARS and bare[:1] in ("{", "["):
        try:
            return ast.literal_eval(bare)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            pass
    return text


def content_text(value: object) -> str | None:
    """The text of a message's content, which is a text or a list of parts; None where it is neither."""
    return value if isinstance(value, str) else _parts(value)


def _parts(value: object) -> str | None:
    """The texts of content in parts (MCP, OpenAI, Anthropic), or None where this is no such list."""
    if not isinstance(value, list | tuple) or not value:
        return None
    if not all(isinstance(part, Mapping) and isinstance(part.get("type"), str) for part in value):
        return None
    texts = [part["text"] for part in value if isinstance(part.get("text"), str)]
    return "\n".join(texts) if texts else None


def _content(value: object) -> Any:
    """What is inside MCP's result or a list of content parts; else the value itself."""
    if isinstance(value, Mapping) and isinstance(value.get("content"), list | tuple):
        structured = value.get("structuredContent")
        inner = _parts(value["content"])
        if isinstance(structured, Mapping):
            return structured
        return inner if inner is not None else value
    inner = _parts(value)
    return inner if inner is not None else value


def _is_flagged(value: object) -> bool:
    return isinstance(value, Mapping) and (value.get("isError") is True or value.get("is_error") is True)


def _levels(value: object, rules: OutcomeRules) -> tuple[Mapping[str, Any], ...]:
    levels: list[Mapping[str, Any]] = []
    while isinstance(value, Mapping) and len(levels) < MAX_WRAPPINGS:
        levels.append(value)
        inner = [item for key, item in value.items() if rules.has("wrappers", plain(str(key)[:MAX_KEY_CHARS]))]
        value = next((item for item in inner if isinstance(item, Mapping) and item), None)
    return tuple(levels)


def _items(value: object, levels: tuple[Mapping[str, Any], ...], rules: OutcomeRules) -> tuple[Any, ...]:
    if isinstance(value, list | tuple):
        return tuple(value)
    for level in levels:
        for key, item in level.items():
            if isinstance(item, list | tuple) and item and rules.has("item_lists", plain(str(key)[:MAX_KEY_CHARS])):
                return tuple(item)
    return ()


def _message(levels: tuple[Mapping[str, Any], ...], rules: OutcomeRules) -> str:
    """The words of an error text inside a record: a framework's refusal can come as one."""
    for level in levels:
        for key, value in level.items():
            if isinstance(value, str) and rules.has("error_keys", plain(str(key)[:MAX_KEY_CHARS])):
                return plain(value[:MAX_BEGINNING])
    return ""


def _of_text(text: str, said: str, flagged: bool, raised: bool, rules: OutcomeRules) -> Returned:
    bare = text.strip()
    first = bare[:MAX_BEGINNING].split("\n")[0]
    lines = _lines(bare, rules)
    return Returned(
        levels=(lines,) if lines else (),
        beginning="" if _is_empty_field(first) else plain(first),
        error=said,
        failed=flagged,
        raised=raised,
        prose=bool(bare) and not lines,
        error_beginning=_starts_with_error(first, rules) or _is_exit(first),
        code=_http_code(first),
        crossed=bare[:1] in CROSSES and bool(bare),
    )


def _starts_with_error(first: str, rules: OutcomeRules) -> bool:
    """`Error: …`, `ValueError: …`, `[ERROR] …`, `Traceback …`; never a field like `error_count: 3`."""
    start = 0
    while start < len(first) and not first[start].isalnum():
        start += 1
    end = start
    while end < len(first) and (first[end].isalnum() or first[end] in "_."):
        end += 1
    word, after = first[start:end].rstrip("."), first[end : end + 1]
    if after not in (":", " ", "", "]", "*", "(") or "_" in word:
        return False
    rest = plain(first[end:])
    if rest in ("none", "null", "false", "0", "no error") or (after in ("", " ") and rest in ("free",)):
        return False
    names = [plain(part).split(" ")[-1] for part in word.split(".")]  # requests.exceptions.HTTPError
    module = any(name in ("errors", "exceptions") for name in names[:-1])
    return module or rules.has("error_beginnings", names[-1])


def _is_empty_field(first: str) -> bool:
    """`failed_segment: 3` and `Failed: 0` are fields of what was done, not how an error text begins."""
    key, colon, value = first.partition(":")
    return bool(colon) and (
        ("_" in key and " " not in key.strip()) or plain(value) in ("0", "none", "null", "no", "false")
    )


def _is_exit(first: str) -> bool:
    """`Exit code 2`."""
    words = plain(first).split(" ")
    return words[:2] == ["exit", "code"] and len(words) > 2 and words[2].isdecimal() and words[2] != "0"


def _http_code(first: str) -> int:
    """The code of a text like `HTTP 404 …` or `503 Service Unavailable`; 0 where there is none."""
    words = plain(first).split(" ")
    numbers = [word for word in words[:4] if len(word) == 3 and word.isascii() and word.isdecimal()]
    if not numbers:
        return 0
    try:
        code = HTTPStatus(int(numbers[0]))
    except ValueError:
        return 0
    named = words[0] == numbers[0] and " ".join(words[1:]).startswith(plain(code.phrase))
    return int(code) if named or words[0] == "http" else 0


STRUCTURE = (
    "success_keys", "exit_keys", "http_keys", "committed_keys", "trial_keys", "call_status_keys", "approval_keys",
    "needs_approval_keys",
)  # fmt: skip


def _lines(text: str, rules: OutcomeRules) -> dict[str, Any]:
    """The fields of `key: value` lines that speak of the call; others (a `Status:` in prose) are the record's."""
    found: dict[str, Any] = {}
    for line in text.split("\n", MAX_LINES)[:MAX_LINES]:
        key, colon, value = line[: 2 * MAX_BEGINNING].partition(":")
        words = plain(key[:MAX_KEY_CHARS]) if colon and len(key) <= MAX_KEY_CHARS else ""
        if words and any(rules.has(name, words) for name in STRUCTURE):
            found[words] = value.strip().strip("\"',")
    return found


REASON_KEYS = ("error", "errors", "reason", "message", "detail", "msg", "erro", "motivo", "mensagem")


def error_text(result: object, rules: OutcomeRules) -> str:
    """The text of an error inside a result: that of a field named so, or the first line without `Error:`."""
    value = parsed(result) if isinstance(result, str) else result
    value = _content(value)
    if isinstance(value, str):
        first = value.strip().split("\n")[0]
        head, colon, rest = first.partition(":")
        return rest.strip() if colon and rest.strip() and _starts_with_error(head + ":", rules) else first
    for level in _levels(value, rules):
        for key in REASON_KEYS:
            found = level.get(key)
            if isinstance(found, Mapping):
                found = found.get("message")
            if isinstance(found, str) and found.strip():
                return found.strip().split("\n")[0]
    return ""
