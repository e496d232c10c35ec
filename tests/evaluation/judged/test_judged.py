"""Judged samples against slow definitions, and against compare where everything is judged."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.common.records import read_record, record_dict
from alignrank.evaluation import AnalysisSettings, Comparison, compare, score
from alignrank.evaluation.comparison.judged_samples import compare_judgements, sample_of
from alignrank.evaluation.judged.conclusions import (
    Chance,
    PoolEstimate,
    bounded_sums,
    f1_of,
    flip_point,
    judged_tests,
)
from alignrank.evaluation.judged.draw import Questions, Verdict, draw, expected_inclusion, inclusion
from alignrank.evaluation.judged.estimate import PoolSums, monotone, simultaneous_tail
from alignrank.evaluation.judged.judgements import (
    Judgements,
    joined_judgements,
    judge_agreement,
    read_judgements,
)
from alignrank.evaluation.judged.pool import FOLDS, Pool
from alignrank.ontologies import Alignment, Correspondence, NegatedCorrespondence

Systems = dict[str, Alignment]
Truth = set[tuple[str, str]]


def task(seed: int, entities: int = 60, systems: int = 3) -> tuple[Systems, Truth]:
    """Systems that find most of a diagonal and some wrong pairs; the right pairs."""
    rng = np.random.default_rng(seed)
    truth = {(f"a#{k:03}", f"b#{k:03}") for k in range(entities)}
    alignments = {}
    for s in range(systems):
        pairs = {pair for pair in sorted(truth) if rng.random() < 0.9 - 0.15 * s}
        wrong = rng.integers(entities, size=(entities // 5 + 4 * s, 2))
        pairs |= {(f"a#{i:03}", f"b#{j:03}") for i, j in wrong if i != j}
        alignments[f"s{s}"] = Alignment(Correspondence(*pair) for pair in pairs)
    return alignments, truth


def answered(questions: Questions, truth: Truth, number: int) -> Judgements:
    """The first questions, answered by the truth."""
    pool = questions.pool
    asked = {pool.sources[k] for k in questions.order[:number]}
    verdicts = {pair: float(pair in truth) for pair in pool.pairs if pair[0] in asked}
    weights = dict(zip(pool.sources, questions.weights.tolist(), strict=True))
    return Judgements(
        verdicts,
        frozenset(pool.pairs),
        weights,
        questions.seed,
        verdict_numbers=questions.verdict_numbers,
        path="judged.tsv",
    )


def slow_sums(run: PoolSums) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The estimate and its two variances as the definition has them, pair by pair."""
    pool = run.pool
    k = len(pool.systems)
    theta = np.zeros(k + 1)
    residuals = {question: np.zeros(k + 1) for question in range(len(pool.sources))}
    model = np.zeros((k + 1, k + 1))
    for u in range(len(pool.pairs)):
        question = pool.question[u]
        pi = run.probability[question]
        g = np.array([*pool.proposed[u], 1.0])
        theta += g * run.guess[u]
        if run.judged[question]:
            theta += g * (run.right[u] - run.guess[u]) / pi
            residuals[question] += g * (run.right[u] - run.guess[u]) / pi
        mean = np.mean([run.by_fold[f][u] for f in range(FOLDS)])
        model += (1 - pi) / pi * mean * (1 - mean) * np.outer(g, g)
    n = run.questions
    design = np.zeros((k + 1, k + 1))
    for question in range(len(pool.sources)):
        z = residuals[question]
        design += n / max(n - 1, 1) * (1 - run.probability[question]) * np.outer(z, z)
    return theta, design, model


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), number=st.integers(1, 50))
def test_sums_and_variances_are_their_definitions(seed: int, number: int) -> None:
    alignments, truth = task(seed)
    run = sample_of(alignments, answered(draw(alignments), truth, number)).runs()[0]
    theta, design, model = slow_sums(run)
    np.testing.assert_allclose(run.sums, theta, atol=1e-9)
    np.testing.assert_allclose(run.variance, design, atol=1e-9)
    np.testing.assert_allclose(run.expected_variance, model, atol=1e-9)
    assert run.degrees_at(number) == max(number - len(alignments), 10)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), number=st.integers(2, 50))
