"""Does a sentence itself tell that an act waits, or why it came to nothing?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.judge import LONG_WORD
from verifier.manner import Manner
from verifier.values.lexicon import fold, record_keys

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.readings import Reading
    from verifier.statement import Statement
    from verifier.units import Word


class Explained(Manner):
    """What a call that did not take effect itself says of it: that it waits, its reason, the state it gives."""

    def _awaits(self, statement: Statement) -> bool:
        """Does the sentence itself say that the act waits (`it's waiting for your approval`)?"""
        return self._waits(self._words(statement)) or self._is_open(statement)

    def _is_open(self, statement: Statement) -> bool:
        """`Only the late checkout is open`: a state of what waits, where the tool does not open anything."""
        reading = statement.reading
        if reading is None or statement.kind != "state":
            return False
        word = self.reply[reading.start : reading.end].lower()
        place = self.linker.tools.places.get(statement.tool or "")
        verbs = self.linker.tools.profiles[place].verbs if place is not None else ()
        return word in self.linker.grammar.lists["waiting-states"] and frozenset(verbs).isdisjoint(reading.lemmas)

    def _explained(self, statement: Statement, call: Call) -> bool:
        """Does the sentence tell of the failure, or say a state that the failed call itself gives (`waitlisted`)?"""
        reading, grammar = statement.reading, self.linker.grammar
        words = self._words(statement)
        for place, word in enumerate(words):
            if word.key in grammar.lists.get("failure", frozenset()) and not any(
                before.code in grammar.code("no") or before.key == "without"
                for before in words[max(0, place - 2) : place]
            ):
                return True
        said = frozenset(fold(call.reason).replace(".", " ").replace(",", " ").split())
        mine = reading is not None and "active" in reading.rule
        if not mine and (self._was_there(words, said) or self._is_as_it_was(statement, said)):
            return True
        if reading is not None and self._states_itself(reading, call):
            return True
        if reading is not None and reading.kind == "state":
            said |= self.linker.index.strings(call)
        if statement.kind == "event" and self._is_denied(said):
            return False  # `cannot be changed` is why it was not changed
        start, end = (reading.start, reading.end) if reading is not None else (statement.start, statement.end)
        text = fold(self.reply[start:end]).replace(".", " ").replace(",", " ")
        singles = self.linker.grammar.singles
        plain = {word for word in text.split() if word in singles and not singles[word].forms}  # `left your inbox`
        long = [word for word in text.split() if len(word) >= LONG_WORD and word not in plain]
        return any(other.startswith(word) for word in long for other in said)

    def _is_as_it_was(self, statement: Statement, reason: frozenset[str]) -> bool:
        """`It's already on its way to you`, where it is refused since it is `already out for delivery`."""
        already = {word for grammar in self.linker.grammars() for word in grammar.lists["already"]}
        said = any(word.key in already for word in self._words(statement))
        return statement.kind == "state" and said and not reason.isdisjoint(already)

    def _is_denied(self, reason: frozenset[str]) -> bool:
        """Does the reason of a refusal itself deny something (`cannot be changed`, `not registered`)?"""
        denials = {word.replace(" ", "") for grammar in self.linker.grammars() for word in grammar.lists["negations"]}
        return not reason.isdisjoint(denials)  # a list holds `can not`, as its tokens

    def _was_there(self, words: Sequence[Word], reason: frozenset[str]) -> bool:
        """`That time has already been booked`, where the call was refused since the slot is taken: it says why."""
        grammars = self.linker.grammars()
        there = frozenset().union(*(grammar.lists["already-there"] for grammar in grammars))
        return not self._is_denied(reason) and not reason.isdisjoint(map(fold, there)) and any(
            word.key in self.linker.grammar.lists["already"] for word in words
        )

    def _states_itself(self, reading: Reading, call: Call) -> bool:
        """`Late checkout has been requested`, where the call that waits returned `"status": "requested"`."""
        word = fold(self.reply[reading.start : reading.end])
        held = self.linker.index.facts(call).of("text")
        return "active" not in reading.rule and any(
            fact.in_result and fact.key in record_keys().status and fold(str(fact.raw)) == word for fact in held
        )

    def _has_no_answer(self, statement: Statement) -> bool:
        """`The server didn't respond`, `it timed out`, `was not confirmed`: of what nobody knows how it ended."""
        reading, unanswered = statement.reading, self.linker.grammar.lists["unanswered"]
        if reading is None:
            return False
        if statement.kind == "attempt":  # `I tried to restart it, but it didn't respond`
            read = self.of_statement[id(statement)].reading
            return read is not None and any(not unanswered.isdisjoint(other.lemmas) for other in read.readings)
        return not unanswered.isdisjoint(reading.lemmas)

    def _tells_reason(self, statement: Statement, call: Call) -> bool:
        """`I tried to page Lee, but it timed out`: does the sentence repeat the call's own reason?"""
        said = {word for word in fold(call.reason).replace(".", " ").split() if len(word) >= LONG_WORD}
        return bool(said) and said <= {fold(word.key) for word in self._words(statement)}
