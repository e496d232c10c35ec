"""Alignment files scored by every measure of the field (`alignrank score`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from alignrank.common.defaults import DEFAULTS, RELAXED_NAMES
from alignrank.common.errors import Argument, EvaluationError, Words
from alignrank.common.files import plain, read_json
from alignrank.common.names import first_of, refuse_unknown
from alignrank.common.records import record_dict
from alignrank.common.results import version
from alignrank.evaluation import (
    MEASURES,
    Context,
    Measure,
    PairWeights,
    Proximity,
    RelaxedOptions,
    curve,
    get_measure,
)
from alignrank.evaluation.measures.measure import relaxed_measure
from alignrank.evaluation.measures.precision_recall import DEFAULT
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    PARENT,
    AlignmentOptions,
    EvaluationInput,
    read_evaluation,
)
from alignrank.experiments.inputs.judged_files import read_judged_systems
from alignrank.experiments.inputs.named_inputs import (
    input_file,
    named_files,
    parents_of,
    systems_on_task,
)
from alignrank.experiments.presentation.columns import number_text, of_pool
from alignrank.experiments.presentation.sentences import INTERVALS_ONCE, pool_sentences
from alignrank.experiments.report.console import (
    finish,
    print_cautions,
    print_numbers,
    print_prose,
    print_ranked,
    say,
)
from alignrank.experiments.report.scores_page import print_scores, scores_report, write_scores
from alignrank.experiments.results.folder import check_free, results_folder
from alignrank.ontologies.tasks.reader import AlignmentReader
from alignrank.ontologies.tasks.system_files import runtime_sentences

from .every_measure import Scored, ScoringOptions, score_systems

#: The default measures without ontologies, and further ones with them.
ALIGNMENTS_ONLY = ("standard", "f0.5", "f2", "overall", "jaccard", "curve")
WITH_ONTOLOGIES = ("residual", "relaxed-symmetric", "relaxed-oriented", "semantic", "coherence")
#: Tables of a file of weights, and the steps that have a weight.
_TABLES = ("concepts", "individuals")
_STEPS = ("target_super", "source_super", "target_sub", "source_sub")


def score_files(
    reference: Path | None = None,
    alignments: Sequence[str] = (),
    *,
    options: ScoringOptions,
    reading: AlignmentOptions,
    judged: Sequence[Path] = (),
    task: str | None = None,
    data: Path | None = None,
    relaxed: Mapping[str, str] | None = None,
    measures: Sequence[str] = (),
    references: Sequence[str] = (),
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Score alignment files by every measure of the field."""
    if judged:
        is_elsewhere = task is not None or out is not None or bool(measures or references)
        if is_elsewhere or reading.source:
            raise ExperimentError(
                "--judged scores by what was judged only: leave --task, --out, --measure, --source "
                "and --reference out"
            )
        unread = replace(reading, columns=None, predicates=(), data=None)
        if relaxed or options != ScoringOptions() or unread != AlignmentOptions():
            raise ExperimentError(
                "--judged has estimates and intervals of its own: only --columns and --predicates "
                "go with it (compare --judged takes --focus)"
            )
        paths = [str(file) for file in (reference, *alignments) if file is not None]
        score_judged(judged, paths, reading.reader)
        return
    if by_task := systems_on_task(
        task, data, reference, alignments, reading.source, reading.target
    ):
        alignments = by_task.systems
        reference = by_task.task.reference
        if task is not None:  # with ontologies far more is computed: only if it was asked for
            reading = replace(reading, source=by_task.task.source, target=by_task.task.target)
    if reference is None or not alignments:
        raise ExperimentError("name REFERENCE and ALIGNMENT files, or a task with --task")
    refuse_unread(reading, options)
    source, target, clusters = reading.source, reading.target, reading.clusters
    if out is not None:
        check_free(out, overwrite=overwrite)
    choices, weights = relaxed_choices(relaxed or {})
    evaluate = partial(
        read_evaluation,
        options=replace(reading, data=data),
        rule=by_task and by_task.task.rule,
        without_clusters=not options.resamples,
    )
    files = named_files(alignments)
    if references:
        if out is not None or measures or options.focus or options.breakdown or options.resamples:
            raise ExperimentError(
                "--reference prints precision, recall and F1 by each reference: leave "
                "--out, --measure, --focus, --breakdown and --bootstrap out"
            )
        by_reference = {
            name: evaluate(files, path)
            for name, path in named_files([str(reference), *references]).items()
        }
        score_by_references(by_reference, options)
        return
    read = evaluate(files, reference)
    scored, chosen = scored_systems(
        read, options, measures=measures, weights=weights, relaxed=choices
    )
    cautions = [*(caution.text for caution in read.cautions), *scored.cautions]
    settings = {
        "command": "score",
        "measures": list(chosen),
        **asdict(options),
        "relaxed": asdict(choices),
        "cluster": clusters or (PARENT if read.clusters.are_known else None),
        "filters": list(read.filters),
        "weights": weights and str(weights),
        "source": source and str(source),
        "target": target and str(target),
    }
    inputs = dict(read.inputs)
    if weights is not None:
        inputs["weights"] = input_file(weights)
    content = plain(
        {
            **scored.to_dict(),
            "cautions": cautions,
            "systems": list(read.systems),
            "settings": settings,
            "inputs": inputs,
            "version": version(),
        }
    )
    if out is not None:
        with results_folder(out, overwrite=overwrite) as folder:
            names, parents = _names(read.context), parents_of(read.context)
            curves = {name: curve(system, read.reference) for name, system in read.systems.items()}
            report = scores_report(content, read.systems, read.reference, curves, names, parents)
            write_scores(folder, content, report)
    print_scores(content)
    for sentence in runtime_sentences(read.inputs):
        say(sentence)
    finish(content, out)


