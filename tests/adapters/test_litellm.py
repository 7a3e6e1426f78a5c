"""LiteLLM, with its mock responses; the proxy's hooks are called by hand, and by the proxy where it can run."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
pytest.importorskip("litellm")

import litellm
from snippets import run_snippet, snippet

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


TEXTS = (FALSE, "The card has expired. It is late. Sorry! Anything else?")


def expected(text: str) -> str:
    shown: str = hook().guard.verifier.verify(text, hook()._ledger({"messages": MESSAGES})).text
    return shown


def words(chunks: Any) -> list[str]:
    return [choice.delta.content or "" for chunk in chunks for choice in chunk.choices]


async def collected(chunks: Any) -> list[Any]:
    return [chunk async for chunk in chunks]


@pytest.mark.parametrize("text", TEXTS)
def test_the_proxys_streams_show_the_verified_reply_only(text: str) -> None:
    async def go() -> list[Any]:
        stream = await answer(text, stream=True)
        return await collected(hook().async_post_call_streaming_iterator_hook(None, stream, {"messages": MESSAGES}))

    pieces = words(asyncio.run(go()))
    assert "Done!" not in "".join(pieces)
    assert "".join(pieces) == expected(text)


@pytest.mark.parametrize("text", TEXTS)
def test_calls_on_the_guardrail_verify_what_no_hook_is_shown(text: str) -> None:
    one = hook()
    request = {"model": "gpt-4o-mini", "messages": MESSAGES, "mock_response": text}

    async def both() -> tuple[Any, list[Any]]:
        return await one.acompletion(**request), await collected(await one.acompletion(stream=True, **request))

    whole, chunks = asyncio.run(both())
    assert one.completion(**request).choices[0].message.content == expected(text)
    assert whole.choices[0].message.content == expected(text)
    assert "".join(words(chunks)) == expected(text)
    assert "".join(words(one.completion(stream=True, **request))) == expected(text)


def test_a_callback_and_a_call_on_the_guardrail_verify_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    one = hook(on_verdict=told.append)
    monkeypatch.setattr(litellm, "callbacks", [one])
    asyncio.run(one.acompletion(model="gpt-4o-mini", messages=MESSAGES, mock_response=FALSE))
    assert len(told) == 1


def chunk(index: int, text: str | None, end: str | None = None, **more: Any) -> Any:
    choice = {"index": index, "delta": {"role": "assistant", "content": text, **more}, "finish_reason": end}
    return litellm.ModelResponseStream(choices=[choice])


def streamed(*chunks: Any) -> tuple[dict[int, str], list[Any]]:
    """The text of each choice, and the chunks."""
    made = list(hook()._stream(iter(chunks), {"messages": MESSAGES}))
    texts: dict[int, str] = {}
    for one in made:
        for choice in one.choices:
            texts[choice.index] = texts.get(choice.index, "") + (choice.delta.content or "")
    return texts, made


def test_every_choice_of_a_stream_is_held() -> None:
    texts, made = streamed(
        chunk(0, "Done! I refunded "), chunk(1, "It "), chunk(0, "order 42.", "stop"), chunk(1, "failed.", "stop")
    )
    assert texts == {0: FAILED, 1: "It failed."}
    assert len(made) == 4


def test_a_stream_that_breaks_off_loses_no_words() -> None:
    assert streamed(chunk(0, FALSE))[0] == {0: FAILED}
    usage = litellm.ModelResponseStream(choices=[])
    assert streamed(chunk(0, "It has "), chunk(0, "failed."), usage)[0] == {0: "It has failed."}
    assert streamed() == ({}, [])


def test_a_message_that_carries_calls_is_not_final() -> None:
    promise = "I'll refund order 42 now."
    call = {"index": 0, "id": "c2", "type": "function", "function": {"name": "refund_order", "arguments": "{}"}}
    texts, made = streamed(chunk(0, promise), chunk(0, None, tool_calls=[call]), chunk(0, None, "tool_calls"))
    assert texts[0].startswith(promise)
    assert sum(len(one.choices[0].delta.tool_calls or ()) for one in made) == 1
    assert not streamed(chunk(0, promise, "stop"))[0][0].startswith(promise)


def test_a_derived_class_holds_the_proxys_streams_too() -> None:
    class Own(VerifyReplies):
        """The proxy looks only at what a class itself defines."""

    assert "async_post_call_streaming_iterator_hook" in vars(Own)


CONFIG = """
model_list:
  - model_name: shop
    litellm_params: {model: openai/gpt-4o-mini, api_key: none, mock_response: "Done! I refunded order 42."}
guardrails:
  - {guardrail_name: verifier, litellm_params: {guardrail: shop_guard.shop_replies, mode: post_call, default_on: true}}
"""


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The proxy with the guardrail of the documentation, as a process of its own."""
    pytest.importorskip(
        "litellm.proxy.proxy_server", reason="the proxy's own requirements are not here", exc_type=ImportError
    )
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "shop_guard.py").write_text(snippet("LiteLLM", 1), encoding="utf-8")
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    command = [
        str(Path(sys.executable).with_name("litellm")),
        "--config",
        "config.yaml",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    set_here = {"LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true", "PYTHONPATH": str(folder)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **set_here}, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            time.sleep(1)
            assert process.poll() is None, (folder / "log").read_text()[-2000:]
            try:
                ask(f"{address}/health/liveliness")
                break
            except OSError:
                continue
        yield address
    finally:
        process.terminate()
        process.wait(20)


def ask(address: str, body: Any = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as found:
        text: str = found.read().decode()
        return text


def test_the_proxy_itself(proxy: str) -> None:
    request = {"model": "shop", "messages": MESSAGES}
    whole = json.loads(ask(f"{proxy}/v1/chat/completions", request))
    assert whole["choices"][0]["message"]["content"] == FAILED
    lines = ask(f"{proxy}/v1/chat/completions", {**request, "stream": True}).split("\n")
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    assert len(chunks) > 3
    assert "".join(choice["delta"].get("content") or "" for one in chunks for choice in one["choices"]) == FAILED


@pytest.mark.parametrize(
    ("policy", "shown"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy(policy: Any, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = hook(on_error=policy)
    monkeypatch.setattr(one.guard.verifier, "verify", lambda *given, **more: 1 / 0)

    async def go() -> Any:
        return await one.async_post_call_success_hook({"messages": MESSAGES}, None, await answer())

    assert asyncio.run(go()).choices[0].message.content == shown
    request = {"model": "gpt-4o-mini", "messages": MESSAGES, "mock_response": FALSE}
    assert "".join(words(one.completion(stream=True, **request))) == shown


def test_the_snippet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(litellm, "callbacks", [])
    names = {"guard": Guard(tools=[Tool("refund_order", write=True)]), "messages": MESSAGES}
    monkeypatch.setattr(litellm, "completion", functools.partial(litellm.completion, mock_response=FALSE))
    made = run_snippet("LiteLLM", **names)
    assert "".join(words(made["chunks"])) == FAILED
    assert asyncio.run(answer()).choices[0].message.content == FAILED
