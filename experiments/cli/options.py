"""Arguments and options that commands share, and how a command comes from its table.

How a typed option reaches its function, by the example of ``alignrank compare --alpha``:

1. `SHARED` here holds the spelling, the type and the default of ``alpha`` for all commands.
2. ``Command("…compare_files:compare_files", "… alpha …")`` in `comparing` names the function and
   lists ``alpha`` among its options. A command may declare an `Option` of its own instead.
3. `arguments_of` passes the value to the parameter ``alpha`` of ``compare_files``, or to the field
   ``alpha`` of a record (a dataclass) that ``compare_files`` takes: here `AnalysisSettings`.

`main` makes the command line of the commands. A command's function is imported when the command
runs, so that help and the refusal of a wrong option appear at once.
"""

from __future__ import annotations

import math
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import partial
from inspect import Parameter, Signature, cleandoc, signature
from pathlib import Path
from types import GenericAlias
from typing import Any, Literal, NamedTuple, get_args

import typer

from alignrank.common.defaults import (
    ANSWER_ROLES,
    ASSIGNMENTS,
    DEFAULT_METRIC,
    DEFAULTS,
    FAMILIES,
    ORDERS,
    PRESETS,
    SAME_IRI,
    STANDARD,
    VIEWS,
    Mismatch,
    Tie,
    ZeroDivision,
)
from alignrank.common.names import listed, refuse_unknown
from alignrank.experiments.errors import FLAGS, ExperimentError
from alignrank.ontologies.formats.columns import ROLES
from alignrank.ontologies.ontology import Kind
from alignrank.ontologies.tasks.filters import filters

#: Names that an option takes, or a function that imports what holds them.
Names = Iterable[str] | Callable[[], Iterable[str]]


class Option(NamedTuple):
    """An option or an argument of a command.

    Parameters
    ----------
    metavar, text
        What the help shows for the value, and says of the option; ``{}`` stands for the names,
        which `main` puts there when the command's help is shown.
    type
        The type of one value.
    default
        The value if nothing is typed. None: the function's own default, which the help does not
        show. ``...``: something must be typed.
    flag
        The spelling, as ``--out -o``; empty: the one in `FLAGS`, else the parameter's name.
    several
        Whether it takes several values.
    least, most, between
        Bounds of a number; those of `between` are excluded, and end the sentence of the help.
    names
        Names that it takes, for help and shell. A function is called when the help is shown, or a
        name is completed or checked.
    check
        A function that checks the typed value and returns it, before the command's function is
        imported.
    content
        What an argument's files must hold; None: anything.
    is_argument
        Whether it is an argument, recognised by its position; else an option with a flag.
    """

    metavar: str | None
    text: str
    type: Any = str  # what typer takes as a type, `Literal` among it
    default: object = None
    flag: str = ""
    several: bool = False
    least: float | None = None
    most: float | None = None
    between: tuple[float, float] | None = None
    names: Names = ()
    check: Callable[..., object] | None = None
    content: Literal["ontology", "alignment"] | None = None
    is_argument: bool = False

    def parameter(self, name: str, group: str | None, required: bool) -> Parameter:
        """Return the parameter of a function that typer reads this option from."""
        type_, default, text = self.type, self.default, self.text
        if self.several:
            type_ = GenericAlias(list, type_)
        if required:
            default = ...
        elif default is None:
            type_ = type_ | None
        if self.is_argument:
            metavar = self.metavar
            if self.several:
                metavar = f"{metavar if required else f'[{metavar}]'}..."
            info = typer.Argument(default, metavar=metavar, help=text, autocompletion=self.complete)
        else:
            if self.between:
                text += " (between {:g} and {:g}, exclusive).".format(*self.between)
            info = typer.Option(
                default,
                *(self.flag or FLAGS.get(name, "")).split(),
                metavar=self.metavar,
                help=text,
                min=self.least,
                max=self.most,
                callback=self.check or self.in_range,
                autocompletion=self.complete,
                rich_help_panel=group,
            )
        return Parameter(name, Parameter.KEYWORD_ONLY, default=info, annotation=type_)

    def complete(self, incomplete: str) -> list[str]:
        """Return the names that begin with `incomplete`."""
        names = self.names() if callable(self.names) else self.names
        return [name for name in names if name.startswith(incomplete)]

    def in_range(self, value: object) -> object:
        """Refuse a number that is not strictly `between`, and NaN, which passes typer's bounds."""
        if isinstance(value, float):
            if self.between and not self.between[0] < value < self.between[1]:
                bounds = "{:g} and {:g}".format(*self.between)
                raise typer.BadParameter(f"{value:g} must lie between {bounds}")
            if math.isnan(value):
                raise typer.BadParameter("nan is no number")
        return value


