"""What is appended: which calls, once, in which words, and how it is parted from what stands before."""

from __future__ import annotations

from typing import Any

import pytest

from verifier.appender import Appended, append, separator
from verifier.composer import compose
from verifier.ledger import Ledger, Tool
from verifier.model import Edit
from verifier.phrasing import Phrasings
from verifier.renderings import own_sentences
from verifier.splice import splice
from verifier.verify import verify

EN = Phrasings.load("en")
FAILED = {"outcome": "failed", "arguments": {"id": "A-1"}}


def home(*calls: dict[str, Any]) -> Ledger:
    tools = [Tool("turn_on", write=True), Tool("book", write=True), Tool("get_order", write=False)]
    ledger = Ledger(tools=[*tools, Tool("login", write=True, report=False)])
    for one in calls:
        ledger.record(one.pop("tool", "turn_on"), one.pop("arguments", {}), **one)
    return ledger


def added(reply: str, ledger: Ledger, **options: Any) -> list[str]:
    return [call.id for call in append(reply, (), ledger, EN, **options).calls]


def test_an_omitted_write_is_told_at_the_end() -> None:
    ledger = home({"arguments": {"entity": "light.studio"}, "outcome": "done"})

    made = append("Sorry, no answer.\n", (), ledger, EN)

    assert made.edit == Edit(17, 17, " Done: turn on with entity light.studio.", "append", "call-1", "omitted")
    assert splice("Sorry, no answer.\n", [made.edit]) == "Sorry, no answer. Done: turn on with entity light.studio.\n"


def test_what_was_spoken_of_is_not() -> None:
    assert append("It is on.", (), home({"outcome": "done"}), EN, spoken={"call-1"}) == Appended()


@pytest.mark.parametrize(
    ("outcome", "auto", "asking", "made", "everything"),
    [
        ("done", True, True, True, True),
        ("unknown", True, True, True, True),
        ("undone", True, True, True, True),
        ("failed", True, False, True, True),
        ("refused", True, False, False, True),
        ("pending_confirmation", False, False, False, False),
        ("not_attempted", False, False, False, False),
    ],
)
def test_each_outcome(outcome: str, auto: bool, asking: bool, made: bool, everything: bool) -> None:
    ledger = home({"outcome": outcome})

    assert bool(added("Hello.", ledger)) is auto
    assert bool(added("Hello?", ledger, asks=True)) is asking
    assert bool(added("Hello.", ledger, omitted="made", asks=True)) is made
    assert bool(added("Hello.", ledger, omitted="all", asks=True)) is everything


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(ValueError, match="auto, made, all"):
        added("Hello.", home(), omitted="some")


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ([{"outcome": "failed"}, {"outcome": "done"}], ["call-2"]),
        ([{"outcome": "done"}, {"outcome": "failed"}], ["call-1", "call-2"]),
        ([FAILED, {"outcome": "done", "arguments": {"id": "A-2"}}], ["call-1", "call-2"]),
        ([FAILED, {"tool": "book", "outcome": "done", "arguments": {"ref": "A-1"}}], ["call-2"]),
        ([{"outcome": "failed"}, {"tool": "book", "outcome": "done"}], ["call-1", "call-2"]),
    ],
)
def test_a_failure_that_a_later_call_made_good_is_not_told(calls: list[dict[str, Any]], told: list[str]) -> None:
    assert added("Hello.", home(*[dict(call) for call in calls])) == told


def test_a_thousand_omitted_writes_take_no_square_of_time() -> None:
    ledger = home(*[{"outcome": "failed" if n % 2 else "done", "arguments": {"id": f"A-{n}"}} for n in range(2000)])

    assert len(added("Hello.", ledger)) == 2000


def test_one_phrasing_tells_of_all_calls_that_it_fits() -> None:
    lost = {"outcome": "failed", "reason": "no signal"}
    ledger = home(*[{**lost, "arguments": {"id": name}} for name in ("A-1", "A-2", "A-2")])
    verdict = verify("Hello.", ledger)

    assert [call.arguments["id"] for call in verdict.appended] == ["A-1", "A-2"]  # an identical call is told once
    assert verdict.text.count("no signal") == 1
    assert verify(verdict.text, ledger).text == verdict.text


def test_reads_bookkeeping_and_earlier_turns_are_not_told() -> None:
    ledger = home({"outcome": "done"})
    ledger.begin_turn()
    ledger.record("get_order", {}, outcome="done")
    ledger.record("login", {}, outcome="done")

    assert added("Hello.", ledger) == []


def test_identical_calls_are_told_once_and_in_order() -> None:
    ledger = home({"outcome": "done"}, {"tool": "book", "outcome": "done"}, {"outcome": "done"})

    made = append("Hello.", (), ledger, EN)

    assert made.edit == Edit(6, 6, " Done: turn on. Done: book.", "append", "call-1", "omitted")


def test_a_phrasing_that_stands_there_is_not_repeated() -> None:
    ledger = home({"outcome": "done", "arguments": {"room": "studio"}})

    assert added("Done: turn on with room studio.", ledger) == []
    assert added("Hello.", ledger) == ["call-1"]
    ledger.replied("Done: turn on with room studio.")
    assert added("Hello.", ledger) == []
    ledger.begin_turn()
    ledger.record("turn_on", {"room": "studio"}, outcome="done")
    assert added("Hello.", ledger) == ["call-2"]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Your ticket is TK-61.", False),
        ("Your ticket is TK-610.", True),
        ("See #4412.", False),
        ("It flies on 2026-04-04 at 10:30.", True),
        ("You are 77.", False),
        ("Room 3 it is.", True),
    ],
)
def test_an_identifier_of_the_call_speaks_of_it(reply: str, told: bool) -> None:
    arguments = {"order": "#4412", "date": "2026-04-04", "time": "10:30", "guest_id": 77, "rooms": 3}
    ledger = home({"outcome": "done", "arguments": arguments, "result": {"tickets": [{"ticket": "TK-61"}]}})

    assert bool(added(reply, ledger)) is told


