"""What a command does in other processes, done in this one: it costs no start of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from alignrank.experiments.library import run
from alignrank.experiments.ranking import pair, worker
from alignrank.ontologies import Ontology, load_ontology

P = ParamSpec("P")
T = TypeVar("T")


class WorkerHere(worker.Worker):
    """Does at once what it is given; the real one has tests of its own, and runs in a shell."""

    def __init__(self, paths: Sequence[Path] = (), imports: Path | None = None) -> None:
        self.loading = {path: self.load(path, imports) for path in paths}

    def __exit__(self, *_: object) -> None:
        pass

    def submit(
        self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs
    ) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(function(*arguments, **options))
        except Exception as error:
            done.set_exception(error)
        return done

    def load(self, path: Path, imports: Path | None = None) -> Callable[[], Ontology]:
        return partial(load_ontology, path, imports=imports)


def work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands start no worker process."""
    for module in (worker, pair, run):
        monkeypatch.setattr(module, "Worker", WorkerHere)
