"""LiteLLM: a guardrail of the proxy, a callback of the SDK's asynchronous calls, and calls that verify what they give.

Written for litellm 1.110. The SDK shows no hook the answer of `completion()` or the chunks of a stream, so those are
called on the guardrail: `VerifyReplies(guard).completion(...)`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import litellm
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.types.guardrails import GuardrailEventHooks

from verifier.adapters.openai import ledger_from_chat
from verifier.guard import Guard, Held
from verifier.ledger import Ledger

NAMED = {"guardrail_name": "verifier", "event_hook": GuardrailEventHooks.post_call, "default_on": True}
HOLDS = "async_post_call_streaming_iterator_hook"
OF_THE_PROXY = "proxy_server_request"  # a request with it comes to the proxy's own hooks, too


class VerifyReplies(CustomGuardrail):
    """Replies are held to the calls and results in the request's messages (the chat format has no error flag)."""

    def __init__(self, guard: Guard | None = None, **more: Any) -> None:
        """`guard` has the verifier, the tools with their `write` flags, and the policy for errors."""
        super().__init__(**{**NAMED, **more})
        self.guard = guard or Guard()

    def __init_subclass__(cls, **more: Any) -> None:
        """The proxy holds streams only for classes that define this hook themselves: give it to those derived."""
        super().__init_subclass__(**more)
        if HOLDS not in cls.__dict__:
            setattr(cls, HOLDS, getattr(cls, HOLDS))

    def completion(self, model: str, messages: Any = (), **request: Any) -> Any:
        """`litellm.completion` with a verified answer, streamed or whole."""
        request["messages"] = messages
        response = litellm.completion(model, **request)
        return self._stream(response, request) if request.get("stream") else self._verified(request, response)

    async def acompletion(self, model: str, messages: Any = (), **request: Any) -> Any:
        """`litellm.acompletion` with a verified answer, streamed or whole; only whole ones pass the callback."""
        request["messages"] = messages
        response = await litellm.acompletion(model, **request)
        if request.get("stream"):
            return self.async_post_call_streaming_iterator_hook(None, response, request)
        return response if self in litellm.callbacks else self._verified(request, response)

    async def async_post_call_success_deployment_hook(self, request_data: Any, response: Any, call_type: Any) -> Any:
        """The SDK's `acompletion`."""
        return response if OF_THE_PROXY in request_data else self._verified(request_data, response)

    async def async_post_call_success_hook(self, data: Any, user_api_key_dict: Any, response: Any) -> Any:
        """The proxy, without streaming."""
        return self._verified(data, response)

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: Any
    ) -> AsyncIterator[Any]:
        """The proxy's streams: words come when they are verified; the chunk that ends a text brings the rest."""
        held = self._chunks(request_data)
        async for chunk in response:
            for ready in held.feed(chunk):
                yield ready
        for ready in held.close():
            yield ready

    def _stream(self, response: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        held = self._chunks(request)
        for chunk in response:
            yield from held.feed(chunk)
        yield from held.close()

    def _chunks(self, request: Mapping[str, Any]) -> _HeldChunks:
        return _HeldChunks(lambda: self.guard.held(lambda: self._ledger(request)))

    def _ledger(self, request: Mapping[str, Any]) -> Ledger:
        return ledger_from_chat(request.get("messages") or (), self.guard.listed(request.get("tools") or ()))

    def _verified(self, request: Mapping[str, Any], response: Any) -> Any:
        for choice in getattr(response, "choices", None) or ():
            message = getattr(choice, "message", None)
            if message is not None and isinstance(message.content, str):
                final = not message.tool_calls
                message.content = self.guard.text(message.content, lambda: self._ledger(request), final=final)
        return response


class _HeldChunks:
    """A stream's chunks, each a step behind: the last may have to bring the rest of a text that broke off."""

    def __init__(self, held: Any) -> None:
        self.held = held
        self.texts: dict[int, Held] = {}  # by the place of a choice
        self.choices: dict[int, Any] = {}  # the latest of each place
        self.calls: set[int] = set()
        self.last: Any = None

    def feed(self, chunk: Any) -> list[Any]:
        """A chunk of the model; gives the one before it."""
        for choice in getattr(chunk, "choices", None) or ():
            self.choices[choice.index] = choice
            self._hold(choice, choice.index, choice.delta)
        before, self.last = self.last, chunk
        return [] if before is None else [before]

    def _hold(self, choice: Any, at: int, delta: Any) -> None:
        if delta.tool_calls:
            self.calls.add(at)
        if delta.content:
            if at not in self.texts:
                self.texts[at] = self.held()
            delta.content = self.texts[at].feed(delta.content)
        if choice.finish_reason and at in self.texts:
            delta.content = (delta.content or "") + self.texts.pop(at).close(final=at not in self.calls)

    def close(self) -> list[Any]:
        """The last chunk, with the rest of texts that no chunk has ended."""
        if self.last is None:
            return []
        for at, text in self.texts.items():
            own = next((choice for choice in self.last.choices if choice.index == at), None)
            if own is None:  # the last chunk may be one of usage, without choices
                own = self.choices[at].model_copy(deep=True)
                own.delta.content = ""
                self.last.choices = [*self.last.choices, own]
            own.delta.content = (own.delta.content or "") + text.close(final=at not in self.calls)
        return [self.last]
