"""From readings to statements: what each sentence says of which tool and calls, and what it inherits from its lead-in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from verifier.linker import Candidate, Link, Linker
from verifier.model import Sentence, Value
from verifier.reader import Reading, SentenceReading, Word

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.ledger import Ledger

MOST_ITEM_CALLS = 60  # calls of a tool that an item is compared with, the latest
SHORT_QUESTION = 9  # words: `Shall I do that instead?` takes its object from the turn
WEIGHT = {"says_done": 5, "says_not_done": 5, "says_unknown": 5, "promises": 4, "asks": 3, "mentions": 1}


@dataclass(slots=True)
class Statement:
    """What one clause says: a claim about a tool (None: about none) and the calls that it may be about."""

    start: int
    end: int
    claim: str
    kind: str
    rule: str
    tool: str | None
    calls: tuple[Call, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    every: bool = False
    named: bool = False
    foreign: bool = False
    fit: float = 0.0
    inherited: bool = False
    under_done: bool = False
    plain: bool = False
    values: tuple[Value, ...] = ()
    reading: Reading | None = None
    segment: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class ReadSentence:
    """A sentence of the reply with everything known about it."""

    sentence: Sentence
    reading: SentenceReading | None
    values: tuple[Value, ...] = ()
    statements: list[Statement] = field(default_factory=list)


def statements_of(read: ReadSentence, linker: Linker, context: str | None = None) -> list[Statement]:
    """The statements that a sentence makes by its own words; `context` is the tool that the reply last spoke of."""
    sentence = read.reading
    if sentence is None:
        return []
    if _closes(sentence, linker):
        return []
    asked = {reading.segment for reading in sentence.readings if reading.kind == "imperative"}
    links = [linker.link(sentence, reading, read.values) for reading in sentence.readings
             if reading.segment not in asked or reading.claim not in ("mentions", "asks")]
    chosen: list[Statement] = []
    for number, (a, b) in enumerate(sentence.segments):
        here = [link for link in links if link.reading.segment == number]
        chosen += _of_segment(here, sentence, a, b, read.values)
    chosen = _without_weak(chosen, read, linker)
    _link_by_facts(chosen, sentence, read, linker)
    if not any(s.tool for s in chosen) and not (asked and not sentence.offer and not sentence.question):
        found = _unworded(read, linker, context)
        for statement in found:  # what another stretch of the sentence states is not of this one
            statement.values = tuple(v for v in statement.values if not any(s.start <= v.start < s.end for s in chosen))
        chosen += found
    if sentence.whole_turn and not any(s.claim == "says_done" for s in chosen):
        chosen = [s for s in chosen if s.claim != "mentions"] + _of_the_turn(read, linker)
    chosen = _without_echoes(chosen)
    _share_values(chosen, read)
    return chosen


def _share_values(statements: list[Statement], read: ReadSentence) -> None:
    """A value in a stretch that makes no statement (an aside in brackets) belongs to the one before it."""
    if not statements:
        return
    for value in read.values:
        if value.kind in ("money", "count", "percent") or any(s.start <= value.start < s.end for s in statements):
            continue  # what an amount in an aside is of, nobody can tell
        before = [s for s in statements if s.end <= value.start] or statements[:1]
        end = max(s.end for s in before)
        for statement in before:
            if statement.end == end:
                statement.values = (*statement.values, value)


def facts_of_code(read: ReadSentence, linker: Linker) -> list[Statement]:
    """A line of a JSON body mentions the call that holds what it states."""
    sentence, body = read.reading, read.sentence
    if sentence is None:
        return []
    regions = [linker.region(sentence, n, read.values) for n in range(len(sentence.segments))]
    call = linker.by_facts(regions, 0.5)
    if call is None:
        return []
    return [Statement(body.body_start, body.body_end, "mentions", "unworded", "facts of a call", call.tool, (call,),
                      (Candidate(call.tool, 1.0),), named=True, values=read.values)]


def _closes(sentence: SentenceReading, linker: Linker) -> bool:
    """`If you need anything else, let me know`: a closing offer speaks of no tool."""
    closing = linker.grammar.code("nothing-more")
    if any(code in linker.grammar.code("closing") for code in sentence.codes[:8]):
        return not any(reading.claim in ("says_done", "says_not_done", "promises") for reading in sentence.readings)
    if not any(code in closing for code in sentence.codes):
        return False
    return (sentence.offer or sentence.condition or sentence.question) and not any(
        reading.claim in ("says_done", "says_not_done", "promises") for reading in sentence.readings)


def _of_segment(
    links: Sequence[Link], sentence: SentenceReading, a: int, b: int, values: Sequence[Value]
) -> list[Statement]:
    """The statements of one segment: claims before mentions; of mentions only the best linked one."""
    linked = [link for link in links if link.candidates]
    claims = [link for link in linked if link.reading.claim != "mentions"]
    if not claims and linked:
        claims = [max(linked, key=lambda link: (link.candidates[0].score, -link.reading.at))]
    words = sentence.words[a:b]
    start, end = words[0].start, words[-1].end
    inside = tuple(value for value in values if start <= value.start < end)
    found = []
    for link in claims:
        reading = link.reading
        found.append(Statement(
            start, end, _told(link), reading.kind, reading.turned or reading.rule, link.candidates[0].tool,
            link.calls, link.candidates, link.every, link.named, link.foreign, link.fit, values=inside, reading=reading,
            segment=(a, b)))
    untooled = [link for link in links if not link.candidates and link.reading.claim == "says_done" and link.reading.kind != "state"]
    if untooled and not found:
        reading = untooled[0].reading
        found.append(Statement(start, end, reading.claim, reading.kind, reading.rule, None, values=inside,
                               reading=reading, segment=(a, b)))
    return found


def _told(link: Link) -> str:
    """`I'll remind you on the 28th` is the effect of a reminder that was set, and else a promise."""
    reading = link.reading
    if reading.kind == "effect-i" and reading.claim == "promises" and not {"remind", "notify", "alert"}.isdisjoint(
        reading.lemmas
    ) and any(call.outcome.value == "done" for call in link.calls):
        return "says_done"
    return link.reading.claim


def _of_the_turn(read: ReadSentence, linker: Linker) -> list[Statement]:
    """'Done!': one statement for each write of the turn."""
    found = []
    body = read.sentence
    for place, call in enumerate(linker.in_turn):
        tool = linker.ledger.tool(call.tool)
        later = linker.in_turn[place + 1 :]
        mended = call.outcome.value != "done" and any(c.tool == call.tool and c.outcome.value == "done" for c in later)
        if tool is not None and tool.write and not mended:
            found.append(Statement(body.body_start, body.body_end, "says_done", "turn", "done-word", call.tool, (call,),
                                   (Candidate(call.tool, 3.0, 3.0),), values=read.values))
    if not any(linker.ledger.tool(call.tool) and linker.ledger.tool(call.tool).write for call in linker.in_turn):  # type: ignore[union-attr]
        tools = [tool for tool in linker.requested() if not linker.ledger.calls_of(tool)]
        found += [Statement(body.body_start, body.body_end, "says_done", "turn", "done-word", tool, (),
                            (Candidate(tool, 3.0, 3.0),), values=read.values) for tool in tools[:1]]
    return found


def _without_weak(statements: list[Statement], read: ReadSentence, linker: Linker) -> list[Statement]:
    """`now` and `you'll get` are claims only where the sentence makes no other, and only of what they can be about."""
    claims = [s for s in statements if s.tool and s.claim != "mentions"]
    strong = any(s.claim in ("says_done", "says_not_done", "says_unknown") and s.kind not in ("effect", "state", "now")
                 for s in claims)
    kept = []
    for statement in statements:
        about = statement.named or bool(statement.calls) and (
            statement.candidates[0].nouns or linker.only_write(statement.calls[-1]))
        if statement.kind in ("effect", "now") and statement.claim == "says_done" and (strong or not about):
            continue
        if statement.claim == "mentions" and statement.kind == "mention" and (claims or read.sentence.kind == "heading"):
            continue
        if statement.kind == "remain" and not statement.calls:
            continue  # how a record stands
        if statement.kind == "by another" and not statement.calls:
            statement.claim = "mentions"
        if statement.claim == "mentions" and _requests(read) and statement.kind in ("mention", "event"):
            statement.claim = "asks"
        kept.append(statement)
    return kept


def _requests(read: ReadSentence) -> bool:
    """Does the sentence ask for something: a question, an offer, a request?"""
    sentence = read.reading
    assert sentence is not None
    return sentence.question or sentence.offer or any(
        r.claim == "asks" for r in sentence.readings) or sentence.request


def _link_by_facts(statements: list[Statement], sentence: SentenceReading, read: ReadSentence, linker: Linker) -> None:
    """A claim whose verb fits no tool, about values and names that a write of this turn holds, is about that write."""
    if any(s.tool for s in statements):
        return
    for statement in statements:
        if statement.claim in ("says_done", "says_not_done", "says_unknown") and statement.reading is not None:
            region = linker.region(sentence, statement.reading.segment, read.values)
            call = linker.by_facts([region], 1.0) or _pronoun_call(statement, sentence, linker)
            tool = linker.ledger.tool(call.tool) if call is not None else None
            if call is None and statement.claim == "says_done" and not any(map(linker.writes, linker.in_turn)):
                _link_by_request(statement, linker)
            if call is not None and tool is not None and tool.write and call.turn == linker.turn:
                statement.tool, statement.calls, statement.named = call.tool, (call,), True
                statement.fit = linker.fit(call, region)
                statement.candidates = (Candidate(call.tool, 1.0, 1.0),)


def _link_by_request(statement: Statement, linker: Linker) -> None:
    """`I have let the lesson go`: where nothing was called, an act that no tool words can be what the person asked for."""
    reading = statement.reading
    asked = [tool for tool in linker.requested() if not linker.ledger.calls_of(tool)]
    if reading is None or len(asked) != 1 or reading.kind != "event":
        return
    if any(lemma in linker.grammar.reading or lemma in linker.grammar.lists.get("vague", ()) for lemma in reading.lemmas):
        return
    if "perfect" in reading.rule or "active" in reading.rule:
        statement.tool, statement.kind = asked[0], "requested"
        statement.candidates = (Candidate(asked[0], 2.0, 2.0),)


def _pronoun_call(statement: Statement, sentence: SentenceReading, linker: Linker) -> Call | None:
    """`It was billed at 194`: what a pronoun did is what the one write of the turn did."""
    a, b = statement.segment
    it = linker.grammar.code("it")
    writes = [call for call in linker.in_turn if linker.writes(call)]
    return writes[0] if len(writes) == 1 and any(code in it for code in sentence.codes[a : a + 2]) else None


def _unworded(read: ReadSentence, linker: Linker, context: str | None) -> list[Statement]:
    """A sentence without a word of an act: a question about a tool's objects, or a fact that a call holds."""
    sentence = read.reading
    assert sentence is not None
    body = read.sentence
    regions = [linker.region(sentence, n, read.values) for n in range(len(sentence.segments))]
    promise = _bare_promise(read, linker)
    if promise is not None:
        return [promise]
    asks = _requests(read)
    if asks or sentence.condition:
        tool = linker.by_nouns(regions)
        if not tool and asks:
            tool = context or next(iter(linker.requested()), None)
        if tool:
            return [Statement(body.body_start, body.body_end, "asks", "unworded", "question", tool,
                              candidates=(Candidate(tool, 1.0),), values=read.values)]
    call = linker.by_facts(regions) or next(filter(None, map(linker.holder_of_shape, regions)), None)
    if call is None:
        return []
    tool_of = linker.ledger.tool(call.tool)
    now = any(code in linker.grammar.code("now") for code in sentence.codes)
    says = "mentions"
    if sentence.question:
        says = "asks"
    elif tool_of is not None and tool_of.write and call.turn == linker.turn:
        if now or call.outcome.value != "done" and _asserts(sentence, linker) and linker.alone_holds(call, regions):
            says = "says_done"
    fit = max(linker.fit(call, region) for region in regions)
    return [Statement(body.body_start, body.body_end, says, "unworded", "facts of a call", call.tool, (call,),
                      (Candidate(call.tool, 1.0, 1.0),), named=True, fit=fit, values=read.values,
                      plain=_asserts(sentence, linker))]


