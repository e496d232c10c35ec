"""The OAEI 2016 anatomy track, read once for all studies of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.studies.oaei_2016 import Anatomy, read_anatomy


@pytest.fixture(scope="session")
def anatomy(oaei: Path) -> Anatomy:
    return read_anatomy(oaei)
