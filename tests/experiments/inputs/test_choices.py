"""--columns and --predicates reach every command that reads alignments, and Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.common.errors import AlignmentError
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")
COLUMNS = {"subject": "old", "object": "new", "confidence": "p"}
OPTION = ("--columns", ",".join(f"{role}={title}" for role, title in COLUMNS.items()))


def table(path: Path, pairs: list[tuple[str, str]], titles: str = "old,new,p") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(titles + "\n" + "".join(f"{a},{b},0.9\n" for a, b in pairs))
    return path


@pytest.fixture
def pairs() -> list[tuple[str, str]]:
    return [c.pair for c in ar.read_alignment(LIBRARY.reference) if c.relation == "="]


def test_chosen_columns_reach_every_command(
    shell: Any, tmp_path: Path, pairs: list[tuple[str, str]]
) -> None:
    reference = table(tmp_path / "right.csv", pairs)
    mine, usual = table(tmp_path / "mine.csv", pairs[:20]), tmp_path / "usual.csv"
    table(usual, pairs[5:20], "entity1,entity2,p")
    ontologies = (LIBRARY.source, LIBRARY.target)
    for task in "abcd":
        table(tmp_path / "references" / f"{task}.rdf", pairs)
        table(tmp_path / "found" / f"mine-{task}.rdf", pairs[:20])
        table(tmp_path / "found" / f"usual-{task}.rdf", pairs[5:9])
    track = (tmp_path / "found", "--reference", tmp_path / "references")
    commands: list[tuple[object, ...]] = [
        ("compare", reference, mine, usual),
        ("score", reference, mine, usual),
        ("gate", mine, mine, "--reference", reference),
        ("study", *track),
        ("rank", *ontologies, reference, "-m", "equality", "-m", "jaro", "--threshold", ".9"),
        ("sample", *ontologies, mine, usual, "--out", tmp_path / "judge"),
        ("convert", mine, tmp_path / "mine.rdf"),
    ]
    for words in commands:
        assert shell.run(*words).returncode == 2, words
        result = shell.run(*words, *OPTION)
        assert result.returncode == 0, (words, result.stderr)
    result = shell.run("compare", reference, mine, usual, "--columns", "subject=old,object=news")
    assert "--columns object: 'news' is no column; the columns are old, new, p" in result.stderr


def test_chosen_columns_and_predicates_in_python(
    tmp_path: Path, pairs: list[tuple[str, str]]
) -> None:
    reference = table(tmp_path / "right.csv", pairs)
    usual = table(tmp_path / "usual.csv", pairs, "entity1,entity2,p")
    systems = {"mine": table(tmp_path / "mine.csv", pairs[:20]), "good": usual}
    with pytest.raises(ValueError, match=r"choose two \(columns=\.\.\.\)"):
        ar.compare(reference, systems)
    # the text of the command line, which is of the wrong type on purpose
    with pytest.raises(ValueError, match=r"^columns is of type str: give a dict of roles"):
        ar.compare(reference, systems, columns=OPTION[1])  # type: ignore[arg-type]
    compared = ar.compare(reference, systems, columns=COLUMNS)
    assert compared.summary.scores["mine"].recall == pytest.approx(20 / len(pairs))
    assert compared.summary.scores["good"].recall == 1
    ranked = ar.rank(
        LIBRARY.source, LIBRARY.target, reference, metrics=["jaro", "equality"], columns=COLUMNS
    )
    assert ranked.summary.reference == len(pairs)
    close = tmp_path / "close.tsv"
    rows = [f"{a}\tskos:closeMatch\t{b}\tsemapv:ManualMappingCuration" for a, b in pairs]
    rows[0] = rows[0].replace("closeMatch", "exactMatch")
    title = "subject_id\tpredicate_id\tobject_id\tmapping_justification"
    close.write_text("\n".join([title, *rows, ""]))
    first = ar.compare(close, {"good": usual, "same": usual}).cautions[0]
    assert f"{len(pairs) - 1} of {len(pairs)} correspondences of the reference" in first
    chosen = ar.compare(
        close,
        {"good": usual, "same": usual},
        predicates=["skos:exactMatch", "skos:closeMatch"],
    )
    assert chosen.summary.scores["good"].recall == 1
    assert not [c for c in chosen.cautions if "closeMatch" in c]
    with pytest.raises(AlignmentError, match="predicates=skos:broadMatch: no correspondence of"):
        ar.compare(close, {"good": usual, "again": usual}, predicates=["skos:broadMatch"])
