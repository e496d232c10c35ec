"""What a measure may need beside alignment and reference, computed once for a task."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from evaluation.errors import EvaluationError
from evaluation.measures.relaxed.class_distance import BalancedDistance, LearningAccuracy
from ontologies.alignment import Alignment
from ontologies.hierarchy import Hierarchy
from ontologies.ontology import Kind, Ontology

from .residual import trivial_alignment


@dataclass(frozen=True, eq=False)
class Context:
    """The two ontologies of a task, and what measures compute from them.

    One context should serve all alignments of a task.

    Parameters
    ----------
    source, target
        The two ontologies; None where they are not given.

    Examples
    --------
    >>> Context().complete
    False
    """

    source: Ontology | None = None
    target: Ontology | None = None

    @property
    def complete(self) -> bool:
        """Whether both ontologies are given."""
        return self.source is not None and self.target is not None

    @property
    def ontologies(self) -> tuple[Ontology, Ontology]:
        """Both ontologies.

        Raises
        ------
        EvaluationError
            If one is not given.
        """
        if self.source is None or self.target is None:
            raise EvaluationError("the two ontologies are needed: give --source and --target")
        return self.source, self.target

    @cached_property
    def hierarchies(self) -> tuple[Hierarchy, Hierarchy]:
        """Hierarchies of both ontologies."""
        one, two = self.ontologies
        return Hierarchy.of(one), Hierarchy.of(two)

    @cached_property
    def target_classes(self) -> Hierarchy:
        """Hierarchy of the target's classes."""
        return Hierarchy.of(self.ontologies[1], kinds=[Kind.CLASS])

    @cached_property
    def balanced_distance(self) -> BalancedDistance:
        """BDM of the target's classes."""
        return BalancedDistance(self.target_classes)

    @cached_property
    def learning_accuracy(self) -> LearningAccuracy:
        """Learning accuracy of the target's classes."""
        return LearningAccuracy(self.target_classes)

    @cached_property
    def universe(self) -> int:
        """Number of pairs of one kind."""
        return universe_size(*self.ontologies)

    @cached_property
    def _trivial(self) -> dict[str, Alignment]:
        return {}

    def trivial(self, normalisation: str) -> Alignment:
        """Return what string equality finds, see `trivial_alignment`."""
        if normalisation not in self._trivial:
            self._trivial[normalisation] = trivial_alignment(*self.ontologies, normalisation)
        return self._trivial[normalisation]


def universe_size(source: Ontology, target: Ontology) -> int:
    """Return the number of pairs of a source and a target entity of the same kind.

    Examples
    --------
    >>> from ontologies.ontology import Entity
    >>> one = Ontology("", {"A": Entity("A", Kind.CLASS), "p": Entity("p", Kind.PROPERTY)})
    >>> two = Ontology("", {"B": Entity("B", Kind.CLASS), "C": Entity("C", Kind.CLASS)})
    >>> universe_size(one, two)
    2
    """
    return sum(len(source.of_kind(kind)) * len(target.of_kind(kind)) for kind in Kind)
