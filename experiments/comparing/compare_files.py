"""Judge systems by the alignment files that they produced, or by a bare table of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import floor
from pathlib import Path

from alignrank.common.errors import EvaluationError
from alignrank.common.files import read_beginning
from alignrank.common.names import count, first_of, plain_name, refuse_unknown
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.common.table import Table, write_rows
from alignrank.evaluation import (
    VIEWS,
    AnalysisSettings,
    Comparison,
    compare_answers,
    compare_counts,
    read_counts,
)
from alignrank.evaluation.comparison.answers import is_square, read_answers
from alignrank.evaluation.comparison.judged_samples import compare_judgements
from alignrank.evaluation.comparison.totals import (
    DEPENDS,
    NOT_SIGNIFICANT,
    SIGNIFICANT,
    compare_totals,
    has_totals,
    read_totals,
)
from alignrank.evaluation.corrections import CORRECTIONS
from alignrank.evaluation.credit.tied_ranks import is_rank_measure
from alignrank.evaluation.measures.retrieval.rankings import DEFAULT_MEASURES, Rankings
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.experiments.comparing.beyond_arrows import Findings, find
from alignrank.experiments.comparing.rankings import Run, are_rankings, read_rankings
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import EvaluationInput, compare_systems
from alignrank.experiments.inputs.judged_files import JudgedSystems, read_judged_systems
from alignrank.experiments.inputs.named_inputs import (
    Judging,
    filters_in_force,
    input_file,
    judged_task,
    labels,
    named_files,
    parents_of,
    read_judged,
    read_tasks,
    seconds_told,
    track_cautions,
)
from alignrank.experiments.presentation.present import present
from alignrank.experiments.report.comparison_page import comparison_report, write_report
from alignrank.experiments.report.console import (
    finish,
    is_verbose,
    print_cautions,
    print_numbers,
    print_prose,
    say_what_out_keeps,
)
from alignrank.experiments.report.html import Report
from alignrank.experiments.report.publish import (
    drawable_curves,
    print_result,
    write_comparison,
    write_figures,
)
from alignrank.experiments.report.track_tables import winners_sentence, winners_table
from alignrank.experiments.results import check_free, results_folder
from alignrank.ontologies.tasks import MatchingTask
from alignrank.ontologies.tasks.reader import AlignmentReader


@dataclass(frozen=True)
class CompareOptions:
    """How `compare` decides.

    Parameters
    ----------
    test, correction
        None: ``sign-flip`` with clusters, else ``mid-p``; and
        ``bergmann-hommel`` (``holm`` with `focus`).
    alpha
        Family-wise error rate.
    views
        ``entity``, ``ifp``, ``cfp``, ``entity-target``: the first decides. None: the first three.
    protocol
        ``mohammadi-2018``: the paper to the letter.
    focus
        Compare all others with this system only.
    margin
        Differences below it count as none.
    measure
        Compare by this measure with paired randomisation instead of by McNemar's test.
    n_resamples, seed
        Of the randomisation.
    clusters
        ``parent``, or a TSV file of entity and cluster. None: ``parent`` if there is a source
        ontology.
    source, target
        The ontologies: siblings and some measures need them; with both the report has labels and
        near misses.
    imports
        Folder with local copies of what they import.
    kind
        Of a table: ``counts`` or ``items``. None: counts, if its rows have the columns' names.
    items
        |R| of a bare table of counts.
    lower_is_better
        Scores on items are errors from 0 to 1: 1 − score counts.
    filters
        What is not judged (`alignrank.ontologies.tasks.filters`).
    on_mismatch
        What becomes of a system that is foreign to the reference: ``refuse``, ``zero``, ``drop``.
    columns
        Names of the columns of tables, as `alignrank.ontologies.read_alignment` takes them.
    predicates
        The predicates of the reference that count; empty for those that state a relation.
    """

    test: str | None = None
    correction: str | None = None
    alpha: float = 0.05
    views: tuple[str, ...] | None = None
    protocol: str | None = None
    focus: str | None = None
    margin: float = 0.01
    measure: str | None = None
    n_resamples: int = 20_000
    seed: int = 0
    clusters: str | None = None
    source: Path | None = None
    target: Path | None = None
    imports: Path | None = None
    kind: str | None = None
    items: int | None = None
    lower_is_better: bool = False
    filters: tuple[str, ...] = ()
    on_mismatch: Mismatch = "refuse"
    columns: Mapping[str, str] | None = None
    predicates: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.focus is not None:
            object.__setattr__(self, "focus", plain_name(self.focus))
        unknown = [view for view in self.views or () if view not in VIEWS]
        if unknown:
            raise ExperimentError(f'views="{unknown[0]}" is unknown: use {", ".join(VIEWS)}')
        if not 0 < self.margin < 1:
            raise ExperimentError(f"margin={self.margin:g} must lie between 0 and 1")
        if self.items is not None and self.items < 1:
            raise ExperimentError(f"items={self.items}: a reference has 1 correspondence or more")
        if self.measure and self.test:
            raise ExperimentError("measure=... decides by randomisation: leave test=... out")
        if self.measure and (self.views or self.protocol):
            raise ExperimentError(
                "measure=... is compared by itself: leave views=..., protocol=... out"
            )
        if self.protocol and (self.views or self.clusters or self.test):
            raise ExperimentError(
                "protocol=... sets the views and the test, and takes every case as independent: "
                "leave views=..., test=... and clusters=... out"
            )
        if not self.measure and (self.n_resamples, self.seed) != (20_000, 0):
            raise ExperimentError(
                "the number of resamples and the seed belong to measure=...: add it, or leave them"
            )

    @property
    def analysis(self) -> AnalysisSettings:
        """What decides."""
        return AnalysisSettings(
            test=self.test,
            correction=self.correction,
            alpha=self.alpha,
            focus=self.focus,
            views=self.views,
            protocol=self.protocol,
            n_resamples=self.n_resamples,
            seed=self.seed,
        )

    @property
    def reader(self) -> AlignmentReader:
        """How alignments are read."""
        return AlignmentReader(self.columns, self.predicates)

    @property
    def by_target(self) -> bool:
        """Whether the items are target entities."""
        return self.views == ("entity-target",)

    @property
    def judging(self) -> Judging:
        """How systems are judged by a reference."""
        return Judging(
            self.clusters,
            independent=self.protocol is not None,
            by_target=self.by_target,
            filters=self.filters,
            on_mismatch=self.on_mismatch,
            reader=self.reader,
        )


@dataclass(frozen=True)
class Compared:
    """What was compared, and what was read for it.

    Parameters
    ----------
    result
        The comparison, with its provenance.
    judged
        The systems and the reference; None where only counts are known.
    rankings
        Where ranked candidates were compared: every measure with its range over ties.
    disputed
        The pairs on which two judges disagree.
    """

    result: Comparison
    judged: EvaluationInput | None = None
    rankings: Rankings | None = None
    disputed: tuple[tuple[str, str], ...] = ()


def compare_files(
    reference: Path | None = None,
    alignments: Sequence[str] = (),
    *,
    options: CompareOptions,
    judged: Sequence[Path] = (),
    task: str | None = None,
    data: Path | None = None,
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Compare systems by the alignment files that they produced.

    Example: alignrank compare reference.rdf AML=aml.rdf LogMap=logmap.rdf --out results

    Example: alignrank compare --task anatomy mine.rdf --focus mine

    Example: alignrank compare reference.rdf gpt=runs/ AML=aml.rdf (several runs of gpt)

    Example: alignrank compare references/ systems/ (each task by itself)

    Example: alignrank compare --judged questions.sssom.tsv AML=aml.rdf mine.rdf (no reference)
    """
    if judged:
        if out is not None:
            check_free(out, overwrite=overwrite)
        if task is not None:
            raise ExperimentError("--judged stands for a reference: leave --task out")
        named = [str(file) for file in (reference, *alignments) if file is not None]
        compared = compare_judgement_files(
            read_judged_systems(judged, named, options.reader), options
        )
        judges = " and ".join(file.name for file in judged)
        title = f"{len(compared.result.systems)} systems judged by {judges}"
        tell(compared, options, title=title, out=out, overwrite=overwrite)
        say_what_out_keeps(out)
        return
    basis = ""
    asked = options  # rankings have no use for the task's filters and ontologies
    if (by_task := judged_task(task, data, reference, alignments)) is not None:
        reference, alignments = by_task.task.reference, by_task.systems
        options = on_task(options, by_task.task)
        basis = f"on {by_task.task.name}"
        if by_task.campaign:
            basis += f" (with those of {by_task.campaign}; place has all years)"
    if reference is None:
        raise ExperimentError("name REFERENCE and ALIGNMENT files, or a task with --task")
    if reference.is_dir():
        _tell_tasks(reference, alignments, options, out)
        return
    if out is not None:
        check_free(out, overwrite=overwrite)
    if not alignments and options.kind is None and has_totals(reference):
        _tell_totals(reference, options, out)
        return
    if alignments and asks_for_rankings(named_files(alignments), options):
        compared = compare_rankings(reference, named_files(alignments), asked)
    elif alignments:
        compared = compare_alignments(_read(reference, alignments, options), options)
    else:
        compared = compare_table(reference, options)
        (role,) = compared.result.provenance.inputs
        basis = f"by the {role} in {reference.name}"
    basis = basis or f"judged by {reference.name}"
    title = f"{len(compared.result.systems)} systems {basis}"
    tell(compared, options, title=title, out=out, overwrite=overwrite)
    say_what_out_keeps(out)


