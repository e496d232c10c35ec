"""Figures drawn by a second process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.drawing import Drawing
from experiments.errors import ExperimentError
from matchers import prepare
from ontologies import load_ontology
from ontologies.tasks import bundled_task

CONTENT = {
    "systems": ["a", "b"],
    "views": ["ifp"],
    "against": None,
}


def children_of(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(line) for line in found.stdout.split()]


def test_a_failure_is_told_in_one_line(tmp_path: Path) -> None:
    with Drawing(tmp_path) as drawing:
        drawing.draw_views({"systems": ["a"]})
        with pytest.raises(ExperimentError, match=r"^the figures could not be drawn: \w+") as error:
            drawing.wait()
    assert "\n" not in str(error.value)


def test_the_process_ends_with_its_block_and_with_its_parent(tmp_path: Path) -> None:
    with Drawing(tmp_path) as drawing:
        pid = drawing._process.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    code = (
        "import os, signal\nfrom pathlib import Path\nfrom experiments.drawing import Drawing\n"
        "drawing = Drawing(Path())\nprint(drawing._process.pid, flush=True)\n"
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
    with Drawing(tmp_path) as drawing:
        # what is wrong with the last one, the first process tells
        drawing.compile(["hamming", "no such metric"], candidates)
        drawing.wait()
    assert {path.name.split(".")[0] for path in (tmp_path / "cache").rglob("*.nbi")} >= {"hamming"}
