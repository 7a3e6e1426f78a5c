"""What the reply rules find, miss and cost: `python -m benchmarks.rules [--show]`."""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.material import SETS, SHARED, readers
from benchmarks.personal_data import MAKERS, near_misses, values
from benchmarks.speed import FLOOR, timed
from verifier import Ledger
from verifier.bench import conversations, stored_replies
from verifier.rules import RuleSet, apply, load
from verifier.splitter import split

ROUNDS = 7
MOST_REPLIES = 400  # whose cost is measured


def masks(text: str, rules: RuleSet, ledger: Any, language: str = "en") -> tuple[list[tuple[str, str, str]], int]:
    """Give what is masked in a text, as (rule, what stood there, what stands there), and how much is reported."""
    applied = apply(text, (), split(text, language), ledger, rules, language=language)
    found = [(edit.rule, text[edit.start : edit.end], edit.text) for edit in applied.edits]
    return found, len(applied.reports)


def generated(show: bool) -> Iterator[str]:
    """Give, for each kind, how many of its made-up values are masked and how many near misses are."""
    rules = load()
    for kind in MAKERS:
        found, missed = 0, []
        for value, sentence in values(kind):
            hit = any(value.strip() in was or was in value for _, was, _ in masks(sentence, rules, Ledger())[0])
            found += hit
            missed += [] if hit else [sentence]
        wrong = [(s, m) for _, s in near_misses(kind) if (m := masks(s, rules, Ledger())[0])]
        total = found + len(missed)
        share, false = found / total, len(wrong) / total
        yield f"  {kind:<10} found {found}/{total} ({share:.1%})   near misses {len(wrong)}/{total} ({false:.1%})"
        if show:
            yield from (f"      missed: {sentence!r}" for sentence in missed[:12])
            yield from (f"      masked: {sentence!r} {what}" for sentence, what in wrong[:12])


def replies() -> Iterator[tuple[str, str, str, Any]]:
    """Give the corpus' replies and those of the labelled sets: place, text, language, ledger."""
    for path, row in conversations(sorted((SHARED / "corpus").glob("*.jsonl"))):
        for stored in stored_replies(path, row):
            if stored.final:
                yield stored.name, stored.text, "en", stored.ledger
    for name in SETS:
        if name != "labels":  # of the corpus
            for key, build in readers(name, SHARED):
                case = build()
                yield f"{name} {key}", case.reply, case.language, case.ledger


def real(show: bool) -> Iterator[str]:
    """Give what the default rules do to real replies, each mask in full: somebody must read and judge them."""
    rules, counts, reported, total = load(), Counter[str](), 0, 0
    lines = []
    for place, text, language, ledger in replies():
        found, reports = masks(text, rules, ledger, language)
        total += 1
        reported += reports
        for rule, was, now in found:
            counts[rule] += 1
            lines.append(f"      {rule} in {place}: {was!r} -> {now!r}")
    told = ", ".join(f"{rule} {number}" for rule, number in sorted(counts.items())) or "none"
    yield f"  {total} replies; masks: {sum(counts.values())} ({told}); offers reported: {reported}"
    if show:
        yield from lines


def cost() -> Iterator[str]:
    """Give the cost of the default rules beside the floor (finding the words) where nothing is found.

    Floor and rules are timed one after the other on each reply; of the rounds the least counts, for both.
    """
    rules = load()
    every = [reply for reply in replies() if masks(reply[1], rules, reply[3], reply[2]) == ([], 0)]
    floors, costs = [], []
    for _, text, language, ledger in every[:: max(1, len(every) // MOST_REPLIES)]:
        parts = split(text, language)
        floor = spent = 1.0
        for _ in range(ROUNDS):
            floor = min(floor, timed(FLOOR.findall, text))
            spent = min(spent, timed(apply, text, (), parts, ledger, rules, language=language))
        floors.append(floor)
        costs.append(spent)
    middle, least = statistics.median(costs), statistics.median(floors)
    ratio, number = middle / least, len(costs)
    yield f"  nothing found, {number} replies: {middle * 1e6:.1f} µs at the median, {ratio:.2f} x floor (goal: 1)"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("--show", action="store_true", help="show what was missed and each mask in real replies")
    show = parser.parse_args(argv).show
    print("Personal data, made up")
    for line in generated(show):
        print(line)
    if SHARED.is_dir():
        print("Real replies")
        for line in (*real(show), *cost()):
            print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
