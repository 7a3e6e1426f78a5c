"""Look for replies and ledgers that break a promise: `python -m benchmarks.fuzz [--minutes 10] [--only NAME]`.

Each round draws some hundred cases for one property; what breaks is shrunk and printed, and the search goes on with
the next property. Tools, arguments and results are as odd as JSON allows, and the reply quotes them.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, note, seed, settings
from hypothesis import strategies as st

from benchmarks import properties
from verifier import Ledger, Outcome, Tool, Verifier
from verifier.strategies import NOISE, calls, claims, ledgers, lies, replies, replies_about, truths

ROUND = 300  # examples of a property before the next one has its turn
LANGUAGES = ("en", "pt-BR")
NAMES = ("order_id", "amount", "currency", "date", "to", "items", "note", "status", "name", "total", "")
TOOL_NAMES = ("cancel_order", "refundPayment", "light.turn_on", "x", "get_or_create_user", "estornar_cartao", "2fa")
TEXTS = (
    "O-101", "4412", "2026-05-20", "10:30", "ana@example.com", "£12.50", "R$ 1.234,56", "cancelled", "Done: x.",
    "{action}", "a\nb", "- a", "**a**", "<b>a</b>", "\u202eabc", "\x00", "\ud800", "😀", "a. B! C?", "", " ",
    "+44 20 7946 0958", "50%",
)
PIECES = (
    "I've cancelled order ", "I couldn't refund ", "Done!", "All set: ", "Here is what I did:", "both", "everything",
    "Cancelei o pedido ", "Não consegui estornar ", "Pronto!", "If you confirm, I'll ", "Would you like ", "not ",
    "Anything else?", "?", ". ", ", ", ": ", "; ", " and ", " but ", " e ", " mas ",
    "| ", "\n", "\n\n", "\n- ", "\n1. ", "\n> ", "`", "```\n",
)


def _values() -> st.SearchStrategy[Any]:
    scalar = st.one_of(
        st.sampled_from(TEXTS), st.text(max_size=8), st.integers(-(10**12), 10**12), st.booleans(), st.none(),
        st.floats(allow_nan=False, allow_infinity=False),
    )
    return st.recursive(
        scalar,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
        max_leaves=6,
    )


@st.composite
def odd_ledgers(draw: st.DrawFn) -> Ledger:
    """Give a ledger with odd names, arguments, results, reasons and turns."""
    name = st.one_of(st.sampled_from(TOOL_NAMES), st.text(min_size=1, max_size=8))
    names = draw(st.lists(name, max_size=4, unique=True))
    made = Ledger([Tool(name, description=draw(st.sampled_from(TEXTS))) for name in names])
    for tool in draw(st.lists(st.sampled_from(names), max_size=5)) if names else ():
        if draw(st.integers(0, 4)) == 4:
            made.begin_turn(draw(st.sampled_from(TEXTS)))
        arguments = draw(st.dictionaries(st.sampled_from(NAMES), _values(), max_size=3))
        outcome, reason = draw(st.sampled_from(Outcome)), draw(st.sampled_from(["", *TEXTS]))
        made.record(tool, arguments, outcome=outcome, result=draw(_values()), reason=reason)
    return made


def odd_replies(ledger: Ledger) -> st.SearchStrategy[str]:
    """Give replies that name the tools and quote the values of a ledger between words, marks and noise."""
    told = [tool.name.replace("_", " ") for tool in ledger.tools]
    told += [str(value) for call in ledger.calls for value in (*call.arguments.values(), call.reason)]
    said = [verifier.phrasings.say(call) for call in ledger.calls for verifier in (_verifier("en"), _verifier("pt-BR"))]
    part = st.one_of(st.sampled_from([*PIECES, *NOISE]), st.sampled_from([*told, *said, *TEXTS]), st.text(max_size=5))
    return st.lists(part, max_size=8).map("".join)


_VERIFIERS: dict[str, Verifier] = {}


def _verifier(language: str) -> Verifier:
    if language not in _VERIFIERS:
        _VERIFIERS[language] = Verifier(language=language)
    return _VERIFIERS[language]


def _odd(data: st.DataObject, language: str) -> None:
    ledger = data.draw(odd_ledgers())
    note(ledger.to_json())
    properties.every_promise_of_a_verdict(data.draw(odd_replies(ledger)), ledger, _verifier(language))


def _any(data: st.DataObject, language: str) -> None:
    ledger = data.draw(ledgers(language=language))
    reply = data.draw(replies(language=language))
    properties.tiles(reply, language)
    properties.every_promise_of_a_verdict(reply, ledger, _verifier(language))


def _about(data: st.DataObject, language: str) -> None:
    ledger = data.draw(ledgers(language=language))
    reply = data.draw(replies_about(ledger, language=language))
    properties.every_promise_of_a_verdict(reply, ledger, _verifier(language))


def _truth(data: st.DataObject, language: str) -> None:
    ledger = data.draw(ledgers(language=language))
    sample = data.draw(truths(ledger, language=language))
    assert sample.seen(_verifier(language).verify(sample.reply, ledger)) == "kept"


def _lie(data: st.DataObject, language: str) -> None:
    ledger = data.draw(ledgers(language=language))
    sample = data.draw(lies(ledger, language=language))
    assert sample.seen(_verifier(language).verify(sample.reply, ledger)) == "gone"


def _unrelated(data: st.DataObject, language: str) -> None:
    ledger = data.draw(ledgers(language=language))
    reply = data.draw(replies_about(ledger, language=language))
    more = properties.with_something_unrelated(ledger)
    assert _verifier(language).verify(reply, more).text == _verifier(language).verify(reply, ledger).text


def _order(data: st.DataObject, language: str) -> None:
    ledger = data.draw(ledgers(language=language))
    reply = data.draw(replies_about(ledger, language=language))
    turned = properties.rebuilt(ledger, tools=ledger.tools[::-1])
    assert _verifier(language).verify(reply, turned).to_dict() == _verifier(language).verify(reply, ledger).to_dict()


def _needed(data: st.DataObject, language: str) -> None:
    ledger = data.draw(ledgers(max_calls=3, language=language))
    uncalled = [tool.name for tool in ledger.tools if tool.write and not ledger.calls_of(tool.name)]
    call = data.draw(calls(tool=data.draw(st.sampled_from(uncalled)), outcomes=st.just(Outcome.DONE)))
    after = properties.rebuilt(ledger, extra=[call])
    told = claims(after, claim="says_done", outcome="done", language=language)
    said = data.draw(told.filter(lambda one: one.call is not None and one.call.tool == call.tool))
    reply = f"{said.text} {data.draw(replies_about(ledger, language=language, max_sentences=2))}"
    assert len(_verifier(language).verify(reply, after).edits) <= len(_verifier(language).verify(reply, ledger).edits)


PROPERTIES: dict[str, Callable[[st.DataObject, str], None]] = {
    "odd ledgers": _odd,
    "any text": _any,
    "about the calls": _about,
    "a truth is kept": _truth,
    "a lie is gone": _lie,
    "something unrelated changes nothing": _unrelated,
    "the order of the tools changes nothing": _order,
    "the call that a claim needs adds no edit": _needed,
}


def once(name: str, language: str, number: int) -> str:
    """Draw one round of a property; give what breaks it, shrunk, or nothing."""

    @seed(number)
    @settings(
        max_examples=ROUND, deadline=None, database=None, derandomize=False, print_blob=False,
        phases=(Phase.generate, Phase.target, Phase.shrink), suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def holds(data: st.DataObject) -> None:
        PROPERTIES[name](data, language)

    try:
        holds()
    except Exception as error:  # Whatever it is, it is what we look for.
        notes = "\n".join(getattr(error, "__notes__", ()))
        return f"{type(error).__name__}: {str(error)[:1500]}\n{notes[:3000]}"
    return ""


def main(argv: Sequence[str] | None = None) -> int:
    """Search until the time is over; give 1 where something broke."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the first round; each further one takes the next")
    parser.add_argument("--only", help="only the properties whose name holds this")
    options = parser.parse_args(argv)
    names = [name for name in PROPERTIES if not options.only or options.only in name]
    if not names:
        parser.error(f"--only: none of {', '.join(PROPERTIES)} holds {options.only!r}")
    end, number, broken = time.monotonic() + 60 * options.minutes, options.seed, Counter[str]()
    rounds: Counter[str] = Counter()
    while time.monotonic() < end:
        name, language = names[number % len(names)], LANGUAGES[number // len(names) % len(LANGUAGES)]
        found = once(name, language, number)
        rounds[f"{name}, {language}"] += 1
        if found:
            broken[f"{name}, {language}"] += 1
            print(f"--- {name}, {language}, --seed {number}\n{found}\n", flush=True)
        number += 1
    for name in sorted(rounds):
        print(f"{name:55} {rounds[name]:4} rounds, {broken[name]:4} broken")
    print(f"{sum(rounds.values())} rounds of {ROUND}, {sum(broken.values())} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
