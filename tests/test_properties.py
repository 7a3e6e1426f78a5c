"""What must hold for every reply and ledger, on examples that verifier.strategies draws (the same on every run)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sources import ROOT

from verifier import Call, Claim, Ledger, Outcome, Tool, Verifier, verify
from verifier.data import DataError
from verifier.strategies import calls, claims, ledgers, lies, register, replies, replies_about, tools, truths

properties = pytest.importorskip("benchmarks.properties", reason="the benchmarks stand in the checkout only")
FEW = settings(max_examples=60)
MORE = settings(max_examples=150)


@cache
def verifier(language: str) -> Verifier:
    """One verifier a language; a language whose grammar is not there is skipped."""
    try:
        return Verifier(language=language)
    except (DataError, ValueError) as error:
        pytest.skip(f"{language} is not read: {error}")


languages = pytest.mark.parametrize("language", ["en", "pt-BR"])


# Any text ---------------------------------------------------------------------------------------------------------


@languages
@settings(max_examples=200)
@given(data=st.data())
def test_sentences_tile_any_text(language: str, data: st.DataObject) -> None:
    properties.tiles(data.draw(replies(language=language)), language)


@languages
@MORE
@given(data=st.data())
def test_nothing_raises_and_every_promise_of_a_verdict_holds_for_any_text(language: str, data: st.DataObject) -> None:
    ledger = data.draw(ledgers(language=language))
    properties.every_promise_of_a_verdict(data.draw(replies(language=language)), ledger, verifier(language))


@FEW
@given(text=st.text(), ledger=ledgers())
def test_characters_of_all_scripts_are_only_text(text: str, ledger: Ledger) -> None:
    properties.every_promise_of_a_verdict(text, ledger, verifier("en"))


# Replies about what was done --------------------------------------------------------------------------------------


@languages
@MORE
@given(data=st.data())
def test_every_promise_of_a_verdict_holds_for_replies_about_the_calls(language: str, data: st.DataObject) -> None:
    ledger = data.draw(ledgers(language=language))
    reply = data.draw(replies_about(ledger, language=language))
    properties.every_promise_of_a_verdict(reply, ledger, verifier(language))


@languages
@MORE
@given(data=st.data())
def test_a_truth_is_kept(language: str, data: st.DataObject) -> None:
    ledger = data.draw(ledgers(language=language))
    truth = data.draw(truths(ledger, language=language))
    verdict = verifier(language).verify(truth.reply, ledger)

    assert truth.must == truth.seen(verdict) == "kept", verdict.explain()


@languages
@MORE
@given(data=st.data())
def test_a_lie_is_gone(language: str, data: st.DataObject) -> None:
    ledger = data.draw(ledgers(language=language))
    lie = data.draw(lies(ledger, language=language))
    assume(lie.call is not None or not may_be_history(ledger))
    verdict = verifier(language).verify(lie.reply, ledger)

    assert lie.must == lie.seen(verdict) == "gone", verdict.explain()


UNREAD = [("en", "Your appointment is booked."), ("pt-BR", "Sua consulta foi agendada.")]


@pytest.mark.parametrize(("language", "lie"), UNREAD)
def test_a_passive_after_an_unrelated_read_is_no_history(language: str, lie: str) -> None:
    ledger = Ledger(tools=[Tool("book_appointment"), Tool("get_order", write=False)])
    ledger.record("get_order", {"order_id": "O-103"}, outcome="done", result={"order_id": "O-103"})

    assert verifier(language).verify(lie, ledger).text != lie


def may_be_history(ledger: Ledger) -> bool:
    """A state or passive (`is booked`) of what nothing was called for may tell of what was read: docs/limits.md."""
    return any(not tool.write and ledger.calls_of(tool.name) for tool in ledger.tools)


@languages
@FEW
@given(data=st.data())
def test_something_unrelated_changes_nothing(language: str, data: st.DataObject) -> None:
    ledger = data.draw(ledgers(language=language))
    more = properties.with_something_unrelated(ledger)
    assume(may_be_history(ledger) or not may_be_history(more))
    reply = data.draw(replies_about(ledger, language=language))

    assert verifier(language).verify(reply, more).text == verifier(language).verify(reply, ledger).text


@languages
@FEW
@given(data=st.data())
def test_the_order_of_the_tools_changes_nothing(language: str, data: st.DataObject) -> None:
    ledger = data.draw(ledgers(language=language))
    reply = data.draw(replies_about(ledger, language=language))
    turned = properties.rebuilt(ledger, tools=ledger.tools[::-1])

    assert verifier(language).verify(reply, turned).to_dict() == verifier(language).verify(reply, ledger).to_dict()


@languages
@FEW
@given(data=st.data())
def test_the_call_that_a_claim_needs_never_adds_an_edit(language: str, data: st.DataObject) -> None:
    """What was done later, by a call of its own, makes no sentence about the others false."""
    ledger = data.draw(ledgers(max_calls=3, language=language))
    uncalled = [tool.name for tool in ledger.tools if tool.write and not ledger.calls_of(tool.name)]
    call = data.draw(calls(tool=data.draw(st.sampled_from(uncalled)), outcomes=st.just(Outcome.DONE)))
    after = properties.rebuilt(ledger, extra=[call])
    needs_it = [claims(after, claim=Claim.SAYS_DONE, outcome=Outcome.DONE, language=language)]
    said = data.draw(st.one_of(needs_it).filter(lambda one: one.call is not None and one.call.tool == call.tool))
    reply = data.draw(replies_about(ledger, language=language, max_sentences=2))
    reply = f"{said.text} {reply}"
    before = verifier(language).verify(reply, ledger)

    assert len(verifier(language).verify(reply, after).edits) <= len(before.edits)


# Whatever runs it -------------------------------------------------------------------------------------------------

PROGRAM = """
import hashlib, json, sys
sys.path[:0] = sys.argv[1:3]
from cells import cells, ledger_of
from verifier import Verifier
check = Verifier()
for cell in cells("en"):
    print(json.dumps(check.verify(cell.sentence, ledger_of(cell)).to_dict()))
