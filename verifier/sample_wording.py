"""The words of sample sentences, from phrasings/testing.<language>.yaml: how a test says what became of a call.

Only `verifier.strategies` writes with them; nothing here is read or said by `verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

from verifier.data import Problems, YamlMap, expect_map, expect_text, expect_texts, folder, load, refuse_unknown_keys
from verifier.model import Claim
from verifier.phrasing import LANGUAGES
from verifier.tool import operation_words

KEYS = (
    "language", "verbs", "things", "agreement", "names", "details", "currencies", "decimal", "date",
    "claims", "holds", "before", "after", "requests",
)
FORMS = ("base", "past", "participle", "ing")
NAMING = ("id", "number", "code", "reference", "name")  # last words of the arguments that name a thing
MAX_NAME_CHARS = 40


@dataclass(frozen=True, slots=True)
class Act:
    """What a tool does, in words: the forms of its verb, and its thing with the article where there is one."""

    forms: Mapping[str, str]
    key: str
    noun: str


@dataclass(frozen=True, slots=True)
class SampleWording:
    """The wordings of one language."""

    language: str
    verbs: Mapping[str, Mapping[str, str]]
    things: Mapping[str, str]
    agreement: Mapping[str, str]
    names: Mapping[str, str]
    details: Mapping[str, str]
    currencies: Mapping[str, str]
    decimal: str
    date: str
    claims: Mapping[Claim, tuple[str, ...]]
    holds: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    requests: tuple[str, ...]

    def act(self, tool: str) -> Act | None:
        """What a tool of this name does, or None where its verb or its thing has no words here.

        >>> sample_wording("en").act("cancel_order").noun, sample_wording("pt").act("cancelar_pedido").noun
        ('order', 'o pedido')
        """
        words = operation_words(tool)
        verb = next((forms for forms in self._verbs(words[:1])), None)
        noun = self._noun(" ".join(words[1:]))
        return Act(verb, " ".join(words[1:]), noun) if verb and noun else None

    def _verbs(self, words: tuple[str, ...]) -> Iterator[Mapping[str, str]]:
        for name, forms in self.verbs.items():
            if words and words[0] in (name, forms["base"]):
                yield forms

    def _noun(self, words: str) -> str:
        if not self.things:
            return words
        found = self.things.get(words)
        return found or next((noun for noun in self.things.values() if noun.partition(" ")[2] == words), "")

    def name_of(self, act: Act, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """The thing as it is named, and the identifier in it ("" where the arguments hold none)."""
        for key, value in arguments.items():
            words = operation_words(key)
            if words and words[-1] in NAMING and _is_name(value):
                other = self._noun(" ".join(words[:-1])) or act.noun
                own = other == act.noun
                return self.names["own" if own else "other"].format(noun=act.noun, name=value, other=other), str(value)
        return self.names["bare"].format(noun=act.noun), ""

    def value(self, key: str, arguments: Mapping[str, Any]) -> str | None:
        """An argument as a sentence writes it; None where there are no words for it."""
        value = arguments.get(key)
        if key == "amount":
            written = self.currencies.get(str(arguments.get("currency")))
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return written.format(value=self._amount(value)) if written and number else None
        if not isinstance(value, str) or not value:
            return None
        return self._date(value) if key == "date" else value

    def _amount(self, value: Any) -> str:
        return f"{Decimal(repr(value)):.2f}".replace(".", self.decimal)

    def _date(self, value: str) -> str | None:
        try:
            return date.fromisoformat(value).strftime(self.date)
        except ValueError:
            return None

    def detail(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """What a sentence adds about the first argument that has words, and that argument's name ("" without one)."""
        for key in self.details:
            if key in arguments:
                value = self.value(key, arguments)
                if value is not None:
                    return self.details[key].format(value=value), key
        return "", ""

    def write(self, wording: str, act: Act, thing: str, detail: str = "") -> str:
        """A sentence: a wording with its slots filled.

        >>> words = sample_wording("en")
        >>> words.write("{Thing} was {participle}{detail}.", words.act("cancel_order"), "order 4412", " for Ana")
        'Order 4412 was cancelled for Ana.'
        """
        slots = {**act.forms, "thing": thing, "detail": detail}
        slots["participle"] = self._agreed(slots["participle"], act.noun)
        slots |= {name.capitalize(): text[:1].upper() + text[1:] for name, text in slots.items()}
        return wording.format(**slots)

    def _agreed(self, participle: str, noun: str) -> str:
        rule = self.agreement
        if not rule or noun.partition(" ")[0] != rule["article"]:
            return participle
        return participle.removesuffix(rule["from"]) + rule["to"]


def _is_name(value: object) -> bool:
    """Whether an argument can stand in a sentence as a name: a number, or a word with a digit in it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return True
    if not isinstance(value, str) or not 1 < len(value) <= MAX_NAME_CHARS:
        return False
    return value.isascii() and any(map(str.isdigit, value)) and value.replace("-", "").isalnum()


@cache
def sample_wording(language: str) -> SampleWording:
    """The wordings of a language. Raises `ValueError` for one without, `DataError` where the file is wrong."""
    if language not in LANGUAGES:
        raise ValueError(f"there are no sample sentences in {language!r}; languages: {', '.join(LANGUAGES)}")
    return read_sample_wording(load(folder("phrasings") / f"testing.{LANGUAGES[language]}.yaml"))


def read_sample_wording(file: YamlMap) -> SampleWording:
    """The wordings of a file. Raises `DataError` with every mistake."""
    problems = Problems()
    refuse_unknown_keys(file, KEYS, problems)
    parts = {name: _texts(file, name, problems) for name in ("holds", "before", "after", "requests")}
    maps = {name: _map(file, name, problems) for name in ("things", "names", "details", "currencies")}
    claims = expect_map(file.get("claims"), "claims", problems, file)
    refuse_unknown_keys(claims, tuple(Claim), problems)
    verbs = expect_map(file.get("verbs"), "verbs", problems, file)
    wording = SampleWording(
        language=str(expect_text(file.get("language"), "language", problems, file)),
        verbs={str(verb): _forms(verbs, verb, problems) for verb in verbs},
        agreement=_map(file, "agreement", problems) if "agreement" in file else {},
        claims={claim: _texts(claims, claim.value, problems) for claim in Claim},
        decimal=str(expect_text(file.get("decimal"), "decimal", problems, file)),
        date=str(expect_text(file.get("date"), "date", problems, file)),
        **parts,  # type: ignore[arg-type]
        **maps,  # type: ignore[arg-type]
    )
    problems.check()
    return wording


def _texts(node: YamlMap, key: str, problems: Problems) -> tuple[str, ...]:
    return tuple(map(str, expect_texts(node.get(key), key, problems, node)))


def _map(node: YamlMap, key: str, problems: Problems) -> dict[str, str]:
    found = expect_map(node.get(key), key, problems, node)
    return {str(name): str(expect_text(text, name, problems, found)) for name, text in found.items()}


def _forms(verbs: YamlMap, verb: str, problems: Problems) -> dict[str, str]:
    """The forms of a verb; the base is its name where none is written."""
    forms = expect_map(verbs[verb], verb, problems)
    refuse_unknown_keys(forms, FORMS, problems)
    found = {form: str(expect_text(text, form, problems, forms)) for form, text in forms.items()}
    return {"base": str(verb), "ing": "", **found}
