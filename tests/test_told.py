"""What a reply tells in its own words is not told again at its end; what it leaves out is."""

from __future__ import annotations

import time
from typing import Any

import pytest

from verifier import Ledger, Tool, verify

Step = tuple[str, dict[str, Any], str, str]
DEAL: tuple[Step, ...] = (
    ("update_stage", {"id": "D-5", "stage": "negotiation"}, "done", ""),
    ("add_note", {"deal": "D-5", "text": "Joe asked for 10% off"}, "done", ""),
    ("create_task", {"deal": "D-5", "title": "Call Joe", "due": "2026-05-11"}, "done", ""),
)
GYM: tuple[Step, ...] = (
    ("cancel_class", {"class": "Spin", "date": "2026-05-12"}, "done", ""),
    ("upgrade", {"member": "M-8", "plan": "Gold"}, "pending_confirmation", ""),
)
SALON: tuple[Step, ...] = (
    ("move", {"booking": "BK-3", "to": "2026-05-09T14:30"}, "done", ""),
    ("send_sms", {"to": "+1 202 555 0143"}, "unknown", "gateway timeout"),
)
TRIP: tuple[Step, ...] = (
    ("book_hotel", {"hotel": "Casa Azul", "from": "2026-06-05"}, "done", ""),
    ("book_taxi", {"pickup": "airport", "time": "18:20"}, "refused", "no cars available"),
)
MAIL: tuple[Step, ...] = (
    ("forward", {"id": "e2", "to": "lee@x.com"}, "done", ""),
    ("archive", {"id": "e1"}, "done", ""),
)


def ran(steps: tuple[Step, ...]) -> Ledger:
    """A turn in which these writes were called."""
    ledger = Ledger(tools=[Tool(tool) for tool in dict.fromkeys(tool for tool, _, _, _ in steps)])
    for tool, arguments, outcome, reason in steps:
        ledger.record(tool, arguments, outcome=outcome, reason=reason)
    return ledger


@pytest.mark.parametrize(
    ("steps", "reply"),
    [
        (DEAL, "D-5 is in negotiation, I noted that Joe asked for 10% off, and there's a task to call him on May 11."),
        (DEAL, "The deal moved to negotiation, with a note about the 10% and a task for you on the 11th."),
        (DEAL, "All three things are done: the stage, the note and the task (due 11 May)."),
        (GYM, "I've taken you off Spin on 12 May. The upgrade to Gold needs your OK before I do it."),
        (SALON, "BK-3 is on Saturday 9 May, 14:30. Whether the SMS reached you I don't know."),
        (TRIP, "Casa Azul is booked from June 5. Taxi ❌: no cars available."),
        (MAIL, 'I forwarded "Lease v2" to lee@x.com and archived the older mail.'),
    ],
)
def test_what_is_told_is_not_told_again(steps: tuple[Step, ...], reply: str) -> None:
    assert verify(reply, ran(steps)).text == reply


@pytest.mark.parametrize(
    ("steps", "reply", "left_out"),
    [
        (DEAL, "D-5 is in negotiation now, and there's a task to call Joe on May 11.", ["add_note"]),
        (DEAL, "I noted that Joe asked for 10% off.", ["update_stage", "create_task"]),
        (GYM, "The upgrade to Gold needs your OK before I do it.", ["cancel_class"]),
        (GYM, "Spin is at 6 pm. The upgrade to Gold needs your OK.", ["cancel_class"]),
        (SALON, "BK-3 is on Saturday 9 May, 14:30.", ["send_sms"]),
        (TRIP, "Casa Azul is booked from June 5.", ["book_taxi"]),
        (MAIL, 'I forwarded "Lease v2" to lee@x.com.', ["archive"]),
    ],
)
def test_what_is_left_out_is_told(steps: tuple[Step, ...], reply: str, left_out: list[str]) -> None:
    verdict = verify(reply, ran(steps))

    assert verdict.text.startswith(reply)
    assert [call.tool for call in verdict.appended] == left_out


def test_done_speaks_of_the_rest_where_the_reply_tells_what_was_not() -> None:
    steps: tuple[Step, ...] = (
        ("estender_reserva", {"saida": "2026-08-22"}, "done", ""),
        ("incluir_cafe", {"reserva": "R-7"}, "failed", "serviço fora do ar"),
    )
    told = "Prontinho! Estendi a estadia até 22 de agosto. O café não foi incluído: o serviço está fora do ar."
    silent = "Prontinho! Estendi a estadia até 22 de agosto."

    assert verify(told, ran(steps), language="pt-BR").text == told
    assert "Prontinho" not in verify(silent, ran(steps), language="pt-BR").text


def test_an_earlier_time_is_history_beside_a_refusal() -> None:
    reads = {"title": "Emma", "renewals": 3}
    ledger = Ledger(tools=[Tool("get_loans", write=False), Tool("renew_loan")])
    ledger.record("get_loans", {}, outcome="done", result={"loans": [reads]})
    ledger.record("renew_loan", {"title": "Emma"}, outcome="refused", reason="maximum renewals reached")

    for said in ("Emma has been renewed three times already.", "It was renewed three times before."):
        assert verify(said, ledger).text.startswith(said)
    for lie in ("Emma has been renewed.", "Emma has been renewed four times already."):
        assert not verify(lie, ledger).text.startswith(lie)


