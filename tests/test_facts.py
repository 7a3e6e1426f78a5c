"""What calls received and returned, as facts with their places; who holds what; which records belong together."""

from __future__ import annotations

from decimal import Decimal

import pytest

from verifier.call import Call
from verifier.facts import Index, index
from verifier.ledger import Ledger
from verifier.model import Value
from verifier.records import Fact
from verifier.tool import Tool
from verifier.values import find
from verifier.verdict import Verdict
from verifier.verify import Verifier


def ledger(*calls: tuple[str, dict[str, object], object]) -> Ledger:
    made = Ledger([Tool("get_order", write=False), Tool("refund", write=True), Tool("book", write=True)])
    for tool, arguments, result in calls:
        made.record(tool, arguments, outcome="done", result=result)
    return made


def value(text: str, locale: str = "en") -> Value:
    return find(text, 0, len(text), locale=locale)[0]


def facts(result: object, kind: str, arguments: dict[str, object] | None = None) -> list[Fact]:
    made = ledger(("refund", arguments or {}, result))
    return list(index(made).facts(made.calls[0]).of(kind))


def test_every_scalar_has_its_place_and_key() -> None:
    made = ledger(("refund", {"order_id": "4412", "items": [{"price": 12.5}]}, {"a/b": {"~": 3}}))

    places = {(fact.pointer, fact.key, fact.in_result) for fact in index(made).facts(made.calls[0]).facts}

    assert {
        ("/arguments/order_id", "order_id", False),
        ("/arguments/items/0/price", "price", False),
        ("/arguments/items", "items", False),
        ("/result/a~1b/~0", "~", True),
    } <= places


def test_numbers_are_exact_and_know_the_currency_of_their_record() -> None:
    (amount,) = facts({"amount": 77.64999999999998, "currency": "eur"}, "number")

    assert (amount.unit, amount.meanings[1]) == ("EUR", Decimal("77.65"))
    assert facts({"amount": 5}, "number", {"currency": "GBP"})[0].unit == "GBP"
    assert facts({"price": {"amount": 5, "currency": "CHF"}, "fee": 2}, "number")[1].unit == ""
    assert facts({"ok": True, "none": None}, "number") == []


def test_texts_are_read_for_all_they_hold() -> None:
    assert facts({"fee": "8.40 USD"}, "money")[0].meanings == (Decimal("8.40"),)
    assert facts("Refunded $12.50 on May 20 at 9:20 am.", "date")[0].meanings == ((None, 5, 20, None),)
    assert facts("Marcado para 20 de maio às 9h", "time")[0].meanings == ((9, 0),)
    assert facts('{"amount": 12.5}', "number")[0].pointer == "/result/amount"
    assert [fact.key for fact in facts("status: ok\nrefund: 12.50", "number")] == ["refund"]
    assert facts({"n": "12"}, "number")[0].meanings == (Decimal(12),)


def test_an_instant_is_also_told_in_the_timezone_that_the_call_names() -> None:
    result = {"id": "ap-91"}
    arguments: dict[str, object] = {"start": "2026-10-10T00:00:00Z", "timezone": "America/Manaus"}

    assert {fact.meanings[0] for fact in facts(result, "time", arguments)} == {(0, 0), (20, 0)}
    assert (2026, 10, 9, None) in {fact.meanings[0] for fact in facts(result, "date", arguments)}


def test_lists_know_their_length() -> None:
    assert [(fact.pointer, fact.meanings) for fact in facts({"seats": [1, 2, 3], "empty": []}, "length")] == [
        ("/result/seats", (Decimal(3),)),
        ("/result/empty", (Decimal(0),)),
    ]


@pytest.mark.parametrize("text", ["#W123456", "W123456", "w-123456", "order ending in 3456"])
def test_an_identifier_is_held_however_it_is_written(text: str) -> None:
    made = ledger(("get_order", {"order_id": "#W123456"}, {"total": 5}), ("refund", {"id": "W999999"}, None))

    assert [call.id for call in index(made).holders(value(text))] == ["call-1"]
    assert index(made).call_has(made.calls[0], value(text)) is not None
    assert index(made).call_has(made.calls[1], value(text)) is None


def test_telephone_numbers_match_with_and_without_the_country() -> None:
    made = ledger(("book", {"phone": "+55 41 99811-2323"}, None))

    assert index(made).holders(value("(41) 99811-2323", "pt-BR")) == made.calls
    assert index(made).holders(value("+55 41 99811-2323", "pt-BR")) == made.calls
    assert index(made).holders(value("(41) 99811-2333", "pt-BR")) == ()


