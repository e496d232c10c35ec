"""Errors of experiments that the user can mend."""

from __future__ import annotations

from collections.abc import Sequence

from ontologies.common.names import count


class ExperimentError(ValueError):
    """A results folder, option or input that an experiment cannot use."""


class MistakesError(ExperimentError):
    """A file with one mistake or more: all of them at once.

    Parameters
    ----------
    path
        The file.
    mistakes
        A sentence on each.
    """

    def __init__(self, path: object, mistakes: Sequence[str]) -> None:
        super().__init__(f"{path} has {count(len(mistakes), 'mistake')}:")
        self.mistakes = tuple(mistakes)

    def __str__(self) -> str:
        return f"{self.args[0]} {'; '.join(self.mistakes)}"
