"""OpenAI Agents SDK: record what its tools did, verify each reply before items, session and stream have it.

Written for openai-agents 0.24. An output guardrail can only stop a run; the place to replace a reply is the model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from agents import FunctionTool, Model, ModelProvider

from verifier.adapters.openai import ledger_from_responses
from verifier.adapters.openai_agents_events import HeldEvents, verified
from verifier.adapters.openai_agents_hooks import RecordTools, ledger_from_run, marked
from verifier.guard import Guard
from verifier.ledger import Ledger

__all__ = ["RecordTools", "VerifyingModel", "VerifyingProvider", "ledger_from_run"]


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
            response.output = verified(response.output, self.guard, ledger)
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
        held = HeldEvents(self.guard, _Before(self, system_instructions, input, _argument("tools", 1, more, named)))
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
            [*system, *marked(self._items, self._model.hooks)], self._model.guard.listed(specs)
        )
