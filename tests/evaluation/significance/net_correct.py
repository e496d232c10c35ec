"""Net correct decisions of right and wrong answers, with clusters, as `compare` counts them."""

from __future__ import annotations

from collections.abc import Sequence

from alignrank.evaluation.comparison.contingency import discordant
from alignrank.evaluation.significance.crossed import dependence
from alignrank.evaluation.significance.mcnemar import Bools, Ints
from alignrank.evaluation.significance.score_limits import Discordance, net_decisions


def net_correct(
    right: Bools,
    reference: int,
    source: Ints,
    crossing: Sequence[Ints] = (),
    *,
    mentioned: Bools | None = None,
) -> Discordance:
    of_clusters = dependence(right, source, crossing, mentioned)
    largest = of_clusters.items / max(reference, 1)
    return net_decisions(
        discordant(right), reference, of_clusters.spread, of_clusters.degrees, largest=largest
    )
