"""Arguments and options that commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import is_dataclass
from enum import Enum
from inspect import Parameter, Signature, getdoc, signature
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from typer.models import ArgumentInfo, OptionInfo

from evaluation.multitask.score_table import Mismatch
from experiments.errors import ExperimentError
from experiments.inputs.kinds_of_files import Content, content_of
from matchers import PRESETS, metrics_table
from matchers.assignment.choose import METHODS
from matchers.by_name import FAMILIES
from matchers.settings import ORDERS
from ontologies import Kind
from ontologies.common.names import refuse_unknown
from ontologies.tasks.filters import filters


def completing(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a function from the start of a word to the names that begin so."""
    known = tuple(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in known if name.startswith(incomplete)]

    return complete


def option(
    metavar: str,
    text: str,
    *,
    flag: str | None = None,
    min: float | None = None,  # noqa: A002  # as typer calls them
    max: float | None = None,  # noqa: A002
    autocompletion: Callable[[str], list[str]] | None = None,
) -> OptionInfo:
    """Return an option with a value: what stands for the value, and the help.

    Its flag is the parameter's name, as ``--zero-division`` of `zero_division`, unless it is given,
    as ``--out``, or ``--out -o`` with a short one.
    """
    made: OptionInfo = typer.Option(
        *(flag or "").split(),
        metavar=metavar,
        help=text,
        min=min,
        max=max,
        autocompletion=autocompletion,
    )
    return made


def argument(
    metavar: str, text: str, *, autocompletion: Callable[[str], list[str]] | None = None
) -> ArgumentInfo:
    """Return an argument: what stands for it, and the help."""
    made: ArgumentInfo = typer.Argument(metavar=metavar, help=text, autocompletion=autocompletion)
    return made


def file_argument(metavar: str, text: str, wanted: Content) -> ArgumentInfo:
    """Return an argument for files of one content: one that holds another is swapped, and told."""
    made = argument(metavar, text)

    def refuse_swapped(value: str | Path | list[str] | None) -> object:
        for given in value if isinstance(value, list) else [value or ""]:
            path = Path(given)
            path = path if path.exists() else Path(str(given).partition("=")[2])
            found = content_of(path)
            if found in ("ontology", "alignment") and found != wanted:
                raise ExperimentError(
                    f"{metavar}: {path} holds an {found}, and an {wanted} stands here: first come "
                    "ontologies (where none are asked for, --source and --target), then the "
                    "reference, then alignments"
                )
        return value

    made.callback = refuse_swapped
    return made


def listed(names: Iterable[str], word: str = "or") -> str:
    """Return names as a help lists them.

    Examples
    --------
    >>> listed(["RDF", "SSSOM", "CSV"])
    'RDF, SSSOM or CSV'
    """
    *others, last = names
    return f"{', '.join(others)} {word} {last}"


def choice(
    metavar: str, names: Iterable[str], text: str = "{}.", *, flag: str | None = None
) -> OptionInfo:
    """Return an option that takes one of some names: help, shell and refusal know the same ones.

    Parameters
    ----------
    metavar
        As ``PRESET``.
    names
        From a registry.
    text
        The help; ``{}`` stands for the names.
    flag
        As ``--labels``; None for the parameter's name.
    """
    known = tuple(names)

    def refuse_others(
        context: typer.Context, parameter: typer.CallbackParam, value: str | list[str] | None
    ) -> object:
        given = [value] if isinstance(value, str) else value or ()
        for name in () if context.resilient_parsing else given:
            refuse_unknown(parameter.opts[0], name, known, ExperimentError)
        return value

    made = option(metavar, text.format(listed(known)), flag=flag, autocompletion=completing(known))
    made.callback = refuse_others
    return made


