"""LiteLLM: a guardrail of the proxy, and a callback of the SDK's asynchronous calls.

Written for litellm 1.110. The synchronous `completion()` passes no hook; verify what it returns yourself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.types.guardrails import GuardrailEventHooks

from verifier.adapters.openai import ledger_from_chat
from verifier.guard import Guard
from verifier.ledger import Ledger


class VerifyReplies(CustomGuardrail):
    """Replies are held to the calls and results in the request's messages (the chat format has no error flag)."""

    def __init__(self, guard: Guard | None = None, **more: Any) -> None:
        """`guard` has the verifier, the tools with their `write` flags, and the policy for errors."""
        super().__init__(
            guardrail_name="verifier", event_hook=GuardrailEventHooks.post_call, **{"default_on": True, **more}
        )
        self.guard = guard or Guard()

    async def async_post_call_success_deployment_hook(self, request_data: Any, response: Any, call_type: Any) -> Any:
        """The SDK's `acompletion`."""
        return self._verified(request_data, response)

    async def async_post_call_success_hook(self, data: Any, user_api_key_dict: Any, response: Any) -> Any:
        """The proxy, without streaming."""
        return self._verified(data, response)

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: Any
    ) -> AsyncIterator[Any]:
        """The proxy's streams: words come when they are verified; a chunk that ends the text brings the rest."""
        held = self.guard.held(lambda: self._ledger(request_data))
        last: Any = None
        calls = closed = False
        async for chunk in response:
            if last is not None:
                yield last
            delta = chunk.choices[0].delta if chunk.choices else None
            if delta is not None:
                calls = calls or bool(delta.tool_calls)
                delta.content = held.feed(delta.content) if delta.content else delta.content
            last = chunk
            if delta is not None and chunk.choices[0].finish_reason:
                delta.content, closed = (delta.content or "") + held.close(final=not calls), True
        if last is not None:
            if not closed and last.choices:  # a stream that broke off
                last.choices[0].delta.content = (last.choices[0].delta.content or "") + held.close()
            yield last

    def _ledger(self, request: Mapping[str, Any]) -> Ledger:
        return ledger_from_chat(request.get("messages") or (), self.guard.listed(request.get("tools") or ()))

    def _verified(self, request: Mapping[str, Any], response: Any) -> Any:
        for choice in getattr(response, "choices", None) or ():
            message = getattr(choice, "message", None)
            if message is not None and isinstance(message.content, str):
                final = not message.tool_calls
                message.content = self.guard.text(message.content, lambda: self._ledger(request), final=final)
        return response
