"""One call and what came back, with the questions that the rules of outcomes ask of it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.outcome_rules import OutcomeRules, plain
from verifier.returned import Returned

MAX_KEY = 80  # characters of a key or a status that are compared
MAX_VALUE = 160  # a longer text is no status


@dataclass(frozen=True, slots=True)
class Case:
    """One call with what came back, ready for the rules."""

    back: Returned
    name: str
    words: tuple[str, ...]
    write: bool
    arguments: Any
    seen: Container[str]
    rules: OutcomeRules
    fields: tuple[tuple[str, Any], ...]  # of the record and what wraps it, and of `key: value` lines; keys as words


def key_words(text: str) -> str:
    """A key as words, see `plain`."""
    return plain(text[:MAX_KEY])


def value_words(value: object) -> str:
    """A field's value as words; nothing for what is no short text or flag."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return key_words(value) if isinstance(value, str) and len(value) <= MAX_VALUE else ""


def number(value: object) -> int | None:
    """A whole number, also from its text; a flag is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.lstrip("-").isdecimal() and len(text) <= 10 else None


def is_job(key: str, rules: OutcomeRules) -> bool:
    """Whether a key names the id of a job that goes on."""
    return key.endswith(" id") and rules.has("job_ids", key.removesuffix(" id"))


def is_envelope(case: Case, *further: str) -> bool:
    """Whether there is nothing but a status, a message, a job's id and where to ask; `further` are allowed lists."""
    record, rules = case.back.record, case.rules
    lists = ("status_keys", "result_keys", "envelope_keys", *further)
    keys = [key_words(str(key)) for key in record]
    parts = [is_job(key, rules) or any(rules.has(name, key) for name in lists) for key in keys]
    return bool(record) and all(parts) and not any(isinstance(v, list | tuple) and v for v in record.values())


def status(case: Case) -> str:
    """The record's plain status as words."""
    for name in ("status_keys", "result_keys"):
        for key, value in case.back.record.items():
            if case.rules.has(name, key_words(str(key))):
                return value_words(value)
    return ""


def later_nouns(case: Case) -> frozenset[str] | None:
    """What the record of this tool's work is named, where the work ends later than the call; else None."""
    for word in case.words:
        if case.rules.has("prompt_verbs", word):
            return None
        if word in case.rules.later:
            return case.rules.later[word]
    return None


def is_new(case: Case) -> bool:
    """Whether the record's own id is neither an argument nor one met before; a record without an id is not new."""
    nouns = later_nouns(case) or frozenset()
    ids = {}
    for name, value in case.back.record.items():
        key = key_words(str(name))
        if (key == "id" or key.endswith(" id")) and isinstance(value, str | int) and not isinstance(value, bool):
            ids[key] = value
    own = next(
        (ids[key] for key in ids if key.removesuffix(" id") in nouns), ids.get("id", next(iter(ids.values()), None))
    )
    return own is not None and not known(own, case)


def known(value: object, case: Case) -> bool:
    """Whether an id is an argument of the call or was met before."""
    return str(value) in case.seen or _holds(case.arguments, str(value), 0)


def _holds(where: object, text: str, depth: int) -> bool:
    if isinstance(where, Mapping):
        return depth < 8 and any(_holds(item, text, depth + 1) for item in where.values())
    if isinstance(where, list | tuple):
        return depth < 8 and any(_holds(item, text, depth + 1) for item in where)
    return where is not None and str(where) == text
