"""A pytest plugin: the fixture `ledger`, and `assert_faithful`, whose message says what in a reply is not true.

Installed with the package (entry point `pytest11`); it loads the verifier when a test first asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verifier.ledger import Call, Ledger
    from verifier.model import Clause
    from verifier.verdict import SentenceVerdict, Verdict

MARKER = "ledger(tools=(), now=None): what the fixture `ledger` starts with; a tool is a Tool, a spec or a function"
MAX_ARGUMENTS_CHARS = 200


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `ledger`."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture(name="ledger")
def empty_ledger(request: pytest.FixtureRequest) -> Ledger:
    """An empty ledger, with the tools and the date of `@pytest.mark.ledger(tools=[…], now=…)` where a test says so."""
    from verifier.ledger import Ledger
    from verifier.tool import Tool

    marker = request.node.get_closest_marker("ledger")
    given: dict[str, Any] = dict(marker.kwargs) if marker else {}
    tools = [Tool.from_spec(one) for one in given.pop("tools", ())]
    return Ledger(tools, **given)


def assert_faithful(reply: str, ledger: Ledger, **settings: Any) -> Verdict:
    """Fail unless every sentence of a reply holds and no write was left out; gives the verdict.

    `settings` are those of `verify`. A reply that is not read (another language) fails too: nothing in it was checked.
    """
    __tracebackhide__ = True
    from verifier.verify import verify

    verdict = verify(reply, ledger, **settings)
    if verdict.changed or not verdict.read:
        raise AssertionError("\n".join(_message(verdict)))
    return verdict


def _message(verdict: Verdict) -> Iterator[str]:
    if not verdict.read:
        yield "the reply was not read: it is not in the language chosen, so nothing in it was checked"
        return
    yield "the reply is not faithful to what was done"
    for sentence in verdict.sentences:
        if sentence.action != "kept":
            yield from _sentence(verdict, sentence)
    for call in verdict.appended:
        yield f"\n  left out  {_shown(call)}"
    yield f"\n  a person would read: {verdict.text!r}"


def _sentence(verdict: Verdict, sentence: SentenceVerdict) -> Iterator[str]:
    """The sentence, and each clause of it that is false: the call it was held against and the reason."""
    yield f"\n  sentence  {sentence.text!r}"
    for clause in [one for one in sentence.clauses if not one.true]:
        yield f"  says      {_claim(verdict, sentence, clause)}"
        yield f"  call      {_shown(clause.call) if clause.call else 'none'}"
        yield f"  reason    {_reason(clause)}"


def _claim(verdict: Verdict, sentence: SentenceVerdict, clause: Clause) -> str:
    """What a clause says, with its own words where it is a part of the sentence."""
    said = f"{clause.claim.value if clause.claim else 'nothing'} of {clause.tool or 'no tool'}"
    words = verdict.reply[clause.start : clause.end].rstrip(".!")
    return said if words == sentence.text.rstrip(".!") else f"{said}, in {words!r}"


def _shown(call: Call) -> str:
    """A call on one line, with its outcome."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    if len(arguments) > MAX_ARGUMENTS_CHARS:
        arguments = arguments[: MAX_ARGUMENTS_CHARS - 1] + "…"
    because = f" ({call.reason})" if call.reason else ""
    return f"{call.id} in turn {call.turn}, {call.tool}({arguments}): {call.outcome.value}{because}"


def _reason(clause: Clause) -> str:
    place = f" at {clause.place}" if clause.place else ""
    rule = f" ({clause.rule})" if clause.rule else ""
    return f"{clause.why or 'the ledger does not say so'}{place}{rule}"
