"""What evidence is, and metrics of the user's own: of two strings, two entities, or two sides."""

from __future__ import annotations

import importlib
import inspect
import reprlib
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from alignrank.common.errors import MatcherError
from alignrank.matchers.metrics.metric import Matrix, Metric, Similarity, staying_here
from alignrank.matchers.similarity.matrix import similarity_matrix
from alignrank.ontologies.ontology import Entity, Kind, Ontology


@dataclass(frozen=True, slots=True)
class Side:
    """The entities of one kind on one side.

    Parameters
    ----------
    iris
        Their IRIs, in order.
    names
        The prepared names of each.
    ontology
        The ontology that they are from.
    nameless
        Number of entities that are left out for want of a name.
    """

    iris: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    ontology: Ontology
    nameless: int = 0

    def __len__(self) -> int:
        return len(self.iris)

    @property
    def entities(self) -> list[Entity]:
        """The entities themselves, in order."""
        return [self.ontology.entities[iri] for iri in self.iris]


@dataclass(frozen=True, slots=True)
class KindCandidates:
    """What can be matched within one kind: every source entity with every target entity."""

    kind: Kind
    source: Side
    target: Side

    @property
    def pairs(self) -> int:
        """Number of candidate pairs, n * m."""
        return len(self.source) * len(self.target)


Groups = tuple[KindCandidates, ...]
#: Sees the candidates of every kind, and what is known of them already (one matrix for each kind,
#: or None); returns one matrix of shape (n, m) for each kind.
Matrices = Callable[[Groups, Sequence[Matrix] | None], list[Matrix]]


@dataclass(frozen=True, slots=True)
class Evidence(Metric):
    """A metric that sees entities and their ontologies; its name is found where a metric's is.

    It needs the whole matrix of each kind, and cannot go tile by tile.

    Parameters
    ----------
    matrices
        What it makes of the candidates; see `Matrices`.
    looks_around
        Whether it starts from what other evidence has found, as `structure` does.
    bytes_per_pair
        Memory that it takes at most for each pair of entities of a kind.
    """

    matrices: Matrices = field(kw_only=True)
    looks_around: bool = False
    bytes_per_pair: int = 32


def sees_no_strings(name: str) -> Similarity:
    """Return what refuses to compare two strings by evidence that needs their entities."""

    def similarity(_: str, __: str) -> float:
        raise MatcherError(
            f"metric {name!r} sees the ontologies, and cannot compare two strings: match with it"
        )

    return similarity


def kind_matrices(
    groups: Groups, metric: Metric, *, known: Sequence[Matrix] | None = None
) -> list[Matrix]:
    """Return the similarity matrix of each kind, whatever the metric sees.

    Parameters
    ----------
    groups
        The candidates of each kind.
    metric
        A string metric or evidence.
    known
        What other evidence has found, for one that `looks_around`.

    Returns
    -------
    list of ndarray of float64, shapes (n, m)
        Values in [0, `metric.maximum`].

    Raises
    ------
    MatcherError
        If a matrix has another shape, or holds no numbers, NaN or a value outside [0, 1].
    """
    if not isinstance(metric, Evidence):
        return [
            similarity_matrix(group.source.names, group.target.names, metric) for group in groups
        ]
    found = metric.matrices(groups, known)
    for group, matrix in zip(groups, found, strict=True):
        shape = len(group.source), len(group.target)
        if matrix.shape != shape or matrix.dtype.kind not in "biuf":
            raise MatcherError(
                f"metric {metric.name!r} gave an array of {matrix.dtype} of shape {matrix.shape} "
                f"for {shape[0]} source and {shape[1]} target entities of kind {group.kind}: give "
                "numbers, one row for each source entity, one column for each target entity"
            )
        if matrix.size and not (matrix.min() >= 0.0 and matrix.max() <= metric.maximum):
            raise MatcherError(
                f"metric {metric.name!r} gave NaN or a value outside [0, 1] for entities of kind "
                f"{group.kind}: a similarity is a number from 0 to 1"
            )
    return [np.asarray(matrix, dtype=np.float64) for matrix in found]


