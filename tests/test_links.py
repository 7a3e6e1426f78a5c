"""Which tool a sentence is about where its own words do not say: details, questions, records, rules."""

from __future__ import annotations

import pytest

from verifier import Ledger, Tool, Verdict, verify


def schema(*names: str) -> dict[str, object]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


TOOLS = [
    Tool("find_member_by_email", write=False, parameters=schema("email")),
    Tool("find_member_by_name", write=False, parameters=schema("first_name", "last_name", "postcode")),
    Tool("get_rental", write=False, parameters=schema("rental_id")),
    Tool("book_rental", parameters=schema("member_id", "car", "start_date")),
    Tool("cancel_rental", parameters=schema("rental_id")),
    Tool("change_address", parameters=schema("member_id", "address")),
    Tool("hand_over_to_staff", parameters=schema("summary")),
]


def ledger() -> Ledger:
    made = Ledger(tools=TOOLS)
    made.record(
        "get_rental",
        {"rental_id": "R-77"},
        outcome="done",
        result={"rental_id": "R-77", "car": "Fiat Panda", "insurance": "none", "start_date": "2026-05-20"},
    )
    made.record(
        "book_rental",
        {"member_id": "M-9", "car": "Skoda Fabia", "start_date": "2026-06-01"},
        outcome="done",
        result={"rental_id": "R-78", "desk": "Hall B"},
    )
    return made


def tools_of(verdict: Verdict, sentence: int) -> list[tuple[str | None, str | None]]:
    clauses = verdict.sentences[sentence].clauses
    return [(clause.tool, clause.claim and clause.claim.value) for clause in clauses]


@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_details_under_a_claim_are_about_its_call(language: str) -> None:
    reply = {
        "en": "Your car is booked. Here are the details:\n\n- Pick-up: Hall B\n- Extras: a child seat\n",
        "pt-BR": "O carro foi reservado. Aqui estão os detalhes:\n\n- Local: Hall B\n- Extras: cadeirinha\n",
    }[language]
    verdict = verify(reply, ledger(), language=language)
    assert verdict.text is reply
    assert tools_of(verdict, 2) == tools_of(verdict, 3) == [("book_rental", "mentions")]


def test_details_under_another_heading_are_not() -> None:
    verdict = verify("Your car is booked. Still free that day:\n\n- Fiat Panda\n", ledger())
    assert ("book_rental", "mentions") not in tools_of(verdict, 2)


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("Could you please give me the e-mail on your account?", "find_member_by_email"),
        ("What is your email address?", "find_member_by_email"),
        ("Please provide your first name, last name and postcode.", "find_member_by_name"),
        ("Could you share your rental ID?", "get_rental"),
        ("First, I need to verify your identity.", "find_member_by_email"),
    ],
)
def test_a_question_is_about_the_tool_that_needs_the_answer(question: str, tool: str) -> None:
    assert tools_of(verify(question, Ledger(tools=TOOLS)), 0) == [(tool, "asks")]


def test_a_bare_question_is_about_what_was_asked_before() -> None:
    verdict = verify("I can cancel rental R-77 for you. Would you like to proceed?", ledger())
    assert tools_of(verdict, 1) == [("cancel_rental", "asks")]


def test_what_a_record_holds_is_about_its_call() -> None:
    made = Ledger(tools=TOOLS)
    made.record("get_rental", {"rental_id": "R-77"}, outcome="done", result={"rental_id": "R-77", "insurance": "none"})
    verdict = verify("Rental R-77 does not have insurance.", made)
    assert [tool for tool, _ in tools_of(verdict, 0)] == ["get_rental"]


@pytest.mark.parametrize(
    "rule",
    [
        "Address change: allowed because the rental is pending.",
        "One address change is permitted per rental.",
        "Cancellation is required 24 hours before.",
        "Cancellation eligibility: confirmed.",
        "I've located your rental and evaluated the cancellation options.",
        "Please keep the address of the desk at hand.",
    ],
)
def test_a_rule_tells_of_no_act(rule: str) -> None:
    made = Ledger(tools=TOOLS)
    made.record("get_rental", {"rental_id": "R-77"}, outcome="done", result={"rental_id": "R-77"})
    assert verify(rule, made).text is rule


@pytest.mark.parametrize("lie", ["Your address change is complete.", "I've cancelled rental R-77."])
def test_an_act_that_never_ran_is_still_told(lie: str) -> None:
    made = Ledger(tools=TOOLS)
    made.record("get_rental", {"rental_id": "R-77"}, outcome="done", result={"rental_id": "R-77", "state": "open"})
    assert lie not in verify(lie, made).text


