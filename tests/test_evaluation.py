"""Intervals of rates: the figures that the guide to agents prints, and what may never happen."""

from __future__ import annotations

import pytest

from verifier.evaluation import printed_interval, rate_interval

pytest.importorskip("scipy")

# (successes, observed, missing, as printed): criteria tables of the guide, then its slices, then its several agents.
PRINTED = [
    (33, 40, 0, "[67.2%, 92.7%]"),
    (39, 39, 1, "[86.8%, 100.0%]"),
    (29, 39, 1, "[56.1%, 87.4%]"),
    (24, 40, 0, "[43.3%, 75.2%]"),
    (37, 40, 0, "[79.6%, 98.5%]"),
    (39, 40, 0, "[86.8%, 100.0%]"),
    (0, 6, 1, "[0.0%, 57.9%]"),
    (0, 7, 0, "[0.0%, 41.0%]"),
    (27, 29, 0, "[77.2%, 99.2%]"),
    (6, 10, 0, "[26.2%, 87.9%]"),
    (29, 30, 0, "[82.7%, 100.0%]"),
    (26, 30, 0, "[69.2%, 96.3%]"),
    (27, 29, 1, "[73.4%, 99.2%]"),
]


@pytest.mark.parametrize(("successes", "observed", "missing", "printed"), PRINTED)
def test_an_interval_is_printed_as_the_guide_prints_it(
    successes: int, observed: int, missing: int, printed: str
) -> None:
    assert printed == printed_interval(*rate_interval(successes, observed, missing))


def test_nothing_observed_says_nothing() -> None:
    assert rate_interval(0, 0) == (0.0, 1.0)


def test_only_missing_cases_say_nothing() -> None:
    assert rate_interval(0, 0, missing=5) == (0.0, 1.0)


@pytest.mark.parametrize("total", [1, 2, 7, 40])
def test_the_interval_is_symmetric(total: int) -> None:
    for successes in range(total + 1):
        low, high = rate_interval(successes, total)
        mirrored_low, mirrored_high = rate_interval(total - successes, total)
        assert low == pytest.approx(1 - mirrored_high)
        assert high == pytest.approx(1 - mirrored_low)
        assert low <= successes / total <= high


def test_a_missing_case_only_ever_widens_the_interval() -> None:
    for missing in range(6):
        low, high = rate_interval(12, 20, missing)
        wider_low, wider_high = rate_interval(12, 20, missing + 1)
        assert wider_low < low
        assert wider_high > high


def test_more_confidence_is_wider() -> None:
    low, high = rate_interval(12, 20, confidence=0.95)
    wider_low, wider_high = rate_interval(12, 20, confidence=0.99)

    assert wider_low < low
    assert high < wider_high


@pytest.mark.parametrize(
    ("successes", "observed", "missing", "confidence", "message"),
    [
        (-1, 3, 0, 0.95, "successes must be between 0 and observed=3, not -1"),
        (4, 3, 0, 0.95, "successes must be between 0 and observed=3, not 4"),
        (1, 3, -2, 0.95, "missing must not be negative, not -2"),
        (1, 3, 0, 1.0, "confidence must be between 0 and 1, not 1.0"),
        (1, 3, 0, 0.0, "confidence must be between 0 and 1, not 0.0"),
    ],
)
def test_impossible_counts_are_refused(
    successes: int, observed: int, missing: int, confidence: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        rate_interval(successes, observed, missing, confidence)


def test_an_interval_is_rounded_outward_or_to_the_nearest_tenth() -> None:
    assert printed_interval(0.1239, 0.45611) == "[12.3%, 45.7%]"
    assert printed_interval(0.1239, 0.45611, outward=False) == "[12.4%, 45.6%]"


def test_a_round_percentage_is_not_pushed_outward_by_its_binary_form() -> None:
    assert printed_interval(0.1 + 0.2, 0.7) == "[30.0%, 70.0%]"
