"""Experiments run: nothing computed twice, past a bad step, and one summary over all."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest

from alignrank.common.executor import Cluster
from alignrank.common.results import Provenance
from alignrank.evaluation import Comparison
from alignrank.evaluation.multitask import Study
from alignrank.experiments.errors import ExperimentError, MistakesError
from alignrank.experiments.inputs.named_inputs import PairFiles
from alignrank.experiments.library import run
from alignrank.experiments.library.experiment import (
    TEMPLATE,
    Experiment,
    TaskFiles,
    find_experiment,
    read_experiment,
    shipped,
)
from alignrank.experiments.library.run import run_experiment, run_steps
from alignrank.experiments.library.summary import sum_up
from alignrank.experiments.ranking import pair
from alignrank.experiments.results import read_results
from alignrank.matchers import MatcherError
from alignrank.ontologies.tasks import bundled_task

TEXT = """
task = ["library", "vehicles"]
systems = ["bundled"]
[match]
metrics = ["equality", "ngram"]
threshold = ["best", 0.5]
"""


def read(folder: Path, text: str) -> Experiment:
    file = folder / "experiment.toml"
    file.write_text(text)
    return read_experiment(file, folder)


_PAIR = ("source", "target", "reference")


@pytest.fixture(scope="module", autouse=True)
def _undrawn() -> Iterator[None]:
    """Draw nothing: figures have their own tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair, "write_figures", lambda *_: None)
        yield


