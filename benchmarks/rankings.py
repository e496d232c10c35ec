"""Measures of rankings beside pytrec_eval, ranx and ir_measures: where they agree, and where not.

python benchmarks/rankings.py > benchmarks/results/rankings.md
"""

from __future__ import annotations

import importlib
import importlib.metadata
import random
import time
from collections.abc import Callable, Mapping

from alignrank.evaluation import ranked_list_values

Gold = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
#: Values by measure and query.
Values = Mapping[str, Mapping[str, float]]
#: Names of the measures: ours, pytrec_eval's and ranx's; ir_measures' are below.
MEASURES = {
    "MRR": ("recip_rank", "mrr"),
    "MAP": ("map", "map"),
    "Hits@5": ("success_5", "hit_rate@5"),
    "P@5": ("P_5", "precision@5"),
    "R@10": ("recall_10", "recall@10"),
    "nDCG@10": ("ndcg_cut_10", "ndcg@10"),
}
IR_MEASURES = ("RR", "AP", "Success@5", "P@5", "R@10", "nDCG@10")
QUERIES = 4_000


def ours(gold: Gold, run: Run) -> Values:
    """Return the expected values."""
    right = {query: [d for d, grade in by.items() if grade] for query, by in gold.items()}
    rankings = ranked_list_values(right, [("run", run)], list(MEASURES))
    return {
        name: dict(zip(rankings.queries, values.expected.tolist(), strict=True))
        for name, values in rankings.values["run"].items()
    }


def pytrec_eval(gold: Gold, run: Run) -> Values:
    """Return the values of pytrec_eval."""
    library = importlib.import_module("pytrec_eval")
    names = {theirs for theirs, _ in MEASURES.values()}
    by_query = library.RelevanceEvaluator(gold, names).evaluate(run)
    return {
        name: {query: values[theirs] for query, values in by_query.items()}
        for name, (theirs, _) in MEASURES.items()
    }


def ranx(gold: Gold, run: Run) -> Values:
    """Return the values of ranx."""
    library = importlib.import_module("ranx")
    queries = sorted(run)
    truth = library.Qrels({query: gold[query] for query in queries})
    values = {}
    for name, (_, theirs) in MEASURES.items():
        array = library.evaluate(truth, library.Run(run), theirs, return_mean=False)
        values[name] = dict(zip(queries, map(float, array), strict=True))
    return values


def ir_measures(gold: Gold, run: Run) -> Values:
    """Return the values of ir_measures."""
    library = importlib.import_module("ir_measures")
    parsed = {str(library.parse_measure(text)): name for name, text in _texts().items()}
    values: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    for row in library.iter_calc(list(map(library.parse_measure, IR_MEASURES)), gold, run):
        values[parsed[str(row.measure)]][row.query_id] = row.value
    return values


def _texts() -> dict[str, str]:
    return dict(zip(MEASURES, IR_MEASURES, strict=True))


LIBRARIES: tuple[Callable[[Gold, Run], Values], ...] = (pytrec_eval, ranx, ir_measures)


def random_task(*, ties: bool) -> tuple[Gold, Run]:
    """Return a gold standard, and a run of up to 30 documents for each query."""
    rng = random.Random(0)
    gold: Gold = {}
    run: Run = {}
    for number in range(QUERIES):
        query = f"q{number}"
        documents = [f"d{k}" for k in rng.sample(range(60), 30)]
        gold[query] = {d: int(rng.random() < 0.2) for d in documents[:20]} | {"m": 1}
        listed = documents[: rng.randint(1, 30)]
        scores = rng.sample(range(1000), len(listed))
        run[query] = {d: float(s % 4 if ties else s) for d, s in zip(listed, scores, strict=True)}
    return gold, run


def largest_difference(library: Callable[[Gold, Run], Values], *, ties: bool) -> float:
    """Return the largest difference of a value to ours."""
    gold, run = random_task(ties=ties)
    own, theirs = ours(gold, run), library(gold, run)
    return max(
        abs(value - own[name][query])
        for name, by_query in theirs.items()
        for query, value in by_query.items()
    )


def seconds(library: Callable[[Gold, Run], Values]) -> float:
    """Return the processor seconds that a library takes, without what it does only once."""
    gold, run = random_task(ties=False)
    library(gold, run)
    start = time.process_time()
    library(gold, run)
    return time.process_time() - start


def reciprocal_ranks(library: Callable[[Gold, Run], Values]) -> list[str]:
    """Return a library's reciprocal rank of one right document among four of the same score.

    The right document comes first or last, and its name is the first or the last.
    """
    values = set()
    for name in ("a", "z"):
        for documents in ([name, "p", "q", "r"], ["p", "q", "r", name]):
            run = {"q": dict.fromkeys(documents, 0.5)}
            values.add(library({"q": {name: 1}}, run)["MRR"]["q"])
    return [f"{value:.3g}" for value in sorted(values)]


def main() -> None:
    """Print the page."""
    print("# Rankings: pytrec_eval, ranx and ir_measures\n")
    print(
        f"{QUERIES:,} random queries, with {', '.join(MEASURES)}. Without ties every "
        "library has the same value for every query, up to rounding. With ties a library takes "
        "one order of the tied documents: by their names, or by their place in the file. Ours is "
        "the mean over all orders. The column of ranks has one right document among four of the "
        "same score: its reciprocal rank if only its name and place change. Times are processor "
        "seconds for the dictionaries without ties, as a ratio to ours, which has the lowest and "
        "highest value over all orders, too. `python benchmarks/rankings.py` makes this page.\n"
    )
    heading = (
        "library | largest difference, no ties | with ties | reciprocal rank of four tied | time"
    )
    print(f"| {heading} |\n|---|---:|---:|---|---:|")
    times = {library: seconds(library) for library in (ours, *LIBRARIES)}
    for library in (ours, *LIBRARIES):
        name = "alignrank" if library is ours else library.__name__
        version = importlib.metadata.version(PACKAGES.get(name, name))
        untied, tied = (f"{largest_difference(library, ties=ties):.1g}" for ties in (False, True))
        ranks = " or ".join(reciprocal_ranks(library))
        ratio = times[library] / times[ours]
        print(f"| {name} {version} | {untied} | {tied} | {ranks} | {ratio:.1f} |")


#: Packages that are called otherwise than their module.
PACKAGES = {"pytrec_eval": "pytrec_eval-terrier"}

if __name__ == "__main__":
    main()
