"""Simulate judged samples with real references as the truth.

    python docs/judged_simulation.py OAEI_FOLDER --runs 1000

prints a table: the task; the number of questions; the share of F1 intervals that hold the truth,
each by itself; the share of runs in which all intervals of differences do; the share of runs with
a wrong arrow; tau-b with the order by the whole reference; the mean width of F1's intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import reduce
from operator import or_
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau

from alignrank.evaluation import score
from alignrank.evaluation.comparison.judged_samples import sample_of
from alignrank.evaluation.judged.conclusions import bounded_sums, conclude, f1_gradient, f1_of
from alignrank.evaluation.judged.draw import draw
from alignrank.evaluation.judged.judgements import Judgements
from alignrank.ontologies import Alignment, read_alignment

SIZES = (50, 100, 200, 400, 800)


def simulate(
    systems: Mapping[str, Alignment], reference: Alignment, questions: int, runs: int
) -> list[float]:
    """Return the columns of the table for one task and number of questions."""
    truth = {c.pair for c in reference if c.relation == "="}
    equivalences = {name: a.where(lambda c: c.relation == "=") for name, a in systems.items()}
    f1_with_reference = np.array([score(a, reference).f1 for a in equivalences.values()])
    held, together, wrong, taus, widths = [], [], [], [], []
    for run in range(runs):
        drawn = draw(equivalences, seed=str(run))
        pool = drawn.pool
        sources = [pool.sources[k] for k in drawn.order[:questions]]
        asked = set(sources)
        verdicts = {pair: float(pair in truth) for pair in pool.pairs if pair[0] in asked}
        weights = dict(zip(pool.sources, drawn.weights.tolist(), strict=True))
        judgements = Judgements(verdicts, frozenset(pool.pairs), weights, str(run))
        sample = sample_of(equivalences, judgements)
        sums = sample.runs()[0]
        estimate = conclude([sums], sample.weights)
        right = np.array([pair in truth for pair in pool.pairs])
        true_sums = (sums.membership.T @ right).astype(float)
        true_f1 = f1_of(true_sums[:-1], pool.sizes.astype(float), true_sums[-1])
        counts = bounded_sums(sums)
        f1 = f1_of(counts[:-1], pool.sizes.astype(float), counts[-1])
        half = sums.half_widths(f1_gradient(sums), 0.95, together=False)
        held.append(np.abs(f1 - true_f1) <= half + 1e-12)
        widths.append(2 * half.mean())
        differences = estimate.differences["f1"]
        true_difference = true_f1[:, None] - true_f1
        inside = (differences.low <= true_difference + 1e-12) & (
            true_difference - 1e-12 <= differences.high
        )
        together.append(inside.all())
        names = list(pool.systems)
        wrong.append(
            any(
                f1_with_reference[names.index(better)] < f1_with_reference[names.index(worse)]
                for better, worse in estimate.whatever
            )
        )
        taus.append(kendalltau(f1, f1_with_reference).statistic)
    return [float(np.mean(column)) for column in (held, together, wrong, taus, widths)]


def tasks(folder: Path) -> dict[str, tuple[dict[str, Alignment], Alignment]]:
    """Return systems and reference of each campaign; the 21 pairs of conference are one task."""
    reference = read_alignment(folder / "anatomy" / "reference.rdf")
    campaigns = {}
    for year in ("2016", "2018", "2023"):
        files = sorted((folder / "anatomy" / f"systems-{year}").glob("*.rdf"))
        systems = {file.stem: read_alignment(file) for file in files}
        campaigns[f"anatomy {year}"] = systems, reference
    references = sorted((folder / "conference" / "reference").glob("*.rdf"))
    conference: dict[str, Alignment] = {}
    for file in sorted((folder / "conference" / "systems-2019").glob("*.rdf")):
        system, _, task = file.stem.partition("-")
        if task.casefold() in {reference.stem.casefold() for reference in references}:
            conference[system] = conference.get(system, Alignment()) | read_alignment(file)
    whole = reduce(or_, map(read_alignment, references))
    return campaigns | {"conference 2019": (conference, whole)}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--questions", type=int, nargs="*", default=SIZES)
    arguments = parser.parse_args()
    print("task\tquestions\tF1 holds\tdifferences hold\twrong arrows\ttau-b\twidth of F1")
    for name, (systems, reference) in tasks(arguments.folder).items():
        for questions in arguments.questions:
            row = simulate(systems, reference, questions, arguments.runs)
            print(name, questions, *(f"{value:.3f}" for value in row), sep="\t", flush=True)


if __name__ == "__main__":
    main()
