"""Judge systems by the alignment files that they produced, or by a bare table of counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from evaluation import (
    VIEWS,
    Against,
    Comparison,
    against,
    compare,
    compare_counts,
    compare_judged,
    read_counts,
)
from evaluation.measures.measure import Context, get_measure
from experiments.errors import ExperimentError
from experiments.inputs.input_cautions import check_reference
from experiments.inputs.named_inputs import (
    PARENT,
    named_clusters,
    named_files,
    read_reference,
    read_systems,
)
from experiments.ranking.rank import labels
from experiments.report.comparison_page import comparison_report, write_report
from experiments.report.console import console, finish, print_comparison, print_notes
from experiments.report.html import Report
from experiments.results.folder import check_free, results_folder
from experiments.results.writing import (
    Provenance,
    drawable_curves,
    score_bounds,
    summary,
    view_figures,
    write_comparison,
    write_figures,
)
from ontologies import Alignment, load_ontology, namespace
from ontologies.common.files import sha256
from ontologies.common.table import write_rows
from ontologies.common.wording import count

from .beyond_arrows import Findings, find

DEFAULT_VIEWS = ("ifp", "cfp", "entity")


@dataclass(frozen=True)
class Options:
    """How `compare` decides.

    Parameters
    ----------
    test, correction
        None: ``mid-p`` (``sign-flip`` with clusters, ``exact`` with `strict`), and
        ``bergmann-hommel`` (``holm`` with `against`).
    alpha
        Family-wise error rate.
    strict
        Exact tests with Bergmann–Hommel: the family-wise error is controlled, not only close.
    views
        ``ifp``, ``cfp``, ``entity``, ``entity-target``.
    against
        Compare all others with this system only.
    margin
        Differences below it count as none.
    measure
        Compare by this measure with paired randomisation instead of by McNemar's test.
    swaps, seed
        Of the randomisation.
    clusters
        ``parent``, or a TSV file of entity and cluster.
    source, target
        The ontologies: clusters and some measures need them; with both the report has labels and
        near misses.
    imports
        Folder with local copies of what they import.
    items
        |R| of a bare table of counts.
    """

    test: str | None = None
    correction: str | None = None
    alpha: float = 0.05
    strict: bool = False
    views: tuple[str, ...] = DEFAULT_VIEWS
    against: str | None = None
    margin: float = 0.01
    measure: str | None = None
    swaps: int = 20_000
    seed: int = 0
    clusters: str | None = None
    source: Path | None = None
    target: Path | None = None
    imports: Path | None = None
    items: int | None = None

    def __post_init__(self) -> None:
        unknown = [view for view in self.views if view not in VIEWS]
        if unknown:
            raise ExperimentError(f"--view {unknown[0]!r} is unknown: use {', '.join(VIEWS)}")
        if not 0 < self.margin < 1:
            raise ExperimentError(f"--margin {self.margin:g} must lie between 0 and 1")
        if self.items is not None and self.items < 1:
            raise ExperimentError(f"--items {self.items}: a reference has 1 correspondence or more")
        if self.strict and (self.test or self.correction):
            raise ExperimentError(
                "--strict sets test and correction: leave --test, --correction out"
            )
        if self.measure and (self.test or self.strict):
            raise ExperimentError(
                "--measure decides by randomisation: leave --test and --strict out"
            )

        if self.measure and self.views != DEFAULT_VIEWS:
            raise ExperimentError("--measure is compared by itself: leave --view out")
        if not self.measure and (self.swaps, self.seed) != (20_000, 0):
            raise ExperimentError("--swaps and --seed belong to --measure: add it, or leave them")

    @property
    def chosen_test(self) -> str | None:
        """The test that was asked for, None for the default."""
        return "exact" if self.strict else self.test

    @property
    def all_pairs_correction(self) -> str:
        """The correction over all pairs."""
        return self.correction if self.correction and not self.against else "bergmann-hommel"


def compare_files(
    reference: Path,
    alignments: Sequence[str],
    options: Options,
    *,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Read, compare, print, and write the results folder (`alignrank compare`)."""
    if out is not None:
        check_free(out, overwrite=overwrite)
    if not alignments:
        _compare_table(reference, options, out=out, overwrite=overwrite)
        return
    if options.items is not None:
        raise ExperimentError("--items goes with a table of counts: the reference has its own size")
    files = named_files(alignments)
    judge = read_reference(reference)
    systems = read_systems(files)
    notes = check_systems(systems, judge)
    one, two = (
        None if path is None else load_ontology(path, imports=options.imports)
        for path in (options.source, options.target)
    )
    context = Context(one, two)
    if context.complete:
        notes += check_reference(judge, *context.ontologies)
    clusters, unclustered = named_clusters(
        options.clusters,
        context,
        (*systems.values(), judge),
        by_target=options.views == ("entity-target",),
    )
    notes += unclustered
    if options.measure:
        comparison = _by_measure(systems, judge, clusters, context, options)
    else:
        comparison = compare(
            systems,
            judge,
            test=options.chosen_test,
            correction=options.all_pairs_correction,
            alpha=options.alpha,
            views=cast(Any, options.views),
            clusters=clusters,
        )
    inputs = {
        "reference": {"path": str(reference), "sha256": judge.sha256},
        **_further_inputs(options, context),
        **{
            f"alignment {name}": {"path": str(files[name]), "sha256": system.sha256}
            for name, system in systems.items()
        },
    }
    heading = f"{len(systems)} systems judged by {reference}"
    title = f"{len(systems)} systems judged by {reference.name}"
    content, findings = _summarise(comparison, options, inputs, notes)
    content["intervals"] = score_bounds(systems, judge, clusters)
    parents = None if one is None or two is None else (one.parents, two.parents)
    report = comparison_report(
        comparison,
        content,
        systems,
        judge,
        drawable_curves(systems, judge),
        title=title,
        label=labels(*(ontology for ontology in (one, two) if ontology)),
        parents=parents,
        tables=findings.tables(),
    )
    _finish(comparison, content, findings, options, systems, report, heading, out, overwrite)


