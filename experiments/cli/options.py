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
    flag: str,
    metavar: str,
    text: str,
    *,
    min: float | None = None,  # noqa: A002  # as typer calls them
    max: float | None = None,  # noqa: A002
    autocompletion: Callable[[str], list[str]] | None = None,
) -> OptionInfo:
    """Return an option with a value: how it is written, what stands for the value, the help."""
    made: OptionInfo = typer.Option(
        flag, metavar=metavar, help=text, min=min, max=max, autocompletion=autocompletion
    )
    return made


def argument(
    metavar: str, text: str, *, autocompletion: Callable[[str], list[str]] | None = None
) -> ArgumentInfo:
    """Return an argument: what stands for it, and the help."""
    made: ArgumentInfo = typer.Argument(metavar=metavar, help=text, autocompletion=autocompletion)
    return made


def choice(flag: str, metavar: str, names: Iterable[str], text: str = "{}.") -> OptionInfo:
    """Return an option that takes one of some names: help, shell and refusal know the same ones.

    Parameters
    ----------
    flag, metavar
        As ``--labels`` and ``PRESET``.
    names
        From a registry.
    text
        The help; ``{}`` stands for the names.
    """
    known = tuple(names)

    def refuse_others(context: typer.Context, value: str | list[str] | None) -> object:
        given = [value] if isinstance(value, str) else value or ()
        for name in () if context.resilient_parsing else given:
            refuse_unknown(flag, name, known, ExperimentError)
        return value

    listed = f"{', '.join(known[:-1])} or {known[-1]}"
    made = option(flag, metavar, text.format(listed), autocompletion=completing(known))
    made.callback = refuse_others
    return made


def output_format(*forms: str) -> OptionInfo:
    """Return the option ``--format`` of a command whose result ``--json`` prints as JSON."""
    option = choice("--format", "FORMAT", forms)
    refuse_others = option.callback

    def agreeing(context: typer.Context, form: str) -> object:
        if context.find_root().params["as_json"] and form != "json":
            refuse(f"--json and --format {form} contradict each other: give one of them")
        return refuse_others(context, form) if refuse_others else form

    option.callback = agreeing
    return option


def refuse(reason: str) -> NoReturn:
    """Raise the error that is printed as one line."""
    raise ExperimentError(reason)


Source = Annotated[Path, argument("SOURCE", "Source ontology, in any usual syntax.")]
Target = Annotated[Path, argument("TARGET", "Target ontology.")]
Reference = Annotated[Path, argument("REFERENCE", "Reference alignment (RDF, SSSOM, CSV ...).")]
SourceFile = Annotated[Path | None, option("--source", "FILE", "Source ontology.")]
TargetFile = Annotated[Path | None, option("--target", "FILE", "Target ontology.")]
Imports = Annotated[
    Path | None,
    option("--imports", "FOLDER", "Folder with local copies of imported ontologies."),
]
Clusters = Annotated[
    str | None,
    option(
        "--cluster", "WHAT", "Dependent items: parent (with --source), or a TSV of item, cluster."
    ),
]
MendNamespaces = Annotated[
    bool,
    typer.Option(
        "--mend-namespaces", help="Read namespaces that differ in case as the reference's."
    ),
]
Alpha = Annotated[float, option("--alpha", "X", "Family-wise error rate.", min=0, max=1)]
Out = Annotated[Path | None, option("--out", "PATH", "Results folder (default: print only).")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Write into a folder that is not empty.")
]
Replace = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]
TableOrJson = Annotated[str, output_format("table", "json")]
TableCsvOrJson = Annotated[str, output_format("table", "csv", "json")]
