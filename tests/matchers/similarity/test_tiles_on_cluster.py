"""The same edges come from a Dask cluster, also where a worker is killed, and wherever it fails."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import numpy as np
import pytest

from alignrank.common.executor import Executor, executor, on_cluster, using
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.significance import randomisation
from alignrank.evaluation.significance.randomisation import randomise
from alignrank.evaluation.uncertainty import score_intervals as bootstrapping
from alignrank.evaluation.uncertainty.score_intervals import bootstrap
from alignrank.matchers import (
    MatcherError,
    Metric,
    get_metric,
    likely_pairs,
    match,
    name_vectors,
    prepare,
)
from alignrank.matchers.similarity import tiles
from alignrank.matchers.similarity.tiles import Layout, similar_pairs
from alignrank.ontologies import Alignment, Correspondence, load_ontology
from alignrank.ontologies.tasks import bundled_task

WORDS = [
    f"{first}{second}{'x' * (k % 5)}" for k, first in enumerate("abcdefgh") for second in "ijk"
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    missing = "Dask is not installed: pip install '.[distributed]'"
    distributed = pytest.importorskip("distributed", reason=missing)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50
        ) as started,
        distributed.Client(started, set_as_default=False) as client,
        using(client),
    ):
        yield


def same_edges(metric: Metric, threshold: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare with threads; parts are small, so that there are some."""
    monkeypatch.setattr(tiles, "BLOCK", 7)
    found = similar_pairs(WORDS, WORDS[::-1], metric, threshold)
    assert on_cluster()
    monkeypatch.setattr("alignrank.common.executor._used", [])
    assert not on_cluster()
    here = similar_pairs(WORDS, WORDS[::-1], metric, threshold)
    for name in ("data", "indices", "indptr"):
        assert getattr(found, name).tobytes() == getattr(here, name).tobytes()
    assert found.nnz > len(WORDS)


@pytest.mark.usefixtures("cluster")
def test_a_killed_worker_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, flag = os.getpid(), tmp_path / "killed"

    def similarity(s: str, t: str) -> float:
        if s == t == "bj" + "x" and os.getpid() != here and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 1.0 if s[0] == t[0] else 0.25 * (s[1] == t[1])

    same_edges(Metric("own", "custom", similarity, "", ""), 0.2, monkeypatch)
    assert flag.exists()


@pytest.mark.usefixtures("cluster")
def test_the_default_metric_gives_the_same_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (likely_pairs, name_vectors):
        monkeypatch.setattr(module, "BLOCK", 7)  # several slabs
    task = bundled_task("library")
    candidates = prepare(load_ontology(task.source), load_ontology(task.target))
    there = match(candidates, "combined").alignment
    monkeypatch.setattr("alignrank.common.executor._used", [])
    here = match(candidates, "combined").alignment
    assert [*there] == [*here]
    assert there.metadata == here.metadata


@pytest.mark.usefixtures("cluster")
def test_a_kernel_runs_there_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    same_edges(get_metric("levenshtein"), 0.5, monkeypatch)


@pytest.mark.usefixtures("cluster")
def test_what_a_worker_complains_of_is_told_here() -> None:
    odd = Metric("odd", "custom", lambda s, t: float("nan"), "", "")
    with pytest.raises(MatcherError, match="'odd' gave NaN"):
        similar_pairs(["a"], ["b"], odd, 0.5)
    assert executor().places() == 1


@pytest.mark.usefixtures("cluster")
def test_what_is_resampled_there_is_what_is_resampled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Alignment(Correspondence(f"a{k}", f"b{k}") for k in range(60))
    found = right.where(lambda c: int(c.entity1[1:]) % 3 > 0)
    other = Alignment([*found][::2])
    for module in (bootstrapping, randomisation):
        monkeypatch.setattr(module, "_CELLS", 900)  # several blocks

    def resampled() -> list[object]:
        return [
            bootstrap(standard(found, right), resamples=90),
            randomise({"a": found, "b": other}, right, standard, n_resamples=90).test.p.tobytes(),
        ]

    there = resampled()
    monkeypatch.setattr("alignrank.common.executor._used", [])
    assert there == resampled()


def test_what_tasks_share_stays_where_it_was_made() -> None:
    missing = "Dask is not installed: pip install '.[distributed]'"
    distributed = pytest.importorskip("distributed", reason=missing)

    def place(numbers: np.ndarray, task: int) -> str:
        time.sleep(0.01)
        return str(distributed.get_worker().address)

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as started,
        distributed.Client(started, set_as_default=False) as client,
        using(client),
    ):
        shared = [executor().put(np.zeros, 10**7 + k) for k in range(2)]
        tasks = [(numbers, task) for task in range(20) for numbers in shared]
        places = [{at for (of, _), at in executor().run(place, tasks) if of is x} for x in shared]
    assert [len(of) for of in places] == [1, 1]


def test_fewer_workers_than_there_were_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = get_metric("jaro")
    whole = similar_pairs(WORDS, WORDS, metric, 0.5)
    monkeypatch.setattr(tiles, "BLOCK", 7)
    numbers = chain([3, 3], repeat(1))
    monkeypatch.setattr(Executor, "places", lambda self: next(numbers))
    np.testing.assert_array_equal(
        similar_pairs(WORDS, WORDS, metric, 0.5).toarray(), whole.toarray()
    )


def test_the_size_of_a_part_is_what_is_sent() -> None:
    part = tiles.Part(get_metric("jaro"), 0.5, tiles.Strings(WORDS), tiles.Strings(WORDS[::-1]))
    assert sys.getsizeof(part) == pytest.approx(len(pickle.dumps(part)), rel=0.1)


def test_every_worker_gets_a_part_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "SMALL", 2)
    metric = get_metric("jaro")
    for others in (WORDS[:9], None):
        several, one = (Layout(WORDS, others, metric, 0.1, places) for places in (4, 1))
        assert len(several.parts) >= 3 > len(one.parts)
        found, wanted = (
            sorted(edge for some in of.edges() for edge in zip(*map(np.ravel, some), strict=True))
            for of in (several, one)
        )
        assert found == wanted
        assert len(found) > len(WORDS)
    assert Layout([], WORDS, metric, 0.1, 4).parts == []


def test_parts_that_can_hold_no_edge_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "BLOCK", 2)
    layout = Layout(["a", "b", "c" * 9, "d" * 9], ["e", "f"], get_metric("levenshtein"), 0.5)
    assert [(rows, columns) for rows, columns in layout.parts] == [((0, 2, 1), (0, 2, 1))]
    np.testing.assert_array_equal(layout.orders[0], [0, 1, 2, 3])
