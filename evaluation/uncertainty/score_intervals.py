"""Bootstrap intervals of precision, recall and F1, quick enough to stand beside every score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

import numpy as np

from evaluation.credit.counts import Item, judged_items, unjudged_pairs
from evaluation.credit.credits import ratios
from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment

from .bootstrap import Intervals, percentiles


def score_intervals(
    alignment: Alignment,
    reference: Alignment,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    clusters: Mapping[str, str] | None = None,
    relations: bool = True,
) -> Intervals:
    """Return percentile intervals of precision, recall and F1 by resampling source entities.

    It is the bootstrap of `evaluation.bootstrap` for ordinary scores, and draws from the same
    distribution. But an entity matters by three counts only (found, correct and reference
    correspondences), and few different triples occur: how often each is drawn is one multinomial
    number, whatever the number of entities.

    Parameters
    ----------
    alignment, reference
        As for `evaluation.score`.
    resamples, level, seed, clusters
        As for `evaluation.bootstrap`.
    relations
        As for `evaluation.score`.

    Raises
    ------
    EvaluationError
        If alignment and reference are empty, or a setting is out of range.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(100))
    >>> recall = score_intervals(r.where(lambda c: c.entity1 < "a6"), r)["recall"]
    >>> recall.estimate, 0.4 < recall.low < 0.5, 0.6 < recall.high < 0.7
    (0.56, True, True)
    """
    if resamples < 2 or not 0 < level < 1:
        raise EvaluationError(
            f"resamples {resamples} must be at least 2, and level {level} between 0 and 1"
        )
    unjudged = unjudged_pairs(reference)
    found = judged_items(alignment, unjudged, relations=relations)
    right = judged_items(reference, unjudged, relations=relations)
    if not found and not right:
        raise EvaluationError("alignment and reference are empty: there is nothing to resample")
    correct, a, r = (_by_unit(items, clusters or {}) for items in (found & right, found, right))
    kinds = Counter([(correct.get(u, 0), a.get(u, 0), r.get(u, 0)) for u in a.keys() | r.keys()])
    triples = np.array(sorted(kinds), dtype=np.float64)
    units = kinds.total()
    often = np.array([kinds[kind] for kind in sorted(kinds)])
    drawn = np.random.default_rng(seed).multinomial(units, often / units, size=resamples)
    order = [0, 1, 0, 2]  # correct, found, correct, reference: what `ratios` takes
    return Intervals(
        tuple(
            percentiles(name, float(value), sample, level)
            for name, value, sample in zip(
                ("precision", "recall", "f1"),
                ratios((often @ triples)[order]),
                ratios((drawn @ triples)[:, order]).T,
                strict=True,
            )
        ),
        units,
        resamples,
        level,
        seed,
    )


def _by_unit(items: Iterable[Item], clusters: Mapping[str, str]) -> Counter[Hashable]:
    """Count items by cluster, or by source entity where it is in none."""
    sources: Counter[Hashable] = Counter([item[0] for item in items])
    for source in clusters.keys() & sources.keys():
        sources["cluster", clusters[source]] += sources.pop(source)
    return sources
