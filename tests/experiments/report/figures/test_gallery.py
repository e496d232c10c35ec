"""The gallery: every script runs and draws its figure, every page is its script's."""

from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

from alignrank.common.defaults import FIGURES

GALLERY = Path(__file__).parents[4] / "docs" / "gallery"
MAKE = runpy.run_path(str(GALLERY / "make.py"))
SCRIPTS = MAKE["scripts"]()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.stem)
def test_a_script_draws_the_figure_of_its_page(script: Path, tmp_path: Path) -> None:
    MAKE["run"](script, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == [f"{script.stem}.svg"]
    drawn = ElementTree.parse(tmp_path / f"{script.stem}.svg").getroot()
    # the same elements as in the committed figure; their bytes follow matplotlib's version
    shown = ElementTree.parse(script.with_suffix(".svg")).getroot()
    assert {e.tag for e in drawn.iter()} == {e.tag for e in shown.iter()}
    assert script.with_suffix(".md").read_text(encoding="utf-8") == MAKE["page"](script)


def test_the_index_shows_every_figure() -> None:
    assert (GALLERY / "index.md").read_text(encoding="utf-8") == MAKE["index"]()
    drawn = " ".join(s.stem.replace("_", "-") for s in SCRIPTS)
    assert not [name for name in FIGURES if name not in drawn]
    assert {p.stem for p in GALLERY.glob("[0-9]*")} == {s.stem for s in SCRIPTS}
