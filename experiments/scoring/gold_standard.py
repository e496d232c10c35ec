"""Items judged by a gold standard: their candidates, choices or classes (`alignrank score`).

``--kind mapping`` judges files: the candidates of each item in their order, and which of them was
chosen, or none. ``--kind retrieval`` judges metrics by the rank that they give the right targets of
each source entity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from alignrank.common.errors import Argument, Message
from alignrank.common.names import count
from alignrank.common.progress import track
from alignrank.common.table import ColumnKind, Table
from alignrank.evaluation import (
    BalancedDistance,
    ConceptScores,
    LearningAccuracy,
    MappingScores,
    RankingScores,
    adjust,
    concept_scores,
    discordant_items,
    gold_of,
    mapping_scores,
    mcnemar,
    ranking_scores,
    read_candidates,
    read_choices,
    read_concepts,
    read_queries,
)
from alignrank.evaluation.credit.credits import ZeroDivision
from alignrank.evaluation.credit.tied_ranks import Tie
from alignrank.evaluation.measures.retrieval.typed_lists import has_relations
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import read_reference
from alignrank.experiments.inputs.input_cautions import check_reference
from alignrank.experiments.inputs.named_inputs import find_entity, named_files
from alignrank.experiments.presentation.columns import decimals
from alignrank.experiments.ranking.matching import ranked_targets
from alignrank.experiments.report.console import (
    best_first,
    console,
    finish,
    print_cautions,
    print_numbers,
    print_prose,
    print_table,
)
from alignrank.matchers import Candidates, Metric, Settings, prepare, select_metrics
from alignrank.ontologies import Alignment, Hierarchy, Kind, Ontology, load_ontology, local_name

from .typed_lists import score_typed_lists

#: Corrects the McNemar tests of several mappings.
CORRECTION = "bergmann-hommel"


@dataclass(frozen=True)
class MappingTest:
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
    matches: Sequence[str] = (),
    *,
    positive: Sequence[str] = ("match",),
    tie: Tie = "average",
    cutoffs: Sequence[int] = (1, 3, 5, 10),
    zero_division: ZeroDivision = "oaei",
    target: Path | None = None,
) -> None:
    """Score ranked candidates and mappings by a gold standard.

    A mapping may choose nothing for an item, and the gold standard may want that. By a gold
    standard with relations all files are ranked lists: typed MRR and nDCG@10.

    Example: alignrank score gold.tsv candidates.tsv mine.tsv theirs.tsv

    Example: alignrank score answers.tsv mine.tsv theirs.tsv --target hierarchy.tsv
    """
    if has_relations(gold):
        score_typed_lists(gold, [str(candidates), *matches], target)
        return
    queries = read_queries(gold, positive=positive)
    right = queries.right
    listed = read_candidates(candidates)
    ranked = ranking_scores(queries, listed, ks=cutoffs, tie=tie)
    chosen = {name: read_choices(path) for name, path in named_files(matches).items()}
    mapped = {
        name: mapping_scores(right, choices, zero_division=zero_division)
        for name, choices in chosen.items()
    }
    tests: tuple[MappingTest, ...] = ()
    if mapped:
        tests = discordances(tuple(mapped), discordant_items(right, chosen))
        print_mappings(mapped)
    cautions = [
        *absent(ranked, "the candidates"),
        *listed.cautions,
        *(text for name, scores in mapped.items() for text in absent(scores, name)),
    ]
    print_tests(tests)
    print_ranking(ranked)
    print_cautions(cautions)
    finish(
        {
            "candidates": asdict(ranked),
            "mappings": {name: asdict(scores) for name, scores in mapped.items()},
            "mcnemar": [vars(test) for test in tests],
            "cautions": cautions,
        }
    )


def discordances(names: Sequence[str], counts: NDArray[np.int64]) -> tuple[MappingTest, ...]:
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
    if len(names) < 2:
        return ()
    p = mcnemar(counts, counts.T).p
    matrices = counts, counts.T, p, adjust(p, CORRECTION).values
    return tuple(
        MappingTest(names[i], names[j], *(matrix[i, j].item() for matrix in matrices))
        for i, j in combinations(range(len(names)), 2)
    )


def print_ranking(scores: RankingScores) -> None:
    """Print the averages, and hits, recall and nDCG at each cut-off."""
    without = scores.items - scores.positives
    left_out = ""
    if without:
        left_out = f"; {without} without: left out of the means (trec_eval counts each as 0)"
    print_prose(
        f"MRR {number(scores.mrr)}, MAP {number(scores.average_precision)}, mean rank "
        f"{number(scores.mean_rank)} over the {scores.found} found (equal scores: {scores.tie}); "
        f"{count(scores.items, 'item')}, {scores.positives} with a right candidate"
        f"{left_out}."
    )
    by_cutoff = scores.recall_at, scores.hits_at, scores.ndcg_at
    rows = [[str(n), *(number(at[n]) for at in by_cutoff)] for n in scores.recall_at]
    print_numbers(["n", "recall@n", "hits@n", "nDCG@n"], rows, names=0)


def print_mappings(mappings: Mapping[str, MappingScores]) -> None:
    """Print the rates of mappings, the best F1 first, and how well they tell what has no match."""
    ordered = sorted(mappings.items(), key=lambda item: -item[1].f1)
    print_prose(best_first("F1", {name: decimals(s.f1) for name, s in ordered}))
    header = ["", "mapped", "correct", "precision", "recall", "F1", "accuracy", "null P", "null R"]
    names = ("mapped", "correct", "precision", "recall", "f1", "accuracy")
    rows = [
        [name, *(getattr(s, n) for n in names), s.null_precision, s.null_recall]
        for name, s in ordered
    ]
    print_table(Table("Mappings", header, rows, show=number))


def print_tests(tests: Sequence[MappingTest]) -> None:
    """Print McNemar's test of each pair of mappings."""
    for test in tests:
        p = f"mid-p = {test.p:.4g}"
        if len(tests) > 1:
            p += f", adjusted for {len(tests)} pairs ({CORRECTION}) {test.adjusted:.4g}"
        print_prose(
            f"McNemar over items, null an answer: {test.first} right alone on {test.first_alone}, "
            f"{test.second} on {test.second_alone}; {p}"
        )


