"""Measures by name; precision and recall weighted by confidence, or beyond string equality."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Literal, get_args

import numpy as np

from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.names import Registry, grouped, refuse_unknown
from alignrank.evaluation.credit.counts import (
    Formula,
    f_beta,
    fallout,
    from_counts,
    jaccard,
    mcc,
    overall,
    without_unknown,
)
from alignrank.evaluation.credit.credits import (
    Credits,
    Derived,
    Evaluation,
    FloatArray,
    Whole,
    standard,
    unstated_confidences,
)
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.hierarchy import Hierarchy
from alignrank.ontologies.ontology import Entity, Kind, Ontology

from .balanced_distance import BalancedDistance, LearningAccuracy
from .logic.coherence import Coherence, Conservativity, coherence, conservativity
from .logic.reachability import Merged, closed, semantic
from .logic.reasoner import Reasoned, reasoned
from .precision_recall import (
    DEFAULT,
    Proximity,
    RelaxedOptions,
    TargetSimilarity,
    categorised,
    relaxed,
)
from .threshold_curve import Curve, curve


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

    index = grouped(((e.kind, name), e.iri) for e in target for name in names(e))
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
    if min(credit_a.sum(), credit_r.sum()) < 0:
        cautions += (
            "A confidence of more than twice the other one takes credit away: a value below 0 is "
            "no share, F1 of it means nothing, and neither has an interval.",
        )
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


@dataclass(frozen=True, eq=False)
class Context:
    """The two ontologies of a task, and values that measures compute from them once.

    Use a single context for all alignments of a task.

    Parameters
    ----------
    source, target
        The two ontologies, or None.
    relaxed
        Choices that the paper of the relaxed measures leaves open.

    Examples
    --------
    >>> Context().complete
    False
    """

    source: Ontology | None = None
    target: Ontology | None = None
    relaxed: RelaxedOptions = DEFAULT

    @property
    def complete(self) -> bool:
        """Whether both ontologies are present."""
        return self.source is not None and self.target is not None

    @property
    def ontologies(self) -> tuple[Ontology, Ontology]:
        """Both ontologies.

        Raises
        ------
        EvaluationError
            If one is None.
        """
        if self.source is None or self.target is None:
            raise EvaluationError(
                f"the two ontologies are needed: give {Argument('source')} and {Argument('target')}"
            )
        return self.source, self.target

    @cached_property
    def hierarchies(self) -> tuple[Hierarchy, Hierarchy]:
        """Hierarchies of both ontologies."""
        source, target = self.ontologies
        part_of = self.relaxed.part_of
        return Hierarchy.of(source, part_of=part_of), Hierarchy.of(target, part_of=part_of)

    @cached_property
    def balanced_distance(self) -> BalancedDistance:
        """BDM of the target's classes."""
        return BalancedDistance(Hierarchy.of(self.ontologies[1], kinds=[Kind.CLASS]))

    @cached_property
    def learning_accuracy(self) -> LearningAccuracy:
        """Learning accuracy of the target's classes."""
        return LearningAccuracy(self.balanced_distance.hierarchy)

    @cached_property
    def universe(self) -> int:
        """Number of pairs of one kind."""
        return universe_size(*self.ontologies)

    @cached_property
    def trivial(self) -> Callable[[str], Alignment]:
        """The `trivial_alignment` of the ontologies by the name of a normalisation."""
        return cache(partial(trivial_alignment, *self.ontologies))


def universe_size(source: Ontology, target: Ontology) -> int:
    """Return the number of pairs of a source and a target entity of the same kind.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity
    >>> one = Ontology("", {"A": Entity("A", Kind.CLASS), "p": Entity("p", Kind.PROPERTY)})
    >>> two = Ontology("", {"B": Entity("B", Kind.CLASS), "C": Entity("C", Kind.CLASS)})
    >>> universe_size(one, two)
    2
    """
    return sum(len(source.of_kind(kind)) * len(target.of_kind(kind)) for kind in Kind)


Function = Callable[[Alignment, Alignment, Context], Evaluation]
ProximityOf = Callable[[Context], str | Proximity | TargetSimilarity]


@dataclass(frozen=True)
class Measure:
    """A measure of an alignment against a reference.

    Parameters
    ----------
    name
        Its name.
    summary
        One line of description.
    columns
        Names of its values.
    function
        Returns the evaluation of (alignment, reference, context).
    needs_ontologies
        Whether the context must hold both ontologies.
    source
        Author and year.
    less_is_better
        Whether the better alignment has the smaller values.
    proximity
        Returns the proximity of near misses, by the context; None if none count.
    """

    name: str
    summary: str
    columns: tuple[str, ...]
    function: Function
    needs_ontologies: bool = True
    source: str = ""
    less_is_better: bool = False
    proximity: ProximityOf | None = None

    @property
    def description(self) -> str:
        """The summary, and the direction where it is not the usual one.

        Examples
        --------
        >>> MEASURES["fallout"].description
        'share of the wrong pairs that were found; less is better'
        """
        return f"{self.summary}; less is better" if self.less_is_better else self.summary

    def __call__(
        self, alignment: Alignment, reference: Alignment, context: Context | None = None
    ) -> Evaluation:
        """Evaluate an alignment; `values` reads the result, `bootstrap` returns its intervals.

        Raises
        ------
        EvaluationError
            If the measure needs the ontologies, and the context lacks one.
        """
        context = context or Context()
        if self.needs_ontologies and not context.complete:
            raise EvaluationError(
                f"measure {self.name} needs the two ontologies: give {Argument('source')} and "
                f"{Argument('target')}"
            )
        return self.function(alignment, reference, context)


