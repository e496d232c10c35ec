"""Metrics by name: ours, those of other libraries, and the user's own."""

from __future__ import annotations

import importlib
import inspect
import reprlib
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import chdir
from functools import partial
from itertools import chain
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from alignrank.common.errors import MatcherError
from alignrank.common.names import Registry, hint
from alignrank.common.table import Frame, frame
from alignrank.ontologies import Entity

from .candidates import Evidence, Groups, Side, scored_evidence, sees_no_strings
from .metrics import Batch, Matrix, Metric, Rows, edit, jaro, ngram, substring
from .model import score_pairs

#: A function of two strings or two entities with values in [0, 1], or of two sides (`Side`) that
#: returns their matrix. The annotation of a parameter decides; without one, it takes strings.
Own = (
    Callable[[str, str], float]
    | Callable[[Entity, Entity], float]
    | Callable[[Side, Side], ArrayLike]
)

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

#: A metric, its name, or a user's function (`Own`).
MetricLike = Metric | str | Own


def get_metric(name: MetricLike) -> Metric:
    """Return the metric with a name.

    Parameters
    ----------
    name
        One of ours (`metrics_table`) or a synonym of it; ``rapidfuzz:<scorer>`` (``ratio``,
        ``token_sort_ratio``, ``Indel``, ...); ``textdistance:<algorithm>`` (``Cosine``, ...);
        or ``package.module:function``, a function of your
        own of two strings, two entities or two sides (`Own`). In Python
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
    if not isinstance(name, str) and not callable(name):
        raise MatcherError(f"metric {name!r} is neither a name nor a function")
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
        first = metrics.setdefault(metric.name, metric)
        namesake = origins.setdefault(metric.name, origin)
        by_names = isinstance(namesake, str) and isinstance(origin, str)
        if namesake != origin and first is not metric and not by_names:
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


def imported_metric(name: str) -> Metric:
    """Return a function of the user's own as a metric; every value is checked.

    Parameters
    ----------
    name
        ``package.module:function``, importable where alignrank is installed.

    Raises
    ------
    MatcherError
        If the function cannot be imported or is Python's own (some of those delete files); later,
        if a value is not a number in [0, 1].

    Examples
    --------
    >>> imported_metric("alignrank.matchers.metrics.edit:equality").similarity("heart", "heart")
    1.0
    """
    module_name, _, function_name = name.partition(":")
    _refuse_standard_library(name, module_name)
    try:
        with chdir("."):  # the module may leave the working directory
            module = importlib.import_module(module_name)
    except (ModuleNotFoundError, ValueError) as error:
        raise MatcherError(
            f"metric {name!r}: module {module_name!r} cannot be imported ({error}): install it in "
            "this environment, or put its folder on PYTHONPATH"
        ) from error
    except BaseException as error:  # the user's code can raise anything, also SystemExit
        _pass_on_signals(error)
        raise MatcherError(
            f"metric {name!r}: module {module_name!r} cannot be imported: mend it "
            f"({type(error).__name__}: {error})"
        ) from error
    function = getattr(module, function_name, None)
    if not callable(function):
        raise MatcherError(f"metric {name!r}: {module_name} has no function {function_name!r}")
    if inspect.isroutine(function) or inspect.isclass(function):
        # a module may import a function of the standard library, and so have it as its own
        _refuse_standard_library(name, function.__module__ or "")
    return metric_of(function, name)


def _refuse_standard_library(name: str, module_name: str) -> None:
    if module_name.partition(".")[0] in sys.stdlib_module_names:
        raise MatcherError(
            f"metric {name!r}: the module {module_name} is part of Python and holds no metric: "
            "name a function in a module of your own"
        )


def metric_of(function: Own, name: str) -> Metric:
    """Return a function of the user's own as a metric; every value is checked.

    Parameters
    ----------
    function
        Of two strings or two entities: a number in [0, 1]. Of two sides: an array of shape (n, m).
    name
        Name of the metric.

    Examples
    --------
    >>> metric_of(lambda s, t: s[0] == t[0], "same-start").similarity("heart", "hand")
    1.0
    >>> def same_number_of_names(a: Entity, b: Entity) -> float:
    ...     return len(a.names()) == len(b.names())
    >>> metric_of(same_number_of_names, "names").family
    'custom'
    """
    facts: dict[str, Any] = {  # of whatever type the field has
        "name": name,
        "family": "custom",
        "summary": ((function.__doc__ or "").strip() or "a metric of your own").splitlines()[0],
        "source": function.__module__,
        "symmetric": False,
        "identity": False,
    }
    argument_type = _argument_type(function)
    if argument_type is str:
        return Metric(similarity=_checked(function, name), **facts)

    def of_entities(groups: Groups) -> list[Matrix]:
        similarity = _checked(function, name)
        matrices = []
        with chdir("."):
            for group in groups:
                targets = group.target.entities
                rows = [[similarity(s, t) for t in targets] for s in group.source.entities]
                matrices.append(np.array(rows).reshape(len(group.source), len(targets)))
        return matrices

    def of_sides(groups: Groups) -> list[Matrix]:
        try:
            with chdir("."):
                # `_argument_type` has looked at what the function takes
                return [np.array(function(g.source, g.target)) for g in groups]  # type: ignore[arg-type]
        except BaseException as error:  # the user's code can raise anything, also SystemExit
            _pass_on_signals(error)
            raise MatcherError(f"metric {name!r} failed: {error!r}") from error

    return Evidence(
        similarity=sees_no_strings(name),
        matrices=of_entities if argument_type is Entity else of_sides,
        **facts,
    )


def _argument_type(function: Own) -> type:
    """Return the type of a function's arguments: `str`, `Entity` or `Side`."""
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
    except (TypeError, ValueError, NameError):  # compiled, or an annotation cannot be evaluated
        return str
    return next((p.annotation for p in parameters if p.annotation in (Entity, Side)), str)


def _checked(function: Own, name: str) -> Callable[..., float]:
    """Return the function with a check of each value."""

    def similarity(source: str | Entity, target: str | Entity) -> float:
        try:
            # `_argument_type` has looked at what the function takes
            value: object = function(source, target)  # type: ignore[arg-type]
            if isinstance(value, Real) and 0.0 <= float(value) <= 1.0:
                return float(value)
            shortened = reprlib.repr(value)
        except BaseException as error:  # the user's code can raise anything, also SystemExit
            _pass_on_signals(error)
            pair = _pair_text(source, target)
            raise MatcherError(f"metric {name!r} failed on {pair}: {error!r}") from error
        raise MatcherError(
            f"metric {name!r} gave {shortened} for {_pair_text(source, target)}: a similarity is a "
            "number from 0 to 1"
        )

    return similarity


def _pair_text(*pair: str | Entity) -> str:
    texts = [x.iri if isinstance(x, Entity) else repr(x) for x in pair]
    return f"({', '.join(texts)})"


def _pass_on_signals(error: BaseException) -> None:
    """Raise an error again if Ctrl-C or SIGTERM raised it, but not if ``sys.exit`` did."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, SystemExit) and error.code == 128 + signal.SIGTERM:
        raise error
