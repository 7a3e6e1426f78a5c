"""What became of a call, read from what its tool returned: structure decides, not wording (rules/outcomes.yaml).

The seven rules and their examples are in the data file; the functions here are named after them. In doubt a call
that returned something is `done`: most writes answer with the changed record and no flag at all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from verifier.model import Outcome
from verifier.outcome_rules import OutcomeRules, load_rules, packaged, plain
from verifier.returned import Returned, error_text, unwrap
from verifier.tool import Tool, name_words, operation_words, writes

__all__ = ["item_outcomes", "load_rules", "outcome_of", "reason_of"]

MAX_REASON = 300  # characters of an error's text that a call keeps as its reason
MAX_BEGINNING = 160  # characters of a text that say whether it reports an error
HTTP_ACCEPTED = 202


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


def outcome_of(
    result: object,
    *,
    error: object = None,
    tool: Tool | str | None = None,
    arguments: object = None,
    seen: Container[str] = (),
    rules: OutcomeRules | None = None,
) -> Outcome:
    """What became of a call that returned `result` (text, JSON, MCP content) or raised `error`.

    `error` is an exception, its text, or whether the framework flagged one. `arguments` and `seen` (the ids met
    before) tell a new record from a known one. A `result` of None means that none came. Without a tool, a write is
    assumed.

    >>> outcome_of({"order_id": "4412", "status": "pending"}, tool="cancel_order", arguments={"order_id": "4412"})
    <Outcome.DONE: 'done'>
    >>> outcome_of("Error: no such order", tool="cancel_order")
    <Outcome.FAILED: 'failed'>
    """
    using = rules or packaged()
    if result is None and not error:
        return Outcome.UNKNOWN
    name = tool.name if isinstance(tool, Tool) else tool or ""
    write = bool(tool.write) if isinstance(tool, Tool) else writes(name)
    case = Case(unwrap(result, error, using), name, name_words(name), write, arguments, seen, using)
    found = _by_tool(case)
    if found is not None:
        return found
    for rule in RULES if write else READ_RULES:
        found = rule(case)
        if found is not None:
            break
    if write:
        return found or Outcome.DONE
    return Outcome.FAILED if found in (Outcome.FAILED, Outcome.REFUSED) else Outcome.DONE


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    return plain(text[:80])


def _word(value: object) -> str:
    """A field's value as words; nothing for what is no short text or flag."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return _key(value) if isinstance(value, str) and len(value) <= MAX_BEGINNING else ""


def _fields(case: Case) -> list[tuple[str, Any]]:
    """The fields of the record and of what wraps it, keys as words; those of `key: value` lines too."""
    return [(_key(str(key)), value) for level in case.back.levels for key, value in level.items()]


def _by_tool(case: Case) -> Outcome | None:
    for entry in case.rules.tools.get(case.name, ()):
        if entry.text and (case.back.beginning + " ").startswith(entry.text + " "):
            return entry.outcome
        if entry.key and any(key == entry.key and _word(value) in entry.values for key, value in _fields(case)):
            return entry.outcome
    return None


def _approval(case: Case) -> Outcome | None:
    """Rule 3: a person refused it, or has not agreed yet."""
    has, begins = case.rules.has, case.rules.begins
    for text in (case.back.beginning, case.back.error):
        if begins("pending_beginnings", text):
            return Outcome.PENDING_CONFIRMATION
        if begins("refused_beginnings", text):
            return Outcome.REFUSED
    for key, value in _fields(case):
        word = _word(value)
        if key == "approved" and word == "false":
            return Outcome.REFUSED
        if has("needs_approval_keys", key) and word == "true":
            return Outcome.PENDING_CONFIRMATION
        if has("approval_keys", key):
            if has("approval_open", word.split(" ")[0]):
                return Outcome.PENDING_CONFIRMATION
            if has("denied_words", word):
                return Outcome.REFUSED
        if has("status_keys", key) and _waits(word, case.rules) and _is_envelope(case):
            return Outcome.PENDING_CONFIRMATION
    return None


def _waits(text: str, rules: OutcomeRules) -> bool:
    """`awaiting_approval`, `pending confirmation`, `confirmation_required`."""
    words = text.split(" ")
    return len(words) > 1 and rules.has("waiting_words", words[0]) and rules.has("approval_words", words[-1])


def _failed(case: Case) -> Outcome | None:
    """Rule 2: an exception, a flag, a code, a text that starts with an error word."""
    back, rules = case.back, case.rules
    if back.failed:
        lost = case.write and any(f" {word} " in f" {back.error} " for word in rules.lists["lost"])
        return Outcome.UNKNOWN if lost and back.raised else Outcome.FAILED
    if _text_fails(case) or any(_flagged(level, rules, case.write) for level in back.levels):
        return Outcome.FAILED
    if any(_all_failed(level, rules) for level in back.levels):
        return Outcome.FAILED
    items = [_item_failed(item, rules) for item in back.items]
    if items and all(items) and not _succeeded(back.levels, rules):
        return Outcome.FAILED
    return _status_fails(case)


