"""Fit the default matcher, and print what it reaches on families of pairs left out of the fit.

    python studies/fit_matcher.py FOLDER [--write | --families | --ablations]

FOLDER holds the data: anatomy/ and conference/ (`alignrank data fetch`), and tuning/ with mse, dh
and anatomies. Bundled, generated and made pairs are added (`matcher_families.py`). Without an
option the coefficients are fitted and printed. ``--write`` puts them into the package.
``--families`` prints F1 and calibration of each family by models that were fitted on the families
of other origins: of the former default, each change, TF-IDF, RapidFuzz, equality and the nine
metrics. ``--ablations`` prints F1 without one part of the model.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from unittest.mock import patch

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit

from alignrank.common.table import Table
from alignrank.experiments.report.figures.style import figure_style, save
from alignrank.matchers import match, model
from alignrank.matchers.by_name import FAMILIES
from alignrank.matchers.likely_pairs import Facts, Likely, Values
from alignrank.matchers.name_vectors import vectors_of
from alignrank.matchers.names import names_of
from alignrank.ontologies import Correspondence, read_alignment
from alignrank.ontologies.lint import EntityIndex, mend_entities
from matcher_families import (
    FLAT,
    SHARE_NAMES,
    WEIGHTS,
    Families,
    Pair,
    correspondences,
    other_origins,
    read_families,
    with_evidence,
)

#: Right pairs that a family of weight 1 counts as, and the penalty on squared coefficients.
RIGHT_PAIRS, PENALTY = 1000.0, 1.0
#: Facts of the second round that need neighbours.
NEIGHBOURS = {"above", "below", "roles", "bearers"}
#: Parts of the model that the ablations leave out: facts that are not fitted.
PARTS = {
    "neighbours": NEIGHBOURS,
    "rivals": {"behind_source", "ahead_source", "behind_target", "ahead_target"},
    "lags in similarity": {"letters_behind_source", "letters_behind_target"},
    "equal names": {"equal_labels", "equal"},
    "numbers": {"numbers_differ"},
}
#: Families of the fit before the made ones and the anatomies joined it.
FORMER_FAMILIES = ("anatomy", "conference", "bundled", "materials", "humanities", "generated")
#: Thresholds of the string metrics and of TF-IDF, and of RapidFuzz's token_sort.
THRESHOLD, TOKEN_SORT_THRESHOLD = 0.7, 0.9
#: Systems whose published alignments are judged, by the beginnings of their files' names.
SYSTEMS = {"LogMapLite": ("logmaplite", "logmaplt"), "AML": ("aml",), "LogMap": ("logmap",)}
#: WordNet's database files: where they are, a row shows the model with them.
WORDNET = Path("/usr/share/wordnet")
FIGURE = Path(__file__).parents[1] / "docs" / "images" / "reliability"
COEFFICIENTS = Path(model.__file__).with_name("coefficients.json")

Coefficients = dict[str, float]


class Rounds(NamedTuple):
    """The coefficients of the first round, the second one, and the second one by names alone."""

    first: Coefficients
    second: Coefficients
    by_names: Coefficients


def fit(facts: Sequence[Facts], right: Values, weight: Values) -> Coefficients:
    """Return the coefficients of a logistic regression with constrained signs and a penalty."""
    names = list(facts[0])
    columns = [np.concatenate([of_kind[name] for of_kind in facts]) for name in names]
    names.append("intercept")
    is_judged = weight > 0.0
    matrix = np.column_stack([*columns, np.ones(len(right))])[is_judged]
    right, weight = right[is_judged], weight[is_judged]
    penalty = np.where(np.array(names) == "intercept", 0.0, PENALTY)

    def loss(coefficients: Values) -> tuple[float, Values]:
        odds = matrix @ coefficients
        losses = weight * (np.logaddexp(0.0, odds) - right * odds)
        gradient = matrix.T @ (weight * (expit(odds) - right)) + penalty * coefficients
        return float(losses.sum() + (penalty * coefficients**2).sum() / 2.0), gradient

    bounds = [(None if name == "intercept" else 0.0, None) for name in names]
    fitted = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds)
    return dict(zip(names, fitted.x.tolist(), strict=True))


def fit_rounds(families: Families, *, without: Collection[str] = ()) -> Rounds:
    """Return the coefficients of all rounds; those of facts that are left out are 0.

    Those of the second round are the mean of two fits, with and without neighbours: the fit with
    neighbours relies on them where they are missing. The fit without them is kept for ontologies
    that state none. Families without hierarchies teach nothing of neighbours.
    """
    first_facts = {
        name: [likely.facts for pair in pairs for likely in pair.likely]
        for name, pairs in families.items()
    }
    first = _fitted(families, first_facts, without)
    facts = {
        name: [of_kind for pair in pairs for of_kind in second_facts(pair, first)]
        for name, pairs in families.items()
    }
    by_names = _fitted(families, facts, NEIGHBOURS.union(without))
    if NEIGHBOURS.issubset(without):
        return Rounds(first, by_names, by_names)
    structured = {name: pairs for name, pairs in families.items() if name not in FLAT}
    both = _fitted(structured, facts, without)
    second = {name: (both[name] + by_names[name]) / 2.0 for name in both}
    return Rounds(first, second, by_names)


def _fitted(
    families: Families, facts: Mapping[str, Sequence[Facts]], without: Collection[str]
) -> Coefficients:
    """Return the coefficients that the facts of families give; 0 for those that are left out."""
    facts_of_kinds, right, weight = [], [], []
    for name, pairs in families.items():
        facts_of_kinds += facts[name]
        right += [values for pair in pairs for values in pair.right]
        number = sum(float(values.sum()) for pair in pairs for values in pair.right)
        scale = WEIGHTS[name] * RIGHT_PAIRS / number
        weight += [scale * values for pair in pairs for values in pair.weight]
    kept = [{n: v for n, v in of.items() if n not in without} for of in facts_of_kinds]
    zeros = dict.fromkeys(facts_of_kinds[0], 0.0)
    return zeros | fit(kept, np.concatenate(right), np.concatenate(weight))


def second_facts(pair: Pair, first: Coefficients) -> list[Facts]:
    """Return the facts of the second round."""
    odds = [model.weigh(likely.facts, first, len(likely)) for likely in pair.likely]
    return model.second_round_facts(pair.candidates.groups, pair.likely, odds)


class Judged(NamedTuple):
    """F1 of a pair; and for each pair of entities that could be chosen, whether it is right.

    Parameters
    ----------
    f1
        F1 of the matched pairs.
    sure
        Two columns: the probability, and 1 for right pairs. Pairs below 0.05 are left out.
    """

    f1: float
    sure: NDArray[np.float64] = np.empty((0, 2))


def judge(
    pair: Pair, rounds: Rounds, *, blind: bool = False, prior: bool = True, several: bool = True
) -> Judged:
    """Return what the model reaches on a pair.

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
    odds = odds_of(pair, rounds, blind=blind)
    shift = model.prior_shift(pair.likely, odds) if prior else 0.0
    return chosen_at(pair, odds, shift, several=several)


