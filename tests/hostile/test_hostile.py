"""Hostile files are read or refused in a sentence; and who judges that does notice failures."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from alignrank.common.errors import OntologyError
from tests.hostile import runner
from tests.hostile.minimise import kept, minimised
from tests.hostile.readers import KINDS, Case, Kind, cases
from tests.hostile.runner import Limits, answers


@pytest.mark.long
def test_hostile_files_are_read_or_refused() -> None:
    wrong = [(case, out) for case, out in answers(cases(500, seed=0)) if not out.well]
    assert wrong == []


def test_kept_cases_are_read_or_refused() -> None:
    names = {case: path.name for path, case in kept()}
    wrong = {names[case]: out for case, out in answers(list(names)) if not out.well}
    assert wrong == {}


def test_the_same_seed_gives_the_same_files() -> None:
    assert list(cases(40, seed=3)) == list(cases(40, seed=3)) != list(cases(40, seed=4))


def _misbehave(path: Path) -> None:
    """Do what a file says; readers of files do not do so."""
    match path.read_text():
        case "raise":
            raise KeyError("x")
        case "leave":
            sys.exit(0)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "spin":
            while True:
                pass
        case "sleep":
            signal.pause()
        case "hoard":
            bytearray(1 << 30)
        case "say":
            raise OntologyError(f"{path}, line 1: it is wrong: mend it")
        case "mutter":
            raise OntologyError("something is wrong")


def test_failures_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "odd", Kind(lambda draw: "", "hostile.odd", _misbehave))
    expected = {
        "nothing": "read",
        "say": "refused",
        "raise": "traceback",
        "leave": "traceback",
        "die": "signal",
        "spin": "time",
        "sleep": "time",
        "hoard": "memory",
        "mutter": "names no file",
    }
    limits = Limits(seconds=0.2, waiting=2, memory=1 << 28)
    given = [Case("odd", word.encode()) for word in expected]
    found = {case.data.decode(): out.kind for case, out in answers(given, limits=limits)}
    assert found == expected


def test_a_worker_that_dies_spoils_no_other_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "odd", Kind(lambda draw: "", "hostile.odd", _misbehave))
    monkeypatch.setattr(runner, "_CASES_OF_A_WORKER", 2)
    given = [Case("odd", word.encode()) for word in ("die", "nothing", "say") * 4]
    found = [out.kind for _, out in answers(given)]
    assert sorted(found) == ["read"] * 4 + ["refused"] * 4 + ["signal"] * 4


def test_a_failing_file_is_made_small() -> None:
    data = b"".join(b"line %d\n" % k for k in range(100))
    small = minimised(data, lambda some: b"3" in some and b"9" in some)
    assert sorted(small) == sorted(b"39")
