"""Precision and recall weighted by confidence, or without the pairs that string equality finds."""

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
from alignrank.evaluation.credit.counts import without_unknown
from alignrank.evaluation.credit.credits import Credits, FloatArray, standard, unstated_confidences
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Entity, Ontology


@dataclass(frozen=True)
class Normalisation:
    """A rule that decides whether two names are trivially the same.

    Parameters
    ----------
    name
        Name in outputs.
    summary
        One line of description.
    normalise
        Returns the form of a name to compare; '' never matches.
    synonyms
        Whether synonyms are compared, or labels only.
    """

    name: str
    summary: str
    normalise: Callable[[str], str]
    synonyms: bool = False


def _oaei_2016(name: str) -> str:
    """Return a name in lower case without spaces, underscores and hyphens."""
    return re.sub(r"[ _-]", "", name.lower())


def _words(name: str) -> str:
    """Return the words of a name, split at camelCase and punctuation, case folded."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    folded = unicodedata.normalize("NFKC", parts).casefold()
    return " ".join(re.findall(r"\w+", folded.replace("_", " ")))


#: Normalisations by name. Recall+ depends much on it: always state both.
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
    equal = []
    for entity in source:
        for name in names(entity):
            partners = index.get((entity.kind, name), ())
            equal += [Correspondence(entity.iri, partner) for partner in partners]
    return Alignment(equal, name=f"string equality ({rule.name})")


def residual(alignment: Alignment, reference: Alignment, baseline: Alignment) -> Credits:
    """Return the credits beyond a baseline: the recall is recall+ if the baseline is trivial.

    All pairs of the baseline leave the reference. Its pairs that the reference holds leave the
    alignment as well; its wrong pairs stay there, and count against it.

    Parameters
    ----------
    alignment, reference
        The two to compare; pairs that the reference marks ``?`` leave both.
    baseline
        The easy correspondences, for instance a `trivial_alignment`.

    Examples
    --------
    >>> def pairs(text):
    ...     return Alignment(Correspondence(*pair.split("=")) for pair in text.split())
    >>> residual(pairs("a=x c=z"), pairs("a=x b=y c=z"), pairs("a=x")).scores().recall
    0.5
    """
    evaluated = without_unknown(alignment, reference)
    easy = baseline.pairs
    easy_and_correct = easy & evaluated.reference.pairs
    return standard(
        evaluated.alignment.where(lambda c: c.pair not in easy_and_correct),
        evaluated.reference.where(lambda c: c.pair not in easy),
    )


#: Rules from confidences to credits, see `weighted`.
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
    is the default: it is ordinary precision and recall where all confidences are 1.
    ``api47`` and ``api2013`` are those of two versions of the Alignment API's
    WeightedPREvaluator: the first credits a wrong correspondence for a low confidence, the second
    can be below 0. ``symmetric`` (its SymMeanEvaluator) credits only correspondences of both.

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
    evaluated = without_unknown(alignment, reference)
    a = evaluated.alignment
    r = evaluated.reference
    credit_a, weight_a = _credit(a, r, variant)
    credit_r, weight_r = _credit(r, a, variant)
    cautions = unstated_confidences(alignment)
    return Credits(tuple(a), tuple(r), credit_a, credit_r, weight_a, weight_r, cautions)


def _credit(own: Alignment, opposite: Alignment, variant: Variant) -> tuple[FloatArray, FloatArray]:
    """Return credit and weight of each correspondence of one of the two alignments."""
    confidences = {c.key: c.confidence for c in opposite}
    n = np.array([c.confidence for c in own])
    m = np.array([confidences.get(c.key, 0.0) for c in own])
    if variant == "fuzzy-min":
        return np.minimum(n, m), n
    if variant == "api2013":
        return n - abs(n - m), n
    credit = 1.0 - abs(n - m)
    if variant == "symmetric":
        credit[[c.key not in confidences for c in own]] = 0.0
    return credit, np.ones(len(n))