"""


def test_the_verdict_does_not_depend_on_hash_seed_time_zone_or_locale() -> None:
    worlds: tuple[dict[str, str], ...] = (
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "pt_BR.UTF-8", "LANG": "pt_BR.UTF-8"},
        {"PYTHONHASHSEED": "2", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "PYTHONUTF8": "0"},
    )
    command = [sys.executable, "-c", PROGRAM, str(ROOT), str(ROOT / "tests")]
    outputs = {
        subprocess.run(command, env={**os.environ, **world}, capture_output=True, check=True, cwd=ROOT).stdout
        for world in worlds
    }

    assert len(outputs) == 1
    assert len(outputs.pop().split(b"\n")) > 100


def test_threads_share_a_verifier_and_get_what_one_thread_gets() -> None:
    ledger = Ledger(tools=[Tool("cancel_order", write=True), Tool("refund_payment", write=True)])
    ledger.record("cancel_order", {"order_id": "O-101"}, outcome="failed")
    texts = [f"I've cancelled order O-{number}. I've refunded payment P-{number}." for number in range(101, 131)]
    shared = Verifier()

    def check(text: str) -> dict[str, Any]:
        return shared.verify(text, ledger).to_dict()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(check, texts * 3)) == [Verifier().verify(text, ledger).to_dict() for text in texts] * 3


# The strategies themselves ----------------------------------------------------------------------------------------


@FEW
@given(data=st.data())
def test_what_is_drawn_is_what_was_asked_for(data: st.DataObject) -> None:
    assert data.draw(tools(write=False)).write is False
    assert data.draw(calls(tool="cancel_order", outcomes=st.just(Outcome.UNKNOWN))).outcome is Outcome.UNKNOWN
    ledger = data.draw(ledgers(outcomes=st.just(Outcome.DONE), min_calls=2, max_calls=3))
    assert 2 <= len(ledger.calls) <= 3
    assert {call.outcome for call in ledger.calls if ledger.tool(call.tool).write} <= {Outcome.DONE}  # type: ignore[union-attr]
    sample = data.draw(claims(ledger, claim="says_not_done", outcome="not_attempted"))
    assert (sample.claim, sample.must, sample.call) == (Claim.SAYS_NOT_DONE, "kept", None)
    assert sample.text in sample.reply


@FEW
@given(data=st.data())
def test_hypothesis_knows_our_types(data: st.DataObject) -> None:
    register()  # what the entry point calls when Hypothesis is imported
    assert data.draw(st.from_type(Tool)).name
    assert data.draw(st.from_type(Call)).turn == 0
    assert json.loads(data.draw(st.from_type(Ledger)).to_json())


def test_the_entry_points_lead_somewhere() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]

    assert points["hypothesis"] == {"verifier": f"{register.__module__}:{register.__name__}"}
    assert import_module(points["pytest11"]["verifier.pytest_plugin"]).assert_faithful


def test_what_cannot_be_is_said_at_once() -> None:
    ledger = Ledger(tools=[Tool("cancel_order")])

    with pytest.raises(ValueError, match="min_calls=3 and max_calls=2 cannot both be"):
        ledgers(min_calls=3, max_calls=2)
    with pytest.raises(ValueError, match="no such sentence can be written about <Ledger"):
        claims(ledger, outcome="done")
    with pytest.raises(ValueError, match="no such sentence can be written"):
        truths(Ledger())
    with pytest.raises(ValueError, match="'xyz' is not a valid"):
        claims(ledger, claim="xyz")
    with pytest.raises(ValueError, match="no sample sentences in 'pt-PT'; languages: en, pt-BR, pt"):
        replies(language="pt-PT")


@FEW
@given(data=st.data())
def test_tools_of_ones_own_are_spoken_of_by_their_names(data: st.DataObject) -> None:
    ledger = Ledger(tools=[Tool("escalate_case"), Tool("frobnicate_widget")])
    ledger.record("escalate_case", {"case_id": "C-7"}, outcome="done")
    sample = data.draw(claims(ledger, claim="says_done"))

    assert "case c-7" in sample.text.lower()
    assert "frobnicate" not in sample.text
    assert verify(sample.reply, ledger).text is sample.reply