def odds_of(pair: Pair, rounds: Rounds, *, blind: bool = False) -> list[Values]:
    """Return the log odds of a pair's likely pairs."""
    second = rounds.second
    if blind or not model.has_neighbours(pair.candidates.groups):
        second = rounds.by_names
    return model.log_odds(pair.candidates.groups, pair.likely, rounds.first, second)


def chosen_at(pair: Pair, odds: Sequence[Values], shift: float, *, several: bool = True) -> Judged:
    """Return what the log odds of the likely pairs reach with a shift."""
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
    return Judged(pair.f1(cells), np.concatenate(sure))


def judge_with_wordnet(pair: Pair, rounds: Rounds) -> Judged:
    """Return what `judge` does, where synonyms of WordNet count as similar words."""
    groups = tuple(replace(group, wordnet=str(WORDNET)) for group in pair.candidates.groups)
    candidates = replace(pair.candidates, groups=groups)
    with_wordnet = with_evidence(pair.name, candidates, pair.reference, partial=pair.partial)
    return judge(with_wordnet, rounds)


def reliability(sure: NDArray[np.float64], name: str) -> Table:
    """Return how often pairs of a family are right by their probability, in ten classes."""
    place = np.minimum((10.0 * sure[:, 0]).astype(int), 9)
    rows = [
        [f"{k / 10:.1f} to {(k + 1) / 10:.1f}", f"{stated:.3f}", f"{true:.3f}", str(len(of_class))]
        for k in range(10)
        if len(of_class := sure[place == k])
        for stated, true in [of_class.mean(axis=0)]
    ]
    note = f"Calibration error {calibration_error(sure):.3f}."
    return Table(
        f"Reliability: {name}", ["probability", "mean", "share right", "pairs"], rows, note
    )


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


