"""A tool of the agent, and what its name says where nobody said it: whether it writes, whether to report it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from verifier.data import Problems, expect_texts, folder, load, refuse_unknown_keys
from verifier.frozen import FrozenDict, freeze

MAX_NAME_CHARS = 256  # providers allow 64 to 128; a longer "name" is a mistake


class LedgerError(ValueError):
    """The ledger was used wrongly, or a stored one is broken. The text starts with the place; `problems` has all."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        """Take one problem, or all of them."""
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that an agent may call.

    `write` is whether it changes something; None is read from the verb of the name (rules/tools.yaml). `parameters`
    is a JSON Schema; `words` are further phrases that people use for it. `report=False` keeps a write that nobody
    needs to hear of (a login) out of the appended ones.
    """

    name: str
    write: bool | None = None
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=FrozenDict, hash=False)
    words: tuple[str, ...] = ()
    report: bool | None = None

    def __post_init__(self) -> None:
        """Check the fields and fill in what the name says. Raises `LedgerError`."""
        if not isinstance(self.name, str) or not self.name or len(self.name) > MAX_NAME_CHARS:
            raise LedgerError(
                f"/name: a tool's name is a text of 1 to {MAX_NAME_CHARS} characters, not {self.name!r:.80}"
            )
        if not isinstance(self.parameters, Mapping):
            raise LedgerError(f"/parameters: the tool '{self.name}' needs a JSON Schema as a mapping")
        words = self.words
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise LedgerError(f"/words: the tool '{self.name}' needs a list of phrases")
        for key in ("write", "report"):
            if not isinstance(getattr(self, key), bool | None):
                raise LedgerError(f"/{key}: the tool '{self.name}' needs true, false or null")
        put = object.__setattr__
        put(self, "parameters", freeze(self.parameters))
        put(self, "words", tuple(words))
        if self.write is None:
            put(self, "write", writes(self.name))
        if self.report is None:
            put(self, "report", not is_quiet(self.name))

    @classmethod
    def from_spec(cls, spec: object) -> Tool:
        """A tool from a function spec of OpenAI, Anthropic or MCP, from a Python function, or itself.

        A `write`, `report` or `words` key in the spec counts; else MCP's `readOnlyHint`; else the name decides.
        """
        from verifier.specs import fields_of

        return spec if isinstance(spec, Tool) else cls(**fields_of(spec))

    def to_dict(self) -> dict[str, Any]:
        """The tool as JSON, every field written out."""
        return {
            "name": self.name,
            "write": self.write,
            "description": self.description,
            "parameters": self.parameters,
            "words": list(self.words),
            "report": self.report,
        }


@dataclass(frozen=True, slots=True)
class NameRules:
    """The word lists of rules/tools.yaml."""

    read_verbs: frozenset[str]
    write_verbs: frozenset[str]
    read_nouns: frozenset[str]
    write_phrases: frozenset[str]
    read_phrases: frozenset[str]
    joins: frozenset[str]
    quiet: frozenset[str]
    quiet_beside: frozenset[str]


@cache
def name_rules() -> NameRules:
    """The packaged word lists. Raises `DataError` where the file is wrong."""
    file = load(folder("rules") / "tools.yaml")
    problems = Problems()
    keys = NameRules.__slots__
    refuse_unknown_keys(file, keys, problems)
    lists = {key: expect_texts(file.get(key), key, problems, file) for key in keys}
    both = frozenset(lists["read_verbs"]) & frozenset(lists["write_verbs"])
    for word in lists["read_verbs"]:
        if word in both:
            problems.add(word, f"'{word}' is in read_verbs and in write_verbs")
    problems.check()
    return NameRules(**{key: frozenset(map(str, words)) for key, words in lists.items()})


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name, lower case and without accents.

    >>> name_words("accounts_getBalance"), name_words("light.turn_on"), name_words("HTTPServer2")
    (('accounts', 'get', 'balance'), ('light', 'turn', 'on'), ('http', 'server', '2'))
    """
    words: list[str] = []
    word = ""
    plain = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    for at, character in enumerate(plain):
        before, after = plain[at - 1 : at] if at else "", plain[at + 1 : at + 2]
        camel = character.isupper() and (before.islower() or (before.isupper() and after.islower()))
        if not character.isalnum() or camel or character.isdigit() != before.isdigit():
            words.append(word)
            word = ""
        if character.isalnum():
            word += character.lower()
    return tuple(one for one in [*words, word] if one)


def operation_words(name: str) -> tuple[str, ...]:
    """The words of what a name does: those after its name space (`calendar__list_events`, `compute.disks.resize`)."""
    tail = name
    for mark in (".", "__", "/", ":"):
        tail = tail.rpartition(mark)[2] or tail
    return name_words(tail) or name_words(name)


@lru_cache(maxsize=4096)
def writes(name: str) -> bool:
    """Whether a tool of this name changes something, by the verb of the name; in doubt it does.

    >>> [writes(name) for name in ("get_order", "calendar__list_events", "light.turn_on", "get_or_create_user")]
    [False, False, True, True]
    """
    rules = name_rules()
    words = operation_words(name)
    for beginning in (" ".join(words[:2]), " ".join(words[:3])):
        if beginning in rules.write_phrases or beginning in rules.read_phrases:
            return beginning in rules.write_phrases
    verbs = [at for at, word in enumerate(words) if word in rules.read_verbs or word in rules.write_verbs]
    if not verbs:
        return not words or words[-1] not in rules.read_nouns
    if words[verbs[0]] in rules.write_verbs:
        return True
    after_join = [words[at + 1] for at, word in enumerate(words[:-1]) if at > verbs[0] and word in rules.joins]
    return any(word in rules.write_verbs for word in after_join)


def is_quiet(name: str) -> bool:
    """Whether a tool of this name is one that a person has no use to hear of (login, logout, think)."""
    rules = name_rules()
    words = operation_words(name)
    return " ".join(words) in rules.quiet or " ".join(w for w in words if w not in rules.quiet_beside) in rules.quiet
