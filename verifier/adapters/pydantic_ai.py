"""Pydantic AI: a capability that records each call where it runs and verifies each reply at the model.

Written for pydantic-ai 2.68. An output validator would leave the false text in the history, and streamed text leaks
past every hook but the model's own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse, TextPart, ToolReturn
from pydantic_ai.models import CompletedStreamedResponse, Model
from pydantic_ai.models.wrapper import WrapperModel

from verifier.conversation import Conversation, text_of
from verifier.guard import Guard
from verifier.ledger import Ledger
from verifier.model import Outcome

MARK = "verifier"  # the key of a result's metadata under which stands what ran; the model never sees it
OUTPUT_TOOLS = ("final_result",)  # what structured output is called with: no act
OUTCOMES = {"denied": Outcome.REFUSED, "interrupted": Outcome.UNKNOWN}
CALLS = ("tool-call", "builtin-tool-call")
RETURNS = ("tool-return", "builtin-tool-return", "retry-prompt")


def ledger_from_messages(
    messages: Iterable[Any],
    tools: Iterable[object] = (),
    *,
    deferred: Any = None,
    output_tools: Iterable[str] = OUTPUT_TOOLS,
    now: date | datetime | None = None,
) -> Ledger:
    """The ledger of `ctx.messages` or `result.all_messages()`. `deferred` is an output of `DeferredToolRequests`.

    Calls that `VerifyReplies` saw are `executed`, with the arguments that ran; others are history.
    """
    reader = _Reader(Conversation(tools, now=now), frozenset(output_tools))
    for message in messages:
        reader.add(message)
    for call in (*deferred.approvals, *deferred.calls) if deferred is not None else ():
        reader.wait(call)
    reader.conversation.flush()
    return reader.conversation.ledger


class _Reader:
    """Reads messages part by part."""

    def __init__(self, conversation: Conversation, output_tools: frozenset[str]) -> None:
        self.conversation, self.output_tools = conversation, output_tools

    def add(self, message: Any) -> None:
        """A request to the model, or its response."""
        if getattr(message, "instructions", None) and message.instructions not in self.conversation.ledger.contexts:
            self.conversation.context(message.instructions)
        asks = any(part.part_kind in CALLS for part in message.parts)
        for part in message.parts:
            self._part(part, asks)

    def _part(self, part: Any, asks: bool) -> None:
        kind, conversation = part.part_kind, self.conversation
        if kind == "user-prompt":
            conversation.heard(_words(part.content))
        elif kind == "system-prompt":
            conversation.context(part.content)
        elif kind == "text":
            if not asks:
                conversation.flush()
            conversation.said(part.content)
        elif kind in CALLS and part.tool_name not in self.output_tools:
            conversation.called(part.tool_name, part.args, part.tool_call_id)
        elif kind in RETURNS and part.tool_name and part.tool_name not in self.output_tools:
            self._returned(part)

    def _returned(self, part: Any) -> None:
        outcome = "retried" if part.part_kind == "retry-prompt" else part.outcome
        seen = part.metadata.get(MARK) if isinstance(getattr(part, "metadata", None), dict) else None
        value: Any = part.content
        failed = None if outcome in ("success", "interrupted") else value if isinstance(value, str) else True
        self.conversation.returned(
            part.tool_call_id,
            value.model_dump() if hasattr(value, "model_dump") else value,
            error=failed,
            ran=seen["arguments"] if seen else None,
            source="executed" if seen else "history",
            outcome=OUTCOMES.get(outcome),
        )

    def wait(self, call: Any) -> None:
        """A call that waits for a person, or runs elsewhere."""
        self.conversation.withdraw(call.tool_call_id)
        self.conversation.waits(call.tool_name, call.args, call.tool_call_id)


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return text_of([part if isinstance(part, str) else {"text": getattr(part, "content", "")} for part in content])


class VerifyReplies(AbstractCapability[Any]):
    """A capability of an agent: its text, in results, history and streams, is verified text.

    List it first where others change what tools get, so that it is the innermost.
    """

    def __init__(self, guard: Guard | None = None) -> None:
        """`guard` has the verifier, the tools with their `write` flags, and the policy for errors."""
        self.guard = guard or Guard()

    async def wrap_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any) -> Any:
        """Note the arguments that run, beside what the model is told."""
        result = await handler(args)
        made = result if isinstance(result, ToolReturn) else ToolReturn(return_value=result)
        if made.metadata is not None and not isinstance(made.metadata, dict):
            return result
        return replace(made, metadata={**(made.metadata or {}), MARK: {"arguments": dict(args)}})

    def get_wrapper_model(self, model: Model) -> Model:
        """Verify what the model answers."""
        return VerifyingModel(model, self.guard)


class VerifyingModel(WrapperModel):
    """A model whose texts are verified ones; a stream gives them when the answer is complete."""

    def __init__(self, wrapped: Model, guard: Guard) -> None:
        """Wrap a model."""
        super().__init__(wrapped)
        self.guard = guard

    async def request(self, messages: Any, model_settings: Any, model_request_parameters: Any) -> ModelResponse:
        """The model's answer, verified."""
        response = await self.wrapped.request(messages, model_settings, model_request_parameters)
        return self._verified(response, messages, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self, messages: Any, model_settings: Any, model_request_parameters: Any, run_context: Any = None
    ) -> AsyncIterator[Any]:
        """The model's answer as a stream, read to its end before it is shown."""
        opened = self.wrapped.request_stream(messages, model_settings, model_request_parameters, run_context)
        async with opened as stream:
            async for _ in stream:
                pass
            response = self._verified(stream.get(), messages, model_request_parameters)
        yield CompletedStreamedResponse(response, model_request_parameters=model_request_parameters, replay_events=True)

    def _verified(self, response: ModelResponse, messages: Any, parameters: Any) -> ModelResponse:
        output = {tool.name for tool in parameters.output_tools}
        specs = [
            {"name": tool.name, "description": tool.description or "", "parameters": tool.parameters_json_schema}
            for tool in parameters.function_tools
        ]

        def ledger() -> Ledger:
            return ledger_from_messages(messages, self.guard.listed(specs), output_tools={*OUTPUT_TOOLS, *output})

        return _with_text(response, lambda text, final: self.guard.text(text, ledger, final=final))


def _with_text(response: ModelResponse, change: Callable[[str, bool], str]) -> ModelResponse:
    """The response with its text verified as one, in the place of its first part of text."""
    texts = [part for part in response.parts if isinstance(part, TextPart)]
    whole = "".join(part.content for part in texts)
    if not whole:
        return response
    text = change(whole, not any(part.part_kind in CALLS for part in response.parts))
    if text == whole:
        return response
    first = replace(texts[0], content=text)
    parts: list[Any] = [first if part is texts[0] else part for part in response.parts if part not in texts[1:]]
    return replace(response, parts=parts)
