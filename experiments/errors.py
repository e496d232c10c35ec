"""Errors of experiments that the user can mend."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alignrank.common.names import count


class ExperimentError(ValueError):
    """A results folder, option or input that an experiment cannot use."""


def refuse_taken(path: Path | None, *, overwrite: bool) -> None:
    """Refuse to write to a file that is there already, unless it may be replaced."""
    if path is not None and path.exists() and not overwrite:
        raise ExperimentError(f"{path} exists: name another, or add overwrite=True")


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
