"""Replies labelled by hand, as ledgers and linked clauses: those of this folder, and those beside the checkout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.call import Call
from verifier.ledger import Ledger
from verifier.model import Claim, LinkedClause, Value
from verifier.tool import Tool

HERE = Path(__file__).parent
SHARED = HERE.parents[1] / "shared"
_FILES = {
    "fresh/en-a": HERE / "fresh" / "en-a.jsonl",
    "fresh/en-b": HERE / "fresh" / "en-b.jsonl",
    "trades/en": SHARED / "trades" / "en.jsonl",
    "trades/pt-BR": SHARED / "trades" / "pt-BR.jsonl",
    "pt/replies": SHARED / "pt" / "replies.jsonl",
}
LABELLED = [name for name, path in _FILES.items() if path.is_file()]
LIST_MARKS = ("-", "*", "•", "|")


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled reply with its ledger; `calls` are in the order of the labels' indexes."""

    key: str
    reply: str
    locale: str
    ledger: Ledger
    calls: tuple[Call, ...]
    sentences: tuple[dict[str, Any], ...]


def rows(name: str) -> Iterator[Row]:
    """The rows of a labelled file."""
    for line in _FILES[name].read_text(encoding="utf-8").split("\n"):
        if line:
            yield _row(json.loads(line))


def _row(row: dict[str, Any]) -> Row:
    ledger = Ledger([Tool(t["name"], write=t["write"], description=t.get("description", "")) for t in row["tools"]])
    ledger.now = row.get("now")
    ids: dict[int, str] = {}
    for turn in range(1, max([row["turn"], *(call["turn"] for call in row["ledger"])]) + 1):
        if turn > 1:
            ledger.begin_turn()
        if turn == row["turn"] and row.get("user"):
            ledger.hear(row["user"])
        for place, call in enumerate(row["ledger"]):
            if call["turn"] == turn:
                told = {key: call[key] for key in ("outcome", "result", "reason")}
                ids[place] = ledger.record(call["tool"], call["arguments"], **told).id
    calls = tuple(ledger.call(ids[place]) for place in sorted(ids))
    kept = tuple(call for call in calls if call is not None)
    return Row(row["key"], row["reply"], row.get("language", "en"), ledger, kept, tuple(row["sentences"]))


def clauses_of(row: Row, values: tuple[Value, ...]) -> Iterator[tuple[dict[str, Any], list[LinkedClause]]]:
    """Each sentence with its clauses, one for each tool and claim; a list item under a done claim is `under_done`."""
    told: set[int] = set()
    for number, sentence in enumerate(row.sentences):
        own = tuple(value for value in values if sentence["start"] <= value.start < sentence["end"])
        line = row.reply[: sentence["start"]].rpartition("\n")[2].strip(" \t*_")
        grouped: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for clause in sentence["clauses"]:
            if clause["tool"] is not None:
                grouped.setdefault((clause["tool"], clause["claim"]), []).append(clause)
        clauses = []
        for (tool, claim), labels in grouped.items():
            places = list(dict.fromkeys(label["call"] for label in labels if label["call"] is not None))
            detail = claim == "mentions" and line.startswith(LIST_MARKS) and not told.isdisjoint(places)
            asserted = claim != "asks" and not sentence["text"].rstrip().endswith("?")
            clauses.append(LinkedClause(
                sentence["start"], sentence["end"], number, Claim(claim),
                row.ledger.tool(tool) or Tool(tool, write=bool(labels[0]["write"])),
                tuple(row.calls[place] for place in places), own, asserted, detail,
            ))
            if claim == "says_done":
                told.update(places)
        yield sentence, clauses
