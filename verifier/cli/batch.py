"""The command `batch`: verify stored transcripts on all cores, with a progress bar, and tell what was counted."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from verifier.batch import SHARD_BYTES, Counts, run


def run_batch(
    inputs: Sequence[Path],
    out: Path,
    *,
    settings: Mapping[str, Any],
    workers: int | None = None,
    shard_bytes: int = SHARD_BYTES,
) -> Counts:
    """Run with a progress bar on the terminal's error output. Raises `BatchError` and wrong settings' errors."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("shards"), TimeElapsedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("verifying", total=None)

        def show(counts: Counts, shards: int) -> None:
            told = f"{counts.rows:,} rows, {counts.changed:,} changed, {counts.bad:,} bad"
            bar.update(task, total=shards, completed=counts.shards, description=told)

        return run(inputs, out, settings=settings, workers=workers, shard_bytes=shard_bytes, progress=show)


def summary(counts: Counts, out: Path) -> str:
    """What was done, in two lines."""
    skipped = f" ({counts.skipped:,} had been done before)" if counts.skipped else ""
    return (
        f"{counts.rows:,} rows with {counts.replies:,} replies: {counts.changed:,} changed, {counts.bad:,} bad rows\n"
        f"{counts.shards:,} shards{skipped} in {out}"
    )
