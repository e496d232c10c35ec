"""Tasks are done once each, few ahead of those that were asked for, and none after a failure."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from alignrank.common.executor import (
    Cluster,
    Executor,
    available_processors,
    executor,
    in_order,
    on_cluster,
    using,
)


@pytest.mark.parametrize("threads", [1, 3])
def test_every_task_is_done_and_few_are_begun_early(threads: int) -> None:
    begun: list[int] = []

    def tasks() -> Iterator[tuple[int]]:
        for k in range(50):
            begun.append(k)
            yield (k,)

    done = 0
    for (k,), square in Executor(threads).run(lambda k: k * k, tasks()):
        done += 1
        assert square == k * k
        assert len(begun) <= done + 2 * threads
    assert done == 50


def test_no_task_begins_after_a_failure() -> None:
    def fail(k: int) -> int:
        begun.append(k)
        return 1 // (k - 3)

    begun: list[int] = []
    with pytest.raises(ZeroDivisionError):
        list(Executor(2).run(fail, ((k,) for k in range(50))))
    assert len(begun) <= 3 + 4 + 2


def test_threads_are_what_runs_unless_a_cluster_is_named() -> None:
    with Cluster().used():
        assert not on_cluster()
        assert executor().at_once() == available_processors()
        assert executor().put(max, 1, 2) == 2


def test_two_clusters_or_none_are_refused() -> None:
    with (
        pytest.raises(ConnectionError, match=r"two clusters: give one"),
        Cluster("tcp://a:1", 2).used(),
    ):
        pass


def test_a_scheduler_that_does_not_answer_is_told_in_one_line() -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[distributed]'")
    with (
        pytest.raises(ConnectionError, match="no Dask scheduler answers at what"),
        Cluster("what://is").used(),
    ):
        pass


def test_workers_that_end_at_once_are_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[distributed]'")
    monkeypatch.setattr("alignrank.common.executor._START", "import os; os._exit(3)")
    with (
        pytest.raises(ConnectionError, match=r"^the workers do not start \(.+\): .*Start fewer$"),
        Cluster(workers=1).used(),
    ):
        pass


def test_workers_end_without_a_word_where_the_work_is_refused(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ValueError, match="refused"), Cluster(workers=2).used():
        raise ValueError("refused")
    assert capfd.readouterr().err == ""


def test_workers_listen_to_this_machine_only() -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[distributed]'")
    psutil = pytest.importorskip("psutil", reason="Dask's psutil is not installed")
    with Cluster(workers=1).used():
        own = psutil.Process()
        addresses = {
            connection.laddr.ip
            for process in (own, *own.children(recursive=True))
            for connection in process.net_connections(kind="inet")
            if connection.status == psutil.CONN_LISTEN
        }
    assert addresses == {"127.0.0.1"}


@pytest.mark.parametrize("workers", [1, 3])
def test_as_many_workers_are_started_as_were_asked_for(workers: int) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[distributed]'")
    with Cluster(workers=workers).used():
        assert executor().places() == executor().at_once() == workers


def late(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def test_results_come_in_the_order_of_tasks_also_from_a_cluster() -> None:
    distributed = pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install '.[distributed]'"
    )
    tasks = [(0.2,), (0.0,), (0.1,)]
    assert list(in_order(late, tasks)) == [0.2, 0.0, 0.1]
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=3, processes=False, dashboard_address=None
        ) as started,
        distributed.Client(started, set_as_default=False) as client,
        using(client),
    ):
        assert list(in_order(late, tasks)) == [0.2, 0.0, 0.1]
