"""How a clause tells: of what is, of any of a kind, of the words of the reply, of somebody's decision."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.recorded import Recorded

if TYPE_CHECKING:
    from verifier.statement import Statement
    from verifier.units import Word


VERBS = frozenset({"S", "BASE", "PAST", "PRESENT"})


class Manner(Recorded):
    """What the words of a clause themselves say of how it is meant."""

    def _holds_now(self, statement: Statement) -> bool:
        """Is it told in the present (`is set`), as a state that may be old?"""
        reading = statement.reading
        present = self.linker.grammar.lists.get("holds", frozenset())
        return reading is not None and any(
            word.key in present for word in self._words(statement)[reading.span[0] : reading.at]
        )

    def _in_general(self, statement: Statement) -> bool:
        """`Returns are submitted per order`: a present passive without a value that names one."""
        reading = statement.reading
        if reading is None or not reading.rule.endswith(" passive"):
            return False
        if any(value.kind == "identifier" for value in statement.values):
            return False
        present = self.linker.grammar.lists.get("holds", frozenset())
        lists = self.linker.grammar.lists
        words = self._words(statement)
        subject = words[statement.segment[0] : reading.span[0]]
        named = self.linker.named_codes + self.linker.grammar.class_codes["quote"]
        one = any(word.key in lists["definite"] for word in subject) or any(word.code in named for word in subject)
        one = one or (self._has_day(statement) and any(word.key in lists["yours"] for word in subject))
        if one and not self._is_bare_plural(subject):
            return False
        return any(word.key in present for word in words[reading.span[0] : reading.at])

    def _has_day(self, statement: Statement) -> bool:
        """Does the clause state a day of the calendar, by its month?"""
        return any(
            value.kind == "date" and any(isinstance(day, tuple) and day[1] is not None for day in value.meanings)
            for value in statement.values
        )

    def _of_text(self, statement: Statement) -> bool:
        """`I cut the second paragraph`: what is done to a text needs no call."""
        parts, reading = self.linker.grammar.lists["text-parts"], statement.reading
        if reading is None or "active" not in reading.rule:
            return False
        return any(word.key in parts for word in self._words(statement)[slice(*statement.segment)])

    def _is_of_noun(self, statement: Statement) -> bool:
        """Did only the noun of an act lead to the tool (`invoice`), and no verb?"""
        best, reading = statement.candidates[0], statement.reading
        led = bool(best.why) and all(why.startswith(("act ", "object")) for why in best.why)
        return led and reading is not None and bool(reading.lemmas) and best.verb < 3.0

    def _decides(self, statement: Statement) -> bool:
        """`Your leave isn't approved yet` denies somebody's decision, and not the request that was made."""
        reading, best = statement.reading, statement.candidates[0]
        if reading is None or self.linker.grammar.lists["decisions"].isdisjoint(reading.lemmas):
            return False
        return best.act or best.verb < 3.0

    def _of_any(self, statement: Statement) -> bool:
        """`Late fees are charged per day`: is it told in general, and of any of a kind?"""
        reading = statement.reading
        if reading is None:
            return False
        subject = self._words(statement)[statement.segment[0] : reading.span[0]]
        if reading.rule.endswith(" noun-and-participle"):
            return self._goes_on_with_verb(statement) and self._is_bare_plural(self._subject(statement))
        return self._in_general(statement) and self._is_bare_plural(subject)

    def _subject(self, statement: Statement) -> list[Word]:
        reading = statement.reading
        return self._words(statement)[statement.segment[0] : reading.at] if reading is not None else []

    def _goes_on_with_verb(self, statement: Statement) -> bool:
        """`Changes made at the airport cost $80`: does a verb follow what only says which changes?"""
        reading, grammar = statement.reading, self.linker.grammar
        behind = self._words(statement)[reading.at + 1 :] if reading is not None else []
        stops = grammar.marks("comma", "semi", "colon", "end") | grammar.codes_of("and", "but")
        behind = list(itertools.takewhile(lambda word: word.code not in stops, behind))
        return any(
            word.code in grammar.finite_codes or (word.unit is not None and bool(word.unit.forms & VERBS))
            for word in behind[1:]
        )

    def _is_bare_plural(self, subject: Sequence[Word]) -> bool:
        """`Orders with raised priority`, `paid fees`: any of a kind, whatever else is said of them."""
        fill = "".join(self.linker.grammar.code(name) for name in ("adv", "and", "but"))
        first = [word for word in subject if word.code not in fill and word.key.isalnum()][:2]
        if len(first) == 1 and self._is_unknown_plural(first[0]):
            return True  # `Episodes are published on Fridays`
        if first and (first[0].unit is None or first[0].unit.forms & {"PART"}) and first[0].key.isalpha():
            first = first[1:]  # what is said of them
        if not first or not self._is_noun(first[0]):
            return False
        return self.reply[first[0].start : first[0].end].endswith("s")

    def _is_unknown_plural(self, word: Word) -> bool:
        """A word that the grammar does not hold, with the ending of a plural and no name."""
        return word.unit is None and not word.upper and word.key.isalpha() and word.key.endswith("s")

    def _is_noun(self, word: Word) -> bool:
        unit = word.unit
        return not word.upper and unit is not None and bool(unit.nouns or unit.forms & {"NOUN", "S"})
