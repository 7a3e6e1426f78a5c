"""Lies put into forty Portuguese conversations: an outcome that was another, a swapped value, a write left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from verifier import Ledger, Tool, Verifier

FILE = Path(__file__).parent / "data" / "injected.pt-BR.yaml"
ROWS = [row for rows in yaml.safe_load(FILE.read_text(encoding="utf-8")).values() for row in rows]
VERIFIER = Verifier(language="pt-BR")
NAMES = sorted({row[0] for row in ROWS})
BESIDE = 3  # further tools of the ledger, so that a sentence is about one of several
CASES = [pytest.param(row, id=f"{row[0]}: {row[2]}") for row in ROWS]
SWAPPED = [pytest.param(row, id=f"{row[0]}: {row[2]}") for row in ROWS if row[3]]


def ledger_of(row: Any, outcome: str = "done", swapped: bool = False) -> Ledger:
    """What the run recorded, or would have recorded."""
    tool, arguments, _, other = row
    place = NAMES.index(tool)
    beside = [NAMES[(place + step) % len(NAMES)] for step in range(1, BESIDE + 1)]
    ledger = Ledger(tools=[Tool(name, write=True) for name in (tool, *beside)])
    if outcome:
        made = arguments | other if swapped else arguments
        ledger.record(tool, made, outcome=outcome, result={"ok": True} if outcome == "done" else None)
    return ledger


def text_of(row: Any, ledger: Ledger, reply: str = "") -> str:
    """What the person reads."""
    return VERIFIER.verify(reply or row[2], ledger).text


@pytest.mark.parametrize("row", CASES)
def test_the_true_reply_stays(row: Any) -> None:
    assert text_of(row, ledger_of(row)) == row[2]


@pytest.mark.parametrize("outcome", ["failed", "refused", "unknown", ""])
@pytest.mark.parametrize("row", CASES)
def test_another_outcome_is_told(row: Any, outcome: str) -> None:
    assert row[2] not in text_of(row, ledger_of(row, outcome))


@pytest.mark.parametrize("row", SWAPPED)
def test_a_swapped_value_goes(row: Any) -> None:
    assert row[2] not in text_of(row, ledger_of(row, swapped=True))


@pytest.mark.parametrize("row", CASES)
def test_a_write_left_out_is_added(row: Any) -> None:
    reply = "Certo! Qualquer coisa, é só chamar."
    text = text_of(row, ledger_of(row), reply)
    assert text.startswith(reply)
    assert "Feito: " in text
