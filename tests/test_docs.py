"""The documentation says what is so: its commands run, print what it shows, and its tables are new.

Every ``bash`` and ``python`` block of the README and of each page runs as it is written, page by
page, in a folder that holds the files which the pages name (the OAEI's where they are, else small
ones of our own under the same names). A ``text`` block after one of these shows all that is
printed, but for lines where it has ``...``; it is compared where the OAEI data is at hand.
``pytest tests/test_docs.py tests/test_terminals.py --write`` writes these blocks anew.

Blocks that hold nothing but commands of ours run in the test process, which has imported already
what they need; others in a shell. The ``python`` blocks of a page are one session there.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from types import ModuleType

import pytest

from alignrank.experiments.cli import main
from alignrank.ontologies.tasks import BUNDLED, bundled_task
from tests.conftest import HoldsPage

PROJECT = Path(__file__).parents[1]
DOCS = PROJECT / "docs"

#: Pages whose blocks run here; the gallery has its own tests.
PAGES = sorted(
    page
    for page in [PROJECT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("tasks/*.md")]
    if re.search(r"^```(bash|python)", page.read_text(encoding="utf-8"), re.M)
)
#: Systems that the pages name, and the OAEI 2016 files that stand for them.
SYSTEMS = {
    "aml": "AML",
    "xmap": "XMap",
    "lyam": "LYAM",
    "mine": "FCA_Map",
    "theirs": "CroMatcher",
}

_BLOCK = re.compile(r"^```(\w+)(?: title=\"(.+?)\")?\n(.*?)^```$", re.M | re.S)
#: Lines that are nothing but commands of ours, with a file to write to: no pipe, nothing to expand.
_PLAIN = re.compile(r'(alignrank( +([\w./:=*+,-]+|"[\w ]+"))+( > [\w.]+)?( +#.*)?\n)+')
_INSTALLS = re.compile(r"pip install|venv/bin/pytest")
_NEEDS_DATA = re.compile(r"--data FOLDER")
_LEFT_OUT = re.compile(r"^\.\.\.\n", re.M)
#: As .05, 0.943 or 5%: few whole numbers of the prose are those of an output.
_NUMBER = re.compile(r"\d*\.\d+%?|\d+%")


def oaei_folder() -> Path | None:
    """Where the OAEI files are, if they are here."""
    for candidate in (os.environ.get("ALIGNRANK_DATA"), PROJECT.parent / "shared" / "oaei"):
        if candidate and (Path(candidate) / "anatomy").is_dir():
            return Path(candidate).resolve()
    return None


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder with the files that the documentation names."""
    for folder in ("ontologies", "studies"):
        (tmp_path / folder).symlink_to(PROJECT / folder)
    (tmp_path / "counts.csv").write_text(",AML,XMap,LYAM\nAML,,134,118\nXMap,27,,58\nLYAM,27,74,\n")
    rows = [f"task{k},{0.6 + k / 40},{0.5 + k / 50},{0.55 + k / 60}" for k in range(8)]
    (tmp_path / "scores.csv").write_text("\n".join(["task,AML,LogMap,mine", *rows]) + "\n")
    data = oaei_folder()
    if data is not None:
        sources = {
            "FOLDER": data,
            "mouse.owl": data / "anatomy" / "mouse.owl",
            "human.owl": data / "anatomy" / "human.owl",
            "a.owl": data / "anatomy" / "mouse.owl",
            "b.owl": data / "anatomy" / "human.owl",
            "reference.rdf": data / "anatomy" / "reference.rdf",
            "proton": data / "proton",
            "systems-2019": data / "conference" / "systems-2019",
            "reference": data / "conference" / "reference",
        }
        for name, system in SYSTEMS.items():
            sources[f"{name}.rdf"] = data / "anatomy" / "systems-2016" / f"{system}.rdf"
        for name, path in sources.items():
            (tmp_path / name).symlink_to(path)
        return tmp_path
    _small_ones(tmp_path)
    return tmp_path


def _small_ones(folder: Path) -> None:
    """Files of our own under the names of the OAEI's."""
    task = bundled_task("library")
    systems = [task.alignments[f"system_{name}"] for name in ("near_miss", "good", "bad")]
    for one, two in (("mouse.owl", "human.owl"), ("a.owl", "b.owl")):
        shutil.copy(task.source, folder / one)
        shutil.copy(task.target, folder / two)
    shutil.copy(task.reference, folder / "reference.rdf")
    for k, name in enumerate(SYSTEMS):
        shutil.copy(systems[min(k, len(systems) - 1)], folder / f"{name}.rdf")
    for name in ("systems-2019", "reference"):
        (folder / name).mkdir()
    for pair in BUNDLED:
        each = bundled_task(pair)
        shutil.copy(each.reference, folder / "reference" / f"{pair}-pair.rdf")
        for name, path in zip("ABC", each.alignments.values(), strict=True):
            shutil.copy(path, folder / "systems-2019" / f"{name}-{pair}-pair.rdf")
    (folder / "proton").mkdir()
    (folder / "proton" / "protonu.owl").write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"'
        ' xmlns:owl="http://www.w3.org/2002/07/owl#">'
        '<owl:Class rdf:about="http://proton#Location"/>'
        '<owl:Class rdf:about="http://proton#City">'
        '<rdfs:subClassOf rdf:resource="http://proton#Location"/></owl:Class></rdf:RDF>'
    )


