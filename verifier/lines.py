"""The lines of a reply, read as light Markdown: what stands before the words of a line, and what kind of line it is.

Only what chat replies write is known, after CommonMark (https://spec.commonmark.org/0.31.2/) and GitHub's tables.
Where a construct could be words (an indented block, a lone bar), it is words: unread text is never checked.
"""

from __future__ import annotations

import re
from json import JSONDecoder
from typing import NamedTuple

# Everything that separates words, directional marks and byte order marks too; U+2028 separates words, not lines.
SPACES = (
    " \t\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b"
    "\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2066\u2067\u2068\u2069\u3000\ufeff"
)
BREAKS = SPACES + "\r\n"
BULLETS = "•‣◦▪▫●○■□◆◇►▶▸➤→➡👉🔹🔸🔷🔶✦✧★☆·⁃∙"
CHECKS = "✅✔✓☑❌✗✘❎☒⚠❗⏳🔄"  # they tell how an item went, so they stay in the body
MAX_JSON_TRIES = 8  # each may read to the end of the reply
MAX_QUOTES = 8
MIN_WRAPPED = 40  # a line that was wrapped for width is at least this long

_NEWLINE = re.compile(r"\r\n|\n|\r")
_GAP = rf"[{SPACES}]{{1,80}}"
_ITEM = re.compile(
    rf"(?P<bullet>[-*+–—](?={_GAP})|[{BULLETS}]\ufe0f?)[{SPACES}]{{0,80}}"
    rf"|(?P<number>[0-9]{{1,3}}[.)]|\([0-9]{{1,3}}\)|\*\*[0-9]{{1,3}}[.)]\*\*|[0-9]\ufe0f?\u20e3){_GAP}"
    rf"|(?P<letter>[a-zA-Z]\)|\([a-z]\)|\(?[ivx]{{1,4}}\)|[ivx]{{2,4}}\.){_GAP}"
)
_HEADING = re.compile(rf"#{{1,6}}{_GAP}|#{{2,6}}(?=[^#])")
_TAG = re.compile(r"</?[a-zA-Z_][a-zA-Z0-9_-]{0,40}>")
_ENDS = ".!?…:;。！？|"
_MARKER_ENDS = (")", ".", "i", "v", "x")  # "a) ", "ii. ": a letter may start a mark
_DECODER = JSONDecoder()


class Line(NamedTuple):
    """A line (or a block of code): `start` to `end` without its newline; the words are `body` to `stop`.

    `kind` is prose, heading, item, row, code, blank (nothing but white space) or rule (marks without words: a rule, a
    table's separator). `marker` names the sort of list mark; of prose, "bold" says that the whole line is bold.
    """

    start: int
    end: int
    body: int
    stop: int
    kind: str
    indent: int = 0
    marker: str = ""


def read_lines(reply: str) -> list[Line]:
    """The lines of `reply`, in order. Between two neighbours lies a newline and nothing else."""
    bounds = _bounds(reply)
    if not reply[:1].isalpha() and _is_json(reply):
        return [_code_line(reply, start, end) for start, end in bounds]
    found: list[Line] = []
    at, tries, bars = 0, MAX_JSON_TRIES, "|" in reply
    while at < len(bounds):
        start, end = bounds[at]
        line = _read_line(reply, start, end)
        kind = line.kind
        if kind == "prose":
            if line.indent >= 4 or bars:
                at, line = _prose_line(reply, bounds, at, line, found)
            if found and reply[line.body].islower() and _wraps(reply, found[-1], line):
                line = found.pop()._replace(end=line.end, stop=line.stop)
        elif kind == "fence":
            at, line = _fenced(reply, bounds, at, line)
        elif kind == "json":
            at, line, tries = _json_block(reply, bounds, at, line, tries)
        elif kind == "rule" and line.marker == "separator":
            _mark_table_head(reply, found)
        found.append(line)
        at += 1
    return found


def _bounds(reply: str) -> list[tuple[int, int]]:
    bounds, start = [], 0
    if "\r" not in reply:
        for text in reply.split("\n"):
            bounds.append((start, start + len(text)))
            start += len(text) + 1
        return bounds
    for newline in _NEWLINE.finditer(reply):
        bounds.append((start, newline.start()))
        start = newline.end()
    bounds.append((start, len(reply)))
    return bounds


