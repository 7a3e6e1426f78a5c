"""grammars/values.<language>.yaml -> a Lexicon: the words that say what kind of value a number is.

All words are folded (lower case, no accents), as the text around a number is before it is compared with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from verifier import data

LOCALES = ("en", "pt-BR")
_ACCENTED = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ’‘"
_PLAIN = "aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy''"
_FOLD = {ord(a): p for a, p in zip(_ACCENTED, _PLAIN, strict=True)} | {c: chr(c + 32) for c in range(65, 91)}


def fold(text: str) -> str:
    """The text in lower case without accents, every character at its old place."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language; see the comments in grammars/values.en.yaml."""

    language: str
    decimal: str
    units: dict[str, int]
    scales: dict[str, int]
    joiners: frozenset[str]
    both: dict[str, int]
    too_common: frozenset[str]
    months: dict[str, int]
    month_words: frozenset[str]
    weekdays: dict[str, int]
    relative: dict[str, int]
    orders: tuple[str, ...]
    day_words: frozenset[str]
    date_before: frozenset[str]
    time_words: dict[str, tuple[int, int]]
    time_before: frozenset[str]
    time_at: frozenset[str]
    later: frozenset[str]
    oclock: frozenset[str]
    clock: int
    symbols: dict[str, str]
    codes: frozenset[str]
    money_words: dict[str, str]
    cents: frozenset[str]
    magnitudes: dict[str, int]
    ambiguous: dict[str, frozenset[str]]
    money_before: frozenset[str]
    durations: frozenset[str]
    measures: frozenset[str]
    labels: frozenset[str]
    not_nouns: frozenset[str]
    parties: frozenset[str]
    party_of: frozenset[str]
    out_of: frozenset[str]
    id_words: frozenset[str]
    flights: frozenset[str]
    endings: frozenset[str]
    ending_fill: frozenset[str]
    phone_words: frozenset[str]
    not_prefixes: frozenset[str]
    roles: dict[str, frozenset[str]]
    triggers: frozenset[str]
    leads: frozenset[str]
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


@cache
def record_keys() -> RecordKeys:
    """The key words of records. Raises `DataError` where the file is wrong."""
    file = data.load(data.folder("grammars") / "values.records.yaml")
    problems = data.Problems()
    fields = RecordKeys.__dataclass_fields__
    data.refuse_unknown_keys(file, fields, problems)
    lists = {name: data.expect_texts(file.get(name), name, problems, at=file) for name in fields}
    problems.check()
    return RecordKeys(**{name: _folded(words) for name, words in lists.items()})


def code(locale: str) -> str:
    """The language's own code: `pt` is `pt-BR`; an unknown one raises `ValueError`."""
    found = "pt-BR" if locale in ("pt", "pt-BR", "pt_BR", "pt-br") else locale
    if found not in LOCALES:
        raise ValueError(f"no values are read in '{locale}'; languages: {', '.join(LOCALES)}")
    return found


@cache
def lexicon(locale: str) -> Lexicon:
    """The words of a language. Raises `DataError` where its file is wrong, `ValueError` for an unknown language."""
    file = data.load(data.folder("grammars") / f"values.{code(locale)}.yaml")
    problems = data.Problems()
    reader = _Reader(file, problems)
    read = _read(reader)
    problems.check()
    return read


