"""A default has one home: a change of one line changes every function, help text and page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from alignrank.common import defaults
from alignrank.evaluation.comparison.contingency import VIEWS
from alignrank.evaluation.measures.precision_recall import DEFAULT, RelaxedOptions
from alignrank.evaluation.multitask.posthoc import JACKKNIFE, POSTHOC_TESTS
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.evaluation.significance.score_limits import MISTAKES
from alignrank.experiments.looking.show_results import TABLE_FORMATS, TABLES
from alignrank.matchers.assignment.pairs import METHODS
from alignrank.matchers.by_name import FAMILIES, STANDARD
from alignrank.matchers.settings import PRESETS
from tests.conftest import PROJECT
from tests.test_floors import ALLOWED

#: In a process of its own, since defaults are read when modules are imported.
CHANGED = """
import sys
import alignrank.common.defaults as home
before = home.DEFAULTS._asdict()
home.DEFAULTS = home.DEFAULTS._replace(
    alpha=0.011, margin=0.017, n_resamples=321, level=0.907, power=0.61, threshold=0.613,
    cutoffs=(2, 7), mapping_cutoffs=(3, 8)
)
"""
STALE = (
    CHANGED
    + """
import json, importlib, inspect
names = json.loads(sys.argv[1])
before = {name: before[name] for name in ("alpha", "margin", "n_resamples", "level", "cutoffs")}
before["ks"] = before["cutoffs"]
stale = []
for name in names:
    module = importlib.import_module(name)
    for _, function in inspect.getmembers(module, callable):
        if getattr(function, "__module__", None) != name:
            continue
        members = [function, *vars(function).values()] if inspect.isclass(function) else [function]
        for member in filter(callable, members):
            try:
                parameters = inspect.signature(member).parameters.values()
            except (TypeError, ValueError):
                continue
            for p in parameters:
                if p.name in before and p.default == before[p.name]:
                    stale.append(f"{name} {member} {p.name}")
print(json.dumps(sorted(set(stale))))
"""
)
TYPED = (
    CHANGED
    + """
from alignrank.experiments.cli import main
sys.argv = ["alignrank", *sys.argv[1:]]
main()
"""
)
HELP = (
    CHANGED
    + """
import json
from contextlib import redirect_stdout, suppress
from io import StringIO
from alignrank.experiments.cli import main
texts = {}
for command in sys.argv[1:]:
    sys.argv = ["alignrank", *command.split(), "--help"]
    with redirect_stdout(StringIO()) as printed, suppress(SystemExit):
        main()
    texts[command] = " ".join(printed.getvalue().split())
print(json.dumps(texts))
"""
)


def output(code: str, *words: object) -> str:
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def modules() -> list[str]:
    """Every module of the packages, as it is imported."""
    paths = [path for top in ALLOWED if top != "api" for path in (PROJECT / top).rglob("*.py")]
    names = [".".join(path.relative_to(PROJECT).with_suffix("").parts) for path in paths]
    names = [*set(names) - {"common.defaults"}, "functions", "commands"]
    return sorted(f"alignrank.{name.removesuffix('.__init__')}" for name in names)


def test_a_changed_default_changes_every_function() -> None:
    assert json.loads(output(STALE, json.dumps(modules()))) == []


def test_a_changed_default_changes_every_help_text() -> None:
    with_alpha = ("rank", "compare", "study", "gate", "plan")
    kinds = {"score --kind retrieval": "2, 7", "score --kind mapping": "3, 8"}
    texts = json.loads(output(HELP, *with_alpha, "match", "score", *kinds))
    for command in with_alpha:
        assert "[default: 0.011" in texts[command], command
    assert "[default: 0.017" in texts["gate"]
    assert "default: 0.613; 0.5" in texts["match"]
    assert "321" in texts["compare"]
    for command, cutoffs in kinds.items():
        assert f"default: {cutoffs})" in texts[command]
    assert "Print 91% intervals" in texts["score"]


def test_a_changed_default_changes_verdicts_and_pages(tmp_path: Path) -> None:
    out = tmp_path / "out"
    folder = PROJECT / "ontologies" / "bundled" / "library"
    files = [folder / "reference.rdf", *sorted((folder / "alignments").glob("*.rdf"))]
    printed = output(TYPED, "compare", *files, "--out", out)
    assert "3 pairs, 1.1%" in " ".join(printed.split())
    assert '"alpha": 0.011' in (out / "summary.json").read_text(encoding="utf-8")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "1.1%" in page
    assert not re.search(r"(level|rate) 0?\.05", page)


def test_what_a_paper_published_keeps_its_level() -> None:
    assert "0 of 3 cells differ" in output(TYPED, "reproduce", "demsar")
    folder = PROJECT / "ontologies" / "bundled" / "library"
    files = [folder / "reference.rdf", *sorted((folder / "alignments").glob("*.rdf"))]
    printed = output(TYPED, "compare", *files, "--protocol", "mohammadi-2018")
    assert "3 pairs, 5%" in " ".join(printed.split())


@pytest.mark.parametrize("name", ["figures", "n-by-1"])
def test_reproductions_do_not_depend_on_the_default_level(name: str, oaei: Path) -> None:
    words = ["reproduce", name, "--data", oaei]
    usual = TYPED.replace(CHANGED, "import sys\n")
    assert output(TYPED, *words) == output(usual, *words)


def test_no_second_home() -> None:
    literal = re.compile(
        rf"\balpha(: float)? = 0?{re.escape(f'{defaults.DEFAULTS.alpha:g}'[1:])}\b"
    )
    homes = [
        path.relative_to(PROJECT).as_posix()
        for top in ALLOWED
        for path in (PROJECT / top).rglob("*.py")
        if literal.search(path.read_text(encoding="utf-8"))
    ]
    assert homes == ["common/defaults.py"]


def test_each_name_is_implemented_and_nothing_else_is() -> None:
    implemented = {
        "MCNEMAR_TESTS": TESTS,
        "STUDY_TESTS": (*POSTHOC_TESTS, JACKKNIFE),
        "VIEWS": VIEWS,
        "RATIOS": MISTAKES,
        "STANDARD": STANDARD,
        "FAMILIES": FAMILIES,
        "PRESETS": PRESETS,
        "ASSIGNMENTS": METHODS,
        "TABLES": TABLES,
        "TABLE_FORMATS": TABLE_FORMATS,
    }
    for name, registry in implemented.items():
        assert tuple(getattr(defaults, name)) == tuple(registry), name
    choices = {
        name: get_args(kind)
        for name, kind in get_type_hints(RelaxedOptions).items()
        if get_origin(kind) is Literal
    }
    assert choices == defaults.RELAXED_CHOICES
    assert {name: values[0] for name, values in choices.items()}.items() <= vars(DEFAULT).items()
    others = {"max_distance": str(DEFAULT.max_distance), "part_of": "IRI", "weights": "FILE"}
    shown = {name: "|".join(values) for name, values in choices.items()}
    assert shown | others == defaults.RELAXED_NAMES
