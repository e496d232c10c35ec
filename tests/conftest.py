"""What tests share: where the real data is, and how hypothesis runs."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from difflib import unified_diff
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from alignrank import ontologies
from alignrank.experiments.report.console import set_mode
from alignrank.ontologies import Alignment, Ontology
from tests.generated import ALL
from tests.programs import program

#: Continuous integration, or a run by hand of `.ci/run`.
THOROUGH = bool(os.environ.get("CI")) or os.environ.get("ALIGNRANK_REQUIRE_DATA") == "1"

_ALWAYS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", _ALWAYS, max_examples=ALL, derandomize=bool(os.environ.get("CI")))
settings.register_profile("local", _ALWAYS, max_examples=ALL // 10, derandomize=False)
settings.load_profile("ci" if THOROUGH else "local")

# xdist's workers and the processes that tests start inherit it. Each core has a worker: with more
# threads, those of OpenBLAS wait for each other in a loop, at many times the processor time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# HermiT is started often, and for a moment: Java does not optimise what hardly runs
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

# The tests start hundreds of processes: without it each would compile the sources anew
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests send themselves Ctrl-C: a shell has what it starts in the background ignore that
signal.signal(signal.SIGINT, signal.default_int_handler)

PROJECT = Path(__file__).parents[1]

#: Makes a block in which no file can be written beyond a few bytes, as on a full disk.
FullDisk = Callable[[], AbstractContextManager[None]]
#: Compares a page of the documentation with what it should be.
HoldsPage = Callable[[Path, str], None]


def _find_data() -> Path | None:
    candidates = [os.environ.get("ALIGNRANK_DATA"), PROJECT.parent / "shared" / "oaei"]
    for candidate in candidates:
        if candidate and (Path(candidate) / "anatomy").is_dir():
            return Path(candidate)
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that has pages written where they would be compared."""
    text = "write outputs that the documentation shows anew, instead of comparing them"
    parser.addoption("--write", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to write pages without the data that their commands read."""
    if config.getoption("--write") and _find_data() is None:
        raise pytest.UsageError("--write: set ALIGNRANK_DATA to the folder of the OAEI files")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker a stretch of the tests; one that is done takes from another's end.

    So tests that share a fixture, a browser or compiled kernels mostly run in one worker.
    """
    if config.getoption("dist") != "load":
        return None  # the command line asks for another way
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let every second worker import the test files from the last to the first.

    pytest rewrites the assertions of a file that is new to it, and keeps the result on disk. So two
    workers that start together meet in the middle: each rewrites one half, and reads the other.
    """
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if isinstance(collector, pytest.Session | pytest.Directory) and int(worker[2:]) % 2:
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest tests first, so that no worker waits for them at the end.

    The rest is sorted by file: all workers must have the same order.
    """
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, item.path))
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.needs("chromium"))


def pytest_collection_finish() -> None:
    """Keep what was collected from the collector of cycles: it would go through all of it often."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose programs are not installed."""
    for marker in item.iter_markers("needs"):
        program(*marker.args)


@pytest.fixture(scope="session", autouse=True)
def _oaei_files_once() -> Iterator[None]:
    """Read each of the OAEI's files once in a process: they are large, and never change."""
    data = _find_data()
    load, load_two, read = (
        ontologies.load_ontology,
        ontologies.load_pair,
        ontologies.read_alignment,
    )
    loaded: dict[Path, Ontology] = {}
    by_path: dict[tuple[Path, str], Ontology] = {}
    alignments: dict[tuple[object, ...], Alignment] = {}

    def real_path(path: Any, options: dict[str, Any]) -> Path | None:
        """Return where a file of the OAEI's lies that is read as it is; None for any other."""
        if not isinstance(path, str | os.PathLike) or data is None or any(options.values()):
            return None  # a graph of another library, for example
        real = Path(path).resolve()
        return real if real.is_relative_to(data.resolve()) else None

    @wraps(load)
    def load_once(path: Any, **options: Any) -> Ontology:
        real = real_path(path, options)
        if real is None:
            return load(path, **options)
        if real not in loaded:
            loaded[real] = load(path)
        key = real, os.fspath(path)
        if key not in by_path:  # one object: what is derived from it is kept by identity
            by_path[key] = replace(loaded[real], path=os.fspath(path))
        return by_path[key]

    @wraps(load_two)
    def load_two_once(source: Any, target: Any, **options: Any) -> tuple[Ontology, Ontology]:
        if real_path(source, options) is None or real_path(target, options) is None:
            return load_two(source, target, **options)
        return load_once(source), load_once(target)

    @wraps(read)
    def read_once(path: Any, *, name: str | None = None, **options: Any) -> Alignment:
        real = real_path(path, options)
        if real is None:
            return read(path, name=name, **options)
        key = (real, os.fspath(path), name)
        if key not in alignments:
            alignments[key] = read(path, name=name)
        return alignments[key]

    once = {
        "load_ontology": (load, load_once),
        "load_pair": (load_two, load_two_once),
        "read_alignment": (read, read_once),
    }
    with pytest.MonkeyPatch.context() as patch:
        for module in list(sys.modules.values()):
            for attribute, (slow, fast) in once.items():
                # not getattr: it would have `alignrank` import modules that this loop has not seen
                if vars(module).get(attribute) is slow:
                    patch.setattr(module, attribute, fast)
        yield


@pytest.fixture(autouse=True)
def _text_again() -> Iterator[None]:
    """Let no test leave ``--json`` or ``--quiet`` to the next: they hold for one command."""
    yield
    set_mode("text")


@pytest.fixture(scope="session")
def oaei() -> Path:
    """Folder with the OAEI files; the test is skipped where there is none."""
    found = _find_data()
    if found is None:
        message = (
            "the OAEI data is not here: set ALIGNRANK_DATA to a folder that holds anatomy/, "
            "conference/ and proton/"
        )
        if os.environ.get("ALIGNRANK_REQUIRE_DATA") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture
def holds_page(request: pytest.FixtureRequest) -> HoldsPage:
    """Return the comparison of a page with its text of today; with ``--write`` it gets that."""

    def compare(page: Path, text: str) -> None:
        if request.config.getoption("--write"):
            page.write_text(text, encoding="utf-8")
        old = page.read_text(encoding="utf-8").splitlines()
        changes = [*unified_diff(old, text.splitlines(), page.name, "today", n=0, lineterm="")]
        command = "pytest tests/test_docs.py tests/test_terminals.py --write"
        assert not changes, "\n".join([f"{page.name} is old: run {command}", *changes])

    return compare


@pytest.fixture
def full_disk() -> FullDisk:
    """Return a block in which no file can be longer than 100 bytes."""
    resource = pytest.importorskip("resource", reason="only Unix limits the size of files")

    @contextmanager
    def limited() -> Iterator[None]:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    return limited
