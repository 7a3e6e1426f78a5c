"""A reply as sentences that tile it: joined, their spans give the reply back, byte for byte.

`lines` says what each line is, `sentence_ends` where its words are cut; here each sentence learns which one
introduces it.
"""

from __future__ import annotations

from verifier.lines import Line, is_bold, read_lines
from verifier.model import Sentence
from verifier.sentence_ends import Splitting, cuts_in, has_stop, is_title, load_splitting

_NO_TITLE_ENDS = ("", ".", "!", "?", "…", ";", ",", ":")
_Part = tuple[int, int, int, str, int, int]  # start, body, stop, kind, lead, depth


def split(reply: str, language: str = "en") -> tuple[Sentence, ...]:
    """The sentences of `reply`: each of its characters is in exactly one. An empty reply has none.

    `language` chooses the abbreviations ("en", "pt-BR" or "pt"); another one raises `DataError`.
    """
    if not reply:
        return ()
    rules = load_splitting(language)
    maker = _Maker(reply, rules)
    for line in read_lines(reply):
        maker.add(line)
    parts = maker.parts or [(0, 0, 0, "blank", -1, 0)]
    ends = [part[0] for part in parts[1:]]
    ends.append(len(reply))
    start, sentences = 0, []
    for (_, body, stop, kind, lead, depth), end in zip(parts, ends, strict=True):
        sentences.append(Sentence(start, end, body, stop, kind, lead, depth))
        start = end
    return tuple(sentences)


