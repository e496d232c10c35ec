"""Items mapped to candidates or to nothing, judged by a gold standard (`alignrank mapping`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from evaluation import adjust, mcnemar
from evaluation.credit.credits import ZeroDivision
from evaluation.credit.tied_ranks import Tie
from evaluation.measures.retrieval.choices import MappingScores, discordant_items, mapping_scores
from evaluation.measures.retrieval.ranked_candidates import (
    Candidates,
    RankingScores,
    ranking_scores,
)
from evaluation.measures.retrieval.reading import read_candidates, read_choices, read_gold
from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import named_files
from experiments.report.console import console, print_notes, say
from experiments.results.writing import finite
from ontologies.common.wording import count

#: Corrects the McNemar tests of several mappings.
CORRECTION = "bergmann-hommel"


@dataclass(frozen=True)
class Discordance:
    """McNemar's test of two mappings over the items; nothing is an answer too.

    Parameters
    ----------
    first, second
        The mappings.
    first_alone, second_alone
        Items that only this one gets right.
    p, adjusted
        Mid-p value, and the same adjusted for the number of pairs.
    """

    first: str
    second: str
    first_alone: int
    second_alone: int
    p: float
    adjusted: float


def map_files(
    gold: Path,
    candidates: Path,
    matches: Sequence[str],
    *,
    positive: Sequence[str],
    tie: str,
    cutoffs: Sequence[int],
    zero_division: str,
    form: str,
) -> None:
    """Read, judge and print (`alignrank mapping`)."""
    check_words(tie=tie, format=form)
    if zero_division not in get_args(ZeroDivision):
        raise ExperimentError(f"--zero-division {zero_division!r} is unknown: use oaei, zero, nan")
    how: Any = tie
    zero: Any = zero_division
    right = read_gold(gold, positive=positive)
    listed = read_candidates(candidates)
    ranked = ranking_scores(right, listed, ks=cutoffs, tie=how)
    chosen = {name: read_choices(path) for name, path in named_files(matches).items()}
    mapped = {name: mapping_scores(right, c, zero_division=zero) for name, c in chosen.items()}
    tests = discordances(tuple(mapped), discordant_items(right, chosen)) if mapped else ()
    notes = [
        *absent(ranked, "the candidates"),
        *repeated(listed),
        *(note for name, scores in mapped.items() for note in absent(scores, name)),
    ]
    if form == "json":
        content = {
            "candidates": asdict(ranked),
            "mappings": {name: asdict(scores) for name, scores in mapped.items()},
            "mcnemar": [vars(test) for test in tests],
            "notes": notes,
        }
        print(json.dumps(finite(content), indent=1, ensure_ascii=False))
        return
    print_ranking(ranked)
    if mapped:
        say("")
        print_mappings(mapped)
    print_tests(tests)
    print_notes(notes)


def check_words(**given: str) -> None:
    """Raise `ExperimentError` if a tie rule or an output format is unknown."""
    for option, words in (("tie", get_args(Tie)), ("format", ("table", "json"))):
        if given[option] not in words:
            raise ExperimentError(
                f"--{option} {given[option]!r} is unknown: use {', '.join(words)}"
            )


def discordances(names: Sequence[str], counts: np.ndarray[Any, Any]) -> tuple[Discordance, ...]:
    """Return McNemar's test of every pair of mappings.

    Parameters
    ----------
    names
        Of the mappings.
    counts
        (n, n): items that the row's mapping gets right and the column's wrong.

    Examples
    --------
    >>> discordances(["a", "b"], np.array([[0, 6], [1, 0]]))[0].p
    0.0703125
    """
    n = len(names)
    if n < 2:
        return ()
    p = np.full((n, n), np.nan)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for i, j in pairs:
        p[i, j] = p[j, i] = mcnemar(int(counts[i, j]), int(counts[j, i])).p
    adjusted = adjust(p, CORRECTION).values
    return tuple(
        Discordance(
            names[i],
            names[j],
            int(counts[i, j]),
            int(counts[j, i]),
            float(p[i, j]),
            float(adjusted[i, j]),
        )
        for i, j in pairs
    )


def print_ranking(scores: RankingScores) -> None:
    """Print hits, recall and nDCG at each cut-off, and the averages."""
    from rich.table import Table

    out = console()
    out.print(f"{count(scores.items, 'item')}, {scores.positives} with a right candidate")
    table = Table(box=None, pad_edge=False)
    for name in ("n", "recall@n", "hits@n", "nDCG@n"):
        table.add_column(name, justify="right")
    for k in scores.recall_at:
        row = (scores.recall_at[k], scores.hits_at[k], scores.ndcg_at[k])
        table.add_row(str(k), *map(number, row))
    out.print(table)
    out.print(
        f"MRR {number(scores.mrr)}, MAP {number(scores.average_precision)}, mean rank "
        f"{number(scores.mean_rank)} over the {scores.found} found (equal scores: {scores.tie})"
    )


def print_mappings(mappings: Mapping[str, MappingScores]) -> None:
    """Print each mapping's rates, and how well it tells nothing from something."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    headings = {"mapped": "mapped", "correct": "correct", "precision": "precision"}
    headings |= {"recall": "recall", "f1": "F1", "accuracy": "accuracy"}
    headings |= {"null_precision": "null P", "null_recall": "null R"}
    for heading in headings.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for name, scores in mappings.items():
        table.add_row(name, *(number(getattr(scores, column)) for column in headings))
    console().print(table)


def print_tests(tests: Sequence[Discordance]) -> None:
    """Print McNemar's test of each pair of mappings."""
    adjusted = len(tests) > 1
    for test in tests:
        p = f"mid-p = {test.p:.4g}"
        if adjusted:
            p += f", adjusted for {len(tests)} pairs ({CORRECTION}) {test.adjusted:.4g}"
        console().print(
            f"McNemar over items, null an answer: {test.first} right alone on {test.first_alone}, "
            f"{test.second} on {test.second_alone}; {p}",
            soft_wrap=True,
        )


def absent(scores: RankingScores | MappingScores, what: str) -> list[str]:
    """Return a sentence on gold items that are not in `what`, and one on those of `what` only."""
    notes = []
    if scores.missing:
        notes.append(
            f"{count(len(scores.missing), 'gold item')} not in {what} (first: {scores.missing[0]})"
        )
    if scores.ignored:
        notes.append(
            f"{count(len(scores.ignored), 'item')} of {what} not in the gold standard: ignored "
            f"(first: {scores.ignored[0]})"
        )
    return notes


def repeated(candidates: Candidates) -> list[str]:
    """Return a sentence on candidates that are listed twice for an item."""
    items = [i for i, found in candidates.items() if len({c.name for c in found}) < len(found)]
    if not items:
        return []
    twice = count(len(items), "item")
    return [f"a candidate comes twice for {twice} (as {items[0]}): the first counts"]


def number(value: float) -> str:
    """Return a count as it is, a rate with four decimals, a dash where it is undefined."""
    if isinstance(value, int):
        return str(value)
    return "–" if value != value else f"{value:.4f}"
