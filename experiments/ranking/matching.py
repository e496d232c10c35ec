"""An ontology pair matched with one metric, without a reference (`alignrank match`)."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from alignrank.common.errors import Argument, MatcherError
from alignrank.common.executor import HERE, Cluster
from alignrank.common.names import Pair, Texts, count, short
from alignrank.common.progress import phase, track
from alignrank.common.table import Table, write_rows
from alignrank.evaluation import Candidate, candidates_of
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.input_cautions import (
    evaluated_kinds,
    left_out_kinds,
    nameless_cautions,
    ontology_cautions,
)
from alignrank.experiments.inputs.named_inputs import (
    labels,
    refuse_beside_task,
    slugs,
    tasks_by_name,
)
from alignrank.experiments.report.console import (
    ROWS,
    finish,
    print_cautions,
    print_prose,
    print_table,
    say,
    tell_failures,
)
from alignrank.experiments.results.folder import check_writable, handed_over
from alignrank.experiments.results.steps import Batch
from alignrank.matchers import Candidates, Matching, Metric, Settings, get_metric, match, prepare
from alignrank.matchers.by_name import FAMILIES, MetricLike
from alignrank.matchers.candidates import kind_matrices
from alignrank.matchers.matcher import check_on_cluster, chooses_itself, scores_pairs
from alignrank.matchers.model import LEAST_DECISIONS, PRIOR_DECISIONS
from alignrank.matchers.names import wordnet_files
from alignrank.matchers.settings import DEFAULT_METRIC, default_threshold
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Kind,
    Ontology,
    load_pair,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import CONFIDENCE_MEANING, JUSTIFICATION
from alignrank.ontologies.curation import (
    CHANGE,
    NEW,
    Change,
    Decisions,
    checked_decisions,
    current_rows,
    gone_text,
    recorded_threshold,
)
from alignrank.ontologies.formats import by_ending
from alignrank.ontologies.ontology import is_of_vocabulary, shared_entities
from alignrank.ontologies.tasks import MatchingTask
from alignrank.ontologies.tasks.filters import Filter


def ranked_targets(
    candidates: Candidates, metric: Metric, top: int
) -> dict[str, tuple[Candidate, ...]]:
    """Return the targets of each source entity, best first; pairs of similarity 0 are none.

    Parameters
    ----------
    candidates
        The prepared pair.
    metric
        Gives the order of the targets.
    top
        Number of targets; those tied with the last one are added.
    """
    targets: dict[str, tuple[Candidate, ...]] = {}
    matrices = kind_matrices(candidates.groups, metric)
    for group, matrix in zip(candidates.groups, matrices, strict=True):
        targets |= candidates_of(matrix, group.source.iris, group.target.iris, top=top)
    return targets


#: Of a name so much is printed, and so many entities that are not matched.
_NAME, _UNMATCHED = 36, 3


def match_pair(
    source: Path | None = None,
    target: Path | None = None,
    *,
    settings: Settings,
    metric: str | None = None,
    threshold: float | None = None,
    tiles: bool | None = None,
    task: str | None = None,
    data: Path | None = None,
    cluster: Cluster = HERE,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    out: Path | None = None,
    overwrite: bool = False,
    candidates: int | None = None,
    reviewed: Path | None = None,
) -> int:
    """Match an ontology pair and write the alignment.

    It needs no reference. The default metric, combined, gives each pair a probability from names
    and neighbours. The surest and the least sure pairs are printed.
    """
    if candidates is not None and (out is None or threshold is not None):
        raise ExperimentError(
            "--candidates writes the best targets of each source entity, whatever their "
            "similarity: add --out FILE, leave --threshold out"
        )
    if reviewed is not None and candidates is not None:
        raise ExperimentError("--from needs a whole alignment: leave --candidates out")
    usual = Settings()
    chosen_by = settings.assignment, settings.order, tiles, cluster
    if candidates is not None and chosen_by != (usual.assignment, usual.order, usual.tiles, HERE):
        raise ExperimentError(
            "--candidates compares all pairs and assigns none: leave --assignment, --order, "
            "--tiles, --workers and --scheduler out"
        )
    rule: Filter | None = None
    tasks: Sequence[MatchingTask] = ()
    if task is not None:
        refuse_beside_task(task, source, target)
        tasks = tasks_by_name([task], data)
        source, target = tasks[0].source, tasks[0].target
        rule = tasks[0].rule
    if len(tasks) > 1 and (out is None or candidates or reviewed or label_properties):
        raise ExperimentError(
            f"--task {task} is {len(tasks)} tasks: name one, as {task}/{tasks[0].name}, or a "
            "folder for all alignments (--out; --candidates, --from and --label-property are for "
            "one)"
        )
    if out is not None and len(tasks) < 2:
        refuse_taken(out, overwrite=overwrite)
        if candidates is None:
            by_ending(out)
        check_writable(out)
    if source is None or target is None:
        raise ExperimentError("name SOURCE and TARGET, or a task with --task (as --task library)")
    chosen = one_metric(metric or DEFAULT_METRIC)
    corrected, recorded = None, None
    if reviewed is not None:
        corrected = read_alignment(reviewed)
        if threshold is None:
            threshold = recorded = recorded_threshold(corrected, chosen.name)
    cut = threshold
    if cut is None:
        cut = default_threshold(chosen.name)
    settings = replace(settings, threshold=cut, tiles=tiles)
    check_metrics(settings, [chosen])
    if cluster != HERE and not scores_pairs(chosen):
        check_on_cluster(settings)
    if out is not None and len(tasks) > 1:
        with cluster.used(), handed_over(out, overwrite=overwrite) as folder:
            failures = match_tasks(tasks, chosen, settings, imports, folder)
        say(f"Alignments: {out}")
        return tell_failures(failures, "task")
    pair = load_pair(source, target, imports=imports, label_properties=label_properties)
    if candidates is not None and out is not None:
        settings, _ = evaluated_kinds(settings, rule, pair)
        best = ranked_targets(prepare(*pair, settings), chosen, candidates)
        rows = [(iri, *candidate) for iri, listed in best.items() for candidate in listed]
        write_rows(out, ["item", "candidate", "score"], rows)
        say(f"{count(len(rows), 'candidate')} by {chosen.name}: {out}")
        finish({"metric": chosen.name, "candidates": len(rows), "out": str(out)}, None)
        return 0
    decisions = None
    changes: Sequence[Change] = ()
    if corrected is not None:
        decisions = checked_decisions(corrected, *pair)
    with cluster.used():
        matching, matched, cautions = match_ontologies(*pair, chosen, settings, decisions, rule)
    if out is not None:
        cautions += write_alignment(matching.alignment, out).cautions
    sides = [
        [iri for group in matched.groups for iri in getattr(group, side).iris]
        for side in ("source", "target")
    ]
    label = tuple(labels(ontology, langs=settings.langs) for ontology in pair)
    print_mapping(matching.alignment, sides, label)
    current, gone = current_rows(matching.alignment)
    if threshold is None and chosen.name != DEFAULT_METRIC:
        print_prose(
            f"{cut:g} is where ngram does best on known pairs: --threshold for another, "
            "`alignrank rank` finds it with a reference"
        )
    if decisions is not None:
        decided = f"{len(decisions.accepted)} accepted, {len(decisions.rejected)} rejected"
        if recorded is not None:
            decided += f", threshold {recorded:g}"
        changes = (*decisions.changes, *decisions.not_proposed(matching.alignment))
        new = sum(dict(c.extra).get(CHANGE) == NEW for c in current)
        verb = "is" if new == 1 else "are"
        print_prose(
            f"Kept from {reviewed}: {decided}. {new} of {count(len(current), 'pair')} {verb} new."
        )
        if PRIOR_DECISIONS in matching.alignment.metadata:
            print_prose(lesson_text(matching.alignment.metadata))
        print_changes(changes)
    if out is None:
        say("Nothing is written: --out FILE keeps the alignment.")
    else:
        say(f"Alignment: {out}")
        say(f"Next: alignrank show {shlex.join(map(str, (out, source, target)))} --open")
    print_cautions(cautions)
    content = {
        "metric": matching.metric,
        "threshold": cut,
        "correspondences": len(current),
        "gone": len(gone),
        "total_similarity": matching.total,
        "order": matching.order,
        "out": out and str(out),
        "changes": [asdict(change) for change in changes],
        "cautions": cautions,
    }
    finish(content, None)
    return 0


def match_tasks(
    tasks: Sequence[MatchingTask],
    metric: Metric,
    settings: Settings,
    imports: Path | None,
    folder: Path,
) -> Texts:
    """Write the alignment of each task, ``METRIC-TASK.rdf``; a cluster's workers share the tasks.

    Returns
    -------
    dict
        Why tasks failed, by their names.
    """
    batch = Batch()
    cautions: list[str] = []
    sizes: dict[str, int] = {}
    parts = {task.name: (task, metric, settings, imports) for task in tasks}
    slug_of = slugs([metric.name, *parts])
    results = batch.results(_match_task, parts)
    for name, (alignment, of_task) in track(results, len(parts), "tasks"):
        path = folder / f"{slug_of[metric.name]}-{slug_of[name]}.rdf"
        cautions += [f"{name}: {c}" for c in (*of_task, *write_alignment(alignment, path).cautions)]
        sizes[name] = len(alignment)
        say(f"{name}: {count(len(alignment), 'correspondence')}")
    print_cautions(cautions)
    finish({"metric": metric.name, "correspondences": sizes, "cautions": cautions}, None)
    return batch.failures


def _match_task(
    task: MatchingTask, metric: Metric, settings: Settings, imports: Path | None
) -> tuple[Alignment, list[str]]:
    """Return the alignment of a task, and sentences of caution."""
    pair = load_pair(task.source, task.target, imports=imports)
    matching, _, cautions = match_ontologies(*pair, metric, settings, rule=task.rule)
    return matching.alignment, cautions


def print_changes(changes: Sequence[Change]) -> None:
    """Print each row of an earlier mapping for which anything is different now."""
    if not changes:
        return
    rows = [(c.decision, *(short(label, _NAME) for label in c.labels), c.text) for c in changes]
    print_prose(f"What is different for {count(len(rows), 'row')} of the earlier mapping:")
    header = ["decision", "source", "target", "what is different, and what was done"]
    table = Table("", header, rows, kinds=["text"] * len(header))
    print_table(table, wrapped=header[1:])


def one_metric(name: MetricLike) -> Metric:
    """Return the metric of a name, which may not stand for a family of them."""
    if isinstance(name, str) and name in FAMILIES:
        raise ExperimentError(f"{name!r} is nine metrics: name one, such as {FAMILIES[name][1]}")
    return get_metric(name)


def check_metrics(settings: Settings, metrics: Sequence[Metric]) -> None:
    """Refuse settings that none of the metrics heeds, or WordNet where it is missing."""
    names = [metric.name for metric in metrics]
    if settings.order != Settings().order and all(chooses_itself(m, settings) for m in metrics):
        unused = [str(Argument("order", settings.order))]
        if settings.tiles:
            unused.append(str(Argument("tiles", True)))
        raise MatcherError(
            f"{names[0]!r} chooses its pairs itself: leave {' and '.join(unused)} out, or name an "
            f"assignment ({Argument('assignment', 'hungarian')})"
        )
    if (settings.wordnet is not None or not settings.structure) and DEFAULT_METRIC not in names:
        raise MatcherError(
            f"wordnet and structure are for the default metric: leave them out, or {names[0]!r}"
        )
    if settings.wordnet is not None:
        wordnet_files(settings.wordnet)


def match_ontologies(
    source: Ontology,
    target: Ontology,
    metric: Metric,
    settings: Settings,
    decisions: Decisions | None = None,
    rule: Filter | None = None,
) -> tuple[Matching, Candidates, list[str]]:
    """Match two ontologies; return the matching, its candidates, and sentences of caution.

    Kinds that the track's filter `rule` leaves out are not matched.
    """
    check_metrics(settings, [metric])
    settings, left_out = evaluated_kinds(settings, rule, (source, target))
    if settings.shared != "drop":
        # the pairs of one IRI are accepted, too, unless a person decided on it
        decisions = decisions or Decisions()
        decided = {iri for c in decisions.accepted for iri in c.pair}
        decided |= {iri for n in decisions.rejected for iri in (n.entity1, n.entity2)}
        same = [
            Correspondence(iri, iri, extra=_SAME_IRI)
            for iri in shared_entities(source, target)
            if iri not in decided and source.entities[iri].kind in (settings.kinds or Kind)
            if settings.shared == "only" or not is_of_vocabulary(source.entities[iri])
        ]
        decisions = replace(decisions, accepted=(*decisions.accepted, *same))
    candidates = prepare(source, target, settings, decisions)
    with phase(f"matching with {metric.name}"):
        matching = match(candidates, metric)
    if decisions is not None:
        matching = replace(matching, alignment=decisions.complete(matching.alignment))
    cautions = [
        *ontology_cautions(source, target),
        *nameless_cautions(candidates),
        *left_out_kinds(left_out),
    ]
    return matching, candidates, [*matching.cautions, *map(str, cautions)]


#: The justification of a pair that is one entity.
_SAME_IRI = ((JUSTIFICATION, "semapv:UnspecifiedMatching"),)


#: The label of an entity by its IRI, in the source and in the target.
LabelOf = Sequence[Callable[[str], str]]


def print_mapping(alignment: Alignment, sides: Sequence[Sequence[str]], label: LabelOf) -> None:
    """Print the surest and the least sure pairs, the n:m groups and the unmatched entities.

    Parameters
    ----------
    alignment
        The mapping, with labels. Rows of terms that are gone are only counted.
    sides
        The IRIs of the source entities, and of the target entities.
    label
        The label of a source entity, and of a target entity.
    """
    alignment, gone = current_rows(alignment)
    same = [c.entity1 for c in alignment if c.entity1 == c.entity2]
    correspondences = sorted(
        (c for c in alignment if c.entity1 != c.entity2), key=lambda c: (-c.confidence, c.pair)
    )
    summary = (
        f"{count(len(alignment), 'correspondence')} between {len(sides[0])} source "
        f"and {count(len(sides[1]), 'target entity')}."
    )
    rows = [
        [f"{c.confidence:.3f}", *(short(text, _NAME) for text in c.labels)] for c in correspondences
    ]
    if len(rows) > ROWS:
        summary += " The surest and the least sure:"
        half = ROWS // 2 - 2
        rows = [*rows[:half], ["…", "", ""], *rows[-half:]]
    print_prose(summary)
    if gone:
        verb = "is" if len(gone) == 1 else "are"
        print_prose(f"{gone_text(len(gone))} {verb} kept aside.")
    confidence = "similarity"
    if alignment.metadata.get(CONFIDENCE_MEANING) == "probability":
        confidence = "probability"
    header = [confidence, "source", "target"]
    print_table(Table("", header, rows, kinds=["number", "text", "text"]))
    if same:
        listed = _names_of(same, label[0])
        print_prose(
            f"Same IRI in both: {len(same)} of these correspondences, not in the table "
            f"({listed}). --shared drop leaves them out."
        )
    groups = several_partners(alignment)
    if groups:
        stated = {iri: text for c in alignment for iri, text in zip(c.pair, c.labels, strict=True)}
        largest = " – ".join(_names_of(side, stated.__getitem__) for side in groups[0])
        print_prose(f"Not one-to-one: {count(len(groups), 'group')} (such as {largest}).")
    for k, (side, iris) in enumerate(zip(("source", "target"), sides, strict=True)):
        matched = {c.pair[k] for c in alignment}
        unmatched = [iri for iri in iris if iri not in matched]
        listed = _names_of(unmatched, label[k])
        print_prose(
            f"Not matched: {len(unmatched)} of {count(len(iris), f'{side} entity')}"
            f"{listed and f' ({listed})'}."
        )
    if "metric" in alignment.metadata:
        print_prose(f"Method: {method_text(alignment.metadata)}.")


def method_text(metadata: Texts) -> str:
    """Return how an alignment was matched, from its metadata.

    Examples
    --------
    >>> method_text({"metric": "ngram", "labels": "words", "threshold": "0.7"})
    'ngram on labels (words); similarity at least 0.7'
    """
    names = "labels"
    if metadata.get("synonyms") == "yes":
        names = "labels and synonyms"
    text = f"{metadata['metric']} on {names} ({metadata.get('labels', 'raw')})"
    value = metadata.get(CONFIDENCE_MEANING, "similarity")
    if "wordnet" in metadata:
        text += ", WordNet"
    if value == "probability" and metadata.get("structure") != "no":
        text += " and neighbours"
    if metadata.get("assignment", "model") != "model":
        order = metadata.get("order", "assign-then-cut")
        text += f"; one-to-one assignment ({metadata['assignment']}, {order})"
    threshold = metadata.get("threshold", "0.0")
    if threshold != "0.0":
        text += f"; {value} at least {threshold}"
    return text


def lesson_text(metadata: Texts) -> str:
    """Return whether the probabilities of an alignment were learned from decisions.

    Examples
    --------
    >>> lesson_text({"prior_decisions": "42"})
    'All other probabilities were learned from 42 decided pairs.'
    """
    decisions = int(metadata[PRIOR_DECISIONS])
    if decisions:
        return f"All other probabilities were learned from {count(decisions, 'decided pair')}."
    return (
        f"The probabilities learn from {LEAST_DECISIONS} decided pairs of different labels; these "
        "are fewer."
    )


#: The source entities and the target entities of a group.
Group = tuple[tuple[str, ...], tuple[str, ...]]


def several_partners(alignment: Alignment) -> list[Group]:
    """Return the groups of entities that are not matched one to one, the largest first.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence
    >>> pairs = [("a#x", "b#x"), ("a#x", "b#y"), ("a#z", "b#z")]
    >>> several_partners(Alignment(Correspondence(*pair) for pair in pairs))
    [(('a#x',), ('b#x', 'b#y'))]
    """
    group_of: dict[Pair, frozenset[Pair]] = {}
    for c in alignment:
        ends = ("source", c.entity1), ("target", c.entity2)
        merged = frozenset(ends).union(*(group_of.get(end, ()) for end in ends))
        group_of |= dict.fromkeys(merged, merged)
    groups = []
    for nodes in set(group_of.values()):
        source, target = (
            tuple(sorted(iri for place, iri in nodes if place == side))
            for side in ("source", "target")
        )
        if len(nodes) > 2:
            groups.append((source, target))
    return sorted(groups, key=lambda group: (-len(group[0]) - len(group[1]), group))


def _names_of(iris: Sequence[str], label: Callable[[str], str]) -> str:
    names = [short(label(iri), _NAME) for iri in iris[:_UNMATCHED]]
    if len(iris) > _UNMATCHED:
        names.append("…")
    return ", ".join(names)
