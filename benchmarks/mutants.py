"""How many small mistakes in the code the tests notice: a random sample of mutants, made and tried.

    pip install cosmic-ray
    python benchmarks/mutants.py               # 200 mutants, about an hour
    python benchmarks/mutants.py --number 20

Cosmic Ray changes one operator, number or decision of a module at a time, in place, and puts it
back: run it in a clean checkout of its own. Each mutant meets first the tests that mirror its
module, or else name it, and, if these pass, those of its folder. What changes nothing that runs (a
type annotation) is not drawn. Writes ``results/mutants.md`` beside this script after every mutant.
"""

from __future__ import annotations

import argparse
import ast
import random
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

PROJECT = Path(__file__).parents[1]
PACKAGES = ("common", "ontologies", "matchers", "evaluation", "experiments")
RESULTS = Path(__file__).parent / "results" / "mutants.md"
HEAD = """# Mutants: small mistakes that the tests notice

`python benchmarks/mutants.py --seed {seed}`; below the table are those that no test notices.

| package | tried | noticed |
|---|---:|---:|"""
#: Seconds that the nearest tests and those of the folder may take; what takes longer is noticed.
MOST = 600, 900


@cache
def mutants(module: Path) -> list[MutationSpec]:
    """Return all mutants of a module, in the same order each time."""
    with tempfile.TemporaryDirectory() as folder, use_db(str(Path(folder, "session"))) as session:
        init([module], session, {})
        specs = [spec for item in session.work_items for spec in item.mutations]
    return sorted(specs, key=lambda spec: (spec.operator_name, spec.occurrence))


def sample(number: int, seed: int) -> Iterator[MutationSpec]:
    """Yield so many mutants that change what runs: a module by its size, then one of its own."""
    paths = [path for name in PACKAGES for path in sorted((PROJECT / name).rglob("*.py"))]
    modules = [path for path in paths if path.parent.name != "scripts"]  # a gallery, no package
    sizes = [path.stat().st_size for path in modules]
    generator = random.Random(seed)
    while number:
        (module,) = generator.choices(modules, sizes)
        specs = mutants(module)
        if not specs:  # nothing runs in it
            continue
        spec = generator.choice(specs)
        if _changes_what_runs(spec):
            number -= 1
            yield spec


def _changes_what_runs(spec: MutationSpec) -> bool:
    code = spec.module_path.read_text(encoding="utf-8")
    mutated = mutate_code(code, get_operator(spec.operator_name)(), spec.occurrence)
    try:
        return _what_runs(code) != _what_runs(mutated)
    except SyntaxError:  # a star that was replaced among parameters
        return False


def _what_runs(code: str) -> str:
    """Return the syntax tree of a module without its annotations, which are never evaluated."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if hasattr(node, name):
                setattr(node, name, None)
    return ast.dump(tree)


def tests_of(module: Path) -> list[list[str]]:
    """Return the tests that mirror a module (else those that name it), then those of its folder."""
    relative = module.relative_to(PROJECT)
    dotted = ".".join(["alignrank", *relative.with_suffix("").parts]).removesuffix(".__init__")
    folder = PROJECT / "tests" / relative.parent
    near = [folder / f"test_{relative.name}"]
    if not near[0].is_file():
        near = _naming(dotted)
    examples = f"tests/test_package.py::test_examples_in_docstrings_run[{dotted}]"
    steps = [[*map(str, near), examples]]
    return [*steps, [str(folder)]] if folder.is_dir() else steps


def _naming(dotted: str) -> list[Path]:
    """Return the tests that import a module or something of it."""
    package, name = dotted.rsplit(".", 1)
    imports = (f"{dotted} import", f"import {dotted}", f"from {package} import {name}\n")
    paths = sorted((PROJECT / "tests").rglob("test_*.py"))
    return [p for p in paths if any(line in p.read_text(encoding="utf-8") for line in imports)]


def survivor(spec: MutationSpec) -> str | None:
    """Return a mutant's difference if no test notices it."""
    difference = None
    for tests, seconds in zip(tests_of(spec.module_path), MOST, strict=False):
        _require_pass(_command(tests), seconds)
        result = mutate_and_test([spec], _command(tests), seconds)
        if result.test_outcome != TestOutcome.SURVIVED:
            return None
        difference = result.diff
    return difference


@cache
def _require_pass(command: str, seconds: float) -> None:
    """Stop where tests fail without a mutant: each would count as noticed."""
    outcome, output = run_tests(command, seconds)
    if outcome != TestOutcome.SURVIVED:
        sys.exit(f"{command} fails without a mutant:\n{output}")


def _command(tests: list[str]) -> str:
    options = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    return shlex.join([sys.executable, *options, *tests])


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the mutants that the tests notice.")
    parser.add_argument("--number", type=int, default=200, help="how many mutants (default 200)")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    tried: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    survivors: list[str] = []
    for spec in sample(chosen.number, chosen.seed):
        package, *_ = spec.module_path.relative_to(PROJECT).parts
        difference = survivor(spec)
        tried[package] += 1
        if difference:
            shown = difference.replace(f"{PROJECT}/", "")
            survivors.append(f"```diff\n{shown}\n```\n")
        else:
            killed[package] += 1
        print(
            f"{tried.total()}: {spec.module_path}:{spec.start_pos[0]} {difference or 'noticed'}",
            flush=True,
        )
        rows = [f"| {name} | {number} | {killed[name]} |" for name, number in sorted(tried.items())]
        table = "\n".join([*rows, f"| all | {tried.total()} | {killed.total()} |"])
        text = "\n".join([HEAD.format(seed=chosen.seed), table, "", *survivors])
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
