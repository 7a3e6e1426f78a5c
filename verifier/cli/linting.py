"""`verifier lint`: every data file is read strictly, and every example in it is run. Problems come as texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.data import (
    DataError,
    Problems,
    YamlMap,
    expect_map,
    expect_texts,
    folder,
    load,
    where,
)
from verifier.model import Outcome

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from verifier.grammar import Grammar
    from verifier.phrasing import Phrasings

WARNING = "warning: "
SAMPLE_REASON = "the limit was reached"
SAMPLE_VALUE = "A-1042"  # stands for every argument and result that a user's phrasing names


def lint_ours() -> Iterator[str]:
    """Every problem of the data files that the package carries."""
    from verifier.claims import table

    for name in ("grammars", "rules", "phrasings"):
        for file in _yaml_files(folder(name)):
            yield from _problems_of(_loads, file)
    yield from _problems_of(_table, table)
    yield from _problems_of(_outcome_examples, None)
    yield from _problems_of(_rule_examples, None)
    for language in languages():
        yield from _problems_of(_grammar_examples, language)
        yield from _problems_of(_our_phrasings, language)


def languages() -> list[str]:
    """The languages that are read: each has a `grammars/<language>.yaml`."""
    names = (entry.name for entry in folder("grammars").iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if name.count(".") == 1 and name.endswith(".yaml"))


def lint_files(files: Iterable[str], language: str) -> Iterator[str]:
    """Every problem of a user's files: phrasings (`TOOL: {OUTCOME: text}`), vocabularies, outcome or reply rules.

    A phrasing that reads as something else than its outcome is a warning: the words are the user's.
    """
    for file in files:
        yield from _problems_of(_user_file, Path(file), language)


def _problems_of(check: Callable[..., Iterator[str]], *given: object) -> Iterator[str]:
    """The problems that a check gives, and those that it raises."""
    try:
        yield from check(*given)
    except DataError as error:
        yield from error.problems
    except ValueError as error:  # a language that is not read
        yield str(error)


def _yaml_files(at: Traversable) -> Iterator[Traversable]:
    for entry in sorted(at.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _yaml_files(entry)
        elif entry.name.endswith(".yaml"):
            yield entry


def _loads(file: Traversable) -> Iterator[str]:
    load(file)
    yield from ()


def _table(table: Callable[[], str]) -> Iterator[str]:
    table()
    yield from ()


def _outcome_examples(file: Path | None) -> Iterator[str]:
    """The examples of rules/outcomes.yaml, or of a user's file of the same form."""
    from verifier.outcome_rules import load_rules, packaged
    from verifier.outcomes import outcome_of

    rules = packaged() if file is None else load_rules(file)
    for example in rules.examples:
        fields = dict(example.fields)
        result = fields.pop("result", None)
        if "arguments" in fields:
            fields["arguments"] = json.loads(fields["arguments"])
        found = outcome_of(result, rules=rules, **fields)
        if found != example.outcome:
            yield f"{example.place}: {result!r} must be {example.outcome}; it is {found}"


# A language -------------------------------------------------------------------------------------------------


def _grammar_examples(language: str) -> Iterator[str]:
    from verifier import grammar

    read = grammar.load(language)
    for says, expected, place in read.examples:
        found = claims_of(says, read)
        if expected not in found:
            yield f"{place}: “{says}” must read {expected}; it reads {', '.join(dict.fromkeys(found))}"


def claims_of(text: str, grammar: Grammar) -> list[str]:
    """What each event word of a text is read as; *mentions* where there is none."""
    from verifier.reader import read_sentence
    from verifier.text import tokenize

    tokens = tokenize(text, grammar.language)
    return [one.claim for one in read_sentence(tokens, 0, len(tokens.key), grammar).readings] or ["mentions"]


def _our_phrasings(language: str) -> Iterator[str]:
    from verifier.call import Call
    from verifier.phrasing import Phrasings

    phrasings = Phrasings.load(language)
    said = expect_map(load(folder("phrasings") / f"{phrasings.language}.yaml")["phrasings"], "phrasings", Problems())
    for outcome, given, gives in _examples(said):
        arguments = json.loads(given.get("arguments", "{}"))
        result = json.loads(given.get("result", "null"))
        told = phrasings.say(Call(str(given["tool"]), arguments, outcome, result, str(given.get("reason", ""))))
        if told != gives:
            yield f"{where(gives)}: gives “{told}”, not “{gives}”"
    for outcome in Outcome:
        place = phrasings.defaults[outcome].place
        yield from _read_back(phrasings, language, "refund_card", outcome, ("order_id",), place)