def _succeeded(levels: tuple[Mapping[str, Any], ...], rules: OutcomeRules) -> bool:
    fields = ((_key(str(key)), value) for level in levels for key, value in level.items())
    return any(rules.has("success_keys", key) and _word(value) == "true" for key, value in fields)


def _all_failed(record: Mapping[str, Any], rules: OutcomeRules) -> bool:
    """`{"updated": [], "failed": [1, 2]}`: a list of failures beside lists that are all empty."""
    lists = [(_key(str(key)), value) for key, value in record.items() if isinstance(value, list | tuple)]
    failed = [bool(value) for key, value in lists if rules.has("failed_lists", key)]
    others = [bool(value) for key, value in lists if not rules.has("failed_lists", key)]
    return any(failed) and bool(others) and not any(others)


def _flagged(record: Mapping[str, Any], rules: OutcomeRules, write: bool = True) -> bool:
    """Whether a record carries an error, a false success, a failing code; a success that lists errors is partial."""
    fields = [(_key(str(name)), value) for name, value in record.items()]
    partial = _succeeded((record,), rules) or any(
        isinstance(value, list | tuple) and value and not rules.has("error_keys", key) for key, value in fields
    )
    return any(_flag(key, value, partial, write, rules) for key, value in fields)


def _flag(key: str, value: object, partial: bool, write: bool, rules: OutcomeRules) -> bool:
    if rules.has("error_keys", key):
        counted = isinstance(value, int) and not isinstance(value, bool) and not write  # how many errors a log has
        return _is_error(value, rules) and not counted and not (partial and isinstance(value, list | tuple))
    if rules.has("success_keys", key):
        return _word(value) in ("false", "no") or value == 0
    if rules.has("failure_keys", key):
        return value is True or _word(value) == "true"
    code = _number(value)
    if code is None:
        return False
    if rules.has("exit_keys", key):
        return code != 0
    return 400 <= code <= 599 and (rules.has("http_keys", key) or rules.has("status_keys", key))


def _is_error(value: object, rules: OutcomeRules) -> bool:
    if isinstance(value, str):
        return not rules.has("no_error", _key(value))
    if isinstance(value, Mapping) and set(map(str, value)) <= {"code", "message"} and value.get("code") in (0, "0"):
        return False
    return bool(value)


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.lstrip("-").isdecimal() and len(text) <= 10 else None


def _text_fails(case: Case) -> bool:
    back, rules = case.back, case.rules
    if back.error_beginning:
        return True
    if not case.write:
        return False
    words = back.beginning.split(" ")
    if rules.begins("write_error_beginnings", back.beginning) and back.prose:
        return True
    none = rules.has("none_beginnings", words[0]) and any(rules.has("none_ends", word) for word in words)
    return back.crossed or (none and back.prose)


def _item_failed(item: object, rules: OutcomeRules) -> bool:
    if not isinstance(item, Mapping):
        return False
    status = any(
        rules.has("status_keys", _key(str(key))) and rules.has("failed_words", _word(value))
        for key, value in item.items()
    )
    return status or _flagged(item, rules)


def reason_of(result: object, outcome: Outcome, *, error: object = None) -> str:
    """Why a call failed or was refused, as its tool said it: the error's text, one line of it; else nothing."""
    if outcome not in (Outcome.FAILED, Outcome.REFUSED):
        return ""
    if isinstance(error, BaseException):
        return str(error)[:MAX_REASON] or type(error).__name__
    if isinstance(error, str) and error:
        return error[:MAX_REASON]
    return error_text(result, packaged())[:MAX_REASON]


def item_outcomes(result: object, *, rules: OutcomeRules | None = None) -> tuple[tuple[Any, Outcome], ...]:
    """The items of a partial success, each with its own outcome; nothing where the result lists none that failed."""
    using = rules or packaged()
    items = unwrap(result, None, using).items
    found = tuple((item, Outcome.FAILED if _item_failed(item, using) else Outcome.DONE) for item in items)
    return found if any(outcome is Outcome.FAILED for _, outcome in found) else ()


def _status_fails(case: Case) -> Outcome | None:
    """A status that says failed: of the call where there is no record, or of new work that it started."""
    word, rules = _status(case), case.rules
    later = _later_nouns(case) is not None
    if rules.has("failed_words", word):
        return Outcome.FAILED if _is_envelope(case) or (later and _is_new(case)) else None
    if rules.has("denied_words", word) and later:
        return Outcome.FAILED if _is_envelope(case) or _is_new(case) else None
    return None


def _call_keys(case: Case) -> Outcome | None:
    """Rule 4: keys that speak of the call. `not_attempted` outranks `unknown`: a staged job never ran."""
    found: list[Outcome] = []
    for key, value in _fields(case):
        word, has = _word(value), case.rules.has
        if (has("committed_keys", key) and word in ("false", "no")) or (
            has("trial_keys", key) and word in ("true", "yes")
        ):
            found.append(Outcome.NOT_ATTEMPTED)
        elif has("call_status_keys", key):
            found.append(_call_status(key, word, case))
        elif (has("http_keys", key) or has("status_keys", key)) and _number(value) == HTTP_ACCEPTED:
            found.append(Outcome.UNKNOWN)
    order = (Outcome.PENDING_CONFIRMATION, Outcome.NOT_ATTEMPTED, Outcome.FAILED, Outcome.UNKNOWN)
    return next((outcome for outcome in order if outcome in found), Outcome.DONE if found else None)


