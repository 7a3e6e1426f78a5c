"""From readings to statements: what each sentence says by its own words of which tool and calls."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.candidates import MOST_CALLS, Candidate, Link
from verifier.linker import Linker
from verifier.model import Value
from verifier.questions import asks_to_be_told, looked_up_by
from verifier.readings import SentenceReading
from verifier.statement import WEIGHT, ReadSentence, Statement
from verifier.unworded import asserts, link_by_facts, link_by_label, regions_of, requests, unworded


def statements_of(read: ReadSentence, linker: Linker, before: Sequence[ReadSentence] = ()) -> list[Statement]:
    """The statements that a sentence makes by its own words; `before` are the sentences before it."""
    sentence = read.reading
    if sentence is None:
        return []
    if _closes(sentence, linker):
        return []
    asked = {reading.segment for reading in sentence.readings if reading.kind == "imperative"}
    links = [
        linker.link(sentence, reading, read.values)
        for reading in sentence.readings
        if reading.segment not in asked or reading.claim not in ("mentions", "asks")
    ]
    chosen: list[Statement] = []
    for number, (a, b) in enumerate(sentence.segments):
        here = [link for link in links if link.reading.segment == number]
        chosen += _of_segment(here, sentence, a, b, read.values, linker.grammar.lists["policy-acts"])
    chosen = _without_weak(chosen, read, linker)
    if requests(read):
        chosen = _asked(chosen, read, linker)
    link_by_facts(chosen, sentence, read, linker)
    link_by_label(chosen, sentence, read, linker)
    _link_mentions_to_records(chosen, read, linker)
    if _instructs(sentence, chosen, linker):
        return []
    if not any(s.tool for s in chosen) and not (asked and not sentence.offer and not sentence.question):
        found = unworded(read, linker, before)
        for statement in found:  # what another stretch of the sentence states is not of this one
            statement.values = tuple(v for v in statement.values if not any(s.start <= v.start < s.end for s in chosen))
        chosen += found
    if sentence.whole_turn and not any(s.claim == "says_done" for s in chosen):
        named = [s for s in chosen if s.claim == "mentions" and any(map(linker.writes, s.calls))]
        for statement in named:
            statement.claim = "says_done"  # `Done, that's the refund`
        if not named:
            chosen = [s for s in chosen if s.claim != "mentions"] + _of_the_turn(read, linker)
    for statement in chosen:
        statement.plain = statement.plain or (statement.kind == "mention" and asserts(sentence, linker))
    chosen = _without_echoes(chosen)
    _share_values(chosen, read, linker)
    return chosen


def _instructs(sentence: SentenceReading, statements: Sequence[Statement], linker: Linker) -> bool:
    """`Please keep the PIN separate`: what the person should do of themselves is about no tool."""
    grammar = linker.grammar
    please = bool(sentence.codes) and sentence.codes[0] in grammar.code("please")
    return please and not sentence.offer and not sentence.question and all(s.kind == "mention" for s in statements)


def _asked(statements: list[Statement], read: ReadSentence, linker: Linker) -> list[Statement]:
    """What the person should tell says which lookup a question is about; the verb of telling is no tool's act."""
    kept = [statement for statement in statements if not asks_to_be_told(statement, linker)]
    if any(s.claim == "asks" and s.kind != "mention" for s in kept):
        kept = [s for s in kept if s.claim != "asks" or s.kind != "mention"]
    regions = regions_of(read, linker)
    for statement in kept:
        tool = looked_up_by(statement, regions, linker)
        if tool is not None and tool != statement.tool:
            statement.tool, statement.calls, statement.candidates = tool, (), (Candidate(tool, 2.0, 2.0),)
    return kept