def refuse_unread(reading: AlignmentOptions, options: ScoringOptions) -> None:
    """Refuse what would change nothing: one ontology alone, or choices of intervals without any.

    One ontology is read if its classes make the clusters of intervals.
    """
    source, target, clusters = reading.source, reading.target, reading.clusters
    both = source is not None and target is not None
    if not both and (target or (source and not (options.resamples and clusters in (None, PARENT)))):
        raise ExperimentError(
            f"{Argument('source')} and {Argument('target')} go together: give both ontologies or "
            "neither"
        )
    has_intervals = bool(options.resamples)
    for argument, is_unread in (
        ("clusters", clusters and not has_intervals),
        ("seed", options.seed and not (has_intervals or options.focus)),
    ):
        if is_unread:
            raise ExperimentError(
                f"{Argument(argument)} is of the intervals: add {Argument('resamples')}, or leave "
                "it out"
            )


#: Heading of each value of the standard measure.
HEADINGS = {"precision": "P", "recall": "R", "f1": "F1"}


def score_by_references(inputs: Mapping[str, EvaluationInput], options: ScoringOptions) -> None:
    """Print each system's precision, recall and F1 by every reference, and the changes of order.

    Parameters
    ----------
    inputs
        The systems with one of the references, by the reference's name; the first reference
        orders the rows.
    options
        Completeness and the meaning of 0/0.
    """
    scores: dict[str, dict[tuple[str, str], float]] = {}
    references: dict[str, list[str]] = {}
    for reference, read in inputs.items():
        scored = score_systems(
            read.systems, read.reference, [get_measure("standard")], read.context, options
        )
        scores[reference] = {(row.system, row.name): row.value for row in scored.values}
        for text in (*(caution.text for caution in read.cautions), *scored.cautions):
            references.setdefault(text, []).append(reference)
    # what holds by every reference is of the systems' files
    cautions = [
        text if len(names) == len(inputs) else f"{', '.join(names)}: {text}"
        for text, names in references.items()
    ]
    usable = set.intersection(*(set(read.systems) for read in inputs.values()))
    first, *further = scores
    systems = sorted(usable, key=lambda name: (-scores[first][name, "f1"], name))
    header = [f"{title} {name}" for name in scores for title in HEADINGS.values()]
    rows = [
        [system, *(number_text(scores[name][system, key]) for name in scores for key in HEADINGS)]
        for system in systems
    ]
    changes = [
        f"{better} before {worse} by {first}, behind it by {reference}"
        for reference in further
        for better, worse in combinations(systems, 2)
        if scores[first][better, "f1"] > scores[first][worse, "f1"]
        and scores[reference][better, "f1"] < scores[reference][worse, "f1"]
    ]
    answer = "The order of the systems by F1 is the same by each reference."
    if changes:
        answer = f"The order by F1 differs: {first_of(changes, 3, '; ')}."
    print_prose(answer)
    print_numbers(["system", *header], rows)
    print_cautions(cautions)
    by_reference = {
        name: {system: {key: scores[name][system, key] for key in HEADINGS} for system in systems}
        for name in scores
    }
    content = {"references": by_reference, "order_changes": changes, "cautions": cautions}
    finish(plain({**content, "version": version()}))