class _Reader:
    """Reads sections of the file, noting what is missing or of the wrong form."""

    def __init__(self, file: data.YamlMap, problems: data.Problems) -> None:
        self.file = file
        self.problems = problems

    def _at(self, path: str) -> tuple[data.YamlMap, str]:
        section, _, key = path.partition(".")
        return data.expect_map(self.file.get(section), section, self.problems, at=self.file), key

    def words(self, path: str) -> frozenset[str]:
        """A list of words, folded."""
        section, key = self._at(path)
        return _folded(data.expect_texts(section.get(key), path, self.problems, at=section))

    def listed(self, path: str) -> tuple[str, ...]:
        """A list of texts as written, in order."""
        section, key = self._at(path)
        return tuple(map(str, data.expect_texts(section.get(key), path, self.problems, at=section)))

    def texts(self, path: str) -> dict[str, str]:
        """A mapping from words (as written) to texts."""
        section, key = self._at(path)
        node = data.expect_map(section.get(key), path, self.problems, at=section)
        return {str(k): str(data.expect_text(v, path, self.problems)) for k, v in node.items()}

    def numbers(self, path: str) -> dict[str, int]:
        """A mapping from words, folded, to whole numbers."""
        found = {}
        for word, text in self.texts(path).items():
            if text.isdecimal() and text.isascii():
                found[fold(word)] = int(text)
            else:
                self.problems.add(word, f"'{text}' is not a whole number", "write digits only")
        return found

    def text(self, path: str) -> str:
        """One text."""
        section, key = self._at(path)
        return str(data.expect_text(section.get(key), path, self.problems, at=section))


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(word) for word in words)


def _clock(text: str) -> tuple[int, int]:
    hour, _, minute = text.partition(":")
    return int(hour), int(minute)


def _read(file: _Reader) -> Lexicon:
    roles = ("main", "other", "difference", "comparison", "per", "per_unit", "about", "times", "towards", "arrival", "less", "year", "supposed", "threshold")
    units, both, months = file.numbers("numbers.units"), file.numbers("numbers.both"), file.numbers("dates.months")
    scales, relative = file.numbers("numbers.scales"), file.numbers("dates.relative")
    too_common, times = file.words("numbers.too_common"), file.texts("times.words")
    triggers = {*units, *both, *scales, *relative, *(fold(word).partition("-")[0] for word in times)} - too_common
    accented = {word for path in ("numbers.units", "numbers.scales", "dates.relative", "times.words")
                for word in file.texts(path) if not word.isascii()}
    return Lexicon(
        language=str(data.expect_text(file.file.get("language"), "language", file.problems, at=file.file)),
        decimal=file.text("separators.decimal"),
        units=units, scales=scales, joiners=file.words("numbers.joiners"), both=both, too_common=too_common,
        months=months, month_words=frozenset(months),
        weekdays=file.numbers("dates.weekdays"), relative=relative, orders=file.listed("dates.order"),
        day_words=file.words("dates.day_words"), date_before=file.words("dates.before"),
        time_words={fold(word).replace("-", " "): _clock(text) for word, text in times.items()},
        time_before=file.words("times.before"), time_at=file.words("times.at"), later=file.words("times.later"), oclock=file.words("times.oclock"),
        clock=int(file.text("times.clock")), symbols=file.texts("money.symbols"),
        codes=frozenset(file.listed("money.codes")),
        money_words={fold(word): unit for word, unit in file.texts("money.words").items()},
        cents=file.words("money.cents"), magnitudes=file.numbers("money.magnitudes"), ambiguous=_ambiguous(file),
        money_before=file.words("money.before"), durations=file.words("counts.durations"),
        measures=file.words("counts.measures"), labels=file.words("counts.labels"),
        not_nouns=file.words("counts.not_nouns"), parties=file.words("counts.parties"),
        party_of=file.words("counts.party_of"), out_of=file.words("counts.out_of"),
        id_words=file.words("identifiers.words"), flights=file.words("identifiers.flights"),
        endings=file.words("identifiers.endings"), ending_fill=file.words("identifiers.ending_fill"),
        phone_words=file.words("identifiers.phones"), not_prefixes=file.words("identifiers.not_prefixes"),
        roles={role: file.words(f"roles.{role}") for role in roles},
        triggers=frozenset(triggers | accented), leads=_leads(file), patterns=_patterns(file, months),
    )


