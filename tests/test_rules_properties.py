"""Whatever the reply and the repairs: rules applied twice are rules applied once, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier import Ledger, Tool, verify
from verifier.model import Edit
from verifier.rules import apply, load
from verifier.rules.composition import Origins, compose
from verifier.rules.letters import fold_text
from verifier.rules.phrases import find, index_of, parse_phrase
from verifier.splice import splice
from verifier.splitter import split

BANNED = ("guaranteed", "risk free", "best price", "promoção")
RULES: list[dict[str, Any]] = [
    {"id": "masked", "kind": "banned", "languages": "any", "action": "mask", "phrases": ["guaranteed"]},
    {"id": "removed", "kind": "banned", "languages": "any", "action": "remove", "phrases": ["risk free"]},
    {
        "id": "replaced",
        "kind": "banned",
        "languages": "any",
        "action": "replace",
        "text": "our price",
        "phrases": ["best price"],
    },
    {
        "id": "appended",
        "kind": "banned",
        "languages": "any",
        "action": "append",
        "text": "Terms apply.",
        "phrases": ["deal"],
    },
    {
        "id": "required",
        "kind": "required",
        "languages": "any",
        "action": "append",
        "text": "Ask us.",
        "when": {"topics": ["price"]},
    },
    {
        "id": "blocked",
        "kind": "banned",
        "languages": "any",
        "action": "block",
        "text": "I cannot say that.",
        "phrases": ["secret"],
    },
]
ALL = load({"defaults": True, "rules": RULES})
FRAGMENTS = (
    "It is guaranteed.",
    "Risk free!",
    "- the best price\n",
    "- g u a r a n t e e d\n",
    "# Title\n\n",
    "Also, risk-free.",
    "Write to ana@example.com",
    "**4111 1111 1111 1111**",
    "`529.982.247-25`",
    "| a | b |\n|---|---|\n| risk free | c |\n",
    "```\nrisk free\n```\n",
    "[x](mailto:a@b.co)",
    "Call +1 201-555-0123.",
    "203.0.113.42",
    "\n\n",
    " ",
    "1. ",
    "> ",
    "GB29 NWBK 6016 1331 9268 19",
    "I can offer you a discount.",
    "Here is why:\n",
    "It ships today.",
    "a good deal",
    "“",
    "**",
    "é",
    "\u200b",
    "\r\n",
    "the price",
    "•••",
    "ok",
)
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=9).map("".join)
any_text = st.one_of(
    texts,
    st.text(max_size=60),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=8)), max_size=8).map("".join),
)


@st.composite
def edits_of(draw: Callable[..., Any], text: str, kind: str = "replace") -> tuple[Edit, ...]:
    """Some edits of a text that do not overlap, at most one at a place."""
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    made = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        made.append(Edit(start, end, draw(st.sampled_from(("", "x", "It is done.", "risk free"))), kind))
    return tuple(made)


@given(st.data(), st.text(alphabet="abc .\n", max_size=20))
def test_composed_edits_do_what_both_do(data: st.DataObject, reply: str) -> None:
    edits = data.draw(edits_of(reply))
    text = splice(reply, edits)
    more = data.draw(edits_of(text, "mask"))

    made = compose(reply, edits, text, more)

    assert splice(reply, made) == splice(text, more)
    assert all(a.end <= b.start for a, b in pairwise(made))
    low, high = Origins(reply, edits).span(0, len(text))
    assert 0 <= low <= high <= len(reply)


@given(any_text)
def test_applying_the_rules_twice_is_applying_them_once(reply: str) -> None:
    once = splice(reply, apply(reply, (), split(reply), Ledger(), ALL).edits)
    again = apply(once, (), split(once), Ledger(), ALL)

    assert splice(once, again.edits) == once


@given(st.data(), texts)
def test_rules_over_repairs_are_folded_in_and_stable(data: st.DataObject, reply: str) -> None:
    repairs = data.draw(edits_of(reply))
    applied = apply(reply, repairs, split(reply), Ledger(), ALL)
    text = splice(reply, applied.edits)

    assert splice(text, apply(text, (), split(text), Ledger(), ALL).edits) == text
    for repair in repairs:  # what a repair took out of the reply does not come back
        if repair.end > repair.start:
            assert any(edit.start <= repair.start and repair.end <= edit.end for edit in applied.edits)


@given(any_text)
def test_only_the_reported_spans_change(reply: str) -> None:
    applied = apply(reply, (), split(reply), Ledger(), ALL)
    text, at = splice(reply, applied.edits), 0
    kept_to = 0
    for edit in applied.edits:
        same = reply[kept_to : edit.start]
        assert text[at : at + len(same)] == same
        at += len(same) + len(edit.text)
        kept_to = edit.end
    assert text[at:] == reply[kept_to:]


@given(any_text)
def test_a_reply_with_words_is_never_emptied(reply: str) -> None:
    text = splice(reply, apply(reply, (), split(reply), Ledger(), ALL).edits)

    assert not any(map(str.isalnum, reply)) or text.strip()


ASCII_FULL = str.maketrans({chr(n): chr(n + 0xFEE0) for n in range(0x21, 0x7F)})
CYRILLIC = str.maketrans("aeopcxy", "аеорсху")
DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "capitals": str.upper,
    "title": str.title,
    "accents": lambda word: "".join(char + "\u0301" for char in word),
    "zero width": lambda word: "\u200b".join(word),
    "joiner": lambda word: "\u2060".join(word),
    "soft hyphen": lambda word: "\u00ad".join(word),
    "fullwidth": lambda word: word.translate(ASCII_FULL),
    "look-alikes": lambda word: word.translate(CYRILLIC),
    "digits": lambda word: word.replace("e", "3").replace("a", "4").replace("i", "1"),
    "spaced": lambda word: " ".join(word.replace(" ", "")),
    "hyphens": lambda word: "-".join(word.replace(" ", "")),
    "dots": lambda word: ".".join(word.replace(" ", "")),
    "underscores": lambda word: "_".join(word.replace(" ", "")),
    "thin spaces": lambda word: "\u2009".join(word.replace(" ", "")),
    "wide gaps": lambda word: word.replace(" ", " \u00a0 "),
    "emphasis": lambda word: f"**{word}**",
}


@pytest.mark.parametrize("first", DISGUISES)
@pytest.mark.parametrize("phrase", BANNED)
@settings(max_examples=20)
@given(
    st.sampled_from(sorted(DISGUISES)), st.sampled_from(("{}", "It is {}, yes.", "- {}\n- ok", "“{}”!", "x {} y {} z"))
)
def test_no_banned_phrase_survives_a_disguise(phrase: str, first: str, second: str, frame: str) -> None:
    rule = {"id": "b", "kind": "banned", "languages": "any", "action": "mask", "phrases": [phrase]}
    hidden = DISGUISES[first](phrase)
    reply = frame.replace(
        "{}", DISGUISES[second](hidden) if second in ("plain", "capitals", "emphasis", "zero width") else hidden
    )

    text = splice(reply, apply(reply, (), split(reply), Ledger(), load([rule])).edits)

    assert "•••" in text
    assert not find(fold_text(text), index_of([parse_phrase(phrase)]))


@pytest.mark.parametrize("action", ["mask", "remove", "replace", "block"])
@pytest.mark.parametrize("phrase", ["not done", "refund card", "done", "not", "card"])
def test_rules_never_undo_a_truth_repair(action: str, phrase: str) -> None:
    ledger = Ledger(tools=[Tool("refund_card", write=True), Tool("cancel_order", write=True)])
    ledger.record("cancel_order", {"order_id": "4411"}, outcome="done")
    rule = {"id": "b", "kind": "banned", "languages": "any", "action": action, "text": "gladly", "phrases": [phrase]}
    reply = "Hello. I've refunded your card. Bye."
    verdict = verify(reply, ledger, rules=[rule])

    assert "refunded your card" not in verdict.text
    assert "4411" in verdict.text, "the omitted write is told all the same"
    assert "gladly" not in verdict.text or action == "block"
    assert verify(verdict.text, ledger, rules=[rule]).text == verdict.text


def test_a_write_whose_sentence_a_rule_removed_is_told() -> None:
    ledger = Ledger(tools=[Tool("cancel_order", write=True)])
    ledger.record("cancel_order", {"order_id": "4411"}, outcome="done")
    for action, expected in (
        ("remove", "Bye. Done: cancel order with order id 4411."),
        ("block", "No. Done: cancel order with order id 4411."),
    ):
        rule = {
            "id": "b",
            "kind": "banned",
            "languages": "any",
            "action": action,
            "text": "No.",
            "phrases": ["trust me"],
        }
        verdict = verify("Trust me, I've cancelled order 4411. Bye.", ledger, rules=[rule])

        assert verdict.text == expected
        assert [call.tool for call in verdict.appended] == ["cancel_order"]
        assert verify(verdict.text, ledger, rules=[rule]).text == expected
