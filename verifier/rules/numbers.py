"""Numbers that prove themselves: payment cards, IBAN, CPF, CNPJ, US social security numbers. Only arithmetic here."""

from __future__ import annotations

import re

# First digits and lengths by issuer: ISO/IEC 7812 and the issuers' own pages, as collected in
# https://en.wikipedia.org/wiki/Payment_card_number. Longest prefixes need no order: any that fits is enough.
ISSUERS: tuple[tuple[tuple[tuple[int, int], ...], frozenset[int]], ...] = (
    (((4, 4),), frozenset((13, 16, 19))),  # Visa
    (((51, 55), (2221, 2720)), frozenset((16,))),  # Mastercard
    (((34, 34), (37, 37)), frozenset((15,))),  # American Express
    (((6011, 6011), (644, 649), (65, 65)), frozenset((16, 19))),  # Discover
    (((300, 305), (309, 309), (36, 36), (38, 39)), frozenset((14, 16, 19))),  # Diners Club
    (((3528, 3589),), frozenset((16, 17, 18, 19))),  # JCB
    (((62, 62), (81, 81)), frozenset((16, 17, 18, 19))),  # UnionPay
    (((4011, 4011), (5041, 5041), (5066, 5067), (509, 509), (6277, 6277), (6362, 6363)), frozenset((16,))),  # Elo
    (((606282, 606282), (3841, 3841)), frozenset((13, 16, 19))),  # Hipercard
    (((2200, 2204),), frozenset((16, 17, 18, 19))),  # Mir
    (((60, 60), (6521, 6522), (82, 82), (508, 508)), frozenset((16,))),  # RuPay
    (((50, 50), (56, 58), (63, 63), (67, 67)), frozenset((16, 17, 18, 19))),  # Maestro
)
SHORT_MAESTRO = (((50, 50), (56, 58), (63, 63), (67, 67)), frozenset((12, 13, 14, 15)))  # only beside a word
# Total length by country, SWIFT IBAN Registry, release 99.
IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27,
    "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28,
    "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21,
    "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
    "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22,
    "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25,
    "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}  # fmt: skip
_SSN = re.compile(r"(?!000|666|9)[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4}")


def is_card(digits: str, *, beside_word: bool = False) -> bool:
    """Whether the digits are a payment card's: an issuer's length and first digits, and Luhn's check digit.

    >>> is_card("4111111111111111"), is_card("4111111111111112"), is_card("0000000000000000")
    (True, False, False)
    """
    issuers = (*ISSUERS, SHORT_MAESTRO) if beside_word else ISSUERS
    return any(len(digits) in lengths and _starts(digits, ranges) for ranges, lengths in issuers) and luhn(digits)


def _starts(digits: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= int(digits[: len(str(low))]) <= high for low, high in ranges)


def luhn(digits: str) -> bool:
    """Luhn's check (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 * (doubled > 9)
    return total % 10 == 0


def is_iban(text: str) -> bool:
    """Whether letters and digits without blanks are an IBAN: the country's length, and 1 modulo 97 (ISO 13616).

    >>> is_iban("GB29NWBK60161331926819"), is_iban("GB28NWBK60161331926819")
    (True, False)
    """
    text = text.upper()
    if IBAN_LENGTHS.get(text[:2]) != len(text) or not (text.isascii() and text.isalnum() and text[2:4].isdigit()):
        return False
    return int("".join(str(int(char, 36)) for char in text[4:] + text[:4])) % 97 == 1


def is_cpf(digits: str) -> bool:
    """Whether eleven digits are a CPF: two check digits modulo 11 (Receita Federal); equal digits are none.

    >>> is_cpf("52998224725"), is_cpf("52998224726"), is_cpf("11111111111")
    (True, False, False)
    """
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    return all(int(digits[n]) == _check(digits[:n], range(n + 1, 1, -1)) for n in (9, 10))


def is_cnpj(text: str) -> bool:
    """Whether fourteen characters are a CNPJ, with letters (from July 2026) too: one counts its ASCII code less 48.

    >>> is_cnpj("11222333000181"), is_cnpj("11222333000182"), is_cnpj("12ABC34501DE35")
    (True, False, True)
    """
    if len(text) != 14 or not text[12:].isdigit() or len(set(text)) == 1:
        return False
    weights = (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    first = _check(text[:12], weights)
    return int(text[12]) == first and int(text[13]) == _check(text[:12] + str(first), (6, *weights))


def _check(text: str, weights: range | tuple[int, ...]) -> int:
    rest = sum((ord(char) - 48) * weight for char, weight in zip(text, weights, strict=True)) % 11
    return 0 if rest < 2 else 11 - rest


def is_ssn(digits: str) -> bool:
    """Whether nine digits can be a US social security number (SSA: no area 000, 666 or 9xx, no 00, no 0000).

    >>> is_ssn("536221234"), is_ssn("900221234"), is_ssn("536001234")
    (True, False, False)
    """
    return _SSN.fullmatch(digits) is not None
