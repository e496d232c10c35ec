"""Clusters of entities, as ``--cluster`` names them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evaluation import Context, parent_clusters, read_clusters
from experiments.errors import ExperimentError
from ontologies import Alignment

#: Groups the entities by their parents in the ontology.
PARENT = "parent"


def named_clusters(
    spec: str | None, context: Context, alignments: Iterable[Alignment], *, by_target: bool = False
) -> tuple[dict[str, str] | None, list[str]]:
    """Return the clusters of the items, and how many entities have none.

    Parameters
    ----------
    spec
        ``parent``, a TSV file of entity and cluster, or None: no clusters.
    context
        The ontologies: ``parent`` needs the one that the items are of.
    alignments
        All that is judged, and the reference.
    by_target
        Whether the items are target entities.

    Raises
    ------
    ExperimentError
        If there is no such file, the ontology is missing, or the clusters are of other entities:
        all items would count as independent.
    """
    if spec is None:
        return None, []
    side = "target" if by_target else "source"
    if spec == PARENT:
        ontology = context.target if by_target else context.source
        if ontology is None:
            raise ExperimentError(f"--cluster parent needs the {side} ontology: give --{side}")
        clusters = parent_clusters(ontology)
    elif Path(spec).is_file():
        clusters = read_clusters(spec)
    else:
        raise ExperimentError(
            f"--cluster {spec}: no such file: name {PARENT}, or a TSV file of item, cluster"
        )
    entities = {c.pair[by_target] for alignment in alignments for c in alignment}
    without = len(entities - clusters.keys())
    if without == len(entities):
        raise ExperimentError(
            f"--cluster {spec}: none of the {len(entities)} {side} entities is in a cluster of it"
        )
    if without:
        return clusters, [f"{without} of {len(entities)} entities are in no cluster of their own"]
    return clusters, []
