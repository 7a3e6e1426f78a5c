"""Required phrases: what must stand in a reply, when, and where it is put if it stands there in no spelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from verifier.appender import separator
from verifier.lines import BREAKS
from verifier.model import Sentence
from verifier.removal import content_end
from verifier.rules.letters import Folded, fold_text
from verifier.rules.nearby import is_json
from verifier.rules.phrases import find as find_phrases
from verifier.rules.rule import Finding, Required, Rule

if TYPE_CHECKING:
    from verifier.ledger import Ledger

NOWHERE = 1 << 62  # a place that no sentence holds
STOPS = ".!?…:;。！？"


def find(
    text: str, folded: Folded, sentences: Sequence[Sentence], rule: Rule, ledger: Ledger, language: str
) -> Iterator[Finding]:
    """The text that a rule requires and that is missing, at the place where it is to stand."""
    detail = rule.detail
    assert isinstance(detail, Required)
    said = rule.text(language)
    if not said or stands_in(said, folded) or find_phrases(folded, detail.already):
        return
    where = _called_for(detail, folded, ledger)
    if where is None:
        return
    if rule.action == "report" or is_json(text):
        yield Finding(0, 0, rule, "report", "", "missing")
    else:
        yield _placed(text, sentences, where, rule, detail, said)


def stands_in(said: str, folded: Folded) -> bool:
    """Whether a text stands there in any spelling: the same words one after the other."""
    wanted = [word.keys[0] for word in fold_text(said).words]
    words = folded.words
    return any(
        all(key in word.keys for key, word in zip(wanted, words[at : at + len(wanted)], strict=True))
        for at in range(len(words) - len(wanted) + 1)
    )


def _called_for(detail: Required, folded: Folded, ledger: Ledger) -> int | None:
    """The place in the text that calls for it (`NOWHERE` if none does), or None where it is not needed."""
    if detail.topics and "reply" in detail.look_in:
        matches = find_phrases(folded, detail.topics)
        if matches:
            return matches[0].start
    if detail.topics and "person" in detail.look_in:
        heard = [said for turn, said in ledger.heard if turn == ledger.turn]
        if any(find_phrases(fold_text(said), detail.topics) for said in heard):
            return NOWHERE
    if detail.always or ((detail.tools or detail.outcomes) and _was_called(detail, ledger)):
        return NOWHERE
    return None


def _was_called(detail: Required, ledger: Ledger) -> bool:
    calls = [call for call in ledger.calls_in(ledger.turn) if not detail.tools or call.tool in detail.tools]
    return any(not detail.outcomes or call.outcome.value in detail.outcomes for call in calls)


def _placed(
    text: str, sentences: Sequence[Sentence], where: int, rule: Rule, detail: Required, said: str
) -> Finding:
    if detail.place == "start":
        at = len(text) - len(text.lstrip(BREAKS))
        return Finding(at, at, rule, "append", said + _gap_before(text[at:]))
    if detail.place == "after":
        sentence = next((one for one in sentences if one.start <= where < one.end), None)
        if sentence is not None and sentence.kind in ("prose", "item"):
            at = content_end(text, sentence)
            ended = text[:at].rstrip("*_\"'”’)` ")[-1:] in STOPS
            return Finding(at, at, rule, "append", (" " if ended else " – ") + said)
    at = len(text.rstrip(BREAKS))
    return Finding(at, at, rule, "append", separator(text[:at]) + said)


def _gap_before(text: str) -> str:
    """What parts a text at the start from what follows: a space before prose, else an empty line."""
    newline = "\r\n" if "\r\n" in text else "\n"
    first = text[: max(text.find("\n"), 0) or len(text)]
    if not text:
        return ""
    numbered = first[:1].isdigit() and first[1:3] in (". ", ") ")
    return newline * 2 if text[:1] in "#>|-*+•`~" or numbered or newline * 2 in text else " "


def at_end(text: str, finding: Finding) -> Finding:
    """A finding's text as an addition at the end."""
    at = len(text.rstrip(BREAKS))
    return Finding(at, at, finding.rule, "append", separator(text[:at]) + finding.text)
