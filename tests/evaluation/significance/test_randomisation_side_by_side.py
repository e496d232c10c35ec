"""Randomisation of measures that are more than sums, against alignments swapped one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import Comparison, Context, EvaluationError, compare_measure
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.credit.credits import Evaluation, Whole, values
from alignrank.evaluation.measures.measure import get_measure
from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.evaluation.significance.randomisation import randomise
from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Ontology
from tests.generated import examples

Cells = dict[tuple[str, str], float]


def alignment(cells: Cells) -> Alignment:
    return Alignment(Correspondence(*pair, "=", c) for pair, c in cells.items())


def jaccard(a: Alignment, r: Alignment) -> Evaluation:
    return get_measure("jaccard")(a, r)


def enumerated(a: Alignment, b: Alignment, r: Alignment, measure: str) -> float:
    """Share of all ways to swap answers per source entity with at least as large a difference."""
    judge, value = (curve, measure) if measure != "jaccard" else (jaccard, measure)

    def difference(x: Alignment, y: Alignment) -> float:
        return abs(values(judge(x, r))[value] - values(judge(y, r))[value])

    entities = sorted({c.entity1 for c in (*a, *b)})
    as_large = []
    for swap in product((False, True), repeat=len(entities)):
        swapped = {e for e, s in zip(entities, swap, strict=True) if s}
        x = a.where(lambda c, s=swapped: c.entity1 not in s) | b.where(
            lambda c, s=swapped: c.entity1 in s
        )
        y = b.where(lambda c, s=swapped: c.entity1 not in s) | a.where(
            lambda c, s=swapped: c.entity1 in s
        )
        as_large.append(not difference(x, y) < difference(a, b) - 1e-12)
    return float(np.mean(as_large))


CELLS = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("xy")),
    st.sampled_from([0.25, 0.5, 1.0]),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("measure", ["average_precision", "best_f1", "jaccard"])
@given(CELLS, CELLS, CELLS)
@examples(20)
def test_equals_the_enumeration_of_all_swaps(measure: str, a: Cells, b: Cells, r: Cells) -> None:
    one, two, right = alignment(a), alignment(b), alignment(r)
    judge = jaccard if measure == "jaccard" else curve
    outcome = randomise({"a": one, "b": two}, right, judge, measure, n_resamples=3000)
    p = enumerated(one, two, right, measure)
    assert outcome.test.p[0, 1] == pytest.approx(p, abs=5 * (p * (1 - p) / 3000) ** 0.5 + 1e-3)
    assert outcome.values["a"] == values(judge(one, right))[measure]


def test_credits_take_the_fast_path_with_any_value() -> None:
    r = alignment({(f"e{k}", "x"): 1.0 for k in range(20)})
    systems = {"all": r, "half": r.where(lambda c: c.entity1 < "e15")}
    measure = get_measure("standard")
    for value in (None, "precision", "f2", "overall"):
        result = compare_measure(
            systems, r, measure, value, settings=AnalysisSettings(n_resamples=500), name="m"
        )
        assert result.views["m"].chosen.p.shape == (2, 2)
    assert compare_measure(systems, r, measure, name="m").edges["m"]["nemenyi"] == (
        ("all", "half"),
    )


def test_clusters_are_swapped_whole() -> None:
    r = alignment({(f"e{k}", "x"): 1.0 for k in range(9)})
    clusters = {f"e{k}": str(k % 3) for k in range(9)}
    systems = {"all": r, "none": alignment({("z", "x"): 1.0})}
    outcome = randomise(systems, r, jaccard, clusters=clusters | {"z": "0"}, n_resamples=4000)
    assert outcome.units == 3
    assert outcome.test.p[0, 1] == pytest.approx(2 / 8, abs=0.03)


def test_unjudged_pairs_stay_unjudged_in_either_direction() -> None:
    r = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    systems = {
        "plain": alignment({("a", "x"): 1.0}),
        "turned": alignment({("a", "x"): 1.0, ("y", "b"): 1.0}),
    }
    outcome = randomise(systems, r, jaccard, n_resamples=99)
    assert outcome.values == {"plain": 1.0, "turned": 1.0}
    assert outcome.test.p[0, 1] == 1


def test_measures_of_the_whole_alignment_cannot_be_swapped() -> None:
    r = alignment({("a", "x"): 1.0})

    def whole(a: Alignment, b: Alignment) -> Evaluation:
        return Whole(("unsatisfiable",), (0.0,))

    with pytest.raises(EvaluationError, match="no parts of it can be swapped"):
        randomise({"x": r, "y": r}, r, whole)
    with pytest.raises(EvaluationError, match="value 'auc' is unknown: use one of average_prec"):
        randomise({"x": r, "y": r}, r, curve, "auc")


# --- measures over all pairs -----------------------------------------------------------------


def ten_by_ten() -> Context:
    one, two = (
        Ontology(
            f"http://{side}", {f"{side}{k}": Entity(f"{side}{k}", Kind.CLASS) for k in range(10)}
        )
        for side in "ab"
    )
    return Context(one, two)


def compared(systems: dict[str, Alignment], r: Alignment, name: str) -> Comparison:
    measure, context = get_measure(name), ten_by_ten()
    return compare_measure(
        systems,
        r,
        lambda a, r: measure(a, r, context),
        settings=AnalysisSettings(n_resamples=2000),
        name=name,
    )


def test_of_fallout_less_is_better() -> None:
    r = alignment({(f"a{k}", f"b{k}"): 1.0 for k in range(10)})
    wrong = alignment({(f"a{k}", f"b{(k + step) % 10}"): 1.0 for k in range(10) for step in (1, 2)})
    for name in ("fallout", "mcc"):
        result = compared({"bad": r | wrong, "good": r}, r, name)
        assert result.edges[name]["bergmann-hommel"] == (("good", "bad"),)
        assert result.views[name].values == pytest.approx(
            {"bad": 20 / 90, "good": 0.0} if name == "fallout" else {"bad": 0.509175, "good": 1.0}
        )


@pytest.mark.parametrize("name", ["roc-auc", "fallout", "mcc"])
def test_systems_that_list_every_pair_fit_the_universe_side_by_side(name: str) -> None:
    r = alignment({(f"a{k}", f"b{k}"): 1.0 for k in range(10)})
    pairs = [(f"a{i}", f"b{j}") for i in range(10) for j in range(10)]
    sharp = alignment({(a, b): 0.9 if a[1] == b[1] else 0.1 for a, b in pairs})
    blunt = alignment({(a, b): 0.5 + 0.04 * (a[1] < b[1]) for a, b in pairs})
    result = compared({"sharp": sharp, "blunt": blunt}, r, name)
    decided = (("sharp", "blunt"),) if name == "roc-auc" else ()
    assert result.edges[name]["bergmann-hommel"] == decided
    with pytest.raises(EvaluationError, match="universe is 100, but alignment and reference hold"):
        compared({"foreign": sharp, "blunt": blunt}, r | alignment({("c", "d"): 1.0}), name)
