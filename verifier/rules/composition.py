"""Edits upon edits: what is changed in an edited text, said in places of the text that was edited first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.model import Edit


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the edited text (`start:end`) and of the reply (`low:high`); `edit` is what put it there, if any."""

    start: int
    end: int
    low: int
    high: int
    edit: Edit | None


class Origins:
    """Where each place of an edited text comes from."""

    def __init__(self, reply: str, edits: Sequence[Edit]) -> None:
        """Take the edits, sorted and apart from each other."""
        self.pieces: list[Piece] = []
        at = kept = 0
        for edit in edits:
            if edit.start > kept:
                self.pieces.append(Piece(at, at + edit.start - kept, kept, edit.start, None))
                at += edit.start - kept
            self.pieces.append(Piece(at, at + len(edit.text), edit.start, edit.end, edit))
            at += len(edit.text)
            kept = edit.end
        if kept < len(reply) or not self.pieces:
            self.pieces.append(Piece(at, at + len(reply) - kept, kept, len(reply), None))
        self._starts = [piece.start for piece in self.pieces]
        self._ends = [piece.end for piece in self.pieces]

    def inserted(self, start: int, end: int) -> bool:
        """Whether any of the span was put there by an edit."""
        return any(piece.edit and piece.start < end and start < piece.end for piece in self.around(start, end))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the reply that a span of the text comes from; all of an edit that it overlaps."""
        touched = [p for p in self.around(start, end) if p.edit and p.start < end and start < p.end]
        low = min([self.low(start), *(piece.low for piece in touched)])
        return low, max([low, self.high(end), *(piece.high for piece in touched)])

    def around(self, start: int, end: int) -> list[Piece]:
        """The pieces that the span touches, empty ones at its ends too."""
        return self.pieces[bisect_left(self._ends, start) : bisect_right(self._starts, end)]

    def places(self, start: int, end: int) -> range:
        """The indices of the pieces that the span touches."""
        return range(bisect_left(self._ends, start), bisect_right(self._starts, end))

    def low(self, start: int) -> int:
        """Where in the reply a span of the text begins: in the kept piece that holds its first character."""
        following = self.pieces[-1].high
        for at in range(bisect_right(self._ends, start), len(self.pieces)):
            piece = self.pieces[at]
            if piece.edit is None and piece.start <= start:
                return piece.low + start - piece.start
            if piece.start >= start:
                return piece.low
        return following

    def high(self, end: int) -> int:
        """Where in the reply a span of the text ends: in the kept piece that holds its last character."""
        for at in range(bisect_left(self._starts, end) - 1, -1, -1):
            piece = self.pieces[at]
            if piece.edit is None and piece.end >= end:
                return piece.low + end - piece.start
            if piece.end <= end:
                return piece.high
        return self.pieces[0].low


def compose(reply: str, edits: Sequence[Edit], text: str, more: Sequence[Edit]) -> tuple[Edit, ...]:
    """One list of edits of `reply` that does what `edits` and then, in the text they gave, `more` do.

    An edit of `more` that touches inserted text becomes part of the edit that inserted it, which keeps its kind, its
    call and its rule. Both lists are sorted and free of overlaps; so is the result.
    """
    if not more or not edits:
        return tuple(more or edits)
    origins = Origins(reply, edits)
    made: list[Edit] = []
    folded: set[int] = set()
    for group, touched in _groups(more, origins):
        made.append(_merged(text, origins, group, touched))
        folded.update(touched)
    kept = [piece.edit for at, piece in enumerate(origins.pieces) if piece.edit is not None and at not in folded]
    return tuple(sorted([*kept, *made], key=lambda edit: (edit.start, edit.end)))


def _groups(more: Sequence[Edit], origins: Origins) -> list[tuple[list[Edit], list[int]]]:
    """The edits that belong together because they touch the same inserted pieces, with these pieces."""
    groups: list[tuple[list[Edit], list[int]]] = []
    for edit in more:
        touched = [at for at in origins.places(edit.start, edit.end) if _touches(edit, origins.pieces[at])]
        if groups and touched and groups[-1][1] and touched[0] <= groups[-1][1][-1]:
            groups[-1][0].append(edit)
            groups[-1][1].extend(at for at in touched if at > groups[-1][1][-1])
        else:
            groups.append(([edit], touched))
    return groups


def _touches(edit: Edit, piece: Piece) -> bool:
    """Whether they overlap, or would stand at the same place of the reply without an order between them."""
    if piece.edit is None:
        return False
    if edit.start < piece.end and piece.start < edit.end:
        return True
    if edit.start < piece.start < edit.end or piece.start < edit.start < piece.end:
        return True
    beside = edit.start == piece.end or edit.end == piece.start
    return beside and (edit.start == edit.end or piece.low == piece.high)


def _merged(text: str, origins: Origins, group: Sequence[Edit], touched: Sequence[int]) -> Edit:
    """The group and the pieces it touches as one edit of the reply."""
    pieces = [origins.pieces[at] for at in touched]
    start = min([group[0].start, *(piece.start for piece in pieces)])
    end = max([group[-1].end, *(piece.end for piece in pieces)])
    parts, at = [], start
    for edit in group:
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    parts.append(text[at:end])
    low = min([origins.low(start), *(piece.low for piece in pieces)])
    high = max([low, origins.high(end), *(piece.high for piece in pieces)])
    own = pieces[0].edit if pieces else None
    like = own if own is not None else group[0]
    return Edit(low, high, "".join(parts), like.kind, like.call, like.rule)
