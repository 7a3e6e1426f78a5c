"""A statement: what one clause of a sentence says of a tool and its calls; and a sentence with its statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.candidates import Candidate
from verifier.model import Sentence, Value
from verifier.readings import Reading, SentenceReading

if TYPE_CHECKING:
    from verifier.call import Call

MOST_ITEM_CALLS = 60  # calls of a tool that an item is compared with, the latest
SHORT_QUESTION = 9  # words: `Shall I do that instead?` takes its object from the turn
WEIGHT = {"says_done": 5, "says_not_done": 5, "says_unknown": 5, "promises": 4, "asks": 3, "mentions": 1}


@dataclass(slots=True)
class Statement:
    """What one clause says: a claim about a tool (None: about none) and the calls that it may be about."""

    start: int
    end: int
    claim: str
    kind: str
    rule: str
    tool: str | None
    calls: tuple[Call, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    every: bool = False
    named: bool = False
    foreign: bool = False
    fit: float = 0.0
    inherited: bool = False
    under_done: bool = False
    plain: bool = False
    values: tuple[Value, ...] = ()
    reading: Reading | None = None
    segment: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class ReadSentence:
    """A sentence of the reply with everything known about it."""

    sentence: Sentence
    reading: SentenceReading | None
    values: tuple[Value, ...] = ()
    statements: list[Statement] = field(default_factory=list)
