"""The papers' tables and figures recomputed, printed beside what the papers print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.report.console import say
from experiments.studies import audit, fifty_four, measures_agree, oaei_2016, survival
from ontologies.common.names import hint
from ontologies.tasks import data_folders

from . import measure_papers, mohammadi_2018, multitask_papers

#: What can be reproduced, by name: each gives texts to print from the data folder.
REPRODUCTIONS: dict[str, Callable[[Path], Sequence[str]]] = {
    "table2": lambda data: [mohammadi_2018.discordant_table("table2", data).to_text()],
    "table3": lambda data: [mohammadi_2018.discordant_table("table3", data).to_text()],
    "table4": lambda data: [mohammadi_2018.table4(data).to_text()],
    "table5": lambda data: [
        mohammadi_2018.discordant_table("table5", data).to_text(),
        mohammadi_2018.rematched_table5(data),
    ],
    "figures": lambda data: [mohammadi_2018.figures(data).to_text()],
    "grid": lambda data: [mohammadi_2018.grid(data)],
    "n-by-1": lambda data: [mohammadi_2018.one_against_all(data)],
    "garcia-herrera": lambda data: [
        multitask_papers.garcia_herrera(data).to_text(),
        multitask_papers.rank_statistics("garcia-herrera", data).to_text(),
    ],
    "garcia-2010": lambda data: [multitask_papers.rank_statistics("garcia-2010", data).to_text()],
    "demsar": lambda _: [multitask_papers.demsar().to_text()],
    "table8": lambda _: [measure_papers.table8().to_text()],
    "bdm": lambda data: [measure_papers.bdm(data).to_text()],
    "5ns": lambda _: [measure_papers.five_synsets().to_text()],
    "oaei-2016": lambda data: [measure_papers.oaei_2016(data).to_text()],
    "table1": lambda _: [multitask_papers.table1().to_text()],
}

#: Experiments of our own on the same data; they run when they are named. Each gives its text, and
#: writes its page into the folder if there is one.
EXPERIMENTS: dict[str, Callable[[Path, Path | None], str]] = {
    "fifty-four": fifty_four.run,
    "measures-agree": measures_agree.run,
    "relaxed-oaei": oaei_2016.run,
    "audit": audit.run,
    "generator": survival.run,
    "generator-large": survival.run_large,
}

#: What needs no data: it runs where there is no folder of OAEI files.
WITHOUT_DATA = ("demsar", "table8", "5ns", "table1", "audit", "generator", "generator-large")


def reproduce(names: Sequence[str], data: Path | None, out: Path | None = None) -> None:
    """Print the named tables, paper beside ours (`alignrank reproduce`)."""
    known = {**REPRODUCTIONS, **EXPERIMENTS}
    unknown = sorted(set(names) - known.keys())
    if unknown:
        raise ExperimentError(
            f"nothing called {unknown[0]!r} can be reproduced: " + hint(unknown[0], known)
        )
    chosen = list(names) or list(REPRODUCTIONS)
    folder = Path() if set(chosen) <= set(WITHOUT_DATA) else _folder_with_anatomy(data)
    for name in chosen:
        if name in EXPERIMENTS:
            say(EXPERIMENTS[name](folder, out) + "\n")
            continue
        for text in REPRODUCTIONS[name](folder):
            say(text + "\n")


def _folder_with_anatomy(given: Path | None) -> Path:
    """Return the data folder, which holds ``anatomy/``: `given`, or where data is looked for."""
    folders = data_folders(given)
    for folder in folders:
        if (folder / "anatomy").is_dir():
            return folder
    raise ExperimentError(
        f"{folders[0]} has no folder anatomy: name the folder that holds anatomy/ with --data or "
        "$ALIGNRANK_DATA, or fetch it (alignrank data fetch anatomy)"
    )