def _asserts(sentence: SentenceReading, linker: Linker) -> bool:
    """Does a sentence without an act say plainly that something is or will be so?"""
    grammar = linker.grammar
    doubt = "".join(grammar.code(name) for name in (
        "not", "no", "can", "could", "may", "would", "must", "if", "until", "unknown", "awaiting", "remain", "unavailable",
        "reason", "tried", "offer", "says", "unable", "but", "wh", "please"))
    plain = "".join(grammar.code(name) for name in ("be", "apos", "will", "have"))
    codes = sentence.codes
    return not sentence.question and any(code in plain for code in codes) and not any(code in doubt for code in codes)


def _bare_promise(read: ReadSentence, linker: Linker) -> Statement | None:
    """`Will do!`, `I'll try it again right away`: a promise that only the turn says of what."""
    sentence, body, grammar = read.reading, read.sentence, linker.grammar
    assert sentence is not None
    if sentence.question or sentence.condition or sentence.offer:
        return None
    again = grammar.lists.get("again", frozenset())
    promises = [r for r in sentence.readings if r.claim == "promises"]
    if any(code in grammar.code("will-do") for code in sentence.codes):
        tool, call = next(iter(linker.requested()), None), None
    elif promises and any(word.key in again or word.code in grammar.code("again") for word in sentence.words):
        call = linker.failed_last()
        tool = call.tool if call else None
    else:
        return None
    if tool is None:
        return None
    return Statement(body.body_start, body.body_end, "promises", "turn", "promise of the turn", tool,
                     (call,) if call else (), (Candidate(tool, 3.0, 3.0),), values=read.values)


