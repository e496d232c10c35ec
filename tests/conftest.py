"""What tests share: where the real data is, and how hypothesis runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "alignrank",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("alignrank")

PROJECT = Path(__file__).parents[1]


def _find_data() -> Path | None:
    candidates = [os.environ.get("ALIGNRANK_DATA"), PROJECT.parent / "shared" / "oaei"]
    for candidate in candidates:
        if candidate and (Path(candidate) / "anatomy").is_dir():
            return Path(candidate)
    return None


@pytest.fixture(scope="session")
def oaei() -> Path:
    """Folder with the OAEI files; the test is skipped where there is none."""
    found = _find_data()
    if found is None:
        message = (
            "the OAEI data is not here: set ALIGNRANK_DATA to a folder that holds anatomy/, "
            "conference/ and proton/"
        )
        if os.environ.get("ALIGNRANK_REQUIRE_DATA") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return found
