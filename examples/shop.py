"""A shop's counter: the model says too much, and the person reads what was done.

Run it with `python examples/shop.py`. The agent here is a stand-in for yours, as small as it can be: it asks again
when it recognises nothing, refuses arguments that do not fit, waits for the person before a write, and hands every
reply that the model wrote to `verify`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifier import Call, Ledger, Outcome, Tool, Verifier

PHRASINGS = Path(__file__).with_name("phrasings.yaml")

GET_ORDER = Tool(
    "get_order",
    write=False,
    description="Look up an order.",
    parameters={"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
)
REFUND_CARD = Tool(
    "refund_card",
    write=True,
    description="Refund money to the card that paid for an order.",
    parameters={
        "type": "object",
        "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
        "required": ["order_id", "amount"],
    },
)
TOOLS = (GET_ORDER, REFUND_CARD)
RUN: Mapping[str, Callable[..., object]] = {
    "get_order": lambda order_id: {"order_id": order_id, "state": "sent", "card": "ending 1881"},
    "refund_card": lambda order_id, amount: {"refunded": amount},
}

Message = dict[str, Any]
Model = Callable[[list[Message]], "str | Message"]

# Stands in for your model: for each turn, the call it asks for and the reply it then writes.
SCRIPT: Mapping[str, tuple[dict[str, Any] | None, str]] = {
    "my parcel is lost": (None, ""),
    "the parcel for 4412 is lost": (
        {"name": "get_order", "arguments": {"order_id": "4412"}},
        "Order 4412 has been refunded.",
    ),
    "the parcel for 4412 never turned up": (
        {"name": "refund_card", "arguments": {"order_id": "4412", "amount": "all"}},
        "I've refunded order 4412.",
    ),
    "the parcel for 4412 went missing": (
        {"name": "refund_card", "arguments": {"order_id": "4412", "amount": 12.50}},
        "I've refunded 15.00 pounds to your card for order 4412.",
    ),
    "the parcel for 4412 vanished": (
        {"name": "refund_card", "arguments": {"order_id": "4412", "amount": 12.50}},
        "I've refunded 12.50 pounds to your card for order 4412.",
    ),
}


def model(conversation: list[Message]) -> str | Message:
    """The call that the script asks for in this turn, and afterwards its reply."""
    turn = next(one["content"] for one in reversed(conversation) if one["role"] == "user")
    call, reply = SCRIPT[turn]
    if conversation[-1]["role"] == "user" and call:
        return {"content": "", "tool_calls": [call]}
    return reply


# The stand-in for an agent -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reply:
    """What the person reads, or the call that waits for them."""

    text: str = ""
    waiting: Call | None = None


@dataclass
class Session:
    """One person's conversation and its ledger."""

    ledger: Ledger
    conversation: list[Message] = field(default_factory=list)
    asked_again: bool = False


