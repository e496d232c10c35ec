"""Which entities belong together: siblings rise and fall together, they are not independent."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import EvaluationError
from ontologies.common.inputs import read_text
from ontologies.ontology import Ontology


def parent_clusters(ontology: Ontology) -> dict[str, str]:
    """Put the entities that share an asserted parent into one cluster.

    Parameters
    ----------
    ontology
        The source ontology (the target ontology for the view ``entity-target``).

    Returns
    -------
    dict
        Entity to cluster, named by the parent. An entity with several parents goes with the one
        whose children are fewest, the most specific company it has (then by IRI). Entities without
        a parent are left out: each stands for itself.

    Examples
    --------
    >>> tree = {"rose": ("flower",), "tulip": ("flower",), "oak": ("tree",)}
    >>> parent_clusters(Ontology("", {}, parents=tree))
    {'oak': 'tree', 'rose': 'flower', 'tulip': 'flower'}
    """
    children: dict[str, int] = {}
    for parents in ontology.parents.values():
        for parent in parents:
            children[parent] = children.get(parent, 0) + 1
    return {
        entity: min(parents, key=lambda parent: (children[parent], parent))
        for entity, parents in sorted(ontology.parents.items())
        if parents
    }


def read_clusters(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read clusters from a table: an entity's IRI, a tab, the name of its cluster.

    Empty lines and lines that start with ``# `` are skipped; a first line ``item<TAB>cluster`` is
    a heading.

    Raises
    ------
    EvaluationError
        If the file cannot be read, holds no cluster, a line has not two columns, or an entity is in
        two clusters; the message names the line.
    """
    clusters: dict[str, str] = {}
    for number, line in enumerate(read_text(path, EvaluationError).splitlines(), 1):
        if not line.strip() or line.startswith("# "):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise EvaluationError(
                f"{path}, line {number}: expected an entity, a tab and a cluster, got {line!r}"
            )
        entity, cluster = cells
        if not clusters and [cell.lower() for cell in cells] == ["item", "cluster"]:
            continue
        if clusters.setdefault(entity, cluster) != cluster:
            raise EvaluationError(
                f"{path}, line {number}: {entity} is in two clusters, {clusters[entity]} and "
                f"{cluster}"
            )
    if not clusters:
        raise EvaluationError(f"{path}: no line gives an entity and its cluster")
    return clusters


def cluster_index(entities: Sequence[str], clusters: Mapping[str, str] | None) -> NDArray[np.int64]:
    """Return the number of each entity's cluster; an entity that is in none stands for itself.

    Parameters
    ----------
    entities
        The entity of each item.
    clusters
        Cluster by entity; None: every entity is its own cluster.

    Examples
    --------
    >>> cluster_index(["a", "b", "c", "a"], {"a": "x", "b": "x"}).tolist()
    [0, 0, 1, 0]
    """
    known: dict[tuple[bool, str], int] = {}
    found = [
        (True, clusters[entity]) if clusters and entity in clusters else (False, entity)
        for entity in entities
    ]
    return np.array([known.setdefault(name, len(known)) for name in found], dtype=np.int64)
