"""Errors of experiments that the user can mend."""

from __future__ import annotations


class ExperimentError(ValueError):
    """A results folder, option or input that an experiment cannot use."""
