"""What the README and the documentation show is what happens."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sources import ROOT, shown

from verifier.claims import table

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```python\n(.{1,4000}?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]{1,200})\)")


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))], ids=shown)
def test_the_snippets_run_and_give_what_their_comments_say(page: Path) -> None:
    names: dict[str, object] = {}
    told = 0
    for code, first in blocks(page):
        exec(compile(code, f"{shown(page)}:{first}", "exec"), names)
        for line, expression, expected in promises(code, first):
            assert expected == eval(expression, names), f"{shown(page)}:{line}"
            told += 1

    assert told > 0, "a page whose snippets show no result cannot be wrong, nor right"


def blocks(page: Path) -> Iterator[tuple[str, int]]:
    """The Python blocks of a page, each with the line on which its code starts."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield found[1], text.count("\n", 0, found.start(1)) + 1


def promises(code: str, first: int) -> Iterator[tuple[int, str, object]]:
    """`expression     # value`: the lines of a block whose comment is a Python value."""
    for number, line in enumerate(code.split("\n"), start=first):
        expression, mark, comment = line.partition("     # ")
        if mark:
            yield number, expression, ast.literal_eval(comment)


def test_the_table_is_the_one_of_the_data() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    start, end = "<!-- table of rules/claims.yaml: a test compares it -->\n", "<!-- /table -->"

    assert text.split(start)[1].split(end)[0] == table()


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=shown)
def test_links_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []
