"""LiteLLM, with its mock responses; the proxy's hooks are called by hand."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
pytest.importorskip("litellm")

import litellm
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.litellm import VerifyReplies
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."
FAILED = "Not done: refund order: card expired."
CALL = {"id": "c1", "type": "function", "function": {"name": "refund_order", "arguments": '{"order_id": 42}'}}
MESSAGES = [
    {"role": "user", "content": "refund order 42"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"error": "card expired"}'},
]


def hook(**guard: Any) -> VerifyReplies:
    return VerifyReplies(Guard(tools=[Tool("refund_order", write=True)], **guard))


async def answer(text: str = FALSE, **more: Any) -> Any:
    return await litellm.acompletion(model="gpt-4o-mini", messages=MESSAGES, mock_response=text, **more)


def test_the_sdks_asynchronous_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(litellm, "callbacks", [hook()])
    assert asyncio.run(answer()).choices[0].message.content == FAILED


def test_the_proxy_without_streaming() -> None:
    async def go() -> Any:
        return await hook().async_post_call_success_hook({"messages": MESSAGES}, None, await answer())

    assert asyncio.run(go()).choices[0].message.content == FAILED


@pytest.mark.parametrize("text", [FALSE, "The card has expired. It is late. Sorry! Anything else?"])
def test_the_proxys_streams_show_the_verified_reply_only(text: str) -> None:
    async def go() -> list[str]:
        stream = await answer(text, stream=True)
        chunks = hook().async_post_call_streaming_iterator_hook(None, stream, {"messages": MESSAGES})
        return [chunk.choices[0].delta.content or "" async for chunk in chunks]

    pieces = asyncio.run(go())
    assert "Done!" not in "".join(pieces)
    assert "".join(pieces) == hook().guard.verifier.verify(text, hook()._ledger({"messages": MESSAGES})).text


def test_errors_of_ours_follow_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    one = hook(on_error="block")
    monkeypatch.setattr(one.guard.verifier, "verify", lambda *given, **more: 1 / 0)

    async def go() -> Any:
        return await one.async_post_call_success_hook({"messages": MESSAGES}, None, await answer())

    assert asyncio.run(go()).choices[0].message.content == "I can't say reliably right now what was done."


def test_the_snippet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(litellm, "callbacks", [])
    run_snippet("LiteLLM", guard=Guard(tools=[Tool("refund_order", write=True)]))
    assert asyncio.run(answer()).choices[0].message.content == FAILED
