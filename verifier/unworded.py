"""Sentences whose words name no tool: facts that a call holds, questions, promises that only the turn explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.candidates import Candidate
from verifier.linker import Linker
from verifier.readings import SentenceReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.call import Call
    from verifier.candidates import Region
from verifier.questions import tool_in_question
from verifier.statement import ReadSentence, Statement

TWO_NAMED = 4.2  # an identifier (which is a name as well) and another name: the sentence is about what the call was for
DOUBTS = (
    "not", "no", "can", "could", "may", "would", "must", "if", "until", "unknown", "awaiting", "remain", "unavailable",
    "reason", "tried", "offer", "says", "unable", "but", "wh", "please",
)  # fmt: skip
TOLD = ("date", "time", "money", "identifier", "email", "phone", "percent")  # values that are told of something


def facts_of_code(read: ReadSentence, linker: Linker) -> list[Statement]:
    """A line of a JSON body mentions the call that holds what it states."""
    sentence, body = read.reading, read.sentence
    if sentence is None:
        return []
    call = linker.by_facts(regions_of(read, linker), 0.5)
    if call is None:
        return []
    return [
        Statement(
            body.body_start,
            body.body_end,
            "mentions",
            "unworded",
            "facts of a call",
            call.tool,
            (call,),
            (Candidate(call.tool, 1.0),),
            named=True,
            values=read.values,
        )
    ]


def regions_of(read: ReadSentence, linker: Linker) -> list[Region]:
    """What the words of each segment of a sentence name."""
    sentence = read.reading
    assert sentence is not None
    return [linker.region(sentence, n, read.values) for n in range(len(sentence.segments))]


def requests(read: ReadSentence) -> bool:
    """Does the sentence ask for something: a question, an offer, a request?"""
    sentence = read.reading
    assert sentence is not None
    return sentence.question or sentence.offer or any(r.claim == "asks" for r in sentence.readings) or sentence.request


def link_by_facts(statements: list[Statement], sentence: SentenceReading, read: ReadSentence, linker: Linker) -> None:
    """A claim whose verb fits no tool, about values and names that a write of this turn holds, is about that write."""
    if any(s.tool for s in statements):
        return
    for statement in statements:
        if statement.claim in ("says_done", "says_not_done", "says_unknown") and statement.reading is not None:
            if statement.claim == "says_done" and linker.read_states(statement.reading.lemmas):
                continue  # the state of a record
            region = linker.region(sentence, statement.reading.segment, read.values)
            call = linker.by_facts([region], 1.0) or _pronoun_call(statement, sentence, linker)
            tool = linker.ledger.tool(call.tool) if call is not None else None
            if call is None and statement.claim == "says_done" and not any(map(linker.writes, linker.in_turn)):
                _link_by_request(statement, linker)
            if call is not None and tool is not None and tool.write and call.turn == linker.turn:
                statement.tool, statement.calls, statement.named = call.tool, (call,), True
                statement.fit = linker.fit(call, region)
                statement.candidates = (Candidate(call.tool, 1.0, 1.0),)


def link_by_label(statements: list[Statement], sentence: SentenceReading, read: ReadSentence, linker: Linker) -> None:
    """A mention that no call fits is about the lookup whose field it names (`The order's total is £421.70`)."""
    if len(statements) == 1 and statements[0].claim == "mentions" and not statements[0].calls:
        call = linker.holder_of_label(sentence, read.values)
        if call is not None:
            statements[0].tool, statements[0].calls, statements[0].kind = call.tool, (call,), "unworded"
            statements[0].candidates = (Candidate(call.tool, 1.0, 1.0),)


def _link_by_request(statement: Statement, linker: Linker) -> None:
    """`I have let the lesson go`: where nothing was called, an act without a tool can be what the person asked for."""
    reading = statement.reading
    asked = [tool for tool in linker.requested() if not linker.ledger.calls_of(tool)]
    if reading is None or len(asked) != 1 or reading.kind != "event":
        return
    if any(
        lemma in linker.grammar.reading or lemma in linker.grammar.lists.get("vague", ()) for lemma in reading.lemmas
    ):
        return
    if "perfect" in reading.rule or "active" in reading.rule:
        statement.tool, statement.kind = asked[0], "requested"
        statement.candidates = (Candidate(asked[0], 2.0, 2.0),)


def _pronoun_call(statement: Statement, sentence: SentenceReading, linker: Linker) -> Call | None:
    """`It was billed at 194`: what a pronoun did is what the one write of the turn did."""
    a, _b = statement.segment
    it = linker.grammar.code("it")
    writes = [call for call in linker.in_turn if linker.writes(call)]
    return writes[0] if len(writes) == 1 and any(code in it for code in sentence.codes[a : a + 2]) else None


def unworded(read: ReadSentence, linker: Linker, before: Sequence[ReadSentence]) -> list[Statement]:
    """A sentence without a word of an act: a question about a tool's objects, or a fact that a call holds."""
    sentence = read.reading
    assert sentence is not None
    body = read.sentence
    regions = regions_of(read, linker)
    promise = _bare_promise(read, linker)
    if promise is not None:
        return [promise]
    asks = requests(read)
    if asks or sentence.condition:
        tool = tool_in_question(regions, linker, before, asks=asks)
        if tool:
            return [
                Statement(
                    body.body_start,
                    body.body_end,
                    "asks",
                    "unworded",
                    "question",
                    tool,
                    candidates=(Candidate(tool, 1.0),),
                    values=read.values,
                )
            ]
    call = linker.by_facts(regions) or next(filter(None, map(linker.holder_of_shape, regions)), None)
    call = call or linker.holder_of_label(sentence, read.values)
    if call is None:
        return [] if asks or sentence.condition or _doubts(sentence, linker) else _of_the_same(read, before)
    now = not linker.grammar.codes_of("now").isdisjoint(sentence.codes)
    says = "mentions"
    made = call.outcome.value in ("done", "undone")
    sure = made or linker.names_object(call, regions) or linker.alone_holds(call, regions, TWO_NAMED)
    told = sure and asserts(sentence, linker)
    if sentence.question:
        says = "asks"
    elif linker.writes(call) and call.turn == linker.turn and (
        now or (told and linker.alone_holds(call, regions))
    ):
        says = "says_done"
    fit = max(linker.fit(call, region) for region in regions)
    return [
        Statement(
            body.body_start,
            body.body_end,
            says,
            "unworded",
            "facts of a call",
            call.tool,
            (call,),
            (Candidate(call.tool, 1.0, 1.0),),
            named=True,
            fit=fit,
            values=read.values,
            plain=told,
        )
    ]


