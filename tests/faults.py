"""Faults on purpose: each step of writing fails once, and results must be old or new, and whole.

A step is an open for writing, a write, an fsync, a rename, an unlink, a mkdir or a rmdir. At the
step the disk fails (EIO), is full (ENOSPC, half of what is written gets through), or the process is
killed. ``python -m tests.faults`` tries all of it and prints a table. It runs in a process of its
own, because it forks more than a thousand times: a fork of a large process takes ten times as long.
"""

from __future__ import annotations

import argparse
import builtins
import errno
import gc
import io
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import alignrank.commands
import alignrank.functions
from alignrank.common.results import installation
from alignrank.experiments.cli import main
from alignrank.experiments.results.folder import MANIFEST, finish_handover
from alignrank.ontologies.tasks import bundled_task

#: Imported before any fork, so that no fork imports what a command does anew.
IMPORTED = (alignrank.commands, alignrank.functions)
FAULTS = {"I/O error": errno.EIO, "disk full": errno.ENOSPC, "kill": 0}
#: What lies in the results folder before the run.
BEFORE = ("nothing", "results", "results and a file of the user's")
#: Whole runs, by name: the arguments of one whose results are old, and of one that makes new ones.
RUNS = {
    "score": tuple(
        ["score", "{reference}", "{alignment}", "--measure", measure, "--out", "{out}"]
        for measure in ("standard", "weighted")
    ),
    "match": tuple(
        ["match", "{source}", "{target}", "--metric", metric, "--out", "{out}/found.rdf"]
        for metric in ("equality", "hamming")
    ),
}
#: Paths and their bytes.
Files: TypeAlias = tuple[tuple[str, bytes], ...]
_OPERATIONS = ("rename", "replace", "unlink", "mkdir", "rmdir", "fsync")


@dataclass(frozen=True)
class Case:
    """A run, what was there before it, and what fails at which step of it."""

    run: str
    before: str
    fault: str
    step: int