@lru_cache(maxsize=1)
def _whole(groups: Groups, metric: Evidence) -> list[Matrix]:
    return kind_matrices(groups, metric)


def part_of_matrix(
    groups: Groups, kind: str, metric: Metric, rows: Sequence[int], columns: Sequence[int]
) -> Matrix:
    """Return some rows and columns of the matrix of one kind.

    Of a string metric only these are computed; of evidence the whole matrix, once.
    """
    place = next(k for k, group in enumerate(groups) if group.kind == kind)
    if isinstance(metric, Evidence):
        return _whole(groups, metric)[place][np.ix_(rows, columns)]
    source, target = groups[place].source.names, groups[place].target.names
    return similarity_matrix([source[i] for i in rows], [target[j] for j in columns], metric)


#: A function of two strings or two entities with values in [0, 1], or of two sides (`Side`) that
#: returns their matrix. Which it is, the annotation of a parameter says; without one, it takes
#: strings.
Own = (
    Callable[[str, str], float]
    | Callable[[Entity, Entity], float]
    | Callable[[Side, Side], ArrayLike]
)


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
    >>> imported_metric("alignrank.matchers.metrics.equality:equality").similarity("heart", "heart")
    1.0
    """
    module_name, _, function_name = name.partition(":")
    _refuse_standard_library(name, module_name)
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
        What the metric is called.

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
    sees = _sees(function)
    if sees is str:
        return Metric(similarity=_checked(function, name), **facts)

    def of_entities(groups: Groups, _: object) -> list[Matrix]:
        value = _checked(function, name)
        found = []
        with staying_here():
            for group in groups:
                others = group.target.entities
                rows = [[value(one, other) for other in others] for one in group.source.entities]
                found.append(np.array(rows).reshape(len(group.source), len(group.target)))
        return found

    def of_sides(groups: Groups, _: object) -> list[Matrix]:
        try:
            with staying_here():
                made = (
                    function(group.source, group.target)  # type: ignore[arg-type]  # `_sees` has looked
                    for group in groups
                )
                return [np.array(matrix) for matrix in made]
        except BaseException as error:  # whatever goes wrong in the user's own code
            _pass_on_signals(error)
            raise MatcherError(f"metric {name!r} failed: {error!r}") from error

    return Evidence(
        similarity=sees_no_strings(name),
        matrices=of_entities if sees is Entity else of_sides,
        **facts,
    )


def _sees(function: Own) -> type:
    """Return what a function takes: `str`, `Entity` or `Side`."""
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
    except (TypeError, ValueError, NameError):  # compiled, or not to be known
        return str
    return next((p.annotation for p in parameters if p.annotation in (Entity, Side)), str)


def _checked(function: Own, name: str) -> Callable[..., float]:
    """Return a function of a pair whose values are checked."""

    def similarity(one: str | Entity, other: str | Entity) -> float:
        try:
            value: object = function(one, other)  # type: ignore[arg-type]  # `_sees` has looked
            if isinstance(value, Real) and 0.0 <= float(value) <= 1.0:
                return float(value)
            given = reprlib.repr(value)  # short, as a huge integer is not
        except BaseException as error:  # whatever goes wrong in the user's own code
            _pass_on_signals(error)
            reason = f"failed on {_pair(one, other)}: {error!r}"
            raise MatcherError(f"metric {name!r} {reason}") from error
        raise MatcherError(
            f"metric {name!r} gave {given} for {_pair(one, other)}: a similarity is a number from "
            "0 to 1"
        )

    return similarity


def _pair(*ends: str | Entity) -> str:
    one, other = (end.iri if isinstance(end, Entity) else repr(end) for end in ends)
    return f"({one}, {other})"


def _pass_on_signals(error: BaseException) -> None:
    """Raise what Ctrl-C or SIGTERM has raised; ``sys.exit`` in the user's own code is a mistake."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, SystemExit) and error.code == 128 + signal.SIGTERM:
        raise error
