"""Rankings from files: recognised, judged, and written by `match --candidates`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import alignrank as ar
from alignrank.common.table import frame
from alignrank.experiments.comparing.kinds_of_input import read_rankings
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import named_files
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")
BLOCK = [f"http://a#{k}\thttp://b#{n}\t0.{n}" for k in range(2) for n in range(12)]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("SrcEntity\tTgtCandidates\na\t['b']\n", "ranking"),
        ("SrcEntity\tTgtEntity\tTgtCandidates\na\tb\t['b']\n", "ranking"),
        ("\n".join(["SrcEntity\tTgtEntity\tScore", *BLOCK]), "ranking"),
        ("\n".join(["SrcEntity\tTgtEntity\tScore", *BLOCK[:5]]), "alignment"),
        ("SrcEntity\tTgtEntity\na\tb\n", "alignment"),
        ("q1 Q0 d1 1 0.5 bm25\n", "ranking"),
        ("q1\t0\td1\t1\n", "ranking"),
        ("query,doc,score\nq,d,1\n", "ranking"),
        (json.dumps({"q1": {"d1": 0.5}}), "ranking"),
        (json.dumps([{"source": "s", "target-cands": [], "score-cands": []}]), "ranking"),
        ("task,AML,LogMap\na,0.5,0.6\n", ""),
        ("some words that say nothing\n", ""),
    ],
)
def test_rankings_are_recognised(tmp_path: Path, text: str, content: str) -> None:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    assert content_of(path) == content


def test_the_candidates_of_metrics_are_rankings_by_the_reference(tmp_path: Path, shell) -> None:
    runs = []
    for metric in ("ngram", "equality"):
        run = tmp_path / f"{metric}.csv"
        options = ("--metric", metric, "--candidates", "100", "--out", run)
        shell.printed("match", LIBRARY.source, LIBRARY.target, *options)
        runs.append(str(run))
    assert {content_of(Path(run)) for run in runs} == {"ranking"}
    assert content_of(LIBRARY.reference) == "alignment"
    rankings, _ = read_rankings(LIBRARY.reference, named_files(runs), ["MRR", "R@1"])
    means = rankings.to_frame().set_index(["system", "measure"])["expected"].to_dict()
    files = (LIBRARY.source, LIBRARY.target, LIBRARY.reference)
    scores = shell.json("score", *files, "--metric", "ngram", "--metric", "equality")["metrics"]
    for metric in ("ngram", "equality"):
        assert means[metric, "MRR"] == pytest.approx(scores[metric]["mrr"])
        assert means[metric, "R@1"] == pytest.approx(scores[metric]["recall_at"]["1"])


RUN = "SrcEntity\tTgtEntity\tScore\ns\ta\t{}\ns\tb\t.5\n"


@pytest.mark.parametrize(
    ("run", "options", "message"),
    [
        (RUN.format("nan"), (), "line 2: the score is not a finite number"),
        (RUN.format("-inf"), (), "line 2: the score is not a finite number"),
        (RUN.format("high"), (), "line 2: the score is not a finite number"),
        (RUN.format("1") + "s\tb\t.7\n", (), "line 4: item 's' has candidate 'b' a second time"),
        (RUN.format("1").replace("\ns", "\nu"), (), "bad.tsv has no query of the gold standard"),
        (RUN.format("1"), ("--measure", "Hits"), "needs a cut-off k"),
        (RUN.format("1"), ("--measure", "nDCG@0"), "needs a cut-off k"),
        (
            RUN.format("1"),
            ("--cluster", "source"),
            "--cluster goes with alignments, not",
        ),
        (RUN.format("1"), ("--kind", "counts"), "counts are in a table alone: leave --kind"),
    ],
)
def test_bad_rankings_are_refused_in_one_line(
    tmp_path: Path, shell, run: str, options: tuple[str, ...], message: str
) -> None:
    gold, good, bad = (tmp_path / name for name in ("gold.tsv", "good.tsv", "bad.tsv"))
    gold.write_text("SrcEntity\tTgtEntity\ns\ta\nt\tb\n", encoding="utf-8")
    good.write_text(RUN.format(1), encoding="utf-8")
    bad.write_text(run, encoding="utf-8")
    kind = () if "--kind" in options else ("--kind", "items")
    assert message in shell.refused("compare", gold, bad, good, *kind, *options)


def test_rankings_are_named_by_kind_or_measure(tmp_path: Path, shell) -> None:
    """A few candidates for each entity look like an alignment."""
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.tsv"
    gold.write_text("SrcEntity\tTgtEntity\ns\ta\nt\tb\n", encoding="utf-8")
    run.write_text(RUN.format(".5"), encoding="utf-8")
    by_kind = shell.json("compare", gold, run, f"other={run}", "--kind", "items")
    by_measure = shell.json("compare", gold, run, f"other={run}", "--measure", "mrr")
    assert list(by_kind["views"]) == list(by_measure["views"]) == ["MRR"]
    assert "run lacks 1 query (as t): each counts 0" in str(by_kind["cautions"])
    in_python = ar.compare(gold, {"run": run, "other": run}, kind="items")
    assert in_python.summary.to_dict()["views"]["MRR"]["values"] == {"run": 0.375, "other": 0.375}


def test_verdicts_that_ties_decide_are_named(tmp_path: Path, shell) -> None:
    gold = {f"q{k}": {"d1": 1} for k in range(30)}
    runs = {
        "good": {query: {"d1": 2, "d2": 1} for query in gold},
        "tied": {query: {"d1": 1, "d2": 1} for query in gold},
    }
    for name, content in {"gold": gold, **runs}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    files = [tmp_path / f"{name}.json" for name in ("gold", *runs)]
    printed = shell.printed("compare", *files)
    assert "no order undoes" not in printed
    cautions = shell.json("compare", *files)["cautions"]
    assert "decided by how tied candidates are ordered: good > tied" in str(cautions)


def test_candidates_that_cannot_be_written(tmp_path: Path, shell) -> None:
    pair = (LIBRARY.source, LIBRARY.target)
    assert "--candidates" in shell.refused("match", *pair, "--candidates", "0", "--out", "x.csv")
    assert "add --out FILE" in shell.refused("match", *pair, "--candidates", "5")
    options = ("--candidates", "5", "--threshold", "0.5", "--out", tmp_path / "x.csv")
    assert "leave --threshold" in shell.refused("match", *pair, *options)


def test_dictionaries_and_frames_are_compared_as_files_are(tmp_path: Path) -> None:
    gold = {f"q{k}": ["d1"] for k in range(12)}
    runs = {
        "a": {query: {"d1": 0.9, "d2": 0.1} for query in gold},
        "b": {query: {"d2": 0.9, "d1": k % 3 / 2} for k, query in enumerate(gold)},
    }
    grades = {query: {"d1": 1, "d2": 0} for query in gold}
    files = {}
    for name, content in {"gold": grades, **runs}.items():
        files[name] = tmp_path / f"{name}.json"
        files[name].write_text(json.dumps(content), encoding="utf-8")
    rows = {
        name: [[q, d, score] for q, listed in run.items() for d, score in listed.items()]
        for name, run in runs.items()
    }
    frames = {name: frame(table, ["query", "doc", "score"]) for name, table in rows.items()}
    expected = ar.compare(files["gold"], {name: files[name] for name in runs}).summary.to_dict()
    mixed = {**frames, "b": runs["b"]}
    for right, systems in ((gold, runs), (grades, frames), (files["gold"], mixed)):
        compared = ar.compare(right, systems)
        assert compared.answer == (
            "a scores best (MRR 1.000); b is significantly worse. The tests assume independent "
            "queries."
        )
        assert compared.summary.to_dict()["views"] == expected["views"]


def test_screen_page_and_paper_speak_of_queries(tmp_path: Path, shell) -> None:

    pair = (LIBRARY.source, LIBRARY.target)
    for metric in ("ngram", "equality"):
        options = ("--metric", metric, "--candidates", "5", "--out", tmp_path / f"{metric}.csv")
        shell.printed("match", *pair, *options)
    out = tmp_path / "out"
    runs = (tmp_path / "ngram.csv", tmp_path / "equality.csv")
    printed = shell.printed("compare", LIBRARY.reference, *runs, "--out", out)
    assert "ngram scores best (MRR 0." in printed
    ranges = "Lowest and highest value over these orders (no order undoes a significant difference"
    assert ranges in " ".join(printed.split())
    paper = (out / "paper.txt").read_text(encoding="utf-8")
    assert "by how they rank candidates. The unit is the query (" in paper
    assert "discordant" not in paper
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Measures, each the mean over all orders of tied candidates" in page


def test_rankings_in_memory_that_are_refused() -> None:
    gold, good = {"q": ["d"]}, {"q": {"d": 1.0}}
    for bad, message in (
        ({"q": {"d": "high"}}, "b: item 'q', candidate 'd': score 'high' is not a finite number"),
        ({"p": {"d": 1.0}}, "b has no query of the gold standard"),
        (frame([["q", "d"]], ["query", "doc"]), "b: this frame needs a column score"),
        ({"q": ["d", "e"]}, "b: item 'q': give a score for each candidate"),
    ):
        with pytest.raises(ValueError, match=message):
            ar.compare(gold, {"a": good, "b": bad})
    for right in ("d", 5):
        with pytest.raises(ValueError, match="query 'q': give a list of right candidates"):
            ar.compare({"q": right}, {"a": good, "b": good})
    table = frame([["q", "d"]], ["query", "doc"])
    with pytest.raises(ValueError, match=r"^this frame needs a column grade"):
        ar.compare(table, {"a": good, "b": good})
    mixed = ar.compare({"q": ["d"], "p": {"e": 1}}, {"a": good, "b": {"p": {"e": 2.0}}})
    assert mixed.to_frame().shape[0] == 2
    with pytest.raises(ValueError, match=r"^views=.* not with rankings: leave it out"):
        ar.compare(gold, {"a": good, "b": good}, views=["ifp"])
