"""How many small mistakes in the code the tests notice: a random sample of mutants, made and tried.

    pip install cosmic-ray
    python benchmarks/mutants.py               # 200 mutants, some hours
    python benchmarks/mutants.py --number 20

Cosmic Ray changes one operator, number or decision of a module at a time, in place, and puts it
back: run it in a clean checkout of its own. Each mutant meets first the tests that mirror its
module, or else name it, and, if these pass, the others of its folder. What changes nothing that
runs (a type annotation) is not drawn. After every mutant the script writes ``results/mutants.md``
beside it, and adds a line to ``build/mutants.jsonl``: mutants of that file are not tried again, so
that a run goes on where the last one stopped. To try one again, delete its line.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
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
TRIED = PROJECT / "build" / "mutants.jsonl"
HEAD = """# Mutants: small mistakes that the tests notice

`python benchmarks/mutants.py --seed {seed}`; below the table are those that no test notices.

| package | tried | noticed |
|---|---:|---:|"""
#: Seconds that tests may take; what takes longer is noticed.
MOST = 900


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
    beside = sorted(folder.glob("test_*.py"))
    naming = [path for path in beside if _names(path, dotted)]
    near = [path for path in beside if path.name == f"test_{relative.name}"] or naming
    if not beside:
        near = [path for path in folder.parent.rglob("test_*.py") if _names(path, dotted)]
    examples = f"tests/test_package.py::test_examples_in_docstrings_run[{dotted}]"
    others = [str(path) for path in beside if path not in near]
    return [[*map(str, near), examples], *filter(None, [others])]


def _names(test: Path, dotted: str) -> bool:
    """Return whether a test imports a module or something of it."""
    package, name = dotted.rsplit(".", 1)
    imports = (f"{dotted} import", f"import {dotted}", f"from {package} import {name}\n")
    text = test.read_text(encoding="utf-8")
    return any(line in text for line in imports)


def try_mutant(spec: MutationSpec) -> dict[str, str | None]:
    """Return a mutant's difference, and the test that notices it or None."""
    for tests in tests_of(spec.module_path):
        result = mutate_and_test([spec], _command(tests), MOST)
        if result.test_outcome != TestOutcome.SURVIVED:
            return {"difference": result.diff, "noticed by": _first_failure(result.output)}
    return {"difference": result.diff, "noticed by": None}


def _first_failure(output: str) -> str:
    """Return the test that failed, or why there is none: a time-out, a module without its names."""
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
    lines = output.strip().splitlines() or ["the process of the tests ended"]
    return failed[1] if failed else lines[-1]


def _require_pass(noticing: list[str]) -> None:
    """Stop where a test that noticed a mutant fails without one, too."""
    tests = sorted({test for test in noticing if test.startswith("tests/")})
    outcome, output = run_tests(_command(tests), 10 * MOST)
    if outcome != TestOutcome.SURVIVED:
        sys.exit(f"a test fails without a mutant:\n{output}")


def _command(tests: list[str]) -> str:
    options = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    return shlex.join([sys.executable, *options, *tests])


def _tried() -> dict[str, dict[str, str | None]]:
    """Return the results of earlier runs, by mutant."""
    if not TRIED.is_file():
        return {}
    lines = TRIED.read_text(encoding="utf-8").splitlines()
    return {result["mutant"]: result for result in map(json.loads, lines)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the mutants that the tests notice.")
    parser.add_argument("--number", type=int, default=200, help="how many mutants (default 200)")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    results = _tried()
    TRIED.parent.mkdir(exist_ok=True)
    tried: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    survivors: list[str] = []
    for spec in sample(chosen.number, chosen.seed):
        path = spec.module_path.relative_to(PROJECT)
        mutant = f"{path}:{spec.start_pos[0]} {spec.operator_name} {spec.occurrence}"
        if mutant not in results:
            results[mutant] = {"mutant": mutant, **try_mutant(spec)}
            with TRIED.open("a", encoding="utf-8") as file:
                file.write(json.dumps(results[mutant]) + "\n")
        result = results[mutant]
        tried[path.parts[0]] += 1
        if result["noticed by"]:
            noticed[path.parts[0]] += 1
        else:
            survivors.append(f"```diff\n{result['difference']}\n```\n".replace(f"{PROJECT}/", ""))
        print(f"{tried.total()}: {mutant}: {result['noticed by']}", flush=True)
        rows = [
            f"| {name} | {number} | {noticed[name]} |" for name, number in sorted(tried.items())
        ]
        table = "\n".join([*rows, f"| all | {tried.total()} | {noticed.total()} |"])
        text = "\n".join([HEAD.format(seed=chosen.seed), table, "", *survivors])
        RESULTS.write_text(text, encoding="utf-8")
    _require_pass([result["noticed by"] for result in results.values() if result["noticed by"]])


if __name__ == "__main__":
    main()
