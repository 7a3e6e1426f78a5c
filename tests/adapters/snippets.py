"""The snippets of docs/adapters.md that need a framework, run with a test's own models."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
BLOCK = re.compile(r"^```py\n(.{1,4000}?)^```$", re.MULTILINE | re.DOTALL)


def snippet(heading: str, place: int = 0) -> str:
    """A snippet under a heading, the first unless another place is given."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
    return BLOCK.findall(section)[place]


def run_snippet(heading: str, place: int = 0, **names: Any) -> dict[str, Any]:
    """Run a snippet under a heading; gives the names it made. It may await."""
    code = compile(snippet(heading, place), "docs/adapters.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    made = eval(code, names)
    if inspect.iscoroutine(made):

        async def run() -> None:
            await made

        asyncio.run(run())
    return names
