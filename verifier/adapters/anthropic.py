"""Anthropic's Messages as ledgers. Nothing of the client is imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from verifier.conversation import Conversation, Reply, as_mapping, run, text_of
from verifier.ledger import Ledger, LedgerError

CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


def ledger_from_messages(
    messages: Iterable[object],
    tools: Iterable[object] = (),
    *,
    system: object = None,
    now: date | datetime | None = None,
) -> Ledger:
    """The ledger of messages before the reply that is to be verified, as dicts or the client's models.

    `tools` are specs or `Tool`s, `system` is the system prompt (a text or blocks). Raises `LedgerError` with the place
    of a message or block that is none.

    >>> ledger_from_messages([{"role": "user", "content": "hello"}]).heard
    ((1, 'hello'),)
    """
    conversation = Conversation(tools, now=now)
    conversation.context(text_of(system))
    for _ in run(messages, conversation, _message):
        pass
    return conversation.ledger


def replies_of(
    messages: Iterable[object],
    tools: Iterable[object] = (),
    *,
    system: object = None,
    now: date | datetime | None = None,
) -> Iterator[Reply]:
    """Each text of the assistant, with the ledger of what came before it (one ledger that grows)."""
    conversation = Conversation(tools, now=now)
    conversation.context(text_of(system))
    return run(messages, conversation, _message)


def _message(conversation: Conversation, index: int, message: Mapping[str, Any]) -> Iterator[Reply]:
    role = message.get("role")
    blocks = list(_blocks(message.get("content"), index))
    if role == "user":
        _user(conversation, blocks)
    elif role in ("system", "developer"):
        conversation.context(text_of(blocks))
    elif role == "assistant":
        yield from _assistant(conversation, index, blocks)
    else:
        raise LedgerError(f"/messages/{index}/role: cannot be {role!r:.80}")


def _blocks(content: object, index: int) -> Iterator[Mapping[str, Any]]:
    if content is None or isinstance(content, str):
        content = [{"type": "text", "text": content}] if content else []
    if not isinstance(content, Iterable):
        raise LedgerError(f"/messages/{index}/content: a content is a text or a list of blocks, not {content!r:.80}")
    for at, block in enumerate(content):
        yield (
            {"type": "text", "text": block}
            if isinstance(block, str)
            else as_mapping(block, f"/messages/{index}/content/{at}")
        )


def _user(conversation: Conversation, blocks: list[Mapping[str, Any]]) -> None:
    """Results of tools, then what the person said; a message of results alone is nobody's word."""
    said = [block for block in blocks if not _is_result(block)]
    for block in blocks:
        if _is_result(block):
            _returned(conversation, block)
    if said or not blocks:
        conversation.heard(text_of(said))


def _assistant(conversation: Conversation, index: int, blocks: list[Mapping[str, Any]]) -> Iterator[Reply]:
    """A message in sections: after a result of a tool that the provider ran, the model goes on with another text."""
    sections: list[list[Mapping[str, Any]]] = [[]]
    for block in blocks:
        if sections[-1] and _is_result(sections[-1][-1]) and not _is_result(block):
            sections.append([])
        sections[-1].append(block)
    for at, section in enumerate(sections):
        # Consecutive texts are one text that citations cut into blocks.
        text = "".join(str(block.get("text") or "") for block in section if block.get("type") == "text")
        if text:
            calls_tools = any(_is_call(block) for later in sections[at:] for block in later)
            if calls_tools or at:
                conversation.flush_calls()
            else:
                conversation.flush()
            yield Reply(index, text, calls_tools, conversation.ledger)
            conversation.said(text)
        for block in section:
            if _is_call(block):
                _called(conversation, index, block)
            elif _is_result(block):
                _returned(conversation, block)


def _is_call(block: Mapping[str, Any]) -> bool:
    return block.get("type") in CALLS


def _is_result(block: Mapping[str, Any]) -> bool:
    return str(block.get("type")).endswith("tool_result")


def _called(conversation: Conversation, index: int, block: Mapping[str, Any]) -> None:
    name = block.get("name")
    if not isinstance(name, str) or not name:
        raise LedgerError(f"/messages/{index}/content: a {block['type']} block has no name")
    conversation.called(name, block.get("input"), str(block.get("id") or ""))


def _returned(conversation: Conversation, block: Mapping[str, Any]) -> None:
    content = block.get("content")
    failed = block.get("is_error") is True or _is_error(content)
    conversation.returned(str(block.get("tool_use_id") or ""), content, error=failed or None)


def _is_error(content: object) -> bool:
    """Tools that the provider runs flag an error by the type of their content: `web_search_tool_result_error`."""
    return isinstance(content, Mapping) and str(content.get("type")).endswith("_error")
