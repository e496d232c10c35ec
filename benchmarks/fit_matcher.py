"""Fit the default matcher, and print what it reaches on sets of pairs that it was not fitted on.

    python benchmarks/fit_matcher.py FOLDER [--write]

FOLDER holds the data: anatomy/ and conference/ (`alignrank data fetch`), and tuning/mse and
tuning/dh with folders of source, target and reference. Bundled and generated pairs are added. Each
set is matched by a model that was fitted on the other sets. The model stands beside other metrics,
systems whose alignments lie in FOLDER, and models without one part (ablations). With ``--write``
the coefficients that all sets together give replace those of the package.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit

from alignrank.common.table import Table
from alignrank.evaluation import score
from alignrank.experiments.inputs.input_cautions import only_judged
from alignrank.experiments.inputs.named_inputs import track_filters
from alignrank.experiments.report.figures.style import figure_style, save
from alignrank.matchers import Candidates, Settings, match, prepare
from alignrank.matchers.by_name import FAMILIES
from alignrank.matchers.evidence import KindCandidates
from alignrank.matchers.learned import model
from alignrank.matchers.learned.evidence import Facts, Likely, Values, likely_pairs
from alignrank.matchers.learned.names import names_of
from alignrank.matchers.learned.vectors import vectors_of
from alignrank.ontologies import Alignment, Correspondence, load_ontology, read_alignment
from alignrank.ontologies.diagnosis import EntityIndex, mend_entities
from alignrank.ontologies.tasks import MatchingTask, find_tasks
from generator import Alteration, Rename, generate

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
#: Facts of the second round that need neighbours.
NEIGHBOURS = {"above", "below", "roles", "bearers"}
#: How names of generated pairs differ, and what differs beside them.
METHODS = ("typo", "abbrev", "reorder", "synonym", "drop_vowels", "random")
CHANGED = Alteration(remove_classes=0.1, add_classes=0.1, shuffle_hierarchy=0.1)
#: Parts of the model that the ablations leave out: facts that are not fitted.
PARTS = {
    "neighbours": NEIGHBOURS,
    "rivals": {"behind_source", "ahead_source", "behind_target", "ahead_target"},
    "lags in similarity": {"letters_behind_source", "letters_behind_target"},
    "equal names": {"equal_labels", "equal"},
}
#: Threshold of the string metrics and of TF-IDF.
THRESHOLD = 0.7
#: Systems whose published alignments are judged, by the beginnings of their files' names.
SYSTEMS = {"LogMapLite": ("logmaplite", "logmaplt"), "AML": ("aml",), "LogMap": ("logmap",)}
#: WordNet's database files: where they are, a row shows the model with them.
WORDNET = Path("/usr/share/wordnet")
#: F1 on the six sets of the default that the model replaced, as measured before its code was
#: removed: at commit 30d8c277, and with mutual best and equal names at commit fd34b9f5. Its
#: threshold (0.21) was chosen on the first three sets.
FORMER = {
    "former default": (0.874, 0.667, 0.521, 0.258, 0.536, 0.823),
    "former default, mutual best": (0.886, 0.664, 0.521, 0.258, 0.546, 0.823),
}
FIGURE = Path(__file__).parents[1] / "docs" / "images" / "reliability"
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
    hashes = source.sha256, target.sha256, reference.sha256
    return with_evidence(task.name, prepare(source, target, settings), reference, hashes)


def with_evidence(
    name: str, candidates: Candidates, reference: Alignment, hashes: tuple[str, ...]
) -> Pair:
    """Return candidates with their evidence, and whether each likely pair is right."""
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
    return Pair(name, candidates, reference, likely, right, weight, hashes)


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

    bounds = [(None if name == "intercept" else 0.0, None) for name in names]
    fitted = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds)
    return dict(zip(names, fitted.x.tolist(), strict=True))


def fit_rounds(sets: Sets, *, without: Collection[str] = ()) -> Rounds:
    """Return the coefficients of both rounds; those of facts that are left out are 0.

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
    weight = np.concatenate(weights)

    def fitted(facts: Sequence[Facts], left_out: Collection[str]) -> Coefficients:
        kept = [{n: v for n, v in of_kind.items() if n not in left_out} for of_kind in facts]
        return dict.fromkeys(facts[0], 0.0) | fit(kept, right, weight)

    first = fitted([likely.facts for pair in pairs for likely in pair.likely], without)
    facts = [of_kind for pair in pairs for of_kind in second_facts(pair, first)]
    lonely = fitted(facts, NEIGHBOURS.union(without))
    if NEIGHBOURS.issubset(without):
        return first, lonely
    both = fitted(facts, without)
    return first, {name: (both[name] + lonely[name]) / 2.0 for name in both}


