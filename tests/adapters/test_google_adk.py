"""Google ADK, with a model of our own that replays an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("google.adk")

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools import FunctionTool
from google.genai import types
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.google_adk import CONFIRM, VerifyReplies, ledger_from_events
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."
FAILED = "Not done: refund order: card expired."
PROMISE = "I'll refund it now."


class Replays(BaseLlm):
    text: str = FALSE
    order: int = 42

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        ran = any(part.function_response for content in llm_request.contents for part in content.parts or [])
        if not ran:
            call = types.FunctionCall(name="refund_order", args={"order_id": self.order})
            parts = [types.Part(text=PROMISE), types.Part(function_call=call)]
            yield LlmResponse(content=types.Content(role="model", parts=parts))
            return
        for at in range(0, len(self.text), 6) if stream else ():
            part = types.Part(text=self.text[at : at + 6])
            yield LlmResponse(partial=True, content=types.Content(role="model", parts=[part]))
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=self.text)]))


def refund_order(order_id: int) -> dict[str, Any]:
    """Refund an order."""
    return {"error": "card expired"} if order_id == 42 else {"refunded": order_id}


class Scene:
    def __init__(self, text: str = FALSE, order: int = 42, *, gated: bool = False, **guard: Any) -> None:
        tool = FunctionTool(refund_order, require_confirmation=gated)
        agent = LlmAgent(name="a", model=Replays(model="replays", text=text, order=order), tools=[tool])
        self.guard, self.app = Guard(tools=[Tool("refund_order", write=True)], **guard), "x"
        plugin = VerifyReplies(self.guard)
        self.runner = InMemoryRunner(agent=agent, app_name="x", plugins=[plugin])
        self.session = ""
        self.partials, self.final = "", ""

    def run(self, part: types.Part | None = None, **config: Any) -> list[Any]:
        """Send a part; gives the session's events afterwards."""
        return asyncio.run(self._run(part or types.Part(text="refund order 42"), config))

    async def _run(self, part: types.Part, config: dict[str, Any]) -> list[Any]:
        service = self.runner.session_service
        if not self.session:
            self.session = (await service.create_session(app_name=self.app, user_id="u")).id
        message = types.Content(role="user", parts=[part])
        async for event in self.runner.run_async(
            user_id="u", session_id=self.session, new_message=message, run_config=RunConfig(**config)
        ):
            for one in event.content.parts if event.content and event.content.parts else []:
                if event.partial:
                    self.partials += one.text or ""
                elif one.text and event.is_final_response():
                    self.final = one.text
        session = await service.get_session(app_name=self.app, user_id="u", session_id=self.session)
        assert session is not None
        return session.events


@pytest.mark.parametrize("mode", [StreamingMode.NONE, StreamingMode.SSE])
def test_the_reply_is_replaced_where_it_is_stored_and_shown(mode: Any) -> None:
    scene = Scene()
    events = scene.run(streaming_mode=mode)
    assert (scene.final, scene.partials) == (FAILED, "")
    assert events[-1].content.parts[0].text == FAILED
    (call,) = ledger_from_events(events).calls
    assert (call.outcome, call.reason, call.agent) == ("failed", "card expired", "a")


def test_a_call_waits_and_is_refused() -> None:
    scene = Scene(gated=True)
    events = scene.run()
    (call,) = ledger_from_events(events).calls
    assert (call.tool, call.outcome) == ("refund_order", "pending_confirmation")
    (asked,) = [one.id for event in events for one in event.get_function_calls() if one.name == CONFIRM]
    answer = types.FunctionResponse(id=asked, name=CONFIRM, response={"confirmed": False})
    (call,) = ledger_from_events(scene.run(types.Part(function_response=answer))).calls
    assert call.outcome == "refused"
    assert scene.final.startswith("That can't be done: refund order")


def test_true_words_and_those_that_no_model_wrote_pass() -> None:
    text = "I refunded order 9."
    scene = Scene(text, 9)
    events = scene.run(types.Part(text="Done! I refunded order 7 myself."))
    words = [part.text for event in events for part in event.content.parts if part.text]
    assert words == ["Done! I refunded order 7 myself.", PROMISE, text]
    (call,) = ledger_from_events(events).calls
    assert (call.outcome, call.result) == ("done", {"refunded": 9})


@pytest.mark.parametrize(
    ("policy", "shown"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy(policy: Any, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.verify import Verifier

    scene = Scene(on_error=policy)
    monkeypatch.setattr(Verifier, "verify", lambda *given, **more: 1 / 0)
    scene.run()
    assert scene.final == shown


def test_the_snippet() -> None:
    agent = LlmAgent(name="a", model=Replays(model="replays"), tools=[FunctionTool(refund_order)])
    scene = Scene()
    scene.runner = run_snippet("Google ADK", agent=agent, guard=scene.guard)["runner"]
    scene.app = "shop"
    scene.run()
    assert scene.final == FAILED
