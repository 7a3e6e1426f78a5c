"""The sentence that tells a call's outcome: the user's wording of a tool, else the language's default.

Defaults stand in `phrasings/<language>.yaml` (SPEC 5, word for word); a user's file is `TOOL: {OUTCOME: "text"}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.data import (
    Node,
    Problems,
    YamlMap,
    YamlText,
    did_you_mean,
    expect_map,
    expect_text,
    expect_texts,
    folder,
    load,
    refuse_unknown_keys,
    where,
)
from verifier.model import Outcome
from verifier.wording import (
    MAX_REASON_CHARS,
    Words,
    at_line_start,
    in_words,
    name_in_words,
    neutral,
    with_arguments,
)

if TYPE_CHECKING:
    from verifier.ledger import Call

LANGUAGES = {"en": "en", "pt-BR": "pt-BR", "pt": "pt-BR"}
SLOTS = ("action", "Action", "with", "because", "reason")
VALUE_SLOTS = ("argument", "result")
MAX_PHRASE_CHARS = 2000

Part = str | tuple[str, str]  # a literal text, or a slot: its name and what follows the dot


@dataclass(frozen=True, slots=True)
class Template:
    """A phrasing in parts, its slots told apart from its words once, when it is loaded."""

    parts: tuple[Part, ...]
    place: str = ""

    @property
    def anchor(self) -> str:
        """The longest literal: a text without it holds no rendering of this template."""
        return max((part for part in self.parts if isinstance(part, str)), key=len, default="")

    def render(self, call: _Told, words: Words) -> str | None:
        """The sentence about a call, or None where a named argument, result or reason was not recorded."""
        pieces: list[str] = []
        for part, following in zip(self.parts, (*self.parts[1:], ""), strict=True):
            if isinstance(part, str):
                pieces.append(part)
                continue
            text = _slot(part, call, words)
            if text is None:
                return None
            if isinstance(following, str) and following[:1] == ".":
                text = text.rstrip(".")  # the phrasing closes the sentence
            pieces.append(text if pieces or part[0] == "Action" else at_line_start(text))
        return "".join(pieces)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a phrasing may speak of: the parts of a call, or a tool that was never called."""

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    result: object = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Phrasings:
    """The phrasings of one language and a user's own ones. Make it with `Phrasings.load`."""

    language: str
    words: Words
    defaults: Mapping[Outcome, Template]
    own: Mapping[str, Mapping[Outcome, Template]]
    nothing: str
    connectors: tuple[str, ...]

    @classmethod
    def load(
        cls,
        language: str = "en",
        user: str | Path | Mapping[str, Mapping[str, str]] | None = None,
        *,
        nothing: str | None = None,
    ) -> Phrasings:
        """The phrasings of a language, with a user's own (a file's path, or a mapping as the file holds it).

        `nothing` is what the template composer says in a turn without a write. Raises `DataError` for a wrong
        file (every mistake with file, line and column) and `ValueError` for a language that is not spoken.
        """
        if language not in LANGUAGES:
            raise ValueError(f"there are no phrasings for {language!r}; languages: {', '.join(LANGUAGES)}")
        ours = _defaults(LANGUAGES[language])
        return cls(
            language=ours.language,
            words=ours.words,
            defaults=ours.defaults,
            own=_own(user),
            nothing=ours.nothing if nothing is None else nothing,
            connectors=ours.connectors,
        )

    def say(self, call: Call) -> str:
        """The sentence about a call in its outcome; the default where the user's text names what is not recorded."""
        told = _Told(call.tool, call.arguments, call.result, call.reason)
        return self._say(Outcome(call.outcome), told)

    def say_not_attempted(self, tool: str) -> str:
        """The sentence about a tool that was never called."""
        return self._say(Outcome.NOT_ATTEMPTED, _Told(tool))

    def words_outcome(self, tool: str, outcome: Outcome) -> bool:
        """Whether the user's file words this outcome of this tool."""
        return outcome in self.own.get(tool, ())

    def anchors(self, tool: str, outcome: Outcome) -> tuple[str, ...]:
        """Literal texts of which one stands in every rendering of this outcome (a cheap test before rendering)."""
        own = self.own.get(tool, {}).get(outcome)
        default = self.defaults[outcome].anchor
        return (default,) if own is None else (own.anchor, default)

    def _say(self, outcome: Outcome, told: _Told) -> str:
        own = self.own.get(told.tool, {}).get(outcome)
        said = own.render(told, self.words) if own else None
        return self.defaults[outcome].render(told, self.words) or "" if said is None else said


def _slot(slot: tuple[str, str], call: _Told, words: Words) -> str | None:
    """What stands in a slot; None where the value that it names was not recorded (null is not)."""
    name, key = slot
    if name == "with":
        return with_arguments(call.arguments, words)
    if name in ("action", "Action"):
        action = name_in_words(call.tool)
        return action if name == "action" else action[:1].upper() + action[1:]
    if name in ("because", "reason"):
        reason = neutral(call.reason, MAX_REASON_CHARS)
        if name == "because":
            return f": {reason}" if reason else ""
        return reason or None
    return in_words(_at(call.arguments if name == "argument" else call.result, key), words) or None


def _at(value: object, key: str) -> object:
    """The value under a key, or under a path of keys and list positions joined by dots; None where there is none."""
    if isinstance(value, Mapping) and key in value:
        return value[key]
    for step in key.split("."):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list | tuple) and step.isascii() and step.isdigit() and len(step) < 7:
            value = value[int(step)] if int(step) < len(value) else None
        else:
            return None
    return value


