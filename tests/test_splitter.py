"""Sentences tile the reply, are cut where a reader would cut them, and know what introduces them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import data
from verifier.model import Sentence
from verifier.splitter import split

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
MARKDOWN = st.lists(
    st.sampled_from(
        ["Done. ", "I cancelled 4411",
         ". ", "\n", "\r\n", "- ", "1. ", "> ", "| a | b |", "|---|---|", "**", "`", "```",
         "# ", "{", '"a": 1', "}", "✅ ", "👍 ", "Dr. ", "\u2028", "\u200f", "  ", "\t", "não", "e.g. ", "?!", "…", "”"]
    )
    | st.text(max_size=3),
    max_size=40,
).map("".join)  # fmt: skip


def bodies(reply: str, language: str = "en") -> list[str]:
    return [reply[s.body_start : s.body_end] for s in split(reply, language)]


def shape(reply: str) -> list[tuple[str, int, int]]:
    return [(s.kind, s.lead, s.depth) for s in split(reply)]


def assert_tiles(reply: str, sentences: tuple[Sentence, ...]) -> None:
    assert "".join(reply[s.start : s.end] for s in sentences) == reply
    for index, sentence in enumerate(sentences):
        assert sentence.start <= sentence.body_start <= sentence.body_end <= sentence.end
        assert -1 <= sentence.lead < index


@given(MARKDOWN | st.text(max_size=200))
def test_sentences_tile_any_text(reply: str) -> None:
    assert_tiles(reply, split(reply))
    assert_tiles(reply, split(reply, "pt-BR"))


def test_an_empty_reply_has_no_sentence_and_a_white_one_is_blank() -> None:
    assert split("") == ()
    assert [s.kind for s in split(" \n ")] == ["blank"]


def test_white_space_around_a_reply_is_kept() -> None:
    reply = "\n\n  Hi there. All done.  \n"

    assert bodies(reply) == ["Hi there.", "All done."]
    assert_tiles(reply, split(reply))


@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_examples_of_the_data_files_are_cut_as_they_say(language: str) -> None:
    node = data.load(data.folder("grammars") / f"splitting.{language}.yaml")
    examples = node["examples"]

    assert isinstance(examples, data.YamlList)
    for example in examples:
        assert isinstance(example, data.YamlMap)
        says = str(example["says"])
        assert len(split(says, language)) == int(str(example["splits"])), f"{data.where(example)} {bodies(says)}"


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(data.DataError, match="pt-PT"):
        split("Olá.", "pt-PT")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Got it 👍 Your call is next.", ["Got it 👍", "Your call is next."]),
        ("Done! 🎉 Your order is in.", ["Done! 🎉", "Your order is in."]),
        ("Logged ✔️ The note is saved", ["Logged ✔️", "The note is saved"]),
        ("Chicago → Seattle is booked.", ["Chicago → Seattle is booked."]),
        ("It is now “cancelled.” Anything else?", ["It is now “cancelled.”", "Anything else?"]),
        ('She said "Stop." and left.', ['She said "Stop." and left.']),
        ("**Done.** Next step: pay.", ["**Done.**", "Next step: pay."]),
        ("It went… and then it came. Really?! Yes", ["It went… and then it came.", "Really?!", "Yes"]),
        ("Mail a.b@c.example. See https://x.example/a?b=1. Ok",
         ["Mail a.b@c.example.", "See https://x.example/a?b=1.", "Ok"]),
        ("It is 10:00. Please pay 12.50. Thanks.", ["It is 10:00.", "Please pay 12.50.", "Thanks."]),
        ("1. Cancelled it. Refunded it.\n2. Kept it.", ["Cancelled it.", "Refunded it.", "Kept it."]),
        ("Choose: 1. Cancel it. 2. Keep it.", ["Choose: 1. Cancel it.", "2. Keep it."]),
        ("**Status:** cancelled. It is off.", ["**Status:** cancelled.", "It is off."]),
        ("You sit with 1:1 Lena today.\u2028Bye.", ["You sit with 1:1 Lena today.", "Bye."]),
        ("¿Listo? ¡Sí! Está hecho.", ["¿Listo?", "¡Sí!", "Está hecho."]),
        ("see below. it is done", ["see below.", "it is done"]),
    ],
)  # fmt: skip
def test_a_line_is_cut_where_sentences_end(reply: str, expected: list[str]) -> None:
    assert expected == bodies(reply)


def test_a_bold_mark_whose_other_half_is_elsewhere_is_not_in_a_body() -> None:
    assert bodies("**I cancelled it. All is well.** Bye") == ["I cancelled it.", "All is well.", "Bye"]


def test_list_items_follow_their_lead_in_and_their_parent() -> None:
    reply = "What I did:\n\n1. **Order 1**:\n   - cancelled\n\n   - refunded\n2. **Order 2**\n   It was kept.\n\nBye."

    assert shape(reply) == [
        ("prose", -1, 0),
        ("item", 0, 0),
        ("item", 1, 1),
        ("item", 1, 1),
        ("item", 0, 0),
        ("prose", 4, 0),
        ("prose", -1, 0),
    ]
    assert bodies(reply)[1:4] == ["**Order 1**:", "cancelled", "refunded"]


def test_a_list_with_another_mark_belongs_to_the_item_that_announces_it() -> None:
    assert shape("1. Refund:\n- a\n- b\n2. Cancel:\n- c") == [
        ("item", -1, 0),
        ("item", 0, 1),
        ("item", 0, 1),
        ("item", -1, 0),
        ("item", 3, 1),
    ]


@pytest.mark.parametrize("mark", ["-", "*", "•", "1.", "2)", "a)", "(3)", "1️⃣", "👉", "–"])
def test_a_list_mark_is_not_in_the_body(mark: str) -> None:
    assert bodies(f"Did:\n{mark} cancelled it") == ["Did:", "cancelled it"]


@pytest.mark.parametrize("sign", ["✅", "❌", "[x]", "[ ]"])
def test_a_check_mark_stays_in_the_body(sign: str) -> None:
    assert bodies(f"{sign} Refund issued") == [f"{sign} Refund issued"]
    assert bodies(f"- {sign} Refund issued") == [f"{sign} Refund issued"]


def test_headings_introduce_the_lines_under_them() -> None:
    reply = "## Refund\nIt is on its way.\n\n**Next steps**\nWait.\n\nExchange summary\n- Item: lamp"

    assert shape(reply) == [
        ("heading", -1, 0),
        ("prose", 0, 0),
        ("heading", -1, 0),
        ("prose", 2, 0),
        ("heading", -1, 0),
        ("item", 4, 0),
    ]


def test_a_line_that_states_something_is_no_heading() -> None:
    assert [s.kind for s in split("I cancelled these orders\n- 4411")] == ["prose", "item"]
    assert [s.kind for s in split("**I cancelled it.**\nOk")] == ["prose", "prose"]
    assert [s.kind for s in split("I cancelled it.\n---\nOk")] == ["prose", "blank", "prose"]


@pytest.mark.parametrize("bar", ["|", ""])
def test_rows_follow_the_head_of_their_table(bar: str) -> None:
    reply = f"Orders:\n{bar}Order | Status{bar}\n{bar}---|---{bar}\n{bar}4411 | done. Sent{bar}\nBye"

    assert shape(reply)[:4] == [("heading", -1, 0), ("row", 0, 0), ("blank", -1, 0), ("row", 1, 0)]
    assert bodies(reply) == ["Orders:", "Order | Status", bodies(reply)[2], "4411 | done. Sent", "Bye"]


def test_code_is_one_sentence_and_a_json_body_is_read_line_by_line() -> None:
    assert bodies("Run:\n```sh\nls. Done.\n\nrm x\n```\nOk.") == ["Run:", "```sh\nls. Done.\n\nrm x\n```", "Ok."]
    assert [s.kind for s in split('Sent:\n{"a": 1,\n "b": 2}\nOk.')] == ["heading", "code", "prose"]
    assert {s.kind for s in split('{\n "a": "Done. Sent."\n}')} == {"code"}
    assert [s.kind for s in split("Run:\n\n    x = go(1)\n    y = 2\n\nOk.")] == ["heading", "code", "prose"]
    assert [s.kind for s in split("\n    I cancelled it.\n")] == ["prose"]


def test_quotes_and_carriage_returns() -> None:
    reply = "> You wrote. I read.\r\n> - all of it\r\n"

    assert bodies(reply) == ["You wrote.", "I read.", "all of it"]
    assert_tiles(reply, split(reply))


def test_a_line_wrapped_for_width_goes_on_below() -> None:
    wrapped = "I have cancelled the order that you placed on the first\nof May. It is gone."
    phone = "cancelei o pedido que vc fez no primeiro dia do mes de maio\nele nao existe mais"

    assert len(split(wrapped)) == 2
    assert len(split(phone, "pt-BR")) == 2


@pytest.mark.parametrize(
    "piece",
    ["a. ", "Dr. ", "- a\n", "  - a\n",
     "|a\n", "> \n", "```\n", "{\n", '{"a":\n', "👍 a ", "✅ a ", "**a. ", "a\n", "\r", "!?", ". . "],
)  # fmt: skip
def test_hostile_texts_tile(piece: str) -> None:
    reply = piece * (20_000 // len(piece))

    assert_tiles(reply, split(reply))


def _trimmed(reply: str, start: int, end: int) -> tuple[int, int]:
    marks = " \t\r\n*_`~#>|\u200e\u200f\xa0"
    while start < end and reply[start] in marks:
        start += 1
    while end > start and reply[end - 1] in marks:
        end -= 1
    return start, end


@pytest.mark.parametrize("name", ["trades/en.jsonl", "trades/pt-BR.jsonl", "pt/replies.jsonl"])
def test_sentences_are_those_that_people_marked(name: str) -> None:
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"{name} is not at hand")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    marked = met = 0
    for row in rows:
        reply = row["reply"]
        ours = {_trimmed(reply, s.body_start, s.body_end) for s in split(reply, row["language"])}
        theirs = {_trimmed(reply, s["start"], s["end"]) for s in row["sentences"]}
        marked += len(theirs)
        met += len(theirs & ours)

    assert met / marked >= 0.98
