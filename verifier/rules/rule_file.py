"""One rule from its YAML mapping: a closed list of kinds and keys, every mistake with file, line and column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from verifier.data import (
    Node,
    Problems,
    YamlList,
    YamlMap,
    YamlText,
    expect_choice,
    expect_list,
    expect_map,
    expect_text,
    expect_texts,
    refuse_unknown_keys,
    where,
)
from verifier.model import Outcome
from verifier.rules.phrases import Phrase, PhraseIndex, index_of, parse_phrase
from verifier.rules.rule import (
    ACTIONS,
    FINDS,
    KINDS,
    LANGUAGES,
    PLACES,
    SOURCES,
    Banned,
    Benefit,
    Detail,
    Example,
    Offers,
    Pii,
    Required,
    Rule,
)

COMMON = ("id", "kind", "languages", "why", "action", "enabled", "text", "examples")
OFFER_PHRASES = (
    "gives", "given", "subjects", "passives", "otherwise", "denied", "conditions", "polite", "done", "allowed",
)  # fmt: skip
BENEFIT_KEYS = ("triggers", "nouns", "verbs", "passives", "granted_by", "not_granted_by", "proposable")
EXAMPLE_KEYS = ("says", "becomes", "language", "heard", "calls")
CALL_KEYS = ("tool", "arguments", "outcome", "result", "write")
SAYS_YES, SAYS_NO = ("yes", "true"), ("no", "false")
OPEN, CLOSE = "⟦", "⟧"
MAX_KEEP = 4  # of a masked number; more would give it away
LANGUAGE_TAGS = {"en": "en", "pt-BR": "pt-BR", "pt": "pt-BR"}


def read_rule(node: YamlMap, problems: Problems) -> Rule:
    """The rule that a mapping holds. Mistakes are noted in `problems`, and something harmless stands in for them."""
    kind = expect_choice(node.get("kind"), "kind", KINDS, problems, node)
    read, keys = _READERS[kind]
    refuse_unknown_keys(node, (*COMMON, *keys), problems)
    action = expect_choice(node.get("action"), "action", ACTIONS[kind], problems, node)
    languages = _languages(node, problems)
    texts = read_said(node["text"], "text", problems) if "text" in node else {}
    if action in ("append", "block", "replace") or kind == "required":
        _demand_text(node, texts, languages, problems)
    enabled = str(node.get("enabled", "yes"))
    if enabled not in (*SAYS_YES, *SAYS_NO):
        problems.add(node["enabled"], f"enabled cannot be '{enabled}'", "write yes or no")
    return Rule(
        str(expect_text(node.get("id"), "id", problems, node)),
        kind,
        action,
        languages,
        read(node, problems),
        texts,
        str(node.get("why", "")),
        enabled in SAYS_YES,
        tuple(_examples(node, languages, problems)),
        where(node).replace(":0:0", ""),
    )


def _languages(node: YamlMap, problems: Problems) -> tuple[str, ...]:
    """The languages of a rule; none for `any`."""
    given = node.get("languages")
    if isinstance(given, YamlText) and given == "any":
        return ()
    found = []
    for language in expect_texts(given, "languages", problems, node):
        if language not in LANGUAGE_TAGS:
            problems.add(language, f"the language '{language}' is not read", f"any, or of: {', '.join(LANGUAGES)}")
        found.append(LANGUAGE_TAGS.get(language, "en"))
    if isinstance(given, YamlList) and not found:
        problems.add(given, "languages is empty", "write `any`, or the languages that the rule is written for")
    return tuple(found)


def read_said(node: Node, what: str, problems: Problems) -> dict[str, str]:
    """A text for every language (""), or one for each."""
    if not isinstance(node, YamlMap):
        return {"": str(expect_text(node, what, problems))}
    said = {}
    for language, text in node.items():
        if language not in LANGUAGE_TAGS:
            problems.add(language, f"the language '{language}' is not known", f"languages here: {', '.join(LANGUAGES)}")
        said[LANGUAGE_TAGS.get(language, "en")] = str(expect_text(text, f"{what} in {language}", problems))
    return said


def _demand_text(node: YamlMap, texts: Mapping[str, str], languages: tuple[str, ...], problems: Problems) -> None:
    missing = [language for language in languages or LANGUAGES if not (texts.get(language) or texts.get(""))]
    if missing:
        problems.add(node, f"text is missing for {', '.join(missing)}", "the action needs the words to put there")


# Phrases -------------------------------------------------------------------------------------------------------------


def _phrase(text: YamlText, problems: Problems) -> Phrase | None:
    try:
        return parse_phrase(str(text))
    except ValueError as error:
        problems.add(text, str(error))
        return None


def _phrases(node: YamlMap, key: str, problems: Problems) -> Iterator[Phrase]:
    if key in node:
        for text in expect_texts(node[key], key, problems):
            phrase = _phrase(text, problems)
            if phrase:
                yield phrase


def _index(node: YamlMap, key: str, problems: Problems) -> PhraseIndex:
    return index_of(_phrases(node, key, problems))


def _words(node: YamlMap, key: str, problems: Problems) -> frozenset[str]:
    return frozenset(map(str, expect_texts(node[key], key, problems))) if key in node else frozenset()


# Kinds ---------------------------------------------------------------------------------------------------------------


def _pii(node: YamlMap, problems: Problems) -> Detail:
    keep = str(node.get("keep_last", "0"))
    if not keep.isdigit() or int(keep) > MAX_KEEP:
        problems.add(node["keep_last"], f"keep_last cannot be '{keep}'", f"write a number from 0 to {MAX_KEEP}")
        keep = "0"
    sources = _words(node, "allow_from", problems) if "allow_from" in node else frozenset(SOURCES)
    for source in sorted(sources - set(SOURCES)):
        problems.add(node["allow_from"], f"allow_from cannot hold '{source}'", f"allowed: {', '.join(SOURCES)}")
    allowed = expect_texts(node["allowed"], "allowed", problems) if "allowed" in node else ()
    return Pii(
        expect_choice(node.get("find"), "find", FINDS, problems, node),
        sources,
        tuple(map(str, allowed)),
        int(keep),
        read_said(node["region"], "region", problems) if "region" in node else {},
        _words(node, "words", problems),
        _words(node, "other_words", problems),
    )


def _banned(node: YamlMap, problems: Problems) -> Detail:
    phrases: list[Phrase] = []
    own: dict[str, PhraseIndex] = {}
    actions: dict[str, str] = {}
    texts: dict[str, dict[str, str]] = {}
    for entry in expect_list(node.get("phrases"), "phrases", problems, node):
        said = entry.get("say") if isinstance(entry, YamlMap) else entry
        phrase = _phrase(expect_text(said, "a phrase", problems, entry), problems)
        if phrase is None:
            continue
        phrases.append(phrase)
        if isinstance(entry, YamlMap):
            refuse_unknown_keys(entry, ("say", "action", "text", "except"), problems)
            own[phrase.written] = _index(entry, "except", problems)
            if "action" in entry:
                actions[phrase.written] = expect_choice(entry["action"], "action", ACTIONS["banned"], problems)
            if "text" in entry:
                texts[phrase.written] = read_said(entry["text"], "text", problems)
            action = actions.get(phrase.written)
            if action in ("replace", "append", "block") and "text" not in entry and "text" not in node:
                problems.add(entry, f"the action {action} needs a text", "write `text:` here")
    return Banned(index_of(phrases), _index(node, "except", problems), own, actions, texts)


def _offers(node: YamlMap, problems: Problems) -> Detail:
    ignored = sorted(_words(node, "ignored", problems))
    roles: dict[Phrase, list[str]] = {}
    benefits = [
        _benefit(str(name), expect_map(entry, name, problems), ignored, roles, problems)
        for name, entry in expect_map(node.get("benefits"), "benefits", problems, node).items()
    ]
    for role in OFFER_PHRASES:
        for phrase in _phrases(node, role, problems):
            roles.setdefault(phrase, []).append(role)
    return Offers(
        tuple(benefits),
        index_of(roles),
        _index(node, "asks", problems),
        {phrase.written: tuple(names) for phrase, names in roles.items()},
        tuple(dict.fromkeys(trigger for benefit in benefits for trigger in benefit.triggers)),
    )


def _benefit(
    name: str, node: YamlMap, ignored: list[str], roles: dict[Phrase, list[str]], problems: Problems
) -> Benefit:
    refuse_unknown_keys(node, BENEFIT_KEYS, problems)
    for key, role in (("nouns", "noun"), ("verbs", "verb"), ("passives", "passive")):
        for phrase in _phrases(node, key, problems):
            roles.setdefault(phrase, []).append(f"{role} {name}")
    triggers = expect_texts(node.get("triggers"), "triggers", problems, node)
    granted_by = expect_texts(node.get("granted_by"), "granted_by", problems, node)
    others = expect_texts(node["not_granted_by"], "not_granted_by", problems) if "not_granted_by" in node else ()
    return Benefit(
        name,
        tuple((str(trigger), tuple(one for one in ignored if trigger in one)) for trigger in triggers),
        tuple(map(str, granted_by)),
        tuple(map(str, others)),
        str(node.get("proposable", "no")) in SAYS_YES,
    )


def _required(node: YamlMap, problems: Problems) -> Detail:
    when = expect_map(node.get("when"), "when", problems, node)
    refuse_unknown_keys(when, ("always", "tools", "outcomes", "topics", "look_in"), problems)
    if not when.keys() & {"always", "tools", "outcomes", "topics"}:
        problems.add(when, "when says nothing", "write always: yes, tools: […], outcomes: […] or topics: […]")
    outcomes = _words(when, "outcomes", problems)
    for outcome in sorted(outcomes - set(Outcome)):
        problems.add(when["outcomes"], f"'{outcome}' is no outcome", f"outcomes: {', '.join(Outcome)}")
    look_in = _words(when, "look_in", problems) or frozenset(("reply", "person"))
    if look_in - {"reply", "person"}:
        problems.add(when["look_in"], "look_in can hold reply and person only")
    return Required(
        str(when.get("always", "no")) in SAYS_YES,
        _words(when, "tools", problems),
        outcomes,
        _index(when, "topics", problems),
        look_in,
        expect_choice(node["place"], "place", PLACES, problems) if "place" in node else "end",
        _index(node, "already", problems),
    )


_READERS: dict[str, tuple[Callable[[YamlMap, Problems], Detail], tuple[str, ...]]] = {
    "pii": (_pii, ("find", "allow_from", "allowed", "keep_last", "region", "words", "other_words")),
    "banned": (_banned, ("phrases", "except")),
    "offers": (_offers, ("benefits", "ignored", "asks", *OFFER_PHRASES)),
    "required": (_required, ("when", "place", "already")),
}


# Examples ------------------------------------------------------------------------------------------------------------


def _examples(node: YamlMap, languages: tuple[str, ...], problems: Problems) -> Iterator[Example]:
    if "examples" not in node:
        return
    for entry in expect_list(node["examples"], "examples", problems):
        example = expect_map(entry, "an example", problems)
        refuse_unknown_keys(example, EXAMPLE_KEYS, problems)
        says, spans = _marked(str(expect_text(example.get("says"), "says", problems, example)))
        calls = []
        for one in expect_list(example["calls"], "calls", problems) if "calls" in example else ():
            call = expect_map(one, "a call", problems)
            refuse_unknown_keys(call, CALL_KEYS, problems)
            calls.append({str(key): str(value) for key, value in call.items()})
        becomes = example.get("becomes")
        language = LANGUAGE_TAGS.get(str(example.get("language", "")), languages[0] if languages else "en")
        yield Example(
            says, spans, None if becomes is None else str(becomes), language, str(example.get("heard", "")),
            tuple(calls), where(example).replace(":0:0", ""),
        )  # fmt: skip


def _marked(says: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without its marks, and the spans between them."""
    plain, spans, start = "", [], -1
    for char in says:
        if char == OPEN:
            start = len(plain)
        elif char == CLOSE:
            spans.append((start, len(plain)))
        else:
            plain += char
    return plain, tuple(spans)
