"""The model: evidence in, the probability of each likely pair out, with a prior of the pair.

The prior is the share of correct pairs among the likely ones, estimated or learned from decisions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import expit, logit

from .candidates import Groups, KindCandidates, ScoredPairs
from .likely_pairs import (
    FURTHEST,
    Facts,
    Likely,
    Values,
    largest,
    likely_pairs,
    neighbour_facts,
)
from .names import Indices

#: The coefficient of each fact, and the ``intercept``.
Coefficients = Mapping[str, float]

#: Smallest probability of equal labels. The prior of ontologies that share little put them below
#: it on two of six sets, where more than nine in ten of them are right.
LEAST_OF_EQUAL_LABELS = 0.9
#: Added to the log odds of a pair that a person accepted: more than all evidence.
ACCEPTED = 50.0
#: Share of right pairs among mutually best ones where nothing is known: their share in the pairs
#: of ontologies that were fitted.
USUAL_SHARE = 0.3
#: How many pairs `USUAL_SHARE` counts as beside those of the ontologies.
PSEUDO_PAIRS = 10.0
#: Largest change of the log odds that is estimated without decisions.
LARGEST_ESTIMATE = 2.0
#: Mutually best pairs of smaller log odds say nothing of the prior.
LEAST_ODDS = -4.0
#: Fewer mutually best pairs say nothing of the prior.
LEAST_PAIRS = 10
#: Steps of the estimation.
STEPS = 30
#: Fewer decided pairs teach nothing: with ten, some families lost F1 (docs/evidence.md).
LEAST_DECISIONS = 30
#: Largest change of the log odds that decisions teach, and the variance of its normal prior.
LARGEST_LESSON, VARIANCE = 6.0, 4.0

#: Name under which an alignment's metadata say from how many decided pairs the prior was learned.
PRIOR_DECISIONS = "prior_decisions"


@cache
def fitted(*, neighbours: bool = True) -> tuple[Coefficients, Coefficients]:
    """Return the coefficients of both rounds, as `studies/fit_matcher.py` fitted them.

    Parameters
    ----------
    neighbours
        Whether both ontologies state neighbours. Otherwise the second round is that of a fit by
        names alone.
    """
    path = files("alignrank.matchers").joinpath("coefficients.json")
    first, second, by_names = json.loads(path.read_text("utf-8"))["rounds"]
    return first, second if neighbours else by_names


def has_neighbours(groups: Groups) -> bool:
    """Return whether both ontologies state a hierarchy, roles or types."""
    sides = [side.ontology for group in groups for side in (group.source, group.target)]
    return all(o.parents or o.links or o.types for o in sides)


def score_pairs(groups: Groups) -> list[ScoredPairs]:
    """Return the probability of each likely pair of each kind, and which pairs are matched.

    A pair is matched if neither side has a more likely partner, or if the two share a name: then
    n:m where several entities do. A threshold is applied afterwards.
    """
    likely = [likely_pairs(group) for group in groups]
    odds = log_odds(groups, likely, *fitted(neighbours=has_neighbours(groups)))
    prior = learned_prior(groups) or Prior(prior_shift(likely, odds))
    scored = []
    for group, pairs, of_pairs in zip(groups, likely, odds, strict=True):
        is_open = ~group.are_accepted(pairs.rows, pairs.columns)
        is_chosen = mutually_best(pairs, of_pairs) | pairs.equal
        similarities = probabilities(pairs, of_pairs + prior.shift)
        scored.append(
            ScoredPairs(
                pairs.rows[is_open],
                pairs.columns[is_open],
                similarities[is_open],
                is_chosen[is_open],
                prior.metadata,
                prior.caution,
            )
        )
    return scored


def weight_of_evidence(groups: Groups, kind: str, row: int, column: int) -> dict[str, float]:
    """Return the summands of the log odds of a pair's probability; none for an unlikely pair.

    Parameters
    ----------
    groups
        The candidates of each kind.
    kind, row, column
        The kind of the two entities, and their positions.

    Returns
    -------
    dict
        What each fact adds; the ``intercept``, from which each likely pair starts; the ``prior`` of
        the two ontologies; and under ``floor`` what equal labels lack to their least probability.
    """
    first, second = fitted(neighbours=has_neighbours(groups))
    likely = [likely_pairs(group) for group in groups]
    facts_of_kinds = second_round_facts(groups, likely, odds_by_names(groups, likely, first))
    odds = [
        weigh(facts, second, len(pairs))
        for pairs, facts in zip(likely, facts_of_kinds, strict=True)
    ]
    shift = prior_shift(likely, odds)
    for group, pairs, facts, of_pairs in zip(groups, likely, facts_of_kinds, odds, strict=True):
        is_pair = (pairs.rows == row) & (pairs.columns == column)
        if group.kind == kind and is_pair.any():
            weights = {name: second[name] * float(x[is_pair][0]) for name, x in facts.items()}
            with_prior = of_pairs + shift
            floor = logit(probabilities(pairs, with_prior)[is_pair]) - with_prior[is_pair]
            beside = {"intercept": second["intercept"], "prior": shift, "floor": float(floor[0])}
            return weights | beside
    return {}


def log_odds(
    groups: Groups, likely: Sequence[Likely], first: Coefficients, second: Coefficients
) -> list[Values]:
    """Return the log odds of each likely pair after two rounds.

    The first round sees names. The second one also sees which pairs compete, and which neighbours
    probably belong together, by the first round.
    """
    facts_of_kinds = second_round_facts(groups, likely, odds_by_names(groups, likely, first))
    return [
        weigh(facts, second, len(pairs)) + certainty(group, pairs)
        for group, pairs, facts in zip(groups, likely, facts_of_kinds, strict=True)
    ]


def odds_by_names(groups: Groups, likely: Sequence[Likely], first: Coefficients) -> list[Values]:
    """Return the log odds of each likely pair after the first round."""
    return [
        weigh(pairs.facts, first, len(pairs)) + certainty(group, pairs)
        for group, pairs in zip(groups, likely, strict=True)
    ]


def certainty(group: KindCandidates, pairs: Likely) -> Values:
    """Return the addition to the log odds of pairs that a person accepted."""
    return np.where(group.are_accepted(pairs.rows, pairs.columns), ACCEPTED, 0.0)


def second_round_facts(
    groups: Groups, likely: Sequence[Likely], odds: Sequence[Values]
) -> list[Facts]:
    """Return all facts of the second round, from the log odds of the first one."""
    shift = prior_shift(likely, odds)
    probabilities = [
        np.where(mutually_best(pairs, of_pairs), expit(of_pairs + shift), 0.0)
        for pairs, of_pairs in zip(likely, odds, strict=True)
    ]
    neighbours = neighbour_facts(groups, likely, probabilities)
    return [
        {**pairs.facts, **competition(pairs, of_pairs), **around}
        for pairs, of_pairs, around in zip(likely, odds, neighbours, strict=True)
    ]


def weigh(facts: Facts, coefficients: Coefficients, pairs: int) -> Values:
    """Return the intercept and the facts times their coefficients, added."""
    odds = np.full(pairs, coefficients["intercept"])
    for name, values in facts.items():
        odds += coefficients[name] * values
    return odds


def probabilities(likely: Likely, odds: Values) -> Values:
    """Return the probability of each pair, from its log odds with the prior of the ontologies."""
    least = LEAST_OF_EQUAL_LABELS * likely.facts.get("equal_labels", np.zeros(len(likely)))
    return np.maximum(expit(odds), least)


def competition(likely: Likely, odds: Values) -> Facts:
    """Return how far each pair is behind and ahead of its best rival on either side."""
    facts = {}
    for side, entities in (("source", likely.rows), ("target", likely.columns)):
        lead = np.clip(odds - best_rival(odds, entities), -FURTHEST, FURTHEST)
        facts[f"behind_{side}"] = np.minimum(lead, 0.0)
        facts[f"ahead_{side}"] = np.maximum(lead, 0.0)
    return facts


def best_rival(odds: Values, entities: Indices) -> Values:
    """Return the largest odds among the other pairs of each pair's entity.

    Examples
    --------
    >>> best_rival(np.array([1.0, 3.0, 2.0, 5.0]), np.array([0, 0, 0, 1])).tolist()
    [3.0, 2.0, 3.0, -inf]
    """
    best = largest(odds, entities)
    is_best = odds == best
    is_alone = np.bincount(entities[is_best])[entities] == 1
    second = largest(np.where(is_best, -np.inf, odds), entities)
    return np.where(is_best & is_alone, second, best)


def mutually_best(likely: Likely, odds: Values) -> NDArray[np.bool_]:
    """Return for each pair whether neither side has a more likely partner."""
    of_rows = best_rival(odds, likely.rows)
    of_columns = best_rival(odds, likely.columns)
    return np.asarray((odds >= of_rows) & (odds >= of_columns))


@dataclass(frozen=True, slots=True)
class Prior:
    """The addition to the log odds of all pairs of two ontologies.

    Parameters
    ----------
    shift
        The addition.
    decisions
        Number of decided pairs that it was learned from; 0 if it was estimated without them.
    """

    shift: float = 0.0
    decisions: int = 0

    @property
    def metadata(self) -> dict[str, str]:
        """The prior as metadata of an alignment."""
        return {"prior": f"{self.shift:.2f}", PRIOR_DECISIONS: str(self.decisions)}

    @property
    def caution(self) -> str:
        """Why the probabilities may be wrong; empty where there is no reason."""
        if self.decisions or abs(self.shift) < LARGEST_ESTIMATE:
            return ""
        direction = "high" if self.shift > 0.0 else "low"
        return (
            "The share of right pairs could not be estimated; probabilities may be too "
            f"{direction}. Decide some thirty pairs with show."
        )


def estimated_shift(odds: Values) -> float:
    """Return the shift by the log odds of the mutually best pairs, without decisions.

    The share of right pairs among them is estimated by expectation-maximisation.

    References
    ----------
    Saerens, Latinne and Decaestecker (2002), Adjusting the outputs of a classifier to new a priori
    probabilities.
    """
    odds = odds[odds > LEAST_ODDS]
    if len(odds) < LEAST_PAIRS:
        return 0.0
    shift = 0.0
    for _ in range(STEPS):
        right = float(expit(odds + shift).sum()) + PSEUDO_PAIRS * USUAL_SHARE
        share = right / (len(odds) + PSEUDO_PAIRS)
        change = float(logit(share) - logit(USUAL_SHARE))
        shift = min(max(change, -LARGEST_ESTIMATE), LARGEST_ESTIMATE)
    return shift


def learned(estimate: float, odds: Values, is_correct: Sequence[bool]) -> Prior:
    r"""Return the prior that decided pairs teach; the estimate if they are too few.

    With z the log odds of the decided pairs under the estimate and y what was decided, it adds

        argmax_d sum_k (y_k (z_k + d) - ln(1 + exp(z_k + d))) - d^2 / 8,  -6 <= d <= 6.

    Which pairs were decided may depend on their probabilities: the likelihood stays the same.

    Parameters
    ----------
    estimate
        The shift without decisions.
    odds
        Log odds of the decided pairs, without the prior.
    is_correct
        Whether each was accepted.

    Examples
    --------
    >>> learned(1.0, np.zeros(40), [True] * 10 + [False] * 30)  # doctest: +ELLIPSIS
    Prior(shift=-1.0..., decisions=40)
    >>> learned(1.0, np.zeros(4), [False] * 4)
    Prior(shift=1.0, decisions=0)
    """
    if len(odds) < LEAST_DECISIONS:
        return Prior(estimate)

    def loss(lesson: float) -> float:
        shifted = odds + estimate + lesson
        losses = np.logaddexp(0.0, shifted) - np.where(is_correct, shifted, 0.0)
        return float(losses.sum()) + lesson**2 / (2.0 * VARIANCE)

    bounds = (-LARGEST_LESSON, LARGEST_LESSON)
    lesson = float(scipy.optimize.minimize_scalar(loss, bounds=bounds, method="bounded").x)
    return Prior(estimate + lesson, len(odds))


def prior_shift(likely: Sequence[Likely], odds: Sequence[Values]) -> float:
    """Return the addition to all log odds for ontologies that share more, or less, than most do.

    It is estimated from the mutually best pairs (`estimated_shift`).
    """
    best = [
        of_pairs[mutually_best(pairs, of_pairs)]
        for pairs, of_pairs in zip(likely, odds, strict=True)
    ]
    return estimated_shift(np.concatenate([*best, np.empty(0)]))


def learned_prior(groups: Groups) -> Prior | None:
    """Return the prior that a person's decisions teach; None if too few pairs are decided.

    The decided pairs are weighed as if nobody had decided. Only pairs count that the model itself
    would match: which others a person looks at may depend on whether they are right. Pairs of
    equal labels do not count, because their probability has a bound.
    """
    if sum(len(group.decided_pairs) for group in groups) < LEAST_DECISIONS:
        return None
    undecided = tuple(group.without_decisions() for group in groups)
    likely = [likely_pairs(group) for group in undecided]
    odds = log_odds(undecided, likely, *fitted(neighbours=has_neighbours(undecided)))
    decided_odds: list[float] = []
    is_correct: list[bool] = []
    for group, pairs, of_pairs in zip(groups, likely, odds, strict=True):
        is_chosen = mutually_best(pairs, of_pairs) | pairs.equal
        is_chosen &= pairs.facts["equal_labels"] == 0.0
        cells = zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True)
        for cell, odds_of_cell, chosen in zip(cells, of_pairs.tolist(), is_chosen, strict=True):
            if chosen and cell in group.decided_pairs:
                decided_odds.append(odds_of_cell)
                is_correct.append(cell in group.accepted)
    prior = learned(prior_shift(likely, odds), np.array(decided_odds), is_correct)
    return prior if prior.decisions else None
