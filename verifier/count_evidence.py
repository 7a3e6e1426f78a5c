"""Whether a count, a length of time, the number of a numbered thing or a percentage stands (SPEC 3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from verifier.amounts import is_priced, list_sums
from verifier.case import Case, ValueCheck, replaced, reported, shown, supported
from verifier.context import Context, context
from verifier.labels import as_number, contradicting, keyed
from verifier.matching import matches
from verifier.model import Outcome, Value
from verifier.records import CallFacts, Fact, key_words
from verifier.values.identifiers import identifier_key
from verifier.values.lexicon import fold, record_keys

MAX_ADDRESS = 500  # characters of a text that is searched for a street


def check_count(case: Case, value: Value) -> ValueCheck:
    """A count of things: what the call holds or how many there are; a length of time only where a field names it."""
    around = context(value, case.clause, case.reply, case.near(value), case.lexicon)
    unit = frozenset(value.unit.split())
    if value.unit.endswith("#"):
        return _numbered(case, value)
    if not unit.isdisjoint(case.lexicon.durations):
        return _duration(case, value, unit, around)
    for held in case.held:
        fact = next((fact for fact in matches(value, held) if fact.kind != "mention"), None) or _length(value, held)
        if fact:
            return supported(value, "count-of-call", held, fact)
        if not list_sums(held).isdisjoint(as_number(value)):
            return supported(value, "count-list-sum", held)
    if _counted(case, value):
        return supported(value, "count-of-calls")
    label = contradicting(case, value, (*around.before, *value.unit.split(), *around.after)) or _listed(case, value)
    if label and not _items(case, value):
        return replaced(value, "count-contradicts-record", shown(label[1]), *label)
    if case.strict and (acted := _acted_on(case, value)):
        return replaced(value, "count-not-of-call", shown(acted[1]), *acted)
    if case.in_session(value) or _length_in_session(case, value) or case.was_said(value) or _items(case, value):
        return supported(value, "count-of-session")
    return reported(value, "count-unknown", "nothing in the session holds it")


def _numbered(case: Case, value: Value) -> ValueCheck:
    """The number of a numbered thing: `table 14` against `table: 4`, `40 Orchard Way` against `4 Orchard Way`."""
    name = value.unit.rstrip("#").strip()
    label = contradicting(case, value, [name] if name and name not in case.lexicon.not_nouns else _row_label(case.text))
    telling = label and label[1].kind == "number" and _whole(label[1]) % 1 == 0 and not is_priced(label[1].key)
    if label and telling and (case.strict or not (case.in_session(value) or case.was_said(value))):
        return replaced(value, "count-contradicts-record", shown(label[1]), *label)
    if case.strict and " " in name:
        return _address(case, value, name)
    return supported(value, "number-of-thing")


def _address(case: Case, value: Value, street: str) -> ValueCheck:
    """A number of a street that the call has another one of, and no record this one."""
    house = re.compile(rf"(?<![0-9])([0-9]{{1,6}}) {re.escape(street)}(?![a-z])")
    wanted = as_number(value)
    rival = None
    for held in case.held:
        for fact in held.of("text"):
            for match in house.finditer(fold(str(fact.raw)[:MAX_ADDRESS])):
                if Decimal(match[1]) in wanted:
                    return supported(value, "number-of-thing", held, fact)
                rival = rival or (held, fact)
    if any(case.index.session_text(identifier_key(f"{number}{street}")) for number in wanted):
        return supported(value, "number-of-thing")
    if rival:
        return replaced(value, "count-contradicts-record", shown(rival[1]), *rival)
    return supported(value, "number-of-thing")


def _row_label(text: str) -> list[str]:
    """The words of a short label before a colon or a table bar: `Guest count | changed to 95`."""
    label = re.split("[:|]", fold(text), maxsplit=1)
    if len(label) < 2:
        return []
    words = re.findall("[a-z]{2,20}", label[0])
    return words if len(words) <= 3 else []


def _length(value: Value, held: CallFacts) -> Fact | None:
    wanted = as_number(value)
    return next((fact for fact in held.of("length") if fact.meanings[0] in wanted), None)


def _listed(case: Case, value: Value) -> tuple[CallFacts, Fact] | None:
    """The list of a call that the counted noun names, where its length is another: `three documents` of two."""
    nouns = {_stem(word) for word in value.unit.split()}
    for held in case.held:
        fields = [fact for fact in held.of("length") if fact.key and _stem(fact.key.lower()) in nouns]
        if len(fields) == 1 and all(number > _whole(fields[0]) for number in as_number(value)):
            return held, fields[0]
    return None


def _whole(fact: Fact) -> Decimal:
    number = fact.meanings[0]
    return number if isinstance(number, Decimal) else Decimal(0)


def _length_in_session(case: Case, value: Value) -> bool:
    return any(case.index.session_has("length", number) for number in as_number(value))


def _counted(case: Case, value: Value) -> bool:
    """Whether that many calls were made: of the clause, or of its tool in this turn or the session."""
    sizes = {len(case.clause.calls), len(case.clause.calls) - 1}
    if case.clause.tool is not None:
        calls = case.ledger.calls_of(case.clause.tool.name)
        ran = [call for call in calls if call.outcome is not Outcome.REFUSED]
        sizes |= {len(ran), len(calls), sum(call.turn == case.ledger.turn for call in ran)}
    return any(number in sizes for number in as_number(value))


def _items(case: Case, value: Value) -> bool:
    """Whether the clause names so many things itself: `the three copays ($5.00, $12.25 and $3.75)`."""
    numbers = as_number(value)
    kinds = ("identifier", "money", "date", "time", "email")
    return any(sum(other.kind == kind for other in case.clause.values) in numbers for kind in kinds) or (
        case.text.count(",") + 2 in numbers or case.text.count(",") + 1 in numbers)


def _acted_on(case: Case, value: Value) -> tuple[CallFacts, Fact] | None:
    """The only whole number that a result holds under a word of the clause (`trashed: 12`) or a counting key."""
    words = frozenset(_stem(word) for word in case.words if len(word) > 2)
    for held in case.held:
        fields = [fact for fact in held.of("number") if _whole(fact) % 1 == 0 and _is_counted(fact.key, words)]
        if len({fact.pointer for fact in fields}) == 1:
            return held, fields[0]
    return None


def _is_counted(key: str, words: frozenset[str]) -> bool:
    own = key_words(key)
    return own <= record_keys().counts or any(_stem(word) in words for word in own - record_keys().counts)


def _stem(word: str) -> str:
    return word[:5] if len(word) > 5 else word.rstrip("s")


def _duration(case: Case, value: Value, unit: frozenset[str], around: Context) -> ValueCheck:
    """A length of time: policies and habits state many; only a field that measures the same thing contradicts it."""
    if any(next(matches(value, held), None) for held in case.held):
        return supported(value, "duration-of-call")
    if not case.lexicon.roles["step"].isdisjoint((*around.before[-1:], *around.after[:2], *value.text.lower().split())):
        return supported(value, "duration-step")  # `extended by two nights`
    arrival = not case.lexicon.roles["arrival"].isdisjoint(case.words)
    plan = case.strict and case.lexicon.roles["deadline"].isdisjoint(around.before[-1:]) and len(unit) == 1
    keys = record_keys()
    for names in (keys.minutes, keys.hours, keys.days) if arrival or plan else ():
        found = keyed(case, value, names) if not unit.isdisjoint(names) else None
        if found:
            return replaced(value, "duration-contradicts-record", shown(found[1]), *found)
    return supported(value, "duration")


def check_percent(case: Case, value: Value) -> ValueCheck:
    """A share: recorded as such or as a fraction, or the ratio of two recorded amounts."""
    around = context(value, case.clause, case.reply, case.near(value), case.lexicon)
    for held in case.held:
        fact = next(matches(value, held), None) or _fraction(value, held)
        if fact:
            return supported(value, "percent-of-call", held, fact)
    label = contradicting(case, value, around.before + around.after) or keyed(case, value, record_keys().percent)
    if label and (case.strict or not case.in_session(value)) and not case.was_said(value):
        return replaced(value, "percent-contradicts-record", shown(label[1]), *label)
    if case.in_session(value) or case.was_said(value) or _ratio(case, as_number(value)):
        return supported(value, "percent-of-session")
    return reported(value, "percent-unknown", "nothing in the session holds it")


def _fraction(value: Value, held: CallFacts) -> Fact | None:
    shares = {number / 100 for number in as_number(value)}
    return next((fact for fact in held.of("number") if fact.meanings[0] in shares), None)


def _ratio(case: Case, wanted: Iterable[Decimal]) -> bool:
    """Whether two numbers of the clause's calls or linked records differ by that share."""
    numbers = [abs(m) for held in (*case.held, *case.linked) for fact in held.of("number")
               for m in fact.meanings if isinstance(m, Decimal) and m]
    for one in numbers[:64]:
        for other in numbers[:64]:
            if any(abs(abs(one - other) * 100 / one - share) < Decimal("0.5") for share in wanted):
                return True
    return False
