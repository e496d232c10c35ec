"""A process beside the first."""

from __future__ import annotations

import inspect
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from alignrank.common.errors import LoadingError
from alignrank.evaluation import compare
from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.ranking.worker import Worker, named_in, to_load
from alignrank.experiments.report.publish import write_figures
from alignrank.experiments.results.result import ComparisonResult, Provenance
from alignrank.ontologies import Alignment, Correspondence, load_ontology
from alignrank.ontologies.tasks import bundled_task


def broken() -> None:
    raise TypeError("no curve")


def test_a_failure_is_told_in_one_line() -> None:
    message = r"^the figures could not be drawn: TypeError: no curve"
    with Worker() as worker, pytest.raises(ExperimentError, match=message) as error:
        worker.wait_for(worker.submit(broken))
    assert "\n" not in str(error.value)


def test_a_figure_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    right = Alignment([Correspondence("a", "x")])
    result = ComparisonResult.of(
        compare({"one": right, "two": right}, right),
        Provenance({"test": "mid-p", "correction": "bergmann-hommel", "alpha": 0.05}, {}),
    )
    with Worker() as worker:
        drawing = worker.submit(
            write_figures, tmp_path / "file", result, {"a": curve(right, right)}
        )
        with pytest.raises(ExperimentError, match=r"^the figures could not be drawn: .*file"):
            worker.wait_for(drawing)


def test_of_a_process_that_was_killed_this_is_said() -> None:
    library = bundled_task("library").source
    with Worker() as worker:
        waiting = worker.submit(time.sleep, 60)
        loaded = worker.load(library)
        worker.process.kill()
        with pytest.raises(ExperimentError, match=r"killed by SIGKILL \(is there enough memory"):
            worker.wait_for(waiting)
        with pytest.raises(ExperimentError, match="not be loaded: the process was killed"):
            loaded()
        for later in (worker.submit(os.getpid), worker.submit(time.sleep, 60)):
            with pytest.raises(ExperimentError, match="drawn: the process was killed by SIGKILL"):
                worker.wait_for(later)


def killed_while_sending() -> None:
    """Send the beginning of a result, and end."""
    frame = inspect.currentframe()
    while frame is not None and "result_queue" not in frame.f_locals:
        frame = frame.f_back
    assert frame is not None
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1_000) + b"x")
    os.kill(os.getpid(), signal.SIGKILL)


def test_half_a_result_is_not_waited_for() -> None:
    with Worker() as worker, pytest.raises(ExperimentError, match="killed by SIGKILL"):
        worker.wait_for(worker.submit(killed_while_sending))


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
    with Worker([path, library]) as worker:
        assert worker.loading.keys() == {path, library}
        for file, loaded in worker.loading.items():
            assert loaded() == load_ontology(file)
    here_and_there = [r.getMessage() for r in caplog.records if "far.away" in r.getMessage()]
    assert len(here_and_there) == 2
    assert len(set(here_and_there)) == 1


def test_an_ontology_that_cannot_be_loaded_is_the_error_it_would_be_here(tmp_path: Path) -> None:
    broken, missing = tmp_path / "broken.owl", tmp_path / "missing.owl"
    broken.write_text("<rdf:RDF")
    with Worker() as worker:
        for path, loaded in [(path, worker.load(path)) for path in (broken, missing)]:
            with pytest.raises((LoadingError, OSError)) as here:
                load_ontology(path)
            with pytest.raises(type(here.value)) as there:
                loaded()
            assert str(there.value) == str(here.value)


def test_a_worker_loads_the_larger_ontology_and_a_small_one_but_no_stream(tmp_path: Path) -> None:
    large, larger, small = (tmp_path / name for name in ("large", "larger", "small"))
    for path, size in ((large, 2_000_001), (larger, 2_000_002), (small, 10)):
        with path.open("wb") as file:
            file.truncate(size)
    assert to_load(large, larger) == [larger, large]
    assert to_load(small, small) == [small]
    assert to_load(Path("/dev/stdin"), tmp_path / "none") == []
    assert named_in([*map(str, (large, larger, small))]) == [larger]
    assert named_in(["--metric", "jaro", str(small), str(larger), "r"]) == [larger, small]
    assert named_in([str(small), str(larger), "--imports", str(tmp_path)]) == []
    assert named_in(["--help", str(small)]) == named_in(["--task", "library"]) == []


def test_the_process_ends_with_its_block_and_with_its_parent(tmp_path: Path) -> None:
    with Worker() as worker:
        pid = worker.process.pid
        os.kill(pid, 0)
        worker.submit(time.sleep, 60)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    code = (
        "import os, signal\nfrom alignrank.experiments.ranking.worker import Worker\n"
        "worker = Worker()\nworker.submit(os.getpid).result()\n"
        "print(worker.process.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    parent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert parent.returncode == -signal.SIGKILL
    orphan = Path(f"/proc/{int(parent.stdout)}")
    for _ in range(100):
        if not orphan.exists():
            break
        signal.sigtimedwait([], 0.1)
    assert not orphan.exists()


def test_results_are_kept_when_the_figures_cannot_be_drawn(tmp_path: Path) -> None:
    broken = tmp_path / "matplotlib" / "__init__.py"
    broken.parent.mkdir()
    broken.write_text('raise ImportError("it is broken")')
    out = tmp_path / "out"
    ranks = ["rank", "--task", "library", "--metric", "equality", "--metric", "levenshtein"]
    run = subprocess.run(
        [Path(sys.executable).with_name("alignrank"), *ranks, "--out", out],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path[1:]])},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert "ImportError: it is broken: all other results are written" in run.stderr
    assert len([line for line in run.stderr.splitlines() if not line.startswith("! ")]) == 1
    assert {path.name for path in out.iterdir()} >= {"summary.json", "report.html", "manifest.json"}
    assert not (out / "figures").exists()