def relaxed_choices(stated: Mapping[str, object]) -> tuple[RelaxedOptions, Path | None]:
    """Return the choices of the relaxed measures, and the file of a further one's weights.

    Parameters
    ----------
    stated
        By the names of `RELAXED_NAMES`; several IRIs of ``part_of`` are a sequence, or text with
        spaces between them.

    Raises
    ------
    ExperimentError
        If a name is unknown, or a distance is no whole number.

    Examples
    --------
    >>> choices, weights = relaxed_choices({"aggregate": "mean", "max_distance": "2"})
    >>> choices.aggregate, choices.max_distance, weights
    ('mean', 2, None)
    """
    choices: dict[str, Any] = dict(stated)  # RelaxedOptions checks the values
    for name in choices:
        refuse_unknown("relaxed", name, RELAXED_NAMES, ExperimentError)
    weights = choices.pop("weights", None)
    if isinstance(part_of := choices.get("part_of", ()), str):
        part_of = part_of.split()
    choices["part_of"] = tuple(part_of)
    try:
        choices["max_distance"] = int(str(choices.get("max_distance", DEFAULT.max_distance)))
    except ValueError:
        distance = choices["max_distance"]
        option = Argument("relaxed", Words(f"max_distance={distance}"))
        raise ExperimentError(f"{option}: give a whole number") from None
    return RelaxedOptions(**choices), None if weights is None else Path(str(weights))


def scored_systems(
    read: EvaluationInput,
    options: ScoringOptions,
    *,
    measures: Sequence[str] = (),
    weights: Path | None = None,
    relaxed: RelaxedOptions = DEFAULT,
) -> tuple[Scored, tuple[str, ...]]:
    """Score systems by named measures, or by all that their ontologies allow.

    Parameters
    ----------
    read
        The systems, the reference and the ontologies.
    options
        Intervals, completeness and the like.
    measures
        Names; empty for the usual ones.
    weights
        File of a further relaxed measure.
    relaxed
        Choices of the relaxed measures.

    Returns
    -------
    tuple
        The values, and the names of the measures.
    """
    chosen = _measures(measures, weights, ontologies=read.context.complete)
    context = replace(read.context, relaxed=relaxed)
    scored = score_systems(
        read.systems,
        read.reference,
        chosen,
        context,
        options,
        clusters=read.clusters.of_items(read.reference.pairs)[0],
    )
    names = tuple(measure.name for measure in chosen)
    if "curve" in names:
        text = (
            "best_f1 uses the threshold that is best on this reference, so that it is too high for "
            "new data (`alignrank rank` chooses thresholds by cross-validation)"
        )
        scored = replace(scored, cautions=(text, *scored.cautions))
    return scored, names


