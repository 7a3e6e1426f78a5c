"""Banned phrases: whole words of any script, seen through disguises; exceptions, and an action for each."""

from __future__ import annotations

from typing import Any

import pytest

from verifier import Ledger
from verifier.rules import apply, load
from verifier.splice import splice
from verifier.splitter import split


def ruled(reply: str, *phrases: Any, language: str = "en", **rule: Any) -> str:
    """The reply after one rule about banned phrases."""
    rule = {"id": "b", "kind": "banned", "languages": "any", "action": "mask", "phrases": list(phrases), **rule}
    applied = apply(reply, (), split(reply, language), Ledger(), load([rule]), language=language)
    return splice(reply, applied.edits)


@pytest.mark.parametrize(
    "disguised",
    [
        "guaranteed",
        "GUARANTEED",
        "Guaranteed",
        "guarantéed",
        "ｇｕａｒａｎｔｅｅｄ",
        "𝐠𝐮𝐚𝐫𝐚𝐧𝐭𝐞𝐞𝐝",
        "ⓖⓤⓐⓡⓐⓝⓣⓔⓔⓓ",
        "gu\u200baran\u200dteed",
        "gua\u00adranteed",
        "g\u2060uaranteed",
        "guarant\ufeffeed",
        "guаrаntееd",
        "gυαrαntεεd",
        "gu4r4nt33d",
        "gu@r@nteed",
        "g u a r a n t e e d",
        "g-u-a-r-a-n-t-e-e-d",
        "g.u.a.r.a.n.t.e.e.d",
        "g_u_a_r_a_n_t_e_e_d",
        "g  u  a  r  a  n  t  e  e  d",
        "g\u00a0u\u00a0a\u00a0r\u00a0a\u00a0n\u00a0t\u00a0e\u00a0e\u00a0d",
        "**g**uaranteed",
        "ɢᴜᴀʀᴀɴᴛᴇᴇᴅ",
        "🇬🇺🇦🇷🇦🇳🇹🇪🇪🇩",
        "g̲u̲a̲r̲a̲n̲t̲e̲e̲d̲",
        "g\u034fuaranteed",
        "🅶🆄🅰🆁🅰🅽🆃🅴🅴🅳",
    ],
)
def test_no_disguise_hides_a_word(disguised: str) -> None:
    assert ruled(f"It is {disguised} to work.", "guaranteed") == "It is ••• to work."


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("гарантия", "Это полная ГАРАНТИЯ качества.", "Это полная ••• качества."),
        ("مضمون", "هذا مَضْمُون تمامًا.", "هذا ••• تمامًا."),
        ("מבטח", "זה מֻבְטָח לך.", "זה ••• לך."),
        ("गारंटी", "यह गारंटी है।", "यह ••• है।"),
        ("保証", "これは保証です。", "これは•••です。"),
        ("ฟรี", "สินค้านี้ฟรีค่ะ", "สินค้านี้•••ค่ะ"),
        ("εγγύηση", "Έχει ΕΓΓΎΗΣΗ δύο ετών.", "Έχει ••• δύο ετών."),
        ("promoção", "É uma PROMOCAO boa.", "É uma ••• boa."),
        ("straße", "In der STRASSE.", "In der •••."),
    ],
)
def test_words_of_any_script(phrase: str, text: str, expected: str) -> None:
    assert ruled(text, phrase) == expected


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("art", "It is a smart start, Bart."),
        ("ball", "The bail is set; call me."),
        ("गार", "यह गारंटी है।"),
        ("best price", "It is the best. Price it yourself."),
        ("sale", "Sales are closed. An a l e is a beer."),
        ("free", "Feel freedom: 3 of 33 are sfree."),
        ("ill", "I'll do it."),
    ],
)
def test_only_whole_words(phrase: str, text: str) -> None:
    assert ruled(text, phrase) == text


def test_patterns_have_alternatives_optional_words_gaps_and_endings() -> None:
    assert ruled("The very best prices ever.", "best|lowest price|prices") == "The very ••• ever."
    assert ruled("It never, ever will fail.", "never ..3 fail") == "It •••."
    assert ruled("It never does. It will fail.", "never ..3 fail") == "It never does. It will fail."
    assert ruled("Guaranteeing it", "guarant*") == "••• it"
    assert ruled("no money back and no cash money back", "no cash? money back") == "••• and •••"


def test_exceptions_stand() -> None:
    text = "The money back guarantee is a guarantee."

    assert ruled(text, "guarantee", **{"except": ["money back guarantee"]}) == "The money back guarantee is a •••."
    assert ruled(text, {"say": "guarantee", "except": ["money back guarantee"]}) == "The money back guarantee is a •••."


def test_each_phrase_has_its_action() -> None:
    phrases = [{"say": "cheap", "action": "replace", "text": "fair"}, {"say": "trust me", "action": "remove"}, "hype"]

    assert ruled("Cheap hype. Trust me. It is cheap.", *phrases) == "Fair •••. It is fair."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi. Trust me, it works. Bye.", "Hi. Bye."),
        ("- One\n- Trust me\n- Two", "- One\n- Two"),
        ("# Promise\n\nTrust me.\n\n# Facts\n\nIt ships today.", "# Facts\n\nIt ships today."),
        ("Here is why:\n- Trust me\n- Trust me too\n\nIt ships today.", "It ships today."),
        ("Trust me. Also, it ships today.", "It ships today."),
        ("> Trust me.\n\nIt ships today.", "It ships today."),
        ("1. Trust me\n2. It ships today", "2. It ships today"),
        ("| a | b |\n|---|---|\n| trust me | 1 |\n| ok | 2 |", "| a | b |\n|---|---|\n| ok | 2 |"),
    ],
)
def test_removing_leaves_no_orphan(text: str, expected: str) -> None:
    assert ruled(text, "trust me", action="remove") == expected


def test_code_and_links_are_not_broken() -> None:
    assert ruled("```\nx = 'trust me'\n```", "trust me", action="remove") == "```\nx = '•••'\n```"
    assert ruled("See https://x.com/trust-me now.", "trust me") == "See https://x.com/trust-me now."
    assert ruled("[trust me](https://x.com/trust-me)", "trust me") == "[•••](https://x.com/trust-me)"


def test_a_reply_that_lost_its_last_sentence_is_not_empty() -> None:
    assert ruled("Trust me.", "trust me", action="remove") == "Nothing was changed this time."
    assert ruled("Confie em mim.", "confie em mim", action="remove", language="pt-BR") == "Nada foi alterado desta vez."


def test_the_sentence_for_nothing_is_configured() -> None:
    rule = {"id": "b", "kind": "banned", "languages": "any", "action": "remove", "phrases": ["trust me"]}
    rules = load({"rules": [rule], "nothing": "Please ask again."})

    assert splice("Trust me.", apply("Trust me.", (), split("Trust me."), Ledger(), rules).edits) == "Please ask again."


def test_a_reply_that_is_all_masks_stays() -> None:
    assert ruled("Trust me!", "trust me") == "•••!"


def test_block_replaces_the_whole_reply_with_one_sentence() -> None:
    assert ruled("Hi. Trust me. Bye.", "trust me", action="block", text="I cannot say that.") == "I cannot say that."


def test_append_adds_its_text_once() -> None:
    expected = "Trust me. Trust me! Terms apply."

    assert ruled("Trust me. Trust me!", "trust me", action="append", text="Terms apply.") == expected
    assert ruled(expected, "trust me", action="append", text="Terms apply.") == expected
