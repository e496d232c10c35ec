"""The functions of the command line, for a notebook or a program.

`match`, `rank`, `sample`, `compare` and `study` call the same functions as the commands of these
names. They take ontologies and alignments as paths or as objects. A `Result` has an answer,
cautions, figures, frames, a table for a paper, and the report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from alignrank.common.defaults import DEFAULTS, Scale
from alignrank.common.executor import using
from alignrank.common.files import write_text
from alignrank.common.names import count, refuse_unknown
from alignrank.common.table import Frame, frame
from alignrank.evaluation import AnalysisSettings, Comparison
from alignrank.evaluation.comparison.robustness import with_choices
from alignrank.evaluation.measures.retrieval.candidates import Gold
from alignrank.evaluation.measures.threshold_curve import drawable_curves
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.multitask.study import study_with_choices
from alignrank.experiments.comparing import compare_files, study_files
from alignrank.experiments.comparing.beyond_arrows import further_findings
from alignrank.experiments.comparing.kinds_of_input import (
    Choices,
    Compared,
    SystemsInput,
    compare_input,
    read_input,
)
from alignrank.experiments.comparing.study_files import StudyOptions
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    AlignmentOptions,
    EvaluationInput,
)
from alignrank.experiments.inputs.named_inputs import one_task, youngest_campaign
from alignrank.experiments.inputs.tables import TableInput, TableOptions
from alignrank.experiments.looking.show_results import TABLES
from alignrank.experiments.presentation.present import present
from alignrank.experiments.ranking import pair
from alignrank.experiments.ranking.matching import match_ontologies, one_metric
from alignrank.experiments.ranking.rank import RankOptions, read_threshold
from alignrank.experiments.ranking.rank import rank as rank_metrics
from alignrank.experiments.report.html import Report
from alignrank.experiments.report.publish import drawable_figures
from alignrank.experiments.report.result_pages import study_report
from alignrank.experiments.scoring.sample import (
    draw_questions,
    earlier_judgements,
    write_questions,
)
from alignrank.matchers import Metric, Settings
from alignrank.matchers.by_name import MetricLike
from alignrank.matchers.settings import DEFAULT_METRIC, default_threshold, normalise
from alignrank.matchers.similarity.join import join as join_strings
from alignrank.matchers.similarity.strings import strings_of
from alignrank.ontologies import (
    Alignment,
    Kind,
    load_ontology,
)
from alignrank.ontologies.curation import checked_decisions, recorded_threshold
from alignrank.ontologies.tasks import MatchingTask
from alignrank.ontologies.tasks.filters import Filter
from alignrank.ontologies.tasks.reader import AlignmentReader

from .arguments import (
    Columns,
    File,
    Names,
    OntologyLike,
    Systems,
    TableLike,
    alignment_of,
    alignment_options,
    ontologies_of,
    optional_path,
    optional_tuple,
    path_of,
    reader_of,
    systems_of,
    tuple_of,
    warn_of,
)

if TYPE_CHECKING:
    from distributed import Client
    from matplotlib.figure import Figure

#: The defaults of matching.
MATCHING = Settings()
#: An ontology from a file (`alignrank.ontologies.load_ontology`).
load = load_ontology


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """The result of `rank`, `compare` or `study`; a notebook shows answer, ranks and cautions.

    Parameters
    ----------
    summary
        Everything that was found, with settings and inputs; ``--json`` prints its `to_dict`.
    page
        Makes the report.
    """

    summary: Comparison | Study
    page: Callable[[], Report]

    @property
    def answer(self) -> str:
        """The sentences that the command line prints first."""
        return " ".join(self.summary.answer())

    @property
    def cautions(self) -> list[str]:
        """Sentences that the reader must know."""
        return [str(caution) for caution in self.summary.cautions]

    def to_frame(self, table: str = "scores") -> Frame:
        """Return a table as a pandas frame.

        Parameters
        ----------
        table
            ``scores`` (with ranks; of a study mean ranks and scores), ``tasks`` (of a study),
            ``paper``, ``supplement``, ``p``, ``adjusted``, ``discordant``, ``edges`` or ``pairs``.

        Raises
        ------
        ExperimentError
            If there is no such table, here or at all.
        """
        chosen = TABLES.lookup(table)(present(self.summary))
        data = chosen.data or chosen
        whole = frame(data.rows, data.header)
        if table in ("edges", "pairs"):
            return whole
        return whole.set_index(data.header[0])

    def to_latex(self, table: str = "paper") -> str:
        """Return a table of `to_frame` as LaTeX with booktabs; it raises the same errors.

        ``paper`` is that of ``paper.tex``: scores, differences, adjusted p and letters.
        """
        return TABLES.lookup(table)(present(self.summary)).to_latex()

    def plot(self, figure: str = "outperforms") -> Figure:
        """Draw a figure.

        Parameters
        ----------
        figure
            ``outperforms``, ``p-values``, ``discordance``; of a study ``critical-difference``.

        Raises
        ------
        ExperimentError
            If these results allow no such figure.
        """
        return _drawn(self.summary, figure)

    def report(self, path: File) -> Path:
        """Write the report as one HTML file without further files; a file there is replaced."""
        write_text(Path(path), self._page.to_html())
        return Path(path)

    @cached_property
    def _page(self) -> Report:
        return self.page()

    def __repr__(self) -> str:
        return f"<{self.answer} {count(len(self.cautions), 'caution')}>"

    def _repr_html_(self) -> str:
        presentation = present(self.summary)
        ranks = presentation.table(presentation.at("page"), title=presentation.title).to_preview()
        items = "".join(f"<li><bdi>{escape(caution)}</bdi></li>" for caution in self.cautions)
        return (
            f"<p><strong><bdi>{escape(self.answer)}</bdi></strong></p>\n{ranks}"
            f"<details><summary>{count(len(self.cautions), 'caution')}</summary>"
            f"<ul>{items}</ul></details>"
        )


def match(
    source: OntologyLike | None = None,
    target: OntologyLike | None = None,
    *,
    task: str | None = None,
    data: File | None = None,
    metric: MetricLike | None = None,
    labels: str = MATCHING.labels,
    synonyms: bool = MATCHING.synonyms,
    wordnet: File | None = MATCHING.wordnet,
    structure: bool = MATCHING.structure,
    kinds: Sequence[Kind] | None = MATCHING.kinds,
    langs: Sequence[str] | None = MATCHING.langs,
    shared: str = MATCHING.shared,
    threshold: float | None = None,
    assignment: str | None = MATCHING.assignment,
    order: str = MATCHING.order,
    tiles: bool | None = None,
    imports: File | None = None,
    label_properties: Names = (),
    reviewed: File | Alignment | None = None,
    client: Client | None = None,
) -> Alignment:
    """Match two ontologies with one metric (`alignrank match`).

    Parameters
    ----------
    source, target
        The ontologies, or their files.
    task, data
        Instead of the ontologies: a task by name, and its data folder.
    metric
        A name (`alignrank list metrics`), or a function of two strings with values in [0, 1]. None:
        ``combined``.
    labels, synonyms, wordnet, structure, kinds, langs, shared, assignment, order, tiles
        As `alignrank.matchers.Settings` takes them.
    threshold
        Smallest similarity of a correspondence, in [0, 1]; None for 0.5 with the default metric,
        0.7 with another.
    imports, label_properties
        As `alignrank.ontologies.load_pair` takes them.
    reviewed
        A corrected alignment of the two: what it accepts and rejects is kept, and its threshold
        where `threshold` is None.
    client
        Of a Dask cluster to compute on, in tiles; None: threads.

    Returns
    -------
    Alignment
        The default metric matches entities of equal names n:m; others match one to one, with the
        largest total similarity. What the reader must know is warned of, each sentence once.

    Raises
    ------
    ValueError
        If a file cannot be read, the metric is unknown, or the threshold outside [0, 1].

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> task = bundled_task("library")
    >>> match(task.source, task.target, metric="equality")
    <Alignment equality: 15 correspondences>
    """
    rule: Filter | None = None
    if task is not None:
        solved = one_task(task, optional_path(data, "data"), source, target)
        source, target, rule = solved.source, solved.target, solved.rule
    if source is None or target is None:
        raise ExperimentError("give source and target, or a task (task=...)")
    ontologies = ontologies_of(source, target, imports, label_properties)
    if metric is None:
        metric = DEFAULT_METRIC
    chosen, corrected = one_metric(metric), None
    if reviewed is not None:
        corrected = AlignmentReader().system(alignment_of(reviewed, "reviewed"))
        if threshold is None:
            threshold = recorded_threshold(corrected, chosen.name)
    if threshold is None:
        threshold = default_threshold(chosen.name)
    settings = Settings(
        labels=labels,
        synonyms=synonyms,
        wordnet=_folder_of(wordnet),
        structure=structure,
        kinds=kinds,
        langs=langs,
        shared=shared,
        threshold=threshold,
        assignment=assignment,
        order=order,
        tiles=tiles,
    )
    decisions = None
    if corrected is not None:
        decisions = checked_decisions(corrected, *ontologies)
    with _computing_on(client):
        matching, _, cautions = match_ontologies(*ontologies, chosen, settings, decisions, rule)
    if decisions is not None and decisions.changes:
        rows = count(len(decisions.changes), "row")
        first = decisions.changes[0].text
        cautions.append(f"{rows} of the earlier mapping: see their comments (first: {first})")
    warn_of(cautions)
    return matching.alignment


def _folder_of(wordnet: File | None) -> str | None:
    if wordnet is None:
        return None
    return str(path_of(wordnet, "wordnet"))


def _computing_on(client: Client | None) -> AbstractContextManager[object]:
    """Return a context that computes on a Dask cluster, or here."""
    if client is None:
        return nullcontext()
    return using(client)


def join(
    left: Sequence[str],
    right: Sequence[str] | None = None,
    *,
    metric: MetricLike = "ngram",
    threshold: float = DEFAULTS.threshold,
    labels: str = "raw",
    one_to_one: bool = False,
    client: Client | None = None,
) -> Frame:
    """Join two lists of strings: all pairs that are similar enough (`alignrank join`).

    Parameters
    ----------
    left, right
        The strings: lists, arrays, columns of a table. A missing one (None, NaN) matches nothing.
        None: `left` with itself, each pair once.
    metric
        A name (`alignrank list metrics`), or a function of two strings with values in [0, 1].
    threshold
        Smallest similarity of a pair, above 0 and 1 at most.
    labels
        Preset by which the strings are prepared: ``raw``, ``lower``, ``underscore`` or ``words``.
    one_to_one
        Whether every string has one partner at most: those of the largest total similarity. Needs
        `right`.
    client
        Of a Dask cluster to compute on; None: threads. ``with using(client)`` of
        `alignrank.common.executor` brings whatever else works in tiles there.

    Returns
    -------
    Frame
        ``left``, ``right`` (positions, counted from 0) and ``similarity`` of each pair.

    Raises
    ------
    ValueError
        If the metric is unknown, the threshold outside (0, 1], or something is no string.

    Examples
    --------
    >>> join(["heart", "tail"], ["hearts"], metric="levenshtein", threshold=0.8).values.tolist()
    [[0.0, 0.0, 0.8333333333333334]]
    >>> len(join(["Heart"], ["heart"])), len(join(["Heart"], ["heart"], labels="words"))
    (0, 1)
    """
    if labels != "raw":
        left = [normalise(text, labels) for text in strings_of(left, "left")]
        if right is not None:
            right = [normalise(text, labels) for text in strings_of(right, "right")]
    with _computing_on(client):
        parts = join_strings(left, right, one_metric(metric), threshold, one_to_one=one_to_one)
        edges_of_parts = list(parts)
    rows = [
        row for edges in edges_of_parts for row in zip(*(x.tolist() for x in edges), strict=True)
    ]
    return frame(rows, columns=["left", "right", "similarity"])


def rank(
    source: OntologyLike | None = None,
    target: OntologyLike | None = None,
    reference: File | Alignment | None = None,
    *,
    task: str | None = None,
    data: File | None = None,
    metrics: MetricLike | Sequence[MetricLike] = RankOptions.metrics,
    labels: str = MATCHING.labels,
    synonyms: bool = MATCHING.synonyms,
    wordnet: File | None = MATCHING.wordnet,
    structure: bool = MATCHING.structure,
    kinds: Sequence[Kind] | None = MATCHING.kinds,
    langs: Sequence[str] | None = MATCHING.langs,
    threshold: float | Literal["best"] = "best",
    shared: str = MATCHING.shared,
    assignment: str | None = MATCHING.assignment,
    order: str = MATCHING.order,
    tiles: bool | None = None,
    imports: File | None = None,
    label_properties: Names = (),
    test: str | None = RankOptions.test,
    correction: str = RankOptions.correction,
    alpha: float = RankOptions.alpha,
    views: Names | None = RankOptions.views,
    protocol: str | None = RankOptions.protocol,
    columns: Columns | None = None,
    predicates: Names = (),
) -> Result:
    """Match two ontologies with many metrics, and rank the metrics (`alignrank rank`).

    Parameters
    ----------
    source, target, reference
        The ontologies and the reference alignment, or their files.
    task, data
        Instead of these three: a task by name, and its data folder.
    metrics
        Names of metrics or families, or functions of two strings with values in [0, 1].
    labels, synonyms, wordnet, structure, kinds, langs, shared, assignment, order, tiles
        As `alignrank.matchers.Settings` takes them.
    threshold
        Smallest similarity of a correspondence; ``best``: chosen for each entity on others.
    imports, label_properties
        As `alignrank.ontologies.load_pair` takes them.
    test, correction, alpha, views, protocol
        As `alignrank.evaluation.compare` takes them.
    columns, predicates
        Names of tables' columns by role, as `read_alignment` takes them, and the predicates that
        count.

    Raises
    ------
    ValueError
        If something cannot be read, or is unknown, or the reference is of other ontologies.

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> task = bundled_task("library")
    >>> ranked = rank(task.source, task.target, task.reference, metrics=["ngram", "equality"])
    >>> ranked.to_frame()["correct"].to_dict()
    {'ngram': 30, 'equality': 11}
    """
    rule: Filter | None = None
    if task is not None:
        solved = one_task(task, optional_path(data, "data"), source, target, reference)
        source, target, reference = solved.source, solved.target, solved.reference
        rule = solved.rule if protocol is None else None
    if source is None or target is None or reference is None:
        raise ExperimentError("give source, target and reference, or a task (task=...)")
    file_or_alignment = alignment_of(reference, "reference")
    reader = reader_of(columns, predicates, file_or_alignment)
    ontologies = ontologies_of(source, target, imports, label_properties)
    reference_alignment = reader.reference(file_or_alignment)
    settings = Settings(
        labels=labels,
        synonyms=synonyms,
        wordnet=_folder_of(wordnet),
        structure=structure,
        kinds=kinds,
        langs=langs,
        shared=shared,
        threshold=read_threshold(threshold),
        assignment=assignment,
        order=order,
        tiles=tiles,
    )
    if isinstance(metrics, str | Metric) or callable(metrics):  # a single one: not its letters
        metrics = [metrics]
    options = RankOptions(
        metrics=tuple(metrics),
        settings=settings,
        test=test,
        correction=correction,
        alpha=alpha,
        views=optional_tuple(views),
        protocol=protocol,
        rule=rule,
        reader=reader,
    )
    ranked = rank_metrics(*ontologies, reference_alignment, options)

    def page() -> Report:
        curves = drawable_curves(ranked.alignments, ranked.reference)
        whole = replace(ranked, comparison=with_choices(ranked.comparison))
        return pair.report_of(whole, present(ranked.comparison), curves)

    return of_comparison(ranked.comparison, page)


def sample(
    source: OntologyLike,
    target: OntologyLike,
    systems: Mapping[str, File | Alignment] | None = None,
    *,
    out: File,
    add: bool = False,
    seed: int = DEFAULTS.seed,
    first_verdict: int | None = None,
    imports: File | None = None,
    label_properties: Names = (),
    columns: Columns | None = None,
    predicates: Names = (),
    overwrite: bool = False,
) -> Path:
    """Draw questions for a judge where there is no reference (`alignrank sample`).

    Parameters
    ----------
    source, target
        The ontologies, or their files.
    systems
        By name: what each system proposes. None: the nine standard metrics and the default matcher.
    out
        Folder for ``questions.sssom.tsv`` and ``judge.html``.
    add
        Whether `systems` are new ones for the questions that `out` holds: no answer is lost.
    seed
        Of the draw.
    first_verdict
        The number of answers at the first verdict, 50 or more; later ones double. None: 100, or 50
        for 84 to 133 questions. Not with `add`.
    imports, label_properties
        As `alignrank.ontologies.load_pair` takes them.
    columns, predicates
        Names of tables' columns by role, as `read_alignment` takes them, and the predicates that
        count.
    overwrite
        Whether the folder may hold files already.

    Returns
    -------
    Path
        The file of questions, for ``compare(systems=..., judged=...)`` once it has answers.

    Raises
    ------
    ValueError
        If something cannot be read, the folder is not empty, a system proposes nothing, or `add`
        is set without `systems`.

    Examples
    --------
    >>> import tempfile
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> task = bundled_task("library")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = sample(task.source, task.target, task.alignments, out=folder)
    ...     path.name
    'questions.sssom.tsv'
    """
    if add and not systems:
        raise ExperimentError("add=True: name the new systems (systems={name: alignment})")
    files = {name: alignment_of(system, name) for name, system in (systems or {}).items()}
    reader = reader_of(columns, predicates, *files.values())
    proposed = {name: reader.system(file, name) for name, file in files.items()}
    ontologies = ontologies_of(source, target, imports, label_properties)
    earlier = None
    if add:
        earlier = earlier_judgements(Path(out), ontologies)
    drawn = draw_questions(
        *ontologies, proposed, seed=seed, earlier=earlier, first_verdict=first_verdict
    )
    warn_of(drawn.cautions)
    return write_questions(drawn, *ontologies, Path(out), overwrite=overwrite or add)


def compare(
    reference: File
    | Alignment
    | Frame
    | Mapping[str, Sequence[float] | Mapping[str, float]]
    | Gold
    | None = None,
    systems: Systems | None = None,
    *,
    judged: File | Alignment | Sequence[File | Alignment] = (),
    task: str | None = None,
    data: File | None = None,
    test: str | None = AnalysisSettings.test,
    correction: str | None = AnalysisSettings.correction,
    alpha: float = AnalysisSettings.alpha,
    views: Names | None = AnalysisSettings.views,
    protocol: str | None = AnalysisSettings.protocol,
    focus: str | None = AnalysisSettings.focus,
    margin: float = Choices.margin,
    measure: str | None = Choices.measure,
    n_resamples: int = AnalysisSettings.n_resamples,
    seed: int = AnalysisSettings.seed,
    clusters: str | None = AlignmentOptions.clusters,
    source: OntologyLike | None = None,
    target: OntologyLike | None = None,
    imports: File | None = None,
    kind: str | None = TableOptions.kind,
    items: int | None = TableOptions.items,
    lower_is_better: bool = TableOptions.lower_is_better,
    filters: Names = AlignmentOptions.filters,
    on_mismatch: Mismatch = "refuse",
    columns: Columns | None = AlignmentOptions.columns,
    predicates: Names = AlignmentOptions.predicates,
) -> Result:
    """Compare systems by their alignments (`alignrank compare`).

    Parameters
    ----------
    reference
        The reference alignment. Without `systems`, scores of systems (columns) on items (rows),
        from 0 to 1, with columns ``NAME@1``, ``NAME@2`` for runs, or in long form; or a file of
        such a table or of discordant counts.
    systems
        By name: the alignment of each system; a list for several runs of it. Or its ranked
        candidates, ``{"query": {"candidate": score}}`` or a frame with the columns ``query``,
        ``doc`` and ``score``, and `reference` is their gold standard: ``{"query": ["candidate"]}``,
        ``{"query": {"candidate": grade}}``, a frame or a file. Files of ranked candidates are
        recognised, or named by ``kind="items"`` or a `measure` such as ``MRR``.
    judged
        Instead of `reference`: the file of questions with answers, or two of them of two judges.
    task, data
        Instead of `reference` and ontologies: a task by name, and its data folder. A single system
        is compared with those of the youngest campaign.
    source, target, imports
        The ontologies, and the folder of their imports. None: those of the task that the reference
        belongs to.
    test, correction, alpha, views, protocol, focus, n_resamples, seed
        As `alignrank.evaluation.AnalysisSettings` has them.
    margin, measure
        As `alignrank.experiments.comparing.kinds_of_input.Choices` has them.
    clusters, filters, on_mismatch, columns, predicates
        Of alignments: as `alignrank.experiments.inputs.evaluation_input.AlignmentOptions`.
    kind, items, lower_is_better
        Of tables: as `alignrank.experiments.inputs.tables.TableOptions`.

    Raises
    ------
    ValueError
        If something cannot be read, is unknown, or does not fit the reference.

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> task = bundled_task("library")
    >>> compared = compare(task.reference, task.alignments)
    >>> compared.to_frame()["F1"].round(3).to_dict()
    {'system_good': 0.926, 'system_near_miss': 0.458, 'system_bad': 0.208}

    Rankings of two retrieval systems:

    >>> gold = {f"q{k}": ["d1"] for k in range(8)}
    >>> runs = {"a": {q: {"d1": 0.9, "d2": 0.1} for q in gold}, "b": {q: {"d2": 0.9} for q in gold}}
    >>> compare(gold, runs).answer
    'a scores best (MRR 1.000); b is significantly worse. The tests assume independent queries.'
    """
    analysis = AnalysisSettings(
        test=test,
        correction=correction,
        alpha=alpha,
        focus=focus,
        views=optional_tuple(views),
        protocol=protocol,
        n_resamples=n_resamples,
        seed=seed,
    )
    options = alignment_options(
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
    table = TableOptions(kind, items, lower_is_better)
    choices = Choices(analysis, options, table, measure, margin)
    if task is not None:
        solved = one_task(task, optional_path(data, "data"), reference, source, target)
        reference, systems = solved.reference, with_campaign(systems, solved)
    questions = [judged] if isinstance(judged, str | Path | Alignment) else judged
    if questions and reference is not None:
        raise ExperimentError("judged stands for a reference: give systems=..., no reference")
    if isinstance(reference, str | Path | Alignment):
        reference = alignment_of(reference, "reference")
    by_name = None if systems is None else systems_of(systems)
    files = [alignment_of(file, f"judgements {k}") for k, file in enumerate(questions, 1)]
    read = read_input(by_name, reference, choices, files)
    if not isinstance(read, SystemsInput):
        raise ExperimentError(
            "a Result compares systems on one task: name two or more (`study` takes folders of "
            "tasks; `alignrank compare` prints what totals tell, and what differs between mappings)"
        )
    basis = "judgements" if questions else "the gold standard"
    if isinstance(read, TableInput):
        basis = "their items"
    elif isinstance(read, EvaluationInput):
        basis = Path(read.reference.path).name
    elif isinstance(reference, Path):
        basis = reference.name
    return compared_result(compare_input(read, choices), choices, f"judged by {basis}")


def with_campaign(systems: Systems | None, task: MatchingTask) -> Systems:
    """Return the systems; one alone, or none, is joined by the youngest campaign's."""
    systems = systems or {}
    if len(systems) > 1:
        return systems
    _, joined = youngest_campaign(task, taken=next(iter(systems), ""))
    return {**systems, **joined}


