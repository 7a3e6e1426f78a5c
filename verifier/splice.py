"""Edits into text: the one place where a reply is changed."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.model import Edit


class OverlappingEdits(ValueError):
    """Two edits want the same characters (or one lies outside the reply): a mistake of ours, never of the reply."""


def splice(reply: str, edits: Sequence[Edit]) -> str:
    """The reply with its edits applied; everything between them is kept as it was.

    Without edits it is the same object. Raises `OverlappingEdits` where they overlap, run backwards or leave the reply.
    """
    if not edits:
        return reply
    pieces: list[str] = []
    kept_to = 0
    for edit in sorted(edits):
        if not kept_to <= edit.start <= edit.end <= len(reply):
            raise OverlappingEdits(f"the edit {edit.start}:{edit.end} overlaps what ends at {kept_to} of {len(reply)}")
        pieces.append(reply[kept_to : edit.start])
        pieces.append(edit.text)
        kept_to = edit.end
    pieces.append(reply[kept_to:])
    return "".join(pieces)


def kept_text(reply: str, edits: Sequence[Edit]) -> str:
    """What the edits leave of the reply, with a line break where something went: the model's own words only."""
    if not edits:
        return reply
    pieces: list[str] = []
    kept_to = 0
    for edit in sorted(edits):
        pieces.append(reply[kept_to : edit.start])
        kept_to = edit.end
    pieces.append(reply[kept_to:])
    return "\n".join(pieces)
