"""Several tasks in one run: matched, cut on other tasks, summed up by kind, studied."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alignrank.common.executor import using
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.measures.summaries import averages
from alignrank.evaluation.multitask import Study
from alignrank.experiments.cli import main
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import tasks_by_name
from alignrank.experiments.ranking.task_results import (
    ALL,
    GRID,
    TaskResult,
    chosen_elsewhere,
    cut_by_other_tasks,
    f1_by_threshold,
    match_task,
    match_tasks,
    ontology_names,
    score_table,
    summarise,
    task_ontologies,
)
from alignrank.experiments.results.folder import read_results
from alignrank.experiments.results.steps import Batch, Steps
from alignrank.matchers import Metric, Settings, select_metrics
from alignrank.ontologies import Alignment, Correspondence
from alignrank.ontologies.tasks import bundled_tasks
from alignrank.ontologies.tasks.reader import AlignmentReader

METRICS = select_metrics(["equality", "levenshtein", "jaro"])


@pytest.fixture(scope="module")
def results() -> list[TaskResult]:
    return [match_task(task, METRICS, Settings()) for task in bundled_tasks()]


def test_micro_and_mean_f1_are_those_of_averages(results: list[TaskResult]) -> None:
    summaries = {(s.metric, s.kind): s for s in summarise(results)}
    references = {r.task.name: AlignmentReader().reference(r.task.reference) for r in results}
    for metric in ("equality", "levenshtein", "jaro"):
        expected = averages({r.task.name: r.alignments[metric] for r in results}, references)
        summary = summaries[metric, ALL]
        micro = (summary.micro_precision, summary.micro_recall, summary.micro_f1)
        assert micro == tuple(vars(expected.micro).values())
        assert summary.macro_f1 == pytest.approx(expected.macro.f1)


def test_kinds_add_up_to_the_whole(results: list[TaskResult]) -> None:
    for metric in ("equality", "levenshtein", "jaro"):
        mine = [s for s in summarise(results) if s.metric == metric]
        (whole,) = [s for s in mine if s.kind == ALL]
        parts = [s for s in mine if s.kind != ALL]
        for name in ("reference", "found", "correct"):
            assert sum(getattr(s, name) for s in parts) == getattr(whole, name)
        lowest, highest = whole.correct_range
        assert lowest <= whole.correct <= highest


def test_the_threshold_of_a_task_does_not_depend_on_the_task(results: list[TaskResult]) -> None:
    _, thresholds = cut_by_other_tasks(results)
    for i, r in enumerate(results):
        # the task's own reference turned into nonsense changes the others' thresholds at most
        nonsense = {m: {ALL: standard(a, Alignment())} for m, a in r.alignments.items()}
        changed = [*results[:i], replace(r, credits=nonsense), *results[i + 1 :]]
        _, again = cut_by_other_tasks(changed)
        for metric, by_task in thresholds.items():
            assert again[metric][r.task.name] == by_task[r.task.name]


def test_cut_alignments_keep_what_reaches_the_threshold(results: list[TaskResult]) -> None:
    cut, thresholds = cut_by_other_tasks(results)
    for before, after in zip(results, cut, strict=True):
        for metric, alignment in after.alignments.items():
            limit = thresholds[metric][after.task.name]
            assert alignment == before.alignments[metric].at_least(limit)
    # a few more F1 points for the metrics that match whatever they can
    assert (score_table(cut).scores.mean(axis=0) >= score_table(results).scores.mean(axis=0)).all()


def test_f1_by_threshold_is_f1_of_the_cut_alignment(results: list[TaskResult]) -> None:
    for r in results:
        earned = r.credits["jaro"][ALL]
        values = f1_by_threshold(earned)
        for k in (0, 37, 80, 100):
            kept = r.alignments["jaro"].at_least(float(GRID[k]))
            judged = kept.where(lambda c, e=earned: c in e.found)
            reference = Alignment(earned.reference)
            assert values[k] == pytest.approx(standard(judged, reference).scores().f1)


def test_tasks_that_share_no_ontology_choose() -> None:
    def earned(confidence_right: float):  # type: ignore[no-untyped-def]
        right = Correspondence("a", "x", "=", confidence_right)
        wrong = Correspondence("b", "y", "=", confidence_right - 0.2)
        return standard(Alignment([right, wrong]), Alignment([right]))

    credits_ = {"one": earned(0.9), "two": earned(0.5), "three": earned(0.7)}
    pairs = {"one": frozenset("ab"), "two": frozenset("cd"), "three": frozenset("ac")}
    chosen = chosen_elsewhere(credits_, pairs)
    # only "two" shares nothing with "one"; both others share something with "three"
    assert np.isclose(chosen["one"], 0.31)
    # above 0.3 the mean of "one" (2/3) and "two" (1) is larger than above 0.7 (1 and 0)
    assert np.isclose(chosen["three"], 0.31)


def test_a_task_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="two tasks are called 'library'"):
        tasks_by_name(["library", "library"], tmp_path)


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["alignrank", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def test_rank_bundled_writes_a_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    options = ["--metric", "equality", "-m", "jaro", "-t", "best", "-v"]
    assert _run(monkeypatch, "rank", "--task", "bundled", *options, "--out", str(out)) == 0
    assert "every kind of entity" in capsys.readouterr().out
    content = json.loads((out / "summary.json").read_text())
    assert content["table"]["tasks"] == [
        "library",
        "petclinic",
        "citytransit",
        "foodchain",
        "vehicles",
    ]
    assert set(content["thresholds"]) == {"equality", "jaro"}
    assert len(list((out / "alignments" / "library").iterdir())) == 2
    assert (out / "tables" / "by-task-and-kind.csv").exists()
    assert (out / "report.html").exists()


def test_rank_one_task_is_rank_of_its_three_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert (
        _run(monkeypatch, "rank", "--task", "library", "--metric", "jaro", "--metric", "equality",
             "--out", str(out))
        == 0
    )  # fmt: skip
    assert (out / "alignments" / "jaro.rdf").exists()


BEST = ["rank", "--threshold", "best", "--task"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rank"], "name SOURCE TARGET REFERENCE, or a task"),
        (
            ["rank", "a.owl", "b.owl", "r.rdf", "--task", "library"],
            "names the files itself: leave its ontologies",
        ),
        (["rank", "--task", "bundled", "--test", "exact"], "--test exact compares metrics on one"),
        (["rank", "--task", "nonsense"], "no task is named 'nonsense'"),
        (["rank", "--task", "library", "--metric", "jaro"], "only jaro is named: name another"),
        ([*BEST, "library", "--order", "cut-then-assign"], "leave --order cut-then-assign"),
        ([*BEST, "bundled", "--order", "cut-then-assign"], "leave --order cut-then-assign"),
        ([*BEST, "library", "--tiles"], "choose a threshold above 0"),
        (["rank", "--task", "libary"], "no task is named 'libary': did you mean library?"),
        (["rank", "--task", "library", "--data", "none"], "--data none: there is no such folder"),
    ],
)
def test_usage_errors_say_what_to_do(
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run(monkeypatch, *arguments) == 2
    assert said in capsys.readouterr().err


def test_a_bad_task_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (bad := tmp_path / "bad").mkdir()
    for name in ("source.owl", "target.owl", "reference.rdf"):
        (bad / name).write_text("<rdf")
    named = [part for name in ("vehicles", "library", str(bad)) for part in ("--task", name)]
    options = ["--metric", "equality", "--metric", "jaro", "--out", str(tmp_path / "out")]
    assert _run(monkeypatch, "rank", *named, *options) == 1
    printed = capsys.readouterr()
    assert "1 task failed:\n  bad: " in printed.err
    assert printed.out.startswith("2 tasks cannot decide: nothing is tested with fewer than 4.")
    result = read_results(tmp_path / "out")
    assert isinstance(result, Study)
    assert result.table.tasks == ("vehicles", "library")
    assert set(result.systems) == {"equality", "jaro"}
    assert _run(monkeypatch, "rank", *named[2:], *options[:4]) == 2
    assert "fewer than two tasks are left to compare by: bad: " in capsys.readouterr().err


def test_a_metric_of_which_nothing_is_kept_has_no_threshold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--metric", "equality", "--metric", "ngram", "--out", str(tmp_path / "out")]
    assert _run(monkeypatch, "rank", "--task", "vehicles", "--threshold", "best", *options) == 0
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["matched"]["thresholds"]["equality"] == ["inf", "inf", "inf"]
    assert "(equality keeps nothing, ngram 0." in (tmp_path / "out" / "paper.txt").read_text()


def test_workers_share_the_tasks_and_a_killed_one_changes_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install '.[distributed]'"
    )
    here, flag = os.getpid(), tmp_path / "killed"

    def similarity(s: str, t: str) -> float:
        if os.getpid() != here and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return float(s[:3] == t[:3])

    metrics = [*METRICS, Metric("own", "custom", similarity, "", "")]
    tasks = bundled_tasks()[:3]

    def matched(steps: Steps) -> list[TaskResult]:
        batch = Batch()
        results = match_tasks(
            tasks,
            metrics,
            Settings(),
            imports=None,
            steps=steps,
            reader=AlignmentReader(),
            batch=batch,
        )
        assert not batch.failures
        return results

    here_alone = matched(Steps(None, resume=False, overwrite=False))
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50
        ) as started,
        distributed.Client(started, set_as_default=False) as client,
        using(client),
    ):
        out = tmp_path / "results"
        on_cluster = matched(Steps(out, resume=False, overwrite=False))
    assert flag.exists()
    resumed = matched(Steps(out, resume=True, overwrite=False))
    for alone, remote, again in zip(here_alone, on_cluster, resumed, strict=True):
        assert alone.task == remote.task == again.task
        assert dict(alone.alignments) == dict(remote.alignments) == dict(again.alignments)
        assert alone.correct_ranges == remote.correct_ranges == again.correct_ranges


def test_copies_of_an_ontology_are_one_ontology(tmp_path: Path) -> None:
    """A campaign's cache holds a copy of each ontology in every task's folder."""
    for folder in ("p/q", "r/q", "s/q"):
        (tmp_path / folder).mkdir(parents=True)
        for name, text in (("source", "same"), ("target", folder)):
            (tmp_path / folder / f"{name}.owl").write_text(text)
    files = [(p / "source.owl", p / "target.owl") for p in sorted(tmp_path.glob("*/q"))]
    names = ontology_names(files)
    assert {source for source, _ in names} == {"source"}
    assert len({target for _, target in names}) == 3


def test_tasks_that_hold_copies_of_an_ontology_are_no_strangers(
    tmp_path: Path, results: list[TaskResult]
) -> None:
    copied = []
    for r in results[:2]:
        source, target = (tmp_path / r.task.name / f"{name}.owl" for name in ("source", "target"))
        source.parent.mkdir()
        source.write_bytes(results[0].task.source.read_bytes())
        target.write_bytes(r.task.target.read_bytes())
        copied.append(replace(r, task=replace(r.task, source=source, target=target)))
    one, two = task_ontologies(copied).values()
    assert one & two


def test_steps_of_other_predicates_are_not_taken(tmp_path: Path) -> None:
    def matched(steps: Steps, *predicates: str) -> list[TaskResult]:
        return match_tasks(
            bundled_tasks()[:1],
            METRICS[:1],
            Settings(),
            imports=None,
            steps=steps,
            reader=AlignmentReader(predicates=predicates),
            batch=Batch(),
        )

    matched(Steps(tmp_path / "out", resume=False, overwrite=False))
    with pytest.raises(ExperimentError, match="was finished with other settings"):
        matched(Steps(tmp_path / "out", resume=True, overwrite=False), "skos:closeMatch")
