"""The batch runner: rows in, as many rows out, in shards, on several processes, stopped and resumed."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from verifier import Ledger, Tool
from verifier.batch import BatchError, Counts, run, shards_of
from verifier.batch_rows import Verifiers, verify_row, verify_rows

ROOT = Path(__file__).parents[1]


def ledger(outcome: str) -> dict[str, Any]:
    made = Ledger([Tool("refund_order", write=True)])
    made.record("refund_order", {"order_id": "W42"}, outcome=outcome, reason="card expired")
    found: dict[str, Any] = json.loads(made.to_json())
    return found


def row(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"r{number}",
        "reply": "I've refunded order W42.",
        "ledger": ledger("failed" if number % 3 else "done"),
        **more,
    }


CHAT = [
    {"role": "user", "content": "refund order W42"},
    {"role": "assistant", "content": "One moment.", "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "refund_order", "arguments": '{"order_id": "W42"}'}}]},
    {"role": "tool", "tool_call_id": "c", "content": "Error: card expired"},
    {"role": "assistant", "content": "I've refunded order W42."},
]  # fmt: skip
BAD = ("{", "[1]", '{"id": "x"}', '{"id": "y", "reply": 3, "ledger": {}}', '{"reply": "Hi", "ledger": {"tools": 3}}',
       '{"reply": "Hi", "ledger": "{"}', '{"messages": [{"role": "robot"}]}', '{"messages": [], "format": "fax"}',
       '{"reply": "Hi", "ledger": {}, "language": "fr"}', '"\\ud800"', "\x00")  # fmt: skip


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def read(folder: Path) -> list[dict[str, Any]]:
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        found += [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return found


def test_a_reply_with_a_ledger_and_a_chat() -> None:
    made = verify_row(row(1), Verifiers())
    assert (made["id"], made["text"], made["changed"], made["error"]) == (
        "r1", "Not done: refund order: card expired.", 1, None,
    )  # fmt: skip
    chat = verify_row({"id": "c", "messages": json.dumps(CHAT)}, Verifiers())
    assert (chat["replies"], chat["changed"], chat["text"]) == (2, 1, made["text"])
    assert [one["message"] for one in json.loads(chat["verdicts"])] == [1, 3]


def test_bad_rows_are_rows_with_an_error(tmp_path: Path) -> None:
    good = [json.dumps(row(n)) for n in range(4)]
    counts = run([written(tmp_path / "in.jsonl", [*good[:2], *BAD, "", *good[2:]])], tmp_path / "out", workers=1)
    rows = read(tmp_path / "out")
    assert len(rows) == counts.rows == 4 + len(BAD)
    assert counts.bad == len(BAD) == sum(one["error"] is not None for one in rows)
    assert [one["id"] for one in rows if one["error"] is None] == ["r0", "r1", "r2", "r3"]
    assert rows[2]["place"] == f"in.jsonl@{len(good[0]) + len(good[1]) + 2}"
    assert [one["id"] for one in rows if one["error"]][2:4] == ["x", "y"]


def test_shards_cover_every_line_once_wherever_they_are_cut(tmp_path: Path) -> None:
    lines = [json.dumps({"id": n, "pad": "x" * (n * 7 % 40)}) for n in range(50)]
    file = tmp_path / "in.jsonl"
    for end in ("\n", ""):
        file.write_text("\n".join(lines) + end, encoding="utf-8")
        for size in (1, 10, 64, 333, 10_000):
            parts = shards_of([file], size)
            data = file.read_bytes()
            pieces = [data[part.start : part.end] for part in parts]
            assert b"".join(pieces) == data
            assert all(piece.endswith(b"\n") for piece in pieces[:-1])


def test_shards_on_several_processes_and_a_compressed_file(tmp_path: Path) -> None:
    lines = [json.dumps(row(n)) for n in range(40)]
    written(tmp_path / "a.jsonl", lines[:30])
    with gzip.open(tmp_path / "b.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines[30:]))
    told: list[tuple[int, int]] = []
    counts = run(
        [tmp_path],
        tmp_path / "out",
        workers=2,
        shard_bytes=2000,
        progress=lambda done, all: told.append((done.shards, all)),
    )
    assert [one["id"] for one in read(tmp_path / "out")] == [f"r{n}" for n in range(40)]
    assert (counts.rows, counts.bad, counts.changed) == (40, 0, 26)
    assert told[0][0] == 0
    assert told[-1] == (counts.shards, counts.shards)
    again = run([tmp_path], tmp_path / "out", workers=2, shard_bytes=2000)
    assert again == Counts(40, 0, 40, 26, counts.shards, counts.shards)


def test_a_killed_run_goes_on_without_lost_or_doubled_rows(tmp_path: Path) -> None:
    file = written(tmp_path / "in.jsonl", [json.dumps(row(n)) for n in range(3000)])
    program = (
        f"from verifier.batch import run\nrun([{str(file)!r}], {str(tmp_path / 'out')!r}, workers=1, shard_bytes=20000)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    out = tmp_path / "out"
    deadline = time.monotonic() + 120
    while not (out.is_dir() and len(list(out.glob("*.jsonl"))) > 3) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = len(list(out.glob("*.jsonl")))
    counts = run([file], out, workers=1, shard_bytes=20000)
    assert 0 < done <= counts.skipped < counts.shards
    assert [one["id"] for one in read(out)] == [f"r{n}" for n in range(3000)]
    assert counts.rows == 3000
    assert not list(out.glob("*.part"))


def test_a_folder_is_for_one_run(tmp_path: Path) -> None:
    file = written(tmp_path / "in.jsonl", [json.dumps(row(1))])
    run([file], tmp_path / "out", workers=1)
    with pytest.raises(BatchError, match="other files or settings"):
        run([file], tmp_path / "out", workers=1, settings={"language": "pt-BR"})
    with pytest.raises(BatchError, match="holds other files"):
        run([file], tmp_path, workers=1)
    with pytest.raises(BatchError, match="no such file"):
        run([tmp_path / "none.jsonl"], tmp_path / "x")
    with pytest.raises(BatchError, match="must end with"):
        run([written(tmp_path / "in.txt", [])], tmp_path / "x")


def test_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    from verifier.batch_rows import verify_batch

    rows = [{**row(n), "ledger": json.dumps(row(n)["ledger"])} for n in range(10)] + [
        {"id": "bad", "reply": None, "ledger": None}
    ]
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=4)
    counts = run([tmp_path / "in.parquet"], tmp_path / "out", workers=1)
    parts = sorted((tmp_path / "out").glob("*.parquet"))
    made = [one for part in parts for one in pq.read_table(part).to_pylist()]
    assert (counts.rows, counts.bad, counts.shards) == (11, 1, 3)
    assert [one["id"] for one in made] == [*(f"r{n}" for n in range(10)), "bad"]
    assert made[5]["place"] == "in.parquet#1.1"
    (batch,) = table.to_batches()
    whole = verify_batch(batch).to_pylist()
    assert [one["verdicts"] for one in whole] == [one["verdicts"] for one in made]
    chats = pa.RecordBatch.from_pylist([{"id": "c", "messages": CHAT}])
    assert verify_batch(chats).to_pylist()[0]["changed"] == 1


def test_rows_in_rows_out() -> None:
    made = list(verify_rows([row(1), {}, row(3)]))
    assert [one["error"] is None for one in made] == [True, False, True]


def test_the_command(tmp_path: Path) -> None:
    pytest.importorskip("typer")
    from typer.testing import CliRunner

    from verifier.cli.app import app

    file = written(tmp_path / "in.jsonl", [json.dumps(row(1)), "{"])
    result = CliRunner().invoke(app, ["batch", str(file), str(tmp_path / "out"), "--workers", "1"])
    assert result.exit_code == 2
    assert "2 rows with 1 replies: 1 changed, 1 bad rows" in result.stdout
    assert CliRunner().invoke(app, ["batch", str(file)]).exit_code == 2
