"""Sentences of many trades in Brazilian Portuguese, each as a reply: the true ones stay, the false ones go.

The scenes were written for this project. `left` are false sentences that pass today: known limits, strictly expected.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.material import SETS, SHARED, readers
from benchmarks.scoring import score
from verifier import Ledger, Tool, Verifier

SCENES = yaml.safe_load((Path(__file__).parent / "data" / "scenes.pt-BR.yaml").read_text(encoding="utf-8"))["scenes"]
VERIFIER = Verifier(language="pt-BR")


def sentences(kind: str) -> list[Any]:
    """Each sentence of a kind with its scene."""
    return [
        pytest.param(scene, text, id=f"{scene['name']}: {text}") for scene in SCENES for text in scene.get(kind, ())
    ]


def ledger_of(scene: dict[str, Any]) -> Ledger:
    """What the run of a scene recorded."""
    tools = [Tool(name, write=True) for name in scene["tools"]] + [Tool(name, write=False) for name in scene["reads"]]
    ledger = Ledger(tools=tools)
    for tool, arguments, outcome, result in scene["calls"]:
        reason = result.get("erro", "") if isinstance(result, dict) else ""
        ledger.record(tool, arguments, outcome=outcome, result=result, reason=reason)
    return ledger


def stays(scene: dict[str, Any], text: str) -> bool:
    """Is the sentence kept as it is?"""
    return VERIFIER.verify(text, ledger_of(scene)).text.startswith(text)


def without_accents(text: str) -> str:
    """As people type on a telephone."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


@pytest.mark.parametrize(("scene", "text"), sentences("kept"))
def test_true_sentences_stay(scene: dict[str, Any], text: str) -> None:
    assert stays(scene, text)


@pytest.mark.parametrize(("scene", "text"), sentences("gone"))
def test_false_sentences_go(scene: dict[str, Any], text: str) -> None:
    assert not stays(scene, text)


@pytest.mark.xfail(strict=True, reason="docs/limits.md: Portuguese sentences that pass")
@pytest.mark.parametrize(("scene", "text"), sentences("left"))
def test_known_limits(scene: dict[str, Any], text: str) -> None:
    assert not stays(scene, text)


def test_accents_hardly_matter() -> None:
    worse = [
        text
        for kind, kept in (("kept", True), ("gone", False))
        for scene, text in (param.values for param in sentences(kind))
        if stays(scene, without_accents(text)) is not kept
    ]
    assert len(worse) <= 2, worse


@pytest.mark.parametrize("name", ["trades-pt", "pt"])
def test_accents_hardly_matter_in_labelled_replies(name: str) -> None:
    if not (SHARED / SETS[name]).exists():
        pytest.skip("the labelled replies lie beside the checkout")
    worse = []
    for key, build in readers(name):
        case = build()
        bare = without_accents(case.reply)
        assert len(bare) == len(case.reply)  # the labels' places hold
        plain = score(case, VERIFIER.verify(case.reply, case.ledger))
        typed = score(replace(case, reply=bare), VERIFIER.verify(bare, case.ledger))
        for one, other in zip(plain.sentences, typed.sentences, strict=True):
            right = one.rewritten is not one.label.keep
            if right and other.rewritten is not one.rewritten:
                worse.append(f"{key}: {one.label.text}")
    assert len(worse) <= 2, worse
