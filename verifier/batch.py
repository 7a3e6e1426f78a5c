"""Verify stored transcripts on all cores: JSON Lines or Parquet in, the same out, a process pool, one task a shard.

A shard is a part of a file. Its output appears under its name only when it is complete, so a run that was stopped
goes on where it was: no row is lost and none comes twice.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from verifier.batch_rows import Verifiers, failed_row, schema, storable, verify_row, verify_rows

if TYPE_CHECKING:
    import pyarrow.parquet as pq

SHARD_BYTES = 1 << 20  # of a JSON Lines file; of Parquet a row group is a shard
MANIFEST = "manifest.json"
VERSION = 1
LINES = (".jsonl", ".ndjson", ".jsonl.gz")
PARQUET = (".parquet",)


class BatchError(ValueError):
    """The run cannot start or go on; the text says why."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a file: bytes `start` to `end` of lines (0 to 0: all of it), or the row groups of Parquet."""

    name: str
    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What a shard, or a run, was: `bad` rows could not be used, `skipped` shards had been done before."""

    rows: int = 0
    bad: int = 0
    replies: int = 0
    changed: int = 0
    shards: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        mine, theirs = asdict(self), asdict(other)
        return Counts(**{key: mine[key] + theirs[key] for key in mine})


def run(
    inputs: Sequence[Path | str],
    out: Path | str,
    *,
    settings: Mapping[str, Any] | None = None,
    workers: int | None = None,
    shard_bytes: int = SHARD_BYTES,
    progress: Callable[[Counts, int], object] | None = None,
) -> Counts:
    """Verify the rows of files (or of the files in folders) into the folder `out`; gives what was counted.

    `settings` are those of `Verifier`. `progress` is told the counts so far and the number of shards after each shard.
    Raises `BatchError`, and what `Verifier` raises for wrong settings.
    """
    shards = shards_of(inputs, shard_bytes)
    folder = Path(out)
    _claim(folder, shards, settings or {})
    Verifiers(settings).of()  # wrong settings end the run here, not in each worker
    total = Counts()
    waiting = []
    for shard in shards:
        done = _done(folder, shard)
        if done is None:
            waiting.append(shard)
        else:
            total += done
    if progress is not None:
        progress(total, len(shards))
    for counts in _work(waiting, folder, settings or {}, workers or os.cpu_count() or 1):
        total += counts
        if progress is not None:
            progress(total, len(shards))
    return total


def _work(shards: Sequence[Shard], folder: Path, settings: Mapping[str, Any], workers: int) -> Iterator[Counts]:
    if workers == 1 or len(shards) < 2:
        verifiers = Verifiers(settings)
        for shard in shards:
            yield do(shard, folder, verifiers)
        return
    # A fresh interpreter each: a process that has threads (a progress bar) must not be forked.
    with ProcessPoolExecutor(min(workers, len(shards)), get_context("spawn"), _start, (dict(settings),)) as pool:
        tasks = [pool.submit(_do, shard, folder) for shard in shards]
        try:
            for task in as_completed(tasks):
                yield task.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


_OF_THIS_PROCESS: list[Verifiers] = []  # of a worker, set once when it starts


def _start(settings: dict[str, Any]) -> None:
    _OF_THIS_PROCESS[:] = [Verifiers(settings)]


def _do(shard: Shard, folder: Path) -> Counts:
    return do(shard, folder, _OF_THIS_PROCESS[0])


# Shards --------------------------------------------------------------------------------------------------------------


def shards_of(inputs: Sequence[Path | str], shard_bytes: int = SHARD_BYTES) -> list[Shard]:
    """The shards of files and folders, always the same for the same files. Raises `BatchError`."""
    found: list[Shard] = []
    for file in _files(inputs):
        parts = _row_groups(file) if file.name.endswith(PARQUET) else _byte_ranges(file, shard_bytes)
        ending = "parquet" if file.name.endswith(PARQUET) else "jsonl"
        for start, end in parts:
            found.append(Shard(f"{len(found):06d}-{file.name.split('.')[0]}.{ending}", str(file), start, end))
    return found


def _files(inputs: Sequence[Path | str]) -> Iterator[Path]:
    for one in map(Path, inputs):
        if one.is_dir():
            inside = sorted(path for path in one.iterdir() if path.name.endswith((*LINES, *PARQUET)))
            if not inside:
                raise BatchError(f"{one}: no {', '.join((*LINES, *PARQUET))} file in this folder")
            yield from inside
        elif not one.is_file():
            raise BatchError(f"{one}: there is no such file")
        elif not one.name.endswith((*LINES, *PARQUET)):
            raise BatchError(f"{one}: must end with {', '.join((*LINES, *PARQUET))}")
        else:
            yield one


def _byte_ranges(file: Path, size: int) -> Iterator[tuple[int, int]]:
    """Ranges of whole lines, about `size` bytes each; a compressed file is read in one go."""
    if file.name.endswith(".gz"):
        yield 0, 0
        return
    end = file.stat().st_size
    start = 0
    with file.open("rb") as lines:
        while start < end:
            lines.seek(min(start + size, end) - 1)
            lines.readline()  # to the end of the line that the range ends in
            yield start, lines.tell()
            start = lines.tell()


def _row_groups(file: Path) -> Iterator[tuple[int, int]]:
    for group in range(_parquet(file).num_row_groups):
        yield group, group + 1


def _parquet(file: Path) -> pq.ParquetFile:
    try:
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        raise BatchError("Parquet needs pyarrow: pip install 'reply-verifier[parquet]'") from None
    return pq.ParquetFile(file)


def _claim(folder: Path, shards: Sequence[Shard], settings: Mapping[str, Any]) -> None:
    """Write what a folder is for, or see that it is for this very run. Raises `BatchError`."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {shard.file: os.stat(shard.file).st_size for shard in shards}
    told = json.dumps(settings, sort_keys=True, default=str)
    made = {
        "version": VERSION,
        "settings": hashlib.sha256(told.encode()).hexdigest(),
        "sizes": sizes,
        "shards": [asdict(shard) for shard in shards],
    }
    manifest = folder / MANIFEST
    for left in folder.glob("*.part"):  # of a run that was stopped
        left.unlink(missing_ok=True)
    if not manifest.exists():
        if any(folder.iterdir()):
            raise BatchError(f"{folder}: holds other files and no {MANIFEST}; give an empty folder")
        _put(manifest, [json.dumps(made, indent=1).encode()])
    elif json.loads(manifest.read_bytes()) != made:
        raise BatchError(f"{folder}: was begun with other files or settings; give another folder")


