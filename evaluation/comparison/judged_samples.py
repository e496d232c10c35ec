"""Compare systems by judged questions instead of a reference.

A question is a source entity with all targets that systems propose for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.names import count
from alignrank.common.results import Caution
from alignrank.evaluation.judged import Pool, of_concepts, pool_of
from alignrank.evaluation.judged.conclusions import (
    ENOUGH_QUESTIONS,
    PoolEstimate,
    conclude,
    judged_tests,
)
from alignrank.evaluation.judged.draw import drawn_order, inclusion
from alignrank.evaluation.judged.estimate import PoolSums
from alignrank.evaluation.judged.judgements import Judgements
from alignrank.evaluation.significance.mcnemar import Bools, Floats, PairTest, off_diagonal
from alignrank.ontologies.alignment import Alignment, Correspondence

from .cautions import guarantee
from .compare import compare
from .pairwise import PairIntervals, pairwise
from .result import Comparison
from .settings import AnalysisSettings

#: The name of McNemar's test from judgements.
TEST = "judgements"
#: Stands for the verdict of a pair that nobody has judged.
_OPEN = -1.0


@dataclass(frozen=True, eq=False)
class Sample:
    """The judged questions that are used, and how probable each was to be judged.

    Parameters
    ----------
    pool
        The pool.
    judged
        (questions,): whether the question's judgement is used.
    probability
        (questions,): how probable it was.
    weights
        (questions,): the weights of the draw.
    right
        (N,): the verdicts, NaN where the judge cannot tell; 0 where there is none.
    cautions
        What the reader must know.
    """

    pool: Pool
    judged: Bools
    probability: Floats
    weights: Floats
    right: Floats
    cautions: tuple[Caution, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every pair is judged, right or wrong."""
        return bool(self.judged.all() and not np.isnan(self.right).any())

    @property
    def cannot_tell(self) -> int:
        """The number of verdicts *cannot tell* among the used ones."""
        return int(np.isnan(self.right[self.judged[self.pool.question]]).sum())

    def runs(self) -> list[PoolSums]:
        """Return the sums; with verdicts *cannot tell* once as right and once as wrong."""
        answers = [1.0, 0.0] if self.cannot_tell else [0.0]
        return [
            PoolSums(
                self.pool, np.nan_to_num(self.right, nan=answer), self.judged, self.probability
            )
            for answer in answers
        ]

    def estimate(self, level: float = 0.95) -> PoolEstimate:
        """Return what the judgements say of the systems (`conclude`)."""
        return conclude(self.runs(), self.weights, level=level, cannot_tell=self.cannot_tell)


