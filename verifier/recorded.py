"""Does a record that was read hold what a clause tells: the state, the field as it is set, who and what it names?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.fields import Field, Record, plain_words, stored_records
from verifier.judge import Judge
from verifier.matching import matches
from verifier.records import is_bookkeeping, is_named
from verifier.rivals import same_act
from verifier.values.lexicon import lexicon, record_keys

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.candidates import Region
    from verifier.readings import Reading
    from verifier.statement import Statement

MOST_RECORDS = 400  # of a result that are compared
MOST_UNNAMED = 40  # of them, where the clause names none
DEEPEST = 2  # keys below a record; what lies deeper is one of several (a way of payment among others)
MOST_SAID = 6  # words of a field's value that a clause repeats
SHORT_STEM = 3  # letters; `10 min` is said as `10 minutes`
LONG_STEM = 4  # letters of a verb that a key begins with: `assignee` is of `assign`
STATED = frozenset({"identifier", "email", "phone"})


@dataclass(frozen=True, slots=True)
class Told:
    """What a clause tells: its acts, its words, those before and behind its verb, the things and acts it names."""

    reading: Reading
    acts: frozenset[str]
    words: frozenset[str]
    before: frozenset[str]
    behind: frozenset[str]
    region: Region
    names: frozenset[str]
    numbers: frozenset[int]
    named: frozenset[str]  # the acts that nouns of the clause name: `the refund was sent`


class Recorded(Judge):
    """What the records that the session read say of a clause.

    A clause that tells in the passive, or of a state, what a record holds is history. One that says `I` tells of an
    act of the turn, whatever a record holds.
    """

    def _on_record(self, statement: Statement, named: Collection[str]) -> bool:
        """Does a record that a lookup gave hold what the clause tells? `named` are the acts that its nouns name."""
        told = self._told_by(statement, frozenset(named))
        if told is None:
            return False
        mine = "active" in told.reading.rule
        if mine and not self._is_ours(statement):
            return False
        for call in self.linker.records_read():
            found = stored_records(self.linker.index.facts(call))[:MOST_RECORDS]
            places = self._places_said(call, told.region)
            if places is None:
                continue  # it names what the call lacks
            hits = [len(told.names & record.words) for record in found]
            most = max(hits, default=0)
            like = [record for record, hit in zip(found, hits, strict=True) if hit == most]
            few = like if most else like[:MOST_UNNAMED]
            if any(self._holds(record, told, places, mine) for record in few):
                return True
        return False

    def _is_of_record(self, statement: Statement) -> bool:
        """Is what it was done to (`The desk lamp has been …`) named in a record of what the tool acts on (an order)?"""
        told = self._told_by(statement, frozenset())
        subject = told.before & told.names if told is not None else frozenset()
        objects = self.linker.objects_of(statement.tool or "")
        return bool(subject) and any(
            subject <= record.names
            for call in self.linker.records_read()
            if objects & self.linker.objects_of(call.tool)
            for record in stored_records(self.linker.index.facts(call))[:MOST_RECORDS]
        )

    def _told_by(self, statement: Statement, named: frozenset[str]) -> Told | None:
        reading, region = statement.reading, self._region(statement)
        if reading is None or region is None:
            return None
        words = self._words(statement)[slice(*statement.segment)]
        if not words:
            return None
        end = words[-1].end
        before = frozenset(plain_words(self.reply[words[0].start : reading.start]))
        behind = frozenset(plain_words(self.reply[reading.end : end]))
        names = frozenset(word for name in region.names for word in plain_words(name))
        acts = named.union(reading.lemmas, reading.states)
        units = lexicon(self.linker.grammar.language).units
        numbers = frozenset(units[word] for word in before | behind if word in units)
        return Told(reading, acts, before | behind, before, behind, region, names, numbers, named)

    def _is_ours(self, statement: Statement) -> bool:
        """`We refunded $15`: told of the house, which did more than this session did."""
        reading, ours = statement.reading, self.linker.grammar.lists["ours"]
        if reading is None:
            return False
        before = self._words(statement)[max(0, reading.span[0]) : reading.at + 1]
        return "WE" in reading.forms or any(word.key in ours for word in before)

    def _places_said(self, call: Call, region: Region) -> frozenset[str] | None:
        """The places of a call's result that the clause's values state; None where it names what the call lacks."""
        held = self.linker.index.facts(call)
        places: set[str] = set()
        for value in region.values:
            found = [fact.pointer for fact in matches(value, held) if fact.in_result]
            if not found and value.kind in STATED and not self.linker.index.call_has(call, value):
                return None
            places.update(found)
        return frozenset(places)

    def _holds(self, record: Record, told: Told, places: frozenset[str], mine: bool) -> bool:
        fields = [
            field
            for field in record.fields
            if not is_bookkeeping(field.key) or self._is_said(field, told.words, frozenset())  # `recorded by Ms Cole`
        ]
        if any(self._tells_act(field, told, places, mine) for field in fields):
            return True
        if mine:
            return False
        if any(self._is_set(field, told, places) for field in fields):
            return True
        about = record.whole or not told.names.isdisjoint(record.words) or any(f.pointer in places for f in fields)
        if about and any(self._is_state(field, told) for field in fields):
            return True
        return self._names_all(record, told, places)

    def _tells_act(self, field: Field, told: Told, places: frozenset[str], mine: bool) -> bool:
        """`"escalated": true`, `"shipped_at"`, `"refund": {"amount": 15}`: a field that is there by the act.

        A text or number under such a key must be said too; the moment of an act need not be.
        """
        if not any(self._key_is_of(key, told.acts) for key in field.keys):
            return False
        if field.raw is True:
            return not mine
        if self._is_said(field, told.words, places) or field.raw in told.numbers:
            return True
        if mine or any(value.kind not in ("identifier", "email", "phone") for value in told.region.values):
            return False
        if _MOMENT_KEYS & field.keys:
            return True
        counted = field.depth > 1 or not isinstance(field.raw, str)
        return counted and any(self._key_is_of(key, told.named) for key in field.keys)

    def _key_is_of(self, key: str, acts: Collection[str]) -> bool:
        for unit in self.linker.units_of(key):
            if unit.lemmas and same_act(frozenset([frozenset(unit.lemmas)]), sorted(acts)):
                return True
        return any(len(act) >= LONG_STEM and key.startswith(act) for act in acts)

    def _is_said(self, field: Field, words: frozenset[str], places: frozenset[str]) -> bool:
        """Does the clause state this very value, as a value or in its words (`10 min` as `10 minutes`)?"""
        if field.pointer in places:
            return True
        if not 0 < len(field.words) <= MOST_SAID:
            return False
        return all(word in words or _begins(word, words) for word in field.words)

    def _is_set(self, field: Field, told: Told, places: frozenset[str]) -> bool:
        """`The priority has been set to high` where `priority` is high; `SPRING was applied` where it is the coupon."""
        lists, keys = self.linker.grammar.lists, record_keys()
        placed = field.key in keys.status or field.key in keys.names  # `moved to Trash` names no folder
        if field.depth > DEEPEST or field.keys.issuperset(field.words) or (is_named(field.key) and not placed):
            return False
        named = not self._nouns_of(field).isdisjoint(told.region.nouns)
        if named and (told.reading.kind == "state" or not told.acts.isdisjoint(lists["kept-in-record"])):
            return self._is_said(field, told.words, places)
        if told.acts.isdisjoint(lists["set-to"]) or self._is_said(field, told.before, frozenset()):
            return False
        return (named or placed) and self._is_said(field, told.behind, places)

    def _nouns_of(self, field: Field) -> frozenset[str]:
        """The words of a field's keys, and what they name."""
        return field.keys.union(*(unit.nouns for key in field.keys for unit in self.linker.units_of(key)))

    def _is_state(self, field: Field, told: Told) -> bool:
        """`The ticket is closed` where `status` is resolved, `was deleted` where `folder` is Trash: acts of a class."""
        keys = record_keys()
        most = 2 if field.key in keys.status else 1 if field.key in keys.names else 0
        if len(field.words) > most:
            return False
        members, generic = self.linker.grammar.members, self.linker.grammar.generic
        return any(
            lemma == act or act in members.get(lemma, ()) or lemma in members.get(act, ())
            for word in field.words
            for unit in self.linker.units_of(word)
            for lemma in frozenset(unit.lemmas) - generic
            for act in told.acts - generic
        )

    def _names_all(self, record: Record, told: Told, places: frozenset[str]) -> bool:
        """`Ana and Bia are invited to the review`: one record holds every name, amount and thing that is told."""
        if told.acts.isdisjoint(self.linker.grammar.lists["kept-in-record"]):
            return False
        own = {field.pointer for field in record.fields}
        values = [value for value in told.region.values if value.kind not in ("date", "time")]
        stated = len(own & places)
        if len(values) > stated:
            return False
        return told.names <= record.words and len(told.names) + stated >= 2


_MOMENT_KEYS = frozenset({"at", "on", "by", "em", "por", "date", "data"})


def _begins(word: str, said: Collection[str]) -> bool:
    return len(word) >= SHORT_STEM and word.isalpha() and any(other.startswith(word) for other in said)
