"""Evidence, and the user's own metrics: of two strings, two entities, or two sides."""

from __future__ import annotations

import importlib
import inspect
import reprlib
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass, field, replace
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from alignrank.common.errors import MatcherError
from alignrank.matchers.metrics import Matrix, Metric, Similarity
from alignrank.matchers.similarity.matrix import similarity_matrix
from alignrank.ontologies.ontology import Entity, Kind, Ontology

#: Of entities, in the order of their IRIs.
Positions = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Side:
    """The entities of one kind in one ontology.

    Parameters
    ----------
    iris
        Their IRIs, in order.
    names
        The prepared names of each entity.
    ontology
        Their ontology.
    nameless
        Number of entities left out because they have no name.
    scopes
        The scope of each name (`alignrank.ontologies.ontology.Entity.scopes`).
    """

    iris: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    ontology: Ontology
    nameless: int = 0
    scopes: tuple[tuple[str, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.iris)

    @property
    def entities(self) -> list[Entity]:
        """The entities themselves, in order."""
        return [self.ontology.entities[iri] for iri in self.iris]


@dataclass(frozen=True, slots=True)
class KindCandidates:
    """The candidate pairs of one kind: every source entity with every target entity.

    Parameters
    ----------
    kind, source, target
        The kind, and its entities on both sides.
    accepted
        Pairs of positions that a person accepted as equivalent; they are matched already.
    rejected
        Pairs of positions that a person rejected.
    closed_rows, closed_columns
        Positions of source and target entities that are matched already.
    wordnet
        Folder of WordNet's database files, or None (`alignrank.matchers.Settings`).
    """

    kind: Kind
    source: Side
    target: Side
    accepted: frozenset[tuple[int, int]] = frozenset()
    rejected: frozenset[tuple[int, int]] = frozenset()
    closed_rows: frozenset[int] = frozenset()
    closed_columns: frozenset[int] = frozenset()
    wordnet: str | None = None

    @property
    def pairs(self) -> int:
        """Number of candidate pairs, n * m."""
        return len(self.source) * len(self.target)

    def positions(self, pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[int, int]]:
        """Return the positions of pairs of IRIs; those that are no candidates are left out."""
        row = {iri: k for k, iri in enumerate(self.source.iris)}
        column = {iri: k for k, iri in enumerate(self.target.iris)}
        return frozenset((row[s], column[t]) for s, t in pairs if s in row and t in column)

    @property
    def is_decided(self) -> bool:
        """Whether a person decided anything of this kind."""
        return bool(self.rejected or self.closed_rows or self.closed_columns)

    @property
    def judged(self) -> frozenset[tuple[int, int]]:
        """Pairs that a person decided on; one entity of both ontologies is no decision."""
        decided = self.accepted | self.rejected
        return frozenset(
            (row, column)
            for row, column in decided
            if self.source.iris[row] != self.target.iris[column]
        )

    def without_decisions(self) -> KindCandidates:
        """Return the candidates as if no person had decided on them."""
        same = self.accepted - self.judged
        return replace(
            self,
            accepted=same,
            rejected=frozenset(),
            closed_rows=frozenset(row for row, _ in same),
            closed_columns=frozenset(column for _, column in same),
        )

    def are_accepted(self, rows: Positions, columns: Positions) -> Flags:
        """Return for each pair of positions whether it was accepted."""
        return self._are_among(self.accepted, rows, columns)

    def are_open(self, rows: Positions, columns: Positions) -> Flags:
        """Return for each pair of positions whether it can still be matched."""
        is_open: Flags = ~self._are_among(self.rejected, rows, columns)
        is_open &= ~np.isin(rows, list(self.closed_rows))
        is_open &= ~np.isin(columns, list(self.closed_columns))
        return is_open

    def _are_among(
        self,
        pairs: frozenset[tuple[int, int]],
        rows: Positions,
        columns: Positions,
    ) -> Flags:
        width = len(self.target)
        codes = [row * width + column for row, column in pairs]
        return np.asarray(np.isin(rows * width + columns, codes))


Groups = tuple[KindCandidates, ...]
#: Takes the candidates of every kind; returns one matrix of shape (n, m) for each kind.
Matrices = Callable[[Groups], list[Matrix]]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """The pairs of entities of one kind that may belong together; all others have similarity 0.

    Parameters
    ----------
    rows, columns
        Positions of the source and of the target entity, sorted.
    similarities
        Similarity of each pair, in (0, 1].
    chosen
        Whether the pair is matched where no assignment is named.
    metadata
        What the alignment states of the scores.
    caution
        Why the scores may be wrong; empty where there is no reason.
    """

    rows: Positions
    columns: Positions
    similarities: NDArray[np.float64]
    chosen: Flags
    metadata: Mapping[str, str] = field(default_factory=dict)
    caution: str = ""

    def edges(self, group: KindCandidates) -> csr_array:
        """Return the similarities as a sparse matrix of shape (n, m)."""
        cells = self.similarities, (self.rows, self.columns)
        return csr_array(cells, shape=(len(group.source), len(group.target)))


@dataclass(frozen=True, slots=True)
class Evidence(Metric):
    """A metric of entities and their ontologies, registered by name as string metrics are.

    It needs the whole matrix of each kind, and cannot go tile by tile; or it scores few pairs
    (`ScoredPairs`).

    Parameters
    ----------
    matrices
        Computes the matrices; see `Matrices`.
    scored
        Scores and chooses the pairs of each kind without a matrix; None if it cannot.
    bytes_per_pair
        Largest memory for each pair of entities of a kind, in bytes.
    """

    matrices: Matrices = field(kw_only=True)
    scored: Callable[[Groups], list[ScoredPairs]] | None = None
    bytes_per_pair: int = 32


def sees_no_strings(name: str) -> Similarity:
    """Return a similarity that always raises: evidence compares entities, not strings."""

    def similarity(_: str, __: str) -> float:
        raise MatcherError(
            f"metric {name!r} sees the ontologies, and cannot compare two strings: match with it"
        )

    return similarity


def scored_evidence(
    name: str, scored: Callable[[Groups], list[ScoredPairs]], *, summary: str, source: str
) -> Evidence:
    """Return evidence that scores few pairs; it makes matrices only on request."""

    def matrices(groups: Groups) -> list[Matrix]:
        pairs_of_kinds = zip(groups, scored(groups), strict=True)
        return [pairs.edges(group).toarray() for group, pairs in pairs_of_kinds]

    return Evidence(
        name=name,
        family="evidence",
        similarity=sees_no_strings(name),
        matrices=matrices,
        scored=scored,
        summary=summary,
        source=source,
        symmetric=False,
    )


def kind_matrices(groups: Groups, metric: Metric) -> list[Matrix]:
    """Return the similarity matrix of each kind, by a string metric or by evidence.

    Parameters
    ----------
    groups
        The candidates of each kind.
    metric
        A string metric or evidence.

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
    matrices = metric.matrices(groups)
    for group, matrix in zip(groups, matrices, strict=True):
        n = len(group.source)
        m = len(group.target)
        if matrix.shape != (n, m) or matrix.dtype.kind not in "biuf":
            raise MatcherError(
                f"metric {metric.name!r} gave an array of {matrix.dtype} of shape {matrix.shape} "
                f"for {n} source and {m} target entities of kind {group.kind}: give "
                "numbers, one row for each source entity, one column for each target entity"
            )
        if matrix.size and not (matrix.min() >= 0.0 and matrix.max() <= metric.maximum):
            raise MatcherError(
                f"metric {metric.name!r} gave NaN or a value outside [0, 1] for entities of kind "
                f"{group.kind}: a similarity is a number from 0 to 1"
            )
    return [np.asarray(matrix, dtype=np.float64) for matrix in matrices]


@lru_cache(maxsize=1)  # an explanation asks for many parts
def _evidence_matrices(groups: Groups, metric: Evidence) -> list[csr_array | Matrix]:
    """Return the matrix of each kind, sparse where the evidence scores few pairs."""
    if metric.scored is None:
        return [*kind_matrices(groups, metric)]
    scored = zip(groups, metric.scored(groups), strict=True)
    return [pairs.edges(group) for group, pairs in scored]


def part_of_matrix(
    groups: Groups, kind: str, metric: Metric, rows: Sequence[int], columns: Sequence[int]
) -> Matrix:
    """Return chosen rows and columns of the matrix of one kind.

    A string metric computes only these. Evidence computes all its similarities, once.
    """
    position = next(k for k, group in enumerate(groups) if group.kind == kind)
    if isinstance(metric, Evidence):
        matrix = _evidence_matrices(groups, metric)[position]
        if isinstance(matrix, csr_array):
            return csr_array(csr_array(matrix[list(rows)])[:, list(columns)]).toarray()
        return matrix[np.ix_(rows, columns)]
    group = groups[position]
    sources = [group.source.names[row] for row in rows]
    targets = [group.target.names[column] for column in columns]
    return similarity_matrix(sources, targets, metric)


#: A function of two strings or two entities with values in [0, 1], or of two sides (`Side`) that
#: returns their matrix. The annotation of a parameter decides; without one, it takes strings.
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
