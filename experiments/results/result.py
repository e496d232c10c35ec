"""What `rank` and `compare` found, and where it comes from: written as JSON, and read back.

A field of `ComparisonResult` is a key of ``summary.json``, in the same order; one
that is None by default is left out there. Matrices are rows of numbers in the order of `systems`,
None where there is none: on the diagonal, and where nothing was compared.
"""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import UnionType
from typing import Any, Self, TypeVar, get_args, get_origin, get_type_hints

from alignrank.common.files import plain
from alignrank.evaluation import Comparison
from alignrank.evaluation.comparison.contingency import unit_of
from alignrank.evaluation.credit.credits import LESS_IS_BETTER
from alignrank.evaluation.ranking import Edge, rank_ranges, verdict_words
from alignrank.experiments.errors import ExperimentError

#: Number of the form of ``summary.json``: another form, another number.
SCHEMA = 3
#: What the views are called in headings.
VIEWS = {
    "ifp": "False positives ignored (ifp)",
    "cfp": "False positives considered (cfp)",
    "entity": "One decision per entity (entity)",
}

#: The view of a table of items × systems.
ITEM = "item"

Matrix = tuple[tuple[float | None, ...], ...]
Groups = tuple[tuple[str, ...], ...]
#: A float may be written without a point.
_ACCEPTED = {float: (float, int)}
T = TypeVar("T")


@dataclass(frozen=True)
class Counts:
    """How many correspondences a system found, and how many of them are correct.

    `correct_min` and `correct_max` are the fewest and the most that an optimal assignment of the
    same similarities has; None where this was not asked.
    """

    found: int
    correct: int
    correct_min: int | None = None
    correct_max: int | None = None


@dataclass(frozen=True)
class Scores:
    """The standard scores of a system, in [0, 1] (`overall` at most 1); None for 0/0."""

    precision: float | None
    recall: float | None
    f1: float | None
    overall: float | None


@dataclass(frozen=True)
class Decision:
    """Every pair of systems, as one view, test and correction decide it.

    Parameters
    ----------
    view, test, correction, alpha
        How. The view of a study is ``tasks``.
    heading
        What the view is called in headings.
    systems
        Names, best first.
    p, adjusted
        (n, n), in the order of `systems`.
    edges
        Significant differences (better, worse).
    layers
        Systems by layer, best first.
    discordant
        (n, n): what the row has right and the column wrong; None where no decisions were compared.
    conditional
        Differences that siblings undo: significant only if siblings are independent.
    groups
        Largest sets of systems of which no two differ significantly.
    """

    view: str
    test: str
    correction: str
    alpha: float
    heading: str
    systems: tuple[str, ...]
    p: Matrix
    adjusted: Matrix
    edges: tuple[Edge, ...]
    layers: Groups
    discordant: tuple[tuple[int, ...], ...] | None = None
    conditional: tuple[Edge, ...] = ()
    groups: Groups = ()

    @property
    def ranks(self) -> dict[str, str]:
        """Each system's rank, as `rank_ranges` tells it."""
        return rank_ranges(self.systems, self.edges)


@dataclass(frozen=True)
class Siblings:
    """The second grade of a view: p by test for clusters, adjusted p of `test` by correction."""

    test: str
    p: Mapping[str, Matrix]
    adjusted: Mapping[str, Matrix]


@dataclass(frozen=True)
class Simultaneous:
    """Differences row − column of a measure, with intervals that hold together.

    `measure` is ``right``, the share of decisions that are right, or a measure's name; `level` the
    chance that all intervals hold; `clusters` the number of units that were resampled.
    """

    measure: str
    level: float
    clusters: int
    difference: Matrix
    low: Matrix
    high: Matrix


@dataclass(frozen=True)
class Parts:
    """Variances of a single answer of a system: by item, by run, and by both together."""

    item: float
    run: float
    interplay: float


@dataclass(frozen=True)
class Runs:
    """What several runs of systems show.

    `of` is their number by system; 95 % of the differences between two runs of one system are at
    most `noise_floor`; `components` is of systems with several; `needed`, for each pair without an
    arrow, the runs of each that would find its difference (None: no number would).
    """

    of: Mapping[str, int]
    noise_floor: float | None
    components: Mapping[str, Parts]
    needed: tuple[tuple[str, str, float | None], ...]


@dataclass(frozen=True)
class FocusVerdict:
    """How the one system does against another; `verdict` speaks of the one."""

    advantage: float
    p: float
    log10_p: float
    adjusted_p: float
    verdict: str


