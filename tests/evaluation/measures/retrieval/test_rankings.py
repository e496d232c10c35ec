"""Runs and gold standards from files, judged as pytrec_eval and the Bio-ML track judge them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.common.table import frame
from alignrank.evaluation import compare_answers, score
from alignrank.evaluation.measures.retrieval.candidate_files import (
    candidates_of_frame,
    read_candidates,
)
from alignrank.evaluation.measures.retrieval.candidates import ranked
from alignrank.evaluation.measures.retrieval.gold_files import read_gold, read_queries
from alignrank.evaluation.measures.retrieval.ranked_lists import rank_queries, ranked_list_values
from alignrank.evaluation.measures.summaries import averages
from alignrank.ontologies import Alignment, Correspondence
from alignrank.ontologies.tasks.filters import filtered, read_filter
from tests.generated import examples

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "rankings.json").read_text("utf-8"))
BIOML = GOLDEN["bioml"]


def means(gold, run, measures):
    table = ranked_list_values(gold, [("mine", run)], measures).to_frame()
    return dict(zip(table["measure"], table["expected"], strict=True))


def write(tmp_path, text, name="run.tsv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(run):
    return sorted(run.to_frame().to_numpy().tolist())


@pytest.mark.parametrize("case", GOLDEN["trec"]["cases"])
def test_without_ties_the_values_are_pytrec_evals(case):
    gold = {q: [d for d, grade in grades.items() if grade] for q, grades in case["qrels"].items()}
    names = list(case["values"]["q0"])
    rankings = ranked_list_values(gold, [("run", case["run"])], names)
    for name, values in rankings.values["run"].items():
        for query, *bounds in zip(rankings.queries, *values, strict=True):
            # a query that the run lacks counts 0
            expected = case["values"].get(query, dict.fromkeys(names, 0.0))[name]
            assert bounds == pytest.approx([expected] * 3, rel=0, abs=1e-9)


def test_files_of_trec_and_json_are_the_dictionaries(tmp_path):
    for case in GOLDEN["trec"]["cases"]:
        qrels = [f"{q} 0 {d} {g}" for q, grades in case["qrels"].items() for d, g in grades.items()]
        run = [f"{q} Q0 {d} 1 {s} tag" for q, by in case["run"].items() for d, s in by.items()]
        qrels_path = write(tmp_path, "\n".join(qrels) + "\n", "qrels.txt")
        run_path = write(tmp_path, "\n".join(run) + "\n", "mine.run")
        json_path = write(tmp_path, json.dumps(case["run"]), "run.json")
        gold_path = write(tmp_path, json.dumps(case["qrels"]), "qrels.json")
        assert rows(read_candidates(run_path)) == rows(ranked(case["run"]))
        assert rows(read_candidates(json_path)) == rows(ranked(case["run"]))
        in_files = read_gold(qrels_path)
        assert read_gold(gold_path) == in_files
        right = {q: {d for d, grade in by.items() if grade} for q, by in case["qrels"].items()}
        assert {query: set(names) for query, names in in_files.items()} == right


def test_names_that_are_numbers_stay_different(tmp_path):
    run = read_candidates(write(tmp_path, "01 Q0 1 1 0.5 t\n1 Q0 01 1 0.25 t\n"))
    assert rows(run) == [["01", "1", 0.5], ["1", "01", 0.25]]


def test_equal_scores_are_ties_however_they_are_written(tmp_path):
    text = "query,doc,score\nq,a,.3\nq,b,0.30\nq,c,3e-1\n"
    assert set(read_candidates(write(tmp_path, text)).score) == {0.3}


def test_ranks_of_trec_that_contradict_the_scores(tmp_path):
    run = read_candidates(write(tmp_path, "q Q0 a 1 0.1 t\nq Q0 b 2 0.9 t\n"))
    assert len(run.cautions) == 1
    assert "contradict the scores" in run.cautions[0]
    assert read_candidates(write(tmp_path, "q Q0 a 2 0.1 t\nq Q0 b 1 .9 t\n")).cautions == ()


# Bio-ML -------------------------------------------------------------------------------------------


def test_the_local_ranking_of_the_tracks_metric_contract(tmp_path):
    local = BIOML["local"]
    gold = "SrcEntity\tTgtEntity\n" + "".join(f"{s}\t{t}\n" for s, t in local["gold"])
    lists = "SrcEntity\tTgtCandidates\n" + "".join(f"{s}\t{names}\n" for s, names in local["lists"])
    queries = read_queries(write(tmp_path, gold, "gold.tsv"))
    run = read_candidates(write(tmp_path, lists))
    assert means(queries, run, list(local["values"])) == local["values"]


@pytest.mark.parametrize("family", ["entity_only", "preferred"])
def test_the_typed_ranking_of_the_tracks_metric_contract(family):
    """A candidate is a target with its relation; without it, the best relation's score counts."""
    gold, run = BIOML["typed"]["gold"], BIOML["typed"]["scores"]
    if family == "entity_only":
        gold = {query: name.split()[0] for query, name in gold.items()}
        run = {
            query: {t: max(s for n, s in by.items() if n.split()[0] == t) for t in best}
            for query, by in run.items()
            for best in [{name.split()[0] for name in by}]
        }
    expected = BIOML["typed"][family]
    assert means({q: [name] for q, name in gold.items()}, run, list(expected)) == expected


