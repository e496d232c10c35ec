"""Items scored by a gold standard: their candidates, choices or classes (`alignrank score`).

``--kind mapping`` scores files: the candidates of each item in their order, and which of them was
chosen, or none; by a gold standard with relations ranked lists of targets and relations.
``--kind retrieval`` scores metrics by the rank that they give the right targets of each source
entity.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain, combinations
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, EvaluationError, Message
from alignrank.common.files import JsonObject, read_text
from alignrank.common.names import count
from alignrank.common.progress import track
from alignrank.common.results import version
from alignrank.common.table import ColumnKind, Table
from alignrank.evaluation import (
    BalancedDistance,
    ConceptScores,
    LearningAccuracy,
    MappingScores,
    RankedListScores,
    adjust,
    concept_scores,
    discordant_items,
    gold_of,
    mapping_scores,
    mcnemar,
    ranked_list_scores,
    read_candidates,
    read_choices,
    read_concepts,
    read_queries,
)
from alignrank.evaluation.credit.credits import ZeroDivision
from alignrank.evaluation.credit.tied_ranks import Tie
from alignrank.evaluation.measures.retrieval.candidate_files import first_row
from alignrank.evaluation.measures.retrieval.typed_lists import (
    Parents,
    has_relations,
    read_typed_lists,
    read_typed_queries,
    typed_values,
)
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.input_cautions import check_reference
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import find_entity, named_files
from alignrank.experiments.presentation.columns import number_text
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
from alignrank.ontologies import Alignment, Hierarchy, Kind, load_ontology, local_name
from alignrank.ontologies.tasks.reader import AlignmentReader

#: Corrects the McNemar tests of several mappings.
CORRECTION = "bergmann-hommel"


def map_files(
    gold: Path,
    candidates: Path,
    matches: Sequence[str] = (),
    *,
    positive: Sequence[str] = ("match",),
    tie: Tie = "average",
    cutoffs: Sequence[int] = DEFAULTS.mapping_cutoffs,
    zero_division: ZeroDivision = "oaei",
    target: Path | None = None,
) -> None:
    """Score ranked candidates and mappings by a gold standard.

    A mapping may choose nothing for an item, and the gold standard may want that. By a gold
    standard with relations all files are ranked lists: typed MRR and nDCG@10.
    """
    if has_relations(gold):
        if (*positive, tie, *cutoffs) != ("match", "average", *DEFAULTS.mapping_cutoffs):
            raise ExperimentError(
                "typed lists have MRR and nDCG@10 only: leave --positive, --tie and --at out"
            )
        score_typed_lists(gold, [str(candidates), *matches], target)
        return
    if target is not None:
        raise ExperimentError(f"--target is of typed lists, and {gold} has no column Relation")
    queries = read_queries(gold, positive=positive)
    gold_by_item = queries.gold
    listed = read_candidates(candidates)
    ranked = ranked_list_scores(queries, listed, ks=cutoffs, tie=tie)
    chosen = {name: read_choices(path) for name, path in named_files(matches).items()}
    mapped = {
        name: mapping_scores(gold_by_item, choices, zero_division=zero_division)
        for name, choices in chosen.items()
    }
    tests: list[JsonObject] = []
    if mapped:
        tests = mapping_tests(tuple(mapped), discordant_items(gold_by_item, chosen))
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
            "mcnemar": tests,
            "cautions": cautions,
            "version": version(),
        }
    )


def mapping_tests(names: Sequence[str], counts: NDArray[np.int64]) -> list[JsonObject]:
    """Return McNemar's test of every pair of mappings over the items, where nothing is an answer.

    Parameters
    ----------
    names
        Of the mappings.
    counts
        (n, n): items that the row's mapping has correct and the column's wrong.

    Returns
    -------
    list of dict
        The two mappings, the items that only one of them has correct, the mid-p value, and the same
        adjusted for the number of pairs.

    Examples
    --------
    >>> mapping_tests(["a", "b"], np.array([[0, 6], [1, 0]]))[0]["p"]
    0.0703125
    """
    if len(names) < 2:
        return []
    p = mcnemar(counts, counts.T).p
    matrices = {"first_alone": counts, "second_alone": counts.T, "p": p}
    matrices["adjusted"] = adjust(p, CORRECTION).values
    return [
        {"first": names[i], "second": names[j]}
        | {key: matrix[i, j].item() for key, matrix in matrices.items()}
        for i, j in combinations(range(len(names)), 2)
    ]


def print_ranking(scores: RankedListScores) -> None:
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
    """Print the rates of mappings, the best F1 first; null P and R: of items without a match."""
    ordered = sorted(mappings.items(), key=lambda item: -item[1].f1)
    print_prose(best_first("F1", {name: number_text(s.f1) for name, s in ordered}))
    header = ["", "mapped", "correct", "precision", "recall", "F1", "accuracy", "null P", "null R"]
    rows = [[name, *list(vars(scores).values())[2:-2]] for name, scores in ordered]
    print_table(Table("Mappings", header, rows, show=number))


def print_tests(tests: Sequence[Mapping[str, object]]) -> None:
    """Print McNemar's test of each pair of mappings."""
    for test in tests:
        p = f"mid-p = {test['p']:.4g}"
        if len(tests) > 1:
            p += f", adjusted for {len(tests)} pairs ({CORRECTION}) {test['adjusted']:.4g}"
        print_prose(
            f"McNemar over items, null an answer: {test['first']} right alone on "
            f"{test['first_alone']}, {test['second']} on {test['second_alone']}; {p}"
        )


