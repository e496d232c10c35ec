"""Errors of experiments that the user can mend, and messages that name options.

Messages name Python arguments, as `overwrite=True`; the command line has options in their place.
"""

from __future__ import annotations

from pathlib import Path

from alignrank.common.errors import Argument


class ExperimentError(ValueError):
    """A results folder, option or input that an experiment cannot use."""


def refuse_taken(path: Path | None, *, overwrite: bool) -> None:
    """Refuse to write to a file that is there already, unless it may be replaced."""
    if path is not None and path.exists() and not overwrite:
        raise ExperimentError(f"{path} exists: name another, or add {Argument('overwrite', True)}")


#: Arguments whose option has another name than theirs.
FLAGS = {
    "clusters": "--cluster",
    "filters": "--filter",
    "kinds": "--entities",
    "label_properties": "--label-property",
    "langs": "--lang",
    "measures": "--measure",
    "metrics": "--metric",
    "n_resamples": "--resamples",
    "resamples": "--bootstrap",
    "views": "--view",
}


def as_option(name: str, value: object) -> str:
    """Return an argument as the command line has it.

    Examples
    --------
    >>> as_option("threshold", 0.8), as_option("order", "greedy"), as_option("imports", ...)
    ('--threshold 0.8', '--order greedy', '--imports')
    >>> as_option("tiles", False), as_option("views", ["ifp", "cfp"])
    ('--no-tiles', '--view ifp --view cfp')
    """
    return " ".join(option_words(name, value))


def option_words(name: str, value: object) -> list[str]:
    """Return the words of the command line that give an argument.

    Examples
    --------
    >>> option_words("langs", ["en", "de"])
    ['--lang', 'en', '--lang', 'de']
    """
    flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
    if isinstance(value, list | tuple):
        return [word for item in value for word in (flag, str(item))]
    if value is False:
        return [flag.replace("--", "--no-", 1)]
    if value is True or value is ...:
        return [flag]
    return [flag, str(value)]