def command(
    function: Callable[..., int | None], **shown: ArgumentInfo | OptionInfo
) -> Callable[..., int | None]:
    """Return a function as a command: how each of its parameters is typed, as the help orders them.

    Types and defaults are the function's own, and the help is its docstring. Where a parameter is a
    dataclass, its fields are what is typed. What takes several values keeps its default if none is
    given.

    Parameters
    ----------
    function
        Does what the command is for; returns its exit code, if it has several.
    shown
        An argument or option for each parameter or field, by its name; what is none of them was
        obeyed before and is only shown.
    """
    own = signature(function, eval_str=True).parameters
    records = {
        name: p.annotation
        for name, p in own.items()
        if isinstance(p.annotation, type) and is_dataclass(p.annotation)
    }
    fields = {name: signature(kind, eval_str=True).parameters for name, kind in records.items()}
    known = {name: p for part in (*fields.values(), own) for name, p in part.items()}

    def run(**typed: object) -> int | None:
        given = {
            name: _collected(known[name].annotation, value)
            for name, value in typed.items()
            if value is not None and name in known
        }
        for name, kind in records.items():
            inner = [field for field in fields[name] if field in given and field not in own]
            given[name] = kind(**{field: given.pop(field) for field in inner})
        return function(**given)

    unused = Parameter("unused", Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    parameters = [
        _typed(known.get(name, unused.replace(name=name)), info) for name, info in shown.items()
    ]
    run.__doc__ = re.split(r"\n\n\w+\n---", getdoc(function) or "")[0]
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    return run


def _typed(parameter: Parameter, info: ArgumentInfo | OptionInfo) -> Parameter:
    """Return a parameter as typer takes it: several values are a list, None unless given."""
    wanted, default = parameter.annotation, parameter.default
    if get_origin(wanted) is Literal:  # its `choice` refuses other words
        wanted = str
    if (element := _element(wanted)) is not None:
        wanted = GenericAlias(list, str if issubclass(element, Enum) else element)
        if default is not Parameter.empty:
            wanted, default = wanted | None, None
    if isinstance(info, ArgumentInfo) and element is not None:
        shown, info = info.metavar, copy(info)
        info.metavar = f"{shown}..." if default is Parameter.empty else f"[{shown}]..."
    return Parameter(
        parameter.name,
        Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[wanted, info],
    )


# Any: an annotation is whatever `typing` makes of it
def _element(annotation: Any) -> Any:
    """Return the type of the values that a parameter takes several of; None if it takes one."""
    for kind in (annotation, *get_args(annotation)):
        if get_origin(kind) is Sequence or get_args(kind)[-1:] == (...,):
            return get_args(kind)[0]
    return None


def _collected(annotation: Any, value: object) -> object:  # Any: as above
    """Return what was typed as the function wants it."""
    element = _element(annotation)
    return tuple(map(element, value)) if element and isinstance(value, list) else value


SOURCE = file_argument("SOURCE", "Source ontology, in any usual syntax.", "ontology")
TARGET = file_argument("TARGET", "Target ontology.", "ontology")
REFERENCE = file_argument("REFERENCE", "What is right (RDF, SSSOM, CSV ...).", "alignment")
ALIGNMENTS = file_argument("ALIGNMENT", "FILE, NAME=FILE, or a folder.", "alignment")
TASK = option("NAME", "Instead of ontologies and reference: a task by name (alignrank data list).")
DATA = option(
    "FOLDER", "Data folder (default: $ALIGNRANK_DATA, or the cache folder).", flag="--data"
)
SOURCE_FILE = option("FILE", "Source ontology.")
TARGET_FILE = option("FILE", "Target ontology.")
IMPORTS = option("FOLDER", "Folder with local copies of imported ontologies.")
CLUSTERS = option(
    "WHAT",
    "Dependent items: parent (with --source), or a TSV of item, cluster.",
    flag="--cluster",
)
FILTERS = option(
    "RULE",
    f"What is not judged: {', '.join(filters())}; or what is: relation==, kind=class; or "
    "without=IRI (repeatable).",
    flag="--filter",
)
ON_MISMATCH = choice("WAY", get_args(Mismatch), "A result that is foreign or missing: {}.")
MEND_NAMESPACES = typer.Option(
    "--fix", help="Read namespaces that differ in case as the reference's."
)
FOCUS = option("SYSTEM", "Ask about this system only: how it does against each other one.")
PROTOCOL = option("NAME", "mohammadi-2018: the McNemar paper to the letter.")
ALPHA = option("X", "Family-wise error rate.", min=0, max=1)
OUT = option("PATH", "Results folder (default: print only).", flag="--out -o")
OVERWRITE = typer.Option("--overwrite", help="Write into a folder that is not empty.")
RESUME = typer.Option("--resume", help="Go on where an earlier run into --out was stopped.")
REPLACE = typer.Option("--overwrite", help="Replace a file that is there.")


def metric_names(incomplete: str) -> list[str]:
    """Return the families and metrics whose names begin so."""
    return completing([*FAMILIES, *metrics_table()["name"]])(incomplete)


METRICS = option(
    "NAME",
    f"Metric by name, or a family of nine: {listed(FAMILIES)} (repeatable; default: standard, "
    f"which is {listed(FAMILIES['standard'], 'and')}; more: alignrank list metrics).",
    flag="--metric -m",
    autocompletion=metric_names,
)
METRIC = option(
    "NAME",
    f"{listed(FAMILIES['standard'])} (more: alignrank list metrics).",
    flag="--metric -m",
    autocompletion=metric_names,
)
LABELS = choice("PRESET", PRESETS, "Label preparation: {}.")
SYNONYMS = typer.Option("--synonyms/--no-synonyms", help="Whether synonyms count as names.")
KINDS = choice(
    "KIND",
    Kind,
    "Entities to match: {} (repeatable; default: every kind that both sides have).",
    flag="--entities",
)
LANGS = option("LANG", "Label language to keep, as en (repeatable; default: all).", flag="--lang")
THRESHOLD = option(
    "X", "Keep pairs at or above this similarity.", flag="--threshold -t", min=0, max=1
)
CUT = option(
    "X",
    "Keep pairs at or above this similarity (default: 0.7; 0.21 for combined).",
    flag="--threshold -t",
    min=0,
    max=1,
)
ASSIGNMENT = choice("METHOD", METHODS)
ORDER = choice(
    "ORDER",
    ORDERS,
    "assign-then-cut (as the paper) or cut-then-assign: how assignment and threshold follow each "
    "other.",
)
SCHEDULER = option("ADDRESS", "Dask scheduler to compute by, in tiles, as tcp://HOST:8786.")
DRY_RUN = typer.Option("--dry-run", help="Only say how long it takes in tiles, and with how much.")
WITHIN = option("HOURS", "How long it may take, for --dry-run.", min=0)
WORKERS = option("N", "Compute in tiles by so many Dask workers on this machine.", min=1)
TILES = typer.Option(
    "--tiles/--no-tiles",
    help="Go without the whole matrix (default: where it does not fit into memory); needs "
    "--threshold above 0 and --order cut-then-assign.",
)
