"""The same conversation in several formats is the same ledger, and gives the same verdicts."""

from __future__ import annotations

import json

import pytest
from chats import as_anthropic, as_items, conversations, without_flags

from verifier.adapters import anthropic, openai
from verifier.batch_rows import Verifiers, verify_row
from verifier.verify import Verifier


@pytest.fixture(scope="module")
def chats() -> list[list[dict[str, object]]]:
    found = list(conversations())
    if not found:
        pytest.skip("the shared conversations are not here")
    return found


def test_formats_give_equal_ledgers(chats: list[list[dict[str, object]]]) -> None:
    for chat in chats:
        expected = openai.ledger_from_chat(chat).to_json()
        assert expected == anthropic.ledger_from_messages(as_anthropic(chat)).to_json()
        assert expected == anthropic.ledger_from_messages(as_anthropic(chat, merged=True)).to_json()
        unflagged = openai.ledger_from_chat(without_flags(chat)).to_json()
        assert unflagged == openai.ledger_from_responses(as_items(chat)).to_json()


@pytest.mark.parametrize("other", ["anthropic", "responses"])
def test_formats_give_equal_verdicts(chats: list[list[dict[str, object]]], other: str) -> None:
    verifier = Verifier()
    for chat in chats[0 if other == "anthropic" else 12 :: 24]:
        if other == "anthropic":
            ours, theirs = openai.replies_of(chat), anthropic.replies_of(as_anthropic(chat))
        else:  # it has no error flag
            ours, theirs = openai.replies_of(without_flags(chat)), openai.replies_of_responses(as_items(chat))
        for one, same in zip(ours, theirs, strict=True):
            assert (one.text, one.carries_calls) == (same.text, same.carries_calls)
            expected = verifier.verify(one.text, one.ledger, final=not one.carries_calls)
            found = verifier.verify(same.text, same.ledger, final=not same.carries_calls)
            assert expected.to_dict() == found.to_dict()


def test_rows_of_every_format_are_equal(chats: list[list[dict[str, object]]]) -> None:
    verifiers = Verifiers()
    for chat in map(without_flags, chats[5::150]):
        told = [
            verify_row({"messages": messages, "format": kind}, verifiers)
            for kind, messages in (("chat", chat), ("anthropic", as_anthropic(chat)), ("responses", as_items(chat)))
        ]
        places = [[one.pop("message") for one in json.loads(row["verdicts"])] for row in told]
        assert places[0] == places[1]
        assert len({(row["text"], row["replies"], row["changed"]) for row in told}) == 1
