"""What is read of a sentence: one reading for each event word, and all that the sentence says as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.candidates import Region
from verifier.units import Word

CLAIM_RANK = {"asks": 6, "says_unknown": 5, "promises": 4, "says_not_done": 3, "says_done": 2, "mentions": 1}


@dataclass(slots=True)
class Reading:
    """One event word and what is said of it. `claim` is a Claim's value; `rule` is the data line that decided.

    Nothing changes one once it is made; it is not frozen because that would make it four times as slow to make.
    """

    at: int
    claim: str
    kind: str
    rule: str
    segment: int
    start: int
    end: int
    lemmas: tuple[str, ...]
    states: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset()
    fails: bool = False
    turned: str = ""
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class SentenceReading:
    """All that was read of one sentence."""

    words: list[Word]
    segments: list[tuple[int, int]]
    readings: list[Reading] = field(default_factory=list)
    question: bool = False
    condition: bool = False
    whole_turn: bool = False
    offer: bool = False
    request: bool = False
    codes: str = ""
    mask: int = 0
    regions: dict[int, Region] = field(default_factory=dict)
    nouns: frozenset[str] | None = None


def all_nouns(sentence: SentenceReading) -> frozenset[str]:
    """The objects that a whole sentence names; gathered once."""
    if sentence.nouns is not None:
        return sentence.nouns
    nouns: set[str] = set()
    for word in sentence.words:
        if word.unit is not None:
            nouns.update(word.unit.nouns)
        else:
            nouns.add(word.key)
    sentence.nouns = frozenset(nouns)
    return sentence.nouns
