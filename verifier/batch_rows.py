"""Rows of stored transcripts in, rows of verdicts out: one function for the process pool and for any engine.

A row has a `reply` with a `ledger` or the `messages` before it, or only `messages`: then each text of the assistant
is verified. It may name its `id`, `tools`, `format` (chat, anthropic or responses), `language` and `final`. A row that
cannot be used gives a row with an `error`, so that as many rows come out as went in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from verifier.adapters import anthropic, openai
from verifier.conversation import Reply
from verifier.ledger import Ledger
from verifier.verify import Verifier

if TYPE_CHECKING:
    import pyarrow as pa

    from verifier.verdict import Verdict

FORMATS = {
    "chat": openai.replies_of, "anthropic": anthropic.replies_of, "responses": openai.replies_of_responses,
}  # fmt: skip
LEDGERS = {
    "chat": openai.ledger_from_chat, "anthropic": anthropic.ledger_from_messages,
    "responses": openai.ledger_from_responses,
}  # fmt: skip
COLUMNS = ("id", "place", "text", "replies", "changed", "verdicts", "error")
MAX_ERROR = 500


class RowError(ValueError):
    """A row that cannot be used; the text says why."""


class Verifiers:
    """A verifier for each language that rows name."""

    def __init__(self, settings: Mapping[str, Any] | None = None) -> None:
        """Settings of `Verifier`; a row's own language comes before that of the settings."""
        self._settings = dict(settings or {})
        self._made: dict[str, Verifier] = {}

    def of(self, language: str = "") -> Verifier:
        """The verifier of a language. Raises ValueError for one that is not read."""
        if language not in self._made:
            more = {"language": language} if language else {}
            self._made[language] = Verifier(**{**self._settings, **more})
        return self._made[language]


def verify_rows(rows: Iterable[Mapping[str, Any]], verifiers: Verifiers | None = None) -> Iterator[dict[str, Any]]:
    """A row of verdicts for each row: `text` is the last reply as a person reads it, `verdicts` is JSON."""
    using = verifiers or Verifiers()
    for number, row in enumerate(rows):
        try:
            yield verify_row(row, using, place=str(row.get("place") or number))
        except Exception as error:  # one bad row must not take the others with it
            id = row.get("id") if isinstance(row, Mapping) else None
            yield failed_row(error, place=str(number), id=id)


def verify_row(row: Mapping[str, Any], verifiers: Verifiers, *, place: str = "") -> dict[str, Any]:
    """The verdicts of one row. Raises `RowError`, `LedgerError` or ValueError for one that cannot be used."""
    if not isinstance(row, Mapping):
        raise RowError(f"a row is a mapping, not {type(row).__name__}")
    verifier = verifiers.of(str(row.get("language") or ""))
    made = []
    last = ""
    for reply in _replies(row):
        verdict = verifier.verify(reply.text, reply.ledger, final=not reply.carries_calls)
        made.append(_verdict(reply, verdict))
        last = verdict.text
    return {
        "id": _text(row.get("id")),
        "place": place,
        "text": last,
        "replies": len(made),
        "changed": sum(one["changed"] for one in made),
        "verdicts": json.dumps(made, ensure_ascii=False, separators=(",", ":")),
        "error": None,
    }


def failed_row(error: object, *, place: str, id: object = None) -> dict[str, Any]:
    """The row of one that could not be used."""
    told = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else str(error)
    return {
        "id": _text(id), "place": place, "text": None, "replies": 0, "changed": 0, "verdicts": "[]",
        "error": told[:MAX_ERROR],
    }  # fmt: skip


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _decoded(row: Mapping[str, Any], key: str) -> Any:
    """A column that may hold JSON as a text."""
    value = row.get(key)
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise RowError(f"{key}: is no JSON: {error}") from None


def _replies(row: Mapping[str, Any]) -> Iterator[Reply]:
    reply, messages = row.get("reply"), _decoded(row, "messages")
    kind = str(row.get("format") or "chat")
    if kind not in FORMATS:
        raise RowError(f"format: cannot be {kind!r:.40}; it can be {', '.join(FORMATS)}")
    tools = _decoded(row, "tools") or ()
    if reply is None:
        if not isinstance(messages, list):
            raise RowError("a row needs a reply with a ledger or messages, or messages")
        return FORMATS[kind](messages, tools)
    if not isinstance(reply, str):
        raise RowError(f"reply: must be a text, not {type(reply).__name__}")
    stored = _decoded(row, "ledger")
    if stored is None and messages is None:
        raise RowError("ledger: a reply needs a ledger, or the messages before it")
    final = row.get("final")
    if stored is not None:
        ledger = Ledger.from_json(stored if isinstance(stored, Mapping) else json.dumps(stored))
    else:
        ledger = LEDGERS[kind](messages, tools)
    return iter([Reply(-1, reply, final is False, ledger)])


def _verdict(reply: Reply, verdict: Verdict) -> dict[str, Any]:
    """What of a verdict is kept: where, the text, what was changed and why, what was counted."""
    told = verdict.to_dict()
    kept = {key: told[key] for key in ("version", "text", "changed", "read", "edits", "reports", "counts", "digest")}
    return {"message": reply.message, **kept}


def schema() -> pa.Schema:
    """The columns of what `verify_batch` gives."""
    import pyarrow as pa

    kinds = {"replies": pa.int32(), "changed": pa.int32()}
    return pa.schema([pa.field(name, kinds.get(name, pa.string())) for name in COLUMNS])


def storable(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without lone surrogates, which no file format can hold."""
    return {key: _whole(value) if isinstance(value, str) else value for key, value in row.items()}


def _whole(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def verify_batch(batch: pa.RecordBatch, verifiers: Verifiers | None = None) -> pa.RecordBatch:
    """`verify_rows` over a record batch, row for row: for Daft, Spark's mapInArrow, Ray's map_batches, Dask."""
    import pyarrow as pa

    rows = [storable(row) for row in verify_rows(batch.to_pylist(), verifiers)]
    return pa.RecordBatch.from_pylist(rows, schema=schema())
