"""grammars/values.<language>.yaml -> a Lexicon; grammars/values.records.yaml -> the key words of records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from verifier import data
from verifier.values.lexicon import Lexicon, RecordKeys, fold

# Field of the Lexicon -> where the file lists its words.
_LISTS = {
    "joiners": "numbers.joiners", "too_common": "numbers.too_common", "day_words": "dates.day_words",
    "ordinal_before": "dates.ordinal_before", "day_after": "dates.day_after", "date_before": "dates.before",
    "time_before": "times.before", "time_at": "times.at", "length_before": "times.length_before",
    "later": "times.later", "oclock": "times.oclock", "cents": "money.cents", "money_of": "money.of",
    "money_links": "money.links",
    "money_before": "money.before", "percent_words": "percent.words", "durations": "counts.durations",
    "measures": "counts.measures", "labels": "counts.labels", "not_nouns": "counts.not_nouns",
    "parties": "counts.parties", "party_of": "counts.party_of", "id_words": "identifiers.words",
    "flights": "identifiers.flights", "endings": "identifiers.endings", "ending_fill": "identifiers.ending_fill",
    "phone_words": "identifiers.phones", "not_prefixes": "identifiers.not_prefixes",
}
_NUMBERS = {
    "units": "numbers.units", "scales": "numbers.scales", "both": "numbers.both", "months": "dates.months",
    "weekdays": "dates.weekdays", "relative": "dates.relative", "magnitudes": "money.magnitudes",
}
_OTHERS = (
    "separators.decimal", "numbers.operators", "dates.order", "dates.ordinals", "dates.of", "dates.ranges",
    "dates.after_day", "dates.weekday_links", "times.am", "times.pm", "times.words", "times.later_links",
    "times.ranges",
    "times.clock", "money.symbols", "money.codes", "money.words", "money.cents_joiners", "money.ambiguous",
    "counts.out_of",
)
# Words before a number that can make it more than a count of the noun after it.
_TELLING = ("money_before", "phone_words", "id_words", "flights", "endings", "day_words", "ordinal_before")
_ROLES = (
    "main", "other", "difference", "comparison", "from", "towards", "per", "per_alone", "per_unit", "about",
    "threshold",
    "supposed", "deadline", "year", "whole", "step", "arrival",
)
_MARKS = ("-", "–", "/", ",", ":", "%", "$", "€", "£", "¥", "₹", "º", "ª", "°", "h", "a", "p")


def read_record_keys() -> RecordKeys:
    """The key words of records. Raises `DataError` where the file is wrong."""
    file = data.load(data.folder("grammars") / "values.records.yaml")
    problems = data.Problems()
    fields = RecordKeys.__dataclass_fields__
    data.refuse_unknown_keys(file, fields, problems)
    lists = {name: data.expect_texts(file.get(name), name, problems, at=file) for name in fields}
    problems.check()
    return RecordKeys(**{name: _folded(words) for name, words in lists.items()})


def read_lexicon(language: str) -> Lexicon:
    """The words of a language whose file is there. Raises `DataError` where it is wrong."""
    file = _File(data.load(data.folder("grammars") / f"values.{language}.yaml"))
    fields: dict[str, Any] = {name: file.words(path) for name, path in _LISTS.items()}
    fields |= {name: file.numbers(path) for name, path in _NUMBERS.items()}
    times = file.texts("times.words")
    fields |= {
        "language": file.name(),
        "decimal": file.text("separators.decimal"),
        "clock": file.number("times.clock"),
        "time_words": {fold(word).replace("-", " "): file.time(text) for word, text in times.items()},
        "operators": {fold(word): sign for word, sign in file.texts("numbers.operators").items()},
        "symbols": file.texts("money.symbols"),
        "money_words": {fold(word): unit for word, unit in file.texts("money.words").items()},
        "codes": frozenset(file.listed("money.codes")),
        "ambiguous": file.lists("money.ambiguous"),
        "orders": file.listed("dates.order"),
        "roles": {role: file.words(f"roles.{role}") for role in _ROLES},
        "month_words": frozenset(fields["months"]),
        "no_things": fields["not_nouns"] | frozenset(fields["units"]) | file.words("roles.main"),
        "before": frozenset(fields["months"]).union(*(fields[name] for name in _TELLING)),
        "own_words": frozenset(fields["months"]) | fields["not_nouns"] | fields["endings"] | frozenset(fields["units"]),
        "triggers": _triggers(file, fields["too_common"]),
        "leads": _leads(file),
        "patterns": _patterns(file),
    }
    file.refuse_unknown()
    file.problems.check()
    return Lexicon(**fields)


class _File:
    """Sections of the file, noting what is missing, of the wrong form or unknown."""

    def __init__(self, file: data.YamlMap) -> None:
        self.file = file
        self.problems = data.Problems()

    def _at(self, path: str) -> tuple[data.YamlMap, str]:
        section, _, key = path.partition(".")
        return data.expect_map(self.file.get(section), section, self.problems, at=self.file), key

    def name(self) -> str:
        """The language that the file says it is of."""
        return str(data.expect_text(self.file.get("language"), "language", self.problems, at=self.file))

    def words(self, path: str) -> frozenset[str]:
        """A list of words, folded."""
        return _folded(self.listed(path))

    def listed(self, path: str) -> tuple[str, ...]:
        """A list of texts as written, in order."""
        section, key = self._at(path)
        return tuple(map(str, data.expect_texts(section.get(key), path, self.problems, at=section)))

    def texts(self, path: str) -> dict[str, str]:
        """A mapping from words (as written) to texts."""
        section, key = self._at(path)
        node = data.expect_map(section.get(key), path, self.problems, at=section)
        return {str(k): str(data.expect_text(v, path, self.problems)) for k, v in node.items()}

    def lists(self, path: str) -> dict[str, frozenset[str]]:
        """A mapping from texts to lists of texts, as written."""
        section, key = self._at(path)
        node = data.expect_map(section.get(key), path, self.problems, at=section)
        return {str(k): frozenset(map(str, data.expect_texts(v, path, self.problems))) for k, v in node.items()}

    def numbers(self, path: str) -> dict[str, int]:
        """A mapping from words, folded, to whole numbers."""
        return {fold(word): self._whole(text, path) for word, text in self.texts(path).items()}

    def _whole(self, text: str, path: str) -> int:
        if text.isascii() and text.isdecimal():
            return int(text)
        self.problems.add(self._at(path)[0], f"'{text}' in {path} is not a whole number", "write digits only")
        return 0

    def number(self, path: str) -> int:
        """One whole number."""
        return self._whole(self.text(path), path)

    def text(self, path: str) -> str:
        """One text."""
        section, key = self._at(path)
        return str(data.expect_text(section.get(key), path, self.problems, at=section))

    def time(self, text: str) -> tuple[int, int]:
        """A time of day, written 12:00."""
        hour, _, minute = text.partition(":")
        return self._whole(hour, "times.words"), self._whole(minute, "times.words")

    def refuse_unknown(self) -> None:
        """Note a problem for each key that nothing reads."""
        known: dict[str, set[str]] = {}
        for path in (*_LISTS.values(), *_NUMBERS.values(), *_OTHERS, *(f"roles.{role}" for role in _ROLES)):
            section, _, key = path.partition(".")
            known.setdefault(section, set()).add(key)
        data.refuse_unknown_keys(self.file, (*known, "language", "examples"), self.problems)
        for section, keys in known.items():
            node = self.file.get(section)
            if isinstance(node, data.YamlMap):
                data.refuse_unknown_keys(node, keys, self.problems)


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(word) for word in words)


def _triggers(file: _File, too_common: frozenset[str]) -> frozenset[str]:
    """The words that alone can begin a value, as folded and as written (a reply is only put in lower case for them)."""
    maps = ("numbers.units", "numbers.both", "numbers.scales", "dates.relative", "times.words")
    words = {word.partition("-")[0] for path in maps for word in file.texts(path)}
    return frozenset({*words, *map(fold, words)} - too_common)


def _leads(file: _File) -> frozenset[str]:
    """The words and marks that, right after a number, may say what it is (a noun only says what it counts)."""
    lists = ("numbers.joiners", "dates.ordinals", "dates.of", "dates.ranges", "times.am", "times.pm", "times.oclock",
             "times.ranges", "money.codes", "money.cents", "percent.words")
    maps = ("dates.months", "money.words", "money.magnitudes", "numbers.scales")
    words = {word for path in lists for word in file.words(path)}
    words |= {fold(word) for path in maps for word in file.texts(path)}
    return frozenset({re.split("[ .']", word)[0] for word in words} | set(_MARKS))


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _patterns(file: _File) -> dict[str, re.Pattern[str]]:
    """Bounded patterns over the folded text beside a number, built from the file's words."""
    return {name: re.compile(source) for name, source in (_date_patterns(file) | _other_patterns(file)).items()}


