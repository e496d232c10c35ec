"""Arguments and options that commands share.

How what is typed reaches its function, as ``--alpha`` that of ``alignrank compare``: `SHARED` here
says how ``alpha`` is typed, wherever a command has it; ``compare = command(compare_files, ...)`` in
`comparing` lists ``alpha`` among what it takes, and may type it in its own way; `command` calls
``compare_files`` with it, or puts it into the record (a dataclass) whose field has that name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import Field, field, is_dataclass, make_dataclass
from dataclasses import fields as dataclass_fields
from enum import Enum
from functools import update_wrapper
from inspect import Parameter, getdoc, signature
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from typer.models import ArgumentInfo, OptionInfo

from alignrank.common.defaults import DEFAULTS
from alignrank.common.names import listed, refuse_unknown
from alignrank.evaluation.comparison.contingency import VIEWS
from alignrank.evaluation.credit.credits import ZeroDivision
from alignrank.evaluation.credit.tied_ranks import Tie
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.answer_files import ROLES as OF_ANSWERS
from alignrank.experiments.inputs.kinds_of_files import Content, content_of, serves_as
from alignrank.matchers import PRESETS, metrics_table
from alignrank.matchers.assignment.pairs import METHODS
from alignrank.matchers.by_name import FAMILIES
from alignrank.matchers.settings import DEFAULT_METRIC, ORDERS, SAME_IRI, default_threshold
from alignrank.ontologies import Kind
from alignrank.ontologies.formats.columns import ROLES
from alignrank.ontologies.tasks.filters import filters


def completing(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a function from the start of a word to the names that begin so."""
    all_names = tuple(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in all_names if name.startswith(incomplete)]

    return complete


def _refuse_nan(value: object) -> object:
    """Refuse NaN, which comparisons with a range let pass."""
    if isinstance(value, float) and math.isnan(value):
        raise typer.BadParameter("nan is no number")
    return value


def _between(bounds: tuple[float, float]) -> Callable[[float], float]:
    """Return a function that refuses a number outside of bounds, or one of them."""
    low, high = bounds

    def checked(value: float) -> float:
        if not low < value < high:
            raise typer.BadParameter(f"{value:g} must lie between {low:g} and {high:g}")
        return value

    return checked


def option(
    metavar: str,
    text: str,
    *,
    flag: str | None = None,
    min: float | None = None,  # noqa: A002  # as typer calls them
    max: float | None = None,  # noqa: A002
    between: tuple[float, float] | None = None,
    autocompletion: Callable[[str], list[str]] | None = None,
) -> OptionInfo:
    """Return an option with a value, from its metavar and its help.

    Its flag is the parameter's name, as ``--zero-division`` of `zero_division`, unless it is given,
    as ``--out``, or ``--out -o`` with a short one. The bounds `between` are excluded.
    """
    callback: Callable[..., object] = _refuse_nan
    if between is not None:
        callback = _between(between)
        text = "{} (between {:g} and {:g}, exclusive).".format(text.removesuffix("."), *between)
    info: OptionInfo = typer.Option(
        *(flag or "").split(),
        metavar=metavar,
        help=text,
        min=min,
        max=max,
        autocompletion=autocompletion,
        callback=callback,
    )
    return info


def named_values(flag: str, names: Iterable[str]) -> Callable[[str | None], dict[str, str] | None]:
    """Return the reader of an option whose value is NAME=VALUE,NAME=VALUE.

    Examples
    --------
    >>> named_values("--columns", ["subject", "object"])("subject=old IRI,object=new IRI")
    {'subject': 'old IRI', 'object': 'new IRI'}
    """

    def read(text: str | None) -> dict[str, str] | None:
        if text is None:
            return None
        values: dict[str, str] = {}
        for part in text.split(","):
            name, _, value = (word.strip() for word in part.partition("="))
            name = name.replace("-", "_")
            if not value or name in values:
                shown = ",".join(f"{name}=..." for name in names)
                raise ExperimentError(f"{flag} {text}: write each name once, of {shown}")
            refuse_unknown(flag, name, names, ExperimentError)
            values[name] = value
        return values

    return read


def argument(
    metavar: str, text: str, *, autocompletion: Callable[[str], list[str]] | None = None
) -> ArgumentInfo:
    """Return an argument, from its metavar and its help."""
    info: ArgumentInfo = typer.Argument(metavar=metavar, help=text, autocompletion=autocompletion)
    return info


