"""LangChain and LangGraph: record each call where it runs, verify each reply before it is stored and shown.

Written for langchain 1.5 and langgraph 1.2. In a list of middleware `VerifyReplies` comes after
`HumanInTheLoopMiddleware`, so that it sees the arguments that run, and before what turns exceptions into messages.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.constants import TAG_NOSTREAM

from verifier.conversation import Conversation, text_of
from verifier.guard import Guard
from verifier.ledger import Ledger
from verifier.model import Outcome

MARK = "verifier"  # the key of a tool message's `additional_kwargs` under which stands what ran


def ledger_from_messages(
    messages: Iterable[Any],
    tools: Iterable[object] = (),
    *,
    interrupts: Iterable[Any] = (),
    now: date | datetime | None = None,
) -> Ledger:
    """The ledger of a state's messages. `interrupts` are those that a run stopped at: their calls wait for a person.

    Calls that `VerifyReplies` or `recorded` saw are `executed`, with the arguments that ran; others are history.
    """
    conversation = Conversation(tools, now=now)
    for message in messages:
        _READ.get(message.type, _other)(conversation, message)
    for request in _requests(interrupts):
        _wait(conversation, request)
    conversation.flush()
    return conversation.ledger


def _human(conversation: Conversation, message: Any) -> None:
    conversation.heard(text_of(message.content))


def _system(conversation: Conversation, message: Any) -> None:
    conversation.context(text_of(message.content))


def _ai(conversation: Conversation, message: Any) -> None:
    text = text_of(message.content)
    if text and not message.tool_calls:
        conversation.flush()
    conversation.said(text)
    for call in message.tool_calls:
        conversation.called(call["name"], call["args"], call["id"] or "")
    for call in message.invalid_tool_calls:
        id, error = call["id"] or "", str(call.get("error") or "the arguments are no JSON")
        conversation.called(str(call["name"]), call["args"], id)
        conversation.returned(id, None, error=error)


def _tool(conversation: Conversation, message: Any) -> None:
    more = message.additional_kwargs
    seen = more.get(MARK) or {}
    asked = more.get("lc_source") == "hitl_interrupt_decision" and (more.get("lc_data") or {}).get("decision")
    rejected = Outcome.REFUSED if asked == "reject" else None
    failed = message.status == "error"
    conversation.returned(
        message.tool_call_id,
        message.content,
        error=(message.text if rejected else True) if failed else None,
        name=message.name or "",
        ran=seen.get("arguments"),
        source="executed" if seen else "history",
        outcome=rejected,
    )


def _other(conversation: Conversation, message: Any) -> None:
    """Messages of other kinds (a removal) tell of no call."""


_READ: dict[str, Callable[[Conversation, Any], None]] = {
    "human": _human, "system": _system, "ai": _ai, "tool": _tool, "developer": _system,
}  # fmt: skip


def _requests(interrupts: Iterable[Any]) -> Iterable[Mapping[str, Any]]:
    """What interrupts of the human-in-the-loop middleware ask a person to approve."""
    for interrupt in interrupts:
        value = getattr(interrupt, "value", interrupt)
        if isinstance(value, Mapping):
            requests = value.get("action_requests")
            yield from requests if isinstance(requests, list) else [value] if "name" in value else []


def _wait(conversation: Conversation, request: Mapping[str, Any]) -> None:
    name, arguments = str(request.get("name")), request.get("args") or {}
    id = conversation.open_call(name, arguments, str(request.get("tool_call_id") or ""))
    conversation.withdraw(id)
    conversation.waits(name, arguments, id)


def recorded(request: Any, handler: Callable[[Any], Any]) -> Any:
    """Run a tool and note in its message what ran: for `ToolNode(tools, wrap_tool_call=recorded)`."""
    return _marked(request, handler(request))


async def arecorded(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
    """`recorded` for `awrap_tool_call`."""
    return _marked(request, await handler(request))


def _marked(request: Any, answer: Any) -> Any:
    if not isinstance(answer, ToolMessage):
        update = getattr(answer, "update", None)  # a Command: its message is among what it updates
        for message in update.get("messages", ()) if isinstance(update, dict) else ():
            if isinstance(message, ToolMessage) and message.tool_call_id == request.tool_call["id"]:
                message.additional_kwargs[MARK] = {"arguments": request.tool_call["args"]}
        return answer
    more = {**answer.additional_kwargs, MARK: {"arguments": request.tool_call["args"]}}
    return answer.model_copy(update={"additional_kwargs": more})


class VerifyReplies(AgentMiddleware[Any, Any, Any]):
    """Middleware of `create_agent`: the replies that reach the state, and the person, are verified ones.

    `hold=True` also keeps the model's own words out of `stream_mode="messages"`, which shows the verified message.
    """

    def __init__(self, guard: Guard | None = None, *, hold: bool = True) -> None:
        """`guard` has the verifier, the tools with their `write` flags, and the policy for errors."""
        super().__init__()
        self.guard, self.hold = guard or Guard(), hold

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Note the arguments that run."""
        return recorded(request, handler)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Note the arguments that run."""
        return await arecorded(request, handler)

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Verify what the model answers."""
        return self._verified(request, handler(self._held(request)))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Verify what the model answers."""
        return self._verified(request, await handler(self._held(request)))

    def _held(self, request: Any) -> Any:
        if not self.hold:
            return request
        tags = [*(request.model.tags or ()), TAG_NOSTREAM]
        return request.override(model=request.model.model_copy(update={"tags": tags}))

    def _verified(self, request: Any, response: Any) -> Any:
        ledger = _Ledger(self.guard, request)
        if isinstance(response, AIMessage):
            return verified(response, self.guard, ledger)
        response.result = [
            verified(message, self.guard, ledger) if isinstance(message, AIMessage) else message
            for message in response.result
        ]
        return response


class _Ledger:
    """The ledger before a model's answer, read when somebody asks."""

    def __init__(self, guard: Guard, request: Any) -> None:
        self._guard, self._request = guard, request

    def __call__(self) -> Ledger:
        system = [self._request.system_message] if self._request.system_message else []
        tools = [tool for tool in self._request.tools if not isinstance(tool, dict)]
        named = [{"name": tool.name, "description": tool.description} for tool in tools]
        return ledger_from_messages([*system, *self._request.messages], self._guard.listed(named))


def verified(message: AIMessage, guard: Guard, ledger: Callable[[], Ledger]) -> AIMessage:
    """The message with its text verified; the message itself where nothing changes."""
    text = text_of(message.content)
    checked = guard.text(text, ledger, final=not message.tool_calls)
    if checked == text:
        return message
    content: Any = checked
    if not isinstance(message.content, str):
        others = [part for part in message.content if not isinstance(part, str) and part.get("type") != "text"]
        content = [{"type": "text", "text": checked}, *others]
    return message.model_copy(update={"content": content})


def verify_node(guard: Guard | None = None) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A LangGraph node that verifies a state's last message; put it before the end of a graph of your own.

    A stream of updates must read this node: that of the model has shown its own words before.
    """
    own = guard or Guard()

    def node(state: Mapping[str, Any]) -> dict[str, Any]:
        messages = state["messages"]
        last = messages[-1] if messages else None
        if not isinstance(last, AIMessage):
            return {}
        checked = verified(last, own, lambda: ledger_from_messages(messages[:-1], own.tools))
        return {} if checked is last else {"messages": [checked]}  # the same id: it takes the place of the old one

    return node
