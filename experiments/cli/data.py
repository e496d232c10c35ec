"""Commands on files: show, explain, convert, merge, check, and those of data."""

from __future__ import annotations

from pathlib import Path

import typer

from alignrank.ontologies.formats import WRITABLE

from .options import Command, Option, argument, choice, metric_names, switch

show = Command(
    "looking.show:show_files",
    "paths page out imports label_properties overwrite",
    """Take a quick look at an ontology, or at a mapping.

    Of an ontology: what it holds, how its entities are named, what was left out. Of an alignment
    and its two ontologies: the surest and the least sure pairs, what is not one-to-one, what is
    left over. The page shows all pairs with their neighbours and saves a corrected mapping.

    Example: alignrank show a.owl

    Example: alignrank show a-b.rdf a.owl b.owl --open

    Example: alignrank show edges.csv --open (of join)
    """,
    paths=argument(
        "FILE", "An ontology; or an alignment, its source and its target.", Path, several=True
    ),
    page=switch("--open", "Open the page on which the mapping is corrected."),
    out=Option(
        "PAGE", "Write that page (default: the alignment's name with .html).", Path, flag="--out"
    ),
)


convert = Command(
    "looking.alignment_files:convert_file",
    "path out form columns --source --target imports overwrite",
    """Convert an alignment file.

    Nothing is lost, and what a format cannot say is reported. With both ontologies, the labels of
    the entities are added.

    Example: alignrank convert reference.rdf reference.sssom.tsv

    Example: alignrank convert reference.rdf reference.csv --source a.owl --target b.owl

    Example: alignrank convert mine.csv mine.rdf --columns subject=old,object=new,confidence=p
    """,
    path=argument("ALIGNMENT", "In any known format.", Path),
    out=argument("OUT", f"Ends in {', '.join(row.endings[0] for row in WRITABLE.values())}.", Path),
    form=choice(
        "FORMAT",
        WRITABLE,
        "Format, where the ending does not say it: {}.",
        flag="--format",
    ),
    source=Option("FILE", "Source ontology: its labels are added.", Path),
    target=Option("FILE", "Target ontology: its labels are added.", Path),
)


merge = Command(
    "looking.alignment_files:merge_files",
    "source target alignment out join repaired imports columns predicates overwrite",
    """Merge two ontologies by an alignment; say what breaks and why.

    Every axiom of both files and of their imports is kept; each correspondence is an axiom with its
    confidence and file. What became unsatisfiable is found in what was read back, by the reasoner
    that is installed (rustdl, or HermiT with Java), else by reachability.

    Example: alignrank merge a.owl b.owl reference.rdf --out merged.owl
    """,
    alignment=argument("ALIGNMENT", "Between the two, in any known format.", Path),
    out=Option("FILE", "Merged ontology: .owl, .ttl or .nt.", Path, ..., flag="--out -o"),
    join=switch("--join", "Put entities that = relates under one IRI, the source's."),
    repaired=Option("FILE", "Write the alignment without the correspondences to blame.", Path),
)


check = Command(
    "looking.alignment_files:check_files",
    "paths mend out columns imports label_properties overwrite",
    """Check files: what is wrong, why nothing matches; mend it.

    Of ontologies and alignments each is checked by itself; with two ontologies, whether they and
    the alignments meet; the first alignment is the reference, by which the others are evaluated.
    Exit code 1 where something should be mended.

    Example: alignrank check mine.rdf

    Example: alignrank check a.owl b.owl reference.rdf mine.rdf --fix --out mended
    """,
    paths=argument(
        "FILE",
        "Ontologies, then the reference, then alignments; whatever there is.",
        Path,
        several=True,
    ),
    mend=switch("--fix", "Write what can be mended safely into --out."),
    out=Option("PATH", "Folder of the mended files.", Path, flag="--out -o"),
)


data_app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="List, fetch, add, find and check the field's data.",
)


#: The commands of `data`.
DATA = {
    "list": Command(
        "looking.data_sets:list_data",
        "data",
        """List what can be fetched, and the tasks that are here.

    Example: alignrank data list
    """,
    ),
    "fetch": Command(
        "looking.data_sets:fetch_data",
        "names systems offline data",
        """Fetch data; what is there already is checked and kept.

    Example: alignrank data fetch anatomy --systems 2018
    """,
        names=argument("NAME", "As alignrank data list names them.", several=True),
        systems=Option(
            "YEAR", "Also the systems' alignments of a year (repeatable).", several=True
        ),
        offline=switch("--offline", "Touch no network: check what is there."),
    ),
    "add": Command(
        "looking.data_sets:add_task",
        "name source target reference data",
        """Make a task by name of an ontology pair of your own.

    The files are copied into the data folder; `rank --task NAME` and experiments find them.

    Example: alignrank data add mine A.owl B.owl reference.rdf
    """,
        name=argument("NAME", "What the task is to be called."),
    ),
    "path": Command(
        "looking.data_sets:path_of_data",
        "name data",
        """Print the folder of fetched or added data.

    Example: ls "$(alignrank data path anatomy)"
    """,
        name=argument("NAME", "As data list names it."),
    ),
    "verify": Command(
        "looking.data_sets:verify_data",
        "[names] data",
        """Check fetched data by its checksums.

    Exit code 1 if any file is missing or changed.

    Example: alignrank data verify anatomy
    """,
        names=argument("NAME", "Default: all that is there.", several=True),
    ),
}
for _name, _command in DATA.items():
    data_app.command(_name)(_command.runnable())


explain = Command(
    "looking.explain:explain_pair",
    "source target name1 name2 --reference metrics labels synonyms wordnet structure "
    "langs threshold assignment order imports label_properties",
    """Say why two entities were matched or not, metric by metric.

    Example: alignrank explain a.owl b.owl Reviewer Referee --reference reference.rdf
    """,
    name1=argument("E1", "Source entity: IRI, its last part, or a label."),
    name2=argument("E2", "Target entity."),
    metrics=Option(
        "NAME",
        "Metric or family (repeatable; default: combined, as match takes it, and standard).",
        flag="--metric -m",
        several=True,
        names=metric_names,
    ),
)
