"""``rapidfuzz:<scorer>``: the scorers of rapidfuzz.fuzz and rapidfuzz.distance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matchers.metrics.base import Metric

from .names import find

if TYPE_CHECKING:
    from matchers.metrics.base import Batch, Matrix, Rows


def get_metric(name: str) -> Metric:
    """Return a scorer of RapidFuzz as a metric, scaled to [0, 1].

    Parameters
    ----------
    name
        A scorer of ``rapidfuzz.fuzz`` (``ratio``, ``WRatio``, ``token_set_ratio``, ...) or a
        module of ``rapidfuzz.distance`` that normalises (``Indel``, ``OSA``, ...).

    Raises
    ------
    MatcherError
        If RapidFuzz has no such scorer.

    Examples
    --------
    >>> get_metric("ratio").similarity("heart", "Heart")
    0.8
    """
    from rapidfuzz import distance, fuzz

    scorers: dict[str, tuple[Any, float]] = {
        one: (getattr(fuzz, one), 100.0) for one in dir(fuzz) if one.endswith(("ratio", "Ratio"))
    }
    for one in dir(distance):
        normalized = getattr(getattr(distance, one), "normalized_similarity", None)
        if normalized is not None and not one.endswith("_py"):
            scorers[one] = (normalized, 1.0)
    found = find(name, scorers, "rapidfuzz")
    scorer, scale = scorers[found]

    def similarity(s: str, t: str) -> float:
        return float(scorer(s, t)) / scale

    return Metric(
        name=f"rapidfuzz:{found}",
        family="rapidfuzz",
        similarity=similarity,
        batch=_cdist(scorer, scale),
        summary=f"RapidFuzz's {found}" + (", divided by 100" if scale != 1.0 else ""),
        source="RapidFuzz",
        symmetric=False,
        identity=False,
    )


def _cdist(scorer: Any, scale: float) -> Batch:
    def batch(sources: Sequence[str], targets: Sequence[str]) -> Rows:
        import numpy as np
        from rapidfuzz import process

        def fill(first: int, last: int, out: Matrix) -> None:
            some = sources[first:last]
            out[...] = process.cdist(some, targets, scorer=scorer, dtype=np.float64, workers=1)
            out /= scale

        return fill

    return batch
