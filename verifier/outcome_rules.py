"""rules/outcomes.yaml as a record: the word lists, the verbs, what a tool's own entries say, and the examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from verifier.data import (
    Problems,
    YamlMap,
    expect_choice,
    expect_list,
    expect_map,
    expect_text,
    expect_texts,
    folder,
    load,
    refuse_unknown_keys,
)
from verifier.model import Outcome
from verifier.tool import name_words

MAX_CACHED = 80  # characters; results repeat their keys and statuses, not their prose


@dataclass(frozen=True, slots=True)
class Entry:
    """What one entry of `tools` says: a field with one of some values, or how the text begins, gives an outcome."""

    outcome: Outcome
    key: str = ""
    values: frozenset[str] = frozenset()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A result and the outcome that it must have; `fires` is whether the rule it stands under decides it."""

    rule: str
    fires: bool
    place: str
    fields: Mapping[str, Any]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class OutcomeRules:
    """The data that outcomes are read with. Words are kept as `name_words` joined with a space."""

    lists: Mapping[str, frozenset[str]]
    later: Mapping[str, frozenset[str]]
    tools: Mapping[str, tuple[Entry, ...]]
    examples: tuple[Example, ...] = ()

    def has(self, name: str, words: str) -> bool:
        """Whether a list holds these words."""
        return words in self.lists[name]

    def begins(self, name: str, words: str) -> bool:
        """Whether the words begin with an entry of a list."""
        return any(words == start or words.startswith(start + " ") for start in self.lists[name])


@cache
def packaged() -> OutcomeRules:
    """The rules that come with the package. Raises `DataError` where the file is wrong."""
    return read_rules(load(folder("rules") / "outcomes.yaml"), None)


def load_rules(path: str | Path) -> OutcomeRules:
    """The rules with those of a user's file added: its lists are joined, its `tools` come first. Raises `DataError`."""
    return read_rules(load(path), packaged())


def plain(text: str) -> str:
    """A key or a text as words: lower case, without accents, joined with a space (`dryRun` is `dry run`)."""
    return _short(text) if len(text) <= MAX_CACHED else " ".join(name_words(text))


@lru_cache(maxsize=4096)
def _short(text: str) -> str:
    return " ".join(name_words(text))


def read_rules(file: YamlMap, base: OutcomeRules | None) -> OutcomeRules:
    """The rules of a file, added to `base` where there is one (else every list must be there)."""
    problems = Problems()
    refuse_unknown_keys(file, ("lists", "later_verbs", "tools", "rules"), problems)
    rules = OutcomeRules(
        lists=_lists(file, base, problems),
        later=_later(file, base, problems),
        tools={**(base.tools if base else {}), **_tools(file, base, problems)},
        examples=_examples(file, problems),
    )
    problems.check()
    return rules


LISTS = (
    "wrappers", "error_keys", "no_error", "success_keys", "failure_keys", "exit_keys", "http_keys", "failed_words",
    "denied_words", "error_beginnings", "write_error_beginnings", "none_beginnings", "none_ends", "lost",
    "refused_beginnings", "pending_beginnings", "approval_keys", "needs_approval_keys", "approval_open",
    "waiting_words", "approval_words", "failed_lists", "job_makers", "committed_keys", "trial_keys",
    "call_status_keys", "trial_words", "not_words", "committed_words", "unmade_words", "finished_words",
    "unfinished_status", "accepted_status", "status_keys", "result_keys", "prompt_verbs", "approval_envelope_keys",
    "envelope_keys", "job_ids", "item_lists", "delegates",
)  # fmt: skip


def _lists(file: YamlMap, base: OutcomeRules | None, problems: Problems) -> dict[str, frozenset[str]]:
    given = expect_map(file.get("lists", YamlMap() if base else None), "lists", problems, file)
    refuse_unknown_keys(given, LISTS, problems)
    found = {}
    for name in LISTS:
        before = base.lists[name] if base else frozenset()
        texts = () if base and name not in given else expect_texts(given.get(name), name, problems, given)
        found[name] = before | {plain(text) for text in texts}
    return found


def _later(file: YamlMap, base: OutcomeRules | None, problems: Problems) -> dict[str, frozenset[str]]:
    given = expect_map(file.get("later_verbs", YamlMap() if base else None), "later_verbs", problems, file)
    found = dict(base.later) if base else {}
    for verb, nouns in given.items():
        found[str(verb)] = frozenset(map(str, expect_texts(nouns, f"later_verbs of '{verb}'", problems)))
    return found


def _tools(file: YamlMap, base: OutcomeRules | None, problems: Problems) -> dict[str, tuple[Entry, ...]]:
    given = expect_map(file.get("tools", YamlMap() if base else None), "tools", problems, file)
    found = {}
    for tool, entries in given.items():
        rows = [expect_map(row, "an entry", problems) for row in expect_list(entries, f"'{tool}'", problems)]
        mine = tuple(_entry(row, problems) for row in rows)
        found[str(tool)] = mine + (base.tools.get(tool, ()) if base else ())
    return found


def _entry(row: YamlMap, problems: Problems) -> Entry:
    refuse_unknown_keys(row, ("key", "is", "text", "outcome"), problems)
    outcome = Outcome(expect_choice(row.get("outcome"), "outcome", tuple(Outcome), problems, row))
    if ("key" in row) == ("text" in row):
        problems.add(row, "an entry has either `key` (with `is`) or `text`")
        return Entry(outcome)
    if "text" in row:
        return Entry(outcome, text=plain(expect_text(row["text"], "text", problems)))
    values = frozenset(plain(value) for value in expect_texts(row.get("is"), "is", problems, row))
    return Entry(outcome, plain(expect_text(row.get("key"), "key", problems, row)), values)


def _examples(file: YamlMap, problems: Problems) -> tuple[Example, ...]:
    found = []
    for item in expect_list(file["rules"], "rules", problems) if "rules" in file else ():
        rule = expect_map(item, "a rule", problems)
        refuse_unknown_keys(rule, ("id", "why", "fires", "keeps"), problems)
        name = expect_text(rule.get("id"), "id", problems, rule)
        expect_text(rule.get("why"), "why", problems, rule)
        for kind in ("fires", "keeps"):
            for row in expect_list(rule.get(kind), kind, problems, rule):
                found.append(_example(expect_map(row, "an example", problems), str(name), kind == "fires", problems))
    return tuple(found)


def _example(row: YamlMap, rule: str, fires: bool, problems: Problems) -> Example:
    refuse_unknown_keys(row, ("tool", "arguments", "seen", "result", "error", "outcome"), problems)
    outcome = Outcome(expect_choice(row.get("outcome"), "outcome", tuple(Outcome), problems, row))
    fields: dict[str, Any] = {key: value for key, value in row.items() if key != "outcome"}
    return Example(rule, fires, f"{row.file}:{row.line}", fields, outcome)
