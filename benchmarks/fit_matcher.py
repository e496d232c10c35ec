"""Fit the default matcher, and print what it reaches on sets of pairs that it was not fitted on.

    python benchmarks/fit_matcher.py FOLDER [--write]

FOLDER holds the data: anatomy/ and conference/ (`alignrank data fetch`), and tuning/mse and
tuning/dh with folders of source, target and reference. Bundled and generated pairs are added. With
``--write`` the coefficients that all sets together give replace those of the package.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from alignrank.common.table import Table
from alignrank.evaluation import score
from alignrank.experiments.inputs.input_cautions import only_judged
from alignrank.experiments.inputs.named_inputs import track_filters
from alignrank.matchers import Candidates, Settings, match, prepare
from alignrank.matchers.learned import model
from alignrank.matchers.learned.evidence import Facts, Likely, Values, likely_pairs
from alignrank.ontologies import Alignment, Correspondence, load_ontology, read_alignment
from alignrank.ontologies.generator import Alteration, Rename, generate
from alignrank.ontologies.tasks import MatchingTask, find_tasks

#: Weight of each set of pairs in the fit, whatever its size.
WEIGHTS = {
    "anatomy": 1.0,
    "conference": 1.0,
    "bundled": 0.5,
    "materials": 0.5,
    "humanities": 0.7,
    "generated": 0.5,
}
#: Right pairs that a set of weight 1 counts as, and the penalty on squared coefficients.
RIGHT_PAIRS, PENALTY = 1000.0, 1.0
#: Facts that speak against a pair, and facts that may speak for or against it.
AGAINST, EITHER = {"left_over", "numbers"}, {"property", "individual", "intercept"}
#: Facts of the second round that need neighbours.
NEIGHBOURS = {"above", "below", "roles", "bearers"}
#: How names of generated pairs differ, and what differs beside them.
METHODS = ("typo", "abbrev", "reorder", "synonym", "drop_vowels", "random")
CHANGED = Alteration(remove_classes=0.1, add_classes=0.1, shuffle_hierarchy=0.1)
#: The string metrics that are shown beside the model, at the threshold of `match`.
STRINGS = ("equality", "ngram")
COEFFICIENTS = Path(model.__file__).with_name("coefficients.json")

Coefficients = dict[str, float]
Rounds = tuple[Coefficients, Coefficients]


@dataclass(frozen=True, eq=False)
class Pair:
    """Two ontologies with a reference, and their likely pairs of entities.

    Parameters
    ----------
    name
        Name of the task.
    candidates, reference
        The prepared ontologies, and the reference alignment.
    likely
        The likely pairs of each kind.
    right, weight
        For each kind whether each likely pair is right, and 0 where the reference leaves it open.
    hashes
        SHA-256 of the files; empty for generated ones.
    """

    name: str
    candidates: Candidates
    reference: Alignment
    likely: list[Likely]
    right: list[Values]
    weight: list[Values]
    hashes: tuple[str, ...]


Sets = Mapping[str, Sequence[Pair]]


def read_pair(task: MatchingTask) -> Pair:
    """Return a task's candidates and their evidence."""
    source, target = load_ontology(task.source), load_ontology(task.target)
    reference = read_alignment(task.reference)
    settings, _ = only_judged(Settings(), track_filters(task.track), (source, target))
    candidates = prepare(source, target, settings)
    likely = [likely_pairs(group) for group in candidates.groups]
    equivalent = {c.pair for c in reference if c.relation == "="}
    open_pairs = {c.pair for c in reference if c.relation == "?"}
    right, weight = [], []
    for group, pairs in zip(candidates.groups, likely, strict=True):
        iris = [
            (group.source.iris[row], group.target.iris[column])
            for row, column in zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True)
        ]
        right.append(np.array([pair in equivalent for pair in iris], dtype=float))
        weight.append(np.array([pair not in open_pairs for pair in iris], dtype=float))
    hashes = source.sha256, target.sha256, reference.sha256
    return Pair(task.name, candidates, reference, likely, right, weight, hashes)


