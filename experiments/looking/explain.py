"""Why a pair of entities was matched or not, metric by metric (`alignrank explain`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Literal

import numpy as np
from scipy.special import expit

from alignrank.common.names import Pair, count, one_line, short
from alignrank.common.table import Table
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import find_entity
from alignrank.experiments.looking.show import describe
from alignrank.experiments.report.console import finish, is_short, print_prose, print_table
from alignrank.matchers import (
    Candidates,
    Matching,
    Metric,
    Settings,
    get_metric,
    match_all,
    prepare,
    select_metrics,
)
from alignrank.matchers.candidates import Evidence, KindCandidates, part_of_matrix
from alignrank.matchers.matcher import chooses_itself
from alignrank.matchers.metrics import Matrix
from alignrank.matchers.model import weight_of_evidence
from alignrank.matchers.names import stems_of, words_of
from alignrank.matchers.settings import DEFAULT_METRIC, default_threshold
from alignrank.matchers.similarity.matrix import string_similarities
from alignrank.ontologies import Alignment, Entity, Ontology, load_pair
from alignrank.ontologies.curation import current_rows
from alignrank.ontologies.tasks.reader import AlignmentReader

#: Columns of the table that is printed; a terminal has room for the first.
_COLUMNS = (
    *("metric", "similarity", "why"),
    *("source's partner", "target's partner", "in row", "in column"),
)


def explain_pair(
    source: Path,
    target: Path,
    name1: str,
    name2: str,
    *,
    settings: Settings,
    reference: Path | None = None,
    metrics: Sequence[str] = (DEFAULT_METRIC, "standard"),
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
) -> None:
    """Say why two entities were matched or not, metric by metric."""
    ontologies = load_pair(source, target, imports=imports, label_properties=label_properties)
    entities = find_pair(*ontologies, name1, name2)
    current = None
    if reference is not None:
        current, _ = current_rows(AlignmentReader().reference(reference))
    explanation = explain(
        *ontologies, *entities, metrics=metrics, settings=settings, reference=current
    )
    print_explanation(explanation, *ontologies, settings)
    finish(asdict(explanation))


#: The meaning of the facts of the default metric; facts of one meaning are added.
FACT_TEXTS = {
    "equal_labels": "equal names",
    "equal": "equal names",
    "mean": "similar names",
    "numbers_differ": "the numbers differ",
    "letters_behind_source": "a more similar partner exists",
    "letters_behind_target": "a more similar partner exists",
    "behind_source": "a more likely partner exists",
    "behind_target": "a more likely partner exists",
    "ahead_source": "other partners are less likely",
    "ahead_target": "other partners are less likely",
    "above": "matched parents or wholes",
    "below": "matched children or parts",
    "roles": "matched domains, ranges or types",
    "bearers": "matched properties or individuals",
    "intercept": "any likely pair",
    "prior": "share of right pairs in these ontologies",
    "floor": "equal labels have 0.9 at least",
}


def evidence_table(evidence: Mapping[str, float]) -> Table:
    """Return the evidence for and against a pair, the weightiest first, and its probability.

    Examples
    --------
    >>> weights = {"mean": 2.04, "equal": 0.5, "equal_labels": 0.8, "intercept": -5.2, "prior": 2.0}
    >>> print(evidence_table(weights).to_text())
    evidence                                  log odds
    any likely pair                              -5.20
    similar names                                +2.04
    share of right pairs in these ontologies     +2.00
    equal names                                  +1.30
    sum: probability 0.5349                      +0.14
    """
    weights: defaultdict[str, float] = defaultdict(float)
    for fact, weight in evidence.items():
        weights[FACT_TEXTS[fact]] += weight
    ordered = sorted(weights.items(), key=lambda item: -abs(item[1]))
    rows = [[text, f"{weight:+.2f}"] for text, weight in ordered if abs(weight) >= 0.005]
    total = sum(weights.values())
    rows.append([f"sum: probability {expit(total):.4f}", f"{total:+.2f}"])
    return Table("", ["evidence", "log odds"], rows, kinds=["text", "number"])


def find_pair(source: Ontology, target: Ontology, name1: str, name2: str) -> tuple[Entity, Entity]:
    """Return the entities that two names mean; a kind that only one side leaves open decides."""
    try:
        entity1 = find_entity(source, name1)
    except ExperimentError:
        entity2 = find_entity(target, name2)
        return find_entity(source, name1, [entity2.kind]), entity2
    try:
        return entity1, find_entity(target, name2)
    except ExperimentError:
        return entity1, find_entity(target, name2, [entity1.kind])


def print_explanation(
    explanation: Explanation, source: Ontology, target: Ontology, settings: Settings
) -> None:
    """Print the answer, the pair, the reference's verdict, and a row for each metric."""
    print_prose(_answer(explanation))
    for role, entity in (("source", explanation.entity1), ("target", explanation.entity2)):
        print_prose(f"{role}: {describe(entity)}")
    if explanation.judged is not None:
        print_prose(f"reference: {_verdict_text(explanation, source, target)}")
    if explanation.impossible:
        return
    number_of_columns = len(_COLUMNS)
    if is_short():
        number_of_columns = 3
    rows = [_cells(view)[:number_of_columns] for view in explanation.metrics]
    print_table(Table("", _COLUMNS[:number_of_columns], rows))
    for view in explanation.metrics:
        if view.evidence:
            print_table(evidence_table(view.evidence))
    names = {(v.name1, v.name2) for v in explanation.metrics}
    pairs = "; ".join(
        f"{short(a, 60)!r} with {short(b, 60)!r}{_in_common(a, b)}" for a, b in sorted(names)
    )
    print_prose(f"compared ({settings.labels}): {pairs}")
    if settings.threshold is None:
        print_prose("thresholds: those of `alignrank match` (--threshold X for another)")


