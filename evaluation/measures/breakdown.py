"""An alignment's credits by kind of entity and by relation, and how its entities pair up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.credit.credits import Credits, PrecisionRecall, ZeroDivision
from ontologies.alignment import Alignment, Correspondence
from ontologies.common.tables import Tabular
from ontologies.ontology import Ontology

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Part:
    """Precision, recall and F1 of one part of the correspondences, with its sizes."""

    part: str
    found: int
    reference: int
    scores: PrecisionRecall


@dataclass(frozen=True)
class Breakdown(Tabular):
    """Precision, recall and F1 by part."""

    parts: tuple[Part, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each part."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"part": p.part, "found": p.found, "reference": p.reference, **vars(p.scores)}
                for p in self.parts
            ]
        )


def by_relation(earned: Credits, *, zero_division: ZeroDivision = "oaei") -> Breakdown:
    """Break credits down by the relation of the correspondence.

    Examples
    --------
    >>> from evaluation.credit.credits import standard
    >>> a = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "<")])
    >>> [(p.part, p.scores.recall) for p in by_relation(standard(a, a)).parts]
    [('<', 1.0), ('=', 1.0)]
    """
    return _breakdown(earned, lambda c: c.relation, zero_division)


def by_kind(
    earned: Credits, source: Ontology, target: Ontology, *, zero_division: ZeroDivision = "oaei"
) -> Breakdown:
    """Break credits down by the kinds of the two entities.

    ``class`` stands for two classes; entities of different kinds give a part such as
    ``class-property``, entities that an ontology does not declare one with ``undeclared``.
    """

    def kinds(c: Correspondence) -> str:
        one, two = (
            str(ontology.entities[iri].kind) if iri in ontology else "undeclared"
            for iri, ontology in ((c.entity1, source), (c.entity2, target))
        )
        return one if one == two else f"{one}-{two}"

    return _breakdown(earned, kinds, zero_division)


def _breakdown(
    earned: Credits, part_of: Callable[[Correspondence], str], zero_division: ZeroDivision
) -> Breakdown:
    parts = []
    for name in sorted({part_of(c) for c in (*earned.found, *earned.reference)}):
        chosen = earned.where(lambda c, name=name: part_of(c) == name)  # type: ignore[misc]
        scores = chosen.scores(zero_division)
        parts.append(Part(name, len(chosen.found), len(chosen.reference), scores))
    return Breakdown(tuple(parts))


@dataclass(frozen=True)
class Arity(Tabular):
    """How many correspondences pair entities that occur once or several times.

    Parameters
    ----------
    one_to_one, one_to_many, many_to_one, many_to_many
        Correspondences by the number of their source's targets and their target's sources:
        ``one_to_many`` has a source with several targets, each of which has this source only.
    """

    one_to_one: int
    one_to_many: int
    many_to_one: int
    many_to_many: int


def arity(alignment: Alignment) -> Arity:
    """Count pairs by how often their entities occur; several relations of a pair count once.

    Examples
    --------
    >>> arity(Alignment(Correspondence(*p) for p in ["ax", "by", "bz"]))
    Arity(one_to_one=1, one_to_many=2, many_to_one=0, many_to_many=0)
    """
    targets = Counter(entity1 for entity1, _ in alignment.pairs)
    sources = Counter(entity2 for _, entity2 in alignment.pairs)
    kinds = Counter((targets[one] > 1, sources[two] > 1) for one, two in alignment.pairs)
    return Arity(kinds[False, False], kinds[True, False], kinds[False, True], kinds[True, True])
