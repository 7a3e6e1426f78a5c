"""Edits into text: nothing else changes, and overlapping edits are an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.model import Edit
from verifier.splice import OverlappingEdits, kept_text, splice


def test_without_edits_the_same_object_comes_back() -> None:
    reply = "".join(["a", "b"])

    assert splice(reply, ()) is reply
    assert kept_text(reply, ()) is reply


def test_edits_are_applied_in_the_order_of_the_text() -> None:
    edits = [Edit(4, 4, "!"), Edit(0, 1, "X"), Edit(1, 2, "")]

    assert splice("abcd", edits) == "Xcd!"
    assert kept_text("abcd", edits) == "\n\ncd\n"


def test_an_insertion_may_touch_a_removal() -> None:
    assert splice("abcd", [Edit(2, 4, ""), Edit(4, 4, "x")]) == "abx"


@pytest.mark.parametrize(
    "edits", [[Edit(0, 2, ""), Edit(1, 3, "")], [Edit(3, 1, "")], [Edit(0, 9, "")], [Edit(-1, 0, "")]]
)
def test_edits_that_overlap_or_leave_the_reply_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(OverlappingEdits):
        splice("abcd", edits)


@given(st.text(), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.text(max_size=3)), max_size=6))
def test_what_lies_between_edits_is_kept(reply: str, drawn: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    for start, length, text in sorted(drawn):
        if (not edits or start >= edits[-1].end) and start + length <= len(reply):
            edits.append(Edit(start, start + length, text))
    outside = list(reply)
    for edit in reversed(edits):
        outside[edit.start : edit.end] = [edit.text]

    assert splice(reply, edits) == "".join(outside)
