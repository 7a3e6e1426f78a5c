"""Which claim is true of which outcome: the table of rules/claims.yaml."""

from __future__ import annotations

from functools import cache

from verifier.data import (
    DataError,
    Problems,
    YamlMap,
    expect_map,
    expect_text,
    expect_texts,
    folder,
    load,
    refuse_unknown_keys,
)
from verifier.model import Claim, Outcome


def allows(outcome: Outcome, claim: Claim) -> bool:
    """Whether a sentence that makes this claim is true of a call with this outcome."""
    return (outcome, claim) in _packaged()[0]


def table() -> str:
    """The table in Markdown, for the README and the documentation."""
    pairs, meanings = _packaged()
    lines = [
        f"| outcome | meaning | {' | '.join(claim.value.replace('_', ' ') for claim in Claim)} |",
        "|---" * (2 + len(Claim)) + "|",
    ]
    for outcome in Outcome:
        cells = " | ".join("yes" if (outcome, claim) in pairs else "–" for claim in Claim)
        lines.append(f"| `{outcome.value}` | {meanings[outcome]} | {cells} |")
    return "\n".join(lines) + "\n"


Table = tuple[frozenset[tuple[Outcome, Claim]], dict[Outcome, str]]


@cache
def _packaged() -> Table:
    return read_table(load(folder("rules") / "claims.yaml"))


def read_table(file: YamlMap) -> Table:
    """The allowed pairs and the meanings of the outcomes. Raises `DataError` where a row is missing or wrong."""
    problems = Problems()
    refuse_unknown_keys(file, ("columns", "outcomes"), problems)
    rows = expect_map(file.get("outcomes"), "outcomes", problems, file)
    refuse_unknown_keys(rows, tuple(Outcome), problems)
    columns = expect_texts(file.get("columns"), "columns", problems, file)
    if [str(name) for name in columns] != [claim.value for claim in Claim]:
        problems.add(file.get("columns"), f"columns must be {', '.join(Claim)}, in this order")
    pairs: set[tuple[Outcome, Claim]] = set()
    meanings: dict[Outcome, str] = {}
    for outcome in Outcome:
        row = expect_map(rows.get(outcome), f"the row '{outcome}'", problems, rows)
        refuse_unknown_keys(row, ("meaning", "allows"), problems)
        meanings[outcome] = str(expect_text(row.get("meaning"), "meaning", problems, row))
        for name in expect_texts(row.get("allows"), "allows", problems, row):
            if name in columns:
                pairs.add((outcome, Claim(name)))
            else:
                problems.add(name, f"'{name}' is none of the columns")
    problems.check()
    return frozenset(pairs), meanings


__all__ = ["DataError", "allows", "read_table", "table"]