class _Maker:
    """Collects the parts of a reply and knows, line by line, which part introduces the next."""

    __slots__ = ("above", "blank", "header", "marks", "parts", "reply", "rules", "section", "stack")

    def __init__(self, reply: str, rules: Splitting) -> None:
        self.reply = reply
        self.rules = rules
        self.marks = [mark for mark in ("**", "__") if mark in reply]
        self.parts: list[_Part] = []
        self.blank = True  # whether nothing, or white space, is the line above
        self.above = -1  # the last part of the last line that is no item, row or detail of one
        self.section = -1  # the heading whose lines we are in
        self.header = -1  # the head of the table that we are in
        self.stack: list[tuple[int, str, int]] = []  # open items: indent, sort of mark, first part

    def add(self, line: Line) -> None:
        """Add the sentences of a line."""
        kind = line.kind
        if kind == "blank":
            if self.section >= 0 and self.section != len(self.parts) - 1:
                self.section = -1  # its first paragraph is over
            self.header = -1
        elif kind == "rule":
            self._rule(line)
        elif kind == "item":
            self._item(line)
        elif kind == "row":
            self._row(line)
        elif kind == "prose":
            self._prose(line)
        else:
            self._put(line, kind, self.section if kind == "code" else -1)
            self.stack.clear()
            self.above = len(self.parts) - 1
            self.section = self.above if kind == "heading" else -1
        self.blank = kind == "blank"

    def _rule(self, line: Line) -> None:
        head = len(self.parts) - 1
        self._whole(line, "blank", -1, 0)
        if line.marker == "separator":
            self.header = head if head >= 0 and self.parts[head][3] == "row" else -1
            return
        if line.marker == "setext" and not self.blank and self._is_bare_title(head):
            self._retitle(head)
            self.section = self.above = head
            return
        self.section = self.above = -1
        self.stack.clear()

    def _row(self, line: Line) -> None:
        self.stack.clear()
        self._whole(line, "row", self.header if self.header >= 0 else self.above, 0)
        self.section = -1

    def _item(self, line: Line) -> None:
        self._close_items(line.indent, line.marker)
        if not self.stack and not self.blank and self._is_bare_title(self.above):
            self._retitle(self.above)
        lead = self.stack[-1][2] if self.stack else self.above
        depth = len(self.stack)
        self.stack.append((line.indent, line.marker, len(self.parts)))
        self._sentences(line, "item", lead, depth)
        self.section = -1

    def _close_items(self, indent: int, marker: str) -> None:
        """Close the items that a new one does not belong to. One space more or less is no level of its own."""
        stack = self.stack
        while stack and stack[-1][0] > indent + 1:
            stack.pop()
        level = len(stack)
        while level and stack[level - 1][0] >= indent - 1:
            level -= 1
        for at in range(level, len(stack)):
            if stack[at][1] == marker:
                del stack[at:]
                return
        if level < len(stack) and not self._opens(stack[-1][2]):
            del stack[level:]

    def _opens(self, index: int) -> bool:
        """Whether an item announces others of another mark at its own indent: it ends with a colon or is bold."""
        text = self._text(index)
        return text.rstrip("*_").endswith(":") or is_bold(text)

    def _text(self, index: int) -> str:
        return self.reply[self.parts[index][1] : self.parts[index][2]]

    def _retitle(self, index: int) -> None:
        start, body, stop, _, lead, depth = self.parts[index]
        self.parts[index] = (start, body, stop, "heading", lead, depth)

    def _is_bare_title(self, index: int) -> bool:
        """Whether a part is a short line without a stop: over a list or a rule it is a heading ("Refund summary")."""
        if index < 0 or self.parts[index][3] != "prose":
            return False
        start, text = self.parts[index][0], self._text(index)
        whole_line = not start or self.reply[start - 1] in "\r\n"
        return whole_line and text[-1:] not in _NO_TITLE_ENDS and is_title(text, self.rules)

    def _prose(self, line: Line) -> None:
        stack = self.stack
        while stack and stack[-1][0] >= line.indent:
            stack.pop()
        first = len(self.parts)
        if stack:  # a detail of the item, or a paragraph of it
            self._sentences(line, "prose", stack[-1][2], len(stack) - 1)
            if self._opens(len(self.parts) - 1):
                stack.append((line.indent, "", len(self.parts) - 1))
            return
        heading = self._is_heading(line)
        lead = -1 if heading else self.section
        self._sentences(line, "heading" if heading else "prose", lead, 0)
        self.above = len(self.parts) - 1
        if heading:
            self.section = first
        elif self.reply[line.stop - 1] in ":*_" and self._text(self.above).rstrip("*_").endswith(":"):
            self.section = self.above

    def _is_heading(self, line: Line) -> bool:
        colon = self.reply[line.stop - 1] == ":"
        if line.marker == "bold":
            # under "… has been updated to:" a bold line is the value
            value = not self.blank and self.section == len(self.parts) - 1
            return not value and self.reply[line.body : line.stop].rstrip("*_:")[-1:] not in (".", "!", "?")
        if not colon or line.stop - line.body > 100:
            return False
        text = self.reply[line.body : line.stop]
        return is_title(text, self.rules) and not has_stop(text)

    def _put(self, line: Line, kind: str, lead: int) -> None:
        if kind == "code" and line.marker == "json":
            self._sentences(line, kind, lead, 0)
        else:
            self._whole(line, kind, lead, 0)

    def _whole(self, line: Line, kind: str, lead: int, depth: int) -> None:
        self.parts.append((line.start, line.body, line.stop, kind, lead, depth))

    def _sentences(self, line: Line, kind: str, lead: int, depth: int) -> None:
        """Cut the words of a line; the first sentence takes what stands before them, the mark of an item."""
        reply, start, body, stop = self.reply, line.start, line.body, line.stop
        cuts = cuts_in(reply, body, stop, self.rules)
        if not cuts or not self.marks:
            for cut, following in cuts:
                self.parts.append((start, body, cut, kind, lead, depth))
                start = body = following
            self.parts.append((start, body, stop, kind, lead, depth))
            return
        for cut, following in (*cuts, (stop, stop)):
            self.parts.append((start, *self._pair(body, cut), kind, lead, depth))
            start = body = following

    def _pair(self, body: int, stop: int) -> tuple[int, int]:
        """A body without a bold mark whose other half is in another sentence: a repair must not break the pair."""
        for mark in self.marks:
            if self.reply.count(mark, body, stop) % 2:
                if self.reply.startswith(mark, body):
                    body += 2
                elif self.reply.endswith(mark, body, stop):
                    stop -= 2
        return body, max(body, stop)
