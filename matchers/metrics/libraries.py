"""Metrics of other libraries and of the user's own, each by a name with a colon."""

from __future__ import annotations

import importlib
import inspect
import reprlib
import signal
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
import textdistance
from rapidfuzz import distance, fuzz, process

from matchers.errors import MatcherError
from ontologies.common.names import hint

from .metric import Batch, Matrix, Metric, Rows, Similarity, staying_here


def metric_from_elsewhere(name: str | Similarity) -> Metric:
    """Return the metric that a name with a colon means, or a function of two strings is.

    Raises
    ------
    MatcherError
        If there is no such metric.
    """
    if not isinstance(name, str):
        return metric_of(name, getattr(name, "__name__", type(name).__name__))
    provider, _, rest = name.partition(":")
    if provider == "rapidfuzz":
        return rapidfuzz_metric(rest)
    return textdistance_metric(rest) if provider == "textdistance" else imported_metric(name)


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


def imported_metric(name: str) -> Metric:
    """Return a function of the user's own as a metric; every value is checked.

    Parameters
    ----------
    name
        ``package.module:function``, importable where alignrank is installed.

    Raises
    ------
    MatcherError
        If the function cannot be imported; later, if a value is not a number in [0, 1].

    Examples
    --------
    >>> imported_metric("operator:eq").similarity("heart", "heart")
    1.0
    """
    module_name, _, function_name = name.partition(":")
    try:
        with staying_here():
            module = importlib.import_module(module_name)
    except (ModuleNotFoundError, ValueError) as error:
        raise MatcherError(
            f"metric {name!r}: module {module_name!r} cannot be imported ({error}): install it in "
            "this environment, or put its folder on PYTHONPATH"
        ) from error
    except BaseException as error:  # whatever the user's own code does
        _pass_on_signals(error)
        raise MatcherError(
            f"metric {name!r}: module {module_name!r} cannot be imported: mend it "
            f"({type(error).__name__}: {error})"
        ) from error
    function = getattr(module, function_name, None)
    if not callable(function):
        raise MatcherError(f"metric {name!r}: {module_name} has no function {function_name!r}")
    return metric_of(function, name)


def metric_of(function: Similarity, name: str) -> Metric:
    """Return a function of two strings as a metric; every value is checked.

    Parameters
    ----------
    function
        Two strings -> a number in [0, 1].
    name
        What the metric is called.

    Examples
    --------
    >>> metric_of(lambda s, t: s[0] == t[0], "same-start").similarity("heart", "hand")
    1.0
    """

    def similarity(s: str, t: str) -> float:
        try:
            value: object = function(s, t)
            if isinstance(value, Real) and 0.0 <= float(value) <= 1.0:
                return float(value)
            given = reprlib.repr(value)  # short, as a huge integer is not
        except BaseException as error:  # whatever goes wrong in the user's own code
            _pass_on_signals(error)
            raise MatcherError(f"metric {name!r} failed on ({s!r}, {t!r}): {error!r}") from error
        raise MatcherError(
            f"metric {name!r} gave {given} for ({s!r}, {t!r}): a similarity is a number from 0 to 1"
        )

    return _foreign(
        name=name,
        family="custom",
        similarity=similarity,
        summary=((function.__doc__ or "").strip() or "a metric of your own").splitlines()[0],
        source=function.__module__,
    )


def _pass_on_signals(error: BaseException) -> None:
    """Raise what Ctrl-C or SIGTERM has raised; ``sys.exit`` in the user's own code is a mistake."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, SystemExit) and error.code == 128 + signal.SIGTERM:
        raise error