def _leads(file: _Reader) -> frozenset[str]:
    """The words and marks that, right after a number, may say what it is (a noun only says what it counts)."""
    lists = ("numbers.joiners", "dates.ordinals", "dates.of", "dates.ranges", "times.am", "times.pm", "times.oclock",
             "times.ranges", "money.codes", "money.cents")
    maps = ("dates.months", "money.words", "money.magnitudes", "numbers.scales")
    words = {word.rstrip(".") for path in lists for word in file.words(path)}
    words |= {fold(word) for path in maps for word in file.texts(path)}
    return frozenset({*words, *(word[:1] for word in words if "." in word or "'" in word), *_LEADING})


_LEADING = ("-", "–", "/", ",", ":", "%", "$", "€", "£", "¥", "₹", "º", "ª", "°", "o", "percent", "per", "por", "h", "a", "p")


def _ambiguous(file: _Reader) -> dict[str, frozenset[str]]:
    section = data.expect_map(file.file.get("money"), "money", file.problems, at=file.file)
    node = data.expect_map(section.get("ambiguous"), "money.ambiguous", file.problems, at=section)
    return {str(unit): frozenset(data.expect_texts(texts, str(unit), file.problems)) for unit, texts in node.items()}


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _patterns(file: _Reader, months: dict[str, int]) -> dict[str, re.Pattern[str]]:
    """Bounded patterns over the folded text beside a number, built from the file's words."""
    ordinal, of = _either(file.words("dates.ordinals")), _either(file.words("dates.of"))
    month, span = rf"(?P<month>{_either(months)})\.?(?![a-z])", _either(file.words("dates.ranges"))
    to = _either(file.words("times.ranges"))
    half = rf"(?P<am>{_either(file.words('times.am'))})|(?P<pm>{_either(file.words('times.pm'))})"
    day = rf"[0-9]{{1,2}}(?:{ordinal})?(?![0-9a-z])"
    cents = _either(file.words("money.cents"))
    sources = {
        "month_right": rf"(?:{ordinal})?(?:,? (?:{of})){{0,2}} ?{month}",
        "month_later": rf"(?:{ordinal})?(?:, ?{day}){{0,2}} ?(?:[-–/]|(?:{span})) ?{day}(?: (?:{of})){{0,2}} {month}",
        "month_left": rf"(?<![a-z]){month} (?:the )?(?P<span>{day} ?(?:[-–,]|(?:{span})) ?)?\Z",
        "year_right": r"(?:,? ?(?:de |of )?)(?P<year>(?:19|20)[0-9]{2})(?![0-9])",
        "half_right": rf" ?(?:{half})(?![a-z])",
        "half_later": rf" ?(?:[-–]|(?:{to})) ?[0-9]{{1,2}}(?::[0-9]{{2}})? ?(?:{half})(?![a-z])",
        "time_later": rf" ?(?:[-–]|(?:{to})) ?[0-9]{{1,2}}(?::[0-9]{{2}}|h)",
        "cents_right": rf" ?(?:e |and )?(?P<cents>[0-9]{{1,2}}) (?:{cents})(?![a-z])",
    }
    return {name: re.compile(source) for name, source in sources.items()}


def number_words(words: list[str], lexicon: Lexicon) -> tuple[int, int] | None:
    """The number that words begin with and how many of them it takes: [twenty, five, boxes] -> (25, 2).

    Words that do not grow a number end it: [twelve, fifty] is 12, and the 50 is the next one. None without any.
    """
    total = group = taken = 0
    last = 1000  # what may follow is smaller than the word before
    for at, word in enumerate(words[:12]):
        if word in lexicon.units and (lexicon.units[word] < last or last == 0):
            value = lexicon.units[word]
            if group % 100 and not (group % 100 >= 20 and group % 10 == 0 and value < 10):
                break
            if group >= 100 and value >= 100:
                break
            group, last, taken = group + value, value, at + 1
        elif word in lexicon.scales:
            scale = lexicon.scales[word]
            if scale == 100:
                group, last = max(group, 1) * 100, 100
            else:
                total, group, last = total + max(group, 1) * scale, 0, 1000
            taken = at + 1
        elif not (word in lexicon.joiners and taken == at and at):
            break
    return (total + group, taken) if taken else None

