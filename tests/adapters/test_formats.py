"""The same conversation in several formats is the same ledger, and gives the same verdicts."""

from __future__ import annotations

import pytest
from chats import as_anthropic, as_items, conversations, without_flags

from verifier.adapters import anthropic, openai
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


def test_formats_give_equal_verdicts(chats: list[list[dict[str, object]]]) -> None:
    verifier = Verifier()
    for chat in chats[::12]:
        ours = openai.replies_of(chat)
        theirs = anthropic.replies_of(as_anthropic(chat))
        for one, other in zip(ours, theirs, strict=True):
            assert (one.text, one.carries_calls) == (other.text, other.carries_calls)
            expected = verifier.verify(one.text, one.ledger, final=not one.carries_calls)
            found = verifier.verify(other.text, other.ledger, final=not other.carries_calls)
            assert expected.to_dict() == found.to_dict()