def _is_json(reply: str) -> bool:
    """Whether the whole reply is a JSON body; that it is well formed is not asked (models leave commas out)."""
    bare = reply.strip(BREAKS)
    return bare[:1] in ("{", "[") and bare[-1:] in ("}", "]") and '"' in bare


def _code_line(reply: str, start: int, end: int) -> Line:
    text = reply[start:end]
    indent = len(text) - len(text.lstrip(SPACES))
    stop = start + len(text.rstrip(SPACES))
    if stop <= start + indent:
        return Line(start, end, start, start, "blank")
    return Line(start, end, start + indent, stop, "code", indent, "json")


def _read_line(reply: str, start: int, end: int) -> Line:
    """One line by itself. Kinds `fence` and `json` are only of this stage: they look at the lines that follow."""
    text = reply[start:end]
    bare = text.strip(SPACES)
    if not bare:
        return Line(start, end, start, start, "blank")
    if text[0].isalpha() and bare[1:2] not in _MARKER_ENDS:
        return Line(start, end, start, start + len(bare), "prose")
    body = start + text.index(bare[0])
    stop = body + len(bare)
    lead = text[: body - start]
    indent = len(lead) + 3 * lead.count("\t")
    if bare[0].isalpha() and bare[1:2] not in _MARKER_ENDS:
        return Line(start, end, body, stop, "prose", indent)
    if bare[0] == ">":
        body, bare = _unquoted(body, bare)
        if not bare:
            return Line(start, end, stop, stop, "rule", indent)
    return _marked(start, end, body, stop, bare, indent)


def _unquoted(body: int, bare: str) -> tuple[int, str]:
    for _ in range(MAX_QUOTES):
        if bare[:1] != ">":
            break
        rest = bare[1:].lstrip(SPACES)
        body += len(bare) - len(rest)
        bare = rest
    return body, bare


def _marked(start: int, end: int, body: int, stop: int, bare: str, indent: int) -> Line:
    """A line that starts with anything but a letter: heading, row, rule, item, code … or prose after all."""
    first = bare[0]
    if first in "|:-+" and "-" in bare and "|" in bare and not bare.strip("|:-+" + SPACES):
        return Line(start, end, body, stop, "rule", indent, "separator")
    if first in "-*_=—–~•·#" and len(bare) > 1 and not bare.strip(first + SPACES):
        return Line(start, end, body, stop, "rule", indent, "setext" if first in "-=" else "")
    if first == "|" and bare.find("|", 1) > 0:
        inner = bare.strip("|" + SPACES)
        body += bare.index(inner[0]) if inner else len(bare)
        return Line(start, end, body, body + len(inner), "row" if inner else "rule", indent)
    if bare.startswith(("```", "~~~")) and bare.find(bare[:3], 3) < 0:
        return Line(start, end, body, stop, "fence", indent, bare[:3])
    if first in "{[" and bare[-1] in '{[}],"':
        return Line(start, end, body, stop, "json", indent)
    if first == "#" and (mark := _HEADING.match(bare)):
        words = bare[mark.end() :].rstrip("#" + SPACES)
        return Line(start, end, body + mark.end(), body + mark.end() + len(words), "heading", indent)
    if first == "<" and _TAG.fullmatch(bare):
        return Line(start, end, body, stop, "code", indent)
    return _item_or_prose(start, end, body, stop, bare, indent)


def _item_or_prose(start: int, end: int, body: int, stop: int, bare: str, indent: int) -> Line:
    if mark := _ITEM.match(bare):
        after = body + mark.end()
        if after >= stop:
            return Line(start, end, body, stop, "rule", indent)
        marker = mark[mark.lastgroup or 0]
        sort = marker[0] if mark.lastgroup == "bullet" else (mark.lastgroup or "") + marker[-1]
        return Line(start, end, after, stop, "item", indent, sort)
    if bare[0] in CHECKS or bare.startswith(("[ ] ", "[x] ", "[X] ")):
        return Line(start, end, body, stop, "item", indent, "check")
    if bare in ("-", "*", "+", "**", "__"):
        return Line(start, end, body, stop, "rule", indent)
    bold = is_bold(bare)
    return Line(start, end, body, stop, "prose", indent, "bold" if bold else "")


