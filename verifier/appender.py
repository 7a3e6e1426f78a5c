"""What a reply leaves out: the writes of this turn that it says nothing of, told at its end (SPEC 4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.lines import BREAKS
from verifier.model import Edit, Outcome
from verifier.phrasing import Phrasings
from verifier.splice import kept_text, splice

if TYPE_CHECKING:
    from verifier.ledger import Call, Ledger

OMITTED = ("auto", "made", "all")
TOLD_ALWAYS = {
    "auto": frozenset({Outcome.DONE, Outcome.UNKNOWN, Outcome.UNDONE}),
    "made": frozenset({Outcome.DONE, Outcome.UNKNOWN, Outcome.UNDONE, Outcome.FAILED}),
    "all": frozenset({Outcome.DONE, Outcome.UNKNOWN, Outcome.UNDONE, Outcome.FAILED, Outcome.REFUSED}),
}
CAME_TO_NOTHING = frozenset({Outcome.FAILED, Outcome.REFUSED})
MAX_LEAVES = 400  # values of one call that are looked at for identifiers
_IDENTIFIER = re.compile(r"#?(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9](?:[-_./]?[A-Za-z0-9]){1,60}")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:T[0-9:.+Z-]{2,30})?|[0-9]{1,2}[:/.][0-9]{1,2}(?:[:/.][0-9]{1,4})?"
)
_NAMES_ONE = re.compile(r"(?:^|_)(?:id|ids|number|no|code|ref|reference|pnr|sku)$|I[dD]s?$|(?:N|n)umber$|Code$")
_PERSON = re.compile(r"(?i)user|customer|client|patient|member|account|session|tenant|email|phone")
_BLANK_LINE = re.compile(r"\n[ \t]{0,80}\r?\n|\r[ \t]{0,80}\r")
_BLOCK = re.compile(r"[ \t]{0,80}(?:[-*+•] |>|\||#{1,6} |[0-9]{1,3}[.)] |```|~~~)")
_FENCE = re.compile(r"(?m)^[ \t]{0,3}(```|~~~)")
_STOPS = ".!?…。！？"


@dataclass(frozen=True, slots=True)
class Appended:
    """What is added at the end of a reply: one edit, or None, and the calls that it tells."""

    edit: Edit | None = None
    calls: tuple[Call, ...] = ()


def append(
    reply: str,
    edits: Sequence[Edit],
    ledger: Ledger,
    phrasings: Phrasings,
    *,
    spoken: Collection[str] = (),
    asks: bool = False,
    omitted: str = "auto",
    lost: Sequence[Call] = (),
) -> Appended:
    """The writes that a reply omits, as one edit at its end.

    `edits` are the repairs, `spoken` the ids of calls that a clause speaks of, `asks` is whether the reply asks the
    person something (closing offers do not count). A reply that the repairs emptied gets something true in any case:
    the omitted writes, else a write of this turn, else one of the `lost` calls that a removed sentence spoke of.
    Raises `ValueError` for an unknown `omitted`.
    """
    if omitted not in OMITTED:
        raise ValueError(f"omitted={omitted!r:.40} is not known; it can be {', '.join(OMITTED)}")
    left = splice(reply, edits)
    kept = kept_text(reply, edits)
    found = tuple(_omitted(left, kept, ledger, phrasings, spoken, asks, omitted))
    calls = tuple(call for call, _ in found)
    text = " ".join(dict.fromkeys(said for _, said in found))  # one phrasing can tell of several calls
    if not text and edits and not any(map(str.isalnum, left)):
        text, calls = _something_true(ledger, phrasings, lost), ()
    if not text:
        return Appended()
    at = _end(reply, edits)
    gap = separator(splice(reply[:at], edits) if edits else reply[:at])
    return Appended(Edit(at, at, gap + text, "append", calls[0].id if calls else "", "omitted"), calls)


def _end(reply: str, edits: Sequence[Edit]) -> int:
    """Where the words of a reply end: its last white space stays last."""
    at = len(reply.rstrip(BREAKS))
    return max([at, *(edit.end for edit in edits)])


def separator(text: str) -> str:
    """What parts appended text from what stands before: a space after prose, else an empty line."""
    text = text.rstrip(BREAKS)
    if not text:
        return ""
    newline = "\r\n" if "\r\n" in text else "\n"
    fences = _FENCE.findall(text)
    last = text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]
    if len(fences) % 2:
        return f"{newline}{fences[-1]}{newline}{newline}"
    if _BLANK_LINE.search(text) or _BLOCK.match(last) or _goes_on(last):
        return newline * 2
    return " "


def _goes_on(line: str) -> bool:
    """Whether a line ends so that a sentence after it would be read as its end."""
    bare = line.rstrip("*_\"'”’»)`")
    return not bare or (bare[-1] not in _STOPS and (bare[-1].isalnum() or bare[-1] in ":,;–—-"))


# Which calls ---------------------------------------------------------------------------------------------------------


def _omitted(
    left: str,
    kept: str,
    ledger: Ledger,
    phrasings: Phrasings,
    spoken: Collection[str],
    asks: bool,
    omitted: str,
) -> Iterator[tuple[Call, str]]:
    """The calls to append with their phrasings, in order, identical ones once. `kept` is the model's part of `left`.

    `Not done: cancel order.` says nothing of which: calls of several targets can share a phrasing, and all are told.
    """
    turn = ledger.calls_in(ledger.turn)
    writes = [call for call in turn if _is_reported(call, ledger)]
    if all(call.id in spoken for call in writes):
        return
    earlier = [text for at, text in ledger.replies if at == ledger.turn]
    told_always = TOLD_ALWAYS[omitted]
    made_good = _made_good(writes)
    holders: dict[str, Counter[str]] = {}
    seen: set[tuple[str, str, str]] = set()
    for call in writes:
        news = omitted == "auto" and call.outcome in CAME_TO_NOTHING and not asks and call.id not in made_good
        if call.id in spoken or not (news or call.outcome in told_always):
            continue
        if call.tool not in holders:
            holders[call.tool] = _holders(call.tool, turn)
        if _has_identifier(kept, call, holders[call.tool]):
            continue
        said = phrasings.say(call)
        same = (said, call.tool, repr(call.arguments))
        if said and same not in seen and said not in left and not any(said in text for text in earlier):
            seen.add(same)
            yield call, said


def _is_reported(call: Call, ledger: Ledger) -> bool:
    tool = ledger.tool(call.tool)
    return tool is None or bool(tool.write and tool.report)


def _made_good(writes: Sequence[Call]) -> frozenset[str]:
    """The ids of writes that came to nothing and whose target a later one completed.

    Two writes aim at one thing where they share an identifier (no person's); without any, where the tool is the same.
    """
    done_targets: set[str] = set()
    done_tools: set[str] = set()
    bare_tools: set[str] = set()  # done without a target that could be told apart
    found: set[str] = set()
    for call in reversed(writes):
        targets = _targets(call)
        if call.outcome is Outcome.DONE:
            done_targets |= targets
            done_tools.add(call.tool)
            if not targets:
                bare_tools.add(call.tool)
        elif call.outcome in CAME_TO_NOTHING:
            same = call.tool in (bare_tools if targets else done_tools)
            if same or not done_targets.isdisjoint(targets):
                found.add(call.id)
    return frozenset(found)


def _targets(call: Call) -> frozenset[str]:
    return frozenset(text for key, text in identifiers(call.arguments) if not _PERSON.search(key))


def _holders(tool: str, turn: Sequence[Call]) -> Counter[str]:
    """How many calls of a tool hold each identifier."""
    found: Counter[str] = Counter()
    for call in turn:
        if call.tool == tool:
            found.update({text for _, text in identifiers([call.arguments, call.result])})
    return found


def _has_identifier(text: str, call: Call, holders: Counter[str]) -> bool:
    """Whether an identifier of the call stands in the text. One that a twin of the call holds too tells nothing."""
    for key, found in identifiers([call.arguments, call.result]):
        persons = _PERSON.search(key) and not _PERSON.search(call.tool)  # an account is no sign of what was done to it
        if holders[found] == 1 and not persons and _stands_in(text, found):
            return True
    return False


def identifiers(value: object) -> Iterator[tuple[str, str]]:
    """The identifiers in recorded values, each with its key: texts with a digit and no blank, numbers named as one."""
    stack: list[tuple[str, object]] = [("", value)]
    for _ in range(MAX_LEAVES):
        if not stack:
            return
        key, one = stack.pop()
        if isinstance(one, Mapping):
            stack.extend((str(name), item) for name, item in one.items())
        elif isinstance(one, list | tuple):
            stack.extend((key, item) for item in one)
        elif isinstance(one, int) and not isinstance(one, bool):
            if _NAMES_ONE.search(key):
                yield key, str(one)
        elif isinstance(one, str) and _is_identifier(key, one):
            yield key, one


def _is_identifier(key: str, text: str) -> bool:
    if len(text) > 64 or not _IDENTIFIER.fullmatch(text) or _MOMENT.fullmatch(text):
        return False
    telling = len(text) > 3 and not text.replace(".", "").isdigit()  # a seat or a number is no name of one thing
    return telling or bool(_NAMES_ONE.search(key))


def _stands_in(text: str, word: str) -> bool:
    """Whether a word stands in a text by itself, not as a part of a longer one."""
    bare = word.removeprefix("#")
    at = text.find(bare)
    while at >= 0:
        after = text[at + len(bare) : at + len(bare) + 1]
        if not text[at - 1 : at].isalnum() and not after.isalnum():
            return True
        at = text.find(bare, at + 1)
    return False


def _something_true(ledger: Ledger, phrasings: Phrasings, lost: Sequence[Call]) -> str:
    """A sentence for a reply of which nothing is left."""
    for call in ledger.calls_in(ledger.turn):
        if _is_reported(call, ledger) and phrasings.say(call):
            return phrasings.say(call)
    for call in lost:
        if phrasings.say(call):
            return phrasings.say(call)
    return phrasings.nothing
