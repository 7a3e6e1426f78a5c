"""The shop of the brief comes out line for line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SHOP = Path(__file__).parents[1] / "examples" / "shop.py"
PRINTED = """\
my parcel is lost -> I didn't recognise anything in that. I can get order or refund card. Which do you mean?
the parcel for 4412 is lost -> Not done: refund card.
the parcel for 4412 never turned up -> I couldn't refund order 4412: argument_schema.
the parcel for 4412 went missing -> waits: Run refund_card?
  approve -> Refunded 12.5 pounds for order 4412.
the parcel for 4412 vanished -> waits: Run refund_card?
  approve -> I've refunded 12.50 pounds to your card for order 4412.
the parcel for 4412 went missing -> waits: Run refund_card?
  skip -> Not done: refund card.
my parcel is lost -> I didn't recognise anything in that. I can get order or refund card. Which do you mean?
the parcel for 4412 vanished -> Refunded 12.5 pounds for order 4412.
"""


def test_the_shops_turns() -> None:
    environment = {**os.environ, "PYTHONPATH": str(SHOP.parents[1])}
    made = subprocess.run([sys.executable, str(SHOP)], capture_output=True, text=True, env=environment)

    assert made.stdout == PRINTED, made.stderr
