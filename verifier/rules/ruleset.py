"""A rule set: ours, a user's own, or both; from files (one rule a file) or from objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.data import (
    DataError,
    Problems,
    YamlList,
    YamlMap,
    YamlText,
    expect_map,
    expect_texts,
    folder,
    read_yaml,
    refuse_unknown_keys,
)
from verifier.rules.held import DIGITS, find_emails
from verifier.rules.letters import fold_text
from verifier.rules.phrases import find as find_phrases
from verifier.rules.rule import KINDS, LANGUAGES, Banned, Pii, Rule
from verifier.rules.rule_file import read_rule, read_said

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from verifier.data import Node

FOLDER = "rules/reply"
OFF = ("none", "off")
DEFAULT = "default"
SET_KEYS = ("defaults", "allowed", "region", "nothing", "without", "rules")


@dataclass(frozen=True, slots=True)
class Plan:
    """The rules of a set for one language, by kind."""

    offers: tuple[Rule, ...] = ()
    banned: tuple[Rule, ...] = ()
    pii: tuple[Rule, ...] = ()
    required: tuple[Rule, ...] = ()
    streets: bool = False
    adds: bool = False  # whether a rule can add to a reply what it does not take out of it

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return bool(self.offers or self.banned or self.pii or self.required)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules in the order in which they are applied. Read-only, so threads share it."""

    rules: tuple[Rule, ...] = ()
    plans: Mapping[str, Plan] = None  # type: ignore[assignment]
    empty: Mapping[str, str] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Sort the rules and plan each language."""
        ordered = tuple(sorted(self.rules, key=lambda rule: (KINDS.index(rule.kind), rule.id)))
        object.__setattr__(self, "rules", ordered)
        object.__setattr__(self, "plans", {language: _plan(ordered, language) for language in LANGUAGES})
        object.__setattr__(self, "empty", dict(self.empty or {}))

    def plan(self, language: str) -> Plan:
        """The rules for a language."""
        return self.plans.get(language) or Plan()

    def nothing(self, language: str) -> str:
        """The sentence that stands where the rules left nothing; empty where the set words none."""
        return self.empty.get(language) or self.empty.get("", "")


def _plan(rules: Sequence[Rule], language: str) -> Plan:
    mine = [rule for rule in rules if rule.enabled and rule.reads(language)]
    kinds = {kind: tuple(rule for rule in mine if rule.kind == kind) for kind in KINDS}
    streets = any(
        isinstance(rule.detail, Pii) and rule.detail.find == "address" and "calls" not in rule.detail.allow_from
        for rule in mine
    )
    return Plan(**kinds, streets=streets, adds=bool(kinds["required"]) or any(map(_appends, mine)))


def _appends(rule: Rule) -> bool:
    return rule.action == "append" or (isinstance(rule.detail, Banned) and "append" in rule.detail.actions.values())


def load(source: Any = None) -> RuleSet:
    """A rule set: None or "default" is ours, False or "none" is empty, a path is a file or a folder of YAML files.

    A mapping is one rule, or a set (`rules`, `defaults`, `allowed`, `region`, `nothing`, `without`); a list is
    several of them. Raises `DataError` with every mistake, and TypeError for anything else.
    """
    if isinstance(source, RuleSet):
        return source
    if source is None or source is True or source == DEFAULT:
        return _ours()
    if source is False or (isinstance(source, str | Path) and str(source) in OFF):
        return RuleSet()
    problems = Problems()
    if isinstance(source, str | Path):
        entries = _read(Path(source), problems)
    elif isinstance(source, Mapping):
        entries = [_node(source, "rules")]
    elif isinstance(source, Sequence):
        entries = [_node(one, f"rules/{at}") for at, one in enumerate(source)]
    else:
        raise TypeError(f"rules={source!r:.60} is not possible; it can be a path, a mapping, a list, None or False")
    made = _made(entries, problems)
    if problems.found:
        raise DataError([problem.replace(":0:0", "") for problem in problems.found])
    return made


@cache
def _ours() -> RuleSet:
    problems = Problems()
    made = _made(_read(folder("rules") / "reply", problems), problems)
    problems.check()
    return made


def _read(path: Path | Traversable, problems: Problems) -> list[Node]:
    """The files of a folder by name, or one file; every mistake of each is noted."""
    files: Iterable[Any] = [path]
    if path.is_dir():
        files = sorted((one for one in path.iterdir() if one.name.endswith(".yaml")), key=lambda one: one.name)
    found = []
    for file in files:
        try:
            found.append(read_yaml(file))
        except DataError as error:
            problems.found.extend(error.problems)
    if not found and not problems.found:
        problems.add(None, f"{path}: no rule file (*.yaml) here")
    return found


def _node(value: Any, place: str) -> Node:
    """An object as the node that a file would give; its place in messages is its key."""
    node: Node
    if isinstance(value, Mapping):
        node = YamlMap()
        for key, child in value.items():
            node[_node(str(key), f"{place}/{key}")] = _node(child, f"{place}/{key}")  # type: ignore[index]
    elif isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        node = YamlList(_node(child, f"{place}/{at}") for at, child in enumerate(items))
    else:
        node = YamlText({True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value))
        node.quoted = True
    node.file, node.line, node.column = place, 0, 0
    return node


# Making a set --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Wanted:
    """What the entries ask for beside their rules."""

    defaults: bool = False
    allowed: tuple[str, ...] = ()
    region: str = ""
    nothing: Mapping[str, str] = None  # type: ignore[assignment]
    without: tuple[str, ...] = ()


def _made(entries: Sequence[Node], problems: Problems) -> RuleSet:
    wanted = _Wanted()
    rules: dict[str, Rule] = {}
    for entry in entries:
        for node in _rules_in(entry, wanted, problems):
            rule = read_rule(node, problems)
            if rule.id in rules:
                problems.add(node, f"there are two rules '{rule.id}'", "give one of them another id")
            rules[rule.id] = rule
    if wanted.defaults:
        rules = {rule.id: rule for rule in _ours().rules} | rules
    for unknown in sorted(set(wanted.without) - set(rules)):
        problems.add(unknown, f"`without` names no rule of the set: '{unknown}'")
    kept = [rule for key, rule in rules.items() if key not in wanted.without]
    texts = [text for rule in kept for text in (*rule.texts.values(), *_own_texts(rule))]
    wanted.allowed += tuple(address for text in texts for address in _addresses_in(text))
    chosen = [_with_settings(rule, wanted) for rule in kept]
    _refuse_texts_that_fire(chosen, problems)
    return RuleSet(tuple(chosen), empty=wanted.nothing)


def _rules_in(entry: Node, wanted: _Wanted, problems: Problems) -> Iterable[YamlMap]:
    """The rules of an entry: itself, or those of a set, whose settings are noted."""
    node = expect_map(entry, "a rule", problems)
    if not ({"rules", "defaults", "allowed", "nothing", "without", "region"} & node.keys()) or "kind" in node:
        return [node]
    refuse_unknown_keys(node, SET_KEYS, problems)
    wanted.defaults = wanted.defaults or str(node.get("defaults", "no")) in ("yes", "true")
    wanted.region = str(node.get("region", wanted.region))
    if "allowed" in node:
        wanted.allowed += tuple(map(str, expect_texts(node["allowed"], "allowed", problems)))
    if "without" in node:
        wanted.without += tuple(map(str, expect_texts(node["without"], "without", problems)))
    if "nothing" in node:
        wanted.nothing = read_said(node["nothing"], "nothing", problems)
    inner = node.get("rules")
    if inner is None:
        return []
    if not isinstance(inner, YamlList):
        problems.add(inner, "rules must be a list of rules")
        return []
    return [expect_map(one, "a rule", problems) for one in inner]


def _addresses_in(text: str) -> Iterator[str]:
    """The addresses and numbers of a text that a rule inserts: whoever wrote the rule lets them stand."""
    yield from (text[start:end] for start, end in find_emails(text))
    yield from DIGITS.findall(text)


def _with_settings(rule: Rule, wanted: _Wanted) -> Rule:
    """A rule about personal data with the allow-list and the region of its set."""
    if not isinstance(rule.detail, Pii) or not (wanted.allowed or wanted.region):
        return rule
    regions = {"": wanted.region} if wanted.region else rule.detail.regions
    detail = replace(rule.detail, allowed=(*rule.detail.allowed, *wanted.allowed), regions=regions)
    return replace(rule, detail=detail)


def _refuse_texts_that_fire(rules: Sequence[Rule], problems: Problems) -> None:
    """What a rule inserts must not be banned by another: applying the rules again would change it."""
    for rule in rules:
        if not isinstance(rule.detail, Banned) or not rule.enabled:
            continue
        for other in rules:
            for text in (*other.texts.values(), *_own_texts(other)):
                found = find_phrases(fold_text(text), rule.detail.phrases)
                if found and other.enabled:
                    what = f"{other.place or other.id}: inserts “{found[0].phrase.written}”, which '{rule.id}' bans"
                    problems.add(None, what, "word it without the phrase")


def _own_texts(rule: Rule) -> Iterable[str]:
    if isinstance(rule.detail, Banned):
        for texts in rule.detail.texts.values():
            yield from texts.values()
