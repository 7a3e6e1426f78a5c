"""What a tool's name, description and words say it does: its verb, the acts people call it by, its objects."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.grammar import Grammar, Unit, load
from verifier.text import tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verifier.tool import Tool

SAME, CLASS = 3.0, 2.0  # a clause with the tool's own verb, and with a verb of its class
MAX_DESCRIPTION_WORDS = 40  # what a description adds is weak, and some are pages long
_SEGMENT = re.compile(r"[.:/]|__|_(?=[a-z]{1,40}[A-Z])")
_NAME_WORD = re.compile(r"[A-Z]{2,40}(?![a-z])|[A-Z]?[a-z]{1,40}|[0-9]{1,20}|[^\W\d_A-Za-z]{1,40}")


@dataclass(frozen=True, slots=True)
class Profile:
    """A tool as the linker sees it. `verbs` are the lemmas of its name, the chief one first."""

    tool: Tool
    verbs: tuple[str, ...]
    acts: frozenset[str]
    nouns: frozenset[str]
    weak: frozenset[str]
    own_verb: str = ""
    described: tuple[str, ...] = ()


@dataclass(slots=True)
class ToolIndex:
    """All tools of a ledger, by what a clause can call them. Building it costs once for each set of tools."""

    profiles: tuple[Profile, ...]
    by_lemma: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    by_state: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    by_noun: dict[str, list[int]] = field(default_factory=dict)
    by_phrase: dict[str, list[tuple[tuple[str, ...], int]]] = field(default_factory=dict)
    overlay: dict[str, Unit] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    vocabulary: set[str] = field(default_factory=set)
    taken: list[list[tuple[str, ...]]] | None = None  # what each tool takes, as words, and the tools by the first one
    takers: dict[str, list[int]] = field(default_factory=dict)


def name_words(name: str) -> list[str]:
    """`payments_createTransfer` -> payments, create, transfer."""
    return [word.lower() for word in _NAME_WORD.findall(name)]


def profile_of(tool: Tool, language: str) -> Profile:
    """The profile of a tool in the words of a language; the names of tools are read in English too."""
    return _profile(tool.name, tool.description, tool.words, tool.write, language, _Held(tool))


class _Held:
    """Carries the tool past the cache's key: equal names, descriptions and words have one profile."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=8192)
def _profile(
    name: str, description: str, words: tuple[str, ...], write: bool | None, language: str, held: _Held
) -> Profile:
    grammars = [load(language)] if language == "en" else [load(language), load("en")]
    verbs, objects, own_verb = _verbs_and_objects(name, grammars)
    acts = set(verbs)
    nouns: set[str] = set()
    for word in objects:
        for grammar in grammars:
            unit = grammar.singles.get(word)
            if unit is not None:
                own = {noun for noun in (word, _singular(word)) if noun in grammar.noun_ids}
                nouns.update(own or unit.nouns)
                if "NOUN" in unit.forms and (not verbs or verbs[0] in grammars[-1].carrying):
                    acts.update(unit.lemmas)
        nouns.add(_singular(word))
    if not verbs and not own_verb and write:
        acts.update(grammars[-1].lists.get("unnamed-acts", ()))
    weak = _described(description, grammars)
    told = _described_acts(description, grammars)
    return Profile(held.tool, tuple(verbs), frozenset(acts), frozenset(nouns), frozenset(weak - nouns), own_verb, told)


def _verbs_and_objects(name: str, grammars: list[Grammar]) -> tuple[list[str], list[str], str]:
    """The verb of a name, its other words, and a verb that no grammar holds.

    The verb stands first or last in the last part of a name (`payments.createTransfer`, `deposit_release`); what
    follows a particle verb (`turn_on`) belongs to it.
    """
    segments = [name_words(segment) for segment in _SEGMENT.split(name)]
    segments = [segment for segment in segments if segment] or [[name.lower()]]
    before = [word for segment in segments[:-1] for word in segment]
    verbs, objects, own = _verbs_of_words(segments[-1], grammars)
    if not verbs and before:
        verbs, others, own = _verbs_of_words(before, grammars)
        return verbs, others + objects, own
    return verbs, before + objects, own


def _verbs_of_words(parts: list[str], grammars: list[Grammar]) -> tuple[list[str], list[str], str]:
    found: list[tuple[int, int, tuple[str, ...], bool]] = []
    for i in range(len(parts)):
        for width in (2, 1):
            lemmas, noun = _lemmas(parts[i : i + width], grammars) if i + width <= len(parts) else ((), False)
            if lemmas:
                found.append((i, width, lemmas, noun))
                break
    if not found:
        return [], parts, parts[0] if len(parts) > 1 else ""
    first = found[0]
    pure = [entry for entry in found if not entry[3]]
    last = found[-1]
    heads = grammars[-1].members
    if last[2][0] in heads and first[2][0] not in heads and first[2][0] not in grammars[-1].reading:
        chief = last  # `microchip_register`: of two verbs the one that tools are usually named by
    elif first[0] == 0 and (not first[3] or not pure or len(parts) == 1):
        chief = first
    elif pure:
        chief = pure[0]
    else:
        chief = found[-1]
    objects = [word for i, word in enumerate(parts) if not chief[0] <= i < chief[0] + chief[1]]
    verbs = list(chief[2])
    if chief[3] and last is not chief and last[0] + last[1] == len(parts) and len(parts) == 2:
        verbs += last[2]  # `deposit_release`, `request_refill`: either may be the act
    return verbs, objects, ""


