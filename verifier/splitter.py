"""A reply as sentences that tile it: joined, their spans give the reply back, byte for byte.

`lines` says what each line is; here the words of a line are cut into sentences, and each sentence learns which one
introduces it. Where a full stop may belong to an abbreviation, `grammars/splitting.<language>.yaml` decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from verifier import data
from verifier.lines import CHECKS, SPACES, Line, is_bold, read_lines
from verifier.model import Sentence

MAX_WORD = 16  # a longer word is no abbreviation
MAX_HEADING_WORDS = 8  # longer lines before a list are statements
_KEYS = ("settings", "abbreviations", "goes_on", "starters", "statement_words", "examples")
_CLASSES = ("never", "before_number", "before_name", "before_capital")

# Arrows are none: "Chicago → Seattle" is one sentence.
_EMOJI = "\u203c\u2049\u2139\u231a-\u23ff\u2600-\u2793\u2b1b-\u2b55\U0001f000-\U0001faff"
_JOINS = "\ufe0f\u200d\u20e3"
_CLOSERS = "*_\"'”’»)\\]`~"
_GAP = f"[{SPACES}\r\n]"
_STOPS = ".!?…‼⁉。！？"
# A run of stops or emoji with marks that close, then a gap. One set first, so that the search skips quickly.
_STOP = re.compile(rf"[{_STOPS}{_EMOJI}][{_STOPS}{_EMOJI}{_JOINS}{_CLOSERS}]{{0,24}}(?={_GAP}|$)")
_ASCII_STOP = re.compile(r"[.!?][.!?*_\"')\]`~]{0,24}(?=[ \t\r\n\x0b\x0c\x1c-\x1f]|$)")
_NEXT = re.compile(rf"{_GAP}{{0,80}}")
_OPENERS = re.compile(r"[*_\"'“‘(\[¿¡`~«]{0,8}")
_WORD = re.compile(r"[^\W\d_](?:['’]?[^\W\d_]){0,20}")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_IS_EMOJI = re.compile(f"[{_EMOJI}]")
_WORDS = re.compile(r"[^\W\d_](?:['’]?[^\W\d_]){0,40}")
_LAST = re.compile(r"[\w.ºª]{1,24}$")
_BEFORE_NUMBER = ("", " ", "\n", "*", "_", "(")
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_]){1,4}")


@dataclass(frozen=True, slots=True)
class Splitting:
    """What one language adds: `abbreviations` maps a shortened word to its class, the rest are sets of words."""

    abbreviations: dict[str, str]
    goes_on: frozenset[str]
    starters: frozenset[str]
    statement_words: frozenset[str]


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


@cache
def load_splitting(language: str) -> Splitting:
    """The abbreviations and starting words of a language. Raises `DataError` where there is no such file."""
    name = {"pt": "pt-BR"}.get(language, language)
    path = data.folder("grammars") / f"splitting.{name}.yaml"
    if not path.is_file():
        raise data.DataError(f"no sentence data for the language '{language}'; there are: en, pt-BR")
    problems = data.Problems()
    node = data.load(path)
    data.refuse_unknown_keys(node, _KEYS, problems)
    classes = data.expect_map(node.get("abbreviations"), "abbreviations", problems, node)
    data.refuse_unknown_keys(classes, _CLASSES, problems)
    abbreviations = {
        str(word): kind
        for kind in reversed(_CLASSES)
        for word in data.expect_texts(classes.get(kind), kind, problems, classes)
    }
    words = [
        frozenset(map(str, data.expect_texts(node.get(key), key, problems, node)))
        for key in ("goes_on", "starters", "statement_words")
    ]
    problems.check()
    return Splitting(abbreviations, *words)


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
            self.section = self.above if kind == "heading" else self.section
        self.blank = kind == "blank"

    def _rule(self, line: Line) -> None:
        head = len(self.parts) - 1
        self._whole(line, "blank", -1, 0)
        if line.marker == "separator":
            self.header = head if head >= 0 and self.parts[head][3] == "row" else -1
            return
        if line.marker == "setext" and not self.blank and head >= 0 and self.parts[head][3] == "prose":
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
        if not self.stack and self.above == len(self.parts) - 1:
            self._title_above()
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

    def _title_above(self) -> None:
        """A short line without a stop, right over a list, is a heading ("Exchange summary")."""
        index = len(self.parts) - 1
        if index < 0 or self.blank or self.parts[index][3] != "prose":
            return
        start, text = self.parts[index][0], self._text(index)
        if start and self.reply[start - 1] not in "\r\n":
            return
        if text[-1] not in ".!?…;,:" and self._is_title(text):
            self._retitle(index)

    def _is_title(self, text: str) -> bool:
        words = _WORDS.findall(text[:200].lower().replace("’", "'"))
        return 0 < len(words) <= MAX_HEADING_WORDS and self.rules.statement_words.isdisjoint(words)

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
        return self._is_title(text) and not _STOP.search(text)

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
        cuts = _cuts(reply, body, stop, self.rules)
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


def _cuts(reply: str, body: int, stop: int, rules: Splitting) -> list[tuple[int, int]]:
    """Where sentences end between `body` and `stop` (the last one left out), and where the next words start."""
    cuts: list[tuple[int, int]] = []
    start = body
    for found in (_ASCII_STOP if reply.isascii() else _STOP).finditer(reply, body, stop):
        end = found.end()
        following = end + 1
        if following >= stop:
            break
        if not reply[following].isalnum():
            gap = _NEXT.match(reply, end, stop)
            following = gap.end() if gap else end
            if following >= stop:
                break
        if _plainly_ends(reply, found[0], start, end - 1, following, rules):
            cuts.append((end, following))
            start = following
            continue
        at = _ends_at(reply, found, start, following, rules)
        if at > start:
            start = following if at == end else at
            cuts.append((at, start))
    return cuts


def _plainly_ends(reply: str, run: str, start: int, at: int, following: int, rules: Splitting) -> bool:
    """The usual case, quickly: one stop after a plain word, a capital after it."""
    if not reply[following].isupper():
        return False
    if run != ".":
        return run in ("!", "?")
    first = max(start, at - MAX_WORD)
    word = reply[max(first, reply.rfind(" ", first, at) + 1) : at]
    if word.isalpha():
        return len(word) > 1 and word.lower() not in rules.abbreviations
    return len(word) > 2 and word.isalnum()  # 9901, W123; "1." and "12." may count


def _ends_at(reply: str, found: re.Match[str], start: int, following: int, rules: Splitting) -> int:
    """The end of the sentence at a stop, or -1. `following` is where the next words start."""
    stop, at = reply[found.start()], found.start()
    if stop not in _STOPS:
        return _emoji_ends(reply, found, start, following)
    if _IS_EMOJI.match(reply, following) and not _starts_with_check(reply, start):
        return -1  # "Done! 🎉 Your order": the emoji ends it
    after = _OPENERS.match(reply, following)
    following = after.end() if after else following
    head = reply[following : following + 1]
    run = found[0]
    if run[0] == "." and run[1:2] not in (".", "!", "?"):
        return -1 if _is_abbreviated(reply, start, at, following, rules) or _quoted(run, head) else found.end()
    if head.islower() and (stop in ".…" or _quoted(run, head)):
        return -1
    return found.end()


def _quoted(run: str, head: str) -> bool:
    """Whether a stop inside a quotation or bracket goes on outside: `"Stop." and`."""
    return head.islower() and run[-1] in "\"'”’»)]`"


def _starts_with_check(reply: str, start: int) -> bool:
    return reply[start] in CHECKS


def _emoji_ends(reply: str, found: re.Match[str], start: int, following: int) -> int:
    """An emoji ends a sentence before a capital or after a stop; check marks at the head of each start one."""
    at = found.start()
    if not _LETTER_OR_DIGIT.search(reply, start, at):
        return -1
    before = reply[max(start, at - 80) : at].rstrip(SPACES + "\r\n")
    if found[0][0] in CHECKS and _starts_with_check(reply, start):
        return at
    stopped = before.rstrip("*_\"'”’)")[-1:] in ".!?…"
    after = _OPENERS.match(reply, following)
    head = reply[after.end() : after.end() + 1] if after else ""
    if stopped or ((head.isupper() or head.isdigit()) and before[-1:] not in ":,;–—-|("):
        return found.end()
    return -1


def _is_abbreviated(reply: str, start: int, at: int, following: int, rules: Splitting) -> bool:
    """Whether the full stop at `at` belongs to a shortened word, an initial or the number of an item."""
    last = _LAST.search(reply, max(start, at - MAX_WORD), at)
    word = last[0] if last else ""
    head = reply[following : following + 1]
    if word.isdigit() and reply[at - len(word) - 1 : at - len(word)] in _BEFORE_NUMBER:  # "Options: 1. Cancel it. 2. Keep it."
        before = reply[max(start, at - 30) : at - len(word)].rstrip(SPACES + "*_(")
        return len(word) <= 2 and (not before or before[-1] in ":,;")
    kind = rules.abbreviations.get(word.lower())
    if kind == "never":
        return True
    if kind == "before_number" and (head.isdigit() or reply.startswith(("#", "$", "R$"), following)):
        return True
    if (len(word) == 1 and word.isupper()) or (kind is None and _INITIALS.fullmatch(word)):
        kind = "before_name"
    if kind == "before_number":
        return False
    if not kind:
        return False
    if not head.isupper():
        return not head.isdigit() or kind == "before_name"
    found = _WORD.match(reply, following)
    next_word = found[0].lower().replace("’", "'") if found else ""
    return next_word not in rules.starters if kind == "before_name" else next_word in rules.goes_on
