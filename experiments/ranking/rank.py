"""The main job: an ontology pair in, an alignment per metric and a ranking of the metrics out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evaluation import Comparison, compare
from evaluation.comparison.compare import check
from evaluation.measures.threshold_curve import Curve, crossfit
from experiments.errors import ExperimentError
from experiments.inputs.input_cautions import (
    check_reference,
    nameless_notes,
    ontology_notes,
    out_of_reach,
)
from experiments.results.writing import drawable_curves
from matchers import (
    Candidates,
    Matching,
    Settings,
    match_all,
    prepare,
    select_metrics,
)
from ontologies import Alignment, Ontology, local_name
from ontologies.common.progress import track
from ontologies.common.wording import count

from .second_process import SecondProcess
from .thresholds import check_protocol
from .tie_proof import Edge, TieRange, bounds, tie_proof

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
    curves
        Each of these along the threshold; empty if there are too many to show.
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
    curves: dict[str, Curve]
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
    second: SecondProcess | None = None,
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
        Cut each alignment at F1-optimal thresholds by cross-fitting
        (`evaluation.measures.threshold_curve`).
    second
        Does beside this what it can: compile kernels, and draw figures.

    Raises
    ------
    ExperimentError
        If no entity of the reference is in the ontologies, or nothing can be matched.
    """
    chosen = select_metrics(metrics)
    settings = settings or Settings()
    if len(chosen) < 2:
        raise ExperimentError(
            f"rank compares metrics, and only {chosen[0].name} is named: name another with "
            "--metric (alignrank match writes the alignment of one)"
        )
    if best_threshold:
        check_protocol(settings)
    check([metric.name for metric in chosen], test, correction, alpha)
    notes = check_reference(reference, source, target)
    candidates = prepare(source, target, settings)
    _LOG.info("%d candidate pairs, %d metrics", candidates.pairs, len(chosen))
    if second is not None:
        second.compile([metric.name for metric in chosen if metric.kernel], candidates)
    matchings: dict[str, Matching] = {}
    ties: dict[str, TieRange] = {}
    for matching in track(match_all(candidates, chosen), len(chosen), "matching"):
        matchings[matching.metric] = matching
        if not best_threshold:  # a cut that depends on the ties has no range over them
            ties[matching.metric] = bounds(matching, reference)
    alignments = {name: matching.alignment for name, matching in matchings.items()}
    thresholds: dict[str, tuple[float, float]] = {}
    if best_threshold:
        split = {c.entity1 for alignment in alignments.values() for c in alignment}
        for name, alignment in alignments.items():
            fitted = crossfit(alignment, reference, seed=seed, entities=split)
            thresholds[name] = fitted.thresholds
            stated = " and ".join(f"{threshold:.4g}" for threshold in fitted.thresholds)
            alignments[name] = fitted.alignment.with_correspondences(
                fitted.alignment, threshold=f"best ({stated})"
            )
    curves = drawable_curves(alignments, reference)
    if second is not None:
        second.draw_curves(curves)
    _LOG.info("matched; comparing %d alignments", len(alignments))
    comparison = compare(alignments, reference, test=test, correction=correction, alpha=alpha)
    if second is not None:
        second.draw_views(comparison)
    proven = tie_proof(comparison, ties) if ties else {}
    return Ranking(
        comparison,
        matchings,
        alignments,
        curves,
        candidates,
        ties,
        proven,
        thresholds,
        (
            *ontology_notes(source, target),
            *notes,
            *out_of_reach([(reference, source)], settings),
            *nameless_notes(candidates),
            *_matching_notes(matchings),
            *_threshold_notes(thresholds, seed),
            *_tie_notes(comparison, proven),
        ),
    )


def _threshold_notes(thresholds: Mapping[str, tuple[float, float]], seed: int) -> list[str]:
    if not thresholds:
        return []
    pairs = ", ".join(f"{name} {one:.3g} and {two:.3g}" for name, (one, two) in thresholds.items())
    return [
        f"thresholds of the two halves (--seed {seed}; another seed halves otherwise): {pairs}",
        "no ranges over ties, and no arrow is tested against them: which pairs a threshold leaves "
        "depends on the optimal assignment that was taken",
    ]


def _matching_notes(matchings: Mapping[str, Matching]) -> list[str]:
    notes = []
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
    if proven and comparison.edges.get("entity", {}).get(comparison.correction):
        notes.append("entity: its arrows are not tested against ties")
    return notes


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
