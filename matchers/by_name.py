"""Metrics by name: ours, those of other libraries, and the user's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from alignrank.common.errors import MatcherError
from alignrank.common.names import Registry, hint
from alignrank.common.table import Frame, frame

from .evidence import Own, imported_metric, metric_of, scored_evidence
from .learned.model import score_pairs
from .metrics import Batch, Matrix, Metric, Rows, edit, jaro, ngram, substring

#: The nine textbook metrics, each beside the form of OntoSim 2.4.
_NINE = (
    (edit.EQUALITY, edit.ONTOSIM_EQUALITY),
    (edit.LEVENSHTEIN, edit.ONTOSIM_LEVENSHTEIN),
    (ngram.NGRAM, ngram.ONTOSIM_NGRAM),
    (edit.HAMMING, edit.ONTOSIM_HAMMING),
    (jaro.JARO, jaro.ONTOSIM_JARO),
    (jaro.JARO_WINKLER, jaro.ONTOSIM_JARO_WINKLER),
    (substring.SMOA, substring.ONTOSIM_SMOA),
    (edit.NEEDLEMAN_WUNSCH, edit.ONTOSIM_NEEDLEMAN_WUNSCH),
    (substring.SUBSTRING, substring.ONTOSIM_SUBSTRING),
)
#: Probability by a model of names and neighbours (docs/evidence.md).
COMBINED = scored_evidence(
    "combined",
    score_pairs,
    summary="probability by a fitted model: words, letters, rivals and neighbours",
    source="ours; logistic regression",
)
_STANDARD = [standard for standard, _ in _NINE]
_ONTOSIM = [ontosim for _, ontosim in _NINE]
_LISTED_BY = "alignrank list metrics"
#: Our metrics of two strings: the standard family, OntoSim's, the others. A new one comes last.
METRICS = Registry(
    "metric",
    {metric.name: metric for metric in (*_STANDARD, *_ONTOSIM, *ngram.METRICS)},
    MatcherError,
    listed_by=_LISTED_BY,
)
#: Names of the nine textbook metrics.
STANDARD = tuple(metric.name for metric in _STANDARD)
#: Names of the same nine as OntoSim 2.4 computes them.
ONTOSIM = tuple(metric.name for metric in _ONTOSIM)
#: Names that stand for several metrics.
FAMILIES = Registry("family", {"standard": STANDARD, "ontosim": ONTOSIM}, MatcherError)
#: Evidence that compares more than two strings.
EVIDENCE = (COMBINED,)
_OURS = (*METRICS.values(), *EVIDENCE)
_BY_NAME = {name: metric for metric in _OURS for name in (metric.name, *metric.synonyms)}
#: Libraries whose metrics are named ``library:metric``; every other module is imported.
_LIBRARIES = ("rapidfuzz", "textdistance")

#: A metric, its name, or a user's function (`alignrank.matchers.evidence.Own`).
MetricLike = Metric | str | Own


def get_metric(name: MetricLike) -> Metric:
    """Return the metric with a name.

    Parameters
    ----------
    name
        One of ours (`metrics_table`) or a synonym of it; ``rapidfuzz:<scorer>`` (``ratio``,
        ``token_sort_ratio``, ``Indel``, ...); ``textdistance:<algorithm>`` (``Cosine``, ...);
        or ``package.module:function``, a function of your
        own of two strings, two entities or two sides (`alignrank.matchers.evidence`). In Python
        also the function itself; a metric is returned as it is.

    Raises
    ------
    MatcherError
        If there is no such metric; the message suggests the closest names.

    Examples
    --------
    >>> get_metric("isub").name, get_metric("rapidfuzz:token-sort-ratio").name
    ('smoa', 'rapidfuzz:token_sort_ratio')
    >>> get_metric("levenstein")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    alignrank.common.errors.MatcherError: metric 'levenstein' is unknown: did you mean lev...
    """
    if isinstance(name, Metric):
        return name
    if not isinstance(name, str):
        return metric_of(name, getattr(name, "__name__", type(name).__name__))
    if ":" not in name:
        return _registered(name)
    provider, _, metric_name = name.partition(":")
    if provider == "rapidfuzz":
        return rapidfuzz_metric(metric_name)
    if provider == "textdistance":
        return textdistance_metric(metric_name)
    return imported_metric(name)


def _registered(name: str) -> Metric:
    if name in FAMILIES:
        raise MatcherError(f"{name!r} stands for several metrics: name one of {FAMILIES[name]}")
    if name not in _BY_NAME:
        advice = hint(name.replace("_", "-"), [*_BY_NAME, *FAMILIES], listed_by=_LISTED_BY)
        raise MatcherError(f"metric {name!r} is unknown: {advice}")
    return _BY_NAME[name]


def select_metrics(names: MetricLike | Iterable[MetricLike]) -> list[Metric]:
    """Return the metrics of one or several names, each once, in the order of the names.

    ``standard`` and ``ontosim`` stand for all nine metrics of a family; a function of two strings
    with values in [0, 1] stands for itself.

    Raises
    ------
    MatcherError
        If a name is unknown, there is no name, or a function has the name of another metric.

    Examples
    --------
    >>> [metric.name for metric in select_metrics(["smoa", "equality", "isub"])]
    ['smoa', 'equality']
    >>> len(select_metrics(["standard", "ontosim"]))
    18
    """
    if isinstance(names, str | Metric) or callable(names):
        names = [names]
    metrics: dict[str, Metric] = {}
    origins: dict[str, MetricLike] = {}
    for origin in chain.from_iterable(map(_members, names)):
        metric = get_metric(origin)
        metrics[metric.name] = metric
        namesake = origins.setdefault(metric.name, origin)
        if namesake != origin and (callable(namesake) or callable(origin)):
            raise MatcherError(
                f"two metrics are called {metric.name!r}: rename the function, or wrap it in one "
                "with a name of its own"
            )
    if not metrics:
        raise MatcherError("no metric is named: name at least one, or 'standard' for all nine")
    return list(metrics.values())


def _members(name: MetricLike) -> tuple[MetricLike, ...]:
    if isinstance(name, str):
        return FAMILIES.get(name, (name,))
    return (name,)


def metrics_table() -> Frame:
    """Return the facts of our metrics, one row each.

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