def study(
    scores: TableLike,
    *,
    reference: File | None = None,
    test: str | None = StudyOptions.test,
    correction: str | None = StudyOptions.correction,
    alpha: float = StudyOptions.alpha,
    focus: str | None = StudyOptions.focus,
    scale: Scale | None = StudyOptions.scale,
    filters: Names = StudyOptions.filters,
    on_mismatch: Mismatch = "refuse",
    lower_is_better: bool | Sequence[str] = False,
    margin: float | None = StudyOptions.margin,
    seed: int = StudyOptions.seed,
    columns: Columns | None = None,
    predicates: Names = (),
) -> Result:
    """Compare systems over many tasks (`alignrank study`).

    Parameters
    ----------
    scores
        A frame with a row for each task and a column for each system, or in long form; scores by
        system and task; a CSV file of such a table; or a folder of alignments.
    reference
        Folder of the references, with a folder of alignments.
    test, correction, alpha, focus, margin, seed
        As `alignrank.evaluation.multitask.study` takes them.
    scale
        ``common``: the scores of all tasks are on one scale. None: they are if all lie in [0, 1],
        or all are written with %.
    filters, on_mismatch
        As `alignrank.evaluation.multitask.read_track` takes them, with a folder of alignments.
    lower_is_better
        Whether the scores are errors, times or costs; or the names of the tasks where they are.
    columns, predicates
        Names of tables' columns by role, as `read_alignment` takes them, and the predicates that
        count.

    Raises
    ------
    ValueError
        If something cannot be read, is missing, or unknown.

    Examples
    --------
    >>> tasks = [f"task{k}" for k in range(8)]
    >>> scores = {"a": {t: 0.8 + k / 80 for k, t in enumerate(tasks)}, "b": dict.fromkeys(tasks, 0)}
    >>> print(study(scores).answer)  # doctest: +NORMALIZE_WHITESPACE
    a scores best (mean score 0.844); b is significantly worse. The tests assume independent
    tasks.
    """
    costs = lower_is_better if isinstance(lower_is_better, bool) else tuple_of(lower_is_better)
    reader = reader_of(columns, predicates)
    options = StudyOptions(
        columns=reader.columns,
        predicates=tuple(reader.predicates),
        test=test,
        correction=correction,
        alpha=alpha,
        focus=focus,
        scale=scale,
        filters=tuple_of(filters),
        on_mismatch=on_mismatch,
        lower_is_better=costs,
        margin=margin,
        seed=seed,
    )
    table_or_path = Path(scores) if isinstance(scores, str | Path) else scores
    read = study_files.read_study(table_or_path, optional_path(reference, "reference"), options)
    return studied_result(study_files.study_of(read, options))


