"""Phrasings: the defaults of the contract, a user's file, slots, neutral values, and what is said of a wrong file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.data import DataError, YamlMap, folder, load
from verifier.ledger import Call, Ledger, Tool
from verifier.model import Outcome
from verifier.phrasing import Phrasings
from verifier.verify import verify
from verifier.wording import in_words, name_in_words, neutral, number_in_words

LANGUAGES = ["en", "pt-BR"]
EN = Phrasings.load("en")
PT = Phrasings.load("pt-BR")
SHOP = """\
# How a reply tells each write's outcome, in the shop's words. An outcome not listed takes the default.
refund_card:
  done: "Refunded {argument.amount} pounds for order {argument.order_id}."
  refused: "I couldn't refund order {argument.order_id}{because}."
"""


def call(outcome: str = "done", tool: str = "refund_card", **fields: Any) -> Call:
    return Call(tool, fields.pop("arguments", {}), Outcome(outcome), **fields)


def of_file(tmp_path: Path, text: str) -> Phrasings:
    file = tmp_path / "phrasings.yaml"
    file.write_text(text, encoding="utf-8")
    return Phrasings.load("en", file)


def examples() -> list[Any]:
    found = []
    for language in LANGUAGES:
        said = load(folder("phrasings") / f"{language}.yaml")["phrasings"]
        assert isinstance(said, YamlMap)
        for outcome, entry in said.items():
            assert isinstance(entry, YamlMap)
            for example in entry["examples"]:
                assert isinstance(example, YamlMap)
                case = f"{language}.yaml:{example.line} {outcome}"
                found.append(pytest.param(language, outcome, example, id=case))
    return found


@pytest.mark.parametrize(("language", "outcome", "example"), examples())
def test_each_default_says_what_its_example_gives(language: str, outcome: str, example: Any) -> None:
    told = dict(example["with"])
    for key in ("arguments", "result"):
        if key in told:
            told[key] = json.loads(told[key])

    assert example["gives"] == Phrasings.load(language).say(call(outcome, **told))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_outcome_has_an_example(language: str) -> None:
    assert {param.values[1] for param in examples() if param.values[0] == language} == set(Outcome)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_both_languages_use_the_same_slots(outcome: Outcome) -> None:
    slots = [[part for part in one.defaults[outcome].parts if isinstance(part, tuple)] for one in (EN, PT)]

    assert slots[0] == slots[1]


def test_the_default_with_numbers_as_the_contract_prints_it() -> None:
    made = call(arguments={"order_id": "4412", "amount": 12.50})

    assert EN.say(made) == "Done: refund card with order id 4412 and amount 12.5."
    assert PT.say(made) == "Feito: refund card com order id 4412 e amount 12,5."
    assert Phrasings.load("pt").say(made) == PT.say(made)


def test_a_tool_never_called() -> None:
    assert EN.say_not_attempted("refund_card") == "Not done: refund card."
    assert PT.say_not_attempted("refund_card") == "Não foi feito: refund card."


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="pt-PT"):
        Phrasings.load("pt-PT")


# A user's own file ---------------------------------------------------------------------------------------------------


def test_the_shops_file_loads_as_it_stands(tmp_path: Path) -> None:
    shop = of_file(tmp_path, SHOP)
    arguments = {"order_id": "4412", "amount": 12.5}

    assert shop.say(call(arguments=arguments)) == "Refunded 12.5 pounds for order 4412."
    refused = call("refused", arguments={"order_id": "4412", "amount": "all"}, reason="argument_schema")
    assert shop.say(refused) == "I couldn't refund order 4412: argument_schema."
    assert shop.say(call("not_attempted")) == "Not done: refund card."
    assert shop.say(call(tool="cancel_order")) == "Done: cancel order."


def test_a_mapping_counts_as_a_file() -> None:
    shop = Phrasings.load("en", {"refund_card": {"done": "Refunded {result.refund.amount} ({result.ids.1})."}})

    assert shop.say(call(result={"refund": {"amount": 3.0}, "ids": ["a", "b"]})) == "Refunded 3 (b)."
    assert shop.words_outcome("refund_card", Outcome.DONE)
    assert not shop.words_outcome("refund_card", Outcome.FAILED)


def test_where_a_named_value_was_not_recorded_the_default_speaks() -> None:
    shop = Phrasings.load("en", {"t": {"done": "Paid {argument.amount}.", "failed": "Why: {reason}."}})

    assert shop.say(call(tool="t", arguments={"amount": None})) == "Done: t."
    assert shop.say(call("failed", tool="t")) == "Not done: t."
    assert shop.say(call("failed", tool="t", reason="no funds")) == "Why: no funds."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('refund_card:\n  done: "Refunded {argumnt.amount}."\n', "phrasings.yaml:2:19: refund_card.done: the slot"),
        ('refund_card:\n  done: "Refunded {argumnt.amount}."\n', "did you mean '{argument.NAME}'"),
        ('refund_card:\n  done: "Hi. {Acton}."\n', "did you mean '{Action}'"),
        ("refund_card:\n  done: Refunded {argument}.\n", "phrasings.yaml:2:18: refund_card.done"),
        ('refund_card:\n  dnoe: "Refunded."\n', "phrasings.yaml:2:3: refund_card: the outcome 'dnoe' is not known"),
        ('refund_card:\n  dnoe: "Refunded."\n', "did you mean 'done'"),
        ('refund_card: "Refunded."\n', "phrasings.yaml:1:1"),
        ("refund_card:\n  done: [Refunded]\n", "phrasings.yaml:2:9"),
        ('refund_card:\n  done: "Refunded {action"\n', "phrasings.yaml:2:19: refund_card.done: the '{' has no partner"),
        ('refund_card:\n  done: "a"\n  done: "b"\n', "written twice"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        of_file(tmp_path, text)

    assert message in str(error.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        of_file(tmp_path, 'a:\n  done: "{x} {y}"\n  dnoe: "z"\n')

    assert len(error.value.problems) == 3


def test_braces_can_be_written_plainly() -> None:
    assert Phrasings.load("en", {"t": {"done": "{{x}} {action}"}}).say(call(tool="t")) == "{x} t"


# Values --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "english", "portuguese"),
    [
        ({"a": 1234.5}, " with a 1234.5", " com a 1234,5"),
        ({"a": True, "b": False}, " with a yes and b no", " com a sim e b não"),
        ({"a": 1, "b": 2, "c": 3}, " with a 1, b 2 and c 3", " com a 1, b 2 e c 3"),
        ({"a": ["x"], "b": [1, 2, 3]}, " with a 1 item and b 3 items", " com a 1 item e b 3 itens"),
        ({"a": None, "b": ""}, "", ""),
        ({"to": {"street": "Elm 4", "zip": None, "n": 2.0}}, " with to street Elm 4, n 2", " com to street Elm 4, n 2"),
    ],
)
def test_arguments_are_told_in_words(arguments: dict[str, Any], english: str, portuguese: str) -> None:
    assert EN.say(call(tool="t", arguments=arguments)) == f"Done: t{english}."
    assert PT.say(call(tool="t", arguments=arguments)) == f"Feito: t{portuguese}."


@pytest.mark.parametrize(
    ("number", "told"),
    [(12.50, "12.5"), (100.0, "100"), (100, "100"), (-0.0, "0"), (1e22, "1" + "0" * 22), (1e-7, "0.0000001")],
)
def test_numbers_are_shortest(number: float, told: str) -> None:
    assert told == number_in_words(number)


def test_a_huge_number_stays_short() -> None:
    assert number_in_words(10**5000) == "1.000000e+5000"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("refund_card", "refund card"),
        ("light.turn_on", "light turn on"),
        ("calendar__list_events", "calendar list events"),
        ("cancelAppointment", "cancel appointment"),
        ("HTTPRequest", "HTTP request"),
        ("sendSMSMessage", "send SMS message"),
        ("getOrderIDs", "get order IDs"),
        ("REFUND_CARD", "refund card"),
        ("server/tool-name", "server tool name"),
        ("criarÁlbum", "criar álbum"),
    ],
)
def test_a_tools_name_in_words(name: str, words: str) -> None:
    assert words == name_in_words(name)


def test_the_action_can_open_a_sentence() -> None:
    assert Phrasings.load("en", {"refund_card": {"done": "{Action} done."}}).say(call()) == "Refund card done."


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("**x** [a](http://evil)", "∗∗x∗∗ (a)(http://evil)"),
        ("<script>alert(1)</script>", "‹script›alert(1)‹/script›"),
        ("one\r\ntwo\u2028three\tfour\x00five", "one two three fourfive"),
        ("a\u202eb\u200bc\U000e0041d", "abcd"),
        ("`x` ~~y~~ | z", "'x' ∼∼y∼∼ ¦ z"),
        ("order_id __x__ _y_", "order_id ˍˍxˍˍ ˍyˍ"),
        ("C:\\temp\\_x", "C:\\temp∖ˍx"),
        ("\ud800x", "\ufffdx"),
        ("#4412", "#4412"),
        ("ana@example.com", "ana@example.com"),
        ("R$ 1.234,56", "R$ 1.234,56"),
        ("x" * 200, "x" * 79 + "…"),
    ],
)
def test_a_value_is_neutral(value: str, told: str) -> None:
    assert told == neutral(value)


def test_a_value_is_never_expanded_twice() -> None:
    made = call("failed", reason="{reason} {{x}} {argument.amount}", arguments={"amount": "{with}"})

    assert EN.say(made) == "Not done: refund card: {reason} {{x}} {argument.amount}."
    assert EN.say(call(arguments={"amount": "{with}"})) == "Done: refund card with amount {with}."


def test_a_value_that_holds_a_sentence_is_quoted() -> None:
    made = call(tool="send", arguments={"text": "Hello. Your card was refunded."})

    assert EN.say(made) == "Done: send with text “Hello. Your card was refunded.”."


def test_secrets_are_left_out() -> None:
    arguments = {"session_token": "98a5", "password": "x", "apiKey": "y", "tokens": 3, "secretary": "Ann", "to": "Why?"}

    assert EN.say(call(tool="t", arguments=arguments)) == "Done: t with tokens 3, secretary Ann and to “Why?”."


def test_a_reason_that_ends_a_sentence_does_not_end_it_twice() -> None:
    assert EN.say(call("failed", reason="Card expired.")) == "Not done: refund card: Card expired."


@pytest.mark.parametrize("value", ["# title", "- item", "1. item", "---", "===", "+ x"])
def test_a_value_at_the_start_makes_no_block(value: str) -> None:
    shop = Phrasings.load("en", {"t": {"done": "{argument.x} was set."}})

    assert shop.say(call(tool="t", arguments={"x": value})) == f"“{value}” was set."


@given(st.text())
def test_no_value_brings_markup_or_a_line_break(value: str) -> None:
    told = in_words(value, EN.words)

    assert len(told) <= 80
    assert not set(told) & set("*`~[]<>|\n\r\x00\u2028\u2029\u202e\u200b")
    assert told == neutral(told)


# Read back -----------------------------------------------------------------------------------------------------------

TOOLS: list[tuple[str, dict[str, Any]]] = [
    ("refund_card", {"order_id": "4412", "amount": 12.5}),
    ("cancel_order", {"order_id": "#W12"}),
    ("send_message", {"to": "ana@example.com", "text": "Hi. I refunded it."}),
    ("bookRoom", {"date": "2026-05-20", "guests": ["Ana", "Rui"]}),
    ("create_event", {"title": "Failed payments", "start": "2026-10-03T09:00"}),
    ("update_address", {"zip": "04576-000", "note": None, "main": False}),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize(("tool", "arguments"), TOOLS, ids=[name for name, _ in TOOLS])
def test_each_default_read_back_is_allowed_by_its_outcome(
    language: str, outcome: Outcome, tool: str, arguments: dict[str, Any]
) -> None:
    if not (folder("grammars") / f"{language}.yaml").is_file():
        pytest.skip("this language is not read yet")
    ledger = Ledger(tools=[Tool(tool, write=True), Tool("get_order", write=False)])
    made = ledger.record(tool, arguments, outcome=outcome, reason="card expired" if outcome == "failed" else "")
    said = Phrasings.load(language).say(made)

    verdict = verify(said, ledger, language=language)

    assert verdict.text is said
    clauses = [clause for sentence in verdict.sentences for clause in sentence.clauses if clause.tool == tool]
    assert all(clause.true for clause in clauses if ". " not in said), verdict.explain()