def left_out_rounds(
    families: Families, fitted_on: Collection[str], *, without: Collection[str] = ()
) -> dict[str, Rounds]:
    """Return for each family the coefficients that families of other origins give."""
    rounds: dict[str, Rounds] = {}
    shared: Rounds | None = None
    for name in families:
        if name in SHARE_NAMES and shared is not None:
            rounds[name] = shared
            continue
        others = other_origins(families, name)
        fitted = fit_rounds({k: v for k, v in others.items() if k in fitted_on}, without=without)
        rounds[name] = fitted
        if name in SHARE_NAMES:
            shared = fitted
    return rounds


def family_tables(families: Families, folder: Path) -> Iterator[Table]:
    """Yield F1 and calibration of each family, by models and by other matchers."""
    names = [f"{name} ({len(pairs)})" for name, pairs in families.items()]
    f1_rows, error_rows = [], []
    judged: dict[str, list[Judged]] = {}
    for label, of_change, rounds in changes(families, folder):
        judged = {n: [judge(pair, rounds[n]) for pair in pairs] for n, pairs in of_change.items()}
        f1_rows.append(_row(label, [fmean(j.f1 for j in of) for of in judged.values()]))
        sure = [np.concatenate([j.sure for j in of]) for of in judged.values()]
        errors = [calibration_error(of_family) for of_family in sure]
        pooled = calibration_error(np.concatenate(sure))
        error_rows.append([*_row(label, errors)[:-1], f"{pooled:.3f}"])
    for label, matcher in other_matchers(folder).items():
        f1 = [fmean(matcher(name, pair) for pair in pairs) for name, pairs in families.items()]
        f1_rows.append(_row(label, f1))
    yield Table("F1 on families that were left out of the fit", ["", *names, "mean"], f1_rows)
    yield Table("Calibration error", ["", *names, "pooled"], error_rows)
    for name, of_family in judged.items():
        yield reliability(np.concatenate([j.sure for j in of_family]), name)
    table = reliability(np.concatenate([j.sure for of in judged.values() for j in of]), "all")
    draw_reliability(table, FIGURE)
    yield table


def changes(
    families: Families, folder: Path
) -> Iterator[tuple[str, Families, Mapping[str, Rounds]]]:
    """Yield the model before the changes and after each, with the pairs as it sees them."""

    def mean_everywhere(rounds: Mapping[str, Rounds]) -> dict[str, Rounds]:
        return {name: of._replace(by_names=of.second) for name, of in rounds.items()}

    with (
        patch("alignrank.matchers.names.with_digits", str),
        patch("alignrank.matchers.settings.with_digits", str),
    ):
        as_spelt = read_families(folder)
    left_out = partial(left_out_rounds, without=PARTS["numbers"])
    former = mean_everywhere(left_out(as_spelt, FORMER_FAMILIES))
    yield "former default", as_spelt, former
    yield "+ numbers as digits", families, mean_everywhere(left_out(families, FORMER_FAMILIES))
    by_names_too = left_out_rounds(families, FORMER_FAMILIES)
    yield "+ *numbers differ*", families, mean_everywhere(by_names_too)
    yield "+ fit by names where no neighbours", families, by_names_too
    without_anatomies = set(WEIGHTS) - {"anatomies"}
    yield "+ made families", families, left_out_rounds(families, without_anatomies)
    yield "**+ anatomies: the model**", families, left_out_rounds(families, set(WEIGHTS))


