"""What starting costs: imports, the first verdict, the memory, and how a process grows over many replies."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

# What `import verifier` needs of the standard library; the comparison is with importing just these.
BARE = "import dataclasses, enum, importlib, typing, types, sys"
FIRST = """
from verifier import Ledger, Tool, verify
ledger = Ledger(tools=[Tool("refund_card", write=True)])
ledger.record("refund_card", {"order_id": "4412", "amount": 12.5}, outcome="done")
verify("I've refunded 15.00 pounds to your card for order 4412.", ledger)
"""
SPACY = """
import spacy
spacy.blank("en")("I've refunded 15.00 pounds to your card for order 4412.")
"""
# Linux's `ru_maxrss` of a started process begins at the peak of the one that started it; `VmHWM` is its own.
PEAK = """
def peak():
    import re, resource
    try:
        with open("/proc/self/status") as status:
            return int(re.search(r"VmHWM:\\s+([0-9]+)", status.read())[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""
SIZE = PEAK + "print(peak() // 1024)"
# Each reply has words and numbers that no other has, as in a long-lived service.
GROW = PEAK + """
from verifier import Ledger, Tool, verify
def word(n): return "".join(chr(97 + int(d)) for d in str(n))
def one(n):
    ledger = Ledger(tools=[Tool("refund_card", write=True)])
    ledger.record("refund_card", {"order_id": f"W{n}", "amount": n / 100}, outcome="done")
    verify(f"I've refunded ${n / 100:.2f} for order W{n}, dear {word(n)}.", ledger)
for n in range(5000): one(n)
before = peak()
for n in range(5000, 5000 + REPLIES): one(n)
print((peak() - before) / 1024)
"""


def start_figures(figure: Callable[..., Any], replies: int = 20_000) -> list[Any]:
    """Give the figures of starting and of growing, made with `figure(name, value, goal, unit)`."""
    bare, importing = _seconds(BARE), _seconds("import verifier")
    nothing = _seconds("pass")
    spacy, first = _seconds(SPACY, times=4), _seconds(FIRST, times=4)
    size, grown = float(_printed(FIRST + SIZE)), float(_printed(GROW.replace("REPLIES", str(replies))))
    return [
        figure("import verifier / the bare imports it needs", (importing - nothing) / max(bare - nothing, 1e-3), 3),
        figure("import and first verdict / spaCy's blank pipeline and first call", first / spacy, 1.25),
        figure("memory after the first verdict", size, 120, "MB"),
        figure(f"growth over {replies:,} distinct replies", grown, 80, "MB"),
    ]


def _seconds(code: str, times: int = 9) -> float:
    least = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        _printed(code)
        least = min(least, time.perf_counter() - started)
    return least


def _printed(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return run.stdout.strip() or "0"
