"""Errors of evaluation that the user can mend."""

from __future__ import annotations


class EvaluationError(ValueError):
    """Input that cannot be judged: a bad count, p-value, score table or alignment."""
