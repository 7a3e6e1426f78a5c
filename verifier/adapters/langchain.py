"""LangChain and LangGraph: record each call where it runs, verify each reply before it is stored and shown.

Written for langchain 1.5 and langgraph 1.2. In a list of middleware `VerifyReplies` comes after
`HumanInTheLoopMiddleware`, so that it sees the arguments that run, and before what turns exceptions into messages.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.constants import TAG_NOSTREAM

from verifier.adapters.langchain_messages import MARK, ledger_from_messages
from verifier.conversation import text_of
from verifier.guard import Guard
from verifier.ledger import Ledger

__all__ = ["VerifyReplies", "arecorded", "ledger_from_messages", "recorded", "verified", "verify_node"]


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
        def ledger() -> Ledger:
            system = [request.system_message] if request.system_message else []
            tools = [tool for tool in request.tools if not isinstance(tool, dict)]
            named = [{"name": tool.name, "description": tool.description} for tool in tools]
            return ledger_from_messages([*system, *request.messages], self.guard.listed(named))

        if isinstance(response, AIMessage):
            return verified(response, self.guard, ledger)
        response.result = [
            verified(message, self.guard, ledger) if isinstance(message, AIMessage) else message
            for message in response.result
        ]
        return response


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
