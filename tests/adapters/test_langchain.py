"""LangChain and LangGraph, with a model that replays messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolErrorMiddleware
from langchain.tools import tool
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command
from snippets import run_snippet

from verifier import Tool
from verifier.adapters.langchain import VerifyReplies, ledger_from_messages
from verifier.guard import Guard

TOOLS = [Tool("refund_order", write=True)]
FALSE = "Done! I refunded order 42 for you."
ASK = {"messages": [HumanMessage("refund order 42")]}


class Scripted(BaseChatModel):
    """Replays messages, and streams them in small pieces."""

    replies: list[Any]
    at: list[int]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self

    def _next(self) -> AIMessage:
        self.at[0] += 1
        return self.replies[self.at[0] - 1]

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **more: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next())])

    def _stream(self, messages: Any, stop: Any = None, run_manager: Any = None, **more: Any) -> Any:
        message = self._next()
        pieces = [AIMessageChunk(message.content[at : at + 9]) for at in range(0, len(message.content), 9)]
        pieces += [
            AIMessageChunk(
                "", tool_call_chunks=[{**call, "args": json.dumps(call["args"]), "index": 0, "type": "tool_call_chunk"}]
            )
            for call in message.tool_calls
        ]
        for piece in pieces:
            chunk = ChatGenerationChunk(message=piece)
            if run_manager:
                run_manager.on_llm_new_token(piece.text, chunk=chunk)
            yield chunk


def asks(text: str = "") -> AIMessage:
    call = {"name": "refund_order", "args": {"order_id": 42}, "id": "c1", "type": "tool_call"}
    return AIMessage(text, tool_calls=[call])


def model(*replies: AIMessage) -> Scripted:
    return Scripted(replies=list(replies) or [asks(), AIMessage(FALSE)], at=[0])


@tool
def refund_order(order_id: int) -> str:
    """Refund an order."""
    if order_id == 42:
        raise ValueError("card expired")
    return json.dumps({"refunded": order_id})


def failing() -> ToolErrorMiddleware:
    return ToolErrorMiddleware(lambda error, request: f"{type(error).__name__}: {error}")


def middleware(**more: Any) -> VerifyReplies:
    return VerifyReplies(Guard(tools=TOOLS), **more)


def test_the_reply_is_replaced_in_the_state_and_the_call_recorded() -> None:
    agent = create_agent(model(), [refund_order], middleware=[middleware(), failing()])
    messages = agent.invoke(ASK)["messages"]
    assert messages[-1].text == "Not done: refund order: card expired."
    (call,) = ledger_from_messages(messages).calls
    assert (call.outcome, call.reason, call.source) == ("failed", "card expired", "executed")


async def collect(stream: Any) -> list[Any]:
    return [part async for part in stream]


def test_streams_show_the_verified_reply_only() -> None:
    agent = create_agent(model(), [refund_order], middleware=[middleware(), failing()])
    parts = list(agent.stream(ASK, stream_mode="messages"))
    words = "".join(part.text for part, about in parts if about.get("langgraph_node") == "model")
    assert words == "Not done: refund order: card expired."
    leaking = create_agent(model(), [refund_order], middleware=[middleware(hold=False), failing()])
    parts = list(leaking.stream(ASK, stream_mode="messages"))
    assert FALSE in "".join(part.text for part, about in parts if about.get("langgraph_node") == "model")


def test_asynchronous_runs() -> None:
    import asyncio

    agent = create_agent(model(), [refund_order], middleware=[middleware(), failing()])
    parts = asyncio.run(collect(agent.astream(ASK, stream_mode="messages")))
    words = "".join(part.text for part, about in parts if about.get("langgraph_node") == "model")
    assert words == "Not done: refund order: card expired."


def approving(*more: Any) -> tuple[Any, dict[str, Any]]:
    human = HumanInTheLoopMiddleware({"refund_order": True})
    agent = create_agent(model(*more), [refund_order], middleware=[human, middleware()], checkpointer=InMemorySaver())
    return agent, {"configurable": {"thread_id": "t"}}


def test_a_call_waits_and_is_refused() -> None:
    agent, config = approving()
    waiting = agent.invoke(ASK, config)
    (call,) = ledger_from_messages(waiting["messages"], interrupts=waiting["__interrupt__"]).calls
    assert (call.id, call.outcome) == ("c1", "pending_confirmation")
    done = agent.invoke(Command(resume={"decisions": [{"type": "reject", "message": "over limit"}]}), config)
    assert done["messages"][-1].text.startswith("That can't be done: refund order")
    (call,) = ledger_from_messages(done["messages"]).calls
    assert call.outcome == "refused"


def test_arguments_that_a_person_edited_are_those_that_ran() -> None:
    agent, config = approving(asks(), AIMessage("I refunded order 42."))
    agent.invoke(ASK, config)
    edited = {"name": "refund_order", "args": {"order_id": 99}}
    done = agent.invoke(Command(resume={"decisions": [{"type": "edit", "edited_action": edited}]}), config)
    (call,) = ledger_from_messages(done["messages"]).calls
    assert (call.arguments, call.outcome) == ({"order_id": 99}, "done")
    assert "99" in done["messages"][-1].text


def test_text_that_no_model_wrote_and_text_beside_calls() -> None:
    agent = create_agent(
        model(asks("I'll refund order 42 now."), AIMessage("It failed.")),
        [refund_order],
        middleware=[middleware(), failing()],
    )
    messages = agent.invoke(
        {"messages": [HumanMessage("I refunded order 7."), AIMessage("Refunded order 9!"), *ASK["messages"]]}
    )["messages"]
    assert [message.text for message in messages][:2] == ["I refunded order 7.", "Refunded order 9!"]
    assert messages[3].text == "I'll refund order 42 now."


@pytest.mark.parametrize(
    ("policy", "shown"), [("pass", FALSE), ("block", "I can't say reliably right now what was done.")]
)
def test_errors_of_ours_follow_the_policy(policy: Any, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    guard = Guard(on_error=policy)
    monkeypatch.setattr(guard.verifier, "verify", lambda *given, **more: 1 / 0)
    agent = create_agent(model(), [refund_order], middleware=[VerifyReplies(guard), failing()])
    assert agent.invoke(ASK)["messages"][-1].text == shown


def test_a_graph_of_ones_own() -> None:
    def answer(state: MessagesState) -> dict[str, Any]:
        done = isinstance(state["messages"][-1], ToolMessage)
        return {"messages": [AIMessage("I refunded order 99.", id="a")] if done else [asks()]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", answer)
    run_snippet("LangChain", 1, graph=graph, refund_order=refund_order, guard=Guard(tools=TOOLS))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else "verify")
    graph.add_edge("tools", "model")
    graph.add_edge("verify", END)
    messages = graph.compile().invoke(ASK)["messages"]
    assert len(messages) == 4
    assert messages[-1].text.startswith("Not done: refund order")


def test_messages_of_all_kinds() -> None:
    bad = {"name": "refund_order", "args": "{", "id": "c9", "error": "no JSON", "type": "invalid_tool_call"}
    ledger = ledger_from_messages(
        [
            SystemMessage("policy"),
            HumanMessage([{"type": "text", "text": "hi"}]),
            AIMessage("", invalid_tool_calls=[bad]),
            asks(),
            ToolMessage("Error: boom", tool_call_id="c1", name="refund_order"),
        ]
    )
    assert [(call.id, call.outcome.value, call.source) for call in ledger.calls] == [
        ("c9", "failed", "history"),
        ("c1", "failed", "history"),
    ]
    assert ledger.contexts == ("policy",)


def test_the_snippet() -> None:
    made = run_snippet("LangChain", model=model(), refund_order=refund_order, guard=Guard(tools=TOOLS))
    assert made["agent"].invoke(ASK)["messages"][-1].text == "Not done: refund order: card expired."
