"""Our own sentences in a text: what a phrasing put there before is not the model's word and is not read again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.model import Outcome
from verifier.phrasing import Phrasings

if TYPE_CHECKING:
    from verifier.ledger import Call, Ledger

MAX_EARLIER = 200  # calls of earlier turns whose phrasing is looked for, the latest first


def own_sentences(reply: str, ledger: Ledger, phrasings: Phrasings) -> tuple[tuple[int, int, str], ...]:
    """The spans of a reply that are true phrasings of the ledger, sorted, each with its call's id ("" without one).

    Only what the ledger says now counts: the phrasing of an outcome that a call no longer has is no span of ours, nor
    one of an earlier turn's call whose tool this turn called.
    """
    if not _may_hold(reply, phrasings):
        return ()
    found: dict[int, tuple[int, str]] = {}
    for text, call_id in _renderings(reply, ledger, phrasings):
        at = reply.find(text) if text else -1
        while at >= 0:
            if at + len(text) > found.get(at, (0, ""))[0]:
                found[at] = (at + len(text), call_id)
            at = reply.find(text, at + len(text))
    spans: list[tuple[int, int, str]] = []
    for start in sorted(found):
        end, call_id = found[start]
        if not spans or start >= spans[-1][1]:
            spans.append((start, end, call_id))
    return tuple(spans)


def _may_hold(reply: str, phrasings: Phrasings) -> bool:
    """Whether the words of any template stand in the reply."""
    if any(template.anchor in reply for template in phrasings.defaults.values()):
        return True
    return any(template.anchor in reply for own in phrasings.own.values() for template in own.values())


def _renderings(reply: str, ledger: Ledger, phrasings: Phrasings) -> Iterator[tuple[str, str]]:
    """What we may have said of this ledger. Calls of this turn come first."""
    called = {call.tool: call.outcome for call in ledger.calls_in(ledger.turn)}
    for call in ledger.calls_in(ledger.turn):
        yield from _rendering(reply, call, phrasings)
    for call in reversed(ledger.calls[-MAX_EARLIER:]):
        if call.tool not in called:
            yield from _rendering(reply, call, phrasings)
    if any(anchor in reply for anchor in phrasings.anchors("", Outcome.NOT_ATTEMPTED)) or phrasings.own:
        for tool in ledger.tools:
            if called.get(tool.name, Outcome.NOT_ATTEMPTED) is Outcome.NOT_ATTEMPTED:
                yield phrasings.say_not_attempted(tool.name), ""


def _rendering(reply: str, call: Call, phrasings: Phrasings) -> Iterator[tuple[str, str]]:
    if any(anchor in reply for anchor in phrasings.anchors(call.tool, call.outcome)):
        yield phrasings.say(call), call.id
