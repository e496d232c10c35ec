"""The page of a mapping, as `alignrank show` writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.looking.mapping import show_mapping
from alignrank.ontologies.tasks import bundled_task

TASK = bundled_task("library")


def test_the_page_is_a_file_whose_name_ends_in_html(tmp_path: Path) -> None:
    files = (TASK.reference, TASK.source, TASK.target)
    show_mapping(*files, out=tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8")
    for name in ("page.csv", "page.txt"):
        with pytest.raises(ExperimentError, match=f"{name}: the page must end in .html"):
            show_mapping(*files, out=tmp_path / name)
