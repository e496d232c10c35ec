"""Compare systems by judged questions instead of a reference.

A question is a source entity with all targets that systems propose for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.names import count
from alignrank.common.results import Caution
from alignrank.evaluation.judged.conclusions import Sample, judged_tests
from alignrank.evaluation.judged.draw import (
    LAST_SHARE,
    Schedule,
    drawn_order,
    inclusion,
    numbers_text,
    verdict_numbers,
)
from alignrank.evaluation.judged.judgements import Judgements
from alignrank.evaluation.judged.pool import ENOUGH_QUESTIONS, Pair, Pool, of_concepts, pool_of
from alignrank.evaluation.significance.mcnemar import Floats, PairTest, off_diagonal
from alignrank.ontologies.alignment import Alignment, Correspondence

from .cautions import guarantee
from .compare import compare
from .pairwise import PairIntervals, Pairwise, pairwise
from .result import Comparison
from .robustness import depends_on_choices
from .settings import AnalysisSettings

#: The name of McNemar's test from judgements.
TEST = "judgements"
#: Questions of a pool below which the first verdict on two systems was seen to err too often.
SMALL_POOL = 300
#: Stands for the verdict of a pair that nobody has judged.
_OPEN = -1.0


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
    schedule = _schedule(judgements, questions)
    order, priorities = np.zeros(0, dtype=np.int64), np.zeros(0)
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
        if not schedule.is_recorded:
            listed = numbers_text(schedule.numbers, questions)
            text = f"This file names no verdicts: they come after {listed}."
            cautions.append(Caution("no-verdicts-named", text))
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
                "The verdict holds only if these pairs were chosen at random, and their number "
                "before any look."
            )
            cautions.append(Caution("not-drawn", text))
    if judgements.other_relations:
        text = (
            "left out, because they state no equivalence: "
            f"{count(judgements.other_relations, 'row')} of the judgements"
        )
        cautions.append(Caution("other-relations", text))
    right = np.where(judged[pool.question], right, 0.0)
    sample = Sample(pool, judged, probability, weights, right, schedule, order, priorities)
    return replace(sample, cautions=(*cautions, *_cautions(sample, alignments), *left_out))


def _schedule(judgements: Judgements, questions: int) -> Schedule:
    """Return when verdicts come: as the file says, else by the rule."""
    if not judgements.is_drawn:
        return Schedule((), questions, is_drawn=False, is_recorded=False)
    if judgements.verdict_numbers is None:
        return Schedule(verdict_numbers(questions), questions, is_recorded=False)
    return Schedule(judgements.verdict_numbers, questions)


def _refuse_other_pairs(pool: Pool, judgements: Judgements) -> None:
    """Refuse a system that proposes pairs outside the drawn questions."""
    if len(pool.pairs) == len(judgements.pairs):
        return
    is_new = np.array([pair not in judgements.pairs for pair in pool.pairs])
    sizes = pool.sizes.tolist()
    n_new = pool.proposed[is_new].sum(axis=0).tolist()
    for name, size, new in zip(pool.systems, sizes, n_new, strict=True):
        if new:
            raise EvaluationError(
                f"{name} proposes {new} of {size} pairs outside the judged pool: "
                f"draw their questions too ({Argument('add')}); a reference does not belong "
                "beside judgements"
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
    if sample.schedule.is_drawn and LAST_SHARE * len(sample.judged) < used < len(sample.judged):
        text = (
            "More than three quarters of the questions are answered: intervals are too narrow "
            "until all are."
        )
        cautions.append(Caution("last-quarter", text))
    if _is_small_first(sample):
        text = (
            "In a pool this small, the first verdict on two systems errs more often than its level "
            "says: 4% for 2.5% on a pair of OAEI's conference track."
        )
        cautions.append(Caution("small-pool", text))
    if sample.cannot_tell:
        text = (
            f"{count(sample.cannot_tell, 'verdict')} 'cannot tell': the intervals hold the results "
            "with all of them right and with all of them wrong"
        )
        cautions.append(Caution("cannot-tell", text))
    for name, alignment in alignments.items():
        if n_others := len(alignment) - alignment.columns.relation.count("="):
            text = f"{name}: {count(n_others, 'correspondence')} of other relations are not judged"
            cautions.append(Caution("other-relations", text, system=name))
    return cautions


def _is_small_first(sample: Sample) -> bool:
    """Whether the last verdict is the first one on two systems in a small pool."""
    numbers, answered = sample.schedule.numbers, int(sample.judged.sum())
    is_first = sample.schedule.is_drawn and sum(number <= answered for number in numbers) == 1
    is_small = len(sample.judged) < SMALL_POOL and answered < len(sample.judged)
    return is_first and is_small and len(sample.pool.systems) == 2


def compare_judgements(sample: Sample, settings: AnalysisSettings | None = None) -> Comparison:
    """Compare systems by judgements of a sample of their pairs.

    Parameters
    ----------
    sample
        The judged pairs of two systems or more, from `sample_of`.
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
        If a setting does not fit, or there are fewer than two systems.

    Examples
    --------
    >>> a = Alignment(Correspondence(f"a#{k:02}", f"b#{k}") for k in range(20))
    >>> b = a.where(lambda c: c.entity1 < "a#11")
    >>> right = Judgements(dict.fromkeys(a.pairs, 1.0), frozenset(a.pairs))
    >>> result = compare_judgements(sample_of({"a": a, "b": b}, right))
    >>> result.scores["b"].correct, result.pool.whatever
    (11, (('a', 'b'),))
    """
    settings = settings or AnalysisSettings()
    pool, estimate = sample.pool, sample.estimate(settings.alpha)
    right_pairs = list(compress(pool.pairs, sample.right == 1))
    if sample.is_complete and right_pairs:
        proposed = zip(pool.systems, pool.proposed.T, strict=True)
        alignments = {name: _of_pairs(compress(pool.pairs, flags)) for name, flags in proposed}
        result = compare(alignments, _of_pairs(right_pairs), settings)
        of_pool = {
            name: replace(view, intervals=PairIntervals()) for name, view in result.views.items()
        }
        cautions = (*sample.cautions, *result.cautions)
        return replace(result, views=of_pool, pool=estimate, cautions=cautions)
    views = settings.views or ("ifp", "cfp")
    if unknown := [view for view in views if view not in ("ifp", "cfp")]:
        raise EvaluationError(
            f"{Argument('views', unknown[0])} needs a whole reference: of judgements take ifp "
            "or cfp"
        )
    if settings.protocol is not None:
        raise EvaluationError(f"{Argument('protocol')} needs a whole reference: leave it out")
    systems = pool.systems
    settings = settings.resolved(systems, [TEST])
    settings = replace(settings, alpha=sample.own_alpha(settings.alpha))
    if estimate.verdict is None:
        compared = {view: _undecided(view, systems, settings) for view in views}
    else:
        tests = _tests(sample.beginning(estimate.verdict.answers))
        compared = {view: pairwise(view, systems, {TEST: tests[view]}, settings) for view in views}
    recall = dict(zip(systems, estimate.measures["recall"].value.tolist(), strict=True))
    if "ifp" in compared:
        compared["ifp"] = replace(compared["ifp"], values=recall, quantity="recall in the pool")
    validity = "Nothing is tested before the first verdict of the judged sample."
    if estimate.verdict is not None:
        validity = guarantee(next(iter(compared.values())))
    return Comparison(
        systems=systems,
        settings=settings,
        views=compared,
        validity=validity,
        cautions=(*sample.cautions, *depends_on_choices(compared[views[0]])),
        pool=estimate,
    )


def _of_pairs(pairs: Iterable[Pair]) -> Alignment:
    return Alignment(Correspondence(*pair) for pair in pairs)


def _tests(sample: Sample) -> dict[str, PairTest]:
    """Return McNemar's tests; with undecided verdicts, the weaker result of both extremes.

    p = 1 where the directions of the extremes differ.
    """
    tests, *further = (judged_tests(run) for run in sample.runs())
    for of_run in further:
        for view, second in of_run.items():
            first = tests[view]
            agree = first.advantage * second.advantage > 0
            log10_p = np.where(agree, np.maximum(first.log10_p, second.log10_p), 0.0)
            log10_p = off_diagonal(log10_p)
            advantage = (first.advantage + second.advantage) / 2
            tests[view] = PairTest(advantage, np.asarray(10**log10_p), log10_p)
    return tests


def _undecided(view: str, systems: Sequence[str], settings: AnalysisSettings) -> Pairwise:
    """Return a view before the first verdict: nothing is tested, no p-value is known."""
    ones = np.ones((len(systems), len(systems)))
    untested = PairTest(0 * ones, ones, 0 * ones)
    result = pairwise(view, systems, {TEST: untested}, settings, with_nemenyi=False)
    unknown = np.full(ones.shape, np.nan)
    adjusted = {name: replace(p, values=unknown) for name, p in result.adjusted.items()}
    return replace(result, tests={TEST: PairTest(0 * ones, unknown, unknown)}, adjusted=adjusted)