def test_mcnemar_from_judgements_is_its_definition(seed: int, number: int) -> None:
    alignments, truth = task(seed)
    run = sample_of(alignments, answered(draw(alignments), truth, number)).runs()[0]
    tests, sums, pool = judged_tests(run), bounded_sums(run), run.pool
    for view, slope, shift in (("ifp", 1, 0), ("cfp", 2, 1)):
        for s, t in ((0, 1), (2, 1)):
            predicted = judged_part = seen = 0.0
            for question in range(len(pool.sources)):
                pairs = np.flatnonzero(pool.question == question)
                c = pool.proposed[pairs, s].astype(float) - pool.proposed[pairs, t]
                p = run.guess[pairs]
                mean = float(c @ (slope * p - shift))
                square = mean**2 + float(c**2 @ (slope**2 * p * (1 - p)))
                predicted += square
                if run.judged[question]:
                    d = float(c @ (slope * run.right[pairs] - shift))
                    seen += d**2
                    judged_part += (d**2 - square) / run.probability[question]
            own = max(predicted + judged_part, seen, predicted / 4)
            contrast = np.zeros((1, len(sums)))
            contrast[0, [s, t]] = 1, -1
            whole = own + slope**2 * float(run.variances(contrast)[0])
            difference = slope * (sums[s] - sums[t]) - shift * (pool.sizes[s] - pool.sizes[t])
            assert tests[view].advantage[s, t] == pytest.approx(difference)
            p_value = math.erfc(abs(difference) / math.sqrt(2 * whole))
            assert tests[view].p[s, t] == pytest.approx(p_value)


def test_every_beginning_of_the_order_estimates_without_bias() -> None:
    alignments, truth = task(7)
    pairs = set().union(*(a.pairs for a in alignments.values()))
    true = [len(a.pairs & truth) for a in alignments.values()] + [len(pairs & truth)]
    for number in (10, 40):
        estimates = np.array(
            [
                sample_of(alignments, answered(draw(alignments, seed=str(seed)), truth, number))
                .runs()[0]
                .sums
                for seed in range(300)
            ]
        )
        error = (estimates.mean(axis=0) - true) / (estimates.std(axis=0) / math.sqrt(300))
        assert np.abs(error).max() < 4


def test_inclusion_by_the_priority_of_the_first_question_left() -> None:
    weights, priorities = np.array([0.5, 0.3, 0.2]), np.array([0.4, 2.5, 1.5])
    assert inclusion(weights, priorities, 1).tolist() == [0.75, 0.3 * 1.5, 0.2 * 1.5]
    assert inclusion(weights, priorities, 3).tolist() == [1, 1, 1]
    assert expected_inclusion(weights, 2).sum() == pytest.approx(2)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_all_judged_is_compare_with_the_right_pairs_of_the_pool(seed: int) -> None:
    alignments, truth = task(seed)
    questions = draw(alignments)
    result = compare_judgements(sample_of(alignments, answered(questions, truth, 10**6)))
    reference = Alignment(Correspondence(*p) for p in questions.pool.pairs if p in truth)
    direct = compare(alignments, reference)
    assert result.scores == direct.scores
    for view in direct.views:
        np.testing.assert_array_equal(result.views[view].adjusted_p, direct.views[view].adjusted_p)
    assert result.edges == direct.edges
    assert result.pool is not None
    for k, (name, alignment) in enumerate(alignments.items()):
        scores = score(alignment, reference)
        for measure in ("precision", "recall", "f1", "correct"):
            limits = result.pool.measures[measure]
            value = getattr(scores, measure)
            assert limits.value[k] == limits.low[k] == limits.high[k] == value, name


@given(st.integers(1, 90), st.integers(1, 90), st.integers(0, 50), st.integers(0, 50))
def test_at_the_flip_point_f1_is_the_same(c: int, d: int, wrong: int, more_wrong: int) -> None:
    sizes = np.array([c + wrong, d + more_wrong], dtype=float)
    flip = flip_point(c, d, *sizes)
    whole = f1_of(np.array([c, d], dtype=float), sizes, max(c, d))
    if whole[0] > whole[1]:
        # in the pool c is better: whatever it lacks if c has as many correct pairs
        assert (flip == math.inf) == (c >= d)
        assert flip > max(c, d)
    if flip < math.inf and flip > 0:
        first, second = f1_of(np.array([c, d], dtype=float), sizes, flip)
        assert first == pytest.approx(second)


