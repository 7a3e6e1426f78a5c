"""`read`: a person's turn, read by the same reader, with the tools that each clause could be about and why."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from verifier import facts
from verifier.grammar import language_of, load
from verifier.ledger import Ledger
from verifier.linker import Linker
from verifier.model import Claim
from verifier.profile import index_of
from verifier.reader import read_sentence
from verifier.splitter import split
from verifier.text import tokenize
from verifier.tool import Tool
from verifier.values import find


@dataclass(frozen=True, slots=True)
class ReadCandidate:
    """A tool that a clause could be about: how well it fits (larger is better) and the evidence for it."""

    tool: str
    weight: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadClause:
    """A clause of a text: what it says, the tool that fits best (None for none), and every candidate, best first."""

    start: int
    end: int
    text: str
    claim: Claim
    tool: str | None
    candidates: tuple[ReadCandidate, ...]
    rule: str

    @property
    def why(self) -> str:
        """The evidence for the tool, in words."""
        return ", ".join(self.candidates[0].why) if self.candidates else ""


def read_turn(text: str, tools: Iterable[Tool | str], language: str) -> tuple[ReadClause, ...]:
    """The clauses of a text in order. Raises ValueError for a language that is not read."""
    grammar = load(language_of(language))
    ledger = Ledger(tools=[Tool(tool) if isinstance(tool, str) else tool for tool in tools])
    linker = Linker(grammar, index_of(ledger.tools, grammar.language), ledger, facts.index(ledger))
    tokens = tokenize(text, grammar.language)
    found: list[ReadClause] = []
    for sentence in split(text, grammar.language):
        first, last = bisect_left(tokens.start, sentence.body_start), bisect_left(tokens.start, sentence.body_end)
        if last <= first:
            continue
        values = find(text, sentence.body_start, sentence.body_end, locale=grammar.language)
        reading = read_sentence(tokens, first, last, grammar, linker.tools.overlay, values)
        links = [linker.link(reading, one, values) for one in reading.readings]
        for number, (a, b) in enumerate(reading.segments):
            here = [link for link in links if link.reading.segment == number]
            if not here:
                continue
            best = max(here, key=lambda link: (link.candidates[0].score if link.candidates else 0.0, -link.reading.at))
            start, end = reading.words[a].start, reading.words[b - 1].end
            candidates = tuple(ReadCandidate(c.tool, round(c.score, 2), tuple(c.why)) for c in best.candidates)
            found.append(
                ReadClause(
                    start,
                    end,
                    text[start:end],
                    Claim(best.reading.claim),
                    candidates[0].tool if candidates else None,
                    candidates,
                    best.reading.rule,
                )
            )
    return tuple(found)
