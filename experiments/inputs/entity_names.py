"""An entity of an ontology by what a person calls it: IRI, last part of the IRI, or label."""

from __future__ import annotations

from collections.abc import Collection

from experiments.errors import ExperimentError
from ontologies import Entity, Kind, Ontology, local_name


def find_entity(ontology: Ontology, name: str, kinds: Collection[Kind] = tuple(Kind)) -> Entity:
    """Return the entity that `name` means; upper and lower case differ in IRIs, not in labels.

    Parameters
    ----------
    ontology
        Where to look.
    name
        An IRI, else the last part of one, else a label or synonym.
    kinds
        Kinds that may be meant.

    Raises
    ------
    ExperimentError
        If no entity or several are called so.

    Examples
    --------
    >>> from ontologies import Label
    >>> heart = Entity("http://ex.org#MA_1", Kind.CLASS, (Label("Heart"),))
    >>> ontology = Ontology("", {heart.iri: heart})
    >>> find_entity(ontology, "heart") is find_entity(ontology, "MA_1") is heart
    True
    """
    wanted = name.casefold()
    tests = (
        lambda e: e.iri == name,
        lambda e: local_name(e.iri) == name,
        lambda e: wanted in [text.casefold() for text in e.names()],
    )
    what = "class" if set(kinds) == {Kind.CLASS} else "entity"
    candidates = [entity for entity in ontology if entity.kind in kinds]
    for test in tests:
        found = [entity for entity in candidates if test(entity)]
        if len(found) == 1:
            return found[0]
        if found:
            shown = ", ".join(f"{entity.iri} ({entity.kind})" for entity in found[:3])
            raise ExperimentError(
                f"{name!r} means {len(found)} things in {ontology.path} ({shown}): give the full "
                "IRI"
            )
    raise ExperimentError(
        f"no {what} of {ontology.path} is called {name!r}: give its IRI, the last part of it or "
        f"a label (alignrank show {ontology.path} --find WORD looks for some)"
    )