def second_facts(pair: Pair, first: Coefficients) -> list[Facts]:
    """Return the facts of the second round."""
    odds = [model.weigh(likely.facts, first, len(likely)) for likely in pair.likely]
    return model.second_round_facts(pair.candidates.groups, pair.likely, odds)


def judge(
    pair: Pair, rounds: Rounds, *, blind: bool = False, prior: bool = True, several: bool = True
) -> tuple[float, NDArray[np.float64]]:
    """Return F1 and, for each pair that could be chosen, its probability and whether it is right.

    Parameters
    ----------
    pair, rounds
        What is matched, and by which coefficients.
    blind
        Whether the ontologies are matched as if they had no hierarchy, roles and types.
    prior
        Whether the share of right pairs is estimated for the two ontologies.
    several
        Whether entities of equal names are matched n:m.
    """
    first, second = rounds
    if blind:
        second = second | dict.fromkeys(NEIGHBOURS, 0.0)
    odds = model.log_odds(pair.candidates.groups, pair.likely, first, second)
    shift = model.prior_shift(pair.likely, odds) if prior else 0.0
    cells, sure = [], [np.empty((0, 2))]
    for k, group in enumerate(pair.candidates.groups):
        likely = pair.likely[k]
        probability = model.probabilities(likely, odds[k] + shift)
        eligible = model.mutually_best(likely, odds[k])
        if several:
            eligible |= likely.equal
        chosen = eligible & (probability >= 0.5)
        cells += correspondences(group, likely.rows[chosen], likely.columns[chosen])
        shown = eligible & (pair.weight[k] > 0.0) & (probability >= 0.05)
        sure.append(np.column_stack([probability[shown], pair.right[k][shown]]))
    return score(Alignment(cells), pair.reference).f1, np.concatenate(sure)


def judge_with_wordnet(pair: Pair, rounds: Rounds) -> tuple[float, NDArray[np.float64]]:
    """Return what `judge` does, where synonyms of WordNet count as similar words."""
    groups = tuple(replace(group, wordnet=str(WORDNET)) for group in pair.candidates.groups)
    candidates = replace(pair.candidates, groups=groups)
    return judge(with_evidence(pair.name, candidates, pair.reference, pair.hashes), rounds)