def contents(out: Path) -> dict[str, bytes]:
    """Every file but the manifests, which tell the time."""
    return {
        str(p.relative_to(out)): p.read_bytes()
        for p in sorted(out.rglob("*"))
        if p.is_file() and p.name != "manifest.json"
    }


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of an experiment whose steps are all done."""
    folder = tmp_path_factory.mktemp("run")
    assert run_steps(read(folder, TEXT)) == 0
    return folder


@pytest.fixture
def done(ran: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(ran, tmp_path / "copy"))


def test_a_stopped_run_goes_on_and_gives_the_same_bytes(
    done: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(done / "results")
    shutil.rmtree(done / "results" / "library" / "words-best")  # as if it had been killed there
    (done / "results" / "summary.csv").unlink()
    (left := done / "results" / "library" / ".alignrank-0123abcd").mkdir()
    assert run_steps(read(done, TEXT)) == 0
    assert capsys.readouterr().out.count("(done before)") == 3
    assert not left.exists()
    assert contents(done / "results") == before


def test_results_of_another_command_are_not_mixed_with_an_experiments(done: Path) -> None:
    (done / "results" / "manifest.json").write_text("{}")
    with pytest.raises(ExperimentError, match="results of another command"):
        run_experiment(str(done / "experiment.toml"))


def test_what_no_cluster_can_do_is_refused_before_one_is_looked_for(
    done: Path, tmp_path: Path
) -> None:
    nowhere, file = Cluster(scheduler="tcp://127.0.0.1:1"), tmp_path / "mine.toml"
    file.write_text(TEXT)
    with pytest.raises(MatcherError, match="a cluster matches in tiles: choose a threshold above"):
        run_experiment(str(file), cluster=nowhere)
    file.write_text(f"unknown = 1\n{TEXT}")
    with pytest.raises(MistakesError, match="'unknown' is unknown"):
        run_experiment(str(file), cluster=nowhere)
    (done / "results" / "manifest.json").write_text("{}")
    with pytest.raises(ExperimentError, match="holds the results of another command"):
        run_experiment(str(done / "experiment.toml"), cluster=nowhere)


def test_a_changed_test_does_not_match_again(done: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("matched again")

    monkeypatch.setattr(run, "match_metrics", refuse)
    text = TEXT.replace('"vehicles"', "").replace('"best", ', "") + '[compare]\ntest = "exact"\n'
    assert run_steps(read(done, text)) == 0
    result = read_results(done / "results" / "library" / "words")
    assert isinstance(result, Comparison)
    assert result.test == "exact"
    assert "system_good" in result.systems
    kept = list((done / "results" / ".matched").iterdir())
    assert len(kept) == 1, "what no step asks for any more is forgotten"


def test_the_same_as_rank_says(ran: Path, tmp_path: Path) -> None:
    """What was kept, and the systems beside, change nothing in what `rank` finds of metrics."""
    from alignrank.experiments.ranking.pair import rank_pair
    from alignrank.experiments.ranking.rank import RankOptions

    step = next(s for s in read(ran, TEXT).steps if s.name == "library/words-best")
    options = RankOptions(("equality", "ngram"))
    rank_pair(step.task.files, options, out=tmp_path / "out", overwrite=False)
    ours, theirs = (read_results(f) for f in (ran / "results" / step.name, tmp_path / "out"))
    assert isinstance(ours, Comparison)
    assert isinstance(theirs, Comparison)
    for name in theirs.systems:
        assert ours.scores[name] == theirs.scores[name]
        assert ours.intervals[name] == theirs.intervals[name]
        for file in (f"alignments/{name}.rdf",):
            files = [f / file for f in (ran / "results" / step.name, tmp_path / "out")]
            assert files[0].read_bytes() == files[1].read_bytes()
    assert ours.matched is not None
    assert theirs.matched is not None
    arrows = [e for e in ours.matched.tie_proof["ifp"] if set(e) <= set(theirs.systems)]
    assert set(theirs.matched.tie_proof["ifp"]) >= set(arrows)


def test_the_summary_has_a_line_for_each_step_and_what_explains_what(ran: Path) -> None:
    with (ran / "results" / "summary.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["task"], row["threshold"]) for row in rows] == [
        ("library", "best"),
        ("library", "threshold-0.5"),
        ("vehicles", "best"),
        ("vehicles", "threshold-0.5"),
    ]
    assert rows[0]["best"] == "system_good"
    assert rows[0]["groups"].startswith("system_good")
    page = (ran / "results" / "summary.html").read_text()
    assert "Of the spread of F1 the choices explain: task" in page


def test_a_bad_step_stops_no_other(done: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = bundled_task("vehicles")
    for name in ("source", "target"):
        shutil.copy(getattr(task, name), done)
    (done / "reference.rdf").write_text("<rdf")
    bad = (
        '{name = "bad", source = "source.owl", target = "target.owl", reference = "reference.rdf"}'
    )
    assert run_steps(read(done, TEXT.replace('"vehicles"', bad))) == 1
    said = capsys.readouterr()
    assert "2 steps failed:\n  bad/words-best: " in said.err
    assert said.out.count("(done before)") == 2
    assert "2 of 4 steps failed" in (done / "results" / "summary.html").read_text()


def test_tasks_are_studied_together_and_those_that_share_ontologies_are_not_independent(
    tmp_path: Path,
) -> None:
    """Of tasks in files of any name: ontologies are known by their bytes."""
    for name in "abcde":
        (tmp_path / name).write_text(name)
    pairs = [(tmp_path / one, tmp_path / two) for one, two in combinations("abcde", 2)]
    ahead = [0.8, 0.8, 0.8, 0.8, 0.01, -0.02, 0.03, -0.04, 0.05, 0.06]  # large where a is matched
    outcomes = [
        SimpleNamespace(
            step=SimpleNamespace(
                name=f"{number}/words",
                way="words",
                levels={},
                task=SimpleNamespace(
                    name=str(number),
                    files=PairFiles(*pair, tmp_path / "reference.rdf"),
                    systems={},
                ),
                options=SimpleNamespace(correction="holm", alpha=0.05),
            ),
            result=SimpleNamespace(provenance=Provenance()),
            values={"good": 0.1 + ahead[number], "bad": 0.1},
            measure="F1",
            best="good",
            groups=[("good",), ("bad",)],
        )
        for number, pair in enumerate(pairs)
    ]
    sentences = sum_up(Experiment("", tmp_path / "out", ()), outcomes)  # type: ignore[arg-type]  # stand-ins
    answer = "good scores best (mean F1 0.429), but no difference is significant."
    assert sentences[-1] == f"words: {answer}"
    assert answer in (tmp_path / "out" / "summary.html").read_text()
    studied = read_results(tmp_path / "out" / "over-tasks" / "words")
    assert isinstance(studied, Study)
    view = studied.deciding
    assert view.is_clustered
    assert studied.pairs[0].t.p <= 0.05 < view.chosen.p[0, 1]


def test_a_measure_is_compared_in_place_of_decisions(tmp_path: Path) -> None:
    text = 'task = ["foodchain"]\nsystems = ["bundled"]\n[match]\nmetrics = []\n'
    text += '[compare]\nmeasure = "relaxed-symmetric:f1"\n'
    assert run_steps(read(tmp_path, text)) == 0
    result = read_results(tmp_path / "results" / "foodchain" / "words")
    assert isinstance(result, Comparison)
    view = result.views["relaxed-symmetric-f1"]
    assert set(view.values or {}) == set(result.systems)


def test_several_runs_and_a_filter_beside_metrics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = bundled_task("library").alignments
    (tmp_path / "runs").mkdir()
    for number, name in enumerate(("system_good", "system_near_miss", "system_bad"), 1):
        shutil.copy(files[name], tmp_path / "runs" / f"run-{number}.rdf")
    text = 'task = ["library"]\nsystems = ["mine=runs", "bundled"]\n'
    text += '[match]\nmetrics = ["equality"]\n[compare]\nfilter = "relation=="\n'
    assert run_steps(read(tmp_path, text)) == 0
    result = read_results(tmp_path / "results" / "library" / "words")
    assert isinstance(result, Comparison)
    assert result.runs is not None
    assert dict(zip(result.systems, result.runs.runs, strict=True))["mine"] == 3
    assert "filters" in result.provenance.settings
    cut = text.replace("relation==", "without=http://example.org/library/lending")
    assert run_steps(read(tmp_path, cut)) == 1
    assert "of equality: match less, with kinds in [match]" in capsys.readouterr().err


def small(experiment: Experiment, out: Path) -> Experiment:
    """One or two steps of an experiment, on a small pair and with few metrics."""
    task = bundled_task("library")
    tiny = TaskFiles(
        "library", PairFiles(task.source, task.target, task.reference), task.alignments
    )
    steps = []
    for step in experiment.steps[:: max(1, len(experiment.steps) - 1)]:
        ontosim = step.options.metrics == ("ontosim",)
        few = ("ontosim-equality", "ontosim-jaro") if ontosim else ("equality", "ngram")
        options = replace(step.options, metrics=few if step.options.metrics else ())
        files = tiny if step.task.files.source.stat().st_size > 100_000 else step.task
        fewer = {"n_resamples": 500} if step.judging.measure else {}
        judging = replace(step.judging, **fewer)
        steps.append(replace(step, task=files, options=options, judging=judging))
    return Experiment(experiment.about, out, tuple(steps))


@pytest.mark.parametrize("name", [*shipped(), str(TEMPLATE)])
def test_a_shipped_experiment_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        experiment = find_experiment(name)
    except ExperimentError as error:
        if "alignrank data fetch" not in str(error):
            raise
        monkeypatch.setenv("ALIGNRANK_DATA", str(request.getfixturevalue("oaei")))
        experiment = find_experiment(name)
    assert run_steps(small(experiment, tmp_path / "out")) == 0
    assert (tmp_path / "out" / "summary.html").is_file()


def test_listed_and_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_experiment(listed=True) == 0
    assert "mohammadi-2018" in capsys.readouterr().out
    new = tmp_path / "mine.toml"
    assert run_experiment(new=new) == 0
    assert new.read_bytes() == TEMPLATE.read_bytes()
    with pytest.raises(ExperimentError, match="exists"):
        run_experiment(new=new)
    with pytest.raises(ExperimentError, match="name an experiment"):
        run_experiment()
    assert list(tmp_path.iterdir()) == [new]