def run(command: list[str], folder: Path) -> str:
    """What a command prints; it must succeed."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "120",
        "MPLBACKEND": "Agg",
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Here:
    """Runs blocks of plain commands in this process, in a folder."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.chdir(folder)
        monkeypatch.setenv("COLUMNS", "120")
        monkeypatch.setattr(sys, "path", [*sys.path])  # commands add the folder
        self._names: dict[str, object] = {}

    def __call__(self, text: str) -> str:
        """What the commands print; they must succeed."""
        self._capsys.readouterr()
        printed = ""
        for line in text.splitlines():
            command, _, file = line.partition(" > ")
            self._monkeypatch.setattr(sys, "argv", shlex.split(command, comments=True))
            with pytest.raises(SystemExit) as ended, warnings.catch_warnings():
                main()  # shows warnings in its own way
            out, err = self._capsys.readouterr()
            assert ended.value.code == 0, f"{line}\n{err}"
            if file:
                Path(file).write_text(out)
            else:
                printed += out
        return printed

    def python(self, text: str) -> str:
        """What a block prints, which may use what earlier ones made."""
        self._capsys.readouterr()
        exec(compile(text, "a block of the page", "exec", dont_inherit=True), self._names)
        return self._capsys.readouterr().out


@pytest.fixture
def here(
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Here:
    return Here(workplace, monkeypatch, capsys)


def steps(text: str) -> Iterator[tuple[re.Match[str], re.Match[str] | None]]:
    """Yield the blocks of a page that run, each with the block below that shows its output."""
    blocks = list(_BLOCK.finditer(text))
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if (block[2] or block[1] in ("bash", "python")) and not _INSTALLS.search(block[3]):
            yield block, following if following and following[1] == "text" else None


def renewed(shown: str, printed: str) -> str:
    """Return a block that shows what is printed now, and leaves out what it left out.

    The lines next to ``...`` are those most like the lines that stood there. An empty block shows
    all lines.
    """
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    if not shown:
        return "".join(f"{line}\n" for line in lines)
    parts = [part.splitlines() for part in _LEFT_OUT.split(shown)]
    texts, end = [], 0
    for part in parts:
        start = end
        if part and part is not parts[0]:
            start += most_like(part[0], lines[end:])
        if part:
            end = start + most_like(part[-1], lines[start:]) + 1
        if part and part is parts[-1]:
            end = len(lines)
        texts.append("".join(f"{line}\n" for line in lines[start:end]))
    return "...\n".join(texts)


def most_like(line: str, lines: Sequence[str]) -> int:
    """Return the index of the first of the lines that are most like one."""
    likeness = [SequenceMatcher(None, each, line).ratio() for each in lines]
    return likeness.index(max(likeness)) if likeness else 0


def test_a_block_shows_the_lines_of_today_and_leaves_out_what_it_left_out() -> None:
    table = "system  F1  rank\nb  .95  1\na  .91  2\nc  .13  3\n"
    printed = f"b scores best\n{table}Method: McNemar\nNext: rank\n"
    whole = "a scores best\nsystem  F1\na  .94\nb  .91\nc  .12\nMethod: sign test\n"
    assert renewed(whole, printed) == printed
    assert renewed("a scores best\n...\n", printed) == "b scores best\n...\n"
    middle = "...\nsystem  F1\nb  .91\n...\nMethod: sign test\n"
    assert renewed(middle, printed) == (
        "...\nsystem  F1  rank\nb  .95  1\n...\nMethod: McNemar\nNext: rank\n"
    )
    for shown in (printed, "...\nc  .13  3\n...\n", "b scores best\n...\nNext: rank\n"):
        assert renewed(shown, printed) == shown
    assert renewed("a\n...\nb\n", "") == "...\n"
    assert renewed("", printed) == printed


def remarks(page: Path, text: str, numbers: set[str]) -> Iterator[str]:
    """Name the lines of the prose that state one of some numbers."""
    prose = _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    for number, line in enumerate(prose.splitlines(), 1):
        if stated := numbers & {*_NUMBER.findall(line)}:
            yield f"{page.relative_to(PROJECT)}, line {number}: is {', '.join(stated)} still so?"


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_run_and_print_what_the_page_shows(
    page: Path, workplace: Path, here: Here, holds_page: HoldsPage
) -> None:
    compared = oaei_folder() is not None
    old = page.read_text(encoding="utf-8")
    new, end, gone = "", 0, set[str]()
    for block, below in steps(old):
        language, title, text = block.groups()
        if title:
            (workplace / title).write_text(text)
            continue
        if _NEEDS_DATA.search(text) and not compared:
            continue
        plain = text.replace("\\\n", "")
        if language == "python":
            printed = here.python(text)
        elif _PLAIN.fullmatch(plain):
            printed = here(plain)
        else:
            printed = run(["bash", "-euo", "pipefail", "-c", text], workplace)
        if below and compared:
            shown = renewed(below[3], printed)
            new += old[end : below.start(3)] + shown
            end = below.end(3)
            gone |= {*_NUMBER.findall(below[3])} - {*_NUMBER.findall(shown)}
    new += old[end:]
    holds_page(page, new)
    for remark in remarks(page, new, gone):  # the page was written anew
        warnings.warn(remark, stacklevel=1)


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    specification = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_tables_and_reference_are_those_of_the_code(generate: ModuleType) -> None:
    assert len(generate.PAGES) == 9
    old = [
        name
        for name, make in generate.PAGES.items()
        if (DOCS / name).read_text(encoding="utf-8") != make()
    ]
    assert not old, f"{old}: run python docs/generate.py"


@pytest.mark.long
def test_reproduction_page_is_what_reproduce_prints(generate: ModuleType, oaei: Path) -> None:
    written = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    assert written == generate.reproduction_page(oaei), "run: python docs/generate.py --data FOLDER"


def test_the_site_fetches_nothing() -> None:
    settings = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "font: false" in settings
    assert "http" not in settings
