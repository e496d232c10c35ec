"""The command compare: from what is typed to what is printed and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import floor
from pathlib import Path

from alignrank.common.errors import EvaluationError
from alignrank.common.names import count
from alignrank.common.results import version
from alignrank.common.table import Table
from alignrank.evaluation import VIEWS, AnalysisSettings, Comparison
from alignrank.evaluation.comparison.totals import (
    DEPENDS,
    NOT_SIGNIFICANT,
    SIGNIFICANT,
    compare_totals,
)
from alignrank.evaluation.corrections.adjusting import CORRECTIONS
from alignrank.evaluation.credit.counts import cases
from alignrank.evaluation.measures.threshold_curve import Curve, drawable_curves
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.experiments.comparing.beyond_arrows import Findings, further_findings
from alignrank.experiments.comparing.diff import MappingsInput, tell_differences
from alignrank.experiments.comparing.kinds_of_input import (
    Choices,
    Compared,
    RankedInput,
    compare_input,
    read_input,
)
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.answer_files import ANSWERS
from alignrank.experiments.inputs.evaluation_input import (
    OF_COPIES,
    AlignmentOptions,
    comparable_tasks,
)
from alignrank.experiments.inputs.judged_files import JudgedSystems
from alignrank.experiments.inputs.named_inputs import (
    labels,
    named_files,
    parents_of,
    systems_on_task,
)
from alignrank.experiments.inputs.tables import TableInput, TableOptions, TotalsInput
from alignrank.experiments.presentation.present import Presentation, present_comparison
from alignrank.experiments.presentation.tables import winners_sentence, winners_table
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
    print_result,
    write_comparison,
    write_figures,
)
from alignrank.experiments.report.result_pages import comparison_report, write_report
from alignrank.experiments.results.folder import check_free, results_folder
from alignrank.ontologies.tasks.system_files import runtime_sentences


def compare_files(
    reference: Path | None = None,
    alignments: Sequence[str] = (),
    *,
    analysis: AnalysisSettings,
    options: AlignmentOptions,
    table: TableOptions,
    judged: Sequence[Path] = (),
    task: str | None = None,
    data: Path | None = None,
    measure: str | None = None,
    margin: float = Choices.margin,
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Compare systems by their alignments, ranked lists, answers or judged questions."""
    if out is not None:
        check_free(out, overwrite=overwrite)
    choices = Choices(analysis, replace(options, data=data), table, measure, margin)
    basis = ""
    if judged:
        if task is not None:
            raise ExperimentError("--judged stands for a reference: leave --task out")
        alignments = [str(file) for file in (reference, *alignments) if file is not None]
        reference = None
        basis = f"judged by {' and '.join(file.name for file in judged)}"
    elif by_task := systems_on_task(
        task, data, reference, alignments, options.source, options.target
    ):
        reference, alignments = by_task.task.reference, by_task.systems
        basis = f"on {by_task.task.name}"
        if by_task.campaign:
            basis += f" (with those of {by_task.campaign}; place has all years)"
    if reference is not None and reference.is_dir():
        systems = {folder: Path(folder) for folder in alignments}
    else:
        systems = named_files(alignments)
    record = read_input(systems, reference, choices, judged)
    if out is not None and isinstance(record, TrackResults):
        raise ExperimentError("--out goes with one task; alignrank study keeps a page of them all")
    if out is not None and isinstance(record, TotalsInput):
        raise ExperimentError("--out: totals give no report: leave it out, or add --json")
    if isinstance(record, TrackResults):
        _compare_folders(record, choices)
    elif isinstance(record, TotalsInput):
        _compare_totals(record, choices)
    elif isinstance(record, MappingsInput):
        tell_differences(record, out=out, overwrite=overwrite)
    else:
        compared = compare_input(record, choices)
        if isinstance(record, TableInput) and record.kind == ANSWERS:
            basis = "by their answers"
        elif isinstance(record, TableInput) and reference is not None:
            (role,) = record.inputs
            basis = f"by the {role} in {reference.name}"
        elif reference is not None:
            basis = basis or f"judged by {reference.name}"
        title = f"{len(compared.result.systems)} systems {basis}"
        write_and_print(compared, choices, title=title, out=out, overwrite=overwrite)
        say_what_out_keeps(out)


def _compare_folders(results: TrackResults, choices: Choices) -> None:
    """Compare on each task; print the best systems, and which differ significantly from them."""
    comparisons: dict[str, Comparison] = {}
    for task, evaluation in comparable_tasks(results, choices.analysis.focus):
        try:
            comparisons[task] = compare_input(evaluation, choices).result
        except EvaluationError as error:  # as of too few runs
            raise EvaluationError(f"task {task}: {error}") from None
    if not comparisons:
        raise ExperimentError("on no task do two systems differ")
    sentence, table = winners_sentence(comparisons), winners_table(comparisons)
    print_prose(sentence)
    print_numbers(table.header, table.rows, names=3)
    print_prose(table.footnote)
    cautions = list(results.cautions)
    absent = Counter(
        system
        for by_system in results.alignments.values()
        for system in results.systems
        if system not in by_system
    )
    if absent:
        listed = ", ".join(f"{count(tasks, 'task')} of {name}" for name, tasks in absent.items())
        cautions.append(f"there is no alignment on {listed}: only the others are compared there")
    cautions += [
        f"{task}: {caution.text}"
        for task, result in comparisons.items()
        for caution in result.cautions
        if caution.kind in OF_COPIES
    ]
    print_cautions(cautions)
    tasks = {task: result.to_dict() for task, result in comparisons.items()}
    finish({"tasks": tasks, "cautions": cautions, "version": version()})


