"""``textdistance:<algorithm>``: the algorithms of textdistance."""

from __future__ import annotations

import inspect
from typing import Any

from matchers.errors import MatcherError
from matchers.metrics.base import Metric

from .names import find


def get_metric(name: str) -> Metric:
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
    >>> get_metric("jaccard").similarity("heart", "earth")
    1.0
    """
    import textdistance

    classes: dict[str, Any] = {
        one: found
        for one, found in vars(textdistance).items()
        if inspect.isclass(found) and hasattr(found, "normalized_similarity")
    }
    found = find(name, classes, "textdistance")
    if found == "Tanimoto":
        raise MatcherError(
            "textdistance's Tanimoto is a logarithm, from minus infinity to 0, not a similarity: "
            "use textdistance:Jaccard, of which it is the logarithm"
        )
    takes_external = "external" in inspect.signature(classes[found]).parameters
    algorithm = classes[found](**({"external": False} if takes_external else {}))

    def similarity(s: str, t: str) -> float:
        return min(max(float(algorithm.normalized_similarity(s, t)), 0.0), 1.0)

    return Metric(
        name=f"textdistance:{found}",
        family="textdistance",
        similarity=similarity,
        summary=f"textdistance's {found}, normalised similarity",
        source="textdistance",
        symmetric=False,
        identity=False,
    )
