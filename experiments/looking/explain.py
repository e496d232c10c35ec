"""Say why a pair of entities was matched or not (`alignrank explain`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import find_entity, read_reference
from experiments.report.console import console, print_json, print_prose, terminal_table
from experiments.report.paper import FIGURE_FORMATS
from matchers import Candidates, Metric, Settings, match, prepare, select_metrics
from matchers.evidence.evidence import part_of_matrix
from ontologies import Alignment, Entity, Kind, Ontology, load_ontology
from ontologies.common.names import one_line, short
from ontologies.common.table import ColumnKind, Table

from .explanation import Explanation, Partner, explain, label
from .show import describe

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Columns of the table that is printed, and what they hold.
_COLUMNS: dict[str, ColumnKind] = {
    "metric": "text",
    "similarity": "number",
    "in row": "number",
    "in column": "number",
    "source's partner": "text",
    "target's partner": "text",
    "why": "text",
}


def explain_pair(
    source: Path,
    target: Path,
    name1: str,
    name2: str,
    *,
    settings: Settings,
    reference: Path | None = None,
    metrics: Sequence[str] = ("standard",),
    imports: Path | None = None,
    figure: Path | None = None,
    overwrite: bool = False,
    form: str = "table",
) -> None:
    """Say why two entities were matched or not, metric by metric.

    Example: alignrank explain a.owl b.owl Reviewer Referee --reference reference.rdf
    """
    if figure is not None and figure.suffix[1:] not in FIGURE_FORMATS:
        raise ExperimentError(f"--figure {figure}: its name must end in .svg, .pdf or .png")
    if figure is not None and figure.exists() and not overwrite:
        raise ExperimentError(f"{figure} exists: name another file with --figure, or --overwrite")
    ontologies = load_ontology(source, imports=imports), load_ontology(target, imports=imports)
    entities = find_pair(*ontologies, name1, name2)
    judged_by = None if reference is None else read_reference(reference)
    explanation = explain(
        *ontologies, *entities, metrics=metrics, settings=settings, reference=judged_by
    )
    if form == "json":
        print_json(asdict(explanation))
    else:
        print_explanation(explanation, *ontologies, settings)
    if figure is not None:
        _save_figure(figure, prepare(*ontologies, settings), explanation, judged_by)


def find_pair(source: Ontology, target: Ontology, name1: str, name2: str) -> tuple[Entity, Entity]:
    """Return the entities that two names mean; a kind that only one side leaves open decides."""
    try:
        one = find_entity(source, name1)
    except ExperimentError:
        two = find_entity(target, name2)
        return find_entity(source, name1, [two.kind]), two
    try:
        return one, find_entity(target, name2)
    except ExperimentError:
        return one, find_entity(target, name2, [one.kind])


def print_explanation(
    found: Explanation, source: Ontology, target: Ontology, settings: Settings
) -> None:
    """Print the pair, what the reference says, and a row for each metric."""
    out = console()
    for role, entity in (("source", found.entity1), ("target", found.entity2)):
        print_prose(f"{role}: {describe(entity)}")
    if found.judged is not None:
        print_prose(f"reference: {_judgement(found, source, target)}")
    if found.impossible:
        print_prose(found.impossible)
        return
    out.print()
    rows = [
        [
            view.metric,
            f"{view.similarity:.4f}",
            _rank(view.row_rank, view.row_ties),
            _rank(view.column_rank, view.column_ties),
            "this one" if view.assigned else _partner(view.partner1),
            "this one" if view.assigned else _partner(view.partner2),
            view.why,
        ]
        for view in found.metrics
    ]
    table = Table("", [*_COLUMNS], rows, kinds=[*_COLUMNS.values()])
    out.print(terminal_table(table, wrapped=[*_COLUMNS][4:]))
    names = {(v.name1, v.name2) for v in found.metrics}
    shown = "; ".join(f"{short(a, 60)!r} with {short(b, 60)!r}" for a, b in sorted(names))
    out.print()
    print_prose(f"compared ({settings.labels}): {shown}")


def _judgement(found: Explanation, source: Ontology, target: Ontology) -> str:
    said = f"{found.judged}"
    sides: tuple[tuple[str, tuple[str, ...], Ontology], ...] = (
        ("source", found.right1, target),
        ("target", found.right2, source),
    )
    for role, iris, ontology in sides:
        names = [label(ontology.entities[i]) if i in ontology else one_line(i) for i in iris]
        if found.judged != "right" or len(names) > 1:
            said += f"; the {role} belongs with {', '.join(names) or 'nothing'}"
    return said


def _rank(rank: int, ties: int) -> str:
    return f"{rank}." if not ties else f"{rank}. ({ties + 1} equal)"


def _partner(partner: Partner | None) -> str:
    if partner is None:
        return "none"
    judged = f", {partner.judged}" if partner.judged else ""
    return f"{short(partner.label, 40)} ({partner.similarity:.4f}{judged})"


def draw_neighbourhood(
    candidates: Candidates,
    metric: Metric,
    kind: Kind,
    pair: tuple[str, str],
    *,
    reference: Alignment | None = None,
    size: int = 10,
) -> Figure:
    """Draw the part of the similarity matrix around a pair: its strongest rivals on both sides.

    Parameters
    ----------
    candidates, metric
        What is matched, and how.
    kind
        Kind of the two entities.
    pair
        (source IRI, target IRI).
    reference
        What is right.
    size
        Number of sources and of targets that are shown.
    """
    from experiments.report.figures.heatmaps import draw_similarity_matrix  # matplotlib

    group = next(g for g in candidates.groups if g.kind is kind)
    source, target = group.source, group.target
    i, j = source.iris.index(pair[0]), target.iris.index(pair[1])
    part = partial(part_of_matrix, candidates.groups, kind, metric)
    row, column = part([i], range(len(target)))[0], part(range(len(source)), [j])[:, 0]
    assigned = match(candidates, metric).alignment.pairs
    partners = {iri for one in assigned if set(one) & set(pair) for iri in one}

    def nearest(iris: Sequence[str], first: int, similarities: Sequence[float]) -> list[int]:
        """Return the entity itself, its rival's partner, then the most similar ones."""
        order = [
            (k != first, iri not in partners, -similarities[k], k) for k, iri in enumerate(iris)
        ]
        return [k for *_, k in sorted(order)[:size]]

    rows, columns = nearest(source.iris, i, column.tolist()), nearest(target.iris, j, row.tolist())
    sources, targets = [source.names[k] for k in rows], [target.names[k] for k in columns]
    shown = [[(source.iris[r], target.iris[c]) for c in columns] for r in rows]
    right = {c.pair for c in reference or () if c.relation == "="}

    def places(pairs: Collection[tuple[str, str]]) -> list[tuple[int, int]]:
        return [(r, c) for r, line in enumerate(shown) for c, p in enumerate(line) if p in pairs]

    return draw_similarity_matrix(
        part(rows, columns),
        [names[0] for names in sources],
        [names[0] for names in targets],
        assigned=places(assigned),
        right=places(right),
        title=f"{metric.name}: {short(sources[0][0])} – {short(targets[0][0])}",
    )


def _save_figure(
    path: Path, candidates: Candidates, found: Explanation, reference: Alignment | None
) -> None:
    from experiments.report.figures.style import save  # matplotlib

    if found.impossible:
        raise ExperimentError(f"--figure: there is nothing to draw, {found.impossible}")
    metric = select_metrics([found.metrics[0].metric])[0]
    pair = (found.entity1.iri, found.entity2.iri)
    figure = draw_neighbourhood(candidates, metric, found.entity1.kind, pair, reference=reference)
    save(figure, path.with_suffix(""), (path.suffix[1:],))
