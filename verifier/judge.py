"""What every judgement of a statement shares: its words, its calls, and what the reply itself admits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.model import Clause, Outcome, Report
from verifier.statement import ReadSentence, Statement

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.candidates import Region
    from verifier.linker import Linker
    from verifier.settings import Settings
    from verifier.units import Word

MAX_NAME = 40  # characters of an argument that may be a name
LITTLE = 0.6  # one name of a call is enough where the reply admits nothing and nothing else was done
LONG_WORD = 5  # letters; a shorter word of a state says nothing of its own
SURE_FIT = 1.6  # two names, or an identifier, of a call: the sentence is about it
MOST_RIVALS = 1  # a verb that fits more write tools than this and one other says too little alone
MADE = frozenset({Outcome.DONE, Outcome.UNDONE})
RAN = frozenset(
    {
        Outcome.DONE,
        Outcome.UNDONE,
        Outcome.FAILED,
        Outcome.REFUSED,
        Outcome.UNKNOWN,
        Outcome.PENDING_CONFIRMATION,
        Outcome.NOT_ATTEMPTED,
    }
)


def is_name(value: object) -> bool:
    """A short text of capitalised words: somebody's name, or a place's."""
    if not isinstance(value, str) or not 2 < len(value) <= MAX_NAME:
        return False
    words = value.replace("-", " ").split()
    return (
        all(word[:1].isupper() and word.replace(".", "").replace("'", "").isalpha() for word in words)
        and not value.isupper()
    )


@dataclass(slots=True)
class Judged:
    """What was decided: the clauses of each sentence, and what is only reported."""

    clauses: list[list[Clause]] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a statement may stand; if not, the call whose phrasing tells the truth (None: never attempted)."""

    true: bool
    calls: tuple[Call | None, ...]
    rule: str = ""
    why: str = ""
    place: str = ""


class Judge:
    """Looks up what the judgements of one reply need."""

    def __init__(self, reply: str, reads: Sequence[ReadSentence], linker: Linker, settings: Settings) -> None:
        """Hold what every check shares."""
        self.reply, self.reads, self.linker, self.settings = reply, reads, linker, settings
        self.ledger = linker.ledger
        self.judged = Judged()
        self.admits: bool | None = None
        self.told_as_open: frozenset[str] | None = None
        self.of_statement = {id(statement): read for read in reads for statement in read.statements}
        self.all_values = tuple(value for read in reads for value in read.values)

    def _admits(self) -> bool:
        """Does any sentence of the reply say that something was not done, failed or is not known?"""
        if self.admits is None:
            grammar = self.linker.grammar
            codes = "".join(
                grammar.code(name)
                for name in (
                    "not",
                    "no",
                    "unable",
                    "unknown",
                    "cross",
                    "unavailable",
                    "could",
                    "may",
                    "until",
                )
            )
            failure = grammar.lists.get("failure", frozenset())
            self.admits = any(
                read.reading is not None
                and (
                    any(code in codes for code in read.reading.codes)
                    or self._waits(read.reading.words)
                    or any(r.fails for r in read.reading.readings)
                    or any(w.key in failure for w in read.reading.words)
                    or any(s.claim in ("says_not_done", "says_unknown", "asks") for s in read.statements)
                )
                for read in self.reads
            )
        return self.admits

    def _waits(self, words: Sequence[Word]) -> bool:
        """Do the words say that something waits? `Your pending order` only says which order it is."""
        awaiting = self.linker.grammar.code("awaiting")
        return any(
            word.code in awaiting and not (self._is_determined(words, place) and self._goes_on(words, place))
            for place, word in enumerate(words)
        )

    def _is_determined(self, words: Sequence[Word], place: int) -> bool:
        grammar = self.linker.grammar
        before = words[place - 1] if place else None
        return before is not None and (
            before.code in grammar.codes_of("det", "adv") or before.key in grammar.lists["definite"]
        )

    def _goes_on(self, words: Sequence[Word], place: int) -> bool:
        """Does a word that can be a thing stand right behind a place?"""
        after = words[place + 1] if place + 1 < len(words) else None
        if after is None or not after.key.isalpha():
            return False
        return after.unit is None or bool(after.unit.nouns or after.unit.forms)

    def _regions(self, statement: Statement) -> list[Region]:
        read = self.of_statement.get(id(statement))
        if read is None or read.reading is None:
            return []
        return [self.linker.region(read.reading, n, read.values) for n in range(len(read.reading.segments))]

    def _is_sentence(self, statement: Statement) -> bool:
        """Does a list item say something of its own, with a finite verb?"""
        finite = self.linker.grammar.finite
        return any(word.code in finite for word in self._words(statement))

    def _words(self, statement: Statement) -> list[Word]:
        read = self.of_statement.get(id(statement))
        return read.reading.words if read is not None and read.reading is not None else []

    def _codes(self, statement: Statement) -> str:
        read = self.of_statement.get(id(statement))
        if read is None or read.reading is None:
            return ""
        return read.reading.codes[statement.segment[0] : statement.segment[1]]

    def asks_something(self) -> bool:
        closing = self.linker.grammar.code("nothing-more") + self.linker.grammar.code("closing")
        for read in self.reads:
            reading = read.reading
            if reading is None or any(code in closing for code in reading.codes):
                continue
            if reading.question or any(s.claim == "asks" for s in read.statements) or reading.offer:
                return True
        return False

    def _is_write(self, call: Call) -> bool:
        tool = self.ledger.tool(call.tool)
        return tool is not None and bool(tool.write)

    def _region(self, statement: Statement) -> Region | None:
        reading = statement.reading
        read = self.of_statement.get(id(statement))
        if reading is None or read is None or read.reading is None:
            return None
        return self.linker.region(read.reading, reading.segment, read.values)
