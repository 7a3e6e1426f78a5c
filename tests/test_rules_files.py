"""Rule files: strict, every mistake with file, line and column; examples that fire and that must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.data import DataError
from verifier.rules import RuleSet, load
from verifier.rules.examples import problems_of

BANNED = """id: no-hype
kind: banned
languages: [en]
action: mask
phrases: [best ever]
"""


def test_the_examples_of_our_rules_hold() -> None:
    assert list(problems_of(load().rules)) == []


def test_one_rule_a_file_named_after_it() -> None:
    assert [rule.place for rule in load().rules] == [f"{rule.id}.yaml:{_line(rule.place)}:1" for rule in load().rules]


def _line(place: str) -> str:
    return place.split(":")[1]


def test_by_default_personal_data_is_masked_and_offers_are_reported() -> None:
    enabled = {(rule.kind, rule.action) for rule in load().rules if rule.enabled}

    assert enabled == {("pii", "mask"), ("offers", "report")}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("kind: baned", "rule.yaml:2:7: kind cannot be 'baned'\n  did you mean 'banned'?"),
        ("action: hide", "rule.yaml:4:9: action cannot be 'hide'"),
        ("languages: [fr]", "rule.yaml:3:13: the language 'fr' is not read"),
        ("languages: []", "rule.yaml:3:12: languages is empty"),
        ("phrases: [..3]", "rule.yaml:5:11: a phrase needs a word that must stand there"),
        ("phrases: [a* b]", "rule.yaml:5:11: `a*`: three letters or more must stand before the `*`"),
        ("phrases: [one ..30 two]", "rule.yaml:5:11: `..30` skips too many words"),
        ("phrases: best ever", "rule.yaml:5:10: phrases must be a list"),
        ("colour: red", "the key 'colour' is not known"),
        ("action: replace", "rule.yaml:1:1: text is missing for en"),
        ("enabled: perhaps", "enabled cannot be 'perhaps'"),
    ],
)
def test_a_mistake_names_its_place(tmp_path: Path, change: str, expected: str) -> None:
    key = change.split(":")[0]
    lines = [change if line.startswith(f"{key}:") else line for line in BANNED.splitlines()]
    (tmp_path / "rule.yaml").write_text("\n".join(lines if change in lines else [*lines, change]), encoding="utf-8")

    with pytest.raises(DataError) as error:
        load(tmp_path)

    assert expected in str(error.value)


def test_all_mistakes_of_all_files_come_together(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BANNED.replace("banned", "band"), encoding="utf-8")
    (tmp_path / "b.yaml").write_text("id: x\nid: y\n", encoding="utf-8")

    with pytest.raises(DataError) as error:
        load(tmp_path)

    assert [problem.split(":")[0] for problem in error.value.problems][-1] == "a.yaml"
    assert any("b.yaml:2:1: the key 'id' is written twice" in problem for problem in error.value.problems)


def test_a_file_a_folder_a_mapping_and_a_list_give_the_same(tmp_path: Path) -> None:
    (tmp_path / "no-hype.yaml").write_text(BANNED, encoding="utf-8")
    rule = {"id": "no-hype", "kind": "banned", "languages": ["en"], "action": "mask", "phrases": ["best ever"]}
    sources = (tmp_path, str(tmp_path / "no-hype.yaml"), rule, [rule], {"rules": [rule]})

    assert [[one.id for one in load(source).rules] for source in sources] == [["no-hype"]] * 5


def test_a_mistake_in_an_object_names_its_key() -> None:
    with pytest.raises(DataError, match=r"^rules/0/kind: kind cannot be 'x'"):
        load([{"id": "a", "kind": "x", "languages": "any", "action": "mask"}])


def test_a_set_takes_ours_with_an_allow_list_a_region_and_without_a_rule() -> None:
    ours = load()
    made = load({"defaults": True, "allowed": ["@shop.com"], "region": "GB", "without": ["ip"]})

    assert {rule.id for rule in ours.rules} - {rule.id for rule in made.rules} == {"ip"}


def test_a_rule_that_bans_what_another_inserts_is_refused() -> None:
    bans = {"id": "a", "kind": "banned", "languages": "any", "action": "mask", "phrases": ["great deal"]}
    says = {
        "id": "b",
        "kind": "required",
        "languages": "any",
        "action": "append",
        "text": "What a great deal!",
        "when": {"always": True},
    }

    with pytest.raises(DataError, match="inserts “great deal”, which 'a' bans"):
        load([bans, says])


@pytest.mark.parametrize("off", [False, "none", "off"])
def test_rules_can_be_turned_off(off: object) -> None:
    assert load(off) == RuleSet()


def test_anything_else_is_refused() -> None:
    with pytest.raises(TypeError, match="rules=3 is not possible"):
        load(3)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no rule file"):
        load(tmp_path)
