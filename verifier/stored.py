"""A ledger as JSON: one document, or JSON Lines with an event on each line (verifier/ledger.schema.json)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from verifier.call import Call
from verifier.schema import problems
from verifier.tool import LedgerError, Tool

if TYPE_CHECKING:
    from verifier.ledger import Event, Ledger

    L = TypeVar("L", bound=Ledger)

VERSION = 1


@cache
def schema() -> Mapping[str, Any]:
    """The published JSON Schema."""
    found: Mapping[str, Any] = json.loads((files("verifier") / "ledger.schema.json").read_text(encoding="utf-8"))
    return found


def read(source: str | bytes | Mapping[str, Any], kind: Callable[[], L]) -> L:
    """A ledger from its document, its text, or the text of its JSON Lines. Raises `LedgerError`."""
    if isinstance(source, Mapping):
        return _of_document(source, kind)
    if isinstance(source, bytes | bytearray):
        try:
            source = source.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise LedgerError(f": byte {error.start} is not UTF-8") from None
    if not isinstance(source, str):
        raise LedgerError(f": must be JSON text or a mapping, not {type(source).__name__}")
    first, _, rest = source.partition("\n")
    if '"event"' in first and (rest or _is_event(first)):
        return _of_lines(source.split("\n"), kind)
    found = parse(source, "")
    if not isinstance(found, Mapping):
        raise LedgerError(f": a ledger is a mapping, not {found!r:.80}")
    return _of_document(found, kind)


def _is_event(text: str) -> bool:
    found = parse(text, "")
    return isinstance(found, dict) and "event" in found


def parse(text: str, place: str) -> Any:
    """A JSON text; a key that stands twice is refused, as are NaN and what nests too deep. Raises `LedgerError`."""
    if not text.strip():
        raise LedgerError(f"{place}: no JSON: the text is empty")
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        at = f"{place}:{error.colno}" if place else f"line {error.lineno}, column {error.colno}"
        raise LedgerError(f"{at}: broken JSON: {error.msg}") from None
    except RecursionError:
        raise LedgerError(f"{place}: the JSON nests too deep") from None
    except ValueError as error:
        raise LedgerError(f"{place}: broken JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key '{twice}' is written twice")
    return found


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Errors inside name this place first."""
    try:
        yield
    except LedgerError as error:
        raise LedgerError([f"{place}{problem}" for problem in error.problems]) from None


def _check(value: Any, part: str, place: str) -> None:
    whole = schema()
    found = problems(value, {"$ref": part, "$defs": whole["$defs"]} if part else whole)
    if found:
        raise LedgerError([f"{place}{problem}" for problem in found])


def _of_document(source: Mapping[str, Any], kind: Callable[[], L]) -> L:
    if "version" in source and source["version"] != VERSION:
        raise LedgerError(f"/version: this reads version {VERSION} of a ledger, not {source['version']!r:.80}")
    _check(source, "", "")
    ledger = kind()
    for at, tool in enumerate(source.get("tools", ())):
        with _at(f"/tools/{at}"):
            ledger.add_tool(Tool(**tool))
    ledger.closed = not source.get("open", not source.get("tools"))
    for text in source.get("context", ()):
        ledger.context(text)
    if source.get("now") is not None:
        ledger.now = source["now"]
    last = _last_turn(source)
    for turn, key, at, entry in _in_order(source, last):
        with _at(f"/{key}/{at}"):
            if turn > last:
                raise LedgerError(f"/turn: is {turn}, later than the ledger's {last}")
            while ledger.turn < turn:
                ledger.begin_turn()
            _apply(ledger, key, {**entry, "turn": turn} if key == "calls" else entry)
    while ledger.turn < last:
        ledger.begin_turn()
    return ledger


def _last_turn(source: Mapping[str, Any]) -> int:
    if "turn" in source:
        return int(source["turn"])
    lists = (source.get(key, ()) for key in ("calls", "settled", "heard", "replies"))
    return max((int(entry.get("turn", 1)) for entries in lists for entry in entries), default=1)


