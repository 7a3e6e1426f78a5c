"""Personal data: what is found, who lets it pass, and the mask that stands in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from verifier.rules import addresses, telephones
from verifier.rules.held import Held, digits_of, find_emails, held_by, name_key
from verifier.rules.nearby import in_link, is_bare_in_code, says, stands_alone
from verifier.rules.numbers import is_card, is_cnpj, is_cpf, is_iban, is_ssn
from verifier.rules.rule import BULLET, HIDDEN, Finding, Pii, Rule

if TYPE_CHECKING:
    from verifier.ledger import Ledger

# One cheap look at a reply, from each digit on: seven digits or more, a quad of numbers, or what may be in an IBAN.
_GAP = r"[ ().\-/\u00a0\u2010-\u2013]?"
_LOOK = re.compile(
    rf"[0-9](?:(?P<run>(?:{_GAP}{_GAP}{_GAP}[0-9]){{6,45}})|(?P<quad>[0-9]{{0,2}}\.[0-9]{{1,3}}\.[0-9]{{1,3}}\.[0-9])"
    rf"|(?P<iban>[0-9][ \-\u00a0]?[A-Z0-9]{{4}}[ \-\u00a0]?[A-Z0-9]{{4}}))"
)
_COMPANY = re.compile(r"/[0-9A-Z]{4}-[0-9]{2}")  # the end of a CNPJ
_DATE = re.compile(r"(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}")
_IBAN = re.compile(r"[A-Za-z]{2}[0-9]{2}(?:[ \-\u00a0]?[A-Za-z0-9]){11,40}")
_CARD = re.compile(r"[0-9]{4}(?:[ \-\u00a0\u2010\u2011]?[0-9]){8,15}")
_CPF = re.compile(r"[0-9]{3}[. ]?[0-9]{3}[. ]?[0-9]{3}[-\u2010\u2011. /]?[0-9]{2}")
_CNPJ = re.compile(r"[0-9A-Z]{2}[. ]?[0-9A-Z]{3}[. ]?[0-9A-Z]{3}[/ ]?[0-9A-Z]{4}[-\u2010\u2011 ]?[0-9]{2}")
_SSN = re.compile(r"[0-9]{3}(?P<sep>[-\u2010\u2011 .]?)[0-9]{2}[-\u2010\u2011 .]?[0-9]{4}")
PROVES = ("iban", "card", "cnpj", "cpf", "ssn", "email", "ip", "telephone", "address")  # the surest first


@dataclass(frozen=True, slots=True)
class Spot:
    """A value that was found: where, and what it is compared by."""

    start: int
    end: int
    key: str


class Look(NamedTuple):
    """What the one cheap look at a text saw."""

    at_sign: bool
    digits: bool
    quad: bool
    letters: bool


NOTHING = Look(False, False, False, False)


def look_at(text: str) -> Look:
    """The one cheap look: whether a text can hold an address, a number, an IP address or an IBAN at all."""
    digits = letters = False
    quad = "::" in text or text.count(":") > 6
    for match in _LOOK.finditer(text):
        kind = match.lastgroup
        if kind == "run":
            quad = quad or match[0].count(".") > 2
            digits = digits or _may_be_number(text, match)
        elif kind == "quad":
            quad = True
        letters = letters or (kind != "quad" and _may_be_account(text, match.start()))
    letters = letters or ("/" in text and _COMPANY.search(text) is not None)
    at_sign = "@" in text
    return Look(at_sign, digits, quad, letters) if at_sign or digits or quad or letters else NOTHING


def _may_be_account(text: str, start: int) -> bool:
    """Whether two letters, a country, stand before the digits and nothing before them."""
    return text[start - 2 : start].isalpha() and not text[start - 3 : start - 2].isalnum()


def _may_be_number(text: str, match: re.Match[str]) -> bool:
    """Whether seven digits or more are no date and no part of a name (`#W2378156`)."""
    start = match.start()
    if start and (text[start - 1].isalpha() or text[start - 1] in "_#"):
        return False
    return not (_DATE.match(match[0]) and len(digits_of(match[0])) <= 10)


def find(text: str, rule: Rule, look: Look, ledger: Ledger, language: str) -> Iterator[Finding]:
    """What a rule about personal data finds in a text and may not stand there."""
    detail = rule.detail
    assert isinstance(detail, Pii)
    held: Held | None = None
    for spot in _spots(text, detail, look, ledger, language):
        held = held or held_by(ledger)
        if not _may_stand(text, spot, detail, held):
            start, end = _with_brackets(text, spot)
            yield Finding(start, end, rule, rule.action, mask(text, start, end, rule, language), detail.find)


def _spots(text: str, detail: Pii, look: Look, ledger: Ledger, language: str) -> Iterator[Spot]:
    if detail.find == "email":
        if look.at_sign:
            yield from (Spot(start, end, text[start:end].lower()) for start, end in find_emails(text))
    elif detail.find == "ip":
        if look.quad:
            found = addresses.find_ips(text, detail.words, detail.other_words)
            yield from (Spot(start, end, text[start:end].lower()) for start, end in found)
    elif detail.find == "address":
        if not detail.allow_from >= frozenset(("calls",)):
            held = held_by(ledger)
            yield from (Spot(start, end, text[start:end]) for start, end in addresses.find_streets(text, held))
    elif look.digits or (look.letters and detail.find in ("iban", "cnpj")):
        yield from _FINDERS[detail.find](text, detail, language)


def _telephones(text: str, detail: Pii, language: str) -> Iterator[Spot]:
    region = detail.regions.get(language) or detail.regions.get("") or "US"
    for start, end, national, _ in telephones.find(text, region, detail.words, detail.other_words):
        yield Spot(start, end, national)


def _cards(text: str, detail: Pii, language: str) -> Iterator[Spot]:
    yield from _checked(text, _CARD, detail, is_card, lambda digits: is_card(digits, beside_word=True))


def _cpfs(text: str, detail: Pii, language: str) -> Iterator[Spot]:
    yield from _checked(text, _CPF, detail, is_cpf, is_cpf)


def _cnpjs(text: str, detail: Pii, language: str) -> Iterator[Spot]:
    for match in _CNPJ.finditer(text):
        if stands_alone(text, *match.span()) and is_cnpj(name_key(match[0]).upper()):
            said = says(text, *match.span(), detail.words, detail.other_words)
            if said > 0 or any(mark in match[0] for mark in "./-") or (said == 0 and match[0].isdigit()):
                yield Spot(*match.span(), name_key(match[0]))


def _ssns(text: str, detail: Pii, language: str) -> Iterator[Spot]:
    for match in _SSN.finditer(text):
        if not stands_alone(text, *match.span()) or not is_ssn(digits_of(match[0])):
            continue
        said = says(text, *match.span(), detail.words, detail.other_words)
        if said > 0 or (said == 0 and match["sep"] in ("-", "\u2010", "\u2011")):
            yield Spot(*match.span(), digits_of(match[0]))


def _ibans(text: str, detail: Pii, language: str) -> Iterator[Spot]:
    from verifier.rules.numbers import IBAN_LENGTHS

    stop = 0
    for match in _IBAN.finditer(text):
        start = match.start()
        length = IBAN_LENGTHS.get(match[0][:2].upper())
        if start < stop or length is None or text[max(0, start - 1) : start].isalnum():
            continue
        end = _after(text, start, length)
        if end > 0 and not text[end : end + 1].isalnum() and is_iban(name_key(text[start:end])):
            yield Spot(start, end, name_key(text[start:end]))
            stop = end


def _after(text: str, start: int, count: int) -> int:
    """Where `count` letters and digits from `start` end, with a blank or hyphen at most between two; else -1."""
    at, left, gap = start, count, 0
    while left and at < len(text):
        if text[at].isascii() and text[at].isalnum():
            left, gap = left - 1, 0
        elif text[at] in " -\u00a0" and not gap:
            gap = 1
        else:
            return -1
        at += 1
    return -1 if left else at


def _checked(
    text: str, pattern: re.Pattern[str], detail: Pii, alone: Callable[[str], bool], beside: Callable[[str], bool]
) -> Iterator[Spot]:
    """Numbers that prove themselves; a word that says something else stands against it where the digits are bare."""
    for match in pattern.finditer(text):
        if not stands_alone(text, *match.span()):
            continue
        digits = digits_of(match[0])
        said = says(text, *match.span(), detail.words, detail.other_words)
        if (alone(digits) and (said >= 0 or not match[0].isdigit())) or (said > 0 and beside(digits)):
            yield Spot(*match.span(), digits)


_FINDERS: dict[str, Callable[[str, Pii, str], Iterator[Spot]]] = {
    "telephone": _telephones,
    "card": _cards,
    "cpf": _cpfs,
    "cnpj": _cnpjs,
    "ssn": _ssns,
    "iban": _ibans,
}


# Who lets it pass ----------------------------------------------------------------------------------------------------


def _may_stand(text: str, spot: Spot, detail: Pii, held: Held) -> bool:
    """Whether the session, a list, or the fact that it is the name of something lets a value stand."""
    if is_listed(spot.key, detail):
        return True
    if detail.find == "email":
        return held.has_email(spot.key, detail.allow_from)
    if detail.find in ("ip", "iban", "cnpj"):
        own = detail.find == "iban"
        return held.has_name(spot.key, detail.allow_from) or (not own and held.is_identifier(spot.key, detail.words))
    if detail.find == "address":
        return any(name_key(spot.key) in name for name, sources in held.names.items() if sources & detail.allow_from)
    written = digits_of(text[spot.start : spot.end])
    return held.has_number(spot.key, detail.allow_from) or held.is_identifier(written, detail.words)


def is_listed(key: str, detail: Pii) -> bool:
    """Whether the rule's own list allows a value; `@shop.com` there allows every address of that domain."""
    for allowed in detail.allowed:
        if detail.find == "email":
            if allowed.lower() == key or (allowed[:1] == "@" and key.endswith(allowed.lower())):
                return True
        elif detail.find == "ip":
            if allowed.lower() == key:
                return True
        elif detail.find == "telephone":
            digits = digits_of(allowed)
            if len(digits) >= 7 and (digits.endswith(key) or key.endswith(digits)):
                return True
        elif allowed and name_key(allowed) == name_key(key):
            return True
    return False


