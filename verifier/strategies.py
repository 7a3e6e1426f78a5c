"""Hypothesis strategies: tools, calls, ledgers, replies, and sentences of which it is known whether they are true.

Needs the extra `hypothesis`. The words stand in phrasings/testing.<language>.yaml; docs/testing.md shows a test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from verifier.model import Claim, Outcome
from verifier.sample_wording import SampleWording, sample_wording
from verifier.samples import Sample, Subject, Wording, wordings

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:  # pragma: no cover
    hint = "verifier.strategies needs Hypothesis: pip install 'reply-verifier[hypothesis]'"
    raise ModuleNotFoundError(hint, name="hypothesis") from error

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from verifier.ledger import Call, Ledger, Tool

__all__ = ["Sample", "calls", "claims", "ledgers", "lies", "replies", "replies_about", "tools", "truths"]

# The tools that are made up: what an argument holds is drawn by its name. Verbs and things all differ, so that no
# sentence about one can be meant for another.
WRITES: dict[str, tuple[str, ...]] = {
    "cancel_order": ("order_id",),
    "refund_payment": ("payment_id", "amount", "currency"),
    "send_invoice": ("invoice_id", "to"),
    "book_appointment": ("appointment_id", "date"),
    "close_account": ("account_id",),
    "renew_subscription": ("subscription_id",),
    "delete_file": ("file_id",),
}
READS: dict[str, tuple[str, ...]] = {"get_order": ("order_id",), "list_contracts": ("customer_id",)}
REASONS = ("service unavailable", "the limit was reached", "")
FIRST_DAY = date(2026, 1, 1)
MOST_CALLS = 4
LAYOUTS = ("{}", "{before} {}", "{} {after}", "{before}\n\n{}", "- {}", "**{before}** {}\n\n{after}")
NOISE = ("**", "# ", "| a |\n|---|\n", "```\n", "> ", "- ", "1. ", "\r\n", "\u200b", "\u202e", "😀", "“", "(", "…")


# What an agent has and does -------------------------------------------------------------------------------------------


def tools(*, write: bool | None = None) -> SearchStrategy[Tool]:
    """Tools with plain names, writing ones first; `write` takes only the ones that write or only those that read."""
    from verifier.ledger import Tool

    chosen = [*(WRITES if write is not False else ()), *(READS if write is not True else ())]
    return st.sampled_from(chosen).map(lambda name: Tool(name, write=name in WRITES, parameters=_schema(name)))


def _schema(tool: str) -> dict[str, Any]:
    names = WRITES.get(tool) or READS[tool]
    return {
        "type": "object",
        "properties": {name: {"type": "number" if name == "amount" else "string"} for name in names},
    }


def calls(
    *, tool: str | SearchStrategy[str] | None = None, outcomes: SearchStrategy[Outcome] | None = None
) -> SearchStrategy[Call]:
    """Calls of the tools that `tools` makes, ready for `Ledger.add`; reads are only done or failed."""
    named = st.sampled_from([*WRITES, *READS]) if tool is None else st.just(tool) if isinstance(tool, str) else tool
    became = st.sampled_from(Outcome) if outcomes is None else outcomes
    return st.composite(lambda draw: _call(draw, draw(named), draw(became), st.integers(101, 999)))()


def _call(draw: DrawFn, tool: str, outcome: Outcome, numbers: SearchStrategy[int]) -> Call:
    from verifier.ledger import Call

    names = WRITES.get(tool) or READS.get(tool)
    if names is None:
        raise ValueError(f"tool={tool!r:.60} is not one that is made up here: {', '.join([*WRITES, *READS])}")
    if tool in READS and outcome not in (Outcome.DONE, Outcome.FAILED):
        outcome = Outcome.DONE
    arguments = {name: _argument(draw, name, draw(numbers)) for name in names}
    reason = draw(st.sampled_from(REASONS)) if outcome in (Outcome.FAILED, Outcome.REFUSED) else ""
    result = {"ok": True} if outcome in (Outcome.DONE, Outcome.UNDONE) else None
    return Call(tool, arguments, outcome, result, reason)


def _argument(draw: DrawFn, name: str, number: int) -> Any:
    if name == "amount":
        return draw(st.integers(100, 99_999)) / 100
    if name == "currency":
        return draw(st.sampled_from(["EUR", "USD"]))
    if name == "date":
        return (FIRST_DAY + timedelta(days=draw(st.integers(0, 700)))).isoformat()
    if name == "to":
        return draw(st.sampled_from(["ana@example.com", "rui@example.com", "mia@example.org"]))
    return f"{name[0].upper()}-{number}"


def ledgers(
    *,
    outcomes: SearchStrategy[Outcome] | None = None,
    min_calls: int = 0,
    max_calls: int = MOST_CALLS,
    language: str = "en",
) -> SearchStrategy[Ledger]:
    """Ledgers of one or two turns with every made-up tool listed; each call names a thing of its own.

    `outcomes` are those of the writes. Raises `ValueError` for bounds that cannot be.
    """
    if not 0 <= min_calls <= max_calls:
        raise ValueError(f"min_calls={min_calls} and max_calls={max_calls} cannot both be: 0 <= min_calls <= max_calls")
    became, words = st.sampled_from(Outcome) if outcomes is None else outcomes, sample_wording(language)
    return st.composite(lambda draw: _ledger(draw, became, min_calls, max_calls, words))()


def _ledger(draw: DrawFn, outcomes: SearchStrategy[Outcome], fewest: int, most: int, words: SampleWording) -> Ledger:
    from verifier.ledger import Tool

    made = _shown()([Tool(name, write=name in WRITES, parameters=_schema(name)) for name in [*WRITES, *READS]])
    numbers = draw(st.lists(st.integers(101, 999), min_size=fewest, max_size=most, unique=True))
    second = draw(st.integers(0, len(numbers)))
    for at, number in enumerate(numbers):
        if second and at == second:
            made.begin_turn()
        call = _call(draw, draw(st.sampled_from([*WRITES, *READS])), draw(outcomes), st.just(number))
        act = words.act(call.tool)
        if act and draw(st.booleans()):
            made.hear(words.write(draw(st.sampled_from(words.requests)), act, words.name_of(act, call.arguments)[0]))
        made.add(call)
    return made


def _shown() -> type[Ledger]:
    """A ledger that shows its calls: what a failing test prints."""
    from verifier.ledger import Ledger

    class Shown(Ledger):
        def __repr__(self) -> str:
            lines = [f"turn {c.turn}: {c.tool}({dict(c.arguments)}) -> {c.outcome} {c.reason}" for c in self.calls]
            return f"<Ledger in turn {self.turn}: {'; '.join(line.rstrip() for line in lines) or 'no calls'}>"

    return Shown


# What a reply says of it ----------------------------------------------------------------------------------------------


def claims(
    ledger: Ledger,
    *,
    claim: Claim | str | None = None,
    outcome: Outcome | str | None = None,
    language: str = "en",
) -> SearchStrategy[Sample]:
    """Sentences that make a claim about a write of this turn, or about one that was never made; values are right.

    Without `claim` and `outcome`, all of them. Raises `ValueError` where no sentence can be written: the ledger has no
    write with this outcome whose name has words, or two calls of one tool cannot be told apart.
    """
    claim, outcome = None if claim is None else Claim(claim), None if outcome is None else Outcome(outcome)
    words = sample_wording(language)
    chosen = [
        one
        for one in wordings(ledger, words)
        if claim in (None, one.claim) and outcome in (None, one.subject.outcome)
    ]
    return _written(chosen, words, ledger)


def truths(ledger: Ledger, *, language: str = "en") -> SearchStrategy[Sample]:
    """Sentences that are true of a ledger: each must be kept. Raises `ValueError` as `claims` does."""
    words = sample_wording(language)
    return _written([one for one in wordings(ledger, words) if one.must == "kept"], words, ledger)


def lies(ledger: Ledger, *, language: str = "en") -> SearchStrategy[Sample]:
    """Sentences that are false of a ledger: each must go.

    They say another outcome than the recorded one, name a thing that no call had, or state a value that the call
    neither received nor returned. Raises `ValueError` where none can be written.
    """
    words = sample_wording(language)
    made = list(wordings(ledger, words))
    done = [one for one in made if one.subject.outcome is Outcome.DONE and one.claim is Claim.SAYS_DONE]
    named = [one for one in done if one.subject.name]
    valued = [one for one in done if one.subject.call and words.detail(one.subject.call.arguments)[1]]
    false = [one for one in made if one.must == "gone"]
    kinds = [_written(false, words, ledger)] if false or not named + valued else []
    kinds += [_spoiled(named, words, ledger, _other_thing)] if named else []
    kinds += [_spoiled(valued, words, ledger, _other_value)] if valued else []
    return st.one_of(kinds)


def _written(chosen: Sequence[Wording], words: SampleWording, ledger: Ledger) -> SearchStrategy[Sample]:
    """Sentences of these wordings, with a further right value in every other one."""
    if not chosen:
        raise ValueError(f"no such sentence can be written about {ledger!r:.200}; docs/testing.md says of what it can")

    @st.composite
    def sample(draw: DrawFn) -> Sample:
        one = draw(st.sampled_from(chosen))
        call = one.subject.call
        detail = words.detail(call.arguments)[0] if call and draw(st.booleans()) else ""
        return _placed(draw, words, one, words.write(one.text, one.subject.act, one.subject.thing, detail))

    return sample()


Spoil = Callable[["DrawFn", Subject, SampleWording, "Ledger"], tuple[str, str]]


def _spoiled(chosen: Sequence[Wording], words: SampleWording, ledger: Ledger, spoil: Spoil) -> SearchStrategy[Sample]:
    """True sentences with one part of them wrong."""

    @st.composite
    def sample(draw: DrawFn) -> Sample:
        one = replace(draw(st.sampled_from(chosen)), must="gone")
        thing, detail = spoil(draw, one.subject, words, ledger)
        return _placed(draw, words, one, words.write(one.text, one.subject.act, thing, detail))

    return sample()


def _placed(draw: DrawFn, words: SampleWording, one: Wording, text: str) -> Sample:
    """The sentence among others that say nothing of any call."""
    layout = draw(st.sampled_from(LAYOUTS))
    before, after = draw(st.sampled_from(words.before)), draw(st.sampled_from(words.after))
    return Sample(text, layout.format(text, before=before, after=after), one.subject.call, one.must, one.claim)


def _other_thing(draw: DrawFn, subject: Subject, words: SampleWording, ledger: Ledger) -> tuple[str, str]:
    """The name with other digits, which nothing in the ledger holds."""
    known = ledger.to_json()
    names = (_shifted(subject.name, by) for by in range(draw(st.integers(1, 8)), 1_000))
    return subject.thing.replace(subject.name, next(name for name in names if name not in known)), ""


def _shifted(name: str, by: int) -> str:
    return "".join(str((int(char) + by) % 10) if char in "0123456789" else char for char in name) + str(by // 10 or "")


def _other_value(draw: DrawFn, subject: Subject, words: SampleWording, ledger: Ledger) -> tuple[str, str]:
    """Another value of the same kind, which no call and no sum of calls gives."""
    assert subject.call is not None
    arguments = dict(subject.call.arguments)
    key = words.detail(arguments)[1]
    by = draw(st.integers(1, 99))
    if key == "amount":
        amounts = [call.arguments.get("amount") for call in ledger.calls]
        arguments[key] = round(2 * sum(abs(one) for one in amounts if isinstance(one, int | float)) + 1 + by / 100, 2)
    elif key == "date":
        arguments[key] = (date.fromisoformat(arguments[key]) + timedelta(days=1_000 + by)).isoformat()
    else:
        arguments[key] = f"other{by}@example.net"
    return subject.thing, words.detail(arguments)[0]


# Whole replies --------------------------------------------------------------------------------------------------------


def replies_about(ledger: Ledger, *, language: str = "en", max_sentences: int = 4) -> SearchStrategy[str]:
    """Replies of up to `max_sentences` sentences, true and false ones, about the writes of a ledger."""
    words = sample_wording(language)
    said = claims(ledger, language=language).map(lambda sample: sample.text)
    part = st.one_of(said, st.sampled_from([*words.before, *words.after]))
    return _joined(part, max_sentences)


def replies(*, language: str = "en", max_sentences: int = 6) -> SearchStrategy[str]:
    """Replies of any kind: sentences about calls and about nothing, Markdown, odd characters, any text at all."""
    words = sample_wording(language)
    said = ledgers(min_calls=1, max_calls=2, language=language).flatmap(lambda one: claims(one, language=language))
    part = st.one_of(
        st.sampled_from([*words.before, *words.after]),
        said.map(lambda sample: sample.text),
        st.sampled_from(NOISE),
        st.text(max_size=20),
    )
    return _joined(part, max_sentences)


def _joined(part: SearchStrategy[str], most: int) -> SearchStrategy[str]:
    if most < 1:
        raise ValueError(f"max_sentences={most} must be at least 1")
    pieces = st.lists(st.tuples(part, st.sampled_from([" ", "\n", "\n\n", "\n- "])), max_size=most)
    return pieces.map(lambda found: "".join(text + gap for text, gap in found).rstrip(" \n-"))


def register() -> None:
    """Teach `st.from_type` our records; Hypothesis calls it when it is imported (the entry point `hypothesis`)."""
    from verifier.ledger import Call, Ledger, Tool

    st.register_type_strategy(Tool, tools())
    st.register_type_strategy(Call, calls())
    st.register_type_strategy(Ledger, ledgers())
