"""The command `verifier`. It needs the extra `cli` (Typer and rich); without it, it says so and does nothing."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; exits with its code (0 clean, 1 something was repaired, 2 bad input)."""
    try:
        from verifier.cli.app import app
    except ModuleNotFoundError as missing:
        if missing.name not in {"typer", "rich"}:
            raise
        sys.exit(f"The command line needs {missing.name}: pip install 'reply-verifier[cli]'")
    app()
