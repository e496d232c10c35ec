"""Whether the verdicts remain if entities depend on each other in further ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from alignrank.common.results import Caution
from alignrank.evaluation.corrections.adjustment import adjust_pairs
from alignrank.evaluation.ranking import Edge, rank
from alignrank.evaluation.significance.clustered import cluster_index
from alignrank.evaluation.significance.crossed import (
    crossed_test,
    grandparent_clusters,
    head_words,
    reference_clusters,
)
from alignrank.evaluation.significance.mcnemar import PairTest
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.ontology import Ontology

from .contingency import VIEWS, decisions, incidence
from .pairwise import Pairwise


def dependence_checks(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    view: Pairwise,
    ontology: Ontology,
    clusters: Mapping[str, str],
    crossing: Mapping[str, str] | None,
) -> Iterator[Caution]:
    """Yield a sentence for each check under which a significant difference does not remain.

    The first check takes entities together that share the last word of their label, beside the
    clusters of both sides; the second one flips whole clusters of entities that share a
    grandparent. Each is made by itself. A difference remains if it is significant by default and
    by the check.

    Parameters
    ----------
    alignments, reference
        What was compared.
    view
        The view that decides, compared by ``sign-flip`` with these clusters.
    ontology
        That of the view's entities.
    clusters, crossing
        As in `alignrank.evaluation.compare`.
    """
    side = 1 if view.view == "entity-target" else 0
    decided = decisions(incidence(alignments, reference), view.view)
    entities, right, named = decided.entities, decided.right, decided.named
    across = []
    if crossing is not None:
        pairs = ((pair[side], pair[1 - side]) for pair in reference.pairs)
        across.append(cluster_index(entities, reference_clusters(pairs, crossing)))
    words = [*across, cluster_index(entities, head_words(ontology))]
    source = cluster_index(entities, clusters)
    by_words = crossed_test(right, source, words, named).test
    grandparents = cluster_index(entities, grandparent_clusters(clusters, ontology))
    by_grandparents = crossed_test(right, grandparents, across, named).test
    yield from _lost(view, by_words, "share the last word of their label", "head-words")
    yield from _lost(view, by_grandparents, "share a grandparent", "grandparents")


def _lost(view: Pairwise, test: PairTest, shared: str, kind: str) -> Iterator[Caution]:
    """Yield a sentence on the differences that are significant by default, not by this test."""
    if view.correction == "westfall-young":  # it resamples answers, and takes no p-values
        return
    focus = None if view.focus is None else view.systems.index(view.focus)
    adjusted = adjust_pairs(test.p, view.correction, alpha=view.alpha, focus=focus)
    remaining = set(rank(view.systems, test.advantage, adjusted.values, view.alpha).edges)
    lost: list[Edge] = [edge for edge in view.edges if edge not in remaining]
    if lost:
        listed = ", ".join(f"{better} > {worse}" for better, worse in lost[:3])
        more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        number = len(view.edges)
        yield Caution(
            kind,
            f"With classes taken together that {shared}, {number - len(lost)} of {number} "
            f"significant differences remain: not {listed}{more}.",
        )


def checks_dependence(view: Pairwise) -> bool:
    """Return whether `dependence_checks` can be made: of decisions, by the default test."""
    return view.test == "sign-flip" and view.view in VIEWS and view.is_clustered
