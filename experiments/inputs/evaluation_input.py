"""The one way from systems and what judges them to a complete comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from alignrank.common.errors import Argument, EvaluationError, Message
from alignrank.common.results import Caution, InputFile
from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    Context,
    EntityClusters,
    compare,
    compare_measure,
    parent_clusters,
    read_clusters,
)
from alignrank.evaluation.comparison.answers import by_system
from alignrank.evaluation.comparison.contingency import Incidence, incidence, lined_up
from alignrank.evaluation.comparison.robustness import checks_dependence, dependence_checks
from alignrank.evaluation.measures.measure import measure_and_value
from alignrank.evaluation.significance.clustered import Clusters
from alignrank.evaluation.uncertainty.bootstrap import system_intervals
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.tasks.system_files import equal_alignments

#: Groups the entities by their parents in the ontology.
PARENT = "parent"


@dataclass(frozen=True)
class EvaluationInput:
    """Systems, what they are judged by, and what the reader must know of both.

    Parameters
    ----------
    systems, reference
        The alignments and what is right.
    context
        The ontologies, those that were given.
    clusters
        Which entities may depend on each other.
    filters
        What is not judged, by the filters' names; it is left out of systems and reference.
    cautions
        Sentences that the reader must know.
    inputs
        Every file that was read, by its role.
    """

    systems: Mapping[str, Alignment] = field(default_factory=dict)
    reference: Alignment = field(default_factory=Alignment)
    context: Context = field(default_factory=Context)
    clusters: EntityClusters = field(default_factory=EntityClusters)
    filters: tuple[str, ...] = ()
    cautions: Sequence[Caution] = ()
    inputs: Mapping[str, InputFile] = field(default_factory=dict)


def compare_systems(
    given: EvaluationInput, settings: AnalysisSettings, measure: str | None = None
) -> Comparison:
    """Compare systems: verdicts, intervals of the scores, checks of dependence, and cautions.

    Parameters
    ----------
    given
        The systems and what judges them. With a focus, systems of equal alignments are compared
        once, so that the comparison may have fewer.
    settings
        What decides; the clusters are those of `given`.
    measure
        Name of a measure, or ``measure:value``, that randomisation compares by; None: McNemar's
        test.

    Raises
    ------
    EvaluationError
        As `compare` and `compare_measure`; or if no system differs from the focus.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    >>> half = r.where(lambda c: c.entity1 < "a#15")
    >>> result = compare_systems(EvaluationInput({"half": half, "all": r}, r), AnalysisSettings())
    >>> result.deciding.edges, list(result.intervals["half"])
    ((('all', 'half'),), ['precision', 'recall', 'f1'])
    """
    if settings.focus is not None:
        given = _without_copies(given, settings.focus)
    settings = replace(settings, clusters=given.clusters)
    if measure is None:
        table = incidence(given.systems, given.reference)
        result = compare(table, given.reference, settings)
    else:
        table = lined_up(given.systems, given.reference)
        of_measure, value = measure_and_value(measure)
        result = compare_measure(
            given.systems,
            given.reference,
            lambda alignment, reference: of_measure(alignment, reference, given.context),
            value,
            settings,
            name=measure.replace(":", "-"),
        )
    cautions = (*given.cautions, *result.cautions)
    to_find = result.reference
    if to_find is None:
        to_find = len(given.reference) - given.reference.columns.relation.count("?")
    result = replace(result, reference=to_find, cautions=cautions)
    if result.runs is not None:  # of several runs no alignment is the system's
        return result
    checks = _checks_of_dependence(result, table, given)
    limits = system_intervals(table, *given.clusters.of_items(given.reference.pairs))
    return replace(
        result,
        cautions=(*checks, *cautions),
        intervals={
            name: {interval.name: (interval.low, interval.high) for interval in of_system.intervals}
            for name, of_system in limits.items()
        },
    )


def _checks_of_dependence(
    result: Comparison, table: Incidence, given: EvaluationInput
) -> Iterator[Caution]:
    view, context = result.deciding, given.context
    ontology = context.target if view.view == "entity-target" else context.source
    if ontology is not None and checks_dependence(view):
        yield from dependence_checks(table, view, ontology, given.clusters)


def _without_copies(given: EvaluationInput, focus: str) -> EvaluationInput:
    """Return the systems that differ from the focus and from each other; cautions name the copies.

    A copy asks no question of its own: it would only make the correction stricter.
    """
    if focus not in given.systems or len(by_system(given.systems)) < len(given.systems):
        return given  # an unknown focus is refused later; runs of one system may be equal
    # Sorted by name: the answer must not depend on the order of the files.
    in_order = {focus: given.systems[focus], **dict(sorted(given.systems.items()))}
    copies = equal_alignments(in_order)
    if len(copies) == len(in_order) - 1:
        raise EvaluationError(
            f"all systems have the correspondences of {focus}: add one that differs from it"
        )
    cautions = list(given.cautions)
    if equal := [name for name in copies if copies[name] == focus]:
        text = f"same correspondences as {focus}, so not compared with it: {', '.join(equal)}"
        cautions.insert(0, Caution("copy-of-focus", text, system=focus))
    listed = [f"{copy} (as {name})" for copy, name in copies.items() if name != focus]
    if listed:
        text = f"compared once, for the same correspondences: {', '.join(listed)}"
        cautions.append(Caution("counted-once", text))
    if given.systems[focus].pairs == given.reference.pairs:
        text = f"{focus} holds just the reference alignment: is its file the reference?"
        cautions.insert(0, Caution("twin", text, system=focus))
    systems = {name: alignment for name, alignment in in_order.items() if name not in copies}
    return replace(given, systems=systems, cautions=cautions)


def entity_clusters(
    context: Context,
    alignments: Iterable[Alignment],
    named: str | None = PARENT,
    *,
    by_target: bool = False,
) -> tuple[EntityClusters, list[Caution]]:
    """Return which entities depend on each other, and what is not known of that.

    Parameters
    ----------
    context
        The ontologies, as far as they are known.
    alignments
        All that is judged, and the reference.
    named
        ``parent``: entities that share a parent, as far as the ontologies tell. Or a TSV file of
        item and cluster. None: all entities are independent.
    by_target
        Whether the items are target entities.

    Raises
    ------
    EvaluationError
        If there is no such file, or its clusters are of other entities: all items would count as
        independent.
    """
    sizes = None
    if context.complete:
        source, target = context.ontologies
        sizes = len(source), len(target)
    unknown = EntityClusters(sizes=sizes)
    own, other = context.source, context.target
    if by_target:
        own, other = other, own
    if named is None or (named == PARENT and own is None and other is None):
        return unknown, []
    across = None if other is None else parent_clusters(other)
    sides: list[set[str]] = [set(), set()]
    for alignment in alignments:
        for entities, column in zip(sides, alignment.columns[:2], strict=True):
            entities.update(column)
    items, partners = reversed(sides) if by_target else sides
    lacking = "cluster"
    if named != PARENT:
        clusters: Clusters = _clusters_of_file(named)
        if not items & clusters.keys():
            side = "target" if by_target else "source"
            raise EvaluationError(
                f"{Argument('clusters', named)}: none of the {len(items)} {side} entities is in "
                "a cluster of "
                "it"
            )
    else:
        clusters, lacking = {} if own is None else parent_clusters(own), "parent"
        if not items & clusters.keys() and not partners & (across or {}).keys():
            known = " and ".join(str(each.path) for each in (own, other) if each is not None)
            text = f"{known} has a parent of no entity here: no clusters are known"
            return unknown, [Caution("no-clusters", text)]
    of_source, of_target = (across, clusters) if by_target else (clusters, across)
    without = len(items - clusters.keys())
    cautions = _counted_as_independent(without, len(items), lacking)
    if named == PARENT and without == len(items):
        lacks = "their ontology is unknown"
        if own is not None:
            lacks = f"no entity here has a parent in {own.path}"
        text = f"{lacks}: entities depend on each other only as their partners in the reference do"
        cautions = [Caution("no-parent", text)]
    return EntityClusters(of_source, of_target, sizes), cautions


def _clusters_of_file(name: str) -> dict[str, str]:
    if not Path(name).is_file():
        raise EvaluationError(
            f"{Argument('clusters', name)}: no such file: name {PARENT}, or a TSV file of item, "
            "cluster"
        )
    return read_clusters(name)


def _counted_as_independent(without: int, entities: int, lacking: str) -> list[Caution]:
    """Return a caution on entities without a parent or a cluster, and what to do."""
    if not without:
        return []
    cure: tuple[str | Argument, ...] = ("add them to the file",)
    if lacking == "parent":
        cure = ("`compare` takes your own groups (", Argument("clusters"), ")")
    text = Message(
        f"{without} of {entities} entities have no {lacking} and count as independent cases; if "
        "many of them depend on each other, p is too small: ",
        *cure,
    )
    return [Caution(f"no-{lacking}", text)]