def test_what_holds_only_if_the_pool_has_all_has_a_flip_point() -> None:
    truth = {(f"a#{k:03}", f"b#{k}") for k in range(40)}
    precise = Alignment(Correspondence(*pair) for pair in sorted(truth)[:36])
    wrong = [Correspondence(f"a#{k:03}", f"c#{k}") for k in range(40)]
    greedy = Alignment([*(Correspondence(*pair) for pair in truth), *wrong])
    systems = {"precise": precise, "greedy": greedy}
    result = compare_judgements(sample_of(systems, answered(draw(systems), truth, 100)))
    assert result.pool is not None
    assert result.pool.whatever == ()
    ((better, worse, flip),) = result.pool.if_complete
    assert (better, worse) == ("precise", "greedy")
    assert flip == pytest.approx((40 * 36 - 36 * 80) / (36 - 40))
    assert "only if the files propose (nearly) all right pairs" in " ".join(result.answer())


def test_cannot_tell_gives_a_range_that_holds_both_answers() -> None:
    alignments, truth = task(3)
    whole = answered(draw(alignments), truth, 40)
    unsure = dict.fromkeys(list(whole.verdicts)[:6], math.nan)
    estimates = [
        compare_judgements(
            sample_of(alignments, replace(whole, verdicts={**whole.verdicts, **verdicts}))
        ).pool
        for verdicts in (
            unsure,
            dict.fromkeys(unsure, 1.0),
            dict.fromkeys(unsure, 0.0),
        )
    ]
    assert all(isinstance(estimate, PoolEstimate) for estimate in estimates)
    both, *extremes = (estimate.measures["f1"] for estimate in estimates if estimate)
    for limits in extremes:
        assert (both.low <= limits.low + 1e-12).all()
        assert (limits.high <= both.high + 1e-12).all()


def compared(number: int, seed: int = 0, entities: int = 300) -> PoolEstimate:
    """What the first answers say of two systems that differ little."""
    alignments = two_systems(seed, entities)
    _, truth = task(seed, entities=entities, systems=1)
    result = compare_judgements(sample_of(alignments, answered(draw(alignments), truth, number)))
    assert result.pool is not None
    return result.pool


def two_systems(seed: int, entities: int) -> Systems:
    return {
        name: task(seed + shift, entities=entities, systems=1)[0]["s0"]
        for name, shift in (("a", 0), ("b", 1000))
    }


def test_answers_after_a_verdict_change_estimates_and_no_verdict() -> None:
    at, later = compared(100), compared(199)
    assert at.verdict == later.verdict
    assert at.verdict == Verdict((100, 220), 100, 1, 0.025, 0.975, 220, exact=False, recorded=True)
    assert (at.whatever, at.if_complete) == (later.whatever, later.if_complete)
    assert at.measures["f1"].value[0] != later.measures["f1"].value[0]
    assert at.level == later.level == 0.975
    second = compared(220).verdict
    assert second is not None
    assert (second.number, second.alpha, second.next) == (2, 0.0125, 298)
    last = compared(298).verdict
    assert last is not None
    assert (last.alpha, last.exact, last.next) == (0.05, True, None)
    before = compared(99)
    assert (before.verdict, before.next_verdict, before.whatever) == (None, 100, ())


def test_sentences_tell_the_verdict_and_the_next() -> None:
    names = ("a", "b")
    assert compared(99).answer(names)[0] == (
        "99 of 298 questions are answered: the first verdict comes after 100."
    )
    between = " ".join(compared(150).answer(names, "a"))
    assert between.startswith("a has F1 0.")
    assert (
        "This is the verdict after the first 100 of 150 answers; estimates use all 150; the next "
        "verdict comes after 220."
    ) in between
    chance = Chance(names, 0.234, 298)
    undecided = replace(compared(100), whatever=(), if_complete=(), chances=(chance,))
    first, *others = undecided.answer(names)
    assert ", but after 100 answers it does not differ significantly from that of" in first
    assert others == [
        "The verdict after 220 answers decides this with a chance of about 20%, that after all 298 "
        "with 80% or more."
    ]
    never = replace(undecided, chances=(Chance(names, 0.0, None),))
    assert never.answer(names)[1].startswith("No verdict decides between")
    assert compared(298).answer(names)[-1] == (
        "All 298 questions are answered: F1 in the pool is exact."
    )


