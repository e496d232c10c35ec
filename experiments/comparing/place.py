"""Where a system stands among those of past campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from alignrank.common.table import latex_text
from alignrank.evaluation import Comparison
from alignrank.experiments.inputs.named_inputs import named_files, one_task, specs
from alignrank.experiments.report.console import decimals, print_prose, say
from alignrank.ontologies.tasks import archived
from alignrank.ontologies.tasks.catalogue import published
from alignrank.ontologies.tasks.system_files import past_files

from .compare_files import CompareOptions, compare_systems, on_task, read_systems, tell


def place(
    alignment: str,
    *,
    task: str = "anatomy",
    years: Sequence[str] = (),
    data: Path | None = None,
    alpha: float = 0.05,
    on_mismatch: str = "refuse",
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
    solved = one_task(task, data)
    ((mine, path),) = named_files([alignment]).items()
    past = past_files(solved, years, taken=mine)
    options = CompareOptions(focus=mine, alpha=alpha, on_mismatch=on_mismatch)
    options = on_task(options, solved)
    judged = read_systems(solved.reference, specs({mine: path, **past}), options)
    compared = compare_systems(judged, options)
    title = f"{len(compared.result.systems)} systems on {solved.name}"
    result = tell(compared, options, title=title, out=out, overwrite=overwrite)
    figures: dict[str, tuple[float, ...]] = {}
    years_published = []
    for year in sorted(years or archived(solved)):
        of_year = published(task.partition("/")[0], year)
        if of_campaigns := {
            n: of_year[s] for s in of_year for n in (s, f"{s}-{year}") if n in past
        }:
            figures.update(of_campaigns)
            years_published.append(year)
    if years_published:
        print_prose(_beside(result, years_published, figures))
    say(_latex_row(result, mine))


def _beside(
    result: Comparison, years: Sequence[str], figures: Mapping[str, tuple[float, ...]]
) -> str:
    """Say whether what campaigns published is what is computed here, to its two decimals."""
    scores = result.scores
    ours = {name: scores[name] for name in figures if name in scores}
    differing = [
        f"{name} ({figures[name][-1]:.2f} published, {100 * s.f1:.2f} here)"
        for name, s in ours.items()
        if any(
            abs(100 * x - y) > 0.00501
            for x, y in zip((s.precision, s.recall, s.f1), figures[name], strict=True)
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
