"""What importing the package costs, and which module may import which."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ["spacy", "numpy", "phonenumbers", "email_validator", "dateutil", "yaml", "typer", "rich", "hypothesis", "scipy"]


def test_importing_the_package_loads_no_library_and_no_module_of_its_own() -> None:
    code = "import sys, verifier; print(*sorted(m for m in sys.modules if m.startswith('verifier')), *set(sys.modules) & set(%r))"

    printed = subprocess.run([sys.executable, "-c", code % HEAVY], capture_output=True, text=True, check=True).stdout

    assert printed.split() == ["verifier"]
