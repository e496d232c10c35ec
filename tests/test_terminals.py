"""What is shown of terminals in the documentation keeps its own rules."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.conftest import PROJECT, HoldsPage

PAGE = (PROJECT / "docs" / "terminals.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"(\d+) columns:\n\n```console\n\$ (.+)\n((?:.*\n)+?)```", PAGE)


def test_every_command_is_shown_at_both_widths() -> None:
    assert len(SHOWN) == 2 * PAGE.count("\n## ")
    assert {width for width, _, _ in SHOWN} == {"80", "100"}


@pytest.mark.parametrize(("width", "command", "text"), SHOWN)
def test_the_answer_comes_first_and_all_fits(width: str, command: str, text: str) -> None:
    lines = text.splitlines()
    assert len(lines) <= 25, command
    assert max(map(len, lines)) <= int(width)
    assert re.match(r"[^!].*\w{3,} \w+.*", lines[0])  # a sentence
    assert not re.search(r"\d…", text), "a number is cut"


def test_what_is_shown_of_the_demo_is_what_it_prints(
    tmp_path: Path, request: pytest.FixtureRequest, holds_page: HoldsPage
) -> None:
    """The other commands take minutes: ``--write`` runs them, too, and writes the page."""
    spec = importlib.util.spec_from_file_location("terminals", PROJECT / "docs" / "terminals.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    if request.config.getoption("--write"):
        holds_page(made.PAGE, made.page(request.getfixturevalue("oaei")))
    else:
        shown = next(text for width, command, text in SHOWN if "demo" in command and width == "80")
        assert made.printed("demo", tmp_path, 80) == shown.rstrip()