def _examples(said: YamlMap) -> Iterator[tuple[Outcome, dict[str, str], str]]:
    """Each example of the phrasings: the outcome, the call as texts, and what it must give."""
    for outcome, entry in said.items():
        examples = entry.get("examples") if isinstance(entry, YamlMap) else None
        for example in examples if isinstance(examples, list) else ():
            if isinstance(example, YamlMap):
                given = expect_map(example.get("with"), "with", Problems())
                yield Outcome(outcome), {str(key): str(value) for key, value in given.items()}, _text(example["gives"])


def _text(node: object) -> str:
    assert isinstance(node, str)
    return node


def _read_back(
    phrasings: Phrasings, language: str, tool: str, outcome: Outcome, names: Iterable[str], place: str
) -> Iterator[str]:
    """A phrasing, shown as a reply about its own call, must pass the check untouched."""
    from verifier import Ledger, Tool, verify

    ledger = Ledger([Tool(tool, write=True)])
    values = dict.fromkeys(names, SAMPLE_VALUE)
    call = ledger.record(tool, values, outcome=outcome, result=values, reason=SAMPLE_REASON)
    said = phrasings.say(call)
    verdict = verify(said, ledger, language=language)
    if verdict.changed:
        yield f"{place}: “{said}” does not read as {outcome.value}; the check makes “{verdict.text}” of it"


# Files of a user --------------------------------------------------------------------------------------------


def _rule_examples(source: Path | None) -> Iterator[str]:
    """The examples of reply rules: ours, or those of a file or a folder."""
    from verifier.rules import load as load_rules
    from verifier.rules.examples import problems_of

    yield from problems_of(load_rules(source).rules)


def _user_file(file: Path, language: str) -> Iterator[str]:
    if file.is_dir():
        yield from _rule_examples(file)
        return
    found = load(file)
    if {"kind", "defaults"} & found.keys():
        yield from _rule_examples(file)
    elif {"settings", "words"} & found.keys():
        yield from _vocabulary(file, found, language)
    elif {"lists", "later_verbs", "tools", "rules"} & found.keys():
        yield from _outcome_examples(file)
    else:
        yield from _user_phrasings(file, found, language)


def _user_phrasings(file: Path, found: YamlMap, language: str) -> Iterator[str]:
    from verifier.phrasing import Phrasings

    phrasings = Phrasings.load(language, file)
    for tool, outcomes in found.items():
        for outcome, text in outcomes.items() if isinstance(outcomes, YamlMap) else ():
            names = [part[1] for part in phrasings.own[tool][Outcome(outcome)].parts if not isinstance(part, str)]
            wrong = _read_back(phrasings, language, tool, Outcome(outcome), filter(None, names), where(text))
            yield from (f"{WARNING}{problem}" for problem in wrong)


def _vocabulary(file: Path, found: YamlMap, language: str) -> Iterator[str]:
    """A vocabulary as the verifier loads it, and phrases that stand under two tools."""
    from verifier.grammar import language_of
    from verifier.text import tokenize
    from verifier.vocabulary import Vocabulary

    settings = found.get("settings")
    told = str(settings.get("language", language)) if isinstance(settings, YamlMap) else language
    Vocabulary.load(file, language_of(told))
    problems = Problems()
    seen: dict[tuple[str, ...], str] = {}
    for tool, phrases in expect_map(found.get("words"), "words", problems, found).items():
        for phrase in expect_texts(phrases, f"the phrases of {tool}", problems, found):
            keys = tuple(tokenize(phrase, told).key)
            if not keys:
                problems.add(phrase, "a phrase needs a word")
            elif seen.setdefault(keys, tool) != tool:
                problems.add(phrase, f"“{phrase}” stands under {seen[keys]} and under {tool}", "leave it at one")
    yield from problems.found
