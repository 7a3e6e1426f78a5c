"""The ledger: what is recorded stays, comes back from JSON, and is refused with its place where it is wrong."""

from __future__ import annotations

import copy
import json
import pickle
from contextlib import suppress
from dataclasses import FrozenInstanceError, dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.claims import allows, table
from verifier.ledger import Call, Ledger, LedgerError, Tool
from verifier.model import Claim, Outcome
from verifier.schema import problems
from verifier.stored import document, schema

SHARED = Path(__file__).parents[1].parent / "shared"


def shop() -> Ledger:
    return Ledger(tools=[Tool("get_order", write=False), Tool("refund_card", write=True)])


def places(error: LedgerError) -> list[str]:
    return [problem.split(": ")[0] for problem in error.problems]


# Calls and turns


def test_a_recorded_call_belongs_to_the_current_turn() -> None:
    ledger = shop()
    first = ledger.record("refund_card", {"order_id": "4412", "amount": 12.50}, outcome="done")
    assert (first.turn, first.id, first.outcome, first.source) == (1, "call-1", Outcome.DONE, "executed")
    assert ledger.begin_turn("and the other one?") == 2
    second = ledger.record("refund_card", {"order_id": "4413"}, outcome=Outcome.FAILED, reason="expired")
    assert (second.turn, second.id) == (2, "call-2")
    assert ledger.calls == (first, second) == ledger.calls_of("refund_card")
    assert ledger.calls_in(1) == (first,)
    assert ledger.calls_in(2) == (second,)
    assert ledger.calls_in(3) == ledger.calls_of("get_order") == ()
    assert ledger.heard == ((2, "and the other one?"),)
    assert ledger.call("call-2") is second
    assert ledger.call("call-9") is None


def test_what_was_said_is_kept_with_its_turn() -> None:
    ledger = Ledger()
    ledger.hear("hello")
    ledger.replied("one moment")
    ledger.context("We refund within 30 days.")
    ledger.begin_turn()
    ledger.replied("still looking")
    assert ledger.heard == ((1, "hello"),)
    assert ledger.replies == ((1, "one moment"), (2, "still looking"))
    assert ledger.contexts == ("We refund within 30 days.",)
    assert [event.kind for event in ledger.events()] == ["heard", "reply", "context", "turn", "reply"]
    assert ledger.version == 5
    assert [event.turn for event in ledger.events(3)] == [2, 2]


def test_later_changes_of_the_callers_values_change_nothing() -> None:
    arguments: dict[str, Any] = {"items": ["a"], "to": {"city": "Porto"}}
    result: dict[str, Any] = {"lines": [{"id": 1}]}
    ledger = Ledger()
    call = ledger.record("order", arguments, outcome="done", result=result)
    arguments["items"].append("b")
    arguments["to"]["city"] = "Lisboa"
    result["lines"][0]["id"] = 2
    assert call.arguments == {"items": ["a"], "to": {"city": "Porto"}}
    assert call.result == {"lines": [{"id": 1}]}
    with pytest.raises(TypeError, match="keeps what was recorded"):
        call.result["lines"].append(3)
    with pytest.raises(TypeError):
        call.arguments["to"]["city"] = "x"
    with pytest.raises(FrozenInstanceError):
        call.outcome = Outcome.FAILED  # type: ignore[misc]
    assert copy.deepcopy(call) == call == pickle.loads(pickle.dumps(call))
    assert json.loads(json.dumps(call.arguments)) == call.arguments


def test_whatever_a_tool_returns_is_kept_as_json() -> None:
    class Colour(Enum):
        RED = "red"

    class Opaque:
        pass

    @dataclass
    class Order:
        total: Decimal

    result = [
        Order(Decimal("12.50")), Decimal("0.1234567890123456789"), date(2025, 1, 31), datetime(2025, 1, 31, 9, 5),
        Colour.RED, {2, 1}, (1, 2), b"\xffok", float("nan"), Opaque(), {1: "x", Colour.RED: "y"}, range(2),
    ]  # fmt: skip
    ledger = Ledger()
    ledger.record("x", {}, outcome="done", result=result)
    assert ledger.calls[0].result == [
        {"total": 12.5}, "0.1234567890123456789", "2025-01-31", "2025-01-31T09:05:00",
        "red", [1, 2], [1, 2], "\\xffok", "nan", "<Opaque>", {"1": "x", "red": "y"}, [0, 1],
    ]  # fmt: skip
    assert document(Ledger.from_json(ledger.to_json())) == document(ledger)


