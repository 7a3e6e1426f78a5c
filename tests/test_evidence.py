"""The decision about each stated value: what supports it, what contradicts it, what is only reported (SPEC 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from labelled import LABELLED, Row, clauses_of, rows

from verifier.evidence import SEED_KINDS, ValueCheck, check
from verifier.ledger import Ledger
from verifier.model import Claim, LinkedClause
from verifier.tool import Tool
from verifier.values import find

Step = tuple[str, dict[str, Any], Any]
DONE, NOT_DONE, MENTIONS = Claim.SAYS_DONE, Claim.SAYS_NOT_DONE, Claim.MENTIONS


def session(*steps: Step, heard: str = "", context: str = "", outcome: str = "done") -> Ledger:
    """A ledger of one turn; tools whose names begin with get_ read."""
    made = Ledger()
    made.hear(heard or "hello")
    if context:
        made.context(context)
    for name, arguments, result in steps:
        if made.tool(name) is None:
            made.add_tool(Tool(name, write=not name.startswith("get_")))
        made.record(name, arguments, outcome=outcome, result=result)
    return made


def checks(reply: str, made: Ledger, claim: Claim = DONE, *, calls: int = 1, **options: Any) -> tuple[ValueCheck, ...]:
    """The checks of a reply that is one clause about the last calls of the ledger."""
    locale = options.pop("locale", "en")
    values = find(reply, 0, len(reply), locale=locale, now=made.now)
    about = made.calls[-calls:]
    tool, asserted = made.tool(about[-1].tool), options.pop("asserted", True)
    clause = LinkedClause(0, len(reply), 0, claim, tool, about, values, asserted)
    return check(clause, reply, made, reply_values=values, locale=locale, **options)


def verdicts(*args: Any, **options: Any) -> list[str]:
    return [found.verdict for found in checks(*args, **options)]


REFUND: Step = ("refund_card", {"order_id": "4412", "amount": 12.5}, {"refund": 12.5, "currency": "GBP"})


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("I've refunded 12.50 pounds for order 4412.", ["supported", "supported"]),
        ("I've refunded £12.50.", ["supported"]),
        ("I've refunded twelve pounds fifty.", ["supported"]),
        ("I've refunded 15.00 pounds.", ["replaced"]),
        ("I've refunded €12.50.", ["replaced"]),
        ("I've refunded 12.50 for order 4421.", ["supported", "replaced"]),
    ],
)
def test_a_done_claim_is_held_to_its_call(reply: str, expected: list[str]) -> None:
    assert verdicts(reply, session(REFUND)) == expected


def test_a_check_names_the_call_and_the_place_that_decided() -> None:
    made = session(REFUND)
    (good,) = checks("I've refunded £12.50.", made)
    (bad,) = checks("I've refunded £15.", made)

    assert (good.rule, good.call, good.pointer) == ("money-of-call", made.calls[0], "/arguments/amount")
    assert (bad.rule, bad.pointer, bad.why) == ("money-not-of-call", "/result/refund", "refund is 12.5")


def test_the_result_is_what_happened() -> None:
    made = session(("refund_card", {"amount": 20}, {"amount": 15}))

    assert verdicts("Refunded $15.00.", made) == ["supported"]
    assert verdicts("Refunded $20.00.", made) == ["replaced"]


def test_what_is_not_asserted_is_not_checked() -> None:
    made = session(REFUND)

    assert checks("Shall I refund £99?", made, Claim.ASKS) == ()
    assert checks("I'll refund £99.", made, Claim.PROMISES) == ()
    assert checks("Had I refunded £99, you would know.", made, DONE, asserted=False) == ()


def test_a_done_claim_about_what_did_not_run_is_left_to_its_outcome() -> None:
    assert checks("Refunded £99.", session(REFUND, outcome="failed")) == ()


ITEMS = [{"item_id": "77001", "price": 10.0}, {"item_id": "77002", "price": 25.5}]
ORDER: Step = ("get_order", {"order_id": "#W1"}, {"order_id": "#W1", "items": ITEMS, "balance": 100.0})


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("The items were returned, $35.50 was refunded.", "money-list-sum"),
        ("The items were returned, $25.50 was refunded.", "money-of-call"),
        ("Returned the lamp (price $10.00).", "money-of-call"),
    ],
)
def test_a_claim_may_add_up_a_list_of_its_call(reply: str, rule: str) -> None:
    made = session(("return_items", {"order_id": "#W1"}, ORDER[2]))

    assert [found.rule for found in checks(reply, made)] == [rule]


def test_linked_records_support_differences_and_other_money_but_not_the_main_amount() -> None:
    made = session(ORDER, ("charge_fee", {"order_id": "#W1", "amount": 15.0}, {"ok": True}))

    assert verdicts("$15.00 was charged; your balance is now $85.00.", made) == ["supported", "supported"]
    assert verdicts("$15.00 was charged, the lamp's price is $10.00.", made) == ["supported", "supported"]
    assert verdicts("$10.00 was charged.", made) == ["replaced"]
    assert verdicts("$100.00 was charged.", made) == ["replaced"]


def test_a_call_without_an_amount_is_decided_by_its_linked_records() -> None:
    made = session(ORDER, ("cancel_order", {"order_id": "#W1"}, {"status": "cancelled"}))

    assert verdicts("Order #W1 is cancelled and $35.50 refunded.", made) == ["supported", "supported"]
    assert verdicts("Order #W1 is cancelled and $36.50 refunded.", made) == ["supported", "replaced"]


def test_the_writes_of_the_turn_may_be_summed() -> None:
    made = session(("refund", {"id": "R-1", "amount": 40}, None), ("refund", {"id": "R-2", "amount": 25.5}, None))

    assert verdicts("Both refunds are done, $65.50 in total.", made, calls=2) == ["supported", "supported"]
    assert verdicts("Both refunds are done, $60.50 in total.", made, calls=2) == ["supported", "replaced"]


def test_a_price_of_a_unit_is_multiplied_by_what_is_counted() -> None:
    made = session(("book", {"room": "614"}, {"nights": 3, "total": 360}))

    assert verdicts("Booked for $120 per night.", made) == ["supported"]
    assert verdicts("Booked for $110 per night.", made) == ["replaced"]


def test_an_equation_is_checked_as_one() -> None:
    made = session(("get_fare", {"flight": "ZP-640"}, {"fare": 597, "passengers": 2}))

    assert verdicts("$597 x 2 = $1,194", made, MENTIONS)[-1] == "supported"
    assert verdicts("$597 x 2 = $1,149", made, MENTIONS)[-1] == "replaced"


def test_after_a_comparison_the_session_and_the_person_count() -> None:
    made = session(
        ("get_event", {"id": "EV-1"}, {"start": "2026-02-02T09:30"}),
        ("move", {"id": "EV-1", "start": "2026-02-02T09:45"}, None),
    )

    assert verdicts("It starts at 9:45 instead of 9:30.", made) == ["supported", "supported"]
    assert verdicts("It starts at 9:30 instead of 9:45.", made) == ["replaced", "supported"]


def test_what_the_person_asked_for_proves_no_claim() -> None:
    made = session(REFUND, heard="please refund $20")

    assert verdicts("I've refunded $20.", made) == ["replaced"]
    assert verdicts("You asked for $20.", made, MENTIONS) == ["supported"]
    assert verdicts("The limit is $30.", session(REFUND, context="No refunds over $30."), MENTIONS) == ["supported"]


BOOKED: Step = ("book", {"start": "2026-06-11T09:20"}, {"booking": "AP-7719", "created_at": "2026-05-02T10:00:00"})


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("You're booked on Thursday, 11 June at 9:20 am, AP-7719.", ["supported"] * 3),
        ("You're booked on June 12.", ["replaced"]),
        ("You're booked at 9:30.", ["replaced"]),
        ("You're booked on Friday, 11 June.", ["replaced"]),
        ("You're booked on May 3.", ["replaced"]),
        ("You're booked, AP-7791.", ["replaced"]),
        ("You're booked; cancel up to 24 hours before.", ["supported"]),
    ],
)
def test_dates_times_and_references_of_a_claim(reply: str, expected: list[str]) -> None:
    assert verdicts(reply, session(BOOKED)) == expected


def test_an_instant_may_be_told_as_the_local_day_and_time() -> None:
    made = session(("book", {"start": "2026-10-10T00:00:00Z", "timezone": "America/Manaus"}, None))

    assert verdicts("Marcado para sexta, 09/10, às 20h.", made, locale="pt-BR") == ["supported", "supported"]
    assert verdicts("Marcado para sexta, 09/10, às 21h.", made, locale="pt-BR") == ["supported", "replaced"]


def test_identifiers_of_another_record_and_invented_ones() -> None:
    made = session(
        ("get_leaves", {}, [{"id": "LR-81"}, {"id": "LR-70"}]),
        ("cancel_leave", {"id": "LR-70"}, {"status": "withdrawn"}),
    )

    assert verdicts("LR-70 has been withdrawn.", made) == ["supported"]
    assert verdicts("LR-81 has been withdrawn.", made) == ["replaced"]
    assert verdicts("Your leave was withdrawn, reference LR-99.", made) == ["replaced"]
    assert verdicts("LR-81 is still there.", made, MENTIONS) == ["supported"]
    assert verdicts("LR-18 is still there.", made, MENTIONS) == ["replaced"]
    assert verdicts("Form 770/B-2024X is still there.", made, MENTIONS) != ["replaced"]


def test_a_card_ending_is_known_from_a_linked_record() -> None:
    made = session(
        ("get_user", {"id": "u_17"}, {"cards": {"credit_card_7407366": {"last_four": "6437"}}}),
        ("refund", {"payment": "credit_card_7407366", "amount": 5}, None),
    )

    assert verdicts("$5 went to your card ending in 6437.", made) == ["supported", "supported"]
    assert verdicts("$5 went to your card ending in 6473.", made) == ["supported", "replaced"]


@pytest.mark.parametrize(
    ("reply", "result", "expected"),
    [
        ("Oskar was invited (oskar.blum@tern.example).", {"to": "oskar.blom@tern.example"}, "replaced"),
        ("Oskar was invited (oskar.blom@tern.example).", {"to": "Oskar.Blom@tern.example"}, "supported"),
        ("Texts go to +49 155 50110.", {"number": "+4915550101"}, "replaced"),
        ("It points to 203.0.113.42.", {"value": "203.0.113.24"}, "replaced"),
        ("Get it at https://f.example/app/s?id=kq71x.", {"url": "https://f.example/api/s?id=kq71x"}, "replaced"),
        ("Lights are on at 60%.", {"brightness_pct": 40}, "replaced"),
        ("Lights are on at 40%.", {"level": 0.4}, "supported"),
        ("Booked for a party of six.", {"party": 5}, "replaced"),
        ("Three copies are ordered.", {"copies": 2}, "replaced"),
        ("The 21 messages are in the trash.", {"trashed": 12}, "replaced"),
        ("She sits at table 14.", {"table": 4}, "replaced"),
        ("Sent to 40 Orchard Way.", {"address": "4 Orchard Way"}, "replaced"),
        ("It waters for 35 minutes.", {"minutes": 25}, "replaced"),
    ],
)
def test_other_kinds_of_a_claim(reply: str, result: dict[str, Any], expected: str) -> None:
    assert verdicts(reply, session(("do_it", {}, result))) == [expected]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Refund: $1,074.31", "replaced"),
        ("Refund: $1,047.31", "supported"),
        ("The order came to $36.13.", "replaced"),
        ("The two came to $1,157.31.", "supported"),
        ("The difference is $937.31.", "reported"),
        ("It affects 430 customers.", "replaced"),
        ("Expect them within 30 minutes.", "replaced"),
        ("Please wait 30 minutes.", "supported"),
        ("It is about $1,050.", "supported"),
        ("Orders over $5,000 need a signature.", "reported"),
        ("It may be seen on May 3.", "reported"),
    ],
)
def test_a_mention_is_held_to_the_session_and_to_the_field_it_names(reply: str, expected: str) -> None:
    record = {"refund": 1047.31, "fee": 110, "customers": 340, "eta_min": 50, "items": [{"p": 1047.31}, {"p": 110}]}

    assert verdicts(reply, session(("get_case", {"id": "CS-1"}, record)), MENTIONS)[-1] == expected


def test_a_named_field_is_what_the_result_says() -> None:
    made = session(("create_event", {"calendar": "Family"}, {"id": "ev-88", "calendar": "Personal (local)"}))
    (found,) = checks("It is in the Family calendar.", made)

    assert (found.verdict, found.pointer, found.value.text) == ("replaced", "/result/calendar", "Family")
    assert checks("It is in the Personal (local) calendar.", made) == ()


def test_reading_by_the_call_alone() -> None:
    made = session(ORDER, ("cancel_order", {"order_id": "#W1"}, {"status": "cancelled"}), heard="it cost $35.50")

    assert verdicts("Order #W1 is cancelled, $35.50 refunded.", made, mode="call") == ["supported", "replaced"]
    assert verdicts("You said $35.50.", made, MENTIONS, mode="call") == ["replaced"]


def test_only_the_chosen_kinds_are_checked() -> None:
    made = session(BOOKED)
    reply = "Booked at 11:30 for a fee of 66 and $70, ref AP-7719."

    assert [c.value.kind for c in checks(reply, made, kinds=SEED_KINDS)] == ["money", "identifier"]
    assert [c.value.kind for c in checks(reply, made, kinds=["time"])] == ["time"]
    with pytest.raises(ValueError, match="'colour'"):
        checks(reply, made, kinds=["colour"])
    with pytest.raises(ValueError, match="'strict'"):
        checks(reply, made, mode="strict")


# Labelled replies: no true sentence may be replaced; of the false ones, as many as can be told by their values. -------

CAUGHT = {"trades/en": 30, "trades/pt-BR": 18, "pt/replies": 4, "fresh/en-a": 23, "fresh/en-b": 24}


def judged(row: Row) -> Iterator[tuple[dict[str, Any], list[ValueCheck]]]:
    """Each sentence of a row with the values that every clause of it finds false."""
    values = find(row.reply, 0, len(row.reply), locale=row.locale, now=row.ledger.now)
    for sentence, clauses in clauses_of(row, values):
        found = [check(clause, row.reply, row.ledger, reply_values=values, locale=row.locale) for clause in clauses]
        worst = [[one for one in each if one.verdict == "replaced"] for each in found if each]
        agreed = [one for one in (worst[0] if worst else []) if all(one.value in [o.value for o in w] for w in worst)]
        yield sentence, agreed if sentence["keep"] else [one for each in worst for one in each]


@pytest.mark.parametrize("name", LABELLED)
def test_labelled_sentences(name: str) -> None:
    wrong, caught = [], 0
    for row in rows(name):
        for sentence, found in judged(row):
            if sentence["keep"] and found:
                wrong.append((row.key, sentence["text"], [(one.rule, one.why) for one in found]))
            caught += bool(found) and not sentence["keep"]

    assert wrong == []
    assert caught >= CAUGHT.get(name, 0)
