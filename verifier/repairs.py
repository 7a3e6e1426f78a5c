"""Judged sentences into edits: a false sentence gives way to the plain true one, and nothing is said twice (SPEC 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.claims import allows
from verifier.model import Claim, Clause, Edit, Outcome, Sentence
from verifier.phrasing import Phrasings
from verifier.removal import begins_line, paragraph_starts, removals, replacement
from verifier.renderings import own_sentences

if TYPE_CHECKING:
    from verifier.ledger import Call, Ledger

TELLS = frozenset({Claim.SAYS_DONE, Claim.SAYS_NOT_DONE, Claim.SAYS_UNKNOWN, Claim.PROMISES})
# After one of these in this turn, "Not done: …" about the tool would be false, or could be taken to be.
TOOK_PLACE = frozenset({Outcome.DONE, Outcome.UNDONE, Outcome.UNKNOWN, Outcome.PENDING_CONFIRMATION})
COLONS = ":："


@dataclass(frozen=True, slots=True)
class Repairs:
    """What is done to a reply. `actions` has one word for each sentence: kept, edited, replaced or removed.

    `said` are the ids of the calls that inserted text tells. `lost` are calls that removed sentences spoke of.
    """

    edits: tuple[Edit, ...] = ()
    actions: tuple[str, ...] = ()
    said: frozenset[str] = frozenset()
    lost: tuple[Call, ...] = ()


@dataclass(slots=True)
class _Plan:
    """What has been decided so far, sentence by sentence."""

    replaced: dict[int, tuple[str, str, str]] = field(default_factory=dict)  # index -> text, call, rule
    removed: dict[int, str] = field(default_factory=dict)  # index -> rule
    tidied: list[Edit] = field(default_factory=list)
    edited: set[int] = field(default_factory=set)
    told: set[str] = field(default_factory=set)  # what kept sentences tell: ids of calls, " name" of a tool uncalled
    phrased: set[str] = field(default_factory=set)  # the same, of what phrasings tell
    texts: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    lost: list[Call] = field(default_factory=list)


def repair(
    reply: str,
    sentences: Sequence[Sentence],
    judged: Sequence[Sequence[Clause]],
    phrasings: Phrasings,
    ledger: Ledger,
    *,
    connectors: bool = False,
) -> Repairs:
    """The edits that make a reply true. `judged` has the clauses of each sentence; one with `true=False` condemns it.

    A clause about several calls comes as one `Clause` a call. `connectors=True` also takes "Also," and the like off
    a sentence that opens a paragraph because all before it went (off by default: what is kept is kept byte for byte).
    """
    if all(clause.true for clauses in judged for clause in clauses):
        return Repairs((), ("kept",) * len(sentences))
    plan = _Plan()
    false: list[int] = []
    own = own_sentences(reply, ledger, phrasings)
    plan.phrased.update(call for _, _, call in own if call)
    for index, clauses in enumerate(judged):
        safe = sentences[index].kind == "code" or _is_own(sentences[index], own)
        if safe or all(clause.true for clause in clauses):
            plan.told.update(_key(clause) for clause in clauses if _tells(clause))
        else:
            false.append(index)
    for index in false:
        _decide(index, judged[index], plan, phrasings, ledger)
    _drop_what_introduces_nothing(reply, sentences, judged, plan)
    _drop_quote_marks(reply, sentences, plan)
    if connectors:
        _drop_connectors(reply, sentences, plan, phrasings)
    return _as_repairs(reply, sentences, plan)


def _is_own(sentence: Sentence, own: Sequence[tuple[int, int, str]]) -> bool:
    """Whether a sentence lies in what a phrasing of ours said before: that is not read as the model's word."""
    return any(start <= sentence.body_start and sentence.body_end <= end for start, end, _ in own)


def _key(clause: Clause) -> str:
    """What a clause tells of: a call by its id, or a tool that was never called."""
    return clause.call.id if clause.call else f" {clause.tool}"


def _tells(clause: Clause) -> bool:
    """Whether a kept clause tells what became of a call, or truly denies an act that was never tried."""
    if not clause.true or clause.tool is None or clause.claim is None or clause.claim not in TELLS:
        return False
    return clause.claim is Claim.SAYS_NOT_DONE if clause.call is None else allows(clause.call.outcome, clause.claim)


