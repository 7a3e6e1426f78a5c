"""`composer="template"`: no word of the reply is the model's; phrasings tell each write of the turn (SPEC 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.phrasing import Phrasings

if TYPE_CHECKING:
    from verifier.ledger import Call, Ledger

COMPOSERS = ("model", "template")


def compose(ledger: Ledger, phrasings: Phrasings) -> tuple[str, tuple[Call, ...]]:
    """What the turn's calls come to, in order, and the calls told; without any, the configured sentence and no call.

    Told are the writes, and reads that the user's file words. Bookkeeping (`report=False`) is told only if worded.
    """
    told = [(call, phrasings.say(call)) for call in ledger.calls_in(ledger.turn) if _is_told(call, ledger, phrasings)]
    told = [(call, text) for call, text in told if text]
    if not told:
        return phrasings.nothing, ()
    return " ".join(text for _, text in told), tuple(call for call, _ in told)


def _is_told(call: Call, ledger: Ledger, phrasings: Phrasings) -> bool:
    tool = ledger.tool(call.tool)
    return phrasings.words_outcome(call.tool, call.outcome) or tool is None or bool(tool.write and tool.report)
