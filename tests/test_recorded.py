"""What a record that was looked up holds is history; what it does not hold, and no call made, was not done."""

from __future__ import annotations

from typing import Any

import pytest

from verifier import Ledger, Tool, verify

ORDER: dict[str, Any] = {
    "id": "W-1",
    "status": "delivered",
    "shipped_at": "2026-05-01",
    "address": "9 Elm St",
    "total": 45.0,
    "payment": "visa 4242",
    "refund": {"amount": 15.0, "date": "2026-05-04"},
    "coupon": "SPRING",
    "updated_at": "2026-05-02",
}
EVENTS: dict[str, Any] = {
    "events": [
        {"id": "E1", "title": "Review", "attendees": ["Ana", "Bia"], "status": "confirmed", "reminder": "10 min"},
        {"id": "E2", "title": "Standup", "attendees": ["Bia"], "status": "cancelled"},
    ]
}
TICKET: dict[str, Any] = {
    "id": "T-88",
    "status": "resolved",
    "assignee": "Ravi",
    "priority": "high",
    "escalated": True,
    "tags": ["vpn"],
}
SERVICE: dict[str, Any] = {"service": "checkout", "replicas": 3, "plan": "Pro", "limit": 500}
MAIL: dict[str, Any] = {
    "messages": [
        {"id": "m1", "subject": "Invoice", "archived": True, "forwarded_to": "bob@x.com"},
        {"id": "m2", "subject": "Trip", "folder": "Trash"},
    ]
}
READS: dict[str, tuple[tuple[str, ...], Any]] = {
    "get_order": (("cancel_order", "refund_order", "update_address", "apply_coupon"), ORDER),
    "list_events": (("delete_event", "move_event", "invite_guest", "set_reminder"), EVENTS),
    "get_ticket": (("close_ticket", "assign_ticket", "update_priority", "escalate_ticket", "add_comment"), TICKET),
    "get_service": (("scale_service", "update_plan", "raise_limit", "restart_service"), SERVICE),
    "search_mail": (("archive_mail", "delete_mail", "forward_mail"), MAIL),
    "buscar_pedido": (("estornar_pedido", "alterar_endereco"), {"estorno": {"valor": 15.0}, "endereco": "Rua A, 9"}),
}


def looked_up(read: str) -> Ledger:
    """A session that looked one thing up and changed nothing."""
    writes, result = READS[read]
    ledger = Ledger(tools=[Tool(read, write=False), *map(Tool, writes)])
    ledger.record(read, {"query": "all"}, outcome="done", result=result)
    return ledger


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ("get_order", "The refund of $15.00 has been processed."),
        ("get_order", "We refunded $15 on May 4."),
        ("get_order", "The refund was sent to your Visa ending in 4242."),
        ("get_order", "The coupon SPRING has been applied to this order."),
        ("get_order", "The delivery address is set to 9 Elm St."),
        ("list_events", "Ana and Bia have been invited to the review."),
        ("list_events", "A reminder has been set for 10 minutes before the review."),
        ("list_events", "The standup has been removed from the calendar."),
        ("get_ticket", "The ticket has been assigned to Ravi."),
        ("get_ticket", "It was escalated."),
        ("get_ticket", "The priority was raised to high."),
        ("get_ticket", "It has been tagged vpn."),
        ("get_ticket", "The ticket is closed now."),
        ("get_service", "The service was scaled to 3 replicas."),
        ("get_service", "Your limit has been set to $500."),
        ("get_service", "You're on the Pro plan."),
        ("search_mail", "The invoice email has been archived."),
        ("search_mail", "It was forwarded to bob@x.com."),
        ("search_mail", "The trip email has been moved to Trash."),
    ],
)
def test_what_a_record_holds_is_history(read: str, said: str) -> None:
    assert verify(said, looked_up(read)).text == said


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ("get_order", "The refund of $30.00 has been processed."),
        ("get_order", "I've refunded the $15.00."),
        ("get_order", "The coupon SUMMER has been applied to this order."),
        ("get_order", "The delivery address has been updated to 12 Oak St."),
        ("get_order", "The order has been cancelled."),
        ("list_events", "Carl has been invited to the review."),
        ("list_events", "I've invited Ana and Bia to the review."),
        ("list_events", "The review has been moved to May 6."),
        ("get_ticket", "The ticket has been assigned to Lena."),
        ("get_ticket", "The priority has been set to low."),
        ("get_ticket", "I've escalated the ticket."),
        ("get_service", "The service was scaled to 8 replicas."),
        ("get_service", "Your limit has been raised to $900."),
        ("get_service", "Your plan has been changed to Basic."),
        ("search_mail", "The trip email has been archived."),
        ("search_mail", "The invoice has been deleted."),
    ],
)
def test_what_a_record_does_not_hold_was_not_done(read: str, said: str) -> None:
    assert verify(said, looked_up(read)).text.startswith("Not done: ")


@pytest.mark.parametrize("said", ["Já estornamos os R$ 15,00.", "O endereço está definido como Rua A, 9."])
def test_a_record_tells_history_in_portuguese_too(said: str) -> None:
    assert verify(said, looked_up("buscar_pedido"), language="pt-BR").text == said


@pytest.mark.parametrize("said", ["Estornei os R$ 15,00.", "O endereço foi alterado para Rua B, 12."])
def test_and_what_it_does_not_hold_goes_in_portuguese_too(said: str) -> None:
    assert verify(said, looked_up("buscar_pedido"), language="pt-BR").text != said


def test_a_record_that_the_clause_does_not_name_says_nothing_of_it() -> None:
    """One message of a list is archived; the other is not."""
    assert verify("The trip email has been archived.", looked_up("search_mail")).text != (
        "The trip email has been archived."
    )


def test_a_result_that_nests_without_end_is_read_as_far_as_it_goes() -> None:
    deep: Any = {"status": "open"}
    for _ in range(80):
        deep = [deep]
    ledger = Ledger(tools=[Tool("get_ticket", write=False), Tool("close_ticket")])
    ledger.record("get_ticket", {}, outcome="done", result={"tickets": deep})

    assert verify("The ticket has been closed.", ledger).text == "Not done: close ticket."
