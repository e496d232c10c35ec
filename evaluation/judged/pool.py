"""Evaluation without a reference: the pool of proposed pairs, and its questions.

The pool is every correspondence that a system proposes. A pair with an entity that is no concept is
left out before: no judge is asked about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import compress

import numpy as np
import scipy

from alignrank.common.defaults import ENOUGH_QUESTIONS as ENOUGH_QUESTIONS
from alignrank.common.errors import EvaluationError
from alignrank.common.names import count
from alignrank.common.results import Caution
from alignrank.evaluation.credit.counts import distinct_rows
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.ontology import Ontology

#: A source entity and a target entity that may correspond.
Pair = tuple[str, str]
#: Questions are divided into this many folds: a guess never rests on the question's own answer.
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Pool:
    """Which system proposes which pair; a question is a source entity with all its targets.

    Parameters
    ----------
    systems
        k names.
    pairs
        The N pairs, sorted.
    proposed
        (N, k): whether the system proposes the pair.

    Examples
    --------
    >>> pool = Pool(("a", "b"), (("x", "1"), ("x", "2"), ("y", "1")), np.ones((3, 2), bool))
    >>> pool.sources, pool.question.tolist(), pool.conflict.tolist()
    (('x', 'y'), [0, 0, 1], [True, True, True])
    """

    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    proposed: Bools

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The source entity of each question, sorted."""
        return tuple(sorted({source for source, _ in self.pairs}))

    @cached_property
    def question(self) -> Ints:
        """(N,): the index of each pair's question."""
        index = {source: k for k, source in enumerate(self.sources)}
        return np.array([index[source] for source, _ in self.pairs], dtype=np.int64)

    @cached_property
    def fold(self) -> Ints:
        """(N,): the fold of each pair: that of its question."""
        folds = (FOLDS * uniform(self.sources, "fold")).astype(np.int64)
        return folds[self.question]

    @cached_property
    def votes(self) -> Ints:
        """(N,): how many systems propose each pair."""
        votes: Ints = self.proposed.sum(axis=1, dtype=np.int64)
        return votes

    @cached_property
    def sizes(self) -> Ints:
        """(k,): how many pairs each system proposes."""
        sizes: Ints = self.proposed.sum(axis=0, dtype=np.int64)
        return sizes

    @cached_property
    def conflict(self) -> Bools:
        """(N,): whether another pair of the pool has the same source or the same target."""
        of_source = Counter(source for source, _ in self.pairs)
        of_target = Counter(target for _, target in self.pairs)
        return np.array([of_source[s] > 1 or of_target[t] > 1 for s, t in self.pairs])

    @cached_property
    def membership(self) -> Floats:
        """(N, k + 1): whether each system proposes the pair; a column of ones."""
        return np.hstack([self.proposed, np.ones((len(self.pairs), 1))])

    @cached_property
    def prior(self) -> Floats:
        """(N,): how probable each pair seems to be right, before any is judged."""
        return prior(self.votes, self.conflict, len(self.systems))

    def sum_by_question(self, values: Floats) -> Floats:
        """Return the sums of rows of `values` (N, …) over the pairs of each question."""
        return np.asarray(self._of_question @ values)

    @cached_property
    def _of_question(self) -> scipy.sparse.csr_array:
        """(questions, N): 1 where the pair belongs to the question."""
        ends = np.append(0, np.cumsum(np.bincount(self.question)))
        pairs = np.arange(len(self.pairs))
        return scipy.sparse.csr_array((np.ones(len(pairs)), pairs, ends))


def uniform(names: Sequence[str], seed: str) -> Floats:
    """Return a number in [0, 1) for each name: always the same for one name and seed.

    Examples
    --------
    >>> uniform(["http://a#1", "http://a#2"], "0").round(4).tolist()
    [0.3897, 0.5501]
    """
    digests = (sha256(f"{seed} {name}".encode()).digest() for name in names)
    numbers = [int.from_bytes(digest[:8], "big") for digest in digests]
    # 53 bits: a float holds them exactly, and never becomes 1
    return np.array([number >> 11 for number in numbers], dtype=float) / 2**53


