"""Banned phrases: whole words in any script, seen through disguises, with exceptions; one action a phrase."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.rules.letters import Folded
from verifier.rules.nearby import in_link
from verifier.rules.phrases import Match, drop_excepted
from verifier.rules.phrases import find as find_phrases
from verifier.rules.rule import HIDDEN, Banned, Finding, Rule


def find(text: str, folded: Folded, rule: Rule, language: str) -> Iterator[Finding]:
    """What a rule about banned phrases finds. A phrase inside a link is reported only: the link must go on working."""
    detail = rule.detail
    assert isinstance(detail, Banned)
    matches = find_phrases(folded, detail.phrases)
    if not matches:
        return
    matches = drop_excepted(matches, find_phrases(folded, detail.exceptions))
    stop = -1
    for match in matches:
        if match.start < stop or _is_excepted(match, folded, detail):
            continue
        stop = match.end
        written = match.phrase.written
        action = detail.actions.get(written, rule.action)
        if in_link(text, match.start, match.end):
            action = "report"
        start, end = _with_marks(text, match.start, match.end)
        yield Finding(start, end, rule, action, _text(text, match, rule, detail, action, language), written)


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """A span with the emphasis mark beside it whose other half lies inside: `**g**uaranteed`."""
    for mark in ("**", "~~", "*"):
        if text.count(mark, start, end) % 2:
            if text.endswith(mark, 0, start):
                return start - len(mark), end
            if text.startswith(mark, end):
                return start, end + len(mark)
    return start, end


def _is_excepted(match: Match, folded: Folded, detail: Banned) -> bool:
    own = detail.own_exceptions.get(match.phrase.written)
    return own is not None and not drop_excepted([match], find_phrases(folded, own))


def _text(text: str, match: Match, rule: Rule, detail: Banned, action: str, language: str) -> str:
    """What is put there: the phrase's own text, else the rule's; a capital stays a capital."""
    texts = detail.texts.get(match.phrase.written)
    put = (texts.get(language) or texts.get("", "")) if texts else rule.text(language)
    if action == "mask":
        return put or HIDDEN
    if action == "replace" and text[match.start : match.start + 1].isupper() and put[:1].islower():
        return put[0].upper() + put[1:]
    return put
