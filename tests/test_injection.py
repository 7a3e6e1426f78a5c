"""Injected faults are really false, and a verifier that does nothing catches none of them."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("scipy")
pytest.importorskip("benchmarks.material", reason="the benchmarks stand in the checkout only")

from benchmarks import inject, swaps, targets
from verifier import Ledger, Tool


def target(text: str, arguments: dict[str, Any], result: Any, *others: Any, language: str = "en") -> targets.Target:
    ledger = Ledger(tools=[Tool("get_order", write=False), Tool("cancel_order", write=True)])
    for other in others:
        ledger.record("get_order", {}, outcome="done", result=other)
    ledger.record("cancel_order", arguments, outcome="done", result=result)
    return targets.Target("t", "corpus", text, 0, len(text), language, ledger, targets.done_writes(ledger))


def test_a_swapped_identifier_is_a_near_one_and_another_of_the_session() -> None:
    made = target("Order W7741 has been cancelled.", {"order_id": "W7741"}, None, {"orders": ["W7741", "W9902"]})

    assert [(s.kind, s.after) for s in swaps.swaps(made)] == [
        ("identifier near", "W7841"),
        ("identifier other", "W9902"),
    ]
    assert all(s.reply[s.start : s.end] == s.reply for s in swaps.swaps(made))


def test_another_record_that_is_in_the_same_state_is_not_swapped_in() -> None:
    orders = [{"id": "W9902", "status": "cancelled"}, {"id": "W7741"}]
    made = target("Order W7741 has been cancelled.", {"order_id": "W7741"}, None, *orders)

    assert [s.kind for s in swaps.swaps(made)] == ["identifier near"]


def test_a_swapped_amount_is_no_sum_difference_or_multiple() -> None:
    made = target("I have cancelled it and refunded $12.50.", {"order_id": "W7741"}, {"refund": 12.5, "fee": 1})

    [near] = swaps.swaps(made)

    assert near.kind == "money near"
    assert not swaps.derivable(Decimal(near.after), [Decimal("12.5"), Decimal(1), Decimal(7741)])


@pytest.mark.parametrize(
    ("amount", "expected"), [("30", True), ("20", True), ("25", True), ("5", True), ("10", True), ("17", False)]
)
def test_what_two_amounts_give_is_derivable(amount: str, expected: bool) -> None:
    assert swaps.derivable(Decimal(amount), [Decimal(25), Decimal(5)]) is expected


def test_brazilian_amounts_and_dates_are_read_and_written_in_their_form() -> None:
    assert swaps._read_amount("1.234,56", "pt-BR") == Decimal("1234.56")
    assert swaps._write_amount(Decimal("1234.56"), "pt-BR") == "1.234,56"
    assert [d[2:4] for d in swaps.found_dates("dia 10/08", "pt-BR")] == [(8, 10)]
    assert [d[2:4] for d in swaps.found_dates("on 10/08 and May 3", "en")] == [(5, 3), (10, 8)]


def test_a_date_is_swapped_only_where_the_call_holds_it() -> None:
    held = target("It has been moved to May 20.", {"date": "2026-05-20"}, None, {"free": "2026-05-22"})
    unheld = target("It has been moved to May 20.", {}, None, {"free": "2026-05-20"})

    assert [s.after for s in swaps.swaps(held)] == ["May 21", "May 22"]
    assert list(swaps.swaps(unheld)) == []


def test_writes_are_targets_only_when_all_were_done_and_nothing_read_after() -> None:
    ledger = Ledger(tools=[Tool("get_order", write=False), Tool("cancel_order", write=True)])
    ledger.record("cancel_order", {"order_id": "W1"}, outcome="done", result="Error: no such order")
    assert targets.done_writes(ledger) == ()

    ledger = Ledger(tools=[Tool("get_order", write=False), Tool("cancel_order", write=True)])
    ledger.record("cancel_order", {"order_id": "W1"}, outcome="done")
    assert len(targets.done_writes(ledger)) == 1
    ledger.record("get_order", {"order_id": "W1"}, outcome="done", result={"status": "cancelled"})
    assert targets.done_writes(ledger) == ()


def test_a_ledger_with_another_outcome_is_the_same_otherwise() -> None:
    made = target("Order W7741 has been cancelled.", {"order_id": "W7741"}, {"ok": 1}, {"a": 1})
    made.ledger.hear("please")

    changed = inject.with_outcome(made, "refused")

    assert [call.outcome for call in changed.calls] == ["done", "refused"]
    assert changed.calls[1].reason == "not allowed by policy"
    assert changed.heard == ((1, "please"),)
    assert targets.rebuilt(made.ledger).to_json() == made.ledger.to_json()


def test_a_verifier_that_does_nothing_catches_nothing_and_raises_no_false_alarm() -> None:
    made = target("Order W7741 has been cancelled.", {"order_id": "W7741"}, None)

    found = list(
        inject.trials(
            made,
            lambda reply, ledger, **_: SimpleNamespace(text=reply, edits=[], sentences=[], appended=[], reports=[]),
        )
    )

    assert {trial.kind for trial in found if trial.good} == {"control: sentence kept", "control: nothing appended"}
    assert {trial.kind[0] for trial in found if not trial.good} == {"a", "b", "c"}


def test_rough_sentences_leave_out_list_marks() -> None:
    reply = "- Your order has been cancelled. It cost $1.50!\n2 more"

    assert [reply[slice(*span)] for span in targets.pieces(reply)] == [
        "Your order has been cancelled.",
        "It cost $1.50!",
        "2 more",
    ]
