"""The words around a value in its clause: what part it plays there (paid, priced, compared, rounded …)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.model import LinkedClause, Value
from verifier.values.lexicon import Lexicon, fold

FAR = 600  # characters on each side within which a clause can suppose it
BESIDE = 5  # characters between a date and its time
NEAR = 90  # characters on each side of a value that can say what it is
_WORD = re.compile(r"(?<![a-z0-9])[a-z]{1,24}(?![a-z0-9])|->|→|[~/=+×*]")
_AMOUNTS = ("money", "count", "percent")
_WORDS_BEFORE, _WORDS_AFTER = 10, 4
_STOPS = re.compile(r"[;.!?\n]|, (?!and |e )")


@dataclass(frozen=True, slots=True)
class Context:
    """The words before a value (the nearest last) and after it, and what they make of it."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    main: bool
    unnamed: bool
    bracketed: bool
    compared: bool
    difference: bool
    per: bool
    about: bool
    supposed: bool


def context(value: Value, clause: LinkedClause, reply: str, values: tuple[Value, ...], lexicon: Lexicon) -> Context:
    """What stands around a value: cut at the values beside it, so that each word speaks of the nearest one."""
    rivals = _AMOUNTS if value.kind in _AMOUNTS else (value.kind,)
    earlier = (v.end for v in values if v.end <= value.start and v.kind in rivals and v.unit[-1:] != "#")
    low = max([clause.start, value.start - NEAR, *earlier])
    high = min([clause.end, value.end + NEAR, *(v.start for v in values if v.start >= value.end)])
    left = fold(reply[low : value.start])
    right = _STOPS.split(fold(reply[value.end : max(high, value.end)]), maxsplit=1)[0]
    before = tuple(_WORD.findall(left)[-_WORDS_BEFORE:])
    after = tuple(_WORD.findall(right)[:_WORDS_AFTER])
    roles = lexicon.roles
    near = (*before[-4:], *after)
    far = max(clause.start, value.start - FAR), min(clause.end, value.end + FAR)
    words = _WORD.findall(_without_dates(reply, *far, values))
    bracketed = _is_bracketed(reply, value, max(clause.start, value.start - NEAR))
    role = _role(before, after, roles)
    return Context(
        before=before,
        after=after,
        main=role == "main" and not bracketed,
        unnamed=not role and not bracketed,
        bracketed=bracketed,
        compared=not roles["comparison"].isdisjoint(before[-4:]) or _leads_on(reply, value, values, clause, lexicon),
        difference=not roles["difference"].isdisjoint((*before, *after)),
        per=_is_per(after, roles),
        supposed=not (roles["threshold"].isdisjoint(before[-3:]) and roles["supposed"].isdisjoint(words)),
        about=not roles["about"].isdisjoint(before[-2:]) or "~" in near,
    )


def _without_dates(reply: str, low: int, high: int, values: tuple[Value, ...]) -> str:
    """The folded words of a clause without its dates: the month of May supposes nothing."""
    parts = []
    for value in values:
        if value.kind == "date" and low <= value.start < high:
            parts.append(reply[low : value.start])
            low = value.end
    return fold(" ".join((*parts, reply[low:high])))


def _role(before: tuple[str, ...], after: tuple[str, ...], roles: dict[str, frozenset[str]]) -> str:
    """The part that the nearest telling word before the value gives it, else the nearest after it; else none."""
    if after and after[0] in roles["other"]:
        return "other"  # `your $500 certificate`
    for word in (*reversed(before), *after):
        if word in roles["other"]:
            return "other"
        if word in roles["main"]:
            return "main"
    return ""


def _is_bracketed(reply: str, value: Value, low: int) -> bool:
    opened = reply.rfind("(", low, value.start)
    return opened >= 0 and reply.find(")", opened, value.start) < 0


def _leads_on(
    reply: str, value: Value, values: tuple[Value, ...], clause: LinkedClause, lexicon: Lexicon
) -> bool:
    """Whether the value is the old one of a change: `de R$ 300 para R$ 250`, `$20 -> $25`, `from May 2 at 9 to …`."""
    start, end = _with_beside(reply, value, values, lexicon.roles["towards"])
    following = _WORD.findall(fold(reply[end : min(clause.end, end + 12)]))
    if not following or following[0] not in lexicon.roles["towards"]:
        return False
    before = fold(reply[max(clause.start, start - 10) : start]).split()
    return following[0] in ("->", "→") or not lexicon.roles["from"].isdisjoint(before[-2:])


def _with_beside(
    reply: str, value: Value, values: tuple[Value, ...], towards: frozenset[str]
) -> tuple[int, int]:
    """From where to where a value reaches with the date or time beside it (`May 2 at 9 am`)."""
    start, end = value.start, value.end
    if value.kind in ("date", "time"):
        for other in values:
            if other.kind not in ("date", "time") or other.kind == value.kind:
                continue
            if 0 <= other.start - end <= BESIDE and fold(reply[end : other.start]).strip() not in towards:
                end = other.end
            elif 0 <= start - other.end <= BESIDE and fold(reply[other.end : start]).strip() not in towards:
                start = other.start
    return start, end


def _is_per(after: tuple[str, ...], roles: dict[str, frozenset[str]]) -> bool:
    if not after or after[0] not in roles["per"]:
        return False
    return after[0] in roles["per_alone"] or (len(after) > 1 and after[1] in roles["per_unit"])