def _tell_tasks(
    references: Path, alignments: Sequence[str], options: CompareOptions, out: Path | None
) -> None:
    """Print for each task of a folder which system scores best, and who differs from it."""
    if len(alignments) != 1 or not Path(alignments[0]).is_dir():
        raise ExperimentError(
            f"{references} is a folder: name one folder of SYSTEM-task.rdf, or of MELT results, "
            "after it"
        )
    if out is not None:
        raise ExperimentError("--out goes with one task; alignrank study keeps a page of them all")
    needs_one_task = ("measure", "clusters", "source", "target", "kind", "items", "imports")
    _refuse_stated(options, needs_one_task, "goes with one task: name its reference")
    results = read_tasks(
        Path(alignments[0]), references, options.filters, options.on_mismatch, options.reader
    )
    if options.focus is not None:
        refuse_unknown("--focus", options.focus, results.systems, ExperimentError)
    comparisons = compare_tasks(results, options)
    if not comparisons:
        raise ExperimentError(f"{alignments[0]}: on no task do two systems differ")
    table = winners_table(comparisons)
    print_prose(winners_sentence(comparisons))
    print_numbers(table.header, table.rows, names=3)
    print_prose(table.footnote)
    cautions = [*map(str, track_cautions(results.references, options.reader)), *results.cautions]
    absent = Counter(
        system
        for by_system in results.alignments.values()
        for system in results.systems
        if system not in by_system
    )
    if absent:
        listed = ", ".join(f"{count(tasks, 'task')} of {name}" for name, tasks in absent.items())
        cautions.append(f"there is no alignment on {listed}: only the others are compared there")
    print_cautions(cautions)
    tasks = {task: result.to_dict() for task, result in comparisons.items()}
    finish({"tasks": tasks, "cautions": cautions})


