"""The measures' papers reproduced; with the fixture `oaei` from the systems' own files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from alignrank.experiments.reproduce.papers import (
    bdm,
    demsar,
    five_synsets,
    oaei_2016,
    table8,
)

ALIGNRANK = Path(sys.executable).with_name("alignrank")


def test_table_8_and_5ns_without_any_data_folder(tmp_path: Path) -> None:
    result = subprocess.run(
        [ALIGNRANK, "reproduce", "table8", "5ns"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={},
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert "0 of 32 cells differ." in result.stdout
    assert "0 of 7 cells differ." in result.stdout
    assert "only the links that Table 8 forces are certain" in result.stdout


def test_a_table_of_real_data_says_what_is_missing(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    missing = shell.refused("reproduce", "bdm", "--data", tmp_path / "empty")
    assert "fetch it (alignrank data fetch proton)" in missing
    assert "nothing called 'table9'" in shell.refused("reproduce", "table9")
    assert "use one of table2," in shell.refused("reproduce", "foo")


def test_what_lacks_its_data_is_left_out_and_said(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "anatomy").mkdir()
    code, out, errors = shell("reproduce", "garcia-herrera", "table8", "--data", tmp_path)
    assert code == 1
    assert "0 of 32 cells differ." in out
    assert "garcia-herrera is left out" in out + errors
    assert "put the paper's table of scores there as CSV" in out + errors


def test_without_the_folder_of_the_track_the_rest_goes_on(shell: Any, tmp_path: Path) -> None:
    code, out, errors = shell("reproduce", "table2", "table8", "--data", tmp_path)
    assert code == 1
    assert "0 of 32 cells differ." in out
    assert "table2 is left out" in errors
    assert "alignrank data fetch anatomy" in errors


def test_cells_are_counted_one_by_one() -> None:
    assert (table8().cells, table8().differing) == (32, 0)
    assert (five_synsets().cells, five_synsets().differing) == (7, 0)
    assert (demsar().cells, demsar().differing) == (3, 0)


def test_the_poster(oaei: Path) -> None:
    found = bdm(oaei)
    paper, ours = np.array(found.paper, dtype=float), np.array(found.ours, dtype=float)
    assert (paper[:, 2] == ours[:, 2]).all()  # learning accuracy, seven of seven
    assert abs(paper[:, 0] - ours[:, 0]).max() < 0.002
    assert (paper[:, 1] == ours[:, 1]).sum() == 6
    assert found.differing == 5
    assert "all 7 BDM lie within 0.0012" in found.notes[0]
    assert "6 are equal, and the other is 0.0016 off" in found.notes[0]


def test_nine_systems_of_oaei_2016(oaei: Path) -> None:
    found = oaei_2016(oaei)
    assert (found.cells, found.differing) == (36, 0)
    assert "written down from memory" in str(found)
