"""Systems compared by how they rank candidates, from files of a gold standard and of runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alignrank.common.progress import track
from alignrank.evaluation.measures.retrieval.candidate_files import read_candidates
from alignrank.evaluation.measures.retrieval.gold_files import read_queries
from alignrank.evaluation.measures.retrieval.rankings import (
    DEFAULT_MEASURES,
    Rankings,
    rankings_of,
)
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import named_files


def are_rankings(runs: Sequence[str]) -> bool:
    """Tell whether the first run, ``FILE``, ``NAME=FILE`` or a folder, holds ranked candidates."""
    files = list(named_files(runs[:1]).values())
    return bool(files) and content_of(files[0]) == "items"


def read_rankings(
    gold: Path, runs: Sequence[str], measures: Sequence[str] = DEFAULT_MEASURES
) -> Rankings:
    """Read a gold standard and runs, and judge the runs.

    Parameters
    ----------
    gold
        As `read_queries` takes it.
    runs
        ``FILE``, ``NAME=FILE``, a folder of files, or ``NAME=FOLDER`` for the runs of one system.
    measures
        Names of measures; the first decides.
    """
    files = named_files(runs)
    queries = read_queries(gold)
    tracked = track(files.items(), len(files), "reading runs")
    return rankings_of(queries, ((name, read_candidates(path)) for name, path in tracked), measures)
