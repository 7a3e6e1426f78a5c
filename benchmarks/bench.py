"""What the verifier does to the stored conversations: `python -m benchmarks.bench [PATH…] [--out F] [--compare F]`.

Conversations whose calls were not recorded (`-noledger`) are left out: nothing in them can be judged.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.material import SHARED
from verifier.bench import files_of, run_command

# In a noexec file the model wrote its calls as text and nothing ran: what it says was done is false.
GROUPS = {
    "calls that ran": lambda record: "-noexec" not in record.file,
    "calls that never ran": lambda record: "-noexec" in record.file,
}


def judged_files(paths: Sequence[Path]) -> list[Path]:
    """Give the files of the corpus in which what was done is known."""
    return [path for path in files_of(paths) if "-noledger" not in path.name]


def main(argv: Sequence[str] | None = None) -> int:
    """Verify the corpus and print what was done; give 1 where a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[SHARED / "corpus"])
    parser.add_argument("--out", type=Path, help="write every change to a file of JSON Lines, for reading")
    parser.add_argument("--compare", type=Path, help="list the sentences treated otherwise than in an earlier --out")
    parser.add_argument("--inject", action="store_true", help="run benchmarks.inject instead")
    options = parser.parse_args(argv)
    if options.inject:
        from benchmarks.inject import main as inject

        return inject([])
    started = time.perf_counter()
    code = run_command(judged_files(options.paths), out=options.out, against=options.compare, groups=GROUPS)
    print(f"{time.perf_counter() - started:.1f} s, each reply verified twice")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
