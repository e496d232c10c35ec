"""What lies beside a system's alignment: MELT's run time."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.ontologies import (
    Alignment,
    AlignmentError,
    Correspondence,
    OntologyError,
    write_alignment,
)
from alignrank.ontologies.tasks.system_files import MELT_FILE, files_by_system, melt_seconds


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_file_of_run_times_tells_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "performance.csv").write_text(text)
    assert melt_seconds(tmp_path / MELT_FILE) is None


def test_a_pointer_to_run_times_is_refused(tmp_path: Path) -> None:
    (tmp_path / "performance.csv").write_text("version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(AlignmentError, match=r"performance\.csv is a Git LFS pointer"):
        melt_seconds(tmp_path / MELT_FILE)


def test_alignment_files_are_those_of_a_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "AML.rdf").touch()
    assert files_by_system(tmp_path) == {"AML": tmp_path / "AML.rdf"}


def test_a_folder_without_rdf_may_hold_other_formats(tmp_path: Path) -> None:
    for name in ("AML.sssom.tsv", "LogMap.csv.gz", "XMap.jsonl", "notes.md"):
        (tmp_path / name).touch()
    assert list(files_by_system(tmp_path)) == ["AML", "LogMap", "XMap"]
    (tmp_path / "Lily.rdf").touch()
    (tmp_path / "source.owl").touch()
    left_out = "left out: AML.sssom.tsv, LogMap.csv.gz, XMap.jsonl"
    with pytest.warns(UserWarning, match=f"its .rdf files are read; {left_out}"):
        assert list(files_by_system(tmp_path)) == ["Lily"]
    with pytest.raises(OntologyError, match="none is not a folder: name the one with"):
        files_by_system(tmp_path / "none")


def test_what_melt_has_summed_up_is_no_system(tmp_path: Path) -> None:
    for name in ("AML/anatomy", "aggregated/anatomy"):
        file = tmp_path / "results" / name.split("/")[1] / name.split("/")[0] / MELT_FILE
        file.parent.mkdir(parents=True)
        file.touch()
    assert list(files_by_system(tmp_path)) == ["AML"]


def test_two_files_of_one_system_are_refused(tmp_path: Path) -> None:
    for ending in ("csv", "tsv"):
        write_alignment(Alignment([Correspondence("a#x", "b#x")]), tmp_path / f"A.{ending}")
    with pytest.raises(OntologyError, match=r"A\.tsv and A\.csv are both 'A'"):
        files_by_system(tmp_path)
