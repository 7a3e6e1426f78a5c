"""Score `verify` against the replies labelled by hand: `python -m benchmarks.labels [--set S] [--show LIST]`."""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.material import SETS, SHARED, Case, readers
from benchmarks.scoring import ReplyScore, SentenceScore, score
from verifier.evaluation import printed_interval, rate_interval

SHOWN = ("rewritten", "missed", "claims", "tools", "links", "appended", "cases", "changed", "none")
MOST_LINES = 400  # A longer list is not read by anybody.
Verify = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Failure:
    """A reply for which building the ledger or verifying raised: its key, and the last lines of the trace."""

    set: str
    key: str
    message: str


@dataclass(frozen=True, slots=True)
class Result:
    """All scores of one run, and what went wrong in it."""

    scores: tuple[ReplyScore, ...]
    failures: tuple[Failure, ...]

    @property
    def sentences(self) -> tuple[SentenceScore, ...]:
        """Give the scored sentences of all replies."""
        return tuple(sentence for reply in self.scores for sentence in reply.sentences)


def run(cases: Iterable[tuple[str, str, Callable[[], Case]]], verify: Verify) -> Result:
    """Verify and score each of `cases`, given as (set, key, function that builds it)."""
    scores, failures = [], []
    for name, key, build in cases:
        try:
            case = build()
            scores.append(score(case, verify(case.reply, case.ledger, language=case.language)))
        except Exception:  # A fault of the verifier must show as one, for each reply that meets it.
            failures.append(Failure(name, key, _trace()))
    return Result(tuple(scores), tuple(failures))


def _trace() -> str:
    return " | ".join(line.strip() for line in traceback.format_exc(limit=-2).splitlines()[-5:])


def rate(word: str, successes: int, total: int) -> str:
    """Write one figure as a line: the count, the rate and its exact interval."""
    if total == 0:
        return f"  {word:<34} –"
    interval = printed_interval(*rate_interval(successes, total))
    return f"  {word:<34} {successes:>5} / {total:<5} {100 * successes / total:5.1f}%  {interval}"


def summary(result: Result) -> list[str]:
    """Give the lines of figures for the sentences, the appended writes and the reported faults of one run."""
    lines = [*_sentence_figures(result), *_reply_figures(result), *_case_figures(result)]
    if result.failures:
        lines.append(f"  ERRORS RAISED                      {len(result.failures):>5}")
    return lines


def _sentence_figures(result: Result) -> list[str]:
    sentences = result.sentences
    if not sentences:
        return []
    true = [s for s in sentences if s.label.keep]
    false = [s for s in sentences if not s.label.keep]
    linked = [s for s in sentences if s.label_tools]
    return [
        rate("true sentences rewritten", sum(s.rewritten for s in true), len(true)),
        rate("false sentences gone", sum(s.rewritten for s in false), len(false)),
        rate("claims exact", sum(s.claims == s.label_claims for s in sentences), len(sentences)),
        rate("claims exact, of a tool", sum(s.claims == s.label_claims for s in linked), len(linked)),
        rate("tools right", sum(s.tools == s.label_tools for s in sentences), len(sentences)),
        rate("tools right, of a tool", sum(s.tools == s.label_tools for s in linked), len(linked)),
        rate("calls right", sum(s.calls == s.label_calls for s in sentences), len(sentences)),
        rate("calls right, of a tool", sum(s.calls == s.label_calls for s in linked), len(linked)),
    ]


def _reply_figures(result: Result) -> list[str]:
    replies = [r for r in result.scores if r.case.expect is None]
    if not replies:
        return []
    right = sum(len(r.appended) for r in replies)
    missing = sum(len(r.not_appended) for r in replies)
    told = sum(bool(r.appended_though_told) for r in replies)
    true = [r for r in replies if r.all_true]
    return [
        rate("omitted writes appended", right, right + missing),
        rate("replies appended though told", told, len(replies)),
        rate("all-true replies changed", sum(r.changed for r in true), len(true)),
    ]


def _case_figures(result: Result) -> list[str]:
    cases = [r for r in result.scores if r.case.expect is not None]
    if not cases:
        return []
    must_go = sum(len(r.case.row["expect"]["removed"]) for r in cases)
    must_stay = sum(len(r.case.row["expect"]["kept"]) for r in cases)
    true = [r for r in cases if r.all_true]
    return [
        rate("cases: must go but left", sum(len(r.must_go_left) for r in cases), must_go),
        rate("cases: must stay but lost", sum(len(r.must_stay_lost) for r in cases), must_stay),
        rate("cases: appended wrong", sum(bool(r.append_wrong) for r in cases), len(cases)),
        rate("cases: all-true changed", sum(r.changed for r in true), len(true)),
    ]


