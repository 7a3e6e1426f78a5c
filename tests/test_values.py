"""What counts as a value in a reply, where it stands, and what it can mean."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import data
from verifier.model import Value
from verifier.values import find
from verifier.values.lexicon import LOCALES, code, lexicon, number_words
from verifier.values.numbers import read_number

NOW = date(2026, 5, 12)
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def values(text: str, locale: str = "en") -> list[Value]:
    return list(find(text, 0, len(text), locale=locale, now=NOW))


def shown(value: Value) -> str:
    """A value as the examples of the grammar files write it."""
    first = value.meanings[0]
    if value.kind == "date":
        assert isinstance(first, tuple)
        year, month, day, weekday = first
        parts = [f"{part:02}" for part in (year, month, day) if part is not None]
        return " ".join(["date", "-".join(parts), *([] if weekday is None else [DAYS[weekday]])])
    if value.kind == "time":
        assert isinstance(first, tuple)
        return f"time {first[0]:02}:{first[1]:02}"
    if isinstance(first, int | Decimal):
        number = Decimal(first)
        first = f"{number.normalize():f}"
    return f"{value.kind} {first} {value.unit}".strip()


def examples() -> list[tuple[str, str, list[str]]]:
    found = []
    for locale in LOCALES:
        file = data.load(data.folder("grammars") / f"values.{locale}.yaml")
        entries = file["examples"]
        assert isinstance(entries, list)
        for entry in entries:
            assert isinstance(entry, dict)
            found.append((locale, str(entry["says"]), [str(what) for what in entry["are"]]))
    return found


@pytest.mark.parametrize(("locale", "says", "are"), examples(), ids=lambda value: str(value)[:40])
def test_a_text_holds_the_values_that_its_example_marks(locale: str, says: str, are: list[str]) -> None:
    text = says.replace("⟦", "").replace("⟧", "")
    marked = [part.split("⟧")[0] for part in says.split("⟦")[1:]]

    found = values(text, locale)

    assert [value.text for value in found] == marked
    assert [shown(value) for value in found] == are


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1,234.56", "money 1234.56 USD"),
        ("1.480,00 €", "money 1480 EUR"),
        ("75€", "money 75 EUR"),
        ("US$ 20", "money 20 USD"),
        ("$24k", "money 24000 USD"),
        ("$1.2 million", "money 1200000 USD"),
        ("**$50**", "money 50 USD"),
        ("five hundred dollars", "money 500 USD"),
        ("30 cents", "money 0.3"),
        ("on 5/9", "date 05-09"),
        ("05/20/2026", "date 2026-05-20"),
        ("20.05.2026", "date 2026-05-20"),
        ("the 20th.", "date 20"),
        ("March 2026", "date 2026-03"),
        ("tomorrow", "date 2026-05-13"),
        ("the day after tomorrow", "date 2026-05-14"),
        ("9am", "time 09:00"),
        ("at 7 pm", "time 19:00"),
        ("15:40", "time 15:40"),
        ("midnight", "time 00:00"),
        ("HAT271", "identifier hat271"),
        ("EUJUY6", "identifier eujuy6"),
        ("item 5669664287", "identifier 5669664287"),
        ("flight ZP 640", "identifier zp640"),
        ("77120-3", "identifier 771203"),
        ("v3.0.0", "identifier 3.0.0 version"),
        ("https://a.example/x?id=7.", "identifier url:a.example/x?id=7 url"),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "identifier 3f2504e04f8911d39a0c0305e82c3301"),
        ("12 rows", "count 12 rows"),
        ("table 14", "count 14 table #"),
        ("40 Orchard Way", "count 40 orchard way #"),
        ("call 555 0174", "phone 5550174"),
        ("202-555-0147", "phone 2025550147"),
        ("Oskar@TERN.example", "email oskar@tern.example"),
        ("a@b.test", "email a@b.test"),
        ("x@printer.local", "email x@printer.local"),
        ("40 percent", "percent 40"),
    ],
)
def test_english_text_means_this_value(text: str, expected: str) -> None:
    assert [shown(value) for value in values(text)] == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R$77,65", "money 77.65 BRL"),
        ("duzentos e cinquenta reais", "money 250 BRL"),
        ("12,50 euros", "money 12.5 EUR"),
        ("em 05/11", "date 11-05"),
        ("segunda-feira, 10 de agosto", "date 08-10 Mon"),
        ("depois de amanhã", "date 2026-05-14"),
        ("depois de amanha", "date 2026-05-14"),
        ("18h40", "time 18:40"),
        ("às 9h", "time 09:00"),
        ("às 8 horas", "time 08:00"),
        ("9h da noite", "time 21:00"),
        ("meia-noite", "time 00:00"),
        ("CNPJ 45.723.174/0001-10", "identifier 45.723.174/000110"),
        ("mesa para quatro", "count 4 mesa"),
        ("dez por cento", "percent 10"),
    ],
)
def test_portuguese_text_means_this_value(text: str, expected: str) -> None:
    assert [shown(value) for value in values(text, "pt")] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "", "no value here", "24/7 support", "a 10-inch tablet", "one of our agents", "amoxicillin 400/5",
        "since 2024 it is optional", "COVID-19", "the top-10", "#W0000000",
    ],
)
def test_text_without_a_value_gives_none(text: str) -> None:
    assert [value for value in values(text) if value.unit[-1:] != "#"] == []


def test_ambiguous_text_is_one_value_with_all_its_meanings() -> None:
    assert values("$1.234")[0].meanings == (Decimal("1.234"), Decimal(1234))
    assert values("R$ 1.234", "pt-BR")[0].meanings == (Decimal(1234), Decimal("1.234"))
    assert values("on 5/9")[0].meanings == ((None, 5, 9, None), (None, 9, 5, None))
    assert values("at 9:30")[0].meanings == ((9, 30), (21, 30))


def test_relative_days_need_to_know_today() -> None:
    text = "See you tomorrow."

    assert find(text, 0, len(text)) == ()
    assert find(text, 0, len(text), now=datetime(2026, 12, 31, 9))[0].meanings == ((2027, 1, 1, None),)


def test_a_weekday_beside_a_date_is_kept_with_it() -> None:
    assert values("on **Monday, August 11th** at 9")[0].meanings == ((None, 8, 11, 0),)


def test_only_the_asked_part_is_read() -> None:
    text = "Order 4412 costs $12.50 until May 20."
    start = text.index("costs")

    assert [value.text for value in find(text, start, text.index("until"))] == ["$12.50"]


def test_unknown_languages_are_refused() -> None:
    with pytest.raises(ValueError, match="'fr'"):
        find("12", 0, 2, locale="fr")
    with pytest.raises(ValueError, match="'pt-PT'"):
        code("pt-PT")


@pytest.mark.parametrize(
    ("text", "mark", "expected"),
    [
        ("12", ".", [12]), ("1,234", ".", [1234, "1.234"]), ("1,234", ",", ["1.234", 1234]),
        ("1.187,35", ".", ["1187.35"]), ("12.5.1", ".", []), ("1,23,456", ".", []), (".5", ".", []),
        ("1..2", ".", []), ("0.250", ".", ["0.250"]),
    ],
)
def test_digits_with_separators(text: str, mark: str, expected: list[object]) -> None:
    assert list(read_number(text, mark)) == [Decimal(str(number)) for number in expected]


@pytest.mark.parametrize(
    ("words", "locale", "expected"),
    [
        ("twenty five boxes", "en", (25, 2)), ("twelve fifty", "en", (12, 1)), ("two hundred and five", "en", (205, 4)),
        ("three thousand two hundred", "en", (3200, 4)), ("boxes", "en", None),
        ("mil duzentos e trinta", "pt", (1230, 4)), ("cento e vinte e cinco", "pt", (125, 5)),
        ("dois mil", "pt", (2000, 2)),
    ],
)
def test_numbers_in_words(words: str, locale: str, expected: tuple[int, int] | None) -> None:
    assert number_words(words.split(), lexicon(code(locale))) == expected


HOSTILE = (
    "1", "a1", "1.", "1,", "$", "a@", "+1", "(11) ", "May 1 ", "two ", "1-", "1/", "x_1", "http://a", "5 ", "#1",
        "às 8h ",
)
PIECES = ("$12.50", "May", "20", "RX-301", "at", "9", "am", "two", "pounds", "5/9", "%", "h", "party of", "40 Oak Way")


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_to_its_end(piece: str) -> None:
    text = piece * (20_000 // len(piece))

    for value in (*values(text), *values(text, "pt")):
        assert value.text == text[value.start : value.end]


@given(
    st.text(st.sampled_from("0123456789 .,:/-$€£%@#+()abMayRXpmhàé_\n*"), max_size=60)
    | st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)
)
def test_values_are_sorted_apart_and_copied_from_the_text(text: str) -> None:
    for locale in LOCALES:
        found = values(text, locale)

        assert found == values(text, locale)
        assert all(value.text == text[value.start : value.end] != "" for value in found)
        assert all(value.meanings for value in found)
        assert all(a.end <= b.start for a, b in pairwise(found))