def test_records_are_linked_by_an_identifier_that_both_hold() -> None:
    made = ledger(
        ("get_order", {"order_id": "4412"}, {"order_id": "4412", "total": 12.5, "customer": "C-17"}),
        ("get_order", {"order_id": "4413"}, {"total": 12.5, "date": "2026-05-20"}),
        ("refund", {"order_id": "4412"}, {"date": "2026-05-20"}),
    )
    one, other, refund = made.calls

    assert index(made).linked(refund) == (one,)
    assert index(made).linked(one) == (refund,)
    assert index(made).linked(other) == ()


def test_a_call_knows_its_words() -> None:
    made = ledger(("book", {"clinician": "Dr. Osório"}, {"room": "3B"}))

    assert {"osorio", "3b", "dr. osorio"} <= index(made).strings(made.calls[0])


def test_the_session_is_searched_by_meaning() -> None:
    made = ledger(("get_order", {}, {"total": 12.5}), ("book", {"start": "2026-06-11T09:20"}, None))
    found = index(made)

    assert found.session_has("number", Decimal("12.50")) is not None
    assert found.session_has("number", Decimal(13)) is None
    hit = found.session_find(value("June 11"))
    assert hit is not None
    assert (hit[0].id, hit[1].pointer) == ("call-2", "/arguments/start")
    assert found.session_find(value("9:20 am")) is not None
    assert found.session_find(value("June 12")) is None


def test_a_call_is_walked_once_and_again_only_when_it_was_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    take = Index._take

    def counting(self: Index, call: Call) -> None:
        taken.append(call.id)
        take(self, call)

    monkeypatch.setattr(Index, "_take", counting)
    made = ledger(("book", {"a": 1}, None))
    made.record("refund", {"amount": 5}, outcome="unknown", id="r")
    index(made)
    index(made)
    made.hear("thanks")
    assert index(made) is index(made)
    assert taken == ["call-1", "r"]

    made.settle("r", "done", {"refund": 7})

    assert [f.meanings for f in index(made).facts(made.calls[1]).of("number")] == [(Decimal(5),), (Decimal(7),)]
    assert taken == ["call-1", "r", "r"]
    assert index(made).session_has("number", Decimal(7)) is not None


def test_a_deep_or_huge_result_is_cut_not_fatal() -> None:
    deep: object = 1
    for _ in range(150):
        deep = [deep]
    made = ledger(("book", {}, deep), ("book", {}, list(range(20_000))))

    assert len(index(made).facts(made.calls[0]).facts) < 100
    assert len(index(made).facts(made.calls[1]).facts) < 20_000


def test_the_words_of_a_tool_follow_what_its_calls_become() -> None:
    ledger = Ledger(tools=[Tool("get_order", write=False), Tool("cancel_order")])
    ledger.record("get_order", {"order_id": "O-101"}, outcome="done", result={"status": "shipped"})
    waiting = ledger.record("cancel_order", {"order_id": "O-101"}, outcome="unknown", result={"status": "queued"})
    found = index(ledger)

    assert "shipped" in found.words_of_tool("get_order")
    assert "shipped" not in found.words_of_tool("cancel_order")
    assert "queued" in found.words_of_tool("cancel_order")

    ledger.settle(waiting.id, "done", {"status": "cancelled"})
    ledger.record("get_order", {"order_id": "O-102"}, outcome="done", result={"status": "returned"})
    found = index(ledger)

    assert "cancelled" in found.words_of_tool("cancel_order")
    assert "queued" not in found.words_of_tool("cancel_order")
    assert {"shipped", "returned"} <= set(found.words_of_tool("get_order"))
    assert not found.words_of_tool("no_such_tool")


def test_a_tool_that_is_listed_later_is_read_too() -> None:
    verifier, ledger = Verifier(), Ledger(tools=[Tool("get_order", write=False)])
    kept = verifier.verify("I cancelled your order.", ledger)
    ledger.add_tool(Tool("cancel_order"))
    held = verifier.verify("I cancelled your order.", ledger)

    assert kept.text == "I cancelled your order."
    assert held.text != kept.text


def test_a_vocabulary_of_its_own_is_read_over_the_same_ledger() -> None:
    told, ledger = "I closed the file for you.", Ledger(tools=[Tool("mail_parcel")])
    plain, own = Verifier(), Verifier(vocabulary={"mail_parcel": ["closed the file"]})

    assert [tools_in(verifier.verify(told, ledger)) for verifier in (plain, own, plain)] == [
        {None},
        {"mail_parcel"},
        {None},
    ]


def tools_in(verdict: Verdict) -> set[str | None]:
    return {clause.tool for sentence in verdict.sentences for clause in sentence.clauses}