def test_an_identifier_that_a_twin_holds_too_tells_nothing() -> None:
    ledger = home()
    for ticket in ("TK-61", "TK-62"):
        ledger.record("book", {"flight": "ZP640"}, outcome="done", result=ticket)

    assert added("Your flight ZP640 is booked, ticket TK-61.", ledger, spoken={"call-1"}) == ["call-2"]


def test_a_persons_identifier_is_no_sign_of_what_was_done() -> None:
    ledger = home({"outcome": "done", "arguments": {"user_id": "mia_1234"}})

    assert added("I found mia_1234.", ledger) == ["call-1"]


def test_identifiers_in_removed_sentences_do_not_count() -> None:
    ledger = home({"outcome": "done", "arguments": {"order": "A-17"}})
    reply = "Hello. A-17 was lost."

    made = append(reply, [Edit(6, len(reply), "", "remove")], ledger, EN)

    assert [call.id for call in made.calls] == ["call-1"]
    assert made.edit is not None
    assert splice(reply, [Edit(6, len(reply), "", "remove"), made.edit]) == "Hello. Done: turn on with order A-17."


# How it is parted ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("", ""),
        ("Hello.", " "),
        ("One line.\nAnother.", " "),
        ("Sleep well 😴", " "),
        ("**Hello.**", " "),
        ("Hello.\n\nBye.", "\n\n"),
        ("Hello.\r\n\r\nBye.", "\r\n\r\n"),
        ("Here:\n- a", "\n\n"),
        ("Here:\n1. a.", "\n\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "\n\n"),
        ("Look.\n```\nx\n```", "\n\n"),
        ("Look.\n```\nx", "\n```\n\n"),
        ("> quoted.", "\n\n"),
        ("no stop", "\n\n"),
        ("as follows:", "\n\n"),
    ],
)
def test_what_parts_it_from_the_text(text: str, gap: str) -> None:
    assert separator(text) == gap


# Nothing left --------------------------------------------------------------------------------------------------------


def emptied(ledger: Ledger, **options: Any) -> str:
    reply = "All wrong."
    edits = [Edit(0, len(reply), "", "remove")]
    made = append(reply, edits, ledger, EN, **options)
    return splice(reply, [*edits, *([made.edit] if made.edit else [])])


def test_a_reply_is_never_left_empty() -> None:
    read = home({"tool": "get_order", "arguments": {"order": "1"}, "outcome": "done"})

    assert emptied(home({"outcome": "done"})) == "Done: turn on."
    assert emptied(home({"outcome": "done"}), spoken={"call-1"}) == "Done: turn on."
    assert emptied(read, lost=read.calls) == "Done: get order with order 1."
    assert emptied(home()) == EN.nothing


def test_an_empty_reply_with_nothing_to_tell_stays() -> None:
    assert append("", (), home(), EN) == Appended()
    made = append("", (), home({"outcome": "done"}), EN)
    assert made.edit == Edit(0, 0, "Done: turn on.", "append", "call-1", "omitted")


# Template ------------------------------------------------------------------------------------------------------------


def test_the_template_tells_each_write_in_order() -> None:
    failed = {"outcome": "failed", "reason": "offline"}
    ledger = home({"tool": "get_order", "outcome": "done"}, failed, {"outcome": "done"})

    text, calls = compose(ledger, EN)

    assert text == "Not done: turn on: offline. Done: turn on."
    assert [call.id for call in calls] == ["call-2", "call-3"]


def test_the_template_tells_a_read_that_the_users_file_words() -> None:
    ledger = home({"tool": "get_order", "outcome": "done", "result": {"state": "sent"}})

    assert compose(ledger, EN) == (EN.nothing, ())
    worded = Phrasings.load("en", {"get_order": {"done": "Your order is {result.state}."}})
    assert compose(ledger, worded)[0] == "Your order is sent."
    assert compose(home(), Phrasings.load("pt-BR", nothing="Tudo igual.")) == ("Tudo igual.", ())


# Our own sentences ---------------------------------------------------------------------------------------------------


def test_our_own_sentences_are_found_again() -> None:
    ledger = home({"outcome": "done", "arguments": {"text": "Hi. Your card was refunded."}}, {"outcome": "failed"})
    first, second = (EN.say(call) for call in ledger.calls)
    reply = f"Hello. {first} {second} Not done: book."

    found = own_sentences(reply, ledger, EN)

    assert [reply[start:end] for start, end, _ in found] == [first, second, "Not done: book."]
    assert [call for _, _, call in found] == ["call-1", "call-2", ""]


def test_what_the_ledger_does_not_say_is_not_ours() -> None:
    ledger = home({"outcome": "done"})

    assert own_sentences("Not done: turn on. Undone: turn on. Hello.", ledger, EN) == ()
    ledger.begin_turn()
    assert own_sentences("Done: turn on.", ledger, EN) == ((0, 14, "call-1"),)
    ledger.record("turn_on", {}, outcome="refused")
    assert own_sentences("Done: turn on.", ledger, EN) == ()
