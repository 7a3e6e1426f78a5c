"""What the command line is given, turned into replies to check: text, chats, stored turns, JSON Lines.

Every mistake in an input is one `BadInput`, whose text starts with the file and the place.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.ledger import Ledger, Tool

STDIN = "-"
SOURCE_LIMIT = 256 * 1024 * 1024  # bytes; a larger file is for the batch runner, which does not hold it in memory


class BadInput(Exception):
    """The input cannot be used; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply to check: what the person said before it, and the ledger as it stood when it was written."""

    where: str
    heard: str
    reply: str
    ledger: Ledger
    final: bool = True
    language: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A file (or the standard input) as it was read: the name for messages, and the text, line ends as they are."""

    name: str
    text: str


def read_source(path: str) -> Source:
    """The text of a file, or of the standard input for `-`. Raises `BadInput`."""
    name = "standard input" if path == STDIN else path
    try:
        raw = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{name}: cannot be read: {error.strerror}") from None
    if len(raw) > SOURCE_LIMIT:
        raise BadInput(f"{name}: is larger than {SOURCE_LIMIT >> 20} MiB; split it")
    try:
        return Source(name, raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: byte {error.start} is not UTF-8; save the file as UTF-8") from None


def read_ledger(path: str) -> Ledger:
    """A ledger from its JSON or JSON Lines. Raises `BadInput` with every wrong place."""
    source = read_source(path)
    try:
        return Ledger.from_json(source.text)
    except ValueError as error:
        raise BadInput(located(source.name, error)) from None


def read_tools(path: str) -> tuple[Tool, ...]:
    """Tools from a JSON list of function specs (or an object with such a list under "tools"). Raises `BadInput`."""
    source = read_source(path)
    found = parse(source.text, source.name)
    if isinstance(found, Mapping):
        found = found.get("tools")
    return tools_of(found, source.name)


def tools_of(specs: object, name: str) -> tuple[Tool, ...]:
    """Tools from function specs. Raises `BadInput`."""
    if not isinstance(specs, list):
        raise BadInput(f'{name}: tools must be a list of function specs, or an object that holds one under "tools"')
    found: list[Tool] = []
    for at, spec in enumerate(specs):
        try:
            found.append(Tool.from_spec(spec))
        except ValueError as error:
            raise BadInput(located(f"{name}: /tools/{at}", error)) from None
    return tuple(found)


def turns_of_reply(path: str, ledger_path: str) -> Iterator[Turn]:
    """The one reply that a text file holds, with the ledger of another file. Raises `BadInput`."""
    if path == ledger_path == STDIN:
        raise BadInput("standard input: cannot be both the reply and the ledger")
    source = read_source(path)
    ledger = read_ledger(ledger_path)
    yield Turn(source.name, last_heard(ledger), source.text, ledger)


def turns_of_chats(path: str, tools: tuple[Tool, ...] | None) -> Iterator[Turn]:
    """Every reply of the conversations that a JSON or JSON Lines file holds. Raises `BadInput`."""
    source = read_source(path)
    for name, found in documents(source):
        yield from turns_of(found, name, tools)


def documents(source: Source) -> Iterator[tuple[str, object]]:
    """The conversations of a file, each with a name for messages.

    JSON Lines that are messages (each has a `role`) make one conversation; other lines are one each.
    """
    text = source.text.strip(" \t\r\n")
    if not text:
        raise BadInput(f"{source.name}: is empty; expected a conversation in chat format, as JSON or JSON Lines")
    try:
        whole = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        rows = list(_rows(source))
    else:
        yield source.name, whole
        return
    if all(isinstance(row, Mapping) and "role" in row for _, row in rows):
        yield source.name, [row for _, row in rows]
    else:
        yield from rows


def _rows(source: Source) -> Iterator[tuple[str, object]]:
    """The values of a JSON Lines file. A file of which not even the first line is JSON is broken JSON."""
    lines = source.text.split("\n")
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip(" \t\r")]
    try:
        json.loads(filled[0][1])
    except (json.JSONDecodeError, RecursionError):
        parse(source.text, source.name)
    for number, line in filled:
        yield f"{source.name}:{number}", parse(line, source.name, number)


def parse(text: str, name: str, line: int = 1) -> Any:
    """A JSON value. Raises `BadInput` with line and column."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{name}:{error.lineno + line - 1}:{error.colno}"
        raise BadInput(f"{place}: is not JSON: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except RecursionError:
        raise BadInput(f"{name}:{line}: is nested too deeply") from None


def turns_of(found: object, name: str, tools: tuple[Tool, ...] | None) -> Iterator[Turn]:
    """The replies of one document: a list of messages, `{"messages"}`, or `{"reply", "ledger"}`. Raises `BadInput`."""
    if isinstance(found, list):
        found = {"messages": found}
    if not isinstance(found, Mapping) or not {"messages", "reply"} & found.keys():
        raise BadInput(
            f"{name}: must be a list of chat messages, an object with messages, or one with reply and ledger"
        )
    if tools is None and found.get("tools") is not None and "messages" in found:
        tools = tools_of(found["tools"], name)
    language = found.get("language", "")
    if not isinstance(language, str):
        raise BadInput(f"{name}: /language must be a text")
    if "reply" in found:
        yield _stored_turn(found, name, language)
    else:
        yield from _chat_turns(found, name, tools or (), language)


def _chat_turns(found: Mapping[str, Any], name: str, tools: tuple[Tool, ...], language: str) -> Iterator[Turn]:
    from verifier.adapters.openai import replies_of

    if not isinstance(found["messages"], list):
        raise BadInput(f"{name}: /messages must be a list")
    try:
        for number, text, carries_calls, ledger in replies_of(found["messages"], tools, now=found.get("now")):
            heard = last_heard(ledger)
            yield Turn(f"{name}, message {number}", heard, text, ledger, not carries_calls, language)
    except ValueError as error:
        raise BadInput(located(name, error)) from None


def _stored_turn(found: Mapping[str, Any], name: str, language: str) -> Turn:
    if not isinstance(found["reply"], str):
        raise BadInput(f"{name}: /reply must be a text")
    try:
        ledger = Ledger.from_json(found.get("ledger", {}))
    except ValueError as error:
        raise BadInput(located(f"{name}: /ledger", error)) from None
    return Turn(name, last_heard(ledger), found["reply"], ledger, language=language)


def last_heard(ledger: Ledger) -> str:
    """What the person said last."""
    return ledger.heard[-1][1] if ledger.heard else ""


def located(name: str, error: ValueError) -> str:
    """The problems of an error, each line after the name of the file."""
    problems = getattr(error, "problems", None) or (str(error),)
    return "\n".join(f"{name}: {str(problem).removeprefix(': ')}" for problem in problems)
