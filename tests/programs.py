"""Programs beside Python that some tests start: this is the one place that asks for them.

A test says ``@pytest.mark.needs("pdflatex")``; the fixture ``browser`` says it for Chromium.
``pytest -m needs`` runs all of these tests and no other.
"""

from __future__ import annotations

import os
import shutil

import pytest

#: Each program with the names under which systems install it.
PROGRAMS = {
    "chromium": ("chromium", "chromium-browser"),
    "java": ("java",),
    "pdflatex": ("pdflatex",),
}


def program(name: str) -> str:
    """Return a program's path; without it the test is skipped, or fails where it must be there."""
    for command in PROGRAMS[name]:
        if path := shutil.which(command):
            return path
    if os.environ.get("ALIGNRANK_REQUIRE_PROGRAMS") == "1":
        pytest.fail(f"{name} is not installed, and ALIGNRANK_REQUIRE_PROGRAMS=1 asks for it")
    pytest.skip(f"{name} is not installed")