def _link_mentions_to_records(statements: list[Statement], read: ReadSentence, linker: Linker) -> None:
    """`The reservation has no insurance`: what a record holds is about its call, not about a tool never called."""
    linked = [s for s in statements if s.tool is not None]
    if not linked or any(s.claim != "mentions" or s.kind != "mention" for s in linked):
        return
    regions = regions_of(read, linker)
    call = linker.by_facts(regions)
    if call is None:
        return
    least = max(linker.fit(call, region) for region in regions)
    for statement in linked:
        fits = [linker.fit(own, region) for own in statement.calls for region in regions]
        told = any(linker.writes(own) and own.turn == linker.turn for own in statement.calls)
        if not told and (not fits or max(fits) < least):
            statement.tool, statement.calls, statement.candidates = call.tool, (call,), (Candidate(call.tool, 1.0),)
            statement.rule = "facts of a call"


def _share_values(statements: list[Statement], read: ReadSentence, linker: Linker) -> None:
    """A value in a stretch that makes no statement (an aside in brackets) belongs to the one before it."""
    if not statements:
        return
    for value in read.values:
        if value.kind in ("money", "count", "percent") or any(s.start <= value.start < s.end for s in statements):
            continue  # what an amount in an aside is of, nobody can tell
        before = [s for s in statements if s.end <= value.start]
        if not before and _has_own_verb(value, read, linker):
            continue  # `It was received on March 14 and is under review`
        if before and _has_own_verb(value, read, linker) and _is_of_another(value, before, linker):
            continue  # `It was at nine before; now it's at two`
        before = before or statements[:1]
        end = max(s.end for s in before)
        for statement in before:
            if statement.end == end:
                statement.values = (*statement.values, value)


def _is_of_another(value: Value, statements: Sequence[Statement], linker: Linker) -> bool:
    """Does a write of the turn hold a value, and none of the statements' calls?"""
    calls = {call.id for statement in statements for call in statement.calls}
    writes = (call for call in linker.in_turn[-MOST_CALLS:] if linker.writes(call))
    holders = {call.id for call in writes if linker.index.call_has(call, value)}
    return bool(holders) and holders.isdisjoint(calls)


def _has_own_verb(value: Value, read: ReadSentence, linker: Linker) -> bool:
    """Does a finite word, or a state that is told, stand in the stretch of a value?"""
    sentence = read.reading
    if sentence is None:
        return False
    told = {reading.segment for reading in sentence.readings if reading.claim == "says_done"}
    return any(
        number in told or not linker.grammar.finite_codes.isdisjoint(sentence.codes[a:b])
        for number, (a, b) in enumerate(sentence.segments)
        if sentence.words[a].start <= value.start < sentence.words[b - 1].end
    )


def _closes(sentence: SentenceReading, linker: Linker) -> bool:
    """`If you need anything else, let me know`: a closing offer speaks of no tool."""
    if not linker.grammar.codes_of("closing").isdisjoint(sentence.codes[:8]):
        return not any(reading.claim in ("says_done", "says_not_done", "promises") for reading in sentence.readings)
    if linker.grammar.codes_of("nothing-more").isdisjoint(sentence.codes):
        return False
    return (sentence.offer or sentence.condition or sentence.question) and not any(
        reading.claim in ("says_done", "says_not_done", "promises") for reading in sentence.readings
    )


