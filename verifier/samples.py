"""Sentences of which it is known whether they are true of a ledger, as `verifier.strategies` draws them.

Only writes that nothing else in the ledger could be taken for are spoken of, so that a wrong verdict is a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from verifier.claims import allows
from verifier.model import Claim, Outcome
from verifier.sample_wording import Act, SampleWording

if TYPE_CHECKING:
    from verifier.ledger import Call, Ledger
    from verifier.verdict import Verdict

Must = Literal["kept", "gone"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence and what must happen to it where it stands in `reply`: it is `kept` byte for byte, or it is `gone`.

    `call` is the call that it speaks of, None for a write that was never made.
    """

    text: str
    reply: str
    call: Call | None
    must: Must
    claim: Claim

    def seen(self, verdict: Verdict) -> Must:
        """What a verdict on `reply` did with the sentence: `kept` where no edit touches it, else `gone`."""
        start = self.reply.index(self.text)
        end = start + len(self.text)
        touched = any(edit.start < end and edit.end > start for edit in verdict.edits)
        return "gone" if touched else "kept"


@dataclass(frozen=True, slots=True)
class Subject:
    """A write that a sentence can speak of: its words, the thing as it is named, and the identifier in that name.

    `call` is None for a tool that nothing called.
    """

    tool: str
    act: Act
    thing: str
    call: Call | None
    name: str = ""

    @property
    def outcome(self) -> Outcome:
        """What became of it."""
        return self.call.outcome if self.call else Outcome.NOT_ATTEMPTED


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording of a claim about a subject, and whether it is true."""

    subject: Subject
    claim: Claim
    must: Must
    text: str


def subjects(ledger: Ledger, words: SampleWording) -> Iterator[Subject]:
    """The writes of this turn that no other call could be taken for, then the listed writes that nothing called."""
    for call in ledger.calls_in(ledger.turn):
        act, tool = words.act(call.tool), ledger.tool(call.tool)
        if act is None or tool is None or not tool.write:
            continue
        thing, name = words.name_of(act, call.arguments)
        others = [words.name_of(act, one.arguments)[1] for one in ledger.calls_of(call.tool) if one.id != call.id]
        if not others or (name and "" not in others and name not in others):
            yield Subject(call.tool, act, thing, call, name)
    called = [act for act in (words.act(name) for name in {call.tool: None for call in ledger.calls}) if act]
    for tool in ledger.tools:
        act = words.act(tool.name) if tool.write and not ledger.calls_of(tool.name) else None
        if act and not any(act.forms == other.forms or act.noun == other.noun for other in called):
            yield Subject(tool.name, act, words.name_of(act, {})[0], None)


def wordings(ledger: Ledger, words: SampleWording) -> Iterator[Wording]:
    """Every wording of every claim about every subject, by the table of rules/claims.yaml."""
    for subject in subjects(ledger, words):
        for claim in Claim:
            must: Must = "kept" if allows(subject.outcome, claim) else "gone"
            yield from (Wording(subject, claim, must, text) for text in words.claims[claim])
        # That the effect still holds is true of nothing but what was done (SPEC 3.1: of what was undone it is false).
        must = "kept" if subject.outcome is Outcome.DONE else "gone"
        yield from (Wording(subject, Claim.SAYS_DONE, must, text) for text in words.holds)
