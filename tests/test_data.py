"""Strict YAML: text only, positions, every mistake of a file at once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from verifier import data
from verifier.data import DataError, Problems, YamlList, YamlMap, YamlText, load, parse_yaml, where


def problems_of(text: str, name: str = "x.yaml") -> tuple[str, ...]:
    with pytest.raises(DataError) as caught:
        load(text, name=name)
    return caught.value.problems


def test_every_scalar_is_text() -> None:
    node = load("words: [no, sim, on, 12:30, 1_000, null, 1.5, ~]\nno: yes\n", name="pt.yaml")
    assert node == {"words": ["no", "sim", "on", "12:30", "1_000", "null", "1.5", "~"], "no": "yes"}
    assert isinstance(node, YamlMap)
    assert isinstance(node["words"], YamlList)
    assert all(isinstance(word, YamlText) for word in node["words"])


def test_positions_of_keys_values_and_items() -> None:
    node = load("a: x\nb:\n  - y\n  - {c: z}\n", name="p.yaml")
    assert [where(key) for key in node] == ["p.yaml:1:1", "p.yaml:2:1"]
    items = node["b"]
    assert isinstance(items, YamlList)
    assert [where(item) for item in items] == ["p.yaml:3:5", "p.yaml:4:5"]
    assert where(node["a"]) == "p.yaml:1:4"
    assert where("plain") == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", "x.yaml:3:1: the key 'a' is written twice"),
        ("a: &n 1\n", "x.yaml:1:4: the anchor '&n' is not allowed"),
        ("a: &n 1\nb: *n\n", "x.yaml:2:4: the alias '*n' is not allowed"),
        ("a: !!int 1\n", "x.yaml:1:4: the tag 'tag:yaml.org,2002:int' is not allowed"),
        ("a: !python/object:os.system x\n", "x.yaml:1:4: the tag '!python/object:os.system' is not allowed"),
        ("a: 1\n---\nb: 2\n", "x.yaml:2:1: a second document starts here"),
        ("[a, b]: c\n", "x.yaml:1:1: a key must be text, not a list"),
        ("a: b: c\n", "x.yaml:1:5: mapping values are not allowed"),
        ("a:\n\t- b\n", "x.yaml:2:1: found character"),
        ("a: @b\n", "x.yaml:1:4: found character"),
        ("a: [b\n", "x.yaml:2:1:"),
        ("", "x.yaml:1:1: the file is empty"),
        ("- a\n", "x.yaml:1:1: the file must hold a mapping"),
        ("[" * 100 + "]" * 100, "x.yaml:1:41: nested deeper than 40 levels"),
        ("a: \x01\n", "x.yaml"),
    ],
)
def test_a_mistake_is_refused_with_its_place(text: str, problem: str) -> None:
    assert any(found.startswith(problem) for found in problems_of(text)), problems_of(text)


def test_all_mistakes_of_a_file_at_once() -> None:
    found = problems_of("a: &n 1\na: !!str 2\nb: *n\n")
    assert sorted(":".join(one.split(":")[1:3]) for one in found) == ["1:4", "2:1", "2:4", "3:4"]


def test_the_pure_python_loader_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: 'x'\nb: [1, {c: d}]\n"
    quick = load(text, name="x.yaml")
    monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    slow = load(text, name="x.yaml")
    assert quick == slow
    assert where(quick["b"]) == where(slow["b"])
    assert problems_of("a: 1\na: 2\n") == ("x.yaml:2:1: the key 'a' is written twice",)


def test_a_file_by_path(tmp_path: Path) -> None:
    path = tmp_path / "é.yaml"
    path.write_bytes("\ufeffa: ação\n".encode())
    assert load(path) == {"a": "ação"} == load(str(path))
    path.write_bytes(b"a: \xe7\n")
    with pytest.raises(DataError, match="byte 3 is not UTF-8"):
        load(path)
    with pytest.raises(DataError, match="cannot be read"):
        load(tmp_path / "none.yaml")


def test_helpers_note_problems_and_go_on() -> None:
    node = load("nmae: x\nlist: text\ntext: [a]\nempty:\nmeant: ''\nwords: [a, b, a]\nlevel: hihg\n", name="h.yaml")
    problems = Problems()
    data.refuse_unknown_keys(node, ["name", "list", "text", "empty", "meant", "words", "level", "gone"], problems)
    assert data.expect_list(node["list"], "list", problems) == []
    assert data.expect_text(node["text"], "text", problems) == ""
    assert data.expect_text(node["empty"], "empty", problems) == ""
    assert data.expect_text(node["meant"], "meant", problems) == ""
    assert data.expect_texts(node["words"], "words", problems) == ("a", "b")
    assert data.expect_choice(node["level"], "level", ("low", "high"), problems) == "low"
    assert data.expect_map(node.get("gone"), "gone", problems, node) == {}
    with pytest.raises(DataError) as caught:
        problems.check()
    assert caught.value.problems == (
        "h.yaml:1:1: the key 'nmae' is not known\n"
        "  did you mean 'name'? keys here: empty, gone, level, list, meant, name, text, words",
        "h.yaml:2:7: list must be a list (`[a, b]` or lines with `- `), not the text 'text'",
        "h.yaml:3:7: text must be a text, not a list",
        "h.yaml:4:7: empty must be a text, not an empty text",
        "h.yaml:6:15: 'a' stands twice in words",
        "h.yaml:7:8: level cannot be 'hihg'\n  did you mean 'high'? allowed: high, low",
        "h.yaml:1:1: gone is missing\n  write a mapping (`key: value`)",
    )
    Problems().check()


def test_folders_are_found_and_missing_ones_said() -> None:
    for name in ("grammars", "phrasings", "rules"):
        assert any(entry.name.endswith(".yaml") for entry in data.folder(name).iterdir())
    with pytest.raises(DataError, match="adapters/ is missing"):  # a folder of modules
        data.folder("adapters")
    with pytest.raises(DataError, match="nothing_here/ is missing from the installed package"):
        data.folder("nothing_here")


def test_one_problem_or_many() -> None:
    assert DataError("one").problems == ("one",)
    assert str(DataError(["one", "two"])) == "one\ntwo"
    assert parse_yaml("x", "n") == "x"
