"""Hostile texts, by name: twice the length takes at most 2.3 times the time, and nothing is ever too much.

The bound is on growth, not on seconds: on any machine what is quadratic takes four times as long.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from verifier import Ledger, Tool, Verdict, Verifier, verify

LENGTH = 6_000  # characters; twice as many are the longest replies that anybody writes
GROWTH = 2.3
RUNS, TRIES = 2, 5  # the least time of some runs counts; other processes only ever add to it
CLEAR = 3.4  # growth at which another try would be no different
TOO_FAST = 0.004  # seconds: below, a clock tick decides

Text = Callable[[int], str]


def again(unit: str) -> Text:
    """The unit, over and over."""
    return lambda length: (unit * (length // len(unit) + 1))[:length]


def numbered(line: str) -> Text:
    """Lines with a number of their own, all of one width: a longer text holds more of the same kind."""
    return lambda length: "".join(line.format(n=1_000 + n) for n in range(length // len(line)))


def nested(opening: str, inside: str, closing: str) -> Text:
    """As deep as the length allows."""
    return lambda length: opening * (length // 2) + inside + closing * (length // 2)


TEXTS: dict[str, Text] = {
    # what the reader looks for
    "many ifs": again("if the order is cancelled and "),
    "many ifs, each a sentence": again("If order O-101 is cancelled, you pay nothing. "),
    "many negations": again("I did not never not cancel no order, "),
    "alternating events": again("I cancelled order O-101 and refunded payment P-101 but "),
    "alternating claims": again("I cancelled it. I couldn't cancel it. Shall I cancel it? "),
    "participles only": again("cancelled refunded sent booked "),
    "subjects only": again("I we I "),
    "modals only": again("will can could would may might should "),
    "adverbs before an event": lambda length: "I " + "already " * (length // 8) + "cancelled it.",
    "whether whether": again("I don't know whether "),
    "one sentence without an end": again("I cancelled order O-101 "),
    "commas": again("I cancelled, "),
    "colons and dashes": again("cancelled: - – — "),
    "questions": again("Shall I cancel order O-101? "),
    "quoted speech": again('She said "I cancelled order O-101" and “I refunded it” '),
    "open quotes": again('"I cancelled “'),
    "both and everything": again("Both orders and everything is all set. "),
    # one kind of character
    "one long token": again("a"),
    "one long token of capitals": again("A"),
    "digits": again("1"),
    "digits with separators": again("1,234.56"),
    "digits with spaces": again("12 34 "),
    "spaces": again(" "),
    "spaces inside a sentence": lambda length: "I cancelled" + " " * length + "order O-101.",
    "line breaks": again("\n"),
    "carriage returns": again("\r\n"),
    "tabs": again("\t"),
    "full stops": again("."),
    "abbreviations": again("e.g. Dr. No. 5 "),
    "exclamation marks": again("!"),
    "hyphens": again("-"),
    "hyphened words": again("well-known-"),
    "underscores": again("_"),
    "apostrophes": again("'"),
    "curly quotes": again("“”’"),
    "equals signs": again("="),
    "mixed punctuation": again("(*_\"'#!):$%&/"),
    "emoji": again("😀"),
    "emoji of several characters": again("👩‍👩‍👧‍👦🏽"),
    "right-to-left marks": again("\u202e\u200f\u2067"),
    "Arabic": again("تم إلغاء الطلب "),
    "combining accents": again("e\u0301\u0300\u0302"),
    "zero-width characters": again("\u200b\u200d\ufeff"),
    "NUL": again("\x00"),
    "control characters": again("\x01\x1b[31m\x7f"),
    "lone surrogates": again("\ud800x\udfff"),
    "line separators": again("a\u2028b\u2029c\x85"),
    # values
    "amounts": numbered("£{n}.50, "),
    "the same amount": again("It was £12.50. "),
    "dates": again("May 20, 2026 and 2026-05-20, "),
    "times": again("at 10:30 am "),
    "e-mail addresses": numbered("u{n}@example.com "),
    "at signs": again("@"),
    "almost an address": lambda length: "a@" + "b." * (length // 2),
    "dotted names": again("a.b-"),
    "web addresses": numbered("https://example.com/a/{n} "),
    "one long web address": lambda length: "https://example.com/" + "a/" * (length // 2),
    "telephone numbers": again("+44 20 7946 0958 "),
    "percentages": again("12.5% "),
    "identifiers": numbered("O-{n} "),
    "long identifiers": again("AB12-CD34-"),
    "number words": again("twenty-one hundred and "),
    "equations": again("12.50 + 3 = 15.50, "),
    "card numbers": again("4111 1111 1111 1111 "),
    # Markdown
    "nested brackets": nested("(", "I cancelled it", ")"),
    "nested square brackets": nested("[", "I cancelled it", "]"),
    "links": again("[order](https://example.com/o) "),
    "open links": again("[a]("),
    "nested emphasis": nested("*", "I cancelled it", "*"),
    "open emphasis": again("**a "),
    "headings": numbered("## Order O-{n}\n"),
    "heading marks": again("# "),
    "a list": numbered("- Order O-{n} was cancelled.\n"),
    "a list of one thing": again("- Order O-101 was cancelled.\n"),
    "a numbered list": numbered("{n}. I refunded payment P-{n}\n"),
    "a list under a lead-in": lambda length: "I cancelled these:\n" + numbered("- O-{n}\n")(length),
    "a list ever deeper": lambda length: "".join(" " * (n % 200) + "- cancelled\n" for n in range(length // 112)),
    "a table": lambda length: "| order | state |\n|---|---|\n" + numbered("| O-{n} | cancelled |\n")(length),
    "a wide table": lambda length: "| a " * (length // 8) + "|\n" + "|---" * (length // 8) + "|\n",
    "table bars": again("|"),
    "block quotes": again("> I cancelled it\n"),
    "nested block quotes": lambda length: "> " * (length // 2) + "I cancelled it",
    "code fences": again("```\nI cancelled it\n"),
    "back-ticks": again("`"),
    "JSON": lambda length: "[" + numbered('{{"order_id": "O-{n}"}}, ')(length) + "{}]",
    "open braces": again('{"a": '),
    "HTML": again("<b>I cancelled it</b> "),
    "open angle brackets": again("<"),
}


def ledger() -> Ledger:
    """A turn in which something went wrong, so that sentences of these texts are replaced too."""
    made = Ledger(tools=[Tool("get_order", write=False), Tool("cancel_order"), Tool("refund_payment")])
    made.record("get_order", {"order_id": "O-101"}, outcome="done", result={"order_id": "O-101", "total": 12.5})
    made.record("cancel_order", {"order_id": "O-101"}, outcome="failed", reason="it has shipped")
    made.record("refund_payment", {"payment_id": "P-101", "amount": 12.5, "currency": "GBP"}, outcome="done")
    return made


@pytest.fixture(scope="module")
def check() -> Callable[[str], Verdict]:
    verifier, about = Verifier(), ledger()
    return lambda text: verifier.verify(text, about)


@pytest.mark.parametrize("name", TEXTS)
def test_twice_the_length_takes_at_most_twice_the_time(name: str, check: Callable[[str], Verdict]) -> None:
    short, long = TEXTS[name](LENGTH), TEXTS[name](2 * LENGTH)
    growth = []
    for _ in range(TRIES):
        seconds = least(check, short), least(check, long)
        if seconds[1] < TOO_FAST or seconds[1] <= GROWTH * seconds[0]:
            return
        growth.append(f"{seconds[0]:.4f} s, then {seconds[1]:.4f} s: {seconds[1] / seconds[0]:.2f} times")
        if len(growth) > 1 and seconds[1] > CLEAR * seconds[0]:
            break

    raise AssertionError("; ".join(growth))


def least(check: Callable[[str], Verdict], text: str) -> float:
    """The least processor time of some runs, without the garbage collector."""
    found = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(RUNS):
            start = time.process_time()
            check(text)
            found.append(time.process_time() - start)
    finally:
        gc.enable()
    return min(found)


@pytest.mark.parametrize("name", ["many ifs", "one long token", "digits", "a list", "nested brackets", "emoji"])
def test_a_hundred_thousand_characters_are_read(name: str, check: Callable[[str], Verdict]) -> None:
    text = TEXTS[name](100_000)
    verdict = check(text)

    assert verdict.reply is text
    assert verdict.text


MASKED = pytest.mark.xfail(reason="a limit: what is masked no longer reads as it did before", strict=True)
ADDRESSES = ("e-mail addresses", "almost an address")
ONCE = [pytest.param(name, marks=MASKED) if name in ADDRESSES else name for name in TEXTS]


@pytest.mark.parametrize("name", ONCE)
def test_hostile_texts_are_repaired_once(name: str, check: Callable[[str], Verdict]) -> None:
    verdict = check(TEXTS[name](600))

    assert check(verdict.text).text == verdict.text


@pytest.mark.parametrize("said", ["Done! ", "It was booked on May 3 and is open. ", "It is done: A1 and A2. "])
def test_many_sentences_beside_many_calls_cost_linear_time(said: str) -> None:
    """What a reply and a turn say as a whole is gathered once, however many sentences ask for it."""
    found = {"items": [{"id": f"I{place}", "status": "open", "priority": "low"} for place in range(300)]}

    def seconds(times: int) -> float:
        ledger = Ledger(tools=[Tool("get_things", write=False), Tool("save_thing"), Tool("book_visit")])
        ledger.record("get_things", {}, outcome="done", result=found)
        for place in range(20):
            ledger.record("save_thing", {"id": f"A{place}"}, outcome="done")
            ledger.record("book_visit", {"id": f"B{place}"}, outcome="failed", reason="slot already taken")
        verify("Hello there.", ledger)
        started = time.perf_counter()
        verify(said * times, ledger)
        return time.perf_counter() - started

    once, twice = (min(seconds(times) for _ in range(3)) for times in (150, 300))
    assert twice < 3.2 * once