def sentence_line(s: SentenceScore) -> str:
    """Write one scored sentence on a line: what the label says, what we say, what was put there."""
    ours = f"{'+'.join(sorted(s.claims))} {sorted(s.tools)} {sorted(s.calls)}"
    label = f"{'+'.join(sorted(s.label_claims))} {sorted(s.label_tools)} {sorted(s.label_calls)}"
    line = f"{s.name}  {_cut(s.label.text)}\n      label {label}\n      ours  {ours}"
    rules = sorted({clause.rule for clause in s.clauses if clause.rule})
    if rules:
        line += f"  by {', '.join(rules)}"
    for clause in s.clauses:
        if not clause.true:
            line += f"\n      false {clause.claim} {clause.tool}: {clause.why}"
    for edit in s.edits:
        line += f"\n      edit  {edit.kind} {edit.rule}: {_cut(edit.text)!r}"
    for label_clause in s.label.row["clauses"]:
        if label_clause.get("why"):
            line += f"\n      why   {label_clause['why']}"
    return line


def _cut(text: str, longest: int = 220) -> str:
    one_line = text.replace("\r", " ").replace("\n", " ⏎ ")
    return one_line if len(one_line) <= longest else one_line[: longest - 1] + "…"


def shown(result: Result, what: str) -> list[str]:
    """Give the lines of the list called `what`."""
    pick: dict[str, Callable[[SentenceScore], bool]] = {
        "rewritten": lambda s: s.label.keep and s.rewritten,
        "missed": lambda s: not s.label.keep and not s.rewritten,
        "claims": lambda s: s.claims != s.label_claims,
        "tools": lambda s: s.tools != s.label_tools,
        "links": lambda s: s.calls != s.label_calls,
    }
    if what in pick:
        return [sentence_line(s) for s in result.sentences if pick[what](s)]
    if what == "appended":
        return [line for r in result.scores if (line := _appended_line(r))]
    if what == "cases":
        return [line for r in result.scores if (line := _case_line(r))]
    if what == "changed":
        return [f"{r.case.key}  {_cut(r.verdict.text, 600)}" for r in result.scores if r.all_true and r.changed]
    return []


def _appended_line(r: ReplyScore) -> str:
    wrong, missing = r.appended_though_told, r.not_appended
    if not wrong and not missing:
        return ""
    names = [f"though told: {_call_name(r.case, i)}" for i in wrong]
    names += [f"missing: {_call_name(r.case, i)}" for i in missing]
    return f"{r.case.key}  {'; '.join(names)}\n      {_cut(r.case.reply, 600)}"


def _call_name(case: Case, index: int) -> str:
    if index < 0:
        return "a call before those labelled"
    call = next(call for call in case.ledger.calls if call.id == case.call_ids[index])
    return f"[{index}] {call.tool} {call.outcome}"


def _case_line(r: ReplyScore) -> str:
    lines = [f"      left  {_cut(text)}" for text in r.must_go_left]
    lines += [f"      lost  {_cut(text)}" for text in r.must_stay_lost]
    lines += [f"      append {tool}" for tool in r.append_wrong]
    if r.all_true and r.changed:
        lines.append(f"      changed to {_cut(r.verdict.text, 500)}")
    return "\n".join([f"{r.case.key}  {_cut(r.case.reply, 300)}", *lines]) if lines else ""


def full(r: ReplyScore) -> list[str]:
    """Give everything about one reply: ledger, reply, each sentence by label and by us, and the text given back."""
    case = r.case
    lines = [f"=== {case.key} ({case.set}, {case.language}) turn {case.ledger.turn}"]
    lines += [f"  said: {case.row['user']}"] if case.row.get("user") else []
    lines += ["  tools (* writes): " + ", ".join(tool.name + "*" * bool(tool.write) for tool in case.ledger.tools)]
    for call in case.ledger.calls:
        index = case.call_ids.index(call.id) if call.id in case.call_ids else "-"
        arguments = json.dumps(call.arguments, ensure_ascii=False, default=str)
        lines.append(f"  [{index}] turn {call.turn} {call.tool} {call.outcome} {call.reason}\n        {arguments}")
        lines.append(f"        -> {_cut(json.dumps(call.result, ensure_ascii=False, default=str), 1500)}")
    lines += ["  reply:", *(f"    | {line}" for line in case.reply.split("\n"))]
    lines += ["  " + ("keep " if s.label.keep else "MUST GO ") + sentence_line(s) for s in r.sentences]
    lines += ["  our sentences:"]
    for sentence in r.verdict.sentences:
        lines.append(f"    {sentence.action:<8} {_cut(sentence.text)!r}")
        lines += [f"      {_clause(case, clause)}" for clause in sentence.clauses]
    lines += [f"  edit {e.start}:{e.end} {e.kind} {e.rule} {_cut(e.text)!r}" for e in r.verdict.edits]
    lines += [f"  report {x.start}:{x.end} {x.kind} {x.rule} {x.why}" for x in r.verdict.reports]
    lines += [f"  appended: {[call.tool for call in r.verdict.appended]}  label omitted: {list(case.omitted)}"]
    if case.expect:
        lines += [f"  expect: {json.dumps(case.expect, ensure_ascii=False)}", f"  {_case_line(r) or 'as expected'}"]
    return [*lines, "  text:", *(f"    | {line}" for line in r.verdict.text.split("\n"))]