def _is_told(clause: Clause, plan: _Plan) -> bool:
    """Whether nothing needs to be said of a clause. A wrong value does: a kept sentence did not tell the right one."""
    key = _key(clause)
    wrong_value = not clause.true and clause.call and clause.claim and allows(clause.call.outcome, clause.claim)
    return key in plan.phrased or (key in plan.told and not wrong_value)


def _decide(index: int, clauses: Sequence[Clause], plan: _Plan, phrasings: Phrasings, ledger: Ledger) -> None:
    """Replace a false sentence by what no other sentence tells of its calls, or remove it."""
    rule = next(clause.rule for clause in clauses if not clause.true)
    texts: list[str] = []
    first = ""
    for clause in clauses:
        if clause.tool is None or _is_told(clause, plan) or _is_no_loss(clause, ledger):
            continue
        call, text = _true_sentence(clause, phrasings, ledger)
        if not text:
            plan.lost.extend([call] if call else ())
            continue
        plan.phrased.add(_key(clause))
        if call:
            plan.phrased.add(call.id)
            plan.said.add(call.id)
        if text not in plan.texts:
            plan.texts.add(text)
            texts.append(text)
            first = first or (call.id if call else "")
    if texts:
        plan.replaced[index] = (" ".join(texts), first, rule)
    else:
        plan.removed[index] = rule


def _is_no_loss(clause: Clause, ledger: Ledger) -> bool:
    """Whether a true clause of a false sentence may go untold: it tells nothing, and nothing of this turn."""
    if not clause.true or (clause.call and clause.claim in TELLS):
        return False
    return clause.call is None or clause.call.turn != ledger.turn


def _true_sentence(clause: Clause, phrasings: Phrasings, ledger: Ledger) -> tuple[Call | None, str]:
    """The call that a clause is about and the sentence that tells it; none where nothing needs to be said."""
    call, name = clause.call, clause.tool or ""
    tool = ledger.tool(name)
    if call is None:
        if tool is not None and not tool.write:
            return None, ""
        return _never_called(name, phrasings, ledger)
    is_read = tool is not None and not tool.write and not phrasings.words_outcome(name, call.outcome)
    if is_read and (clause.true or clause.claim not in TELLS or call.outcome is Outcome.DONE):
        return call, ""  # a false mention of a read goes; that a read was made is no news
    return call, phrasings.say(call)


def _never_called(name: str, phrasings: Phrasings, ledger: Ledger) -> tuple[Call | None, str]:
    """The sentence about an act without a call, unless what this turn did with the tool would contradict it."""
    calls = [call for call in ledger.calls_in(ledger.turn) if call.tool == name]
    if any(call.outcome in TOOK_PLACE for call in calls):
        return None, ""
    if calls and calls[-1].outcome is not Outcome.NOT_ATTEMPTED:
        return calls[-1], phrasings.say(calls[-1])
    return None, phrasings.say_not_attempted(name)


# What stays alone ----------------------------------------------------------------------------------------------------


def _drop_what_introduces_nothing(
    reply: str, sentences: Sequence[Sentence], judged: Sequence[Sequence[Clause]], plan: _Plan
) -> None:
    """Remove lead-ins, headings and table heads of which nothing is left below. Inner ones come first."""
    below: dict[int, list[int]] = {}
    for index, sentence in enumerate(sentences):
        if sentence.lead >= 0 and sentence.kind != "blank":
            below.setdefault(sentence.lead, []).append(index)
    for index in range(len(sentences) - 1, -1, -1):
        if index in plan.removed or index in plan.replaced:
            continue
        level = _level(reply, sentences[index])
        content = _section(reply, sentences, index, level) if level else below.get(index, [])
        if content and all(one in plan.removed for one in content):
            _drop_lead(reply, sentences, judged[index], index, plan)


def _level(reply: str, sentence: Sentence) -> int:
    """The level of a heading written with number signs; 0 for anything else."""
    mark = reply[sentence.start : sentence.body_start].strip(" \t>\r\n")
    return len(mark) if sentence.kind == "heading" and mark and not mark.strip("#") else 0


def _section(reply: str, sentences: Sequence[Sentence], index: int, level: int) -> list[int]:
    """The sentences under a heading, up to the next one of its level or above."""
    content: list[int] = []
    for below in range(index + 1, len(sentences)):
        if 0 < _level(reply, sentences[below]) <= level:
            break
        if sentences[below].kind != "blank":
            content.append(below)
    return content


