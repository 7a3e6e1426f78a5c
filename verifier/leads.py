"""List items, table rows and detail lines take their subject and claim from the line that introduces them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.candidates import Candidate
from verifier.linker import Linker
from verifier.units import Word

if TYPE_CHECKING:
    from verifier.call import Call
from verifier.statement import MOST_ITEM_CALLS, ReadSentence, Statement


def inherit(reads: Sequence[ReadSentence], linker: Linker) -> None:
    """Give list items, table rows and detail lines the subject and claim of the line that introduces them."""
    for index, read in enumerate(reads):
        lead = _lead_of(reads, index)
        if read.reading is None:
            continue
        if lead is None and (topic := _topic_of(reads, index, linker)) is not None and _is_open(read, topic, linker):
            read.statements = _passed_on(read, topic, linker, topic=True) or read.statements
            continue
        if lead is None:
            if not read.statements:
                read.statements = _mention_before(reads, index, linker)
            continue
        if not _is_open(read, lead, linker):
            continue
        passed = _passed_on(read, lead, linker)
        if passed:
            read.statements = passed


def _is_open(read: ReadSentence, lead: ReadSentence, linker: Linker) -> bool:
    """Does a line leave it to its lead what it speaks of? Facts of another call than a lookup are that call's."""
    own = [s for s in read.statements if s.tool is not None]
    if any(s.claim != "mentions" for s in own):
        return False
    calls = [call for s in lead.statements for call in s.calls]
    if any(linker.writes(call) for call in calls) or not calls:
        return True
    return not any(s.named and call not in calls for s in own for call in s.calls)


def _topic_of(reads: Sequence[ReadSentence], index: int, linker: Linker) -> ReadSentence | None:
    """What a line under `Here are the details:` is about: the claim before a lead-in that only names details."""
    if reads[index].sentence.kind not in ("item", "row"):
        return None
    place = reads[index].sentence.lead
    while 0 <= place < index:
        index, place = place, reads[place].sentence.lead
        if not reads[index].statements and not _names_details(reads[index], linker):
            return None
    for before in reversed(reads[max(0, index - 3) : index]):
        if any(s.tool is not None and s.claim == "says_done" for s in before.statements):
            return before
        if before.statements or (before.reading is not None and not _names_details(before, linker)):
            return None
    return None


def _names_details(read: ReadSentence, linker: Linker) -> bool:
    """`Here are the details:`, `Summary`: a lead-in without a claim and with a word of details."""
    details = linker.grammar.lists["details"]
    return read.reading is not None and any(word.key in details for word in read.reading.words)


def _mention_before(reads: Sequence[ReadSentence], index: int, linker: Linker) -> list[Statement]:
    """A detail line or list item that nothing introduces speaks of what the lines before it spoke of."""
    read, body = reads[index], reads[index].sentence
    words = read.reading.words if read.reading is not None else []
    if (body.kind not in ("item", "row", "code") and not _is_detail(read, linker)) or not _says_something(
        words, linker
    ):
        return []
    for before in reversed(reads[max(0, index - 12) : index]):
        said = [s for s in before.statements if s.tool is not None]
        if said:
            one = said[0]
            claim = "asks" if one.claim == "asks" else "mentions"
            return [
                Statement(
                    body.body_start,
                    body.body_end,
                    claim,
                    "item",
                    one.rule,
                    one.tool,
                    one.calls,
                    one.candidates,
                    inherited=True,
                    values=read.values,
                )
            ]
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


def _passed_on(read: ReadSentence, lead: ReadSentence, linker: Linker, topic: bool = False) -> list[Statement]:
    body = read.sentence
    sources = [s for s in lead.statements if s.tool is not None]
    if not sources or body.kind not in ("item", "row", "prose"):
        return []
    claim = next((s.claim for s in sources if s.claim != "mentions"), "mentions")
    detail = _is_detail(read, linker) and len({s.calls for s in sources}) + len(sources[0].calls) < 3
    tools = list(dict.fromkeys(s.tool for s in sources if s.tool is not None))
    assert read.reading is not None
    calls, tool, named = _calls_of_item(read, tools, sources, linker)
    if topic and not named and len(tools) > 1:
        return []  # of which of them?
    said = claim if claim in ("asks", "promises") else ("mentions" if detail else claim)
    if body.kind == "prose":
        if not (detail or named) or read.statements:
            return []
        said = "asks" if said == "asks" else "mentions"
    if topic or (said in ("says_done", "says_not_done") and not (named or _introduces(lead))):
        said = "mentions"
    first = read.statements[0] if read.statements else None
    return [
        Statement(
            body.body_start,
            body.body_end,
            said,
            "item",
            sources[0].rule,
            tool,
            calls,
            (Candidate(tool, 3.0, 3.0),),
            False,
            named,
            False,
            inherited=True,
            under_done=not topic and claim == "says_done" and all(s.claim != "asks" for s in sources),
            values=read.values,
            reading=first.reading if first else None,
        )
    ]


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
