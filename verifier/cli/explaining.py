"""`verifier explain`: how each sentence was read, and what decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from verifier.cli.inputs import BadInput, Turn
from verifier.cli.show import CAME, GONE, NOTED, QUIET, printable

if TYPE_CHECKING:
    from verifier.tool import Tool
    from verifier.verdict import Verdict

STYLES = (("  FALSE", GONE), ("  true", CAME), ("replace", GONE), ("remove", GONE), ("append", CAME), ("report", NOTED))


def explain_verdict(console: Console, turn: Turn, verdict: Verdict) -> None:
    """Print a verdict's own explanation, one colour for what held and one for what did not."""
    console.print(Text(printable(turn.where), style="bold"), soft_wrap=True)
    for line in verdict.explain().split("\n"):
        style = next((style for start, style in STYLES if line.startswith(start)), "")
        console.print(Text(printable(line), style=style), soft_wrap=True)
    console.print()


def explain_sentence(console: Console, text: str, tools: Sequence[Tool], language: str) -> None:
    """Print how a text without a ledger is read: its clauses, each with tool, claim and why. Raises `BadInput`."""
    from verifier import read

    try:
        clauses = read(text, tools, language=language)
    except ValueError as error:
        raise BadInput(str(error)) from None
    console.print(Text(printable(text), style="bold"), soft_wrap=True)
    if not clauses:
        console.print(Text("  nothing in it is read as an act", style=QUIET))
    for clause in clauses:
        claim = clause.claim.value if clause.claim else "nothing"
        said = printable(text[clause.start : clause.end])
        console.print(Text(f"  read   {claim} of {clause.tool or 'no tool'}: “{said}”"), soft_wrap=True)
        for name, told in (("rule", clause.rule), ("why", clause.why)):
            if told:
                console.print(Text(f"  {name:6} {told}", style=QUIET), soft_wrap=True)