def _clause(case: Case, clause: Any) -> str:
    where = f"[{case.call_ids.index(clause.call.id)}]" if clause.call and clause.call.id in case.call_ids else "[]"
    values = ", ".join(f"{value.kind}:{value.text}" for value in clause.values)
    truth = "true" if clause.true else f"FALSE {clause.why}"
    return f"{clause.start}:{clause.end} {clause.claim} {clause.tool}{where} ({clause.rule}) {{{values}}} {truth}"


def marks(result: Result) -> dict[str, list[str]]:
    """Give the names of what went wrong, list by list, to be compared with a later run."""
    lists = {what: [line.split("  ")[0] for line in shown(result, what)] for what in SHOWN[:-1]}
    lists["errors"] = [failure.key for failure in result.failures]
    return lists


def difference(old: dict[str, list[str]], new: dict[str, list[str]]) -> list[str]:
    """Give the lines that say what became right and what became wrong between two runs."""
    lines = []
    for what in new:
        before, after = old.get(what, []), new[what]
        fixed = [name for name in before if name not in after]
        broken = [name for name in after if name not in before]
        if fixed or broken:
            lines.append(f"{what}: right now {', '.join(fixed) or '–'}; wrong now {', '.join(broken) or '–'}")
    return lines


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labels", description=__doc__)
    parser.add_argument("--set", action="append", choices=tuple(SETS), help="a set to score (default: all)")
    parser.add_argument("--show", action="append", choices=SHOWN, default=[], help="a list to print in full")
    parser.add_argument("--only", help="print everything about the replies whose key starts so")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder that holds the labelled sets")
    parser.add_argument("--save", type=Path, help="write what is wrong in this run to a file")
    parser.add_argument("--against", type=Path, help="say what changed since a saved run")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Score the chosen sets and print the figures; give 1 where something was raised."""
    options = _arguments(argv)
    from verifier import verify

    started = time.perf_counter()
    names = options.set or list(SETS)
    cases = [(name, key, build) for name in names for key, build in readers(name, options.shared)]
    if options.only:
        cases = [case for case in cases if case[1].startswith(options.only)]
    result = run(cases, verify)
    _print(result, names, options)
    print(f"{len(result.scores)} replies, {len(result.sentences)} sentences, {time.perf_counter() - started:.1f} s")
    return 1 if result.failures else 0


def _print(result: Result, names: Sequence[str], options: argparse.Namespace) -> None:
    if options.only:
        print("\n".join(line for r in result.scores for line in full(r)))
    for what in options.show:
        lines = shown(result, what)
        print(f"--- {what}: {len(lines)}", *lines[:MOST_LINES], sep="\n")
    for failure in result.failures[: None if options.only else 20]:
        print(f"ERROR {failure.set} {failure.key}: {failure.message}")
    if options.only:
        return
    for name in [*names, *(["all"] if len(names) > 1 else [])]:
        part = result if name == "all" else _part(result, name)
        print(f"{name}: {len(part.scores)} replies, {len(part.sentences)} sentences", *summary(part), sep="\n")
    if options.against:
        print(*difference(json.loads(options.against.read_text(encoding="utf-8")), marks(result)), sep="\n")
    if options.save:
        options.save.write_text(json.dumps(marks(result), indent=1, ensure_ascii=False), encoding="utf-8")


def _part(result: Result, name: str) -> Result:
    return Result(
        tuple(r for r in result.scores if r.case.set == name), tuple(f for f in result.failures if f.set == name)
    )


if __name__ == "__main__":
    raise SystemExit(main())
