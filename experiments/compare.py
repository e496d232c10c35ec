"""Judge systems by the alignment files that they produced, or by a bare table of counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from evaluation import (
    Against,
    Comparison,
    against,
    compare,
    compare_counts,
    compare_judged,
    compare_measure,
    parent_clusters,
    read_clusters,
    read_counts,
)
from evaluation.context import Context
from evaluation.credits import Credits
from evaluation.measures import get_measure
from ontologies import Alignment, load_ontology
from ontologies.files import sha256

from .errors import ExperimentError
from .findings import Findings, find
from .inputs import named_files, read_reference, read_systems
from .outputs import Provenance, summary, write_comparison
from .report.build import comparison_report
from .report.console import console, print_comparison, print_notes
from .runs import check_free, results_folder


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
        The ontologies, where clusters or the measure need them.
    items
        |R| of a bare table of counts.
    """

    test: str | None = None
    correction: str | None = None
    alpha: float = 0.05
    strict: bool = False
    views: tuple[str, ...] = ("ifp", "cfp", "entity")
    against: str | None = None
    margin: float = 0.01
    measure: str | None = None
    swaps: int = 20_000
    seed: int = 0
    clusters: str | None = None
    source: Path | None = None
    target: Path | None = None
    items: int | None = None

    def __post_init__(self) -> None:
        if self.strict and (self.test or self.correction):
            raise ExperimentError(
                "--strict sets test and correction: leave --test, --correction out"
            )
        if self.measure and (self.test or self.strict):
            raise ExperimentError(
                "--measure decides by randomisation: leave --test and --strict out"
            )

    @property
    def chosen_test(self) -> str | None:
        """The test that was asked for, None for the default."""
        return "exact" if self.strict else self.test

    @property
    def all_pairs_correction(self) -> str:
        """The correction over all pairs."""
        return self.correction if self.correction and not self.against else "bergmann-hommel"


def compare_files(
    reference: Path, alignments: Sequence[str], options: Options, *, out: Path, overwrite: bool
) -> None:
    """Read, compare, print, and write the results folder (`alignrank compare`)."""
    check_free(out, overwrite=overwrite)
    if not alignments:
        _compare_table(reference, options, out=out, overwrite=overwrite)
        return
    files = named_files(alignments)
    judge = read_reference(reference)
    systems = read_systems(files)
    notes = check_systems(systems, judge)
    clusters = _clusters(options)
    if options.measure:
        comparison = _by_measure(systems, judge, clusters, options)
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
        **{n: {"path": str(files[n]), "sha256": s.sha256} for n, s in systems.items()},
    }
    content, findings = _summarise(comparison, options, inputs, notes)
    print_comparison(content, heading=f"{len(systems)} systems judged by {reference}")
    _print_findings(comparison, findings, options)
    report = comparison_report(
        comparison,
        content,
        systems,
        judge,
        title=f"{len(systems)} systems judged by {reference.name}",
        tables=findings.tables(),
    )
    with results_folder(out, overwrite=overwrite) as folder:
        write_comparison(folder, comparison, content, systems, report, judge)
        findings.write(folder / "tables")
        _write_against(folder / "tables", comparison, options)
    print(f"Results: {out}")


def _compare_table(path: Path, options: Options, *, out: Path, overwrite: bool) -> None:
    """Compare systems of which only discordant counts are known."""
    table = read_counts(path)
    comparison = compare_counts(
        table.matrix,
        table.systems,
        view=options.views[0],
        test=options.chosen_test or "mid-p",
        correction=options.all_pairs_correction,
        alpha=options.alpha,
        reference=options.items,
    )
    inputs = {"counts": {"path": str(path), "sha256": sha256(path.read_bytes())}}
    content, findings = _summarise(comparison, options, inputs, [])
    print_comparison(content, heading=f"{len(table.systems)} systems by the counts in {path}")
    _print_findings(comparison, findings, options)
    report = comparison_report(
        comparison, content, {}, Alignment(), title=path.name, tables=findings.tables()
    )
    with results_folder(out, overwrite=overwrite) as folder:
        write_comparison(folder, comparison, content, {}, report)
        findings.write(folder / "tables")
        _write_against(folder / "tables", comparison, options)
    print(f"Results: {out}")


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


