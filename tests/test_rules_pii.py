"""Personal data: what is found, what may stand, and masks that leave everything around them as it was."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

from verifier import Ledger, Tool, verify
from verifier.rules import apply, load, numbers, pii
from verifier.splice import splice
from verifier.splitter import split


def masked(text: str, ledger: Ledger | None = None, rules: Any = None, language: str = "en") -> str:
    """The text with the rules applied and nothing else."""
    found = apply(text, (), split(text, language), ledger or Ledger(), load(rules), language=language)
    return splice(text, found.edits)


def session(**result: Any) -> Ledger:
    """A session in which one call returned these values."""
    ledger = Ledger(tools=[Tool("get_record", write=False)])
    ledger.record("get_record", {}, outcome="done", result=result)
    return ledger


def test_what_a_call_or_the_person_gave_may_stand() -> None:
    text = "Write to ana@example.com or call +1 201-555-0123 from 203.0.113.42."
    ledger = session(contact={"email": "Ana@Example.com", "phone": "(201) 555-0123"})
    ledger.hear("I'm on 203.0.113.42")

    assert masked(text, ledger) == text
    assert masked(text) == "Write to ‹e-mail address› or call ‹phone number› from ‹IP address›."


def test_the_reason_of_a_failure_may_name_whom_to_ask() -> None:
    ledger = Ledger(tools=[Tool("unlock_account")])
    ledger.record("unlock_account", {}, outcome="failed", reason="ask the desk: +44 20 7946 0958, desk@example.com")
    told = verify("Your account is unlocked.", ledger).text

    assert told == "Not done: unlock account: ask the desk: +44 20 7946 0958, desk@example.com."
    assert verify(told, ledger).text == told


def test_what_the_person_said_aloud_may_stand() -> None:
    ledger = Ledger()
    ledger.hear("it's ana dot silva at mail dot com, and four one five five five five oh eight four seven")
    text = "I have ana.silva@mail.com and (415) 555-0847."

    assert masked(text, ledger) == text


@pytest.mark.parametrize("key", ["order_id", "tracking_id", "reservation", "item_ids", "sku"])
@pytest.mark.parametrize("number", ["4111111111111111", "52998224725", "2015550123", "536-22-1234"])
def test_what_a_call_holds_as_the_name_of_a_thing_is_never_masked(key: str, number: str) -> None:
    text = f"It is {number}, call me."

    assert masked(text, session(**{key: [number]})) == text


@pytest.mark.parametrize(
    ("key", "number", "shown"),
    [
        ("card_number", "4111 1111 1111 1111", "•••• •••• •••• 1111"),
        ("cpf", "529.982.247-25", "•••.•••.•47-25"),
        ("ssn", "536-22-1234", "•••-••-1234"),
        ("iban", "GB29NWBK60161331926819", "••••••••••••••••••6819"),
    ],
)
def test_cards_and_personal_numbers_are_masked_even_when_the_session_holds_them(
    key: str, number: str, shown: str
) -> None:
    ledger = session(**{key: number})
    ledger.hear(f"my number is {number}")

    assert masked(f"I used {number} for it.", ledger) == f"I used {shown} for it."


def test_the_card_of_a_payment_is_no_name_of_a_thing() -> None:
    ledger = session(payment={"card": {"number": "4111111111111111"}})

    assert masked("Charged 4111111111111111.", ledger) == "Charged ••••••••••••1111."


@pytest.mark.parametrize(
    "text",
    [
        "Order 2015550123 has shipped.",
        "Your order number is 4155550847.",
        "Cell phone case: item id 2015550123.",
        "Tracking number: 843053242772.",
        "#W2378156 and 7706410293 are ready.",
        "Between 2024-05-20 and 2024-05-27, 10:00–12:00.",
        "Version 10.4.2.1 of the app, released 2024-05-01.",
        "It costs $1,234,567.89 or R$ 1.234.567,89.",
        "At 40.712776, -74.005974 or +40.712776.",
        "Commit 9fceb02d0ae598e95dc970b74767f19372d61af8.",
        "Use 255.255.255.0 and 192.168.1.1.",
        "Section 1.2.3.4 says so.",
        "ZIP 12345-6789, CEP 01310-100.",
        "gift_card_3491931 and credit_card_4421486.",
        "ISBN 978-3-16-148410-0.",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert masked(text) == text
    assert masked(text, language="pt-BR") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[ana@x.com](mailto:ana@x.com)", "[‹e-mail address›](mailto:•••)"),
        ("<ana@x.com>", "‹e-mail address›"),
        ("**ana@x.com**", "**‹e-mail address›**"),
        ("| ana@x.com | ok |", "| ‹e-mail address› | ok |"),
        ("`ana@x.com`", "`‹e-mail address›`"),
        ('{"email": "ana@x.com", "n": 1}', '{"email": "‹e-mail address›", "n": 1}'),
        ('{"card": 4111111111111111}', '{"card": 1111}'),
        ("See https://x.com/u?mail=ana@x.com now", "See https://x.com/u?mail=••• now"),
        ("- ana@x.com\n- +44 20 7946 0958", "- ‹e-mail address›\n- ‹phone number›"),
        ("josé.müller@exemplo.com.br!", "‹e-mail address›!"),
    ],
)
def test_masks_do_not_break_what_they_stand_in(text: str, expected: str) -> None:
    assert masked(text) == expected


def test_an_allow_list_holds_addresses_domains_and_numbers() -> None:
    rules = {"defaults": True, "allowed": ["@shop.com", "+1 800 555 0199"]}
    text = "Write to help@shop.com or call 1-800-555-0199."

    assert masked(text, rules=rules) == text
    assert masked("Write to help@bookshop.com.", rules=rules) == "Write to ‹e-mail address›."


def test_the_region_decides_what_a_national_number_looks_like() -> None:
    text = "We are at 020 7946 0958 all day."

    assert masked(text) == text
    assert masked(text, rules={"defaults": True, "region": "GB"}) == "We are at ‹phone number› all day."


def test_a_street_address_is_known_from_the_ledger_only() -> None:
    rule = {
        "id": "s",
        "kind": "pii",
        "find": "address",
        "languages": "any",
        "action": "mask",
        "allow_from": ["person"],
        "text": "‹street›",
    }
    ledger = session(address={"address1": "123 Elm Street", "city": "Denver"})

    assert masked("It goes to 123 elm street, Denver.", ledger, rule) == "It goes to ‹street›, Denver."
    assert masked("It goes to 99 Oak Street, Denver.", ledger, rule) == "It goes to 99 Oak Street, Denver."


def test_a_mask_is_an_edit_with_its_rule_and_is_counted_without_a_word() -> None:
    verdict = verify("Write to ana@example.com or bo@example.com.", Ledger())

    assert [(edit.kind, edit.rule) for edit in verdict.edits] == [("mask", "email")] * 2
    assert verdict.fired == (("email", "mask", 2),)
    assert [count.number for count in verdict.counts if count.kind == "mask:email"] == [2]
    assert [sentence.action for sentence in verdict.sentences] == ["edited"]


def test_what_a_phrasing_inserts_is_masked_within_its_own_edit() -> None:
    ledger = Ledger(tools=[Tool("charge_card", write=True)])
    ledger.record("charge_card", {"card": "4111111111111111"}, outcome="done")
    verdict = verify("Have a nice day.", ledger)

    assert verdict.text == "Have a nice day. Done: charge card with card ••••••••••••1111."
    assert [(edit.kind, edit.rule) for edit in verdict.edits] == [("append", "omitted")]
    assert verdict.fired == (("card", "mask", 1),)
    assert verify(verdict.text, ledger).text == verdict.text


def test_a_reply_that_is_not_read_is_masked_too() -> None:
    verdict = verify("Bitte schreiben Sie uns jederzeit gerne an ana@example.com zurück.", Ledger())

    assert not verdict.read
    assert verdict.text == "Bitte schreiben Sie uns jederzeit gerne an ‹e-mail address› zurück."


def test_rules_can_be_left_out() -> None:
    reply = "Write to ana@example.com."

    assert verify(reply, Ledger(), rules=False).text is reply


def test_what_a_rule_inserts_may_hold_a_number() -> None:
    rule = {
        "id": "r",
        "kind": "required",
        "languages": "any",
        "action": "append",
        "text": "Questions? Call 1-800-555-0199.",
        "when": {"always": True},
    }
    verdict = verify("Hello.", Ledger(), rules={"defaults": True, "rules": [rule]})

    assert verdict.text == "Hello. Questions? Call 1-800-555-0199."
    assert verify(verdict.text, Ledger(), rules={"defaults": True, "rules": [rule]}).text == verdict.text


@pytest.mark.parametrize("module", [numbers, pii])
def test_the_examples_in_the_code_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
