"""Microsoft's agent-framework: middleware of an agent that verifies its reply, also when it is streamed.

Written for agent-framework-core 1.23.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import date, datetime
from typing import Any

from agent_framework import AgentMiddleware, AgentResponseUpdate, Content

from verifier.conversation import Conversation
from verifier.guard import Guard
from verifier.ledger import Ledger
from verifier.model import Outcome


def ledger_from_messages(
    messages: Iterable[Any], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of messages, those of the response among them."""
    reader = _Reader(Conversation(tools, now=now))
    for message in messages:
        reader.add(message)
    reader.conversation.flush()
    return reader.conversation.ledger


class _Reader:
    """Reads messages in order, and knows which calls wait for a person."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.known: set[str] = set()
        self.waiting: dict[str, str] = {}  # id of a call -> its id in the ledger
        self.refused: set[str] = set()

    def add(self, message: Any) -> None:
        """The words of a message, then its calls, questions and results."""
        text = message.text
        if message.role == "user" and text:
            self.conversation.heard(text)
        elif message.role == "system":
            self.conversation.context(text)
        elif text:
            if not any(content.type == "function_call" for content in message.contents):
                self.conversation.flush()
            self.conversation.said(text)
        for content in message.contents:
            read = _KINDS.get(content.type)
            if read is not None:
                read(self, content)

    def _call(self, call: Any) -> None:
        if call.call_id not in self.known:  # a resumed run repeats the call
            self.known.add(call.call_id)
            self.conversation.called(call.name, call.parse_arguments(), call.call_id)

    def _question(self, content: Any) -> None:
        call = content.function_call
        self._call(call)
        if call.call_id not in self.waiting:
            self.conversation.withdraw(call.call_id)
            self.waiting[call.call_id] = self.conversation.waits(call.name, call.parse_arguments(), call.call_id)

    def _answer(self, content: Any) -> None:
        self._question(content)  # a resumed run may begin with the answer
        call = content.function_call
        if not content.approved:
            self.refused.add(call.call_id)
            self.conversation.settled(self.waiting[call.call_id], Outcome.REFUSED, reason="")

    def _result(self, content: Any) -> None:
        error = str(content.exception) if content.exception else None
        known = self.waiting.get(content.call_id)
        if content.call_id in self.refused:
            return
        if known is None:
            self.conversation.returned(content.call_id, content.result, error=error)
        else:
            self.conversation.answered(known, content.result, error=error)


_KINDS: dict[str, Callable[[_Reader, Any], None]] = {
    "function_call": _Reader._call,
    "function_approval_request": _Reader._question,
    "function_approval_response": _Reader._answer,
    "function_result": _Reader._result,
}


def stored(session: Any) -> list[Any]:
    """The messages that a session's providers keep in its state: what came before this run."""
    kept = session.state.values() if session is not None else ()
    return [message for state in kept if isinstance(state, dict) for message in state.get("messages") or ()]


class VerifyReplies(AgentMiddleware):
    """Middleware of an agent; a streamed reply is shown when it is complete and verified."""

    def __init__(self, guard: Guard | None = None) -> None:
        """`guard` has the verifier, the tools with their `write` flags, and the policy for errors."""
        self.guard = guard or Guard()

    async def process(self, context: Any, call_next: Callable[[], Awaitable[None]]) -> None:
        """Run the agent, then verify what it answers."""
        before = [*stored(context.session), *context.messages]
        await call_next()
        if not context.stream:
            context.result = self._verified(context.result, before)
            return
        context.result.with_result_hook(lambda response: self._verified(response, before))
        context.result.buffer_updates(
            result_to_updates=lambda response: [
                AgentResponseUpdate(role=message.role, contents=message.contents) for message in response.messages
            ]
        )

    def _verified(self, response: Any, before: list[Any]) -> Any:
        last = response.messages[-1] if response.messages else None
        if last is None or last.role != "assistant" or not last.text:
            return response
        said = [*before, *response.messages[:-1]]
        calls = any(content.type == "function_call" for content in last.contents)
        text = self.guard.text(last.text, lambda: ledger_from_messages(said, self.guard.tools), final=not calls)
        if text != last.text:
            others = [content for content in last.contents if content.type != "text"]
            last.contents = [Content.from_text(text), *others]
        return response
