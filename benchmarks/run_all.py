"""Run every measurement and write what it printed to RESULTS.md: `python -m benchmarks.run_all [--skip speed]`."""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

from benchmarks import bench, inject, labels, rules, speed

RESULTS = Path(__file__).with_name("RESULTS.md")
NOTES = Path(__file__).with_name("NOTES.md")  # what a person read in the figures; stands at the top of the page
PARTS: dict[str, tuple[str, str, Callable[[Sequence[str]], int]]] = {
    "labels": ("Replies labelled by hand", "How a verdict agrees with the labels of each sentence.", labels.main),
    "bench": ("Stored conversations", "What is changed in real replies; nobody labelled these.", bench.main),
    "inject": ("Injected faults", "True sentences made false, and whether that very sentence goes.", inject.main),
    "rules": ("Reply rules", "Personal data, made up, and what the rules find in real replies.", rules.main),
    "speed": ("Speed", "Ratios within one run on two shared cores, CPython 3.11; goals beside them.", speed.main),
}
HEAD = """# Results

Written by `python -m benchmarks.run_all`; do not edit. Intervals are exact (Clopper-Pearson, 95 %), rounded outward.
The conversations and labels stand beside the checkout and are not part of the project.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the parts and write the page; give 1 where one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run_all", description=__doc__)
    parser.add_argument("--skip", action="append", choices=tuple(PARTS), default=[], help="leave a part out")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the page to write (default: benchmarks/RESULTS.md)")
    options = parser.parse_args(argv)
    failed, page = False, [HEAD, NOTES.read_text(encoding="utf-8")]
    for name, (title, what, run) in PARTS.items():
        if name not in options.skip:
            code, printed = captured(run)
            failed |= code != 0
            # The most frequent tools of stored conversations are no figures, and their names are not ours.
            lines = printed.splitlines(keepends=True)
            printed = "".join(line for line in lines if " · " not in line and "combinations" not in line)
            page.append(f"## {title}\n\n{what}\n`python -m benchmarks.{name}`\n\n```\n{printed}```\n")
    options.out.write_text("\n".join(page), encoding="utf-8")
    print("\n".join(page))
    return 1 if failed else 0


def captured(run: Callable[[Sequence[str]], int]) -> tuple[int, str]:
    """Give what `run` returned and printed."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = run([])
    return code, printed.getvalue()


if __name__ == "__main__":
    raise SystemExit(main())
