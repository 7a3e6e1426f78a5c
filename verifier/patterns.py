"""The phrases and turns of a grammar file as bounded patterns over codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from verifier import data
from verifier.grammar import FORMS, MAX_GAP, MAX_PARTS, Grammar, Phrase, Turn

CLAIMS = ("says_done", "says_not_done", "promises", "asks", "says_unknown", "mentions")
MARKS = {"^": r"\A", "$": r"\Z"}


def phrases_of(grammar: Grammar, entries: Any, problems: data.Problems) -> Iterator[Phrase]:
    """The phrases of a grammar file's entries, compiled; what is wrong with one is added to the problems."""
    for entry in entries:
        claim = str(entry["as"])
        if claim not in CLAIMS:
            problems.add(entry["as"], f"the claim '{claim}' is not known", data.did_you_mean(claim, CLAIMS))
        for example in entry["examples"]:
            grammar.examples.append((str(example["says"]), str(example["reads"]), data.where(example["says"])))
        source, needs = _pattern(grammar, entry, problems)
        without = grammar.finite if entry.get("without") == "finite" else ""
        yield Phrase(
            str(entry["id"]),
            claim,
            str(entry.get("kind", "event")),
            re.compile(source),
            needs,
            without,
            f"{data.where(entry['id'])} {entry['id']}",
        )


def _pattern(grammar: Grammar, entry: Any, problems: data.Problems) -> tuple[str, tuple[str, ...]]:
    """The bounded pattern of a phrase: `class`, `FORM`, `x?`, `..n`, `a|b`, `^`, `$`; one FORM is the event word."""
    parts = str(entry["read"]).split()
    if len(parts) > MAX_PARTS:
        problems.add(entry["read"], f"a phrase has at most {MAX_PARTS} parts")
    anchors = [i for i, part in enumerate(parts) if _is_form(part)]
    anchor = anchors[-1 if entry.get("anchor") == "last" else 0] if anchors else -1
    if anchor < 0:
        problems.add(entry["read"], "a phrase needs one FORM", f"forms are {', '.join(FORMS)}")
    pieces, needs = [], []
    for i, part in enumerate(parts):
        piece = _piece(grammar, part, entry["read"], problems)
        if i == anchor:
            needs.append(piece.strip("[]"))
            piece = f"(?P<at>{piece})"
        elif part[-1] != "?" and not part.startswith("..") and part not in MARKS and not {"$", "^"} & set(part):
            needs.append(piece.strip("[]"))
        pieces.append(piece)
    return "".join(pieces), tuple(needs)


def _is_form(part: str) -> bool:
    names = part.rstrip("?").split("|")
    return part[-1] != "?" and all(name in FORMS for name in names)


def _piece(grammar: Grammar, part: str, node: Any, problems: data.Problems) -> str:
    if part in MARKS:
        return MARKS[part]
    if part.startswith(".."):
        gap = min(int(part[2:]), MAX_GAP)
        return f"[^{grammar.class_codes['semi']}]{{0,{gap}}}?"
    optional = part.endswith("?")
    names = part.rstrip("?").split("|")
    codes = "".join(_codes(grammar, name, node, problems) for name in names if name not in MARKS)
    piece = f"[{codes}]" if codes else ""
    if "^" in names:
        piece = rf"(?:{piece}|\A)"
    if "$" in names:
        piece = rf"(?:{piece}|\Z)" if piece else r"\Z"
    return piece + ("?" if optional else "")


def _codes(grammar: Grammar, name: str, node: Any, problems: data.Problems) -> str:
    if name in FORMS:
        return grammar.forms_matching(name)
    if name in grammar.class_codes:
        return "".join(grammar.code(part) for part in (name, *grammar.unions.get(name, ())))
    problems.add(node, f"the word class '{name}' is not defined", data.did_you_mean(name, grammar.class_codes))
    return ""


def turns_of(grammar: Grammar, entries: Any, problems: data.Problems) -> Iterator[Turn]:
    """The turns of a grammar file's entries, compiled; what is wrong with one is added to the problems."""
    for entry in entries:
        for example in entry["examples"]:
            grammar.examples.append((str(example["says"]), str(example["reads"]), data.where(example["says"])))
        yield Turn(
            id=str(entry["id"]),
            code=_codes(grammar, str(entry["word"]), entry["word"], problems),
            of=frozenset(map(str, entry["of"])),
            to=str(entry["to"]),
            look=str(entry["look"]),
            within=int(str(entry["within"])),
            unless="".join(
                _codes(grammar, name, entry["unless"], problems)
                for name in str(entry.get("unless", "")).split("|")
                if name
            ),
            where=f"{data.where(entry['id'])} {entry['id']}",
        )
