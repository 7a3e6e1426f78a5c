"""Exact intervals of a rate, with the cases that were not observed allowed to have gone either way."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

_TENTH = Decimal("0.1")


def rate_interval(successes: int, observed: int, missing: int = 0, confidence: float = 0.95) -> tuple[float, float]:
    """Give the Clopper-Pearson interval of `successes` out of `observed`, as a pair between 0 and 1.

    Each of the `missing` cases may have gone either way: the lower bound counts them all as failures, the upper
    one all as successes. Nothing observed and nothing missing gives (0, 1): such a rate may be anything.
    Raises ValueError for counts that cannot be and ModuleNotFoundError without scipy (the extra `evaluation`).
    Source: Clopper and Pearson, Biometrika 26 (1934), in its form of beta quantiles.
    """
    _refuse_impossible(successes, observed, missing, confidence)
    total = observed + missing
    if total == 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    return _lower(successes, total, tail), _upper(successes + missing, total, tail)


def clustered_interval(clusters: Sequence[tuple[int, int]], confidence: float = 0.95) -> tuple[float, float]:
    """Give the interval of a rate counted over clusters, each a pair (successes, observed).

    Sentences of one conversation resemble each other, so they tell less than as many independent ones. The exact
    interval is taken of the effective number of observations: the number that gives the variance of the ratio
    estimator (Korn and Graubard, Survey Methodology 24, 1998). Where that variance is nil (no success or nothing
    but successes), each cluster counts as a single observation. Raises as `rate_interval` does.
    """
    kept = [(successes, observed) for successes, observed in clusters if observed]
    successes, observed = sum(pair[0] for pair in kept), sum(pair[1] for pair in kept)
    _refuse_impossible(successes, observed, 0, confidence)
    if observed == 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    effective = _effective(kept, successes / observed, observed, tail)
    share = effective * successes / observed
    low = 0.0 if successes == 0 else _beta_quantile(share, effective - share + 1, tail)
    high = 1.0 if successes == observed else _beta_quantile(share + 1, effective - share, 1 - tail)
    return low, high


def _effective(clusters: Sequence[tuple[int, int]], rate: float, observed: int, tail: float) -> float:
    count = len(clusters)
    residuals = sum((successes - rate * size) ** 2 for successes, size in clusters)
    if count < 2 or residuals < 1e-12:
        return float(count)
    variance = residuals * count / (count - 1) / observed**2
    few_clusters = (_student_quantile(observed - 1, tail) / _student_quantile(count - 1, tail)) ** 2
    return min(float(observed), rate * (1 - rate) / variance * few_clusters)


def printed_interval(low: float, high: float, *, outward: bool = True) -> str:
    """Write an interval in per cent to one decimal, as `[67.2%, 92.7%]`.

    `outward` rounds the lower bound down and the upper bound up, so that the text never promises more than the
    figures; otherwise both go to the nearest tenth.
    """
    down, up = (ROUND_FLOOR, ROUND_CEILING) if outward else (ROUND_HALF_EVEN, ROUND_HALF_EVEN)
    return f"[{_percent(low, down)}%, {_percent(high, up)}%]"


def _percent(rate: float, rounding: str) -> Decimal:
    # Nine places first: 0.2 + 0.1 is no reason to round 30.000000000000004 % up to 30.1 %.
    exact = Decimal(repr(round(rate * 100, 9)))
    return exact.quantize(_TENTH, rounding=rounding)


def _refuse_impossible(successes: int, observed: int, missing: int, confidence: float) -> None:
    if not 0 <= successes <= observed:
        raise ValueError(f"successes must be between 0 and observed={observed}, not {successes}")
    if missing < 0:
        raise ValueError(f"missing must not be negative, not {missing}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")


def _lower(successes: int, total: int, tail: float) -> float:
    return 0.0 if successes == 0 else _beta_quantile(successes, total - successes + 1, tail)


def _upper(successes: int, total: int, tail: float) -> float:
    return 1.0 if successes == total else _beta_quantile(successes + 1, total - successes, 1 - tail)


def _beta_quantile(a: float, b: float, probability: float) -> float:
    # scipy.special alone: scipy.stats costs a second to import.
    from scipy.special import betaincinv

    return float(betaincinv(a, b, probability))


def _student_quantile(degrees: int, probability: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))
