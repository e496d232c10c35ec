"""Tables of items: how they are read, and that they say what alignments say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import (
    Answers,
    EvaluationError,
    compare,
    compare_answers,
    compare_counts,
    read_answers,
)
from alignrank.evaluation.comparison.answers import check_counts, read_counts
from alignrank.evaluation.comparison.contingency import decisions, discordant, incidence
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.significance.clustered import cluster_index, unit_tests
from alignrank.evaluation.significance.crossed import crossed_test
from alignrank.ontologies.alignment import Alignment, Correspondence

RNG = np.random.default_rng()
REFERENCE = Alignment(Correspondence(f"a#{k:03}", f"b#{k}") for k in range(300))
CLUSTERS = {f"a#{k:03}": f"c{k // 3}" for k in range(300)}
CLUSTERED = AnalysisSettings(clusters=EntityClusters(CLUSTERS))


@pytest.fixture(autouse=True)
def _same_draws_in_any_order() -> None:
    RNG.bit_generator.state = np.random.default_rng(7).bit_generator.state


def found(share: float) -> Alignment:
    return REFERENCE.where(lambda _: RNG.random() < share)


def right(systems: dict[str, Alignment]) -> Answers:
    decided = decisions(incidence(systems, REFERENCE), "entity")
    rows = dict(zip(systems, decided.correct[:, None].astype(float), strict=True))
    return Answers(decided.entities, rows, CLUSTERS)


def test_one_run_each_is_the_comparison_of_alignments() -> None:
    systems = {"a": found(0.8), "b": found(0.7), "c": found(0.75)}
    by_entity = compare(systems, REFERENCE, CLUSTERED).views["entity"]
    items = compare_answers(right(systems)).views["item"]
    assert by_entity.test == items.test == "sign-flip"
    assert list(by_entity.tests) == list(items.tests)
    for of_alignments, of_items in zip(by_entity.tests.values(), items.tests.values(), strict=True):
        np.testing.assert_array_equal(of_alignments.p, of_items.p)
    assert by_entity.ranking == items.ranking
    assert by_entity.intervals.tested is not None
    assert items.intervals.tested is not None
    difference = items.intervals.tested.difference
    np.testing.assert_allclose(by_entity.intervals.tested.difference, difference, atol=1e-12)
    # of a table of items their number is known, which narrows the intervals; a decided pair's
    # limit can be cut at 0 in both
    widths = [
        (view.intervals.tested.high - view.intervals.tested.low)[np.triu_indices(3, 1)]
        for view in (by_entity, items)
    ]
    np.testing.assert_array_less(widths[1], widths[0])
    np.testing.assert_array_equal(by_entity.units.p_independent, items.units.p_independent)


def test_runs_of_alignments_are_runs_of_items() -> None:
    systems = {"a@1": found(0.9), "b": found(0.7), "a@2": found(0.88), "c@home": found(0.5)}
    systems["a@3"] = found(0.92)
    by_runs = compare(systems, REFERENCE, CLUSTERED)
    assert by_runs.systems == ("a", "b", "c@home")
    assert by_runs.runs is not None
    assert by_runs.runs.runs == (3, 1, 1)
    view = by_runs.deciding
    assert (view.view, view.test) == ("entity", "runs")
    assert view.is_clustered
    assert view.units.p_independent is not None
    alone = compare(systems, REFERENCE).deciding
    np.testing.assert_array_equal(view.units.p_independent, alone.chosen.p)
    assert view.intervals.tested is not None
    assert view.intervals.tested.low[0, 1] < view.intervals.tested.difference[0, 1] > 0.1
    with pytest.raises(EvaluationError, match="fewer than two degrees of freedom"):
        compare({name: systems[name] for name in ("a@1", "a@2", "b")}, REFERENCE)
    with pytest.raises(EvaluationError, match="by entity"):
        compare(systems, REFERENCE, settings=AnalysisSettings(views=["cfp"]))
    with pytest.raises(EvaluationError, match="test of their own"):
        compare(systems, REFERENCE, settings=AnalysisSettings(test="exact"))


def test_scores_are_compared_by_randomisation() -> None:
    scores = {"a": RNG.random((1, 200)) ** 0.5, "b": RNG.random((1, 200))}
    view = compare_answers(Answers(tuple(map(str, range(200))), scores)).views["item"]
    assert view.test == "randomisation"
    assert view.values == pytest.approx({"a": scores["a"].mean(), "b": scores["b"].mean()})
    assert view.ranking.edges == (("a", "b"),)


@pytest.mark.parametrize("columns", [["a", "b"], ["a@1", "a@2", "a@3", "b"]])
@pytest.mark.parametrize("is_whole", [True, False])
def test_errors_are_compared_as_what_they_leave_and_shown_as_errors(
    columns: list[str], is_whole: bool
) -> None:
    errors = {name: RNG.random(200) ** (2 if name[0] == "a" else 1) for name in columns}
    if is_whole:
        errors = {name: (column > 0.5).astype(float) for name, column in errors.items()}
    view = compare_answers(read_answers(pd.DataFrame(errors), lower_is_better=True)).deciding
    scores = pd.DataFrame({name: 1 - column for name, column in errors.items()})
    mirrored = compare_answers(read_answers(scores)).deciding
    assert view.quantity == "mean error"
    assert view.less_is_better
    of_a = [column for name, column in errors.items() if name[0] == "a"]
    assert view.values == pytest.approx({"a": np.mean(of_a), "b": errors["b"].mean()})
    assert (view.order, view.edges) == (mirrored.order, mirrored.edges)
    if not is_whole and columns == ["a", "b"]:
        assert mirrored.quantity == "mean"
    np.testing.assert_array_equal(view.chosen.p, mirrored.chosen.p)


WIDE = "item,a@1,a@2,b,cluster\nq1,1,0,0.5,x\nq2,1,1,0,x\nq3,0,0,0,\n"
LONG = """System,item,run,score,cluster
a,q1,1,1,x
a,q2,1,1,x
a,q3,1,0,
a,q1,2,0,x
a,q2,2,1,x
a,q3,2,0,
b,q1,,0.5,x
b,q2,,0,x
b,q3,,0,
"""


def test_both_forms_say_the_same(tmp_path: Path) -> None:
    for name, text in (("wide", WIDE), ("long", LONG)):
        path = tmp_path / f"{name}.csv"
        path.write_text(text)
        read = read_answers(path)
        assert read.items == ("q1", "q2", "q3")
        assert read.clusters == {"q1": "x", "q2": "x"}
        assert {name: runs.tolist() for name, runs in read.scores.items()} == {
            "a": [[1, 1, 0], [0, 1, 0]],
            "b": [[0.5, 0, 0]],
        }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,a,b\nq1,1\n", "line 2: 2 cells where the header has 3"),
        ("item,a,b\nq1,1,yes\n", "line 2, column 'b': 'yes' is not a finite number .write 0 where"),
        ("item,a,b\nq1,1,2\n", "line 2: b has the score 2: it must be a number from 0 to 1"),
        ("item,a,b\nq1,1,1\nq1,0,0\n", "line 3: item 'q1' comes twice for 'a' .first on line 2"),
        ("item,system,score\nq1,a,1\nq1,b,1\nq2,a,1\n", "line 4: b has no score for 1 of 2 items"),
        ("item,a,b\nq1,1,1\nq2,,1\n", "line 3: a has no score for 1 of 2 items, as 'q2'"),
        ("item,system,score\nq1,a,1\nq2,a,1\nq1,b,1\nq2,b,\n", "line 5: b has no score for 1"),
        ("item,system,score\nq1,a,1\nq2,a,1\nq1,b,1\nq2,b,2\n", "line 5: b has the score 2"),
        ("item,run,a,b\nq1,1,1,1\nq1,2,1,1\nq2,1,1,0\nq2,2,,1\n", "line 5: a@2 has no score for 1"),
        ("item,a,b,cluster\nq1,1,1,x\nq2,True,FALSE,x\n", {"q1": "x", "q2": "x"}),
        ("item,a,b,cluster\nq1,1,1,x\nq2,1,0,y\n", None),  # of one item each
        ("item,system,score,cluster\nq1,a,1,x\nq1,b,1,y\n", "line 3: 'q1' is in two clusters"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(tmp_path: Path, text: str, told: object) -> None:
    path = tmp_path / "items.csv"
    path.write_text(text)
    if not isinstance(told, str):
        assert read_answers(path).clusters == told
        return
    with pytest.raises(EvaluationError, match=told):
        read_answers(path)


GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))


@pytest.mark.parametrize("table", ["table2", "table3", "table5"])
def test_published_tables_are_consistent(table: str) -> None:
    check_counts(np.array(GOLDEN[table]["matrix"]), GOLDEN[table]["systems"])


@given(
    st.sampled_from(["table2", "table3", "table5"]),
    st.integers(0, 8),
    st.integers(0, 8),
    st.integers(-300, 2000).filter(bool),
)
def test_any_mistyped_cell_of_the_published_tables_is_named(
    table: str, i: int, j: int, error: int
) -> None:
    matrix, systems = np.array(GOLDEN[table]["matrix"]), GOLDEN[table]["systems"]
    true = int(matrix[i, j])
    if i == j or true + error < 0:
        return
    matrix[i, j] += error
    with pytest.raises(EvaluationError) as caught:
        check_counts(matrix, systems)
    message = str(caught.value)
    cell, mended = f"({systems[i]}, {systems[j]}) ", f"{true} instead of {true + error}"
    assert f"{cell}should be {mended}" in message or cell + mended in message
    assert message.count("but the other cells say") == 1


@given(st.integers(2, 6), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_counts_of_real_decisions_always_pass(n: int, items: int, seed: int) -> None:
    right = np.random.default_rng(seed).random((n, items)) < 0.5
    check_counts(discordant(right), [str(k) for k in range(n)])


def test_three_systems_cannot_say_which_cell() -> None:
    with pytest.raises(EvaluationError, match="must add up to 0, but give 4"):
        check_counts(np.array([[0, 9, 5], [3, 0, 4], [4, 5, 0]]), "abc")


def test_both_cells_of_a_pair_off_alike_break_the_triangle() -> None:
    matrix = np.array(GOLDEN["table2"]["matrix"])
    matrix[0, 1] += 400
    matrix[1, 0] += 400
    with pytest.raises(EvaluationError, match=r"\(Alin, AML\) is 400, more than \(Alin, "):
        check_counts(matrix, GOLDEN["table2"]["systems"])


def test_compare_counts_checks() -> None:
    matrix = np.array(GOLDEN["table2"]["matrix"])
    matrix[1, 0] = 119
    with pytest.raises(EvaluationError, match=r"\(AML, Alin\) should be 911 instead of 119"):
        compare_counts(matrix, GOLDEN["table2"]["systems"])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_reading(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "counts.csv"
    rows = [
        ["", "a b", "c", "d"],
        ["d", "1", "2", ""],
        ["a b", "0", "3", "4"],
        ["c", "5", "0", "6"],
    ]
    path.write_text("\n".join(separator.join(row) for row in rows) + "\n\n", "utf-8")
    read = read_counts(path)
    assert read.systems == ("a b", "c", "d")
    assert read.matrix.tolist() == [[0, 3, 4], [5, 0, 6], [1, 2, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",a,b\na,0,1\nb,x,0\n", r"line 3: cell \(b, a\) is 'x': a count is"),
        (",a,b\na,0,1\nb,,0\n", r"line 3: cell \(b, a\) is ''"),
        (",a,b\na,0,1.5\nb,1,0\n", r"line 2: cell \(a, b\) is '1.5'"),
        (",a,b\na,0,-1\nb,1,0\n", r"line 2: cell \(a, b\) is '-1'"),
        (",a,b\na,0,1\nc,1,0\n", "line 3: system 'c' has a row but no column"),
        (",a,b\na,0,1\na,1,0\n", "line 3: system 'a' has a row a second time"),
        (",a,b\na,0,1,2\nb,1,0\n", "line 2: 3 counts for 2 systems"),
        (",a,b,c\na,0,1,2\nb,1,0,3\n", "no row for c"),
        (",a,b\na,7,1\nb,1,0\n", r"cell \(a, a\) is 7"),
        (",a\na,0\n", "expected a line of names"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(EvaluationError, match=message):
        read_counts(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="does not exist"):
        read_counts(tmp_path / "none.csv")


def test_what_csv_stumbles_on_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(',a,b\n"a,' + "1" * 200_000)
    with pytest.raises(
        EvaluationError, match=r"counts\.csv, line 2: .*is a quotation mark not closed\?"
    ):
        read_counts(path)
    path.write_text("")
    with pytest.raises(EvaluationError, match=r"counts\.csv is empty"):
        read_counts(path)


def test_westfall_young_serves_a_table_of_right_and_wrong_answers() -> None:
    systems = {"a": found(0.8), "b": found(0.7), "c": found(0.75)}
    settings = AnalysisSettings(correction="westfall-young")
    by_entity = compare(systems, REFERENCE, replace(settings, clusters=EntityClusters(CLUSTERS)))
    items = compare_answers(right(systems), settings)
    of_alignments, of_items = by_entity.views["entity"], items.views["item"]
    assert of_items.test == "sign-flip"
    independent = compare_answers(replace(right(systems), clusters=None), settings)
    assert independent.test == "exact"
    assert of_items.ranking == of_alignments.ranking
    np.testing.assert_array_equal(
        of_items.adjusted["westfall-young"].values, of_alignments.adjusted["westfall-young"].values
    )
    assert "Closed over the exhaustive sets: where only" in items.validity
    with pytest.raises(EvaluationError, match=r"leave out test=\.\.\. and westfall"):
        compare_answers(
            Answers(("x", "y"), {"a": np.eye(2), "b": np.ones((1, 2))}),
            settings=AnalysisSettings(correction="westfall-young"),
        )


def test_where_all_pairs_would_tell_more_of_one_system_it_is_said() -> None:
    times = {"001": 5, "010": 14, "101": 5, "110": 14, "111": 50}  # A is right, B, C
    rows = np.array([list(map(float, r)) for r, n in times.items() for _ in range(n)]).T
    asked = Answers(tuple(map(str, range(88))), dict(zip("ABC", rows[:, None], strict=True)))
    assert {("B", "A"), ("A", "C")} < set(compare_answers(asked).edges["item"]["bergmann-hommel"])
    one = compare_answers(asked, settings=AnalysisSettings(focus="A"))
    assert not one.edges["item"]["holm"]
    (caution,) = [caution for caution in one.cautions if caution.kind == "all-pairs-decide-more"]
    assert caution.text.startswith("over all pairs A differs significantly from B, C too")
    of_b = compare_answers(asked, settings=AnalysisSettings(focus="B"))
    assert not any("over all pairs" in str(caution) for caution in of_b.cautions)


def test_the_adjusted_p_beside_a_verdict_is_that_of_the_clusters() -> None:
    systems = {"a": found(0.8), "b": found(0.7), "c": found(0.75)}
    view = compare(systems, REFERENCE, replace(CLUSTERED, focus="a")).views["entity"]
    table = decisions(incidence(systems, REFERENCE), "entity")
    crossed = crossed_test(table.correct, cluster_index(table.entities, CLUSTERS))
    np.testing.assert_array_equal(view.chosen.p, crossed.test.p)
    by_definition = adjust(crossed.test.p[0, 1:], "holm").values
    np.testing.assert_array_equal(view.adjusted_p[0, 1:], by_definition)
    np.testing.assert_array_equal(
        view.units.p_independent, unit_tests(table.correct * 1)["mid-p"].p
    )


def test_few_scores_or_few_clusters_of_them_cannot_decide_by_randomisation() -> None:
    rng = np.random.default_rng(2)
    scores = {"a": rng.uniform(0.8, 0.9, (1, 40)), "b": rng.uniform(0.2, 0.3, (1, 40))}
    items = tuple(f"q{k}" for k in range(40))
    of_five = {name: of_system[:, :5] for name, of_system in scores.items()}
    five = compare_answers(Answers(items[:5], of_five))
    assert five.answer() == ["Too few items differ: no comparison can be significant here."]
    clusters = {item: f"c{k % 5}" for k, item in enumerate(items)}
    clustered = compare_answers(Answers(items, scores, clusters))
    assert clustered.answer() == ["Too few clusters differ: no comparison can be significant here."]
    of_six = {name: of_system[:, :6] for name, of_system in scores.items()}
    assert compare_answers(Answers(items[:6], of_six)).views["item"].edges == (("a", "b"),)
    same = compare_answers(Answers(items[:5], {"a": of_five["a"], "b": of_five["a"]}))
    assert same.views["item"].unreachable == ()


def test_no_number_of_runs_decides_on_five_items() -> None:
    right = {"a": np.ones((3, 5)), "b": np.zeros((3, 5))}
    right["b"][2, 0] = 1
    result = compare_answers(Answers(tuple("pqrst"), right))
    assert result.answer() == ["Too few items differ: no comparison can be significant here."]
    assert result.runs_needed == (("a", "b", np.inf),)


def test_five_clusters_can_decide_nothing_whatever_the_items_say() -> None:
    """Three pairs need 1 + log2(3 / .05) = 6.9 clusters that differ; intervals need thirty."""
    scores = {name: np.zeros((1, 200)) for name in "abc"}
    scores["a"][0, :180] = scores["b"][0, 20:120] = scores["c"][0, 30:140] = 1
    items = tuple(f"q{k}" for k in range(200))
    clusters = {item: f"c{k // 40}" for k, item in enumerate(items)}
    few = compare_answers(Answers(items, scores, clusters))
    view = few.views["item"]
    assert view.edges == ()
    independent = compare_answers(Answers(items, scores)).views["item"]
    assert set(independent.edges) == {("a", "b"), ("a", "c")}
    np.testing.assert_array_equal(view.units.p_independent, independent.chosen.p)
    assert view.unreachable == (("a", "b"), ("a", "c"), ("b", "c"))
    assert set(view.verdicts.values()) == {"cannot reach significance"}
    assert few.answer() == ["Too few clusters differ: no comparison can be significant here."]
    assert view.intervals.tested is not None
    reaches = view.intervals.tested.high - view.intervals.tested.low
    many = {item: f"c{k // 5}" for k, item in enumerate(items)}
    intervals = compare_answers(Answers(items, scores, many)).views["item"].intervals.tested
    assert intervals is not None
    assert reaches[0, 1] > 2 * (intervals.high - intervals.low)[0, 1]


def test_a_pair_that_another_test_leaves_open_is_unreachable_by_its_own_least_p() -> None:
    """Four to one: five alike give .0625 by the exact test, .025 by the asymptotic one."""
    scores = {"a": np.zeros((1, 60)), "b": np.zeros((1, 60))}
    scores["a"][0, :4] = scores["b"][0, 4] = 1
    answers = Answers(tuple(map(str, range(60))), scores)
    for test, unreachable in (("exact", (("a", "b"),)), ("mid-p", ()), ("asymptotic", ())):
        settings = AnalysisSettings(test=test)
        assert compare_answers(answers, settings).views["item"].unreachable == unreachable
        counts = compare_counts([[0, 4], [1, 0]], ["a", "b"], settings)
        assert counts.views["ifp"].unreachable == unreachable


def test_a_test_by_name_takes_entities_as_independent_with_clusters_too() -> None:
    systems = {"a": found(0.8), "b": found(0.7), "c": found(0.75)}
    settings = AnalysisSettings(test="exact")
    named = compare(systems, REFERENCE, replace(settings, clusters=EntityClusters(CLUSTERS))).views[
        "entity"
    ]
    without = compare(systems, REFERENCE, settings).views["entity"]
    assert named.units.name == without.units.name == "source entities"
    assert named.units.p_independent is None
    np.testing.assert_array_equal(named.chosen.p, without.chosen.p)
    assert named.ranking == without.ranking
