"""Repairs: what replaces a false sentence, what goes with it, and that the text around it stays as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.ledger import Call, Ledger, Tool
from verifier.model import Claim, Clause
from verifier.phrasing import Phrasings
from verifier.repairs import Repairs, repair
from verifier.splice import splice
from verifier.splitter import split

EN = Phrasings.load("en")
NOT_DONE = "Not done: refund card."
Told = tuple[str, dict[str, Any]]


def shop(*calls: dict[str, Any]) -> Ledger:
    tools = [Tool("refund_card", write=True), Tool("cancel_order", write=True), Tool("get_order", write=False)]
    ledger = Ledger(tools=tools)
    for one in calls:
        ledger.record(one.pop("tool", "refund_card"), one.pop("arguments", {}), **one)
    return ledger


def false(tool: str | None = "refund_card", call: Call | None = None, claim: Claim = Claim.SAYS_DONE) -> Clause:
    return Clause(0, 0, tool, claim, call, rule="en.yaml:1 x", true=False)


def true(tool: str, call: Call | None = None, claim: Claim = Claim.SAYS_DONE) -> Clause:
    return Clause(0, 0, tool, claim, call)


def mend(
    reply: str, said: Mapping[str, Sequence[Clause]], ledger: Ledger | None = None, **options: Any
) -> tuple[str, Repairs]:
    """The repaired reply; `said` gives the clauses of sentences by their body."""
    sentences = split(reply)
    bodies = [reply[one.body_start : one.body_end] for one in sentences]
    assert set(said) <= set(bodies), bodies
    judged = [said.get(body, ()) for body in bodies]
    made = repair(reply, sentences, judged, EN, ledger or shop(), **options)
    assert list(made.edits) == sorted(made.edits)
    return splice(reply, made.edits), made


def removed(reply: str, *bodies: str) -> str:
    """The reply without these sentences: false mentions of a read that was made."""
    ledger = shop({"tool": "get_order", "outcome": "done"})
    clause = false("get_order", ledger.calls[0], Claim.MENTIONS)
    return mend(reply, {body: [clause] for body in bodies}, ledger)[0]


# What is said in its place -------------------------------------------------------------------------------------------


def test_nothing_false_changes_nothing() -> None:
    text, made = mend("All good. Bye.", {"All good.": [true("refund_card")]})

    assert text == "All good. Bye."
    assert made.edits == ()
    assert made.actions == ("kept", "kept")


def test_a_sentence_without_a_call_becomes_not_attempted() -> None:
    text, made = mend("Hi! I refunded it. Bye.", {"I refunded it.": [false()]})

    assert text == f"Hi! {NOT_DONE} Bye."
    assert made.actions == ("kept", "replaced", "kept")
    assert made.edits[0].rule == "en.yaml:1 x"


def test_a_recorded_call_speaks_in_its_outcome() -> None:
    ledger = shop({"outcome": "failed", "reason": "card expired"})

    text, made = mend("I refunded it.", {"I refunded it.": [false(call=ledger.calls[0])]}, ledger)

    assert text == "Not done: refund card: card expired."
    assert made.said == {"call-1"}
    assert made.edits[0].call == "call-1"


def test_of_several_false_sentences_about_one_call_the_first_is_replaced() -> None:
    ledger = shop({"outcome": "refused"})
    clause = false(call=ledger.calls[0])

    text, made = mend("A is done. B is done. C is done.", {"A is done.": [clause], "B is done.": [clause]}, ledger)

    assert text == "That can't be done: refund card. C is done."
    assert made.actions == ("replaced", "removed", "kept")


def test_the_same_of_a_tool_never_called() -> None:
    text, _ = mend("A is done.\n\nB is done.", {"A is done.": [false()], "B is done.": [false()]})

    assert text == NOT_DONE


def test_what_a_kept_sentence_tells_is_not_said_again() -> None:
    ledger = shop({"outcome": "failed"})
    call = ledger.calls[0]
    said = {"A is done.": [false(call=call)], "It failed.": [true("refund_card", call, Claim.SAYS_NOT_DONE)]}

    assert mend("A is done. It failed.", said, ledger)[0] == "It failed."


def test_a_wrong_value_is_corrected_although_a_kept_sentence_tells_the_call() -> None:
    ledger = shop({"arguments": {"amount": 5}, "outcome": "done"})
    call = ledger.calls[0]
    said = {"I refunded 9.": [false(call=call)], "It is refunded.": [true("refund_card", call)]}

    assert mend("I refunded 9. It is refunded.", said, ledger)[0] == "Done: refund card with amount 5. It is refunded."


def test_what_a_kept_sentence_claims_against_the_outcome_tells_nothing() -> None:
    ledger = shop({"outcome": "failed"})
    call = ledger.calls[0]
    said = {"A is done.": [false(call=call)], "They know.": [true("refund_card", call, Claim.SAYS_DONE)]}

    assert mend("A is done. They know.", said, ledger)[0] == f"{NOT_DONE} They know."


def test_a_kept_mention_tells_nothing() -> None:
    ledger = shop({"outcome": "failed"})
    call = ledger.calls[0]
    said = {"A is done.": [false(call=call)], "About it.": [true("refund_card", call, Claim.MENTIONS)]}

    assert mend("A is done. About it.", said, ledger)[0] == f"{NOT_DONE} About it."


def test_a_sentence_about_several_calls_tells_each_write_that_no_kept_sentence_tells() -> None:
    ledger = shop(
        {"tool": "cancel_order", "arguments": {"order_id": "1"}, "outcome": "done"},
        {"outcome": "failed"},
        {"tool": "get_order", "outcome": "done"},
    )
    cancelled, failed, read = ledger.calls
    clauses = [true("cancel_order", cancelled), false(call=failed), true("get_order", read)]

    text, made = mend("I did all. Bye.", {"I did all.": clauses}, ledger)
    assert text == f"Done: cancel order with order id 1. {NOT_DONE} Bye."
    assert made.said == {cancelled.id, failed.id}

    told = {"I did all.": clauses, "It is cancelled.": [true("cancel_order", cancelled)]}
    assert mend("I did all. It is cancelled.", told, ledger)[0] == f"{NOT_DONE} It is cancelled."


def test_an_offer_in_a_false_sentence_is_not_told() -> None:
    clauses = [false(), true("cancel_order", None, Claim.ASKS)]

    assert mend("I refunded it; shall I cancel?", {"I refunded it; shall I cancel?": clauses})[0] == NOT_DONE


def test_identical_calls_are_said_once() -> None:
    ledger = shop({"outcome": "refused"}, {"outcome": "refused"})
    one, two = ledger.calls

    text, _ = mend("A is done. B is done.", {"A is done.": [false(call=one)], "B is done.": [false(call=two)]}, ledger)

    assert text == "That can't be done: refund card."


def test_a_false_mention_of_a_read_goes() -> None:
    assert removed("Order 1 costs 5. It is blue.", "Order 1 costs 5.") == "It is blue."


def test_a_failed_read_told_as_done_is_replaced() -> None:
    ledger = shop({"tool": "get_order", "outcome": "failed", "reason": "not found"})
    clause = false("get_order", ledger.calls[0])

    assert mend("I found it.", {"I found it.": [clause]}, ledger)[0] == "Not done: get order: not found."


def test_not_done_is_never_said_of_a_tool_that_this_turn_used() -> None:
    ledger = shop({"arguments": {"order_id": "1"}, "outcome": "done"})

    assert mend("I refunded 1. I refunded 2.", {"I refunded 2.": [false()]}, ledger)[0] == "I refunded 1."


def test_what_is_lost_is_known() -> None:
    ledger = shop({"tool": "get_order", "outcome": "done"})

    _, made = mend("X costs 5.", {"X costs 5.": [false("get_order", ledger.calls[0], Claim.MENTIONS)]}, ledger)

    assert made.lost == ledger.calls


def test_what_a_phrasing_said_before_is_not_judged_again() -> None:
    ledger = shop({"arguments": {"note": "Hi. I cancelled it."}, "outcome": "done"}, {"outcome": "unknown"})
    said, unsure = (EN.say(call) for call in ledger.calls)
    first, second = "Done: refund card with note “Hi.", "I cancelled it.”."

    reply = f"{said} {unsure} I cancelled it."
    clauses = {first: [], second: [false("cancel_order")], "I cancelled it.": [false("cancel_order")]}

    assert mend(reply, clauses, ledger)[0] == f"{said} {unsure} Not done: cancel order."


def test_code_is_never_edited() -> None:
    reply = "Look:\n\n```\nrefunded\n```"

    assert mend(reply, {"```\nrefunded\n```": [false()]})[0] == reply


# Marks and structure -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "body", "mended"),
    [
        ("- refunded\n- other", "refunded", f"- {NOT_DONE}\n- other"),
        ("1. refunded\n2. other", "refunded", f"1. {NOT_DONE}\n2. other"),
        ("## Refund issued\nText.", "Refund issued", f"## {NOT_DONE}\nText."),
        ("> I refunded it. Yes.", "I refunded it.", f"> {NOT_DONE} Yes."),
        ("- [x] refunded\n- [ ] other", "[x] refunded", f"- {NOT_DONE}\n- [ ] other"),
        ("✅ **Refunded**\n\nBye.", "✅ **Refunded**", f"{NOT_DONE}\n\nBye."),
        ("| a | b |\n|---|---|\n| 1 | done |", "1 | done", f"| a | b |\n|---|---|\n| {NOT_DONE} | |"),
        ("Refunded! 🎉 Bye now.", "Refunded! 🎉", f"{NOT_DONE} Bye now."),
        ("**I refunded it. Bye.**", "I refunded it.", f"**{NOT_DONE} Bye.**"),
        ("**Hi. I refunded it.**", "I refunded it.", f"**Hi. {NOT_DONE}**"),
        ("**Hi. I refunded** it. Bye.", "I refunded** it.", f"**Hi. {NOT_DONE}** Bye."),
        ("I refunded **it. Hello** you.", "I refunded **it.", f"**{NOT_DONE} Hello** you."),
    ],
)
def test_the_mark_before_a_replaced_sentence_stays(reply: str, body: str, mended: str) -> None:
    assert mend(reply, {body: [false()]})[0] == mended


@pytest.mark.parametrize(
    ("reply", "bodies", "left"),
    [
        ("A is. B is. C is.", ["B is."], "A is. C is."),
        ("A is. B is. C is.", ["A is."], "B is. C is."),
        ("A is. B is. C is.", ["C is."], "A is. B is."),
        ("A is.  B is.\n", ["B is."], "A is.\n"),
        ("A is. B is.\n\nC is.", ["B is."], "A is.\n\nC is."),
        ("A is.\n\nB is.\n\nC is.", ["B is."], "A is.\n\nC is."),
        ("A is.\r\n\r\nB is.\r\n\r\nC is.\r\n", ["C is."], "A is.\r\n\r\nB is.\r\n"),
        ("A is.\n\nB is. C is.", ["B is."], "A is.\n\nC is."),
        ("A is.\n\nB is. C is.", ["A is.", "B is."], "C is."),
        ("A is.\n- b\n- c\n\nD is.", ["c"], "A is.\n- b\n\nD is."),
        ("A is.\n- b\n- c\n\nD is.", ["b"], "A is.\n- c\n\nD is."),
        ("A is.\n- b\n- c\n\nD is.", ["b", "c"], "A is.\n\nD is."),
        ("A is. B is.\n- C is. D is.", ["B is.", "C is."], "A is.\n- D is."),
        ("- A is. B is.\n- C is.", ["B is."], "- A is.\n- C is."),
        ("> A is. B is.\n> C is.", ["A is."], "> B is.\n> C is."),
        ("> A is. B is.\n> C is.", ["A is.", "B is."], "> C is."),
        ("> A is.\n>\n> B is.", ["B is."], "> A is."),
        ("> A is.\n>\n> B is.", ["A is."], "> B is."),
        ("> A is.\n>\n> B is.\n>\n> C is.", ["B is."], "> A is.\n>\n> C is."),
        ("**A is. B is.** C is.", ["A is."], "**B is.** C is."),
        ("**A is. B is.** C is.", ["B is."], "**A is.** C is."),
        ("**A is. B is.** C is.", ["A is.", "B is."], "C is."),
        ("A is. B is.", ["A is.", "B is."], ""),
        ("- a\n  - b\n- c", ["b"], "- a\n- c"),
    ],
)
def test_nothing_is_left_where_a_sentence_was(reply: str, bodies: list[str], left: str) -> None:
    assert removed(reply, *bodies) == left


@pytest.mark.parametrize(
    ("reply", "bodies", "left"),
    [
        ("Hi.\n\nHere is your order:\n- a\n- b\n\nBye.", ["a", "b"], "Hi.\n\nBye."),
        ("Hi.\n\nHere is your order:\n- a\n- b\n\nBye.", ["a"], "Hi.\n\nHere is your order:\n- b\n\nBye."),
        ("## Order\nIt is blue.\n\n## More\nIt is red.", ["It is blue."], "## More\nIt is red."),
        ("## Order\n### Colour\nIt is blue.\n\n## More\nIt is red.", ["It is blue."], "## More\nIt is red."),
        ("**Order**\n- a\n\n**More**\n- b", ["a"], "**More**\n- b"),
        ("Hi.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nBye.", ["1 | 2", "3 | 4"], "Hi.\n\nBye."),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", ["1 | 2"], "| a | b |\n|---|---|\n| 3 | 4 |"),
        ("- order:\n  - a\n- more", ["a"], "- more"),
        ("I looked it up.\n- a", ["a"], "I looked it up."),
    ],
)
def test_what_introduces_nothing_goes(reply: str, bodies: list[str], left: str) -> None:
    assert removed(reply, *bodies) == left


def test_a_lead_in_that_tells_something_stays_with_a_full_stop() -> None:
    ledger = shop({"outcome": "done"}, {"tool": "get_order", "outcome": "done"})
    refund, read = ledger.calls
    said = {
        "I refunded your order:": [true("refund_card", refund)],
        "a": [false("get_order", read, Claim.MENTIONS)],
    }

    text, made = mend("I refunded your order:\n- a", said, ledger)

    assert text == "I refunded your order."
    assert made.actions == ("edited", "removed")


def test_connectors_are_tidied_only_where_asked() -> None:
    ledger = shop({"tool": "get_order", "outcome": "done"})
    said = {"It costs 5.": [false("get_order", ledger.calls[0], Claim.MENTIONS)]}
    reply = "It costs 5. Also, it is blue."

    assert mend(reply, said, ledger)[0] == "Also, it is blue."
    assert mend(reply, said, ledger, connectors=True)[0] == "It is blue."
    assert mend("Hi. " + reply, said, ledger, connectors=True)[0] == "Hi. Also, it is blue."


def test_a_phrasing_without_a_stop_gets_one_inside_a_line() -> None:
    phrasings = Phrasings.load("en", {"refund_card": {"not_attempted": "No refund"}})
    reply = "I did. Bye."
    sentences = split(reply)

    made = repair(reply, sentences, [[false()], []], phrasings, shop())

    assert splice(reply, made.edits) == "No refund. Bye."


# Everything at once --------------------------------------------------------------------------------------------------

READ = shop({"tool": "get_order", "outcome": "done"})
PIECES = [
    "Alpha is.", "**Beta is.", "Gamma is.**", "\n\n", "\n- delta", "\n1. Eps is. Zeta is.", " ", "\n> Eta is.",
    " Theta is.", "\n>\n> Iota", "\n## Kappa\n", "\n| a | b |\n|---|---|\n| 1 | 2 |\n", "Lambda:", "\r\n",
    "\n```\nx\n```\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), st.lists(st.integers(0, 2), min_size=40, max_size=40))
def test_the_repaired_text_splits_into_what_was_kept_and_said(pieces: list[str], lots: list[int]) -> None:
    reply = "".join(pieces)
    sentences = split(reply)
    mention = false("get_order", READ.calls[0], Claim.MENTIONS)
    judged: list[list[Clause]] = []
    for sentence, lot in zip(sentences, lots, strict=False):
        phantom = false(f"tool{len(judged)}_x")
        judged.append([] if sentence.kind in ("blank", "code") else [[], [phantom], [mention]][lot])

    made = repair(reply, sentences, judged, EN, READ)
    text = splice(reply, made.edits)

    expected = []
    for index, (sentence, action) in enumerate(zip(sentences, made.actions, strict=True)):
        if sentence.kind != "blank" and action != "removed":
            kept = reply[sentence.body_start : sentence.body_end].strip("*")
            expected.append(kept if action == "kept" else f"Not done: tool{index} x.")
    bodies = [text[one.body_start : one.body_end].strip("*") for one in split(text) if one.kind != "blank"]
    assert expected == [body.removesuffix(" |") if body.startswith("Not done") else body for body in bodies], repr(text)


def test_every_choice_of_sentences_leaves_clean_text() -> None:
    reply = "Alpha is. Beta is.\n\nGamma:\n- delta\n- eps. zeta.\n\nEta is."
    sentences = split(reply)
    clause = false("get_order", READ.calls[0], Claim.MENTIONS)
    for chosen in product([False, True], repeat=len(sentences)):
        judged = [[clause] if one else [] for one in chosen]
        made = repair(reply, sentences, judged, EN, READ)
        text = splice(reply, made.edits)

        again = [text[one.body_start : one.body_end] for one in split(text)]
        kept = [s for s, action in zip(sentences, made.actions, strict=True) if action == "kept"]
        assert again == [reply[one.body_start : one.body_end] for one in kept], repr(text)
        assert text == text.strip()
        assert "  " not in text
        assert "\n\n\n" not in text
