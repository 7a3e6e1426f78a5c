"""Measures of the code: short functions, small modules, bounded patterns, no clock, no texts cut at odd line ends."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from regex_lint import complaints
from sources import MODULES, module_name, shown, tree

from verifier import Verifier
from verifier.sentence_ends import load_splitting
from verifier.values.lexicon import lexicon

MAX_FUNCTION_LINES = 60
MAX_MODULE_LINES = 350
COMMAND_LINE = "verifier/cli/"
ADAPTERS = "verifier/adapters/"
FORBIDDEN_NAMES = {"utils.py", "helpers.py", "manager.py", "core.py", "base.py", "common.py"}
# No verdict may depend on when or where it is made; text is never cut at U+2028 and its like.
FORBIDDEN_CALLS = {
    "datetime.now",
    "datetime.today",
    "datetime.utcnow",
    "date.today",
    "time.time",
    "time.monotonic",
    "time.perf_counter",
    "random.random",
    "os.getenv",
    "locale.setlocale",
}
# Where a clock is the subject: what runs an agent's tools and what measures; never what makes a verdict.
MAY_USE_A_CLOCK = ("verifier/bench", "verifier/cli/", "verifier/evaluation/")


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_modules_and_functions_are_short(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    long = [
        f"{shown(path)}:{f.lineno} {f.name}: {f.end_lineno - f.lineno + 1} lines"
        for f in functions(path)
        if f.end_lineno is not None and f.end_lineno - f.lineno + 1 > MAX_FUNCTION_LINES
    ]

    assert lines <= MAX_MODULE_LINES, f"{shown(path)} has {lines} lines; split it"
    assert long == []


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_public_functions_and_classes_say_what_they_are_for(path: Path) -> None:
    bare = [f"{shown(path)}:{node.lineno} {node.name}" for node in _public(tree(path)) if not ast.get_docstring(node)]

    assert bare == []


def _public(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


def test_modules_are_named_after_what_they_are_about() -> None:
    assert [shown(path) for path in MODULES if path.name in FORBIDDEN_NAMES] == []


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_no_clock_no_environment_and_no_odd_line_ends(path: Path) -> None:
    if shown(path).startswith(MAY_USE_A_CLOCK):
        pytest.skip("measures or shows; makes no verdict")
    calls = [(node.lineno, ast.unparse(node.func)) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
    found = [
        f"{shown(path)}:{line} {name}"
        for line, name in calls
        if any(name == bad or name.endswith(f".{bad}") for bad in FORBIDDEN_CALLS) or name.endswith(".splitlines")
    ]

    assert found == []


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_patterns_are_bounded(path: Path) -> None:
    found = [f"{shown(path)}:{line} {what}" for line, pattern in patterns(path) for what in complaints(pattern)]

    assert found == []


def patterns(path: Path) -> Iterator[tuple[int, str]]:
    """The patterns of a module: those written out in calls of `re`, and the compiled ones it holds."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value
    if path.name == "__main__.py" or shown(path).startswith(COMMAND_LINE):
        return
    try:
        module = importlib.import_module(module_name(path))
    except ModuleNotFoundError:
        if not shown(path).startswith(ADAPTERS):
            raise
        return  # the framework of an adapter is not installed here
    for name, value in sorted(vars(module).items()):
        if isinstance(value, re.Pattern):
            yield 0, str(value.pattern) if name else ""


@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_patterns_made_from_data_are_bounded(language: str) -> None:
    loaded = (Verifier(language=language), lexicon(language), load_splitting(language))
    made = list(reachable(loaded, language, set()))

    assert len(made) > 50
    assert [f"{place}: {what}" for place, pattern in made for what in complaints(pattern)] == []


def reachable(thing: object, place: str, seen: set[int]) -> Iterator[tuple[str, str]]:
    """The patterns that records of ours hold anywhere, each with where."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    parts: dict[object, object] = {}
    if isinstance(thing, re.Pattern):
        yield place, str(thing.pattern)
    elif isinstance(thing, dict):
        parts = dict(thing)
    elif isinstance(thing, list | tuple | set | frozenset):
        parts = dict(enumerate(thing))
    elif type(thing).__module__.startswith("verifier"):
        names = [name for kind in type(thing).__mro__ for name in vars(kind).get("__slots__", ())]
        names += getattr(thing, "__dict__", ())
        parts = {name: getattr(thing, name) for name in names if hasattr(thing, name)}
    for name, part in parts.items():
        yield from reachable(part, f"{place}.{name}", seen)


def test_the_lint_finds_what_it_should() -> None:
    assert complaints(r"[a-z]+")
    assert complaints(r"(?:[a-z]{1,9} ?){1,9}")
    assert complaints(r"\d{1,3}")
    assert complaints(r"(ab)\1")
    assert complaints(r"(?:(ab)c\1)?")
    assert not complaints(r"[0-9]{1,2}([/.])[0-9]{1,2}\1[0-9]{2}")
    assert not complaints(r"[a-z]{1,9}")
    assert not complaints(r"[0-9]{1,3}(?:,[0-9]{3}){0,5}")
    assert not complaints(r"[a-z]{1,9}(?:-[a-z]{1,9}){0,5}")
