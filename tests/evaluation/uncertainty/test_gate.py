"""The gate: false blocks as rarely as promised, real losses found, too few items told."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.comparison.answers import Answers, read_answers
from alignrank.evaluation.comparison.compare import pooled_items
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.judged_samples import sample_of
from alignrank.evaluation.comparison.settings import NO_CLUSTERS, EntityClusters
from alignrank.evaluation.judged.draw import draw
from alignrank.evaluation.judged.judgements import Judgements
from alignrank.evaluation.significance.score_limits import discordance
from alignrank.evaluation.uncertainty.gate import Gate, gate, gate_answers, gate_judgements
from alignrank.ontologies import Alignment, Correspondence, read_alignment

PAIRS = [Correspondence(f"a#{k:04}", f"b#{k:04}") for k in range(1000)]
REFERENCE = Alignment(PAIRS)


def version(rng: np.random.Generator, right: float) -> Alignment:
    """Return an alignment with each reference pair in it by chance, and as many wrong ones."""
    found = [c for c in PAIRS if rng.random() < right]
    wrong = [
        Correspondence(c.entity1, f"{c.entity2}x") for c in PAIRS if rng.random() < (1 - right) / 2
    ]
    return Alignment([*found, *wrong])


def decide(old: Alignment, new: Alignment) -> str:
    return gate([{"": old}], [{"": new}], {"": REFERENCE}).decision


def test_the_same_version_is_unchanged_even_without_a_margin() -> None:
    old = version(np.random.default_rng(1), 0.8)
    result = gate([{"": old}], [{"": old}], {"": REFERENCE}, margin=0.0)
    assert result.decision == "unchanged"
    assert -0.01 < result.low < 0 < result.high < 0.01
    assert 0 < result.loss_on_other_items < 0.01


def test_thirty_items() -> None:
    pairs = PAIRS[:30]
    reference = {"": Alignment(pairs)}
    same = gate([reference], [reference], reference, measure="share")
    assert same.answer == (
        "unchanged: share 1.000, every item counts as before; on other items it could be up to "
        "0.100 worse"
    )
    lost = gate([reference], [{"": Alignment(pairs[1:])}], reference, measure="share")
    assert lost.decision == "inconclusive"
    assert lost.low < -0.01 < 0 < lost.high
    assert 60 < lost.enough * 30 < 120
    assert f"about {math.ceil(lost.enough * 30)} source entities in all would decide" in lost.answer
    never = replace(lost, enough=math.inf)
    assert never.answer.endswith("no number of source entities would decide")


def test_a_table_of_the_same_answers_decides_alike() -> None:
    rng = np.random.default_rng(5)
    clusters = {c.entity1: c.entity1[:-1] for c in PAIRS}
    runs = [[{"": version(rng, right)} for _ in range(2)] for right in (0.8, 0.78)]
    references = {"": REFERENCE}
    expected = gate(*runs, references, measure="share", clusters=EntityClusters(clusters))
    alignments = {str(k): run[""] for k, run in enumerate([*runs[0], *runs[1]])}
    table = incidence(alignments, REFERENCE)
    right = pooled_items([table], NO_CLUSTERS)[0].correct.astype(float)
    items = tuple(sorted({c.entity1 for c in PAIRS}))
    answers = Answers(items, {"a": right[:2], "b": right[2:]}, clusters)
    found = gate_answers(answers)
    assert found == replace(expected, measure="mean score", unit="items")
    errors = gate_answers(replace(answers, lower_is_better=True))
    assert (errors.decision, errors.measure) == (found.decision, "mean error")
    assert (errors.low, errors.high) == (-found.high, -found.low)
    assert (errors.old, errors.new) == (1 - found.old, 1 - found.new)


def test_fewer_errors_are_a_gain() -> None:
    errors = np.array([[0.0] * 50 + [1.0] * 50, [0.0] * 90 + [1.0] * 10])
    items = tuple(f"q{k:02}" for k in range(100))
    scores = {"old": 1 - errors[:1], "new": 1 - errors[1:]}
    gain = gate_answers(Answers(items, scores, lower_is_better=True))
    assert gain.answer.startswith("pass: mean error 0.500 → 0.100 (change: -0.")
    assert gain.answer.endswith("a gain")


def test_a_loss_of_the_margin_seldom_passes() -> None:
    rng = np.random.default_rng(9)
    reference = {"": Alignment(PAIRS[:100])}
    passed = 0
    for _ in range(300):
        kept = Alignment(c for c in PAIRS[:100] if rng.random() >= 0.01)
        result = gate([reference], [{"": kept}], reference, measure="share", margin=0.01)
        passed += result.decision == "pass"
    assert passed / 300 <= 0.056


def test_a_shared_target_parent_widens_the_limits() -> None:
    rng = np.random.default_rng(2)
    old, new = version(rng, 0.8), version(rng, 0.8)
    lost = {f"a#{k:04}" for k in range(40)}
    new = Alignment(c for c in new if c.entity1 not in lost)
    shared = {f"b#{k:04}": str(k // 40) for k in range(1000)}
    alone = gate([{"": old}], [{"": new}], {"": REFERENCE})
    wide = gate([{"": old}], [{"": new}], {"": REFERENCE}, clusters=EntityClusters(None, shared))
    assert wide.high - wide.low > alone.high - alone.low


def test_a_history_of_thirty_commits_without_a_change_in_quality_is_hardly_blocked() -> None:
    rng = np.random.default_rng(2)
    history = [version(rng, 0.8) for _ in range(31)]
    decided = [decide(a, b) for a, b in pairwise(history)]
    assert decided.count("block") <= 4  # 1.5 expected; five or more in 2 of 100 histories


def test_the_commit_that_loses_is_blocked_and_small_edits_pass() -> None:
    rng = np.random.default_rng(3)
    current = version(rng, 0.85)
    decided = []
    for commit in range(30):
        lost = 0.06 if commit == 15 else 0.002
        new = Alignment(c for c in current if rng.random() >= lost)
        decided.append(decide(current, new))
        current = new
    assert decided[15] == "block"
    assert decided.count("block") == 1
    assert decided.count("pass") >= 24


def test_equal_versions_are_blocked_in_five_of_a_hundred_cases() -> None:
    """10,000 pairs gave .050 at 100 clusters; here are 400, with a fixed seed."""
    rng = np.random.default_rng(4)
    sizes = rng.geometric(1 / 3, 100)
    fate = rng.beta(8, 2, 100)
    blocked = 0
    for _ in range(400):
        correct = np.where(
            rng.random((2, 100)) < fate, rng.binomial(sizes, 0.95), rng.binomial(sizes, 0.3)
        )
        found = correct + rng.binomial(sizes - correct, 0.6)
        a, b = 2.0 * correct, found + sizes
        blocked += discordance(a, b, np.arange(100), measure="f1").limits(0.05)[1][1, 0] < 0
    assert blocked / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


def test_runs_widen_the_limits_by_their_luck() -> None:
    rng = np.random.default_rng(5)
    olds, news = ([{"": version(rng, q)} for q in (0.7, 0.8, 0.9)] for _ in range(2))
    one = gate(olds[1:2], news[1:2], {"": REFERENCE})
    three = gate(olds, news, {"": REFERENCE})
    assert three.high - three.low > 2 * (one.high - one.low)
    assert three.decision == "inconclusive"


def test_a_single_run_is_as_lucky_as_those_that_it_is_compared_with() -> None:
    rng = np.random.default_rng(7)
    old = version(rng, 0.8)
    runs = [{"": version(rng, q)} for q in (0.75, 0.8, 0.85)]
    alone = gate([{"": old}], runs[1:2], {"": REFERENCE})
    found = gate([{"": old}], runs, {"": REFERENCE})
    assert found.high - found.low > 4 * (alone.high - alone.low)


def test_tasks_are_pooled_and_what_cannot_be_decided_says_what_would() -> None:
    rng = np.random.default_rng(6)
    old, new = version(rng, 0.80), version(rng, 0.80)
    half = Alignment(PAIRS[:500])
    runs = [{"x": old, "y": old}], [{"x": new, "y": new}]
    both = gate(*runs, {"x": half, "y": REFERENCE}, margin=0.0)
    assert both.clusters == len(PAIRS), "an entity that two tasks ask of is one cluster"
    families = {c.entity1: c.entity1[:4] for c in PAIRS}
    assert (
        gate(*runs, {"x": half, "y": REFERENCE}, clusters=EntityClusters(families)).clusters == 10
    )
    assert both.decision == "inconclusive"
    assert both.enough > 1
    assert "source entities in all would decide" in both.answer


def test_the_systems_of_anatomy(oaei: Path) -> None:
    folder = oaei / "anatomy"
    reference = read_alignment(folder / "reference.rdf")
    aml, logmap, newer = (
        {"": read_alignment(folder / name)}
        for name in (
            "systems-2018/AML.rdf",
            "systems-2018/LogMap.rdf",
            "systems-2022/LogMap.rdf",
        )
    )
    assert gate([aml], [logmap], {"": reference}).decision == "block"
    assert gate([logmap], [aml], {"": reference}).decision == "pass"
    assert gate([logmap], [newer], {"": reference}).decision == "pass"


def test_bad_arguments() -> None:
    run = [{"": REFERENCE}]
    for options, said in (
        ({"margin": -0.1}, "margin=-0.1: it must be 0 or more, and below 1"),
        ({"margin": 2}, "margin=2: it must be 0 or more, and below 1"),
        ({"alpha": 0.5}, "alpha is 0.5"),
        ({"measure": "f7"}, "measure 'f7' is unknown"),
    ):
        with pytest.raises(EvaluationError, match=said):
            gate(run, run, {"": REFERENCE}, **options)
    with pytest.raises(EvaluationError, match="there is none"):
        gate([], run, {"": REFERENCE})


@pytest.mark.parametrize("names", ["a", "abc"])
def test_a_table_has_the_old_and_the_new_version(names: str) -> None:
    answers = read_answers({name: {"q1": 1, "q2": 0} for name in names})
    with pytest.raises(EvaluationError, match="the gate compares an old version with a new one"):
        gate_answers(answers)


def test_a_certain_loss_below_the_margin_passes_and_is_called_worse() -> None:
    old = {f"q{k}": int(k >= 60) for k in range(4000)}
    new = {f"q{k}": int(k >= 70) for k in range(4000)}
    decided = gate_answers(read_answers({"old": old, "new": new}))
    assert decided.high < 0
    assert decided.answer.startswith("pass: mean score 0.985 → 0.983 (change: ")
    assert decided.answer.endswith("worse, but by less than the margin (0.01)")
    assert gate_answers(read_answers({"old": old, "new": new}), margin=0).decision == "block"
    errors = {"old": {q: 1 - x for q, x in old.items()}, "new": {q: 1 - x for q, x in new.items()}}
    assert "worse, but" in gate_answers(read_answers(errors, lower_is_better=True)).answer


def changed(lost: range, gained: range) -> tuple[Alignment, Alignment, Alignment]:
    """Return the old version, the new one and the reference of 60 entities."""
    cells = [Correspondence(f"a#{k}", f"b#{k}") for k in range(60)]
    old = Alignment(c for k, c in enumerate(cells) if k not in gained)
    new = Alignment(c for k, c in enumerate(cells) if k not in lost)
    return old, new, Alignment(cells)


def test_target_clusters_widen_the_limits_and_are_few() -> None:
    old, new, reference = changed(range(15), range(0))
    by_target = {f"b#{k}": str(k // 15) for k in range(60)}
    versions = [{"": old}], [{"": new}], {"": reference}
    alone = gate(*versions, measure="share")
    of_four = gate(*versions, measure="share", clusters=EntityClusters({}, by_target))
    assert (alone.decision, of_four.decision) == ("block", "inconclusive")
    assert (alone.cautions, of_four.groups) == ((), 4)
    assert "there are only 4 independent ones" in of_four.cautions[0]
    one = dict.fromkeys(by_target, "one")
    of_one = gate(*versions, measure="share", clusters=EntityClusters({}, one))
    assert (of_one.low, of_one.high) == pytest.approx((-1, 1))
    assert "there is only 1 independent one:" in of_one.cautions[0]


def test_the_sentence_of_few_groups() -> None:
    old, new, reference = changed(range(2), range(2, 4))
    clusters = {f"a#{k}": str(k % 33) for k in range(60)}
    decided = gate([{"": old}], [{"": new}], {"": reference}, clusters=EntityClusters(clusters))
    in_33 = replace(decided, groups=33.0)
    assert in_33.cautions == (
        "Answers may change by whole groups (classes with one parent), and there are only 33 "
        "independent ones: a loss that hits one group in 13 is not seen in 8% of such samples.",
    )
    assert replace(decided, groups=60.0).cautions == ()


def test_few_changes_are_guarded_by_what_one_more_would_show() -> None:
    """Two lost answers of different clusters of ten: none agreed, which says little."""
    old, new, reference = changed(range(0, 20, 10), range(0))
    clusters = {f"a#{k}": str(k // 10) for k in range(60)}
    low = {
        known: gate(
            [{"": old}],
            [{"": new}],
            {"": reference},
            measure="share",
            clusters=EntityClusters(clusters if known else None),
        ).low
        for known in (False, True)
    }
    assert low[True] < 1.5 * low[False] < 0


def test_judged_questions_decide_at_a_verdict_and_say_how_many_more_would() -> None:
    pairs = [(f"a#{k:03}", f"b#{k:03}") for k in range(300)]
    wrong = [(source, f"{target}x") for source, target in pairs]
    old = Alignment(Correspondence(*pair) for pair in pairs)
    new = Alignment(Correspondence(*pair) for pair in [*pairs[:285], *wrong[285:]])
    systems = {"old": old, "new": new}
    drawn = draw(systems, seed="0")
    order = [drawn.pool.sources[k] for k in drawn.order]

    def gated(answers: int) -> Gate:
        judged = set(order[:answers])
        verdicts = {
            pair: float(not pair[1].endswith("x")) for pair in drawn.pool.pairs if pair[0] in judged
        }
        weights = dict(zip(drawn.pool.sources, drawn.weights.tolist(), strict=True))
        judgements = Judgements(
            verdicts,
            frozenset(drawn.pool.pairs),
            weights,
            seed="0",
            verdict_numbers=drawn.verdict_numbers,
        )
        return gate_judgements(sample_of(systems, judgements))

    with pytest.raises(EvaluationError, match="the first verdict needs"):
        gated(20)
    early, late = gated(100), gated(300)
    assert late.decision == "block"
    assert late.new - late.old == pytest.approx(-0.05)
    assert early.low <= -0.05 <= early.high


def test_judged_questions_pass_a_loss_below_the_margin_as_a_reference_does() -> None:
    """They blocked it, though the limits exclude a loss of the margin."""
    pairs = [(f"a#{k:03}", f"b#{k:03}") for k in range(300)]
    old = Alignment(Correspondence(*pair) for pair in pairs)
    new = Alignment(Correspondence(*pair) for pair in pairs[:297])
    verdicts = dict.fromkeys(pairs, 1.0)
    weights = {source: 1.0 for source, _ in pairs}
    judgements = Judgements(verdicts, frozenset(pairs), weights)
    decided = gate_judgements(sample_of({"old": old, "new": new}, judgements), margin=0.05)
    assert -0.05 < decided.low <= decided.high < 0
    assert decided.decision == "pass"
    assert "worse, but by less than the margin" in decided.answer