def _date_patterns(file: _File) -> dict[str, str]:
    ordinal, of, span = (_either(file.words(f"dates.{key}")) for key in ("ordinals", "of", "ranges"))
    links, follow = _either(file.words("dates.weekday_links")), _either(file.words("dates.after_day"))
    month = rf"(?P<month>{_either(file.numbers('dates.months'))})\.?(?![a-z])"
    day = rf"[0-9]{{1,2}}(?:{ordinal})?(?![0-9a-z])"
    return {
        "month_right": rf"(?:{ordinal})?(?:,? (?:{of})){{0,2}} ?{month}",
        "month_later": rf"(?:{ordinal})?(?:, ?{day}){{0,2}} ?(?:[-–/]|(?:{span})) ?{day}(?: (?:{of})){{0,2}} {month}",
        "month_left": rf"(?<![a-z]){month} (?:(?:{of}) )?(?P<span>{day} ?(?:[-–]|(?:{span})) ?)?\Z",
        "year_right": rf",? ?(?:(?:{of}) )?(?P<year>(?:19|20)[0-9]{{2}})(?![0-9])",
        "weekday_left": rf"(?P<weekday>[a-z]{{3,9}}(?:-[a-z]{{5}})?)[.,]?(?:,? (?:{links}))? ?\(?\Z",
        "day_ends": rf"[.,;!?)\]\n]|\Z| (?:{follow})(?![a-z])",
        "ordinal": rf"(?:{ordinal})(?![a-z])",
    }


