"""What must hold for every reply and every ledger: checked by the tests on a few examples, by the fuzzer on many."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from verifier import Call, Ledger, Tool, Verdict, Verifier
from verifier.phrasing import Phrasings
from verifier.splice import splice
from verifier.splitter import split
from verifier.verdict import SentenceVerdict

# What may stand in an inserted sentence only because it stands in the ledger: a word with a digit or an @ in it.
VALUE = re.compile(r"[^\s“”\"'(),;:]{0,200}[0-9@][^\s“”\"'(),;:]{0,200}")
UNRELATED = Tool("get_weather", write=False, description="The weather of a city.")


def tiles(reply: str, language: str = "en") -> None:
    """The sentences of a reply, joined, are the reply; each body lies in its sentence."""
    sentences = split(reply, language)
    assert "".join(reply[one.start : one.end] for one in sentences) == reply
    assert all(one.start <= one.body_start <= one.body_end <= one.end for one in sentences)
    assert [one.end for one in sentences[:-1]] == [one.start for one in sentences[1:]]


def verdict_tiles(verdict: Verdict) -> None:
    """The sentences of a verdict are pieces of the reply in its order, and their actions agree with the edits."""
    at = 0
    for sentence in verdict.sentences:
        assert at <= sentence.start <= sentence.end <= len(verdict.reply)
        assert sentence.text == verdict.reply[sentence.start : sentence.end]
        at = sentence.end
        if sentence.action in ("replaced", "removed"):
            assert any(_touches(edit.start, edit.end, sentence) for edit in verdict.edits), sentence


def _touches(start: int, end: int, sentence: SentenceVerdict) -> bool:
    return start < sentence.end and end > sentence.start


def clean_is_the_same_object(verdict: Verdict) -> None:
    """Without edits the text is the reply itself."""
    assert verdict.changed == bool(verdict.edits), verdict.edits
    if not verdict.edits:
        assert verdict.text is verdict.reply


def edits_replay(verdict: Verdict) -> None:
    """The edits are sorted, do not overlap, and give the text."""
    assert splice(verdict.reply, verdict.edits) == verdict.text
    assert list(verdict.edits) == sorted(verdict.edits)
    assert all(one.end <= two.start for one, two in zip(verdict.edits, verdict.edits[1:], strict=False))


def never_empty(verdict: Verdict) -> None:
    """A reply that says something is never returned empty."""
    assert verdict.text.strip() or not verdict.reply.strip()


def settled(verdict: Verdict, ledger: Ledger, verifier: Verifier) -> None:
    """Verifying the repaired reply again changes nothing."""
    again = verifier.verify(verdict.text, ledger)
    assert again.text == verdict.text, f"first {verdict.text!r}, then {again.text!r}"
    assert not again.edits


def inserted_values_are_recorded(verdict: Verdict, ledger: Ledger) -> None:
    """Every value in an inserted sentence is one of the ledger: its arguments, its reasons, its names."""
    if not any(edit.text for edit in verdict.edits):
        return
    known = set(_written(ledger))
    for edit in verdict.edits:
        for found in VALUE.findall(edit.text):
            value = found.strip(".,;:!?…“”")
            assert value in known or any(value in one for one in known), f"{value!r} in {edit.text!r}"


def _written(ledger: Ledger) -> Iterator[str]:
    """The words of everything that a phrasing may tell, spelled as phrasings spell them."""
    phrasings = [Phrasings.load(language) for language in ("en", "pt-BR")]
    for call in ledger.calls:
        for say in phrasings:
            yield say.say(replace(call, arguments={}))
        for name, value in (*call.arguments.items(), *_fields(call.result)):
            for say in phrasings:
                yield say.say(replace(call, arguments={name: value}, outcome="done", result=None, reason=""))
    yield from (say.say_not_attempted(tool.name) for tool in ledger.tools for say in phrasings)


def _fields(result: object) -> Iterable[tuple[str, object]]:
    return result.items() if isinstance(result, Mapping) else ()


def every_promise_of_a_verdict(reply: str, ledger: Ledger, verifier: Verifier) -> Verdict:
    """Verify, and check all that a verdict alone must keep."""
    verdict = verifier.verify(reply, ledger)
    verdict_tiles(verdict)
    clean_is_the_same_object(verdict)
    edits_replay(verdict)
    never_empty(verdict)
    inserted_values_are_recorded(verdict, ledger)
    settled(verdict, ledger, verifier)
    assert verdict.to_dict()["text"] == verdict.text
    assert isinstance(verdict.explain(), str)
    return verdict


def rebuilt(
    ledger: Ledger,
    *,
    tools: Sequence[Tool] | None = None,
    extra: Sequence[Call] = (),
    change: Callable[[Call], Call] = lambda call: call,
) -> Ledger:
    """The same ledger with other tools, with its calls changed, or with calls made after all others."""
    made = Ledger(ledger.tools if tools is None else tools, now=ledger.now)
    replay: dict[str, Callable[[Any], object]] = {
        "call": lambda call: made.add(change(call)),
        "turn": lambda turn: made.begin_turn(),
        "heard": made.hear,
        "reply": made.replied,
        "context": made.context,
        "settle": lambda call: made.settle(call.id, call.outcome, call.result, call.reason),
    }
    for event in ledger.events():
        if event.kind in replay:
            replay[event.kind](event.value)
    for call in extra:
        made.add(call)
    return made


def with_something_unrelated(ledger: Ledger) -> Ledger:
    """The ledger with a tool of which no reply speaks, called once."""
    call = Call(UNRELATED.name, {"city": "Reykjavik"}, "done", {"sky": "overcast"})
    return rebuilt(ledger, tools=[*ledger.tools, UNRELATED], extra=[call])
