"""A verdict for people: the reply as it was written beside the reply as it is read, and why each change was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from verifier.cli.inputs import Turn
    from verifier.model import Clause, Edit
    from verifier.verdict import Verdict

GONE, CAME, NOTED, QUIET = "red", "green", "yellow", "dim"
# Without colour the changes are told by marks, as wdiff writes them.
GONE_MARKS, CAME_MARKS = ("[-", "-]"), ("{+", "+}")
CONTROL_PICTURES = 0x2400  # U+2400 is the picture of NUL, and the others follow in order


def printable(text: str) -> str:
    """The text with its control characters as pictures: nothing in a reply may steer the terminal.

    Line feeds and tabs stay, and a carriage return before a line feed goes.
    """
    return "".join(_picture(char) for char in text.replace("\r\n", "\n"))


def _picture(char: str) -> str:
    code = ord(char)
    if char in "\n\t" or 0x20 <= code < 0x7F:
        return char
    if code < 0x20:
        return chr(CONTROL_PICTURES + code)
    steers = 0x7F <= code <= 0x9F or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069 or 0xD800 <= code <= 0xDFFF
    return "�" if steers else char


def written(reply: str, verdict: Verdict, marks: bool) -> Text:
    """The reply as the model wrote it: what was taken out in red, what was only reported in yellow."""
    text = Text()
    at = 0
    for edit in verdict.edits:
        text.append(printable(reply[at : edit.start]))
        _changed(text, reply[edit.start : edit.end], GONE, GONE_MARKS, marks)
        at = edit.end
    text.append(printable(reply[at:]))
    if not verdict.edits:
        _underline_reports(text, verdict)
    return text


def _underline_reports(text: Text, verdict: Verdict) -> None:
    """Mark what was kept but noteworthy; only in an unchanged reply without CRLF do the places still fit."""
    for report in verdict.reports:
        text.stylize(NOTED, report.start, report.end)


def read_by_person(reply: str, verdict: Verdict, marks: bool) -> Text:
    """The reply as the person reads it, what was put in it in green."""
    text = Text()
    at = 0
    for edit in verdict.edits:
        text.append(printable(reply[at : edit.start]))
        _changed(text, edit.text, CAME, CAME_MARKS, marks)
        at = edit.end
    text.append(printable(reply[at:]))
    return text


def _changed(text: Text, piece: str, style: str, marks: tuple[str, str], marked: bool) -> None:
    """Append a changed piece, its outer white space unmarked."""
    bare = piece.strip(" \n\r\t")
    if not bare:
        text.append(printable(piece))
        return
    start = piece.index(bare)
    before, after = marks if marked else ("", "")
    text.append(printable(piece[:start]))
    text.append(f"{before}{printable(bare)}{after}", style=style)
    text.append(printable(piece[start + len(bare) :]))


def side_by_side(console: Console, turn: Turn, verdict: Verdict) -> None:
    """Print one reply: where it stands, both texts, and a line for each change or report."""
    marks = console.color_system is None
    console.print(Text(printable(turn.where), style="bold"))
    if turn.heard:
        console.print(Text.assemble(("  person: ", QUIET), (printable(turn.heard), QUIET)))
    if not verdict.changed:
        console.print(Padding(written(turn.reply, verdict, marks), (0, 2)))
        why = "nothing to change" if verdict.read else "not read: it is not in the chosen language"
        console.print(Text(f"  = {why}", style=CAME if verdict.read else NOTED))
    else:
        table = Table(box=None, padding=(0, 2), expand=True)
        table.add_column("the model wrote", ratio=1, header_style=QUIET)
        table.add_column("the person reads", ratio=1, header_style=QUIET)
        table.add_row(written(turn.reply, verdict, marks), read_by_person(turn.reply, verdict, marks))
        console.print(table)
    for style, line in lines(turn, verdict):
        console.print(Padding(Text(line, style=style), (0, 2)))
    console.print()


def lines(turn: Turn, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """A line for each change and each report, with its colour."""
    for edit in verdict.edits:
        yield GONE if edit.kind != "append" else CAME, f"~ {reason(turn, verdict, edit)}"
    for report in verdict.reports:
        said = printable(turn.reply[report.start : report.end])
        yield NOTED, f"? {shortened(said)}: {report.why or report.kind} [{report.rule}]"


def reason(turn: Turn, verdict: Verdict, edit: Edit) -> str:
    """Why an edit was made, in one line."""
    if edit.kind == "append":
        told = ", ".join(f"{call.tool} ({call.outcome})" for call in verdict.appended)
        return f"added: the reply left out {told}" if told else f"added [{edit.rule}]"
    why = [
        _judged(clause)
        for sentence in verdict.sentences
        for clause in sentence.clauses
        if not clause.true and sentence.start < edit.end and edit.start < sentence.end
    ]
    what = {"remove": "removed", "replace": "replaced"}.get(edit.kind, edit.kind)
    said = shortened(printable(turn.reply[edit.start : edit.end]))
    return f"{what} “{said}”: {'; '.join(dict.fromkeys(why)) or edit.rule} [{edit.rule}]"


def _judged(clause: Clause) -> str:
    claim = clause.claim.value.replace("_", " ") if clause.claim else "speaks"
    said = f"{claim} of {clause.tool}" if clause.tool else claim
    at = f" at {clause.place}" if clause.place else ""
    return f"{said}, but {clause.why}{at}" if clause.why else said


def shortened(text: str, most: int = 60) -> str:
    """The text on one line, cut after `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
