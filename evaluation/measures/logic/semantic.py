"""Semantic precision and recall (Euzenat 2007): what follows counts as found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evaluation.credit.counts import judged
from evaluation.credit.credits import Credits, standard
from ontologies.alignment import Alignment
from ontologies.ontology import Ontology

from .reachability import Merged, merge


def _notes(by_alignment: Merged, by_reference: Merged) -> tuple[str, ...]:
    """Return a sentence for each alignment under which too much follows."""
    notes = []
    for name, value, merged in (
        ("alignment", "recall", by_alignment),
        ("reference", "precision", by_reference),
    ):
        if merged.inconsistent:
            notes.append(
                f"The {name} makes the ontologies inconsistent: it entails everything, and "
                f"semantic {value} is 1 for that reason alone."
            )
        elif merged.unsatisfiable:
            notes.append(
                f"Under the {name} {len(merged.unsatisfiable)} classes are unsatisfiable: they are "
                f"below every class, which raises semantic {value}."
            )
    return tuple(notes)


def semantic(
    alignment: Alignment,
    reference: Alignment,
    source: Ontology,
    target: Ontology,
    *,
    entailment: Callable[[Ontology, Ontology, Alignment], Merged] = merge,
) -> Credits:
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

    Returns
    -------
    Credits
        1 for each correspondence that the other alignment entails; the cautions say why the values
        may mean nothing.

    References
    ----------
    Euzenat (2007), "Semantic precision and recall for ontology alignment evaluation".

    Examples
    --------
    >>> from ontologies import Correspondence, Entity, Kind
    >>> one = Ontology("", {c: Entity(c, Kind.CLASS) for c in "AB"}, parents={"A": ("B",)})
    >>> two = Ontology("", {"x": Entity("x", Kind.CLASS)})
    >>> a, r = Alignment([Correspondence("A", "x", "<")]), Alignment([Correspondence("B", "x")])
    >>> semantic(a, r, one, two).scores()
    PrecisionRecall(precision=1.0, recall=0.0, f1=0.0)
    """
    kept = judged(alignment, reference)
    by_alignment = entailment(source, target, kept.alignment)
    by_reference = entailment(source, target, kept.reference)
    return Credits.unweighted(
        kept.alignment,
        kept.reference,
        [by_reference.entails(c) for c in kept.alignment],
        [by_alignment.entails(c) for c in kept.reference],
        _notes(by_alignment, by_reference),
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
    earned = standard(by_alignment.closure(), by_reference.closure())
    return replace(earned, cautions=_notes(by_alignment, by_reference))