def is_bold(text: str) -> bool:
    """Whether a text (a colon after it left aside) is one bold run: `**Refund**`, `__Refund:__`, `**Refund**:`."""
    mark = text[:2]
    inner = text.rstrip(":")
    return mark in ("**", "__") and len(inner) > 4 and inner.endswith(mark) and inner.find(mark, 2) == len(inner) - 2


def _fenced(reply: str, bounds: list[tuple[int, int]], at: int, line: Line) -> tuple[int, Line]:
    """The block that a fence opens, to its closing fence or the end of the reply."""
    last = at + 1
    while last < len(bounds):
        start, end = bounds[last]
        if reply[start:end].lstrip(SPACES + ">").startswith(line.marker):
            break
        last += 1
    last = min(last, len(bounds) - 1)
    end = bounds[last][1]
    return last, _block(reply, line, end)


def _block(reply: str, line: Line, end: int) -> Line:
    stop = line.body + len(reply[line.body : end].rstrip(BREAKS))
    return line._replace(end=end, stop=stop, kind="code", marker="")


def _json_block(reply: str, bounds: list[tuple[int, int]], at: int, line: Line, tries: int) -> tuple[int, Line, int]:
    """A JSON value that starts with this line and ends with a line; else the line is an item or prose."""
    if tries:
        try:
            _, stop = _DECODER.raw_decode(reply, line.body)
        except (ValueError, RecursionError):
            tries -= 1
        else:
            last = at
            while bounds[last][1] < stop:
                last += 1
            if not reply[stop : bounds[last][1]].strip(SPACES + ","):
                return last, _block(reply, line, bounds[last][1]), tries
    bare = reply[line.body : line.stop]
    return at, _item_or_prose(line.start, line.end, line.body, line.stop, bare, line.indent), tries


def _mark_table_head(reply: str, found: list[Line]) -> None:
    """A separator was met: a line with bars above it is the table's head, also without outer bars."""
    if found and found[-1].kind == "prose" and "|" in reply[found[-1].body : found[-1].stop]:
        found[-1] = found[-1]._replace(kind="row")


def _prose_line(reply: str, bounds: list[tuple[int, int]], at: int, line: Line, found: list[Line]) -> tuple[int, Line]:
    """A line of words, seen with the line before it: a row without outer bars, indented code, or prose."""
    before = found[-1] if found else None
    in_table = before is not None and (before.kind == "row" or before.marker == "separator")
    if in_table and "|" in reply[line.body : line.stop]:
        return at, line._replace(kind="row")
    if line.indent >= 4 and (not before or before.kind == "blank") and not _in_list(found):
        last = at
        while last + 1 < len(bounds) and _is_deep(reply, bounds[last + 1]) and _is_code(reply, bounds[last]):
            last += 1
        if _is_code(reply, bounds[at]):
            return last, _block(reply, line, bounds[last][1])
    return at, line


def _in_list(found: list[Line]) -> bool:
    """Whether the last line that is not indented is an item (an indented line after it belongs to the item)."""
    for line in reversed(found[-12:]):
        if line.kind == "item":
            return True
        if line.kind != "blank" and line.indent < 2:
            return False
    return False


def _is_deep(reply: str, bound: tuple[int, int]) -> bool:
    return reply[bound[0] : bound[0] + 4].strip(SPACES) == "" and bound[1] - bound[0] >= 4


def _is_code(reply: str, bound: tuple[int, int]) -> bool:
    bare = reply[bound[0] : bound[1]].strip(SPACES)
    return not bare or (bare[-1] not in ".!?:" and any(mark in bare for mark in ("=", ";", "{", "}", "(", "<", "_")))


def _wraps(reply: str, above: Line, line: Line) -> bool:
    """Whether a line goes on with the sentence above: a long line that nothing ends, then a small letter.

    A text whose lines start with small letters throughout (written on a phone) is not wrapped.
    """
    if line.kind != "prose" or above.kind not in ("prose", "item") or above.stop - above.body < MIN_WRAPPED:
        return False
    first = reply[above.body : above.body + 8].lstrip("*_`\"'“‘([" + CHECKS + SPACES)[:1]
    if not first.isupper() or reply[above.stop - 1] in _ENDS or reply[above.stop : above.end].endswith("  "):
        return False
    return not reply[line.start : line.body].strip(SPACES)  # a quote mark starts a text of its own