def test_the_global_matching_of_the_tracks_metric_contract():
    facts = BIOML["global"]
    system, reference = (
        Alignment([Correspondence(a, b) for a, b in facts[key]])
        for key in ("submission", "reference")
    )
    scores = score(system, reference)
    assert (scores.precision, scores.recall, scores.f1) == (0.5, 0.5, 0.5)


def test_global_matching_ignores_relations_and_question_marks() -> None:
    """As the track's package: pairs marked ? count neither way, and no relation matters."""
    facts = BIOML["coherent"]
    systems, references = {}, {}
    for number, case in enumerate(facts["tasks"]):
        relations = {tuple(pair): "?" for pair in case["flagged"]}
        reference = Alignment(
            Correspondence(f"a{a}", f"b{b}", relations.get((a, b), "=<>"[k % 3]))
            for k, (a, b) in enumerate(case["reference"])
        )
        system = Alignment(Correspondence(f"a{a}", f"b{b}") for a, b in case["submission"])
        kept, judge, _ = filtered({"S": system}, reference, [read_filter("relation=any")])
        systems[f"{number}"], references[f"{number}"] = kept["S"], judge
        assert rates(score(kept["S"], judge)) == pytest.approx(case["values"])
        assert rates(score(system, reference, relations=False)) == pytest.approx(case["values"])
    result = averages(systems, references)
    assert rates(result.macro) == pytest.approx(facts["macro"])
    assert rates(result.micro) == pytest.approx(facts["micro"])


def rates(scores):
    return {name: getattr(scores, name) for name in ("precision", "recall", "f1")}


def test_queries_of_one_entity_have_their_own_lists(tmp_path):
    gold = write(tmp_path, "SrcEntity\tTgtEntity\ns\ta\ns\tb\nt\tc\n", "gold.tsv")
    queries = read_queries(gold)
    assert list(queries.gold) == ["s", "s (2)", "t"]
    lists = "SrcEntity\tTgtCandidates\ns\t['a', 'x']\ns\t['x', 'b']\nt\t['c']\n"
    block = "SrcEntity\tTgtEntity\tScore\ns\ta\t9\ns\tx\t1\ns\tx\t9\ns\tb\t1\nt\tc\t9\nt\tx\t1\n"
    for text in (lists, block):
        rankings = ranked_list_values(
            queries, [("mine", read_candidates(write(tmp_path, text)))], ["MRR"]
        )
        assert rankings.values["mine"]["MRR"].expected.tolist() == [1.0, 0.5, 1.0]
        assert rankings.clusters == {"s": "s", "s (2)": "s", "t": "t"}
    shared = {"s": {"a": 0.9, "b": 0.5}, "t": {"c": 1.0}}
    rankings = ranked_list_values(queries, [("mine", shared)], ["MRR"])
    assert rankings.values["mine"]["MRR"].expected.tolist() == [1.0, 0.5, 1.0]


def test_candidates_outside_the_pool_are_left_out(tmp_path):
    pool = "SrcEntity\tTgtEntity\tTgtCandidates\ns\ta\t('a', 'b')\n"
    queries = read_queries(write(tmp_path, pool, "test.cands.tsv"))
    scored = "SrcEntity\tTgtEntity\tTgtCandidates\ns\ta\t[('z', 0.9), ('a', 0.5), ('b', 0.1)]\n"
    run = read_candidates(write(tmp_path, scored))
    rankings = ranked_list_values(queries, [("mine", run)], ["MRR"])
    assert rankings.values["mine"]["MRR"].expected.tolist() == [1.0]
    assert rankings.cautions == ("mine ranks 1 candidate outside the queries' pools: left out",)


def test_ontoaligners_list(tmp_path):
    entry = {"source": "s", "target-cands": ["a", "b"], "score-cands": [0.87, 0.82]}
    run = read_candidates(write(tmp_path, json.dumps([entry]), "out.json"))
    assert rows(run) == [["s", "a", 0.87], ["s", "b", 0.82]]


