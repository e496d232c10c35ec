"""The published score tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.evaluation.multitask import ScoreTable, read_scores


@pytest.fixture(scope="session")
def scores(oaei) -> Path:
    """Folder of published score tables, beside the OAEI files."""
    folder = oaei.parent / "scores"
    if not folder.is_dir():
        pytest.skip(f"the published score tables are not here: {folder}")
    return folder


@pytest.fixture(scope="session")
def gh2008(scores) -> ScoreTable:
    return read_scores(scores / "garcia-herrera-2008.csv")
