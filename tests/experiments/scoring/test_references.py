"""`alignrank score` with several references."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.scoring.every_measure import ScoringOptions
from alignrank.experiments.scoring.score_files import score_files


def mapping(path: Path, *pairs: str) -> Path:
    """Write an alignment; each pair is such as "a x"."""
    rows = [f"http://one#{pair[0]}\thttp://two#{pair[2]}\t=\t1.0\n" for pair in pairs]
    path.write_text("".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "original": mapping(tmp_path / "original.tsv", "a x", "b y", "c z"),
        "repaired": mapping(tmp_path / "repaired.tsv", "a x"),
        "wide": mapping(tmp_path / "wide.tsv", "a x", "b y", "c z", "d w"),
        "short": mapping(tmp_path / "short.tsv", "a x"),
    }


def test_scores_by_two_references_stand_side_by_side_with_the_changes_of_order(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    systems = [str(files["wide"]), str(files["short"])]
    score_files(
        files["original"],
        systems,
        options=ScoringOptions(),
        references=[f"fixed={files['repaired']}"],
    )
    lines = capsys.readouterr().out.split("\n")
    order = "wide before short by original, behind it by fixed"
    assert lines[0] == f"The order by F1 differs: {order}."
    assert lines[1].split("  ")[0] == "system"
    assert lines[2].split() == ["wide", "0.750", "1.000", "0.857", "0.250", "1.000", "0.400"]
    assert lines[3].split() == ["short", "1.000", "0.333", "0.500", "1.000", "1.000", "1.000"]


def test_what_a_second_reference_does_not_serve_is_refused(files: dict[str, Path]) -> None:
    with pytest.raises(ExperimentError, match="--reference prints precision, recall and F1"):
        score_files(
            files["original"],
            [str(files["wide"])],
            options=ScoringOptions(resamples=100),
            references=[str(files["repaired"])],
        )
