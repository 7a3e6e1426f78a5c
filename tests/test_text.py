"""Tokens: what they are, where they stand, and that any text can be read with bounded effort."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import text
from verifier.text import fold, tokenize


def keys(reply: str, language: str = "en") -> list[str]:
    return tokenize(reply, language).key


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(["a-b", "'s", "**", "=", "é", "👍🏽", "(", "a.b@c.d", " "])).map("".join)
)
def test_tokens_stand_where_they_say_and_do_not_overlap(reply: str) -> None:
    for language in ("en", "pt-BR"):
        tokens = tokenize(reply, language)
        ends = [0, *tokens.end]
        for written, start, end, before in zip(tokens.text, tokens.start, tokens.end, ends, strict=False):
            assert before <= start < end <= len(reply)
            assert text._UNPAIRED.sub("\ufffd", reply[start:end]) == written


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("I’ve cancelled it.", ["i", "'ve", "cancelled", "it", "."]),
        ("It isn’t, CAN'T be; won't.", ["it", "is", "n't", ",", "can", "n't", "be", ";", "will", "n't", "."]),
        ("Couldnt Ive cannot", ["could", "n't", "i", "'ve", "can", "not"]),
        ("its id is due Wed.", ["its", "id", "is", "due", "wed", "."]),
        ("Lena's order'll", ["lena", "'s", "order", "'ll"]),
        ("**not** done, `cancelled` __it__ <b>now</b>", ["not", "done", ",", "cancelled", "it", "now"]),
        ("#W123 (RX-301) auto_19 light.den.", ["#w123", "(", "rx-301", ")", "auto_19", "light.den", "."]),
        ("Mail a.b@c.example!", ["mail", "a.b@c.example", "!"]),
        ("https://x.example/a?b=1.", ["https://x.example/a?b=1", "."]),
        ("$12.50, 50% at 9:20 a.m.", ["$", "12.50", ",", "50", "%", "at", "9:20", "a.m."]),
        ("✔️Done ❌ no [x] yes 👍", ["✅", "done", "❌", "no", "✅", "yes", "👍"]),
        ("cancelled/refunded check-in", ["cancelled", "/", "refunded", "check", "-", "in"]),
        ("Dr. A. Lehto left the U.S. today.", ["dr.", "a.", "lehto", "left", "the", "u.s.", "today", "."]),
    ],
)  # fmt: skip
def test_english_words(reply: str, expected: list[str]) -> None:
    assert expected == keys(reply)


def test_portuguese_words() -> None:
    assert keys("Não, já cancelei-o; vou cancelá-lo.", "pt-BR") == [
        "nao", ",", "ja", "cancelei", "-o", ";", "vou", "cancelar", "-lo", ".",
    ]  # fmt: skip
    assert keys("R$ 1.234,56 às 15h30 do Sr. Silva", "pt") == ["r$", "1.234,56", "as", "15h30", "do", "sr.", "silva"]


def test_a_key_has_no_case_accent_or_curly_quote() -> None:
    assert fold("Não") == fold("na\u0303o") == "nao"
    assert fold("n’t") == "n't"
    assert fold("İ") == "i"


def test_text_that_spacy_refuses_is_read() -> None:
    tokens = tokenize("a\ud800-b c\x00d")

    assert tokens.start[0] == 0
    assert tokens.end[-1] == 8


@pytest.mark.parametrize("mark", [*"=(*_\"'#!:$-.|`~", "👍", "\u0301", "!?", "a.", "'s", "a-", "(a", "1,", "<b>"])
def test_runs_of_marks_are_read_piece_by_piece(mark: str) -> None:
    tokens = tokenize(mark * (20_000 // len(mark)) + " end")

    assert tokens.key[-1] == "end"


def test_spacy_is_never_shown_a_long_run(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(text, "_sizes", lambda piece, language: shown.append(piece) or [len(piece)])

    tokenize("x" + "&^" * 3_000 + "y" + "a|b" * 3_000)

    assert shown
    assert max(map(len, shown)) <= text.MAX_PIECE


def test_what_is_remembered_is_bounded() -> None:
    for number in range(3 * text.MAX_KNOWN // 10):
        tokenize(" ".join(f"q{number}z{other}" for other in range(10)))
    known = text._known_pieces("en")

    assert len(known) <= text.MAX_KNOWN
    assert len(known.old) <= text.MAX_KNOWN


def test_threads_do_not_disturb_each_other() -> None:
    replies = [f"I've re-sent W{n}-x{n}/y and cancelled/refunded order-{n}." for n in range(400)]
    expected = [keys(reply) for reply in replies]
    text._known_pieces.cache_clear()
    found: dict[int, list[list[str]]] = {}

    def work(number: int) -> None:
        found[number] = [keys(reply) for reply in replies]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [found[number] for number in range(4)] == [expected] * 4
