"""Measuring agents: exact intervals of rates (SPEC section 9)."""

from verifier.evaluation.intervals import clustered_interval, printed_interval, rate_interval

__all__ = ["clustered_interval", "printed_interval", "rate_interval"]