def _measures(names: Sequence[str], weights: Path | None, *, ontologies: bool) -> list[Measure]:
    defaults: tuple[str, ...] = ALIGNMENTS_ONLY
    if ontologies:
        defaults += WITH_ONTOLOGIES
    chosen = [get_measure(name) for name in dict.fromkeys(names or defaults)]
    if weights is None:
        return chosen
    proximity = read_weights(weights)
    summary = "near misses, by weights of your own"
    own = relaxed_measure(proximity.name, summary, lambda _: proximity, "")
    if own.name in MEASURES:
        raise ExperimentError(f"{weights}: there is a measure {own.name} already: rename the file")
    return [*chosen, own]


def _names(context: Context) -> dict[str, str]:
    """Return the first name of each entity, by IRI."""
    if not context.complete:
        return {}
    return {entity.iri: entity.names()[0] for ontology in context.ontologies for entity in ontology}


def score_judged(
    judged: Sequence[Path], alignments: Sequence[str], reader: AlignmentReader
) -> None:
    """Print precision, recall, F1 and correct in the pool, with intervals."""
    read = read_judged_systems(judged, named_files(alignments), reader)
    sample = read.sample
    # intervals for a number of answers chosen before; a verdict keeps its own level
    estimate = sample.estimate(level=DEFAULTS.level)
    names = list(read.systems)
    columns = [of_pool(estimate, names, measure) for measure in estimate.measures]
    order, notes = estimate.order(names), pool_sentences(estimate)
    if estimate.judged < estimate.questions or estimate.cannot_tell:
        notes.append(INTERVALS_ONCE)
    rows = [[name, *(column.text(name) for column in columns)] for name in order]
    print_ranked(["system", *(column.heading for column in columns)], rows, beside=notes)
    for sentence in notes:
        print_prose(sentence)
    cautions = [*sample.cautions, *read.cautions]
    print_cautions(cautions)
    content = record_dict(estimate, "judged scores")
    texts = [caution.text for caution in cautions]
    finish({"systems": names, **content, "cautions": texts, "version": version()})


def read_weights(path: Path) -> Proximity:
    """Read the proximity of near misses; a weight that the file lacks is 0.

    Parameters
    ----------
    path
        JSON with the objects ``concepts`` (classes and properties) and ``individuals``, each with
        some of ``target_super``, ``source_super``, ``target_sub`` and ``source_sub`` (the correct
        pair is that step away from the found one); ``relations`` with keys such as ``"= <"`` (found
        and correct relation); and the number ``other_relations``. The file's stem is the name.

    Raises
    ------
    ExperimentError
        If the file is no such JSON, a key is unknown, or a weight is outside [0, 1].
    """
    content = read_json(path, ExperimentError)
    further = _object(path, "the file", content, (*_TABLES, "relations", "other_relations"))
    tables = {name: _object(path, name, further.pop(name, {}), _STEPS) for name in _TABLES}
    relations = _object(path, "relations", further.pop("relations", {}))
    for key in relations:
        if len(key.split()) != 2:
            raise ExperimentError(f'{path}: relations holds {key!r}: write two, as in "= <"')
    by_pair = {(k.split()[0], k.split()[1]): weight for k, weight in relations.items()}
    try:
        concepts, individuals = (PairWeights(**table) for table in tables.values())
        return Proximity(path.stem, concepts, individuals, by_pair, **further)
    except EvaluationError as error:
        raise ExperimentError(f"{path}: {error}") from error


# Any: the values are what JSON holds; `Proximity` checks that they are numbers
def _object(path: Path, place: str, value: object, keys: Sequence[str] = ()) -> dict[str, Any]:
    """Return a JSON object after checking that its keys are known."""
    if not isinstance(value, dict):
        raise ExperimentError(f"{path}: {place} must be a JSON object of weights")
    for key in value:
        if keys and key not in keys:
            raise ExperimentError(f"{path}: {place} holds {key!r}: use {', '.join(keys)}")
    return value
