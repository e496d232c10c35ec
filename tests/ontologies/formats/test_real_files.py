"""Real alignment files through every format and back, cell by cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alignrank.ontologies import Alignment, read_alignment, write_alignment
from alignrank.ontologies.formats import WRITABLE
from tests.conftest import THOROUGH

#: Every so many files are tried outside continuous integration.
_SAMPLE = 1 if THOROUGH else 12


def said(alignment: Alignment) -> tuple[Any, ...]:
    cells = [
        (c.key, c.confidence, c.stated_relation, c.stated_confidence, c.extra) for c in alignment
    ]
    return alignment.ontology1, alignment.ontology2, alignment.metadata, cells


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_every_file_survives_every_format(oaei: Path, tmp_path: Path, part: int) -> None:
    tracks = ("anatomy", "conference", "proton")
    files = [path for track in tracks for path in (oaei / track).rglob("*.rdf")]
    files += (oaei / "tuning").rglob("reference.rdf")
    paths = sorted(files)[::_SAMPLE]
    for path in paths[part::4]:
        alignment = first = read_alignment(path)
        expected = said(first)
        for name, row in WRITABLE.items():
            file = tmp_path / f"a{row.endings[0]}"
            write_alignment(alignment, file)
            alignment = read_alignment(file)
            assert said(alignment) == expected, (path, name)
        write_alignment(alignment, tmp_path / "b.rdf")
        write_alignment(first, tmp_path / "c.rdf")
        assert (tmp_path / "b.rdf").read_bytes() == (tmp_path / "c.rdf").read_bytes(), path