def compare_tasks(results: TrackResults, options: CompareOptions) -> dict[str, Comparison]:
    """Compare the systems on each task on which two differ, one of them the focus."""
    comparisons = {}
    for task, alignments in results.alignments.items():
        first = alignments.get(options.focus or next(iter(alignments), ""))
        if first is not None and any(other.keys != first.keys for other in alignments.values()):
            read = EvaluationInput(alignments, results.references[task])
            comparisons[task] = compare_alignments(read, options).result
    return comparisons


def _refuse_stated(options: CompareOptions, fields: Sequence[str], reason: str) -> None:
    """Refuse an option that was stated and does not fit."""
    for field in fields:
        if getattr(options, field) != getattr(CompareOptions, field):
            raise ExperimentError(f"{field}=... {reason}")


def _tell_totals(path: Path, options: CompareOptions, out: Path | None) -> None:
    """Print what totals of systems say whatever the overlap of their answers."""
    if out is not None:
        raise ExperimentError("--out: totals give no report: leave it out, or add --json")
    _refuse_stated(options, ("lower_is_better",), "goes with scores on items: leave it out")
    totals = read_totals(path, options.items)
    compared = compare_totals(totals, options.analysis)
    print_prose(" ".join(compared.answer()))
    header = ["view", "ahead", "behind", "significant?"]
    header += ["lowest z", "lowest p", "highest p", "adjusted p"]
    short = {SIGNIFICANT: "yes", NOT_SIGNIFICANT: "no", DEPENDS: "it depends"}
    rows = [
        [pair.view, pair.better, pair.worse, short[pair.whatever_the_overlap]]
        + [f"{floor(100 * pair.z[0]) / 100:.2f}"]
        + [f"{p:.3g}" for p in (*pair.p, pair.adjusted_p[1])]
        for pair in compared.pairs
    ]
    print_numbers(header, rows, names=4)
    views = dict.fromkeys(pair.view for pair in compared.pairs)
    counted = "; ".join(f"{name}: {VIEWS[name].counted}" for name in views)
    print_prose(
        f"{counted}. Totals do not tell how the answers of two systems overlap: lowest and highest "
        "are over all possible overlaps. adjusted p: the highest p after correction."
    )
    print_prose(f"Method: {compared.method(path.name)}.")
    finish(compared.to_dict())