def _further_inputs(options: Options, context: Context) -> dict[str, dict[str, str]]:
    """Return ontologies and clusters with their hashes, those that were given."""
    read = {
        "source": (options.source, context.source),
        "target": (options.target, context.target),
    }
    inputs = {
        side: {"path": str(path), "sha256": ontology.sha256}
        for side, (path, ontology) in read.items()
        if ontology is not None
    }
    if options.clusters is not None and options.clusters != PARENT:
        found = Path(options.clusters).read_bytes()
        inputs["clusters"] = {"path": options.clusters, "sha256": sha256(found)}
    return inputs


def _finish(
    comparison: Comparison,
    content: Mapping[str, Any],
    findings: Findings,
    options: Options,
    systems: Mapping[str, Alignment],
    report: Report,
    heading: str,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Write the results, then print them: what was computed is kept even if nobody reads it."""
    against_all = _one_against_all(comparison, options)
    if out is not None:
        with results_folder(out, overwrite=overwrite) as folder:
            write_comparison(folder, comparison, content, systems)
            write_figures(folder / "figures", view_figures(content))
            write_report(folder, report)
            findings.write(folder / "tables")
            _write_against(folder / "tables", against_all)
    print_comparison(content, heading=heading)
    _print_findings(comparison, findings, against_all)
    finish(content, out)


def _compare_table(path: Path, options: Options, *, out: Path | None, overwrite: bool) -> None:
    """Compare systems of which only discordant counts are known."""
    given = {
        "--measure": options.measure,
        "--cluster": options.clusters,
        "--source": options.source,
        "--target": options.target,
    }
    useless = [name for name, value in given.items() if value is not None]
    if path.is_file() and path.read_bytes()[:512].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        raise ExperimentError(f"{path} is an alignment, no table: name the systems' files after it")
    if useless or len(options.views) not in (1, 3):
        which = useless[0] if useless else "a second --view"
        raise ExperimentError(
            f"{which} needs alignments: a table holds the counts of one view only"
        )
    table = read_counts(path)
    named = next((view for view in VIEWS if path.stem.endswith(f"-{view}")), "ifp")
    view, notes = options.views[0], []
    if options.views == DEFAULT_VIEWS:
        view, notes = named, [f"the counts are taken for those of {named} (--view names another)"]
    comparison = compare_counts(
        table.matrix,
        table.systems,
        view=view,
        test=options.chosen_test or "mid-p",
        correction=options.all_pairs_correction,
        alpha=options.alpha,
        reference=options.items,
    )
    inputs = {"counts": {"path": str(path), "sha256": sha256(path.read_bytes())}}
    heading = f"{len(table.systems)} systems by the counts in {path}"
    content, findings = _summarise(comparison, options, inputs, notes)
    tables = findings.tables()
    report = comparison_report(
        comparison, content, {}, Alignment(), {}, title=path.name, tables=tables
    )
    _finish(comparison, content, findings, options, {}, report, heading, out, overwrite)


def _summarise(
    comparison: Comparison,
    options: Options,
    inputs: Mapping[str, Mapping[str, str]],
    notes: Sequence[str],
) -> tuple[dict[str, Any], Findings]:
    findings = find(comparison, margin=options.margin)
    settings = {
        "command": "compare",
        **{k: str(v) if isinstance(v, Path) else v for k, v in asdict(options).items()},
        "test": comparison.test,
        "correction": comparison.correction,
        "views": list(comparison.views),
    }
    content = summary(comparison, Provenance(settings, inputs), {"notes": list(notes)})
    return content, findings


#: Values of the standard measure that the fast randomisation knows.
_STANDARD = ("precision", "recall", "f1", "f0.5", "f2", "overall", "jaccard")


def _by_measure(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    clusters: Mapping[str, str] | None,
    context: Context,
    options: Options,
) -> Comparison:
    """Compare by a measure: its name, or name and value as in ``relaxed-symmetric:recall``."""
    assert options.measure is not None
    name, _, value = options.measure.partition(":")
    if name in _STANDARD:
        name, value = "standard", name
    measure = get_measure(name)
    value = value or ("f1" if "f1" in measure.columns else measure.columns[0])
    if value not in measure.columns and name != "standard":
        raise ExperimentError(
            f"measure {name!r} has no value {value!r}: use one of {', '.join(measure.columns)}"
        )
    how: dict[str, Any] = {
        "name": options.measure.replace(":", "-"),
        "clusters": clusters,
        "swaps": options.swaps,
        "seed": options.seed,
        "correction": options.all_pairs_correction,
        "alpha": options.alpha,
    }
    return compare_judged(systems, reference, lambda a, r: measure(a, r, context), value, **how)


def _one_against_all(comparison: Comparison, options: Options) -> list[Against]:
    if options.against is None:
        return []
    correction = options.correction or "holm"
    return [against(view, options.against, correction) for view in comparison.views.values()]


def _print_findings(
    comparison: Comparison, findings: Findings, against_all: Sequence[Against]
) -> None:
    from rich.table import Table

    out = console()
    for found in against_all:
        out.print()
        out.print(f"{found.view}: {found.system} against each other ({found.correction}, N×1)")
        table = Table(box=None, pad_edge=False)
        for name in ("other", "advantage", "p", "adjusted p", "verdict"):
            table.add_column(name, justify="left" if name == "other" else "right")
        rows = zip(found.others, found.advantage, found.p, found.adjusted, strict=True)
        for other, ahead, p, adjusted in rows:
            verdict = found.verdicts[other]
            table.add_row(other, f"{ahead:g}", f"{p:.4g}", f"{adjusted:.4g}", verdict)
        out.print(table)
    print_notes(findings.sentences())
    print_notes([comparison.validity])


def _write_against(folder: Path, against_all: Sequence[Against]) -> None:
    for found in against_all:
        frame = found.to_frame()
        rows = frame.values.tolist()
        write_rows(folder / f"against-{found.view}.csv", list(frame.columns), rows)


def check_systems(systems: Mapping[str, Alignment], reference: Alignment) -> list[str]:
    """Return what the reader of these systems' scores must know, as sentences.

    Raises
    ------
    ExperimentError
        If a side of a system's alignment shares neither entity nor namespace with the reference:
        the files belong to another task, are swapped, or spell a namespace differently. Nothing in
        them could be right, and a score of zero would not say why.
    """
    notes = []
    for name, system in systems.items():
        if not system:
            notes.append(f"{name}: no correspondence in {system.path}")
        for role, other in (("entity1", "entity2"), ("entity2", "entity1")):
            found = {getattr(c, role) for c in system}
            known = {getattr(c, role) for c in reference}
            if not found or found & known:
                continue
            if {namespace(iri) for iri in found} & {namespace(iri) for iri in known}:
                notes.append(
                    f"{name}: none of its {len(found)} {role} entities occurs in the reference"
                )
                continue
            hint = "swapping source and target would not mend it; `alignrank diagnose` says why"
            if found & {getattr(c, other) for c in reference}:
                hint = "swapping source and target would mend it"
            elif _folded(found) & _folded(known):
                hint = "the namespaces differ in case only: `alignrank diagnose --mend` mends that"
            raise ExperimentError(
                f"{system.path}: none of its {len(found)} {role} entities, nor their namespace, "
                f"occurs in the reference {reference.path} (such as {min(found)}); {hint}"
            )
        notes += reading_notes(name, system)
    return notes


def _folded(iris: set[str]) -> set[str]:
    return {namespace(iri).casefold() for iri in iris}


def reading_notes(name: str, system: Alignment) -> list[str]:
    """Return what the reader had to mend in one file, as sentences."""
    notes = []
    if system.notes.duplicates:
        notes.append(f"{name}: {count(system.notes.duplicates, 'duplicate cell')} merged")
    if system.notes.clipped:
        percent = 2 < system.notes.largest <= 100
        hint = "; they look like percentages" if percent else ""
        notes.append(
            f"{name}: {count(system.notes.clipped, 'confidence')} outside [0, 1] clipped "
            f"(largest {system.notes.largest:g}{hint})"
        )
    for relation, n in sorted(system.notes.unknown_relations.items()):
        notes.append(f"{name}: {count(n, 'cell')} with unknown relation {relation!r} taken as ?")
    return notes