def _drop_lead(
    reply: str, sentences: Sequence[Sentence], clauses: Sequence[Clause], index: int, plan: _Plan
) -> None:
    """Remove what introduced the removed; where it tells something itself it stays, with a full stop for its colon."""
    lead = sentences[index]
    colon = reply[lead.body_start : lead.body_end].rstrip("*_ ")[-1:] in COLONS
    separator = index + 1 if index + 1 < len(sentences) and sentences[index + 1].kind == "blank" else -1
    table_head = lead.kind == "row" and separator >= 0 and "-" in reply[lead.end : sentences[separator].end]
    if not (colon or lead.kind == "heading" or table_head):
        return
    if any(clause.claim in TELLS and clause.tool for clause in clauses):
        at = max(reply.rfind(mark, lead.body_start, lead.body_end) for mark in COLONS)
        if colon:
            plan.tidied.append(Edit(at, at + 1, ".", "tidy", "", "lead-in"))
            plan.edited.add(index)
        return
    plan.removed[index] = "lead-in"
    if table_head:
        plan.removed[separator] = "lead-in"


def _drop_quote_marks(reply: str, sentences: Sequence[Sentence], plan: _Plan) -> None:
    """Remove the empty lines of a block quote that stood before a removed sentence, or after the first ones."""
    for index, sentence in enumerate(sentences):
        if sentence.kind != "blank" or reply[sentence.start : sentence.end].strip(" \t\r\n>"):
            continue
        if index + 1 in plan.removed or (index - 1 in plan.removed and _starts_quote(reply, sentences, index, plan)):
            plan.removed[index] = "lead-in"


def _starts_quote(reply: str, sentences: Sequence[Sentence], index: int, plan: _Plan) -> bool:
    """Whether everything before `index` in its block quote goes."""
    for before in range(index - 1, -1, -1):
        if begins_line(reply, sentences[before]) and reply[sentences[before].start] != ">":
            break
        if before not in plan.removed:
            return False
    return True


def _drop_connectors(reply: str, sentences: Sequence[Sentence], plan: _Plan, phrasings: Phrasings) -> None:
    """Take "Also," off a kept sentence before which its whole paragraph went."""
    starts = paragraph_starts(reply, sentences)
    for index in sorted(plan.removed):
        after = index + 1
        if after >= len(sentences) or after in plan.removed or after in plan.replaced:
            continue
        paragraph = [one for one in range(after) if starts[one] == starts[after]]
        if not paragraph or any(one not in plan.removed for one in paragraph):
            continue
        start = sentences[after].body_start
        length = _connector(reply[start : sentences[after].body_end], phrasings.connectors)
        if length:
            text = reply[start + length].upper()
            plan.tidied.append(Edit(start, start + length + 1, text, "tidy", "", "connector"))
            plan.edited.add(after)


def _connector(body: str, connectors: Sequence[str]) -> int:
    """The length of the connector, comma and blank that a sentence opens with, or 0."""
    for word in connectors:
        rest = body[len(word) : len(word) + 3]
        if body[: len(word)].lower() == word and rest[:2] == ", " and rest[2:].isalpha():
            return len(word) + 2
    return 0


def _as_repairs(reply: str, sentences: Sequence[Sentence], plan: _Plan) -> Repairs:
    """The plan as sorted edits."""
    edits = list(plan.tidied)
    for index, (text, call, rule) in plan.replaced.items():
        made = replacement(reply, sentences[index], text)
        edits.append(Edit(made.start, made.end, made.text, "replace", call, rule))
    edits.extend(_named(removals(reply, sentences, set(plan.removed)), sentences, plan))
    actions = tuple(
        "removed" if index in plan.removed
        else "replaced" if index in plan.replaced
        else "edited" if index in plan.edited
        else "kept"
        for index in range(len(sentences))
    )
    return Repairs(tuple(sorted(edits)), actions, frozenset(plan.said), tuple(plan.lost))


def _named(edits: Iterator[Edit], sentences: Sequence[Sentence], plan: _Plan) -> Iterator[Edit]:
    """Each removal with the rule of the first sentence in it."""
    removed = sorted(plan.removed)
    for edit in edits:
        inside = [one for one in removed if edit.start <= sentences[one].body_start <= edit.end]
        yield Edit(edit.start, edit.end, edit.text, edit.kind, "", plan.removed[inside[0]] if inside else "")