def test_all_answered_with_cannot_tell_is_one_more_verdict() -> None:
    alignments, truth = task(3)
    whole = answered(draw(alignments), truth, 1000)
    unsure = {**whole.verdicts, next(iter(whole.verdicts)): math.nan}
    pool = compare_judgements(sample_of(alignments, replace(whole, verdicts=unsure))).pool
    assert pool is not None
    assert pool.verdict is not None
    assert (pool.verdict.alpha, pool.verdict.exact) == (0.025, False)


def test_files_that_name_no_verdicts_get_the_usual_ones() -> None:
    alignments, truth = task(3, entities=300)
    questions = draw(alignments)
    older = replace(answered(questions, truth, 120), verdict_numbers=None)
    result = compare_judgements(sample_of(alignments, older))
    assert result.pool is not None
    assert result.pool.verdict is not None
    assert (result.pool.verdict.list, result.pool.verdict.recorded) == ((100, 220), False)
    assert str(result.cautions[0]) == (
        "This file names no verdicts: they come after 100, 220 and all 300 answers."
    )
    foreign = compare_judgements(sample_of(alignments, replace(older, weights={})))
    assert foreign.pool is not None
    assert foreign.pool.verdict == Verdict(
        (), 120, 1, 0.05, 0.95, None, exact=False, recorded=False
    )
    assert "and their number before any look" in str(foreign.cautions[0])


def test_added_questions_keep_the_verdicts_that_were_reached() -> None:
    alignments, truth = task(3, entities=300)
    questions = draw(alignments)
    assert questions.verdict_numbers == (100, 220)
    extra = (Correspondence(f"a#x{k}", f"b#{k}") for k in range(900))
    new = {"new": Alignment(extra)}
    for number, expected in ((99, (100, 200, 400)), (230, (100, 220, 400))):
        later = draw(new, earlier=answered(questions, truth, number))
        assert later.verdict_numbers[:3] == expected


def test_a_list_of_verdicts_that_was_changed_is_refused() -> None:
    rows = [Correspondence("x", "1", extra=(("verdict", "right"), ("weight", "1")))]
    for text in ("100 soon", "200 100", "10 20"):
        file = Alignment(rows, metadata={"verdicts": text})
        with pytest.raises(EvaluationError, match="list of verdicts in its header was changed"):
            read_judgements(file)


def test_systems_of_equal_f1_are_never_decided() -> None:
    alignments, truth = task(3, entities=300, systems=1)
    alignments["copy"] = alignments["s0"]
    pool = compare_judgements(sample_of(alignments, answered(draw(alignments), truth, 100))).pool
    assert pool is not None
    assert pool.whatever == pool.if_complete == ()
    assert pool.chances == (Chance(("s0", "copy"), 0.0, None),)


def test_the_tail_of_one_contrast_is_exact_and_that_of_several_has_enough_draws() -> None:
    assert simultaneous_tail(np.eye(1), np.eye(1), 0.95) == pytest.approx(0.025)
    for level in (0.95, 0.9875, 1 - 0.05 / 64):
        tail = simultaneous_tail(np.eye(3), np.eye(3), level)
        assert tail == pytest.approx((1 - level ** (1 / 3)) / 2, rel=0.2)


def test_forecasts_come_true_as_often_as_they_say() -> None:
    said, came = [], []
    for seed in range(40):
        alignments = two_systems(seed, 200)
        fewer = sorted(alignments["b"])[seed % 5 * 6 :]  # differences of many sizes
        alignments["b"] = Alignment(fewer)
        truth = task(seed, entities=200, systems=1)[1]
        questions = draw(alignments)
        now, later = (
            sample_of(alignments, answered(questions, truth, number)).estimate()
            for number in (60, 100)
        )
        for chance in now.chances:
            said.append(chance.next)
            came.append(bool(later.whatever or later.if_complete))
    assert 0.3 < np.mean(said) < 0.7
    assert np.mean(came) == pytest.approx(np.mean(said), abs=0.15)


