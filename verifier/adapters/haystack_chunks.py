"""Haystack's answers, whole or as chunks, with their words verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from haystack.dataclasses import ChatMessage, StreamingChunk

from verifier.guard import Guard
from verifier.ledger import Ledger


def with_text(message: Any, text: str) -> Any:
    """The message with another text."""
    if text == message.text:
        return message
    return ChatMessage.from_assistant(
        text, meta=message.meta, name=message.name, tool_calls=message.tool_calls, reasoning=message.reasoning
    )


class HeldChunks:
    """An answer's chunks: words come when they are verified, what follows words waits for the last of them."""

    def __init__(self, guard: Guard, ledger: Callable[[], Ledger]) -> None:
        self.guard, self.ledger, self.text = guard, ledger, guard.held(ledger)
        self.like: StreamingChunk | None = None  # the first with words
        self.started = False
        self.waiting: list[StreamingChunk] = []

    def feed(self, chunk: StreamingChunk) -> list[StreamingChunk]:
        """A chunk of the model; gives those that may go on."""
        if not chunk.content and self.like is None:
            return [chunk]
        self.like = self.like or chunk
        if not chunk.content or chunk.finish_reason:
            self.waiting.append(replace(chunk, content="", start=chunk.start and not chunk.content))
        return self._words(self.text.feed(chunk.content)) if chunk.content else []

    def _words(self, text: str) -> list[StreamingChunk]:
        if not text or self.like is None:
            return []
        start, self.started = not self.started, True
        return [replace(self.like, content=text, start=start, finish_reason=None)]

    def close(self, replies: list[Any]) -> tuple[list[Any], list[StreamingChunk]]:
        """The whole answer has come: it, verified, and the chunks that were held until now."""
        final = not any(reply.tool_calls for reply in replies)
        rest = self.text.close(final=final)
        shown = {"".join(self.text.pieces): self.text.shown + rest} if self.like else {}
        made = [
            with_text(
                reply,
                shown[reply.text] if reply.text in shown else self.guard.text(reply.text, self.ledger, final=final),
            )
            if reply.text
            else reply
            for reply in replies
        ]
        return made, [*self._words(rest), *self.waiting]
