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
        return any(piece.edit and piece.start < end and start < piece.end for piece in self._around(start, end))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the reply that a span of the text comes from; all of an edit that it touches."""
        around = [p for p in self._around(start, end) if p.start < max(end, start + 1) and start < max(p.end, p.start + 1)]
        if not around:
            high = self.pieces[-1].high
            return high, high
        first, last = around[0], around[-1]
        low = first.low if first.edit else first.low + max(0, start - first.start)
        high = last.high if last.edit else last.low + min(end, last.end) - last.start
        return low, max(low, high)

    def _around(self, start: int, end: int) -> list[Piece]:
        """The pieces that the span touches, empty ones at its ends too."""
        return self.pieces[bisect_left(self._ends, start) : bisect_right(self._starts, end)]


def compose(reply: str, edits: Sequence[Edit], text: str, more: Sequence[Edit]) -> tuple[Edit, ...]:
    """One list of edits of `reply` that does what `edits` and then, in the text they gave, `more` do.

    An edit of `more` that touches inserted text becomes part of the edit that inserted it, which keeps its kind, its
    call and its rule. Both lists are sorted and free of overlaps; so is the result.
    """
    if not more or not edits:
        return tuple(more or edits)
    pieces = Origins(reply, edits).pieces
    made: list[Edit] = []
    folded: set[int] = set()
    for group, touched in _groups(more, pieces):
        made.append(_merged(text, pieces, group, touched))
        folded.update(touched)
    kept = [piece.edit for at, piece in enumerate(pieces) if piece.edit is not None and at not in folded]
    return tuple(sorted([*kept, *made], key=lambda edit: (edit.start, edit.end)))


def _groups(more: Sequence[Edit], pieces: Sequence[Piece]) -> list[tuple[list[Edit], list[int]]]:
    """The edits that belong together because they touch the same inserted pieces, with these pieces."""
    groups: list[tuple[list[Edit], list[int]]] = []
    for edit in more:
        touched = [at for at, piece in enumerate(pieces) if piece.edit is not None and _touches(edit, piece)]
        if groups and touched and groups[-1][1] and touched[0] <= groups[-1][1][-1]:
            groups[-1][0].append(edit)
            groups[-1][1].extend(at for at in touched if at > groups[-1][1][-1])
        else:
            groups.append(([edit], touched))
    return groups


def _touches(edit: Edit, piece: Piece) -> bool:
    """Whether they overlap, or would stand at the same place of the reply without an order between them."""
    if edit.start < piece.end and piece.start < edit.end:
        return True
    if edit.start < piece.start < edit.end or piece.start < edit.start < piece.end:
        return True
    beside = edit.start == piece.end or edit.end == piece.start
    return beside and (edit.start == edit.end or piece.low == piece.high)


def _merged(text: str, pieces: Sequence[Piece], group: Sequence[Edit], touched: Sequence[int]) -> Edit:
    """The group and the pieces it touches as one edit of the reply."""
    first, last = group[0], group[-1]
    start = min([first.start, *(pieces[at].start for at in touched)])
    end = max([last.end, *(pieces[at].end for at in touched)])
    parts, at = [], start
    for edit in group:
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    parts.append(text[at:end])
    low = min([_low(pieces, start, first.start), *(pieces[at].low for at in touched)])
    high = max([_high(pieces, end, last.end), *(pieces[at].high for at in touched)])
    own = pieces[touched[0]].edit if touched else None
    like = own if own is not None else first
    return Edit(low, max(low, high), "".join(parts), like.kind, like.call, like.rule)


def _low(pieces: Sequence[Piece], start: int, first: int) -> int:
    """Where in the reply a span of the text begins, by the kept piece that holds its beginning."""
    for piece in pieces:
        if piece.edit is None and piece.start <= start and (start < piece.end or (start == first == piece.end)):
            return piece.low + start - piece.start
    return next((piece.low for piece in pieces if piece.start >= start), pieces[-1].high)


def _high(pieces: Sequence[Piece], end: int, last: int) -> int:
    """Where in the reply a span of the text ends, by the kept piece that holds its end."""
    for piece in pieces:
        if piece.edit is None and piece.end >= end and (end > piece.start or (end == last == piece.start)):
            return piece.low + end - piece.start
    return next((piece.high for piece in reversed(pieces) if piece.end <= end), pieces[0].low)
