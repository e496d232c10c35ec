"""Systems compared by how they rank candidates, from files of a gold standard and of runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from alignrank.common.files import sha256
from alignrank.common.progress import track
from alignrank.common.results import InputFile
from alignrank.evaluation.measures.retrieval.candidate_files import read_candidates
from alignrank.evaluation.measures.retrieval.candidates import RankedCandidates
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
) -> tuple[Rankings, dict[str, InputFile]]:
    """Read a gold standard and runs, and judge the runs; return the files by their role, too.

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
    inputs = {"gold": InputFile(str(gold), sha256(gold.read_bytes()))}

    def read() -> Iterator[tuple[str, RankedCandidates]]:
        for name, path in track(files.items(), len(files), "reading runs"):
            run = read_candidates(path)
            inputs[f"run {name}"] = InputFile(str(path), run.digest)
            yield name, run

    return rankings_of(read_queries(gold), read(), measures), inputs
