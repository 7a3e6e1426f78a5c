"""Answers of the Responses API, whole or as events, with their texts verified: what the OpenAI Agents SDK shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verifier.guard import Guard
from verifier.ledger import Ledger


def verified(output: list[Any], guard: Guard, ledger: Callable[[], Ledger]) -> list[Any]:
    """The items of an answer with their texts verified."""
    final = not any(str(item.type).endswith("_call") for item in output)
    return [_with_text(item, lambda text: guard.text(text, ledger, final=final)) for item in output]


def _with_text(item: Any, change: Any) -> Any:
    """A message with its texts changed; anything else as it is. A changed text loses its annotations' places."""
    if item.type != "message":
        return item
    parts = []
    for part in item.content:
        text = change(part.text) if part.type == "output_text" else ""
        changed = part.type == "output_text" and text != part.text
        parts.append(part.model_copy(update={"text": text, "annotations": []}) if changed else part)
    return item.model_copy(update={"content": parts})


class HeldEvents:
    """A streamed answer: deltas give way to verified ones, and all that tells the whole text is corrected."""

    def __init__(self, guard: Guard, ledger: Callable[[], Ledger]) -> None:
        self.guard, self.ledger = guard, ledger
        self.texts: dict[tuple[int, int], Any] = {}  # place -> the stream of a text
        self.waiting: list[Any] = []

    def feed(self, event: Any) -> list[Any]:
        """An event of the model; gives those that may go on."""
        if event.type == "response.output_text.delta":
            place = (event.output_index, event.content_index)
            if place not in self.texts:
                self.texts[place] = self.guard.held(self.ledger)
            ready = self.texts[place].feed(event.delta)
            passed = event.model_copy(update={"delta": ready, "logprobs": []})
            return self._in_turn(passed) if ready else []
        if event.type in ("response.completed", "response.incomplete", "response.failed"):
            return self._close(event)
        if self.texts:
            self.waiting.append(event)
            return []
        return [event]

    def _in_turn(self, event: Any) -> list[Any]:
        """A delta comes after what waits since an earlier text."""
        if not self.waiting:
            return [event]
        self.waiting.append(event)
        return []

    def _close(self, event: Any) -> list[Any]:
        final = not any(str(item.type).endswith("_call") for item in event.response.output)
        rests = {place: text.close(final=final) for place, text in self.texts.items()}
        whole = {place: text.shown + rests[place] for place, text in self.texts.items()}
        done = []
        for held in self.waiting:
            if held.type == "response.output_text.done":
                place = (held.output_index, held.content_index)
                if rests.get(place):
                    done.append(_delta(held, rests[place]))
                done.append(held.model_copy(update={"text": whole.get(place, held.text)}))
            else:
                done.append(_corrected(held, whole))
        output = [_in_place(item, at, whole) for at, item in enumerate(event.response.output)]
        response = event.response.model_copy(update={"output": output})
        self.waiting, self.texts = [], {}
        return [*done, event.model_copy(update={"response": response})]


def _delta(done: Any, text: str) -> Any:
    from openai.types.responses import ResponseTextDeltaEvent

    return ResponseTextDeltaEvent(
        content_index=done.content_index, output_index=done.output_index, item_id=done.item_id, delta=text, logprobs=[],
        sequence_number=done.sequence_number, type="response.output_text.delta",
    )  # fmt: skip


def _corrected(event: Any, whole: Mapping[tuple[int, int], str]) -> Any:
    if event.type == "response.content_part.done" and event.part.type == "output_text":
        text = whole.get((event.output_index, event.content_index), event.part.text)
        return event.model_copy(update={"part": event.part.model_copy(update={"text": text})})
    if event.type == "response.output_item.done":
        return event.model_copy(update={"item": _in_place(event.item, event.output_index, whole)})
    return event


def _in_place(item: Any, at: int, whole: Mapping[tuple[int, int], str]) -> Any:
    if item.type != "message":
        return item
    parts = []
    for place, part in enumerate(item.content):
        text = whole.get((at, place)) if part.type == "output_text" else None
        parts.append(part if text is None else part.model_copy(update={"text": text}))
    return item.model_copy(update={"content": parts})
