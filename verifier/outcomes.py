"""What became of a call, read from what its tool returned: structure decides, not wording (rules/outcomes.yaml).

The seven rules and their examples are in the data file; the functions here are named after them. In doubt a call
that returned something is `done`: most writes answer with the changed record and no flag at all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from verifier.failed import failed, item_failed
from verifier.model import Outcome
from verifier.outcome_case import (
    Case,
    is_envelope,
    is_job,
    is_new,
    key_words,
    known,
    later_nouns,
    number,
    status,
    value_words,
)
from verifier.outcome_rules import OutcomeRules, load_rules, packaged
from verifier.returned import error_text, unwrap
from verifier.tool import Tool, name_words, operation_words, writes

__all__ = ["item_outcomes", "load_rules", "outcome_of", "parts_of", "reason_of"]

MAX_REASON = 300  # characters of an error's text that a call keeps as its reason
HTTP_ACCEPTED = 202


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
    back = unwrap(result, error, using)
    fields = tuple((key_words(str(key)), value) for level in back.levels for key, value in level.items())
    case = Case(back, name, name_words(name), write, arguments, seen, using, fields)
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


def _by_tool(case: Case) -> Outcome | None:
    for entry in case.rules.tools.get(case.name, ()):
        if entry.text and (case.back.beginning + " ").startswith(entry.text + " "):
            return entry.outcome
        if entry.key and any(key == entry.key and value_words(value) in entry.values for key, value in case.fields):
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
    for key, value in case.fields if case.write else ():
        word = value_words(value)
        if key == "approved" and word == "false":
            return Outcome.REFUSED
        if has("needs_approval_keys", key) and word == "true":
            return Outcome.PENDING_CONFIRMATION
        if has("approval_keys", key):
            if has("approval_open", word.split(" ")[0]):
                return Outcome.PENDING_CONFIRMATION
            if has("denied_words", word):
                return Outcome.REFUSED
        if has("status_keys", key) and _waits(word, case.rules) and is_envelope(case, "approval_envelope_keys"):
            return Outcome.PENDING_CONFIRMATION
    return None


def _waits(text: str, rules: OutcomeRules) -> bool:
    """`awaiting_approval`, `pending confirmation`, `confirmation_required`."""
    words = text.split(" ")
    return len(words) > 1 and rules.has("waiting_words", words[0]) and rules.has("approval_words", words[-1])


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
    found = tuple((item, Outcome.FAILED if item_failed(item, using) else Outcome.DONE) for item in items)
    return found if any(outcome is Outcome.FAILED for _, outcome in found) else ()


def _call_keys(case: Case) -> Outcome | None:
    """Rule 4: keys that speak of the call. `not_attempted` outranks `unknown`: a staged job never ran."""
    found = [Outcome.UNKNOWN] if case.back.code == HTTP_ACCEPTED else []
    for key, value in case.fields:
        word, has = value_words(value), case.rules.has
        if (has("committed_keys", key) and word in ("false", "no")) or (
            has("trial_keys", key) and word in ("true", "yes")
        ):
            found.append(Outcome.NOT_ATTEMPTED)
        elif has("call_status_keys", key):
            found.append(_call_status(key, word, case))
        elif (has("http_keys", key) or has("status_keys", key)) and number(value) == HTTP_ACCEPTED:
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
    word, rules = status(case), case.rules
    if rules.has("unfinished_status", word):
        open_work = is_envelope(case) or (later_nouns(case) is not None and is_new(case))
        return Outcome.UNKNOWN if open_work else None
    accepted = rules.has("accepted_status", word) and word.removesuffix("ed") not in case.words
    return Outcome.UNKNOWN if accepted and is_envelope(case) else None


def _lone_id(case: Case) -> Outcome | None:
    """Rule 6: nothing but the id of a job that goes on."""
    if not is_envelope(case) or case.rules.has("finished_words", status(case)) or _makes_job(case):
        return None
    jobs = [value for key, value in case.back.record.items() if is_job(key_words(str(key)), case.rules)]
    new = [value for value in jobs if not known(value, case)]
    return Outcome.UNKNOWN if new else None


def _makes_job(case: Case) -> bool:
    """Whether the job is what the tool makes (create_job, cron_add), not how it works."""
    words = [*case.words, "job"] if "cron" in case.words else case.words
    made = any(case.rules.has("job_makers", word) for word in words)
    return made and any(case.rules.has("job_ids", word) for word in words)


def parts_of(arguments: Mapping[str, Any], result: object) -> tuple[tuple[dict[str, Any], Any, Outcome], ...]:
    """A call on a list of things that succeeded for some: for each its arguments, its part of the result, its outcome.

    Nothing where no item failed, or where the items are not those of one list argument (an order's own items).
    """
    items = item_outcomes(result)
    for name, given in arguments.items():
        if items and isinstance(given, list | tuple) and len(given) == len(items):
            matched = [_match(given, item) for item, _ in items]
            if all(matched) and len({index for found in matched for index in found}) == len(items):
                pairs = zip(items, matched, strict=True)
                return tuple(({**arguments, name: [given[found[0]]]}, item, kind) for (item, kind), found in pairs)
    return ()


def _match(given: object, item: Any) -> list[int]:
    """Which of the given things an item of the result is about: the one that is, or holds, one of its values."""
    values = (
        {str(value) for value in item.values() if isinstance(value, str | int)} if isinstance(item, Mapping) else set()
    )
    things = given if isinstance(given, list | tuple) else ()
    held = [thing.values() if isinstance(thing, Mapping) else [thing] for thing in things]
    return [at for at, one in enumerate(held) if any(isinstance(v, str | int) and str(v) in values for v in one)][:1]


Rule = Callable[[Case], Outcome | None]
RULES: tuple[Rule, ...] = (_approval, failed, _call_keys, _delegated, _plain_status, _lone_id)
READ_RULES: tuple[Rule, ...] = (_approval, failed)
