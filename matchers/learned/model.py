"""The model: evidence in, the probability of each likely pair out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from alignrank.matchers.evidence import Groups, KindCandidates, ScoredPairs

from .evidence import FURTHEST, Facts, Likely, Values, likely_pairs, neighbour_facts
from .names import Indices

#: The coefficient of each fact, and the ``intercept``.
Coefficients = Mapping[str, float]

#: Share of right pairs among mutually best ones where nothing is known: their share in the pairs
#: of ontologies that were fitted.
PRIOR = 0.3
#: How many pairs `PRIOR` counts as beside those of the ontologies.
PSEUDO_PAIRS = 10.0
#: Largest change of the log odds by the prior of two ontologies.
LARGEST_SHIFT = 2.0
#: Mutually best pairs of smaller log odds say nothing of the prior.
LEAST_ODDS = -4.0
#: Fewer mutually best pairs say nothing of the prior.
LEAST_PAIRS = 10
#: Smallest probability of equal labels. The prior of ontologies that share little put them below
#: it on two of six sets, where more than nine in ten of them are right.
LEAST_OF_EQUAL_LABELS = 0.9
#: Steps in which the prior is estimated.
STEPS = 30
#: Added to the log odds of a pair that a person accepted: more than all evidence.
ACCEPTED = 50.0


@cache
def fitted() -> tuple[Coefficients, Coefficients]:
    """Return the coefficients of both rounds, as `benchmarks/fit_matcher.py` fitted them."""
    path = files("alignrank.matchers").joinpath("learned", "coefficients.json")
    rounds = json.loads(path.read_text("utf-8"))["rounds"]
    return rounds[0], rounds[1]


def score_pairs(groups: Groups) -> list[ScoredPairs]:
    """Return the probability of each likely pair of each kind, and which pairs are matched.

    A pair is matched if neither side has a more likely partner, or if the two share a name: then
    n:m where several entities do. A threshold is applied afterwards.
    """
    likely = [likely_pairs(group) for group in groups]
    odds = log_odds(groups, likely, *fitted())
    shift = prior_shift(likely, odds)
    scored = []
    for group, pairs, of_pairs in zip(groups, likely, odds, strict=True):
        is_open = ~group.are_accepted(pairs.rows, pairs.columns)
        is_chosen = mutually_best(pairs, of_pairs) | pairs.equal
        similarities = probabilities(pairs, of_pairs + shift)
        scored.append(
            ScoredPairs(
                pairs.rows[is_open],
                pairs.columns[is_open],
                similarities[is_open],
                is_chosen[is_open],
            )
        )
    return scored


def weight_of_evidence(groups: Groups, kind: str, row: int, column: int) -> dict[str, float]:
    """Return what each fact adds to the log odds of a pair; nothing if the pair is no likely one.

    Parameters
    ----------
    groups
        The candidates of each kind.
    kind, row, column
        The kind of the two entities, and their positions.
    """
    first, second = fitted()
    likely = [likely_pairs(group) for group in groups]
    facts_of_kinds = second_round_facts(groups, likely, odds_by_names(groups, likely, first))
    for group, pairs, facts in zip(groups, likely, facts_of_kinds, strict=True):
        is_pair = (pairs.rows == row) & (pairs.columns == column)
        if group.kind == kind and is_pair.any():
            return {
                name: second[name] * float(values[is_pair][0]) for name, values in facts.items()
            }
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
    """Return what is added to the log odds of pairs because a person accepted them."""
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
    order = np.lexsort((-odds, entities))
    entity = entities[order]
    ordered = odds[order]
    starts = np.searchsorted(entity, entity)
    is_best = starts == np.arange(len(order))
    following = np.append(ordered[1:], -np.inf)
    alone = np.append(entity[1:] != entity[:-1], True)[: len(order)]
    rivals = np.empty(len(odds))
    rivals[order] = np.where(is_best, np.where(alone, -np.inf, following), ordered[starts])
    return rivals


def mutually_best(likely: Likely, odds: Values) -> NDArray[np.bool_]:
    """Return for each pair whether neither side has a more likely partner."""
    of_rows = best_rival(odds, likely.rows)
    of_columns = best_rival(odds, likely.columns)
    return np.asarray((odds >= of_rows) & (odds >= of_columns))


def prior_shift(likely: Sequence[Likely], odds: Sequence[Values]) -> float:
    """Return what is added to all log odds, because the ontologies share more or less than most.

    The share of right pairs among the mutually best ones is estimated by expectation-maximisation.

    References
    ----------
    Saerens, Latinne and Decaestecker (2002), Adjusting the outputs of a classifier to new a priori
    probabilities.
    """
    best = [
        of_pairs[mutually_best(pairs, of_pairs) & (of_pairs > LEAST_ODDS)]
        for pairs, of_pairs in zip(likely, odds, strict=True)
    ]
    candidates = np.concatenate([*best, np.empty(0)])
    if len(candidates) < LEAST_PAIRS:
        return 0.0
    shift = 0.0
    for _ in range(STEPS):
        right = float(expit(candidates + shift).sum()) + PSEUDO_PAIRS * PRIOR
        share = right / (len(candidates) + PSEUDO_PAIRS)
        change = float(logit(share) - logit(PRIOR))
        shift = min(max(change, -LARGEST_SHIFT), LARGEST_SHIFT)
    return shift