def test_a_call_made_elsewhere_may_open_turns_but_not_go_back() -> None:
    ledger = Ledger()
    ledger.add(Call("a", outcome=Outcome.DONE, turn=3, id="x"))
    assert ledger.turn == 3
    assert ledger.add(Call("a", outcome=Outcome.DONE)).turn == 3
    with pytest.raises(LedgerError, match="/turn: cannot be 2: the ledger is in turn 3"):
        ledger.add(Call("a", outcome=Outcome.DONE, turn=2))
    with pytest.raises(LedgerError, match="/id: there is a call 'x' already"):
        ledger.add(Call("a", outcome=Outcome.DONE, id="x"))
    assert len(ledger.calls) == 2


def test_made_up_ids_avoid_the_given_ones() -> None:
    ledger = Ledger()
    ledger.record("a", {}, outcome="done", id="call-2")
    assert ledger.record("a", {}, outcome="done").id == "call-3"


def test_a_tool_that_is_not_listed() -> None:
    with pytest.raises(LedgerError, match="lists no tool 'refund_cart'; did you mean 'refund_card'"):
        shop().record("refund_cart", {}, outcome="done")
    ledger = Ledger()
    ledger.record("refund_cart", {}, outcome="done")
    tool = ledger.tool("refund_cart")
    assert tool is not None
    assert tool.write
    assert ledger.tools == (tool,)
    given = shop()
    given.add_tool(Tool("ship"))
    given.record("ship", {}, outcome="done")
    with pytest.raises(LedgerError, match="listed twice"):
        given.add_tool(Tool("ship"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"outcome": "doen"}, "/outcome: 'doen' is not an outcome; did you mean 'done'?"),
        ({"arguments": [1]}, "/arguments: must be a mapping"),
        ({"arguments": "{}"}, "/arguments: must be a mapping"),
        ({"reason": 1}, "/reason: must be a text"),
        ({"at": "yesterday"}, "/at: must be a date or time like"),
        ({"source": "memory"}, "/source: cannot be 'memory'"),
        ({"turn": -1}, "/turn: must be a number"),
        ({"turn": True}, "/turn: must be a number"),
        ({"tool": ""}, "/tool: a call needs"),
    ],
)
def test_a_wrong_field_of_a_call_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(LedgerError) as caught:
        Call(**{"tool": "a", "arguments": {}, "outcome": "done", **fields})
    assert str(caught.value).startswith(message)


def test_values_nested_without_end_are_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(LedgerError, match="/result: nested deeper than 200 levels"):
        Ledger().record("a", {}, outcome="done", result=loop)


# Settling


def test_a_settled_call_counts_once_and_in_the_turn_of_its_latest_event() -> None:
    ledger = shop()
    ledger.record("refund_card", {"amount": 42}, outcome="pending_confirmation", reason="over 40", id="r")
    ledger.begin_turn("yes")
    ledger.record("get_order", {}, outcome="done")
    settled = ledger.settle("r", "done", {"ok": True}, arguments={"amount": 40})
    assert (settled.outcome, settled.turn, settled.reason, settled.result) == (Outcome.DONE, 2, "", {"ok": True})
    assert (settled.arguments, settled.requested_arguments) == ({"amount": 40}, {"amount": 42})
    assert [call.id for call in ledger.calls] == ["r", "call-2"]
    assert ledger.calls_in(1) == ()
    assert [call.id for call in ledger.calls_in(2)] == ["r", "call-2"]
    undone = ledger.settle("r", "undone", reason="the run failed")
    assert (undone.result, undone.reason) == ({"ok": True}, "the run failed")
    assert ledger.calls_of("refund_card") == (undone,)


@pytest.mark.parametrize("before", list(Outcome))
def test_only_what_is_open_can_be_settled(before: Outcome) -> None:
    allowed = []
    for after in Outcome:
        ledger = Ledger()
        ledger.record("a", {}, outcome=before)
        with suppress(LedgerError):
            ledger.settle("call-1", after)
            allowed.append(after)
        assert ledger.calls[0].outcome is (after if after in allowed else before)
    wanted = {
        Outcome.DONE: [Outcome.UNDONE],
        Outcome.PENDING_CONFIRMATION: [one for one in Outcome if one is not Outcome.PENDING_CONFIRMATION],
        Outcome.UNKNOWN: list(Outcome),
    }
    assert allowed == wanted.get(before, [])


def test_settling_a_call_that_is_not_there() -> None:
    ledger = Ledger()
    ledger.record("a", {}, outcome="unknown", id="job-17")
    with pytest.raises(LedgerError, match="/id: there is no call 'job-71'; did you mean 'job-17'"):
        ledger.settle("job-71", "done")


