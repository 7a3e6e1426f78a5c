"""A user's vocabulary: phrases that people use for a tool, from a strict YAML file or a mapping (SPEC 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import data
from verifier.grammar import language_of

if TYPE_CHECKING:
    from verifier.tool import Tool

KEYS = ("settings", "words")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The phrases of each tool, beside those that the tool itself has."""

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def load(cls, source: Any, language: str) -> Vocabulary:
        """Read `settings: {language: en}` and `words: {TOOL: [phrases]}`; None is an empty vocabulary.

        Raises DataError with file, line and column, also where the file is of another language.
        """
        if source is None:
            return cls()
        if isinstance(source, Vocabulary):
            return source
        if isinstance(source, Mapping):
            words = source.get("words", source)
            return cls({str(tool): tuple(map(str, phrases)) for tool, phrases in words.items()})
        return cls(_from_file(Path(source), language))

    def extend(self, tools: Sequence[Tool]) -> tuple[Tool, ...]:
        """The tools with the vocabulary's phrases added to their own."""
        if not self.words:
            return tuple(tools)
        return tuple(
            replace(tool, words=(*tool.words, *self.words[tool.name])) if tool.name in self.words else tool
            for tool in tools
        )


def _from_file(path: Path, language: str) -> dict[str, tuple[str, ...]]:
    file = data.load(path)
    problems = data.Problems()
    data.refuse_unknown_keys(file, KEYS, problems)
    settings = file.get("settings")
    if isinstance(settings, data.YamlMap) and "language" in settings:
        told = str(settings["language"])
        if language_of(told) != language:
            problems.add(
                settings["language"], f"the vocabulary is of language '{told}', the verifier reads '{language}'"
            )
    words = data.expect_map(file.get("words"), "words", problems, file)
    found = {
        str(tool): tuple(map(str, data.expect_texts(phrases, "the phrases of a tool", problems, words)))
        for tool, phrases in words.items()
    }
    problems.check()
    return found
