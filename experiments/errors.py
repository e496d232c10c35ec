"""Errors of experiments that the user can mend, and messages that name options.

Messages name Python arguments, as `overwrite=True`; the command line has options in their place.
"""

from __future__ import annotations

import re
from pathlib import Path


class ExperimentError(ValueError):
    """A results folder, option or input that an experiment cannot use."""


def refuse_taken(path: Path | None, *, overwrite: bool) -> None:
    """Refuse to write to a file that is there already, unless it may be replaced."""
    if path is not None and path.exists() and not overwrite:
        raise ExperimentError(f"{path} exists: name another, or add overwrite=True")


#: Arguments whose option has another name than theirs.
FLAGS = {
    "clusters": "--cluster",
    "filters": "--filter",
    "kinds": "--entities",
    "label_properties": "--label-property",
    "langs": "--lang",
    "lower_is_better": "--lower-is-better",
    "metrics": "--metric",
    "views": "--view",
}
#: Arguments whose option is called as they are.
SAME = (
    "add",
    "alpha",
    "assignment",
    "cautious",
    "columns",
    "correction",
    "data",
    "design_effect",
    "difference",
    "discordant",
    "first_verdict",
    "focus",
    "imports",
    "items",
    "join",
    "judged",
    "margin",
    "measure",
    "metric",
    "offline",
    "on_mismatch",
    "order",
    "out",
    "overwrite",
    "positive",
    "protocol",
    "predicates",
    "reference",
    "scheduler",
    "size",
    "source",
    "spread",
    "systems",
    "target",
    "task",
    "test",
    "threshold",
    "tiles",
    "workers",
)
#: With a value, as in kind=class, it is a rule of filters.
_KIND = r"kind(?==\.\.\.)"
_ARGUMENT = re.compile(
    rf"(?<![^\s(])({'|'.join([*FLAGS, *SAME, _KIND])})=(\"[^\"]+\"|\[[^\]]+\]|[\w.]+)"
)


def with_options(message: str) -> str:
    """Return a message with options in place of Python arguments.

    Examples
    --------
    >>> with_options('give a threshold (threshold=0.8) and order="cut-then-assign"')
    'give a threshold (--threshold 0.8) and --order cut-then-assign'
    >>> with_options("leave out tiles=False, or give the folder (imports=...)")
    'leave out --no-tiles, or give the folder (--imports)'
    >>> with_options('choose with predicates=["skos:closeMatch", "a:b"]')
    'choose with --predicates skos:closeMatch --predicates a:b'
    """
    return _ARGUMENT.sub(_option, message)


def _option(argument: re.Match[str]) -> str:
    name, value = argument[1], argument[2].strip('"')
    flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
    if value.startswith("["):
        return " ".join(f"{flag} {item}" for item in re.findall('"([^"]+)"', value))
    if value == "False":
        return flag.replace("--", "--no-", 1)
    if value in ("True", "..."):
        return flag
    return f"{flag} {value}"
