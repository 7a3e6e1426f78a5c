"""Whether an identifier, an address or a telephone number stands (SPEC 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.case import Case, ValueCheck, replaced, reported, shown, supported, supported_by
from verifier.context import context
from verifier.labels import overruled
from verifier.matching import matches
from verifier.model import Claim, Outcome, Value
from verifier.profile import name_words
from verifier.records import CallFacts, Fact, is_named
from verifier.session import NAMED, shape
from verifier.values.identifiers import identifier_key
from verifier.values.lexicon import fold, record_keys

if TYPE_CHECKING:
    from verifier.call import Call

SHORTEST_REFERENCE = 5  # characters


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


def _named_in_session(case: Case, value: Value, found: tuple[Call, Fact] | None) -> ValueCheck:
    if found:
        return supported_by(value, f"{value.kind}-of-session", found[0], found[1].pointer)
    if case.was_said(value):
        return supported(value, f"{value.kind}-said")
    return _named_nowhere(case, value)


def _named_elsewhere(
    case: Case, value: Value, peers: tuple[Value, ...], found: tuple[Call, Fact] | None
) -> ValueCheck:
    """A name that stands in the session but not in the call: another record's where the call holds one of its shape."""
    named = [peer for peer in peers if peer != value and peer.kind in NAMED]
    if not any(next(matches(peer, held), None) for peer in named for held in case.held):
        rival = _rival(case, value)
        if rival:
            return replaced(value, f"{value.kind}-of-another-record", shown(rival[1]), *rival)
    if found:
        return supported_by(value, f"{value.kind}-of-session", found[0], found[1].pointer)
    return supported(value, f"{value.kind}-said")


def _is_aside(case: Case, value: Value) -> bool:
    """Whether a done claim names the thing beside what was done: compared, in brackets, or as a record tells it."""
    around = context(value, case.clause, case.reply, case.near(value), case.lexicon)
    alone = case.reply[value.start - 1 : value.start] == "(" and case.reply[value.end : value.end + 1] == ")"
    if around.compared or (around.bracketed and not alone):  # `your order (O-101)` is that order
        return True
    for call in case.index.holders(value):
        held = case.index.facts(call)
        records = {fact.pointer.rpartition("/")[0] for fact in matches(value, held)}
        for fact in held.of("text"):
            told = fact.pointer.rpartition("/")[0] in records and fact.key in record_keys().status
            if told and call.outcome is Outcome.DONE and _is_told(str(fact.raw), case):
                return True
    return False


def _is_told(state: str, case: Case) -> bool:
    """Whether the clause holds a word of a recorded state; `is` and `not` are of any.

    A state that the tool's name holds (`modify_pending_order`) says what kind of thing it was done to.
    """
    kinds = name_words(case.clause.tool.name) if case.clause.tool is not None else ()
    return any(len(word) > 3 and word in case.words and word not in kinds for word in fold(state).split())


def _rival(case: Case, value: Value) -> tuple[CallFacts, Fact] | None:
    """What the call holds in the place of the value: a name of the same shape, or one under the same key."""
    wanted = {shape(str(meaning)) for meaning in value.meanings}
    keys = {fact.key for _, fact in case.index.session_facts(value) if is_named(fact.key)}
    for held in case.held:
        for fact in held.of(value.kind):
            like = fact.key in keys or any(shape(str(own)) in wanted for own in fact.meanings)
            if value.kind == "email" or like:
                return held, fact
    return None


def _named_nowhere(case: Case, value: Value) -> ValueCheck:
    for meaning in value.meanings:
        call = case.index.session_text(identifier_key(str(meaning).lstrip("*")))
        if call:
            return supported_by(value, f"{value.kind}-in-text", call)
    facts = [fact for held in case.held for fact in held.of(*NAMED)]
    own = [str(meaning) for fact in facts for meaning in fact.meanings]
    near = "" if value.unit == "ending" else case.index.session.near(value, own)
    if case.strict and not near:
        return replaced(value, f"{value.kind}-nowhere", "nothing in the session holds it")
    if near:
        return replaced(value, f"{value.kind}-nowhere", f"nothing in the session holds it; recorded is {near}")
    if _is_made_up(case, value):
        return replaced(value, f"{value.kind}-nowhere", "the call gave no such reference")
    return reported(value, f"{value.kind}-unknown", "nothing in the session holds it")


def _is_made_up(case: Case, value: Value) -> bool:
    """`The booking reference is QX7LMP`, where this turn's write is recorded in full and gave another or none."""
    text = str(value.meanings[0])
    if value.kind != "identifier" or value.unit == "ending" or len(text) < SHORTEST_REFERENCE:
        return False
    if not (any(map(str.isdigit, text)) and any(map(str.isalpha, text))):
        return False
    tool, calls = case.clause.tool, case.clause.calls
    if tool is None or not tool.write or not calls:
        return False
    made = all(c.outcome is Outcome.DONE and c.result is not None and c.turn == case.ledger.turn for c in calls)
    before = context(value, case.clause, case.reply, case.near(value), case.lexicon).before
    return made and not case.lexicon.id_words.isdisjoint(before[-3:])
