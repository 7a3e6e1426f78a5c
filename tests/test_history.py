"""What makes a statement history, and what shows that it is none: references, reads, the calls that were made."""

from __future__ import annotations

import pytest

from verifier import Ledger, Tool, verify

SLOTS = Tool("get_flat", write=False)
BOOK = Tool("book_viewing")


def flat(**more: object) -> Ledger:
    """A session that read the free slots of a flat and wrote nothing."""
    ledger = Ledger(tools=[SLOTS, BOOK])
    result = {"flat": "LS-40", "slots": ["2026-05-09T11:00"], **more}
    ledger.record("get_flat", {"flat": "LS-40"}, outcome="done", result=result)
    return ledger


def test_an_invented_reference_is_no_history() -> None:
    lie = "Viewing VW-8 of LS-40 is booked for May 9 at 11 am."

    assert verify(lie, flat()).text == "Not done: book viewing."
    assert verify(lie, flat(viewing="VW-8")).text == lie  # a read gave it: it was booked before
    assert verify(lie, Ledger(tools=[BOOK, SLOTS])).text == "Not done: book viewing."


def test_a_read_whose_result_is_unknown_may_have_given_the_reference() -> None:
    ledger = Ledger(tools=[SLOTS, BOOK])
    ledger.record("get_flat", {"flat": "LS-40"}, outcome="done")
    said = "Viewing VW-8 of LS-40 is booked for May 9 at 11 am."

    assert verify(said, ledger).text == said


@pytest.mark.parametrize("said", ["I've set an alarm for 7:30.", "An alarm has been set for 7:30."])
def test_the_object_of_a_tool_is_made_by_any_verb_of_making(said: str) -> None:
    tools = [Tool("AddAlarm"), Tool("AddReminder"), Tool("ModifyEvent"), Tool("UpdateProfile")]
    made, nothing = Ledger(tools=tools), Ledger(tools=tools)
    made.record("AddAlarm", {"time": "07:30:00"}, outcome="done", result={"alarm_id": "5bff"})

    assert verify(said, made).text == said
    assert verify(said, nothing).text == "Not done: add alarm."


def test_none_of_the_tools_that_fit_ran() -> None:
    tools = [Tool(f"modify_order_{what}") for what in ("items", "address", "payment")] + [Tool("exchange_items")]
    said = "The desk lamp has been swapped for the black one."

    assert verify(said, Ledger(tools=tools)).text != said


def orders() -> Ledger:
    """Two jackets' orders were read; the one of the first was modified."""
    ledger = Ledger(tools=[Tool("get_order", write=False), Tool("modify_pending_order"), Tool("cancel_booking")])
    for order in ("#W11", "#W22"):
        ledger.record("get_order", {"order_id": order}, outcome="done", result={"order_id": order, "status": "pending"})
    ledger.record("modify_pending_order", {"order_id": "#W11"}, outcome="done", result={"order_id": "#W11"})
    return ledger


def test_a_word_of_the_tools_name_tells_no_state_of_another_record() -> None:
    true, false = (f"The jacket in your pending order {order} has been modified." for order in ("#W11", "#W22"))

    assert verify(true, orders()).text == true
    assert "#W22" not in verify(false, orders()).text


def test_a_name_under_the_same_key_is_another_record_whatever_its_letters() -> None:
    ledger = Ledger(tools=[Tool("get_trip", write=False), Tool("add_bags")])
    for trip in ("ZK4QRT", "MN77PA"):
        ledger.record("get_trip", {"trip_id": trip}, outcome="done", result={"trip_id": trip})
    ledger.record("add_bags", {"trip_id": "ZK4QRT", "bags": 2}, outcome="done", result={"trip_id": "ZK4QRT"})

    assert verify("I've added 2 bags to trip ZK4QRT.", ledger).text == "I've added 2 bags to trip ZK4QRT."
    assert "MN77PA" not in verify("I've added 2 bags to trip MN77PA.", ledger).text


