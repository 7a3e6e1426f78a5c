"""What importing the package costs, and which module may import which."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sources import MODULES, ROOT, module_name, shown, tree

HEAVY = (
    "spacy", "numpy", "phonenumbers", "email_validator", "dateutil", "yaml", "typer", "rich", "hypothesis", "scipy",
)
# Downward only: a module imports from its own line or from one above it. Everything that is not listed is free to
# import what it needs, but no line of this list may import it.
LAYERS = (
    ("verifier.model", "verifier.data", "verifier.frozen"),
    ("verifier.tool", "verifier.call", "verifier.ledger", "verifier.claims", "verifier.text", "verifier.lines"),
    ("verifier.splitter", "verifier.grammar", "verifier.values"),
    ("verifier.reader", "verifier.facts", "verifier.evidence"),
    ("verifier.linker",),
    ("verifier.checker",),
    ("verifier.phrasing", "verifier.repairs", "verifier.appender", "verifier.splice", "verifier.verdict"),
    ("verifier.verify",),
)
ON_TOP = ("verifier.cli", "verifier.adapters", "verifier.evaluation", "verifier.bench", "verifier.strategies")


def test_importing_the_package_loads_no_library_and_no_module_of_its_own() -> None:
    loaded = _loaded_after("import verifier")

    assert [name for name in loaded if name.startswith("verifier")] == ["verifier"]
    assert _heavy(loaded) == []


def test_making_a_ledger_loads_no_language_library() -> None:
    loaded = _loaded_after("import verifier; verifier.Ledger, verifier.Tool, verifier.Outcome")

    assert [name for name in _heavy(loaded) if name != "yaml"] == []


def test_every_public_name_is_there_and_stays_what_it_is() -> None:
    code = (
        "import verifier, verifier.verify\n"
        "for name in verifier.__all__: getattr(verifier, name)\n"
        "assert callable(verifier.verify), verifier.verify\n"
        "from verifier import *"
    )

    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def _loaded_after(code: str) -> list[str]:
    program = f"{code}\nimport sys\nprint(*sorted(sys.modules))"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()


def _heavy(loaded: list[str]) -> list[str]:
    return [name for name in HEAVY if name in loaded]


def imports(path: Path) -> Iterator[str]:
    """The modules of ours that a module imports anywhere, but for type checking."""
    skipped = {id(inner) for node in ast.walk(tree(path)) if _is_type_checking(node) for inner in ast.walk(node)}
    for node in ast.walk(tree(path)):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "verifier":
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "verifier")


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_imports_go_downward() -> None:
    upward = [
        f"{shown(path)} imports {name}"
        for path in MODULES
        for name in imports(path)
        if _layer(module_name(path)) is not None and _reaches_up(module_name(path), name)
    ]

    assert upward == []


def _reaches_up(module: str, imported: str) -> bool:
    own, other = _layer(module), _layer(imported)
    return _within(imported, ON_TOP) or (own is not None and other is not None and other > own)


def _layer(module: str) -> int | None:
    return next((at for at, names in enumerate(LAYERS) if _within(module, names)), None)


def _within(module: str, names: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)