def correspondences(
    group: KindCandidates, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> list[Correspondence]:
    """Return the correspondences of pairs of positions."""
    places = zip(rows.tolist(), columns.tolist(), strict=True)
    return [Correspondence(group.source.iris[i], group.target.iris[j]) for i, j in places]


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


def draw_reliability(table: Table, path: Path) -> None:
    """Draw the share of right pairs against the stated probability."""
    stated, true = (np.array([float(row[k]) for row in table.rows]) for k in (1, 2))
    numbers = np.array([float(row[3]) for row in table.rows])
    margins = 1.96 * np.sqrt(true * (1.0 - true) / numbers)
    with figure_style():
        figure, axes = plt.subplots(figsize=(3.6, 3.4))
        axes.plot([0.0, 1.0], [0.0, 1.0], color="0.7", linewidth=1.0)
        axes.errorbar(stated, true, margins, fmt="o", markersize=4.0, linewidth=1.0)
        axes.set(xlabel="probability", ylabel="share of right pairs", xlim=(0, 1), ylim=(0, 1))
        save(figure, path)


def calibration_error(sure: NDArray[np.float64]) -> float:
    """Return the mean difference of probability and share right, over ten classes of pairs."""
    place = np.minimum((10.0 * sure[:, 0]).astype(int), 9)
    gaps = [abs(float((sure[place == k, 0] - sure[place == k, 1]).sum())) for k in range(10)]
    return sum(gaps) / len(sure)


def left_out(sets: Sets, folder: Path) -> Iterator[Table]:
    """Yield F1 on each set by models of the other sets, of other matchers, and reliability."""
    names = [f"{name} ({len(pairs)})" for name, pairs in sets.items()]
    others = {name: {key: of_set for key, of_set in sets.items() if key != name} for name in sets}
    rounds = {name: fit_rounds(of_others) for name, of_others in others.items()}
    judged = {name: [judge(pair, rounds[name]) for pair in pairs] for name, pairs in sets.items()}
    rows = [_row("model", [fmean(f1 for f1, _ in of_set) for of_set in judged.values()])]
    rows += [_row(name, f1) for name, f1 in FORMER.items()]
    for metric in FAMILIES["standard"]:
        rows.append(_row(metric, _f1_of_sets(sets, partial(f1_of_strings, metric=metric))))
    rows.append(_row("TF-IDF of stems", _f1_of_sets(sets, f1_of_tf_idf)))
    for system, stems in SYSTEMS.items():
        f1 = [
            fmean(f1_of_files(pair, folder / name, stems) for pair in pairs)
            for name, pairs in sets.items()
        ]
        rows.append(_row(system, f1))
    yield Table("F1 on sets that were left out of the fit", ["", *names, "mean"], rows)
    yield Table("Without one part", ["", *names, "mean"], list(ablations(sets, others, rounds)))
    sure = {name: np.concatenate([s for _, s in of_set]) for name, of_set in judged.items()}
    errors = [calibration_error(of_set) for of_set in sure.values()]
    yield Table("Calibration error", ["", *names, "mean"], [_row("model", errors)])
    table = reliability(np.concatenate(list(sure.values())))
    draw_reliability(table, FIGURE)
    yield table


def ablations(
    sets: Sets, others: Mapping[str, Sets], rounds: Mapping[str, Rounds]
) -> Iterator[list[str]]:
    """Yield F1 on each set by models without one part."""
    for part, facts in PARTS.items():
        f1 = []
        for name, pairs in sets.items():
            fitted = fit_rounds(others[name], without=facts)
            f1.append(fmean(judge(pair, fitted)[0] for pair in pairs))
        yield _row(f"no {part}", f1)
    matched = {
        "no neighbours in the ontologies": partial(judge, blind=True),
        "no prior": partial(judge, prior=False),
        "one to one": partial(judge, several=False),
        **({"with WordNet": judge_with_wordnet} if WORDNET.is_dir() else {}),
    }
    for part, judged in matched.items():
        f1 = [
            fmean(judged(pair, rounds[name])[0] for pair in pairs) for name, pairs in sets.items()
        ]
        yield _row(part, f1)


def _row(name: str, figures: Sequence[float]) -> list[str]:
    cells = ["" if np.isnan(figure) else f"{figure:.3f}" for figure in (*figures, fmean(figures))]
    print(name, *cells, file=sys.stderr)
    return [name, *cells]


def _f1_of_sets(sets: Sets, f1: Callable[[Pair], float]) -> list[float]:
    return [fmean(map(f1, pairs)) for pairs in sets.values()]


def f1_of_strings(pair: Pair, metric: str) -> float:
    """Return F1 of a string metric with Hungarian assignment."""
    settings = replace(pair.candidates.settings, threshold=THRESHOLD)
    matching = match(replace(pair.candidates, settings=settings), metric)
    return score(matching.alignment, pair.reference).f1


def f1_of_tf_idf(pair: Pair) -> float:
    """Return F1 of mutually best pairs by the cosine of TF-IDF weights of stems."""
    cells: list[Correspondence] = []
    for group in pair.candidates.groups:
        source, target = names_of(group.source), names_of(group.target)
        vectors = vectors_of(source, target)
        cosines = csr_array(vectors.stems[0] @ vectors.stems[1].T).tocoo()
        rows, columns = (np.asarray(c, dtype=np.int64) for c in cosines.coords)
        rows, columns = source.owners[rows], target.owners[columns]
        pairs = Likely(rows, columns, np.zeros(len(rows), dtype=bool), {})
        is_chosen = (cosines.data >= THRESHOLD) & model.mutually_best(pairs, cosines.data)
        cells += correspondences(group, rows[is_chosen], columns[is_chosen])
    return score(Alignment(dict.fromkeys(cells)), pair.reference).f1


def f1_of_files(pair: Pair, folder: Path, stems: Sequence[str]) -> float:
    """Return F1 of the youngest alignment of a system for a pair; NaN if there is none.

    Parameters
    ----------
    pair, folder
        The pair, and the folder of its set, with a folder of alignments for each campaign.
    stems
        Beginnings of the system's files, in small letters.
    """
    names = {*stems, *(f"{stem}-{pair.name}".casefold() for stem in stems)}
    files = sorted(folder.glob("systems-*/*.rdf"), reverse=True)
    for file in files:
        if file.stem.casefold() in names:
            alignment = read_alignment(file)
            sides = pair.candidates.groups[0].source, pair.candidates.groups[0].target
            indices = (EntityIndex(side.ontology) for side in sides)
            mend, _ = mend_entities(alignment, file.name, *indices)
            return score(mend.apply(alignment), pair.reference).f1
    return float("nan")


def main(folder: str, *options: str) -> None:
    sets = read_sets(Path(folder))
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
    for table in left_out(sets, Path(folder)):
        print(table.to_text(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
