"""Simulate judged samples with real references as the truth.

    python studies/judged_simulation.py OAEI_FOLDER --runs 1000 --out docs

writes three tables. ``simulation-judged.csv`` has a row for systems and a number of questions: the
share of F1 intervals that hold the truth, each by itself; the share of runs in which all intervals
of differences do; the share of runs with a wrong arrow; tau-b with the order by the whole
reference; the mean width of F1's intervals. ``simulation-judged-size.csv`` has a row for two
systems and a number of questions: how often McNemar's test from judgements rejects at 5% where the
systems are equal, because each question swaps their roles by chance.
``simulation-judged-verdicts.csv`` has a row for systems: the share of runs in which, at some
verdict, the interval of some difference leaves out the true one (more than the runs with a false
arrow); the same where the judge looks after every ten answers at 5%, as versions before 0.3 did;
and the share of the differences that the first three verdicts find.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau

from alignrank.common.table import write_rows
from alignrank.evaluation import score
from alignrank.evaluation.judged.conclusions import (
    better_systems,
    bounded_sums,
    differences_in_pool,
    f1_of,
    judged_tests,
    measures_of,
)
from alignrank.evaluation.judged.draw import (
    Schedule,
    drawn_order,
    inclusion,
    question_weights,
    verdict_numbers,
)
from alignrank.evaluation.judged.estimate import PoolSums
from alignrank.evaluation.judged.pool import Pool, pool_of
from alignrank.ontologies import Alignment, Correspondence, read_alignment

LEVEL = 0.95
#: Looks of a judge who looks often, and the share of the runs in which they are simulated.
LOOKS, SHARE_OF_LOOKS = range(50, 401, 10), 0.1
SIZES = (50, 100, 200, 400, 800)
COLUMNS = ("F1 holds", "differences hold", "wrong arrows", "tau-b", "width of F1")
#: The least share of all questions that is left, so that something is estimated.
REST = 0.2
#: Subsets of the systems of anatomy 2016 and of conference 2019, by task.
SUBSETS = {
    "anatomy 2016": (("AML", "XMap"), ("AML", "LogMapLite"), ("LYAM", "Lily"), ("AML",), ("Lily",)),
    "conference 2019": (("AML", "LogMap"), ("ALIN", "Lily"), ("AML",), ("Lily",)),
}


def judged_sums(
    pool: Pool, weights: np.ndarray, right: np.ndarray, questions: int, seed: str
) -> PoolSums:
    """Return the sums of a sample: the first questions of a draw, judged by the truth."""
    order, priorities = drawn_order(pool.sources, weights, seed)
    judged = np.zeros(len(order), dtype=bool)
    judged[order[:questions]] = True
    answers = np.where(judged[pool.question], right, 0.0)
    return PoolSums(pool, answers, judged, inclusion(weights, priorities, questions))


def simulate(
    systems: Mapping[str, Alignment], reference: Alignment, questions: int, runs: int
) -> list[float]:
    """Return the values of `COLUMNS` for one task and number of questions."""
    pool, right = pool_and_truth(systems, reference)
    weights, sizes = question_weights(pool), pool.sizes.astype(float)
    reached = np.array([score(a, reference).f1 for a in equivalences(systems).values()])
    true_sums = np.r_[pool.proposed.T @ right, right.sum()]
    true_f1 = f1_of(true_sums[:-1], sizes, true_sums[-1])
    true_difference = true_f1[:, None] - true_f1
    holds, together, wrong, taus, widths = [], [], [], [], []
    for run in range(runs):
        sums = judged_sums(pool, weights, right, questions, str(run))
        differences = differences_in_pool(sums, LEVEL)
        counts = bounded_sums(sums)
        f1 = f1_of(counts[:-1], sizes, counts[-1])
        _, gradient = measures_of(sums)["f1"]
        half = sums.half_widths(gradient, LEVEL, together=False)
        holds.append(np.abs(f1 - true_f1) <= half + 1e-12)
        widths.append(2 * half.mean())
        limits = differences["f1"]
        is_above = limits.low <= true_difference + 1e-12
        together.append((is_above & (true_difference <= limits.high + 1e-12)).all())
        _, better = better_systems(differences)
        wrong.append((better & (reached[:, None] < reached)).any())
        taus.append(kendalltau(f1, reached).statistic if len(f1) > 1 else np.nan)
    return [float(np.mean(column)) for column in (holds, together, wrong, taus, widths)]


def errors_of_verdicts(
    systems: Mapping[str, Alignment], reference: Alignment, runs: int
) -> list[float]:
    """Return the errors of all verdicts, those of looks, and what the first verdicts find."""
    pool, right = pool_and_truth(systems, reference)
    weights, sizes = question_weights(pool), pool.sizes.astype(float)
    sums = np.r_[pool.proposed.T @ right, right.sum()]
    f1 = f1_of(sums[:-1], sizes, sums[-1])
    truth = f1[:, None] - f1
    questions = len(pool.sources)
    schedule = Schedule(verdict_numbers(questions), questions)

    def look(run: int, number: int, level: float) -> tuple[bool, float]:
        """Return whether a limit is wrong, and the share of the differences that are found."""
        judged = judged_sums(pool, weights, right, number, f"verdicts {run}")
        limits = differences_in_pool(judged, level)["f1"]
        is_wrong = (limits.low > truth + 1e-12) | (limits.high < truth - 1e-12)
        found = ((limits.low > 0) & (truth > 0)).sum() / max((truth > 0).sum(), 1)
        return bool(is_wrong.any()), float(found)

    levels = {number: 1 - schedule.level_of(number, 1 - LEVEL) for number in schedule.numbers}
    verdicts = [[look(run, *verdict) for verdict in levels.items()] for run in range(runs)]
    looks = [
        any(look(run, number, LEVEL)[0] for number in LOOKS if number <= 0.75 * questions)
        for run in range(int(SHARE_OF_LOOKS * runs))
    ]
    errors = np.mean([any(is_wrong for is_wrong, _ in of_run) for of_run in verdicts])
    found = np.mean([[share for _, share in of_run] for of_run in verdicts], axis=0)
    return [float(errors), float(np.mean(looks)), *found[:3].tolist()]


def sizes_of_tests(
    systems: Mapping[str, Alignment], reference: Alignment, questions: int, runs: int
) -> list[float]:
    """Return how often the tests of ``ifp`` and ``cfp`` reject two systems that are equal."""
    pool, right = pool_and_truth(systems, reference)
    rng = np.random.default_rng(0)
    rejected = []
    for run in range(runs):
        swaps = (rng.random(len(pool.sources)) < 0.5)[pool.question]
        proposed = np.where(swaps[:, None], pool.proposed[:, ::-1], pool.proposed)
        swapped = Pool(pool.systems, pool.pairs, proposed)
        sums = judged_sums(swapped, question_weights(swapped), right, questions, str(run))
        tests = judged_tests(sums)
        rejected.append([tests[view].p[0, 1] <= 0.05 for view in ("ifp", "cfp")])
    return [float(share) for share in np.mean(rejected, axis=0)]


def equivalences(systems: Mapping[str, Alignment]) -> dict[str, Alignment]:
    """Return the alignments without other relations than ``=``."""
    return {name: a.where(lambda c: c.relation == "=") for name, a in systems.items()}


def pool_and_truth(
    systems: Mapping[str, Alignment], reference: Alignment
) -> tuple[Pool, np.ndarray]:
    """Return the pool of the systems, and 1 for its right pairs."""
    truth = {c.pair for c in reference if c.relation == "="}
    pool = pool_of(systems)
    return pool, np.array([float(pair in truth) for pair in pool.pairs])


def tasks(folder: Path) -> dict[str, tuple[dict[str, Alignment], Alignment]]:
    """Return systems and reference of each campaign; the 21 pairs of conference are one pool."""
    reference = read_alignment(folder / "anatomy" / "reference.rdf")
    campaigns = {}
    for year in ("2016", "2018", "2023"):
        files = sorted((folder / "anatomy" / f"systems-{year}").glob("*.rdf"))
        systems = {file.stem: read_alignment(file) for file in files}
        campaigns[f"anatomy {year}"] = systems, reference
    references = {
        file.stem.casefold(): in_task(file)
        for file in sorted((folder / "conference" / "reference").glob("*.rdf"))
    }
    conference: dict[str, Alignment] = {}
    for file in sorted((folder / "conference" / "systems-2019").glob("*.rdf")):
        system, _, task = file.stem.partition("-")
        if task.casefold() in references:
            conference[system] = conference.get(system, Alignment()) | in_task(file, task)
    return campaigns | {"conference 2019": (conference, reduce(or_, references.values()))}


def in_task(file: Path, task: str = "") -> Alignment:
    """Read an alignment; its entities are named with the task, which has questions of its own."""
    name = (task or file.stem).casefold()
    return Alignment(
        Correspondence(f"{name} {c.entity1}", f"{name} {c.entity2}", c.relation, c.confidence)
        for c in read_alignment(file)
    )


def cells(folder: Path) -> Iterator[tuple[str, dict[str, Alignment], Alignment]]:
    """Yield name, systems and reference of each row: all systems, then two, then one."""
    campaigns = tasks(folder)
    for task, (systems, reference) in campaigns.items():
        yield f"{task}, all {len(systems)}", systems, reference
    for task, subsets in SUBSETS.items():
        systems, reference = campaigns[task]
        for names in subsets:
            chosen = {name: systems[name] for name in names}
            yield f"{task}, {' and '.join(names)}", chosen, reference


def write_tables(folder: Path, out: Path, sizes: Sequence[int], runs: int) -> None:
    """Write the tables, and print each row when it is done."""
    rows: list[list[object]] = []
    rows_of_tests: list[list[object]] = []
    rows_of_verdicts: list[list[object]] = []
    for name, systems, reference in cells(folder):
        if len(systems) > 1:
            values = errors_of_verdicts(systems, reference, runs)
            rows_of_verdicts.append([name, *(f"{value:.3f}" for value in values)])
            print(*rows_of_verdicts[-1], sep="\t", flush=True)
        most = (1 - REST) * len(pool_of(systems).sources)
        for questions in (n for n in sizes if n <= most):
            values = simulate(systems, reference, questions, runs)
            rows.append([name, questions, *(f"{value:.3f}" for value in values)])
            print(*rows[-1], sep="\t", flush=True)
            if len(systems) == 2:
                values = sizes_of_tests(systems, reference, questions, runs)
                rows_of_tests.append([name, questions, *(f"{value:.3f}" for value in values)])
                print(*rows_of_tests[-1], sep="\t", flush=True)
    write_rows(out / "simulation-judged.csv", ["systems", "questions", *COLUMNS], rows)
    header = ["systems", "all verdicts", "looks", "first", "second", "third"]
    write_rows(out / "simulation-judged-verdicts.csv", header, rows_of_verdicts)
    header = ["systems", "questions", "ifp", "cfp"]
    write_rows(out / "simulation-judged-size.csv", header, rows_of_tests)


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--questions", type=int, nargs="*", default=SIZES)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    arguments = parser.parse_args()
    write_tables(arguments.folder, arguments.out, arguments.questions, arguments.runs)


if __name__ == "__main__":
    main()
