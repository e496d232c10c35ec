"""Tests that start a program beside Python are skipped without it, and asked for in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs import PROGRAMS, program

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_missing_program_skips_unless_it_must_be_there(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("ALIGNRANK_REQUIRE_PROGRAMS", raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"{name} is not installed"):
        program(name)
    monkeypatch.setenv("ALIGNRANK_REQUIRE_PROGRAMS", "1")
    with pytest.raises(pytest.fail.Exception, match=f"{name} is not installed"):
        program(name)


def test_no_other_test_looks_for_a_program() -> None:
    """They could end in a failure where another is skipped."""
    looking = {
        str(path.relative_to(HERE))
        for path in HERE.rglob("*.py")
        if "shutil.which(" in path.read_text(encoding="utf-8")
    }
    assert looking == {"programs.py", "test_programs.py"}