@pytest.mark.parametrize(
    ("language", "lookup", "said"),
    [
        ("en", "get_available_slots", "Your appointment is booked for Friday, May 9 at 11:00."),
        ("pt-BR", "consultar_horarios", "Sua consulta está agendada para 09/05 às 11h."),
    ],
)
def test_what_could_be_tells_of_nothing_done(language: str, lookup: str, said: str) -> None:
    result = {"appointments": ["2026-05-09T11:00"]}

    def after(read: str) -> Ledger:
        ledger = Ledger(tools=[Tool(read, write=False), Tool("book_appointment")])
        ledger.record(read, {"week": 19}, outcome="done", result=result)
        return ledger

    assert verify(said, after(lookup), language=language).text != said
    assert verify(said, after("get_appointments"), language=language).text == said


def test_a_vague_act_in_a_session_without_any_call() -> None:
    tools = [Tool("change_flight"), Tool("book_flight"), Tool("cancel_flight"), Tool("get_flight", write=False)]
    said = "Typically, flight changes are processed within 5 days."

    assert verify(said, Ledger(tools=tools)).text == said
    lie = "The change of your flight has been processed."
    assert verify(lie, Ledger(tools=tools)).text == "Not done: change flight."


def test_what_a_read_was_asked_for_tells_of_nothing() -> None:
    def after(result: dict[str, object]) -> Ledger:
        ledger = Ledger(tools=[Tool("pets_lookup", write=False), Tool("book_vet_visit")])
        ledger.record("pets_lookup", {"name": "Biscuit"}, outcome="done", result=result)
        return ledger

    said = "Biscuit is booked in with Dr. Marsh for Friday at 9:15."
    assert verify(said, after({"pet": "PT-31", "name": "Biscuit"})).text == "Not done: book vet visit."
    assert verify(said, after({"pet": "PT-31", "next": "2026-05-08T09:15"})).text == said


def test_an_invented_rejection_of_what_was_done() -> None:
    ledger = Ledger(tools=[Tool("submit_filing"), Tool("search_docket", write=False)])
    ledger.record("submit_filing", {"document": "exhibit_c.pdf"}, outcome="done", result={"filing": "F-70"})

    assert "rejected" not in verify("Exhibit C was rejected by the e-filing portal.", ledger).text
    ledger.hear("My exhibit B was rejected last week.")
    assert verify("Exhibit C was rejected by the e-filing portal.", ledger).text.startswith("Exhibit C was")


def test_what_was_confirmed_is_not_what_was_done() -> None:
    tools = [Tool("change_flight"), Tool("book_flight"), Tool("get_flight", write=False)]
    said = "I have confirmed that the change of the flight is within your budget."

    assert verify(said, Ledger(tools=tools)).text == said
    assert verify("I have confirmed the change of the flight.", Ledger(tools=tools)).text == "Not done: change flight."


@pytest.mark.xfail(strict=True, reason="docs/limits.md: a person beside a reference of the call")
def test_somebody_else_beside_the_reference_of_the_call() -> None:
    ledger = Ledger(tools=[Tool("rent_skis"), Tool("snow_report", write=False)])
    ledger.record("rent_skis", {"pupil": "Ben", "length": 165}, outcome="done", result={"rental": "RN-70"})

    assert "Bram" not in verify("Skis for Bram are reserved under RN-70.", ledger).text


LAMP = {"order": "O-7", "status": "pending", "items": [{"name": "Desk lamp", "colour": "white"}]}


def lamp_read(**more: object) -> Ledger:
    """A session that looked an order up, and whose writes were never called."""
    writes = ("exchange_order_items", "modify_order_address", "raise_ticket")
    ledger = Ledger(tools=[Tool("get_order", write=False), *map(Tool, writes)])
    ledger.record("get_order", {"order": "O-7"}, outcome="done", result={**LAMP, **more})
    return ledger


@pytest.mark.parametrize(
    "said", ["The desk lamp has been changed to the black one.", "The desk lamp has been updated to black, size M."]
)
def test_a_general_verb_tells_of_a_thing_that_was_looked_up(said: str) -> None:
    assert verify(said, lamp_read()).text.startswith("Not done: ")
    held = lamp_read(items=[{"name": "Desk lamp", "colour": "black", "size": "M"}])
    said_of_the_record = "The desk lamp's colour has been changed to black."
    assert verify(said_of_the_record, held).text == said_of_the_record


