"""The library's face: what the command line computes, and results that tell themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import alignrank as ar
from alignrank.common.errors import AlignmentError
from alignrank.evaluation import Comparison
from alignrank.evaluation.comparison.robustness import with_choices
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.study import study_with_choices
from alignrank.experiments.comparing.compare_files import compare_files
from alignrank.experiments.comparing.kinds_of_input import Choices
from alignrank.experiments.comparing.study_files import StudyOptions, study_scores
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.ranking.matching import match_pair
from alignrank.experiments.ranking.pair import rank_pair
from alignrank.experiments.ranking.rank import RankOptions
from alignrank.experiments.report.console import set_mode
from alignrank.experiments.results.folder import read_result, read_results
from alignrank.matchers import MatcherError, Settings
from alignrank.ontologies import Entity, Kind, Label
from alignrank.ontologies.tasks import bundled_task

PROJECT = Path(__file__).parents[1]
LIBRARY = bundled_task("library")
#: Names of the metrics of the rankings here.
FEW = ("ngram", "levenshtein", "equality")


def content_of(summary: Comparison | Study) -> dict[str, object]:
    """What a result holds, but for where it comes from."""
    content = summary.to_dict()
    return {key: value for key, value in content.items() if key != "provenance"}


@pytest.fixture(scope="module")
def compared() -> ar.Result:
    return ar.compare(LIBRARY.reference, LIBRARY.alignments)


def test_compare_finds_what_the_command_finds(
    compared: ar.Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [f"{name}={path}" for name, path in LIBRARY.alignments.items()]
    usual = Choices()
    compare_files(
        LIBRARY.reference,
        files,
        analysis=usual.analysis,
        options=usual.alignments,
        table=usual.table,
        out=tmp_path / "out",
    )
    whole = with_choices(compared.summary)
    assert content_of(whole) == content_of(read_results(tmp_path / "out"))
    assert compared.answer in capsys.readouterr().out


def test_rank_finds_what_the_command_finds(capsys: pytest.CaptureFixture[str]) -> None:
    ranked = ar.rank(str(LIBRARY.source), LIBRARY.target, LIBRARY.reference, metrics=FEW)
    set_mode("json")
    rank_pair(LIBRARY, RankOptions(FEW), out=None, overwrite=False)
    assert content_of(ranked.summary) == content_of(
        read_result(json.loads(capsys.readouterr().out))
    )
    assert ranked.answer.startswith("ngram")


def test_a_metric_is_cut_where_it_is_best_unless_told_otherwise() -> None:
    default = ar.match(LIBRARY.source, LIBRARY.target)
    assert default == ar.match(LIBRARY.source, LIBRARY.target, metric="combined", threshold=0.5)
    assert default.name == "combined"
    named = ar.match(LIBRARY.source, LIBRARY.target, metric="ngram")
    assert named == ar.match(LIBRARY.source, LIBRARY.target, metric="ngram", threshold=0.7)


def test_match_writes_what_the_command_writes(tmp_path: Path) -> None:
    found = ar.match(LIBRARY.source, LIBRARY.target, metric="jaro", threshold=0.8)
    match_pair(
        LIBRARY.source,
        LIBRARY.target,
        metric="jaro",
        settings=Settings(),
        threshold=0.8,
        out=tmp_path / "a.rdf",
    )
    ar.write_alignment(found, tmp_path / "b.rdf")
    assert (tmp_path / "a.rdf").read_bytes() == (tmp_path / "b.rdf").read_bytes()


def scores() -> dict[str, dict[str, float]]:
    made = np.random.default_rng(1).uniform(0.4, 0.9, (3, 9)).round(3)
    made[0] += 0.3
    return {
        name: {f"task{k}": x for k, x in enumerate(row)}
        for name, row in zip(("mine", "a", "b"), made.tolist(), strict=True)
    }


def test_study_takes_a_mapping_a_frame_or_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.DataFrame(scores())
    path = tmp_path / "scores.csv"
    frame.to_csv(path, index_label="task")
    studied = [ar.study(given) for given in (scores(), frame, path, str(path))]
    study_scores(path, StudyOptions(), out=tmp_path / "out")
    for each in studied:
        whole = study_with_choices(each.summary)
        assert content_of(whole) == content_of(read_results(tmp_path / "out"))
    assert studied[0].answer in capsys.readouterr().out
    assert isinstance(studied[0].plot("critical-difference"), Figure)
    ranks = studied[0].to_frame()
    assert ranks.loc["mine", "mean score"] == pytest.approx(frame["mine"].mean())
    assert ranks.loc["mine", "rank"] == "1"
    by_task = studied[0].to_frame("tasks")
    assert by_task.loc["task3", "mine"] == frame["mine"]["task3"]
    with pytest.raises(ValueError, match=r"^table 'task' is unknown: did you mean tasks"):
        studied[0].to_frame("task")
    page = studied[0].report(tmp_path / "study.html").read_text(encoding="utf-8")
    assert "Mean ranks" in page
    focus = ar.study(frame, focus="mine")
    # the best first
    assert focus.answer == (
        "mine is significantly better than b and a. The tests assume independent tasks."
    )
    assert focus.report(tmp_path / "against.html").is_file()


def test_a_table_that_is_none_is_refused() -> None:
    with pytest.raises(ExperimentError, match="reference is of type DataFrame: give an alignment"):
        ar.compare(pd.DataFrame(scores()), {"mine": "mine.rdf"})
    with_names = pd.DataFrame(scores()).rename_axis("task").reset_index()
    assert ar.study(with_names).answer == ar.study(scores()).answer
    lacking = scores()
    del lacking["mine"]["task3"]
    with pytest.raises(ValueError, match=r"1 result is missing: task3 \(mine\)"):
        ar.study(lacking)
    assert "dropped" in ar.study(lacking, on_mismatch="drop").cautions[0]


def test_a_result_tells_itself(compared: ar.Result, tmp_path: Path) -> None:
    assert repr(compared).startswith(f"<{compared.answer} ")
    assert isinstance(compared.cautions, list)
    assert compared.cautions
    assert compared.to_frame().loc["system_good", "correct"] == 44
    assert list(compared.to_frame("edges").columns)[:2] == ["better", "worse"]
    assert compared.to_frame("adjusted").shape == (3, 3)
    assert r"\toprule" in compared.to_latex("adjusted")
    drawn = compared.plot()
    assert isinstance(drawn, Figure)
    assert "<svg" in drawn._repr_svg_()  # type: ignore[attr-defined]
    for path in (tmp_path / "report.html", str(tmp_path / "again.html")):
        page = compared.report(path).read_text(encoding="utf-8")
        assert "<svg" in page
        assert "system_near_miss" in page
    with pytest.raises(ExperimentError, match="'scorse' is unknown"):
        compared.to_frame("scorse")
    with pytest.raises(ExperimentError, match="figure 'critical-difference' is unknown"):
        compared.plot("critical-difference")


def test_a_notebook_shows_answer_ranks_and_cautions() -> None:
    hostile = "<script>alert(1)</script>"
    files: Mapping[str, Path] = {hostile: LIBRARY.reference, **LIBRARY.alignments}
    shown = ar.compare(LIBRARY.reference, files)._repr_html_()
    assert "<script" not in shown
    assert "<table" in shown
    assert "caution" in shown


def test_objects_are_taken_as_files_are(compared: ar.Result) -> None:
    reference = ar.read_alignment(LIBRARY.reference)
    systems = {name: ar.read_alignment(path) for name, path in LIBRARY.alignments.items()}
    assert ar.compare(reference, systems).summary.to_dict() == compared.summary.to_dict()
    source, target = ar.load(LIBRARY.source), ar.load(LIBRARY.target)
    in_memory = ar.Alignment(reference)
    found = ar.match(source, target, metric=lambda s, t: float(s[0] == t[0]), threshold=0.5)
    result = ar.compare(
        in_memory, {"mine": found, **systems}, focus="mine", source=source, target=target
    )
    assert "mine" in result.answer
    assert result.to_frame()["mine is"].fillna("").to_dict() == {
        "mine": "",
        "system_good": "worse",
        "system_near_miss": "worse",
        "system_bad": "undecided",
    }
    inputs = result.summary.provenance.inputs
    assert {"reference", "alignment mine"}.isdisjoint(inputs)
    assert {"source", "target", "alignment system_bad"} <= set(inputs)


def test_what_was_made_in_memory_is_called_by_its_role() -> None:
    with pytest.raises(AlignmentError, match=r"^reference holds no correspondence to judge by"):
        ar.compare(ar.Alignment(), LIBRARY.alignments)
    with pytest.raises(ExperimentError, match="is nine metrics: name one"):
        ar.match(LIBRARY.source, LIBRARY.target, metric="standard")
    with pytest.raises(MatcherError, match="outside"):
        ar.match(LIBRARY.source, LIBRARY.target, threshold=80)


def test_match_warns_of_what_it_leaves_out() -> None:
    entities = [Entity("a#1", Kind.CLASS, (Label(""),)), Entity("a#2", Kind.CLASS, (Label("x"),))]
    ontology = ar.Ontology("a", {entity.iri: entity for entity in entities})
    with pytest.warns(UserWarning, match="1 (source|target) entity without a name"):
        assert len(ar.match(ontology, ontology)) == 1


def test_items_and_runs_from_python() -> None:
    names = ("good@1", "good@2", "good@3", "near", "bad")
    chances = np.array([[0.9], [0.9], [0.9], [0.88], [0.3]])
    runs = np.random.default_rng(1).random((5, 150)) < chances
    table = dict(zip(names, runs * 1, strict=True))
    compared = ar.compare(pd.DataFrame(table))
    assert compared.summary.runs.runs == (3, 1, 1)
    assert compared.answer.startswith("good scores best (mean 0.9")
    assert compared.answer.endswith(
        "near is not significantly different. bad is significantly worse. The tests assume "
        "independent items."
    )
    assert ar.compare({name: list(row) for name, row in table.items()}).answer == compared.answer
    long = pd.DataFrame(table).melt(var_name="system", value_name="score", ignore_index=False)
    long = long.reset_index(names="item")
    long["run"] = long.system.str.partition("@")[2]
    long["system"] = long.system.str.partition("@")[0]
    assert ar.compare(long).answer == compared.answer
    one = LIBRARY.reference
    same = ar.compare(one, {"perfect": [one, one, one], "none": ar.Alignment([])})
    assert same.summary.runs.runs == (3, 1)
    with pytest.raises(ValueError, match="systems is missing"):
        ar.compare(ar.read_alignment(one))


def scores_frame(**columns: list[float]) -> pd.DataFrame:
    """Return scores of three systems on twelve tasks, the best first."""
    scores = {name: [0.9 - 0.3 * k - i / 100 for i in range(12)] for k, name in enumerate("abc")}
    return pd.DataFrame(scores | columns)


def test_a_missing_cluster_in_a_frame_is_none(tmp_path: Path) -> None:
    items = pd.DataFrame(
        {
            "item": [f"i{k}" for k in range(40)],
            "a": [1] * 40,
            "b": [k % 2 for k in range(40)],
            "cluster": [f"c{k // 2}" for k in range(10)] + [None] * 30,
        }
    )
    items.to_csv(tmp_path / "items.csv", index=False)
    compared = ar.compare(items.set_index("item"))
    assert compared.answer == ar.compare(tmp_path / "items.csv").answer
    assert compared.answer == "a scores best (mean 1.000); b is significantly worse."
    for missing in (float("nan"), pd.NA):
        again = items.set_index("item").astype({"cluster": object}).fillna({"cluster": missing})
        assert ar.compare(again).answer == compared.answer


def test_a_frame_is_refused_for_what_a_file_is_refused_for(tmp_path: Path) -> None:
    doubled = scores_frame().set_axis(["a", "a", "c"], axis=1)
    doubled.to_csv(tmp_path / "scores.csv", index_label="task")
    for scores in (doubled, tmp_path / "scores.csv"):
        with pytest.raises(ValueError, match="system 'a' comes twice: rename one"):
            ar.study(scores)
    with pytest.raises(ValueError, match="are measures, no systems"):
        ar.study(scores_frame().set_axis(["P", "R", "F1"], axis=1))


class FrameOfOthers:
    """A frame of a library that pandas does not know: it has columns and a dictionary."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = columns

    def to_dict(self) -> dict[str, list[Any]]:
        return self.columns


