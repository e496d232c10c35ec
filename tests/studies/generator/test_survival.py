"""Which metric survives which kind of renaming: the table of docs/generator.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alignrank.evaluation import score
from alignrank.matchers import Settings, match_all, prepare
from alignrank.ontologies import Kind, load_ontology, read_alignment
from generator import Alteration, Rename, Shape, generate

PAGE = Path(__file__).parents[3] / "docs" / "generator.md"
#: Ways to rename, from the mildest on: the columns of the table.
METHODS = (
    *("convention:camel", "typo", "drop_vowels", "abbrev"),
    *("reorder", "synonym", "translate:de", "random"),
)


def survival(folder: Path, method: str, classes: int = 300) -> dict[str, float]:
    """Return F1 by metric where all classes are renamed, and a tenth has no counterpart."""
    rename = Rename(1.0, method, kinds=(Kind.CLASS,))
    alteration = Alteration(remove_classes=0.1, add_classes=0.1, rename=(rename,))
    shape = Shape(properties=0, individuals=0, comments=0, synonyms=0)
    generate(classes, alteration, shape=shape).write(folder)
    source, target = (load_ontology(folder / f"{side}.owl") for side in ("source", "target"))
    reference = read_alignment(folder / "reference.rdf")
    candidates = prepare(source, target, Settings(synonyms=False))
    found = match_all(candidates, ["standard"])
    return {matching.metric: score(matching.alignment, reference).f1 for matching in found}


@pytest.mark.parametrize(("column", "method"), list(enumerate(METHODS, 1)))
def test_the_page_shows_what_is_found(tmp_path: Path, column: int, method: str) -> None:
    rows = re.findall(r"^\| ([a-z-]+) \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {metric: cells.split("|")[column - 1].strip(" *") for metric, cells in rows}
    found = {metric: f"{f1:.3f}".lstrip("0") for metric, f1 in survival(tmp_path, method).items()}
    assert {metric: shown.get(metric) for metric in found} == found
