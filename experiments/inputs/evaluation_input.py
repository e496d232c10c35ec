"""Systems and their reference, read, checked and filtered; and their complete comparison."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from alignrank.common.errors import Argument, EvaluationError, Message
from alignrank.common.names import grouped, refuse_unknown
from alignrank.common.records import NOT_WRITTEN
from alignrank.common.results import Caution, InputFile
from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    Context,
    EntityClusters,
    compare_incidence,
    compare_measure,
    parent_clusters,
    read_clusters,
)
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.robustness import dependence_checks
from alignrank.evaluation.measures.measure import measure_and_value
from alignrank.evaluation.multitask.alignments_folder import (
    TrackResults,
    read_track,
    references_in,
)
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.significance.clustered import Clusters
from alignrank.evaluation.significance.runs import by_system
from alignrank.evaluation.uncertainty.score_intervals import system_intervals
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.input_cautions import check_reference
from alignrank.experiments.inputs.named_inputs import (
    filters_in_force,
    input_file,
    input_files,
    ontologies_beside,
    ontologies_of,
)
from alignrank.ontologies import Alignment, Ontology, load_ontology
from alignrank.ontologies.tasks import task_of_reference
from alignrank.ontologies.tasks.filters import Filter
from alignrank.ontologies.tasks.reader import AlignmentReader, checked
from alignrank.ontologies.tasks.system_files import equal_alignments

#: Names of reference files: such a file among the systems is probably in the wrong place.
_REFERENCE = re.compile(r"reference|refalign|gold", re.IGNORECASE)
#: Kinds of the cautions on systems that equal another one.
OF_COPIES = ("copy-of-focus", "counted-once")
ALIGNMENTS, TASKS = "alignments", "folders of tasks"
#: Groups the entities by their parents in the ontology.
PARENT = "parent"


@dataclass(frozen=True)
class EvaluationInput:
    """Systems and the reference that evaluates them, with clusters, filters and cautions.

    Parameters
    ----------
    systems, reference
        The alignments, and the reference alignment.
    context
        The ontologies that are known: both, one or none.
    clusters
        Which entities may depend on each other.
    filters
        Names of the filters, which have been applied to systems and reference.
    cautions
        Cautions on the input, which its comparison repeats.
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

    @property
    def in_force(self) -> dict[str, object]:
        """The filters and the ontologies' files in use, also those that the track has named."""
        sides = {"source": self.context.source, "target": self.context.target}
        paths = {side: None if o is None else str(o.path) for side, o in sides.items()}
        return {"filters": list(self.filters), **paths}


@dataclass(frozen=True)
class AlignmentOptions:
    """The options of reading and evaluating alignments.

    Parameters
    ----------
    clusters
        ``parent``, or a TSV file of entity and cluster. None: ``parent`` if there is a source
        ontology.
    filters
        Names of filters (`alignrank.ontologies.tasks.filters`); ``none``: no filter.
    on_mismatch
        What becomes of a system that is foreign to the reference: ``refuse``, ``zero``, ``drop``.
    columns
        Names of the columns of tables, as `alignrank.ontologies.read_alignment` takes them.
    predicates
        The predicates of the reference that count; empty for those that state a relation.
    source, target
        The ontologies. None: `compare` takes those of the task that the reference belongs to.
    imports
        Folder with local copies of what they import.
    data
        A data folder whose campaigns may have the filters.
    """

    clusters: str | None = None
    filters: tuple[str, ...] = ()
    on_mismatch: Mismatch = "refuse"
    columns: Mapping[str, str] | None = None
    predicates: tuple[str, ...] = ()
    source: Path | Ontology | None = None
    target: Path | Ontology | None = None
    imports: Path | None = None
    data: Path | None = field(default=None, metadata=NOT_WRITTEN)

    def __post_init__(self) -> None:
        refuse_unknown("on_mismatch", self.on_mismatch, get_args(Mismatch), ExperimentError)

    @property
    def reader(self) -> AlignmentReader:
        """How alignments are read."""
        return AlignmentReader(self.columns, self.predicates)