def sample_of(alignments: Mapping[str, Alignment], judgements: Judgements) -> Sample:
    """Return the valid sample among the judged questions: the beginning of the drawn order.

    Parameters
    ----------
    alignments
        What each system proposes; only equivalences count, and not the pairs that the questions
        leave out (`Judgements.left_out`).
    judgements
        The verdicts. Where they were not drawn, they are taken as chosen at random, with a caution.

    Raises
    ------
    EvaluationError
        If a system proposes pairs outside the drawn pool, nothing is judged, or the first question
        is not.
    """
    if not judgements.verdicts:
        raise EvaluationError(
            f"{judgements.path}: no row is judged: open judge.html, or fill the column verdict "
            "(right, wrong, cannot tell); if you answered in the browser, name the file that its "
            "button Save downloaded"
        )
    alignments, left_out = of_concepts(alignments, judgements.left_out)
    pool = pool_of(alignments, judgements.pairs if judgements.is_drawn else ())
    if judgements.is_drawn:
        _refuse_other_pairs(pool, judgements)
    # 1 right, 0 wrong, NaN cannot tell
    right = np.array([judgements.verdicts.get(pair, _OPEN) for pair in pool.pairs])
    is_open = right == _OPEN
    questions = len(pool.sources)
    judged = pool.sum_by_question(is_open.astype(float)) == 0
    cautions = []
    if judgements.is_drawn:
        weights = _weights(pool, judgements)
        order, priorities = drawn_order(pool.sources, weights, judgements.seed)
        in_order = judged[order]
        used = questions if in_order.all() else int(in_order.argmin())
        later = int(judged.sum()) - used
        if used == 0:
            raise EvaluationError(
                f"{judgements.path}: question 1 is not judged ({pool.sources[order[0]]}): judge "
                "the questions in their order"
            )
        if later:
            text = (
                f"{count(later, 'judged question')} after question {used} are not used: question "
                f"{used + 1} ({pool.sources[order[used]]}) is not judged, and only the beginning "
                "of the order is a valid sample"
            )
            cautions.append(Caution("not-the-beginning", text))
        judged = np.zeros(questions, dtype=bool)
        judged[order[:used]] = True
        probability = inclusion(weights, priorities, used)
    else:
        used = int(judged.sum())
        if used == 0:
            raise EvaluationError(
                f"{judgements.path}: of no source entity all pairs are judged: draw questions "
                "with alignrank sample"
            )
        weights = np.full(questions, 1 / questions)
        probability = np.full(questions, used / questions)
        if used < questions:
            text = (
                "the judged pairs were not drawn by alignrank sample: the results hold only if "
                "they were chosen at random"
            )
            cautions.append(Caution("not-drawn", text))
    if judgements.other_relations:
        text = (
            "left out, because they state no equivalence: "
            f"{count(judgements.other_relations, 'row')} of the judgements"
        )
        cautions.append(Caution("other-relations", text))
    right = np.where(judged[pool.question], right, 0.0)
    sample = Sample(pool, judged, probability, weights, right, ())
    return replace(sample, cautions=(*cautions, *_cautions(sample, alignments), *left_out))


def _refuse_other_pairs(pool: Pool, judgements: Judgements) -> None:
    """Refuse a system that proposes pairs of which no question was drawn."""
    if len(pool.pairs) == len(judgements.pairs):
        return
    is_new = np.array([pair not in judgements.pairs for pair in pool.pairs])
    sizes = pool.sizes.tolist()
    n_new = pool.proposed[is_new].sum(axis=0).tolist()
    for name, size, new in zip(pool.systems, sizes, n_new, strict=True):
        if new:
            raise EvaluationError(
                f"{name} proposes {new} of {size} pairs outside the judged pool: "
                "draw their questions too (add=...); a reference does not belong beside judgements"
            )


def _weights(pool: Pool, judgements: Judgements) -> Floats:
    missing = [source for source in pool.sources if source not in judgements.weights]
    if missing:
        raise EvaluationError(
            f"{judgements.path}: {missing[0]} has no weight: restore the column weight"
        )
    return np.array([judgements.weights[source] for source in pool.sources])


def _cautions(sample: Sample, alignments: Mapping[str, Alignment]) -> list[Caution]:
    cautions = []
    used = int(sample.judged.sum())
    if used < min(ENOUGH_QUESTIONS, len(sample.judged)):
        text = (
            f"only {count(used, 'question')} judged: the intervals were checked by simulation "
            f"from {ENOUGH_QUESTIONS} on"
        )
        cautions.append(Caution("few-questions", text))
    if sample.cannot_tell:
        text = (
            f"{count(sample.cannot_tell, 'verdict')} 'cannot tell': the intervals hold the results "
            "with all of them right and with all of them wrong"
        )
        cautions.append(Caution("cannot-tell", text))
    for name, alignment in alignments.items():
        if others := len(alignment) - alignment.columns.relation.count("="):
            text = f"{name}: {count(others, 'correspondence')} of other relations are not judged"
            cautions.append(Caution("other-relations", text, system=name))
    return cautions


