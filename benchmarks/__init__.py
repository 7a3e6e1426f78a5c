"""Measurements of the verifier; run each as `python -m benchmarks.NAME` from the project's root."""
