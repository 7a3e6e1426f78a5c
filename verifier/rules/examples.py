"""The examples of rules, run through the whole pipeline: each fires where its marks say and changes what it says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.rules.rule import Example, Rule
from verifier.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from verifier.ledger import Ledger


def problems_of(rules: Iterable[Rule]) -> Iterator[str]:
    """What is wrong with the examples of rules: none that fires, none that must not, or another result."""
    for rule in rules:
        if not any(example.fires for example in rule.examples):
            yield f"{rule.place}: the rule '{rule.id}' has no example that fires (mark it with ⟦ and ⟧)"
        if all(example.fires for example in rule.examples):
            yield f"{rule.place}: the rule '{rule.id}' has no example that must not fire"
        for example in rule.examples:
            yield from _problems(rule, example)


def _problems(rule: Rule, example: Example) -> Iterator[str]:
    from verifier import Verifier
    from verifier.rules.applying import apply
    from verifier.splitter import split

    alone = RuleSet((replace(rule, enabled=True),))
    ledger = ledger_of(example)
    sentences = split(example.says, example.language)
    applied = apply(example.says, (), sentences, ledger, alone, language=example.language)
    if example.spans:
        found = sorted([*((e.start, e.end) for e in applied.edits), *((r.start, r.end) for r in applied.reports)])
        if not _covers(found, example.spans):
            yield f"{example.place}: '{rule.id}' must fire at {list(example.spans)}; it fires at {found}"
    elif not example.fires and (applied.edits or applied.reports):
        spans = [*((e.start, e.end) for e in applied.edits), *((r.start, r.end) for r in applied.reports)]
        shown = [example.says[start:end] for start, end in spans]
        yield f"{example.place}: '{rule.id}' must not fire; it fires at {shown}"
    wanted = example.says if example.becomes is None else example.becomes
    if example.becomes is None and example.spans and applied.edits:
        return
    try:
        verdict = Verifier(rules=alone, language=example.language).verify(example.says, ledger)
    except ValueError as error:  # a language without a grammar
        yield f"{example.place}: {error}"
        return
    if verdict.text != wanted:
        yield f"{example.place}: “{example.says}” must become “{wanted}”; it becomes “{verdict.text}”"


def _covers(found: list[tuple[int, int]], spans: tuple[tuple[int, int], ...]) -> bool:
    """Whether each place is one that was marked; a sentence that goes as a whole holds the mark."""
    held = all(any(start <= a and b <= end for start, end in found) for a, b in spans)
    return held and all(any(start <= a and b <= end for a, b in spans) for start, end in found)


def ledger_of(example: Example) -> Ledger:
    """The session of an example."""
    from verifier.ledger import Ledger
    from verifier.tool import Tool

    tools = {call["tool"]: Tool(call["tool"], write=call.get("write") == "yes") for call in example.calls}
    ledger = Ledger(tools=list(tools.values()))
    if example.heard:
        ledger.hear(example.heard)
    for call in example.calls:
        arguments, result = json.loads(call.get("arguments", "{}")), json.loads(call.get("result", "null"))
        ledger.record(call["tool"], arguments, outcome=call.get("outcome", "done"), result=result)
    return ledger
