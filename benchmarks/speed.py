"""What `verify` costs beside a floor measured in the same run: `python -m benchmarks.speed [--rounds N] [--quick]`.

Absolute times are of one machine; the ratios are what counts. The rounds are interleaved and each has identifiers
that no round had before: a token met once is cheap the second time, which would flatter everything that caches.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.material import SHARED
from benchmarks.start import start_figures
from verifier.bench import conversations, stored_replies

FLOOR = re.compile(r"\w+|[^\w\s]")
NAME = re.compile(r"[A-Za-z0-9_#]{4,60}")
MOST_REPLIES = 250  # A round over more takes long and tells the same.
HOSTILE = {
    "letters": "a",
    "digits": "7",
    "signs": "=",
    "brackets": "([",
    "quotes": "\"'",
    "emoji": "😀",
    "ifs": "if it was not cancelled, ",
    "dones": "I cancelled order 4411 and refunded $12.50. ",
    "denials": "I could not not cancel ",
    "dots": "a.b@c.",
    "rows": "| a | - **b** |\n",
    "spaces": " \n",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured ratio (or size) and the goal that it must not exceed; `least` turns the goal into a minimum."""

    name: str
    value: float
    goal: float
    unit: str = "x"
    least: bool = False

    @property
    def held(self) -> bool:
        """Tell whether the goal is met."""
        return self.value >= self.goal if self.least else self.value <= self.goal

    def line(self) -> str:
        """Write the figure, its goal and whether it is met."""
        sign = "≥" if self.least else "≤"
        held = "held" if self.held else "MISSED"
        return f"  {self.name:<58} {self.value:8.2f} {self.unit:<5} {sign} {self.goal:g}  {held}"


@dataclass(frozen=True, slots=True)
class Sample:
    """A reply and the JSON of its ledger."""

    reply: str
    ledger: str
    final: bool