def read_sets(folder: Path) -> Sets:
    """Return the pairs of all sets."""
    tasks = {
        "anatomy": find_tasks("anatomy", [folder]),
        "conference": find_tasks("conference", [folder]),
        "bundled": find_tasks("bundled"),
        "materials": find_tasks(str(folder / "tuning" / "mse")),
        "humanities": find_tasks(str(folder / "tuning" / "dh")),
    }
    sets = {name: [read_pair(task) for task in of_set] for name, of_set in tasks.items()}
    with TemporaryDirectory() as place:
        sets["generated"] = [replace(read_pair(task), hashes=()) for task in generated(Path(place))]
    return sets


def generated(folder: Path) -> Iterator[MatchingTask]:
    """Yield generated pairs: names, classes and parents differ in part."""
    for seed, method in enumerate(METHODS * 2):
        place = folder / f"{method}-{seed}"
        alteration = replace(CHANGED, rename=(Rename(0.6, method),))
        generate(150, alteration, seed=seed).write(place)
        yield from find_tasks(str(place))


def fit(facts: Sequence[Facts], right: Values, weight: Values) -> Coefficients:
    """Return the coefficients of a logistic regression with constrained signs and a penalty."""
    names = list(facts[0])
    columns = [np.concatenate([of_kind[name] for of_kind in facts]) for name in names]
    names.append("intercept")
    matrix = np.column_stack([*columns, np.ones(len(right))])
    penalty = np.where(np.array(names) == "intercept", 0.0, PENALTY)

    def loss(coefficients: Values) -> tuple[float, Values]:
        odds = matrix @ coefficients
        losses = weight * (np.logaddexp(0.0, odds) - right * odds)
        gradient = matrix.T @ (weight * (expit(odds) - right)) + penalty * coefficients
        return float(losses.sum() + (penalty * coefficients**2).sum() / 2.0), gradient

    signs = [(None, 0.0) if name in AGAINST else (0.0, None) for name in names]
    bounds = [
        (None, None) if name in EITHER else sign for name, sign in zip(names, signs, strict=True)
    ]
    fitted = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds)
    return dict(zip(names, fitted.x.tolist(), strict=True))


def fit_rounds(sets: Sets, *, neighbours: bool = True) -> Rounds:
    """Return the coefficients of both rounds.

    Those of the second round are the mean of two fits, with and without neighbours: the fit with
    neighbours relies on them where they are missing.
    """
    pairs = [pair for of_set in sets.values() for pair in of_set]
    right = np.concatenate([values for pair in pairs for values in pair.right])
    weights = []
    for name, of_set in sets.items():
        number = sum(float(values.sum()) for pair in of_set for values in pair.right)
        scale = WEIGHTS[name] * RIGHT_PAIRS / number
        weights += [scale * values for pair in of_set for values in pair.weight]
    fitted = partial(fit, right=right, weight=np.concatenate(weights))
    first = fitted([likely.facts for pair in pairs for likely in pair.likely])
    facts = [of_kind for pair in pairs for of_kind in second_facts(pair, first)]
    lonely = [
        {name: values for name, values in of_kind.items() if name not in NEIGHBOURS}
        for of_kind in facts
    ]
    second = fitted(lonely) | dict.fromkeys(NEIGHBOURS, 0.0)
    if neighbours:
        both = fitted(facts)
        second = {name: (both[name] + second[name]) / 2.0 for name in both}
    return first, second


def second_facts(pair: Pair, first: Coefficients) -> list[Facts]:
    """Return the facts of the second round."""
    odds = [model.weigh(likely.facts, first, len(likely)) for likely in pair.likely]
    return model.second_round_facts(pair.candidates.groups, pair.likely, odds)


