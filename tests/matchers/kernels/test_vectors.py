"""In a process of its own: no crash, the same bits on a plain processor, a light import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

INSTRUCTIONS = Path(__file__).with_name("kernel_instructions.py")


def run(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    return done.stdout


#: Prints the kernels that the standard metrics compile, then what the instructions give.
_COMPILED = """
import runpy, sys
from numba.core.dispatcher import Dispatcher
from alignrank.matchers import select_metrics
from alignrank.matchers.similarity.matrix import passes, similarity_matrices
sources, targets = [["left ventricle"], ["tooth"]], [["ventricle_left"], ["teeth"]]
for metrics in passes(select_metrics("standard")):
    similarity_matrices(sources, targets, metrics, threads=1)
for name, module in list(sys.modules.items()):
    if name.startswith("alignrank.matchers.kernels."):
        for function in vars(module).values():
            if not isinstance(function, Dispatcher):
                function = getattr(function, "__wrapped__", None)
            if isinstance(function, Dispatcher) and function.__module__ == name:
                print(f"{name}.{function.__name__} {len(function.signatures)}")
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
NAMES = ["levenshtein", "kondrak-bi-sim", "jaro", "smoa"]


@pytest.fixture(scope="module")
def printed() -> str:
    """What the instructions and the kernels of all metrics give on this processor."""
    return run(str(INSTRUCTIONS))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is compiled for a processor without wide registers, where nothing is kept, and gives."""
    kept = {"NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels"))}
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    return run("-c", _COMPILED, str(INSTRUCTIONS), *NAMES, **kept, **generic).splitlines()


def test_every_instruction_does_what_it_says_and_none_crashes(printed: str) -> None:
    assert printed.endswith("done\n")


def test_a_processor_without_wide_registers_gives_the_same_bits(
    printed: str, plain: list[str]
) -> None:
    matrices = [line for line in plain if line.startswith(tuple(NAMES))]
    assert [line.split()[0] for line in matrices] == NAMES
    assert set(matrices) <= set(printed.splitlines())


def test_only_what_runs_is_compiled_and_only_once(plain: list[str]) -> None:
    lines = [line for line in plain if line.startswith("alignrank.")]
    times = {name: int(number) for name, number in map(str.split, lines)}
    assert times["alignrank.matchers.kernels.smoa.take_out"] == 1
    assert [name for name, number in times.items() if number > 1] == []
    unused = [name for name in times if ".pair_" in name or "ontosim" in name]
    assert len(unused) > 6
    assert [name for name in unused if times[name] > 0] == []


def test_importing_the_matchers_is_light() -> None:
    heavy = "{'numba', 'pandas', 'matplotlib', 'networkx'}"
    code = f"import sys, alignrank.matchers.kernels; print({heavy} & set(sys.modules))"
    assert run("-c", code) == "set()\n"
