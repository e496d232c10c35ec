"""Make `terminals.md`: what commands print on a terminal of 80 and of 100 columns.

`pytest tests/test_terminals.py --write` writes it. The commands run in a pseudo-terminal, in a
folder that holds the files which they name.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

PAGE = Path(__file__).with_name("terminals.md")
WIDTHS = (80, 100)
COMMANDS = (
    "demo",
    "match mouse.owl human.owl",
    "rank mouse.owl human.owl reference.rdf",
    "compare reference.rdf AML.rdf XMap.rdf LYAM.rdf mine.rdf --focus mine",
    "compare reference.rdf systems-2018/*.rdf --source mouse.owl --target human.owl",
    "study systems-2019 --reference references",
    "score reference.rdf AML.rdf XMap.rdf LYAM.rdf mine.rdf",
    "place mine.rdf --task anatomy --year 2018",
    "gate XMap.rdf LYAM.rdf --reference reference.rdf",
)
INTRODUCTION = """<!-- made by docs/terminals.py: do not edit -->
# On a terminal

The answer stands in the first line, then a table of at most twelve rows, the method, and cautions
(`!`, on the error stream): 25 lines at most. No number is cut: a column that has no room is left
out and named. The rest is in the report and under `--verbose`. `mine` is FCA_Map of 2016.
"""


def printed(command: str, folder: Path, columns: int) -> str:
    """Return what a command leaves on a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    words = [str(Path(sys.executable).with_name("alignrank"))]
    for word in command.split():  # as a shell does it
        found = sorted(str(path.relative_to(folder)) for path in folder.glob(word))
        words += found if "*" in word else [word]
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | {"TERM": "xterm"}
    process = subprocess.Popen(
        words, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        shown += part
    os.close(ours)
    process.wait()
    return screen_text(shown.decode())


def screen_text(output: str) -> str:
    """Return the lines that a terminal shows after this output.

    Progress bars are drawn over themselves: the carriage return, *cursor up* and *erase line* are
    obeyed. All other sequences (colours) are left out.
    """
    lines, row, returned = [""], 0, False
    for piece in re.split(r"(\x1b\[[0-9;?]*[A-Za-z]|\r|\n)", output):
        if piece == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif piece.startswith("\x1b"):
            if piece.endswith("A"):
                row = max(row - int(piece[2:-1] or 1), 0)
            elif piece.endswith("K"):
                lines[row] = ""
        elif piece == "\r":
            returned = True
            continue
        elif piece:
            lines[row] = piece if returned else lines[row] + piece
        returned = False
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def page(data: Path) -> str:
    """Return the page, from the OAEI files in a folder."""
    anatomy, conference = data / "anatomy", data / "conference"
    sources = {
        **{name: anatomy / name for name in ("mouse.owl", "human.owl", "reference.rdf")},
        **{f"{name}.rdf": anatomy / "systems-2016" / f"{name}.rdf" for name in ("AML", "XMap")},
        "LYAM.rdf": anatomy / "systems-2016" / "LYAM.rdf",
        "mine.rdf": anatomy / "systems-2016" / "FCA_Map.rdf",
        "systems-2018": anatomy / "systems-2018",
        "systems-2019": conference / "systems-2019",
        "references": conference / "reference",
    }
    os.environ["ALIGNRANK_DATA"] = str(data)  # where `place` finds its task
    parts = [INTRODUCTION]
    with tempfile.TemporaryDirectory() as name:
        for file, path in sources.items():
            (Path(name) / file).symlink_to(path.resolve())
        for command in COMMANDS:
            parts.append(f"## {command.split()[0]}\n")
            for columns in WIDTHS:
                shown = printed(command, Path(name), columns)
                parts.append(
                    f"{columns} columns:\n\n```console\n$ alignrank {command}\n{shown}\n```\n"
                )
    return "\n".join(parts)