# Tools


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("get_order", False), ("listAppointments", False), ("SearchInbox", False), ("calendar__list_events", False),
        ("accounts_getBalance", False), ("account.lookup", False), ("consultar_pedido", False), ("look_up", False),
        ("kb_search", False), ("price.quote", False), ("case_status", False), ("CurrentWeather", False),
        ("preview_refund", False), ("open_webpage", False), ("search_and_list", False), ("list_issues", False),
        ("light.turn_on", True), ("compute.disks.snapshot", True), ("get_or_create_user", True), ("cancelOrder", True),
        ("update_search_index", True), ("send_list", True), ("check_in_guest", True), ("checkout", True),
        ("agendar_consulta", True), ("incluir_lista_espera", True), ("buscar_e_reservar", True), ("frobnicate", True),
        ("lock.lock", True), ("alteração_endereço", True), ("", True),
    ],
)  # fmt: skip
def test_the_verb_of_a_name_says_whether_it_writes(name: str, write: bool) -> None:
    from verifier.tool import writes

    assert writes(name) is write


@pytest.mark.parametrize("name", ["login", "UserLogin", "logout_user", "auth.logout", "think", "log_in", "fazer_login"])
def test_bookkeeping_is_not_reported(name: str) -> None:
    assert Tool(name).report is False
    assert Tool(name, report=True).report is True


@pytest.mark.parametrize("name", ["refund_card", "log_activity", "reset_login", "create_login_page", "rethink_plan"])
def test_what_a_person_wants_to_hear_of_is_reported(name: str) -> None:
    assert Tool(name).report is True


def test_specs_of_the_providers_and_functions() -> None:
    parameters = {"type": "object", "properties": {"order_id": {"type": "string"}}}
    openai: dict[str, Any] = {
        "type": "function",
        "function": {"name": "refund", "description": "d", "parameters": parameters},
    }
    responses = {"type": "function", "name": "refund", "description": "d", "parameters": parameters, "strict": True}
    anthropic = {"name": "refund", "description": "d", "input_schema": parameters}
    mcp = {"name": "refund", "description": "d", "inputSchema": parameters}
    wanted = Tool("refund", True, "d", parameters)
    assert [Tool.from_spec(spec) for spec in (openai, responses, anthropic, mcp, wanted)] == [wanted] * 5
    assert Tool.from_spec({**mcp, "annotations": {"readOnlyHint": True}}).write is False
    assert Tool.from_spec({"name": "get_order", "annotations": {"readOnlyHint": False}}).write is True
    assert Tool.from_spec({**openai, "write": False}).write is False
    assert Tool.from_spec({"type": "function", "function": {**openai["function"], "write": False}}).write is False
    assert Tool.from_spec({"name": "get_x", "write": True, "annotations": {"readOnlyHint": True}}).write is True
    assert Tool.from_spec({"name": "x", "words": ["do it"], "report": False}).words == ("do it",)
    assert Tool.from_spec({"type": "web_search"}).name == "web_search"


def test_a_python_function_is_a_spec() -> None:
    def refund(order_id: str, amount: float | None = None, way: Literal["card", "cash"] = "card") -> None:
        """Refund an
        order.

        More about it.
        """

    tool = Tool.from_spec(refund)
    assert (tool.name, tool.write, tool.description) == ("refund", True, "Refund an order.")
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "order_id": {"type": "string"},
            "amount": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "way": {"enum": ["card", "cash"]},
        },
        "required": ["order_id"],
    }


@pytest.mark.parametrize("spec", [{}, {"type": "function", "function": {}}, 3, {"name": "x", "parameters": "no"}])
def test_a_spec_without_a_name_is_refused(spec: object) -> None:
    with pytest.raises(LedgerError):
        Tool.from_spec(spec)


def test_wrong_fields_of_a_tool() -> None:
    wrong: list[dict[str, Any]] = [
        {"name": ""},
        {"words": "phrase"},
        {"write": "yes"},
        {"parameters": []},
        {"report": 1},
    ]
    for fields in wrong:
        with pytest.raises(LedgerError):
            Tool(**{"name": "x", **fields})


# JSON


