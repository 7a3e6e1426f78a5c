"""Whether a session grants a benefit: a call that was made speaks of it, in its name, its arguments or its result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.model import Outcome
from verifier.records import scalars
from verifier.rules.rule import Benefit
from verifier.values.lexicon import fold

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.ledger import Ledger

CACHE = "granted"  # our slot in ledger.cache
GRANTS = frozenset({Outcome.DONE, Outcome.UNKNOWN})
MAX_CALLS = 200  # the latest; an offer is about what was just done
MAX_TEXT = 4_000
_NOTHING = ("", "0", "0.0", "0.00", "false", "none", "null", "no")
_SPLIT = re.compile(r"(?<=[a-z])(?=[A-Z])|_")


def is_granted(benefit: Benefit, ledger: Ledger) -> bool:
    """Whether a call of the session that took effect speaks of the benefit."""
    known: dict[str, str] = ledger.cache.setdefault(CACHE, {})
    return any(
        _speaks(_text(call, known), benefit) for call in ledger.calls[-MAX_CALLS:] if call.outcome in GRANTS
    )


def _text(call: Call, known: dict[str, str]) -> str:
    """What a call says, folded; read once for each of its outcomes."""
    key = f"{call.outcome.value} {call.id}"
    text = known.get(key)
    if text is None:
        text = known[key] = "\n".join(_texts(call))
    return text


def can_grant(benefit: Benefit, ledger: Ledger) -> bool:
    """Whether a tool that the agent has is about the benefit."""
    return any(tool.write and _speaks(_plain(tool.name), benefit) for tool in ledger.tools)


def _texts(call: Call) -> Iterator[str]:
    """The name of the tool, and each value with its key; what is nothing or false grants nothing."""
    yield _plain(call.tool)
    for leaf in scalars(call.arguments, call.result):
        if str(leaf.raw).strip().lower() not in _NOTHING:
            yield f"{_plain(leaf.key)} {_plain(str(leaf.raw)[:MAX_TEXT])}"


def _plain(text: str) -> str:
    return fold(_SPLIT.sub(" ", text))


def _speaks(text: str, benefit: Benefit) -> bool:
    for word in benefit.not_granted_by:
        text = text.replace(word, "")
    return any(word in text for word in benefit.granted_by)
