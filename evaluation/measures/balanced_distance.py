"""Distance of two classes in the hierarchy, BDM and learning accuracy; items by their classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from itertools import zip_longest
from typing import Literal, NamedTuple

from alignrank.common.errors import EvaluationError
from alignrank.common.files import FilePath
from alignrank.common.names import grouped, refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.credits import PrecisionRecall, standard
from alignrank.evaluation.measures.retrieval.candidate_files import rows
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.hierarchy import Hierarchy, distances
from alignrank.ontologies.ontology import local_name

from .precision_recall import relaxed

#: The virtual root above all top classes; no IRI is empty.
ROOT = ""


class Paths(NamedTuple):
    """The number of paths, and the sum of their lengths in edges: exact integers."""

    number: int
    length: int

    def extended(self) -> Paths:
        """Return the same paths, each with one more edge."""
        return Paths(self.number, self.length + self.number)

    def and_also(self, paths: Paths) -> Paths:
        """Return the paths of both."""
        return Paths(self.number + paths.number, self.length + paths.length)

    def continued(self, paths: Paths) -> Paths:
        """Return every path of this one followed by every one of `paths`."""
        length = self.length * paths.number + paths.length * self.number
        return Paths(self.number * paths.number, length)

    @property
    def mean(self) -> float:
        """Mean length in edges, 0 if there is no path."""
        return self.length / self.number if self.number else 0.0


_POINT = Paths(1, 0)
_NONE = Paths(0, 0)


#: By ancestor of a class, and by (its child on the way, number of edges): the largest sum of
#: branching of a path up to it.
Tails = dict[str, dict[tuple[str | None, int], int]]


class Chains:
    """Chains of a hierarchy: the paths from a leaf up to a root, with lengths in edges.

    Parameters
    ----------
    hierarchy
        Nodes and their direct links.
    virtual_root
        Put one root above all top nodes; chains then end there.

    Examples
    --------
    >>> chains = Chains(Hierarchy.of_parents({"Man": ["Person"], "Woman": ["Person"]}))
    >>> chains.total, chains.through("Man"), chains.mean_branching
    (Paths(number=2, length=4), Paths(number=1, length=2), 1.5)
    """

    def __init__(self, hierarchy: Hierarchy, *, virtual_root: bool = True) -> None:
        self.parents: dict[str, tuple[str, ...]] = {}
        self.children = dict(hierarchy.children)
        top: tuple[str, ...] = ()
        if virtual_root:
            self.parents[ROOT] = ()
            self.children[ROOT] = hierarchy.roots
            top = (ROOT,)
        for node, above in hierarchy.parents.items():
            self.parents[node] = above or top
        self.branching = {node: len(below) for node, below in self.children.items()}
        self._place = {n: i for i, n in enumerate(self.parents)}

    def ancestors(self, node: str) -> list[str]:
        """Return the node and all above it, the lowest first."""
        above = distances(node, self.parents, None)
        return sorted(above, key=self._place.__getitem__, reverse=True)

    @cached_property
    def _up(self) -> dict[str, Paths]:
        """Paths from each node to a root."""
        return _paths(self.parents, self.parents)

    @cached_property
    def _down(self) -> dict[str, Paths]:
        """Paths from each node to a leaf."""
        return _paths(reversed(self.parents), self.children)

    @cached_property
    def total(self) -> Paths:
        """All chains."""
        roots = (node for node, above in self.parents.items() if not above)
        return reduce(Paths.and_also, (self._down[root] for root in roots), _NONE)

    def through(self, node: str) -> Paths:
        """Return the chains through a node."""
        return self._up[node].continued(self._down[node])

    def through_either(self, first: str, second: str) -> Paths:
        """Return the chains through at least one of two different nodes."""
        number, length = self.through(first).and_also(self.through(second))
        for low, high in ((first, second), (second, first)):
            between = self._between(low).get(high, _NONE)
            both = self._up[high].continued(between).continued(self._down[low])
            number -= both.number
            length -= both.length
        return Paths(number, length)

    def _between(self, low: str) -> dict[str, Paths]:
        """Return the paths from a node up to each of its ancestors."""
        above = dict.fromkeys(self.ancestors(low))
        below = {n: [c for c in self.children[n] if c in above] for n in above}
        return _paths(above, below)

    @cached_property
    def longest(self) -> dict[str, int]:
        """Longest length from a root to each node."""
        lengths: dict[str, int] = {}
        for node, above in self.parents.items():
            lengths[node] = max((lengths[parent] + 1 for parent in above), default=0)
        return lengths

    @cached_property
    def mean_branching(self) -> float:
        """Mean number of children of the nodes that have any."""
        inner = [b for b in self.branching.values() if b]
        return sum(inner) / len(inner) if inner else 0.0

    def tails(self, node: str) -> Tails:
        """Return the kinds of paths from each ancestor down to a node.

        Returns
        -------
        dict
            By ancestor, then by (first node on the path down, number of edges): the largest sum of
            branching over the nodes strictly between the two. The node itself has the empty path,
            ``{(None, 0): 0}``.
        """
        result: Tails = {node: {(None, 0): 0}}
        for below in self.ancestors(node):
            own = 0 if below == node else self.branching[below]
            best: dict[int, int] = {}
            for (_, edges), total in result[below].items():
                best[edges] = max(best.get(edges, 0), total)
            for parent in self.parents[below]:
                paths = result.setdefault(parent, {})
                for edges, total in best.items():
                    paths[below, edges + 1] = total + own
        return result


def _paths(order: Iterable[str], links: Mapping[str, Iterable[str]]) -> dict[str, Paths]:
    """Return the paths from each node along links to where none goes on.

    Each node comes after those that its links lead to.
    """
    paths: dict[str, Paths] = {}
    for node in order:
        further = [paths[n].extended() for n in links[node]]
        paths[node] = reduce(Paths.and_also, further) if further else _POINT
    return paths


@dataclass(frozen=True)
class ClassDistance(Tabular):
    """The position of two classes in the hierarchy, and their BDM.

    Parameters
    ----------
    key, response
        Nodes of the two classes.
    bdm
        The balanced distance metric, in [0, 1].
    msca
        Most specific common abstraction of the best pair of paths; '' for the virtual root, None if
        the two have no common ancestor.
    cp, dpk, dpr
        Edges from the root to the MSCA, from there to the key and to the response.
    n1, n2, n3
        Mean length of chains, of chains through the key, and through the response.
    branching
        Mean number of direct subclasses on the paths, divided by that of all inner nodes (BR).
    """

    key: str
    response: str
    bdm: float
    msca: str | None
    cp: int
    dpk: int
    dpr: int
    n1: float
    n2: float
    n3: float
    branching: float


class BalancedDistance:
    r"""The balanced distance metric of Maynard, Peters & Li, called as (key, response).

    .. math:: BDM = \frac{BR \cdot CP/n_1}{BR \cdot CP/n_1 + DPK/n_2 + DPR/n_3}

    A chain is a path from a leaf up to the root, its length counted in edges. CP, DPK, DPR are the
    lengths from the root to the most specific common abstraction (MSCA) of the two classes and from
    there to each; n1, n2, n3 the mean lengths of all chains, and of those through the key and the
    response; BR the mean number of direct subclasses of the MSCA and the nodes strictly between it
    and the two classes, divided by the mean over all inner nodes. Equal classes have 1, classes
    whose only common ancestor is the root have 0. It is symmetric, and not a metric.

    With several parents the best pair of paths counts, as in GATE's code. Dynamic programming over
    (first step, length) finds it without listing the paths.

    Parameters
    ----------
    hierarchy
        Classes and their direct links.
    virtual_root
        Put a root above all top classes. Without one a top class has CP = 0, and its BDM with any
        other class is 0.
    n1
        ``all`` chains (this reproduces the poster), ``either``: chains through the key or the
        response, or a number.

    Raises
    ------
    EvaluationError
        If an option is unknown.

    References
    ----------
    Maynard, Peters & Li (2006), "Metrics for evaluation of ontology-based information extraction".

    Examples
    --------
    >>> taxonomy = Hierarchy.of_parents({"Man": ["Person"], "Woman": ["Person"]})
    >>> bdm = BalancedDistance(taxonomy)
    >>> bdm("Man", "Man"), round(bdm("Man", "Person"), 4), round(bdm("Man", "Woman"), 4)
    (1.0, 0.5714, 0.4)
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        *,
        virtual_root: bool = True,
        n1: Literal["all", "either"] | float = "all",
    ) -> None:
        if n1 not in ("all", "either") and not (isinstance(n1, int | float) and n1 > 0):
            raise EvaluationError(f"n1 {n1!r} is unknown: use all, either or a number above 0")
        self.hierarchy = hierarchy
        self.chains = Chains(hierarchy, virtual_root=virtual_root)
        self._n1 = n1
        self._tails = lru_cache(maxsize=4096)(self.chains.tails)

    def __call__(self, key: str, response: str) -> float:
        """Return the BDM of two classes, in [0, 1].

        Raises
        ------
        OntologyError
            If the hierarchy lacks one of them.
        """
        return self.distance(key, response).bdm

    def distance(self, key: str, response: str) -> ClassDistance:
        """Return the BDM of two classes with all its parts."""
        key = self.hierarchy.node(key)
        response = self.hierarchy.node(response)
        n1 = self._mean(key, response)
        n2 = self.chains.through(key).mean
        n3 = self.chains.through(response).mean
        if key == response:
            depth = self.chains.longest[key]
            return ClassDistance(key, key, 1.0, key, depth, 0, 0, n1, n2, n3, 1.0)
        best = ClassDistance(key, response, 0.0, None, 0, 0, 0, n1, n2, n3, 0.0)
        for candidate in self._candidates(best):
            if best.msca is None or candidate.bdm > best.bdm:
                best = candidate
        return best

    def _mean(self, key: str, response: str) -> float:
        if self._n1 == "all":
            return self.chains.total.mean
        if self._n1 == "either":
            if key == response:
                return self.chains.through(key).mean
            return self.chains.through_either(key, response).mean
        return float(self._n1)

    def _candidates(self, base: ClassDistance) -> Iterator[ClassDistance]:
        """Yield the distances over every MSCA and pair of path lengths, the lowest MSCA first."""
        to_key = self._tails(base.key)
        to_response = self._tails(base.response)
        common = [n for n in self.chains.ancestors(base.key) if n in to_response]
        for msca in common:
            for (first_key, dpk), on_key in to_key[msca].items():
                for (first_response, dpr), on_response in to_response[msca].items():
                    if first_key == first_response:
                        continue  # these paths have a lower common ancestor
                    total = self.chains.branching[msca] + on_key + on_response
                    nodes = 1 + max(dpk - 1, 0) + max(dpr - 1, 0)
                    branching = total / nodes / self.chains.mean_branching
                    cp = self.chains.longest[msca]
                    near = branching * cp / base.n1
                    # a mean length is 0 only where its number of edges is 0, too
                    far = dpk / (base.n2 or 1) + dpr / (base.n3 or 1)
                    bdm = near / (near + far)
                    yield replace(
                        base, bdm=bdm, msca=msca, cp=cp, dpk=dpk, dpr=dpr, branching=branching
                    )


