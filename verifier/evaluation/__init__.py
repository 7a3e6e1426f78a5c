"""Measuring agents: exact intervals of rates (SPEC section 9)."""

from verifier.evaluation.intervals import printed_interval, rate_interval

__all__ = ["printed_interval", "rate_interval"]
