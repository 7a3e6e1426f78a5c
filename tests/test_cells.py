"""All 42 cells of the outcome-claim table, with real sentences: kept where the table allows them, else gone."""

from __future__ import annotations

from collections import Counter

import pytest
from cells import DATA, FEWEST, Cell, cells, ledger_of

from verifier import Claim, Outcome, Verifier
from verifier.claims import allows
from verifier.data import DataError
from verifier.sample_wording import sample_wording

LANGUAGES = [name for name in ("en", "pt-BR") if (DATA / f"cells.{name}.yaml").is_file()]
CASES = [
    pytest.param(
        language,
        cell,
        id=f"{language}-{cell.outcome}-{cell.claim}-{cell.sentence[:60]}",
        marks=[pytest.mark.xfail(reason=cell.misses, strict=True)] if cell.misses else [],
    )
    for language in LANGUAGES
    for cell in cells(language)
]


@pytest.mark.parametrize(("language", "cell"), CASES)
def test_a_sentence_is_kept_where_the_table_allows_it_and_goes_where_it_does_not(language: str, cell: Cell) -> None:
    verdict = checker(language).verify(cell.sentence, ledger_of(cell))
    kept = not any(edit.start < len(cell.sentence) for edit in verdict.edits)

    assert kept is allows(cell.outcome, cell.claim), f"{cell.place}\n{verdict.explain()}\n-> {verdict.text}"


def checker(language: str) -> Verifier:
    """The verifier of a language. Promises are held to the table: real replies mostly propose, and `auto` lets them."""
    try:
        return Verifier(language=language, promises="replace")
    except (DataError, ValueError) as error:
        pytest.skip(f"{language} is not read: {error}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_has_several_sentences_and_none_stands_twice(language: str) -> None:
    found = Counter((cell.outcome, cell.claim) for cell in cells(language))
    texts = Counter((cell.outcome, cell.sentence) for cell in cells(language))

    assert len(found) == 42
    assert min(found[outcome, claim] for outcome in Outcome for claim in Claim) >= FEWEST
    assert [text for text, times in texts.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_sentences_have_words_for_every_claim(language: str) -> None:
    assert all(len(wordings) >= 2 for wordings in sample_wording(language).claims.values())
