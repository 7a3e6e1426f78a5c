"""Required phrases: when, where, and once."""

from __future__ import annotations

from typing import Any

import pytest

from verifier import Ledger, Tool, verify
from verifier.rules import apply, load
from verifier.splice import splice
from verifier.splitter import split

SAYS = "Terms apply."


def ruled(text: str, ledger: Ledger | None = None, language: str = "en", **rule: Any) -> str:
    """The text after one rule about a required phrase."""
    rule = {
        "id": "r",
        "kind": "required",
        "languages": "any",
        "action": "append",
        "text": SAYS,
        "when": {"always": True},
        **rule,
    }
    applied = apply(text, (), split(text, language), ledger or Ledger(), load([rule]), language=language)
    return splice(text, applied.edits)


def session(outcome: str = "done") -> Ledger:
    """A session whose turn called one tool."""
    ledger = Ledger(tools=[Tool("refund_card", write=True)])
    ledger.record("refund_card", {"amount": 5}, outcome=outcome)
    return ledger


def test_always() -> None:
    assert ruled("Hello.") == "Hello. Terms apply."


@pytest.mark.parametrize(
    "text",
    [
        "Hello. Terms apply.",
        "TERMS APPLY",
        "**Terms** apply",
        "tеrms\u200b apply",
        "(terms, apply)",
        "T e r m s. Terms  apply!",
    ],
)
def test_not_where_it_stands_in_any_spelling(text: str) -> None:
    assert ruled(text) == text


def test_not_where_another_wording_stands() -> None:
    assert ruled("Conditions apply.", already=["conditions apply|applies"]) == "Conditions apply."


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ({"tools": ["refund_card"]}, True),
        ({"tools": ["other"]}, False),
        ({"outcomes": ["done"]}, True),
        ({"outcomes": ["failed"]}, False),
        ({"tools": ["refund_card"], "outcomes": ["failed"]}, False),
        ({"topics": ["refund*"]}, True),
        ({"topics": ["warranty"]}, False),
    ],
)
def test_when_a_tool_an_outcome_or_a_topic_occurs(when: dict[str, Any], expected: bool) -> None:
    text = "Your refunds are done."

    assert (ruled(text, session(), when=when) != text) is expected


def test_a_topic_can_come_from_the_person() -> None:
    ledger = Ledger()
    ledger.hear("what about my warranty?")

    assert ruled("It is fine.", ledger, when={"topics": ["warranty"]}) == "It is fine. Terms apply."
    assert ruled("It is fine.", ledger, when={"topics": ["warranty"], "look_in": ["reply"]}) == "It is fine."


@pytest.mark.parametrize(
    ("place", "text", "expected"),
    [
        ("start", "Hello there.", "Terms apply. Hello there."),
        ("start", "- one\n- two", "Terms apply.\n\n- one\n- two"),
        ("end", "- one\n- two", "- one\n- two\n\nTerms apply."),
        ("end", "Hello.\n", "Hello. Terms apply.\n"),
        ("end", "```\ncode\n```", "```\ncode\n```\n\nTerms apply."),
        ("after", "We refund it. Bye.", "We refund it. Terms apply. Bye."),
        ("after", "- a refund\n- a beer", "- a refund – Terms apply.\n- a beer"),
        ("after", "Hello.", "Hello."),
    ],
)
def test_where_it_is_put(place: str, text: str, expected: str) -> None:
    when = {"topics": ["refund"]} if place == "after" else {"always": True}

    assert ruled(text, place=place, when=when) == expected


def test_json_is_left_alone_and_reported() -> None:
    text = '{"status": "done"}'

    assert ruled(text) == text


def test_it_is_added_after_the_omitted_writes_in_one_edit() -> None:
    rule = {
        "id": "r",
        "kind": "required",
        "languages": "any",
        "action": "append",
        "text": SAYS,
        "when": {"always": True},
    }
    verdict = verify("Have a nice day.", session(), rules=[rule])

    assert verdict.text == "Have a nice day. Done: refund card with amount 5. Terms apply."
    assert [edit.kind for edit in verdict.edits] == ["append"]
    assert verify(verdict.text, session(), rules=[rule]).text == verdict.text


def test_a_message_that_carries_calls_needs_none() -> None:
    rule = {
        "id": "r",
        "kind": "required",
        "languages": "any",
        "action": "append",
        "text": SAYS,
        "when": {"always": True},
    }

    assert verify("One moment.", Ledger(), rules=[rule], final=False).text == "One moment."