def tell(
    compared: Compared, options: CompareOptions, *, title: str, out: Path | None, overwrite: bool
) -> Comparison:
    """Write what was compared, and print it."""
    result = compared.result
    beyond = find(result, margin=options.margin)
    if out is not None:
        with results_folder(out, overwrite=overwrite) as folder:
            result = _publish(folder, replace(compared, result=beyond.comparison), beyond, title)
    states_margin = options.margin != CompareOptions.margin
    print_result(present(result, heading=title), sizes=states_margin)
    for table in _measure_tables(compared):
        print_prose(f"{table.title}:")
        print_numbers(table.header, table.rows)
    for sentence in seconds_told(result.provenance.inputs):
        print_prose(sentence)
    if not CORRECTIONS[result.correction].strong:
        print_cautions([result.validity])
    sentences = []
    if is_verbose():
        sentences = [*beyond.sentences(), result.validity]
    elif states_margin:
        sentences = beyond.within_margin()
    for sentence in sentences:
        print_prose(sentence)
    finish(result.to_dict(), out)
    return result


def _measure_tables(compared: Compared) -> list[Table]:
    """Return every measure of rankings by system, and its range where candidates are tied."""
    if compared.rankings is None:
        return []
    means = compared.rankings.means()
    measures = list(next(iter(means.values())))
    order = sorted(means, key=lambda system: -means[system][measures[0]].expected)
    header = ["system", *measures]
    expected = [[system, *(of.expected for of in means[system].values())] for system in order]
    ranges = [
        [system, *(f"{of.lowest:.3f}–{of.highest:.3f}" for of in means[system].values())]
        for system in order
        if any(of.lowest < of.highest for of in means[system].values())
    ]
    tables = [Table("Measures, each the mean over all orders of tied candidates", header, expected)]
    if ranges:
        title = "Lowest and highest value over these orders"
        undone = any(caution.kind == "ties" for caution in compared.result.cautions)
        if compared.result.deciding.edges and not undone:
            title += " (no order undoes a significant difference)"
        tables.append(Table(title, header, ranges))
    return tables


