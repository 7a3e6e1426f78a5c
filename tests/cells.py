"""The sentences of tests/data/cells.<language>.yaml: for each outcome and each claim, what a verifier must do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from verifier import Claim, Ledger, Outcome, Tool
from verifier.data import YamlMap, load, where

DATA = Path(__file__).parent / "data"
FEWEST = 3  # sentences a cell


@dataclass(frozen=True, slots=True)
class Cell:
    """One sentence about one call; `misses` says why it is known to be misread ("" where it is read right)."""

    outcome: Outcome
    claim: Claim
    sentence: str
    scene: YamlMap
    place: str
    misses: str = ""


@cache
def cells(language: str) -> tuple[Cell, ...]:
    """Every sentence of a language, in the order of the file."""
    return tuple(_cells(load(DATA / f"cells.{language}.yaml")))


def _cells(file: YamlMap) -> Iterator[Cell]:
    scenes: Any = file["scenes"]
    table: Any = file["cells"]
    for outcome, row in table.items():
        for claim, sentences in row.items():
            for entry in sentences:
                (scene, text), *more = entry.items()
                misses = dict(more).get("misses", "")
                yield Cell(Outcome(outcome), Claim(claim), str(text), scenes[scene], where(text), str(misses))


def ledger_of(cell: Cell) -> Ledger:
    """What the sentence is about: the tools of its scene, what was read before, and the one call with its outcome."""
    scene: Any = cell.scene
    ledger = Ledger(tools=[Tool(name, write=kind == "writes") for name, kind in scene["tools"].items()])
    if "asked" in scene:
        ledger.hear(scene["asked"])
    for tool, result in scene.get("read", {}).items():
        ledger.record(tool, outcome="done", result=json.loads(result))
    reason = scene["reason"] if cell.outcome in (Outcome.FAILED, Outcome.REFUSED) else ""
    result = json.loads(scene.get("result", "null")) if cell.outcome in (Outcome.DONE, Outcome.UNDONE) else None
    ledger.record(
        scene["call"], json.loads(scene["arguments"]), outcome=cell.outcome, result=result, reason=str(reason)
    )
    return ledger