class Summary:
    """What a result has in common with its sister: it is written as ``summary.json``."""

    @classmethod
    def made(cls, content: Mapping[str, object], provenance: Provenance) -> Self:
        """Return the result of values by name, and of where they come from."""
        result: Self = decoded(cls, plain({**content, **vars(provenance)}))
        return result

    def to_dict(self) -> dict[str, object]:
        """Return the content of ``summary.json``, the number of its form first."""
        content = plain(self)
        assert isinstance(content, dict)
        return {"schema": SCHEMA, **content}

    @classmethod
    def from_dict(cls, content: Mapping[str, object]) -> Self:
        """Return the result that ``summary.json`` holds.

        Raises
        ------
        ExperimentError
            If the content has another schema, or lacks something.
        """
        if content.get("schema") != SCHEMA:
            raise ExperimentError(
                f"has the form {content.get('schema', 'of an older alignrank')}, not {SCHEMA}: run "
                "the command again with this version of alignrank"
            )
        result: Self = decoded(cls, content)
        return result


@dataclass(frozen=True, kw_only=True)
class ComparisonResult(Summary):
    """What `rank` and `compare` found on one task.

    Parameters
    ----------
    systems
        Names, in the order given.
    counts, reference, scores
        By system, and the size of the reference; None where only counts of a table were compared.
    p, log10_p
        By view and test.
    adjusted, edges, layers, rank_sets, groups, weak_order
        By view and correction: adjusted p-values, and the ranking that follows from them. Where
        siblings are known, edges are what stands in both grades. A rank set is the best and the
        worst place that a system can have; all hold together, with the chance that the edges do.
    conditional
        By view and correction: arrows that siblings undo (*better, if siblings are independent*).
    undecidable
        By view: pairs without an arrow that differ on too few units for any.
    siblings
        Of the view that decides: the same pairs with siblings resampled together; None where
        siblings are unknown.
    items
        By view: the number of decisions; None where it is unknown or arbitrarily large.
    design_effect, effective
        By view: by how much clustering multiplies a difference's variance, and the number of
        independent items that tell as much; None where every item was taken for itself.
    simultaneous
        Of the view that decides: the differences, with intervals that hold together; None where
        there are too few items for any.
    differing
        By view: on how many independent units two systems differ.
    focus
        By view and other system; None where all pairs were compared.
    discordant
        By view: what the row has right and the column wrong.
    values
        By measure and system; None where decisions were compared.
    runs
        What several runs of a system show; None where each has one.
    validity, warnings
        What the tests guarantee, and what `evaluation` says about them.
    total_similarity, order, thresholds, tie_proof
        Only of `rank`: each metric's total by kind of entity, how pairs were chosen, each
        metric's lowest, median and highest cross-fitted threshold (None: nothing is kept), and by
        view the arrows that hold for every optimal assignment.
    cautions
        Sentences that the reader must know.
    settings, inputs, version
        As in `Provenance`.
    intervals
        By system and score: 95 % interval.
    """

    systems: tuple[str, ...]
    counts: Mapping[str, Counts] | None = None
    reference: int | None = None
    scores: Mapping[str, Scores] | None = None
    p: Mapping[str, Mapping[str, Matrix]]
    log10_p: Mapping[str, Mapping[str, Matrix]]
    adjusted: Mapping[str, Mapping[str, Matrix]]
    edges: Mapping[str, Mapping[str, tuple[Edge, ...]]]
    layers: Mapping[str, Mapping[str, Groups]]
    rank_sets: Mapping[str, Mapping[str, Mapping[str, tuple[int, int]]]]
    groups: Mapping[str, Mapping[str, Groups]]
    weak_order: Mapping[str, Mapping[str, bool]]
    conditional: Mapping[str, Mapping[str, tuple[Edge, ...]]]
    undecidable: Mapping[str, tuple[Edge, ...]]
    siblings: Mapping[str, Siblings] | None = None
    items: Mapping[str, int | None] | None = None
    design_effect: Mapping[str, Matrix] | None = None
    effective: Mapping[str, Matrix] | None = None
    differing: Mapping[str, tuple[tuple[int, ...], ...]] | None = None
    simultaneous: Mapping[str, Simultaneous] | None = None
    focus: Mapping[str, Mapping[str, FocusVerdict]] | None = None
    discordant: Mapping[str, tuple[tuple[int, ...], ...]] | None = None
    values: Mapping[str, Mapping[str, float | None]] | None = None
    runs: Runs | None = None
    validity: str
    warnings: tuple[str, ...]
    total_similarity: Mapping[str, Mapping[str, float]] | None = None
    order: str | None = None
    thresholds: Mapping[str, tuple[float | None, ...]] | None = None
    tie_proof: Mapping[str, tuple[Edge, ...]] | None = None
    cautions: tuple[str, ...]
    settings: Mapping[str, object]
    inputs: Mapping[str, InputFile]
    version: str
    intervals: Mapping[str, Mapping[str, tuple[float | None, float | None]]] | None = None

    @classmethod
    def of(
        cls,
        comparison: Comparison,
        provenance: Provenance,
        *,
        cautions: Sequence[str] = (),
        **facts: object,
    ) -> ComparisonResult:
        """Make the result of a comparison.

        Parameters
        ----------
        comparison
            What was computed.
        provenance
            Where it comes from.
        cautions
            What the reader must know beside what `evaluation` says.
        facts
            Further fields of the result, or other values of them.
        """
        return cls.made({**comparison.to_dict(), "cautions": cautions, **facts}, provenance)

    @property
    def alike(self) -> str:
        """What the second grade resamples together."""
        return "clustered items" if self.views[0] == ITEM else "siblings"

    @property
    def unit(self) -> str:
        """What is taken as independent unless the second grade is known.

        Every case for itself in a bare table of counts, and in the paper's way.
        """
        if self.settings.get("protocol") or (self.counts is None and self.values is None):
            return "the cases"
        return unit_of(self.views[0])

    @property
    def test(self) -> str:
        """The test that was chosen."""
        return str(self.settings["test"])

    @property
    def correction(self) -> str:
        """The correction that was chosen."""
        return str(self.settings["correction"])

    @property
    def alpha(self) -> float:
        """The family-wise error rate that was chosen."""
        return float(str(self.settings["alpha"]))

    @property
    def views(self) -> tuple[str, ...]:
        """Names of the views, the first one first."""
        return tuple(self.edges)

    @property
    def arrows(self) -> dict[str, tuple[Edge, ...]]:
        """By view: the significant differences (better, worse) under the chosen correction."""
        return {view: by_correction[self.correction] for view, by_correction in self.edges.items()}

    def verdicts(self, view: str) -> dict[Edge, str]:
        """Return for every ordered pair what is known of the first (`verdict_words`)."""
        chosen = self.conditional[view][self.correction]
        return verdict_words(
            self.systems, self.arrows[view], chosen, self.undecidable[view], self.alike
        )

    def last_column(self, view: str, ranks: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
        """Return name and cells of the last column of a table of the systems.

        The places; where one system was compared with the others, which have none, its verdicts.
        """
        if self.focus is None:
            return "place", ranks
        focus = str(self.settings["focus"])
        verdicts = {rival: focused.verdict for rival, focused in self.focus[view].items()}
        return f"{focus} is", {focus: "", **verdicts}

    def best_first(self, places: Mapping[str, str]) -> list[str]:
        """Return the systems by place, those of one place by the measure or by what is correct."""
        better: dict[str, float] = {s: c.correct for s, c in (self.counts or {}).items()}
        for measure, values in (self.values or {}).items():
            sign = -1 if measure in LESS_IS_BETTER else 1
            better = {s: sign * value for s, value in values.items() if value is not None}
        return sorted(self.systems, key=lambda s: (_ends(places[s]), -better.get(s, 0), s))

    def decision(
        self, *, view: str | None = None, test: str | None = None, correction: str | None = None
    ) -> Decision:
        """Return how a view, a test and a correction decide; None is the one that was chosen.

        Raises
        ------
        ExperimentError
            If the results do not hold what is asked for.
        """
        view = one_of("view", view, self.views, self.views[0])
        tests, adjusted = dict(self.p[view]), self.adjusted[view]
        if self.siblings is not None and view in self.siblings:
            tests |= self.siblings[view].p
        test = one_of("test", test, tests, self.test if self.test in tests else next(iter(tests)))
        correction = one_of("correction", correction, adjusted, self.correction)
        edges = self.edges[view][correction]
        order = self.best_first(rank_ranges(self.systems, edges))
        discordant = (self.discordant or {}).get(view)
        return Decision(
            view=view,
            test=test,
            correction=correction,
            alpha=self.alpha,
            heading=VIEWS.get(view, view),
            systems=tuple(order),
            p=reordered(tests[test], self.systems, order),
            adjusted=reordered(adjusted[correction], self.systems, order),
            edges=edges,
            layers=self.layers[view][correction],
            discordant=discordant and reordered(discordant, self.systems, order),
            conditional=self.conditional[view][correction],
            groups=self.groups[view][correction],
        )


def _ends(place: str) -> list[int]:
    """Return the best rank of a range and, unless it is the only one, the worst."""
    return [int(rank) for rank in place.split("–")]


def reordered(
    matrix: Sequence[Sequence[T]], names: Sequence[str], order: Sequence[str]
) -> tuple[tuple[T, ...], ...]:
    """Return a square matrix with rows and columns in another order of the names.

    Examples
    --------
    >>> reordered([[0, 1], [2, 0]], ["a", "b"], ["b", "a"])
    ((0, 2), (1, 0))
    """
    index = [names.index(name) for name in order]
    return tuple(tuple(matrix[i][j] for j in index) for i in index)


def one_of(option: str, name: str | None, names: Iterable[str], default: str) -> str:
    """Return what was asked for, or the default; refuse what the results do not hold."""
    if name is not None and name not in names:
        raise ExperimentError(
            f"the results hold no {option} {name!r}: use one of {', '.join(names)}"
        )
    return name or default


# Any: an annotation of a dataclass's field is whatever `typing` makes of it
def decoded(kind: Any, value: object, name: str = "it") -> Any:
    """Return a value of JSON as the annotation `kind` wants it, or raise `ExperimentError`.

    Examples
    --------
    >>> decoded(dict[str, tuple[int, ...]], {"a": [1, 2]})
    {'a': (1, 2)}
    >>> decoded(Counts, {"found": 7, "correct": "five"})
    Traceback (most recent call last):
    alignrank.experiments.errors.ExperimentError: correct is 'five'
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is UnionType:  # of something and None
        return None if value is None else decoded(arguments[0], value, name)
    if is_dataclass(kind) and isinstance(value, Mapping):
        return _decoded_record(kind, value)
    if origin in (Mapping, dict) and isinstance(value, Mapping):
        return {key: decoded(arguments[1], item, name) for key, item in value.items()}
    if origin is tuple and isinstance(value, list | tuple):
        kinds = arguments[:1] * len(value) if arguments[-1] is ... else arguments
        if len(kinds) == len(value):
            return tuple(decoded(k, item, name) for k, item in zip(kinds, value, strict=True))
    elif kind is object or (origin is None and isinstance(value, _ACCEPTED.get(kind, kind))):
        return value
    raise ExperimentError(f"{name} is {value!r}"[:200])


# Any: as above
def _decoded_record(kind: Any, content: Mapping[str, object]) -> Any:
    """Return a record of the dataclass `kind`; what it does not know is left out."""
    hints = get_type_hints(kind)
    for record_field in fields(kind):
        if record_field.default is MISSING and record_field.name not in content:
            raise ExperimentError(f"{record_field.name} is missing")
    return kind(
        **{
            name: decoded(hints[name], content[name], name)
            for name in hints.keys() & content.keys()
        }
    )


#: Options that change what is shown of a result, or where it lies, and not the result.
_OF_THIS_RUN = ("--overwrite", "--resume", "--quiet", "-q", "--json", "--verbose", "-v")
#: Libraries that results depend on; a manifest and a report name their versions.
LIBRARIES = ("matplotlib", "networkx", "numba", "numpy", "owlready2", "rapidfuzz", "scipy")


@cache
def version() -> str:
    """Return alignrank's version; ``unknown`` where it runs from a bare checkout."""
    try:
        return metadata.version("alignrank")
    except metadata.PackageNotFoundError:
        return "unknown"


@cache
def libraries() -> dict[str, str]:
    """Return the versions of the libraries that results depend on, those that are installed."""
    versions = {}
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def installation() -> list[tuple[str, str]]:
    """Return what a result was computed with, as name and value, for a report's provenance."""
    listed = ", ".join(f"{name} {number}" for name, number in libraries().items())
    return [("alignrank", version()), ("Python", platform.python_version()), ("libraries", listed)]


def command() -> str:
    """Return the command line that makes the same results again, in a folder ``results``.

    Empty where no command was given, but a function called.
    """
    program, *arguments = sys.argv
    if Path(program).name != "alignrank":
        return ""
    arguments_kept, place = [], None
    for k, argument in enumerate(arguments):
        if argument in ("--out", "-o"):
            place = k + 1
        elif k == place or argument.startswith("--out="):
            arguments_kept += ["--out", "results"]
        elif argument not in _OF_THIS_RUN:
            arguments_kept.append(argument)
    return shlex.join(["alignrank", *arguments_kept])


@dataclass(frozen=True)
class InputFile:
    """A file that a result depends on, and its SHA-256."""

    path: str
    sha256: str


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from.

    Parameters
    ----------
    settings
        Every choice by name, the command first.
    inputs
        Every file that was read, by its role.
    version
        alignrank's own.
    """

    settings: Mapping[str, object]
    inputs: Mapping[str, InputFile]
    version: str = field(default_factory=version)
