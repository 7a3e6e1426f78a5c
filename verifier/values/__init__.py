"""The values that a part of a reply states: money, dates, times, addresses, identifiers, phones, shares and counts.

One cheap look decides whether there is anything to find; then each run of characters with a digit, and each number
word, is read by the kinds in order, the most specific first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

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
_KEEP = re.compile(r"[0-9]{1,4}[/.-][0-9]{1,2}(?:[/.-][0-9]{2,4})?(?:T.{0,40})?|[0-9.]{3,20}-[0-9]{1,4}|[0-9.]{3,12}/[0-9]{4}-[0-9]{2}"
                   r"|(?:1-)?[0-9]{3}-[0-9]{3}-[0-9]{4}|[0-9a-f-]{36}")
_PHRASE = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ'’-]{1,24}")


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
    if not words.triggers.isdisjoint(map(str.lower, _WORDS.findall(reply, start, end))):
        _number_words(reply, start, end, words, found, now)
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
    stops = {value.start: value.end for value in found}
    stop = start
    while True:
        left, low = at, max(stop, at - MAX_RUN)
        while left > low and reply[left - 1] in _LEFT:
            left -= 1
        run = _RUN.match(reply, left, end)
        to = max(at + 1, run.end() if run else at + 1)
        covered = next((stops[place] for place in range(left, at + 1) if place in stops), 0) if stops else 0
        inside = _covering(at, found) if stops else 0
        if covered or inside:
            stop = max(covered, inside)
        else:
            stop = _read_run(reply, start, end, left, to, words, found)
        following = _DIGIT.search(reply, stop, end)
        if not following:
            return
        at = following.start()


def _covering(at: int, found: list[Value]) -> int:
    return next((value.end for value in found if value.start <= at < value.end), 0)


def _read_run(reply: str, start: int, end: int, left: int, to: int, words: Lexicon, found: list[Value]) -> int:
    """Read one run; gives where the next may begin (after the value, or after the part of a range that was read)."""
    text = reply[left:to]
    bare = text.strip(".,:/+'-_")
    left += len(text) - len(text.lstrip(".,:/+'-_"))
    stop = left + len(bare)
    if not bare:
        return to
    if not _KEEP.fullmatch(bare) and (part := _SPLIT.match(bare)):
        to = stop = left + part.end()
    spot = Spot(reply, start, end, left, stop, words)
    values = _read(spot)
    found.extend(values)
    return max(to, values[-1].end) if values else to


def _read(spot: Spot) -> tuple[Value, ...]:
    """The values at a run, by the kinds in order; the number after a sign or a letter is never a count."""
    text = spot.text
    plain = text[0].isdigit() and text[-1].isdigit() and text.replace(".", "").replace(",", "").isdigit()
    if plain and text.isdigit() and len(text) < 6:
        return _plain(spot)
    one: Value | None
    if not plain or text.count(".") == 2:
        several = dates.read(spot)
        if several:
            return several
    if not plain:
        one = percent.read(spot) or money.read(spot) or times.read(spot) or phones.read(spot) or identifiers.read(spot)
        return (one,) if one else ()
    one = percent.read(spot) or money.read(spot) or phones.read(spot) or identifiers.read(spot) or counts.read(spot)
    return (one,) if one else ()


def _plain(spot: Spot) -> tuple[Value, ...]:
    """The value at a number of at most five digits, which only the words beside it can name."""
    several = dates.read(spot)
    if several:
        return several
    one = (percent.read(spot) or money.read(spot) or times.read(spot) or phones.read(spot)
           or identifiers.read_plain(spot) or counts.read(spot))
    return (one,) if one else ()


def _number_words(
    reply: str, start: int, end: int, words: Lexicon, found: list[Value], now: date | datetime | None
) -> None:
    """Read the values that are written in words."""
    tokens = list(_PHRASE.finditer(reply, start, end))
    folded = [fold(token[0]).strip("'-") for token in tokens]
    at = 0
    while at < len(tokens):
        if folded[at] not in words.triggers:
            at += 1
            continue
        size = _phrase_size(reply, tokens, at)
        spot = Spot(reply, start, end, tokens[at].start(), tokens[at].end(), words)
        phrase, ends = folded[at : at + size], [token.end() for token in tokens[at : at + size]]
        value = (money.read_words(spot, phrase, ends) or percent.read_words(spot, phrase, ends)
                 or times.read_words(spot, phrase, ends) or dates.read_words(spot, phrase, ends, now)
                 or counts.read_words(spot, phrase, ends))
        if value and not _covering(value.start, found):
            found.append(value)
        at += max(1, sum(end <= value.end for end in ends)) if value else 1


def _phrase_size(reply: str, tokens: list[re.Match[str]], at: int) -> int:
    """How many words from `at` on stand with nothing but one space or hyphen between them (at most ten)."""
    size = 1
    while size < 10 and at + size < len(tokens):
        gap = reply[tokens[at + size - 1].end() : tokens[at + size].start()]
        if gap != " " and gap != "-":
            break
        size += 1
    return size
