"""Where to cut, so that what stays around a removed or replaced sentence reads as if it had been written so.

Sentences tile the reply. A sentence's span starts with the mark of its line (bullet, quote, heading) and ends with
the white space after it; a line whose sentences all go takes its mark along, and of the two gaps around a removed
run the one with more line breaks stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from verifier.lines import BREAKS
from verifier.model import Edit, Sentence

BOLD = ("**", "__")
ENDS = ".!?…:。！？"


def content_end(reply: str, sentence: Sentence) -> int:
    """The end of a sentence without the white space after it, but with marks that close it (a bar, a bold mark)."""
    end = sentence.end
    while end > sentence.body_end and reply[end - 1] in BREAKS:
        end -= 1
    return end


def begins_line(reply: str, sentence: Sentence) -> bool:
    """Whether the sentence is the first of its line."""
    return sentence.start == 0 or reply[sentence.start - 1] in "\r\n"


def ends_line(reply: str, sentence: Sentence) -> bool:
    """Whether the sentence is the last of its line."""
    tail = reply[content_end(reply, sentence) : sentence.end]
    return sentence.end == len(reply) or "\n" in tail or "\r" in tail


def replacement(reply: str, sentence: Sentence, text: str) -> Edit:
    """The edit that puts a text where a sentence's body stood."""
    start, end = sentence.body_start, sentence.body_end
    body = reply[start:end]
    if sentence.kind != "prose":
        text = " ".join(text.split())
    if sentence.kind == "row":
        text = text.replace("|", "¦") + " |" * (body.count("|") - body.count("\\|"))
    elif not ends_line(reply, sentence) and text[-1:] not in ENDS:
        text += "."
    mark, closes = _half(reply, start, end)
    return Edit(start, end, text + mark if closes else mark + text)


def removals(reply: str, sentences: Sequence[Sentence], gone: set[int]) -> Iterator[Edit]:
    """The edits that take the sentences with these indices out of the reply."""
    for first, last in _runs(reply, sentences, gone):
        yield _removal(reply, sentences, first, last)


def _runs(reply: str, sentences: Sequence[Sentence], gone: set[int]) -> Iterator[tuple[int, int]]:
    """Neighbours that go together. A run that ends inside a line is cut before that line, whose mark must stay."""
    first = -1
    for index in range(len(sentences) + 1):
        if index in gone:
            first = index if first < 0 else first
            continue
        if first >= 0:
            yield from _cut_at_line(reply, sentences, first, index - 1)
        first = -1


def _cut_at_line(reply: str, sentences: Sequence[Sentence], first: int, last: int) -> Iterator[tuple[int, int]]:
    line = last
    while line > first and not begins_line(reply, sentences[line]):
        line -= 1
    if line > first and not ends_line(reply, sentences[last]):
        yield first, line - 1
        first = line
    yield first, last


def _removal(reply: str, sentences: Sequence[Sentence], first: int, last: int) -> Edit:
    """The edit that removes one run."""
    head, tail = sentences[first], sentences[last]
    before = content_end(reply, sentences[first - 1]) if first else 0
    after = content_end(reply, tail)
    opens, closes = not first, last == len(sentences) - 1
    wider_after = _breaks(reply[after : tail.end]) > _breaks(reply[before : head.start])
    if begins_line(reply, head) and not ends_line(reply, tail):
        start, end = _after_mark(reply, head), tail.end
    elif opens and closes:
        start, end = 0, len(reply)
    elif closes or (not opens and (wider_after or before == head.start)):
        start, end = before, after
    else:
        start, end = head.start, tail.end
    return _with_bold(reply, start, end, before)


def _breaks(gap: str) -> int:
    return gap.count("\n") or gap.count("\r")


def _after_mark(reply: str, sentence: Sentence) -> int:
    """The end of the bullet, heading mark or quote mark of a line: a bold mark is the sentence's own."""
    at = sentence.body_start
    while at - 2 >= sentence.start and reply[at - 2 : at] in BOLD:
        at -= 2
    return at


def _with_bold(reply: str, start: int, end: int, before: int) -> Edit:
    """A removal that leaves a bold mark whose other half stays: a closing one right behind what it closes."""
    at_line = not start or reply[start - 1] in "\r\n"
    if at_line and (end == len(reply) or reply[end - 1] in "\r\n"):
        return Edit(start, end, "", "remove")  # whole lines
    mark, closes = _half(reply, start, end)
    if mark and closes:
        return Edit(before, end, mark + reply[before:start], "remove")
    return Edit(start, end, mark, "remove")


def _half(reply: str, start: int, end: int) -> tuple[str, bool]:
    """The bold mark in a span whose other half stands outside, on the same line, and whether it is the closing one."""
    line_start = max(reply.rfind("\n", 0, start), reply.rfind("\r", 0, start)) + 1
    stops = [at for at in (reply.find("\n", end), reply.find("\r", end)) if at >= 0]
    line_end = min([len(reply), *stops])
    for mark in BOLD:
        if reply.count(mark, start, end) % 2:
            if reply.count(mark, line_start, start) % 2:
                return mark, True
            if reply.count(mark, end, line_end) % 2:
                return mark, False
    return "", False


def paragraph_starts(reply: str, sentences: Sequence[Sentence]) -> Mapping[int, int]:
    """For each sentence, where its paragraph starts."""
    starts: dict[int, int] = {}
    start = 0
    for index, sentence in enumerate(sentences):
        if index and _breaks(reply[content_end(reply, sentences[index - 1]) : sentence.start]) > 1:
            start = sentence.start
        starts[index] = start
    return starts
