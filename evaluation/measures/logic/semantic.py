"""Semantic precision and recall (Euzenat 2007): what follows counts as found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from evaluation.credit.counts import judged
from evaluation.credit.credits import Credits, PrecisionRecall, ZeroDivision, standard
from ontologies.alignment import Alignment, Correspondence
from ontologies.common.table import Frame, Tabular, frame
from ontologies.ontology import Ontology

from .reachability import merge


class Entailment(Protocol):
    """What two ontologies and an alignment entail: by reachability, or by a reasoner."""

    @property
    def inconsistent(self) -> bool:
        """Whether everything follows."""

    @property
    def unsatisfiable(self) -> frozenset[str]:
        """Named classes that cannot have an instance."""

    def entails(self, c: Correspondence) -> bool:
        """Whether a correspondence follows."""


@dataclass(frozen=True, eq=False)
class SemanticScores(Tabular):
    """Semantic precision and recall, and whether they can be trusted.

    Parameters
    ----------
    scores
        Precision, recall and F1.
    credits
        1 for each correspondence that the other alignment entails; its cautions say why the values
        may mean nothing.
    alignment_unsatisfiable, reference_unsatisfiable
        Named classes without possible instances under the alignment and under the reference.
    alignment_inconsistent, reference_inconsistent
        Whether either entails everything.
    """

    scores: PrecisionRecall
    credits: Credits
    alignment_unsatisfiable: frozenset[str]
    reference_unsatisfiable: frozenset[str]
    alignment_inconsistent: bool
    reference_inconsistent: bool

    def to_frame(self) -> Frame:
        """Return one row: precision, recall, f1 and what makes them untrustworthy."""
        row = {
            **vars(self.scores),
            "alignment_unsatisfiable": len(self.alignment_unsatisfiable),
            "reference_unsatisfiable": len(self.reference_unsatisfiable),
            "alignment_inconsistent": self.alignment_inconsistent,
            "reference_inconsistent": self.reference_inconsistent,
        }
        return frame([row])


def _notes(name: str, value: str, merged: Entailment) -> tuple[str, ...]:
    if merged.inconsistent:
        return (
            f"The {name} makes the ontologies inconsistent: it entails everything, and semantic "
            f"{value} is 1 for that reason alone.",
        )
    if merged.unsatisfiable:
        return (
            f"Under the {name} {len(merged.unsatisfiable)} classes are unsatisfiable: they are "
            f"below every class, which raises semantic {value}.",
        )
    return ()


def semantic(
    alignment: Alignment,
    reference: Alignment,
    source: Ontology,
    target: Ontology,
    *,
    entailment: Callable[[Ontology, Ontology, Alignment], Entailment] = merge,
    zero_division: ZeroDivision = "oaei",
) -> SemanticScores:
    r"""Judge an alignment by what it entails and what entails it.

    .. math:: P = |\{a \in A : O_1 \cup O_2 \cup R \models a\}| / |A|, \quad
              R = |\{r \in R : O_1 \cup O_2 \cup A \models r\}| / |R|

    Parameters
    ----------
    alignment, reference
        A and R. Pairs that the reference marks ``?`` leave both.
    source, target
        The two ontologies.
    entailment
        `merge`: reachability between named entities, sound and fast; or `Reasoned`: HermiT, which
        needs Java and the ontologies' files.
    zero_division
        What 0/0 means.

    References
    ----------
    Euzenat (2007), "Semantic precision and recall for ontology alignment evaluation".

    Examples
    --------
    >>> from ontologies.ontology import Entity, Kind
    >>> one = Ontology("", {c: Entity(c, Kind.CLASS) for c in "AB"}, parents={"A": ("B",)})
    >>> two = Ontology("", {"x": Entity("x", Kind.CLASS)})
    >>> a, r = Alignment([Correspondence("A", "x", "<")]), Alignment([Correspondence("B", "x")])
    >>> semantic(a, r, one, two).scores
    PrecisionRecall(precision=1.0, recall=0.0, f1=0.0)
    """
    kept = judged(alignment, reference)
    by_alignment = entailment(source, target, kept.alignment)
    by_reference = entailment(source, target, kept.reference)
    earned = Credits.unweighted(
        kept.alignment,
        kept.reference,
        [by_reference.entails(c) for c in kept.alignment],
        [by_alignment.entails(c) for c in kept.reference],
        _notes("alignment", "recall", by_alignment)
        + _notes("reference", "precision", by_reference),
    )
    return SemanticScores(
        earned.scores(zero_division),
        earned,
        by_alignment.unsatisfiable,
        by_reference.unsatisfiable,
        by_alignment.inconsistent,
        by_reference.inconsistent,
    )


def closed(
    alignment: Alignment, reference: Alignment, source: Ontology, target: Ontology
) -> Credits:
    """Return the credits of comparing all that either entails between named classes.

    The "ideal" variant: precision and recall of the closures Cn(A) and Cn(R), restricted to
    correspondences of named classes, which keeps them finite (Fleischhacker & Stuckenschmidt 2009).
    An equivalence counts as ``=``, ``<`` and ``>``.
    """
    kept = judged(alignment, reference)
    by_alignment = merge(source, target, kept.alignment)
    by_reference = merge(source, target, kept.reference)
    cautions = _notes("alignment", "recall", by_alignment)
    cautions += _notes("reference", "precision", by_reference)
    earned = standard(by_alignment.closure(), by_reference.closure())
    return replace(earned, cautions=cautions)