def _call_status(key: str, text: str, case: Case) -> Outcome:
    has, words = case.rules.has, text.split(" ")
    if _waits(text, case.rules):
        return Outcome.PENDING_CONFIRMATION
    negated = any(has("not_words", word) for word in words) and any(has("committed_words", word) for word in words)
    drafted = words == ["draft"] and "draft" in case.words  # a draft is what such a tool makes
    if negated or any(has("trial_words", word) or (has("unmade_words", word) and not drafted) for word in words):
        return Outcome.NOT_ATTEMPTED
    if any(has("failed_words", word) or has("denied_words", word) for word in words):
        return Outcome.FAILED
    if has("unfinished_status", text) or has("accepted_status", text) or (key == "job status" and text == "submitted"):
        return Outcome.UNKNOWN
    return Outcome.DONE


def _delegated(case: Case) -> Outcome | None:
    """Rule 7: prose of another agent."""
    if case.back.prose and case.rules.has("delegates", " ".join(operation_words(case.name))):
        return Outcome.UNKNOWN
    return None


def _plain_status(case: Case) -> Outcome | None:
    """Rule 5: the status of a record, unless nothing but a status came back or the record is new work."""
    word, rules = _status(case), case.rules
    if rules.has("unfinished_status", word):
        open_work = _is_envelope(case) or (_later_nouns(case) is not None and _is_new(case))
        return Outcome.UNKNOWN if open_work else None
    accepted = rules.has("accepted_status", word) and word.removesuffix("ed") not in case.words
    return Outcome.UNKNOWN if accepted and _is_envelope(case) else None


def _lone_id(case: Case) -> Outcome | None:
    """Rule 6: nothing but the id of a job that goes on."""
    if not _is_envelope(case) or case.rules.has("finished_words", _status(case)) or _makes_job(case):
        return None
    jobs = [value for key, value in case.back.record.items() if _is_job(_key(str(key)), case.rules)]
    new = [value for value in jobs if not _known(value, case)]
    return Outcome.UNKNOWN if new else None


def _makes_job(case: Case) -> bool:
    """Whether the job is what the tool makes (create_job, cron_add), not how it works."""
    words = [*case.words, "job"] if "cron" in case.words else case.words
    made = any(case.rules.has("job_makers", word) for word in words)
    return made and any(case.rules.has("job_ids", word) for word in words)


def _is_job(key: str, rules: OutcomeRules) -> bool:
    return key.endswith(" id") and rules.has("job_ids", key.removesuffix(" id"))


def _is_envelope(case: Case) -> bool:
    """Whether there is nothing but a status, a message, a job's id and where to ask."""
    record, rules = case.back.record, case.rules
    if not record:
        return False
    keys = [_key(str(key)) for key in record]
    parts = [rules.has("status_keys", key) or rules.has("envelope_keys", key) or _is_job(key, rules) for key in keys]
    return all(parts) and not any(isinstance(value, list | tuple) and value for value in record.values())


def _status(case: Case) -> str:
    record = case.back.record
    return next((_word(v) for k, v in record.items() if case.rules.has("status_keys", _key(str(k)))), "")


def _later_nouns(case: Case) -> frozenset[str] | None:
    """What the record of this tool's work is named, where the work ends later than the call; else None."""
    return next((case.rules.later[word] for word in case.words if word in case.rules.later), None)


def _is_new(case: Case) -> bool:
    """Whether the record's own id is neither an argument nor one met before; a record without an id is not new."""
    nouns = _later_nouns(case) or frozenset()
    ids = {}
    for name, value in case.back.record.items():
        key = _key(str(name))
        if (key == "id" or key.endswith(" id")) and isinstance(value, str | int) and not isinstance(value, bool):
            ids[key] = value
    own = next(
        (ids[key] for key in ids if key.removesuffix(" id") in nouns), ids.get("id", next(iter(ids.values()), None))
    )
    return own is not None and not _known(own, case)


def _known(value: object, case: Case) -> bool:
    return str(value) in case.seen or _holds(case.arguments, str(value), 0)


def _holds(where: object, text: str, depth: int) -> bool:
    if isinstance(where, Mapping):
        return depth < 8 and any(_holds(item, text, depth + 1) for item in where.values())
    if isinstance(where, list | tuple):
        return depth < 8 and any(_holds(item, text, depth + 1) for item in where)
    return where is not None and str(where) == text


Rule = Callable[[Case], Outcome | None]
RULES: tuple[Rule, ...] = (_approval, _failed, _call_keys, _delegated, _plain_status, _lone_id)
READ_RULES: tuple[Rule, ...] = (_approval, _failed)
