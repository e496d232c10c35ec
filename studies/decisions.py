"""What a person's decisions teach the default matcher: F1 and calibration before and after.

    python studies/decisions.py FOLDER

For each family (`matcher_families.py`) by the model of the other families. In each of 20
repetitions seven in ten of the proposed pairs are drawn. The least sure of them are decided as the
reference says, and the prior is learned from them. F1 counts what the model proposes then: a
decision itself gains nothing. Pairs of ontologies with fewer proposed pairs are left out.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from alignrank.common.table import Table
from alignrank.matchers import model
from fit_matcher import Rounds, calibration_error, left_out_rounds, odds_of
from matcher_families import WEIGHTS, Pair, read_families

#: Numbers of decided pairs, repetitions, and the share of the proposed pairs that is drawn.
NUMBERS, REPETITIONS, DRAWN = (10, 20, 30, 60), 20, 0.7


@dataclass(frozen=True, eq=False)
class Proposed:
    """The pairs that the model can choose of two ontologies.

    Parameters
    ----------
    odds, estimate
        Their log odds, and the shift that is estimated without decisions.
    least
        Smallest probability of each: that of equal labels.
    is_right, is_judged
        Whether each is right, and whether the reference judges it.
    n_reference
        Number of correspondences of the reference.
    """

    odds: NDArray[np.float64]
    estimate: float
    least: NDArray[np.float64]
    is_right: NDArray[np.bool_]
    is_judged: NDArray[np.bool_]
    n_reference: int

    def probabilities(self, shift: float) -> NDArray[np.float64]:
        """Return the probability of each pair with a shift."""
        return np.maximum(expit(self.odds + shift), self.least)

    def f1(self, shift: float) -> float:
        """Return F1 of the pairs that a shift makes probable."""
        chosen = (self.probabilities(shift) >= 0.5) & self.is_judged
        return 2.0 * float((chosen & self.is_right).sum()) / (chosen.sum() + self.n_reference)

    def sure(self, shift: float) -> NDArray[np.float64]:
        """Return probability and rightness of the pairs of 0.05 or more."""
        probabilities = self.probabilities(shift)
        shown = self.is_judged & (probabilities >= 0.05)
        return np.column_stack([probabilities[shown], self.is_right[shown]])

    def learned(self, number: int, rng: np.random.Generator) -> float:
        """Return the shift that the least sure of some drawn pairs teach."""
        open_pairs = np.flatnonzero(self.is_judged & (self.least == 0.0))
        drawn = rng.choice(open_pairs, round(DRAWN * len(open_pairs)), replace=False)
        distance = np.abs(self.odds[drawn] + self.estimate)
        decided = drawn[np.argsort(distance, kind="stable")[:number]]
        with patch.object(model, "LEAST_DECISIONS", 1):
            lesson = model.learned(self.estimate, self.odds[decided], self.is_right[decided])
        return lesson.shift


def proposed(pair: Pair, rounds: Rounds) -> Proposed:
    """Return the pairs that the model of other families can choose."""
    odds = odds_of(pair, rounds)
    estimate = model.prior_shift(pair.likely, odds)
    columns = []
    for k, likely in enumerate(pair.likely):
        eligible = model.mutually_best(likely, odds[k]) | likely.equal
        least = model.LEAST_OF_EQUAL_LABELS * likely.facts["equal_labels"]
        facts = odds[k], least, pair.right[k], pair.weight[k]
        columns.append(np.column_stack([values[eligible] for values in facts]))
    odds_of_all, least, right, weight = np.concatenate(columns).T
    n_reference = sum(c.relation == "=" for c in pair.reference)
    return Proposed(odds_of_all, estimate, least, right > 0.0, weight > 0.0, n_reference)


def main(folder: str) -> None:
    """Print F1 and calibration of each family before and after decisions."""
    families = read_families(Path(folder))
    rounds = left_out_rounds(families, set(WEIGHTS))
    rows = []
    for name, pairs in families.items():
        enough = []
        for pair in pairs:
            candidates = proposed(pair, rounds[name])
            n_open = int((candidates.is_judged & (candidates.least == 0.0)).sum())
            if DRAWN * n_open >= max(NUMBERS[:-1]):
                enough.append(candidates)
        if not enough:
            continue
        before = fmean(p.f1(p.estimate) for p in enough)
        sure = np.concatenate([p.sure(p.estimate) for p in enough])
        row = [f"{name} ({len(enough)})", f"{before:.3f}"]
        errors = [f"{calibration_error(sure):.3f}"]
        for number in NUMBERS:
            f1, error = [], []
            for repetition in range(REPETITIONS):
                rng = np.random.default_rng(repetition)
                shifts = [p.learned(number, rng) for p in enough]
                f1.append(fmean(p.f1(s) for p, s in zip(enough, shifts, strict=True)))
                after = [p.sure(s) for p, s in zip(enough, shifts, strict=True)]
                error.append(calibration_error(np.concatenate(after)))
            row.append(f"{fmean(f1):.3f} ({min(f1):.3f})")
            errors.append(f"{fmean(error):.3f}")
        best = fmean(max(p.f1(p.estimate + d) for d in np.linspace(-4.0, 4.0, 41)) for p in enough)
        rows.append([*row, f"{best:.3f}", errors[0], *errors[3:]])
        print(*rows[-1], file=sys.stderr, flush=True)
    numbers = [str(number) for number in NUMBERS]
    header = ["family (pairs)", "0", *numbers, "best shift", "error 0", "error 30", "error 60"]
    print(Table("F1 by decided pairs: mean (least)", header, rows).to_text())


if __name__ == "__main__":
    main(*sys.argv[1:])
