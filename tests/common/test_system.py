"""What only some systems have is never assumed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from alignrank.common.system import lock, open_folder
from alignrank.ontologies.tasks import bundled_task

#: Removes what Windows does not have, then runs the command line.
_BLOCKED = """
import os, signal, sys
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None
for module, name in ((os, "fork"), (os, "fchdir"), (os, "sysconf"), (signal, "pthread_sigmask")):
    delattr(module, name)
from alignrank.experiments.start import main
sys.argv = ["alignrank", *sys.argv[1:]]
main()
"""
LIBRARY = bundled_task("library")


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["demo", "--out", "results"],
        ["compare", LIBRARY.reference, *LIBRARY.alignments.values(), "--source", LIBRARY.source],
        ["match", LIBRARY.source, LIBRARY.target, "--out", "a.rdf"],
        ["convert", LIBRARY.reference, "a.sssom.tsv"],
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_commands_run_without_what_only_unix_has(tmp_path: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-c", _BLOCKED, *map(str, arguments)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_a_lock_is_held_until_its_handle_is_closed(tmp_path: Path) -> None:
    first, second = open_folder(tmp_path), open_folder(tmp_path)
    assert first is not None
    assert second is not None
    assert lock(first, wait=True)
    assert not lock(second, wait=False)
    os.close(first)
    assert lock(second, wait=False)
    os.close(second)
    assert open_folder(tmp_path / "none") is None
