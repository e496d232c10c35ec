"""The proximity of a found correspondence to a correct one: tables of Ehrig & Euzenat (2005)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.ontologies.alignment import Correspondence


def _check(name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise EvaluationError(f"weight {name} is {value}: a proximity lies in [0, 1]")


@dataclass(frozen=True)
class PairWeights:
    """Proximity of the found pair (e, e') where the correct pair is one direct link away.

    Parameters
    ----------
    target_super
        The correct pair is (e, super-entity of e').
    source_super
        The correct pair is (super-entity of e, e').
    target_sub
        The correct pair is (e, sub-entity of e').
    source_sub
        The correct pair is (sub-entity of e, e').

    Raises
    ------
    EvaluationError
        If a weight is outside [0, 1].
    """

    target_super: float = 0.0
    source_super: float = 0.0
    target_sub: float = 0.0
    source_sub: float = 0.0

    def __post_init__(self) -> None:
        for name in ("target_super", "source_super", "target_sub", "source_sub"):
            _check(name, getattr(self, name))

    def swapped(self) -> PairWeights:
        """Return the weights with the roles of the two ontologies exchanged."""
        return PairWeights(self.source_super, self.target_super, self.source_sub, self.target_sub)


@dataclass(frozen=True)
class Proximity:
    """A correspondence proximity (Definition 6): pair, relation and confidence factors.

    Identical components always have the factor 1.

    Parameters
    ----------
    name
        Name in outputs.
    concepts
        Weights of classes and properties.
    individuals
        Weights of individuals, along the part-of links of the hierarchy.
    relations
        Factor by (found, correct) relation; the order of the two does not matter.
    other_relations
        Factor of all other unequal relations.
    confidence
        ``difference``: 1 − |n_a − n_r|; ``nonzero``: 1 if both are above 0, else 0; ``equal``: 1 if
        the two are equal, else 0.

    Raises
    ------
    EvaluationError
        If a factor is outside [0, 1].

    Examples
    --------
    >>> mild = Proximity("mild", concepts=PairWeights(0.9, 0.9, 0.9, 0.9))
    >>> mild.relation("=", "="), mild.relation("=", "<")
    (1.0, 0.0)
    """

    name: str
    concepts: PairWeights = PairWeights()
    individuals: PairWeights = PairWeights()
    relations: Mapping[tuple[str, str], float] = field(default_factory=dict)
    other_relations: float = 0.0
    confidence: Literal["difference", "nonzero", "equal"] = "difference"

    def __post_init__(self) -> None:
        _check("other_relations", self.other_relations)
        for pair, value in self.relations.items():
            _check(f"of relations {' and '.join(pair)}", value)

    def relation(self, found: str, correct: str) -> float:
        """Return the relation factor."""
        if found == correct:
            return 1.0
        mirrored = self.relations.get((correct, found), self.other_relations)
        return self.relations.get((found, correct), mirrored)

    def agreement(self, found: float, correct: float) -> float:
        """Return the confidence factor."""
        if self.confidence == "difference":
            return 1.0 - abs(found - correct)
        if self.confidence == "nonzero":
            return float(found > 0 and correct > 0)
        return float(found == correct)

    def swapped(self) -> Proximity:
        """Return the proximity with the roles of the two ontologies exchanged."""
        inverse = {"<": ">", ">": "<"}
        relations = {}
        for (a, b), value in self.relations.items():
            relations[inverse.get(a, a), inverse.get(b, b)] = value
        return replace(
            self,
            concepts=self.concepts.swapped(),
            individuals=self.individuals.swapped(),
            relations=relations,
        )


#: Values of each option of `RelaxedOptions`; the first is the default.
CHOICES = {
    "both_sides": ("zero", "product"),
    "confidence": ("ignore", "paper"),
    "relations": ("paper", "ignore", "strict"),
    "aggregate": ("product", "mean"),
    "direction": ("forward", "backward"),
}


@dataclass(frozen=True)
class RelaxedOptions:
    """Choices that the paper leaves open; each of them agrees with its Table 8.

    Parameters
    ----------
    both_sides
        Pairs that differ on both sides: ``zero`` (the tables list one-sided changes only) or the
        ``product`` of the two sides' values.
    max_distance
        Longest chain of links that counts; a weight v becomes v^d at distance d.
    confidence
        ``ignore``, so that no value is below ordinary precision and recall; or the ``paper``'s
        confidence factor.
    relations
        The ``paper``'s tables; ``ignore`` relations; or ``strict``: different is 0.
    aggregate
        ``product`` of the three factors (Definition 6), or their ``mean``, which the authors call
        more accurate for the effort. A pair factor of 0 stays 0.
    direction
        ``forward``: a query is asked in the source ontology and answered in the target; or
        ``backward``. It matters to the oriented proximities only.
    """

    both_sides: Literal["zero", "product"] = "zero"
    max_distance: int = 1
    confidence: Literal["ignore", "paper"] = "ignore"
    relations: Literal["paper", "ignore", "strict"] = "paper"
    aggregate: Literal["product", "mean"] = "product"
    direction: Literal["forward", "backward"] = "forward"

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            refuse_unknown(name, getattr(self, name), allowed, EvaluationError)
        if self.max_distance < 0:
            raise EvaluationError(f"max_distance {self.max_distance} is negative: use 0 or more")

    def combine(
        self, proximity: Proximity, pair: float, found: Correspondence, correct: Correspondence
    ) -> float:
        """Return σ(found, correct) from the pair factor and the two correspondences.

        Examples
        --------
        >>> found, correct = Correspondence("a", "x"), Correspondence("a", "x", "<")
        >>> RelaxedOptions().combine(SYMMETRIC, 1.0, found, correct)
        0.5
        """
        factors = [pair]
        if self.relations == "paper":
            factors.append(proximity.relation(found.relation, correct.relation))
        elif self.relations == "strict":
            factors.append(float(found.relation == correct.relation))
        if self.confidence == "paper":
            factors.append(proximity.agreement(found.confidence, correct.confidence))
        if self.aggregate == "mean" and pair > 0:
            return sum(factors) / len(factors)
        return math.prod(factors)


#: The defaults of `RelaxedOptions`.
DEFAULT = RelaxedOptions()

#: Definition 7: nothing but equality counts; its overlap is |A ∩ R| over whole correspondences.
EQUALITY = Proximity("equality", confidence="equal")

#: Definition 8, Tables 1 and 2: half the credit one link away, whatever the direction.
SYMMETRIC = Proximity(
    "symmetric",
    concepts=PairWeights(0.5, 0.5, 0.5, 0.5),
    individuals=PairWeights(0.5, 0.5, 0.5, 0.5),
    relations={("=", "<"): 0.5, ("=", ">"): 0.5},
)

#: Definition 9, Table 3: by correction effort; a super-entity is easier to find than a sub-entity.
EFFORT = Proximity(
    "effort",
    concepts=PairWeights(0.6, 0.6, 0.4, 0.4),
    individuals=PairWeights(0.6, 0.6, 0.4, 0.4),
    other_relations=0.5,
    confidence="nonzero",
)

#: Definition 10, Tables 4 and 5: all that a query returns should be right.
PRECISION = Proximity(
    "precision",
    concepts=PairWeights(target_super=1.0, source_super=0.5, target_sub=0.5, source_sub=1.0),
    individuals=PairWeights(target_super=0.5, source_super=0.0, target_sub=0.0, source_sub=0.5),
    relations={("=", "<"): 0.5, ("=", ">"): 1.0},
)

#: Definition 11, Tables 6 and 7: a query should miss nothing. Table 7 prints 0 for the rows ``=``
#: and ``<``; with it the recall of R against itself would be 0, while Table 8 says 1: both are 1.
RECALL = Proximity(
    "recall",
    concepts=PairWeights(target_super=0.5, source_super=1.0, target_sub=1.0, source_sub=0.5),
    individuals=PairWeights(target_super=0.0, source_super=0.5, target_sub=0.5, source_sub=0.0),
    relations={("=", "<"): 1.0, ("=", ">"): 0.5},
)

#: Proximities by name.
PROXIMITIES: Mapping[str, Proximity] = {
    p.name: p for p in (EQUALITY, SYMMETRIC, EFFORT, PRECISION, RECALL)
}