class Agent:
    """Runs the tools that a model asks for, and lets nothing be shown that the ledger does not bear out."""

    def __init__(self, model: Model, **replies: Any) -> None:
        """Take the model and the settings of the verifier."""
        self.model = model
        self.verifier = Verifier(**replies)
        self.sessions: dict[str, Session] = {}

    def chat(self, text: str, user: str) -> Reply:
        """Answer a turn, or wait for the person's word on a write."""
        session = self.sessions.get(user)
        if session is None:
            session = self.sessions[user] = Session(Ledger(tools=TOOLS))
            session.ledger.hear(text)
        else:
            session.ledger.begin_turn(text)
        if not session.asked_again and not recognised(text):
            session.asked_again = True
            return Reply(clarification())
        session.conversation.append({"role": "user", "content": text})
        answer = self.model(session.conversation)
        if isinstance(answer, str):
            return self._checked(answer, session)
        call = self._start(answer["tool_calls"][0], session.ledger)
        return Reply(waiting=call) if call.outcome is Outcome.PENDING_CONFIRMATION else self._answer(call, session)

    def confirm(self, user: str, word: str) -> Reply:
        """Run the write that waits ("approve") or leave it ("skip"), and answer."""
        session = self.sessions[user]
        waiting = next(one for one in session.ledger.calls if one.outcome is Outcome.PENDING_CONFIRMATION)
        if word == "approve":
            result = RUN[waiting.tool](**waiting.arguments)
            call = session.ledger.settle(waiting.id, Outcome.DONE, result)
        else:
            call = session.ledger.settle(waiting.id, Outcome.NOT_ATTEMPTED)
        return self._answer(call, session)

    def _start(self, asked: Mapping[str, Any], ledger: Ledger) -> Call:
        """Record the call that the model asks for: refused, waiting for the person, or run."""
        name, arguments = asked["name"], asked["arguments"]
        tool = ledger.tool(name)
        if tool is None or not fits(arguments, tool.parameters):
            return ledger.record(name, arguments, outcome=Outcome.REFUSED, reason="argument_schema")
        if tool.write:
            return ledger.record(name, arguments, outcome=Outcome.PENDING_CONFIRMATION)
        return ledger.record(name, arguments, outcome=Outcome.DONE, result=RUN[name](**arguments))

    def _answer(self, call: Call, session: Session) -> Reply:
        session.conversation.append({"role": "tool", "name": call.tool, "content": call.outcome.value})
        return self._checked(str(self.model(session.conversation)), session)

    def _checked(self, written: str, session: Session) -> Reply:
        """The one place where what a model wrote becomes what a person reads."""
        session.conversation.append({"role": "assistant", "content": written})
        return Reply(self.verifier.verify(written, session.ledger).text)


def fits(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Whether arguments have the names and the simple types of a JSON Schema (enough for this shop)."""
    types: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float)}
    known = schema["properties"]
    named = set(schema["required"]) <= set(arguments) <= set(known)
    return named and all(isinstance(value, types[known[name]["type"]]) for name, value in arguments.items())


def recognised(text: str) -> bool:
    """Whether a turn names an order, or what one of the tools does."""
    return bool(re.search(r"\b[0-9]{4}\b", text)) or any(tool.name.split("_")[0] in text for tool in TOOLS)


def clarification() -> str:
    """The fixed question. No model wrote it, so it is not verified."""
    names = " or ".join(tool.name.replace("_", " ") for tool in TOOLS)
    return f"I didn't recognise anything in that. I can {names}. Which do you mean?"


def turn(desk: Agent, text: str, answer: str = "approve") -> None:
    """One turn of the person with the desk, printed."""
    reply = desk.chat(text, user="u-17")
    if reply.waiting:  # a write waits for the person
        print(f"{text} -> waits: Run {reply.waiting.tool}?")
        reply = desk.confirm("u-17", answer)
        print(f"  {answer} -> {reply.text}")
    else:
        print(f"{text} -> {reply.text}")


def main() -> None:
    """The shop's six turns, then two with the template composer."""
    desk = Agent(model, phrasings=PHRASINGS)
    turn(desk, "my parcel is lost")  # nothing reads it: asked once to say it again
    turn(desk, "the parcel for 4412 is lost")  # the model says a refund was made; none was called
    turn(desk, "the parcel for 4412 never turned up")  # the refund was refused; the model says it was made
    turn(desk, "the parcel for 4412 went missing")  # done, but the model states another amount
    turn(desk, "the parcel for 4412 vanished")  # done, and the reply says what was done
    turn(desk, "the parcel for 4412 went missing", answer="skip")  # the person said no: not attempted

    template = Agent(model, phrasings=PHRASINGS, composer="template")
    for text in ("my parcel is lost", "the parcel for 4412 vanished"):
        reply = template.chat(text, user="u-18")
        if reply.waiting:
            reply = template.confirm("u-18", "approve")
        print(f"{text} -> {reply.text}")


if __name__ == "__main__":
    main()
