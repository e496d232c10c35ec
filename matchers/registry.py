"""Metrics by name: ours, other libraries', and the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from matchers.metrics.libraries import custom, rapidfuzz_scorers, textdistance_algorithms
from ontologies.common.frames import Frame, frame
from ontologies.common.wording import hint

from .errors import MatcherError
from .metrics import (
    equality,
    hamming,
    jaro,
    jaro_winkler,
    kondrak,
    levenshtein,
    needleman_wunsch,
    ngram,
    smoa,
    substring,
)
from .metrics.base import Metric

_MODULES = (
    equality,
    levenshtein,
    ngram,
    hamming,
    jaro,
    jaro_winkler,
    smoa,
    needleman_wunsch,
    substring,
)
_OURS: tuple[Metric, ...] = (
    *(module.STANDARD for module in _MODULES),
    *(module.ONTOSIM for module in _MODULES),
    *kondrak.METRICS,
)
_BY_NAME = {name: metric for metric in _OURS for name in (metric.name, *metric.synonyms)}

#: The nine textbook metrics.
STANDARD = tuple(module.STANDARD.name for module in _MODULES)
#: The same nine as OntoSim 2.4 computes them.
ONTOSIM = tuple(module.ONTOSIM.name for module in _MODULES)
#: Names that stand for several metrics.
FAMILIES = {"standard": STANDARD, "ontosim": ONTOSIM}


#: A metric, its name, or a function of two strings with values in [0, 1].
MetricLike = Metric | str | Callable[[str, str], float]


def get_metric(name: MetricLike) -> Metric:
    """Return the metric of a name.

    Parameters
    ----------
    name
        One of ours (`metrics_table`) or a synonym of it; ``rapidfuzz:<scorer>`` (``ratio``,
        ``token_sort_ratio``, ``Indel``, ...); ``textdistance:<algorithm>`` (``Cosine``, ...);
        or ``package.module:function``, a function of your own of two strings, with values
        in [0, 1]. In Python also the function itself; a metric is returned as it is.

    Raises
    ------
    MatcherError
        If there is no such metric; the message gives the closest names.

    Examples
    --------
    >>> get_metric("isub").name, get_metric("rapidfuzz:token-sort-ratio").name
    ('smoa', 'rapidfuzz:token_sort_ratio')
    >>> get_metric("levenstein")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    matchers.errors.MatcherError: metric 'levenstein' is unknown: did you mean levenshtein? ...
    """
    if isinstance(name, Metric):
        return name
    if not isinstance(name, str):
        return custom.of_function(name, getattr(name, "__name__", type(name).__name__))
    if name in _BY_NAME:
        return _BY_NAME[name]
    provider, colon, rest = name.partition(":")
    if provider == "rapidfuzz" and colon:
        return rapidfuzz_scorers.get_metric(rest)
    if provider == "textdistance" and colon:
        return textdistance_algorithms.get_metric(rest)
    if colon:
        return custom.get_metric(name)
    raise MatcherError(_unknown(name))


def select_metrics(names: MetricLike | Iterable[MetricLike]) -> list[Metric]:
    """Return the metrics of one name or several, none twice, in the order of the names.

    ``standard`` and ``ontosim`` stand for all nine metrics of a family; a function of two strings
    with values in [0, 1] stands for itself.

    Raises
    ------
    MatcherError
        If a name is unknown, none is given, or a function is called as another metric.

    Examples
    --------
    >>> [metric.name for metric in select_metrics(["smoa", "equality", "isub"])]
    ['smoa', 'equality']
    >>> len(select_metrics(["standard", "ontosim"]))
    18
    """
    if isinstance(names, str | Metric) or callable(names):
        names = [names]
    single = [one for name in names for one in _members(name)]
    if not single:
        raise MatcherError("no metric is named: name at least one, or 'standard' for all nine")
    metrics = [get_metric(name) for name in single]
    for one, metric in zip(single, metrics, strict=True):
        namesakes = {o for o, m in zip(single, metrics, strict=True) if m.name == metric.name}
        if callable(one) and len(namesakes) > 1:
            raise MatcherError(
                f"two metrics are called {metric.name!r}: rename the function, or wrap it in one "
                "with a name of its own"
            )
    return list({metric.name: metric for metric in metrics}.values())


def _members(name: MetricLike) -> tuple[MetricLike, ...]:
    return FAMILIES.get(name, (name,)) if isinstance(name, str) else (name,)


def all_metrics() -> tuple[Metric, ...]:
    """Return every metric of our own: the standard family, OntoSim's, then Kondrak's."""
    return _OURS


def metrics_table() -> Frame:
    """Return the facts of every metric of our own, one row each.

    Returns
    -------
    DataFrame
        Columns ``name, family, synonyms, maximum, symmetric, identity, summary, source``.

    Examples
    --------
    >>> metrics_table()["name"].head(3).tolist()
    ['equality', 'levenshtein', 'ngram']
    """
    facts = ("name", "family", "synonyms", "maximum", "symmetric", "identity", "summary", "source")
    rows = [{fact: getattr(metric, fact) for fact in facts} for metric in _OURS]
    table = frame(rows, columns=list(facts))
    table["synonyms"] = table["synonyms"].map(", ".join)
    return table


def _unknown(name: str) -> str:
    known = [*_BY_NAME, *FAMILIES]
    found = hint(name.replace("_", "-"), known, listed_by="alignrank list metrics")
    return f"metric {name!r} is unknown: {found}"
