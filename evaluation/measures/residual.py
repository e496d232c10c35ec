"""Precision and recall that weigh: by confidence, or beyond what string equality finds."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry, refuse_unknown
from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.credit.credits import Credits, standard, unstated_confidences
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Entity, Ontology


@dataclass(frozen=True)
class Normalisation:
    """When two names are trivially the same.

    Parameters
    ----------
    name
        What outputs call it.
    summary
        One line that says what it does.
    normalise
        The form of a name that is compared; '' never matches.
    synonyms
        Whether synonyms are names, or labels only.
    """

    name: str
    summary: str
    normalise: Callable[[str], str]
    synonyms: bool = False


def _oaei_2016(name: str) -> str:
    return re.sub(r"[ _-]", "", name.lower())


def _words(name: str) -> str:
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    folded = unicodedata.normalize("NFKC", parts).casefold()
    return " ".join(re.findall(r"\w+", folded.replace("_", " ")))


#: Normalisations by name. The choice decides the figure: recall+ is always stated with it.
NORMALISATIONS = Registry(
    "normalisation",
    {
        "oaei-2016": Normalisation(
            "oaei-2016", "labels; lower case; underscores, spaces and hyphens deleted", _oaei_2016
        ),
        "wide": Normalisation(
            "wide",
            "labels and synonyms; Unicode case folding; words of camelCase and punctuation split",
            _words,
            synonyms=True,
        ),
    },
    EvaluationError,
)


def trivial_alignment(
    source: Ontology, target: Ontology, normalisation: str | Normalisation = "oaei-2016"
) -> Alignment:
    """Return the pairs of entities of one kind that share a normalised name.

    Parameters
    ----------
    source, target
        The two ontologies. An entity without labels is named by the last part of its IRI.
    normalisation
        A name of `NORMALISATIONS`, or one of your own.

    Raises
    ------
    EvaluationError
        If the normalisation is unknown.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Kind
    >>> one = Ontology("", {"a#Bus_Stop": Entity("a#Bus_Stop", Kind.CLASS)})
    >>> two = Ontology("", {"b#busStop": Entity("b#busStop", Kind.CLASS)})
    >>> trivial_alignment(one, two).pairs
    frozenset({('a#Bus_Stop', 'b#busStop')})
    """
    if isinstance(normalisation, str):
        normalisation = NORMALISATIONS.lookup(normalisation)
    rule = normalisation

    def names(entity: Entity) -> set[str]:
        return {rule.normalise(n) for n in entity.names(synonyms=rule.synonyms)} - {""}

    index: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entity in target:
        for name in names(entity):
            index[entity.kind, name].append(entity.iri)
    return Alignment(
        (
            Correspondence(entity.iri, other)
            for entity in source
            for name in names(entity)
            for other in index.get((entity.kind, name), ())
        ),
        name=f"string equality ({rule.name})",
    )


def residual(alignment: Alignment, reference: Alignment, baseline: Alignment) -> Credits:
    """Return the credits beyond a baseline: its recall is recall+ if the baseline is trivial.

    The pairs of the baseline leave the reference, and those of them that the reference holds leave
    the alignment; wrong ones stay and count against it.

    Parameters
    ----------
    alignment, reference
        The two to compare; pairs that the reference marks ``?`` leave both.
    baseline
        What is found without effort, for instance a `trivial_alignment`.

    Examples
    --------
    >>> def pairs(text):
    ...     return Alignment(Correspondence(*pair.split("=")) for pair in text.split())
    >>> residual(pairs("a=x c=z"), pairs("a=x b=y c=z"), pairs("a=x")).scores().recall
    0.5
    """
    kept = judged(alignment, reference)
    easy = baseline.pairs
    known = easy & kept.reference.pairs
    return standard(
        kept.alignment.where(lambda c: c.pair not in known),
        kept.reference.where(lambda c: c.pair not in easy),
    )


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
    >>> from alignrank.ontologies.alignment import Correspondence
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
    cautions = unstated_confidences(alignment)
    return Credits(
        tuple(kept.alignment),
        tuple(kept.reference),
        credit_a,
        credit_r,
        weight_a,
        weight_r,
        cautions,
    )