def _other_patterns(file: _File) -> dict[str, str]:
    to, later = _either(file.words("times.ranges")), _either(file.words("times.later_links"))
    half = rf"(?P<am>{_either(file.words('times.am'))})|(?P<pm>{_either(file.words('times.pm'))})"
    cents, cent_joiners = _either(file.words("money.cents")), _either(file.words("money.cents_joiners"))
    out_of = _either(file.words("counts.out_of"))
    return {
        "half_right": rf" ?(?:{half})(?![a-z])",
        "half_later": rf" ?(?:[-–]|(?:{to})) ?[0-9]{{1,2}}(?::[0-9]{{2}})? ?(?:{half})(?![a-z])",
        "time_later": rf" ?(?:[-–]|(?:{to})) ?[0-9]{{1,2}}(?::[0-9]{{2}}|h)",
        "later_right": rf" (?:(?:{later}) )?(?P<later>[a-z]{{4,9}})(?![a-z])",
        "cents_right": rf" ?(?:(?:{cent_joiners}) )?(?P<cents>[0-9]{{1,2}}) (?:{cents})(?![a-z])",
        "percent_right": rf" ?(?:%|(?:{_either(file.words('percent.words'))})(?![a-z]))",
        "out_of_right": rf" (?:out )?(?:{out_of}) (?:the )?[0-9]",
    }