# Masks ---------------------------------------------------------------------------------------------------------------


def _with_brackets(text: str, spot: Spot) -> tuple[int, int]:
    """An address in angle brackets is a link as a whole."""
    if text[max(0, spot.start - 1) : spot.start] == "<" and text[spot.end : spot.end + 1] == ">":
        return spot.start - 1, spot.end + 1
    return spot.start, spot.end


def mask(text: str, start: int, end: int, rule: Rule, language: str) -> str:
    """What stands in the place of a value: its own shape with the last characters kept, or the rule's label.

    In a link it has no blank, in code a bare number stays a number.
    """
    assert isinstance(rule.detail, Pii)
    raw, keep = text[start:end], rule.detail.keep_last
    if is_bare_in_code(text, start, end):
        last = raw[len(raw) - keep :] if keep else ""
        return last if last and last[0] != "0" else "0"
    if keep:
        return masked_shape(raw, keep)
    return HIDDEN if in_link(text, start, end) else rule.text(language) or HIDDEN


def masked_shape(raw: str, keep: int) -> str:
    """A number with all but its last letters and digits hidden.

    >>> masked_shape("4111 1111 1111 1111", 4), masked_shape("529.982.247-25", 4)
    ('•••• •••• •••• 1111', '•••.•••.•47-25')
    """
    hidden = sum(map(str.isalnum, raw)) - keep
    made: list[str] = []
    for char in raw:
        made.append(BULLET if char.isalnum() and hidden > 0 else char)
        hidden -= char.isalnum()
    return "".join(made)


def apart(findings: Sequence[Finding]) -> list[Finding]:
    """Findings that do not overlap: of two the longer, of equally long ones that of the kind that proves itself."""
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (one.start, one.start - one.end, _rank(one), one.rule.id)):
        if not kept or kept[-1].end <= finding.start:
            kept.append(finding)
        elif finding.end - finding.start > kept[-1].end - kept[-1].start:
            kept[-1] = finding
    return kept


def _rank(finding: Finding) -> int:
    detail = finding.rule.detail
    return PROVES.index(detail.find) if isinstance(detail, Pii) else -1
