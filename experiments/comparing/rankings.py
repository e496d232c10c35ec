"""Systems compared by how they rank candidates: a gold standard, and runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from alignrank.common.errors import EvaluationError
from alignrank.common.progress import track
from alignrank.common.results import InputFile
from alignrank.common.table import Frame
from alignrank.evaluation.measures.retrieval.candidate_files import (
    candidates_of_frame,
    columns_of,
    read_candidates,
)
from alignrank.evaluation.measures.retrieval.candidates import Candidates, RankedCandidates, ranked
from alignrank.evaluation.measures.retrieval.gold_files import queries_of, read_queries
from alignrank.evaluation.measures.retrieval.ranked_lists import (
    DEFAULT_MEASURES,
    RankedListValues,
    ranked_list_values,
)
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import input_file
from alignrank.ontologies import Alignment

#: A file, candidates by query, or a frame of them.
Run: TypeAlias = "Path | Candidates | Frame"


def are_rankings(files: Iterable[Path]) -> bool:
    """Tell whether the first file holds ranked candidates."""
    first = next(iter(files), None)
    return first is not None and content_of(first) == "items"


def is_ranking(value: object) -> bool:
    """Tell whether a gold standard or a run is a dictionary or a frame of candidates."""
    if isinstance(value, Mapping | Alignment):
        return isinstance(value, Mapping)
    return "candidate" in columns_of([str(title) for title in getattr(value, "columns", ())])


def read_rankings(
    gold: object,
    runs: Mapping[str, Run],
    measures: Sequence[str] = DEFAULT_MEASURES,
) -> tuple[RankedListValues, dict[str, InputFile]]:
    """Read a gold standard and runs, and evaluate the runs; return the files by role, too.

    Parameters
    ----------
    gold
        As `read_queries` or `queries_of` takes it.
    runs
        By name, ``NAME@1``, ``NAME@2`` for the runs of one system.
    measures
        Names of measures; the first decides.
    """
    inputs = {}
    if isinstance(gold, Path):
        queries = read_queries(gold)
        inputs["gold"] = input_file(gold)
    else:
        queries = queries_of(gold)

    def read() -> Iterator[tuple[str, RankedCandidates]]:
        for name, run in track(runs.items(), len(runs), "reading runs"):
            candidates = _candidates(name, run)
            if candidates.digest:
                inputs[f"run {name}"] = InputFile(candidates.path, candidates.digest)
            yield name, candidates

    return ranked_list_values(queries, read(), measures), inputs


def _candidates(name: str, run: Run) -> RankedCandidates:
    if isinstance(run, Path):
        return read_candidates(run)
    try:
        candidates = ranked(run) if isinstance(run, Mapping) else candidates_of_frame(run)
    except EvaluationError as error:
        raise EvaluationError(f"{name}: {error}") from None
    return replace(candidates, path=name)
