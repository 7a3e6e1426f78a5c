"""Pipecat: a processor between the model and the voice that lets only verified words through.

Written for pipecat-ai 1.14. A sentence passes as soon as nothing can change it any more, so the voice does not wait for
the whole reply. What it says reaches the context, too, when the assistant's aggregator stands behind it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from pipecat.frames.frames import (
    FunctionCallResultFrame,
    FunctionCallsStartedFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
)
from pipecat.processors.frame_processor import FrameProcessor

from verifier.adapters.openai import ledger_from_chat
from verifier.guard import Guard, Held
from verifier.ledger import Ledger

OPEN = ("IN_PROGRESS", "CANCELLED")  # what stands in the context while, or because, no result came
MOST_CALLS = 1024  # whose errors are remembered, the latest


def ledger_from_context(
    messages: Iterable[Mapping[str, Any]],
    tools: Iterable[object] = (),
    *,
    errors: Mapping[str, str] | None = None,
    now: date | datetime | None = None,
) -> Ledger:
    """The ledger of an `LLMContext`'s messages; `errors` are those of calls by id, which the context does not tell."""
    told = []
    for message in messages:
        id = str(message.get("tool_call_id") or "")
        if message.get("role") == "tool" and str(message.get("content")).strip('"') in OPEN:
            continue
        known = errors is not None and id in errors
        told.append({**message, "content": errors[id], "is_error": True} if known and errors else message)
    return ledger_from_chat(told, tools, now=now)


class VerifySpeech(FrameProcessor):
    """Put it behind the model's service; `context` is the pipeline's `LLMContext`."""

    def __init__(self, context: Any, guard: Guard | None = None) -> None:
        """`guard` has the verifier, the tools with their `write` flags, and the policy for errors."""
        super().__init__()
        self.context, self.guard = context, guard or Guard()
        self._errors: OrderedDict[str, str] = OrderedDict()
        self._held: Held | None = None
        self._calls = False

    def _ledger(self) -> Ledger:
        return ledger_from_context(self.context.get_messages(), self.guard.tools, errors=self._errors)

    async def process_frame(self, frame: Any, direction: Any) -> None:
        """Words are held until they are verified; everything else passes."""
        await super().process_frame(frame, direction)
        if isinstance(frame, FunctionCallResultFrame) and frame.error:
            self._errors[frame.tool_call_id] = str(frame.error)
            while len(self._errors) > MOST_CALLS:
                self._errors.popitem(last=False)
        elif isinstance(frame, FunctionCallsStartedFrame):
            self._calls = True  # of this response, or of the next: this frame overtakes words that wait in a queue
        elif isinstance(frame, LLMFullResponseStartFrame):
            self._held = self.guard.held(self._ledger)
        elif isinstance(frame, InterruptionFrame):
            self._held, self._calls = None, False  # what was not said yet is never said
        elif isinstance(frame, LLMTextFrame) and self._held is not None:
            await self._say(self._held.feed(frame.text), direction)
            return
        elif isinstance(frame, LLMFullResponseEndFrame) and self._held is not None:
            rest, self._held = self._held.close(final=not self._calls), None
            self._calls = False
            await self._say(rest, direction)
        await self.push_frame(frame, direction)

    async def _say(self, text: str, direction: Any) -> None:
        if text:
            await self.push_frame(LLMTextFrame(text), direction)