#: Returns an argument: an option that is typed by its place.
argument = partial(Option, is_argument=True)


def switch(flag: str, text: str, default: bool | None = False) -> Option:
    """Return an option without a value, as ``--resume`` or ``--tiles/--no-tiles``."""
    return Option(None, text, bool, default, flag)


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


def choice(
    metavar: str, names: Names, text: str = "{}.", default: object = None, flag: str = ""
) -> Option:
    """Return an option that takes one of some names: help, shell and refusal know the same ones.

    Parameters
    ----------
    metavar
        As ``PRESET``.
    names, text, default, flag
        As those of an `Option`.
    """
    option = Option(metavar, text, default=default, flag=flag, names=names)

    def refuse_others(
        context: typer.Context, parameter: typer.CallbackParam, value: str | list[str] | None
    ) -> object:
        typed = [value] if isinstance(value, str) else value or ()
        if not context.resilient_parsing:  # the shell completes: an unfinished name is no mistake
            for name in typed:
                refuse_unknown(parameter.opts[0], name, option.complete(""), ExperimentError)
        return value

    return option._replace(check=refuse_others)


class Command:
    """A command: its function, what is typed, and its help.

    Parameters
    ----------
    function
        ``module:function`` in this package: it does the work, and returns the exit code if there
        are several. It is imported when the command runs.
    names
        Names of arguments and options, in the order of the help: ``source``, an argument;
        ``[source]``, an argument that may be left out; ``--source``, the option of a name that is
        an argument of another command.
    help_text
        The help: its first sentence stands in the help of all commands.
    groups
        Names of further options, by the title of their group in the help.
    own
        Arguments and options that only this command has, or declares otherwise than `SHARED`.
    """

    def __init__(
        self,
        function: str,
        names: str,
        help_text: str,
        /,
        *,
        groups: Mapping[str, str] | None = None,
        **own: Option,
    ) -> None:
        self.function = function
        self.help_text = cleandoc(help_text)
        self.group_of = {w: title for title, words in (groups or {}).items() for w in words.split()}
        self.words = [*names.split(), *self.group_of]
        self.own = own

    def runnable(self) -> Callable[..., int | None]:
        """Return a function from which typer reads the arguments and options."""
        inputs: dict[str, Option] = {}
        parameters = [Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        for word in self.words:
            if word not in OF_ALL_COMMANDS:
                name = word.strip("[]-")
                declared = self.own.get(name) or SHARED.get(word) or SHARED[name]
                required = declared.is_argument and not word.startswith("[")
                inputs[name] = declared
                parameters.append(declared.parameter(name, self.group_of.get(word), required))

        def run(context: typer.Context, **typed: object) -> int | None:
            # `main` has read the options of all commands
            for name, value in (context.obj or {}).items():
                if value and name not in self.words:
                    raise ExperimentError(f"{context.command_path} has no --{name}: leave it out")
                typed[name] = value or None
            with _starting(context):
                called = pkgutil.resolve_name(f"alignrank.experiments.{self.function}")
                _refuse_swapped(inputs, typed)
            code: int | None = called(**arguments_of(called, typed))
            return code

        run.__doc__ = self.help_text
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
        return run


@contextmanager
def _starting(context: typer.Context) -> Iterator[None]:
    """Say on a terminal that a command starts: a busy machine imports for a second."""
    words = f"{context.command_path}: starting"
    if not sys.stderr.isatty() or context.find_root().params.get("quiet"):
        words = ""
    print(words, end="\r" * bool(words), file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print(" " * len(words), end="\r" * bool(words), file=sys.stderr, flush=True)


def _refuse_swapped(inputs: Mapping[str, Option], typed: Mapping[str, Any]) -> None:
    """Refuse files whose content belongs to another argument."""
    # imported late: the help does not need it
    from alignrank.experiments.inputs.kinds_of_files import refuse_swapped

    for name, declared in inputs.items():
        files = typed.get(name)
        if declared.content and files:
            for file in files if isinstance(files, list) else [files]:
                refuse_swapped(str(declared.metavar), file, declared.content)


def arguments_of(function: Callable[..., object], typed: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments of a function: a typed value fills the parameter of its name.

    Else it fills the field of its name in a record (a dataclass) that the function takes.
    """
    stated = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in typed.items()
        if value is not None
    }
    parameters = signature(function, eval_str=True).parameters
    arguments = {name: stated.pop(name) for name in parameters if name in stated}
    for name, parameter in parameters.items():
        record = parameter.annotation
        if isinstance(record, type) and is_dataclass(record):
            # what is not written to JSON is computed, never typed
            written = [f.name for f in fields(record) if f.metadata.get("is_written", True)]
            inner = {field: stated.pop(field) for field in written if field in stated}
            arguments[name] = record(**inner)
    return arguments


def metric_names() -> list[str]:
    """Return the names of families and metrics."""
    from alignrank.matchers.by_name import METRICS  # late: the help does not need it

    return [*FAMILIES, *METRICS, DEFAULT_METRIC]


def measure_names() -> Iterable[str]:
    """Return the names of measures."""
    from alignrank.evaluation.measures.measure import MEASURES  # late, as above

    return MEASURES


def correction_names(comparisons: Literal["N×N"] | None = None) -> Iterable[str]:
    """Return the names of all corrections, or of those that serve all pairs."""
    from alignrank.evaluation.corrections.adjusting import (  # late, as above
        CORRECTIONS,
        corrections_for,
    )

    return corrections_for(comparisons) if comparisons else CORRECTIONS


#: Options of all commands, which `main` declares: each fills the parameter of its name.
OF_ALL_COMMANDS = ("data", "overwrite")

#: Arguments and options that several commands share, by the parameter that they fill. If a name is
#: an argument of some commands and an option of others, the option's key begins with ``--``.
SHARED = {
    "source": argument("SOURCE", "Source ontology, in any usual syntax.", Path, content="ontology"),
    "target": argument("TARGET", "Target ontology.", Path, content="ontology"),
    "reference": argument(
        "REFERENCE", "Reference alignment (RDF, SSSOM, CSV ...).", Path, content="alignment"
    ),
    "--source": Option(
        "FILE", "Source ontology: classes that share a parent form a cluster.", Path
    ),
    "--target": Option("FILE", "Target ontology.", Path),
    "--reference": Option(
        "PATH", "Reference alignment; of many tasks the folder of task.rdf.", Path
    ),
    "alignments": argument(
        "ALIGNMENT", "FILE, NAME=FILE, or a folder.", several=True, content="alignment"
    ),
    "task": Option(
        "NAME", "Instead of ontologies and reference: a task by name (alignrank data list)."
    ),
    "imports": Option("FOLDER", "Folder with local copies of imported ontologies.", Path),
    "clusters": Option(
        "WHAT",
        "Dependent items: parent (with --source), or a TSV of item, cluster.",
    ),
    "filters": Option(
        "RULE",
        "Filter of a track: {}; or keep only: relation==, kind=class; or leave entities out: "
        "without=IRI (repeatable); relation=any: relations do not matter; none: no filter, not "
        "even the track's.",
        several=True,
        names=filters,
    ),
    "columns": Option(
        "ROLES",
        "Columns of tables, where their names are not known: "
        "subject=NAME,object=NAME,relation=NAME,confidence=NAME; of answers item=NAME,right=NAME.",
        check=named_values("--columns", [*ROLES, *ANSWER_ROLES]),
    ),
    "predicates": Option(
        "NAME",
        "Predicate of the reference that counts, as skos:closeMatch (repeatable; default: all "
        "that state a relation).",
        several=True,
    ),
    "on_mismatch": choice(
        "WAY", get_args(Mismatch), "A result that is foreign or missing: {}.", "refuse"
    ),
    "lower_is_better": switch(
        "--lower-is-better", "The table's scores are errors, times or costs."
    ),
    "zero_division": choice("WAY", get_args(ZeroDivision), "What 0/0 means: {}.", "oaei"),
    "tie": choice(
        "WAY",
        get_args(Tie),
        "Equal scores: average (the expectation), min (optimistic), max or stable.",
        "average",
    ),
    "views": choice(
        "VIEW",
        VIEWS,
        "{} (repeatable; the first decides; default: entity, ifp, cfp).",
    )._replace(several=True),
    "focus": Option("SYSTEM", "Ask about this system only: how it does against each other one."),
    "protocol": Option("NAME", "mohammadi-2018: the McNemar paper to the letter."),
    "margin": Option(
        "X", "Differences below it count as equivalent", float, DEFAULTS.margin, between=(0, 1)
    ),
    "alpha": Option("X", "Family-wise error rate", float, DEFAULTS.alpha, between=(0, 1)),
    "out": Option("PATH", "Results folder (default: print only).", Path, flag="--out -o"),
    "resume": switch("--resume", "Go on where an earlier run into --out was stopped."),
    "metrics": Option(
        "NAME",
        f"Metric by name, or a family of nine: {listed(FAMILIES)} (repeatable; default: standard, "
        f"which is {listed(STANDARD, 'and')}; more: alignrank list metrics).",
        flag="--metric -m",
        several=True,
        names=metric_names,
    ),
    "metric": Option(
        "NAME",
        f"{listed(STANDARD)} (more: alignrank list metrics).",
        flag="--metric -m",
        names=metric_names,
    ),
    "labels": choice("PRESET", PRESETS, "Label preparation: {}.", "words"),
    "synonyms": switch("--synonyms/--no-synonyms", "Whether synonyms count as names.", True),
    "kinds": choice(
        "KIND",
        [*Kind],
        "Entities to match: {} (repeatable; default: every kind that both sides have).",
    )._replace(several=True),
    "label_properties": Option(
        "IRI",
        "Further property whose texts are labels, as http://schema.org/name (repeatable).",
        several=True,
    ),
    "langs": Option(
        "LANG",
        "Label language to keep, as en (repeatable; default: all).",
        several=True,
    ),
    "shared": choice("WAY", SAME_IRI, "Entities with the same IRI on both sides: {}.", "keep"),
    "structure": switch(
        "--structure/--no-structure",
        "Whether combined also weighs parents, children, domains, ranges and individuals.",
        True,
    ),
    "wordnet": Option(
        "FOLDER", "Add synonyms of WordNet, whose files are there, as /usr/share/wordnet."
    ),
    "threshold": Option(
        "X",
        f"Keep pairs at or above this similarity (default: {DEFAULTS.threshold:g}; "
        f"{DEFAULTS.probability:g} for combined).",
        float,
        flag="--threshold -t",
        least=0,
        most=1,
    ),
    "assignment": choice("METHOD", ASSIGNMENTS),
    "order": choice(
        "ORDER",
        ORDERS,
        "assign-then-cut (as the paper) or cut-then-assign: how assignment and threshold follow "
        "each other.",
        "assign-then-cut",
    ),
    "scheduler": Option("ADDRESS", "Dask scheduler to compute by, as tcp://HOST:8786."),
    "workers": Option(
        "N", "Compute by this number of Dask workers on this machine.", int, least=1, most=1024
    ),
    "n_resamples": Option(
        "N",
        "Number of random resamples.",
        int,
        DEFAULTS.n_resamples,
        least=1,
        most=100_000_000,
    ),
    "tiles": switch(
        "--tiles/--no-tiles",
        "Go without the whole matrix; needs --threshold above 0 and --order cut-then-assign "
        "(with these the default where it is much cheaper).",
        None,
    ),
}
