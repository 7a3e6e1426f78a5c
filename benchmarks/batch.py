"""Batch at size: `python -m benchmarks.batch [--replies N] [--workers N] [--daft-replies N] [--folder F]`.

The stored conversations are written again and again, each row with an id of its own, until there are as many replies as
asked for. The process pool is killed half-way and started again; Daft then does the same rows (or the first of them,
where fewer are asked for). No row may be lost, doubled or different.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.material import SHARED
from verifier.bench import conversations

ROW_GROUP = 256  # rows: of these a shard of the process pool is made
FILES = 8
Outcome = tuple[str | None, int, int, str, str | None]
POOL = "import sys; from verifier.batch import run; run([sys.argv[1]], sys.argv[2], workers=int(sys.argv[3]))"


def main(argv: Sequence[str] | None = None) -> int:
    """Make the rows, run both engines, compare; give 1 where they differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument("--replies", type=int, default=200_000)
    parser.add_argument("--daft-replies", type=int, default=None, help="how many of them Daft does (default: all)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=None, help="where rows are written (default: a temporary one)")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        folder = Path(made)
        rows, fewer = write(folder / "in", options.replies, options.daft_replies or options.replies)
        print(f"{options.replies:,} replies in {rows:,} rows ({FILES} files of Parquet); {options.workers} processes")
        pool = killed_and_resumed(folder / "in", folder / "out", options.workers, options.replies)
        daft = on_daft(sorted((folder / "in").glob("*.parquet"))[:fewer], folder / "daft")
    lost, doubled = rows - len(pool), sum(times > 1 for _, times in pool.values())
    different = sum(pool[id][0] != found for id, found in daft.items())
    print(f"rows lost {lost}, doubled {doubled}; different on Daft {different} of {len(daft):,}")
    return 1 if lost or doubled or different or not daft else 0


def material() -> Iterator[Mapping[str, Any]]:
    """The stored conversations again and again, those without recorded calls left out."""
    files = [path for path in sorted((SHARED / "corpus").glob("*.jsonl")) if "-noledger" not in path.name]
    rows = [row for _, row in conversations(files)]
    for again in count() if rows else ():
        for row in rows:
            yield {**row, "id": f"{again}/{row['id']}"}


def write(folder: Path, replies: int, fewer: int) -> tuple[int, int]:
    """Write rows with so many replies; gives how many rows, and how many of the files hold `fewer` replies."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from verifier.adapters.openai import replies_of

    folder.mkdir()
    known: dict[str, int] = {}
    waiting: list[dict[str, Any]] = []
    written = rows = enough = 0
    for row in material():
        id = str(row["id"])
        own = id.partition("/")[2]
        if own not in known:
            known[own] = sum(1 for _ in replies_of(row["messages"]))
        waiting.append({"id": id, "messages": json.dumps(row["messages"])})
        written += known[own]
        if written * FILES >= replies * (len(list(folder.iterdir())) + 1):
            name = folder / f"{len(list(folder.iterdir())):02d}.parquet"
            pq.write_table(pa.Table.from_pylist(waiting), name, row_group_size=ROW_GROUP)
            rows, waiting = rows + len(waiting), []
            enough = enough or (len(list(folder.iterdir())) if written >= fewer else 0)
        if written >= replies:
            break
    return rows, enough


def killed_and_resumed(source: Path, out: Path, workers: int, replies: int) -> dict[str, list[Any]]:
    """Run the pool, kill it half-way, run it again; gives each row's outcome by id, and how often it came."""
    import pyarrow.parquet as pq

    shards = sum(pq.ParquetFile(path).num_row_groups for path in source.glob("*.parquet"))
    command = [sys.executable, "-c", POOL, str(source), str(out), str(workers)]
    start = time.perf_counter()
    first = subprocess.Popen(command, start_new_session=True)
    while first.poll() is None and len(list(out.glob("*.parquet"))) * 2 < shards:
        time.sleep(0.2)
    done = len(list(out.glob("*.parquet")))
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - start
    found: dict[str, list[Any]] = {}
    total = 0
    for path in sorted(out.glob("*.parquet")):
        for row in pq.read_table(path).to_pylist():
            found.setdefault(row["id"], [outcome(row), 0])[1] += 1
            total += 1
    rate(f"process pool, killed after {done} of {shards} shards", seconds, total, replies)
    return found


def on_daft(files: Sequence[Path], out: Path) -> dict[str, Outcome]:
    """Verify the same rows on Daft; gives each row's outcome by id."""
    os.environ["DO_NOT_TRACK"] = "1"
    import daft
    import pyarrow.parquet as pq

    from verifier.batch_daft import verified

    start = time.perf_counter()
    verified(daft.read_parquet([str(path) for path in files])).write_parquet(str(out))
    seconds = time.perf_counter() - start
    rows = [row for path in sorted(out.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]
    rate("Daft", seconds, len(rows), sum(row["replies"] for row in rows))
    return {row["id"]: outcome(row) for row in rows}


def outcome(row: Mapping[str, Any]) -> Outcome:
    """What of a row must be the same on every engine: all but the place that it was read from."""
    return row["text"], row["replies"], row["changed"], row["verdicts"], row["error"]


def rate(name: str, seconds: float, rows: int, replies: int) -> None:
    """Print what a run did a second."""
    print(
        f"{name}: {rows:,} rows, {replies:,} replies in {seconds:,.0f} s = "
        f"{rows / seconds:,.1f} rows/s = {replies / seconds:,.1f} replies/s",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
