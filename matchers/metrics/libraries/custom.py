"""``package.module:function``: a metric of the user's own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from numbers import Real

from matchers.errors import MatcherError
from matchers.metrics.base import Metric


def get_metric(name: str) -> Metric:
    """Return a function of two strings as a metric; every value is checked.

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
    >>> get_metric("operator:eq").similarity("heart", "heart")
    1.0
    """
    module_name, _, function_name = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (ImportError, ValueError) as error:
        raise MatcherError(
            f"metric {name!r}: module {module_name!r} cannot be imported ({error}): install it in "
            "this environment, or put its folder on PYTHONPATH"
        ) from error
    function = getattr(module, function_name, None)
    if not callable(function):
        raise MatcherError(f"metric {name!r}: {module_name} has no function {function_name!r}")
    return of_function(function, name)


def of_function(function: Callable[[str, str], object], name: str) -> Metric:
    """Return a function of two strings as a metric; every value is checked.

    Parameters
    ----------
    function
        Two strings -> a number in [0, 1].
    name
        What the metric is called.

    Examples
    --------
    >>> of_function(lambda s, t: s[0] == t[0], "same-start").similarity("heart", "hand")
    1.0
    """

    def similarity(s: str, t: str) -> float:
        try:
            value = function(s, t)
        except Exception as error:  # whatever goes wrong in the user's own code
            raise MatcherError(f"metric {name!r} failed on ({s!r}, {t!r}): {error!r}") from error
        if not isinstance(value, Real) or not 0.0 <= float(value) <= 1.0:
            raise MatcherError(
                f"metric {name!r} gave {value!r} for ({s!r}, {t!r}): a similarity is a number "
                "from 0 to 1"
            )
        return float(value)

    return Metric(
        name=name,
        family="custom",
        similarity=similarity,
        summary=(function.__doc__ or "a metric of your own").strip().splitlines()[0],
        source=function.__module__,
        symmetric=False,
        identity=False,
    )
