"""Pipecat, with frames as a model's service would send them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("pipecat.frames.frames")

from pipecat.frames.frames import (
    FunctionCallFromLLM,
    FunctionCallResultFrame,
    FunctionCallsStartedFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TextFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.tests.utils import SleepFrame, run_test
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.pipecat import VerifySpeech, ledger_from_context
from verifier.guard import Guard

CALL = {"id": "c1", "type": "function", "function": {"name": "refund_order", "arguments": '{"order_id": 42}'}}
MESSAGES: list[Any] = [
    {"role": "user", "content": "refund order 42"},
    {"role": "assistant", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": '"tool failed somehow"'},
]
WORDS = ("Sure, a mo", "ment. ", "I refunded ", "order 42. ", "Anything else?")


def spoken(messages: list[Any], *, error: str | None = None, **guard: Any) -> list[str]:
    processor = VerifySpeech(LLMContext(messages), Guard(tools=[Tool("refund_order", write=True)], **guard))
    result = FunctionCallResultFrame(
        function_name="refund_order", tool_call_id="c1", arguments={"order_id": 42}, result="tool failed", error=error
    )
    words = [LLMTextFrame(word) for word in WORDS]
    frames = [result, LLMFullResponseStartFrame(), *words, LLMFullResponseEndFrame()]
    down, _ = asyncio.run(run_test(processor, frames_to_send=frames))
    return [frame.text for frame in down if isinstance(frame, TextFrame)]


def test_only_verified_words_are_spoken_and_the_first_at_once() -> None:
    said = spoken(MESSAGES, error="card expired")
    assert said == ["Sure, a moment.", " Not done: refund order: card expired. Anything else?"]


def test_a_result_that_has_not_come_is_unknown() -> None:
    waiting = [*MESSAGES[:2], {"role": "tool", "tool_call_id": "c1", "content": "IN_PROGRESS"}]
    assert ledger_from_context(waiting).calls[0].outcome == "unknown"
    assert "I refunded" not in "".join(spoken(waiting))


def test_true_words_are_spoken_as_they_are() -> None:
    done = [*MESSAGES[:2], {"role": "tool", "tool_call_id": "c1", "content": '{"refunded": true}'}]
    assert ledger_from_context(done).calls[0].outcome == "done"
    assert "".join(spoken(done)) == "".join(WORDS)
    assert len(spoken(done)) > 1


def test_a_refused_call_is_told_by_its_text() -> None:
    refused = [*MESSAGES[:2], {"role": "tool", "tool_call_id": "c1", "content": "User rejected the tool call"}]
    assert ledger_from_context(refused).calls[0].outcome == "refused"
    assert "That can't be done: refund order" in "".join(spoken(refused))


def test_words_that_no_model_wrote_and_those_beside_calls_pass() -> None:
    messages = MESSAGES[:1]
    call = FunctionCallFromLLM(function_name="refund_order", tool_call_id="c1", arguments={}, context=None)
    frames = [
        TextFrame("I refunded order 7."),
        LLMFullResponseStartFrame(),
        LLMTextFrame("I'll refund it now."),
        FunctionCallsStartedFrame([call]),
        LLMFullResponseEndFrame(),
    ]
    processor = VerifySpeech(LLMContext(messages), Guard(tools=[Tool("refund_order", write=True)]))
    down, _ = asyncio.run(run_test(processor, frames_to_send=frames))
    assert [frame.text for frame in down if isinstance(frame, TextFrame)] == [
        "I refunded order 7.",
        "I'll refund it now.",
    ]


def test_what_an_interruption_cut_off_is_never_said() -> None:
    words = [LLMFullResponseStartFrame(), LLMTextFrame("I refunded order 42. "), SleepFrame(), InterruptionFrame()]
    processor = VerifySpeech(LLMContext(MESSAGES[:1]), Guard(tools=[Tool("refund_order", write=True)]))
    down, _ = asyncio.run(run_test(processor, frames_to_send=[*words, SleepFrame(), LLMFullResponseEndFrame()]))
    assert not [frame for frame in down if isinstance(frame, TextFrame)]


def test_errors_of_ours_follow_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.verify import Verifier

    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    assert "".join(spoken(MESSAGES, on_error="pass")) == "".join(WORDS)
    assert spoken(MESSAGES, on_error="block") == ["I can't say reliably right now what was done."]


class Service(FrameProcessor):
    """Stands for a model's service: lets everything through."""

    async def process_frame(self, frame: Any, direction: Any) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)


def test_the_snippet() -> None:
    names = {"before": [], "voice": [], "service": Service(), "context": LLMContext(MESSAGES), "guard": Guard()}
    pipeline = run_snippet("Pipecat", **names)["pipeline"]
    frames = [LLMFullResponseStartFrame(), LLMTextFrame("I refunded order 42."), LLMFullResponseEndFrame()]
    down, _ = asyncio.run(run_test(pipeline, frames_to_send=frames))
    assert [frame.text for frame in down if isinstance(frame, TextFrame)] == ["I refunded order 42."]