def read_folders(
    folders: Mapping[str, object],
    references: Path,
    options: AlignmentOptions,
    settings: AnalysisSettings,
) -> TrackResults:
    """Read a folder of references and a folder of alignments; several of these are refused."""
    paths = list(folders.values())
    if len(paths) != 1 or not isinstance(paths[0], Path) or not paths[0].is_dir():
        raise ExperimentError(
            f"{references} is a folder: name one folder of SYSTEM-task.rdf, or of MELT results, "
            "after it"
        )
    return read_tasks(paths[0], references, options, without_rule=settings.protocol is not None)


def read_tasks(
    alignments: Path | Mapping[tuple[str, str], Path],
    references: Path | Mapping[str, Path],
    options: AlignmentOptions,
    *,
    without_rule: bool = False,
) -> TrackResults:
    """Read the alignments and the references of many tasks.

    The filter of a track applies if every reference belongs to this track.

    Parameters
    ----------
    alignments, references
        As `read_track` takes them.
    options
        How alignments are read; the ontologies and clusters are left out.
    without_rule
        Whether the track's filter is not applied, as a paper to the letter has none.
    """
    if not isinstance(references, Mapping):
        references = references_in(Path(references))
    tasks = {name: task for name, path in references.items() if (task := task_of_reference(path))}
    # a track's filter is for its own tasks: it applies if every reference belongs to the track
    tracks = {task.rule for task in tasks.values()} if len(tasks) == len(references) else set()
    rule = tracks.pop() if len(tracks) == 1 and not without_rule else None
    rules = filters_in_force(options.filters, rule, options.data)
    ontologies = {}
    if any(rule.kinds for rule in rules):
        of_task = ontologies_of(tasks.values())
        ontologies = {name: of_task[task.name] for name, task in tasks.items()}
    results = read_track(
        alignments,
        references,
        ontologies=ontologies,
        rules=rules,
        on_mismatch=options.on_mismatch,
        reader=options.reader,
    )
    return replace(results, tasks=tasks)


def comparable_tasks(
    results: TrackResults, focus: str | None
) -> Iterator[tuple[str, EvaluationInput]]:
    """Yield each task on which two systems differ and the focus, if any, has an alignment.

    Runs are called ``NAME@1``, ``NAME@2``; a run that is its system's only one on a task is called
    ``NAME`` there.

    Raises
    ------
    ExperimentError
        If the focus is no system.
    """
    runs_by_system = by_system(results.systems)
    if focus is not None:
        refuse_unknown("--focus", focus, runs_by_system, ExperimentError)
    runs_of = {name: runs for name, runs in runs_by_system.items() if len(runs) > 1}
    system_of = {run: name for name, runs in runs_of.items() for run in runs}
    for task, of_task in results.alignments.items():
        runs_here = grouped((system_of.get(name, name), name) for name in of_task)
        if focus is not None and focus not in runs_here:
            continue
        keys = [[of_task[run].keys for run in runs] for runs in runs_here.values()]
        if all(of_system == keys[0] for of_system in keys):
            continue
        lone = {runs[0]: name for name, runs in runs_here.items() if len(runs) == 1}
        alignments = {lone.get(name, name): alignment for name, alignment in of_task.items()}
        texts = [
            f"{name} has an alignment here for {len(runs_here[name])} of its {len(runs)} runs"
            for name, runs in runs_of.items()
            if 0 < len(runs_here.get(name, ())) < len(runs)
        ]
        cautions = [Caution("runs", text) for text in texts]
        reference = results.references[task]
        files = {f"alignment {name}": system for name, system in alignments.items()}
        yield (
            task,
            EvaluationInput(
                alignments,
                reference,
                filters=results.filters,
                cautions=(*cautions, *results.cautions_by_task[task]),
                inputs=input_files(reference=reference, **files),
            ),
        )