def test_frames():
    table = frame([["q", "d", 1], ["q", "e", 2]], ["query_id", "doc_id", "score"])
    assert rows(candidates_of_frame(table)) == [["q", "d", 1.0], ["q", "e", 2.0]]
    with pytest.raises(EvaluationError, match="row 2: the score is not a finite number"):
        candidates_of_frame(frame([["q", "d", 1], ["q", "e", "x"]], ["query", "doc", "score"]))
    for row in ([None, "e", 2], ["q", None, 2]):
        with pytest.raises(EvaluationError, match=r"row 2: the (item|candidate) is empty"):
            candidates_of_frame(frame([["q", "d", 1], row], ["query", "doc", "score"]))
    with pytest.raises(EvaluationError, match="needs a column score"):
        candidates_of_frame(frame([["q", "d"]], ["query", "doc"]))


# ties ---------------------------------------------------------------------------------------------


@examples(50)
@given(
    st.dictionaries(
        st.sampled_from("pqrs"),
        st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.1, 0.2, 0.3]), min_size=1),
        min_size=1,
    ),
    st.randoms(use_true_random=False),
)
def test_names_and_order_of_documents_change_no_digit(run, random):
    gold = {query: ["a", "b"] for query in "pqrs"}
    renamed = dict(zip("abcdef", random.sample("uvwxyz", 6), strict=True))
    queries = random.sample(sorted(run), len(run))
    other_run = {
        q: {renamed[d]: run[q][d] for d in random.sample(sorted(run[q]), len(run[q]))}
        for q in queries
    }
    other_gold = {query: [renamed["a"], renamed["b"]] for query in gold}
    first = ranked_list_values(gold, [("x", run)]).to_frame()
    assert first.equals(ranked_list_values(other_gold, [("x", other_run)]).to_frame())


def test_verdicts_that_ties_might_undo():
    gold = {f"q{k}": ["a"] for k in range(60)}
    good = {query: {"a": 0.9, "b": 0.5} for query in gold}
    tied = {query: {"a": 0.5, "b": 0.5} for query in gold}
    bad = {query: {"b": 0.9, "c": 0.5, "a": 0.1} for query in gold}
    rankings = ranked_list_values(gold, [("good", good), ("tied", tied), ("bad", bad)], ["MRR"])
    edges = compare_answers(rankings.answers()).edges["item"]["bergmann-hommel"]
    assert set(edges) == {("good", "tied"), ("good", "bad"), ("tied", "bad")}
    # at its best, the system with ties is as good as the best one
    assert rankings.dependent_on_ties(edges) == (("good", "tied"),)


def test_equal_runs_do_not_differ():
    gold = {f"q{k}": [f"d{k % 7}"] for k in range(50)}
    rng = np.random.default_rng(1)
    run = {q: {f"d{k}": float(rng.integers(3)) for k in range(7)} for q in gold}
    backwards = {q: dict(reversed(by.items())) for q, by in run.items()}
    comparison = compare_answers(ranked_list_values(gold, [("a", run), ("b", backwards)]).answers())
    assert comparison.edges["item"]["bergmann-hommel"] == ()


def test_per_item_values_and_cautions():
    gold = {"p": ["a"], "q": ["b"], "r": []}
    run = {"p": {"a": 1.0, "x": 1.0}, "z": {"a": 1.0}}
    rankings = ranked_list_values(gold, [("mine", run)], ["Hits@1"])
    assert rankings.per_item().to_numpy().tolist() == [
        ["p", "mine", "Hits@1", 0.0, 0.5, 1.0],
        ["q", "mine", "Hits@1", 0.0, 0.0, 0.0],
    ]
    assert rankings.cautions == (
        "1 query without a right candidate: left out of the means (trec_eval counts each as 0)",
        "mine lacks 1 query (as q): each counts 0",
        "mine has 1 query that the gold standard lacks: ignored",
    )


# what is refused ----------------------------------------------------------------------------------

