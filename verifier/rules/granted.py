"""Whether a session grants a benefit: a call that was made speaks of it, in its name, its arguments or its result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verifier.model import Outcome
from verifier.rules.rule import Benefit
from verifier.values.lexicon import fold

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.ledger import Ledger

CACHE = "granted"  # our slot in ledger.cache
GRANTS = frozenset({Outcome.DONE, Outcome.UNKNOWN})
MAX_CALLS = 200  # the latest; an offer is about what was just done
MAX_TEXT = 20_000  # characters of one call
_SPLIT = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")
# A key whose value is nothing grants nothing: `"refund": null`, `'discount': 0`.
_NOTHING = re.compile(
    r"[\"'][^\"'\r\n]{1,60}[\"']: ?(?:None|null|False|false|0(?:\.0{1,4})?|[\"'](?:no|none|false|0)?[\"'])(?=[,}\r\n])"
)


def is_granted(benefit: Benefit, ledger: Ledger) -> bool:
    """Whether a call of the session that took effect speaks of the benefit."""
    known: dict[str, str] = ledger.cache.setdefault(CACHE, {})
    return any(_speaks(_text(call, known), benefit) for call in ledger.calls[-MAX_CALLS:] if call.outcome in GRANTS)


def can_grant(benefit: Benefit, ledger: Ledger) -> bool:
    """Whether a tool that the agent has is about the benefit."""
    return any(tool.write and _speaks(_plain(tool.name), benefit) for tool in ledger.tools)


def _text(call: Call, known: dict[str, str]) -> str:
    """What a call says, folded: its tool, arguments and result as Python writes them. Read once for each outcome."""
    key = f"{call.outcome.value} {call.id}"
    text = known.get(key)
    if text is None:
        written = f"{dict(call.arguments)!r} {call.result!r}"[:MAX_TEXT]
        text = known[key] = _plain(f"{call.tool} {_NOTHING.sub('', written)}")
    return text


def _plain(text: str) -> str:
    return fold(_SPLIT.sub(" ", text))


def _speaks(text: str, benefit: Benefit) -> bool:
    for word in benefit.not_granted_by:
        text = text.replace(word, "")
    return any(word in text for word in benefit.granted_by)