def _cells(view: MetricView) -> list[str]:
    """Return the row of a metric."""
    partners = [_partner(view.partner1), _partner(view.partner2)]
    if view.assigned:
        partners = ["this one", "this one"]
    ranks = [_rank(view.row_rank, view.row_ties), _rank(view.column_rank, view.column_ties)]
    return [view.metric, f"{view.similarity:.4f}", view.why, *partners, *ranks]


def _in_common(name1: str, name2: str) -> str:
    stems1, stems2 = (stems_of(words_of(name)) for name in (name1, name2))
    return f" ({len(stems1 & stems2)} of {count(len(stems1 | stems2), 'word')} in common)"


def _answer(explanation: Explanation) -> str:
    """Say whether the first metric matches the pair, why not, and how many of the others do."""
    pair = f"{label(explanation.entity1)} with {label(explanation.entity2)}"
    if explanation.impossible:
        return f"nothing matches {pair}: {explanation.impossible}"
    first, *further = explanation.metrics
    sentence = f"{first.metric} matches {pair}."
    if not first.assigned:
        sentence = (
            f"{first.metric} does not match {pair}: {first.why}. It matches the source with "
            f"{_partner(first.partner1)}, the target with {_partner(first.partner2)}."
        )
    if further:
        same = sum(view.assigned for view in further)
        sentence += f" Other metrics that match them: {same} of {len(further)}."
    return sentence


def _verdict_text(explanation: Explanation, source: Ontology, target: Ontology) -> str:
    """Return the reference's verdict, and the correct partners of both entities."""
    text = f"{explanation.judged}"
    sides = {"source": (explanation.right1, target), "target": (explanation.right2, source)}
    for role, (iris, ontology) in sides.items():
        names = [label(ontology.entities[i]) if i in ontology else one_line(i) for i in iris]
        if explanation.judged != "right" or len(names) > 1:
            text += f"; the {role} belongs with {', '.join(names) or 'nothing'}"
    return text


def _rank(rank: int, ties: int) -> str:
    if not ties:
        return f"{rank}."
    return f"{rank}. ({ties + 1} equal)"


def _partner(partner: Partner | None) -> str:
    if partner is None:
        return "nothing"
    facts = f"{partner.similarity:.4f}"
    if partner.judged:
        facts += f", {partner.judged}"
    return f"{short(partner.label, 40)} ({facts})"


#: Verdict of a reference on a pair.
Verdict = Literal["right", "wrong", "not judged"]


@dataclass(frozen=True)
class Partner:
    """The entity that was matched instead, its similarity, and the reference's verdict."""

    iri: str
    label: str
    similarity: float
    judged: Verdict | None


@dataclass(frozen=True)
class MetricView:
    """How one metric sees the pair.

    Parameters
    ----------
    metric
        Its name.
    similarity
        Of the pair: that of its most similar names.
    name1, name2
        Those names, as they were compared.
    row_rank, column_rank
        1 + how many targets are more similar to the source, and sources to the target.
    row_ties, column_ties
        How many others are exactly as similar.
    assigned
        Whether the pair is in the alignment.
    partner1, partner2
        What the source and the target were matched with instead; None if with nothing.
    loss
        What the total similarity would lose if the two were matched with each other and their
        partners with each other; None if the pair is assigned or below the threshold.
    tied
        Whether another optimal assignment holds the pair (or, if it is assigned, lacks it).
    why
        The reason in words.
    evidence
        What each fact and the prior add to the log odds of the probability; empty but for the
        default metric.
    """

    metric: str
    similarity: float
    name1: str
    name2: str
    row_rank: int
    column_rank: int
    row_ties: int
    column_ties: int
    assigned: bool
    partner1: Partner | None
    partner2: Partner | None
    loss: float | None
    tied: bool
    why: str
    evidence: Mapping[str, float]


