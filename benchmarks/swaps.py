"""Other values in the place of a true one: a near one, and another of the same session; both really false."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from benchmarks.targets import Target

MONEY = re.compile(r"(?:[$£€]|R\$ ?)([0-9][0-9.,]{0,12}[0-9]|[0-9])")
EMAIL = re.compile(r"[A-Za-z0-9._+-]{1,40}@[A-Za-z0-9-]{1,40}(?:\.[A-Za-z0-9-]{1,20}){1,3}")
TOKEN = re.compile(r"[A-Za-z0-9#][A-Za-z0-9_#-]{2,40}[A-Za-z0-9]")
NUMBER = re.compile(r"[0-9][0-9,]{0,12}(?:\.[0-9]{1,4})?")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
NAMES = "|".join([*MONTHS, *(month[:3] for month in MONTHS)])
ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
MONTH_DAY = re.compile(rf"({NAMES})\.? ([0-9]{{1,2}})(?![0-9:])")
DAY_MONTH = re.compile(rf"(?<![0-9])([0-9]{{1,2}})(?:st|nd|rd|th)? ({NAMES})\b")
SLASHED = re.compile(r"(?<![0-9/])([0-9]{1,2})/([0-9]{1,2})(?![0-9])")
MAIN_MONEY = re.compile(r"refund|charg|paid|credit|total|estorn|reembols|cobrad|pag[oa]|valor", re.IGNORECASE)
LEAST_AMOUNT = 5  # Smaller numbers are counts, and a sum or a difference of something, always.
MULTIPLES = range(2, 13)


@dataclass(frozen=True, slots=True)
class Swap:
    """A reply with one value of the target sentence replaced; `start:end` is the sentence in the new reply."""

    kind: str
    reply: str
    start: int
    end: int
    before: str
    after: str


def swaps(target: Target) -> Iterator[Swap]:
    """Give the swaps that make `target` false: for each kind of value the first that allows one."""
    session = Session(target)
    for kind, find in (("money", _money), ("date", _dates), ("identifier", _identifiers), ("email", _emails)):
        done: set[str] = set()
        for start, end, near, other in find(target, session):
            for way, value in (("near", near), ("other", other)):
                if value and way not in done:
                    done.add(way)
                    yield _swap(f"{kind} {way}", target, start, end, value)


def _swap(kind: str, target: Target, start: int, end: int, value: str) -> Swap:
    reply = target.reply[:start] + value + target.reply[end:]
    return Swap(kind, reply, target.start, target.end + len(value) - (end - start), target.reply[start:end], value)


@dataclass(frozen=True)
class Session:
    """What a session holds: everything that a value could be true by."""

    target: Target

    @cached_property
    def text(self) -> str:
        """Give everything that any call received or returned and that anybody said, but not this reply."""
        ledger = self.target.ledger
        said = [text for _, text in (*ledger.heard, *ledger.replies)] + list(ledger.contexts)
        return "\n".join([*(_text(call) for call in ledger.calls), *said])

    @cached_property
    def own_text(self) -> str:
        """Give what the writes of the turn received or returned."""
        return "\n".join(_text(call) for call in self.target.writes)

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """Give the short texts that stand as values in calls, each once, in order."""
        found = (value for call in self.target.ledger.calls for value in _leaves([call.arguments, call.result]))
        return tuple(dict.fromkeys(value for value in found if isinstance(value, str) and len(value) <= 40))

    @cached_property
    def amounts(self) -> tuple[Decimal, ...]:
        """Give every number of the session."""
        return _numbers(self.text)

    @cached_property
    def linked_amounts(self) -> tuple[Decimal, ...]:
        """Give the numbers of the writes and of the records that share an identifier with them."""
        own = {str(v) for call in self.target.writes for v in _leaves(call.arguments) if _like_identifier(v)}
        calls = self.target.ledger.calls
        linked = [call for call in calls if own & {str(v) for v in _leaves([call.arguments, call.result])}]
        said = "\n".join(text for _, text in self.target.ledger.heard)
        return _numbers(self.own_text + "\n" + "\n".join(_text(call) for call in linked) + "\n" + said)

    @cached_property
    def dates(self) -> frozenset[tuple[int, int]]:
        """Give every (month, day) of the session."""
        return frozenset((month, day) for _, _, month, day, _ in found_dates(self.text, self.target.language))


def _text(call: Any) -> str:
    return json.dumps([call.arguments, call.result, call.reason], ensure_ascii=False, default=str)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from [key] if _like_identifier(key) else []
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif value is not None:
        yield value


def _like_identifier(value: Any) -> bool:
    text = str(value)
    return 4 <= len(text) <= 40 and any(c.isdigit() for c in text) and " " not in text and not ISO.match(text)


def _numbers(text: str) -> tuple[Decimal, ...]:
    found = {Decimal(match.group().replace(",", "")) for match in NUMBER.finditer(text)}
    return tuple(sorted(found))


def derivable(amount: Decimal, amounts: Iterable[Decimal]) -> bool:
    """Tell whether `amount` is one of `amounts`, a sum or a difference of two, or a small multiple or part of one."""
    known = frozenset(amounts)
    if amount in known or any(amount - a in known or amount + a in known for a in known):
        return True
    return any(amount / k in known or amount * k in known for k in MULTIPLES)


def _money(target: Target, session: Session) -> Iterator[tuple[int, int, str, str]]:
    if not MAIN_MONEY.search(target.text):
        return
    for match in MONEY.finditer(target.reply, target.start, target.end):
        written = match.group(1)
        value = _read_amount(written, target.language)
        if value < LEAST_AMOUNT or not derivable(value, session.amounts):
            continue  # Else the sentence was not known to be true.
        near = next((w for w in _near_digits(written) if not _true(w, session.amounts, target)), "")
        others = (_write_amount(a, target.language) for a in session.amounts if a > LEAST_AMOUNT and _has_cents(a))
        other = next((w for w in others if not _true(w, session.linked_amounts, target)), "")
        yield match.start(1), match.end(1), near, other


def _true(written: str, amounts: tuple[Decimal, ...], target: Target) -> bool:
    return derivable(_read_amount(written, target.language), amounts)


def _has_cents(amount: Decimal) -> bool:
    return amount != amount.to_integral_value() and round(amount, 2) == amount


def _read_amount(written: str, language: str) -> Decimal:
    if language == "pt-BR":
        return Decimal(written.replace(".", "").replace(",", "."))
    return Decimal(written.replace(",", ""))


def _write_amount(amount: Decimal, language: str) -> str:
    written = f"{amount:,.2f}"
    return written.translate(str.maketrans(",.", ".,")) if language == "pt-BR" else written


def _near_digits(written: str) -> Iterator[str]:
    """Give `written` with one digit another, those near its middle first; never a leading nought."""
    places = [place for place, character in enumerate(written) if character.isdigit()]
    for place in sorted(places, key=lambda place: (abs(2 * place - len(written)), place)):
        for step in range(1, 10):
            digit = str((int(written[place]) + step) % 10)
            if not (place == 0 and digit == "0"):
                yield written[:place] + digit + written[place + 1 :]


def found_dates(text: str, language: str) -> Iterator[tuple[int, int, int, int, str]]:
    """Give the dates in `text` as (start, end, month, day, how it is written)."""
    for match in ISO.finditer(text):
        yield match.start(), match.end(), int(match[2]), int(match[3]), f"{match[1]}-{{month:02}}-{{day:02}}"
    for match in MONTH_DAY.finditer(text):
        yield match.start(), match.end(), _month(match[1]), int(match[2]), "{name} {day}"
    for match in DAY_MONTH.finditer(text):
        yield match.start(), match.end(), _month(match[2]), int(match[1]), "{day} {name}"
    for match in SLASHED.finditer(text):
        first, second = int(match[1]), int(match[2])
        month, day = (second, first) if language == "pt-BR" else (first, second)
        if month <= 12 and day <= 31:
            shape = "{day:02}/{month:02}" if language == "pt-BR" else "{month:02}/{day:02}"
            yield match.start(), match.end(), month, day, shape


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, start=1) if month.startswith(name[:3]))


def _dates(target: Target, session: Session) -> Iterator[tuple[int, int, str, str]]:
    own = {(month, day) for _, _, month, day, _ in found_dates(session.own_text, target.language)}
    for start, end, month, day, shape in found_dates(target.text, target.language):
        if (month, day) not in own:
            continue  # Where the call holds no date, the session's count as true.
        days = [day + step for step in (1, -1, 2, -2, 3, -3, 4, -4) if 1 <= day + step <= 28]
        near = next(((month, d) for d in days if (month, d) not in session.dates), None)
        other = next((pair for pair in sorted(session.dates - own)), None)
        written = [_write_date(pair, shape) if pair else "" for pair in (near, other)]
        yield target.start + start, target.start + end, written[0], written[1]


def _write_date(pair: tuple[int, int], shape: str) -> str:
    return shape.format(month=pair[0], day=pair[1], name=MONTHS[pair[0] - 1])


def _identifiers(target: Target, session: Session) -> Iterator[tuple[int, int, str, str]]:
    found = [match for match in TOKEN.finditer(target.text) if _is_identifier(match.group(), session)]
    for match in found:
        written = match.group()
        near = next((w for w in _near_digits(written) if w.strip("#") not in session.text), "")
        # With several identifiers one of another record may stand beside the call's own; then nothing is false.
        other = _other_identifier(written, session) if len(found) == 1 else ""
        yield target.start + match.start(), target.start + match.end(), near, other


def _is_identifier(text: str, session: Session) -> bool:
    known = any(value.strip("#") == text.strip("#") for value in session.strings)
    return known and _like_identifier(text) and text.strip("#") in session.own_text


def _other_identifier(written: str, session: Session) -> str:
    for value in session.strings:
        bare = value.strip("#")
        same_shape = _shape(bare) == _shape(written.strip("#"))
        if same_shape and bare not in session.own_text and not _in_that_state(bare, session):
            return "#" * written.startswith("#") + bare
    return ""


def _shape(text: str) -> str:
    return re.sub(r"[A-Za-z]", "A", re.sub(r"[0-9]", "9", text))


def _in_that_state(identifier: str, session: Session) -> bool:
    """Tell whether a result says of another record what the sentence says: then that would be true as well."""
    stems = tuple(call.tool.split("_")[0][:6] for call in session.target.writes)
    results = [_text(call) for call in session.target.ledger.calls if identifier in _text(call)]
    return any(re.search(rf'status"?: ?"[^"]{{0,40}}{stem}', text) for text in results for stem in stems)


def _emails(target: Target, session: Session) -> Iterator[tuple[int, int, str, str]]:
    for match in EMAIL.finditer(target.text):
        if match.group() not in session.own_text:
            continue
        name, _, domain = match.group().partition("@")
        near = f"{name}x@{domain}"
        other = next((m for m in EMAIL.findall(session.text) if m not in session.own_text and m != match.group()), "")
        yield target.start + match.start(), target.start + match.end(), near, other