#: A metric of another library: symmetry and identity are not promised.
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
    from rapidfuzz import distance, fuzz, process  # most runs need no other library's metrics

    scorers: dict[str, tuple[Callable[..., float], float]] = {}
    for ratio in dir(fuzz):
        if ratio.endswith(("ratio", "Ratio")):
            scorers[ratio] = (getattr(fuzz, ratio), 100.0)
    for module in dir(distance):
        normalized = getattr(getattr(distance, module), "normalized_similarity", None)
        if normalized is not None and not module.endswith("_py"):
            scorers[module] = (normalized, 1.0)
    spelled = _spelled(name, scorers, "rapidfuzz")
    scorer, scale = scorers[spelled]
    scaling = ", divided by 100" if scale != 1.0 else ""
    return _foreign(
        name=f"rapidfuzz:{spelled}",
        family="rapidfuzz",
        similarity=lambda s, t: float(scorer(s, t)) / scale,
        batch=_cdist(process.cdist, scorer, scale),
        summary=f"RapidFuzz's {spelled}{scaling}",
        source="RapidFuzz",
    )


def _cdist(cdist: Callable[..., Matrix], scorer: Callable[..., float], scale: float) -> Batch:
    """Return a batch that uses RapidFuzz's own loop over all pairs."""

    def batch(sources: Sequence[str], targets: Sequence[str]) -> Rows:
        def fill(first: int, last: int, out: Matrix) -> None:
            rows = sources[first:last]
            out[...] = cdist(rows, targets, scorer=scorer, dtype=np.float64, workers=1)
            out /= scale

        return fill

    return batch


def textdistance_metric(name: str) -> Metric:
    """Return an algorithm of textdistance as a metric: its normalised similarity, cut to [0, 1].

    textdistance's own code computes it (``external=False``): results must not depend on the other
    libraries that are installed.

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
    import textdistance  # a tenth of a second, with the other library

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
    algorithm_class = classes[spelled]
    takes_external = "external" in inspect.signature(algorithm_class).parameters
    algorithm = algorithm_class(external=False) if takes_external else algorithm_class()

    def similarity(s: str, t: str) -> float:
        value = float(algorithm.normalized_similarity(s, t))
        return min(max(value, 0.0), 1.0)

    return _foreign(
        name=f"textdistance:{spelled}",
        family="textdistance",
        similarity=similarity,
        summary=f"textdistance's {spelled}, normalised similarity",
        source="textdistance",
    )


def _spelled(name: str, names: Iterable[str], library: str) -> str:
    """Return the library's spelling of `name`, ignoring case, hyphens and underscores.

    Raises
    ------
    MatcherError
        If there is none; the message suggests the closest names, or all.

    Examples
    --------
    >>> _spelled("jaro-winkler", ["Jaro", "JaroWinkler"], "rapidfuzz")
    'JaroWinkler'
    """

    def folded(spelling: str) -> str:
        return spelling.lower().replace("-", "").replace("_", "")

    spellings = {folded(spelling): spelling for spelling in names}
    if folded(name) in spellings:
        return spellings[folded(name)]
    advice = hint(name, sorted(spellings.values()), listed_by=_LISTED_BY)
    raise MatcherError(f"{library} has no metric {name!r}: {advice}")
