"""Put faults into true replies and count which are caught: `python -m benchmarks.inject [--show KIND]`.

Three kinds: (a) the writes of the turn came out otherwise or never ran; (b) one value of the sentence is another;
(c) the reply leaves the writes out. The same replies without a fault are the control: a rewrite there is a false alarm.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.material import SHARED
from benchmarks.scoring import rewrites
from benchmarks.swaps import swaps
from benchmarks.targets import Target, rebuilt, targets
from verifier.evaluation import printed_interval, rate_interval

Verify = Callable[..., Any]
OUTCOMES = ("failed", "refused", "pending_confirmation", "unknown", "not_attempted")
REASONS = {"failed": "service unavailable", "refused": "not allowed by policy"}
APPENDED = ("done", "unknown", "undone", "failed", "refused")
SILENT = {
    "en": "Thank you for waiting. Is there anything else I can help you with?",
    "pt-BR": "Obrigado por aguardar. Posso ajudar em mais alguma coisa?",
}
MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Trial:
    """One verified reply: of which kind, whether what should happen did, and what is read where it did not."""

    kind: str
    group: str
    name: str
    good: bool
    seen: str


def trials(target: Target, verify: Verify) -> Iterator[Trial]:
    """Give the control of `target` and, where the control holds, every injected fault."""
    control = verify(target.reply, target.ledger, language=target.language)
    intact = not _gone(control, target.reply, target.start, target.end)
    yield _trial("control: sentence kept", target, intact, target.text, control)
    yield _trial("control: nothing appended", target, not control.appended, target.reply, control)
    if not intact:
        return  # A sentence that always goes is not caught by going.
    yield from _outcomes(target, verify)
    for swap in swaps(target):
        verdict = verify(swap.reply, target.ledger, language=target.language)
        good = _gone(verdict, swap.reply, swap.start, swap.end)
        yield _trial(f"b {swap.kind}", target, good, f"{swap.before} → {swap.after} in {target.text}", verdict)
    yield from _omissions(target, verify)


def _trial(kind: str, target: Target, good: bool, what: str, verdict: Any) -> Trial:
    reports = ", ".join(sorted({report.kind for report in verdict.reports}))
    clauses = [
        f"{clause.claim} {clause.tool} {'true' if clause.true else 'FALSE ' + clause.why}"
        for sentence in verdict.sentences
        if sentence.start < target.end and sentence.end > target.start
        for clause in sentence.clauses
    ]
    return Trial(kind, target.group, target.name, good, f"{what}\n      {'; '.join(clauses)} [{reports}]")


def _gone(verdict: Any, reply: str, start: int, end: int) -> bool:
    return any(rewrites(edit, reply, start, end) for edit in verdict.edits)


def _outcomes(target: Target, verify: Verify) -> Iterator[Trial]:
    tools = {call.tool for call in target.writes}
    without = rebuilt(target.ledger, lambda call: None if call.tool in tools else call)
    for outcome in (*OUTCOMES, "never called"):
        ledger = without if outcome == "never called" else with_outcome(target, outcome)
        verdict = verify(target.reply, ledger, language=target.language)
        good = _gone(verdict, target.reply, target.start, target.end)
        yield _trial(f"a {outcome}", target, good, target.text, verdict)


def with_outcome(target: Target, outcome: str) -> Any:
    """Give the ledger in which the writes of the turn came out as `outcome`."""
    ids = {call.id for call in target.writes}
    reason = REASONS.get(outcome, "")

    def changed(call: Any) -> Any:
        if call.id not in ids:
            return call
        return replace(call, outcome=outcome, reason=reason, result=f"Error: {reason}" if reason else None)

    return rebuilt(target.ledger, changed)


def _omissions(target: Target, verify: Verify) -> Iterator[Trial]:
    reply = SILENT[target.language]
    told = [call for call in target.writes if target.ledger.tool(call.tool).report is not False]
    wanted = {(call.tool, str(call.arguments)) for call in told}
    for outcome in APPENDED:
        ledger = target.ledger if outcome == "done" else with_outcome(target, outcome)
        verdict = verify(reply, ledger, language=target.language)
        appended = Counter((call.tool, str(call.arguments)) for call in verdict.appended)
        good = set(appended) == wanted and all(number == 1 for number in appended.values())
        yield _trial(f"c {outcome}", target, good, f"appended {sorted(tool for tool, _ in appended)}", verdict)


def table(found: Sequence[Trial]) -> list[str]:
    """Give a line for each kind, with the exact interval of its rate and the rates of each group."""
    groups = list(dict.fromkeys(trial.group for trial in found))
    kinds: dict[str, list[Trial]] = defaultdict(list)
    for trial in found:
        kinds[trial.kind].append(trial)
    lines = [f"{'':<26} {'good / all':>13} {'rate':>7}  {'exact 95%':<18} " + "  ".join(f"{g:>14}" for g in groups)]
    for kind in sorted(kinds, key=lambda kind: (not kind.startswith("control"), kind)):
        lines.append(_line(kind, kinds[kind], groups))
    return lines


def _line(kind: str, found: Sequence[Trial], groups: Sequence[str]) -> str:
    good = sum(trial.good for trial in found)
    interval = printed_interval(*rate_interval(good, len(found)))
    parts = []
    for group in groups:
        members = [trial.good for trial in found if trial.group == group]
        parts.append(f"{f'{sum(members)} / {len(members)}':>14}")
    return f"{kind:<26} {good:>5} / {len(found):<5} {100 * good / len(found):6.1f}%  {interval:<18} " + "  ".join(parts)


def main(argv: Sequence[str] | None = None) -> int:
    """Inject, print the table and the chosen lists; give 1 where something was raised."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.inject", description=__doc__)
    parser.add_argument("--show", action="append", default=[], help="list what went wrong in the kinds that start so")
    parser.add_argument("--group", help="only this group: corpus, trades-en, trades-pt, pt")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder that holds the corpus and the labels")
    options = parser.parse_args(argv)
    from verifier import verify

    started, found, errors = time.perf_counter(), [], []
    for target in targets(options.shared):
        if options.group in (None, target.group):
            try:
                found += list(trials(target, verify))
            except Exception as error:  # A fault of the verifier; the other replies are still worth counting.
                errors.append(f"ERROR {target.name}: {type(error).__name__}: {error}")
    for line in [*_shown(found, options.show), *table(found), *errors[:MOST_SHOWN]]:
        print(line)
    print(f"{len(found)} replies verified, {len(errors)} errors, {time.perf_counter() - started:.1f} s")
    return 1 if errors else 0


def _shown(found: Sequence[Trial], starts: Sequence[str]) -> list[str]:
    wrong = [trial for trial in found if not trial.good and any(trial.kind.startswith(start) for start in starts)]
    return [f"{trial.kind}  {trial.name}\n      {trial.seen}" for trial in wrong[: MOST_SHOWN * 5]]


if __name__ == "__main__":
    raise SystemExit(main())