@dataclass(frozen=True)
class Explanation:
    """Why a pair of entities was matched or not.

    Parameters
    ----------
    entity1, entity2
        The pair.
    judged
        The reference's verdict on the pair; None without one.
    right1, right2
        What the reference holds equivalent to the source and to the target.
    metrics
        How each metric sees the pair; empty where it could not be matched at all.
    impossible
        Why it could not be matched at all; else empty.
    """

    entity1: Entity
    entity2: Entity
    judged: Verdict | None
    right1: tuple[str, ...]
    right2: tuple[str, ...]
    metrics: tuple[MetricView, ...]
    impossible: str = ""


def explain(
    source: Ontology,
    target: Ontology,
    entity1: Entity,
    entity2: Entity,
    *,
    metrics: Sequence[str] = ("standard",),
    settings: Settings | None = None,
    reference: Alignment | None = None,
) -> Explanation:
    """Return why two entities were matched or not.

    Parameters
    ----------
    source, target
        The ontologies.
    entity1, entity2
        One entity of each.
    metrics
        Names of metrics or families.
    settings
        How to match; without a threshold each metric is cut where `alignrank match` cuts it.
    reference
        What is right.

    Examples
    --------
    >>> from alignrank.ontologies import Kind, Label
    >>> def ontology(*names):
    ...     return Ontology("", {n: Entity(n, Kind.CLASS, (Label(n),)) for n in names})
    >>> one, two = ontology("heart", "hearts"), ontology("hearts")
    >>> seen = explain(one, two, one.entities["heart"], two.entities["hearts"], metrics=["jaro"])
    >>> view = seen.metrics[0]
    >>> view.column_rank, view.assigned, view.partner2.label, view.why
    (2, False, 'hearts', 'the target does better elsewhere, by 0.05556')
    """
    settings = settings or Settings()
    pair = (entity1.iri, entity2.iri)
    equal = [c.pair for c in reference or () if c.relation == "="]
    right1 = tuple(target for source, target in equal if source == pair[0])
    right2 = tuple(source for source, target in equal if target == pair[1])
    unmatched = Explanation(entity1, entity2, verdict(reference, *pair), right1, right2, ())
    if impossible := _impossible(entity1, entity2, settings):
        return replace(unmatched, impossible=impossible)
    candidates = prepare(source, target, settings)
    group = next(g for g in candidates.groups if g.kind is entity1.kind)
    for iri, side in zip(pair, (group.source, group.target), strict=True):
        if iri not in side.iris:
            impossible = f"{iri} has no name to match by with these settings"
            return replace(unmatched, impossible=impossible)
    views: list[MetricView] = []
    for cut, alike in groupby(select_metrics(metrics), key=partial(_cut, settings)):
        chosen = list(alike)
        cut_at = replace(candidates, settings=replace(settings, threshold=cut))
        explained = _Explained((source, target), pair, reference, cut_at, group)
        views += map(explained.view, chosen, match_all(cut_at, chosen))
    return replace(unmatched, metrics=tuple(views))


def _cut(settings: Settings, metric: Metric) -> float:
    """Return where a metric is cut."""
    if settings.threshold is None:
        return default_threshold(metric.name)
    return settings.threshold


def verdict(reference: Alignment | None, iri1: str, iri2: str) -> Verdict | None:
    """Return the reference's verdict on a pair that is matched as equivalent; None without one.

    A pair in another relation, such as ``<``, is wrong, as everywhere; ``?`` says nothing of it,
    unless the reference negates ``=``.
    """
    if reference is None:
        return None
    relations = {c.relation for c in reference if c.pair == (iri1, iri2)}
    if "=" in relations:
        return "right"
    if "?" in relations and (iri1, iri2, "=") not in reference.denied:
        return "not judged"
    return "wrong"


def _impossible(entity1: Entity, entity2: Entity, settings: Settings) -> str:
    if entity1.kind is not entity2.kind:
        return (
            f"entities of different kinds are never matched: {entity1.iri} is of kind "
            f"{entity1.kind}, {entity2.iri} of kind {entity2.kind}"
        )
    if settings.kinds is not None and entity1.kind not in settings.kinds:
        return f"the settings leave out the kind {entity1.kind}"
    return ""


