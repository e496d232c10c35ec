"""Similarity of two classes by their place in the hierarchy: BDM and learning accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Tabular
from alignrank.ontologies.hierarchy import Hierarchy

from .paths import Chains


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
    paths
        ``best``: the largest value over all pairs of paths; ``shortest``: as the poster describes,
        the deepest common ancestor and shortest lengths. The two agree on trees.
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
        paths: Literal["best", "shortest"] = "best",
        n1: Literal["all", "either"] | float = "all",
    ) -> None:
        refuse_unknown("paths", paths, ("best", "shortest"), EvaluationError)
        if n1 not in ("all", "either") and not (isinstance(n1, int | float) and n1 > 0):
            raise EvaluationError(f"n1 {n1!r} is unknown: use all, either or a number above 0")
        self.hierarchy = hierarchy
        self.chains = Chains(hierarchy, virtual_root=virtual_root)
        self._paths = paths
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
        depth = self.chains.longest
        if self._paths == "shortest":
            depth = self.chains.shortest
            common = sorted(common, key=lambda n: -depth[n])[:1]
            to_key = _only_shortest(to_key)
            to_response = _only_shortest(to_response)
        for msca in common:
            for (first_key, dpk), on_key in to_key[msca].items():
                for (first_response, dpr), on_response in to_response[msca].items():
                    if first_key == first_response and self._paths == "best":
                        continue  # these paths have a lower common ancestor
                    total = self.chains.branching[msca] + on_key + on_response
                    nodes = 1 + max(dpk - 1, 0) + max(dpr - 1, 0)
                    branching = total / nodes / self.chains.mean_branching
                    cp = depth[msca]
                    near = branching * cp / base.n1
                    # a mean length is 0 only where its number of edges is 0, too
                    far = dpk / (base.n2 or 1) + dpr / (base.n3 or 1)
                    bdm = near / (near + far)
                    yield replace(
                        base, bdm=bdm, msca=msca, cp=cp, dpk=dpk, dpr=dpr, branching=branching
                    )


Tails = dict[str, dict[tuple[str | None, int], int]]


def _only_shortest(tails: Tails) -> Tails:
    """Keep of each ancestor the shortest paths with the largest branching."""
    result = {}
    for node, paths in tails.items():
        shortest = min(edges for _, edges in paths)
        short = {path: total for path, total in paths.items() if path[1] == shortest}
        largest = max(short.values())
        result[node] = {path: total for path, total in short.items() if total == largest}
    return result


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