def read_on_task(
    systems: Mapping[str, Path | Alignment],
    reference: object,
    options: AlignmentOptions,
    settings: AnalysisSettings,
) -> EvaluationInput:
    """Read alignments on one task; the reference's folder tells the track and the ontologies."""
    if not isinstance(reference, Path | Alignment):
        raise ExperimentError(
            f"reference is of type {type(reference).__name__}: give an alignment or its file"
        )
    task = None
    # an alignment that was made in memory belongs to no task
    if isinstance(reference, Path) or reference.sha256:
        file = reference if isinstance(reference, Path) else Path(reference.path)
        task = task_of_reference(file)
    source, target, rule = options.source, options.target, None
    if task is not None:
        source, target = source or task.source, target or task.target
        if settings.protocol is None:  # a paper to the letter: no track adds a filter to it
            rule = task.rule
    return read_evaluation(
        systems,
        reference,
        replace(options, source=source, target=target),
        rule=rule,
        without_clusters=settings.protocol is not None,
        by_target=settings.by_target,
    )


def read_evaluation(
    systems: Mapping[str, Path | Alignment],
    reference: Path | Alignment,
    options: AlignmentOptions,
    *,
    rule: Filter | None = None,
    without_clusters: bool = False,
    by_target: bool = False,
) -> EvaluationInput:
    """Read systems and reference into a checked and filtered `EvaluationInput`.

    Parameters
    ----------
    systems, reference
        The alignment of each system by its name, and the reference; or their files.
    options
        How they are read.
    rule
        The track's filter.
    without_clusters
        Whether all entities are taken as independent, whatever the ontologies say.
    by_target
        Whether the items are target entities.

    Raises
    ------
    ExperimentError
        If the reference holds no correspondence, a system is foreign to it, the source ontology
        is the target's, or parents are asked for and the ontology is missing.
    """
    context = Context(
        _loaded(options.source, options.imports), _loaded(options.target, options.imports)
    )
    side, ontology = ("target", context.target) if by_target else ("source", context.source)
    if options.clusters == PARENT and ontology is None:
        raise ExperimentError(
            f"{Argument('clusters', 'parent')} needs the {side} ontology: give {Argument(side)}"
        )
    files = [file for file in (reference, *systems.values()) if isinstance(file, Path)]
    reader = options.reader.among(files)
    gold = reader.reference(reference)
    cautions = [*_swapped(systems, reference), *reader.cautions_on(gold)]
    # an IRI that several large files hold is in memory once
    iris = {iri: iri for side in gold.columns[:2] for iri in side}
    alignments = {}
    for name, system in systems.items():
        alignment = reader.system(system, name)
        alignment.columns = alignment.columns.with_shared(iris)
        alignments[name] = alignment
    del iris
    source, target = context.source, context.target
    if (
        source is not None
        and target is None
        and not any(entity in source for entity in gold.columns.entity1)
    ):
        raise ExperimentError(
            f"{source.path} holds none of the reference's source entities: is it the target "
            "ontology?"
        )
    rules = filters_in_force(options.filters, rule, options.data)
    # a filter by kind needs both ontologies, also where the comparison goes without them
    if any(rule.kinds for rule in rules) and not context.complete:
        for pair in ontologies_beside([gold]):  # one, or none
            source, target = pair
    task = checked(alignments, gold, options.on_mismatch, rules, (source, target))
    for name, reason in task.foreign.items():
        if options.on_mismatch == "refuse":
            raise ExperimentError(
                f"{alignments[name].path}: {reason}; to go on, count it as 0 with "
                f"{Argument('on_mismatch', 'zero')}, or "
                f"leave it out with {Argument('on_mismatch', 'drop')}"
            )
    cautions += task.cautions
    if context.complete:
        cautions += check_reference(gold, *context.ontologies)
    usable, gold = task.systems, task.reference
    clusters, cluster_cautions = entity_clusters(
        context,
        (*usable.values(), gold),
        None if without_clusters else options.clusters or PARENT,
        by_target=by_target,
    )
    inputs = input_files(reference=gold, source=source, target=target)
    if options.clusters and options.clusters != PARENT:
        inputs["clusters"] = input_file(Path(options.clusters))
    # also those of systems that cannot be evaluated
    inputs |= input_files(**{f"alignment {name}": system for name, system in alignments.items()})
    cautions += (*task.filtering, *cluster_cautions)
    names = tuple(rule.name for rule in rules)
    return EvaluationInput(usable, gold, context, clusters, names, cautions, inputs)