@pytest.mark.parametrize(
    "reply",
    [
        "You can now pick up your cake at 3 pm on June 6. The cherries couldn't be added: too late.",
        "The pickup's at three now. Cherries couldn't be added: too late.",
    ],
)
def test_what_is_so_now_is_told(reply: str) -> None:
    steps: tuple[Step, ...] = (
        ("change_pickup", {"order": "BK-21", "to": "2026-06-06T15:00"}, "done", ""),
        ("add_topping", {"order": "BK-21", "topping": "cherries"}, "refused", "too late"),
    )
    assert verify(reply, ran(steps)).text == reply


def test_what_stays_as_it_was_is_told_as_not_done() -> None:
    steps: tuple[Step, ...] = (
        ("unlock_account", {"user": "jdoe"}, "done", ""),
        ("reset_password", {"user": "jdoe"}, "failed", "directory service down"),
    )
    told = "The account of jdoe is unlocked. The password stays the same for now."
    assert verify(told, ran(steps)).text == told
    assert verify("The account of jdoe is unlocked.", ran(steps)).appended


HOME: tuple[Step, ...] = (
    ("set_blinds", {"position": 0}, "done", ""),
    ("play_music", {"playlist": "Jazz"}, "done", ""),
)
GUESTS: tuple[Step, ...] = (
    ("add_guest", {"name": "Theo"}, "done", ""),
    ("remove_guest", {"name": "Rita"}, "done", ""),
    ("book_vendor", {"vendor": "string quartet"}, "refused", "not available"),
)
PAY: tuple[Step, ...] = (
    ("add_bonus", {"id": "E-9", "amount": 500}, "done", ""),
    ("issue_payslip", {"id": "E-9", "month": "2026-11"}, "done", ""),
)
CHORES: tuple[Step, ...] = (
    ("complete_reminder", {"reminder": "f-1"}, "done", ""),
    ("complete_reminder", {"reminder": "f-2"}, "done", ""),
)


@pytest.mark.parametrize(
    ("steps", "reply"),
    [
        (HOME, "The blinds are down and Jazz is playing."),
        (HOME, "Blinds closed. Music: Jazz."),
        (GUESTS, "Theo's in, Rita's out. The quartet wasn't available."),
        (PAY, "The bonus is in and the November payslip is out."),
        (PAY, "Done: €500 bonus for December, payslip for November."),
        (PAY, "Lena's bonus and payslip are taken care of."),
        (CHORES, "I completed two reminders."),
    ],
)
def test_states_and_places_tell(steps: tuple[Step, ...], reply: str) -> None:
    assert verify(reply, ran(steps)).text == reply


@pytest.mark.parametrize(
    ("steps", "reply", "left_out"),
    [
        (HOME, "The blinds are down.", ["play_music"]),
        (GUESTS, "Theo's in.", ["remove_guest", "book_vendor"]),
        (PAY, "Done: €500 bonus for December.", ["issue_payslip"]),
    ],
)
def test_and_the_rest_is_told(steps: tuple[Step, ...], reply: str, left_out: list[str]) -> None:
    assert [call.tool for call in verify(reply, ran(steps)).appended] == left_out


@pytest.mark.parametrize(
    "reply",
    [
        "A aula foi cancelada. A troca pro plano Ouro foi desfeita porque o pagamento não foi autorizado.",
        "Cancelei a aula. O plano Ouro foi revertido.",
    ],
)
def test_what_was_undone_is_told_by_its_undoing(reply: str) -> None:
    steps: tuple[Step, ...] = (
        ("cancelar_aula", {"aula": "Spinning"}, "done", ""),
        ("trocar_plano", {"plano": "Ouro"}, "undone", "pagamento não autorizado"),
    )
    assert verify(reply, ran(steps), language="pt-BR").text == reply
    assert verify("A aula foi cancelada.", ran(steps), language="pt-BR").appended


def test_a_failure_is_told_by_its_object() -> None:
    steps: tuple[Step, ...] = (
        ("place_order", {"cake": "Black Forest"}, "done", ""),
        ("charge_deposit", {"amount": 60.0}, "failed", "card declined"),
    )
    told = "Your Black Forest is ordered. The deposit of $60.00 was declined."
    assert verify(told, ran(steps)).text == told
    assert verify("Your Black Forest is ordered.", ran(steps)).appended


def test_a_turn_of_many_writes_costs_what_its_sentences_do() -> None:
    """Each call is compared with the others once for a reply, not once for each sentence."""

    def seconds(writes: int) -> float:
        ledger = Ledger(tools=[Tool(f"do{place}_thing") for place in range(writes)])
        for place in range(writes):
            ledger.record(f"do{place}_thing", {"id": f"A{place}", "name": f"Name {place}"}, outcome="done")
        reply = " ".join(f"Sentence number {place} speaks of the weather." for place in range(60))
        verify("Hello there.", ledger)
        started = time.perf_counter()
        verify(reply, ledger)
        return time.perf_counter() - started

    few = min(seconds(50) for _ in range(2))
    many = min(seconds(400) for _ in range(2))
    assert many < 8 * few  # it was five hundred times once
