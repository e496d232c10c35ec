"""Count the options in the help pages of all commands (python benchmarks/options.py).

`--help` and what all commands share (`--quiet`, `--json` ...) are counted once. A command with
several pages, as `score` by `--kind` and `data`, counts with each of its pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from unittest.mock import patch

from alignrank.experiments.cli import main
from alignrank.experiments.cli.main import COMMANDS

#: Commands that have several pages, and what is typed for each of them.
PAGES = {
    "score": [["--kind", kind] for kind in ("alignments", "mapping", "retrieval", "concepts")],
    "data": [[name] for name in ("list", "fetch", "add", "path", "verify")],
}
SHARED = {"--help", "--quiet", "--json", "--verbose", "--version", "--data", "--overwrite"}


def pages() -> Iterator[tuple[str, set[str]]]:
    """Yield each page with the options that it lists."""
    yield "alignrank", SHARED
    for name in COMMANDS:
        for words in PAGES.get(name, [[]]):
            typed = [name, *words]
            printed = StringIO()
            with (
                patch("sys.argv", ["alignrank", *typed, "--help"]),
                redirect_stdout(printed),
                suppress(SystemExit),
            ):
                main()
            options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", printed.getvalue(), re.MULTILINE)
            yield " ".join(typed), set(options) - SHARED


def total() -> int:
    """Return the number of options in all pages."""
    return sum(len(options) for _, options in pages())


if __name__ == "__main__":
    for page, options in pages():
        print(f"{len(options):4}  {page}")
    print(f"{total():4}  in all")
