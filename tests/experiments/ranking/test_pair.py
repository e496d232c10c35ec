"""Kernels compiled by a second process, for the first one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from alignrank.experiments.ranking.pair import anything_compiled, compile_for, samples
from alignrank.experiments.ranking.worker import Worker
from alignrank.matchers import prepare
from alignrank.ontologies import load_ontology
from alignrank.ontologies.tasks import bundled_task

#: Prints which kernels had to be compiled, and not read from where others keep them.
_USE = """
import numba.core.event as event
from alignrank.matchers import get_metric, similarity_matrix
with event.install_recorder("numba:compile") as compiled:
    similarity_matrix([["kidney", "ren"]], [["heart"]], get_metric("hamming"), threads=1)
print(len(compiled.buffer))
"""


def test_what_the_worker_compiles_before_the_first_run_the_next_process_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    assert not anything_compiled()
    task = bundled_task("library")
    candidates = prepare(load_ontology(task.source), load_ontology(task.target))
    metrics = ["equality", "hamming", "no such metric"]
    with Worker() as worker:
        # what is wrong with the last one, the first process tells
        some = [*samples(candidates), ([["heart", "cor"]], [["lung"]])]
        worker.submit(compile_for, metrics, some).result()
    assert anything_compiled()
    run = [sys.executable, "-c", _USE]
    used = subprocess.run(run, check=True, capture_output=True, text=True)
    assert used.stdout.strip() == "0"
    assert any((tmp_path / "cache").rglob("hamming*.nbi"))
    nothing = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    (tmp_path / "cache").rename(tmp_path.with_name(tmp_path.name + "-elsewhere"))
    used = subprocess.run(run, env=nothing, check=True, capture_output=True, text=True)
    assert int(used.stdout) > 0  # the check can fail


def test_where_nothing_can_be_kept_nothing_is_compiled_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not anything_compiled()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert anything_compiled()


def test_samples_have_the_longest_names() -> None:
    task = bundled_task("library")
    candidates = prepare(load_ontology(task.source), load_ontology(task.target))
    for group, (sources, targets) in zip(candidates.groups, samples(candidates), strict=True):
        for side, chosen in ((group.source, sources), (group.target, targets)):
            most = max(map(len, side.names))
            assert len(chosen[0]) == most
            longest = max(sum(map(len, names)) for names in side.names if len(names) == most)
            assert sum(map(len, chosen[0])) == longest