def studied_result(result: Study) -> Result:
    """Return the result of a study."""

    def page() -> Report:
        diagram = "" if result.focus is not None else _svg(result, "critical-difference")
        return study_report(study_with_choices(result), present(result), diagram)

    return Result(result, page)


def compared_result(compared: Compared, choices: Choices, basis: str) -> Result:
    """Return the result of a comparison; the title of its report ends with `basis`."""

    def page() -> Report:
        beyond = further_findings(compared.result, margin=choices.margin)
        title = f"{len(compared.result.systems)} systems {basis}"
        whole = replace(compared, result=beyond.comparison)
        evaluated = compared.alignments
        curves = drawable_curves(evaluated.systems, evaluated.reference)
        return compare_files.report_of(whole, present(compared.result), beyond, title, curves)

    return of_comparison(compared.result, page)


def of_comparison(result: Comparison, page: Callable[[], Report]) -> Result:
    """Return the result of `rank` or `compare`; its report begins with the graph."""

    def with_graph() -> Report:
        return replace(page(), graph=_svg(result, "outperforms"))

    return Result(result, with_graph)


def _drawn(result: Comparison | Study, name: str) -> Figure:
    drawable = drawable_figures(result.deciding, present(result), {})
    refuse_unknown("figure", name, drawable, ExperimentError)
    return drawable[name]()


def _svg(result: Comparison | Study, name: str) -> str:
    from alignrank.experiments.report.figures import svg_text  # matplotlib: half a second

    return svg_text(_drawn(result, name))
