"""What `study`, and `rank` on several tasks, found: the sister of `ComparisonResult`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alignrank.evaluation.multitask import Study
from alignrank.evaluation.ranking import Edge

from .result import Decision, Groups, InputFile, Matrix, Provenance, Summary, one_of


@dataclass(frozen=True)
class StudyPair:
    """Two systems over all tasks: the tests and effects that `alignrank.evaluation.multitask` tells of them.

    `p`, `adjusted_p` and `better` (empty where the two cannot be told apart) are those that decide.
    """

    system1: str
    system2: str
    t: Mapping[str, object]
    wilcoxon: Mapping[str, object]
    sign: Mapping[str, object]
    effects: Mapping[str, object]
    bayesian: Mapping[str, object] | None
    p: float | None
    adjusted_p: float | None
    better: str


@dataclass(frozen=True)
class KindSummary:
    """One metric on all tasks, or on their entities of one kind.

    Parameters
    ----------
    metric, kind
        Which metric, and which kind of entity (``all``: together).
    tasks
        Tasks with a correspondence of the kind, found or right.
    reference, found, correct
        Correspondences over all tasks.
    correct_min, correct_max
        Smallest and largest number of correct ones that optimal assignments can have; only for
        ``all``.
    macro_f1
        Mean of the tasks' F1.
    micro_precision, micro_recall, micro_f1
        From the correspondences of all tasks together; None for 0/0.
    """

    metric: str
    kind: str
    tasks: int
    reference: int
    found: int
    correct: int
    correct_min: int | None
    correct_max: int | None
    macro_f1: float | None
    micro_precision: float | None
    micro_recall: float | None
    micro_f1: float | None


#: What every correction takes for granted.
RESTS = (
    "It rests on valid p-values, and these on independent tasks, or, where tasks share ontologies, "
    "on independent ontologies."
)


@dataclass(frozen=True, kw_only=True)
class StudyResult(Summary):
    """What `study`, or `rank` on several tasks, found; see `alignrank.evaluation.multitask.Study`.

    Parameters
    ----------
    scores
        (tasks, systems).
    focus
        The system that the others were compared with; None: all pairs were compared.
    edges, conditional
        Differences that stand with shared ontologies left out in turn too, and those that stand
        only if the tasks are independent.
    generalisability
        How far the tasks tell the systems apart on other tasks: variances of the scores by system,
        task and both together, the coefficient, and how many tasks reach .8 and .9.
    omnibus
        The tests of all systems at once.
    shared_ontologies
        Whether tasks share ontologies, so that these were left out in turn.
    by_kind
        Only of `rank`: every metric by kind of entity.
    cautions
        Only of `rank`: sentences that the reader must know.
    thresholds
        Only of `rank`: by metric and task, chosen on other tasks.
    settings, inputs, version
        As in `Provenance`.
    """

    tasks: tuple[str, ...]
    systems: tuple[str, ...]
    measure: str
    scores: tuple[tuple[float, ...], ...]
    test: str
    correction: str
    validity: str
    alpha: float
    focus: str | None
    p_values: Matrix
    omnibus: tuple[Mapping[str, object], ...]
    mean_ranks: Mapping[str, float]
    critical_difference: float | None
    edges: tuple[Edge, ...]
    conditional: tuple[Edge, ...]
    groups: Groups
    layers: Groups
    weak_order: bool
    pairs: tuple[StudyPair, ...]
    generalisability: Mapping[str, object]
    shared_ontologies: bool
    warnings: tuple[str, ...]
    by_kind: tuple[KindSummary, ...] | None = None
    cautions: tuple[str, ...] | None = None
    thresholds: Mapping[str, Mapping[str, float]] | None = None
    settings: Mapping[str, object]
    inputs: Mapping[str, InputFile]
    version: str

    @classmethod
    def of(cls, study: Study, provenance: Provenance, **facts: object) -> StudyResult:
        """Make the result of a study; `facts` are further fields."""
        validity = f"{study.adjusted.validity} {RESTS}"
        return cls.made({**study.to_dict(), "validity": validity, **facts}, provenance)

    @property
    def alike(self) -> str:
        """What the second grade leaves out together."""
        return "tasks that share ontologies"

    @property
    def ruler(self) -> float | None:
        """Nemenyi's critical difference, where it decides: other tests make other groups."""
        nemenyi = (self.test, self.correction) == ("friedman", "nemenyi")
        return self.critical_difference if nemenyi else None

    def decision(
        self, *, view: str | None = None, test: str | None = None, correction: str | None = None
    ) -> Decision:
        """Return what the study decides, which has one view, one test and one correction.

        Raises
        ------
        ExperimentError
            If another is asked for.
        """
        one_of("view", view, ["tasks"], "tasks")
        one_of("test", test, [self.test], self.test)
        one_of("correction", correction, [self.correction], self.correction)
        order = sorted(self.systems, key=lambda s: (self.mean_ranks[s], s))
        pairs = {frozenset((pair.system1, pair.system2)): pair for pair in self.pairs}

        def matrix(values: Mapping[frozenset[str], float | None]) -> Matrix:
            return tuple(tuple(values.get(frozenset((a, b))) for b in order) for a in order)

        return Decision(
            view="tasks",
            test=self.test,
            correction=self.correction,
            alpha=self.alpha,
            heading=f"{len(self.tasks)} tasks",
            systems=tuple(order),
            p=matrix({names: pair.p for names, pair in pairs.items()}),
            adjusted=matrix({names: pair.adjusted_p for names, pair in pairs.items()}),
            edges=self.edges,
            layers=self.layers,
            groups=self.groups,
        )