def _in_order(source: Mapping[str, Any], last: int) -> Iterable[tuple[int, str, int, Mapping[str, Any]]]:
    """What has turns, turn by turn: heard, calls, settled, replies; each list in its own order."""
    found = []
    for rank, key in enumerate(("heard", "calls", "settled", "replies")):
        before = 1
        for at, entry in enumerate(source.get(key, ())):
            turn = int(entry.get("turn", last))
            if turn < before:
                raise LedgerError(f"/{key}/{at}/turn: cannot be {turn} after {before}: turns do not go back")
            before = turn
            found.append((turn, rank, at, key, entry))
    found.sort(key=lambda item: item[:3])
    return ((turn, key, at, entry) for turn, _, at, key, entry in found)


def _apply(ledger: Ledger, key: str, entry: Mapping[str, Any]) -> None:
    if key in ("calls", "call"):
        ledger.add(Call(**entry))
    elif key in ("settled", "settle"):
        said = (entry["outcome"], entry.get("result"), entry.get("reason", ""))
        ledger.settle(entry["id"], *said, arguments=entry.get("arguments"))
    elif key == "heard":
        ledger.hear(entry["text"])
    elif key in ("replies", "reply"):
        ledger.replied(entry["text"])
    elif key == "context":
        ledger.context(entry["text"])
    elif key == "tool":
        ledger.add_tool(Tool(**entry["tool"]))
    elif key == "now":
        ledger.now = entry["now"]
    elif key == "turn":
        if entry["turn"] != ledger.turn + 1:
            raise LedgerError(f"/turn: cannot be {entry['turn']}: the ledger is in turn {ledger.turn}")
        ledger.begin_turn()


def _of_lines(lines: Iterable[str], kind: Callable[[], L]) -> L:
    ledger = kind()
    seen = False
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        place = f"line {number}"
        entry = parse(text, place)
        _check(entry, "#/$defs/event", f"{place} ")
        event = entry["event"]
        _check(entry, f"#/$defs/event.{event}", f"{place} ")
        if (event == "ledger") == seen:
            what = "stands twice" if seen else "must come first"
            raise LedgerError(f'{place}: the line {{"event": "ledger", "version": {VERSION}}} {what}')
        with _at(f"{place} "):
            if event == "ledger":
                ledger.closed = not entry.get("open", False)
            else:
                _apply(ledger, event, entry[event] if event in ("call", "settle") else entry)
        seen = True
    return ledger


def document(ledger: Ledger) -> dict[str, Any]:
    """The ledger as one JSON document; calls as first recorded, and what became of them later."""
    calls, settled = [], []
    for event in ledger.events():
        if event.kind == "call":
            calls.append(event.value.to_dict())
        elif event.kind == "settle":
            settled.append({**_settled(event.value), "turn": event.turn})
    found: dict[str, Any] = {
        "version": VERSION,
        "tools": [tool.to_dict() for tool in ledger.tools],
        "open": not ledger.closed,
        "turn": ledger.turn,
        "now": ledger.now.isoformat() if ledger.now is not None else None,
        "calls": calls,
        "settled": settled,
        "heard": [{"turn": turn, "text": text} for turn, text in ledger.heard],
        "replies": [{"turn": turn, "text": text} for turn, text in ledger.replies],
        "context": list(ledger.contexts),
    }
    return found


def _settled(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = {"id": call.id, "outcome": call.outcome.value}
    if call.result is not None:
        found["result"] = call.result
    if call.reason:
        found["reason"] = call.reason
    if call.requested_arguments is not None:
        found["arguments"] = call.arguments
    return found


def line(event: Event) -> dict[str, Any]:
    """One event as the JSON of its line."""
    value = event.value
    if event.kind == "tool":
        return {"event": "tool", "tool": value.to_dict()}
    if event.kind == "call":
        return {"event": "call", "call": value.to_dict()}
    if event.kind == "settle":
        return {"event": "settle", "settle": _settled(value)}
    if event.kind == "turn":
        return {"event": "turn", "turn": value}
    if event.kind == "now":
        return {"event": "now", "now": value.isoformat() if value is not None else None}
    return {"event": event.kind, "text": value}


def header(ledger: Ledger) -> dict[str, Any]:
    """The first line of JSON Lines."""
    return {"event": "ledger", "version": VERSION, "open": not ledger.closed}


def dump(value: Any) -> str:
    """JSON text; as ASCII only where it holds half a character that no encoding can write."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False)
    return text
