"""A check of one file finds what is wrong with it, and nothing in a clean one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from alignrank.ontologies import (
    Finding,
    Severity,
    lint_alignment,
    read_alignment,
)


def codes(found: Iterable[Finding]) -> dict[str, int]:
    return {f.code: f.count for f in found}


def clean(found: Iterable[Finding]) -> bool:
    return all(f.severity is Severity.NOTE for f in found)


# --- lint ------------------------------------------------------------------------------------


def test_a_clean_file_has_no_finding(oaei: Path) -> None:
    folder = oaei / "anatomy"
    assert lint_alignment(read_alignment(folder / "reference.rdf")) == ()


def test_real_systems(oaei: Path) -> None:
    folder = oaei / "anatomy" / "systems-2016"
    assert codes(lint_alignment(read_alignment(folder / "XMap.rdf")))["duplicates"] == 1
    alin = lint_alignment(read_alignment(folder / "Alin.rdf"))
    assert clean(alin)
    (found,) = (f for f in alin if "entity1" in f.message)
    assert found.code == "namespaces"
    assert found.examples[0] == "http://www.geneontology.org/formats/oboInOwl#DbXref"


HEAD = "entity1\tentity2\trelation\tconfidence\tnote\n"


@pytest.mark.parametrize(
    ("rows", "expected", "spotless"),
    [
        ("", {"empty": 0}, False),
        ("a#x\tb#x\t=\t62.9\t\na#y\tb#y\t=\t5\t\n", {"clipped": 2}, False),
        ("a#x\tb#x\t=\t1\t\na#x\tb#x\t=\t.5\t\n", {"duplicates": 1}, False),
        ("a#x\tb#x\tPartOf\t1\t\na#y\tb#y\tPartOf\t1\t\n", {"unknown-relation": 2}, False),
        ("a#x\tb#x\tskos:closeMatch\t1\t\n", {"vague-relation": 1}, True),
        ("a#x\tb#x\t?\t1\t\na#y\tb#y\t=\t1\t\n", {"unjudged": 1}, True),
        ("a#x\tb#x\t=\t1\tsure\n", {"foreign": 1}, True),
        ("a#x\tb#x\t=\t1\t\na#x\tb#x\t<\t1\t\n", {"several-relations": 1}, False),
        ("a#x\tb#x\t=\t1\t\na#y\tb#y\t=\t1\t\nc#z\tb#z\t=\t1\t\n", {"namespaces": 1}, True),
    ],
)
def test_lint_counts(tmp_path: Path, rows: str, expected: dict[str, int], spotless: bool) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(HEAD + rows)
    report = lint_alignment(read_alignment(path))
    assert codes(report) == expected
    assert clean(report) == spotless
    for finding in report:
        assert str(finding).startswith(f"{finding.severity}: {path}: ")


def test_percentages_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(HEAD + "a#x\tb#x\t=\t62.9\t\n")
    (found,) = lint_alignment(read_alignment(path))
    assert "from 62.9 to 62.9" in found.message
    assert "percentages" in found.message


def test_negated_correspondences_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.sssom.tsv"
    head = "subject_id\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification\n"
    path.write_text(f"{head}http://a#x\tskos:exactMatch\tNot\thttp://b#y\tsemapv:X\n")
    report = lint_alignment(read_alignment(path))
    assert codes(report) == {"negated": 1}  # and not that the file is empty
    assert clean(report)
