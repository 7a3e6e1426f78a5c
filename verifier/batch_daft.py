"""Batch on Daft, for more than one machine: the rows of a data frame verified by the function of the process pool.

Written for daft 0.7. `daft.set_runner_ray()` moves the same lines to a Ray cluster. Set DO_NOT_TRACK=1 where no usage
statistics may be sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verifier.batch_rows import COLUMNS, Verifiers, storable, verify_rows

if TYPE_CHECKING:
    import daft

BATCH_ROWS = 256  # without it Daft may give a whole file as one batch
_MADE: dict[str, Verifiers] = {}  # of this process, by settings: a worker verifies many batches


def verified(
    frame: daft.DataFrame, settings: Mapping[str, Any] | None = None, *, batch_rows: int = BATCH_ROWS
) -> daft.DataFrame:
    """The frame's rows as `verify_rows` gives them: as many rows, a bad one with its `error`.

    `settings` are those of `Verifier` and must be plain values, for they travel to the workers.
    """
    import daft

    told = dict(settings or {})
    fields = {
        name: daft.DataType.int64() if name in ("replies", "changed") else daft.DataType.string() for name in COLUMNS
    }

    @daft.func.batch(return_dtype=daft.DataType.struct(fields), use_process=True)
    def verify(rows: daft.Series) -> list[dict[str, Any]]:
        return [storable(row) for row in verify_rows(rows.to_pylist(), _verifiers(told))]

    rows = daft.functions.to_struct(*[daft.col(name) for name in frame.column_names])
    made = frame.into_batches(batch_rows).select(verify(rows).alias("made"))
    return made.select(*[daft.functions.get(daft.col("made"), name).alias(name) for name in COLUMNS])


def _verifiers(settings: dict[str, Any]) -> Verifiers:
    key = repr(sorted(settings.items()))
    if key not in _MADE:
        _MADE[key] = Verifiers(settings)
    return _MADE[key]