# One shard -----------------------------------------------------------------------------------------------------------


def _done(folder: Path, shard: Shard) -> Counts | None:
    """What was counted of a shard that is complete; else None."""
    told = folder / f"{shard.name}.counts"
    if not told.exists() or not (folder / shard.name).exists():
        return None
    return Counts(**{**json.loads(told.read_bytes()), "skipped": 1})


def do(shard: Shard, folder: Path, verifiers: Verifiers) -> Counts:
    """Verify one shard; its output appears whole, or not at all."""
    counted = _Counted()
    part = _part(folder / shard.name)
    if shard.file.endswith(PARQUET):
        _write_parquet(part, counted.seen(_of_parquet(shard, verifiers)))
    else:
        _write(part, map(_line, counted.seen(_of_lines(shard, verifiers))))
    _put(folder / f"{shard.name}.counts", [json.dumps(asdict(counted.counts)).encode()])
    os.replace(part, folder / shard.name)
    return counted.counts


class _Counted:
    """Counts rows as they pass."""

    def __init__(self) -> None:
        self.counts = Counts(shards=1)

    def seen(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in rows:
            changed, bad = row["changed"], row["error"] is not None
            self.counts += Counts(rows=1, bad=bad, replies=row["replies"], changed=changed)
            yield row


def _line(row: Mapping[str, Any]) -> bytes:
    told = {**row, "verdicts": json.loads(row["verdicts"])}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate: JSON can write it, UTF-8 cannot
        return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def _part(path: Path) -> Path:
    """Where this process writes a file: a worker of a run that was killed may still be at the same shard."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())


def _put(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that is there whole, or not at all."""
    part = _part(path)
    _write(part, pieces)
    os.replace(part, path)


def _of_lines(shard: Shard, verifiers: Verifiers) -> Iterator[dict[str, Any]]:
    name = Path(shard.file).name
    with _opened(shard.file) as file:
        file.seek(shard.start)
        at = shard.start
        while not shard.end or at < shard.end:
            line = file.readline()
            if not line:
                return
            if line.strip():
                yield _of_line(line, f"{name}@{at}", verifiers)
            at += len(line)


def _opened(path: str) -> IO[bytes]:
    opened: IO[bytes] = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")  # type: ignore[assignment]  # noqa: SIM115
    return opened


def _of_line(line: bytes, place: str, verifiers: Verifiers) -> dict[str, Any]:
    id = None
    try:
        row = json.loads(line)
        id = row.get("id") if isinstance(row, Mapping) else None
        return verify_row(row, verifiers, place=place)
    except Exception as error:  # one bad row must not take the others with it
        return failed_row(error, place=place, id=id)


def _of_parquet(shard: Shard, verifiers: Verifiers) -> Iterator[dict[str, Any]]:
    file, name = _parquet(Path(shard.file)), Path(shard.file).name
    for group in range(shard.start, shard.end):
        at = 0
        for batch in file.iter_batches(batch_size=256, row_groups=[group]):
            rows = ({**row, "place": f"{name}#{group}.{at + n}"} for n, row in enumerate(batch.to_pylist()))
            yield from verify_rows(rows, verifiers)
            at += batch.num_rows


def _write_parquet(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, schema()) as writer:
        waiting: list[dict[str, Any]] = []
        for row in rows:
            waiting.append(storable(row))
            if len(waiting) >= 1024:
                writer.write_table(pa.Table.from_pylist(waiting, schema=schema()))
                waiting = []
        writer.write_table(pa.Table.from_pylist(waiting, schema=schema()))