def absent(scores: RankedListScores | MappingScores, place: str) -> list[str]:
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
    """Return a count, a rate with four decimals, or a dash for an undefined rate."""
    if isinstance(value, int):
        return str(value)
    return number_text(value, 4)


#: Candidates that are kept of each source entity: beyond them a right one counts as not found.
TOP = 100


def retrieve(
    candidates: Candidates,
    reference: Alignment,
    metric: Metric,
    *,
    cutoffs: Sequence[int] = DEFAULTS.cutoffs,
    tie: Tie = "average",
) -> RankedListScores:
    """Score a metric by where it ranks the right targets of each source entity.

    Parameters
    ----------
    candidates
        The prepared pair.
    reference
        Its source entities are the items; whatever the relation, unless it is ``?``.
    metric
        Gives the order of the targets; pairs of similarity 0 are no candidates.
    cutoffs, tie
        As `alignrank.evaluation.measures.retrieval.ranked_lists.ranked_list_scores` takes them.
    """
    targets = ranked_targets(candidates, metric, max(TOP, *cutoffs))
    gold = gold_of(reference)
    listed = {item: targets[item] for item in gold if item in targets}
    return ranked_list_scores(gold, listed, ks=cutoffs, tie=tie)


def retrieve_pair(
    source: Path,
    target: Path,
    reference: Path,
    *,
    settings: Settings,
    metrics: Sequence[str] = ("standard",),
    cutoffs: Sequence[int] = DEFAULTS.cutoffs,
    tie: Tie = "average",
    imports: Path | None = None,
) -> None:
    """Score metrics by where they rank the right targets.

    No assignment is made: each source entity has its own list of targets.
    """
    chosen = select_metrics(metrics)
    alignment = AlignmentReader().reference(reference)
    pair = load_ontology(source, imports=imports), load_ontology(target, imports=imports)
    cautions = [str(c) for c in check_reference(alignment, *pair)]
    candidates = prepare(*pair, settings)
    scores = {
        metric.name: retrieve(candidates, alignment, metric, cutoffs=cutoffs, tie=tie)
        for metric in track(chosen, len(chosen), "ranking")
    }
    for name, of_metric in scores.items():
        cautions += absent(of_metric, f"the candidates by {name}")
    scores = dict(sorted(scores.items(), key=lambda item: -item[1].mrr))
    best = best_first("MRR", {name: number_text(s.mrr) for name, s in scores.items()})
    entities = count(next(iter(scores.values())).items, "source entity")
    print_prose(f"{best} {entities}, by the rank of their right targets.")
    header = ["metric", *(f"recall@{k}" for k in cutoffs), "MRR", "MAP", "mean rank", "found"]
    rows = [
        [name, *s.recall_at.values(), s.mrr, s.average_precision, s.mean_rank, s.found]
        for name, s in scores.items()
    ]
    print_table(Table("Ranked lists", header, rows, show=number))
    print_cautions(
        [
            *cautions,
            f"equal scores: {tie}",
            f"MRR, MAP and mean rank look at the first {TOP} targets of each entity",
        ]
    )
    by_metric = {name: asdict(s) for name, s in scores.items()}
    finish({"metrics": by_metric, "cautions": cautions, "version": version()})


def score_concepts(
    path: Path, key: str, response: str, *, imports: Path | None = None, n1: float | None = None
) -> None:
    """Measure how near classes are to the right ones (BDM).

    Balanced distance metric and learning accuracy, of two classes or of files of them.
    """
    files = [Path(name) for name in (key, response) if Path(name).is_file()]
    if len(files) == 1:
        raise ExperimentError(
            f"{files[0]} is a file, but the other is not: give two classes or two files"
        )
    ontology = load_ontology(path, imports=imports)
    hierarchy = Hierarchy.of(ontology, kinds=[Kind.CLASS])
    bdm = BalancedDistance(hierarchy, n1="all" if n1 is None else n1)
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
        pair = [find_entity(ontology, name, [Kind.CLASS]).iri for name in (key, response)]
        distance = bdm.distance(*pair)
        accuracy = LearningAccuracy(hierarchy)(*pair)
        classes = dict(zip(("key", "response"), pair, strict=True))
        content = {**classes, "learning_accuracy": accuracy, **asdict(distance)}
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
    finish({**content, "cautions": cautions, "version": version()})