def on_task(options: CompareOptions, task: MatchingTask) -> CompareOptions:
    """Return the options with the filter of the task's track and the task's ontologies.

    Ontologies that the options name replace the task's.
    """
    return replace(
        options,
        filters=filters_in_force(options.filters, task.track, options.protocol),
        source=options.source or task.source,
        target=options.target or task.target,
    )


def _read(reference: Path, alignments: Sequence[str], options: CompareOptions) -> EvaluationInput:
    """Read the files of systems, of the reference and of the ontologies."""
    ontologies = {"source": options.source, "target": options.target, "imports": options.imports}
    return read_judged(reference, alignments, options.judging, **ontologies)


def compare_alignments(read: EvaluationInput, options: CompareOptions) -> Compared:
    """Compare systems; of the options, those that say what to read and from where are done with."""
    of_tables = ("items", "lower_is_better")
    _refuse_stated(options, of_tables, "goes with a table, not with alignments: leave it out")
    result = compare_systems(read, options.analysis, options.measure)
    result = _with_origin(result, replace(options, filters=read.filters), read.inputs)
    if result.runs is not None:  # of several runs no alignment is the system's
        return Compared(result)
    # copies of the focus are not compared
    systems = {name: read.systems[name] for name in result.systems}
    return Compared(result, replace(read, systems=systems))


def compare_judgement_files(read: JudgedSystems, options: CompareOptions) -> Compared:
    """Compare systems by judged questions."""
    unusable = ["measure", "clusters", "source", "items", "kind", "filters"]
    unusable.append("lower_is_better")
    _refuse_stated(options, unusable, "needs a reference: with judged=... leave it out")
    result = compare_judgements(read.systems, read.judgements, options.analysis)
    result = _with_origin(result, options, read.inputs, read.cautions)
    return Compared(result, disputed=read.disputed)


def _with_origin(
    result: Comparison,
    options: CompareOptions,
    inputs: Mapping[str, InputFile],
    cautions: Sequence[Caution] = (),
) -> Comparison:
    """Return the comparison with where it comes from, and what must be known of that."""
    settings = {
        "command": "compare",
        **{k: str(v) if isinstance(v, Path) else v for k, v in asdict(options).items()},
        "test": result.test,
        "correction": result.correction,
        "views": list(result.views),
    }
    origin = Provenance(settings, inputs)
    return replace(result, provenance=origin, cautions=(*cautions, *result.cautions))


def asks_for_rankings(runs: Mapping[str, Run], options: CompareOptions) -> bool:
    """Tell whether to compare runs as rankings: by the kind, the measure or what they are."""
    if options.kind == "counts":
        raise ExperimentError("counts are in a table alone: leave kind=... or the files out")
    by_measure = options.measure is not None and is_rank_measure(options.measure)
    return options.kind == "items" or by_measure or are_rankings(runs.values())


def compare_rankings(gold: object, runs: Mapping[str, Run], options: CompareOptions) -> Compared:
    """Compare systems by how they rank candidates, with each measure's range over ties."""
    of_alignments = ["columns", "predicates", "clusters", "items", "filters"]
    of_alignments += ["views", "protocol", "imports", "lower_is_better"]
    _refuse_stated(options, of_alignments, "needs alignments: with rankings leave it out")
    measures = list(DEFAULT_MEASURES)
    if options.measure is not None:
        measures.insert(0, options.measure)
    rankings, inputs = read_rankings(gold, runs, list(dict.fromkeys(measures)))
    measure = rankings.measure
    result = compare_answers(rankings.answers(), options.analysis, view=measure)
    result = replace(result, views={measure: replace(result.deciding, quantity=measure)})
    dependent = rankings.dependent_on_ties(
        result.deciding.edges, correction=result.correction, alpha=result.alpha
    )
    cautions = [Caution("rankings", text) for text in rankings.cautions]
    if dependent:
        listed = first_of((f"{better} > {worse}" for better, worse in dependent), 6)
        text = f"decided by how tied candidates are ordered: {listed}"
        cautions.insert(0, Caution("ties", text))
    return Compared(_with_origin(result, options, inputs, cautions), rankings=rankings)