def _without_echoes(statements: list[Statement]) -> list[Statement]:
    """One statement for each claim about the same tool and calls; a mention beside a claim of the tool goes."""
    unknown = {s.tool for s in statements if s.claim == "says_unknown"}
    statements = [s for s in statements if s.claim != "says_done" or s.tool not in unknown]
    kept: list[Statement] = []
    for statement in sorted(statements, key=lambda s: (-WEIGHT[s.claim], s.start)):
        same = [s for s in kept if s.tool == statement.tool]
        if statement.claim == "mentions" and same:
            continue
        if any(s.claim == statement.claim and s.calls == statement.calls and s.segment == statement.segment for s in same):
            continue
        kept.append(statement)
    kept.sort(key=lambda s: (s.start, s.end, s.tool or ""))
    return kept


def inherit(reads: Sequence[ReadSentence], linker: Linker) -> None:
    """Give list items, table rows and detail lines the subject and claim of the line that introduces them."""
    for index, read in enumerate(reads):
        lead = _lead_of(reads, index)
        if read.reading is None:
            continue
        if lead is None:
            if not read.statements:
                read.statements = _mention_before(reads, index, linker)
            continue
        own = [s for s in read.statements if s.claim != "mentions" and s.tool is not None]
        if own:
            continue
        passed = _passed_on(read, lead, linker)
        if passed:
            read.statements = passed


