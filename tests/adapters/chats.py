"""A chat in the message formats of others, for tests that compare what is read from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
Messages = list[dict[str, Any]]


def conversations() -> Iterator[Messages]:
    """The conversations beside the checkout; none where they are not there."""
    for path in sorted(CORPUS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line:
                yield json.loads(line)["messages"]


def as_anthropic(messages: Messages, *, merged: bool = False) -> Messages:
    """Anthropic's Messages; `merged` puts the results of parallel calls into one message with what the person says."""
    made: Messages = []
    for message in messages:
        blocks = _blocks(message)
        role = {"tool": "user"}.get(message["role"], message["role"])
        results = made and made[-1]["role"] == "user" and made[-1]["content"][-1]["type"] == "tool_result"
        if merged and results and role == "user":
            made[-1]["content"] += blocks
        else:
            made.append({"role": role, "content": blocks, "stop_reason": None})
    return made


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    text = [{"type": "text", "text": content}] if content else []
    if message["role"] == "user":
        return [{"type": "text", "text": content or ""}]
    if message["role"] == "tool":
        flag = {"is_error": True} if message.get("is_error") else {}
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": text or content, **flag}]
    calls = [call["function"] | {"id": call["id"]} for call in message.get("tool_calls") or ()]
    return text + [
        {"type": "tool_use", "id": call["id"], "name": call["name"], "input": _parsed(call["arguments"])}
        for call in calls
    ]


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def as_items(messages: Messages) -> Messages:
    """Items of the Responses API, which has no error flag."""
    made: Messages = []
    for message in messages:
        if message["role"] == "tool":
            made.append(
                {"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}
            )
            continue
        kind = "output_text" if message["role"] == "assistant" else "input_text"
        if message.get("content") or message["role"] != "assistant":
            text = {"type": kind, "text": message["content"]}
            made.append({"type": "message", "role": message["role"], "content": [text], "id": "m"})
        for call in message.get("tool_calls") or ():
            made.append({"type": "function_call", "call_id": call["id"], "id": "fc", **call["function"]})
    return made


def without_flags(messages: Messages) -> Messages:
    """The chat without error flags."""
    return [{key: value for key, value in message.items() if key != "is_error"} for message in messages]
