"""The command line inside the test process, without a start for each case, and a browser."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from alignrank.experiments.cli import main
from alignrank.experiments.report.console import set_mode
from tests.programs import program


class Shell:
    """Runs commands; see the methods."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str | Path) -> tuple[int, str, str]:
        """Return exit code, output and error output."""
        self._monkeypatch.setattr(sys, "argv", ["alignrank", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capsys.readouterr()
        set_mode("text")  # --json and --quiet hold for one command
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Return what a subprocess that runs the command would."""
        code, out, err = self(*arguments)
        return subprocess.CompletedProcess(["alignrank", *map(str, arguments)], code, out, err)

    def printed(self, *arguments: str | Path) -> str:
        """Return what a command that must work prints."""
        code, out, err = self(*arguments)
        assert code == 0, err
        return out

    def json(self, *arguments: str | Path) -> Any:
        """Return what a command that must work prints with ``--json``."""
        code, out, err = self(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    def refused(self, *arguments: str | Path) -> str:
        """Return the single line that a command prints that must end with exit code 2."""
        code, out, err = self(*arguments)
        assert (code, out) == (2, "")
        lines = err.strip().splitlines()
        assert len(lines) == 1, err
        assert lines[0].startswith("alignrank: error: ")
        return lines[0]


def only_cautions(errors: str, *, verbose: bool = False) -> bool:
    """Whether the error stream holds nothing but cautions; with ``--verbose`` steps too."""
    others = [line for line in errors.splitlines() if not line.startswith("! ")]
    if not verbose:
        return not others
    return all(
        line.startswith("alignrank: ") and not line.startswith("alignrank: error")
        for line in others
    )


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-sync",
    ]
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program("chromium"), args=arguments)
        yield started
        started.close()


class Pages:
    """Opens pages of ours in a browser, and keeps what they complain of and ask for."""

    def __init__(self, browser: Any) -> None:
        self._browser, self._contexts = browser, list[Any]()
        self.complaints, self.requests = list[str](), list[str]()

    def __call__(self, path: Path, **options: Any) -> Any:
        """Return a tab that shows a page, and shares nothing with other tabs."""
        context = self._browser.new_context(**options)
        self._contexts.append(context)
        context.set_default_timeout(120_000)  # milliseconds: others may use the cores
        tab = context.new_page()
        tab.on("console", lambda message: self.complaints.append(message.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.goto(path.as_uri())
        return tab

    def close(self) -> None:
        """Close all tabs."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Pages]:
    """Function that opens a page; at the end, no error and no request beyond files."""
    pages = Pages(browser)
    yield pages
    pages.close()
    assert pages.complaints == []
    assert {url.partition(":")[0] for url in pages.requests} <= {"file", "blob"}


def reload(tab: Any) -> None:
    """Reload a page as a person does, who needs a moment between two keys.

    A new browser on a busy machine drops what a page stored in its first second if the page is
    reloaded within this second; what the page stored later, or earlier, stays.
    """
    tab.wait_for_timeout(2000)  # milliseconds
    tab.reload()


def saved_file(tab: Any, path: Path, name: str | None = None) -> Path:
    """Save a page's mapping by its key to a path; return the path."""
    with tab.expect_download() as download:
        tab.keyboard.press("s")
    assert name in (None, download.value.suggested_filename)
    download.value.save_as(path)
    return path