def _loaded(ontology: Path | Ontology | None, imports: Path | None) -> Ontology | None:
    return load_ontology(ontology, imports=imports) if isinstance(ontology, Path) else ontology


def _swapped(systems: Mapping[str, Path | Alignment], reference: Path | Alignment) -> list[Caution]:
    """Return a caution on each system whose file is called like a reference.

    There is none if the reference's file is called so, too.
    """
    if not isinstance(reference, Path) or _REFERENCE.search(reference.stem):
        return []
    cautions = []
    for path in systems.values():
        if isinstance(path, Path) and _REFERENCE.search(path.stem):
            text = (
                f"{path.name} is judged by {reference.name}: the reference comes first, so swap "
                f"them if {path.name} is the reference alignment"
            )
            cautions.append(Caution("swapped", text))
    return cautions


def compare_systems(
    evaluation: EvaluationInput, settings: AnalysisSettings, measure: str | None = None
) -> Comparison:
    """Compare systems completely: verdicts, intervals of the scores, checks, and cautions.

    The intervals are Wilson's, of precision, recall and F1. The checks tell which significant
    differences further dependence between entities would undo.

    Parameters
    ----------
    evaluation
        The systems and the reference. With a focus, only one of several systems with equal
        alignments is compared.
    settings
        Settings of the comparison; its clusters are replaced by those of `evaluation`.
    measure
        Measure that the systems are compared by, with a randomisation test: its name, or
        ``measure:value``. None: McNemar's test.

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
        evaluation = _without_copies(evaluation, settings.focus)
    settings = replace(settings, clusters=evaluation.clusters)
    systems, reference = evaluation.systems, evaluation.reference
    table = incidence(systems, reference, may_be_empty=measure is not None)
    if measure is None:
        result = compare_incidence(table, settings)
    else:
        of_measure, value = measure_and_value(measure)
        result = compare_measure(
            systems,
            reference,
            lambda alignment, reference: of_measure(alignment, reference, evaluation.context),
            value,
            settings,
            name=measure.replace(":", "-"),
        )
    cautions = (*evaluation.cautions, *result.cautions)
    size = result.reference
    if size is None:
        size = len(reference) - reference.columns.relation.count("?")  # "?": not judged
    result = replace(result, reference=size, cautions=cautions)
    if result.runs is not None:  # of several runs no alignment is the system's
        return result
    view, ontology = result.deciding, evaluation.context.source
    of_source, of_target = evaluation.clusters.of_items(reference.pairs)
    clusters = of_source
    if view.view == "entity-target":
        ontology, clusters = evaluation.context.target, of_target
    checks = dependence_checks(table, view, ontology, clusters)
    limits = system_intervals(table, *of_source)
    return replace(
        result,
        cautions=(*checks, *cautions),
        intervals={
            name: {interval.name: (interval.low, interval.high) for interval in of_system.intervals}
            for name, of_system in limits.items()
        },
    )


def _without_copies(evaluation: EvaluationInput, focus: str) -> EvaluationInput:
    """Return the input without systems that repeat the alignment of the focus or of another one.

    Cautions name the copies, and a focus that equals the reference. A copy adds no hypothesis of
    its own: it would only make the correction stricter.
    """
    systems = evaluation.systems
    if focus not in systems:
        return evaluation  # it has runs, or is refused later as unknown
    # runs of one system may be equal, and are never dropped
    single = {runs[0]: systems[runs[0]] for runs in by_system(systems).values() if len(runs) == 1}
    # sorted by name: the answer must not depend on the order of the files.
    in_order = {focus: systems[focus], **dict(sorted(systems.items()))}
    copies = equal_alignments({name: in_order[name] for name in in_order if name in single})
    if len(copies) == len(in_order) - 1:  # all but the focus
        raise EvaluationError(
            f"all systems have the correspondences of {focus}: add one that differs from it"
        )
    cautions = list(evaluation.cautions)
    if equal := [name for name in copies if copies[name] == focus]:
        text = f"same correspondences as {focus}, so not compared with it: {', '.join(equal)}"
        cautions.insert(0, Caution("copy-of-focus", text, system=focus))
    listed = [f"{copy} (as {name})" for copy, name in copies.items() if name != focus]
    if listed:
        text = f"compared once, for the same correspondences: {', '.join(listed)}"
        cautions.append(Caution("counted-once", text))
    compared = {name: alignment for name, alignment in in_order.items() if name not in copies}
    return replace(evaluation, systems=compared, cautions=cautions)


def entity_clusters(
    context: Context,
    alignments: Iterable[Alignment],
    grouping: str | None = PARENT,
    *,
    by_target: bool = False,
) -> tuple[EntityClusters, list[Caution]]:
    """Return the clusters of entities that may depend on each other, and cautions on them.

    Items are the entities of one side, source or target; their partners are the entities of the
    other side. A TSV file groups the items; partners are always grouped by parent.

    Parameters
    ----------
    context
        The ontologies, as far as they are known.
    alignments
        The alignments of the systems, and the reference.
    grouping
        ``parent``: entities that share a parent, where their ontology is known. Or a TSV file of
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
    independent = EntityClusters(sizes=sizes)
    ontology, partner_ontology = context.source, context.target
    if by_target:
        ontology, partner_ontology = partner_ontology, ontology
    ontologies = [each for each in (ontology, partner_ontology) if each is not None]
    if grouping is None or (grouping == PARENT and not ontologies):
        return independent, []
    partner_clusters = None if partner_ontology is None else parent_clusters(partner_ontology)
    entities: tuple[set[str], set[str]] = set(), set()
    for alignment in alignments:
        for of_side, column in zip(entities, alignment.columns[:2], strict=True):
            of_side.update(column)
    items, partners = reversed(entities) if by_target else entities
    lacking = "cluster"
    if grouping != PARENT:
        if not Path(grouping).is_file():
            raise EvaluationError(
                f"{Argument('clusters', grouping)}: no such file: name {PARENT}, or a TSV file of "
                "item, cluster"
            )
        clusters: Clusters = read_clusters(grouping)
        if not items & clusters.keys():
            side = "target" if by_target else "source"
            raise EvaluationError(
                f"{Argument('clusters', grouping)}: none of the {len(items)} {side} entities is in "
                "a cluster of it"
            )
    else:
        clusters = {} if ontology is None else parent_clusters(ontology)
        lacking = "parent"
        if not items & clusters.keys() and not partners & (partner_clusters or {}).keys():
            paths = " or ".join(str(each.path) for each in ontologies)
            text = f"no entity here has a parent in {paths}: no clusters are known"
            return independent, [Caution("no-clusters", text)]
    without = len(items - clusters.keys())
    cautions = _counted_as_independent(without, len(items), lacking)
    if grouping == PARENT and without == len(items):
        lacks = "their ontology is unknown"
        if ontology is not None:
            lacks = f"no entity here has a parent in {ontology.path}"
        text = f"{lacks}: entities depend on each other only as their partners in the reference do"
        cautions = [Caution("no-parent", text)]
    if by_target:
        return EntityClusters(partner_clusters, clusters, sizes), cautions
    return EntityClusters(clusters, partner_clusters, sizes), cautions


def _counted_as_independent(without: int, entities: int, lacking: str) -> list[Caution]:
    """Return a caution on entities without a parent or a cluster."""
    if not without:
        return []
    advice: tuple[str | Argument, ...] = ("add them to the file",)
    if lacking == "parent":
        advice = ("`compare` takes your own groups (", Argument("clusters"), ")")
    text = Message(
        f"{without} of {entities} entities have no {lacking} and count as independent cases; if "
        "many of them depend on each other, p is too small: ",
        *advice,
    )
    return [Caution(f"no-{lacking}", text)]
