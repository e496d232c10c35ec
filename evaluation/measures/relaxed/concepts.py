"""Items classified under an ontology: the distance of each response from its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from alignrank.common.errors import EvaluationError
from alignrank.common.files import FilePath
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.credits import PrecisionRecall, ZeroDivision, standard
from alignrank.evaluation.measures.retrieval.candidate_files import rows
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.hierarchy import Hierarchy
from alignrank.ontologies.ontology import local_name

from .balanced_distance import BalancedDistance, LearningAccuracy
from .precision_recall import relaxed, targets_by_source

#: Classes by item.
Classified = Mapping[str, Iterable[str]]


@dataclass(frozen=True)
class ConceptPair:
    """A response class and the key class of the same item that it is compared with.

    For a spurious response `key` is None, for a missing one `response`; then both values are 0.
    """

    item: str
    key: str | None
    response: str | None
    bdm: float
    learning_accuracy: float


@dataclass(frozen=True)
class ConceptScores(Tabular):
    """Responses judged by their distance from the key.

    Parameters
    ----------
    pairs
        By item: key, response and their values.
    augmented
        BDM-augmented precision, recall and F: Σ BDM over the pairs, by the number of responses and
        of keys.
    exact
        Ordinary precision, recall and F of the same items.
    """

    pairs: tuple[ConceptPair, ...]
    augmented: PrecisionRecall
    exact: PrecisionRecall

    def to_frame(self) -> Frame:
        """Return one row for each pair."""
        return frame([vars(p) for p in self.pairs])


def concept_scores(
    key: Classified,
    response: Classified,
    bdm: BalancedDistance,
    *,
    zero_division: ZeroDivision = "oaei",
) -> ConceptScores:
    r"""Judge classified items by BDM and learning accuracy.

    .. math:: AP = \frac{\sum BDM}{n + spurious}, \quad AR = \frac{\sum BDM}{n + missing}, \quad
              AF = \frac{2 AP \cdot AR}{AP + AR}

    over the n pairs of a key and a response class of the same item; exact pairs have BDM = 1. The
    pairs of an item with several classes are chosen so that the sum is largest.

    Parameters
    ----------
    key, response
        Right and found classes by item.
    bdm
        The metric; it holds the hierarchy, by which learning accuracy is computed, too.
    zero_division
        What 0/0 means.

    Raises
    ------
    OntologyError
        If the hierarchy lacks a class.

    References
    ----------
    Maynard, Peters & Li (2006), "Metrics for evaluation of ontology-based information extraction".

    Examples
    --------
    >>> taxonomy = Hierarchy.of_parents({"City": ["Location"], "Country": ["Location"]})
    >>> key, response = {"Sochi": ["City"]}, {"Sochi": ["Location"], "Rome": ["City"]}
    >>> got = concept_scores(key, response, BalancedDistance(taxonomy))
    >>> got.pairs[1].learning_accuracy, round(got.augmented.precision, 4), got.exact.recall
    (1.0, 0.2857, 0.0)
    """
    hierarchy = bdm.hierarchy
    accuracy = LearningAccuracy(hierarchy)
    keys = _alignment(key, hierarchy)
    responses = _alignment(response, hierarchy)
    augmented = relaxed(responses, keys, Hierarchy.of_parents({}), hierarchy, bdm)
    matches = augmented.matches
    classes: list[tuple[str, str | None, str | None]] = []
    for m in matches:
        classes.append((m.found.entity1, m.correct.entity2, m.found.entity2))
    classes.sort()
    missing = targets_by_source(keys - Alignment(m.correct for m in matches))
    spurious = targets_by_source(responses - Alignment(m.found for m in matches))
    for item in sorted(missing.keys() | spurious.keys()):
        unmatched = zip_longest(missing.get(item, ()), spurious.get(item, ()))
        classes += [(item, k, r) for k, r in unmatched]
    pairs = []
    for item, k, r in classes:
        values = (0.0, 0.0)
        if k and r:
            values = bdm(k, r), accuracy(k, r)
        pairs.append(ConceptPair(item, k, r, *values))
    return ConceptScores(
        tuple(sorted(pairs, key=lambda p: p.item)),
        augmented.credits.scores(zero_division),
        standard(responses, keys).scores(zero_division),
    )


def _alignment(classified: Classified, hierarchy: Hierarchy) -> Alignment:
    correspondences: list[Correspondence] = []
    for item, names in classified.items():
        correspondences += [Correspondence(item, hierarchy.node(name)) for name in names]
    return Alignment(correspondences)


def read_concepts(path: FilePath, hierarchy: Hierarchy) -> dict[str, tuple[str, ...]]:
    """Read classified items: tab-separated columns ``item`` and ``class``, with a header line.

    Parameters
    ----------
    path
        A class is named by its IRI, or by the last part of its IRI if no other class shares it. An
        item may have several lines; an empty class or ``null`` means that it has none.
    hierarchy
        Hierarchy of the classes.

    Raises
    ------
    EvaluationError
        If a line is malformed, or a class unknown or ambiguous; with the line.
    """
    by_name: dict[str, list[str]] = {}
    for iri in hierarchy.nodes:
        by_name.setdefault(local_name(iri), []).append(iri)
    classified: dict[str, list[str]] = {}
    for line, row in rows(path, ("item", "candidate"), ()):
        name = row["candidate"]
        classes = classified.setdefault(row["item"], [])
        if name in ("", "null"):
            continue
        iris = [name] if name in hierarchy else by_name.get(name, [])
        if len(iris) != 1:
            problem = f"is ambiguous: {', '.join(iris)}" if iris else "is not in the ontology"
            raise EvaluationError(f"{path}, line {line}: class {name!r} {problem}")
        classes.append(iris[0])
    return {item: tuple(dict.fromkeys(classes)) for item, classes in classified.items()}