def test_the_last_quarter_is_a_caution() -> None:
    alignments, truth = task(3, entities=300)
    for number, is_late in ((220, False), (230, True), (300, False)):
        cautions = sample_of(alignments, answered(draw(alignments), truth, number)).cautions
        assert ("last-quarter" in {caution.kind for caution in cautions}) == is_late


def test_later_systems_keep_the_priority_of_earlier_questions() -> None:
    alignments, truth = task(5)
    two = {name: alignments[name] for name in ("s0", "s1")}
    first = draw(two, seed="4")
    judgements = answered(first, truth, 20)
    later = draw({"s2": alignments["s2"]}, earlier=judgements)
    asked = [first.pool.sources[k] for k in first.order]
    again = [later.pool.sources[k] for k in later.order]
    assert [source for source in again if source in set(asked)] == asked
    assert set(first.pool.pairs) < set(later.pool.pairs)
    assert later.seed == "4"


def test_a_gap_in_the_order_ends_the_sample() -> None:
    alignments, truth = task(5)
    questions = draw(alignments)
    judgements = answered(questions, truth, 30)
    gap = questions.pool.sources[questions.order[12]]
    verdicts = {pair: v for pair, v in judgements.verdicts.items() if pair[0] != gap}
    sample = sample_of(alignments, replace(judgements, verdicts=verdicts))
    assert sample.judged.sum() == 12
    assert sample.cautions[0].kind == "not-the-beginning"
    assert "17 judged questions after question 12" in sample.cautions[0].text
    first = questions.pool.sources[questions.order[0]]
    verdicts = {pair: v for pair, v in judgements.verdicts.items() if pair[0] != first}
    with pytest.raises(EvaluationError, match="question 1 is not judged"):
        sample_of(alignments, replace(judgements, verdicts=verdicts))


def test_pairs_outside_the_pool_and_unusable_settings_are_refused() -> None:
    alignments, truth = task(5)
    judgements = answered(draw(alignments), truth, 30)
    foreign = {**alignments, "new": Alignment([Correspondence("a#000", "b#new")])}
    with pytest.raises(EvaluationError, match="new proposes 1 of 1 pairs outside"):
        compare_judgements(sample_of(foreign, judgements))
    with pytest.raises(EvaluationError, match="needs a whole reference"):
        compare_judgements(sample_of(alignments, judgements), AnalysisSettings(views=("entity",)))
    with pytest.raises(EvaluationError, match="no row is judged"):
        compare_judgements(sample_of(alignments, replace(judgements, verdicts={})))


def test_a_comparison_with_a_pool_is_read_back() -> None:
    alignments, truth = task(5)
    result = compare_judgements(sample_of(alignments, answered(draw(alignments), truth, 30)))
    again = Comparison.from_dict(result.to_dict())
    assert again.pool is not None
    assert again.answer() == result.answer()
    assert record_dict(again.pool, "pool") == record_dict(result.pool, "pool")
    assert read_record(PoolEstimate, record_dict(again.pool, "pool")).pairs == again.pool.pairs


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_monotone_is_the_min_max_of_means(values: list[float]) -> None:
    fitted = monotone(np.array(values), np.ones(len(values)))
    n = len(values)
    for k in range(n):
        slow = max(min(np.mean(values[i : j + 1]) for j in range(k, n)) for i in range(k + 1))
        assert fitted[k] == pytest.approx(slow, abs=1e-9)


def test_folds_never_divide_a_question() -> None:
    alignments, _ = task(1)
    pool: Pool = draw(alignments).pool
    for question in range(len(pool.sources)):
        assert len(set(pool.fold[pool.question == question])) == 1


def test_agreement_is_that_of_the_textbook() -> None:
    # 20 both right, 15 both wrong, 5 and 10 disputed: Cohen's kappa 0.4 (Wikipedia's example)
    verdicts = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    judges = [
        Judgements({(str(k), "x"): float(v[side]) for k, v in enumerate(verdicts)}, frozenset())
        for side in (0, 1)
    ]
    agreement = judge_agreement(*judges)
    assert agreement is not None
    assert agreement.kappa == pytest.approx(0.4)
    q = (0.5 + 0.6) / 2
    assert agreement.ac1 == pytest.approx((0.7 - 2 * q * (1 - q)) / (1 - 2 * q * (1 - q)))
    error = agreement.error_rate
    assert 2 * error * (1 - error) == pytest.approx(0.3)
    assert len(agreement.disputed) == 15
    assert joined_judgements(*judges).cannot_tell == 15
    broader = [replace(judge, other_relations=k) for k, judge in enumerate(judges, 1)]
    assert joined_judgements(*broader).other_relations == 3


