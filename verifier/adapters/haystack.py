"""Haystack: a chat generator whose replies are verified ones, also streamed; a hook of `Agent` where nothing streams.

Written for haystack-ai 3.4. A `streaming_callback` is called inside the generator, so that is where words are held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from inspect import isawaitable
from typing import Any

from haystack import component
from haystack.components.agents.state import State
from haystack.dataclasses import ChatMessage, StreamingChunk
from haystack.hooks import hook
from haystack.tools import flatten_tools_or_toolsets

from verifier.adapters.haystack_chunks import HeldChunks, with_text
from verifier.conversation import Conversation
from verifier.guard import Guard
from verifier.ledger import Ledger
from verifier.model import Outcome

REJECTED = "rejected by the user"  # ConfirmationHook's answer to the model; there is no other sign of it


def ledger_from_messages(
    messages: Iterable[Any], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of an agent's messages; a result names the call as it ran."""
    conversation = Conversation(tools, now=now)
    for message in messages:
        _read(conversation, message)
    conversation.flush()
    return conversation.ledger


def _read(conversation: Conversation, message: Any) -> None:
    text = "\n".join(message.texts)
    if message.is_from("user"):
        conversation.heard(text)
    elif message.is_from("system"):
        conversation.context(text)
    elif message.is_from("assistant"):
        if text and not message.tool_calls:
            conversation.flush()
        conversation.said(text)
    for call in message.tool_calls:
        conversation.called(call.tool_name, call.arguments, call.id or "")
    for back in message.tool_call_results:
        rejected = Outcome.REFUSED if back.error and REJECTED in str(back.result) else None
        failed = str(back.result) if back.error else None
        conversation.returned(
            back.origin.id or "",
            back.result,
            error=failed,
            name=back.origin.tool_name,
            ran=back.origin.arguments,
            outcome=rejected,
        )


def verify_reply(guard: Guard | None = None) -> Callable[[State], None]:
    """A hook for `Agent(hooks={"after_run": [verify_reply()]})`; a `streaming_callback` shows words before it runs."""
    own = guard or Guard()

    @hook
    def verified(state: State) -> None:
        messages = state.data["messages"]
        last = messages[-1] if messages else None
        if last is None or not last.is_from("assistant") or not last.text:
            return
        before = messages[:-1]
        text = own.text(last.text, lambda: ledger_from_messages(before, own.tools), final=not last.tool_calls)
        messages[-1] = with_text(last, text)

    found: Any = verified
    return found  # type: ignore[no-any-return]


@component
class VerifyingGenerator:
    """A chat generator with verified replies: `Agent(chat_generator=VerifyingGenerator(generator, guard))`."""

    def __init__(self, inner: Any, guard: Guard | None = None) -> None:
        """Wrap a chat generator; `guard` has the verifier, the tools with their `write` flags, and the policy."""
        self.inner, self.guard = inner, guard or Guard()

    @component.output_types(replies=list[ChatMessage])
    def run(
        self, messages: Any, streaming_callback: Any = None, generation_kwargs: Any = None, *, tools: Any = None
    ) -> dict[str, Any]:
        """The model's replies, verified; the callback is given verified words."""
        held, show = self._held(messages, tools), self._callback(streaming_callback)

        def hold(chunk: StreamingChunk) -> None:
            for ready in held.feed(chunk):
                show(ready)

        back = self.inner.run(messages, **_given(show and hold, generation_kwargs, tools))
        replies, rest = held.close(back["replies"])
        for chunk in rest:
            show(chunk)
        return {**back, "replies": replies}

    @component.output_types(replies=list[ChatMessage])
    async def run_async(
        self, messages: Any, streaming_callback: Any = None, generation_kwargs: Any = None, *, tools: Any = None
    ) -> dict[str, Any]:
        """`run`, awaited."""
        held, show = self._held(messages, tools), self._callback(streaming_callback)

        async def pass_on(chunks: list[StreamingChunk]) -> None:
            for ready in chunks:
                waits = show(ready)
                if isawaitable(waits):
                    await waits

        async def hold(chunk: StreamingChunk) -> None:
            await pass_on(held.feed(chunk))

        back = await self.inner.run_async(messages, **_given(show and hold, generation_kwargs, tools))
        replies, rest = held.close(back["replies"])
        await pass_on(rest)
        return {**back, "replies": replies}

    def _callback(self, given: Any) -> Any:
        return given or getattr(self.inner, "streaming_callback", None)

    def _held(self, messages: Any, tools: Any) -> HeldChunks:
        before = [ChatMessage.from_user(messages)] if isinstance(messages, str) else list(messages)
        specs = [tool.tool_spec for tool in flatten_tools_or_toolsets(tools)]
        return HeldChunks(self.guard, lambda: ledger_from_messages(before, self.guard.listed(specs)))


def _given(callback: Any, settings: Any, tools: Any) -> dict[str, Any]:
    """The arguments of a generator that are there; not every generator knows all of them."""
    named = {"streaming_callback": callback, "generation_kwargs": settings, "tools": tools}
    return {name: value for name, value in named.items() if value is not None}
