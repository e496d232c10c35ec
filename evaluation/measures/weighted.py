"""Precision and recall weighted by confidence."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from evaluation.credit.counts import judged
from evaluation.credit.credits import Credits
from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment
from ontologies.common.names import refuse_unknown

#: How confidences become credits, see `weighted`.
Variant = Literal["fuzzy-min", "api47", "api2013", "symmetric"]


def weighted(alignment: Alignment, reference: Alignment, variant: Variant = "fuzzy-min") -> Credits:
    r"""Return the credits of precision and recall weighted by confidence.

    With confidences n_a in the alignment and n_r in the reference (0 where it is absent), a
    correspondence of the alignment earns

    ==============  =======================  =========
    variant         credit                   weight
    ==============  =======================  =========
    ``fuzzy-min``   min(n_a, n_r)            n_a
    ``api47``       1 − \|n_a − n_r\|        1
    ``api2013``     n_a − \|n_a − n_r\|      n_a
    ``symmetric``   1 − \|n_a − n_r\|, both  1
    ==============  =======================  =========

    and one of the reference the same with the roles exchanged. ``fuzzy-min``, that of fuzzy sets,
    is the default: it becomes ordinary precision and recall where all confidences are 1.
    ``api47`` and ``api2013`` are those of two versions of the Alignment API's
    WeightedPREvaluator: the first credits a wrong correspondence for a low confidence, the second
    may give less than 0. ``symmetric`` (its SymMeanEvaluator) credits only correspondences that
    both have.

    Parameters
    ----------
    alignment, reference
        Pairs that the reference marks ``?`` leave both.
    variant
        See above.

    Raises
    ------
    EvaluationError
        If the variant is unknown.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "y", "=", 0.1)])
    >>> weighted(a, Alignment([Correspondence("a", "x")])).scores().precision
    0.9
    """
    refuse_unknown("variant", variant, get_args(Variant), EvaluationError)
    kept = judged(alignment, reference)
    sides = []
    for own, other in ((kept.alignment, kept.reference), (kept.reference, kept.alignment)):
        n = np.array([c.confidence for c in own])
        m = np.array([other[c.key].confidence if c.key in other else 0.0 for c in own])
        both = np.array([c.key in other for c in own], dtype=bool)
        if variant == "fuzzy-min":
            sides.append((np.minimum(n, m), n))
        elif variant == "api2013":
            sides.append((n - abs(n - m), n))
        else:
            credit = 1.0 - abs(n - m)
            if variant == "symmetric":
                credit = np.where(both, credit, 0.0)
            sides.append((credit, np.ones(len(n))))
    (credit_a, weight_a), (credit_r, weight_r) = sides
    return Credits(
        tuple(kept.alignment), tuple(kept.reference), credit_a, credit_r, weight_a, weight_r
    )
