"""The outcome of a call from what its tool returned: the examples of rules/outcomes.yaml, and what no example says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verifier.data import DataError
from verifier.ledger import Tool
from verifier.model import Outcome
from verifier.outcome_rules import Example, packaged
from verifier.outcomes import item_outcomes, load_rules, outcome_of

SHARED = Path(__file__).parents[1].parent / "shared"


@pytest.mark.parametrize("example", packaged().examples, ids=lambda example: f"{example.rule}-{example.place}")
def test_an_example_of_the_rules(example: Example) -> None:
    fields: dict[str, Any] = dict(example.fields)
    if "arguments" in fields:
        fields["arguments"] = json.loads(fields["arguments"])
    got = outcome_of(fields.pop("result", None), **fields)
    assert got == example.outcome, f"{example.place}: {example.fields} of {example.rule}"


def test_each_rule_has_examples_that_fire_and_that_must_not() -> None:
    rules = {example.rule for example in packaged().examples}
    assert len(rules) == 7
    for rule in rules:
        kinds = {example.fires for example in packaged().examples if example.rule == rule}
        assert kinds == {True, False}, rule


def shared_calls() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The calls of the shared cases whose result alone says what became of them."""
    found = []
    for name in ("cases/reports.jsonl", "trades/en.jsonl", "trades/pt-BR.jsonl", "pt/replies.jsonl"):
        path = SHARED / name
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                tools = {tool["name"]: tool for tool in case["tools"]}
                found += [(name, tools[call["tool"]], call) for call in case["ledger"] if call["result"] is not None]
    return found


def test_the_results_of_the_shared_cases() -> None:
    calls = shared_calls()
    if not calls:
        pytest.skip("the shared material is not here")
    wrong = []
    for name, tool, call in calls:
        about = Tool(tool["name"], write=tool["write"])
        got = outcome_of(call["result"], tool=about, arguments=call["arguments"])
        assert got == outcome_of(json.dumps(call["result"]), tool=about, arguments=call["arguments"])
        # Whether an error was a refusal, and what was rolled back later, stands in the reason and not in the result.
        said = {"refused": "failed", "undone": "done"}.get(call["outcome"], call["outcome"])
        if got.value not in (said, call["outcome"]):
            wrong.append((name, call["tool"], str(call["result"])[:100], call["outcome"], got.value))
    assert len(wrong) <= 0.02 * len(calls), wrong
