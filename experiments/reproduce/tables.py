"""The papers' tables and figures recomputed, printed beside what the papers print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from alignrank.common.errors import OntologyError
from alignrank.common.files import write_text
from alignrank.common.names import hint
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.report.console import print_cautions, say
from alignrank.experiments.results.folder import handed_over
from alignrank.experiments.results.steps import Steps, fingerprint
from alignrank.ontologies.tasks import data_folders

from . import mohammadi_2018, other_papers
from .side_by_side import Reproduction

#: What can be reproduced, by name: each gives what to print from the data folder.
REPRODUCTIONS: dict[str, Callable[[Path], Sequence[Reproduction | str]]] = {
    "table2": lambda data: [mohammadi_2018.discordant_table("table2", data)],
    "table3": lambda data: [mohammadi_2018.discordant_table("table3", data)],
    "table4": lambda data: [mohammadi_2018.table4(data)],
    "table5": lambda data: [
        mohammadi_2018.discordant_table("table5", data),
        mohammadi_2018.rematched_table5(data),
    ],
    "figures": lambda data: [mohammadi_2018.figures(data)],
    "grid": lambda data: [mohammadi_2018.grid(data)],
    "n-by-1": lambda data: [mohammadi_2018.one_against_all(data)],
    "garcia-herrera": lambda data: [
        other_papers.garcia_herrera(data),
        other_papers.rank_statistics("garcia-herrera", data),
    ],
    "garcia-2010": lambda data: [other_papers.rank_statistics("garcia-2010", data)],
    "demsar": lambda _: [other_papers.demsar()],
    "table8": lambda _: [other_papers.table8()],
    "bdm": lambda data: [other_papers.bdm(data)],
    "5ns": lambda _: [other_papers.five_synsets()],
    "oaei-2016": lambda data: [other_papers.oaei_2016(data)],
    "table1": lambda _: [other_papers.table1()],
}

#: What needs no data.
WITHOUT_DATA = ("demsar", "table8", "5ns", "table1")
#: The folder that is needed where that is not ``anatomy``.
FOLDERS = dict.fromkeys((*WITHOUT_DATA, "garcia-herrera", "garcia-2010"), "") | {"bdm": "proton"}


def reproduce(
    names: Sequence[str], data: Path | None, out: Path | None = None, *, resume: bool = False
) -> int:
    """Print the named tables, paper beside ours (`alignrank reproduce`).

    What lacks its data is left out, and said at the end. With `out` what is finished is kept until
    all is, and with `resume` not computed again.

    Returns
    -------
    int
        Exit code: 1 if something was left out.

    Raises
    ------
    ExperimentError
        If a name is unknown, or everything that is named lacks its data.
    """
    unknown = sorted(set(names) - REPRODUCTIONS.keys())
    if unknown:
        raise ExperimentError(
            f"nothing called {unknown[0]!r} can be reproduced: " + hint(unknown[0], REPRODUCTIONS)
        )
    chosen = list(names) or list(REPRODUCTIONS)
    steps = Steps(out, resume=resume, overwrite=True)
    left_out: dict[str, ValueError] = {}
    for name in chosen:
        try:
            say(_kept(name, _folder_for(name, data), steps))
        except (ExperimentError, OntologyError) as reason:
            left_out[name] = reason
    if len(left_out) == len(chosen):
        raise left_out[chosen[0]]
    if out is not None:
        with handed_over(out, overwrite=True) as stage:
            for name in (name for name in chosen if name not in left_out):
                steps.copy(name, stage)
    if not left_out:
        steps.forget()
    print_cautions(f"{name} is left out: {reason}" for name, reason in left_out.items())
    return int(bool(left_out))


def _text(name: str, data: Path) -> str:
    """Return what to print."""
    return "\n".join(f"{table}\n" for table in REPRODUCTIONS[name](data))


def _kept(name: str, data: Path, steps: Steps) -> str:
    """Return what to print, computed now or in a finished step."""
    if not steps.kept:
        return _text(name, data)
    file = f"{name}.txt"
    stamps = []
    if name not in WITHOUT_DATA:
        stats = {path: path.stat() for path in sorted(data.rglob("*"))}
        stamps = [(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()]
    folder = steps.step(
        name,
        fingerprint({"name": name, "data": stamps}),
        lambda stage: write_text(stage / file, _text(name, data)),
    )
    return (folder / file).read_text(encoding="utf-8")


def _folder_for(name: str, data_folder: Path | None) -> Path:
    """Return the data folder that holds what is needed: `data_folder`, or one of the usual ones."""
    folders, needed = data_folders(data_folder), FOLDERS.get(name, "anatomy")
    holding = [folder for folder in folders if (folder / needed).is_dir()]
    if holding or not needed:
        return [*holding, *folders][0]
    raise ExperimentError(
        f"{folders[0]} has no folder {needed}: name the folder that holds {needed}/ with --data or "
        f"$ALIGNRANK_DATA, or fetch it (alignrank data fetch {needed})"
    )
