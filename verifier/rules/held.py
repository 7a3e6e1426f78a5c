"""What a session holds, as the rules ask for it: addresses, numbers and names, who gave them and under which key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from verifier.records import Scalar, key_words, scalars
from verifier.rules.spoken import spoken_forms
from verifier.values.emails import is_email
from verifier.values.lexicon import record_keys

if TYPE_CHECKING:
    from verifier.ledger import Ledger

CACHE = "rules"  # our slot in ledger.cache
TAIL = 7  # the digits at the end of a number by which it is looked up; a shorter number is no telephone
MAX_TEXT = 50_000  # characters of one text that are looked through
MAX_NAME = 64
_GAP = r"[ ().\-/\u00a0\u2010-\u2013]?"
DIGITS = re.compile(rf"[0-9](?:{_GAP}{_GAP}{_GAP}[0-9]){{4,45}}")
_IP = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}")
_LOCAL = re.compile(r"[\w.!$%'*+^{}~-]{1,64}\Z")  # without the marks that part a query or a path
_DOMAIN = re.compile(r"@[^\W_](?:[\w-]{0,62})(?:\.[\w-]{1,63}){1,8}")
_NOT_DIGIT = re.compile(r"[^0-9]")
_NOT_NAME = re.compile(r"[^0-9A-Za-z]")
# Keys that name a thing; a record's own id among them (values.records.yaml), and these, for which it has no word.
_THINGS = frozenset((
    "id", "ids", "order", "orders", "tracking", "shipment", "item", "items", "product", "sku", "booking", "reservation",
    "ticket", "invoice", "confirmation", "reference", "ref", "serial", "case", "protocol", "protocolo", "pedido",
    "pedidos", "reserva", "rastreio", "rastreamento", "produto", "chamado", "fatura", "nota", "referencia", "codigo",
    "barcode", "ean", "isbn", "imei",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number stands: whose it is, the words of its keys, and whether it is the whole value there."""

    digits: str
    source: str
    keys: frozenset[str]
    whole: bool


@dataclass(slots=True)
class Held:
    """The index; `source` is "calls" or "person" everywhere."""

    version: int = 0
    emails: dict[str, set[str]] = field(default_factory=dict)
    names: dict[str, set[str]] = field(default_factory=dict)
    numbers: dict[str, list[Place]] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)

    def has_email(self, address: str, sources: frozenset[str]) -> bool:
        """Whether a source gave the address."""
        return not sources.isdisjoint(self.emails.get(address.lower(), ()))

    def has_name(self, name: str, sources: frozenset[str]) -> bool:
        """Whether a source gave the text, its case and marks aside."""
        return not sources.isdisjoint(self.names.get(name_key(name), ()))

    def has_number(self, digits: str, sources: frozenset[str]) -> bool:
        """Whether a source gave the number, with or without its country code."""
        return any(
            place.source in sources and (place.digits.endswith(digits) or digits.endswith(place.digits))
            for place in self.numbers.get(digits[-TAIL:], ())
        )

    def is_identifier(self, digits: str, own_words: frozenset[str]) -> bool:
        """Whether a call holds the number as the name of something else than what `own_words` are about."""
        return any(
            place.whole and place.digits == digits and not place.keys & own_words and place.keys & _thing_words()
            for place in self.numbers.get(digits[-TAIL:], ())
        )


@cache
def _thing_words() -> frozenset[str]:
    return _THINGS | (record_keys().identifiers - {"number", "account", "phone", "card"})


def name_key(text: str) -> str:
    """How names are compared: letters and digits only, in lower case."""
    return _NOT_NAME.sub("", text).lower()


def digits_of(text: str) -> str:
    """The digits of a text."""
    return _NOT_DIGIT.sub("", text)


def held_by(ledger: Ledger) -> Held:
    """The index of a ledger, up to date; kept in `ledger.cache`."""
    held: Held | None = ledger.cache.get(CACHE)
    if held is None:
        held = ledger.cache.setdefault(CACHE, Held())
    if held.version != ledger.version:
        for event in ledger.events(held.version):
            if event.kind in ("call", "settle"):
                for leaf in scalars(event.value.arguments, event.value.result):
                    _take_leaf(held, leaf)
                _take_text(held, event.value.reason, "calls", frozenset())
            elif event.kind == "heard":
                for text in (event.value, *spoken_forms(event.value)):
                    _take_text(held, text, "person", frozenset())
        held.version = ledger.version
    return held


def _take_leaf(held: Held, leaf: Scalar) -> None:
    keys = key_words(leaf.key) | frozenset(
        word for part in leaf.pointer.split("/")[-3:-1] if not part.isdigit() for word in key_words(part)
    )
    raw = leaf.raw
    if isinstance(raw, str):
        _take_text(held, raw, "calls", keys)
        if not keys.isdisjoint(_address_words()) and any(map(str.isdigit, raw)) and len(raw) <= 200:
            held.addresses.setdefault(" ".join(raw.split()).casefold(), raw)
    elif isinstance(raw, int) and abs(raw) >= 10_000:
        _take_number(held, str(abs(raw)), "calls", keys, True)


@cache
def _address_words() -> frozenset[str]:
    return frozenset(("address", "address1", "street", "addr", "endereco", "logradouro", "rua"))


def _take_text(held: Held, text: str, source: str, keys: frozenset[str]) -> None:
    text = text[:MAX_TEXT]
    if "@" in text:
        for start, end in find_emails(text):
            held.emails.setdefault(text[start:end].lower(), set()).add(source)
    if len(text) <= MAX_NAME:
        held.names.setdefault(name_key(text), set()).add(source)
    for match in DIGITS.finditer(text):
        whole = match.start() == 0 and match.end() == len(text)
        _take_number(held, digits_of(match[0]), source, keys, whole)
        if len(match[0]) <= MAX_NAME:
            held.names.setdefault(name_key(match[0]), set()).add(source)
    if "." in text or ":" in text:
        for match in _IP.finditer(text):
            held.names.setdefault(name_key(match[0]), set()).add(source)


def _take_number(held: Held, digits: str, source: str, keys: frozenset[str], whole: bool) -> None:
    places = held.numbers.setdefault(digits[-TAIL:], [])
    place = Place(digits, source, keys, whole)
    if place not in places:
        places.append(place)


def find_emails(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the e-mail addresses of a text, as email-validator takes them."""
    at = text.find("@")
    stop = 0
    while at >= 0:
        local = _LOCAL.search(text, max(stop, at - 64), at)
        domain = _DOMAIN.match(text, at)
        if local and domain:
            name = local[0].lstrip("*_'`=~{|/.!?&#-")
            host = domain[0].rstrip("-_")
            if name and is_email(f"{name}{host}") and not _is_path(text, at + len(host)):
                yield at - len(name), at + len(host)
                stop = at + len(host)
        at = text.find("@", at + 1)


def _is_path(text: str, end: int) -> bool:
    """`git@github.com:owner/name` is the place of a repository."""
    return text[end : end + 1] == ":" and text[end + 1 : end + 2].isalnum() and "/" in text[end : end + 60]
