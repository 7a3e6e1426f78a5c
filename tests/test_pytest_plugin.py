"""The pytest plugin: what its fixture gives and what its message says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sources import ROOT

from verifier import Ledger, Tool
from verifier.pytest_plugin import assert_faithful

TEST = '''
import pytest
from verifier import Tool
from verifier.pytest_plugin import assert_faithful


def test_an_empty_one_takes_any_tool(ledger):
    ledger.record("cancel_order", {"order_id": "4411"}, outcome="done")
    assert_faithful("I cancelled order 4411.", ledger)


@pytest.mark.ledger(tools=[Tool("cancel_order")], now="2026-05-20")
def test_the_marker_names_tools_and_the_date(ledger):
    assert [tool.name for tool in ledger.tools] == ["cancel_order"]
    assert ledger.now.isoformat() == "2026-05-20"
    with pytest.raises(ValueError):
        ledger.record("refund_card", outcome="done")


def test_each_test_has_one_of_its_own(ledger):
    assert not ledger.calls


def test_a_lie_fails(ledger):
    ledger.record("cancel_order", {"order_id": "4411"}, outcome="failed", reason="it has shipped")
    assert_faithful("I cancelled order 4411.", ledger)
'''


def made() -> Ledger:
    ledger = Ledger(tools=[Tool("cancel_order"), Tool("refund_card"), Tool("close_account")])
    ledger.record("cancel_order", {"order_id": "4411"}, outcome="done")
    ledger.record("refund_card", {"order_id": "4411", "amount": 12.5}, outcome="failed", reason="card expired")
    return ledger


def message(reply: str, ledger: Ledger) -> str:
    with pytest.raises(AssertionError) as raised:
        assert_faithful(reply, ledger)
    return str(raised.value)


def test_a_faithful_reply_gives_its_verdict() -> None:
    reply = "Order 4411 is cancelled, but I couldn't refund your card because it has expired."

    assert assert_faithful(reply, made()).text is reply


def test_the_message_shows_the_sentence_the_call_and_the_reason() -> None:
    reply = "I cancelled order 4411. I've refunded 12.50 to your card."
    said = message(reply, made())

    assert "sentence  \"I've refunded 12.50 to your card.\"" in said
    assert "call      call-2 in turn 1, refund_card(order_id='4411', amount=12.5): failed (card expired)" in said
    assert "reason    call-2 is failed" in said
    assert "I cancelled order 4411." in said.split("a person would read: ")[1]
    assert "'I cancelled order 4411.'" not in said


def test_a_write_that_was_left_out_is_named() -> None:
    ledger = made()
    ledger.record("close_account", {"account_id": "A-7"}, outcome="done")
    said = message("Order 4411 is cancelled.", ledger)

    assert "left out  call-3 in turn 1, close_account(account_id='A-7'): done" in said


def test_a_claim_without_a_call_says_so() -> None:
    ledger = Ledger(tools=[Tool("cancel_order")])

    assert "call      none" in message("I've cancelled order 4411.", ledger)


def test_a_reply_that_was_not_read_is_not_taken_for_true() -> None:
    said = message("Ich habe die Bestellung gestern storniert und alles zurückgezahlt.", Ledger(tools=[Tool("x")]))

    assert "not read" in said


def test_settings_are_those_of_verify() -> None:
    ledger = Ledger(tools=[Tool("cancel_order")])
    reply = "Vou cancelar o pedido."

    assert assert_faithful(reply, ledger, language="pt-BR", promises="report").text == reply
    with pytest.raises(TypeError, match="langage"):
        assert_faithful(reply, ledger, langage="pt-BR")


def test_pytest_loads_it(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TEST, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "verifier.pytest_plugin", "--strict-markers", str(tmp_path)]
    command += ["-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)

    assert "3 passed" in done.stdout, done.stdout + done.stderr
    assert "1 failed" in done.stdout
    assert "E         reason    call-1 is failed" in done.stdout
    assert "def assert_faithful" not in done.stdout  # the traceback ends in the test


def test_it_loads_nothing_before_a_test_asks_for_it() -> None:
    code = "import sys, verifier.pytest_plugin; print(*(name for name in sys.modules if name.startswith('verifier')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout

    assert loaded.split() == ["verifier", "verifier.pytest_plugin"]


def test_the_example_of_the_documentation_is_what_is_printed() -> None:
    said = message("I cancelled order 4411. I've refunded 12.50 to your card.", made())
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")

    assert said in page