def _compare_totals(record: TotalsInput, choices: Choices) -> None:
    """Compare totals; print the verdicts that hold for every overlap of the systems' answers."""
    compared = compare_totals(record.totals, choices.analysis)
    print_prose(" ".join(compared.answer()))
    header = ["view", "ahead", "behind", "significant?"]
    header += ["lowest z", "lowest p", "highest p", "adjusted p"]
    short = {SIGNIFICANT: "yes", NOT_SIGNIFICANT: "no", DEPENDS: "it depends"}
    rows = [
        [pair.view, *pair.order, short[pair.whatever_the_overlap]]
        + [f"{floor(100 * pair.z[0]) / 100:.2f}"]  # down: no bound is shown larger than it is
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
    print_prose(f"Method: {compared.method(record.path.name)}.")
    finish(compared)


def write_and_print(
    compared: Compared, choices: Choices, *, title: str, out: Path | None, overwrite: bool
) -> Comparison:
    """Print a comparison, write it into `out` if a folder is named, and return it.

    With `out`, the returned comparison also holds the p-values of every test and correction, as
    ``summary.json`` does; ``--json`` prints it.
    """
    beyond = further_findings(compared.result, margin=choices.margin)
    presentation = present_comparison(compared.result, heading=title)
    measures, figure_error = _measure_tables(compared), None
    if out is not None:
        compared = replace(compared, result=beyond.comparison)
        with results_folder(out, overwrite=overwrite, facts={"compared": title}) as folder:
            figure_error = _write_results(folder, compared, presentation, beyond, title)
    result = compared.result
    runtimes = runtime_sentences(result.provenance.inputs)
    states_margin = choices.margin != Choices.margin
    print_result(presentation, with_differences=states_margin)
    for table in measures:
        print_prose(f"{table.title}:")
        print_numbers(table.header, table.rows)
    for sentence in runtimes:
        print_prose(sentence)
    if not CORRECTIONS[result.correction].strong:
        print_cautions([result.validity])
    sentences = []
    if is_verbose():
        sentences = beyond.sentences()
    elif states_margin:
        sentences = beyond.within_margin()
    for sentence in sentences:
        print_prose(sentence)
    finish(result, out)
    if figure_error is not None:
        raise figure_error
    return result


def _measure_tables(compared: Compared) -> list[Table]:
    """Return a table of the measures of rankings, and one of ranges if candidates are tied."""
    if not isinstance(compared.record, RankedInput):
        return []
    means = compared.record.rankings.means()
    measures = list(next(iter(means.values())))
    order = sorted(means, key=lambda system: -means[system][measures[0]].expected)
    header = ["system", *measures]
    expected = [[system, *(mean.expected for mean in means[system].values())] for system in order]
    tied = [s for s in order if any(mean.lowest < mean.highest for mean in means[s].values())]
    ranges = [
        [system, *(f"{mean.lowest:.3f}–{mean.highest:.3f}" for mean in means[system].values())]
        for system in tied
    ]
    tables = [Table("Measures, each the mean over all orders of tied candidates", header, expected)]
    if ranges:
        title = "Lowest and highest value over these orders"
        undone = any(caution.kind == "ties" for caution in compared.result.cautions)
        if compared.result.deciding.edges and not undone:
            title += " (no order undoes a significant difference)"
        tables.append(Table(title, header, ranges))
    return tables


def _write_results(
    folder: Path, compared: Compared, presentation: Presentation, beyond: Findings, title: str
) -> ExperimentError | None:
    """Write the report, figures, tables and texts of a comparison into `folder`.

    Return why figures are missing, as `write_figures` does; None: all were drawn.
    """
    result, evaluated, record = compared.result, compared.alignments, compared.record
    curves = drawable_curves(evaluated.systems, evaluated.reference)
    report = report_of(compared, presentation, beyond, title, curves)
    tables = beyond.tables()
    if isinstance(record, JudgedSystems) and record.disputed:
        tables.append(Table("", ["entity1", "entity2"], record.disputed, stem="disputed"))
    if isinstance(record, RankedInput):
        for name, frame in (
            ("measures", record.rankings.to_frame()),
            ("per-item", record.rankings.per_item()),
        ):
            tables.append(Table("", list(frame.columns), frame.values.tolist(), stem=name))
    view = result.deciding
    figure_error = write_figures(folder / "figures", view, presentation, curves, f"-{view.view}")
    write_comparison(folder, result, presentation, evaluated.systems, tables)
    write_report(folder, report, view.view)
    return figure_error


def report_of(
    compared: Compared,
    presentation: Presentation,
    beyond: Findings,
    title: str,
    curves: Mapping[str, Curve],
) -> Report:
    """Return the report of a comparison, with the curves of `drawable_curves`."""
    evaluated = compared.alignments
    systems, reference, context = evaluated.systems, evaluated.reference, evaluated.context
    ontologies = [ontology for ontology in (context.source, context.target) if ontology]
    listed_cases, tables = None, []
    if compared.result.pool is None:
        tables = [*_measure_tables(compared), *beyond.tables()]
    if systems and compared.result.has_few_systems:
        listed_cases = cases(systems.values(), reference, parents_of(context))
    return comparison_report(
        compared.result,
        presentation,
        listed_cases,
        curves,
        title=title,
        label=labels(*ontologies),
        tables=tables,
    )
