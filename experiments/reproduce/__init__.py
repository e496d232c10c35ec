"""The papers' tables and figures recomputed, printed beside what the papers print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.report.console import say
from experiments.studies import audit, fifty_four, measures_agree, relaxed_oaei, survival
from experiments.studies.data import data_folder
from ontologies.common.wording import hint

from . import measures, multitask
from . import mohammadi_2018 as mcnemar

#: What can be reproduced, by name: each gives texts to print from the data folder.
REPRODUCTIONS: dict[str, Callable[[Path], Sequence[str]]] = {
    "table2": lambda data: [mcnemar.discordant_table("table2", data).to_text()],
    "table3": lambda data: [mcnemar.discordant_table("table3", data).to_text()],
    "table4": lambda data: [mcnemar.table4(data).to_text()],
    "table5": lambda data: [
        mcnemar.discordant_table("table5", data).to_text(),
        mcnemar.rematched_table5(data),
    ],
    "figures": lambda data: [mcnemar.figures(data).to_text()],
    "grid": lambda data: [mcnemar.grid(data)],
    "n-by-1": lambda data: [mcnemar.one_against_all(data)],
    "garcia-herrera": lambda data: [
        multitask.garcia_herrera(data).to_text(),
        multitask.rank_statistics("garcia-herrera", data).to_text(),
    ],
    "garcia-2010": lambda data: [multitask.rank_statistics("garcia-2010", data).to_text()],
    "demsar": lambda _: [multitask.demsar().to_text()],
    "table8": lambda _: [measures.table8().to_text()],
    "bdm": lambda data: [measures.bdm(data).to_text()],
    "5ns": lambda _: [measures.five_synsets().to_text()],
    "oaei-2016": lambda data: [measures.oaei_2016(data).to_text()],
    "table1": lambda _: [multitask.table1().to_text()],
}

#: Experiments of our own on the same data; they run when they are named. Each gives its text, and
#: writes its page into the folder if there is one.
EXPERIMENTS: dict[str, Callable[[Path, Path | None], str]] = {
    "fifty-four": fifty_four.run,
    "measures-agree": measures_agree.run,
    "relaxed-oaei": relaxed_oaei.run,
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
    folder = Path() if set(chosen) <= set(WITHOUT_DATA) else data_folder(data)
    for name in chosen:
        if name in EXPERIMENTS:
            say(EXPERIMENTS[name](folder, out) + "\n")
            continue
        for text in REPRODUCTIONS[name](folder):
            say(text + "\n")