def compare_judgements(
    alignments: Mapping[str, Alignment],
    judgements: Judgements,
    settings: AnalysisSettings | None = None,
) -> Comparison:
    """Compare systems by judgements of a sample of what they propose.

    Parameters
    ----------
    alignments
        What each system proposes, by name, two or more; only equivalences (``=``) count.
    judgements
        The verdicts.
    settings
        Level, correction, focus, and views among ``ifp`` and ``cfp`` (default: both). Where every
        pair is judged and one is right, all settings of `alignrank.evaluation.compare`.

    Returns
    -------
    Comparison
        With its `pool`. McNemar's test asks whether a difference is more than chance beyond these
        files; the intervals of `pool` are about these files. Where every pair is judged, it is
        what `alignrank.evaluation.compare` says with the pool's right pairs as the reference.

    Raises
    ------
    EvaluationError
        As `sample_of`; or if a setting does not fit.

    Examples
    --------
    >>> a = Alignment(Correspondence(f"a#{k:02}", f"b#{k}") for k in range(20))
    >>> b = a.where(lambda c: c.entity1 < "a#11")
    >>> right = Judgements(dict.fromkeys(a.pairs, 1.0), frozenset(a.pairs))
    >>> result = compare_judgements({"a": a, "b": b}, right)
    >>> result.scores["b"].correct, result.pool.whatever
    (11, (('a', 'b'),))
    """
    settings = settings or AnalysisSettings()
    sample = sample_of(alignments, judgements)
    estimate = sample.estimate(1 - settings.alpha)
    right_pairs = [
        pair for pair, verdict in zip(sample.pool.pairs, sample.right, strict=True) if verdict == 1
    ]
    if sample.is_complete and right_pairs:
        reference = Alignment((Correspondence(*pair) for pair in right_pairs), path=judgements.path)
        concepts, _ = of_concepts(alignments, judgements.left_out)
        equivalences = {
            name: alignment.where(lambda c: c.relation == "=")
            for name, alignment in concepts.items()
        }
        result = compare(equivalences, reference, settings)
        of_pool = {
            name: replace(view, intervals=PairIntervals()) for name, view in result.views.items()
        }
        cautions = (*sample.cautions, *result.cautions)
        return replace(result, views=of_pool, pool=estimate, cautions=cautions)
    views = settings.views or ("ifp", "cfp")
    if unknown := [view for view in views if view not in ("ifp", "cfp")]:
        raise EvaluationError(
            f"views={unknown[0]} needs a whole reference: of judgements take ifp or cfp"
        )
    if settings.protocol is not None:
        raise EvaluationError("protocol=... needs a whole reference: leave it out")
    systems = sample.pool.systems
    settings = settings.resolved(systems, [TEST])
    tests = _tests(sample)
    recall = dict(zip(systems, estimate.measures["recall"].value.tolist(), strict=True))
    compared = {}
    for view in views:
        is_recall = view == "ifp"
        compared[view] = pairwise(
            view,
            systems,
            {TEST: tests[view]},
            settings,
            values=recall if is_recall else None,
            quantity="recall in the pool" if is_recall else "",
        )
    first = next(iter(compared.values()))
    return Comparison(
        systems=systems,
        settings=settings,
        views=compared,
        validity=guarantee(first),
        cautions=sample.cautions,
        pool=estimate,
    )


def _tests(sample: Sample) -> dict[str, PairTest]:
    """Return McNemar's tests; where verdicts are undecided, what holds for both extremes."""
    runs = [judged_tests(run) for run in sample.runs()]
    tests = runs[0]
    for other_run in runs[1:]:
        for view, test in other_run.items():
            tests[view] = _both(tests[view], test)
    return tests


def _both(first: PairTest, second: PairTest) -> PairTest:
    """Return the weaker of two tests of each pair; p = 1 where their directions differ."""
    agree = first.advantage * second.advantage > 0
    log10_p = np.where(agree, np.maximum(first.log10_p, second.log10_p), 0.0)
    log10_p = off_diagonal(log10_p)
    advantage = (first.advantage + second.advantage) / 2
    return PairTest(advantage, np.asarray(10**log10_p), log10_p)