def busy() -> Ledger:
    ledger = Ledger(
        tools=[Tool("get_order", write=False), Tool("refund_card", words=("money back",))], now=date(2025, 5, 1)
    )
    ledger.context("policy")
    ledger.hear("refund 42")
    ledger.record("refund_card", {"amount": 42}, outcome="pending_confirmation", id="r", agent="desk")
    ledger.replied("May I?")
    ledger.begin_turn("yes, but 40")
    ledger.settle("r", "unknown", reason="timed out", arguments={"amount": 40})
    ledger.record(
        "get_order", {"id": "Ü-1"}, outcome="done", result={"a": [1, None]}, at="2025-05-01T10:00:00", source="history"
    )
    ledger.settle("r", "done", {"ok": True})
    ledger.begin_turn()
    return ledger


def test_a_ledger_comes_back_from_its_document_and_its_lines() -> None:
    ledger = busy()
    for text in (ledger.to_json(), ledger.to_json_lines()):
        again = Ledger.from_json(text)
        assert again.to_json() == ledger.to_json()
        assert (again.calls, again.tools, again.turn, again.now) == (ledger.calls, ledger.tools, 3, date(2025, 5, 1))
        assert again.calls_in(2) == ledger.calls_in(2)
    assert Ledger.from_json(ledger.to_json_lines()).to_json_lines() == ledger.to_json_lines()
    assert Ledger.from_json(ledger.to_json().encode()).calls == ledger.calls
    assert Ledger.from_json(json.loads(ledger.to_json())).calls == ledger.calls


def test_a_stream_goes_on_where_it_stopped() -> None:
    ledger = busy()
    at = ledger.version
    start = ledger.to_json_lines()
    ledger.record("refund_card", {}, outcome="refused", reason="limit")
    assert Ledger.from_json(start + ledger.to_json_lines(at)).to_json() == ledger.to_json()


def test_an_open_ledger_stays_open() -> None:
    ledger = Ledger()
    ledger.record("a", {}, outcome="done")
    for text in (ledger.to_json(), ledger.to_json_lines()):
        again = Ledger.from_json(text)
        again.record("b", {}, outcome="done")
        assert [tool.name for tool in again.tools] == ["a", "b"]


def test_a_short_document() -> None:
    ledger = Ledger.from_json(
        {"version": 1, "turn": 2, "calls": [{"tool": "a", "outcome": "done"}], "heard": [{"text": "x"}]}
    )
    assert (ledger.turn, ledger.calls[0].turn, ledger.calls[0].id, ledger.heard) == (2, 2, "call-1", ((2, "x"),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": no JSON: the text is empty"),
        ("{", "line 1, column 2: broken JSON"),
        ('{"version": 1,\n "calls": [}', "line 2, column 12: broken JSON"),
        ("[]", ": a ledger is a mapping"),
        ("{}", ": the key 'version' is missing"),
        ('{"version": 2}', "/version: this reads version 1 of a ledger, not 2"),
        ('{"version": 1, "version": 1}', ": broken JSON: the key 'version' is written twice"),
        ('{"version": 1, "now": NaN}', ": broken JSON: NaN is no JSON"),
        ('{"version": 1, "now": "soon"}', "/now: must be a date"),
        ('{"version": 1, "call": []}', "/call: the key 'call' is not known; did you mean 'calls'?"),
        ('{"version": 1, "calls": {}}', "/calls: must be a list, not {}"),
        ('{"version": 1, "calls": [{"tool": "a"}]}', "/calls/0: the key 'outcome' is missing"),
        (
            '{"version": 1, "calls": [{"tool": "a", "outcome": "doen"}]}',
            "/calls/0/outcome: cannot be 'doen'; did you mean",
        ),
        ('{"version": 1, "turn": true}', "/turn: must be a integer, not True"),
        (
            '{"version": 1, "tools": [{"name": "a"}, {"name": "a"}]}',
            "/tools/1/name: the tool 'a' is listed twice",
        ),
        (
            '{"version": 1, "turn": 1, "calls": [{"tool": "a", "outcome": "done", "turn": 2}]}',
            "/calls/0/turn: is 2, later",
        ),
        (
            '{"version": 1, "heard": [{"text": "a", "turn": 2}, {"text": "b", "turn": 1}]}',
            "/heard/1/turn: cannot be 1 after 2",
        ),
        (
            '{"version": 1, "tools": [{"name": "a"}], "calls": [{"tool": "b", "outcome": "done"}]}',
            "/calls/0/tool: the ledger lists no tool 'b'",
        ),
        ('{"version": 1, "settled": [{"id": "x", "outcome": "done"}]}', "/settled/0/id: there is no call 'x'"),
        (
            '{"event": "tool", "tool": {"name": "a"}}',
            'line 1: the line {"event": "ledger", "version": 1} must come first',
        ),
        ('{"event": "ledger", "version": 1}\n{"event": "cal"}', "line 2 /event: cannot be 'cal'; did you mean 'call'?"),
        ('{"event": "ledger", "version": 1}\n{"event": "turn", "turn": 3}', "line 2 /turn: cannot be 3"),
        ('{"event": "ledger", "version": 1}\n{"event": "heard"', "line 2:18: broken JSON"),
        (
            '{"event": "ledger", "version": 1}\n{"event": "heard", "text": "a", "x": 1}',
            "line 2 /x: the key 'x' is not known",
        ),
    ],
)
def test_a_broken_ledger_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(LedgerError) as caught:
        Ledger.from_json(text)
    assert str(caught.value).startswith(message), str(caught.value)


