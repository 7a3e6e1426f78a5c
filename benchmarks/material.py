"""The labelled material beside the checkout, read into cases with their ledgers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
SETS: Mapping[str, str] = {
    "labels": "labels/replies.jsonl",
    "trades-en": "trades/en.jsonl",
    "trades-pt": "trades/pt-BR.jsonl",
    "pt": "pt/replies.jsonl",
    "cases": "cases/reports.jsonl",
    "fresh-a": "fresh/en-a.jsonl",
    "fresh-b": "fresh/en-b.jsonl",
    "fresh-c": "fresh/en-c.jsonl",
    "fresh-d": "fresh/en-d.jsonl",
    "fresh-pt-a": "fresh/pt-a.jsonl",
    "fresh-pt-b": "fresh/pt-b.jsonl",
}
OWN = Path(__file__).resolve().parents[1] / "tests"  # where the sets written for this project lie
# labels/README.md: a call is named by its place among the last 14 calls made before the reply.
LABELLED_CALLS = 14

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LabelSentence:
    """A sentence as the person labelled it: whether it may stay, and its clauses as (tool, claim, call index)."""

    start: int
    end: int
    text: str
    keep: bool
    clauses: tuple[tuple[str | None, str | None, int | None], ...]
    row: Row


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled reply. `call_ids` are the ids of the ledger's calls in the order in which labels count them."""

    key: str
    set: str
    reply: str
    language: str
    ledger: Any
    call_ids: tuple[str, ...]
    sentences: tuple[LabelSentence, ...]
    omitted: tuple[int, ...]
    row: Row

    @property
    def expect(self) -> Row | None:
        """What must be kept, removed and appended, for the reported faults; None for the others."""
        expected: Row | None = self.row.get("expect")
        return expected


def rows(path: Path) -> Iterator[Row]:
    """Give the objects of a JSON Lines file, one a line."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def readers(name: str, shared: Path = SHARED) -> list[tuple[str, Callable[[], Case]]]:
    """Give (key, a function that builds the case) for each row of the set `name`.

    The building is left to the caller so that a ledger that cannot be built is an error of one key, not of all.
    """
    if name == "labels":
        return [_corpus_reader(row, shared) for row in rows(shared / SETS[name])]
    root = OWN if SETS[name].startswith("fresh/") else shared
    return [_row_reader(name, row) for row in rows(root / SETS[name])]


def _row_reader(name: str, row: Row) -> tuple[str, Callable[[], Case]]:
    key = row.get("key") or row["id"]
    return key, lambda: _case(name, key, row, row["reply"], ledger_of(row))


def _corpus_reader(row: Row, shared: Path) -> tuple[str, Callable[[], Case]]:
    def build() -> Case:
        from verifier.adapters.openai import ledger_from_chat

        conversation = _conversations(shared / "corpus" / row["file"])[row["id"]]
        before, message = conversation["messages"][: row["message"]], conversation["messages"][row["message"]]
        ledger = ledger_from_chat(before, tools_of(shared / "corpus" / "tools", conversation["domain"]))
        return _case("labels", row["key"], row, message["content"], ledger, last=LABELLED_CALLS)

    return row["key"], build


def _case(name: str, key: str, row: Row, reply: str, ledger: Any, last: int = 0) -> Case:
    ids = tuple(call.id for call in ledger.calls)
    sentences = tuple(_sentence(sentence) for sentence in row.get("sentences", ()))
    language = row.get("language") or "en"
    if language.startswith("pt"):
        language = "pt-BR"
    elif language != "en":
        language = "en"  # An unread language: whoever reads English must leave it alone.
    omitted = tuple(row.get("omitted_writes", ()))
    return Case(key, name, reply, language, ledger, ids[-last:] if last else ids, sentences, omitted, row)


def _sentence(row: Row) -> LabelSentence:
    clauses = tuple((clause["tool"], clause["claim"], clause["call"]) for clause in row["clauses"])
    return LabelSentence(row["start"], row["end"], row["text"], row["keep"], clauses, row)


def ledger_of(row: Row) -> Any:
    """Build the ledger of a row: its calls in their turns, what the person said in the current one, its clock."""
    from verifier import Ledger, Tool

    tools = [Tool(**tool) for tool in row["tools"]]
    ledger = Ledger(tools=tools, now=_moment(row["now"])) if row.get("now") else Ledger(tools=tools)
    for turn in range(1, row["turn"] + 1):
        if turn > 1:
            ledger.begin_turn()
        if turn == row["turn"] and row.get("user"):
            ledger.hear(row["user"])
        for call in row["ledger"]:
            if call["turn"] == turn:
                _record(ledger, call)
    return ledger


def _record(ledger: Any, call: Row) -> None:
    ledger.record(
        call["tool"],
        call["arguments"],
        outcome=call["outcome"],
        result=call.get("result"),
        reason=call.get("reason") or "",
    )


def _moment(text: str) -> date | datetime:
    return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)


@cache
def _conversations(path: Path) -> dict[str, Row]:
    return {row["id"]: row for row in rows(path)}


@cache
def tools_of(folder: Path, domain: str) -> tuple[Row, ...]:
    """Give the tool specs of a domain, or none where the corpus has no file for it."""
    path = folder / f"{domain}.json"
    return tuple(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else ()
