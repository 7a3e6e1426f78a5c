"""Was it done before: earlier than this turn, or before the call that the clause could be about?"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from verifier.candidates import MOST_CALLS
from verifier.explained import Explained
from verifier.judge import MADE
from verifier.profile import SAME
from verifier.values.lexicon import fold, lexicon

if TYPE_CHECKING:
    from verifier.statement import Statement

NEAR_BY = 3  # words on each side of an act
TELLING = frozenset({"identifier", "money", "date", "email"})


class Earlier(Explained):
    """What a clause tells of another time, or of another record, than the calls of the turn."""

    def _just_made(self, statement: Statement) -> bool:
        """`has been successfully cancelled`: whoever tells of a success tells of what was done just now."""
        reading = statement.reading
        success = self.linker.grammar.lists["success"]
        if reading is None or reading.kind == "state":
            return False
        words = self._words(statement)[max(0, reading.at - NEAR_BY) : reading.at + NEAR_BY]
        return any(word.key in success for word in words)

    def _is_on_record(self, statement: Statement) -> bool:
        """Does a record that was read hold it, so that it was done before?"""
        return not self._just_made(statement) and self._on_record(statement, acts_of(statement))

    def _is_of_record_beside(self, statement: Statement) -> bool:
        """`PY-1 over €1,480 was refunded`, where PY-2 was: is it what a record tells, and no value of it the call's?"""
        reading = statement.reading
        stated = [value for value in statement.values if value.kind in TELLING]
        if reading is None or not stated or "active" in reading.rule:
            return False
        index = self.linker.index
        if any(index.call_has(call, value) for call in statement.calls for value in stated):
            return False
        return self._is_on_record(statement)

    def _was_earlier(self, statement: Statement) -> bool:
        """`Earlier I moved it to July 15`: a write of another turn holds what it states."""
        earlier = self.linker.grammar.lists["earlier"]
        if not any(word.key in earlier for word in self._words(statement)):
            return False
        before = (call for call in self.ledger.calls[-MOST_CALLS:] if call.turn != self.linker.turn)
        made = [call for call in before if call.outcome in MADE and self._is_write(call)]
        return any(self.linker.index.call_has(call, value) for call in made for value in statement.values)

    def _is_long_ago(self, statement: Statement) -> bool:
        """`It was renewed three times before`: told in the passive, and of another day than this."""
        reading = statement.reading
        if reading is None or not reading.rule.endswith((" passive", " passive-perfect")):
            return False
        if not self.linker.grammar.codes_of("long-ago").isdisjoint(self._codes(statement)):
            return True
        words = [word for word in self._words(statement)[slice(*statement.segment)] if word.key.isalnum()]
        return bool(words) and words[-1].key in self.linker.grammar.lists["before"]  # `was booked for 1 pm before`

    def _is_read_state(self, statement: Statement) -> bool:
        """`Your card is active`, where a status of a record that was read is just this word."""
        reading = statement.reading
        if reading is None or "active" in reading.rule or statement.candidates[0].verb >= SAME:
            return False
        return self.linker.read_status(fold(self.reply[reading.start : reading.end]))

    def _is_by_name(self, statement: Statement) -> bool:
        """`Was reported by Bea`, `foi indicada pela Marta`."""
        reading, by = statement.reading, self.linker.grammar.lists["by-whom"]
        words = self._words(statement)[reading.at + 1 :] if reading is not None else []
        return any(one.key in by and other.upper for one, other in itertools.pairwise(words))

    def _is_registered(self, statement: Statement) -> bool:
        """`Milo is registered under P-12`, where a lookup gave just that: it was done before the call that failed."""
        reading, region = statement.reading, self._region(statement)
        if reading is None or region is None or not reading.rule.endswith((" passive", " passive-perfect")):
            return False
        named = any(value.kind == "identifier" for value in region.values) and any(map(str.isalpha, region.names))
        named = named and reading.rule.endswith(" passive")
        units = lexicon(self.linker.grammar.language).units  # `three times`
        counted = any(value.kind == "count" for value in region.values) or not region.keys.isdisjoint(units)
        another = statement.kind == "by another" or self._is_by_name(statement)
        return (named or counted or another) and self._is_on_record(statement)


def acts_of(statement: Statement) -> list[str]:
    """The acts that nouns of the clause name (`the refund was issued`), as far as they led to its tool."""
    return [why.removeprefix("act ") for why in statement.candidates[0].why if why.startswith("act ")]