def _of_the_same(read: ReadSentence, before: Sequence[ReadSentence]) -> list[Statement]:
    """`It's valid from 17 December`: a value that no call holds is told of what the sentence before was about."""
    body, last = read.sentence, before[-1] if before else None
    if last is None or not any(value.kind in TOLD for value in read.values):
        return []
    said = [s for s in last.statements if s.tool is not None and s.calls]
    if not said:
        return []
    tool, calls = said[-1].tool, said[-1].calls[-1:]
    found = Statement(body.body_start, body.body_end, "mentions", "unworded", "value", tool, calls)
    found.candidates, found.values = (Candidate(tool or "", 1.0),), read.values
    return [found]


def asserts(sentence: SentenceReading, linker: Linker) -> bool:
    """Does a sentence without an act say plainly that something is or will be so?"""
    plain = linker.grammar.codes_of("be", "apos", "will", "have")
    return not plain.isdisjoint(sentence.codes) and not _doubts(sentence, linker)


def _doubts(sentence: SentenceReading, linker: Linker) -> bool:
    """Does it ask, deny, offer, suppose or explain?"""
    return sentence.question or not linker.grammar.codes_of(*DOUBTS).isdisjoint(sentence.codes)


def _bare_promise(read: ReadSentence, linker: Linker) -> Statement | None:
    """`Will do!`, `I'll try it again right away`: a promise that only the turn says of what."""
    sentence, body, grammar = read.reading, read.sentence, linker.grammar
    assert sentence is not None
    if sentence.question or sentence.condition or sentence.offer:
        return None
    again = grammar.lists.get("again", frozenset())
    promises = [r for r in sentence.readings if r.claim == "promises"]
    if not grammar.codes_of("will-do").isdisjoint(sentence.codes):
        tool, call = next(iter(linker.requested()), None), None
    elif promises and any(word.key in again or word.code in grammar.codes_of("again") for word in sentence.words):
        call = linker.failed_last()
        tool = call.tool if call else None
    else:
        return None
    if tool is None:
        return None
    return Statement(
        body.body_start,
        body.body_end,
        "promises",
        "turn",
        "promise of the turn",
        tool,
        (call,) if call else (),
        (Candidate(tool, 3.0, 3.0),),
        values=read.values,
    )
