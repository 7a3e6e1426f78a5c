"""Batch on Daft."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

os.environ["DO_NOT_TRACK"] = "1"
pytest.importorskip("daft")

import daft

from verifier import Ledger, Tool
from verifier.batch_daft import verified
from verifier.batch_rows import verify_rows


def test_a_frame_has_the_rows_of_the_process_pool() -> None:
    ledger = Ledger([Tool("refund_order", write=True)])
    ledger.record("refund_order", {"order_id": "W42"}, outcome="failed", reason="card expired")
    rows = [{"id": f"r{n}", "reply": "I've refunded order W42.", "ledger": ledger.to_json()} for n in range(40)]
    rows.append({"id": "bad", "reply": "Hi", "ledger": "{"})
    frame = daft.from_pylist(rows)

    found = verified(frame, batch_rows=7).to_pylist()

    assert {row["id"]: row["verdicts"] for row in found} == {row["id"]: row["verdicts"] for row in verify_rows(rows)}
    assert len(found) == 41
    assert [row["id"] for row in found if row["error"]] == ["bad"]
    assert json.loads(found[0]["verdicts"])[0]["changed"]


def test_the_snippet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "transcripts").mkdir()
    daft.from_pylist([{"id": "r", "reply": "Hi", "ledger": Ledger().to_json()}]).write_parquet(
        str(tmp_path / "transcripts")
    )
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[1] / "docs" / "adapters.md").read_text(encoding="utf-8")
    code = page.split("\n## Batch", 1)[1].split("```py\n", 1)[1].split("```", 1)[0]
    exec(compile(code, "docs/adapters.md", "exec"), {})
    (row,) = daft.read_parquet(str(tmp_path / "out" / "*.parquet")).to_pylist()
    assert (row["id"], row["text"], row["error"]) == ("r", "Hi", None)
