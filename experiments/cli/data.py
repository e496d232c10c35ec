"""Commands on files: show, explain, convert, merge, check, and those of data."""

from __future__ import annotations

import typer

from alignrank.experiments.looking.alignment_files import check_files, convert_file, merge_files
from alignrank.experiments.looking.data_sets import (
    add_task,
    fetch_data,
    list_data,
    path_of_data,
    verify_data,
)
from alignrank.experiments.looking.explain import explain_pair
from alignrank.experiments.looking.show import show_files
from alignrank.ontologies.formats import WRITABLE

from .options import argument, choice, command, metric_names, option

show = command(
    show_files,
    paths=argument("FILE", "An ontology; or an alignment, its source and its target."),
    page=typer.Option("--open", help="Open the page on which the mapping is corrected."),
    out=option("PAGE", "Write that page (default: the alignment's name with .html).", flag="--out"),
)

convert = command(
    convert_file,
    path=argument("ALIGNMENT", "In any known format."),
    out=argument("OUT", f"Ends in {', '.join(row.endings[0] for row in WRITABLE.values())}."),
    form=choice(
        "FORMAT", WRITABLE, "Format, where the ending does not say it: {}.", flag="--format"
    ),
    source=option("FILE", "Source ontology: its labels are added."),
    target=option("FILE", "Target ontology: its labels are added."),
)

merge = command(
    merge_files,
    alignment=argument("ALIGNMENT", "Between the two, in any known format."),
    out=option("FILE", "Merged ontology: .owl, .ttl or .nt.", flag="--out -o"),
    join=typer.Option("--join", help="Put entities that = relates under one IRI, the source's."),
    repaired=option("FILE", "Write the alignment without the correspondences to blame."),
)

check = command(
    check_files,
    paths=argument("FILE", "Ontologies, then the reference, then alignments; whatever there is."),
    mend=typer.Option("--fix", help="Write what can be mended safely into --out."),
    out=option("PATH", "Folder of the mended files.", flag="--out -o"),
)

data_app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="List, fetch, add, find and check the field's data.",
)

data_app.command("list")(command(list_data))
data_app.command("fetch")(
    command(
        fetch_data,
        names=argument("NAME", "As alignrank data list names them."),
        systems=option("YEAR", "Also the systems' alignments of a year (repeatable)."),
        offline=typer.Option("--offline", help="Touch no network: check what is there."),
    )
)
data_app.command("add")(command(add_task, name=argument("NAME", "What the task is to be called.")))
data_app.command("path")(command(path_of_data, name=argument("NAME", "As data list names it.")))
data_app.command("verify")(
    command(verify_data, names=argument("NAME", "Default: all that is there."))
)


explain = command(
    explain_pair,
    "source target name1 name2 reference metrics labels synonyms wordnet structure langs "
    "threshold assignment order imports label_properties",
    name1=argument("E1", "Source entity: IRI, its last part, or a label."),
    name2=argument("E2", "Target entity."),
    metrics=option(
        "NAME",
        "Metric or family (repeatable; default: combined, as match takes it, and standard).",
        flag="--metric -m",
        autocompletion=metric_names,
    ),
)
