"""Whether a value that is no money stands: identifiers, addresses, dates, times, counts and percentages (SPEC 3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from verifier.amounts import list_sums
from verifier.case import Case, ValueCheck, replaced, reported, shown, supported, supported_by
from verifier.context import Context, context
from verifier.facts import CallFacts, matches
from verifier.labels import as_number, contradicting, keyed, overruled
from verifier.model import Claim, Outcome, Value
from verifier.records import Fact, is_bookkeeping, key_words
from verifier.values.identifiers import identifier_key
from verifier.values.lexicon import fold, record_keys

_SHAPE = re.compile(r"[0-9]{1,64}")
NEAR_ENOUGH = 0.7  # of the longer text must be the same at its two ends, for one address to be a slip of another


def check_named(case: Case, value: Value, peers: tuple[Value, ...]) -> ValueCheck:
    """An identifier, e-mail address or telephone number; `peers` are the clause's other named things."""
    for held in case.held:
        hidden = overruled(held)
        fact = next((fact for fact in matches(value, held) if fact.pointer not in hidden), None)
        if fact:
            return supported(value, f"{value.kind}-of-call", held, fact)
    found = case.in_session(value)
    if not case.strict or case.clause.claim is not Claim.SAYS_DONE or _is_aside(case, value):
        return _named_in_session(case, value, found)
    if found or case.was_said(value):
        return _named_elsewhere(case, value, peers, found)
    return _named_nowhere(case, value)


def _named_in_session(case: Case, value: Value, found: tuple[object, Fact] | None) -> ValueCheck:
    if found:
        return supported_by(value, f"{value.kind}-of-session", found[0], found[1].pointer)  # type: ignore[arg-type]
    if case.was_said(value):
        return supported(value, f"{value.kind}-said")
    return _named_nowhere(case, value)


def _named_elsewhere(
    case: Case, value: Value, peers: tuple[Value, ...], found: tuple[object, Fact] | None
) -> ValueCheck:
    """A name that stands in the session but not in the call: another record's where the call holds one of its shape."""
    if not any(next(matches(peer, held), None) for peer in peers if peer != value for held in case.held):
        rival = _rival(case, value)
        if rival:
            return replaced(value, f"{value.kind}-of-another-record", shown(rival[1]), *rival)
    if found:
        return supported_by(value, f"{value.kind}-of-session", found[0], found[1].pointer)  # type: ignore[arg-type]
    return supported(value, f"{value.kind}-said")


def _is_aside(case: Case, value: Value) -> bool:
    """Whether a done claim names the thing beside what was done: `instead of`, `previously`, or as a record tells."""
    if context(value, case.clause, case.reply, case.stated, case.lexicon).compared:
        return True
    words = frozenset(re.findall(r"[a-z]{4,24}", fold(case.text)))
    for call in case.index.holders(value):
        held = case.index.facts(call)
        records = {fact.pointer.rpartition("/")[0] for fact in matches(value, held)}
        for fact in held.of("text"):
            told = fact.pointer.rpartition("/")[0] in records and fact.key in record_keys().status
            if told and call.outcome is Outcome.DONE and not words.isdisjoint(fold(str(fact.raw)).split()):
                return True
    return False


def _rival(case: Case, value: Value) -> tuple[CallFacts, Fact] | None:
    """What the call holds in the place of the value: a name of the same shape."""
    wanted = {shape(str(meaning)) for meaning in value.meanings}
    for held in case.held:
        for fact in held.of(value.kind):
            if value.kind == "email" or any(shape(str(own)) in wanted for own in fact.meanings):
                return held, fact
    return None


def _named_nowhere(case: Case, value: Value) -> ValueCheck:
    for meaning in value.meanings:
        call = case.index.session_texts(identifier_key(str(meaning).lstrip("*")))
        if call:
            return supported_by(value, f"{value.kind}-in-text", call)
    near = _near(case, value)
    if case.strict and not near:
        return replaced(value, f"{value.kind}-nowhere", "nothing in the session holds it")
    if near:
        return replaced(value, f"{value.kind}-nowhere", f"nothing in the session holds it; recorded is {near}")
    return reported(value, f"{value.kind}-unknown", "nothing in the session holds it")


def shape(text: str) -> str:
    """The form of an identifier: its letters, and how many digits stand where (`rf902` and `rf920` are `rf999`)."""
    return _SHAPE.sub(lambda run: "9" * len(run[0]), text.lower())


def _near(case: Case, value: Value) -> str:
    """A recorded name of the same shape (of an address: a slip away); an empty text if there is none."""
    if value.unit == "ending":
        return ""
    wanted = [identifier_key(str(meaning)) for meaning in value.meanings]
    texts = (str(own) for held in case.held for fact in held.of("identifier", "phone", "email") for own in fact.meanings)
    for own in (*texts, *case.index.identifiers()):
        for text in wanted:
            if len(own) > 2 and _is_like(value, text, own):
                return own
    return ""