def test_all_wrong_places_of_a_document_at_once() -> None:
    wrong = {"version": 1, "calls": [{"tool": 3, "outcome": "done"}, {"outcome": "no", "x/y": 1}]}
    with pytest.raises(LedgerError) as caught:
        Ledger.from_json(wrong)
    assert places(caught.value) == ["/calls/0/tool", "/calls/1", "/calls/1/outcome", "/calls/1/x~1y"]


def test_json_that_nests_too_deep_or_has_a_huge_number() -> None:
    for text in ("[" * 200_000, '{"version": ' + "9" * 5_000 + "}"):
        with pytest.raises(LedgerError):
            Ledger.from_json(text)


# The schema and the loader agree

SEMANTIC = (
    "lists no tool", "listed twice", "turns do not go back", "later than", "there is a call", "there is no call",
    "can become", "must be a date or time",
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """The document of a real ledger with one to three of its places changed, removed or renamed."""
    found = json.loads(busy().to_json())
    for _ in range(draw(st.integers(1, 3))):
        node: Any = found
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(node[key], dict | list) and node[key] and draw(st.integers(0, 3)):
                node = node[key]
                continue
            how = draw(st.sampled_from(["remove", "change", "rename"]))
            if how == "remove":
                del node[key]
            elif how == "change":
                node[key] = draw(JSON)
            elif isinstance(node, dict):
                node[draw(st.text(max_size=6))] = node.pop(key)
            break
    return found


@settings(max_examples=200, deadline=None)
@given(mutated())
def test_the_published_schema_and_the_loader_agree(value: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    valid = jsonschema.Draft202012Validator(schema()).is_valid(value)
    assert valid == (not problems(value, schema()))
    said = ""
    try:
        again = json.loads(Ledger.from_json(value).to_json())
        assert jsonschema.Draft202012Validator(schema()).is_valid(again)
    except LedgerError as error:
        said = str(error)
    assert valid == (not said or any(words in said for words in SEMANTIC)), said


def test_the_schema_is_valid_and_describes_every_field() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema())
    assert list(schema()["$defs"]["call"]["properties"]) == list(Call.__slots__)
    assert list(schema()["$defs"]["tool"]["properties"]) == list(Tool.__slots__)
    assert schema()["$defs"]["outcome"]["enum"] == [outcome.value for outcome in Outcome]
    lines = [json.loads(text) for text in busy().to_json_lines().splitlines()]
    for entry in lines:
        part = {"$ref": f"#/$defs/event.{entry['event']}", "$defs": schema()["$defs"]}
        assert jsonschema.Draft202012Validator(part).is_valid(entry)
        assert problems(entry, part) == []


def test_the_ledgers_of_the_shared_cases_load() -> None:
    path = SHARED / "cases" / "reports.jsonl"
    if not path.is_file():
        pytest.skip("the shared material is not here")
    for text in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(text)
        source = {"version": 1, "tools": case["tools"], "turn": case["turn"], "calls": case["ledger"]}
        ledger = Ledger.from_json(source)
        assert [(call.tool, call.turn) for call in ledger.calls] == [
            (one["tool"], one["turn"]) for one in case["ledger"]
        ]


# The table of claims


def test_the_table_of_claims() -> None:
    rows = {
        "done": "y--yyy", "failed": "-y-yyy", "refused": "-y-yyy", "pending_confirmation": "-yyyyy",
        "unknown": "---yyy", "undone": "yy-yyy", "not_attempted": "-y-yyy",
    }  # fmt: skip
    for outcome in Outcome:
        assert "".join("y" if allows(outcome, claim) else "-" for claim in Claim) == rows[outcome]
    lines = table().splitlines()
    assert lines[0] == "| outcome | meaning | says done | says not done | promises | asks | says unknown | mentions |"
    assert lines[4] == "| `refused` | a check refused it; nothing ran | – | yes | – | yes | yes | yes |"
