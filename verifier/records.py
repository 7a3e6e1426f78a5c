"""What one call received and returned, as facts: every scalar with its place, its key and all that it can mean."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from verifier.model import Value
from verifier.values import find
from verifier.values.emails import url_key
from verifier.values.identifiers import identifier_key
from verifier.values.lexicon import LOCALES, fold, lexicon, record_keys

if TYPE_CHECKING:
    from verifier.call import Call

T = TypeVar("T")
MAX_TEXT = 20_000  # characters of one text that are read; a longer one is a file, not a record
MAX_DEPTH = 60  # records nest less than ten deep
MAX_SCALARS = 5_000  # a call that returned more is a dump; the rest is only searched as text
MAX_IDENTIFIER = 64
PHONE_DIGITS = 8  # a shorter run of digits in a record is no whole telephone number
MAX_INSTANT = 40  # characters of a date with time, fraction and offset
MAX_EXACT = 1e15  # beyond, a float has no cents
_NUMERIC = re.compile(r"[-+]?[0-9]{1,24}(?:\.[0-9]{1,12})?")
_NUMBER_IN_TEXT = re.compile(r"(?<![A-Za-z0-9_.,-])[0-9]{1,12}(?:[.,][0-9]{1,6}){0,6}(?![A-Za-z0-9_])")
_NAME = re.compile("[#A-Za-z_][A-Za-z0-9_#]{0,63}")  # one word that begins with a letter: no date, amount or time
_INSTANT = re.compile(
    r"(?P<when>[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2})(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
    r" ?(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2})"
)
_LINE = re.compile(r"[ \t*•-]{0,6}(?P<key>[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ _./-]{0,39}):[ \t*]{1,4}(?P<value>[^\n]{1,500})")
_KEY_WORD = re.compile(r"[A-Z]?[a-zà-ÿ]{1,30}|[A-Z]{1,30}|[0-9]{1,9}")
_ZONE = re.compile(r"[A-Z][A-Za-z_]{1,20}(?:/[A-Z][A-Za-z_-]{1,30}){1,2}|UTC|GMT")
_PHONE = re.compile(r"\+?[0-9(][0-9 ().-]{6,22}[0-9]")


class Fact(NamedTuple):
    """A scalar of a call under one reading: `number`, `money`, `date`, `time`, `email`, `phone`, `percent`, `count`,
    `identifier`, `length` (of a list) or `text`. `pointer` is its place in the call as a JSON Pointer; `unit` its
    currency, noun, or `utc` for an instant whose local time nobody recorded."""

    pointer: str
    key: str
    raw: Any
    kind: str
    meanings: tuple[Hashable, ...]
    in_result: bool
    unit: str = ""


@dataclass(slots=True)
class CallFacts:
    """What one call received and returned, read in full."""

    call: Call
    facts: tuple[Fact, ...]
    by_kind: dict[str, tuple[Fact, ...]] = field(default_factory=dict)
    links: frozenset[str] = frozenset()
    memo: dict[str, Any] = field(default_factory=dict, compare=False)

    def once(self, name: str, make: Callable[[CallFacts], T]) -> T:
        """What `make` works out of these facts, worked out once."""
        if name not in self.memo:
            self.memo[name] = make(self)
        found: T = self.memo[name]
        return found

    def of(self, *kinds: str) -> Iterator[Fact]:
        """The facts of some kinds, arguments first."""
        for kind in kinds:
            yield from self.by_kind.get(kind, ())


class Scalar(NamedTuple):
    """A leaf of a call's arguments or result; `unit` and `zone` are the currency and timezone that its record names.

    For a list `raw` is a `Length`: how many items it has.
    """

    pointer: str
    key: str
    raw: Any
    in_result: bool
    unit: str = ""
    zone: str = ""


class Length(int):
    """How many items a list has."""


@lru_cache(maxsize=4096)
def key_words(key: str) -> frozenset[str]:
    """The words of a key, folded: `valorDeclarado` and `valor_declarado` are {valor, declarado}."""
    return frozenset(fold(word) for word in _KEY_WORD.findall(key))


def is_bookkeeping(key: str) -> bool:
    """Whether a key is about the record itself (created_at), not about what was done."""
    return not key_words(key).isdisjoint(record_keys().bookkeeping)


@lru_cache(maxsize=4096)
def is_named(key: str) -> bool:
    """Whether a key has a word of identifiers in it (order_id, zip, last4)."""
    return not key_words(key).isdisjoint(record_keys().identifiers)


def names_record(key: str) -> bool:
    """Whether what stands under the key is a name of something (order_id, flight_number), never an amount."""
    words = key_words(key)
    keys = record_keys()
    return not words.isdisjoint(keys.identifiers) and words.isdisjoint(keys.money | keys.counts - {"number"})


def scalars(arguments: Mapping[str, Any], result: Any) -> list[Scalar]:
    """The leaves of a call, arguments first, each with the currency and the timezone that its record names."""
    body = loaded(result)
    (unit, zone), (own, _) = _named(arguments), _named(body)
    found: list[Scalar] = []
    _Walk(found, False).into(arguments, "/arguments", "", unit or own, zone, 0)
    _Walk(found, True).into(body, "/result", "", own or unit, zone, 0)
    return found


def loaded(result: Any) -> Any:
    """A result; one that is JSON in a text, as JSON."""
    if isinstance(result, str) and result[:1] in ("{", "[") and len(result) < 1_000_000:
        try:
            return json.loads(result)
        except (ValueError, RecursionError):
            return result
    return result


def _named(node: Any) -> tuple[str, str]:
    """The currency and the timezone that a record names, each an empty text where it names none."""
    unit = zone = ""
    for key, value in node.items() if isinstance(node, Mapping) else ():
        role = _role(key)
        if role == "currency" and isinstance(value, str):
            unit = value.upper() if len(value) == 3 else value
        elif role == "timezone" and isinstance(value, str):
            zone = value
    return unit, zone


@lru_cache(maxsize=4096)
def _role(key: str) -> str:
    """Whether what stands under a key is the `currency` or the `timezone` of the record around it."""
    words = key_words(key) | {fold(key)}
    keys = record_keys()
    return "currency" if words & keys.currency else "timezone" if words & keys.timezone else ""


class _Walk:
    """Collects the leaves of arguments or of a result."""

    def __init__(self, found: list[Scalar], in_result: bool) -> None:
        self.found, self.in_result = found, in_result

    def into(self, node: Any, pointer: str, key: str, unit: str, zone: str, depth: int) -> None:
        """Collect the leaves under the node at a place; `unit` and `zone` are what the records around it name."""
        if isinstance(node, str):
            self.found.append(Scalar(pointer, key, node, self.in_result, unit, zone))
            if depth == 0 or "\n" in node:
                self.found.extend(_lines(node, pointer, self.in_result))
        elif isinstance(node, bool) or node is None or len(self.found) >= MAX_SCALARS or depth > MAX_DEPTH:
            return
        elif isinstance(node, Mapping):
            self._mapping(node, pointer, key, unit, zone, depth + 1)
        elif isinstance(node, Sequence):
            self.found.append(Scalar(pointer, key, Length(len(node)), self.in_result))
            for place, child in enumerate(node):
                self.into(child, f"{pointer}/{place}", key, unit, zone, depth + 1)
        else:
            self.found.append(Scalar(pointer, key, node, self.in_result, unit, zone))

    def _mapping(self, node: Mapping[str, Any], pointer: str, key: str, unit: str, zone: str, depth: int) -> None:
        own_unit, own_zone = _named(node)
        for name, child in node.items():
            text = str(name)
            place = f"{pointer}/{escape(text)}"
            if text[-1:].isdigit() and isinstance(child, Mapping | list):
                self.found.append(Scalar(place, key, text, self.in_result))  # {"credit_card_7407366": {…}}
            self.into(child, place, text, own_unit or unit, own_zone or zone, depth)


def _lines(text: str, pointer: str, in_result: bool) -> Iterator[Scalar]:
    """`key: value` lines of a result in prose."""
    for line in text[:MAX_TEXT].split("\n"):
        match = _LINE.match(line)
        if match:
            yield Scalar(pointer, match["key"].strip(), match["value"].strip(" *\r"), in_result)


def escape(key: str) -> str:
    """A key as a JSON Pointer writes it (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def facts_of(scalar: Scalar) -> Iterator[Fact]:
    """The facts that a leaf holds."""
    raw = scalar.raw
    if isinstance(raw, str):
        for kind, meanings, unit in _readings(raw):
            yield Fact(scalar.pointer, scalar.key, raw, kind, meanings, scalar.in_result, unit or _unit(kind, scalar))
        if 15 < len(raw) < MAX_INSTANT and raw[4] == "-":
            yield from _local_times(scalar)
    elif isinstance(raw, Length):
        yield Fact(scalar.pointer, scalar.key, None, "length", (Decimal(raw),), scalar.in_result)
    else:
        number = Decimal(repr(raw)) if isinstance(raw, float) else Decimal(raw)
        if number.is_finite():
            cents = round(number, 2) if isinstance(raw, float) and abs(number) < MAX_EXACT else number
            meanings = (number,) if cents == number else (number, cents)  # 77.64999999999998 is 77.65
            yield Fact(scalar.pointer, scalar.key, raw, "number", meanings, scalar.in_result, scalar.unit)
        if isinstance(raw, int):
            yield Fact(scalar.pointer, scalar.key, raw, "identifier", (str(raw),), scalar.in_result)


def _unit(kind: str, scalar: Scalar) -> str:
    return scalar.unit if kind in ("number", "money") else ""


Reading = tuple[str, tuple[Hashable, ...], str]


@lru_cache(maxsize=16_384)
def _readings(text: str) -> tuple[Reading, ...]:
    """What a text can mean as a whole, and the values that stand in it."""
    if _NUMERIC.fullmatch(text):
        digits = text.lstrip("+")
        number: Reading = ("number", (Decimal(text),), "")
        named: Reading = ("identifier", (digits,), "")
        phone: Reading = ("phone", (digits,), "")
        if not digits.isdigit():
            return (number,)
        return (number, named, phone) if len(digits) >= PHONE_DIGITS else (number, named)
    whole: list[Reading] = [("text", (fold(text),), "")]
    if len(text) <= MAX_IDENTIFIER and any(map(str.isdigit, text)):
        whole.append(("identifier", (identifier_key(text),), ""))
        if _PHONE.fullmatch(text):
            whole.append(("phone", ("".join(filter(str.isdigit, text)),), ""))
    elif "://" in text[:12] and " " not in text:
        whole.append(("identifier", (url_key(text),), "url"))
    return tuple(whole) if _NAME.fullmatch(text) else (*whole, *text_readings(text))


@lru_cache(maxsize=4096)
def text_readings(text: str) -> tuple[Reading, ...]:
    """The values that stand in a text of unknown language, and its bare numbers."""
    text = text[:MAX_TEXT]
    found: dict[Reading, None] = {}
    words = frozenset(fold(text).split())
    for locale in LOCALES:
        if locale != LOCALES[0] and words.isdisjoint(lexicon(locale).own_words):
            continue  # what no word of the language stands beside, the first language reads as well
        for value in find(text, 0, len(text), locale=locale):
            if value.unit[-1:] != "#":
                found.setdefault((value.kind, plain_meanings(value), value.unit))
    for match in _NUMBER_IN_TEXT.finditer(text):
        if match[0].replace(",", "").replace(".", "", 1).isdigit():
            found.setdefault(("mention", (Decimal(match[0].replace(",", "")),), ""))
    return tuple(found)


def plain_meanings(value: Value) -> tuple[Hashable, ...]:
    """The meanings of a value found in a record: a weekday written beside a date there says nothing more."""
    if value.kind == "date":
        return tuple((*meaning[:3], None) for meaning in value.meanings if isinstance(meaning, tuple))
    return value.meanings


def _local_times(scalar: Scalar) -> Iterator[Fact]:
    """An instant with an offset, as UTC and in the timezone that the call names; `utc` where it names none."""
    match = _INSTANT.fullmatch(scalar.raw.strip())
    if not match:
        return
    try:
        local = datetime.fromisoformat(match["when"].replace(" ", "T"))
    except ValueError:
        return
    offset = _offset(match["zone"])
    moments = []
    zone = _zone(scalar.zone)
    if zone is not None:
        moments.append(local.replace(tzinfo=offset).astimezone(zone))
    unit = "utc" if offset == UTC and zone is None else ""
    if unit:
        moments.append(local)
    for moment in moments:
        day = (moment.year, moment.month, moment.day, None)
        when = (moment.hour, moment.minute)
        yield Fact(scalar.pointer, scalar.key, scalar.raw, "date", (day,), scalar.in_result, unit)
        yield Fact(scalar.pointer, scalar.key, scalar.raw, "time", (when,), scalar.in_result, unit)


def _offset(text: str) -> timezone:
    if text in ("Z", "UTC") or text.replace(":", "") in ("+0000", "-0000"):
        return UTC
    digits = text.replace(":", "")
    length = timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5]))
    return timezone(-length if digits[0] == "-" else length) if length < timedelta(hours=24) else UTC


@lru_cache(maxsize=256)
def _zone(name: str) -> ZoneInfo | None:
    """The timezone of this name, from the tzdata package (the machine's own may differ); None if it is unknown."""
    if not _ZONE.fullmatch(name):
        return None
    try:
        with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as file:
            return ZoneInfo.from_file(file, key=name)
    except (ImportError, OSError, ValueError):
        return None
