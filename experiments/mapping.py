"""Items mapped to candidates or to nothing, judged by a gold standard (`alignrank mapping`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation import mcnemar
from evaluation.mapping import MappingScores, discordant_items, mapping_scores
from evaluation.retrieval import RankingScores, ranking_scores
from evaluation.retrieval_files import read_candidates, read_choices, read_gold

from .errors import ExperimentError
from .inputs import named_files
from .report.console import console


def map_files(
    gold: Path,
    candidates: Path,
    matches: Sequence[str],
    *,
    positive: Sequence[str],
    tie: str,
    cutoffs: Sequence[int],
    zero_division: str,
) -> None:
    """Read, judge and print (`alignrank mapping`)."""
    if tie not in ("average", "min", "max", "stable"):
        raise ExperimentError(f"--tie {tie!r} is unknown: use average, min, max or stable")
    how: Any = tie
    zero: Any = zero_division
    right = read_gold(gold, positive=positive)
    ranked = ranking_scores(right, read_candidates(candidates), ks=cutoffs, tie=how)
    chosen = {name: read_choices(path) for name, path in named_files(matches).items()}
    print_ranking(ranked)
    for name, choices in chosen.items():
        print_mapping(name, mapping_scores(right, choices, zero_division=zero))
    names = list(chosen)
    if len(names) > 1:
        counts = discordant_items(right, chosen)
        for i, one in enumerate(names):
            for j in range(i + 1, len(names)):
                b, c = int(counts[i, j]), int(counts[j, i])
                p = float(mcnemar(b, c).p)
                console().print(
                    f"McNemar over items, null an answer: {one} right alone on {b}, {names[j]} on "
                    f"{c}; mid-p = {p:.4g}",
                    soft_wrap=True,
                )


def print_ranking(scores: RankingScores) -> None:
    """Print hits, recall and nDCG at each cut-off, and the averages."""
    from rich.table import Table

    out = console()
    out.print(f"{scores.items} items, {scores.positives} with a right candidate")
    table = Table(box=None, pad_edge=False)
    for name in ("n", "recall@n", "hits@n", "nDCG@n"):
        table.add_column(name, justify="right")
    for k in scores.recall_at:
        row = (scores.recall_at[k], scores.hits_at[k], scores.ndcg_at[k])
        table.add_row(str(k), *(_number(x) for x in row))
    out.print(table)
    out.print(
        f"MRR {_number(scores.mrr)}, MAP {_number(scores.average_precision)}, mean rank "
        f"{_number(scores.mean_rank)} over the {scores.found} found (ties: {scores.tie})"
    )
    _print_absent(scores.missing, scores.ignored, "the candidates")


def print_mapping(name: str, scores: MappingScores) -> None:
    """Print precision, recall, F1, accuracy and how well nothing is told from something."""
    console().print(
        f"{name}: precision {_number(scores.precision)}, recall {_number(scores.recall)}, F1 "
        f"{_number(scores.f1)}, accuracy {_number(scores.accuracy)}, null precision "
        f"{_number(scores.null_precision)}, null recall {_number(scores.null_recall)} "
        f"({scores.mapped} mapped, {scores.correct} of them right)",
        soft_wrap=True,
    )
    _print_absent(scores.missing, scores.ignored, name)


def _print_absent(missing: Sequence[str], ignored: Sequence[str], what: str) -> None:
    if missing:
        print(f"note: {len(missing)} gold items are not in {what} (first: {missing[0]})")
    if ignored:
        print(f"note: {len(ignored)} items of {what} are not in the gold standard, and ignored")


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}"
