"""Streaming: joined, the pieces are the text of the whole reply's verdict, and clean text is shown early."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import Ledger, Tool, Verifier, stream
from verifier.adapters.openai import Reply, replies_of
from verifier.streaming import Stream
from verifier.verdict import Verdict

CORPUS = Path(__file__).parents[1].parent / "shared" / "corpus"
VERIFIER = Verifier()


def shop(outcome: str = "done") -> Ledger:
    ledger = Ledger([Tool("get_order", write=False), Tool("refund_card", write=True), Tool("cancel_order", write=True)])
    ledger.hear("Refund order 4412 and cancel 4413, please.")
    ledger.record("get_order", {"order_id": "4412"}, outcome="done", result={"total": 12.5, "status": "shipped"})
    ledger.record("refund_card", {"order_id": "4412", "amount": 12.5}, outcome=outcome, reason="", id="r")
    return ledger


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def shown(text: str, ledger: Ledger, size: int = 1, verifier: Verifier = VERIFIER) -> list[str]:
    """What is shown after each chunk, and at the end."""
    held = Stream(verifier, ledger)
    return [*map(held.feed, pieces(text, size)), held.close()]


def early(text: str, ledger: Ledger) -> str:
    return "".join(shown(text, ledger)[:-1])


def test_a_true_sentence_is_shown_when_the_next_begins() -> None:
    text = "I've refunded 12.50 pounds for order 4412. It takes 3 days. Anything else?"
    assert early(text, shop()) == "I've refunded 12.50 pounds for order 4412. It takes 3 days."
    assert "".join(shown(text, shop())) == text


def test_a_false_sentence_waits_for_the_end_with_all_after_it() -> None:
    text = "Order 4412 was shipped. I've refunded 12.50 pounds for order 4412. It takes 3 days. Bye."
    assert early(text, shop("failed")) == "Order 4412 was shipped."
    assert "".join(shown(text, shop("failed"))) == VERIFIER.verify(text, shop("failed")).text != text


def test_a_call_without_an_outcome_holds_its_sentence_until_it_has_one() -> None:
    ledger = shop("unknown")
    held = Stream(VERIFIER, ledger)
    assert held.feed("I've refunded 12.50 pounds for order 4412. It takes 3 days. ") == ""
    assert held.feed("You may close ") == ""
    ledger.settle("r", "done")
    assert held.feed("this.") == "I've refunded 12.50 pounds for order 4412. It takes 3 days."
    assert held.close() == " You may close this."
    assert held.verdict is not None
    assert not held.verdict.changed


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I'll cancel order 4413. It is late.", ""),  # a promise: nothing has been asked yet
        ("Dr. Smith called. I", ""),
        ("Your total is 12.50 pounds", ""),
        ("I've refunded order 4412:\n\n- Amount: 12.50\n- Nothing else.\n", ""),
        ("Order 4412 was shipped.\n\n```\nx = 1\n", "Order 4412 was shipped."),
        ('{"refund": "done. Really", "x": 1}', ""),
        ("> Order 4412 was shipped. It is here.\n\nThis is all there is.\n\n", ""),
    ],
)
def test_what_waits(text: str, kept: str) -> None:
    assert early(text, shop()) == kept


def test_settings_that_let_the_end_decide_show_nothing_before_it() -> None:
    banned = {
        "id": "x",
        "kind": "banned",
        "languages": "any",
        "why": "x",
        "action": "block",
        "text": "No.",
        "phrases": ["guaranteed"],
    }
    for settings in (
        {"composer": "template"},
        {"unread": "template"},
        {"rules": {"defaults": "yes", "rules": [banned]}},
    ):
        verifier = Verifier(**settings)
        got = shown("Order 4412 was shipped. It takes 3 days.", shop(), verifier=verifier)
        assert not any(got[:-1])
        assert got[-1] == verifier.verify("Order 4412 was shipped. It takes 3 days.", shop()).text


def test_what_turned_false_after_it_was_shown_is_corrected_at_the_end() -> None:
    ledger = shop()
    held = Stream(VERIFIER, ledger)
    first = held.feed("Order 4412 is refunded. It takes 3 days. ")
    ledger.settle("r", "undone")
    assert first == "Order 4412 is refunded."
    assert held.close() == " It takes 3 days. Undone: refund card with order id 4412 and amount 12.5."


def test_the_function_and_the_methods_take_both_kinds_of_chunks() -> None:
    text = "Order 4412 was shipped. I've refunded 15.00 pounds. Bye."
    expected = VERIFIER.verify(text, shop()).text

    async def chunks() -> AsyncIterator[str]:
        for chunk in pieces(text, 5):
            yield chunk

    async def joined(parts: AsyncIterator[str]) -> str:
        return "".join([part async for part in parts])

    assert "".join(stream(pieces(text, 5), shop())) == expected
    assert "".join(VERIFIER.stream(pieces(text, 5), shop())) == expected
    assert asyncio.run(joined(stream(chunks(), shop()))) == expected
    assert asyncio.run(joined(VERIFIER.astream(chunks(), shop()))) == expected


def test_the_work_grows_with_the_text_and_not_faster() -> None:
    def looks(sentences: int) -> int:
        verifier = Verifier()
        seen = 0

        def counted(reply: str, ledger: Ledger, *, final: bool | None = None) -> Verdict:
            nonlocal seen
            seen += len(reply)
            return Verdict(reply, reply)

        verifier.verify = counted  # type: ignore[method-assign]
        list(verifier.stream(pieces("Order 4412 was shipped today. " * sentences, 9), shop()))
        return seen

    assert looks(400) < 2.3 * looks(200)
    assert looks(400) < 20 * len("Order 4412 was shipped today. " * 400)


PARTS = (
    "I've refunded 12.50 pounds for order 4412.", "I couldn't cancel order 4413.", "Order 4413 has been cancelled!",
    "Anything else?", "Done!", "All set 🎉", "Here is what I did:", "Summary", "**Refund**", "## Actions",
    "I'll refund it now.", "I'll cancel order 4413.", "Dr. Smith called.", "A | B", "|a|b|", "|---|---|", "---", "===",
    "> quoted, refunded", "```", "code = 1", '{"a": 1}', "[link](http://a.test)", "and then",
    "**Note:** refunded 15 pounds.",
    "Done: refund card with order id 4412 and amount 12.5.", "✅ Refunded 4412", "1. Refund of order 4412 issued",
    "- Refund: $12.50", "* **Cancelled** order 4413", "  - nested refund done", "    indented text here",
    "e\u0301 e.g. this",
    "I can offer you a 10% discount.",
    "Card 4111 1111 1111 1111",
    "Call 415-555-2671 now.",
    "Both are done.", "I e-mailed you.", "“Refunded,” he said.", "(Cancelled too.)", "...", "👩‍👩‍👧 refunded",
)  # fmt: skip
JOINS = (" ", " ", " ", "\n", "\n", "\n\n", "\r\n", "  ", "\n \n", "")


@given(
    st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(JOINS)), max_size=9),
    st.sampled_from(("done", "failed", "refused", "unknown", "pending_confirmation", "undone", "not_attempted")),
    st.integers(1, 20),
)
def test_any_reply_joined_is_the_whole_replys_text(parts: list[tuple[str, str]], outcome: str, size: int) -> None:
    text = "".join(part + gap for part, gap in parts)
    ledger = shop(outcome)

    assert "".join(shown(text, ledger, size)) == VERIFIER.verify(text, ledger).text


def corpus(every: int) -> Iterator[Reply]:
    for path in sorted(CORPUS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n")[:-1:every]:
            yield from replies_of(json.loads(line)["messages"])


def test_real_replies_joined_are_their_verdicts_texts_and_half_of_clean_text_is_shown_early() -> None:
    if not CORPUS.is_dir():
        pytest.skip("the shared conversations are not here")
    clean = before = 0
    for number, reply in enumerate(corpus(every=40)):
        final, size = not reply.carries_calls, (1, 7, 64)[number % 3]
        verdict = VERIFIER.verify(reply.text, reply.ledger, final=final)
        held = Stream(VERIFIER, reply.ledger, final=final)
        first = "".join(map(held.feed, pieces(reply.text, size)))
        assert first + held.close() == verdict.text, reply.text
        if not verdict.changed:
            clean, before = clean + len(reply.text), before + len(first)

    assert before > clean / 2