BLOCK = "SrcEntity\tTgtEntity\tScore\ns\ta\t0.5\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BLOCK + "s\tb\tnan\n", "line 3: the score is not a finite number"),
        (BLOCK + "s\tb\tinf\n", "line 3: the score is not a finite number"),
        (BLOCK + "s\tb\t\n", "line 3: the score is not a finite number"),
        (BLOCK + "\n\ns\tb\thigh\n", "line 5: the score is not a finite number"),
        (BLOCK + "s\tb\n", "line 3: the score is not a finite number"),
        (BLOCK + "s\ta\t0.1\n", "line 3: item 's' has candidate 'a' a second time"),
        (BLOCK + "s\tb\t0.1\t7\n", "line 3, saw 4"),
        ("s Q0 a 1 0.5 t\ns Q0 b 2 x t\n", "line 2: the score is not a finite number"),
        ("SrcEntity\tTgtCandidates\ns\t['a', 'a']\n", "line 2: item 's' has candidate 'a'"),
        ("SrcEntity\tTgtCandidates\ns\tThe cat\n", "line 2: the candidates must be a list"),
        ("SrcEntity\tTgtCandidates\ns\t[('a', 1e999)]\n", "line 2: the score is not a finite"),
        ('{"s": {"a": "high"}}', "run.tsv: item 's', candidate 'a': score 'high' is not"),
        ('{"s": {"a": NaN}}', "score nan is not a finite number"),
        ('{"s": {"a": 1%s}}' % ("0" * 400), "is not a finite number"),
        ('{"s": {"a": 1, "a": 2}}', "run.tsv: not JSON that can be read: 'a' comes a second time"),
        ('{"s": {"a": 1}, "s": {}}', "run.tsv: not JSON that can be read: 's' comes a second time"),
        ("SrcEntity\tTgtCandidates\ns\t[('a', 1%s)]\n" % ("0" * 400), "line 2: the candidates"),
        ('["s"]', "run.tsv: expected"),
        (
            "query\tdoc\tscore\nu\ta\t0.5\n",
            "run.tsv has no query of the gold standard",
        ),
    ],
)
def test_bad_runs_are_refused_in_one_line(tmp_path, text, message):
    with pytest.raises(EvaluationError) as refused:
        rank_queries({"s": ["a"]}, read_candidates(write(tmp_path, text)))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_bad_gold_standards(tmp_path):
    with pytest.raises(EvaluationError, match="line 2: the candidate of 's' is empty"):
        read_queries(write(tmp_path, "SrcEntity\tTgtEntity\ns\t\n"))
    with pytest.raises(EvaluationError, match="line 1: the grade is not a finite number"):
        read_queries(write(tmp_path, "q 0 d high\n"))
    with pytest.raises(EvaluationError, match="no query of the gold standard has a right"):
        ranked_list_values({"s": []}, [("mine", {"s": {"a": 1.0}})])
    with pytest.raises(EvaluationError, match="there is no run"):
        ranked_list_values({"s": ["a"]}, [])
    run = {"s": {"a": 1.0}}
    with pytest.raises(EvaluationError, match="two runs are called 'mine'"):
        ranked_list_values({"s": ["a"]}, [("mine", run), ("mine", run)])
    with pytest.raises(EvaluationError, match="measures is empty"):
        ranked_list_values({"s": ["a"]}, [("mine", run)], [])


@pytest.mark.parametrize("titles", ["query-id\tcorpus-id\tscore", "Query ID\tdoc id\tlabel"])
def test_judgements_of_beir_are_grades(tmp_path: Path, titles: str) -> None:
    path = write(tmp_path, f"{titles}\nq1\td1\t1\nq1\td2\t0\nq2\td3\t2\n", "qrels.tsv")
    assert read_gold(path) == {"q1": ("d1",), "q2": ("d3",)}


def test_rankings_as_json_lines_with_nil_as_an_answer_and_pools(tmp_path: Path) -> None:
    gold = [
        {"qid": 0, "gold": "a", "candidates": ["a", "b", "NIL"]},
        {"qid": 1, "gold": None, "candidates": ["a", "b", "NIL"]},
    ]
    run = [{"qid": 0, "ranking": ["x", "b", "a"]}, {"qid": 1, "ranking": ["NIL", "a"]}]
    files = [
        write(tmp_path, "\n".join(map(json.dumps, rows)), f"{name}.jsonl")
        for name, rows in (("gold", gold), ("run", run))
    ]
    rankings = ranked_list_values(
        read_queries(files[0]), [("mine", read_candidates(files[1]))], ["MRR"]
    )
    assert rankings.values["mine"]["MRR"].expected.tolist() == [0.5, 1.0]
    for text, message in (
        ('{"qid": 0, "ranking": ["a"]}\n{"qid": 0, "ranking": ["a"]}', "line 2: query '0' comes"),
        ('{"qid": 0, "ranking": ["a", "a"]}', "line 1: a candidate comes twice"),
        ('{"qid": 0, "ranking": "a"}', "line 1: a ranking is a list of names"),
    ):
        with pytest.raises(EvaluationError, match=message):
            read_candidates(write(tmp_path, text, "bad.jsonl"))


def test_a_pool_that_some_lines_lack_or_that_is_no_list_is_not_left_out(tmp_path: Path) -> None:
    of_two = '{"qid": 0, "gold": "a", "candidates": ["a"]}\n{"qid": 1, "gold": "b"}'
    with pytest.raises(EvaluationError, match="line 2: an object needs qid and candidates"):
        read_queries(write(tmp_path, of_two, "gold.jsonl"))
    with pytest.raises(EvaluationError, match="line 1: a ranking is a list of names"):
        read_queries(write(tmp_path, '{"qid": 0, "gold": "a", "candidates": "a"}', "gold.jsonl"))
    assert read_queries(write(tmp_path, '{"qid": 0, "gold": "a"}', "gold.jsonl")).pool is None
