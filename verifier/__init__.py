"""Checks what an AI agent's model says against what the agent did, before a person reads it.

These names are the public ones; everything else may change. They are imported when first asked for, so that
`import verifier` reads no file and loads no library.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.data import DataError
    from verifier.ledger import Call, Ledger, Tool
    from verifier.model import Claim, Outcome
    from verifier.streaming import stream
    from verifier.verdict import Verdict
    from verifier.verify import Verifier, read, verify

__all__ = ["Call", "Claim", "DataError", "Ledger", "Outcome", "Tool", "Verdict", "Verifier", "read", "stream", "verify"]
__version__ = "0.1.0"

_HOME = {
    "Call": "verifier.ledger",
    "Claim": "verifier.model",
    "DataError": "verifier.data",
    "Ledger": "verifier.ledger",
    "Outcome": "verifier.model",
    "Tool": "verifier.ledger",
    "Verdict": "verifier.verdict",
    "Verifier": "verifier.verify",
    "read": "verifier.verify",
    "stream": "verifier.streaming",
    "verify": "verifier.verify",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'verifier' has no attribute {name!r}")
    found: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps `verifier.verify` the function.

    Importing the module verifier/verify.py would bind the module to that name, and whether `from verifier import
    verify` gives the function would depend on what was imported before.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