def samples(shared: Path, most: int = MOST_REPLIES) -> list[Sample]:
    """Give replies spread evenly over the corpus."""
    found = []
    files = [path for path in sorted((shared / "corpus").glob("*.jsonl")) if "-noledger" not in path.name]
    for path, row in conversations(files):
        for stored in stored_replies(path, row):
            found.append(Sample(stored.text, stored.ledger.to_json(), stored.final))
    step = max(1, len(found) // most)
    return found[::step][:most]


def renamed(text: str, number: int) -> str:
    """Give `text` with every identifier another one, the same way everywhere: no round meets those of another."""

    def fresh(match: re.Match[str]) -> str:
        name = match.group()
        digits = sum(character.isdigit() for character in name)
        if digits >= 6 or (digits >= 2 and digits < len(name) and not re.fullmatch(r"[0-9]{1,2}T[0-9]{1,2}", name)):
            return f"{name}{number}"
        return name

    return NAME.sub(fresh, text)


def timed(work: Callable[..., object], *arguments: object, **named: object) -> float:
    """Give the seconds that `work` takes, once."""
    started = time.perf_counter()
    work(*arguments, **named)
    return time.perf_counter() - started


@dataclass(frozen=True, slots=True)
class Round:
    """The seconds of each reply in one round, by checker."""

    floor: list[float]
    tokens: list[float]
    first: list[float]
    next: list[float]
    size: int


def one_round(
    chosen: Sequence[Sample], number: int, verify: Callable[..., Any], make_doc: Callable[[str], Any]
) -> Round:
    """Time floor, tokenizer and `verify` one after the other on each reply, with the names of this round.

    `first` is the first verdict over a ledger, `next` the second, with fresh names again in the reply.
    """
    from verifier import Ledger

    seconds = Round([], [], [], [], sum(len(sample.reply.encode("utf-8", "replace")) for sample in chosen))
    for sample in chosen:
        reply, again, other = (renamed(sample.reply, 3 * number + way) for way in range(3))
        ledger = Ledger.from_json(renamed(sample.ledger, 3 * number))
        seconds.floor.append(timed(FLOOR.findall, reply))
        seconds.tokens.append(timed(make_doc, other))
        seconds.first.append(timed(verify, reply, ledger, final=sample.final))
        seconds.next.append(timed(verify, again, ledger, final=sample.final))
    return seconds


def ratio_figures(chosen: Sequence[Sample], rounds: int) -> list[Figure]:
    """Give the ratios over real replies: medians over the rounds of each round's median, p99 and total."""
    import spacy

    from verifier import verify

    make_doc = spacy.blank("en").make_doc
    one_round(chosen[:20], 0, verify, make_doc)  # The first calls load the data files.
    gc.collect()
    made = [one_round(chosen, number, verify, make_doc) for number in range(1, rounds + 1)]
    middle = statistics.median
    figures = []
    for which in ("first", "next"):
        word = f"verify, {which} verdict of a ledger"
        of = [getattr(r, which) for r in made]
        medians = middle(map(middle, of)) / middle(middle(r.floor) for r in made)
        tails = middle(map(_p99, of)) / middle(_p99(r.floor) for r in made)
        totals = middle(map(sum, of)) / middle(sum(r.tokens) for r in made)
        speed = middle(r.size / sum(seconds) / 1e6 for r, seconds in zip(made, of, strict=True))
        figures += [
            Figure(f"{word}: median / floor's median", medians, 15),
            Figure(f"{word}: p99 / floor's p99", tails, 20),
            Figure(f"{word}: total / make_doc's total", totals, 6),
            Figure(f"{word}: bytes a second", speed, 1.5, "MB/s", least=True),
        ]
    return figures


def _p99(seconds: Sequence[float]) -> float:
    return sorted(seconds)[min(len(seconds) - 1, round(0.99 * len(seconds)))]


def best(make: Callable[[int], tuple[str, Any]], verify: Callable[..., Any], times: int = 5) -> float:
    """Give the least seconds that a verdict over `make(number)` took; each number has names of its own."""
    seconds = []
    for number in range(times):
        reply, ledger = make(number)
        verify("Hello.", ledger)  # A ledger is indexed as it grows, not by this reply.
        seconds.append(timed(verify, reply, ledger))
    return min(seconds)


def growth_figures() -> list[Figure]:
    """Give how the cost grows with the reply, the ledger, the tools, the vocabulary."""
    from verifier import verify

    text = "I've cancelled order 44{n} and refunded $12.50 to your card. It will arrive by May 20.\n\nAnything else?\n"
    short = best(partial(_short, text, 3, 5), verify, 15)
    long = best(lambda n: ("".join(text.replace("{n}", f"{i}{n}") for i in range(64)), _ledger(3, 5, n)), verify, 3)
    few, many = (best(partial(_short, text, calls, 5), verify, 9) for calls in (10, 1000))
    some, lots = (best(partial(_short, text, 3, tools), verify, 7) for tools in (10, 10_000))
    return [
        Figure("reply 64 times longer: cost of a character", long / 64 / short, 1.2),
        Figure("ledger of 10 calls → 1,000", many / few, 2),
        Figure("10 tools → 10,000", lots / some, 1.5),
        *_vocabulary_figure(text),
    ]


def _short(text: str, calls: int, tools: int, number: int) -> tuple[str, Any]:
    return text.replace("{n}", f"0{number}"), _ledger(calls, tools, number)


def _ledger(calls: int, tools: int, number: int) -> Any:
    from verifier import Ledger, Tool

    names = [Tool("cancel_order", write=True), Tool("refund_card", write=True), Tool("get_order", write=False)]
    names += [Tool(f"archive_{_word(i)}_file", write=True) for i in range(tools - len(names))]
    ledger = Ledger(tools=names)
    for i in range(calls - 2):
        ledger.record("get_order", {"order_id": f"77{number}{i}"}, outcome="done", result={"total": i + 0.5})
    ledger.begin_turn()
    ledger.record("cancel_order", {"order_id": f"440{number}"}, outcome="done")
    ledger.record(
        "refund_card", {"order_id": f"440{number}", "amount": 12.5}, outcome="done", result={"by": "2026-05-20"}
    )
    return ledger


def _word(number: int) -> str:
    """Give a word of letters for a number: `bac` for 102."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _vocabulary_figure(text: str) -> list[Figure]:
    from verifier import Verifier

    costs = []
    for phrases in (500, 50_000):
        words = {"cancel_order": [f"zap the {_word(i)} thing" for i in range(phrases)]}
        checker = Verifier(vocabulary={"settings": {"language": "en"}, "words": words})
        costs.append(best(partial(_short, text, 3, 5), checker.verify, 9))
    return [Figure("vocabulary of 500 phrases → 50,000", costs[1] / costs[0], 1.25)]


def hostile_figures(size: int = 16_000) -> list[Figure]:
    """Give how the cost of hostile texts grows when they are doubled."""
    from verifier import verify

    figures = []
    for name, unit in HOSTILE.items():
        once, twice = ((unit * (n // len(unit) + 1))[:n] for n in (size, 2 * size))
        ledgers = [_ledger(3, 5, 0), _ledger(3, 5, 1)]
        small = min(timed(verify, once, ledgers[0]) for _ in range(3))
        large = min(timed(verify, twice, ledgers[1]) for _ in range(3))
        figures.append(Figure(f"hostile {name}, {size:,} characters doubled", large / small, 2.3))
        figures.append(Figure(f"hostile {name}, seconds for {2 * size:,} characters", large, 2, "s"))
    return figures


def main(argv: Sequence[str] | None = None) -> int:
    """Measure everything and print it beside the goals; give 1 where one is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds over the replies (default 5)")
    parser.add_argument("--quick", action="store_true", help="only the ratios over real replies")
    parser.add_argument("--json", type=Path, help="write the figures to a file too")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder that holds the corpus")
    options = parser.parse_args(argv)
    chosen = samples(options.shared)
    figures = ratio_figures(chosen, options.rounds)
    if not options.quick:
        figures += [*growth_figures(), *hostile_figures(), *start_figures(Figure)]
    print(f"{len(chosen)} replies, {options.rounds} rounds")
    for figure in figures:
        print(figure.line())
    if options.json:
        options.json.write_text(json.dumps({f.name: round(f.value, 3) for f in figures}, indent=1), encoding="utf-8")
    return 0 if all(figure.held for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
