"""Record a call where a framework runs it: the outcome comes from what came back, never from the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verifier.conversation import as_result
from verifier.ledger import Call, Ledger, Tool
from verifier.model import Outcome
from verifier.outcomes import outcome_of, reason_of


def note(
    ledger: Ledger,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    result: object = None,
    error: object = None,
    id: str = "",
    outcome: Outcome | None = None,
    requested_arguments: Mapping[str, Any] | None = None,
) -> Call:
    """Record a call that ran: `result` is what it returned, `error` the exception, its text or a flag.

    `outcome` is given where the framework knows it (it was refused, it waits). A call of this id that waited, or whose
    outcome was unknown, is settled; a repeated id is another call. Raises `LedgerError`.
    """
    value = as_result(result)
    listed = ledger.tool(tool)
    if listed is None:
        listed = Tool(tool)
        ledger.add_tool(listed)
    came = {} if value is None and not error else value  # it came, and holds nothing
    kind = outcome or outcome_of(came, error=error, tool=listed, arguments=arguments, seen=_Seen(ledger))
    reason = reason_of(value, kind, error=error)
    known = ledger.call(id) if id else None
    if known is not None and known.outcome in (Outcome.PENDING_CONFIRMATION, Outcome.UNKNOWN):
        if kind is known.outcome is Outcome.PENDING_CONFIRMATION:
            return known
        edited = arguments if dict(arguments) != dict(known.arguments) else None
        return ledger.settle(id, kind, value, reason, arguments=edited)
    return ledger.record(
        tool, arguments, outcome=kind, result=value, reason=reason, id=_free(ledger, id),
        requested_arguments=requested_arguments,
    )  # fmt: skip


def _free(ledger: Ledger, id: str) -> str:
    made, number = id, 2
    while made and ledger.call(made) is not None:
        made, number = f"{id}#{number}", number + 1
    return made


class _Seen:
    """The ids that a ledger's calls hold; looked up only when somebody asks."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __contains__(self, text: object) -> bool:
        return any(text == leaf for call in self._ledger.calls for leaf in _leaves([call.arguments, call.result]))


def _leaves(value: object) -> Iterator[str]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, Mapping):
            stack.extend(one.values())
        elif isinstance(one, list | tuple):
            stack.extend(one)
        elif isinstance(one, str | int):
            yield str(one)
