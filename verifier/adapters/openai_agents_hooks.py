"""What the OpenAI Agents SDK's tools did: hooks that keep what a run's items do not tell, and a run as a ledger."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from agents import RunHooks
from agents.tool import default_tool_error_function

from verifier.adapters.openai import MARK, ledger_from_responses
from verifier.conversation import as_mapping
from verifier.ledger import Ledger
from verifier.model import Outcome
from verifier.outcomes import outcome_of

MOST_CALLS = 4096  # of which something is remembered, the latest


class RecordTools(RunHooks[Any]):
    """Hooks of a run that keep what its items do not tell: exceptions, refusals, and that a call was seen to run.

    Give it to `Runner.run(..., hooks=)`, and its `failed` to each tool as `failure_error_function`.
    """

    def __init__(self) -> None:
        """Nothing has run yet."""
        self._seen: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def _note(self, call_id: object, **more: Any) -> None:
        if isinstance(call_id, str) and call_id:
            self._seen.setdefault(call_id, {}).update(more)
            self._seen.move_to_end(call_id)
            while len(self._seen) > MOST_CALLS:
                self._seen.popitem(last=False)

    def mark(self, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """An item of the Responses format with what was seen of its call."""
        seen = self._seen.get(str(item.get("call_id")))
        return {**item, MARK: seen} if seen and str(item.get("type")).endswith("_output") else item

    def failed(self, context: Any, error: Exception) -> str:
        """A `failure_error_function` that keeps the cause and tells the model what the SDK's own tells it."""
        outcome = outcome_of(None, error=error, tool=getattr(context, "tool_name", None))
        told = str(error) or type(error).__name__
        self._note(getattr(context, "tool_call_id", None), error=told, outcome=outcome)
        shown: str = default_tool_error_function(context, error)
        return shown

    async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
        """A call runs; what was known of its id is of another run."""
        id = getattr(context, "tool_call_id", None)
        self._seen.pop(str(id), None)
        self._note(id, source="executed")

    async def on_llm_start(self, context: Any, agent: Any, system_prompt: Any, input_items: Any) -> None:
        """Before the model answers: which of the calls in its input a person refused."""
        for item in input_items if isinstance(input_items, list) else ():
            call = item if isinstance(item, dict) and item.get("type") == "function_call" else {}
            if call and context.is_tool_approved(call.get("name"), call.get("call_id")) is False:
                self._note(call.get("call_id"), outcome=Outcome.REFUSED)


def ledger_from_run(result: Any, tools: Iterable[object] = (), *, hooks: RecordTools | None = None) -> Ledger:
    """The ledger of a finished or interrupted run: its items, and the calls that wait for approval."""
    waiting = {one.call_id: one for one in result.interruptions}
    items = [item for item in marked(result.to_input_list(), hooks) if item.get("call_id") not in waiting]
    requests = [
        {"type": "mcp_approval_request", "id": id, "name": one.tool_name, "arguments": one.arguments}
        for id, one in waiting.items()
    ]
    return ledger_from_responses([*items, *requests], tools)


def marked(items: Any, hooks: RecordTools | None) -> list[Mapping[str, Any]]:
    """Items of the Responses format with what the hooks saw; a text is a message of the person."""
    listed = [{"role": "user", "content": items}] if isinstance(items, str) else items
    found = [as_mapping(item, f"/items/{at}") for at, item in enumerate(listed)]
    return [hooks.mark(item) for item in found] if hooks else found