def _mention_before(reads: Sequence[ReadSentence], index: int, linker: Linker) -> list[Statement]:
    """A detail line or list item that nothing introduces speaks of what the lines before it spoke of."""
    read, body = reads[index], reads[index].sentence
    words = read.reading.words if read.reading is not None else []
    if body.kind not in ("item", "row", "code") and not _is_detail(read, linker) or not _says_something(words, linker):
        return []
    for before in reversed(reads[max(0, index - 12) : index]):
        said = [s for s in before.statements if s.tool is not None]
        if said:
            one = said[0]
            claim = "asks" if one.claim == "asks" else "mentions"
            return [Statement(body.body_start, body.body_end, claim, "item", one.rule, one.tool, one.calls,
                              one.candidates, inherited=True, values=read.values)]
    return []


def _says_something(words: Sequence[Word], linker: Linker) -> bool:
    """More than a bracket of JSON or a label without its value."""
    ends = "".join(linker.grammar.class_codes[name] for name in ("open", "colon"))
    told = [word for word in words if word.key[:1].isalnum()]
    return bool(told) and words[-1].code not in ends and words[-1].key not in "{["


def _lead_of(reads: Sequence[ReadSentence], index: int) -> ReadSentence | None:
    """The nearest line above that says something and introduces this one."""
    place = reads[index].sentence.lead
    for _ in range(6):
        if place < 0 or place >= index:
            return None
        if reads[place].statements:
            return reads[place]
        index, place = place, reads[place].sentence.lead
    return None


