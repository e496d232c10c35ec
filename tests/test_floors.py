"""The house's floors: imports between the packages point downwards only."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
ALLOWED = {
    "ontologies": set(),
    "matchers": {"ontologies"},
    "evaluation": {"ontologies"},
    "experiments": {"ontologies", "matchers", "evaluation"},
}


def imported_packages(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found & ALLOWED.keys()


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_imports_point_downwards(package: str) -> None:
    modules = sorted((PROJECT / package).rglob("*.py"))
    assert modules
    for module in modules:
        upwards = imported_packages(module) - ALLOWED[package] - {package}
        assert not upwards, f"{module.relative_to(PROJECT)} imports {upwards}"


def test_the_test_would_see_an_upward_import(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("def f():\n    from experiments import cli\n    import matchers.labels\n")
    assert imported_packages(module) == {"experiments", "matchers"}
