"""Judge systems by the alignment files that they produced, or by a bare table of counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

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
from evaluation.measures.measure import get_measure
from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import Judged, labels, read_judged
from experiments.report.comparison_page import comparison_report, write_report
from experiments.report.console import console, finish, print_cautions, print_numbers
from experiments.report.publish import (
    drawable_curves,
    print_comparison,
    score_bounds,
    write_comparison,
    write_figures,
)
from experiments.results.folder import results_folder
from experiments.results.handover import check_free
from experiments.results.provenance import InputFile, Provenance
from experiments.results.result import ComparisonResult
from ontologies.common.files import sha256
from ontologies.common.table import write_rows

from .beyond_arrows import Findings, find

DEFAULT_VIEWS = ("ifp", "cfp", "entity")


@dataclass(frozen=True)
class CompareOptions:
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
    filters
        What is not judged (`ontologies.tasks.filters`).
    on_mismatch
        What becomes of a system that is foreign to the reference: ``refuse``, ``zero``, ``drop``.
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
    filters: tuple[str, ...] = ()
    on_mismatch: str = "refuse"

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


@dataclass(frozen=True)
class Compared:
    """What was read and compared.

    Parameters
    ----------
    comparison
        What was computed.
    inputs
        The files that were read.
    cautions
        What the reader must know of them.
    judged
        The systems and what is right; None where only counts are known.
    """

    comparison: Comparison
    inputs: Mapping[str, InputFile]
    cautions: Sequence[str]
    judged: Judged | None = None


def compare_files(
    reference: Path,
    alignments: Sequence[str] = (),
    *,
    options: CompareOptions,
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Compare systems by the alignment files that they produced.

    Example: alignrank compare reference.rdf AML=aml.rdf LogMap=logmap.rdf --out results
    """
    if out is not None:
        check_free(out, overwrite=overwrite)
    if alignments:
        compared = _compare_alignments(reference, alignments, options)
        many = f"{len(compared.comparison.systems)} systems judged by"
        heading, title = f"{many} {reference}", f"{many} {reference.name}"
    else:
        compared = _compare_table(reference, options)
        many = f"{len(compared.comparison.systems)} systems by the counts in"
        heading, title = f"{many} {reference}", reference.name
    comparison = compared.comparison
    beyond = find(comparison, margin=options.margin)
    against_all = _one_against_all(comparison, options)
    result = _summarised(compared, options)
    if out is not None:
        with results_folder(out, overwrite=overwrite) as folder:
            _publish(folder, compared, result, beyond, title)
            _write_against(folder / "tables", against_all)
    print_comparison(result, heading=heading)
    _print_against(against_all)
    print_cautions(beyond.sentences())
    print_cautions([comparison.validity])
    finish(result.to_dict(), out)


def _compare_alignments(
    reference: Path, alignments: Sequence[str], options: CompareOptions
) -> Compared:
    """Read alignment files, and compare them."""
    if options.items is not None:
        raise ExperimentError("--items goes with a table of counts: the reference has its own size")
    read = read_judged(
        reference,
        alignments,
        source=options.source,
        target=options.target,
        imports=options.imports,
        cluster=options.clusters,
        filters=options.filters,
        on_mismatch=options.on_mismatch,
        by_target=options.views == ("entity-target",),
    )
    if options.measure:
        comparison = _by_measure(read, options)
    else:
        comparison = compare(
            read.systems,
            read.reference,
            test=options.chosen_test,
            correction=options.all_pairs_correction,
            alpha=options.alpha,
            views=options.views,
            clusters=read.clusters,
        )
    return Compared(comparison, read.inputs, read.cautions, read)


def _compare_table(path: Path, options: CompareOptions) -> Compared:
    """Read a table, and compare systems of which only discordant counts are known."""
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
    view, cautions = options.views[0], []
    if options.views == DEFAULT_VIEWS:
        view = named
        cautions = [f"the counts are taken for those of {named} (--view names another)"]
    comparison = compare_counts(
        table.matrix,
        table.systems,
        view=view,
        test=options.chosen_test or "mid-p",
        correction=options.all_pairs_correction,
        alpha=options.alpha,
        reference=options.items,
    )
    inputs = {"counts": InputFile(str(path), sha256(path.read_bytes()))}
    return Compared(comparison, inputs, cautions)


def _summarised(compared: Compared, options: CompareOptions) -> ComparisonResult:
    """Return what is told of the comparison."""
    comparison = compared.comparison
    settings = {
        "command": "compare",
        **{k: str(v) if isinstance(v, Path) else v for k, v in asdict(options).items()},
        "test": comparison.test,
        "correction": comparison.correction,
        "views": list(comparison.views),
    }
    intervals = None
    if judged := compared.judged:
        intervals = score_bounds(judged.systems, judged.reference, judged.clusters)
    provenance = Provenance(settings, compared.inputs)
    return ComparisonResult.of(
        comparison, provenance, cautions=compared.cautions, intervals=intervals
    )


def _publish(
    folder: Path, compared: Compared, result: ComparisonResult, beyond: Findings, title: str
) -> None:
    """Write everything into `folder`."""
    judged = compared.judged or Judged()
    systems, reference, context = judged.systems, judged.reference, judged.context
    curves = drawable_curves(systems, reference) if systems else {}
    ontologies = [ontology for ontology in (context.source, context.target) if ontology]
    parents = (ontologies[0].parents, ontologies[1].parents) if context.complete else None
    report = comparison_report(
        compared.comparison,
        result,
        systems,
        reference,
        curves,
        title=title,
        label=labels(*ontologies),
        parents=parents,
        tables=beyond.tables(),
    )
    write_comparison(folder, compared.comparison, result, systems)
    write_figures(folder / "figures", result, {})
    write_report(folder, report, result.views[0])
    beyond.write(folder / "tables")


#: Values of the standard measure that the fast randomisation knows.
_STANDARD = ("precision", "recall", "f1", "f0.5", "f2", "overall", "jaccard")


def _by_measure(
    read: Judged,
    options: CompareOptions,
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
    return compare_judged(
        read.systems,
        read.reference,
        lambda alignment, right: measure(alignment, right, read.context),
        value,
        name=options.measure.replace(":", "-"),
        clusters=read.clusters,
        swaps=options.swaps,
        seed=options.seed,
        correction=options.all_pairs_correction,
        alpha=options.alpha,
    )


def _one_against_all(comparison: Comparison, options: CompareOptions) -> list[Against]:
    if options.against is None:
        return []
    correction = options.correction or "holm"
    return [against(view, options.against, correction) for view in comparison.views.values()]


def _print_against(against_all: Sequence[Against]) -> None:
    out = console()
    for view in against_all:
        rows = [
            [other, f"{ahead:g}", f"{p:.4g}", f"{adjusted:.4g}", view.verdicts[other]]
            for other, ahead, p, adjusted in zip(
                view.others, view.advantage, view.p, view.adjusted, strict=True
            )
        ]
        header = ["other", "advantage", "p", "adjusted p", "verdict"]
        out.print()
        out.print(f"{view.view}: {view.system} against each other ({view.correction}, N×1)")
        print_numbers(header, rows)


def _write_against(folder: Path, against_all: Sequence[Against]) -> None:
    for found in against_all:
        frame = found.to_frame()
        rows = frame.values.tolist()
        write_rows(folder / f"against-{found.view}.csv", list(frame.columns), rows)