def compare_table(path: Path, options: CompareOptions) -> Compared:
    """Read a table, and compare systems by their discordant counts, or by their items."""
    of_alignments = ("measure", "clusters", "source", "target", "columns", "predicates")
    if path.is_file() and read_beginning(path, 512).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        raise ExperimentError(f"{path} is an alignment, no table: name the systems' files after it")
    reason = "needs alignments: leave it out, a table holds one kind of right and wrong"
    _refuse_stated(options, of_alignments, reason)
    if len(options.views or ()) > 1:
        raise ExperimentError(f"a second view {reason}")
    if options.kind == "items" or (options.kind is None and not is_square(path)):
        return compare_items(path, options)
    if options.lower_is_better:
        raise ExperimentError(
            f"lower_is_better=True goes with scores on items: {path} holds counts"
        )
    table = read_counts(path)
    view_of_counts = "ifp"
    text = f"the counts are taken for those of {view_of_counts} (views=... names another)"
    cautions = [Caution("view-of-counts", text)]
    if options.views:
        view_of_counts, cautions = options.views[0], []
    try:
        result = compare_counts(
            table.matrix,
            table.systems,
            replace(options.analysis, views=None),
            view=view_of_counts,
            reference=options.items,
        )
    except EvaluationError as error:
        raise ExperimentError(f"{path}: {error}") from None
    return Compared(_with_origin(result, options, {"counts": input_file(path)}, cautions))


def compare_items(table: object, options: CompareOptions) -> Compared:
    """Compare systems by their scores on items, which a file or a frame holds."""
    answers = read_answers(table, lower_is_better=options.lower_is_better)
    of_views = ("views", "items", "protocol")
    _refuse_stated(options, of_views, "needs alignments or counts: a table of items has one view")
    result = compare_answers(answers, options.analysis)
    inputs = {}
    if isinstance(table, Path):
        inputs["items"] = input_file(table)
    cautions = [Caution("answers", text) for text in answers.cautions]
    if answers.lower_is_better:
        text = "lower is better: a difference is positive if the first system has fewer errors."
        cautions.insert(0, Caution("lower-is-better", text))
    return Compared(_with_origin(result, options, inputs, cautions))


def _publish(folder: Path, compared: Compared, beyond: Findings, title: str) -> Comparison:
    """Write everything into `folder`; return the result with the alternatives of the page."""
    result, judged = compared.result, compared.judged or EvaluationInput()
    report = report_of(compared, beyond, title)
    write_comparison(folder, result, judged.systems)
    write_figures(folder / "figures", result, {}, f"-{result.deciding.view}")
    write_report(folder, report, result.deciding.view)
    beyond.write(folder / "tables")
    if compared.disputed:
        path = folder / "tables" / "disputed.csv"
        write_rows(path, ["entity1", "entity2"], compared.disputed)
    if compared.rankings is not None:
        for name, table in (
            ("measures", compared.rankings.to_frame()),
            ("per-item", compared.rankings.per_item()),
        ):
            path = folder / "tables" / f"{name}.csv"
            write_rows(path, list(table.columns), table.values.tolist())
    return result


def report_of(compared: Compared, beyond: Findings, title: str) -> Report:
    """Return the report of a comparison."""
    judged = compared.judged or EvaluationInput()
    systems, reference, context = judged.systems, judged.reference, judged.context
    ontologies = [ontology for ontology in (context.source, context.target) if ontology]
    tables = []
    if compared.result.pool is None:
        tables = [*_measure_tables(compared), *beyond.tables()]
    return comparison_report(
        compared.result,
        systems,
        reference,
        drawable_curves(systems, reference),
        title=title,
        label=labels(*ontologies),
        parents=parents_of(context),
        tables=tables,
        cautions=beyond.cautions(),
    )
