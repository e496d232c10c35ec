"""How systems are compared: one record, made and checked once, that all functions take whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from alignrank.common.defaults import CLUSTER_TESTS, DEFAULTS, MCNEMAR_TESTS
from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry, plain_name, refuse_unknown
from alignrank.common.records import NOT_WRITTEN
from alignrank.evaluation.corrections.adjusting import Comparisons, check_alpha, serving
from alignrank.evaluation.significance.clustered import Clusters, cluster_index
from alignrank.evaluation.significance.crossed import FEWEST_FLIPPED, reference_clusters

from .contingency import VIEWS


class Protocol(NamedTuple):
    """An analysis to the letter of a paper; it takes each decision as independent.

    Parameters
    ----------
    views
        What it compares.
    alpha
        The paper's family-wise level.
    """

    views: tuple[str, ...]
    alpha: float


PROTOCOLS: Registry[Protocol] = Registry(
    "protocol", {"mohammadi-2018": Protocol(("ifp", "cfp"), alpha=0.05)}, EvaluationError
)


class ItemClusters(NamedTuple):
    """The clusters of the items of a view, which is about one side of the alignments.

    Parameters
    ----------
    own
        Cluster by item; None: items are independent of each other.
    partners
        By item, the cluster of its partner in the reference; None: it is unknown.
    """

    own: Clusters | None = None
    partners: Clusters | None = None

    @property
    def tests(self) -> list[str]:
        """The tests that can decide right and wrong answers, the default first."""
        if self.own is None:
            return sorted(MCNEMAR_TESTS, key=lambda test: test != "mid-p")
        return [*CLUSTER_TESTS, *MCNEMAR_TESTS]

    def flipped(self, items: Sequence[str]) -> Clusters | None:
        """Return the clusters to flip: the partners' where the own ones are too few for it.

        Examples
        --------
        >>> few = ItemClusters(dict.fromkeys("abcdefg", "flower"), dict(zip("abcdefg", "tuvwxyz")))
        >>> few.flipped("abcdefg")["a"]
        't'
        """
        if self.own is None or self.partners is None:
            return self.own
        n_own, n_partners = (len(set(cluster_index(items, side).tolist())) for side in self)
        return self.partners if n_own < min(FEWEST_FLIPPED, n_partners) else self.own


@dataclass(frozen=True, eq=False)
class EntityClusters:
    """Which entities of both ontologies may depend on each other.

    Parameters
    ----------
    source, target
        Cluster by entity, such as `parent_clusters`: entities of one cluster may depend on each
        other, and so may entities whose partners in the reference are in one. An entity in none
        stands for itself. None: nothing is known of this side.
    sizes
        Number of entities of both ontologies: with it the tables of pairs count what both systems
        have right. No test needs it.

    Examples
    --------
    >>> tree = EntityClusters(source={}, target={"rose": "flower", "tulip": "flower"})
    >>> tree.of_items([("a", "rose"), ("b", "tulip")])[0].partners
    {'a': 'flower', 'b': 'flower'}
    """

    source: Clusters | None = None
    target: Clusters | None = None
    sizes: tuple[int, int] | None = None

    @property
    def are_known(self) -> bool:
        """Whether anything is known of one of the sides."""
        return self.source is not None or self.target is not None

    def of_items(self, pairs: Collection[tuple[str, str]]) -> list[ItemClusters]:
        """Return the clusters of the source entities, and those of the target entities.

        Parameters
        ----------
        pairs
            The (source, target) entities of the reference.
        """
        of_sides = []
        sides = ((self.source, self.target), (self.target, self.source))
        for side, (own, partners) in enumerate(sides):
            clusters = ItemClusters(own)
            if partners is not None:
                clusters = ItemClusters(own or {}, reference_clusters(pairs, partners, side))
            of_sides.append(clusters)
        return of_sides


#: Nothing is known of which entities depend on each other.
NO_CLUSTERS = EntityClusters()


@dataclass(frozen=True)
class AnalysisSettings:
    """The settings that decide between systems.

    Parameters
    ----------
    test
        Name of the test. None: the default of what is compared.
    correction
        Name of a correction of `alignrank.evaluation.CORRECTIONS`. None: ``bergmann-hommel`` over
        all pairs, ``holm`` with `focus`.
    alpha
        Family-wise level, in (0, 1). A protocol replaces the default by the paper's.
    focus
        Compare each other system with this one only. None: compare all pairs.
    views
        Views of `alignrank.evaluation.VIEWS`; the first decides. None: the standard ones.
    protocol
        ``mohammadi-2018``: the paper to the letter. None: the default analysis.
    n_resamples
        Number of random resamples, where a test resamples.
    seed
        Seed of the resamples.
    clusters
        Which entities may depend on each other; `NO_CLUSTERS`: items are independent.

    Raises
    ------
    EvaluationError
        If `alpha` lies outside (0, 1), no view is named, or a view or the protocol is unknown.

    Examples
    --------
    >>> AnalysisSettings(focus="mine").resolved(["mine", "old"], ["mid-p"]).correction
    'holm'
    """

    test: str | None = None
    correction: str | None = None
    alpha: float = DEFAULTS.alpha
    focus: str | None = None
    views: tuple[str, ...] | None = None
    protocol: str | None = None
    n_resamples: int = DEFAULTS.n_resamples
    seed: int = DEFAULTS.seed
    clusters: EntityClusters = field(default=NO_CLUSTERS, compare=False, metadata=NOT_WRITTEN)

    def __post_init__(self) -> None:
        if self.focus is not None:
            object.__setattr__(self, "focus", plain_name(self.focus))
        check_alpha(self.alpha)
        if self.views is not None and not self.views:
            raise EvaluationError("views is empty: name one or more, or leave it out")
        for view in self.views or ():
            VIEWS.lookup(view)
        if self.protocol is not None:
            protocol = PROTOCOLS.lookup(self.protocol)
            if self.alpha == DEFAULTS.alpha:
                object.__setattr__(self, "alpha", protocol.alpha)
            if self.views is not None:
                raise EvaluationError(f"protocol {self.protocol!r} has views of its own")
            if self.clusters.are_known:
                raise EvaluationError(f"protocol {self.protocol!r} knows no clusters")

    @property
    def by_target(self) -> bool:
        """Whether the items of the view that decides are target entities."""
        return self.views is not None and self.views[0] == "entity-target"

    def resolved(
        self, systems: Sequence[str], tests: Sequence[str], *, has_answers: bool = False
    ) -> AnalysisSettings:
        """Return the settings with test and correction named, checked against the systems.

        Parameters
        ----------
        systems
            Names of the systems that are compared.
        tests
            Names of the tests that can decide, the default first.
        has_answers
            Whether it is known who is right on which item, as ``westfall-young`` needs it.

        Raises
        ------
        EvaluationError
            If there are fewer than two systems, two share a name, a name is unknown, or the test
            does not go with the correction.
        """
        if len(systems) < 2:
            raise EvaluationError(
                "a comparison needs two systems or more: there is only "
                f"{', '.join(systems) or 'none'} "
                "(alignrank score evaluates one; place compares it with those of past campaigns)"
            )
        double = sorted(name for name, times in Counter(systems).items() if times > 1)
        if double:
            raise EvaluationError(f"systems share a name: {', '.join(double)}")
        if self.focus is not None:
            refuse_unknown("system", self.focus, systems, EvaluationError)
        correction = self.correction or self.default_correction
        comparisons: Comparisons = "N×N"
        test = tests[0] if self.test is None else self.test
        if self.focus is not None:
            comparisons = "N×1"
        elif has_answers and correction == "westfall-young":
            comparisons = "N×N of answers"
            if self.test is None and test == "mid-p":  # its tables of sums give exact p-values
                test = "exact"
        if test in CLUSTER_TESTS and "mid-p" in tests and test not in tests:
            raise EvaluationError(
                f"test {test!r} needs to know which items depend on each other: give the source "
                "ontology, or clusters"
            )
        refuse_unknown("test", test, tests, EvaluationError)
        serving(correction, comparisons)
        flips = "sign-flip" if "sign-flip" in tests else "exact"
        if comparisons == "N×N of answers" and test != flips:
            raise EvaluationError(
                f"correction {correction!r} flips answers, as the test {flips!r} does: {test!r} "
                f"cannot decide with it; use {flips!r}, or another correction"
            )
        return replace(self, test=test, correction=correction)

    @property
    def default_correction(self) -> str:
        """The correction over all pairs, or over the pairs with one system."""
        return "bergmann-hommel" if self.focus is None else "holm"


def place_of(system: str | None, systems: Sequence[str]) -> int | None:
    """Return the position of the system in focus; None without one."""
    return None if system is None else list(systems).index(system)
