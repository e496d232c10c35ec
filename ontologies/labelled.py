"""Labels beside the correspondences of an alignment, as SSSOM names them."""

from __future__ import annotations

from dataclasses import replace

from alignrank.common.names import one_line

from .alignment import OBJECT_LABEL, SUBJECT_LABEL, Alignment, Correspondence
from .ontology import Ontology


def with_labels(alignment: Alignment, source: Ontology, target: Ontology) -> Alignment:
    """Return the alignment with the first label of both entities beside each correspondence.

    Parameters
    ----------
    alignment
        Labels that it has already are replaced where the ontology has the entity.
    source, target
        The ontologies. An entity without a label has the last part of its IRI.

    Returns
    -------
    Alignment
        Each `Correspondence.extra` holds the facts `SUBJECT_LABEL` and `OBJECT_LABEL`.

    Examples
    --------
    >>> from alignrank.ontologies import Entity, Kind, Label
    >>> heart = Ontology("", {"a#1": Entity("a#1", Kind.CLASS, (Label("heart"),))})
    >>> organ = Ontology("", {"b#1": Entity("b#1", Kind.CLASS, (Label("Heart"),))})
    >>> (c,) = with_labels(Alignment([Correspondence("a#1", "b#1")]), heart, organ)
    >>> c.labels
    ('heart', 'Heart')
    """

    def labelled(c: Correspondence) -> Correspondence:
        facts = dict(c.extra)
        for key, iri, ontology in (
            (SUBJECT_LABEL, c.entity1, source),
            (OBJECT_LABEL, c.entity2, target),
        ):
            if iri in ontology:
                facts[key] = one_line(ontology.entities[iri].names()[0])
        return replace(c, extra=tuple(sorted(facts.items())))

    return alignment.with_correspondences(map(labelled, alignment))
