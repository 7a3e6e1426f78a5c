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
from verifier.outcomes import item_outcomes, load_rules, outcome_of, reason_of

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


@pytest.mark.parametrize(
    ("error", "write", "read"),
    [
        (ValueError("limit"), "failed", "failed"),
        (TimeoutError(), "unknown", "failed"),
        (ConnectionResetError("by peer"), "unknown", "failed"),
        (ConnectionRefusedError(), "failed", "failed"),
        ("Read timed out", "unknown", "failed"),
        ("limit", "failed", "failed"),
        (True, "failed", "failed"),
        ("User rejected the tool call", "refused", "failed"),
        (False, "unknown", "unknown"),
        (None, "unknown", "unknown"),
        ("", "unknown", "unknown"),
    ],
)
def test_an_error_beside_a_missing_result(error: object, write: str, read: str) -> None:
    assert outcome_of(None, error=error, tool="pay_bill") == write
    assert outcome_of(None, error=error, tool="get_bill") == read


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        (True, "done"),
        (False, "failed"),
        ({}, "done"),
        ([], "done"),
        (0, "done"),
        ("None", "done"),
        ([{"type": "text", "text": '{"error": "gone"}'}], "failed"),
        ([{"type": "text", "text": "Sent."}, {"type": "image", "data": "…"}], "done"),
        ({"content": [{"type": "text", "text": "x"}], "structuredContent": {"ok": False}}, "failed"),
        ("{'success': False}", "failed"),
        ('"{\\"success\\": false}"', "failed"),
        (b'{"success": false}', "failed"),
        ("[" * 100_000, "done"),
        ("{" * 100_000, "done"),
        ("error" * 100_000, "done"),
        ("\n" * 1_000 + "Error: late", "failed"),
        ("❌ Too late", "failed"),
        ("**Error:** too late", "failed"),
        ("[ERROR] too late", "failed"),
        ("Error-free run", "done"),
        ("error_log: none", "done"),
    ],
)
def test_results_of_many_shapes(result: object, outcome: str) -> None:
    assert outcome_of(result, tool="pay_bill") == outcome


def test_without_a_tool_a_write_is_assumed() -> None:
    assert outcome_of({"job_id": "j"}) is Outcome.UNKNOWN
    assert outcome_of({"job_id": "j"}, tool=Tool("x", write=False)) is Outcome.DONE


@pytest.mark.parametrize(
    ("result", "error", "reason"),
    [
        ("Error: no such order\nmore", None, "no such order"),
        ("No slot available.", None, "No slot available."),
        ({"error": {"code": 1, "message": "no such order"}}, None, "no such order"),
        ({"success": False, "message": "no such order"}, None, "no such order"),
        ({"data": {"error": "no such order"}}, None, "no such order"),
        ({"success": False}, None, ""),
        (None, ValueError("no such order"), "no such order"),
        (None, KeyError(), "KeyError"),
        (None, "no such order", "no such order"),
        ("x" * 1_000, None, "x" * 300),
    ],
)
def test_the_reason_of_a_failure(result: object, error: object, reason: str) -> None:
    assert reason_of(result, Outcome.FAILED, error=error) == reason
    assert reason_of(result, Outcome.DONE, error=error) == ""


def test_the_items_of_a_partial_success() -> None:
    result = {"results": [{"id": 1, "ok": True}, {"id": 2, "error": "gone"}, {"id": 3, "status": "failed"}]}
    assert outcome_of(result, tool="update_tasks") is Outcome.DONE
    assert [(item["id"], outcome.value) for item, outcome in item_outcomes(result)] == [
        (1, "done"),
        (2, "failed"),
        (3, "failed"),
    ]
    assert item_outcomes({"results": [{"id": 1}]}) == item_outcomes("text") == ()


def test_a_users_file_adds_to_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "lists: {error_keys: [problem]}\n"
        "later_verbs: {settle: [settlement]}\n"
        "tools:\n"
        "  start_sync:\n"
        "    - {key: phase, is: [finished, all done], outcome: done}\n"
        "    - {key: phase, is: [running], outcome: unknown}\n"
        '  ask_expert: [{text: "The report is saved", outcome: done}]\n',
        encoding="utf-8",
    )
    rules = load_rules(path)
    assert outcome_of({"phase": "ALL_DONE", "job_id": "j"}, tool="start_sync", rules=rules) is Outcome.DONE
    assert outcome_of({"phase": "running", "rows": 3}, tool="start_sync", rules=rules) is Outcome.UNKNOWN
    assert outcome_of({"phase": "running", "rows": 3}, tool="start_sync") is Outcome.DONE
    assert outcome_of("The report is saved at /r.", tool="ask_expert", rules=rules) is Outcome.DONE
    assert outcome_of({"problem": "gone"}, tool="pay", rules=rules) is Outcome.FAILED
    assert outcome_of({"settlement_id": "s", "total": 1, "status": "pending"}, tool="settle", rules=rules) == "unknown"
    assert outcome_of({"error": "gone"}, tool="pay", rules=rules) is Outcome.FAILED


def test_a_wrong_users_file_names_every_mistake(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "list: {}\n"
        "lists: {eror_keys: [x]}\n"
        "tools:\n"
        "  a: [{key: x, outcome: doen}, {outcome: done}, {text: x, key: y, is: [z], outcome: done}]\n",
        encoding="utf-8",
    )
    with pytest.raises(DataError) as caught:
        load_rules(path)
    assert [problem.split(": ")[0] for problem in caught.value.problems] == [
        "mine.yaml:1:1", "mine.yaml:2:9", "mine.yaml:4:25", "mine.yaml:4:7", "mine.yaml:4:32", "mine.yaml:4:49",
    ]  # fmt: skip
    assert "did you mean 'error_keys'?" in str(caught.value)