def _is_like(value: Value, text: str, own: str) -> bool:
    if value.kind == "phone":
        digits = "".join(filter(str.isdigit, own))
        size = min(len(digits), len(text))
        return size >= 7 and _is_slip(text[-size:], digits[-size:])
    if _is_slip(text, own):
        return value.kind != "email" or "@" in own
    return value.kind == "identifier" and not value.unit and len(text) > 2 and shape(text) == shape(own)


def _is_slip(one: str, other: str) -> bool:
    """Whether two texts are the same but for a short piece in one place."""
    longer = max(len(one), len(other))
    if abs(len(one) - len(other)) > 4 or longer < 5:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    end = next((at for at, (a, b) in enumerate(zip(reversed(one), reversed(other), strict=False)) if a != b), 0)
    return start + end >= NEAR_ENOUGH * longer


def check_date(case: Case, value: Value) -> ValueCheck:
    """A date: the call's where it holds any but bookkeeping ones, else the session's; its weekday must agree with it."""
    return _check_when(case, value, "date")


def check_time(case: Case, value: Value) -> ValueCheck:
    """A time of day, as a date."""
    return _check_when(case, value, "time")


def _check_when(case: Case, value: Value, kind: str) -> ValueCheck:
    around = context(value, case.clause, case.reply, case.stated, case.lexicon)
    own = [(held, fact) for held in case.held for fact in held.of(kind)
           if not is_bookkeeping(fact.key) and fact.pointer not in overruled(held)]
    for held, fact in ((h, f) for h in case.held for f in matches(value, h) if f.pointer not in overruled(h)):
        return _weekday(value, fact) or supported(value, f"{kind}-of-call", held, fact)
    for held in case.siblings if case.strict else ():
        for fact in matches(value, held):
            return _weekday(value, fact) or supported(value, f"{kind}-of-sibling-call", held, fact)
    if case.strict and own and not around.compared:
        return replaced(value, f"{kind}-not-of-call", shown(own[-1][1]), *own[-1])
    found = case.in_session(value)
    if found:
        return _weekday(value, found[1]) or supported_by(value, f"{kind}-of-session", found[0], found[1].pointer)
    if case.was_said(value) and (not case.strict or around.compared or not own):
        return supported(value, f"{kind}-said")
    return _when_nowhere(case, value, around)


def _when_nowhere(case: Case, value: Value, around: Context) -> ValueCheck:
    impossible = _weekday(value, None)
    if impossible:
        return impossible
    label = contradicting(case, value, around.before)
    if label:
        return replaced(value, f"{value.kind}-contradicts-record", shown(label[1]), *label)
    if case.strict and not around.compared:
        return replaced(value, f"{value.kind}-nowhere", "nothing in the session holds it")
    return reported(value, f"{value.kind}-unknown", "nothing in the session holds it")


def _weekday(value: Value, fact: Fact | None) -> ValueCheck | None:
    """A contradiction between a date and the weekday beside it; the recorded date gives the year."""
    days = set()
    for stated in value.meanings:
        if value.kind != "date" or not isinstance(stated, tuple) or stated[3] is None:
            return None
        for own in fact.meanings if fact else (stated,):
            assert isinstance(own, tuple)
            year, month, day = (a if a is not None else b for a, b in zip(own[:3], stated[:3], strict=True))
            if year is None or month is None or day is None:
                return None
            days.add((date(year, month, day).weekday(), stated[3]))
    if any(real == told for real, told in days):
        return None
    return replaced(value, "date-contradicts-weekday", "the date is another day of the week")


def check_count(case: Case, value: Value) -> ValueCheck:
    """A count of things: what the call holds or how many there are; a length of time only where a field names it."""
    around = context(value, case.clause, case.reply, case.stated, case.lexicon)
    unit = frozenset(value.unit.split())
    if not unit.isdisjoint(case.lexicon.durations):
        return _duration(case, value, unit, around)
    for held in case.held:
        fact = next(matches(value, held), None) or _length(value, held)
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
    words = frozenset(_stem(word) for word in re.findall(r"[a-z]{3,24}", fold(case.text)))
    for held in case.held:
        fields = [fact for fact in held.of("number") if isinstance(fact.meanings[0], Decimal) and fact.meanings[0] % 1 == 0
                  and _is_counted(fact.key, words)]
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
    arrival = not case.lexicon.roles["arrival"].isdisjoint(re.findall(r"[a-z]{3,12}", fold(case.text)))
    keys = record_keys()
    if arrival and not unit.isdisjoint(keys.minutes):
        found = keyed(case, value, keys.minutes)
        if found:
            return replaced(value, "duration-contradicts-record", shown(found[1]), *found)
    return supported(value, "duration")


def check_percent(case: Case, value: Value) -> ValueCheck:
    """A share: recorded as such or as a fraction, or the ratio of two recorded amounts."""
    around = context(value, case.clause, case.reply, case.stated, case.lexicon)
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