class LearningAccuracy:
    r"""Learning accuracy of a response class, called as (key, response), in [0, 1].

    With CP the nodes from the root to the most specific common abstraction (a top class has 1),
    SP and FP those from the root to the key and the response, and DP the edges from the MSCA to the
    response,

    .. math:: LA = \frac{CP}{FP + DP} = \frac{CP}{CP + 2 DP}

    It is 1 if the response is the key or subsumes it, 0 if the two have no common class. It is not
    symmetric, and does not depend on the distance of the key from the MSCA. With several parents
    the largest value over all paths counts, which is that of the longest CP and the shortest DP.

    Parameters
    ----------
    hierarchy
        Classes and their direct links.
    variant
        ``maynard``: as above, and in the poster; ``hahn``: a correct but too general response has
        CP / SP instead (Hahn & Schnattinger 1998).

    Raises
    ------
    EvaluationError
        If the variant is unknown.

    References
    ----------
    Hahn & Schnattinger (1998), "Towards text knowledge engineering"; Maynard, Peters & Li (2006).

    Examples
    --------
    >>> taxonomy = Hierarchy.of_parents({"Man": ["Person"], "Woman": ["Person"]})
    >>> accuracy = LearningAccuracy(taxonomy)
    >>> accuracy("Man", "Person"), round(accuracy("Person", "Man"), 4)
    (1.0, 0.3333)
    >>> LearningAccuracy(taxonomy, variant="hahn")("Man", "Person")
    0.5
    """

    def __init__(
        self, hierarchy: Hierarchy, *, variant: Literal["maynard", "hahn"] = "maynard"
    ) -> None:
        refuse_unknown("variant", variant, ("maynard", "hahn"), EvaluationError)
        self.hierarchy = hierarchy
        self._variant = variant
        self._depth = Chains(hierarchy).longest

    def __call__(self, key: str, response: str) -> float:
        """Return the learning accuracy of a response.

        Raises
        ------
        OntologyError
            If the hierarchy lacks one of the classes.
        """
        key = self.hierarchy.node(key)
        response = self.hierarchy.node(response)
        above_key = self.hierarchy.distances_up(key)
        if self._variant == "hahn" and response in above_key:
            return self._depth[response] / (self._depth[response] + above_key[response])
        accuracies = [0.0]
        for node, distance in self.hierarchy.distances_up(response).items():
            if node in above_key:
                accuracies.append(self._depth[node] / (self._depth[node] + 2 * distance))
        return max(accuracies)


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
    """Scores of responses by their distance from the key.

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


def concept_scores(key: Classified, response: Classified, bdm: BalancedDistance) -> ConceptScores:
    r"""Score classified items by BDM and learning accuracy.

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
    classes: list[tuple[str, str | None, str | None]] = sorted(
        (m.found.entity1, m.correct.entity2, m.found.entity2) for m in matches
    )
    missing = grouped(c.pair for c in keys - Alignment(m.correct for m in matches))
    spurious = grouped(c.pair for c in responses - Alignment(m.found for m in matches))
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
        augmented.credits.scores(),
        standard(responses, keys).scores(),
    )


def _alignment(classified: Classified, hierarchy: Hierarchy) -> Alignment:
    pairs = ((item, name) for item, names in classified.items() for name in names)
    return Alignment(Correspondence(item, hierarchy.node(name)) for item, name in pairs)


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
    by_name = grouped((local_name(iri), iri) for iri in hierarchy.nodes)
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
