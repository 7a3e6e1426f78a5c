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


def run_snippet(heading: str, **names: Any) -> dict[str, Any]:
    """Run the first snippet under a heading; gives the names it made. It may await."""
    text = PAGE.read_text(encoding="utf-8")
    section = text[text.index(f"\n## {heading}") :]
    found = BLOCK.search(section)
    assert found is not None, heading
    code = compile(found[1], "docs/adapters.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    made = eval(code, names)
    if inspect.iscoroutine(made):

        async def run() -> None:
            await made

        asyncio.run(run())
    return names
