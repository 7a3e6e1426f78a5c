"""The verdict: JSON in a fixed order, counts without words, an explanation for a person."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from decimal import Decimal

import pytest

from verifier.ledger import Ledger, Tool
from verifier.model import Claim, Clause, Edit, Report, Value
from verifier.splice import splice
from verifier.verdict import Count, SentenceVerdict, Verdict

REPLY = "I've refunded 15.00 pounds. Anything else?"


def refunded() -> Verdict:
    ledger = Ledger(tools=[Tool("refund_card", write=True)])
    call = ledger.record("refund_card", {"amount": 12.5}, outcome="done")
    value = Value("money", 14, 26, "15.00 pounds", ((Decimal("15.00"), "GBP"),), "GBP")
    why, place = "not its amount", "/arguments/amount"
    clause = Clause(0, 27, "refund_card", Claim.SAYS_DONE, call, (value,), "en.yaml:3 refund", False, why, place)
    edit = Edit(0, 27, "Done: refund card with amount 12.5.", "replace", call.id, "en.yaml:3 refund")
    return Verdict(
        reply=REPLY,
        text=splice(REPLY, [edit]),
        edits=(edit,),
        sentences=(SentenceVerdict(0, 27, REPLY[:27], "replaced", (clause,)), SentenceVerdict(28, 42, REPLY[28:])),
        appended=(call,),
        reports=(Report(28, 42, "offer", "offers"),),
    )


def test_an_unchanged_reply_is_the_same_object() -> None:
    verdict = Verdict(reply=REPLY, text=REPLY)

    assert verdict.text is REPLY
    assert not verdict.changed


def test_the_edits_replay() -> None:
    verdict = refunded()

    assert verdict.changed
    assert verdict.text == splice(REPLY, verdict.edits) == "Done: refund card with amount 12.5. Anything else?"


def test_it_is_json_in_a_fixed_order() -> None:
    told = refunded().to_dict()

    assert list(told) == [
        "version", "text", "changed", "read", "edits", "sentences", "appended", "reports", "counts", "digest"
    ]  # fmt: skip
    assert json.loads(json.dumps(told)) == told
    assert told["version"] == 1
    assert told["edits"][0] == {
        "start": 0, "end": 27, "text": "Done: refund card with amount 12.5.", "kind": "replace", "call": "call-1",
        "rule": "en.yaml:3 refund",
    }  # fmt: skip
    clause = told["sentences"][0]["clauses"][0]
    assert (clause["tool"], clause["claim"], clause["call"], clause["place"]) == (
        "refund_card", "says_done", "call-1", "/arguments/amount"
    )  # fmt: skip


def test_counts_hold_no_word_of_the_text() -> None:
    assert refunded().counts == (
        Count("appended", "refund_card", "done", 1),
        Count("kept", "", "", 1),
        Count("offer", "", "", 1),
        Count("replaced", "refund_card", "done", 1),
    )


def test_the_digest_names_the_reply() -> None:
    assert Verdict("abc", "abc").digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert len(Verdict("\ud800", "\ud800").digest) == 64


def test_the_explanation_names_rule_call_and_place() -> None:
    told = refunded().explain()

    for part in ("replaced 0:27", "says_done of refund_card (en.yaml:3 refund)", "call-1 in turn 1: done", "FALSE"):
        assert part in told
    assert "not its amount, at /arguments/amount" in told
    assert "15.00 pounds" in told


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        refunded().text = "x"  # type: ignore[misc]
