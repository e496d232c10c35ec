"""Arguments and options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.models import ArgumentInfo, OptionInfo

from experiments.errors import ExperimentError
from ontologies.common.names import refuse_unknown


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

    Its flag is the parameter's name, as ``--zero-division`` of `zero_division`, unless it is given.
    """
    flags = [flag] if flag else []
    made: OptionInfo = typer.Option(
        *flags, metavar=metavar, help=text, min=min, max=max, autocompletion=autocompletion
    )
    return made


def argument(
    metavar: str, text: str, *, autocompletion: Callable[[str], list[str]] | None = None
) -> ArgumentInfo:
    """Return an argument: what stands for it, and the help."""
    made: ArgumentInfo = typer.Argument(metavar=metavar, help=text, autocompletion=autocompletion)
    return made


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

    listed = f"{', '.join(known[:-1])} or {known[-1]}"
    made = option(metavar, text.format(listed), flag=flag, autocompletion=completing(known))
    made.callback = refuse_others
    return made


def output_format(*forms: str) -> OptionInfo:
    """Return the option ``--format`` of a command whose result ``--json`` prints as JSON."""
    option = choice("FORMAT", forms, flag="--format")
    refuse_others = option.callback

    def agreeing(context: typer.Context, parameter: typer.CallbackParam, form: str) -> object:
        if context.find_root().params["as_json"] and form != "json":
            refuse(f"--json and --format {form} contradict each other: give one of them")
        return refuse_others(context, parameter, form) if refuse_others else form

    option.callback = agreeing
    return option


def refuse(reason: str) -> NoReturn:
    """Raise the error that is printed as one line."""
    raise ExperimentError(reason)


Source = Annotated[Path, argument("SOURCE", "Source ontology, in any usual syntax.")]
Target = Annotated[Path, argument("TARGET", "Target ontology.")]
Reference = Annotated[Path, argument("REFERENCE", "Reference alignment (RDF, SSSOM, CSV ...).")]
SourceFile = Annotated[Path | None, option("FILE", "Source ontology.")]
TargetFile = Annotated[Path | None, option("FILE", "Target ontology.")]
Imports = Annotated[
    Path | None, option("FOLDER", "Folder with local copies of imported ontologies.")
]
Clusters = Annotated[
    str | None,
    option("WHAT", "Dependent items: parent (with --source), or a TSV of item, cluster."),
]
MendNamespaces = Annotated[
    bool,
    typer.Option(
        "--mend-namespaces", help="Read namespaces that differ in case as the reference's."
    ),
]
Alpha = Annotated[float, option("X", "Family-wise error rate.", min=0, max=1)]
Out = Annotated[Path | None, option("PATH", "Results folder (default: print only).")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Write into a folder that is not empty.")
]
Replace = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]
TableOrJson = Annotated[str, output_format("table", "json")]
TableCsvOrJson = Annotated[str, output_format("table", "csv", "json")]