@pytest.mark.parametrize(
    "rule",
    [
        "Rentals cancelled with under 48 hours' notice are charged in full.",
        "Late fees are charged per day.",
        "Paid fees aren't returned.",
    ],
)
def test_what_is_done_with_any_of_a_kind_is_a_rule(rule: str) -> None:
    made = Ledger(tools=[Tool("charge_fee"), Tool("return_fee")])
    made.record("charge_fee", {"amount": 20}, outcome="failed")
    made.record("return_fee", {"amount": 20}, outcome="done")
    assert verify(rule, made).text.startswith(rule)


def test_what_was_blocked_was_not_done() -> None:
    made = Ledger(tools=[Tool("bank_details.update")])
    made.record("bank_details.update", {"account": "1"}, outcome="refused", reason="second approver required")
    reply = "Today's change was blocked, because a second approver is required."
    assert verify(reply, made).text is reply


def test_both_of_two_claims_both() -> None:
    made = Ledger(tools=[Tool("cancel_rental")])
    made.record("cancel_rental", {"rental_id": "R-1"}, outcome="done")
    made.record("cancel_rental", {"rental_id": "R-2"}, outcome="refused")
    reply = "R-1 and R-2 are both cancelled."
    assert reply not in verify(reply, made).text


@pytest.mark.parametrize(("date", "stays"), [("10 June", True), ("20 June", False)])
def test_a_value_is_told_of_what_the_sentence_before_was_about(date: str, stays: bool) -> None:
    made = Ledger(tools=[Tool("book_rental")])
    result = {"rental_id": "R-7", "valid_from": "2026-06-10"}
    made.record("book_rental", {"car": "Fabia"}, outcome="done", result=result)
    reply = f"Rental R-7 is booked. It's valid from {date}."
    assert (verify(reply, made).text == reply) is stays


@pytest.mark.parametrize(
    "told",
    [
        "I've put together the cheapest cars for you.",
        "I've sent you the cars in this message.",
        "I've noted your preference for a small car.",
        "I've sorted the cars by price.",
        "I've registered that you want a child seat.",
        "I've given you the two cheapest cars.",
        "I've started with the cheapest car.",
    ],
)
def test_what_is_done_in_the_reply_itself_needs_no_call(told: str) -> None:
    made = Ledger(tools=[*TOOLS, Tool("send_email"), Tool("create_ticket"), Tool("register_driver"), Tool("save_note")])
    made.record("get_rental", {"rental_id": "R-77"}, outcome="done", result={"cars": [{"name": "Panda", "price": 30}]})
    assert verify(told, made).text is told


@pytest.mark.parametrize(
    "told",
    [
        "Ole is busy on 15 June.",
        "15 June is a holiday.",
        "Cancelled meetings stay in the archive for 30 days.",
        "The plan assumes that the meeting has been scheduled.",
        "I held off on scheduling the meeting.",
        "I left the meeting as it was.",
        "I cut the second paragraph.",
        "I've corrected the typos.",
    ],
)
def test_the_world_the_text_and_what_was_left_alone_tell_of_no_act(told: str) -> None:
    made = Ledger(tools=[Tool("schedule_meeting"), Tool("cancel_meeting"), Tool("delete_file"), Tool("rename_file")])
    made.record("schedule_meeting", {"date": "2026-06-15"}, outcome="failed", reason="calendar full")
    assert verify(told, made).text.startswith(told)


def test_a_decision_that_waits_denies_no_request() -> None:
    made = Ledger(tools=[Tool("request_leave")])
    made.record("request_leave", {"from": "2026-08-03"}, outcome="done", result={"status": "pending approval"})
    reply = "Your leave isn't approved yet."
    assert verify(reply, made).text.startswith(reply)


def test_a_done_write_whose_values_a_sentence_states_is_told() -> None:
    made = Ledger(tools=[Tool("book_appointment")])
    made.record("book_appointment", {"doctor": "Okafor", "date": "2026-06-09", "time": "10:30"}, outcome="done")
    reply = "You're seeing Dr Okafor on 9 June at 10:30."
    assert verify(reply, made).text is reply


@pytest.mark.xfail(strict=True, reason="docs/limits.md: some true sentences are still changed")
@pytest.mark.parametrize(
    "true",
    [
        "LH1402 is full on 20 June.",
        "The work is on your machine.",
        'Suggested subject: "Meeting scheduled"',
        'Say "goodnight" and I\'ll switch everything off.',
    ],
)
def test_true_sentences_that_are_still_changed(true: str) -> None:
    made = Ledger(tools=[Tool(name) for name in ("book_flight", "deploy", "schedule_meeting", "turn_off_light")])
    made.record("book_flight", {"flight": "LH1402", "date": "2026-06-20"}, outcome="failed", reason="sold out")
    made.record("deploy", {"target": "staging"}, outcome="not_attempted")
    made.record("schedule_meeting", {"date": "2026-06-15"}, outcome="failed", reason="calendar full")
    made.record("turn_off_light", {"room": "kitchen"}, outcome="done")
    assert verify(true, made).text.startswith(true)
