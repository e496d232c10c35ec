"""Metrics by name: ours, combinations, other libraries', and the user's own."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from alignrank.common.errors import MatcherError
from alignrank.common.names import Registry, hint
from alignrank.common.table import Frame, frame
from alignrank.matchers.evidence.combine import combine
from alignrank.matchers.evidence.own import Own, imported_metric, metric_of
from alignrank.matchers.evidence.structure import STRUCTURE
from alignrank.matchers.evidence.words import WORDS
from alignrank.matchers.metrics import equality, jaro, levenshtein, ngram, smoa, substring
from alignrank.matchers.metrics.metric import Batch, Matrix, Metric, Rows

#: The nine textbook metrics, and each as OntoSim 2.4 computes it.
_NINE = (
    (equality.EQUALITY, equality.ONTOSIM_EQUALITY),
    (levenshtein.LEVENSHTEIN, levenshtein.ONTOSIM_LEVENSHTEIN),
    (ngram.NGRAM, ngram.ONTOSIM_NGRAM),
    (equality.HAMMING, equality.ONTOSIM_HAMMING),
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
            *ngram.METRICS,
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
#: Libraries whose metrics are named ``library:metric``; every other module is imported.
_LIBRARIES = ("rapidfuzz", "textdistance")

#: A metric, its name, or a function of one's own (`alignrank.matchers.evidence.own.Own`).
MetricLike = Metric | str | Own


def get_metric(name: MetricLike) -> Metric:
    """Return the metric of a name.

    Parameters
    ----------
    name
        One of ours (`metrics_table`) or a synonym of it; ``rapidfuzz:<scorer>`` (``ratio``,
        ``token_sort_ratio``, ``Indel``, ...); ``textdistance:<algorithm>`` (``Cosine``, ...);
        ``combine:ngram+2*structure:power=2:passes=2``, a weighted mean, raised to a power
        (`alignrank.matchers.evidence.combine`); or ``package.module:function``, a function of your
        own of two strings, two entities or two sides (`alignrank.matchers.evidence.own`). In Python
        also the function itself; a metric is returned as it is.

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
    alignrank.common.errors.MatcherError: metric 'levenstein' is unknown: did you mean lev...
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
    if provider not in _LIBRARIES:
        return imported_metric(name)
    return rapidfuzz_metric(rest) if provider == "rapidfuzz" else textdistance_metric(rest)


def _combination(name: str, formula: str, power: str | None, passes: str | None) -> Metric:
    """Return the combination that a formula means."""
    try:
        weighed = [(metric, float(weight or 1.0)) for weight, metric in _terms(formula)]
        options = float(power or 1.0), int(passes or 1)
        if not all(metric for metric, _ in weighed):
            raise ValueError("the name of a metric is missing")
    except ValueError as error:
        raise MatcherError(
            f"metric {name!r}: {error}; write it as combine:ngram+2*words:power=2"
        ) from error
    return combine([(get_metric(metric), weight) for metric, weight in weighed], *options)


def _terms(formula: str) -> list[tuple[str | None, str]]:
    """Return the weight, where one is stated, and the metric of each term of a formula."""
    terms = (_MEMBER.fullmatch(term.strip()) for term in formula.split("+"))
    return [(term[1], term[2]) for term in terms if term is not None]


def runs_code(name: str) -> bool:
    """Return whether a metric's name has a function imported, also as part of a combination.

    Examples
    --------
    >>> runs_code("mine:overlap"), runs_code("combine:ngram+2*mine:overlap")
    (True, True)
    >>> runs_code("ngram"), runs_code("rapidfuzz:ratio"), runs_code("combine:ngram+2*words")
    (False, False, False)
    """
    if combination := _COMBINATION.fullmatch(name):
        return any(runs_code(metric) for _, metric in _terms(combination[1]))
    return ":" in name and name.partition(":")[0] not in _LIBRARIES


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
    from rapidfuzz import distance, fuzz, process  # most runs need no other library's metrics

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
        batch=_cdist(process.cdist, scorer, scale),
        summary=f"RapidFuzz's {spelled}" + (", divided by 100" if scale != 1.0 else ""),
        source="RapidFuzz",
    )


def _cdist(cdist: Callable[..., Matrix], scorer: Callable[..., float], scale: float) -> Batch:
    """Return RapidFuzz's own loop over all pairs."""

    def batch(sources: Sequence[str], targets: Sequence[str]) -> Rows:
        def fill(first: int, last: int, out: Matrix) -> None:
            some = sources[first:last]
            out[...] = cdist(some, targets, scorer=scorer, dtype=np.float64, workers=1)
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