def other_matchers(folder: Path) -> dict[str, Callable[[str, Pair], float]]:
    """Return functions of a family's name and a pair that give F1 of other matchers."""
    matchers: dict[str, Callable[[str, Pair], float]] = {
        "TF-IDF of stems, 0.7": lambda _, pair: f1_of_tf_idf(pair),
        "RapidFuzz token_sort, 0.9": lambda _, pair: f1_of_strings(
            pair, "rapidfuzz:token_sort_ratio", TOKEN_SORT_THRESHOLD
        ),
    }
    for metric in FAMILIES["standard"]:
        matchers[f"`{metric}`, {THRESHOLD}"] = partial(_f1_of_metric, metric)
    for system, stems in SYSTEMS.items():
        matchers[system] = partial(_f1_of_system, folder, stems)
    return matchers


def _f1_of_metric(metric: str, _: str, pair: Pair) -> float:
    return f1_of_strings(pair, metric, THRESHOLD)


def _f1_of_system(folder: Path, stems: Sequence[str], family: str, pair: Pair) -> float:
    return f1_of_files(pair, folder / family, stems)


def ablations(families: Families) -> Iterator[list[str]]:
    """Yield F1 on each family by models without one part."""
    for part, facts in PARTS.items():
        rounds = left_out_rounds(families, WEIGHTS, without=facts)
        yield _row(
            f"no {part}",
            [
                fmean(judge(pair, rounds[name]).f1 for pair in pairs)
                for name, pairs in families.items()
            ],
        )
    rounds = left_out_rounds(families, WEIGHTS)
    matched = {
        "no neighbours in the ontologies": partial(judge, blind=True),
        "no prior": partial(judge, prior=False),
        "one to one": partial(judge, several=False),
        **({"with WordNet": judge_with_wordnet} if WORDNET.is_dir() else {}),
    }
    for part, judged in matched.items():
        yield _row(
            part,
            [
                fmean(judged(pair, rounds[name]).f1 for pair in pairs)
                for name, pairs in families.items()
            ],
        )


def _row(name: str, figures: Sequence[float]) -> list[str]:
    cells = ["" if np.isnan(figure) else f"{figure:.3f}" for figure in (*figures, fmean(figures))]
    print(name, *cells, file=sys.stderr)
    return [name, *cells]


def f1_of_strings(pair: Pair, metric: str, threshold: float) -> float:
    """Return F1 of a string metric with Hungarian assignment."""
    settings = replace(pair.candidates.settings, threshold=threshold)
    return pair.f1(list(match(replace(pair.candidates, settings=settings), metric).alignment))


def f1_of_tf_idf(pair: Pair) -> float:
    """Return F1 of mutually best pairs by the cosine of TF-IDF weights of stems."""
    cells: list[Correspondence] = []
    for group in pair.candidates.groups:
        source, target = names_of(group.source), names_of(group.target)
        if not len(source) or not len(target):
            continue
        vectors = vectors_of(source, target)
        cosines = csr_array(vectors.stems[0] @ vectors.stems[1].T).tocoo()
        rows, columns = (np.asarray(c, dtype=np.int64) for c in cosines.coords)
        rows, columns = source.owners[rows], target.owners[columns]
        pairs = Likely(rows, columns, np.zeros(len(rows), dtype=bool), {})
        is_chosen = (cosines.data >= THRESHOLD) & model.mutually_best(pairs, cosines.data)
        cells += correspondences(group, rows[is_chosen], columns[is_chosen])
    return pair.f1(cells)


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
            return pair.f1(list(mend.apply(alignment)))
    return float("nan")


def main(folder: str, option: str = "") -> None:
    """Fit the model, and do what the option says."""
    families = read_families(Path(folder))
    if option == "--families":
        for table in family_tables(families, Path(folder)):
            print(table.to_text(), flush=True)
        return
    if option == "--ablations":
        names = [f"{name} ({len(pairs)})" for name, pairs in families.items()]
        print(Table("Without one part", ["", *names, "mean"], list(ablations(families))).to_text())
        return
    rounds = fit_rounds(families)
    rounded = [{name: round(value, 3) for name, value in of.items()} for of in rounds]
    hashes = {
        f"{name}/{pair.name}": pair.hashes
        for name, pairs in families.items()
        for pair in pairs
        if pair.hashes
    }
    print(json.dumps(rounded, indent=1))
    if option == "--write":
        text = json.dumps({"rounds": rounded, "sha256": hashes}, indent=1)
        COEFFICIENTS.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
