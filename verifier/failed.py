"""Rule 2 of outcomes: what says that a call failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.model import Outcome
from verifier.outcome_case import Case, is_envelope, is_new, key_words, later_nouns, number, status, value_words
from verifier.outcome_rules import OutcomeRules


def failed(case: Case) -> Outcome | None:
    """Rule 2: an exception, a flag, a code, a text that starts with an error word."""
    back, rules = case.back, case.rules
    if back.failed:
        lost = case.write and any(f" {word} " in f" {back.error} " for word in rules.lists["lost"])
        return Outcome.UNKNOWN if lost and back.raised else Outcome.FAILED
    if _text_fails(case) or any(_flagged(level, rules, case.write) for level in back.levels):
        return Outcome.FAILED
    if any(_all_failed(level, rules) for level in back.levels):
        return Outcome.FAILED
    if back.items and all(item_failed(item, rules) for item in back.items) and not _succeeded(back.levels, rules):
        return Outcome.FAILED
    return _status_fails(case)


def _succeeded(levels: tuple[Mapping[str, Any], ...], rules: OutcomeRules) -> bool:
    fields = ((key_words(str(key)), value) for level in levels for key, value in level.items())
    return any(rules.has("success_keys", key) and value_words(value) == "true" for key, value in fields)


def _all_failed(record: Mapping[str, Any], rules: OutcomeRules) -> bool:
    """`{"updated": [], "failed": [1, 2]}`: a list of failures beside lists that are all empty."""
    lists = [(key_words(str(key)), value) for key, value in record.items() if isinstance(value, list | tuple)]
    failed = [bool(value) for key, value in lists if rules.has("failed_lists", key)]
    others = [bool(value) for key, value in lists if not rules.has("failed_lists", key)]
    return any(failed) and bool(others) and not any(others)


def _flagged(record: Mapping[str, Any], rules: OutcomeRules, write: bool = True) -> bool:
    """Whether a record carries an error, a false success, a failing code; a success that lists errors is partial."""
    fields = [(key_words(str(name)), value) for name, value in record.items()]
    partial = _succeeded((record,), rules) or any(
        isinstance(value, list | tuple) and value and not rules.has("error_keys", key) for key, value in fields
    )
    return any(_flag(key, value, partial, write, rules) for key, value in fields)


def _flag(key: str, value: object, partial: bool, write: bool, rules: OutcomeRules) -> bool:
    if rules.has("error_keys", key):
        counted = isinstance(value, int) and not isinstance(value, bool) and not write  # how many errors a log has
        return _is_error(value, rules) and not counted and not (partial and isinstance(value, list | tuple))
    if rules.has("success_keys", key):
        return value_words(value) in ("false", "no") or value == 0
    if rules.has("failure_keys", key):
        return value is True or value_words(value) == "true"
    code = number(value)
    if code is None:
        return False
    if rules.has("exit_keys", key):
        return code != 0
    return 400 <= code <= 599 and (rules.has("http_keys", key) or key == "status")


def _is_error(value: object, rules: OutcomeRules) -> bool:
    if isinstance(value, str):
        return not rules.has("no_error", key_words(value))
    if isinstance(value, Mapping) and set(map(str, value)) <= {"code", "message"} and value.get("code") in (0, "0"):
        return False
    return bool(value)


def _text_fails(case: Case) -> bool:
    back, rules = case.back, case.rules
    if back.error_beginning or 400 <= back.code <= 599:
        return True
    if not case.write:
        return False
    words = back.beginning.split(" ")
    if rules.begins("write_error_beginnings", back.beginning) and back.prose:
        return True
    none = rules.has("none_beginnings", words[0]) and any(rules.has("none_ends", word) for word in words)
    return back.crossed or (none and back.prose)


def item_failed(item: object, rules: OutcomeRules) -> bool:
    """Whether one of several items that a call worked on failed."""
    if not isinstance(item, Mapping):
        return False
    status = any(
        rules.has("status_keys", key_words(str(key))) and rules.has("failed_words", value_words(value))
        for key, value in item.items()
    )
    return status or _flagged(item, rules)


def _status_fails(case: Case) -> Outcome | None:
    """A status that says failed: of the call where there is no record, or of new work that it started."""
    word, rules = status(case), case.rules
    codes = [number(value) for key, value in case.fields if key == "code"]
    if any(code is not None and 400 <= code <= 599 for code in codes) and is_envelope(case):
        return Outcome.FAILED
    later = later_nouns(case) is not None
    if rules.has("failed_words", word):
        return Outcome.FAILED if is_envelope(case) or (later and is_new(case)) else None
    if rules.has("denied_words", word) and later:
        return Outcome.FAILED if is_envelope(case) or is_new(case) else None
    return None