@dataclass(frozen=True)
class _Explained:
    """The pair, and the data of every metric's view of it."""

    ontologies: tuple[Ontology, Ontology]
    pair: Pair
    reference: Alignment | None
    candidates: Candidates
    group: KindCandidates

    def part(self, metric: Metric, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """Return some rows and columns of the similarity matrix."""
        return part_of_matrix(self.candidates.groups, self.group.kind, metric, rows, columns)

    def places(self, pair: Pair) -> tuple[int, int]:
        """Return the row and the column of a pair."""
        return self.group.source.iris.index(pair[0]), self.group.target.iris.index(pair[1])

    def similarity(self, metric: Metric, pair: Pair) -> float:
        """Return the similarity of a pair, as the assignment sees it."""
        i, j = self.places(pair)
        similarity = float(self.part(metric, [i], [j])[0, 0])
        settings = self.candidates.settings
        if similarity < settings.least and settings.order == "cut-then-assign":
            return 0.0
        return similarity

    def partner(self, metric: Metric, pair: Pair | None, side: int) -> Partner | None:
        """Return the entity of a side of a pair that the metric matched."""
        if pair is None:
            return None
        name = label(self.ontologies[side].entities[pair[side]])
        similarity = self.similarity(metric, pair)
        return Partner(pair[side], name, similarity, verdict(self.reference, *pair))

    def view(self, metric: Metric, matching: Matching) -> MetricView:
        """Return how one metric sees the pair: its row, its column, and the assignment."""
        source, target = self.group.source, self.group.target
        i, j = self.places(self.pair)
        row = self.part(metric, [i], range(len(target)))[0]
        column = self.part(metric, range(len(source)), [j])[:, 0]
        value = float(row[j])
        of_strings = get_metric("ngram") if isinstance(metric, Evidence) else metric
        names = list(source.names[i]), list(target.names[j])
        of_names = string_similarities(*names, of_strings, threads=1)
        best1, best2 = np.unravel_index(int(of_names.argmax()), of_names.shape)
        pairs = [c.pair for c in matching.alignment]  # in their order: the first partner is shown
        settings = self.candidates.settings
        assigned = self.pair in pairs
        taken1, taken2, loss = None, None, None
        if not assigned:
            taken1 = next((p for p in pairs if p[0] == self.pair[0]), None)
            taken2 = next((p for p in pairs if p[1] == self.pair[1]), None)
            if value >= settings.least:
                # by matching the pair, and its two partners with each other
                gained = self.similarity(metric, self.pair)
                if taken1 and taken2:
                    gained += self.similarity(metric, (taken2[0], taken1[1]))
                loss = sum(self.similarity(metric, p) for p in (taken1, taken2) if p) - gained
        evidence: Mapping[str, float] = {}
        if metric.name == DEFAULT_METRIC:
            evidence = weight_of_evidence(self.candidates.groups, self.group.kind, i, j)
        view = MetricView(
            metric=metric.name,
            similarity=value,
            name1=source.names[i][best1],
            name2=target.names[j][best2],
            row_rank=1 + int((row > value).sum()),
            column_rank=1 + int((column > value).sum()),
            row_ties=int((row == value).sum()) - 1,
            column_ties=int((column == value).sum()) - 1,
            assigned=assigned,
            partner1=self.partner(metric, taken1, 1),
            partner2=self.partner(metric, taken2, 0),
            loss=loss,
            tied=matching.ties is not None and self.pair in matching.ties.sometimes,
            why="",
            evidence=evidence,
        )
        return replace(view, why=_why(settings, view))


def _why(settings: Settings, view: MetricView) -> str:
    """Return the reason of a metric's decision in words."""
    if view.assigned and view.tied:
        return "assigned; an equally good assignment lacks it"
    if view.assigned:
        return "assigned"
    chooses = chooses_itself(get_metric(view.metric), settings)
    if view.similarity == 0.0 and chooses:
        return "no name of the source is similar to a name of the target"
    if view.similarity == 0.0:
        return "a pair of similarity 0 is never matched"
    if view.similarity < settings.least:
        return f"below the threshold {settings.least:g}"
    if view.tied:
        return "an equally good assignment holds it"
    if chooses:
        return "a better partner exists"
    if settings.assignment == "mutual-best":
        return "the two are not each other's most similar"
    partners = {"source": view.partner1, "target": view.partner2}
    sides = [side for side, partner in partners.items() if partner is not None]
    if settings.assignment == "greedy":
        return f"the {' and the '.join(sides)} had a more similar partner"
    if view.loss is None or view.loss <= 0:
        return "the best total needs the partners elsewhere"
    if len(sides) == 2:
        return f"exchanging partners would lose {view.loss:.4g} in total"
    return f"the {sides[0]} does better elsewhere, by {view.loss:.4g}"


def label(entity: Entity) -> str:
    """Return the name of an entity: its first label, or the last part of its IRI."""
    return one_line(entity.names()[0])
