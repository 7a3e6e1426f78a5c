"""Long and hostile replies: every rule stays linear. Seconds are coarse here; benchmarks measure."""

from __future__ import annotations

import time

import pytest

from verifier import Ledger
from verifier.rules import apply, load
from verifier.rules.pii import look_at
from verifier.splitter import split

SIZE = 12_000
SECONDS = 20  # hundreds of times what it takes: what is not linear takes minutes
UNITS = {
    "letters": "a",
    "digits": "7",
    "cards": "4111111111111111 ",
    "grouped cards": "4111 1111 1111 1111 ",
    "telephones": "call +1 201-555-0123 ",
    "brackets": "(((",
    "addresses": "a.b@c.co ",
    "signs": "a@",
    "dots": "1.2.3.4.",
    "colons": "a:",
    "accounts": "GB29NWBK60161331926819 ",
    "heads of accounts": "GB29 ",
    "offers": "I can offer you a 10% discount if not refund. ",
    "benefits": "refund credit discount we ll give ",
    "spaced": "g u a r a n t e e d ",
    "alternatives": "a b c d e ",
    "removed": "risk free. ",
    "zero width": "g\u200b",
    "accents": "e\u0301",
    "rows": "| a@b.co | x |\n|---|---|\n",
    "emphasis": "**",
    "fences": "```\n",
    "links": "[a](mailto:",
}
RULES = load(
    {
        "defaults": True,
        "rules": [
            {
                "id": "b",
                "kind": "banned",
                "languages": "any",
                "action": "remove",
                "phrases": ["guaranteed", "risk free", "a|b ..9 c|d ..9 e", "guarant*", "保証"],
            },
            {
                "id": "r",
                "kind": "required",
                "languages": "any",
                "action": "append",
                "text": "Terms apply.",
                "when": {"always": True},
            },
        ],
    }
)


@pytest.mark.parametrize("name", UNITS)
def test_long_replies_take_no_time(name: str) -> None:
    reply = (UNITS[name] * SIZE)[:SIZE]
    started = time.perf_counter()
    apply(reply, (), split(reply), Ledger(), RULES)

    assert time.perf_counter() - started < SECONDS


def test_most_replies_end_with_one_cheap_look() -> None:
    quiet = "Your order #W2378156 shipped on 2024-05-20 at 10:30:15 and costs $1,057.24; item RES123456789 is v2.10.3."

    assert look_at(quiet) is look_at("Hello.")
