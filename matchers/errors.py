"""Errors of matching that the user can mend."""

from __future__ import annotations


class MatcherError(ValueError):
    """An unknown metric, preset or option, or input that cannot be matched."""
