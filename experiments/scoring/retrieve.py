"""Metrics judged by the rank that they give the right targets (`alignrank retrieve`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation.measures.retrieval.ranked_candidates import (
    Candidate,
    RankingScores,
    candidates_of,
    gold_of,
    ranking_scores,
)
from experiments.inputs.input_cautions import check_reference
from experiments.inputs.named_inputs import read_reference
from experiments.report.console import console, print_notes
from experiments.results.writing import finite
from matchers import (
    Candidates,
    Metric,
    Settings,
    prepare,
    select_metrics,
    similarity_matrix,
)
from ontologies import Alignment, load_ontology
from ontologies.common.progress import track
from ontologies.common.wording import count

from .mapping import absent, check_words, number

#: Candidates that are kept of each source entity: beyond them a right one counts as not found.
TOP = 100


def retrieve(
    candidates: Candidates,
    reference: Alignment,
    metric: Metric,
    *,
    cutoffs: Sequence[int] = (1, 5, 10),
    tie: str = "average",
) -> RankingScores:
    """Judge a metric by where it ranks the right targets of each source entity.

    Parameters
    ----------
    candidates
        The prepared pair.
    reference
        Its source entities are the items; whatever the relation, unless it is ``?``.
    metric
        Gives the order of the targets; pairs of similarity 0 are no candidates.
    cutoffs, tie
        As `evaluation.measures.retrieval.ranked_candidates.ranking_scores` takes them.
    """
    how: Any = tie
    found: dict[str, tuple[Candidate, ...]] = {}
    for group in candidates.groups:
        matrix = similarity_matrix(group.source.names, group.target.names, metric)
        top = max(TOP, *cutoffs)
        found |= candidates_of(matrix, group.source.iris, group.target.iris, top=top)
    gold = gold_of(reference)
    listed = {item: found[item] for item in gold if item in found}
    return ranking_scores(gold, listed, ks=cutoffs, tie=how)


def retrieve_pair(
    source: Path,
    target: Path,
    reference: Path,
    *,
    metrics: Sequence[str],
    settings: Settings,
    imports: Path | None,
    cutoffs: Sequence[int],
    tie: str,
    form: str,
) -> None:
    """Load, rank the targets of each source entity, judge and print (`alignrank retrieve`)."""
    check_words(tie=tie, format=form)
    chosen = select_metrics(metrics)
    judge = read_reference(reference)
    left, right = (load_ontology(path, imports=imports) for path in (source, target))
    notes = check_reference(judge, left, right)
    candidates = prepare(left, right, settings)
    scores = {
        metric.name: retrieve(candidates, judge, metric, cutoffs=cutoffs, tie=tie)
        for metric in track(chosen, len(chosen), "ranking")
    }
    notes += [
        note
        for name, found in scores.items()
        for note in absent(found, f"the candidates by {name}")
    ]
    if form == "json":
        content = {"metrics": {name: asdict(s) for name, s in scores.items()}, "notes": notes}
        print(json.dumps(finite(content), indent=1, ensure_ascii=False))
        return
    first = next(iter(scores.values()))
    judged = count(first.items, "source entity")
    console().print(f"{judged} of the reference, by the rank of their targets")
    print_rankings(scores)
    print_notes(
        [
            *notes,
            f"equal scores: {first.tie}",
            f"MRR, MAP and mean rank look at the first {TOP} targets of each entity",
        ]
    )


def print_rankings(rankings: Mapping[str, RankingScores]) -> None:
    """Print recall at each cut-off and the averages, a row for each metric, the best MRR first."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("metric", no_wrap=True)
    cutoffs = next(iter(rankings.values())).recall_at
    for name in (*(f"recall@{k}" for k in cutoffs), "MRR", "MAP", "mean rank", "found"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, scores in sorted(rankings.items(), key=lambda item: -item[1].mrr):
        averages = (scores.mrr, scores.average_precision, scores.mean_rank, scores.found)
        table.add_row(name, *map(number, (*scores.recall_at.values(), *averages)))
    console().print(table)