def parse(text: str, what: str, problems: Problems) -> Template:
    """The parts of a phrasing; each wrong slot is noted with its line and column. `{{` and `}}` are plain braces."""
    parts: list[Part] = []
    at = 0
    if len(text) > MAX_PHRASE_CHARS:
        problems.add(text, f"{what}: a phrasing has at most {MAX_PHRASE_CHARS} characters, not {len(text)}")
        return Template(())
    while at < len(text):
        here = next((i for i in range(at, len(text)) if text[i] in "{}"), len(text))
        _literal(parts, text[at:here])
        at = here
        if text[at : at + 2] in ("{{", "}}"):
            _literal(parts, text[at])
            at += 2
        elif at < len(text):
            close = text.find("}", at)
            if text[at] == "}" or close < 0:
                found = f"{what}: the '{text[at]}' has no partner"
                problems.add(_spot(text, at), found, "write {{ or }} for a plain brace")
                break
            parts.extend(_slot_of(text, at, close, what, problems))
            at = close + 1
    return Template(tuple(parts), where(text))


def _literal(parts: list[Part], text: str) -> None:
    """Add a literal, joined to the one before it."""
    if text and parts and isinstance(parts[-1], str):
        parts[-1] += text
    elif text:
        parts.append(text)


def _slot_of(text: str, start: int, close: int, what: str, problems: Problems) -> Iterator[Part]:
    """The slot between two braces, if it is one that we know."""
    name, dot, key = text[start + 1 : close].partition(".")
    if (name in SLOTS and not dot) or (name in VALUE_SLOTS and key):
        yield name, key
        return
    slot = text[start : close + 1]
    if name in VALUE_SLOTS:
        problems.add(_spot(text, start), f"{what}: the slot {slot} lacks a name", f"write {{{name}.NAME}}")
        return
    known = [*(f"{{{one}}}" for one in SLOTS), *(f"{{{one}.NAME}}" for one in VALUE_SLOTS)]
    problems.add(_spot(text, start), f"{what}: the slot {slot} is not known", did_you_mean(slot, known, "slots"))


def _spot(text: str, offset: int) -> object:
    """A position inside a scalar of a file (its quotes count; exact for a text on one line)."""
    if not isinstance(text, YamlText):
        return text
    spot = YamlText(text[offset:])
    spot.file, spot.line, spot.quoted = text.file, text.line, text.quoted
    spot.column = text.column + offset + (1 if text.quoted else 0)
    return spot


def _own(user: str | Path | Mapping[str, Mapping[str, str]] | None) -> Mapping[str, Mapping[Outcome, Template]]:
    """A user's phrasings, checked. A mapping gets messages with its keys in place of line and column."""
    if user is None:
        return {}
    problems = Problems()
    source: Mapping[str, object] = user if isinstance(user, Mapping) else load(user)
    own = {str(tool): dict(_outcomes(tool, said, problems)) for tool, said in source.items()}
    problems.check()
    return own


def _outcomes(tool: str, said: object, problems: Problems) -> Iterator[tuple[Outcome, Template]]:
    """The phrasings of one tool."""
    if not isinstance(said, Mapping):
        problems.add(tool, f"the phrasings of '{tool}' must be a mapping", f'write {tool}: {{done: "text"}}')
        return
    for key, text in said.items():
        if key not in Outcome._value2member_map_:
            problems.add(key, f"{tool}: the outcome '{key}' is not known", did_you_mean(key, list(Outcome), "outcomes"))
        elif not isinstance(text, str):
            problems.add(text, f"{tool}.{key}: a phrasing must be a text", f'write {key}: "text"')
        else:
            yield Outcome(key), parse(text, f"{tool}.{key}", problems)


@lru_cache(maxsize=8)
def _defaults(language: str) -> Phrasings:
    """Our own phrasings of a language."""
    return _read_defaults(load(folder("phrasings") / f"{language}.yaml"))


def _read_defaults(data: YamlMap) -> Phrasings:
    problems = Problems()
    keys = ("language", "words", "nothing", "connectors", "phrasings")
    refuse_unknown_keys(data, keys, problems)
    words = _words(expect_map(data.get("words"), "words", problems, data), problems)
    said = expect_map(data.get("phrasings"), "phrasings", problems, data)
    refuse_unknown_keys(said, list(Outcome), problems)
    defaults = {
        outcome: _default(said.get(outcome.value), outcome, problems, said)
        for outcome in Outcome
    }
    ours = Phrasings(
        language=str(expect_text(data.get("language"), "language", problems, data)),
        words=words,
        defaults=defaults,
        own={},
        nothing=str(expect_text(data.get("nothing"), "nothing", problems, data)),
        connectors=tuple(map(str, expect_texts(data.get("connectors"), "connectors", problems, data))),
    )
    problems.check()
    return ours


def _words(node: YamlMap, problems: Problems) -> Words:
    names = {"with": "with_", "and": "and_", "yes": "yes", "no": "no"}
    names |= {"item": "item", "items": "items", "decimal": "decimal"}
    refuse_unknown_keys(node, names, problems)
    return Words(**{to: str(expect_text(node.get(name), name, problems, node)) for name, to in names.items()})


def _default(node: Node | None, outcome: Outcome, problems: Problems, at: YamlMap) -> Template:
    entry = expect_map(node, outcome.value, problems, at)
    refuse_unknown_keys(entry, ("say", "examples"), problems)
    return parse(expect_text(entry.get("say"), "say", problems, entry), outcome.value, problems)
