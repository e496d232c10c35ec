"""Print and write the differences of two mappings, where there is no reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import join

from alignrank.common.errors import Argument
from alignrank.common.files import write_text
from alignrank.common.names import count
from alignrank.common.results import version
from alignrank.common.table import Table
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions
from alignrank.experiments.inputs.named_inputs import labels
from alignrank.experiments.report.console import (
    finish,
    print_cautions,
    print_prose,
    print_table,
    say,
)
from alignrank.experiments.report.pairs_page import review_page
from alignrank.experiments.results.folder import results_folder
from alignrank.ontologies import (
    Alignment,
    Entity,
    Kind,
    Label,
    Ontology,
    load_pair,
    write_alignment,
)
from alignrank.ontologies.alignment import OBJECT_LABEL, SUBJECT_LABEL, with_labels
from alignrank.ontologies.curation import (
    KINDS,
    SAME,
    differences,
    marked_union,
    said,
)

MAPPINGS = "two mappings"
#: The number of different pairs that are printed.
LISTED = 10


@dataclass(frozen=True)
class MappingsInput:
    """Two mappings whose differences are listed; nothing is compared by statistics.

    Parameters
    ----------
    first, second
        The mappings.
    ontologies
        The files of source and target; None: only the labels that the mappings state are known.
    """

    first: Alignment
    second: Alignment
    ontologies: tuple[Path, Path] | None


def read_mappings(files: Sequence[Path], options: AlignmentOptions) -> MappingsInput:
    """Read two mappings; either both ontologies are named, or none."""
    if (options.source is None) != (options.target is None):
        raise ExperimentError(
            f"name both ontologies, {Argument('source')} and {Argument('target')}, or neither"
        )
    ontologies = None
    if isinstance(options.source, Path) and isinstance(options.target, Path):
        ontologies = options.source, options.target
    reader = options.reader.among(files)
    first, second = (reader.system(path, path.name) for path in files)
    return MappingsInput(first, second, ontologies)


def tell_differences(
    record: MappingsInput, *, out: Path | None = None, overwrite: bool = False
) -> None:
    """Print the differences of two mappings, and write them as SSSOM and as a page.

    Parameters
    ----------
    record
        The mappings and their ontologies.
    out, overwrite
        The folder for ``diff.sssom.tsv`` and ``diff.html``, and whether it may hold files already.
    """
    first, second, ontologies = record.first, record.second, record.ontologies
    sides = _named(first, second)
    if ontologies is not None:
        sides = load_pair(*ontologies)
    label = labels(*sides)
    pair_differences = differences(first, second)
    counts = Counter(difference.kind for difference in pair_differences)
    different = [
        {"pair": d.pair, "kind": d.kind, "first": said(d.first), "second": said(d.second)}
        for d in pair_differences
        if d.kind != SAME
    ]
    pairs = count(len(pair_differences), "pair")
    print_prose(
        f"{len(different):,} of {pairs} differ between {first.path} (the first) and {second.path} "
        "(the second)."
    )
    numbers = [[kind, f"{counts[kind]:,}"] for kind in KINDS if counts[kind]]
    print_table(Table("", ["difference", "pairs"], numbers))
    rows = [
        [d["kind"], label(d["pair"][0]), d["first"], d["second"], label(d["pair"][1])]
        for d in different[:LISTED]
    ]
    if rows:
        header = ["difference", "source", "the first says", "the second says", "target"]
        print_table(Table("", header, rows))
    if len(different) > LISTED:
        print_prose(f"{len(different) - LISTED:,} more differ.")
    files = [first.path, second.path]
    if out is None:
        print_prose("No file is written: --out FOLDER saves all as SSSOM and as a page.")
    else:
        union = with_labels(marked_union(pair_differences, second), *sides)
        with results_folder(out, overwrite=overwrite) as folder:
            write_alignment(union, folder / "diff.sssom.tsv")
            page = review_page(union, *sides, name="diff-corrected.sssom.tsv", sorting="change")
            write_text(folder / "diff.html", page)
        print_prose(f"Results: {out}")
    if different:
        pair = "SOURCE TARGET" if ontologies is None else join(map(str, ontologies))
        say("`alignrank sample` asks a judge first what differs.")
        say(f"Next: alignrank sample {pair} {join(files)}")
    if first.pairs.isdisjoint(second.pairs) and first.pairs & {(b, a) for a, b in second.pairs}:
        print_cautions(["one of them names the ontologies in the other order"])
    finish(
        {
            "first": first.path,
            "second": second.path,
            "counts": {kind: counts[kind] for kind in KINDS},
            "different": different,
            "version": version(),
        }
    )


def _named(*mappings: Alignment) -> tuple[Ontology, Ontology]:
    """Return two ontologies that hold the labels which mappings state, and nothing else."""
    sources: dict[str, Entity] = {}
    targets: dict[str, Entity] = {}
    for mapping in mappings:
        for statement in (*mapping, *mapping.negated):
            facts = dict(statement.extra)
            for iri, side, name in (
                (statement.entity1, sources, SUBJECT_LABEL),
                (statement.entity2, targets, OBJECT_LABEL),
            ):
                if text := facts.get(name):
                    side[iri] = Entity(iri, Kind.CLASS, (Label(text),))
    return Ontology("", sources), Ontology("", targets)
