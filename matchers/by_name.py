"""Metrics by name: ours, combinations, other libraries', and the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontologies.common.names import Registry, hint
from ontologies.common.table import Frame, frame

from .errors import MatcherError
from .evidence.combine import combine
from .evidence.own import Own, imported_metric, metric_of
from .evidence.structure import STRUCTURE
from .evidence.words import WORDS
from .metrics import equality, hamming, jaro, kondrak, levenshtein, ngram, smoa, substring
from .metrics.metric import Metric

#: The nine textbook metrics, and each as OntoSim 2.4 computes it.
_NINE = (
    (equality.EQUALITY, equality.ONTOSIM_EQUALITY),
    (levenshtein.LEVENSHTEIN, levenshtein.ONTOSIM_LEVENSHTEIN),
    (ngram.NGRAM, ngram.ONTOSIM_NGRAM),
    (hamming.HAMMING, hamming.ONTOSIM_HAMMING),
    (jaro.JARO, jaro.ONTOSIM_JARO),
    (jaro.JARO_WINKLER, jaro.ONTOSIM_JARO_WINKLER),
    (smoa.SMOA, smoa.ONTOSIM_SMOA),
    (levenshtein.NEEDLEMAN_WUNSCH, levenshtein.ONTOSIM_NEEDLEMAN_WUNSCH),
    (substring.SUBSTRING, substring.ONTOSIM_SUBSTRING),
)
#: The square of the mean of letters, words and neighbours, whose neighbours are then looked at
#: again: see the page on evidence.
COMBINED = combine(
    [(ngram.NGRAM, 1.0), (WORDS, 1.0), (STRUCTURE, 1.0)], power=2.0, passes=2, name="combined"
)
#: Every metric of two strings of our own: the standard family, OntoSim's, then the others. A new
#: one comes last.
METRICS = Registry(
    "metric",
    {
        metric.name: metric
        for metric in (
            *(standard for standard, _ in _NINE),
            *(ontosim for _, ontosim in _NINE),
            *kondrak.METRICS,
        )
    },
    MatcherError,
    listed_by="alignrank list metrics",
)
#: The nine textbook metrics.
STANDARD = tuple(standard.name for standard, _ in _NINE)
#: The same nine as OntoSim 2.4 computes them.
ONTOSIM = tuple(ontosim.name for _, ontosim in _NINE)
#: Names that stand for several metrics.
FAMILIES = Registry("family", {"standard": STANDARD, "ontosim": ONTOSIM}, MatcherError)
#: Evidence that sees more than two strings.
EVIDENCE = (WORDS, STRUCTURE, COMBINED)
_OURS = (*METRICS.values(), *EVIDENCE)
_BY_NAME = {name: metric for metric in _OURS for name in (metric.name, *metric.synonyms)}
_COMBINATION = re.compile(r"combine:(.*?)(?::power=(.*?))?(?::passes=(.*))?")
_MEMBER = re.compile(r"(?:([^*]*)\*)?(.*)")

#: A metric, its name, or a function of one's own (`matchers.evidence.own.Own`).
MetricLike = Metric | str | Own


def get_metric(name: MetricLike) -> Metric:
    """Return the metric of a name.

    Parameters
    ----------
    name
        One of ours (`metrics_table`) or a synonym of it; ``rapidfuzz:<scorer>`` (``ratio``,
        ``token_sort_ratio``, ``Indel``, ...); ``textdistance:<algorithm>`` (``Cosine``, ...);
        ``combine:ngram+2*structure:power=2:passes=2``, a weighted mean, raised to a power
        (`matchers.evidence.combine`); or ``package.module:function``, a function of your own of
        two strings, two entities or two sides (`matchers.evidence.own`). In Python also the
        function itself; a metric is returned as it is.

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
    if isinstance(name, str) and ":" not in name:
        if name in FAMILIES:
            raise MatcherError(f"{name!r} stands for several metrics: name one of {FAMILIES[name]}")
        if name not in _BY_NAME:
            known, spelled = [*_BY_NAME, *FAMILIES], name.replace("_", "-")
            advice = hint(spelled, known, listed_by="alignrank list metrics")
            raise MatcherError(f"metric {name!r} is unknown: {advice}")
        return _BY_NAME[name]
    if not isinstance(name, str):
        return metric_of(name, getattr(name, "__name__", type(name).__name__))
    if combination := _COMBINATION.fullmatch(name):
        return _combination(name, *combination.groups())
    provider, _, rest = name.partition(":")
    if provider not in ("rapidfuzz", "textdistance"):
        return imported_metric(name)
    from .metrics import libraries  # imports them: a tenth of a second

    of_provider = {
        "rapidfuzz": libraries.rapidfuzz_metric,
        "textdistance": libraries.textdistance_metric,
    }
    return of_provider[provider](rest)


def _combination(name: str, formula: str, power: str | None, passes: str | None) -> Metric:
    """Return the combination that a formula means."""
    try:
        members = [_MEMBER.fullmatch(term.strip()) for term in formula.split("+")]
        weighed = [(m[2], float(m[1] or 1.0)) for m in members if m is not None]
        options = float(power or 1.0), int(passes or 1)
        if not all(metric for metric, _ in weighed):
            raise ValueError("the name of a metric is missing")
    except ValueError as error:
        raise MatcherError(
            f"metric {name!r}: {error}; write it as combine:ngram+2*words:power=2"
        ) from error
    return combine([(get_metric(metric), weight) for metric, weight in weighed], *options)


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
    single = [member for name in names for member in _members(name)]
    if not single:
        raise MatcherError("no metric is named: name at least one, or 'standard' for all nine")
    metrics = [get_metric(name) for name in single]
    for given, metric in zip(single, metrics, strict=True):
        namesakes = {o for o, m in zip(single, metrics, strict=True) if m.name == metric.name}
        if callable(given) and len(namesakes) > 1:
            raise MatcherError(
                f"two metrics are called {metric.name!r}: rename the function, or wrap it in one "
                "with a name of its own"
            )
    return list({metric.name: metric for metric in metrics}.values())


def _members(name: MetricLike) -> tuple[MetricLike, ...]:
    return FAMILIES.get(name, (name,)) if isinstance(name, str) else (name,)


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
