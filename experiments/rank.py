"""The main job: one ontology pair in, an alignment per metric and a ranking of the metrics out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluation import Comparison, compare
from evaluation.comparison import check
from evaluation.crossfit import crossfit
from matchers import (
    Candidates,
    Matching,
    Settings,
    get_metric,
    match,
    match_all,
    prepare,
    select_metrics,
)
from matchers.registry import FAMILIES
from ontologies import Alignment, Ontology, load_ontology, local_name, write_alignment
from ontologies.progress import track
from ontologies.wording import count

from .drawing import Drawing
from .errors import ExperimentError
from .inputs import read_reference
from .outputs import Provenance, drawable_curves, score_bounds, summary, write_comparison
from .report.build import comparison_report
from .report.console import finish, print_comparison, print_notes, say
from .runs import check_writable, results_folder
from .tie_proof import Edge, TieRange, tie_proof, tie_ranges

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ranking:
    """What `rank` computes from an ontology pair, before anything is written.

    Parameters
    ----------
    comparison
        The statistical comparison of the metrics.
    matchings
        Each metric's assignment and total similarity, by name.
    alignments
        What was compared: the matchings' alignments, or what cross-fitted thresholds left of them.
    candidates
        The prepared pair: entities, names, what was left out.
    ties
        By metric: what all optimal assignments have in common.
    tie_proof
        By view: arrows that hold whichever optimal assignments are taken.
    thresholds
        Cross-fitted thresholds of the two halves, by metric; empty without.
    notes
        Sentences that the reader should know.
    """

    comparison: Comparison
    matchings: dict[str, Matching]
    alignments: dict[str, Alignment]
    candidates: Candidates
    ties: dict[str, TieRange]
    tie_proof: dict[str, list[Edge]]
    thresholds: dict[str, tuple[float, float]]
    notes: tuple[str, ...]


def rank(
    source: Ontology,
    target: Ontology,
    reference: Alignment,
    *,
    metrics: Sequence[str] = ("standard",),
    settings: Settings | None = None,
    test: str = "mid-p",
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    best_threshold: bool = False,
    seed: int = 0,
    drawing: Drawing | None = None,
) -> Ranking:
    """Match `source` and `target` with every metric, and compare the alignments.

    Parameters
    ----------
    source, target
        The ontologies.
    reference
        What is right.
    metrics
        Names of metrics or families.
    settings
        Labels, synonyms, kinds, languages, threshold, assignment.
    test, correction, alpha
        As `evaluation.compare` takes them.
    best_threshold, seed
        Cut each alignment at F1-optimal thresholds by cross-fitting (`evaluation.crossfit`).
    drawing
        Begins what it can do beside this: kernels, and the figures that need no comparison.

    Raises
    ------
    ExperimentError
        If no entity of the reference is in the ontologies, or nothing can be matched.
    """
    chosen = select_metrics(metrics)
    check([metric.name for metric in chosen], test, correction, alpha)
    notes = check_reference(reference, source, target)
    candidates = prepare(source, target, settings or Settings())
    _LOG.info("%d candidate pairs, %d metrics", candidates.pairs, len(chosen))
    if drawing is not None:
        drawing.compile([metric.name for metric in chosen if metric.batch], candidates)
    matchings = {
        matching.metric: matching
        for matching in track(match_all(candidates, chosen), len(chosen), "matching")
    }
    alignments = {name: matching.alignment for name, matching in matchings.items()}
    thresholds = {}
    if best_threshold:
        fitted = {name: crossfit(a, reference, seed=seed) for name, a in alignments.items()}
        alignments = {name: fit.alignment for name, fit in fitted.items()}
        thresholds = {name: fit.thresholds for name, fit in fitted.items()}
    if drawing is not None:
        drawing.draw_curves(drawable_curves(alignments, reference))
    _LOG.info("matched; comparing %d alignments", len(alignments))
    comparison = compare(alignments, reference, test=test, correction=correction, alpha=alpha)
    # ranges over ties are those of the assignments; a cut that depends on them has none
    known = {} if best_threshold else tie_ranges(matchings, reference)
    proven = tie_proof(comparison, known) if known else {}
    return Ranking(
        comparison,
        matchings,
        alignments,
        candidates,
        known,
        proven,
        thresholds,
        (
            *_ontology_notes(source, target),
            *notes,
            *_matching_notes(candidates, matchings),
            *_tie_notes(comparison, proven),
        ),
    )


def check_reference(reference: Alignment, source: Ontology, target: Ontology) -> list[str]:
    """Return a sentence on each side whose entities the ontologies do not all hold.

    Raises
    ------
    ExperimentError
        If a side's entities are all missing: the message says how many there are, and whether
        swapping source and target would mend it.
    """
    notes = []
    sides = (
        ("entity1", {c.entity1 for c in reference}, source, "source"),
        ("entity2", {c.entity2 for c in reference}, target, "target"),
    )
    lost = {role: entities - ontology.entities.keys() for role, entities, ontology, _ in sides}
    if any(len(lost[role]) == len(entities) for role, entities, _, _ in sides):
        turned = sum(c.entity1 in target and c.entity2 in source for c in reference)
        counts = " and ".join(
            f"{len(entities) - len(lost[role])} of its {len(entities)} {role} entities are in "
            f"the {side} {ontology.path}"
            for role, entities, ontology, side in sides
        )
        hint = (
            f"swapping source and target mends it ({turned} of {len(reference)} then fit)"
            if turned
            else "swapping source and target would not mend it: are these the right files?"
        )
        raise ExperimentError(f"the reference {reference.path} does not fit: {counts}; {hint}")
    for role, entities, ontology, side in sides:
        if lost[role]:
            notes.append(
                f"{len(lost[role])} of the reference's {len(entities)} {role} entities are not in "
                f"the {side} {ontology.path} (first: {min(lost[role])}): nobody can find them"
            )
    return notes


def _matching_notes(candidates: Candidates, matchings: Mapping[str, Matching]) -> list[str]:
    notes = []
    for side, nameless in zip(("source", "target"), candidates.nameless, strict=True):
        if nameless:
            left_out = count(nameless, f"{side} entity")
            notes.append(f"{left_out} without a name to match by: left out")
    for name, matching in matchings.items():
        if matching.clipped:
            clipped = count(matching.clipped, "similarity")
            notes.append(f"{name}: confidence 1 for {clipped} above 1")
    return notes


def _tie_notes(comparison: Comparison, proven: Mapping[str, Sequence[Edge]]) -> list[str]:
    notes = []
    for view, arrows in proven.items():
        open_ones = [e for e in comparison.edges[view][comparison.correction] if e not in arrows]
        if open_ones:
            shown = ", ".join(f"{better} over {worse}" for better, worse in open_ones[:6])
            more = f" and {len(open_ones) - 6} more" if len(open_ones) > 6 else ""
            notes.append(
                f"{view}: not proven against ties (another optimal assignment might undo it): "
                f"{shown}{more}"
            )
    if proven and "entity" in comparison.views:
        notes.append("entity: its arrows are not tested against ties")
    return notes


def _ontology_notes(*ontologies: Ontology) -> list[str]:
    notes = []
    for ontology in ontologies:
        for reason, n in sorted(ontology.left_out.items()):
            if n:
                notes.append(f"{ontology.path}: {count(n, f'{reason} entity')} left out")
        if ontology.missing_imports:
            missing = ", ".join(ontology.missing_imports)
            notes.append(
                f"{ontology.path}: imports not found locally: {missing} (give a folder of files "
                "with --imports)"
            )
    return notes


def rank_pair(
    source: Path,
    target: Path,
    reference: Path,
    *,
    metrics: Sequence[str],
    settings: Settings,
    imports: Path | None,
    test: str,
    correction: str,
    alpha: float,
    best_threshold: bool = False,
    seed: int = 0,
    out: Path | None,
    overwrite: bool,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Load, rank, print, and write the results folder (`alignrank rank`).

    `facts` go into ``summary.json`` as they are.
    """
    with ExitStack() as stack:
        folder = drawing = None
        if out is not None:
            folder = stack.enter_context(results_folder(out, overwrite=overwrite))
            # It starts now: it is ready when there is something to draw.
            drawing = stack.enter_context(Drawing(folder / "figures"))
        judge = read_reference(reference)
        left = load_ontology(source, imports=imports)
        right = load_ontology(target, imports=imports)
        ranking = rank(
            left,
            right,
            judge,
            metrics=metrics,
            settings=settings,
            test=test,
            correction=correction,
            alpha=alpha,
            best_threshold=best_threshold,
            seed=seed,
            drawing=drawing,
        )
        provenance = Provenance(
            settings={
                "command": "rank",
                **plain_settings(settings),
                "metrics": list(ranking.matchings),
                "test": test,
                "correction": correction,
                "alpha": alpha,
                **({"threshold": "best", "seed": seed} if best_threshold else {}),
            },
            inputs={
                "source": {"path": str(source), "sha256": left.sha256},
                "target": {"path": str(target), "sha256": right.sha256},
                "reference": {"path": str(reference), "sha256": judge.sha256},
            },
        )
        extra = {
            "total_similarity": {name: dict(m.totals) for name, m in ranking.matchings.items()},
            "protocol": settings.protocol,
            "thresholds": {name: list(pair) for name, pair in ranking.thresholds.items()},
            "tie_proof": {view: list(arrows) for view, arrows in ranking.tie_proof.items()},
            "notes": list(ranking.notes),
            **(facts or {}),
        }
        content = summary(ranking.comparison, provenance, extra)
        for name, known in ranking.ties.items():
            content["counts"][name] |= {
                "correct_min": known.correct_min,
                "correct_max": known.correct_max,
            }
        content["intervals"] = score_bounds(ranking.alignments, judge)
        if folder is not None and drawing is not None:
            drawing.draw_views(content)  # while the rest is written
            report = comparison_report(
                ranking.comparison,
                content,
                ranking.alignments,
                judge,
                title=f"{len(ranking.alignments)} metrics on {source.stem} and {target.stem}",
                label=labels(left, right),
                parents=(left.parents, right.parents),
            )
            write_comparison(folder, ranking.comparison, content, ranking.alignments, report)
            drawing.wait()
    print_comparison(content, heading=_heading(ranking, settings))
    finish(content, out)


