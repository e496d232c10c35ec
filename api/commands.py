"""More commands as functions: `place`, `score`, `gate`, `plan`, `convert` and `check`.

Their arguments are the options of the commands, by the same names and with the same defaults.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from alignrank.arguments import (
    Columns,
    File,
    Names,
    OntologyLike,
    Systems,
    TableLike,
    alignment_of,
    alignment_options,
    alignments_of,
    file_of,
    optional_path,
    optional_paths,
    path_of,
    reader_of,
    tuple_of,
    warn_of,
)
from alignrank.common.defaults import DEFAULTS
from alignrank.evaluation import AnalysisSettings
from alignrank.evaluation.credit.counts import Completeness
from alignrank.evaluation.credit.credits import ZeroDivision
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.uncertainty.gate import Gate
from alignrank.experiments.comparing.gate_files import GateOptions, decide
from alignrank.experiments.comparing.kinds_of_input import Choices
from alignrank.experiments.comparing.place import one_system, placed, placed_on_track
from alignrank.experiments.comparing.plan_evaluation import (
    Planned,
    PlanOptions,
    planned_evaluation,
)
from alignrank.experiments.comparing.study_files import StudyOptions
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import read_evaluation
from alignrank.experiments.inputs.named_inputs import (
    one_task,
    specs,
    tasks_by_name,
)
from alignrank.experiments.looking.alignment_files import checked_files, converted
from alignrank.experiments.scoring.every_measure import Scored, ScoringOptions
from alignrank.experiments.scoring.score_files import (
    refuse_unread,
    relaxed_choices,
    scored_systems,
)
from alignrank.functions import Result, compared_result, studied_result, with_campaign
from alignrank.ontologies import Alignment, Finding, Written
from alignrank.ontologies.tasks import task_of_reference


def place(
    alignment: File | Alignment,
    *,
    task: str = "anatomy",
    years: Names = (),
    data: File | None = None,
    alpha: float = DEFAULTS.alpha,
    on_mismatch: Mismatch = "refuse",
    columns: Columns | None = None,
    predicates: Names = (),
) -> Result:
    """Compare a system with those of past campaigns (`alignrank place`).

    Parameters
    ----------
    alignment
        The system's alignment; it is called by its name, or by the file's. Of a track of several
        tasks the folder of its files.
    task, data
        A task by name, and its data folder.
    years
        Campaigns; empty for all whose alignments are here.
    alpha
        Family-wise level.
    on_mismatch
        What becomes of a system that is foreign to the reference: ``refuse``, ``zero``, ``drop``.
    columns, predicates
        Names of tables' columns by role, as `read_alignment` takes them, and the predicates that
        count.

    Raises
    ------
    ValueError
        If a name is unknown, or the alignments of a campaign are not here.
    """
    tasks = tasks_by_name([task], optional_path(data, "data"))
    if len(tasks) > 1:
        reader = reader_of(columns, predicates)
        options = StudyOptions(
            alpha=alpha,
            on_mismatch=on_mismatch,
            columns=reader.columns,
            predicates=tuple(reader.predicates),
        )
        folder = str(path_of(alignment, "alignment"))
        return studied_result(placed_on_track(tasks, folder, tuple_of(years), options))
    (solved,) = tasks
    name = "alignment"
    if isinstance(alignment, Alignment):
        name = alignment.name
    elif isinstance(alignment, str | Path):
        name, alignment = one_system(str(alignment), solved)
    mine = alignment_of(alignment, name)
    reading = alignment_options(on_mismatch=on_mismatch, columns=columns, predicates=predicates)
    choices = Choices(AnalysisSettings(alpha=alpha, focus=name or "mine"), reading)
    compared = placed(solved, mine, tuple_of(years), choices)
    return compared_result(compared, choices, f"on {solved.name}")


def score(
    reference: File | Alignment | None = None,
    systems: Systems | None = None,
    *,
    task: str | None = None,
    data: File | None = None,
    source: OntologyLike | None = None,
    target: OntologyLike | None = None,
    measures: Names = (),
    zero_division: ZeroDivision = ScoringOptions.zero_division,
    completeness: Completeness = ScoringOptions.completeness,
    relaxed: Mapping[str, object] | None = None,
    breakdown: bool = ScoringOptions.breakdown,
    resamples: int = ScoringOptions.resamples,
    focus: str | None = ScoringOptions.focus,
    clusters: str | None = None,
    seed: int = ScoringOptions.seed,
    imports: File | None = None,
    filters: Names = (),
    on_mismatch: Mismatch = "refuse",
    columns: Columns | None = None,
    predicates: Names = (),
) -> Scored:
    """Score alignments by every measure of the field (`alignrank score`).

    Parameters
    ----------
    reference, systems
        The reference alignment, and the alignment of each system by its name.
    task, data
        Instead of `reference` and ontologies: a task by name, and its data folder. A single system
        is joined by those of the youngest campaign.
    source, target, imports
        The ontologies, and the folder of their imports.
    measures
        Names of measures; empty for the usual ones.
    relaxed
        Choices of the relaxed measures, as ``{"aggregate": "mean", "max_distance": 2}``, by the
        names of `alignrank.common.defaults.RELAXED_NAMES`.
    zero_division, completeness, breakdown, resamples, focus, seed
        As `alignrank.experiments.scoring.every_measure.ScoringOptions` has them.
    clusters, filters, on_mismatch, columns, predicates
        As `alignrank.experiments.inputs.evaluation_input.AlignmentOptions` has them.

    Returns
    -------
    Scored
        Every value of every measure and system; `to_frame` has a row for each.

    Raises
    ------
    ValueError
        If something cannot be read, or is unknown.

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> task = bundled_task("library")
    >>> scored = score(task.reference, task.alignments, measures="standard")
    >>> [round(value.value, 3) for value in scored.values if value.name == "f1"]
    [0.208, 0.926, 0.458]
    """
    rule = None
    if task is not None:
        solved = one_task(task, optional_path(data, "data"), reference, source, target)
        reference, source, target = solved.reference, solved.source, solved.target
        systems = with_campaign(systems, solved)
        rule = solved.rule
    is_empty = isinstance(systems, Mapping) and not systems
    if reference is None or systems is None or is_empty:
        raise ExperimentError("give reference and systems, or a task (task=...)")
    if (file := file_of(reference)) is not None and (own := task_of_reference(file)) is not None:
        rule = own.rule
    choices, weights = relaxed_choices(relaxed or {})
    reading = alignment_options(
        clusters=clusters,
        filters=filters,
        on_mismatch=on_mismatch,
        columns=columns,
        predicates=predicates,
        source=source,
        target=target,
        imports=imports,
        data=data,
    )
    options = ScoringOptions(completeness, zero_division, resamples, seed, focus, breakdown)
    refuse_unread(reading, options)
    read = read_evaluation(
        alignments_of(systems),
        alignment_of(reference, "reference"),
        reading,
        rule=rule,
        without_clusters=not resamples,
    )
    scored, _ = scored_systems(
        read,
        options,
        measures=tuple_of(measures),
        weights=weights,
        relaxed=choices,
    )
    return replace(scored, cautions=(*map(str, read.cautions), *scored.cautions))


def gate(
    old: TableLike,
    new: File | None = None,
    *,
    reference: File | None = None,
    task: str | None = None,
    data: File | None = None,
    measure: str | None = None,
    margin: float = DEFAULTS.margin,
    alpha: float = DEFAULTS.alpha,
    source: File | None = None,
    target: File | None = None,
    imports: File | None = None,
    filters: Names = (),
    on_mismatch: Mismatch = "refuse",
    columns: Columns | None = None,
    predicates: Names = (),
    lower_is_better: bool = False,
) -> Gate:
    """Decide whether a change made a system worse (`alignrank gate`).

    Parameters
    ----------
    old, new
        Alignments of the two versions: a file, a folder of runs, or one with a file for each task.
        Or `old` alone is a table of answers as `compare` takes it, with a column for each version:
        one is called ``old`` or ``new``, or the old one stands first.
    reference
        The reference, or a folder of them.
    task, data
        Instead of `reference`: a task or a track by name, and its data folder.
    measure
        ``f1`` (None), ``precision``, ``recall`` or ``share``; a table has its mean score.
    margin, alpha
        As `alignrank.evaluation.uncertainty.gate.gate` takes them.
    source, target, imports
        The ontologies of a single reference, and the folder of their imports.
    filters, on_mismatch
        As `alignrank.evaluation.multitask.read_track` takes them.
    columns, predicates
        Names of tables' columns by role, as `read_alignment` takes them, and the predicates that
        count.
    lower_is_better
        Whether the scores of a table are errors.

    Returns
    -------
    Gate
        Its `decision` is ``pass``, ``unchanged``, ``block`` or ``inconclusive``. What the reader
        must know is warned of.

    Raises
    ------
    ValueError
        If something cannot be read, or is unknown.

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> task = bundled_task("library")
    >>> good, bad = (task.alignments[name] for name in ("system_good", "system_bad"))
    >>> gate(good, bad, task="library").decision
    'block'
    >>> gate([{"item": k, "old": k % 2, "new": 1} for k in range(100)]).decision
    'pass'
    """
    paths = optional_paths(new=new, reference=reference, data=data)
    decided = decide(
        old if new is None and not isinstance(old, str) else path_of(old, "old"),
        paths["new"],
        GateOptions(
            reference=paths["reference"],
            task=task,
            data=paths["data"],
            measure=measure,
            margin=margin,
            alpha=alpha,
            lower_is_better=lower_is_better,
        ),
        alignment_options(
            filters=filters,
            on_mismatch=on_mismatch,
            columns=columns,
            predicates=predicates,
            source=source,
            target=target,
            imports=imports,
        ),
    )
    warn_of([*decided.cautions, *decided.gate.cautions])
    return decided.gate


def plan(
    reference: TableLike | None = None,
    alignments: File | Mapping[str, File] | Sequence[File] = (),
    *,
    difference: float | None = None,
    size: int | None = None,
    discordant: float | None = None,
    spread: float | None = None,
    systems: int = 2,
    alpha: float = DEFAULTS.alpha,
    source: File | None = None,
    target: File | None = None,
) -> Planned:
    """Return how large an evaluation must be to find a difference (`alignrank plan`).

    Parameters
    ----------
    reference, alignments
        The pilot: a reference with two alignments, or with several runs of two systems; or a table
        as `compare` and `study` take it: that of items has a column ``item``.
    difference, discordant, spread
        What is to be found, and figures instead of a pilot.
    size
        A number of entities, runs or tasks: what they find is returned.
    systems, alpha
        Number of systems to compare, and the family-wise level.
    source, target
        The ontologies.

    Returns
    -------
    Planned
        Its `answer` is the sentence that the command prints, its `plan` has the numbers.

    Raises
    ------
    ValueError
        If there is no pilot, or more than one.

    Examples
    --------
    >>> print(plan(discordant=0.1, difference=0.02).answer)  # doctest: +NORMALIZE_WHITESPACE
    1949 source entities are needed to find a difference of 0.02 in the share of right answers with
    a chance of 80%.
    """
    if isinstance(alignments, Mapping):
        alignments = specs({name: path_of(alignments[name], name) for name in alignments})
    elif isinstance(alignments, str | Path):
        alignments = [alignments]
    if alignments:
        reference = path_of(reference, "reference")
    options = PlanOptions(
        difference=difference,
        size=size,
        discordant=discordant,
        spread=spread,
        systems=systems,
        alpha=alpha,
        **optional_paths(source=source, target=target),
    )
    names = [str(alignment) for alignment in alignments]
    return planned_evaluation(file_of(reference) or reference, names, options)


def convert(
    path: File,
    out: File,
    *,
    form: str | None = None,
    columns: Columns | None = None,
    source: File | None = None,
    target: File | None = None,
    imports: File | None = None,
    overwrite: bool = False,
) -> Written:
    """Write an alignment file in another format (`alignrank convert`).

    Parameters
    ----------
    path, out
        The file, and the one to write.
    form
        The format; None: by the ending of `out`.
    columns
        Names of a table's columns by role, as `read_alignment` takes them.
    source, target, imports
        Both ontologies, whose labels are added; and the folder of their imports.
    overwrite
        Whether a file that is there is replaced.

    Returns
    -------
    Written
        The files that were written; and sentences on what was mended or has no word in the format.

    Raises
    ------
    ValueError
        If the file cannot be read, `out` is there, or the format is unknown.

    Examples
    --------
    >>> import tempfile
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = convert(bundled_task("library").reference, f"{folder}/library.sssom.tsv")
    ...     [file.name for file in written.files]
    ['library.sssom.tsv']
    """
    _, written = converted(
        path_of(path, "path"),
        path_of(out, "out"),
        form=form,
        reader=reader_of(columns, ()),
        overwrite=overwrite,
        **optional_paths(source=source, target=target, imports=imports),
    )
    return written


def check(
    paths: File | Sequence[File],
    *,
    columns: Columns | None = None,
    imports: File | None = None,
    label_properties: Names = (),
) -> list[Finding]:
    """Return the faults of files, and why nothing matches (`alignrank check`).

    Parameters
    ----------
    paths
        Ontologies, then the reference, then alignments.
    columns
        Names of tables' columns by role, as `read_alignment` takes them.
    imports, label_properties
        As `alignrank.ontologies.load_pair` takes them.

    Raises
    ------
    ValueError
        If a file cannot be read, or there are more than two ontologies.

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> [finding.code for finding in check(bundled_task("library").reference)]
    []
    """
    if isinstance(paths, str | Path):
        paths = [paths]
    findings, _, _ = checked_files(
        [path_of(file, "paths") for file in paths],
        reader=reader_of(columns, ()),
        imports=optional_path(imports, "imports"),
        label_properties=tuple_of(label_properties),
    )
    return findings