def _lemmas(words: list[str], grammars: list[Grammar]) -> tuple[tuple[str, ...], bool]:
    """The lemmas of a name's words as a verb's base form, and whether they are as often a noun."""
    for grammar in grammars:
        if len(words) == 1:
            unit = grammar.singles.get(words[0])
        else:
            unit = next((u for rest, u in grammar.several.get(words[0], ()) if rest == tuple(words[1:])), None)
        exact = grammar.bases.get(" ".join(words))
        if exact:
            return exact, unit is not None and ("NOUN" in unit.forms or bool(unit.nouns))
    return (), False


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _described_acts(description: str, grammars: list[Grammar]) -> tuple[str, ...]:
    """The act that a description opens with: `Schedule a reminder`."""
    words = tokenize(description[:120], grammars[0].language).key[:2] if description else []
    for grammar in grammars:
        for word in words[:1]:
            unit = grammar.singles.get(word)
            if unit is not None and unit.forms & {"BASE", "S"} and unit.lemmas:
                return unit.lemmas
    return ()


def _described(description: str, grammars: list[Grammar]) -> set[str]:
    weak: set[str] = set()
    if not description:
        return weak
    for key in tokenize(description[:600], grammars[0].language).key[:MAX_DESCRIPTION_WORDS]:
        for grammar in grammars:
            unit = grammar.singles.get(key)
            if unit is not None and unit.nouns:
                weak.update(unit.nouns)
            elif unit is None and len(key) > 3 and key.isalpha():
                weak.add(_singular(key))
    return weak


@lru_cache(maxsize=64)
def _index(key: tuple[tuple[str, str, tuple[str, ...], bool | None], ...], language: str, held: _Tools) -> ToolIndex:
    grammar = load(language)
    index = ToolIndex(tuple(profile_of(tool, language) for tool in held.tools))
    by_lemma: dict[str, dict[int, float]] = defaultdict(dict)
    by_state: dict[str, dict[int, float]] = defaultdict(dict)
    by_noun: dict[str, list[int]] = defaultdict(list)
    heads: dict[str, list[str]] = defaultdict(list)
    for head in sorted(grammar.heads):
        for lemma in grammar.members[head]:
            heads[lemma].append(head)
    for place, profile in enumerate(index.profiles):
        index.places.setdefault(profile.tool.name, place)
        index.vocabulary |= profile.nouns | profile.weak
        alone = frozenset() if profile.tool.write else grammar.generic  # `get_order` orders nothing
        for act in sorted(profile.acts):
            by_lemma[act][place] = SAME
            if act not in alone:
                _add_class(_sense(act, profile, grammar), place, grammar, heads, by_lemma, by_state)
        for act in profile.described:
            by_lemma[act].setdefault(place, CLASS)
            for lemma in grammar.members.get(act, ()) if act not in alone else ():
                by_lemma[lemma].setdefault(place, CLASS)
        for noun in sorted(profile.nouns):
            by_noun[noun].append(place)
        _add_own_verb(profile, place, grammar, index, by_lemma)
        for phrase in profile.tool.words:
            keys = tuple(tokenize(phrase, language).key)
            if keys:
                index.by_phrase.setdefault(keys[0], []).append((keys, place))
    index.by_lemma = {lemma: sorted(held.items()) for lemma, held in by_lemma.items()}
    index.by_state = {state: sorted(held.items()) for state, held in by_state.items()}
    index.by_noun = dict(by_noun)
    return index


def _sense(act: str, profile: Profile, grammar: Grammar) -> str:
    """The class of a verb that means another thing with these objects: to transfer to a human is to hand over."""
    for verb, objects, other in grammar.senses:
        if verb == act and objects & profile.nouns:
            return other
    return act


def _add_class(
    act: str,
    place: int,
    grammar: Grammar,
    heads: Mapping[str, list[str]],
    by_lemma: dict[str, dict[int, float]],
    by_state: dict[str, dict[int, float]],
) -> None:
    for lemma in grammar.members.get(act, ()):
        by_lemma[lemma].setdefault(place, CLASS)
    for head in heads.get(act, ()):
        by_lemma[head].setdefault(place, CLASS)
        by_state[head].setdefault(place, 1.5)
    by_state[act][place] = CLASS


def _add_own_verb(
    profile: Profile, place: int, grammar: Grammar, index: ToolIndex, by_lemma: dict[str, dict[int, float]]
) -> None:
    """A verb that no class holds (`squelch_alerts`) is read by its regular forms."""
    if not profile.own_verb or profile.verbs:
        return
    for form, words in grammar.inflection.forms(profile.own_verb).items():
        for word in words:
            if word not in grammar.singles and " " not in word:
                forms = index.overlay[word].forms | {form} if word in index.overlay else {form}
                held = frozenset(forms)
                code = next((c for f, c in sorted(grammar.form_codes.items(), key=lambda p: p[1]) if f == held), "")
                code = code or next(
                    (c for f, c in sorted(grammar.form_codes.items(), key=lambda p: p[1]) if held <= f), ""
                )
                if code:
                    index.overlay[word] = Unit(code, (profile.own_verb,), (), (), held)
    by_lemma[profile.own_verb][place] = SAME


class _Tools:
    """Carries the tools past the cache's key, which is made of what profiles are built from."""

    def __init__(self, tools: tuple[Tool, ...]) -> None:
        self.tools = tools

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tools)

    def __hash__(self) -> int:
        return 0


def index_of(tools: tuple[Tool, ...], language: str) -> ToolIndex:
    """The index of these tools, shared by every ledger that has them."""
    key = tuple((tool.name, tool.description, tool.words, tool.write) for tool in tools)
    return _index(key, language, _Tools(tools))