def match_pair(
    source: Path,
    target: Path,
    *,
    metric: str,
    settings: Settings,
    imports: Path | None,
    out: Path,
    overwrite: bool,
) -> None:
    """Load, match with one metric and write the alignment (`alignrank match`)."""
    if out.exists() and not overwrite:
        raise ExperimentError(f"{out} exists: name another file with --out, or add --overwrite")
    check_writable(out)
    if metric in FAMILIES:
        raise ExperimentError(
            f"{metric!r} is nine metrics: name one, such as {FAMILIES[metric][1]}"
        )
    chosen = get_metric(metric)
    left = load_ontology(source, imports=imports)
    right = load_ontology(target, imports=imports)
    matching = match(prepare(left, right, settings), chosen)
    write_alignment(matching.alignment, out)
    notes = _ontology_notes(left, right)
    print_notes(notes)
    found = count(len(matching.alignment), "correspondence")
    say(f"{found} ({matching.protocol}), total similarity {matching.total:.6f}: {out}")
    content = {
        "metric": matching.metric,
        "correspondences": len(matching.alignment),
        "total_similarity": matching.total,
        "protocol": matching.protocol,
        "out": str(out),
        "notes": notes,
    }
    finish(content, None)


def demo(out: Path | None, *, overwrite: bool) -> None:
    """Rank the nine standard metrics on the bundled library pair (`alignrank demo`)."""
    from ontologies.tasks import bundled_task

    task = bundled_task("library")
    rank_pair(
        task.source,
        task.target,
        task.reference,
        metrics=["standard"],
        settings=Settings(),
        imports=None,
        test="mid-p",
        correction="bergmann-hommel",
        alpha=0.05,
        out=out,
        overwrite=overwrite,
    )


def labels(*ontologies: Ontology) -> Callable[[str], str]:
    """Return a function from IRI to the entity's first name."""

    def label(iri: str) -> str:
        for ontology in ontologies:
            if iri in ontology:
                return ontology.entities[iri].names()[0]
        return local_name(iri)

    return label


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings as ``summary.json`` holds them."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(settings).items()}


def _heading(ranking: Ranking, settings: Settings) -> str:
    names = "labels and synonyms" if settings.synonyms else "labels"
    cut = f", threshold {settings.threshold:g}" if settings.threshold else ""
    if ranking.thresholds:
        cut = ", cross-fitted thresholds"
    return (
        f"{len(ranking.matchings)} metrics on {names} ({settings.labels}), "
        f"{settings.assignment} assignment, {settings.protocol}{cut}"
    )
