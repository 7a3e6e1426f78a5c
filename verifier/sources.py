"""What a session read and heard: the states, acts, objects and values that a reply may tell of as history."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from verifier.candidates import MOST_CALLS
from verifier.facts import words_of
from verifier.grammar import load
from verifier.profile import ToolIndex, name_words
from verifier.reader import read_sentence
from verifier.records import is_bookkeeping, key_words
from verifier.rivals import same_act
from verifier.splitter import split
from verifier.text import tokenize
from verifier.values.identifiers import identifier_key
from verifier.values.lexicon import fold, record_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.call import Call
    from verifier.facts import Index
    from verifier.grammar import Grammar, Unit
    from verifier.ledger import Ledger
    from verifier.model import Value
    from verifier.readings import Reading

T = TypeVar("T")
MOST_ACT_WORDS = 4  # of a field that names an act


@cache
def _possible(language: str) -> frozenset[str]:
    """The words of what could be, in a language and in English, the language of most tools' names."""
    return load(language).lists["possible"] | load("en").lists["possible"]


class Sources:
    """The lookups and texts of one ledger."""

    grammar: Grammar
    tools: ToolIndex
    ledger: Ledger
    index: Index
    possible: dict[str, bool]  # whether a lookup tells of what is, by its tool

    def _once(self, name: str, make: Callable[[], T]) -> T:
        """What the session's calls tell in the grammar's language, worked out again only when a call was added."""
        return self.index.once(f"{name} {self.grammar.language}", make)

    def _writes(self, name: str) -> bool:
        return bool(self.tools.profiles[self.tools.places[name]].tool.write)

    def session_says(self, word: str) -> bool:
        """Does a result of the session, or the person, hold this very word (`cancelled`)?"""
        return word in self._session_words() or word in self._person_states()

    def _person_states(self) -> frozenset[str]:
        """The participles in which the person tells of an act (`it was cancelled`), not of `your` doing.

        Asking for it (`I want it cancelled`) tells of none; a message that speaks of "your order" is not the person's.
        """
        kept = self.ledger.cache
        key = f"person-states {self.grammar.language}"
        held = kept.get(key)
        if held is None or held[0] != len(self.ledger.heard):
            heard = self.ledger.heard[-20:]
            known = {} if held is None else held[2]
            told = {
                text: known[text] if text in known else frozenset(self._states_of(text[:2000])) for _, text in heard
            }
            held = kept[key] = (len(self.ledger.heard), frozenset().union(*told.values()), told)
        states: frozenset[str] = held[1]
        return states

    def _states_of(self, text: str) -> Iterator[str]:
        yours = self.grammar.lists.get("yours", frozenset())
        tokens = tokenize(text, self.grammar.language)
        for sentence in split(text, self.grammar.language):
            first, last = bisect_left(tokens.start, sentence.body_start), bisect_left(tokens.start, sentence.body_end)
            read = read_sentence(tokens, first, last, self.grammar, self.tools.overlay)
            if any(word.key in yours for word in read.words):
                continue
            for reading in read.readings:
                if reading.claim == "says_done":
                    yield text[reading.start : reading.end].lower()

    def read_states(self, lemmas: Sequence[str]) -> bool:
        """Does the result of a read hold the state of such an act in any inflection (`cancelled` for `cancelada`)?"""
        return same_act(self._once("read-states", self._states_read), lemmas)

    def _states_read(self) -> frozenset[frozenset[str]]:
        found: set[frozenset[str]] = set()
        for name in self.ledger.tools_called:
            tool = self.ledger.tool(name)
            words = self.index.words_of_tool(name) if tool is not None and not tool.write else ()
            for known in self.grammars() if words else ():
                found.update(known.participles[word] for word in known.participles.keys() & words)
        return frozenset(found)

    def read_keeps(self, lemmas: Sequence[str]) -> bool:
        """Does a read give something under the name of such an act (`"refund": {"amount": 45}`)?"""
        return same_act(self._once("read-keys", self._keys_read), lemmas)

    def _keys_read(self) -> frozenset[frozenset[str]]:
        return frozenset(
            frozenset(unit.lemmas)
            for call in self.ledger.calls
            if not self._is_write(call) and call.outcome.value == "done"
            for fact in self.index.facts(call).facts
            if fact.in_result and fact.raw
            for name in fact.pointer.lower().split("/")[: None if fact.kind in ("number", "money", "date") else -1]
            for unit in self.units_of(name)  # `"order": "3307"` only says which
            if "NOUN" in unit.forms and self.objects_of(call.tool).isdisjoint(unit.nouns)
        )

    def objects_of(self, tool: str) -> frozenset[str]:
        """What a tool acts on, by its name."""
        place = self.tools.places.get(tool)
        return self.tools.profiles[place].nouns if place is not None else frozenset()

    def verbs_of(self, tool: str) -> tuple[str, ...]:
        """The verbs of a tool's name, the chief one first."""
        place = self.tools.places.get(tool)
        return self.tools.profiles[place].verbs if place is not None else ()

    def _is_write(self, call: Call) -> bool:
        tool = self.ledger.tool(call.tool)
        return tool is None or bool(tool.write)

    def units_of(self, word: str) -> Iterator[Unit]:
        """What a word can be in the language of the reply, and in English, the language of most records."""
        for grammar in self.grammars():
            unit = grammar.singles.get(word)
            if unit is not None:
                yield unit

    def grammars(self) -> tuple[Grammar, ...]:
        return (self.grammar,) if self.grammar.language == "en" else (self.grammar, load("en"))

    def read_says(self, lemmas: Sequence[str]) -> bool:
        """Does a short text of a read hold the act itself (`"type": "refund"`)? A long one only speaks of it."""
        return not self._once("read-acts", self._acts_read).isdisjoint(lemmas)

    def _acts_read(self) -> frozenset[str]:
        texts = {
            fold(str(fact.raw))
            for call in self.ledger.calls
            if not self._is_write(call)
            for fact in self.index.facts(call).of("text")
            if fact.in_result
        }
        found = (words for text in texts if len(words := text.replace("_", " ").split()) <= MOST_ACT_WORDS)
        return frozenset(word.strip(",.:;") for words in found for word in words)

    def read_status(self, word: str) -> bool:
        """Is a status of a record that was read just this word?"""
        return word in self._once("read-status", self._status_read)

    def _status_read(self) -> frozenset[str]:
        status = record_keys().status
        return frozenset(
            fold(str(fact.raw))
            for call in self.records_read()
            for fact in self.index.facts(call).of("text")
            if fact.in_result and not key_words(fact.key).isdisjoint(status)
        )

    def has_read(self) -> bool:
        """Has the session read anything?"""
        return any(map(self._is_read, self.ledger.calls[-MOST_CALLS:]))

    def invents(self, values: Sequence[Value]) -> bool:
        """Is there a reference among the values that nothing of the session, all of it recorded, holds?"""
        stated = [value for value in values if value.kind == "identifier" and value.unit != "ending"]
        if not stated or any(call.result is None for call in self.ledger.calls[-MOST_CALLS:] if self._is_read(call)):
            return False
        return any(self._is_reference(value) and not self._is_held(value) for value in stated)

    def _is_reference(self, value: Value) -> bool:
        """Letters and digits (`VW-8`): one of many, and the name of something in a record."""
        text = str(value.meanings[0])
        return len(text) > 2 and any(map(str.isdigit, text)) and any(map(str.isalpha, text))

    def _is_held(self, value: Value) -> bool:
        names = [identifier_key(str(meaning)) for meaning in value.meanings]
        if self.index.session_find(value) or self.index.session.said(value):
            return True
        said = [text.lower() for _, text in self.ledger.replies[-20:]]
        return any(self.index.session_text(name) or any(name in text for text in said) for name in names)

    def has_writes(self) -> bool:
        """Did the session try to change anything?"""
        return any(map(self._is_write, self.ledger.calls))

    def read_of(self, nouns: frozenset[str]) -> bool:
        """Has the session read a record of one of these objects?"""
        return any(self._tells_what_is(call) and self.objects_of(call.tool) & nouns for call in self.ledger.calls)

    def read_tells(self, nouns: frozenset[str], values: Sequence[Value]) -> bool:
        """Does the result of a read speak of one of these objects, or hold one of these values, or is it unknown?"""
        reads = [call for call in self.ledger.calls[-MOST_CALLS:] if self._tells_what_is(call)]
        if any(call.result is None for call in reads):
            return True
        if not nouns.isdisjoint(self._once("read-words", self._words_read)):
            return True
        return any(self.index.call_has(call, value) for value in values for call in reads)

    def _is_read(self, call: Call) -> bool:
        return call.outcome.value == "done" and call.tool in self.tools.places and not self._writes(call.tool)

    def _tells_what_is(self, call: Call) -> bool:
        """Is it a read of records? One of what could be (free slots, a quote) tells of nothing that was done."""
        if not self._is_read(call):
            return False
        tells = self.possible.get(call.tool)
        if tells is None:
            possible = _possible(self.grammar.language)
            tells = self.possible[call.tool] = possible.isdisjoint(name_words(call.tool))
        return tells

    def records_read(self) -> list[Call]:
        """The lookups that tell what is, the latest first."""
        return [call for call in reversed(self.ledger.calls[-MOST_CALLS:]) if self._tells_what_is(call)]

    def tells_of(self, tool: str) -> bool:
        """Was the tool called, to write or to read what is?"""
        return any(not self._is_read(call) or self._tells_what_is(call) for call in self.ledger.calls_of(tool))

    def _words_read(self) -> frozenset[str]:
        """The words of every text and key that reads gave, and what they name; what was asked for tells nothing."""
        words: set[str] = set()
        for call in filter(self._tells_what_is, self.ledger.calls):
            facts = self.index.facts(call).facts
            asked = {word for fact in facts if not fact.in_result for word in words_of(fact.raw)}
            told = [fact for fact in facts if fact.in_result]
            words.update(word for fact in told for word in words_of(fact.raw) if word not in asked)
            words.update(word for fact in told for word in name_words(fact.key))
        named = {noun for word in words for unit in self.units_of(word) for noun in unit.nouns}
        return frozenset(words | named)

    def is_known(self, name: str) -> bool:
        """Does anything of the session hold this word: a call, the person, an earlier message, the context, a tool?"""
        if name in self._session_words() or name in self.tools.vocabulary:
            return True
        texts = [text for _, text in (*self.ledger.heard[-20:], *self.ledger.replies[-20:])]
        return any(name in text.lower() for text in (*texts, *self.ledger.contexts))

    def _session_words(self) -> frozenset[str]:
        """The words of every text and key that the session's calls hold."""
        return self._once("session-words", self._words_of_session)

    def _words_of_session(self) -> frozenset[str]:
        words: set[str] = set()
        for call in self.ledger.calls:
            words |= self.index.strings(call)
            for fact in self.index.facts(call).facts:
                if not is_bookkeeping(fact.key):  # `updated_at` tells of no act
                    words.update(fact.key.lower().replace("-", "_").split("_"))
        return frozenset(words)

    def read_moment(self, values: Sequence[Value]) -> bool:
        """Does a read of the session hold a date that the clause states?"""
        moments = [value for value in values if value.kind in ("date", "time")]
        reads = filter(self._tells_what_is, self.ledger.calls) if moments else ()
        return any(self.index.call_has(call, value) for call in reads for value in moments)

    def is_recorded(self, reading: Reading) -> bool:
        """Is it a state that the record of a lookup holds (`Status: delivered`)?"""
        return reading.claim == "says_done" and self.read_states(reading.lemmas)
