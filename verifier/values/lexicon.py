"""The words of one language that say what kind of value a number is, and how numbers are said in words.

All words are folded (lower case, no accents), as the text around a number is before it is compared with them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

LOCALES = ("en", "pt-BR")
_ACCENTED = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ’‘"
_PLAIN = "aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy''"
_FOLD = {ord(a): p for a, p in zip(_ACCENTED, _PLAIN, strict=True)} | {c: chr(c + 32) for c in range(65, 91)}
MAX_NUMBER_WORDS = 12  # "mil duzentos e trinta e quatro reais" has six


def fold(text: str) -> str:
    """The text in lower case without accents, every character at its old place."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language; each field is explained where grammars/values.en.yaml lists it."""

    language: str
    decimal: str
    clock: int
    units: dict[str, int]
    scales: dict[str, int]
    both: dict[str, int]
    months: dict[str, int]
    weekdays: dict[str, int]
    relative: dict[str, int]
    magnitudes: dict[str, int]
    time_words: dict[str, tuple[int, int]]
    operators: dict[str, str]
    symbols: dict[str, str]
    money_words: dict[str, str]
    codes: frozenset[str]
    ambiguous: dict[str, frozenset[str]]
    orders: tuple[str, ...]
    joiners: frozenset[str]
    too_common: frozenset[str]
    day_words: frozenset[str]
    ordinal_before: frozenset[str]
    day_after: frozenset[str]
    date_before: frozenset[str]
    time_before: frozenset[str]
    time_at: frozenset[str]
    length_before: frozenset[str]
    later: frozenset[str]
    oclock: frozenset[str]
    cents: frozenset[str]
    money_of: frozenset[str]
    money_links: frozenset[str]
    money_before: frozenset[str]
    percent_words: frozenset[str]
    durations: frozenset[str]
    measures: frozenset[str]
    labels: frozenset[str]
    not_nouns: frozenset[str]
    parties: frozenset[str]
    party_of: frozenset[str]
    id_words: frozenset[str]
    flights: frozenset[str]
    endings: frozenset[str]
    ending_fill: frozenset[str]
    phone_words: frozenset[str]
    not_prefixes: frozenset[str]
    month_words: frozenset[str]
    no_things: frozenset[str]
    before: frozenset[str]
    own_words: frozenset[str]
    triggers: frozenset[str]
    leads: frozenset[str]
    roles: dict[str, frozenset[str]]
    patterns: dict[str, re.Pattern[str]]


@dataclass(frozen=True, slots=True)
class RecordKeys:
    """Words of keys in tools' arguments and results: see the comments in grammars/values.records.yaml."""

    bookkeeping: frozenset[str]
    identifiers: frozenset[str]
    money: frozenset[str]
    currency: frozenset[str]
    timezone: frozenset[str]
    percent: frozenset[str]
    minutes: frozenset[str]
    hours: frozenset[str]
    days: frozenset[str]
    counts: frozenset[str]
    quantity: frozenset[str]
    names: frozenset[str]
    status: frozenset[str]
    vague: frozenset[str]
    silent: frozenset[str]


@cache
def record_keys() -> RecordKeys:
    """The key words of records. Raises `DataError` where the file is wrong."""
    from verifier.values.lexicon_file import read_record_keys

    return read_record_keys()


@cache
def lexicon(locale: str) -> Lexicon:
    """The words of a language. Raises `DataError` where its file is wrong, `ValueError` for an unknown language."""
    from verifier.values.lexicon_file import read_lexicon

    return read_lexicon(code(locale))


def code(locale: str) -> str:
    """The language's own code: `pt` is `pt-BR`; an unknown one raises `ValueError`."""
    found = "pt-BR" if locale in ("pt", "pt-BR", "pt_BR", "pt-br") else locale
    if found not in LOCALES:
        raise ValueError(f"no values are read in '{locale}'; languages: {', '.join(LOCALES)}")
    return found


def number_words(words: list[str], lexicon: Lexicon) -> tuple[int, int] | None:
    """The number that words begin with and how many of them it takes: [twenty, five, boxes] -> (25, 2).

    Words that do not grow a number end it: [twelve, fifty] is 12, and the 50 is the next one. None without any.
    """
    total = group = taken = 0
    for at, word in enumerate(words[:MAX_NUMBER_WORDS]):
        if word in lexicon.units:
            value = lexicon.units[word]
            if not _grows(group, value):
                break
            group, taken = group + value, at + 1
        elif word in lexicon.scales:
            scale = lexicon.scales[word]
            if scale == 100:
                group = max(group, 1) * scale
            else:
                total, group = total + max(group, 1) * scale, 0
            taken = at + 1
        elif word not in lexicon.joiners or taken != at or at == 0:
            break
    return (total + group, taken) if taken else None


def _grows(group: int, value: int) -> bool:
    """Whether a number word goes on with the number before it: twenty five, cento e vinte; not twelve fifty."""
    tens = group % 100
    if group == 0:
        return True
    if tens:
        return tens >= 20 and tens % 10 == 0 and value < 10
    return value < 100