def prior(votes: Ints, conflict: Bools, systems: int) -> Floats:
    """Return how probable pairs seem to be right by their votes, in [0.03, 0.95].

    v / (v + 1.5) of more than three systems, (v − 0.4) / k of k ≤ 3, and 0.7 times that where
    another pair shares source or target. Only the width of intervals depends on these numbers.

    Examples
    --------
    >>> prior(np.array([1, 3]), np.array([False, True]), 4).round(3).tolist()
    [0.4, 0.467]
    """
    by_votes = votes / (votes + 1.5) if systems > 3 else (votes - 0.4) / systems
    probability = np.where(conflict, 0.7, 1.0) * by_votes
    return np.clip(probability, 0.03, 0.95)


def pool_of(alignments: Mapping[str, Alignment], pairs: Iterable[Pair] = ()) -> Pool:
    """Return the pool of several systems; only equivalences (``=``) enter it.

    Parameters
    ----------
    alignments
        What each system proposes, by name.
    pairs
        Further pairs, such as those of a pool that was drawn before.

    Raises
    ------
    EvaluationError
        If there is no pair.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> pool = pool_of({"s": Alignment([Correspondence("x", "1"), Correspondence("x", "2", "<")])})
    >>> pool.pairs
    (('x', '1'),)
    """
    further = list(pairs)
    tables = [_equivalences(alignment) for alignment in alignments.values()]
    tables.append(([source for source, _ in further], [target for _, target in further]))
    ((sources, source), (targets, target)), held = distinct_rows(tables)
    if not sources:
        raise EvaluationError("the systems propose no equivalence: there is nothing to judge")
    every_pair = zip(source.tolist(), target.tolist(), strict=True)
    proposed = np.ascontiguousarray(held[: len(alignments)].T)
    return Pool(tuple(alignments), tuple((sources[i], targets[j]) for i, j in every_pair), proposed)


def _equivalences(alignment: Alignment) -> tuple[list[str], list[str]]:
    """Return the source and the target entities that an alignment states to be equivalent."""
    columns = alignment.columns
    flags = [relation == "=" for relation in columns.relation]
    return list(compress(columns.entity1, flags)), list(compress(columns.entity2, flags))


#: What an entity is that is no concept, by the reason for which the loader leaves it out.
_NOUNS = {
    "vocabulary": "terms of a vocabulary such as oboInOwl",
    "helper": "nodes that only hold synonyms, definitions or references",
    "grouping": "schemes or collections of SKOS",
}


def no_concepts(
    alignments: Mapping[str, Alignment],
    source: Ontology,
    target: Ontology,
    asked: Collection[str] = (),
) -> dict[str, str]:
    """Return the entities that systems match but a judge cannot: the reason by IRI.

    Parameters
    ----------
    alignments
        What each system proposes.
    source, target
        The ontologies.
    asked
        Entities of earlier questions: their answers stay.
    """
    reasons = {}
    for alignment in alignments.values():
        columns = alignment.columns
        for iris, ontology in ((columns.entity1, source), (columns.entity2, target)):
            for iri in set(iris).difference(ontology.entities, asked):
                if reason := ontology.why_no_concept(iri):
                    reasons[iri] = reason
    return reasons


def of_concepts(
    alignments: Mapping[str, Alignment], reasons: Mapping[str, str]
) -> tuple[Mapping[str, Alignment], list[Caution]]:
    """Leave out the pairs whose entities are no concepts, and say how many.

    Parameters
    ----------
    alignments
        What each system proposes.
    reasons
        By entity, as `no_concepts` returns them.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> found = Alignment([Correspondence("a#x", "b#x"), Correspondence("a#y", "b#node")])
    >>> alignments, cautions = of_concepts({"mine": found}, {"b#node": "helper"})
    >>> sorted(alignments["mine"].pairs)
    [('a#x', 'b#x')]
    >>> print(cautions[0])
    left out, with nodes that only hold synonyms, definitions or references: 1 pair of mine
    """
    if not reasons:
        return alignments, []
    kept = {}
    numbers: dict[str, list[str]] = {}
    for name, alignment in alignments.items():
        columns = alignment.columns
        ends = zip(columns.entity1, columns.entity2, strict=True)
        of_rows = [reasons.get(source) or reasons.get(target, "") for source, target in ends]
        kept[name] = alignment.with_columns(columns.where(not reason for reason in of_rows))
        for reason, number in Counter(filter(None, of_rows)).items():
            numbers.setdefault(reason, []).append(f"{count(number, 'pair')} of {name}")
    cautions = [
        Caution("no-concepts", f"left out, with {_NOUNS[reason]}: {', '.join(of_reason)}")
        for reason, of_reason in sorted(numbers.items())
    ]
    return kept, cautions
