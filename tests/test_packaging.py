"""The wheel, installed away from the checkout, holds the data and gives the same verdict."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Iterable
from pathlib import Path

import pytest
from sources import ROOT

pytestmark = pytest.mark.slow
DATA = ("grammars", "rules", "phrasings")
VERDICT = """
import json
from verifier import Ledger, Tool, verify
ledger = Ledger(tools=[Tool("get_order", write=False), Tool("refund_card", write=True)])
ledger.record("refund_card", {"order_id": "4412", "amount": 12.50}, outcome="done")
print(json.dumps(verify("I've refunded 15.00 pounds to your card for order 4412.", ledger).to_dict()))
"""
FILES = """
import hashlib, json
from pathlib import Path
import verifier
home = Path(verifier.__file__).parent
print(json.dumps({p.relative_to(home).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
                  for p in home.rglob("*") if p.is_file() and "__pycache__" not in p.parts}))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment into which only the wheel was installed; libraries are this one's."""
    folder = tmp_path_factory.mktemp("packaging")
    dist, home = folder / "dist", folder / "venv"
    run(sys.executable, "-m", "hatchling", "build", "--directory", str(dist), cwd=ROOT)
    venv.create(home, with_pip=False)
    python = next(path for path in (home / "bin" / "python", home / "Scripts" / "python.exe") if path.exists())
    (wheel,) = dist.glob("*.whl")
    install = ("install", "--no-deps", "--no-index", "--quiet", str(wheel))
    run(sys.executable, "-m", "pip", "--python", str(python), *install)
    # A .pth line adds the libraries of this environment but runs none of its .pth files: no editable checkout gets in.
    site = run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    libraries = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    Path(site, "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    return python


def run(*command: str, cwd: Path | None = None) -> str:
    """What a command prints; its errors are shown where it fails."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def hashes(paths: Iterable[Path], home: Path) -> dict[str, str]:
    return {
        path.relative_to(home).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_package_and_the_data_folders(python: Path, tmp_path: Path) -> None:
    installed = json.loads(run(str(python), "-c", FILES, cwd=tmp_path))
    package = hashes((ROOT / "verifier").rglob("*"), ROOT / "verifier")
    data = {name: found for folder in DATA for name, found in hashes((ROOT / folder).rglob("*"), ROOT).items()}

    assert installed == package | data


def test_the_installed_package_gives_the_same_verdict(python: Path, tmp_path: Path) -> None:
    assert run(str(python), "-c", VERDICT, cwd=tmp_path) == run(sys.executable, "-c", VERDICT, cwd=ROOT)


def test_nothing_lands_beside_the_package(python: Path) -> None:
    site = Path(run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    beside = sorted(path.name for path in site.iterdir() if path.name != "libraries.pth")

    assert [name for name in beside if not name.startswith("reply_verifier-")] == ["verifier"]


def test_the_sdist_holds_what_a_wheel_is_built_from(python: Path) -> None:
    (sdist,) = (python.parents[2] / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}

    assert {"verifier", *DATA, "tests", "README.md", "LICENSE", "pyproject.toml"} <= tops


LOCKS = ("requirements.lock", "frameworks.lock")


@pytest.mark.parametrize("lock", LOCKS)
def test_the_locks_name_no_registry_and_no_path_and_pin_everything_by_hash(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").split("\n")

    assert [line for line in lines if "://" in line or line.startswith(("-", "/")) or " @ " in line] == []
    assert all(line.endswith(" \\") for line in lines if line[:1].isalnum())


def test_the_locks_agree_and_the_second_has_what_the_adapters_tests_import() -> None:
    less, more = ({line.split(" ")[0] for line in (ROOT / lock).open() if "==" in line} for lock in LOCKS)
    names = {pin.partition("==")[0] for pin in more - less}

    assert less < more
    assert {"langchain", "openai-agents", "pydantic-ai-slim", "opentelemetry-sdk", "pyarrow", "daft"} <= names
