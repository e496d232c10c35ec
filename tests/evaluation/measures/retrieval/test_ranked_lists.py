"""Mapping items to candidates or nothing: the 5NS example, edge cases, files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.tied_ranks import rank_measure
from alignrank.evaluation.measures.retrieval.candidate_files import read_candidates
from alignrank.evaluation.measures.retrieval.candidates import (
    Candidate,
    Queries,
    candidates_of,
    gold_of,
    ranked,
)
from alignrank.evaluation.measures.retrieval.gold_files import read_choices, read_gold
from alignrank.evaluation.measures.retrieval.ranked_lists import (
    correct_items,
    discordant_items,
    mapping_scores,
    rank_queries,
    ranked_list_scores,
)
from alignrank.ontologies.alignment import Alignment, Correspondence


def in_order(names):
    """Return candidates that rank in the order of their names, without ties."""
    return tuple(Candidate(name, 1.0 / rank) for rank, name in enumerate(names, start=1))


GOLD = {"p": ["a"], "q": ["b"], "r": ["c"], "s": ["d"], "t": []}
CANDIDATES = {
    k: in_order(v) for k, v in zip("pqrst", ["xya", "bxy", "xcy", "xdy", "xyz"], strict=True)
}
CHOICES = {"p": "a", "q": "b", "r": "x", "s": None, "t": None}


def test_5ns_ranking():
    scores = ranked_list_scores(GOLD, CANDIDATES, ks=[1, 2, 3])
    assert scores.recall_at == {1: 1 / 4, 2: 3 / 4, 3: 1}
    assert scores.hits_at == scores.recall_at
    assert scores.mrr == pytest.approx(7 / 12)
    assert scores.average_precision == pytest.approx(7 / 12)
    assert scores.ndcg_at[3] == pytest.approx(0.6904648767857289)
    assert (scores.mean_rank, scores.found, scores.positives, scores.items) == (2, 4, 4, 5)
    assert list(scores.to_frame()["recall"]) == [1 / 4, 3 / 4, 1]
    assert list(ranked_list_scores(GOLD, CANDIDATES).recall_at) == [1, 5, 10]


def test_5ns_mapping():
    scores = mapping_scores(GOLD, CHOICES)
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.recall == 2 / 4
    assert scores.f1 == pytest.approx(4 / 7)
    assert scores.accuracy == 3 / 5
    assert (scores.null_precision, scores.null_recall) == (1 / 2, 1)


def test_what_each_kind_of_error_costs():
    gold = {"a": ["x"], "b": ["y"], "n": []}
    right = {"a": "x", "b": "y", "n": None}
    assert mapping_scores(gold, right).accuracy == 1
    wrong_article = mapping_scores(gold, right | {"a": "z"})
    assert (wrong_article.precision, wrong_article.recall) == (1 / 2, 1 / 2)
    article_for_null = mapping_scores(gold, right | {"n": "z"})
    assert (article_for_null.precision, article_for_null.recall) == (2 / 3, 1)
    null_for_article = mapping_scores(gold, right | {"a": None})
    assert (null_for_article.precision, null_for_article.recall) == (1, 1 / 2)


def test_items_that_one_side_lacks_are_reported():
    scores = ranked_list_scores(
        GOLD, {"p": in_order("a"), "z": in_order("a"), "q": ()}, ks=[1, 100]
    )
    assert scores.recall_at == {1: 1 / 4, 100: 1 / 4}
    assert scores.missing == ("q", "r", "s", "t")
    assert scores.ignored == ("z",)
    mapped = mapping_scores(GOLD, {"p": "a", "z": "a"})
    assert (mapped.missing, mapped.ignored) == (("q", "r", "s", "t"), ("z",))
    assert (mapped.mapped, mapped.accuracy) == (1, 2 / 5)


def test_without_positives_ranking_is_undefined_and_accuracy_is_not():
    scores = ranked_list_scores({"t": []}, {"t": in_order("x")}, ks=[1])
    values = (scores.recall_at[1], scores.hits_at[1], scores.mrr, scores.average_precision)
    assert all(math.isnan(v) for v in (*values, scores.mean_rank, scores.ndcg_at[1]))
    mapped = mapping_scores({"t": []}, {"t": "x"})
    assert mapped.accuracy == 0
    assert math.isnan(mapped.recall)


@pytest.mark.parametrize(("convention", "precision"), [("oaei", 1), ("zero", 0), ("nan", math.nan)])
def test_precision_of_a_mapping_to_nothing(convention, precision):
    scores = mapping_scores(GOLD, {}, zero_division=convention)
    assert scores.precision == pytest.approx(precision, nan_ok=True)
    assert (scores.recall, scores.f1, scores.accuracy) == (0, 0, 1 / 5)


def test_several_right_candidates():
    gold = {"a": ["x", "y"]}
    scores = ranked_list_scores(gold, {"a": in_order("zxy")}, ks=[2, 3])
    assert scores.hits_at == {2: 1, 3: 1}
    assert scores.recall_at == {2: 1 / 2, 3: 1}
    assert scores.average_precision == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert mapping_scores(gold, {"a": "y"}).accuracy == 1


def test_ties():
    tied = {"p": [Candidate("x", 0.5), Candidate("a", 0.5)]}
    gold = {"p": ["a"]}
    values = {
        tie: ranked_list_scores(gold, tied, ks=[1], tie=tie)
        for tie in ("average", "min", "max", "stable")
    }
    assert {tie: s.hits_at[1] for tie, s in values.items()} == {
        "average": 0.5,
        "min": 1,
        "max": 0,
        "stable": 0,
    }
    assert values["average"].mrr == pytest.approx((1 + 1 / 2) / 2)


def test_empty_gold_and_bad_cut_off():
    for judge in (ranked_list_scores, mapping_scores, correct_items):
        with pytest.raises(EvaluationError, match="the gold standard has no items"):
            judge({}, {})
    with pytest.raises(EvaluationError, match="cut-off k = 0 is below 1"):
        ranked_list_scores(GOLD, CANDIDATES, ks=[0])


def test_a_text_is_no_list_of_right_candidates():
    for judge in (ranked_list_scores, rank_queries):
        with pytest.raises(EvaluationError, match="query 'p': give a list of right candidates"):
            judge({"p": "ab"}, {"p": in_order("ab")})
    with pytest.raises(EvaluationError, match="query 'p': give a list of right candidates"):
        mapping_scores({"p": "ab"}, {"p": "a"})
    with pytest.raises(EvaluationError, match="candidate 1 is no text"):
        ranked({"p": {1: 0.5}})


names = st.sampled_from([None, "a", "b"])
golds = st.dictionaries(st.sampled_from("pqrs"), st.sampled_from([(), ("a",), ("b",)]), min_size=1)
choices = st.dictionaries(st.sampled_from("pqrs"), names)


@given(golds, choices, choices)
def test_discordant_items_are_counted_one_by_one(gold, one, two):
    table = discordant_items(gold, {"one": one, "two": two})

    def right(choice, item):
        return choice.get(item) == (gold[item][0] if gold[item] else None)

    assert table[0, 1] == sum(right(one, i) and not right(two, i) for i in gold)
    assert table[1, 0] == sum(right(two, i) and not right(one, i) for i in gold)
    accuracy = mapping_scores(gold, one).accuracy - mapping_scores(gold, two).accuracy
    assert (table[0, 1] - table[1, 0]) / len(gold) == pytest.approx(accuracy)


@given(
    st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=4, max_size=4),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 4),
)
def test_the_best_of_a_matrix_rank_as_its_whole_rows(rows, top):
    matrix = np.array(rows)
    sources = [f"s{i}" for i in range(len(rows))]
    targets = ["x", "y", "z", "w"]
    gold = {s: ["y"] for s in sources}
    whole = ranked_list_scores(gold, candidates_of(matrix, sources, targets), ks=[top])
    best = ranked_list_scores(gold, candidates_of(matrix, sources, targets, top=top), ks=[top])
    assert best.recall_at == whole.recall_at
    assert whole.hits_at[top] >= 0


def test_matrix_that_does_not_fit():
    with pytest.raises(EvaluationError, match=r"matrix has the shape \(1, 2\), but there are 1"):
        candidates_of(np.zeros((1, 2)), ["a"], ["x"])
    with pytest.raises(EvaluationError, match="matrix holds NaN in the row of a"):
        candidates_of(np.array([[math.nan]]), ["a"], ["x"])
    with pytest.raises(EvaluationError, match="top 0 is below 1"):
        candidates_of(np.zeros((1, 1)), ["a"], ["x"], top=0)


def test_an_alignment_as_gold():
    reference = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    assert gold_of(reference) == {"a": ("x",)}


# files ------------------------------------------------------------------------------------------


def rows_of(candidates):
    return candidates.to_frame().to_numpy().tolist()


def write(tmp_path, text):
    path = tmp_path / "file.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_graded_gold_is_collapsed(tmp_path):
    path = write(
        tmp_path, "synset\tarticle\tgrade\ns1\tA\tmatch\ns1\tB\trelated\ns2\tC\tpart-of\ns3\t\t\n"
    )
    assert read_gold(path) == {"s1": ("A",), "s2": (), "s3": ()}
    wide = read_gold(path, positive=["match", "related"])
    assert wide == {"s1": ("A", "B"), "s2": (), "s3": ()}


def test_ranks_go_before_scores(tmp_path):
    path = write(tmp_path, "item\tcandidate\trank\tscore\na\tx\t2\t.9\na\ty\t1\t.1\n\nb\tz\t1\t\n")
    assert rows_of(read_candidates(path)) == [["a", "x", -2], ["a", "y", -1], ["b", "z", -1]]
    scored = read_candidates(write(tmp_path, "item\tcandidate\tscore\na\tx\t.1\na\ty\t.9\n"))
    assert rows_of(scored) == [["a", "x", 0.1], ["a", "y", 0.9]]


def test_choices(tmp_path):
    assert read_choices(write(tmp_path, "item\tmatch\na\tx\nb\tnull\nc\n")) == {
        "a": "x",
        "b": None,
        "c": None,
    }


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_candidates, "item\tcandidate\trank\na\tx\t0\n", "line 2: the rank is not a whole"),
        (read_candidates, "item\tcandidate\trank\na\tx\t1.5\n", "line 2: the rank is not"),
        (
            read_candidates,
            "item\tcandidate\tscore\na\tx\tnan\n",
            "line 2: the score is not",
        ),
        (
            read_candidates,
            "item\tcandidate\tscore\na\tx\tgood\n",
            "line 2: the score is not",
        ),
        (read_candidates, "item\tcandidate\na\tx\n", "line 1: candidates need a column rank or"),
        (read_candidates, "item\tcandidate\trank\na\tnull\t1\n", "line 2: the candidate is empty"),
        (read_candidates, "item\tcandidate\trank\n\tx\t1\n", "line 2: the item is empty"),
        (read_candidates, "item\tcandidate\trank\na\tx\t1\t9\n", "line 2: more cells than columns"),
        (read_candidates, "a\tx\t1\n", "line 1: no column item and candidate in the header"),
        (read_candidates, "", r"file\.tsv is empty"),
        (read_gold, "item\tcandidate\na\tx\na\tnull\n", r"line 3: item 'a' has a candidate and"),
        (read_gold, "item\tcandidate\na\tnull\na\tx\n", r"line 3: item 'a' .* null \(line 2\)"),
        (read_choices, "item\tcandidate\na\tx\na\ty\n", "line 3: item 'a' is mapped a second time"),
    ],
)
def test_bad_files_name_the_line(tmp_path, read, text, message):
    with pytest.raises(EvaluationError, match=message):
        read(write(tmp_path, text))


def test_files_that_are_not_there_or_not_text(tmp_path):
    with pytest.raises(EvaluationError, match=r"none\.tsv does not exist"):
        read_gold(tmp_path / "none.tsv")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EvaluationError, match="binary, line 1: not UTF-8 text"):
        read_gold(tmp_path / "binary")
    with pytest.raises(EvaluationError, match="is a folder: name a file in it"):
        read_gold(tmp_path)


@pytest.mark.parametrize(
    "cell", ["['a' 'b']", "['a'\n 'b']", "{'b', 'a'}", "{'a': 0.9}", "'ab'", "['a', 1]", "['a'"]
)
def test_what_is_no_list_of_names_is_refused(cell: str, tmp_path: Path) -> None:
    """Python would join two strings, and order a set as it likes."""
    path = tmp_path / "run.tsv"
    path.write_text(f'SrcEntity\tTgtCandidates\nq\t"{cell}"\n', encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"the candidates must be a list such as"):
        read_candidates(path)


def test_blank_lines_and_empty_lists_are_no_items_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "run.tsv"
    path.write_text("SrcEntity\tTgtCandidates\nq\t['a']\n\t\nr\t[]\n", encoding="utf-8")
    assert read_candidates(path).items == ("q",)
    path.write_text("item\tcandidate\tscore\nq\ta\t1\n\t\t\n", encoding="utf-8")
    assert read_candidates(path).items == ("q",)


def test_a_pool_names_its_queries_in_any_order() -> None:
    gold = {"a": ("x",), "none": (), "b": ("y",)}
    run = {query: {"x": 0.5, "y": 0.4, "w": 0.9} for query in "ab"}
    pool = ranked({"b": {"y": 0.0, "x": 0.0}, "a": {"x": 0.0, "w": 0.0}})
    judged = rank_queries(Queries(gold, pool=pool), run)
    assert judged.outside == 2
    assert judged.ranks.values(rank_measure("MRR")).expected.tolist() == [0.5, 0.5]


def test_grades_that_are_numbers_count_above_zero(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("query\tdoc\tgrade\nq\ta\t2\nq\tb\t0\nq\tc\t1\n", encoding="utf-8")
    assert read_gold(path) == {"q": ("a", "c")}
    assert read_gold(path, positive=["2"]) == {"q": ("a",)}
    path.write_text("query\tdoc\tgrade\nq\ta\thigh\nq\tb\t1\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"it has '1', 'high'; write match or numbers"):
        read_gold(path)


def test_quoted_names_are_the_same_in_gold_standard_and_run(tmp_path: Path) -> None:
    for mark in "\t,":
        gold, run = tmp_path / "gold.tsv", tmp_path / "run.tsv"
        gold.write_text(f'item{mark}candidate\nq{mark}"d 1"\nr{mark}d2\n')
        run.write_text(f'item{mark}candidate{mark}score\nq{mark}"d 1"{mark}1\nr{mark}d2{mark}1\n')
        assert read_gold(gold) == {"q": ("d 1",), "r": ("d2",)}
        assert ranked_list_scores(read_gold(gold), read_candidates(run)).mrr == 1


def test_a_quotation_mark_that_is_not_closed_takes_no_candidate_with_it(tmp_path: Path) -> None:
    """The rest of the row became the query's name, and nothing was right for it."""
    path = tmp_path / "gold.tsv"
    path.write_text('item\tcandidate\nq\td\n"r\te\n')
    with pytest.raises(EvaluationError, match="line 3: a quotation mark is not closed"):
        read_gold(path)


def test_a_list_of_no_item_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lists.tsv"
    path.write_text("SrcEntity\tTgtCandidates\nq\t['a']\n\t['b']\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match="line 3: the item is empty"):
        read_candidates(path)
