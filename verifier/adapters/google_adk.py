"""Google ADK: a plugin that verifies each reply before a session stores it and a person reads it.

Written for google-adk 2.13. A tool that raises ends the run unless a plugin's `on_tool_error_callback` answers for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from google.adk.plugins.base_plugin import BasePlugin

from verifier.conversation import Conversation
from verifier.guard import Guard
from verifier.ledger import Ledger
from verifier.model import Outcome

CONFIRM = "adk_request_confirmation"  # the call with which ADK asks a person


def ledger_from_events(
    events: Iterable[Any], tools: Iterable[object] = (), *, now: date | datetime | None = None
) -> Ledger:
    """The ledger of a session's events."""
    reader = _Reader(Conversation(tools, now=now))
    for event in events:
        if not event.partial:
            reader.add(event)
    reader.conversation.flush()
    return reader.conversation.ledger


class _Reader:
    """Reads events in order, and knows which calls wait for a person."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.asked: dict[str, str] = {}  # id of a question -> id of the call that it is about
        self.waiting: dict[str, str] = {}  # id of a call that waits -> its id in the ledger
        self.refused: set[str] = set()
        self.calls: dict[str, tuple[str, Any]] = {}

    def add(self, event: Any) -> None:
        """One event: words, calls, what they returned."""
        text = text_of(event)
        calls, answers = event.get_function_calls(), event.get_function_responses()
        if text and event.author == "user":
            self.conversation.heard(text)
        elif text:
            if not calls:
                self.conversation.flush()
            self.conversation.said(text)
        for call in calls:
            self._call(call, event.author)
        waits = event.actions.requested_tool_confirmations or {}
        for answer in answers:
            self._answer(answer, answer.id in waits)

    def _call(self, call: Any, agent: str) -> None:
        given = dict(call.args or {})
        if call.name == CONFIRM:
            about = given.get("originalFunctionCall") or {}
            self.asked[call.id] = str(about.get("id"))
            self._wait(str(about.get("id")))
        else:
            self.calls[call.id] = (call.name, given)
            self.conversation.called(call.name, given, call.id or "", agent)

    def _wait(self, id: str) -> None:
        if id in self.calls and id not in self.waiting:
            self.conversation.withdraw(id)
            self.waiting[id] = self.conversation.waits(*self.calls[id], id)

    def _answer(self, answer: Any, asks: bool) -> None:
        back = answer.response
        if answer.id in self.asked:
            told = str((back or {}).get("confirmed", (back or {}).get("response", ""))).lower()
            if told != "true" and '"confirmed": true' not in told:
                self.refused.add(self.asked[answer.id])
        elif asks:  # what stands in until a person has answered looks like an error
            self._wait(answer.id)
        elif answer.id in self.waiting:
            known = self.waiting[answer.id]
            if answer.id in self.refused:
                self.conversation.settled(known, Outcome.REFUSED, reason=str((back or {}).get("error") or ""))
            else:
                self.conversation.answered(known, back)
        else:
            self.conversation.returned(answer.id or "", back, name=answer.name or "")


def text_of(event: Any) -> str:
    """The words of an event, without the model's thoughts."""
    return "".join(part.text for part in _texts(event))


def _texts(event: Any) -> list[Any]:
    parts = event.content.parts if event.content and event.content.parts else []
    return [part for part in parts if part.text and not part.thought]


class VerifyReplies(BasePlugin):
    """A plugin of `Runner(plugins=[...])`. Streamed words are held; the event with the whole text is verified."""

    def __init__(self, guard: Guard | None = None) -> None:
        """`guard` has the verifier, the tools with their `write` flags, and the policy for errors."""
        super().__init__("verifier")
        self.guard = guard or Guard()

    async def on_event_callback(self, *, invocation_context: Any, event: Any) -> Any:
        """The event with its words verified, or None to leave it alone."""
        words = text_of(event)
        if event.author == "user" or not words:
            return None
        text = ""
        if not event.partial:
            final = not event.get_function_calls()
            stored = invocation_context.session.events
            text = self.guard.text(words, lambda: ledger_from_events(stored, self.guard.tools), final=final)
        if text == words:
            return None
        changed = event.model_copy(deep=True)
        for at, part in enumerate(_texts(changed)):
            part.text = "" if at else text
        return changed
