"""grammars/<language>.yaml -> a Grammar: what each word can be, and the phrases and turns that read it.

A word (or an entry of several words) is one *unit* of a sentence. A unit has one code, a private-use character, so
that a clause is a short string of codes and a phrase of the grammar is a bounded pattern over it. Function words
have the code of their class; a word of an event has the code of the set of forms that it can be (`cancelled` is
PAST and PART). The format is described in docs/grammar.md.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from verifier.inflection import Inflection

FORM_NAMES = {
    "base": "BASE",
    "s": "S",
    "past": "PAST",
    "participle": "PART",
    "ing": "ING",
    "noun": "NOUN",
    "state": "STATE",
    "present_i": "PRESENT_I",
    "past_i": "PAST_I",
    "future": "FUTURE",
    "future_i": "FUTURE_I",
    "subjunctive": "SUBJ",
    "went": "WENT",
    "effect": "EFFECT",
    "fail": "FAIL",
    "we": "WE",
    "conditional": "COND",
    "imperfect": "IMPF",
    "unchanged": "UNCHANGED",
}
FORMS = tuple(FORM_NAMES.values())
FIRST_CODE = 0xE000  # the private-use area: no code is a character that a phrase could spell
NEVER = "\uffff"  # stands in no text of codes
MAX_PARTS = 16  # a phrase is read aloud; a longer one is two phrases
MAX_POSSIBLE = 8_192  # kinds of clauses whose phrases are remembered
MAX_GAP = 12  # words that `..n` may skip
LANGUAGES = {"en": "en", "pt": "pt-BR", "pt-br": "pt-BR"}
STRUCTURE = (
    "value",
    "quote",
    "comma",
    "colon",
    "semi",
    "dash",
    "open",
    "close",
    "arrow",
    "bar",
    "qmark",
    "end",
    "check",
    "other",
    "noun",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """What a word is: its code, the event lemmas it can be, the classes that a state stands for, its nouns."""

    code: str
    lemmas: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A pattern over codes whose group `at` is the event word; `claim` is what it makes of that word."""

    id: str
    claim: str
    kind: str
    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    without: str
    where: str
    masks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A word class that turns a reading `of` some claims `to` another, looking `look` within `within` units."""

    id: str
    code: str
    of: frozenset[str]
    to: str
    look: str
    within: int
    unless: str
    where: str
    mask: int = 0


@dataclass(slots=True)
class Grammar:
    """One language: its words, and how to read them. Built once; nothing changes it afterwards."""

    language: str
    name: str = ""
    singles: dict[str, Unit] = field(default_factory=dict)
    several: dict[str, list[tuple[tuple[str, ...], Unit]]] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    bits: dict[str, int] = field(default_factory=dict)
    finite_mask: int = 0
    finite_codes: frozenset[str] = frozenset()
    turns_of: dict[str, tuple[Turn, ...]] = field(default_factory=dict)
    _participles: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    _possible: dict[int, tuple[Phrase, ...]] = field(default_factory=dict, repr=False)
    _sets: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict, repr=False)
    form_codes: dict[frozenset[str], str] = field(default_factory=dict)
    class_codes: dict[str, str] = field(default_factory=dict)
    members: dict[str, frozenset[str]] = field(default_factory=dict)
    heads: frozenset[str] = frozenset()
    phrases: tuple[Phrase, ...] = ()
    turns: tuple[Turn, ...] = ()
    inflection: Inflection = field(default_factory=lambda: Inflection(()))
    common: frozenset[str] = frozenset()
    finite: str = ""
    inverts: str = ""
    exact: dict[str, Unit] = field(default_factory=dict)
    fails: frozenset[str] = frozenset()
    reading: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    generic: frozenset[str] = frozenset()
    carrying: frozenset[str] = frozenset()
    opposites: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    senses: tuple[tuple[str, frozenset[str], str], ...] = ()
    noun_ids: frozenset[str] = frozenset()
    unions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lists: dict[str, frozenset[str]] = field(default_factory=lambda: defaultdict(frozenset))
    examples: list[tuple[str, str, str]] = field(default_factory=list)

    def code(self, word_class: str) -> str:
        """The code of a word class, or a character that is never met where the language has no such class."""
        known = self.codes.get(word_class)
        if known is not None or self.codes:
            return known or NEVER
        held = self.class_codes.get(word_class, NEVER)
        return held + self.forms_matching(f"class:{word_class}")

    def codes_of(self, *word_classes: str) -> frozenset[str]:
        """The codes of some word classes; a text of codes with a word of them is not disjoint with it."""
        found = self._sets.get(word_classes)
        if found is None:
            found = self._sets[word_classes] = frozenset("".join(map(self.code, word_classes)))
        return found

    def marks(self, *word_classes: str) -> frozenset[str]:
        """The own codes of some classes, without those of event words that can be such a word too."""
        key = ("", *word_classes)
        found = self._sets.get(key)
        if found is None:
            found = self._sets[key] = frozenset(self.class_codes[name] for name in word_classes)
        return found

    @property
    def participles(self) -> Mapping[str, frozenset[str]]:
        """The words that can be a participle, each with the lemmas of its acts."""
        if not self._participles:
            self._participles = {
                word: frozenset(unit.lemmas) for word, unit in self.singles.items() if "PART" in unit.forms
            }
        return self._participles

    def phrases_for(self, mask: int) -> tuple[Phrase, ...]:
        """The phrases of which a clause with these codes has every part, in the grammar's order."""
        found = self._possible.get(mask)
        if found is None:
            found = tuple([phrase for phrase in self.phrases if all(mask & need for need in phrase.masks)])
            if len(self._possible) >= MAX_POSSIBLE:
                self._possible.clear()
            self._possible[mask] = found
        return found

    def event_unit(self, lemmas: Iterable[str], forms: Iterable[str], nouns: tuple[str, ...] = ()) -> Unit:
        """A unit for an event word with these possible forms; every set of forms has one code."""
        held = frozenset(forms)
        code = self.form_codes.get(held)
        if code is None:
            code = self._next_code()
            self.form_codes[held] = code
        return Unit(code, tuple(sorted(set(lemmas))), (), nouns, held)

    def _next_code(self) -> str:
        return chr(FIRST_CODE + len(self.class_codes) + len(self.form_codes))

    def seal(self) -> None:
        """Remember the codes of each class, once no word can be added any more."""
        self.codes = {name: self.code(name) for name in self.class_codes}
        self.bits = {
            code: 1 << place
            for place, code in enumerate(sorted({*self.class_codes.values(), *self.form_codes.values()}))
        }
        self.phrases = tuple(replace(phrase, masks=tuple(map(self.mask, phrase.needs))) for phrase in self.phrases)
        self.turns = tuple(replace(turn, mask=self.mask(turn.code)) for turn in self.turns)
        self.finite_mask, self.finite_codes = self.mask(self.finite), frozenset(self.finite)
        claims = sorted({claim for turn in self.turns for claim in turn.of})
        self.turns_of = {claim: tuple(turn for turn in self.turns if claim in turn.of) for claim in claims}
        self._sets.clear()
        self._participles = {}
        self._possible.clear()

    def mask(self, codes: str) -> int:
        """The codes of a text as a set of bits."""
        found, bits = 0, self.bits
        for code in set(codes):
            found |= bits.get(code, 0)
        return found

    def forms_matching(self, form: str) -> str:
        """All codes whose set of forms has `form`, as the inside of a character class."""
        return "".join(code for held, code in sorted(self.form_codes.items(), key=lambda p: p[1]) if form in held)


def language_of(language: str) -> str:
    """The name of the grammar for a language tag: `en`, or `pt-BR` for `pt`. Raises ValueError for any other."""
    known = LANGUAGES.get(language.lower().replace("_", "-"))
    if known is None:
        hint = "Brazilian Portuguese is `pt-BR`" if language.lower().startswith("pt") else "known are `en` and `pt-BR`"
        raise ValueError(f"the language {language!r} is not read; {hint}")
    return known


@cache
def load(language: str) -> Grammar:
    """The grammar of a language, read once a process. Raises DataError with every mistake of its files."""
    from verifier.grammar_file import build

    return build(language_of(language))