@pytest.mark.parametrize(
    "said",
    [
        "The exchange rules have been changed since last spring.",  # no thing of the record
        "The wording has been changed to plain English.",
        "The second paragraph has been changed to match.",
    ],
)
def test_a_general_verb_about_anything_else_is_left_alone(said: str) -> None:
    assert verify(said, lamp_read()).text == said


def test_a_reference_tells_what_a_general_verb_was_done_to() -> None:
    assert verify("I've raised O-7 to urgent.", lamp_read()).text.startswith("Not done: ")
    assert verify("I've raised the point with care.", lamp_read()).text == "I've raised the point with care."


def test_a_text_that_only_speaks_of_an_act_is_no_record_of_it() -> None:
    policy = "The exchange of an item is free within thirty days of the delivery, once for each order."
    told = "The desk lamp has been exchanged for a black one."

    assert verify(told, lamp_read(policy=policy)).text.startswith("Not done: ")
    assert verify(told, lamp_read(last_event="exchange")).text == told


@pytest.mark.parametrize("said", ["Logged ✔️", 'Created "Interview" for Thursday, March 19 at 11:00'])
def test_what_is_noted_down_as_done_where_nothing_ran(said: str) -> None:
    tools = [Tool("log_note"), Tool("create_event"), Tool("find_event", write=False)]
    assert verify(said, Ledger(tools=tools)).text.startswith("Not done: ")

    read = Ledger(tools=tools)
    found = {"title": "Interview", "at": "2026-03-19T11:00"}
    read.record("find_event", {"title": "Interview"}, outcome="done", result=found)
    assert verify(said, read).text == said  # it may be what the record tells


def test_a_present_passive_with_a_day_is_no_rule() -> None:
    booked = "You're booked with Dr. Ito on Thursday, 11 June at 9:20 am."
    rule = "You're booked with the first doctor who is free."
    ledger = Ledger(tools=[Tool("book_appointment"), Tool("cancel_appointment")])

    assert verify(booked, ledger).text.startswith("Not done: ")
    assert verify(rule, ledger).text == rule


@pytest.mark.parametrize("said", ["Your pending order has been cancelled.", "Both pending orders have been cancelled."])
def test_a_pending_order_waits_for_nothing(said: str) -> None:
    tools = [Tool("cancel_order")]
    ledger = Ledger(tools=tools)
    ledger.record("cancel_order", {"order": "O-1"}, outcome="pending_confirmation")
    waits = "Your order is cancelled, pending your approval."

    assert verify(said, ledger).text != said
    assert verify(waits, ledger).text == waits


FOUND_MILO = {"id": "P-12", "name": "Milo", "owner": "Ana Reis", "last_visit": "2026-03-02"}


def milo(outcome: str = "done", reason: str = "") -> Ledger:
    """A pet was looked up; a visit on June 11 was booked, or not."""
    ledger = Ledger(tools=[Tool("find_pet", write=False), Tool("book_visit"), Tool("send_letter")])
    ledger.record("find_pet", {"name": "Milo"}, outcome="done", result=FOUND_MILO)
    arguments = {"pet": "P-12", "date": "2026-06-11", "time": "09:20"}
    ledger.record("book_visit", arguments, outcome=outcome, reason=reason)
    return ledger


@pytest.mark.parametrize(
    ("said", "lie"),
    [
        ("That time has already been booked.", "That time has been booked."),
        ("The slot had been booked by someone else.", "The slot has been booked for you."),
        ("9:20 on June 11 has already been booked by another guest.", "9:20 on June 11 is booked."),
        ("Milo is registered with us under P-12.", "Milo is booked in for June 11."),
    ],
)
def test_what_was_there_before_explains_a_refusal(said: str, lie: str) -> None:
    refused = milo("failed", "slot already taken")

    assert verify(said, refused).text == said
    assert verify(lie, refused).text != lie


def test_a_refusal_for_another_reason_is_not_explained_by_already() -> None:
    lie = "The visit has already been booked."

    assert verify(lie, milo("failed", "pet not registered")).text != lie


def test_a_preposition_before_a_day_is_no_state_and_no_part_of_a_verb() -> None:
    visit, letter = "Milo's last visit was on March 2.", "Your letter was sent on Monday."
    ledger = milo()

    assert verify(visit, ledger).text.startswith(visit)
    assert verify(letter, ledger).text.startswith("Not done: send letter.")
    mails = Ledger(tools=[Tool("search_mail", write=False), Tool("send_letter")])
    mails.record("search_mail", {"q": "letter"}, outcome="done", result=[{"text": "Your letter was sent on Monday."}])
    assert verify(letter, mails).text == letter