def get_measure(name: str) -> Measure:
    """Return a measure by name.

    Raises
    ------
    EvaluationError
        If there is none of that name; the message lists the closest.

    Examples
    --------
    >>> from alignrank.evaluation.credit.credits import values
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y")])
    >>> values(get_measure("overall")(r.where(lambda c: c.entity1 == "a"), r))
    {'overall': 0.5}
    """
    owner = next((m.name for m in MEASURES.values() if name in m.columns), None)
    if name not in MEASURES and owner is not None:
        raise EvaluationError(f"{name!r} is no measure, but a value of {owner}: name that")
    return MEASURES.lookup(name)


def _standard(alignment: Alignment, reference: Alignment, context: Context) -> Credits:
    evaluated = without_unknown(alignment, reference)
    return standard(evaluated.alignment, evaluated.reference)


def _of_counts(
    name: str,
    summary: str,
    formula: Formula,
    source: str = "",
    *,
    universe: bool = False,
    less_is_better: bool = False,
) -> Measure:
    """Return a measure whose only value follows from the counts, and perhaps from all pairs."""

    def evaluate(alignment: Alignment, reference: Alignment, context: Context) -> Derived:
        pairs = context.universe if universe else None
        earned = _standard(alignment, reference, context)
        return replace(from_counts(name, formula, earned, pairs), less_is_better=less_is_better)

    return Measure(name, summary, (name,), evaluate, universe, source, less_is_better)


def _weighted(variant: Variant) -> Function:
    return lambda a, r, context: weighted(a, r, variant)


def _rates(name: str, summary: str, function: Function, source: str = "") -> Measure:
    """Return a measure of precision, recall and F1 that needs the ontologies."""
    return Measure(name, summary, _PRF, function, source=source)


def relaxed_measure(
    name: str, summary: str, proximity: ProximityOf, source: str = "Ehrig & Euzenat 2005"
) -> Measure:
    """Return the relaxed measure of a proximity, called ``relaxed-NAME``."""

    def function(alignment: Alignment, reference: Alignment, context: Context) -> Credits:
        hierarchies, options = context.hierarchies, context.relaxed
        near = relaxed(alignment, reference, *hierarchies, proximity(context), options=options)
        return near.credits

    measure = _rates(f"relaxed-{name}", summary, function, source)
    return replace(measure, proximity=proximity)


def _semantic(entailment: Callable[[Ontology, Ontology, Alignment], Merged]) -> Function:
    return lambda a, r, context: semantic(a, r, *context.ontologies, entailment=entailment)


def _residual(normalisation: str) -> Function:
    return lambda a, r, context: residual(a, r, context.trivial(normalisation))


def _roc(alignment: Alignment, reference: Alignment, context: Context) -> Derived:
    curve_of = curve(alignment, reference)
    return Derived(
        ("roc_auc",),
        curve_of.sources,
        lambda weights, place, _: curve_of.resampled_auc(weights, place, context.universe),
        curve_of.cautions,
    )


def _coherence(alignment: Alignment, reference: Alignment, context: Context) -> Whole:
    result = coherence(alignment, *context.ontologies)
    numbers = (len(result.unsatisfiable), result.degree, result.incoherence)
    inconsistent: tuple[str, ...] = ()
    if result.inconsistent:
        inconsistent = ("The alignment makes the ontologies inconsistent.",)
    return _damage(_COHERENCE, numbers, result, inconsistent)


def _conservativity(alignment: Alignment, reference: Alignment, context: Context) -> Whole:
    result = conservativity(alignment, *context.ontologies)
    return _damage(_VIOLATIONS, (result.source, result.target), result)


def _damage(
    columns: tuple[str, ...],
    numbers: tuple[float, ...],
    result: Coherence | Conservativity,
    cautions: tuple[str, ...] = (),
) -> Whole:
    """Return the values of a damage: less is better, and only a reasoner gives exact ones."""
    cautions += result.cautions
    if result.is_lower_bound:
        text = "A lower bound, by reachability; alignrank[reasoner] gives the exact value."
        cautions = (*cautions, text)
    return Whole(columns, numbers, cautions, True, result.is_lower_bound)


_PRF = Credits.columns
_COHERENCE = ("unsatisfiable", "degree", "incoherence")
_VIOLATIONS = ("source_violations", "target_violations")

