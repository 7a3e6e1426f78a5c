"""Build a Grammar from its YAML files, saying where each mistake is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from verifier import data
from verifier.entries import keys_of
from verifier.grammar import FORM_NAMES, FORMS, STRUCTURE, Grammar, Unit
from verifier.inflection import Forms, Inflection, read_inflection
from verifier.patterns import phrases_of, turns_of


def build(language: str) -> Grammar:
    """Read `grammars/<language>.yaml` and the verb and noun files that it names."""
    folder = data.folder("grammars")
    main: Any = data.load(folder / f"{language}.yaml")
    verbs = data.load(folder / str(main["verbs"]))
    shared = data.load(folder / str(verbs["like"])) if "like" in verbs else verbs
    nouns = data.load(folder / str(main["nouns"]))
    problems = data.Problems()
    grammar = Grammar(language, str(main["name"]))
    like: Any = data.load(folder / str(main["like"])) if "like" in main else main
    grammar.fails = frozenset(map(str, main.get("fails", like.get("fails", ()))))
    _Words(grammar, main, verbs, nouns, problems).read()
    _read_sets(grammar, main, like, shared)
    problems.check()
    grammar.unions = {str(name): tuple(map(str, parts)) for name, parts in main.get("unions", {}).items()}
    grammar.phrases = tuple(phrases_of(grammar, main["phrases"], problems))
    grammar.turns = tuple(turns_of(grammar, main["turns"], problems))
    problems.check()
    grammar.seal()
    return grammar


def _read_sets(grammar: Grammar, main: Any, like: Any, verbs: Any) -> None:
    """The sets of a language; those of verbs and the lists that its file leaves out are those of `like`."""
    common = keys_of(main["common"], grammar.language)
    grammar.common = frozenset(key for keys in common.values() for key in keys)
    grammar.finite = "".join(_finite(grammar, str(name)) for name in main["finite"])
    grammar.inverts = "".join(grammar.code(str(name)) for name in main.get("inverts", ()))
    grammar.reading = frozenset(map(str, verbs["reading"]))
    grammar.later = frozenset(map(str, main.get("later", like.get("later", ()))))
    grammar.carrying = frozenset(map(str, main.get("carrying", like.get("carrying", ()))))
    grammar.generic = frozenset(map(str, main.get("generic", like.get("generic", ()))))
    grammar.opposites = {str(a): tuple(map(str, b)) for a, b in verbs.get("opposites", {}).items()}
    grammar.senses = tuple(
        (str(entry["verb"]), frozenset(map(str, entry["with"])), str(entry["as"])) for entry in verbs.get("senses", ())
    )
    members = {str(name): frozenset(map(str, lemmas)) for name, lemmas in verbs["classes"].items()}
    grammar.heads = frozenset(members)
    for name, other in verbs.get("same-class", {}).items():
        members[str(name)] = members.get(str(name), frozenset()) | members[str(other)]
        grammar.opposites.setdefault(str(name), grammar.opposites.get(str(other), ()))
    grammar.members = members
    for name, words in {**like.get("lists", {}), **main.get("lists", {})}.items():
        grammar.lists[str(name)] = frozenset(" ".join(keys) for keys in keys_of(words, grammar.language).values())


def _finite(grammar: Grammar, name: str) -> str:
    """The codes of a class; of a form, those of words that cannot be a noun or a participle as well."""
    if name not in FORMS:
        return grammar.code(name) if name in grammar.class_codes else ""
    return "".join(
        code
        for held, code in sorted(grammar.form_codes.items(), key=lambda p: p[1])
        if name in held and not held & {"NOUN", "PART", "STATE"}
    )


def _inflection(verbs: Any) -> Inflection:
    rules = [
        {**rule, "forms": {FORM_NAMES.get(k.lower(), k): v for k, v in rule["forms"].items()}}
        for rule in verbs["inflection"]
    ]
    return read_inflection(rules, map(str, verbs.get("doubling", ())))


class _Words:
    """Collects, for each word, all that it can be; function words win over events."""

    def __init__(self, grammar: Grammar, main: Any, verbs: Any, nouns: Any, problems: data.Problems) -> None:
        self.grammar, self.main, self.verbs, self.nouns, self.problems = grammar, main, verbs, nouns, problems
        self.forms: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self.lemmas: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self.states: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self.noun_ids: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self.function: dict[tuple[str, ...], str] = {}
        self.spelled: dict[str, set[tuple[str, tuple[str, ...]]]] = defaultdict(set)
        self.spelled_words: dict[str, str] = {}
        self.both = frozenset(map(str, main.get("also-events", ())))
        grammar.inflection = _inflection(verbs)
        self.split = keys_of(self._entries(), grammar.language)

    def _entries(self) -> Iterator[str]:
        """Every word and entry of the three files."""
        for entries in self.main["words"].values():
            yield from entries
        for lemma, words in [*self._verb_forms(), *self.verbs["nouns"].items()]:
            yield lemma
            yield from words
        for name in ("states", "effects", "unchanged"):
            for entry in self.verbs.get(name, ()):
                yield from entry["says"]
        for noun, words in self.nouns["nouns"].items():
            yield noun
            yield from words

    def _verb_forms(self) -> Iterator[tuple[str, list[str]]]:
        for lemma in self._verb_lemmas():
            yield lemma, [word for words in self._forms_of(lemma).values() for word in words]

    def _verb_lemmas(self) -> list[str]:
        verbs = self.verbs
        names = (verbs.get("regular", ()), verbs.get("reading", ()), verbs.get("translates", ()), verbs["irregular"])
        return list(dict.fromkeys(str(lemma) for lemmas in names for lemma in lemmas))

    def _forms_of(self, lemma: str) -> Forms:
        """All forms of a verb: the regular ones, those of the verb it is built on, its own irregular ones."""
        irregular = self.verbs["irregular"]
        own = irregular.get(lemma, {})
        forms: Forms = dict(self.grammar.inflection.forms(lemma))
        head, gap, rest = lemma.partition(" ")
        if "like" in own and own["like"] not in irregular:  # a verb that has only the forms given here
            forms = {}
        elif "like" in own:  # `refazer` goes as `fazer`
            before = lemma[: -len(own["like"])]
            forms = {
                form: tuple(before + word for word in words) for form, words in self._forms_of(own["like"]).items()
            }
        elif gap and head in irregular:  # `dar baixa` goes as `dar`
            forms = {form: tuple(word + gap + rest for word in words) for form, words in self._forms_of(head).items()}
        for name, words in own.items():
            if name != "like":
                forms[self._form_name(name)] = tuple(words) if isinstance(words, list) else (str(words),)
        return forms

    def _form_name(self, name: Any) -> str:
        form = FORM_NAMES.get(str(name).lower())
        if form is None:
            self.problems.add(name, f"the form '{name}' is not known", data.did_you_mean(name, FORM_NAMES))
        return form or ""

    def read(self) -> None:
        self._function_words()
        self._verbs()
        self._fails()
        self._states()
        self._nouns()
        self._index()
        self._spellings()

    def _keys(self, text: str) -> tuple[str, ...]:
        return self.split[str(text)]

    def _function_words(self) -> None:
        codes = self.grammar.class_codes
        for name in STRUCTURE:
            codes[name] = chr(0xE000 + len(codes))
        for name, entries in self.main["words"].items():
            if name not in codes:
                codes[str(name)] = chr(0xE000 + len(codes))
            for entry in entries:
                self.function.setdefault(self._keys(entry), codes[str(name)])
                if not entry.isascii():
                    self.spelled_words.setdefault(entry.lower(), codes[str(name)])

    def _verbs(self) -> None:
        translates = self.verbs.get("translates", {})
        for lemma in self._verb_lemmas():
            means = translates.get(lemma, lemma)
            ids = tuple(map(str, means)) if isinstance(means, list) else (str(means),)
            if self._keys(lemma) not in self.function or self._keys(lemma) == (lemma,):  # `por` is no verb of a name
                self.grammar.bases[" ".join(self._keys(lemma))] = ids
            for form, words in self._forms_of(lemma).items():
                for word in words:
                    self._add(word, form, ids)
        for lemma, words in self.verbs["nouns"].items():
            for word in words:
                self._add(word, "NOUN", (str(lemma),))

    def _add(self, word: str, form: str, lemmas: Iterable[str]) -> None:
        keys = self._keys(word)
        self.forms[keys].add(form)
        self.lemmas[keys].update(lemmas)
        if not word.isascii() and len(keys) == 1:
            self.spelled[word.lower()].add((form, tuple(lemmas)))

    def _fails(self) -> None:
        """The past of a verb of refusing (`declined`) is also a form of its own."""
        for keys, lemmas in self.lemmas.items():
            if "PAST" in self.forms[keys] and lemmas <= self.grammar.fails:
                self.forms[keys].add("FAIL")

    def _states(self) -> None:
        for form, name in (("STATE", "states"), ("EFFECT", "effects"), ("UNCHANGED", "unchanged")):
            entries = self.verbs.get(name, ())
            for entry in entries:
                for word in entry["says"]:
                    keys = self._keys(word)
                    self.forms[keys].add(form)
                    self.states[keys].update(map(str, entry["of"]))

    def _nouns(self) -> None:
        self.grammar.noun_ids = frozenset(map(str, self.nouns["nouns"]))
        for noun, words in self.nouns["nouns"].items():
            for word in [noun, *words]:
                self.noun_ids[self._keys(word)].add(str(noun))

    def _index(self) -> None:
        singles, several = self.grammar.singles, self.grammar.several
        for keys in [keys for keys in self.forms if len(keys) > 1 and "STATE" in self.forms[keys]]:
            head = keys[:1]  # `set for` is a state, and still the participle of `set`
            if head not in self.function and self.forms.get(head, set()) & {"PART", "PAST"}:
                self.forms[keys] |= self.forms[head] & {"PART", "PAST"}
                self.lemmas[keys] |= self.lemmas[head]
        for keys in sorted({*self.function, *self.forms, *self.noun_ids}):
            unit = self._unit(keys)
            if len(keys) == 1:
                singles[keys[0]] = unit
            elif keys:
                several.setdefault(keys[0], []).append((keys[1:], unit))
        for entries in several.values():
            entries.sort(key=lambda entry: (-len(entry[0]), entry[0]))

    def _spellings(self) -> None:
        """Words that their accents tell apart (`é` and `e`): where a reply writes the accent, the accented one."""
        exact = self.grammar.exact
        for word, code in sorted(self.spelled_words.items()):
            keys = self._keys(word)
            if len(keys) == 1 and self.function[keys] != code:
                exact[word] = Unit(code, nouns=tuple(sorted(self.noun_ids.get(keys, ()))))
        for word, held in sorted(self.spelled.items()):
            keys = self._keys(word)
            forms = {form for form, _ in held}
            if keys not in self.function and forms != self.forms[keys]:
                made = self.grammar.event_unit([lemma for _, lemmas in held for lemma in lemmas], forms)
                exact[word] = Unit(made.code, made.lemmas, (), tuple(sorted(self.noun_ids.get(keys, ()))), made.forms)

    def _class_of(self, keys: tuple[str, ...]) -> str:
        """The class of a function word; empty for any other word."""
        code = self.function.get(keys)
        return next((name for name, held in self.grammar.class_codes.items() if held == code), "") if code else ""

    def _unit(self, keys: tuple[str, ...]) -> Unit:
        named = set(self.noun_ids.get(keys, ()))
        if len(keys) > 1 and "STATE" in self.forms.get(keys, ()):  # `in the queue` still names the queue
            named.update(noun for key in keys for noun in self.noun_ids.get((key,), ()))
        nouns = tuple(sorted(named))
        name = self._class_of(keys)
        if name in self.both and keys in self.forms:
            made = self.grammar.event_unit(self.lemmas.get(keys, ()), {*self.forms[keys], f"class:{name}"}, nouns)
            return Unit(made.code, made.lemmas, tuple(sorted(self.states.get(keys, ()))), nouns, made.forms)
        if keys in self.function and keys in self.states:
            made = self.grammar.event_unit(
                (), {*self.forms[keys] & {"STATE", "EFFECT", "UNCHANGED"}, f"class:{name}"}, nouns
            )
            return Unit(made.code, (), tuple(sorted(self.states[keys])), nouns, made.forms)
        if keys in self.function:
            return Unit(self.function[keys], nouns=nouns)
        if keys in self.forms:
            noun = {"NOUN"} if nouns and self.forms[keys] & {"S", "PRESENT_I", "SUBJ"} else set()
            made = self.grammar.event_unit(self.lemmas.get(keys, ()), self.forms[keys] | noun, nouns)
            return Unit(made.code, made.lemmas, tuple(sorted(self.states.get(keys, ()))), nouns, made.forms)
        return Unit(self.grammar.class_codes["noun"], nouns=nouns)