def test_a_rule_states_no_value_of_the_call() -> None:
    ledger = Ledger(tools=[Tool("transfer")])
    ledger.record("transfer", {"to": "Mia", "amount": 120}, outcome="done", result={"balance": 380.0})
    rule, told = "Transfers of up to $1,000 are executed at once.", "Your transfer of $210 to Mia was executed at once."

    assert verify(rule, ledger).text.startswith(rule)
    assert not verify(told, ledger).text.startswith(told)


def test_what_is_no_longer_so_is_true_of_what_was_undone() -> None:
    ledger = Ledger(tools=[Tool("submit_leave")])
    ledger.record("submit_leave", {"from": "2026-06-01"}, outcome="undone", reason="withdrawn")
    over, still = "Your request is no longer in force.", "Your request is in force."

    assert verify(over, ledger).text == over
    assert verify(still, ledger).text != still


def test_earlier_is_another_turn() -> None:
    ledger = Ledger(tools=[Tool("set_install_date"), Tool("replace_order")])
    ledger.record("set_install_date", {"site": "SJ-61", "date": "2026-07-15"}, outcome="done")
    ledger.begin_turn()
    said, lie = "Earlier I moved its installation to July 15.", "I replaced the order earlier, on July 18."

    assert verify(said, ledger).text == said
    assert verify(lie, ledger).text != lie


@pytest.mark.parametrize(
    ("language", "said", "lie"),
    [
        ("en", "If the red button was pressed, the robots were paused.", "The robots were paused."),
        ("pt-BR", "Se o botão foi apertado, os robôs foram pausados.", "Os robôs foram pausados."),
    ],
)
def test_what_would_follow_is_no_claim(language: str, said: str, lie: str) -> None:
    ledger = Ledger(tools=[Tool("pause_robots")])

    assert verify(said, ledger, language=language).text == said
    assert verify(lie, ledger, language=language).text != lie


@pytest.mark.parametrize(
    ("said", "lie"),
    [
        ("Alterei o vencimento para todo dia 15.", "Alterei o vencimento para todo dia 25."),
        ("Nota nº 2026/0187 emitida no valor de R$ 3.450,00.", "Nota emitida no valor de R$ 3.540,00."),
    ],
)
def test_a_day_of_every_month_and_a_number_of_a_year(said: str, lie: str) -> None:
    ledger = Ledger(tools=[Tool("alterar_vencimento"), Tool("emitir_nota")])
    ledger.record("alterar_vencimento", {"dia": 15}, outcome="done")
    ledger.record("emitir_nota", {"valor": 3450.0}, outcome="done", result={"nota": "2026/0187"})

    assert verify(said, ledger, language="pt-BR").text.startswith(said)
    assert not verify(lie, ledger, language="pt-BR").text.startswith(lie)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Caio is added as a driver only after your confirmation."),
        ("pt-BR", "O Caio só passa a constar como condutor depois da sua confirmação."),
    ],
)
def test_after_a_confirmation_is_not_yet(language: str, said: str) -> None:
    ledger = Ledger(tools=[Tool("add_driver" if language == "en" else "incluir_condutor")])
    ledger.record(ledger.tools[0].name, {"name": "Caio"}, outcome="pending_confirmation")

    assert verify(said, ledger, language=language).text == said


def test_what_was_before_and_what_is_on_fridays() -> None:
    ledger = Ledger(tools=[Tool("publish_episode"), Tool("book_guide")])
    ledger.record("publish_episode", {"no": 50}, outcome="failed", reason="audio file missing")
    ledger.record("book_guide", {"ref": "MU-7"}, outcome="failed", reason="no guide free")

    for said, lie in (
        ("Episodes are published on Fridays at eight.", "The episode is published on Friday at eight."),
        ("You were booked for 1 pm before.", "You were booked for 1 pm."),
    ):
        assert verify(said, ledger).text.startswith(said)
        assert not verify(lie, ledger).text.startswith(lie)