def _clusters(options: Options) -> dict[str, str] | None:
    if options.clusters is None:
        return None
    if options.clusters != "parent":
        return read_clusters(options.clusters)
    if options.source is None:
        raise ExperimentError("--cluster parent needs the source ontology: give --source")
    return parent_clusters(load_ontology(options.source))


#: Values of the standard measure that the fast randomisation knows.
_STANDARD = ("precision", "recall", "f1", "f0.5", "f2", "overall", "jaccard")


def _by_measure(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    clusters: Mapping[str, str] | None,
    options: Options,
) -> Comparison:
    """Compare by a measure: its name, or name and value as in ``relaxed-symmetric:recall``."""
    assert options.measure is not None
    name, _, value = options.measure.partition(":")
    if name in _STANDARD:
        name, value = "standard", name
    measure = get_measure(name)
    one, two = (
        None if path is None else load_ontology(path) for path in (options.source, options.target)
    )
    context = Context(one, two)
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
    earned = {s: measure(a, reference, context) for s, a in systems.items()}
    parts = {s: judgement for s, judgement in earned.items() if isinstance(judgement, Credits)}
    if len(parts) == len(earned):
        return compare_measure(parts, value, **how)
    return compare_judged(systems, reference, lambda a, r: measure(a, r, context), value, **how)


def _one_against_all(comparison: Comparison, options: Options) -> list[Against]:
    if options.against is None:
        return []
    correction = options.correction or "holm"
    return [against(view, options.against, correction) for view in comparison.views.values()]


def _print_findings(comparison: Comparison, findings: Findings, options: Options) -> None:
    from rich.table import Table

    out = console()
    for found in _one_against_all(comparison, options):
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


def _write_against(folder: Path, comparison: Comparison, options: Options) -> None:
    from .report.csvs import write_rows

    for found in _one_against_all(comparison, options):
        frame = found.to_frame()
        rows = frame.values.tolist()
        write_rows(folder / f"against-{found.view}.csv", list(frame.columns), rows)


def check_systems(systems: Mapping[str, Alignment], reference: Alignment) -> list[str]:
    """Return what readers had to mend in the systems' files, as sentences.

    Raises
    ------
    ExperimentError
        If a system's entities do not occur in the reference at all: the files belong to another
        task, are swapped, or use other namespaces.
    """
    left = {c.entity1 for c in reference}
    right = {c.entity2 for c in reference}
    notes = []
    for name, system in systems.items():
        ones = {c.entity1 for c in system}
        twos = {c.entity2 for c in system}
        if system and not ones & left and not twos & right:
            turned = len(ones & right) + len(twos & left)
            hint = (
                "source and target look swapped"
                if turned
                else "swapping source and target would not mend it: compare the namespaces"
            )
            raise ExperimentError(
                f"{system.path}: none of its {len(ones)} source and {len(twos)} target entities "
                f"occurs in the reference {reference.path}; {hint}"
            )
        if not system:
            notes.append(f"{name}: no correspondence in {system.path}")
        notes += reading_notes(name, system)
    return notes


def reading_notes(name: str, system: Alignment) -> list[str]:
    """Return what the reader had to mend in one file, as sentences."""
    notes = []
    if system.notes.duplicates:
        notes.append(f"{name}: {system.notes.duplicates} duplicate cells merged")
    if system.notes.clipped:
        percent = 2 < system.notes.largest <= 100
        hint = "; they look like percentages" if percent else ""
        notes.append(
            f"{name}: {system.notes.clipped} confidences outside [0, 1] clipped "
            f"(largest {system.notes.largest:g}{hint})"
        )
    for relation, count in sorted(system.notes.unknown_relations.items()):
        notes.append(f"{name}: {count} cells with unknown relation {relation!r} taken as ?")
    return notes
