"""OpenAI's chat completions and Responses, as ledgers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from verifier.conversation import Conversation, Reply, as_mapping, run, text_of
from verifier.ledger import Ledger, LedgerError
from verifier.model import Outcome

MARK = "verifier"  # the key under which an adapter adds to an output what it saw of the call: error, outcome, source


def ledger_from_chat(
    messages: Iterable[object], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of a chat: the messages before the reply that is to be verified, as dicts or the client's models.

    `tools` are specs or `Tool`s. Raises `LedgerError` with the place of a message that is none.

    >>> ledger_from_chat([{"role": "user", "content": "hello"}]).heard
    ((1, 'hello'),)
    """
    conversation = Conversation(tools, now=now)
    for _ in run(messages, conversation, _chat_message):
        pass
    return conversation.ledger


def replies_of(
    messages: Iterable[object], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Iterator[Reply]:
    """Each text of the assistant in a chat, with the ledger of the messages before it (one ledger that grows)."""
    return run(messages, Conversation(tools, now=now), _chat_message)


def _chat_message(conversation: Conversation, index: int, message: Mapping[str, Any]) -> Iterator[Reply]:
    role = message.get("role")
    text = text_of(message.get("content"))
    if role == "user":
        conversation.heard(text)
    elif role in ("system", "developer"):
        conversation.context(text)
    elif role == "assistant":
        calls = list(_calls(message, index))
        text = text or str(message.get("refusal") or "")
        if text:
            if not calls:
                conversation.flush()
            else:
                conversation.flush_calls()
            yield Reply(index, text, bool(calls), conversation.ledger)
            conversation.said(text)
        for call in calls:
            conversation.called(*call)
    elif role in ("tool", "function"):
        id, name = str(message.get("tool_call_id") or ""), str(message.get("name") or "")
        failed = message.get("is_error") is True or message.get("status") == "error"
        conversation.returned(id, message.get("content"), error=failed or None, name=name)
    else:
        raise LedgerError(f"/messages/{index}/role: cannot be {role!r:.80}")


def _calls(message: Mapping[str, Any], index: int) -> Iterator[tuple[str, object, str]]:
    entries = list(message.get("tool_calls") or ())
    if isinstance(message.get("function_call"), Mapping):  # the format before tools
        entries.append({"function": message["function_call"]})
    for at, entry in enumerate(entries):
        place = f"/messages/{index}/tool_calls/{at}"
        if not isinstance(entry, Mapping):
            raise LedgerError(f"{place}: a call is a mapping, not {entry!r:.80}")
        inner = entry.get("function") or entry.get("custom") or entry
        name = inner.get("name") if isinstance(inner, Mapping) else None
        if not isinstance(name, str) or not name:
            raise LedgerError(f"{place}: the call has no name")
        yield name, inner.get("arguments", inner.get("input")), str(entry.get("id") or "")


def ledger_from_responses(
    items: Iterable[object], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of items of the Responses API (input and output, in order). Raises `LedgerError`."""
    conversation = Conversation(tools, now=now)
    for _ in run(items, conversation, _item):
        pass
    return conversation.ledger


def replies_of_responses(
    items: Iterable[object], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Iterator[Reply]:
    """`replies_of` for items of the Responses API: a text carries the calls that are the items after it."""
    listed = [as_mapping(item, f"/items/{index}") for index, item in enumerate(items)]
    for reply in run(listed, Conversation(tools, now=now), _item):
        follows = (str(item.get("type")) for item in listed[reply.message + 1 :])
        after = next((kind for kind in follows if kind != "reasoning"), "")
        yield reply._replace(carries_calls=after.endswith("_call"))


def _item(conversation: Conversation, index: int, item: Mapping[str, Any]) -> Iterator[Reply]:
    kind = item.get("type") or "message"
    if kind == "message":
        yield from _chat_message(conversation, index, item)
    elif kind in ("function_call", "custom_tool_call"):
        conversation.called(
            str(item.get("name")), item.get("arguments", item.get("input")), str(item.get("call_id") or "")
        )
    elif kind == "mcp_call":
        _hosted(conversation, item)
    elif kind == "mcp_approval_request":
        arguments = item.get("arguments")
        conversation.waits(str(item.get("name")), arguments, str(item.get("id") or ""))
    elif kind == "mcp_approval_response":
        if not item.get("approve"):
            reason = str(item.get("reason") or "")
            conversation.settled(str(item.get("approval_request_id") or ""), Outcome.REFUSED, reason=reason)
    elif kind.endswith("_output"):
        conversation.returned(str(item.get("call_id") or ""), item.get("output"), **(item.get(MARK) or {}))
    elif kind.endswith("_call"):  # a tool that the provider runs: web search, code interpreter, computer, shell
        id = str(item.get("call_id") or item.get("id") or "")
        conversation.called(kind.removesuffix("_call"), item.get("action") or item.get("operation"), id)
        if item.get("status") in ("completed", "failed") and not item.get("call_id"):
            conversation.returned(id, item.get("results", item.get("result", "")), error=item["status"] == "failed")
    return
    yield  # other items (reasoning, a list of tools) tell of no call


def _hosted(conversation: Conversation, item: Mapping[str, Any]) -> None:
    id, asked = str(item.get("id") or ""), str(item.get("approval_request_id") or "")
    if asked and conversation.ledger.call(asked) is not None:
        conversation.answered(asked, item.get("output"), error=item.get("error"))
        return
    conversation.called(str(item.get("name")), item.get("arguments"), id)
    conversation.returned(id, item.get("output"), error=item.get("error"))