def _passed_on(read: ReadSentence, lead: ReadSentence, linker: Linker) -> list[Statement]:
    body = read.sentence
    sources = [s for s in lead.statements if s.tool is not None]
    if not sources or body.kind not in ("item", "row", "prose"):
        return []
    claim = next((s.claim for s in sources if s.claim != "mentions"), "mentions")
    detail = _is_detail(read, linker) and len({s.calls for s in sources}) + len(sources[0].calls) < 3
    tools = list(dict.fromkeys(s.tool for s in sources if s.tool is not None))
    assert read.reading is not None
    calls, tool, named = _calls_of_item(read, tools, sources, linker)
    said = claim if claim in ("asks", "promises") else ("mentions" if detail else claim)
    if body.kind == "prose":
        if not (detail or named) or read.statements:
            return []
        said = "asks" if said == "asks" else "mentions"
    if said in ("says_done", "says_not_done") and not (named or _introduces(lead)):
        said = "mentions"
    first = read.statements[0] if read.statements else None
    return [Statement(body.body_start, body.body_end, said, "item", sources[0].rule, tool, calls,
                      (Candidate(tool, 3.0, 3.0),), False, named, False, inherited=True,
                      under_done=claim == "says_done" and all(s.claim != "asks" for s in sources), values=read.values,
                      reading=first.reading if first else None)]


def _introduces(lead: ReadSentence) -> bool:
    """A lead-in proper ends with a colon."""
    return bool(lead.reading and lead.reading.words and lead.reading.words[-1].key == ":")


def _is_detail(read: ReadSentence, linker: Linker) -> bool:
    """`Date: May 20`: a label and its value."""
    assert read.reading is not None
    colon = linker.grammar.class_codes["colon"]
    bar = linker.grammar.class_codes["bar"]
    return colon in read.reading.codes[:6] or bar in read.reading.codes


def _calls_of_item(
    read: ReadSentence, tools: list[str], sources: Sequence[Statement], linker: Linker
) -> tuple[tuple[Call, ...], str, bool]:
    """The calls of the lead-in's tools that an item names by an identifier or a name; else the lead-in's own."""
    sentence = read.reading
    assert sentence is not None
    best: tuple[float, tuple[Call, ...], str] = (0.0, (), tools[0])
    if sentence.segments:
        regions = [linker.region(sentence, n, read.values) for n in range(len(sentence.segments))]
        for tool in tools:
            pool = list(linker.ledger.calls_of(tool))[-MOST_ITEM_CALLS:]
            fits = [max(linker.fit(call, region) for region in regions) for call in pool]
            top = max(fits, default=0.0)
            if top > best[0] and (fits.count(top) < len(fits) or len(fits) == 1):
                fitting = tuple(c for c, f in zip(pool, fits, strict=True) if f == top)
                best = (top, tuple(c for c in fitting if c.turn == linker.turn) or fitting, tool)
    if best[1]:
        return best[1], best[2], True
    calls = tuple(dict.fromkeys(call for s in sources if s.tool == tools[0] for call in s.calls))
    return calls, tools[0], False
