"""Where a system stands among those of past campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from alignrank.common.results.cautions import Caution
from alignrank.common.table import latex_text
from alignrank.evaluation import Comparison, Context
from alignrank.experiments.inputs.named_inputs import (
    Judging,
    checked_judged,
    named_files,
    one_task,
    read_choices,
    read_reference,
    reference_cautions,
    track_filters,
)
from alignrank.experiments.report.console import decimals, print_prose, say
from alignrank.ontologies import load_ontology
from alignrank.ontologies.tasks import archived
from alignrank.ontologies.tasks.catalogue import published
from alignrank.ontologies.tasks.system_files import past_systems

from .compare_files import CompareOptions, compare_systems, tell


def place(
    alignment: str,
    *,
    task: str = "anatomy",
    years: Sequence[str] = (),
    data: Path | None = None,
    alpha: float = 0.05,
    on_mismatch: str = "refuse",
    columns: str | None = None,
    predicates: Sequence[str] = (),
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Say where a system stands among those of past campaigns.

    The track's own filter is applied; of equal alignments the youngest counts.

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
    past, same = past_systems(solved, years, taken=mine)
    filters = track_filters(solved.track)
    judging = Judging(filters=filters, on_mismatch=on_mismatch)
    context = Context(load_ontology(solved.source), load_ontology(solved.target))
    reader = read_choices(columns, predicates).among([path, solved.reference])
    right = read_reference(solved.reference, reader)
    own, theirs = (
        checked_judged(right, systems, context, judging)
        for systems in ({mine: reader.system(path, mine)}, past)
    )
    perfect = own.systems[mine].pairs == own.reference.pairs
    twin = []
    if perfect:
        text = f"{path} holds just the reference alignment: is it the reference?"
        twin.append(Caution("twin", text, system=mine))
    same_systems = [Caution("counted-once", text) for text in same]
    judged = replace(  # what is told of the files is told of mine alone
        own,
        systems={**own.systems, **theirs.systems},
        inputs={**own.inputs, **theirs.inputs},
        cautions=[*reference_cautions(right, reader), *twin, *own.cautions, *same_systems],
    )
    options = CompareOptions(
        focus=mine,
        alpha=alpha,
        source=solved.source,
        target=solved.target,
        filters=filters,
        columns=columns,
        predicates=tuple(predicates),
    )
    result = tell(
        compare_systems(judged, options),
        options,
        title=f"{len(judged.systems)} systems on {task}",
        out=out,
        overwrite=overwrite,
    )
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
