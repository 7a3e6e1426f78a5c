"""One reply rule as a record: what it looks for, and what is done where it finds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifier.rules.phrases import PhraseIndex

# The closed lists. The order of KINDS is the order in which rules are applied; within a kind, by id.
KINDS = ("offers", "banned", "pii", "required")
ACTIONS = {
    "offers": ("report", "remove", "replace", "append", "block"),
    "banned": ("mask", "remove", "replace", "append", "report", "block"),
    "pii": ("mask", "remove", "replace", "append", "report", "block"),
    "required": ("append", "report"),
}
FINDS = ("email", "telephone", "card", "iban", "cpf", "cnpj", "ssn", "ip", "address")
SOURCES = ("calls", "person")
PLACES = ("end", "start", "after")
LANGUAGES = ("en", "pt-BR")
BULLET = "•"
NO_PHRASES = PhraseIndex()
HIDDEN = BULLET * 3  # stands where a label would break a link, and where a rule words no label


@dataclass(frozen=True, slots=True)
class Pii:
    """What kind of value is looked for and who may let it pass.

    `words` beside a number say that it is one, `other_words` that it is something else. `allow_from` are the sources
    whose values pass; `keep_last` characters of a masked number stay.
    """

    find: str
    allow_from: frozenset[str] = frozenset(SOURCES)
    allowed: tuple[str, ...] = ()
    keep_last: int = 0
    regions: Mapping[str, str] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    other_words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Banned:
    """Phrases, with what is done about one (by how it is written) where that differs from the rule's own action."""

    phrases: PhraseIndex = NO_PHRASES
    exceptions: PhraseIndex = NO_PHRASES
    own_exceptions: Mapping[str, PhraseIndex] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Benefit:
    """Something of worth: the words without which it is not spoken of, and what a call that grants it speaks of.

    One that is `proposable` comes with what the person asks for (a refund with a return): to ask whether to do it is no
    offer where the agent has a tool for it.
    """

    name: str
    triggers: tuple[tuple[str, tuple[str, ...]], ...]
    granted_by: tuple[str, ...]
    not_granted_by: tuple[str, ...] = ()
    proposable: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """How a language words that it gives something, and what makes such a sentence no offer.

    All its phrases are looked for at once; `roles` tells what each is (by how it is written). The roles of a benefit
    are `noun NAME`, `verb NAME`, `passive NAME`. `gives` stands before the noun ("I can offer you"), `given` after it
    ("has been applied"), `subjects` before a verb ("we'll"), `passives` before its participle. `otherwise` in the same
    sentence makes it something else: a request that is quoted, a policy, a look into it; `denied` says that it is not
    given; `conditions` make it a consequence, `polite` ones do not. `done` words say that it has happened, `asks` that
    the reply waits for an answer. A trigger comes with what holds it without being a benefit ("credit card").
    """

    benefits: tuple[Benefit, ...] = ()
    phrases: PhraseIndex = NO_PHRASES
    asks: PhraseIndex = NO_PHRASES
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    triggers: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Required:
    """When a text must stand in the reply, where it is put, and which other wordings count as it."""

    always: bool = False
    tools: frozenset[str] = frozenset()
    outcomes: frozenset[str] = frozenset()
    topics: PhraseIndex = NO_PHRASES
    look_in: frozenset[str] = frozenset(("reply", "person"))
    place: str = "end"
    already: PhraseIndex = NO_PHRASES


@dataclass(frozen=True, slots=True)
class Example:
    """A reply and what the rule makes of it; `spans` are where it must fire (none: it must not)."""

    says: str
    spans: tuple[tuple[int, int], ...]
    becomes: str | None
    language: str
    heard: str
    calls: tuple[Mapping[str, str], ...]
    place: str

    @property
    def fires(self) -> bool:
        """Whether the rule must find something."""
        return bool(self.spans) or self.becomes is not None


Detail = Pii | Banned | Offers | Required


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a set. `texts` is what it inserts, by language ("" stands for every language)."""

    id: str
    kind: str
    action: str
    languages: tuple[str, ...]
    detail: Detail
    texts: Mapping[str, str] = field(default_factory=dict)
    why: str = ""
    enabled: bool = True
    examples: tuple[Example, ...] = ()
    place: str = ""

    def text(self, language: str) -> str:
        """What is inserted in a language."""
        return self.texts.get(language) or self.texts.get("", "")

    def reads(self, language: str) -> bool:
        """Whether the rule is one for this language."""
        return not self.languages or language in self.languages


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a rule found in a text: where, and what is to be done (`text` is what is put there)."""

    start: int
    end: int
    rule: Rule
    action: str
    text: str = ""
    why: str = ""
