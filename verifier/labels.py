"""A clause that names a field of a record beside a value: `Refund: $1,074.31` where `refund` is 1047.31."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from verifier.case import Case
from verifier.matching import matches
from verifier.model import Value
from verifier.records import CallFacts, Fact, key_words
from verifier.values.lexicon import fold, record_keys

COMPARABLE = {"money": ("money", "number"), "count": ("number", "count"), "percent": ("percent", "number"),
               "date": ("date",), "time": ("time",), "identifier": ("identifier",)}
_OVERRULED = frozenset(["number", "money", "date", "time", "identifier"])


def overruled(held: CallFacts) -> frozenset[str]:
    """The places of arguments whose key the result holds with another value: what is in the result happened."""
    return held.once("overruled", _overruled)


def _overruled(held: CallFacts) -> frozenset[str]:
    results: dict[str, list[Fact]] = {}
    for fact in held.facts:
        if fact.in_result and fact.kind not in ("text", "length"):
            results.setdefault(fact.key, []).append(fact)
    hidden = set()
    for fact in held.facts:
        if not fact.in_result and fact.key in results and fact.kind in _OVERRULED:
            same_kind = [other for other in results[fact.key] if other.kind == fact.kind]
            if len(same_kind) == 1 and set(fact.meanings).isdisjoint(same_kind[0].meanings):
                hidden.add(fact.pointer)
    return frozenset(hidden)


LONGEST_COUNT = 8  # characters
MOST_NAMED = 60  # of a text that is the name of something


def contradicting(case: Case, value: Value, words: Iterable[str]) -> tuple[CallFacts, Fact] | None:
    """The one field of the clause's calls that the words name and whose value is another; None in doubt."""
    named = frozenset(_singular(word) for word in words) - record_keys().silent
    kinds = COMPARABLE.get(value.kind, ())
    for held in case.held:
        fields = [fact for fact in held.of(*kinds) if names(fact.key, named)]
        if value.kind == "count" and any(len(str(fact.raw)) > LONGEST_COUNT for fact in fields):
            continue  # a number as long as that names a record and counts nothing
        if not fields or any(fact.kind != "mention" for fact in matches(value, held)):
            continue
        places = {fact.pointer for fact in fields}
        pointers = {fact.pointer for fact in fields if fact.in_result} or places
        if len(pointers) == 1 and not _held_elsewhere(case, value, fields):
            return held, next(fact for fact in fields if fact.pointer in pointers)
    return None


def _held_elsewhere(case: Case, value: Value, fields: list[Fact]) -> bool:
    """Whether another record of the session holds the value under the same key."""
    keys = {fact.key for fact in fields}
    return any(fact.key in keys for _, fact in case.index.session_facts(value))


def names(key: str, words: frozenset[str]) -> bool:
    """Whether all telling words of a key stand among the words."""
    own = _telling(key)
    return own <= words and bool(own - record_keys().vague)


@lru_cache(maxsize=4096)
def _telling(key: str) -> frozenset[str]:
    """The words of a key that tell what stands under it."""
    keys = record_keys()
    return frozenset(_singular(word) for word in key_words(key)) - keys.silent - keys.minutes


def result_keys(held: CallFacts) -> dict[str, list[str]]:
    """The keys under which a call's result holds facts, each once, by their kind."""
    return held.once("result keys", _result_keys)


def _result_keys(held: CallFacts) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for fact in held.facts:
        if fact.in_result:
            found.setdefault(fact.kind, {})[fact.key] = None
    return {kind: list(keys) for kind, keys in found.items()}


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def keyed(case: Case, value: Value, words: frozenset[str]) -> tuple[CallFacts, Fact] | None:
    """The only number of the clause's calls under one of some key words, where it is another than the stated one."""
    for held in case.held:
        if next(matches(value, held), None):
            return None
        fields = [fact for fact in held.of("number") if not key_words(fact.key).isdisjoint(words)]
        if fields and len({fact.meanings for fact in fields}) == 1:
            return held, fields[0]
    return None


def renamed_text(case: Case) -> tuple[CallFacts, Fact, str] | None:
    """A field that the clause names with the argument's text, where the result holds another: where an event went.

    `It is in the Family calendar` against `calendar: "Personal (local)"`. Gives the call, the result's fact and the
    argument's text as recorded.
    """
    for held in case.held:
        for fact, other, mine, theirs in held.once("renamed", _renamed):
            if _is_named(fact, mine, case.folded) and theirs not in case.folded:
                return held, other, str(fact.raw)
    return None


def _renamed(held: CallFacts) -> list[tuple[Fact, Fact, str, str]]:
    """The texts of arguments under a name that the result holds with another text, both facts, and both folded."""
    results = {fact.pointer.removeprefix("/result"): fact for fact in held.of("text") if fact.in_result}
    found = []
    for fact in held.of("text"):
        other = None if fact.in_result else results.get(fact.pointer.removeprefix("/arguments"))
        if other is None or key_words(fact.key).isdisjoint(record_keys().names):
            continue
        mine, theirs = fold(str(fact.raw)), fold(str(other.raw))
        if 2 < len(mine) <= MOST_NAMED and mine not in theirs and theirs not in mine:
            found.append((fact, other, mine, theirs))
    return found


def _is_named(fact: Fact, value: str, text: str) -> bool:
    """Whether a folded clause holds a field's folded text and, beside it, the field's name."""
    at = text.find(value)
    if at < 0:
        return False
    around: Sequence[str] = text[max(0, at - 24) : at].split() + text[at + len(value) : at + len(value) + 24].split()
    return any(word.strip(".,:;*\"'") in key_words(fact.key) for word in around)


def as_number(value: Value) -> list[Decimal]:
    """The numbers that a value can mean."""
    return [Decimal(m) for m in value.meanings if isinstance(m, int | Decimal)]
