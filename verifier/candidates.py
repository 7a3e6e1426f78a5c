"""The weights of the linker, and what it passes on: a region of words, the tools it fits, the calls of the best."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.readings import Reading

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.model import Value

NOUN, NEXT_NOUN, MOST_NOUNS = 1.5, 0.5, 2.5  # the first object of a tool that the clause names, and further ones
WEAK, MOST_WEAK = 0.25, 0.75  # words of the tool's description
MOMENTS = ("date", "time", "money", "phone", "url")
MOMENT = 1.0  # a date, time or amount that a call holds
IDENTIFIER, NAME = 2.0, 0.6  # a value that a call of the tool holds
THIS_TURN, SESSION = 1.0, 0.5  # the tool was called
PHRASE = 4.0  # a phrase of the user's own vocabulary
LINKED, MENTIONED = 2.0, 2.5  # from here on a claim, or a bare mention, speaks of the tool
TIE = 0.25  # candidates so near to the best are as good
NOUNLIKE = frozenset({"NOUN", "BASE", "ING", "S", "PRESENT_I", "SUBJ"})  # forms that name a thing as well
SHORT_NAME = re.compile(r"([a-z]{1,3})-?[0-9]{1,4}")
PARTS = re.compile(r"[^a-z0-9]")
SURE = 1.6  # two names, or an identifier, of a call
MOST_CALLS = 40  # calls that a sentence without an act is compared with
MAX_CANDIDATES = 64  # a ledger of ten thousand tools has many with the same verb


@dataclass(slots=True)
class Candidate:
    """A tool that a reading could be about, how well it fits, and why."""

    tool: str
    score: float = 0.0
    verb: float = 0.0
    nouns: int = 0
    value: bool = False
    act: bool = False
    rivals: int = 0
    elsewhere: bool = False
    why: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Link:
    """A reading with the tools it is about (the best first) and the calls of the best."""

    reading: Reading
    candidates: tuple[Candidate, ...]
    calls: tuple[Call, ...] = ()
    every: bool = False
    named: bool = False
    foreign: bool = False
    fit: float = 0.0

    @property
    def best(self) -> Candidate | None:
        """The tool that fits best, or None."""
        return self.candidates[0] if self.candidates else None


@dataclass(slots=True)
class Region:
    """The words around a reading: its segment, and what they name; `marked` are the names that are no plain word."""

    nouns: frozenset[str]
    keys: frozenset[str]
    lemmas: tuple[tuple[str, frozenset[str]], ...]
    values: tuple[Value, ...]
    names: frozenset[str]
    proper: frozenset[str] = frozenset()
    marked: tuple[str, ...] = ()
    fits: dict[str, float] = field(default_factory=dict)  # how well the calls that were looked at fit it, by their id
