"""OpenAI Agents SDK, with its scripted model."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
pytest.importorskip("agents.testing")

from agents import Agent, RunConfig, Runner, SQLiteSession, function_tool
from agents.models.interface import ModelProvider
from agents.testing import ScriptedModel, assistant_message, function_call
from pydantic import BaseModel
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.openai_agents import RecordTools, VerifyingModel, VerifyingProvider, ledger_from_run
from verifier.guard import Guard

FALSE = "Done! I refunded order 42."
FAILED = "Not done: refund order: card expired."
PROMISE = "I'll refund it now."


class Scene:
    """An agent whose only tool fails (or waits for approval), and a guard."""

    def __init__(self, *texts: str, gated: bool = False, order: int = 42, **guard: Any) -> None:
        self.hooks = RecordTools()
        self.guard = Guard(tools=[Tool("refund_order", write=True)], **guard)
        self.script = ScriptedModel(
            [
                [assistant_message(PROMISE), function_call("refund_order", {"order_id": order}, call_id="c1")],
                [assistant_message(text) for text in texts or (FALSE,)],
            ]
        )

        def refund(order_id: int) -> str:
            if order_id == 42 and not gated:
                raise ValueError("card expired")
            return '{"refunded": true}'

        self.tool = function_tool(
            refund, name_override="refund_order", needs_approval=gated, failure_error_function=self.hooks.failed
        )
        self.agent = Agent(name="a", tools=[self.tool], model=VerifyingModel(self.script, self.guard, self.hooks))

    def run(self, start: Any = "refund order 42", **more: Any) -> Any:
        return asyncio.run(Runner.run(self.agent, start, hooks=self.hooks, **more))


def test_the_reply_is_replaced_in_output_items_and_session() -> None:
    scene, session = Scene(), SQLiteSession("s")
    result = scene.run(session=session)
    assert result.final_output == FAILED
    assert FALSE not in str(result.to_input_list())
    assert asyncio.run(session.get_items())[-1]["content"][0]["text"] == FAILED
    (call,) = ledger_from_run(result, hooks=scene.hooks).calls
    assert (call.id, call.outcome, call.reason, call.source) == ("c1", "failed", "card expired", "executed")


def test_without_hooks_the_sdks_own_error_text_is_an_error() -> None:
    result = Scene().run()
    (call,) = ledger_from_run(result).calls
    assert (call.outcome, call.source) == ("failed", "history")


@pytest.mark.parametrize("text", [FALSE, "The card has expired. It is late. Sorry! Anything else?"])
def test_streams_show_the_verified_reply_only(text: str) -> None:
    scene = Scene(text)

    async def stream() -> tuple[list[Any], Any]:
        result = Runner.run_streamed(scene.agent, "refund order 42", hooks=scene.hooks)
        return [event.data async for event in result.stream_events() if event.type == "raw_response_event"], result

    events, result = asyncio.run(stream())
    deltas = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    done = [event.text for event in events if event.type == "response.output_text.done"]
    assert deltas == "".join(done)
    assert done == [PROMISE, result.final_output]
    assert FALSE not in str(events)
    assert result.final_output.endswith("card expired.")
    kinds = [event.type for event in events if "text" in event.type or event.type == "response.completed"]
    assert kinds[-2:] == ["response.output_text.done", "response.completed"]


def test_a_call_waits_and_is_refused() -> None:
    scene = Scene(gated=True)
    waiting = scene.run()
    (call,) = ledger_from_run(waiting, hooks=scene.hooks).calls
    assert (call.id, call.outcome) == ("c1", "pending_confirmation")
    state = waiting.to_state()
    state.reject(waiting.interruptions[0], rejection_message="over limit")
    result = scene.run(state)
    assert result.final_output.startswith("That can't be done: refund order")
    (call,) = ledger_from_run(result, hooks=scene.hooks).calls
    assert call.outcome == "refused"


def test_a_provider_verifies_models_named_by_a_string() -> None:
    scene = Scene()

    class Provider(ModelProvider):
        def get_model(self, model_name: str | None) -> Any:
            return scene.script

    scene.agent.model = "some-model"
    config = RunConfig(model_provider=VerifyingProvider(Provider(), scene.guard, scene.hooks))
    assert scene.run(run_config=config).final_output == FAILED


def test_structured_output_passes() -> None:
    class Answer(BaseModel):
        said: str

    scene = Scene('{"said": "I refunded order 42."}')
    scene.agent.output_type = Answer
    assert scene.run().final_output == Answer(said="I refunded order 42.")


def test_true_words_and_those_that_no_model_wrote_pass() -> None:
    text = "I refunded order 9."
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Done! I refunded order 7."}]
    scene = Scene(text, order=9)
    result = scene.run([*before, {"role": "user", "content": "I refunded order 9 myself."}])
    told = [item for item in result.to_input_list() if item.get("content")]
    words = [item["content"] if isinstance(item["content"], str) else item["content"][0]["text"] for item in told]
    assert words == ["Hi", "Done! I refunded order 7.", "I refunded order 9 myself.", PROMISE, text]
    (call,) = ledger_from_run(result, hooks=scene.hooks).calls
    assert (call.outcome, call.result, call.source) == ("done", {"refunded": True}, "executed")


@pytest.mark.parametrize(
    ("policy", "shown"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy(policy: Any, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(on_error=policy)
    monkeypatch.setattr(scene.guard.verifier, "verify", lambda *given, **more: 1 / 0)
    assert scene.run().final_output == shown


def test_streams_follow_the_policy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(on_error="block")
    monkeypatch.setattr(scene.guard.verifier, "verify", lambda *given, **more: 1 / 0)

    async def stream() -> Any:
        result = Runner.run_streamed(scene.agent, "refund order 42", hooks=scene.hooks)
        assert FALSE not in str([event async for event in result.stream_events()])
        return result

    assert asyncio.run(stream()).final_output == "I can't say reliably right now what was done."


def test_the_snippet() -> None:
    scene = Scene()

    async def refund_order(order_id: int) -> str:
        raise ValueError("card expired")

    names = {"refund_order": refund_order, "guard": scene.guard, "inner": scene.script}
    assert run_snippet("OpenAI Agents SDK", **names)["result"].final_output == FAILED