def _of_segment(
    links: Sequence[Link], sentence: SentenceReading, a: int, b: int, values: Sequence[Value], rules: frozenset[str]
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
        found.append(
            Statement(
                start,
                end,
                _told(link),
                reading.kind,
                reading.turned or reading.rule,
                link.candidates[0].tool,
                link.calls,
                link.candidates,
                link.every,
                link.named,
                link.foreign,
                link.fit,
                values=inside,
                reading=reading,
                segment=(a, b),
            )
        )
    untooled = [
        link
        for link in links
        if not link.candidates
        and link.reading.claim == "says_done"
        and link.reading.kind != "state"
        and rules.isdisjoint(link.reading.lemmas)
    ]
    if untooled and not found:
        reading = untooled[0].reading
        found.append(
            Statement(
                start,
                end,
                reading.claim,
                reading.kind,
                reading.rule,
                None,
                values=inside,
                reading=reading,
                segment=(a, b),
            )
        )
    return found


def _told(link: Link) -> str:
    """`I'll remind you on the 28th` is the effect of a reminder that was set, and else a promise."""
    reading = link.reading
    if (
        reading.kind == "effect-i"
        and reading.claim == "promises"
        and not {"remind", "notify", "alert"}.isdisjoint(reading.lemmas)
        and any(call.outcome.value == "done" for call in link.calls)
    ):
        return "says_done"
    return link.reading.claim


def _of_the_turn(read: ReadSentence, linker: Linker) -> list[Statement]:
    """'Done!': one statement for each write of the turn."""
    found = []
    body = read.sentence
    listed = _listed_after(read, linker)
    for place, call in enumerate(linker.in_turn):
        if listed and call.id not in listed:
            continue
        tool = linker.ledger.tool(call.tool)
        later = linker.in_turn[place + 1 :]
        mended = call.outcome.value != "done" and any(c.tool == call.tool and c.outcome.value == "done" for c in later)
        if tool is not None and tool.write and not mended:
            found.append(
                Statement(
                    body.body_start,
                    body.body_end,
                    "says_done",
                    "turn",
                    "done-word",
                    call.tool,
                    (call,),
                    (Candidate(call.tool, 3.0, 3.0),),
                    values=read.values,
                )
            )
    if not any(linker.ledger.tool(call.tool) and linker.ledger.tool(call.tool).write for call in linker.in_turn):  # type: ignore[union-attr]
        tools = [tool for tool in linker.requested() if not linker.ledger.calls_of(tool)]
        found += [
            Statement(
                body.body_start,
                body.body_end,
                "says_done",
                "turn",
                "done-word",
                tool,
                (),
                (Candidate(tool, 3.0, 3.0),),
                values=read.values,
            )
            for tool in tools[:1]
        ]
    return found


def _listed_after(read: ReadSentence, linker: Linker) -> set[str]:
    """`It's done: dentist Wednesday, gym Tuesday` says what was done: the calls of which it then names something."""
    sentence = read.reading
    if sentence is None or linker.grammar.class_codes["colon"] not in sentence.codes:
        return set()
    regions = regions_of(read, linker)
    return {call.id for call in linker.in_turn if any(linker.fit(call, region) > 0 for region in regions)}


def _without_weak(statements: list[Statement], read: ReadSentence, linker: Linker) -> list[Statement]:
    """`now` and `you'll get` are claims only where the sentence makes no other, and only of what they can be about."""
    claims = [s for s in statements if s.tool and s.claim != "mentions"]
    strong = any(
        s.claim in ("says_done", "says_not_done", "says_unknown") and s.kind not in ("effect", "state", "now")
        for s in claims
    )
    kept = []
    for statement in statements:
        about = statement.named or (
            bool(statement.calls) and (statement.candidates[0].nouns or linker.only_write(statement.calls[-1]))
        )
        if statement.kind in ("effect", "now") and statement.claim == "says_done" and (strong or not about):
            continue
        if (
            statement.claim == "mentions"
            and statement.kind == "mention"
            and (claims or read.sentence.kind == "heading")
        ):
            continue
        if statement.kind == "remain" and not statement.calls:
            continue  # how a record stands
        if statement.kind == "by another" and not statement.calls:
            statement.claim = "mentions"
        if statement.claim == "mentions" and requests(read) and statement.kind in ("mention", "event"):
            statement.claim = "asks"
        kept.append(statement)
    return kept


def _without_echoes(statements: list[Statement]) -> list[Statement]:
    """One statement for each claim about the same tool and calls; a mention beside a claim of the tool goes."""
    unknown = {s.tool for s in statements if s.claim == "says_unknown"}
    statements = [s for s in statements if s.claim != "says_done" or s.tool not in unknown]
    kept: list[Statement] = []
    for statement in sorted(statements, key=lambda s: (-WEIGHT[s.claim], s.start)):
        same = [s for s in kept if s.tool == statement.tool]
        if statement.claim == "mentions" and same:
            continue
        if any(
            s.claim == statement.claim and s.calls == statement.calls and s.segment == statement.segment for s in same
        ):
            continue
        kept.append(statement)
    kept.sort(key=lambda s: (s.start, s.end, s.tool or ""))
    return kept
