"""Offers that nothing granted, and what only speaks of one."""

from __future__ import annotations

import pytest

from verifier import Ledger, Tool, verify
from verifier.rules import apply, load
from verifier.splitter import split


def offers(text: str, ledger: Ledger | None = None, language: str = "en") -> list[str]:
    """The benefits that the rules report in a text."""
    applied = apply(text, (), split(text, language), ledger or Ledger(), load(), language=language)
    return [report.why for report in applied.reports]


@pytest.mark.parametrize(
    ("text", "benefit"),
    [
        ("I can offer you a 15% discount on your next order.", "discount"),
        ("We've added a $25 credit to your account.", "credit"),
        ("I'll send you a $50 voucher for the trouble.", "voucher"),
        ("You will receive a full refund.", "refund"),
        ("I've upgraded you to business class free of charge, it's a free upgrade.", "upgrade"),
        ("I have waived the late fee.", "waiver"),
        ("Your late fee has been waived.", "waiver"),
        ("We'll include free shipping with it.", "free item"),
        ("We will match the price you found.", "price match"),
        ("I'll send you a $30 gift card.", "voucher"),
        ("If you like, I can give you a voucher.", "voucher"),
        ("As an apology, please accept a complimentary breakfast.", "free item"),
        ("A refund has been issued to your card.", "refund"),
    ],
)
def test_offers_in_english(text: str, benefit: str) -> None:
    assert offers(text) == [benefit]


@pytest.mark.parametrize(
    "text",
    [
        "I can look into a refund for you.",
        "Let me check whether you are eligible for a discount.",
        "You asked for a $50 voucher.",
        "Your request for a refund was received.",
        'You wrote: "I was told I will receive a full refund from you".',
        "Under our policy, members receive a discount.",
        "Refunds are usually processed within 5 days.",
        "If you cancel today, you will receive a refund.",
        "I'm unable to offer you a voucher.",
        "We do not offer a discount on this.",
        "I can't waive the fee.",
        "How would you like to receive your refund?",
        "Which credit card shall I use?",
        "Feel free to ask!",
        "Your gift card has a balance of $50.",
    ],
)
def test_what_is_no_offer_in_english(text: str) -> None:
    assert offers(text) == []


@pytest.mark.parametrize(
    ("text", "benefit"),
    [
        ("Posso oferecer um desconto de 10%.", "desconto"),
        ("Você receberá um reembolso integral.", "reembolso"),
        ("Vamos enviar um vale de R$ 50.", "vale"),
        ("Apliquei um crédito de R$ 20 na sua conta.", "crédito"),
        ("O estorno foi aprovado.", "reembolso"),
        ("Podemos dar frete grátis.", "item grátis"),
        ("A isenção da taxa foi concedida.", "isenção"),
    ],
)
def test_offers_in_portuguese(text: str, benefit: str) -> None:
    assert offers(text, language="pt-BR") == [benefit]


@pytest.mark.parametrize(
    "text",
    [
        "Não posso oferecer desconto.",
        "Vou verificar se há um vale para você.",
        "Você pediu um reembolso.",
        "Se você cancelar, receberá um reembolso.",
        "Nossa política: clientes recebem desconto.",
        "Como prefere receber o reembolso?",
        "Pago com cartão de crédito.",
    ],
)
def test_what_is_no_offer_in_portuguese(text: str) -> None:
    assert offers(text, language="pt-BR") == []


def test_a_call_of_the_session_grants_it() -> None:
    ledger = Ledger(tools=[Tool("send_certificate", write=True)])
    text = "I've sent you a $50 voucher."
    assert offers(text, ledger) == ["voucher"]

    ledger.record("send_certificate", {"amount": 50}, outcome="failed")
    assert offers(text, ledger) == ["voucher"]

    ledger.record("send_certificate", {"amount": 50}, outcome="done")
    assert offers(text, ledger) == []


def test_to_ask_whether_to_use_a_tool_is_a_proposal() -> None:
    ledger = Ledger(tools=[Tool("refund_order", write=True)])

    assert offers("I can refund it to your card. Shall I?", ledger) == []
    assert offers("I can refund it to your card.", ledger) == ["refund"]


def test_an_offer_is_reported_and_the_reply_stays() -> None:
    reply = "I can offer you a $50 voucher."
    verdict = verify(reply, Ledger())

    assert verdict.text is reply
    assert [(report.kind, report.rule, reply[report.start : report.end]) for report in verdict.reports] == [
        ("rule", "offers-en", "I can offer you a $50 voucher")
    ]
    assert verdict.fired == (("offers-en", "report", 1),)
