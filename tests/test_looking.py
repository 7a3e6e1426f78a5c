"""Looking a thing up, ruling it out and telling what was before claim nothing of this turn."""

from __future__ import annotations

import pytest

from verifier import Ledger, Tool, verify

TOOLS = (
    Tool(name="cancel_reservation", write=True, description="Cancel a reservation"),
    Tool(name="book_reservation", write=True, description="Book a reservation"),
    Tool(name="search_fares", write=False, description="Search fares"),
)


@pytest.mark.parametrize(
    "reply",
    [
        "I've located your reservation and evaluated the fare rules.",
        "I reviewed your booking.",
        "Cancelling the reservation is off the table.",
        "A refund for the reservation is off the table.",
        "It is the reservation which I had booked.",
    ],
)
def test_no_act_of_the_turn_is_claimed(reply: str) -> None:
    """None of these sentences says that a write took effect."""
    ledger = Ledger(tools=TOOLS)
    assert verify(reply, ledger).text is reply


@pytest.mark.parametrize(
    "reply",
    [
        "I've located the fares and booked your reservation.",
        "I've secured your reservation.",
        "Your reservation is cancelled.",
        "It is the reservation which I have booked.",
    ],
)
def test_an_act_beside_is_still_claimed(reply: str) -> None:
    """Where a sentence says that a write was done, nothing behind it makes it false."""
    ledger = Ledger(tools=TOOLS)
    assert verify(reply, ledger).changed


def test_an_identifier_under_a_things_name_is_no_count_of_it() -> None:
    """A record that maps kinds to their numbers says nothing of how many there are."""
    ledger = Ledger(tools=(Tool(name="list_types", write=False, description="List product types"),))
    ledger.record("list_types", {}, result={"Teapot": "9400128837", "Lamp": "7711200345"}, outcome="done")
    reply = "We have 12 teapot options available right now."
    assert verify(reply, ledger).text is reply
