"""The result of a comparison: the record in ``summary.json`` behind all output."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from alignrank.common.errors import RecordError
from alignrank.common.names import enumeration
from alignrank.common.records import check_listed, check_same, read_record, record_dict
from alignrank.common.results import Caution, Provenance
from alignrank.common.table import Frame, Tabular, stacked
from alignrank.evaluation.corrections.adjusting import Adjusted
from alignrank.evaluation.credit.counts import Scores
from alignrank.evaluation.judged.conclusions import PoolEstimate
from alignrank.evaluation.ranking import Edge, answer, answer_focus, assumption
from alignrank.evaluation.significance.mcnemar import Ints
from alignrank.evaluation.significance.runs import SeveralRuns

from .pairwise import Pairwise
from .settings import AnalysisSettings


def out_of_reach(view: Pairwise) -> str:
    """Say why no pair of a view can reach significance."""
    if view.units.target_groups == 1:
        return (
            "All partners in the reference are in one group of classes: whether a difference holds "
            "beyond it cannot be tested."
        )
    return f"Too few {differing_units_of(view)} differ: no comparison can be significant here."


def differing_units_of(view: Pairwise) -> str:
    """Return the units that are too few where a pair cannot reach significance."""
    return "clusters" if view.is_clustered else "items"


@dataclass(frozen=True)
class Matched(Tabular):
    """How the alignments that were compared were made, where that was done here (`rank`).

    Parameters
    ----------
    order
        How assignment and threshold follow each other.
    total_similarity
        By metric and kind of entity: the assignment's total similarity.
    thresholds
        By metric: the lowest, the median and the highest threshold chosen by cross-validation,
        infinite where nothing is kept; empty without.
    correct_range
        By metric: the fewest and the most correct correspondences that an optimal assignment of
        the same similarities has.
    tie_proof
        By view: the edges that hold under every optimal assignment.
    f1_of_choice
        F1 of the best metric, chosen by cross-validation (`threshold_curve.f1_of_choice`); None
        where it was not asked for.
    """

    order: str
    total_similarity: Mapping[str, Mapping[str, float]]
    thresholds: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    correct_range: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    tie_proof: Mapping[str, tuple[Edge, ...]] = field(default_factory=dict)
    f1_of_choice: float | None = None


#: Up to this number of systems every test and correction is tried; with more, pages stay small.
FEW_SYSTEMS = 20

#: A difference, the limits of its interval, and whether the one nearer to 0 was cut at 0.
TestedDifference = tuple[float, float, float, bool]


class PairwiseResult(Tabular, ABC):
    """The common part of a comparison and a study: code that shows a result needs no more."""

    settings: AnalysisSettings
    views: Mapping[str, Pairwise]
    #: What judged questions say, where they stand for a reference.
    pool: PoolEstimate | None = None

    @property
    def is_tested(self) -> bool:
        """Whether a test was made."""
        return True

    @property
    def has_few_systems(self) -> bool:
        """Whether every test and correction is tried, and a page lists every case."""
        return len(self.deciding.systems) <= FEW_SYSTEMS

    @property
    def runs_by_system(self) -> Mapping[str, int]:
        """The number of runs that a system's values are means over; empty where each has one."""
        return {}

    @property
    def deciding(self) -> Pairwise:
        """The view that decides."""
        return next(iter(self.views.values()))

    @property
    def test(self) -> str:
        """The test that decides."""
        return self.deciding.test

    @property
    def correction(self) -> str:
        """The correction that decides."""
        return self.deciding.correction

    @property
    def alpha(self) -> float:
        """The family-wise level."""
        return self.settings.alpha

    @property
    def focus(self) -> str | None:
        """The one system that each other was compared with; None: all pairs were."""
        return self.settings.focus

    @abstractmethod
    def answer(self) -> list[str]:
        """Return the result in sentences: the first one is the answer."""

    def _repr_html_(self) -> str:
        """Show the answer and the first pairs: the table of systems is shown above this floor."""
        return f"<p><bdi>{escape(' '.join(self.answer()))}</bdi></p>\n{super()._repr_html_()}"

    def tested_differences(self, system: str) -> dict[str, TestedDifference]:
        """Return, by other system, the difference over tasks or in the pool."""
        return {}


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(PairwiseResult):
    """Systems compared on one task, pair by pair, in several views.

    Parameters
    ----------
    systems
        Names, in the order given.
    settings
        What decided: test, correction, level and so on.
    views
        Results by view; the first decides.
    scores
        Scores by system; empty where only counts or credits were given.
    reference
        |R|, the number of correspondences in the reference; None where it is unknown.
    intervals
        By system and score: the limits of its 95% interval; empty where they were not asked for.
    runs
        What several runs of a system show; None where each has one.
    runs_needed
        For each pair without a significant difference: the number of runs of each that would find
        its difference, infinite where no number would.
    matched
        How the alignments were made; None where they were read.
    pool
        What judged questions say, where they stand for a reference; else None.
    validity
        One sentence: whether the family-wise error is controlled by this test and correction.
    cautions
        What the reader must know.
    provenance
        Where the result comes from.
    """

    systems: tuple[str, ...]
    settings: AnalysisSettings
    views: Mapping[str, Pairwise]
    scores: Mapping[str, Scores] = field(default_factory=dict)
    reference: int | None = None
    intervals: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    runs: SeveralRuns | None = None
    runs_needed: tuple[tuple[str, str, float], ...] = ()
    matched: Matched | None = None
    pool: PoolEstimate | None = None
    validity: str
    cautions: tuple[Caution, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        """Refuse parts that do not belong together, as in a file that was changed by hand."""
        if not self.views:
            raise RecordError("views is empty")
        for view in self.views.values():
            check_same("a view's systems", view.systems, self.systems)
        if self.scores:
            check_same("scores", self.scores, self.systems)
        check_listed("intervals", self.intervals, self.systems)
        check_listed("focus", [] if self.focus is None else [self.focus], self.systems)
        for *pair, _ in self.runs_needed:
            check_listed("runs_needed", pair, self.systems)
        if self.runs is not None:
            self.runs.check(self.systems)

    @property
    def is_tested(self) -> bool:
        """Whether a test was made: of a judged sample none before its first verdict."""
        return self.pool is None or self.pool.verdict is not None

    @property
    def runs_by_system(self) -> Mapping[str, int]:
        """The number of runs that a system's values are means over; empty where each has one."""
        return dict(zip(self.runs.systems, self.runs.runs, strict=True)) if self.runs else {}

    @property
    def thresholds(self) -> Mapping[str, tuple[float, float, float]]:
        """Of metrics: the lowest, median and highest threshold; empty where none was chosen."""
        return self.matched.thresholds if self.matched else {}

    @property
    def correct_range(self) -> Mapping[str, tuple[int, int]]:
        """Of metrics: the fewest and most correct ones over ties; empty where it is unknown."""
        return self.matched.correct_range if self.matched else {}

    @property
    def discordant(self) -> dict[str, Ints]:
        """By view: the matrix whose cell (i, j) counts the items that i has right and j wrong."""
        return {k: v.counts.discordant for k, v in self.views.items() if v.counts is not None}

    @property
    def adjusted(self) -> dict[str, dict[str, Adjusted]]:
        """By view and correction: adjusted p-values."""
        return {k: dict(v.adjusted) for k, v in self.views.items()}

    @property
    def edges(self) -> dict[str, dict[str, tuple[Edge, ...]]]:
        """By view and correction: pairs (better, worse)."""
        return {k: {c: r.edges for c, r in v.rankings.items()} for k, v in self.views.items()}

    @property
    def layers(self) -> dict[str, dict[str, tuple[tuple[str, ...], ...]]]:
        """By view and correction: systems by layer, best first."""
        return {k: {c: r.layers for c, r in v.rankings.items()} for k, v in self.views.items()}

    def tested_differences(self, system: str) -> dict[str, TestedDifference]:
        """Return, by other system, the difference of F1 in the pool."""
        if self.pool is None:
            return {}
        f1, i = self.pool.differences["f1"], self.systems.index(system)
        limits = zip(*(matrix[i].tolist() for matrix in vars(f1).values()), strict=True)
        by_system = zip(self.systems, limits, strict=True)
        return {name: (*numbers, False) for name, numbers in by_system if name != system}

    def answer(self) -> list[str]:
        """Return the result in sentences: the first one is the answer."""
        view = self.deciding
        if self.pool is not None:
            return self.pool.answer(self.systems, self.focus)
        if view.answers_alike(self.systems):
            reached = f" ({shared})" if (shared := self._reached(self.systems)) else ""
            # not the same answers: two wrong answers to one entity may be different ones
            return [
                f"{enumeration(view.order)} are right in the same cases{reached}: no difference."
            ]
        if view.is_out_of_reach:
            return [out_of_reach(view)]
        if self.focus is None:
            best = view.best
            sentences = answer(view.order, view.edges, self._reached(best), best=len(best))
        else:
            same = [name for name in self.systems if view.answers_alike([self.focus, name])]
            sentences = answer_focus(self.focus, view.order, view.edges, same)
        if not view.is_clustered:
            sentences.append(assumption(view.units.name))
        return sentences

    def _reached(self, systems: Sequence[str]) -> str:
        """Return the values that systems share, as ``right 0.856, F1 0.850``."""
        columns: dict[str, Mapping[str, float]] = {}
        if self.deciding.values is not None:
            columns[self.deciding.quantity] = self.deciding.values
        if self.scores:
            columns["F1"] = {name: scores.f1 for name, scores in self.scores.items()}
        shared = [
            f"{column} {values[systems[0]]:.3f}"
            for column, values in columns.items()
            if len({values[name] for name in systems}) == 1
        ]
        return ", ".join(shared)

    def to_frame(self) -> Frame:
        """Tabulate, one row for a view and pair: counts, p-values, adjusted p, the better one."""
        return stacked(v.to_frame() for v in self.views.values())

    def to_dict(self) -> dict[str, object]:
        """Return the content of ``summary.json``: plain values, None for NaN."""
        content = record_dict(self, "comparison")
        for name, scores in self.scores.items():
            content["scores"][name] |= scores.to_dict()
        return content

    @classmethod
    def from_dict(cls, content: Mapping[str, object]) -> Comparison:
        """Return the comparison that `to_dict` made plain values of.

        Raises
        ------
        RecordError
            If the content has another schema, or something is missing or does not fit.
        """
        return read_record(cls, content)