def print_concepts(scores: ConceptScores) -> None:
    """Print the augmented and exact averages, and every pair of key and response."""
    out = console()
    for name, rates in (("augmented by BDM", scores.augmented), ("exact", scores.exact)):
        precision, recall, f1 = map(number_text, vars(rates).values())
        out.print(f"{name}: precision {precision}, recall {recall}, F1 {f1}")
    missing = sum(pair.response is None for pair in scores.pairs)
    spurious = sum(pair.key is None for pair in scores.pairs)
    pairs = count(len(scores.pairs), "pair")
    out.print(f"{pairs}; {count(missing, 'key')} missing, {count(spurious, 'response')} spurious")
    rows = []
    for item, *classes, bdm, accuracy in (vars(pair).values() for pair in scores.pairs):
        rows.append([item, *(local_name(c) if c else "–" for c in classes), bdm, accuracy])
    header = ["item", "key", "response", "BDM", "LA"]
    kinds: list[ColumnKind] = ["text", "text", "text", "number", "number"]
    table = Table("Pairs", header, rows, kinds=kinds, show="{:.4f}".format)
    print_table(table, wrapped=header[:3])


#: The typed measures, in the order of `TypedValues`.
HEADINGS = ("MRR", "nDCG@10")


def score_typed_lists(gold: Path, runs: Sequence[str], target: Path | None) -> None:
    """Print the typed MRR of ranked lists, and with the target's hierarchy their nDCG@10.

    Parameters
    ----------
    gold
        As `read_typed_queries` takes it.
    runs
        Files of ranked lists, ``FILE`` or ``NAME=FILE``.
    target
        The target ontology, or a table of its links.
    """
    queries = read_typed_queries(gold)
    parents = None if target is None else read_parents(target)
    equivalent = {key for key, query in queries.items() if query.preferred[0][1] == "="}
    slices = {"": queries.keys(), " of =": equivalent, " of < >": queries.keys() - equivalent}
    headings = HEADINGS if target else HEADINGS[:1]
    means: dict[str, dict[str, float]] = {}
    cautions = []
    for name, path in named_files(runs).items():
        lists, foreign = read_typed_lists(path, queries)
        cautions += foreign
        values = typed_values(queries, lists, parents)
        means[name] = {
            heading + title: fmean(values[key][place] for key in keys)
            for title, keys in slices.items()
            for place, heading in enumerate(headings)
            if keys
        }
        if missing := len(queries.keys() - lists.keys()):
            cautions.append(f"{name} has no entry of {count(missing, 'query')}: each counts 0")
    targets = set().union(*(query.pool for query in queries.values()))
    if parents is None:
        cautions.append("no nDCG: give the target ontology or its table of links with --target")
    elif targets.isdisjoint({*parents, *chain.from_iterable(parents.values())}):
        cautions.append(
            f"none of the {len(targets)} targets is in {target}: nDCG@10 knows no hierarchy. Is it "
            "the target's?"
        )
    means = dict(sorted(means.items(), key=lambda item: -item[1]["MRR"]))
    best = {name: number_text(of_run["MRR"]) for name, of_run in means.items()}
    print_prose(f"{best_first('typed MRR', best)} {count(len(queries), 'query')}.")
    rows = [[name, *map(number_text, of_run.values())] for name, of_run in means.items()]
    print_numbers(["system", *next(iter(means.values()))], rows)
    print_cautions(cautions)
    content = {"queries": len(queries), "means": means, "cautions": cautions}
    finish({**content, "version": version()})


def read_parents(path: Path) -> Parents:
    """Read direct super-entities by entity: an ontology, or a table ``child_id, parent_id``."""
    text = read_text(path, EvaluationError)
    titles, mark = first_row(text)
    if not {"child_id", "parent_id"} <= set(titles):
        if content_of(path) != "ontology":
            raise EvaluationError(
                f"{path}, line 1: a table of links needs the columns child_id and parent_id; else "
                "name the target ontology"
            )
        ontology = load_ontology(path)
        return {entity.iri: ontology.parents.get(entity.iri, ()) for entity in ontology}
    parents: dict[str, list[str]] = {}
    for row in csv.DictReader(text.splitlines(), delimiter=mark):
        of_child = parents.setdefault(row["child_id"], [])
        if row["parent_id"]:
            of_child.append(row["parent_id"])
    return parents
