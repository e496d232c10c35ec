"""The papers' tables and figures recomputed, printed beside what the papers print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.report.console import print_cautions, say
from experiments.studies import audit, fifty_four, oaei_2016, survival
from ontologies.common.names import hint
from ontologies.errors import OntologyError
from ontologies.tasks import data_folders

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

#: Experiments of our own on the same data; they run when they are named. Each gives its text, and
#: writes its page into the folder if there is one.
EXPERIMENTS: dict[str, Callable[[Path, Path | None], str]] = {
    "fifty-four": fifty_four.run,
    "measures-agree": oaei_2016.run_agreement,
    "relaxed-oaei": oaei_2016.run_relaxed,
    "audit": audit.run,
    "generator": survival.run,
    "generator-large": survival.run_large,
}

#: What needs no data: it runs where there is no folder of OAEI files.
WITHOUT_DATA = ("demsar", "table8", "5ns", "table1", "audit", "generator", "generator-large")


def reproduce(names: Sequence[str], data: Path | None, out: Path | None = None) -> int:
    """Print the named tables, paper beside ours (`alignrank reproduce`).

    What lacks its data is left out, and said at the end.

    Returns
    -------
    int
        Exit code: 1 if something was left out.

    Raises
    ------
    ExperimentError
        If a name is unknown, or everything that is named lacks its data.
    """
    known = {**REPRODUCTIONS, **EXPERIMENTS}
    unknown = sorted(set(names) - known.keys())
    if unknown:
        raise ExperimentError(
            f"nothing called {unknown[0]!r} can be reproduced: " + hint(unknown[0], known)
        )
    chosen = list(names) or list(REPRODUCTIONS)
    folder = Path() if set(chosen) <= set(WITHOUT_DATA) else _folder_with_anatomy(data)
    left_out: dict[str, ValueError] = {}
    for name in chosen:
        try:
            if name in EXPERIMENTS:
                say(EXPERIMENTS[name](folder, out) + "\n")
            else:
                for recomputed in REPRODUCTIONS[name](folder):
                    say(f"{recomputed}\n")
        except (ExperimentError, OntologyError) as reason:
            left_out[name] = reason
    if len(left_out) == len(chosen):
        raise left_out[chosen[0]]
    print_cautions(f"{name} is left out: {reason}" for name, reason in left_out.items())
    return 1 if left_out else 0


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