def judge(pair: Pair, rounds: Rounds, *, blind: bool = False) -> tuple[float, NDArray[np.float64]]:
    """Return F1 and, for each pair that could be chosen, its probability and whether it is right.

    Parameters
    ----------
    pair, rounds
        What is matched, and by which coefficients.
    blind
        Whether the ontologies are matched as if they had no hierarchy, roles and types.
    """
    first, second = rounds
    if blind:
        second = second | dict.fromkeys(NEIGHBOURS, 0.0)
    odds = model.log_odds(pair.candidates.groups, pair.likely, first, second)
    shift = model.prior_shift(pair.likely, odds)
    cells, sure = [], [np.empty((0, 2))]
    for k, group in enumerate(pair.candidates.groups):
        likely, probability = pair.likely[k], expit(odds[k] + shift)
        eligible = model.mutually_best(likely, odds[k]) | likely.equal
        chosen = eligible & (probability >= 0.5)
        iris = zip(likely.rows[chosen].tolist(), likely.columns[chosen].tolist(), strict=True)
        cells += [Correspondence(group.source.iris[i], group.target.iris[j]) for i, j in iris]
        shown = eligible & (pair.weight[k] > 0.0) & (probability >= 0.05)
        sure.append(np.column_stack([probability[shown], pair.right[k][shown]]))
    return score(Alignment(cells), pair.reference).f1, np.concatenate(sure)


def reliability(sure: NDArray[np.float64]) -> Table:
    """Return how often pairs are right by their probability, in ten classes."""
    place = np.minimum((10.0 * sure[:, 0]).astype(int), 9)
    rows = [
        [f"{k / 10:.1f} to {(k + 1) / 10:.1f}", f"{stated:.3f}", f"{true:.3f}", str(len(of_class))]
        for k in range(10)
        if len(of_class := sure[place == k])
        for stated, true in [of_class.mean(axis=0)]
    ]
    note = f"Calibration error {calibration_error(sure):.3f}."
    return Table("Reliability", ["probability", "mean", "share right", "pairs"], rows, note)


def calibration_error(sure: NDArray[np.float64]) -> float:
    """Return the mean difference of probability and share right, over ten classes of pairs."""
    place = np.minimum((10.0 * sure[:, 0]).astype(int), 9)
    gaps = [abs(float((sure[place == k, 0] - sure[place == k, 1]).sum())) for k in range(10)]
    return sum(gaps) / len(sure)


def left_out(sets: Sets) -> Iterator[Table]:
    """Yield F1 on each set by coefficients of the other sets, and how reliable they are."""
    rows: list[list[str]] = []
    sure = []
    for name, pairs in sets.items():
        others = {key: of_set for key, of_set in sets.items() if key != name}
        rounds, of_names = fit_rounds(others), fit_rounds(others, neighbours=False)
        judged = [judge(pair, rounds) for pair in pairs]
        together = np.concatenate([of_pair for _, of_pair in judged])
        sure.append(together)
        figures = [
            *(fmean(_f1_of_strings(pair, metric) for pair in pairs) for metric in STRINGS),
            fmean(judge(pair, of_names)[0] for pair in pairs),
            fmean(judge(pair, rounds, blind=True)[0] for pair in pairs),
            fmean(f1 for f1, _ in judged),
            calibration_error(together),
        ]
        rows.append([f"{name} ({len(pairs)})", *(f"{figure:.3f}" for figure in figures)])
        print(rows[-1], file=sys.stderr)
    means = [fmean(float(row[k]) for row in rows) for k in range(1, len(rows[0]))]
    rows.append(["mean", *(f"{figure:.3f}" for figure in means)])
    header = ["set (pairs)", *STRINGS, "names", "no neighbours", "model", "calibration error"]
    yield Table("F1 on sets that were left out of the fit", header, rows)
    yield reliability(np.concatenate(sure))


def _f1_of_strings(pair: Pair, metric: str) -> float:
    settings = replace(pair.candidates.settings, threshold=0.7)
    found = match(replace(pair.candidates, settings=settings), metric)
    return score(found.alignment, pair.reference).f1


def main(folder: str, *options: str) -> None:
    sets = read_sets(Path(folder))
    for table in left_out(sets):
        print(table.to_text())
    rounds = fit_rounds(sets)
    rounded = [{name: round(value, 3) for name, value in of.items()} for of in rounds]
    hashes = {
        f"{name}/{pair.name}": pair.hashes
        for name, pairs in sets.items()
        for pair in pairs
        if pair.hashes
    }
    text = json.dumps({"rounds": rounded, "sha256": hashes}, indent=1)
    print(json.dumps(rounded, indent=1))
    if "--write" in options:
        COEFFICIENTS.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