_ALL = (
    Measure("standard", "exact correspondences", _PRF, _standard, False),
    _of_counts("f0.5", "F-measure that favours precision", f_beta(0.5), "van Rijsbergen 1979"),
    _of_counts("f2", "F-measure that favours recall", f_beta(2), "van Rijsbergen 1979"),
    _of_counts(
        "overall",
        "effort saved by correcting, not writing anew; may be negative",
        overall,
        "Melnik, Garcia-Molina & Rahm 2002",
    ),
    _of_counts("jaccard", "correct ones among all that either set holds", jaccard),
    _of_counts(
        "fallout",
        "share of the wrong pairs that were found",
        fallout,
        universe=True,
        less_is_better=True,
    ),
    _of_counts("mcc", "Matthews correlation over all pairs", mcc, "Matthews 1975", universe=True),
    Measure(
        "curve",
        "average precision, and F1 at the best threshold",
        Curve.columns,
        lambda a, r, _: curve(a, r),
        False,
    ),
    Measure("roc-auc", "area under the ROC curve over all pairs", ("roc_auc",), _roc),
    Measure("weighted", "confidences as fuzzy sets", _PRF, _weighted("fuzzy-min"), False),
    Measure("weighted-api47", "Alignment API 4.7", _PRF, _weighted("api47"), False),
    Measure("weighted-api2013", "Alignment API of 2013", _PRF, _weighted("api2013"), False),
    Measure("weighted-symmetric", "agreement of confidences", _PRF, _weighted("symmetric"), False),
    relaxed_measure("symmetric", "near misses, half credit", lambda _: "symmetric"),
    relaxed_measure("effort", "near misses, by correction effort", lambda _: "effort"),
    relaxed_measure("precision", "near misses that are right", lambda _: "precision"),
    relaxed_measure("recall", "near misses that miss nothing", lambda _: "recall"),
    relaxed_measure(
        "oriented", "precision and recall each by its own proximity", lambda _: "oriented"
    ),
    relaxed_measure(
        "bdm",
        "near misses in the target by BDM",
        lambda context: context.balanced_distance,
        "Maynard, Peters & Li 2006",
    ),
    relaxed_measure(
        "learning-accuracy",
        "near misses in the target by learning accuracy",
        lambda context: context.learning_accuracy,
        "Hahn & Schnattinger 1998",
    ),
    _rates(
        "relaxed-categorisation",
        "near misses in the target add, far ones take away",
        lambda a, r, context: categorised(a, r, context.hierarchies[1]),
        "Sun & Lim 2001",
    ),
    _rates(
        "semantic",
        "what follows counts, by the reasoner that is installed, else by reachability",
        _semantic(reasoned),
        "Euzenat 2007",
    ),
    _rates(
        "semantic-closure",
        "everything that follows, compared",
        lambda a, r, context: closed(a, r, *context.ontologies),
        "Fleischhacker & Stuckenschmidt 2009",
    ),
    _rates(
        "semantic-hermit",
        "what follows counts, by HermiT (Java)",
        _semantic(Reasoned),
        "Euzenat 2007",
    ),
    _rates(
        "residual",
        "beyond equal labels (oaei-2016); its recall is recall+",
        _residual("oaei-2016"),
        "OAEI anatomy track",
    ),
    _rates("residual-wide", "beyond equal labels and synonyms, words split", _residual("wide")),
    Measure(
        "coherence",
        "classes made unsatisfiable, and the smallest repair",
        _COHERENCE,
        _coherence,
        source="Meilicke & Stuckenschmidt 2008",
        less_is_better=True,
    ),
    Measure(
        "conservativity",
        "new subsumptions inside each ontology",
        _VIOLATIONS,
        _conservativity,
        source="Solimando, Jiménez-Ruiz & Guerrini 2017",
        less_is_better=True,
    ),
)

MEASURES = Registry(
    "measure",
    {measure.name: measure for measure in _ALL},
    EvaluationError,
    listed_by="alignrank list measures",
)


#: Values of the standard measure that the fast randomisation knows.
_STANDARD = ("precision", "recall", "f1", "f0.5", "f2", "overall", "jaccard")


def measure_and_value(measure_name: str) -> tuple[Measure, str]:
    """Return a measure and the name of the value to compare.

    Parameters
    ----------
    measure_name
        A measure's name, or name and value.

    Raises
    ------
    EvaluationError
        If the measure has no such value, or is one value itself.

    Examples
    --------
    >>> measure, value = measure_and_value("relaxed-symmetric:recall")
    >>> measure.name, value
    ('relaxed-symmetric', 'recall')
    >>> measure_and_value("F1")[1]
    'f1'
    """
    name, _, value = measure_name.partition(":")
    if name.casefold() in _STANDARD:
        if value and value != name.casefold():
            raise EvaluationError(
                f"measure {measure_name!r}: {name} is one value: leave {value!r} out, or name "
                f"{value!r} alone"
            )
        name, value = "standard", name.casefold()
    measure = get_measure(name)
    value = value or ("f1" if "f1" in measure.columns else measure.columns[0])
    if value not in measure.columns and name != "standard":
        raise EvaluationError(
            f"measure {name!r} has no value {value!r}: use one of {', '.join(measure.columns)}"
        )
    return measure, value