def file_argument(metavar: str, text: str, expected: Content) -> ArgumentInfo:
    """Return an argument for files of one content: one that holds another is swapped, and told."""
    info = argument(metavar, text)

    def refuse_swapped(value: str | Path | list[str] | None) -> object:
        for typed in value if isinstance(value, list) else [value or ""]:
            path = Path(typed)
            if not path.exists():
                path = Path(str(typed).partition("=")[2])
            if not serves_as(path, expected):
                content = content_of(path)
                raise ExperimentError(
                    f"{metavar}: {path} holds an {content}, and an {expected} stands here: first "
                    "come ontologies (where none are asked for, --source and --target), then the "
                    "reference, then alignments"
                )
        return value

    info.callback = refuse_swapped
    return info


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
    all_names = tuple(names)

    def refuse_others(
        context: typer.Context, parameter: typer.CallbackParam, value: str | list[str] | None
    ) -> object:
        chosen = value or []
        if isinstance(chosen, str):
            chosen = [chosen]
        if not context.resilient_parsing:
            for name in chosen:
                refuse_unknown(parameter.opts[0], name, all_names, ExperimentError)
        return value

    info = option(
        metavar, text.format(listed(all_names)), flag=flag, autocompletion=completing(all_names)
    )
    info.callback = refuse_others
    return info


