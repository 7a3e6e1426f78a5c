"""The settings of a verifier: checked once, with the names and defaults of SPEC 4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from verifier import data
from verifier.grammar import language_of

CHOICES = {
    "composer": ("model", "template"),
    "evidence": ("session", "call"),
    "promises": ("auto", "replace", "report"),
    "untooled": ("report", "replace"),
    "omitted": ("auto", "made", "all"),
    "unread": ("pass", "template"),
}
KINDS = ("money", "date", "time", "email", "identifier", "phone", "percent", "count", "url")
RULE_WORDS = ("default", "none", "off")  # `rules:` that names no file
SEED_KINDS = ("money", "date", "email", "identifier")


@dataclass(frozen=True, slots=True)
class Settings:
    """How replies are verified. `values` is None for every kind."""

    language: str = "en"
    phrasing_language: str | None = None
    phrasings: Any = None
    rules: Any = None
    vocabulary: Any = None
    composer: str = "model"
    evidence: str = "session"
    values: tuple[str, ...] | None = None
    promises: str = "auto"
    untooled: str = "report"
    omitted: str = "auto"
    unread: str = "pass"
    final: bool = True
    nothing: str | None = None


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Checked settings. Raises ValueError (TypeError for an unknown name) saying what may stand there instead."""
    known = {field.name for field in fields(Settings)}
    for name in given:
        if name not in known:
            raise TypeError(f"the setting '{name}' is not known; {data.did_you_mean(name, known, 'settings')}")
    for name, choices in CHOICES.items():
        if name in given and given[name] not in choices:
            raise ValueError(f"{name}={given[name]!r:.60} is not possible; it can be {', '.join(choices)}")
    if "final" in given and not isinstance(given["final"], bool):
        raise ValueError(f"final={given['final']!r:.60} is not possible; it can be True or False")
    made = dict(given)
    made["language"] = language_of(str(given.get("language", "en")))
    if given.get("phrasing_language") is not None:
        made["phrasing_language"] = language_of(str(given["phrasing_language"]))
    made["values"] = kinds_of(given.get("values", "all"))
    return Settings(**made)


def kinds_of(values: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """The kinds of values that are checked: None for all, else a tuple. Raises ValueError for an unknown kind."""
    if values is None or values == "all":
        return None
    if values == "seed":
        return SEED_KINDS
    kinds = (values,) if isinstance(values, str) else tuple(values)
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(
                f"values: the kind {kind!r:.60} is not known; it can be all, seed or of {', '.join(KINDS)}"
            )
    return kinds


def read_settings(source: Mapping[str, Any] | str | Path) -> dict[str, Any]:
    """Settings from a mapping or a YAML file, with or without the seed's `replies:` around them.

    Paths in a file are taken from where the file lies. `final` may be written `true` or `false`.
    """
    if isinstance(source, Mapping):
        return dict(source.get("replies", source))
    path = Path(source)
    found = data.load(path)
    inner = found.get("replies", found)
    if not isinstance(inner, data.YamlMap):
        raise data.DataError(f"{data.where(found)}: `replies:` must hold a mapping of settings")
    settings: dict[str, Any] = {str(key): _plain(value) for key, value in inner.items()}
    if settings.get("final") in ("true", "false"):
        settings["final"] = settings["final"] == "true"
    for name in ("phrasings", "vocabulary", "rules"):
        if isinstance(settings.get(name), str) and not (name == "rules" and settings[name] in RULE_WORDS):
            settings[name] = path.parent / settings[name]
    return settings


def _plain(node: Any) -> Any:
    if isinstance(node, Mapping):
        return {str(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(value) for value in node]
    return str(node)
