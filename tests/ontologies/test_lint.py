"""A check of one file finds what is wrong with it, and nothing in a clean one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontologies import (
    Diagnosis,
    LintReport,
    lint_alignment,
    read_alignment,
)


def codes(found: LintReport | Diagnosis, where: str = "") -> dict[str, int]:
    return {f.code: f.count for f in found.findings if f.where.startswith(where)}


# --- lint ------------------------------------------------------------------------------------


def test_a_clean_file_has_no_finding(oaei: Path) -> None:
    folder = oaei / "anatomy"
    report = lint_alignment(read_alignment(folder / "reference.rdf"))
    assert report.findings == ()
    assert report.clean
    assert list(report.to_frame().columns)[:3] == ["severity", "code", "where"]


def test_real_systems(oaei: Path) -> None:
    folder = oaei / "anatomy" / "systems-2016"
    assert codes(lint_alignment(read_alignment(folder / "XMap.rdf")))["duplicates"] == 1
    alin = lint_alignment(read_alignment(folder / "Alin.rdf"))
    assert alin.clean
    (found,) = (f for f in alin.findings if "entity1" in f.message)
    assert found.code == "namespaces"
    assert found.examples[0] == "http://www.geneontology.org/formats/oboInOwl#DbXref"


HEAD = "entity1\tentity2\trelation\tconfidence\tnote\n"


@pytest.mark.parametrize(
    ("rows", "expected", "clean"),
    [
        ("", {"empty": 0}, False),
        ("a#x\tb#x\t=\t62.9\t\na#y\tb#y\t=\t5\t\n", {"clipped": 2}, False),
        ("a#x\tb#x\t=\t1\t\na#x\tb#x\t=\t.5\t\n", {"duplicates": 1}, False),
        ("a#x\tb#x\tPartOf\t1\t\na#y\tb#y\tPartOf\t1\t\n", {"unknown-relation": 2}, False),
        ("a#x\tb#x\t?\t1\t\na#y\tb#y\t=\t1\t\n", {"unjudged": 1}, True),
        ("a#x\tb#x\t=\t1\tsure\n", {"foreign": 1}, True),
        ("a#x\tb#x\t=\t1\t\na#x\tb#x\t<\t1\t\n", {"several-relations": 1}, False),
        ("a#x\tb#x\t=\t1\t\na#y\tb#y\t=\t1\t\nc#z\tb#z\t=\t1\t\n", {"namespaces": 1}, True),
    ],
)
def test_lint_counts(tmp_path: Path, rows: str, expected: dict[str, int], clean: bool) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(HEAD + rows)
    report = lint_alignment(read_alignment(path))
    assert codes(report) == expected
    assert report.clean == clean
    assert report.where == str(path)
    assert len(report.to_frame()) == len(expected)
    for finding in report.findings:
        assert str(finding).startswith(f"{finding.severity}: {path}: ")


def test_percentages_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(HEAD + "a#x\tb#x\t=\t62.9\t\n")
    (found,) = lint_alignment(read_alignment(path)).findings
    assert "from 62.9 to 62.9" in found.message
    assert "percentages" in found.message