def absent(scores: RankingScores | MappingScores, place: str) -> list[str]:
    """Return sentences on the items that only the gold standard, or only `place` has."""
    cautions = []
    if scores.missing:
        cautions.append(
            f"{count(len(scores.missing), 'gold item')} not in {place} (first: {scores.missing[0]})"
        )
    if scores.ignored:
        cautions.append(
            f"{count(len(scores.ignored), 'item')} of {place} not in the gold standard: ignored "
            f"(first: {scores.ignored[0]})"
        )
    return cautions


def number(value: float) -> str:
    """Return a count as it is, a rate with four decimals, a dash where it is undefined."""
    if isinstance(value, int):
        return str(value)
    return decimals(value, 4)


#: Candidates that are kept of each source entity: beyond them a right one counts as not found.
TOP = 100


def retrieve(
    candidates: Candidates,
    reference: Alignment,
    metric: Metric,
    *,
    cutoffs: Sequence[int] = (1, 5, 10),
    tie: Tie = "average",
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
        As `alignrank.evaluation.measures.retrieval.query_lists.ranking_scores` takes them.
    """
    targets = ranked_targets(candidates, metric, max(TOP, *cutoffs))
    gold = gold_of(reference)
    listed = {item: targets[item] for item in gold if item in targets}
    return ranking_scores(gold, listed, ks=cutoffs, tie=tie)


def retrieve_pair(
    source: Path,
    target: Path,
    reference: Path,
    *,
    settings: Settings,
    metrics: Sequence[str] = ("standard",),
    cutoffs: Sequence[int] = (1, 5, 10),
    tie: Tie = "average",
    imports: Path | None = None,
) -> None:
    """Judge metrics by where they rank the right targets.

    No assignment is made: each source entity has its own list of targets.

    Example: alignrank score mouse.owl human.owl reference.rdf --metric smoa --at 1 --at 10
    """
    chosen = select_metrics(metrics)
    judge = read_reference(reference)
    source_ontology, target_ontology = (
        load_ontology(path, imports=imports) for path in (source, target)
    )
    cautions = [str(c) for c in check_reference(judge, source_ontology, target_ontology)]
    candidates = prepare(source_ontology, target_ontology, settings)
    scores = {
        metric.name: retrieve(candidates, judge, metric, cutoffs=cutoffs, tie=tie)
        for metric in track(chosen, len(chosen), "ranking")
    }
    cautions += [
        note
        for name, scores_of_metric in scores.items()
        for note in absent(scores_of_metric, f"the candidates by {name}")
    ]
    scores = dict(sorted(scores.items(), key=lambda item: -item[1].mrr))
    best = best_first("MRR", {name: decimals(s.mrr) for name, s in scores.items()})
    judged = count(next(iter(scores.values())).items, "source entity")
    print_prose(f"{best} {judged}, by the rank of their right targets.")
    print_rankings(scores)
    print_cautions(
        [
            *cautions,
            f"equal scores: {tie}",
            f"MRR, MAP and mean rank look at the first {TOP} targets of each entity",
        ]
    )
    finish({"metrics": {name: asdict(s) for name, s in scores.items()}, "cautions": cautions})


def print_rankings(rankings: Mapping[str, RankingScores]) -> None:
    """Print recall at each cut-off and the averages, a row for each metric."""
    cutoffs = list(next(iter(rankings.values())).recall_at)
    header = ["metric", *(f"recall@{k}" for k in cutoffs), "MRR", "MAP", "mean rank", "found"]
    rows = [
        [name, *s.recall_at.values(), s.mrr, s.average_precision, s.mean_rank, s.found]
        for name, s in rankings.items()
    ]
    print_table(Table("Rankings", header, rows, show=number))


def find_class(ontology: Ontology, name: str) -> str:
    """Return the IRI of the class that `name` means: an IRI, the last part of one, or a label.

    Raises
    ------
    ExperimentError
        If no class or several classes are called so.
    """
    return find_entity(ontology, name, [Kind.CLASS]).iri


def judge_concepts(
    path: Path, key: str, response: str, *, imports: Path | None = None, n1: float | None = None
) -> None:
    """Measure how near classes are to the right ones (BDM).

    Balanced distance metric and learning accuracy, of two classes or of files of them.

    Example: alignrank score protonu.owl City Location --imports proton
    """
    files = [Path(name) for name in (key, response) if Path(name).is_file()]
    if len(files) == 1:
        raise ExperimentError(
            f"{files[0]} is a file, but the other is not: give two classes or two files"
        )
    ontology = load_ontology(path, imports=imports)
    hierarchy = Hierarchy.of(ontology, kinds=[Kind.CLASS])
    bdm = BalancedDistance(hierarchy)
    if n1 is not None:
        bdm = BalancedDistance(hierarchy, n1=n1)
    cautions = [f"a cycle was taken as one class: {', '.join(cycle)}" for cycle in hierarchy.cycles]
    if ontology.missing_imports:
        missing = ", ".join(ontology.missing_imports)
        text = f"imports not found locally: {missing} (name their folder, "
        cautions.append(Message(text, Argument("imports"), ")"))
    if files:
        keys, responses = (read_concepts(file, hierarchy) for file in files)
        scores = concept_scores(keys, responses, bdm)
        content = asdict(scores)
        print_concepts(scores)
    else:
        key_class, response_class = find_class(ontology, key), find_class(ontology, response)
        distance = bdm.distance(key_class, response_class)
        accuracy = LearningAccuracy(hierarchy)(key_class, response_class)
        content = {
            "key": key_class,
            "response": response_class,
            "learning_accuracy": accuracy,
            **asdict(distance),
        }
        shared = local_name(distance.msca or "nothing")
        if distance.msca == "":
            shared = "the root"
        print_prose(f"BDM {distance.bdm:.4f}, learning accuracy {accuracy:.4f}")
        print_prose(
            f"most specific common class: {shared}; CP {distance.cp}, DPK {distance.dpk}, DPR "
            f"{distance.dpr}; n1 {distance.n1:.4f}, n2 {distance.n2:.4f}, n3 {distance.n3:.4f}, "
            f"branching {distance.branching:.4f}"
        )
    print_cautions(cautions)
    finish({**content, "cautions": cautions})


def print_concepts(scores: ConceptScores) -> None:
    """Print the augmented and exact averages, and every pair of key and response."""
    out = console()
    for name, rates in (("augmented by BDM", scores.augmented), ("exact", scores.exact)):
        out.print(
            f"{name}: precision {decimals(rates.precision)}, recall {decimals(rates.recall)}, F1 "
            f"{decimals(rates.f1)}"
        )
    missing = sum(pair.response is None for pair in scores.pairs)
    spurious = sum(pair.key is None for pair in scores.pairs)
    out.print(
        f"{count(len(scores.pairs), 'pair')}; {count(missing, 'key')} missing, "
        f"{count(spurious, 'response')} spurious"
    )
    rows = [
        [
            pair.item,
            *(local_name(c) if c else "–" for c in (pair.key, pair.response)),
            pair.bdm,
            pair.learning_accuracy,
        ]
        for pair in scores.pairs
    ]
    header = ["item", "key", "response", "BDM", "LA"]
    kinds: list[ColumnKind] = ["text", "text", "text", "number", "number"]
    pairs = Table("Pairs", header, rows, kinds=kinds, show="{:.4f}".format)
    print_table(pairs, wrapped=header[:3])
