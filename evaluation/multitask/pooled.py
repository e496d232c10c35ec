"""Which systems are better on these very tasks: the items of all tasks are pooled.

A mean over tasks asks how systems do on other tasks, and tasks are its sample. Here items are the
sample, so that much smaller differences are found; they hold for these tasks only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from alignrank.evaluation.comparison.contingency import Incidence, decisions
from alignrank.evaluation.comparison.pairwise import Pairwise, Units, pairwise
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.significance.clustered import Clusters, cluster_index
from alignrank.evaluation.significance.crossed import crossed_test, reference_clusters
from alignrank.evaluation.significance.mcnemar import Bools, Ints


@dataclass(frozen=True, eq=False)
class PooledItems:
    """The source entities of all tasks, an item for each entity and task.

    Parameters
    ----------
    systems
        n names.
    right
        (n, m): whether the system's whole answer for the entity is the reference's.
    source
        (m,): the number of the item's source cluster; tasks can share an ontology, and so clusters.
    crossing
        The numbers of the items' target clusters; empty where no target clusters are known.
    mentioned
        (n, m): whether the system or the reference mentions the entity.
    """

    systems: tuple[str, ...]
    right: Bools
    source: Ints
    crossing: tuple[Ints, ...]
    mentioned: Bools


def pooled_items(
    tables: Sequence[Incidence],
    clusters: Clusters | None = None,
    target_clusters: Clusters | None = None,
) -> PooledItems:
    """Pool the source entities of several tasks, for `crossed_test`.

    Parameters
    ----------
    tables
        Who found what on each task; the same systems in the same order.
    clusters, target_clusters
        Cluster by source entity and by target entity, of the ontologies of all tasks; None: every
        entity is its own cluster.

    Examples
    --------
    >>> from alignrank.evaluation.comparison.contingency import incidence
    >>> from alignrank.ontologies.alignment import Alignment, Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y")])
    >>> items = pooled_items([incidence({"all": r, "none": Alignment()}, r)] * 2)
    >>> items.right.tolist(), items.source.tolist()
    ([[True, True, True, True], [False, False, False, False]], [0, 1, 0, 1])
    """
    entities: list[str] = []
    names: list[str] = []
    by_target: dict[str, str] = {}
    right = []
    mentioned = []
    for task, table in enumerate(tables):
        judged = decisions(table, "entity")
        right.append(judged.right)
        mentioned.append(judged.mentioned)
        entities += judged.entities
        names += [f"{task} {entity}" for entity in judged.entities]
        pairs = [(item[0], item[1]) for item in compress(table.items, table.correct)]
        of_task = reference_clusters(pairs, target_clusters or {})
        by_target |= {f"{task} {entity}": cluster for entity, cluster in of_task.items()}
    crossing: tuple[Ints, ...] = ()
    if target_clusters is not None:
        crossing = (cluster_index(names, by_target),)
    source = cluster_index(entities, clusters)
    return PooledItems(
        tables[0].systems,
        np.concatenate(right, axis=1),
        source,
        crossing,
        np.concatenate(mentioned, axis=1),
    )


def compare_pooled(
    tables: Sequence[Incidence],
    settings: AnalysisSettings,
    clusters: Clusters | None = None,
    target_clusters: Clusters | None = None,
) -> Pairwise:
    """Compare systems on these tasks by the pooled source entities, with `crossed_test`.

    Parameters
    ----------
    tables, clusters, target_clusters
        As in `pooled_items`.
    settings
        Correction, level and focus; the test is McNemar's with sign flips.

    Examples
    --------
    >>> from alignrank.evaluation.comparison.contingency import incidence
    >>> from alignrank.ontologies.alignment import Alignment, Correspondence
    >>> r = Alignment(Correspondence(f"a{k}", f"x{k}") for k in range(4))
    >>> s = Alignment(Correspondence(f"b{k}", f"x{k}") for k in range(4))
    >>> tables = [incidence({"all": gold, "none": Alignment()}, gold) for gold in (r, s)]
    >>> compare_pooled(tables, AnalysisSettings()).edges
    (('all', 'none'),)
    """
    items = pooled_items(tables, clusters, target_clusters)
    test = crossed_test(items.right, items.source, items.crossing, items.mentioned).test
    settings = replace(settings, test=None).resolved(items.systems, ["sign-flip"])
    shares = items.right.mean(axis=1).tolist()
    return pairwise(
        "entity",
        items.systems,
        {"sign-flip": test},
        settings,
        values=dict(zip(items.systems, shares, strict=True)),
        quantity="right",
        units=Units(
            "source entities" if clusters is None else "clusters",
            items=len(items.source),
            is_crossed=target_clusters is not None,
        ),
    )