def command(
    function: Callable[..., int | None],
    order: str = "",
    *,
    groups: Mapping[str, str] | None = None,
    **special: ArgumentInfo | OptionInfo,
) -> Callable[..., int | None]:
    """Return a function as a command: types and defaults are its own, the help is its docstring.

    Where a parameter is a dataclass, its fields are what is typed. What takes several values keeps
    its default if none is given.

    Parameters
    ----------
    function
        Does what the command is for; returns its exit code, if it has several.
    order
        The parameters and fields that are typed, as the help orders them; all, unless given.
    groups
        By title: further ones, which the help shows as a group.
    special
        How those are typed that are not as in `SHARED`; what is none of the function's was obeyed
        before and is only shown.
    """
    own = signature(function, eval_str=True).parameters
    records = {
        name: p.annotation
        for name, p in own.items()
        if isinstance(p.annotation, type) and is_dataclass(p.annotation)
    }
    fields = {name: _typed_fields(kind) for name, kind in records.items()}
    parameters = {name: p for group in (*fields.values(), own) for name, p in group.items()}

    def run(context: typer.Context, **typed: object) -> int | None:
        typed |= _of_all_commands(context, parameters)
        arguments = {
            name: _collected(parameters[name].annotation, value)
            for name, value in typed.items()
            if value is not None and name in parameters
        }
        for name, kind in records.items():
            inner = [field for field in fields[name] if field in arguments and field not in own]
            arguments[name] = kind(**{field: arguments.pop(field) for field in inner})
        return function(**arguments)

    every = [name for group in own for name in fields.get(group, [group])]
    only_shown = [name for name in special if name not in parameters]
    unused = Parameter("unused", Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    group_of = {name: title for title, names in (groups or {}).items() for name in names.split()}
    fields_typed: list[tuple[str, object, Field[object]]] = [("context", typer.Context, field())]
    for name in [*order.split(), *group_of] or [*only_shown, *every]:
        if name in OF_ALL_COMMANDS:
            continue
        # an argument of one command is an option of another, where it is typed by name only
        is_option = name not in own or own[name].kind is Parameter.KEYWORD_ONLY
        shared = f"--{name}" if is_option and f"--{name}" in SHARED else name
        info = _in_group(special.get(name) or SHARED[shared], group_of.get(name))
        fields_typed.append(_typed(parameters.get(name) or unused.replace(name=name), info))
    # typer reads the signature of what a function wraps: here that of a record of all parameters
    update_wrapper(run, make_dataclass("Typed", fields_typed, kw_only=True), updated=())
    run.__doc__ = re.split(r"\n\n\w+\n---", getdoc(function) or "")[0]
    return run


def _of_all_commands(
    context: typer.Context, parameters: Mapping[str, Parameter]
) -> dict[str, object]:
    """Return the options of all commands that were typed; refuse one that a command lacks."""
    stated = {name: value for name, value in (context.obj or {}).items() if value}
    for name in stated.keys() - parameters.keys():
        raise ExperimentError(f"{context.command_path} has no --{name}: leave it out")
    return stated


def _in_group(info: ArgumentInfo | OptionInfo, group: str | None) -> ArgumentInfo | OptionInfo:
    """Return an option as one of a group of the help; other commands may share it without."""
    if group is None:
        return info
    grouped = copy(info)
    grouped.rich_help_panel = group
    return grouped


def _typed_fields(record: type[Any]) -> dict[str, Parameter]:
    """Return the fields of a dataclass that have options: those that are written to JSON."""
    parameters = signature(record, eval_str=True).parameters
    read = {f.name for f in dataclass_fields(record) if not f.metadata.get("is_written", True)}
    return {name: p for name, p in parameters.items() if name not in read}


def _typed(
    parameter: Parameter, info: ArgumentInfo | OptionInfo
) -> tuple[str, object, Field[object]]:
    """Return a parameter as a field for typer: several values are a list, None unless given."""
    type_, default = parameter.annotation, parameter.default
    if get_origin(type_) is Literal:  # its `choice` refuses other words
        type_ = str
    if isinstance(type_, UnionType) and Path in get_args(type_):  # in Python an object, too
        type_ = Path if default is Parameter.empty else Path | None
    if parameter.name in ("columns", "relaxed"):  # `named_values` makes a dict of the text
        type_ = str | None
    if (element := _element(type_)) is not None:
        if issubclass(element, Enum):
            element = str
        type_ = GenericAlias(list, element)
        if default is not Parameter.empty:
            type_, default = type_ | None, None
    if isinstance(info, ArgumentInfo) and element is not None:
        info = copy(info)
        if default is not Parameter.empty:
            info.metavar = f"[{info.metavar}]"
        info.metavar = f"{info.metavar}..."
    if default is Parameter.empty:
        return parameter.name, Annotated[type_, info], field()
    return parameter.name, Annotated[type_, info], field(default=default)


# Any: an annotation is whatever `typing` makes of it
def _element(annotation: Any) -> Any:
    """Return the type of the values that a parameter takes several of; None if it takes one."""
    for kind in (annotation, *get_args(annotation)):
        if get_origin(kind) is Sequence or get_args(kind)[-1:] == (...,):
            return get_args(kind)[0]
    return None


def _collected(annotation: Any, value: object) -> object:  # Any: as above
    """Return a typed value in the type of the function's parameter."""
    element = _element(annotation)
    if element is None or not isinstance(value, list):
        return value
    return tuple(map(element, value))


def metric_names(incomplete: str) -> list[str]:
    """Return the families and metrics whose names begin so."""
    return completing([*FAMILIES, *metrics_table()["name"]])(incomplete)


#: What all commands take (`alignrank --help` has them): each goes to the parameter of its name.
OF_ALL_COMMANDS = ("data", "overwrite")

COLUMNS = option(
    "ROLES",
    "Columns of tables, where their names are not known: "
    "subject=NAME,object=NAME,relation=NAME,confidence=NAME; of answers item=NAME,right=NAME.",
)
COLUMNS.callback = named_values("--columns", [*ROLES, *OF_ANSWERS])

#: The arguments and options that several commands share, by the parameter that they type; where
#: some commands have an argument and others an option, the option's flag is its name here.
SHARED: dict[str, ArgumentInfo | OptionInfo] = {
    "source": file_argument("SOURCE", "Source ontology, in any usual syntax.", "ontology"),
    "target": file_argument("TARGET", "Target ontology.", "ontology"),
    "reference": file_argument("REFERENCE", "What is right (RDF, SSSOM, CSV ...).", "alignment"),
    "--source": option("FILE", "Source ontology, which tells who are siblings."),
    "--target": option("FILE", "Target ontology."),
    "--reference": option("PATH", "Reference alignment; of many tasks the folder of task.rdf."),
    "alignments": file_argument("ALIGNMENT", "FILE, NAME=FILE, or a folder.", "alignment"),
    "task": option(
        "NAME", "Instead of ontologies and reference: a task by name (alignrank data list)."
    ),
    "imports": option("FOLDER", "Folder with local copies of imported ontologies."),
    "clusters": option(
        "WHAT",
        "Dependent items: parent (with --source), or a TSV of item, cluster.",
        flag="--cluster",
    ),
    "filters": option(
        "RULE",
        f"What is not judged: {', '.join(filters())}; or what is: relation==, kind=class; "
        "relation=any: relations do not matter; or without=IRI (repeatable); or none, not even "
        "the track's.",
        flag="--filter",
    ),
    "columns": COLUMNS,
    "predicates": option(
        "NAME",
        "Predicate of the reference that counts, as skos:closeMatch (repeatable; default: all "
        "that state a relation).",
    ),
    "on_mismatch": choice("WAY", get_args(Mismatch), "A result that is foreign or missing: {}."),
    "lower_is_better": typer.Option(
        "--lower-is-better", help="The table's scores are errors, times or costs."
    ),
    "zero_division": choice("WAY", get_args(ZeroDivision), "What 0/0 means: {}."),
    "tie": choice(
        "WAY",
        get_args(Tie),
        "Equal scores: average (the expectation), min (optimistic), max or stable.",
    ),
    "views": choice(
        "VIEW",
        VIEWS,
        "{} (repeatable; the first decides; default: entity, ifp, cfp).",
        flag="--view",
    ),
    "focus": option("SYSTEM", "Ask about this system only: how it does against each other one."),
    "protocol": option("NAME", "mohammadi-2018: the McNemar paper to the letter."),
    "margin": option("X", "Differences below it count as equivalent.", between=(0, 1)),
    "alpha": option("X", "Family-wise error rate.", between=(0, 1)),
    "out": option("PATH", "Results folder (default: print only).", flag="--out -o"),
    "resume": typer.Option("--resume", help="Go on where an earlier run into --out was stopped."),
    "metrics": option(
        "NAME",
        f"Metric by name, or a family of nine: {listed(FAMILIES)} (repeatable; default: standard, "
        f"which is {listed(FAMILIES['standard'], 'and')}; more: alignrank list metrics).",
        flag="--metric -m",
        autocompletion=metric_names,
    ),
    "metric": option(
        "NAME",
        f"{listed(FAMILIES['standard'])} (more: alignrank list metrics).",
        flag="--metric -m",
        autocompletion=metric_names,
    ),
    "labels": choice("PRESET", PRESETS, "Label preparation: {}."),
    "synonyms": typer.Option("--synonyms/--no-synonyms", help="Whether synonyms count as names."),
    "kinds": choice(
        "KIND",
        Kind,
        "Entities to match: {} (repeatable; default: every kind that both sides have).",
        flag="--entities",
    ),
    "label_properties": option(
        "IRI",
        "Further property whose texts are labels, as http://schema.org/name (repeatable).",
        flag="--label-property",
    ),
    "langs": option(
        "LANG", "Label language to keep, as en (repeatable; default: all).", flag="--lang"
    ),
    "shared": choice("WAY", SAME_IRI, "Entities with the same IRI on both sides: {}."),
    "structure": typer.Option(
        "--structure/--no-structure",
        help="Whether combined also weighs parents, children, domains, ranges and individuals.",
    ),
    "wordnet": option(
        "FOLDER", "Add synonyms of WordNet, whose files are there, as /usr/share/wordnet."
    ),
    "threshold": option(
        "X",
        f"Keep pairs at or above this similarity (default: {DEFAULTS.threshold:g}; "
        f"{default_threshold(DEFAULT_METRIC):g} for combined).",
        flag="--threshold -t",
        min=0,
        max=1,
    ),
    "assignment": choice("METHOD", METHODS),
    "order": choice(
        "ORDER",
        ORDERS,
        "assign-then-cut (as the paper) or cut-then-assign: how assignment and threshold follow "
        "each other.",
    ),
    "scheduler": option("ADDRESS", "Dask scheduler to compute by, as tcp://HOST:8786."),
    "workers": option(
        "N", "Compute by this number of Dask workers on this machine.", min=1, max=1024
    ),
    "n_resamples": option(
        "N", "Random resamples, of the randomisation.", flag="--resamples", min=1, max=100_000_000
    ),
    "tiles": typer.Option(
        "--tiles/--no-tiles",
        help="Go without the whole matrix; needs --threshold above 0 and --order cut-then-assign "
        "(with these the default where it is much cheaper).",
    ),
}
