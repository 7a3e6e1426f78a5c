"""Amounts: a number with a currency beside it, or one that the words before it call a price."""

from __future__ import annotations

import re
from decimal import Decimal

from verifier.model import Value
from verifier.values.lexicon import Lexicon, number_words
from verifier.values.numbers import read_number
from verifier.values.spot import SIGN_ENDS, Spot

_NUMBER = r"[0-9][0-9.,]{0,30}"
_SIGNED = re.compile(rf"[-+]?(?P<sign>[A-Z]{{0,3}}[$€£¥₹])(?P<number>{_NUMBER})(?P<scale>[kKmM]?)")
_TRAILED = re.compile(rf"(?P<number>{_NUMBER})(?P<sign>[$€£¥₹])|(?P<code>[A-Z]{{3}})(?P<coded>{_NUMBER})")
_PLAIN = re.compile(rf"(?P<number>{_NUMBER})(?P<scale>[kKmM]?)")
_SIGN_LEFT = re.compile(r"(?:(?P<sign>[A-Z]{0,3}[$€£¥₹])|(?P<code>[A-Z]{3}))[ \u00a0\u202f]?[*]{0,2}\Z")
_SIGN_RIGHT = re.compile(r"[ \u00a0\u202f]?(?:(?P<sign>[€£$¥₹])|(?P<code>[A-Z]{3})(?![A-Za-z0-9]))")
_WORD_RIGHT = re.compile(r"[ \u00a0-]{1,2}(?P<first>[a-z]{1,12})(?: (?:de )?(?P<second>[a-z]{1,12}))?")


def read(spot: Spot) -> Value | None:
    """The amount at a run of digits, with its ISO currency as unit; None where nothing says that it is one."""
    text = spot.text
    if not (text[0].isdigit() and text[-1].isdigit()):
        signed = _SIGNED.fullmatch(text) or _TRAILED.fullmatch(text)
        if signed:
            return _signed(spot, signed)
    plain = _PLAIN.fullmatch(text)
    if not plain:
        return None
    beside = spot.reply[max(spot.start, spot.at - 8) : spot.at]
    before = _SIGN_LEFT.search(beside) if beside.rstrip(" *\u00a0\u202f")[-1:] in SIGN_ENDS else None
    if before and (unit := _unit(before["sign"], before["code"], spot.lexicon)):
        at = spot.at - (len(before[0]))
        return _amount(spot, plain["number"], plain["scale"], unit, at=at)
    ahead = spot.leads_on()
    after = _SIGN_RIGHT.match(spot.reply, spot.to, spot.end) if ahead else None
    if after and (unit := _unit(after["sign"], after["code"], spot.lexicon)):
        return _amount(spot, plain["number"], plain["scale"], unit, to=after.end())
    return (_worded(spot, plain) if ahead else None) or _bare(spot, plain)


def _unit(sign: str | None, code: str | None, lexicon: Lexicon) -> str:
    if sign:
        return lexicon.symbols.get(sign) or lexicon.symbols.get(sign[-1], "")
    return code if code and code in lexicon.codes else ""


def _signed(spot: Spot, found: re.Match[str]) -> Value | None:
    groups = found.groupdict()
    unit = _unit(groups.get("sign"), groups.get("code"), spot.lexicon)
    number = groups.get("number") or groups.get("coded") or ""
    return _amount(spot, number, groups.get("scale") or "", unit) if unit else None


def _amount(spot: Spot, digits: str, scale: str, unit: str, *, at: int = -1, to: int = -1) -> Value | None:
    numbers = read_number(digits, spot.lexicon.decimal)
    if not numbers:
        return None
    factor = {"k": 1000, "m": 1_000_000}.get(scale.lower(), 1)
    if factor == 1 and to < 0:
        word = _WORD_RIGHT.match(spot.right)
        if word and word["first"] in spot.lexicon.magnitudes and len(word["first"]) > 1:
            factor, to = spot.lexicon.magnitudes[word["first"]], spot.to + word.end("first")
    return spot.value("money", tuple(number * factor for number in numbers), unit=unit, at=at, to=to)


def _worded(spot: Spot, plain: re.Match[str]) -> Value | None:
    """`12.50 pounds`, `5 million dollars`, `16 reais e 63 centavos`."""
    word = _WORD_RIGHT.match(spot.right)
    if not word:
        return None
    lexicon, factor, name, stop = spot.lexicon, 1, word["first"], word.end("first")
    if name in lexicon.magnitudes and word["second"]:
        factor, name, stop = lexicon.magnitudes[name], word["second"], word.end("second")
    unit = lexicon.money_words.get(name, "")
    numbers = tuple(n * factor for n in read_number(plain["number"], lexicon.decimal))
    if not numbers or not unit:
        if numbers and name in lexicon.cents and len(name) > 1:
            return spot.value("money", tuple(n / 100 for n in numbers), to=spot.to + stop)
        return None
    cents = lexicon.patterns["cents_right"].match(spot.right, stop)
    if cents:
        numbers, stop = tuple(n + Decimal(cents["cents"]) / 100 for n in numbers), cents.end()
    return spot.value("money", numbers, unit=unit, to=spot.to + stop)


def _bare(spot: Spot, plain: re.Match[str]) -> Value | None:
    """A number without a currency that is written like an amount, or called one: `at 363,000`, `costs 69 a month`."""
    digits, lexicon = plain["number"], spot.lexicon
    following = spot.next_words()
    if following and following[0] not in lexicon.no_things:
        return None
    cents = len(digits) > 3 and digits[-3] in ".,"
    if cents or (len(digits) > 4 and digits[-4] in ".,") or _is_called_price(spot):
        return _amount(spot, digits, "", "")
    return None


def _is_called_price(spot: Spot) -> bool:
    """`a fee of 66`, `costs 69 a month`, `billed at 194`: a word for money before the number or its preposition."""
    lexicon, before = spot.lexicon, spot.word()
    if before == ":" and spot.left.rstrip().endswith('":'):
        return False  # a field of a JSON body
    if before in lexicon.money_links or before == ":":
        before = spot.word(2)
    return before in lexicon.money_before


def read_words(spot: Spot, words: list[str], ends: list[int]) -> Value | None:
    """`twelve pounds fifty`, `mil reais`: an amount in words. `ends` are the ends of the words in the reply."""
    lexicon = spot.lexicon
    number = number_words(words, lexicon)
    if not number:
        return None
    amount, at = Decimal(number[0]), number[1]
    at += at < len(words) and words[at] in lexicon.money_of
    if at >= len(words) or words[at] not in lexicon.money_words:
        return None
    unit, last = lexicon.money_words[words[at]], at
    rest = at + 1 + (at + 1 < len(words) and words[at + 1] in lexicon.joiners)
    cents = number_words(words[rest:], lexicon)
    if cents and 0 < cents[0] < 100:
        stop = rest + cents[1]
        named = stop < len(words) and words[stop] in lexicon.cents
        if named or rest == at + 1:
            amount, last = amount + Decimal(cents[0]) / 100, stop if named else stop - 1
    return spot.value("money", (amount,), unit=unit, to=ends[last])