@pytest.mark.parametrize("names", [{}, {"task": [f"t{k}" for k in range(12)]}])
def test_frames_of_other_libraries_keep_the_names_of_systems(names: dict[str, list[str]]) -> None:
    frame = FrameOfOthers(names | scores_frame().to_dict("list"))
    assert ar.study(frame).answer == (  # type: ignore[arg-type]
        "a scores best (mean score 0.845); both others are significantly worse. The tests assume "
        "independent tasks."
    )


def test_label_properties_are_read_at_every_door(tmp_path: Path) -> None:
    text = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix schema: <http://schema.org/> .
<http://{0}#{0}1> a owl:Class ; schema:name "Mitral valve" .
<http://{0}#{0}2> a owl:Class ; schema:name "Left {1}" .
"""
    files = [tmp_path / "a.ttl", tmp_path / "b.ttl"]
    for file, words in zip(files, (("a", "lung"), ("b", "lungs")), strict=True):
        file.write_text(text.format(*words))
    named = {"label_properties": "http://schema.org/name"}
    assert len(ar.match(*files, metric="levenshtein")) == 0
    matched = ar.match(*files, metric="levenshtein", **named)
    assert len(matched) == 2
    ranked = ar.rank(*files, matched, metrics=["equality", "levenshtein"], threshold=0.7, **named)
    assert ranked.to_frame()["correct"].to_dict() == {"levenshtein": 2, "equality": 1}
    questions = ar.sample(*files, {"mine": matched}, out=tmp_path / "judge", **named)
    assert "Mitral valve" in questions.read_text()
    codes = [{finding.code for finding in ar.check(files, **given)} for given in ({}, named)]
    assert ("no-labels" in codes[0], codes[1]) == (True, set())
    absent = "no entity has the label property http://x#y"
    with pytest.raises(ValueError, match=absent):
        ar.rank(*files, matched, label_properties="http://x#y")


def test_a_frame_of_polars_keeps_the_names_of_systems() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(scores_frame().to_dict("list"))
    assert ar.study(frame).to_frame().index.tolist() == ["a", "b", "c"]
    with pytest.raises(
        ValueError, match=r"^a LazyFrame holds no values yet: collect\(\) it first$"
    ):
        ar.study(frame.lazy())


def test_a_frame_that_is_still_a_query_is_refused() -> None:
    query = SimpleNamespace(collect=scores_frame)
    with pytest.raises(ValueError, match=r"holds no values yet: collect\(\) it first$"):
        ar.study(query)


def test_the_focus_is_named_in_any_normal_form() -> None:
    composed, decomposed = "M\u00fcller", "Mu\u0308ller "
    scores = scores_frame().set_axis([composed, "b", "c"], axis=1)
    assert ar.study(scores, focus=decomposed).answer == ar.study(scores, focus=composed).answer
    task = bundled_task("library")
    systems = {composed: task.alignments["system_good"], "b": task.alignments["system_bad"]}
    compared = [ar.compare(task.reference, systems, focus=f) for f in (decomposed, composed)]
    assert compared[0].answer == compared[1].answer
    scored = ar.score(task.reference, systems, focus=decomposed)
    assert scored.to_frame().equals(ar.score(task.reference, systems, focus=composed).to_frame())


def test_names_of_systems_are_as_on_the_command_line() -> None:
    """A blank that does not break was refused, and names that look equal stood side by side."""
    good, bad = (LIBRARY.alignments[name] for name in ("system_good", "system_bad"))
    compared = ar.compare(
        LIBRARY.reference, {"My\u00a0tool": good, "Mu\u0308ller ": bad}, focus="M\u00fcller"
    )
    assert set(compared.summary.systems) == {"My tool", "M\u00fcller"}
    with pytest.raises(ExperimentError, match="two are called 'A': rename one"):
        ar.compare(LIBRARY.reference, {"A": good, "A ": bad})


def test_only_a_whole_number_makes_a_run() -> None:
    scores = scores_frame().set_axis(["svm@linear", "svm@rbf", "tree@2024-05"], axis=1)
    assert len(ar.study(scores).to_frame()) == 3
    runs = scores_frame().set_axis(["svm@1", "svm@2", "tree"], axis=1)
    studied = ar.study(runs)
    assert studied.to_frame().index.tolist() == ["svm", "tree"]
    assert any(
        "runs of one system count by their mean (svm@1, svm@2)" in c for c in studied.cautions
    )


def test_rounding_is_relative_to_each_task() -> None:
    scores = pd.DataFrame({"ours": [2e-3] * 9 + [-1e9], "baseline": [1e-3] * 9 + [-1.2e9]})
    studied = ar.study(scores, test="signed-rank")
    assert studied.to_frame("adjusted").loc["ours", "baseline"] == pytest.approx(2 / 2**10)


@pytest.mark.parametrize("name", ["", 1, "a\nb"])
def test_a_name_that_cannot_be_printed_is_refused(name: Any) -> None:
    with pytest.raises(ExperimentError, match="is no name that can be printed"):
        ar.compare(LIBRARY.reference, {name: LIBRARY.alignments["system_bad"]})


def test_a_run_and_a_system_of_one_name_are_refused() -> None:
    """One of the two was lost."""
    good, bad = (LIBRARY.alignments[name] for name in ("system_good", "system_bad"))
    with pytest.raises(ExperimentError, match="two are called 'A@1'"):
        ar.compare(LIBRARY.reference, {"A": [good, good], "A@1": bad})


def test_nothing_to_score_and_a_number_for_a_metric_are_refused() -> None:
    with pytest.raises(ExperimentError, match="give reference and systems"):
        ar.score(LIBRARY.reference, {})
    with pytest.raises(ExperimentError, match="systems is of type DataFrame: give a dict"):
        ar.score(LIBRARY.reference, pd.DataFrame({"a": [1]}))
    with pytest.raises(MatcherError, match="metric 3 is neither a name nor a function"):
        ar.match(LIBRARY.source, LIBRARY.target, metric=3)


def test_a_task_may_be_a_folder_as_a_path() -> None:
    folder: Any = LIBRARY.source.parent
    assert ar.match(task=folder, metric="equality").name == "equality"
