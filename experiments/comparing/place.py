"""Where a system stands among those of past campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from alignrank.common.table import latex_text
from alignrank.evaluation import Comparison, Context
from alignrank.experiments.inputs.named_inputs import Judging, judged_of, named_files, one_task
from alignrank.experiments.report.console import decimals, print_prose, say
from alignrank.ontologies import Alignment, load_ontology, read_alignment
from alignrank.ontologies.tasks import MatchingTask, archived
from alignrank.ontologies.tasks.catalogue import published
from alignrank.ontologies.tasks.system_files import past_files

from .compare_files import Compared, CompareOptions, compare_systems, on_task, tell


def place(
    alignment: str,
    *,
    task: str = "anatomy",
    years: Sequence[str] = (),
    data: Path | None = None,
    alpha: float = 0.05,
    on_mismatch: str = "refuse",
    columns: Mapping[str, str] | None = None,
    predicates: Sequence[str] = (),
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Say where a system stands among those of past campaigns.

    The track's filter is applied. Systems with equal alignments are compared once.

    Example: alignrank place mine.rdf --task anatomy --year 2018

    Raises
    ------
    ExperimentError
        If the name means several tasks.
    OntologyError
        If it means none, a year is none of a campaign, or its alignments were not fetched.
    """
    ((mine, path),) = named_files([alignment]).items()
    solved = one_task(task, data)
    options = CompareOptions(
        focus=mine,
        alpha=alpha,
        on_mismatch=on_mismatch,
        columns=columns,
        predicates=tuple(predicates),
    )
    compared, options = placed(solved, path, years, options)
    title = f"{len(compared.result.systems)} systems on {solved.name}"
    result = tell(compared, options, title=title, out=out, overwrite=overwrite)
    rates: dict[str, tuple[float, ...]] = {}
    years_published = []
    files = past_files(solved, years, taken=mine)
    for year in sorted(years or archived(solved)):
        of_year = published(solved.track, year)
        if of_campaign := {
            name: of_year[system]
            for system in of_year
            for name in (system, f"{system}-{year}")
            if name in files
        }:
            rates.update(of_campaign)
            years_published.append(year)
    if years_published:
        print_prose(_beside(result, years_published, rates))
    say(_latex_row(result, mine))


def placed(
    task: MatchingTask, mine: Path | Alignment, years: Sequence[str], options: CompareOptions
) -> tuple[Compared, CompareOptions]:
    """Compare an alignment, the focus of the options, with those of past campaigns.

    Also return the options with the task's filter and ontologies.
    """
    focus = options.focus or (mine.name if isinstance(mine, Alignment) else mine.stem)
    options = on_task(replace(options, focus=focus), task)
    chosen = [file for file in (mine, task.reference) if isinstance(file, Path)]
    reader = options.reader.among(chosen)
    past = past_files(task, years, taken=focus)
    systems = {focus: mine, **{name: read_alignment(past[name], name=name) for name in past}}
    context = Context(load_ontology(task.source), load_ontology(task.target))
    judging = Judging(filters=options.filters, on_mismatch=options.on_mismatch, reader=reader)
    judged = judged_of(task.reference, systems, context, judging)
    return compare_systems(judged, options), options


def _beside(
    result: Comparison, years: Sequence[str], rates: Mapping[str, tuple[float, ...]]
) -> str:
    """Say whether the published precision, recall and F1 are those computed here, in percent."""
    scores = result.scores
    ours = {name: scores[name] for name in rates if name in scores}
    differing = [
        f"{name} ({rates[name][-1]:.2f} published, {100 * s.f1:.2f} here)"
        for name, s in ours.items()
        if any(
            abs(100 * x - y) > 0.00501
            for x, y in zip((s.precision, s.recall, s.f1), rates[name], strict=True)
        )
    ]
    same = f"{len(ours) - len(differing)} of {len(ours)} come out here too"
    return f"Published precision, recall and F1 ({', '.join(years)}): {same}" + (
        f"; F1 differs for {', '.join(differing)}." if differing else "."
    )


def _latex_row(result: Comparison, mine: str) -> str:
    """Return the system's row for a table of a paper."""
    scores = result.scores[mine]
    rates = (decimals(rate) for rate in (scores.precision, scores.recall, scores.f1))
    cells = (latex_text(mine), *rates, result.deciding.ranks[mine].replace("–", "--"))
    return rf"{' & '.join(cells)} \\ % precision, recall, F1, place"
