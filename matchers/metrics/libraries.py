"""Metrics of other libraries, each by a name with a colon."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import textdistance
from rapidfuzz import distance, fuzz, process

from matchers.errors import MatcherError
from ontologies.common.names import hint

from .metric import Batch, Matrix, Metric, Rows

#: Of a metric that is not ours nothing is promised.
_foreign = partial(Metric, symmetric=False, identity=False)


def rapidfuzz_metric(name: str) -> Metric:
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
    >>> rapidfuzz_metric("ratio").similarity("heart", "Heart")
    0.8
    """
    scorers: dict[str, tuple[Callable[..., float], float]] = {
        scorer: (getattr(fuzz, scorer), 100.0)
        for scorer in dir(fuzz)
        if scorer.endswith(("ratio", "Ratio"))
    }
    for module in dir(distance):
        normalized = getattr(getattr(distance, module), "normalized_similarity", None)
        if normalized is not None and not module.endswith("_py"):
            scorers[module] = (normalized, 1.0)
    spelled = _spelled(name, scorers, "rapidfuzz")
    scorer, scale = scorers[spelled]
    return _foreign(
        name=f"rapidfuzz:{spelled}",
        family="rapidfuzz",
        similarity=lambda s, t: float(scorer(s, t)) / scale,
        batch=_cdist(scorer, scale),
        summary=f"RapidFuzz's {spelled}" + (", divided by 100" if scale != 1.0 else ""),
        source="RapidFuzz",
    )


def _cdist(scorer: Callable[..., float], scale: float) -> Batch:
    """Return RapidFuzz's own loop over all pairs."""

    def batch(sources: Sequence[str], targets: Sequence[str]) -> Rows:
        def fill(first: int, last: int, out: Matrix) -> None:
            some = sources[first:last]
            out[...] = process.cdist(some, targets, scorer=scorer, dtype=np.float64, workers=1)
            out /= scale

        return fill

    return batch


def textdistance_metric(name: str) -> Metric:
    """Return an algorithm of textdistance as a metric: its normalised similarity, cut to [0, 1].

    textdistance's own code computes it (``external=False``), so that results do not depend on
    which other libraries are installed.

    Parameters
    ----------
    name
        Name of the algorithm's class (``Cosine``, ``RatcliffObershelp``, ...).

    Raises
    ------
    MatcherError
        If textdistance has no such algorithm, or its values are no similarities (``Tanimoto``).

    Examples
    --------
    >>> textdistance_metric("jaccard").similarity("heart", "earth")
    1.0
    """
    classes: dict[str, Any] = {  # textdistance has no types
        class_name: value
        for class_name, value in vars(textdistance).items()
        if inspect.isclass(value) and hasattr(value, "normalized_similarity")
    }
    spelled = _spelled(name, classes, "textdistance")
    if spelled == "Tanimoto":
        raise MatcherError(
            "textdistance's Tanimoto is a logarithm, from minus infinity to 0, not a similarity: "
            "use textdistance:Jaccard, of which it is the logarithm"
        )
    takes_external = "external" in inspect.signature(classes[spelled]).parameters
    algorithm = classes[spelled](**({"external": False} if takes_external else {}))
    return _foreign(
        name=f"textdistance:{spelled}",
        family="textdistance",
        similarity=lambda s, t: min(max(float(algorithm.normalized_similarity(s, t)), 0.0), 1.0),
        summary=f"textdistance's {spelled}, normalised similarity",
        source="textdistance",
    )


def _spelled(name: str, known: Iterable[str], library: str) -> str:
    """Return the one of `known` that is `name` but for case, hyphens and underscores.

    Raises
    ------
    MatcherError
        If there is none; the message gives the closest names, or all.

    Examples
    --------
    >>> _spelled("jaro-winkler", ["Jaro", "JaroWinkler"], "rapidfuzz")
    'JaroWinkler'
    """

    def folded(spelling: str) -> str:
        return spelling.lower().replace("-", "").replace("_", "")

    spellings = {folded(spelling): spelling for spelling in known}
    if folded(name) in spellings:
        return spellings[folded(name)]
    advice = hint(name, sorted(spellings.values()), listed_by="alignrank list metrics")
    raise MatcherError(f"{library} has no metric {name!r}: {advice}")
