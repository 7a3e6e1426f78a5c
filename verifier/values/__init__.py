"""The values that a part of a reply states: money, dates, times, addresses, identifiers, phones, shares and counts.

One cheap look decides whether there is anything to find; then each run of characters with a digit, and each number
word, is read by the kinds in order, the most specific first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import lru_cache

from verifier.model import Value
from verifier.values import counts, dates, emails, identifiers, money, percent, phones, times
from verifier.values.lexicon import Lexicon, code, fold, lexicon
from verifier.values.spot import Spot

__all__ = ["find"]

MAX_RUN = 64  # characters of one run; a longer one is no value that a person can check
_DIGIT = re.compile("[0-9]")
_INSIDE = "A-Za-z0-9À-ÖØ-öø-ÿ_#$€£¥₹%.,:/+º°ª'-"
_RUN = re.compile(f"[{_INSIDE}]{{1,{MAX_RUN}}}")
_LEFT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_#$€£¥₹-./:+ÀÁÂÃÇÉÊÍÓÔÕÚàáâãçéêíóôõú")
_WORDS = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]{2,24}")
_SPLIT = re.compile(r"[0-9$€£%][0-9.,:$€£%hHapm]{0,16}(?=[-/–][0-9$€£])|[0-9$€£][0-9.,$€£]{0,16}(?=/[A-Za-zÀ-ÿ])")
_KEEP = re.compile(
    r"[0-9]{1,4}[/.-][0-9]{1,2}(?:[/.-][0-9]{2,4})?(?:T.{0,40})?|[0-9.]{3,20}-[0-9]{1,4}"
    r"|[0-9.]{3,12}/[0-9]{4}-[0-9]{2}|(?:1-)?[0-9]{3}-[0-9]{3}-[0-9]{4}|[0-9a-f-]{36}"
)
_PHRASE = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ][A-Za-zÀ-ÖØ-öø-ÿ'’]{0,23}")


def find(
    reply: str, start: int, end: int, *, locale: str = "en", now: date | datetime | None = None
) -> tuple[Value, ...]:
    """The values that stand between two places of the reply, sorted, none overlapping another.

    `locale` is `en` or `pt-BR` (another raises `ValueError`); `now` is what `tomorrow` is counted from, and without
    it such words are no values. A text that can mean several things is one value with several meanings.
    """
    words = _lexicon(locale)
    found: list[Value] = []
    if reply.find("@", start, end) >= 0:
        found += emails.find_emails(reply, start, end)
    if reply.find("://", start, end) >= 0 or reply.find("www.", start, end) >= 0:
        found += emails.find_urls(reply, start, end)
    first = _DIGIT.search(reply, start, end)
    if first:
        if reply.find("+", start, end) >= 0 or reply.find("(", start, end) >= 0:
            found += phones.find_marked(reply, start, end, words.language)
        _digits(reply, start, end, first.start(), words, found)
    told = words.triggers.intersection(map(str.lower, _WORDS.findall(reply, start, end)))
    if told:
        _number_words(reply, start, end, words, _any_of(tuple(sorted(told))), found, now)
    if len(found) > 1:
        found.sort(key=lambda value: (value.start, -value.end))
        found = list(_apart(found))
    return tuple(found)


_LEXICONS: dict[str, Lexicon] = {}


def _lexicon(locale: str) -> Lexicon:
    known = _LEXICONS.get(locale)
    if known is None:
        known = _LEXICONS.setdefault(locale, lexicon(code(locale)))
    return known


def _apart(values: list[Value]) -> Iterator[Value]:
    """The values without those that begin inside an earlier one."""
    stop = -1
    for value in values:
        if value.start >= stop:
            yield value
            stop = value.end


def _digits(reply: str, start: int, end: int, at: int, words: Lexicon, found: list[Value]) -> None:
    """Read each run that holds a digit, from the first digit on."""
    known = sorted((value.start, value.end) for value in found)
    stop = start
    passed = 0
    while True:
        left, low = at, max(stop, at - MAX_RUN)
        while left > low and reply[left - 1] in _LEFT:
            left -= 1
        run = _RUN.match(reply, left, end)
        to = max(at + 1, run.end() if run else at + 1)
        while passed < len(known) and known[passed][1] <= left:
            passed += 1
        if passed < len(known) and known[passed][0] <= at:
            stop = known[passed][1]
        else:
            stop = _read_run(reply, start, end, left, to, words, found)
        following = _DIGIT.search(reply, stop, end)
        if not following:
            return
        at = following.start()


def _read_run(reply: str, start: int, end: int, left: int, to: int, words: Lexicon, found: list[Value]) -> int:
    """Read one run; gives where the next may begin (after the value, or after the part of a range that was read)."""
    text = reply[left:to]
    bare = text.strip(".,:/+'-_")
    left += text.index(bare)
    stop = left + len(bare)
    if not bare:
        return to
    if ("-" in bare or "/" in bare) and not _KEEP.fullmatch(bare) and (part := _SPLIT.match(bare)):
        to = stop = left + part.end()
    spot = Spot(reply, start, end, left, stop, words)
    values = _read(spot)
    found.extend(values)
    return max(to, values[-1].end) if values else to


def _read(spot: Spot) -> tuple[Value, ...]:
    """The values at a run, by the kinds that its characters allow, the most specific first."""
    text = spot.text
    if text.isdigit():
        if len(text) > 5:
            return _one(spot, _LONG)
        led, leads = spot.is_led(), spot.leads_on()
        if not led and not leads:
            return _one(spot, _COUNTED)
        several = dates.read(spot) if len(text) < 5 else ()
        return several or _one(spot, (_BETWEEN if leads else _LED) if led else _LEADING)
    if not text[0].isdigit():
        return _one(spot, _SIGNED if _SIGN.search(text) or text[:3] in spot.lexicon.codes else _NAMED)
    if "-" in text or "/" in text or text.count(".") == 2 or text[-1] in _ORDINAL_ENDS:
        several = dates.read(spot)
        if several:
            return several
    return _one(spot, _NUMBER if text[-1].isdigit() and ":" not in text else _MARKED)


Reader = Callable[[Spot], "Value | None"]
_SIGN = re.compile("[$€£¥₹]")
_ORDINAL_ENDS = frozenset("thdº°ª")
_COUNTED: tuple[Reader, ...] = (counts.read,)
_LONG: tuple[Reader, ...] = (percent.read, money.read, phones.read, identifiers.read)
_BETWEEN: tuple[Reader, ...] = (percent.read, money.read, times.read, phones.read, identifiers.read_plain, counts.read)
_LED: tuple[Reader, ...] = (money.read, phones.read, identifiers.read_plain, counts.read)
_LEADING: tuple[Reader, ...] = (percent.read, money.read, times.read, counts.read)
_SIGNED: tuple[Reader, ...] = (money.read, identifiers.read)
_NAMED: tuple[Reader, ...] = (identifiers.read,)
_NUMBER: tuple[Reader, ...] = (percent.read, money.read, times.read, phones.read, identifiers.read, counts.read)
_MARKED: tuple[Reader, ...] = (percent.read, money.read, times.read, identifiers.read)


def _one(spot: Spot, readers: tuple[Reader, ...]) -> tuple[Value, ...]:
    for read in readers:
        value = read(spot)
        if value is not None:
            return (value,)
    return ()


def _number_words(
    reply: str, start: int, end: int, words: Lexicon, told: re.Pattern[str], found: list[Value],
    now: date | datetime | None,
) -> None:
    """Read the values that are written in words; `told` finds the words that begin one."""
    taken = {place for value in found for place in range(value.start, value.end)}
    stop = start
    for match in told.finditer(reply, start, end):
        if match.start() < stop:
            continue
        tokens = _phrase(reply, match.start(), end)
        spot = Spot(reply, start, end, match.start(), tokens[0].end(), words)
        phrase, ends = [fold(token[0]).rstrip("'") for token in tokens], [token.end() for token in tokens]
        value = (money.read_words(spot, phrase, ends) or percent.read_words(spot, phrase, ends)
                 or times.read_words(spot, phrase, ends) or dates.read_words(spot, phrase, ends, now)
                 or counts.read_words(spot, phrase, ends))
        if value and value.start not in taken:
            found.append(value)
            stop = value.end


@lru_cache(maxsize=1024)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Finds any of the words, whole and in either case."""
    either = "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))
    return re.compile(f"(?<![A-Za-zÀ-ÖØ-öø-ÿ])(?:{either})(?![A-Za-zÀ-ÖØ-öø-ÿ])", re.IGNORECASE)


def _phrase(reply: str, at: int, end: int) -> list[re.Match[str]]:
    """The word at a place and those after it (ten at most) with nothing but one space or hyphen between them."""
    tokens: list[re.Match[str]] = []
    while len(tokens) < 10:
        token = _PHRASE.match(reply, at, end)
        if not token:
            break
        tokens.append(token)
        at = token.end()
        if reply[at : at + 1] not in (" ", "-"):
            break
        at += 1
    return tokens
