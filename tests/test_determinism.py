"""The same verdicts in every process: whatever the hash seed, the locale and the time zone."""

from __future__ import annotations

import os
import subprocess
import sys

from sources import ROOT

PROGRAM = """
import json
from verifier.cli.demo import checked, conversations
for name, rows in conversations():
    for document in rows:
        for turn, verdict in checked(name, document):
            print(json.dumps(verdict.to_dict()), verdict.explain())
"""
PLACES = (
    {"PYTHONHASHSEED": "0", "LANG": "C", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LANG": "pt_BR.UTF-8", "LC_ALL": "pt_BR.UTF-8", "TZ": "America/Sao_Paulo"},
    {"PYTHONHASHSEED": "2", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "TZ": "Pacific/Apia"},
)


def test_hash_seed_locale_and_time_zone_change_no_byte() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env=os.environ | place | {"PYTHONIOENCODING": "utf-8"},
        ).stdout
        for place in PLACES
    ]

    assert said[0]
    assert said[1] == said[0]
    assert said[2] == said[0]
