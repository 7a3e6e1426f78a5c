"""Which of the tools that a verb fits stand back for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.candidates import MOST_WEAK, PHRASE, Candidate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verifier.readings import Reading


def called(found: Mapping[int, Candidate], turn_tools: frozenset[str]) -> bool:
    """Did this turn call one of these tools?"""
    return any(candidate.tool in turn_tools for candidate in found.values())


def stand_back(
    reading: Reading, found: Mapping[int, Candidate], generic: frozenset[str], turn_tools: frozenset[str]
) -> None:
    """`I opened a dispute`: where the noun is the act, a tool that only the general verb would fit stands back."""
    if not any(c.act for c in found.values()) or not generic.issuperset(reading.lemmas):
        return
    for candidate in found.values():
        known = candidate.act or candidate.nouns or candidate.tool in turn_tools
        if not known and candidate.verb < PHRASE:
            candidate.score -= MOST_WEAK

def same_act(held: frozenset[frozenset[str]], lemmas: Sequence[str]) -> bool:
    """Is one of these acts that of a verb? Two of several meanings (`open, create`) must share more than the least."""
    own = frozenset(lemmas)
    return any(2 * len(own & act) >= min(len(own), len(act)) > 0 for act in held)
