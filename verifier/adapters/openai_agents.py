"""OpenAI Agents SDK: record what its tools did, verify each reply before items, session and stream have it.

Written for openai-agents 0.24. An output guardrail can only stop a run; the place to replace a reply is the model.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from agents import FunctionTool, Model, ModelProvider, RunHooks
from agents.tool import default_tool_error_function

from verifier.adapters.openai import MARK, ledger_from_responses
from verifier.conversation import as_mapping
from verifier.guard import Guard
from verifier.ledger import Ledger
from verifier.model import Outcome
from verifier.outcomes import outcome_of

MOST_CALLS = 4096  # of which something is remembered, the latest


class RecordTools(RunHooks[Any]):
    """Hooks of a run that keep what its items do not tell: exceptions, refusals, and that a call was seen to run.

    Give it to `Runner.run(..., hooks=)`, and its `failed` to each tool as `failure_error_function`.
    """

    def __init__(self) -> None:
        """Nothing has run yet."""
        self._seen: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def _note(self, call_id: object, **more: Any) -> None:
        if isinstance(call_id, str) and call_id:
            self._seen.setdefault(call_id, {}).update(more)
            self._seen.move_to_end(call_id)
            while len(self._seen) > MOST_CALLS:
                self._seen.popitem(last=False)

    def mark(self, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """An item of the Responses format with what was seen of its call."""
        seen = self._seen.get(str(item.get("call_id")))
        return {**item, MARK: seen} if seen and str(item.get("type")).endswith("_output") else item

    def failed(self, context: Any, error: Exception) -> str:
        """A `failure_error_function` that keeps the cause and tells the model what the SDK's own tells it."""
        outcome = outcome_of(None, error=error, tool=getattr(context, "tool_name", None))
        told = str(error) or type(error).__name__
        self._note(getattr(context, "tool_call_id", None), error=told, outcome=outcome)
        shown: str = default_tool_error_function(context, error)
        return shown

    async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
        """A call runs; what was known of its id is of another run."""
        id = getattr(context, "tool_call_id", None)
        self._seen.pop(str(id), None)
        self._note(id, source="executed")

    async def on_llm_start(self, context: Any, agent: Any, system_prompt: Any, input_items: Any) -> None:
        """Before the model answers: which of the calls in its input a person refused."""
        for item in input_items if isinstance(input_items, list) else ():
            call = item if isinstance(item, dict) and item.get("type") == "function_call" else {}
            if call and context.is_tool_approved(call.get("name"), call.get("call_id")) is False:
                self._note(call.get("call_id"), outcome=Outcome.REFUSED)


def ledger_from_run(result: Any, tools: Iterable[object] = (), *, hooks: RecordTools | None = None) -> Ledger:
    """The ledger of a finished or interrupted run: its items, and the calls that wait for approval."""
    waiting = {one.call_id: one for one in result.interruptions}
    items = [item for item in _marked(result.to_input_list(), hooks) if item.get("call_id") not in waiting]
    requests = [
        {"type": "mcp_approval_request", "id": id, "name": one.tool_name, "arguments": one.arguments}
        for id, one in waiting.items()
    ]
    return ledger_from_responses([*items, *requests], tools)


def _marked(items: Any, hooks: RecordTools | None) -> list[Mapping[str, Any]]:
    listed = [{"role": "user", "content": items}] if isinstance(items, str) else items
    found = [as_mapping(item, f"/items/{at}") for at, item in enumerate(listed)]
    return [hooks.mark(item) for item in found] if hooks else found


class VerifyingModel(Model):
    """A model whose final texts are verified ones, in one piece or streamed."""

    def __init__(self, inner: Model, guard: Guard | None = None, hooks: RecordTools | None = None) -> None:
        """Wrap a model; `hooks` are those of the run."""
        self.inner, self.guard, self.hooks = inner, guard or Guard(), hooks

    def __getattr__(self, name: str) -> Any:
        """What else the model has."""
        return getattr(self.inner, name)

    async def get_response(self, system_instructions: Any, input: Any, *more: Any, **named: Any) -> Any:
        """The model's answer, its texts verified; structured output is no prose and passes."""
        response = await self.inner.get_response(system_instructions, input, *more, **named)
        if _is_prose(_argument("output_schema", 2, more, named)):
            ledger = _Before(self, system_instructions, input, _argument("tools", 1, more, named))
            response.output = _verified(response.output, self.guard, ledger)
        return response

    async def stream_response(
        self, system_instructions: Any, input: Any, *more: Any, **named: Any
    ) -> AsyncIterator[Any]:
        """The model's events: text comes when it is verified, what follows it waits until the answer is complete."""
        events = self.inner.stream_response(system_instructions, input, *more, **named)
        if not _is_prose(_argument("output_schema", 2, more, named)):
            async for event in events:
                yield event
            return
        held = _HeldEvents(self.guard, _Before(self, system_instructions, input, _argument("tools", 1, more, named)))
        async for event in events:
            for ready in held.feed(event):
                yield ready


class VerifyingProvider(ModelProvider):
    """Verifies the answers of all models of a `RunConfig(model_provider=)` that agents name by a string."""

    def __init__(self, inner: ModelProvider, guard: Guard | None = None, hooks: RecordTools | None = None) -> None:
        """Wrap a provider."""
        self.inner, self.guard, self.hooks = inner, guard or Guard(), hooks

    def get_model(self, model_name: str | None) -> Model:
        """The provider's model, verifying."""
        return VerifyingModel(self.inner.get_model(model_name), self.guard, self.hooks)


def _argument(name: str, place: int, more: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """An argument of `get_response` after the input: model_settings, tools, output_schema, …"""
    return named.get(name, more[place] if len(more) > place else None)


def _is_prose(schema: Any) -> bool:
    return schema is None or bool(schema.is_plain_text())


class _Before:
    """The ledger before an answer, read when somebody asks."""

    def __init__(self, model: VerifyingModel, system: str | None, items: object, tools: Any) -> None:
        self._model, self._system, self._items, self._tools = model, system, items, tools or ()

    def __call__(self) -> Ledger:
        specs = [
            {"name": tool.name, "description": tool.description, "parameters": tool.params_json_schema}
            for tool in self._tools
            if isinstance(tool, FunctionTool)
        ]
        system = [{"role": "system", "content": self._system}] if self._system else []
        return ledger_from_responses(
            [*system, *_marked(self._items, self._model.hooks)], self._model.guard.listed(specs)
        )


def _verified(output: list[Any], guard: Guard, ledger: _Before) -> list[Any]:
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


class _HeldEvents:
    """A streamed answer: deltas give way to verified ones, and all that tells the whole text is corrected."""

    def __init__(self, guard: Guard, ledger: _Before) -> None:
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