def test_where_all_verdicts_are_the_same_there_is_no_kappa() -> None:
    pairs = [(str(k), "x") for k in range(10)]
    right = Judgements(dict.fromkeys(pairs, 1.0), frozenset(pairs))
    # the sum of these shares is a little less than 1, so that rounding makes 0/0 a number
    weights = {pair: 1 + k / 3 for k, pair in enumerate(pairs)}
    agreement = judge_agreement(right, right, weights)
    assert agreement is not None
    assert math.isnan(agreement.kappa)
    assert agreement.ac1 == pytest.approx(1)


def row(source: str, **facts: str) -> Correspondence:
    return Correspondence(source, "b", extra=tuple(facts.items()))


def test_verdicts_are_read_from_every_kind_of_row() -> None:
    rows = [
        row("a", verdict="Right"),
        row("b", verdict="wrong"),
        row("c", verdict="cannot tell"),
        row("d", reviewer_agreement="-1"),
        row("e", reviewer_agreement="0"),
        row("f", mapping_justification="semapv:ManualMappingCuration"),
        row("g", mapping_justification="semapv:MappingReview"),
        row("h", mapping_justification="semapv:UnspecifiedMatching"),
    ]
    verdicts = {pair[0]: v for pair, v in read_judgements(Alignment(rows)).verdicts.items()}
    assert verdicts["a"] == verdicts["f"] == verdicts["g"] == 1
    assert verdicts["b"] == verdicts["d"] == 0
    assert math.isnan(verdicts["c"])
    assert math.isnan(verdicts["e"])
    assert "h" not in verdicts
    broader = Correspondence("i", "b", "<", extra=rows[5].extra)
    related = Correspondence("j", "b", "?", extra=rows[5].extra)
    negated = NegatedCorrespondence("k", "b", "skos:narrowMatch", ">", extra=rows[5].extra)
    with_others = read_judgements(Alignment([*rows, broader, related], negated=[negated]))
    assert {pair[0] for pair in with_others.pairs} == {c.entity1 for c in rows}
    assert with_others.other_relations == 3
    for wrong in (row("a", verdict="maybe"), row("a", reviewer_agreement="2")):
        with pytest.raises(EvaluationError, match=r"a b: (unknown verdict|reviewer_agreement)"):
            read_judgements(Alignment([wrong]))


def test_an_explicit_verdict_counts_where_no_relation_is_stated() -> None:
    verdict = (("verdict", "wrong"),)
    curated = (("mapping_justification", "semapv:ManualMappingCuration"),)
    rows = [
        Correspondence("a", "b", "?", extra=verdict),
        Correspondence("b", "b", "?", stated_relation="skos:closeMatch", extra=verdict),
        Correspondence("c", "b", "<", extra=verdict),
        Correspondence("d", "b", "?", extra=curated),
        Correspondence("e", "b", extra=verdict),
    ]
    judgements = read_judgements(Alignment(rows))
    assert judgements.verdicts == {("a", "b"): 0.0, ("e", "b"): 0.0}
    assert judgements.other_relations == 3
    caution = sample_of({"a": Alignment(rows)}, judgements).cautions[0]
    assert str(caution).startswith("left out, because they state no equivalence: 3 rows")
    twice = Alignment([rows[0], replace(rows[0], relation="=")])
    with pytest.raises(EvaluationError, match="a b: judged in two rows"):
        read_judgements(twice)


def test_one_system_has_estimates_and_no_forecast() -> None:
    alignments, truth = task(3, entities=300, systems=1)
    judgements = answered(draw(alignments), truth, 120)
    estimate = sample_of(alignments, judgements).estimate(level=0.95)
    assert (estimate.level, estimate.chances, estimate.whatever) == (0.95, (), ())
    assert estimate.verdict is not None
    assert estimate.verdict.alpha == 0.025
