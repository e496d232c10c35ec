"""A second process beside the first."""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.measures.threshold_curve import curve
from experiments.errors import ExperimentError
from experiments.ranking.second_process import SecondProcess
from matchers import prepare
from ontologies import Alignment, Correspondence, load_ontology
from ontologies.errors import LoadingError
from ontologies.tasks import bundled_task


def test_a_failure_is_told_in_one_line(tmp_path: Path) -> None:
    with SecondProcess(tmp_path) as second:
        second.draw_curves({"a": "no curve"})  # type: ignore[dict-item]  # that is the mistake
        with pytest.raises(ExperimentError, match=r"^the figures could not be drawn: \w+") as error:
            second.wait()
    assert "\n" not in str(error.value)


def test_a_figure_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    right = Alignment([Correspondence("a", "x")])
    with SecondProcess(tmp_path / "file") as second:
        second.draw_curves({"a": curve(right, right)})
        with pytest.raises(ExperimentError, match=r"^the figures could not be drawn: .*file"):
            second.wait()


def test_of_a_process_that_was_killed_this_is_said(tmp_path: Path) -> None:
    with SecondProcess(tmp_path) as second:
        second._process.kill()
        with pytest.raises(ExperimentError, match=r"killed by SIGKILL \(is there enough memory"):
            second.wait()


def test_half_an_answer_is_none() -> None:
    with SecondProcess(None) as second:
        second._process.kill()
        second._process.wait()
        answers = second._process.stdout
        for length in (0, 5, 50):
            second._process.stdout = io.BytesIO(pickle.dumps("an ontology" * 20)[:length])
            loaded = second.load(bundled_task("library").source)
            with pytest.raises(ExperimentError, match="not be loaded: the process was killed"):
                loaded()
        second._process.stdout = answers


def test_an_ontology_comes_as_it_would_be_loaded_here(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "<http://a#> a owl:Ontology ; owl:imports <http://far.away/b> .\n"
        "<http://a#Heart> a owl:Class .\n"
    )
    library = bundled_task("library").source
    with SecondProcess(None) as second:
        loaded = [second.load(path), second.load(library)]
        assert [load() for load in loaded] == [load_ontology(path), load_ontology(library)]
    here_and_there = [r.getMessage() for r in caplog.records if "far.away" in r.getMessage()]
    assert len(here_and_there) == 2
    assert len(set(here_and_there)) == 1


def test_an_ontology_that_cannot_be_loaded_is_the_error_it_would_be_here(tmp_path: Path) -> None:
    broken, missing = tmp_path / "broken.owl", tmp_path / "missing.owl"
    broken.write_text("<rdf:RDF")
    with SecondProcess(None) as second:
        for path, loaded in [(path, second.load(path)) for path in (broken, missing)]:
            with pytest.raises((LoadingError, OSError)) as here:
                load_ontology(path)
            with pytest.raises(type(here.value)) as there:
                loaded()
            assert str(there.value) == str(here.value)
        second._process.kill()
        second._process.wait()
        with pytest.raises(ExperimentError, match="could not be loaded"):
            second.load(bundled_task("library").source)()


def test_the_process_ends_with_its_block_and_with_its_parent(tmp_path: Path) -> None:
    with SecondProcess(tmp_path) as second:
        pid = second._process.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    code = (
        "import os, signal\nfrom experiments.ranking.second_process import SecondProcess\n"
        "second = SecondProcess(None)\nprint(second._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    parent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert parent.returncode == -signal.SIGKILL
    orphan = Path(f"/proc/{int(parent.stdout)}")
    for _ in range(100):
        if not orphan.exists():
            break
        signal.sigtimedwait([], 0.1)
    assert not orphan.exists()


def test_before_the_first_run_kernels_are_compiled_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    task = bundled_task("library")
    candidates = prepare(load_ontology(task.source), load_ontology(task.target))
    with SecondProcess(tmp_path) as second:
        # what is wrong with the last one, the first process tells
        second.compile(["hamming", "no such metric"], candidates)
        second.wait()
    assert {path.name.split(".")[0] for path in (tmp_path / "cache").rglob("*.nbi")} >= {"hamming"}


def test_results_are_kept_when_the_figures_cannot_be_drawn(tmp_path: Path) -> None:
    broken = tmp_path / "matplotlib" / "__init__.py"
    broken.parent.mkdir()
    broken.write_text('raise ImportError("it is broken")')
    out = tmp_path / "out"
    run = subprocess.run(
        [Path(sys.executable).with_name("alignrank"), "demo", "--out", out],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert "ImportError: it is broken: all other results are written" in run.stderr
    assert run.stderr.count("\n") == 1
    assert {path.name for path in out.iterdir()} >= {"summary.json", "report.html", "manifest.json"}
    assert not (out / "figures").exists()