class _Injector:
    """Counts the steps of this process; at one of them something fails."""

    def __init__(self, step: int, fault: str) -> None:
        self.taken, self._step, self._fault = 0, step, fault

    def take(self, half: Callable[[], object] = lambda: None) -> None:
        """Take a step; raise an error, or end, if it is the one."""
        self.taken += 1
        if self.taken == self._step:
            half()
            if self._fault == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            code = FAULTS[self._fault]
            raise OSError(code, os.strerror(code))

    def begin(self) -> None:
        """Step in before each operation of this process."""
        for name in _OPERATIONS:
            setattr(os, name, self._faulty(getattr(os, name)))
        opened = builtins.open

        def faulty_open(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
            if mode[0] == "r" or str(file).startswith(("/dev", "/proc")):
                return opened(file, mode, *arguments, **options)
            self.take()
            return _FaultyFile(opened(file, mode, *arguments, **options), self)

        builtins.open = io.open = faulty_open  # type: ignore[assignment]

    def _faulty(self, operation: Callable[..., object]) -> Callable[..., object]:
        def faulty(*arguments: Any, **options: Any) -> object:
            self.take()
            return operation(*arguments, **options)

        return faulty


class _FaultyFile:
    """A file, each write to which is a step."""

    def __init__(self, file: Any, injector: _Injector) -> None:
        self._file, self._injector = file, injector

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _FaultyFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: Any) -> int:
        def half() -> None:
            self._file.write(data[: len(data) // 2])
            self._file.flush()

        self._injector.take(half)
        return int(self._file.write(data))


def in_a_fork(work: Callable[[], object]) -> tuple[int, str]:
    """Do something in a process of its own; return how it ended, and what it printed."""
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if not child:
            code = 1
            try:
                gc.freeze()  # else all that this process holds is copied at the first collection
                os.dup2(printed.fileno(), 1)
                os.dup2(printed.fileno(), 2)
                sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
                work()
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        printed.seek(0)
        return os.waitstatus_to_exitcode(status), printed.read().decode()


class Trial:
    """Old and new results of a run, and what becomes of them under a fault.

    Parameters
    ----------
    run
        One of `RUNS`.
    folder
        Where to try it.
    """

    def __init__(self, run: str, folder: Path) -> None:
        self.run, self.folder = run, folder
        task = bundled_task("library")
        self._files = {
            "source": str(task.source),
            "target": str(task.target),
            "reference": str(task.reference),
            "alignment": str(sorted((task.reference.parent / "alignments").iterdir())[0]),
            "out": str(folder / "place" / "out"),
        }
        self.out = Path(self._files["out"])
        installation()  # reads about each library: once, not in every fork
        self._mended = dict[Files, str]()
        self._states, self._kept = list[dict[str, bytes]](), folder / "old"
        self._clear()
        code, said = self._next_run()  # imports, and loads kernels: once, not in every fork
        assert code == 0, said
        for which in (0, 1):
            self._clear()
            code, said = in_a_fork(lambda which=which: self._call(which))  # type: ignore[misc]
            assert code == 0, said
            self._states.append(self._state())
            if which == 0:
                shutil.copytree(self.out, self._kept)

    def steps(self, before: str) -> int:
        """Return how many steps a run takes in which nothing fails."""
        self._prepare(before)

        def work() -> None:
            injector = _Injector(0, "")
            injector.begin()
            try:
                self._call(1)
            finally:
                print(injector.taken)

        return int(in_a_fork(work)[1].split()[-1])

    def wrong(self, case: Case) -> str:
        """Return what is wrong after a fault; nothing if nothing is."""
        self._prepare(case.before)

        def work() -> None:
            _Injector(case.step, case.fault).begin()
            self._call(1)

        code, said = in_a_fork(work)
        if case.fault == "kill" and code != -signal.SIGKILL:
            return f"took no step {case.step}: ended with {code}: {said[-2000:]}"
        if code not in (0, 2, -signal.SIGKILL) or "Traceback" in said:
            return f"ended with {code}: {said[-2000:]}"
        if re.search(r"\.alignrank-(?!steps)", said):
            return f"names a temporary file: {said}"
        if case.before != BEFORE[0]:  # a folder that holds files is not replaced by one rename
            finish_handover(self.out)  # as every command does that reads the folder
        if self._state() not in self._allowed(case.before, code):
            return f"neither old nor new: {sorted(self._state())}"
        found = self._all_files()
        if found not in self._mended:  # the next run sees what lies there, and nothing else
            self._mended[found] = self._wrong_next(case.before)
        return self._mended[found]

    def _wrong_next(self, before: str) -> str:
        """Return what is wrong after one more run."""
        code, said = self._next_run()
        if code or self._state() != self._expected(before, 1):
            return f"the next run ended with {code}: {said[-2000:]} {sorted(self._state())}"
        left = [path.name for path in (*self.out.parent.iterdir(), *self.out.iterdir())]
        return f"left: {left}" if any(name.startswith(".") for name in left) else ""

    def _all_files(self) -> Files:
        """Return all that lies beside and in the results folder, hidden files included.

        Names and times that differ from run to run are left out.
        """
        place = self.out.parent
        place, found = self.out.parent, list[tuple[str, bytes]]()
        for path in place.rglob("*"):
            name = re.sub(r"\.alignrank-[a-z0-9_]{8}", ".alignrank-", str(path.relative_to(place)))
            data = path.read_bytes() if path.is_file() else b"(a folder)"
            found.append((name, re.sub(rb'"written": "[^"]*"', b"", data)))
        return tuple(sorted(found))

    def _next_run(self) -> tuple[int, str]:
        """Run once more in this process; return how that ended, and what it printed."""
        printed = io.StringIO()
        code: object = 0
        with redirect_stdout(printed), redirect_stderr(printed):
            try:
                self._call(1)
            except SystemExit as end:
                code = end.code
        return int(code != 0), printed.getvalue()

    def _call(self, which: int) -> None:
        arguments = [part.format(**self._files) for part in RUNS[self.run][which]]
        sys.argv = ["alignrank", "--quiet", *arguments, "--overwrite"]
        main()

    def _clear(self) -> None:
        shutil.rmtree(self.folder / "place", ignore_errors=True)
        (self.folder / "place").mkdir(parents=True)

    def _prepare(self, before: str) -> None:
        self._clear()
        if before != "nothing":
            shutil.copytree(self._kept, self.out)
        if before == BEFORE[2]:
            (self.out / "mine.txt").write_text("mine")

    def _expected(self, before: str, which: int) -> dict[str, bytes]:
        mine = {"mine.txt": b"mine"} if before == BEFORE[2] else {}
        return self._states[which] | mine

    def _allowed(self, before: str, code: int) -> list[dict[str, bytes]]:
        """Return what may lie there: after a run that says it is done, only what is new."""
        old = {} if before == "nothing" else self._expected(before, 0)
        new = self._expected(before, 1)
        return [new] if code == 0 else [old, new]

    def _state(self) -> dict[str, bytes]:
        """Return the files of the results folder, without the time in the manifest.

        What a killed run was filling does not count: nobody takes it for results.
        """
        if not self.out.exists():
            return {}
        files = {
            path.relative_to(self.out).as_posix(): path.read_bytes()
            for path in self.out.rglob("*")
            if path.is_file() and not path.relative_to(self.out).parts[0].startswith(".alignrank-")
        }
        if MANIFEST in files:
            manifest = json.loads(files[MANIFEST])
            files[MANIFEST] = json.dumps(manifest | {"written": ""}).encode()
        return files


def cases(trial: Trial, *, every: int = 1) -> Iterator[Case]:
    """Yield every case of a run, or each so-many-th."""
    number = 0
    for before in BEFORE:
        for step in range(1, trial.steps(before) + 1):
            for fault in FAULTS:
                number += 1
                if number % every == 0:
                    yield Case(trial.run, before, fault, step)


def _all(runs: Sequence[str], every: int) -> int:
    """Try every case, or each so-many-th, and print how many; return 1 if anything was wrong."""
    # nothing waits for the disk: what a process wrote outlives it, and no power fails here
    os.fsync = lambda handle: None
    tried: dict[tuple[str, str, str], list[int]] = {}
    for run in runs or RUNS:
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(run, Path(folder))
            for case in cases(trial, every=every):
                wrong = trial.wrong(case)
                counts = tried.setdefault((run, case.before, case.fault), [0, 0])
                counts[0] += 1
                counts[1] += not wrong
                if wrong:
                    print(case, wrong)
    print("run,before,fault,tried,old or new and whole")
    for (run, before, fault), (number, well) in tried.items():
        print(f"{run},{before},{fault},{number},{well}")
    return int(any(number != well for number, well in tried.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", metavar="RUN", help=f"{', '.join(RUNS)}; default: all")
    parser.add_argument("--every", type=int, default=1)
    sys.exit(_all(**vars(parser.parse_args())))
