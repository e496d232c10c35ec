"""Evidence: what speaks for and against each likely pair of entities, by names and neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist
from scipy.sparse import csr_array

from alignrank.common.executor import executor, in_order, slabs
from alignrank.ontologies.ontology import DOMAIN, RANGE

from .candidates import Groups, KindCandidates, Side
from .name_vectors import Vectors, nearest, vectors_of
from .names import Indices, Names, names_of
from .similarity.tiles import equal_pairs, first_of_equals

Values = NDArray[np.float64]
#: Value of each fact for each pair.
Facts = dict[str, Values]
#: Relations by the fact that they make.
Relations = Mapping[str, Sequence[csr_array]]

#: Name pairs up to which the search is wide.
SMALL = 2_000_000
#: Name pairs up to which all names are searched for by their letters. Of the names with an equal
#: partner fewer are searched for with more name pairs, and none with twice as many.
LARGE = 400_000_000
#: Most candidates that a name finds among equal ones: the first, in the order of the IRIs.
MOST_EQUAL = 20
#: Rivals that are further behind count as if they were so far behind.
FURTHEST = 6.0
#: The facts of names; those that speak against a pair are 0 or negative.
FACTS = (
    *("equal_labels", "equal", "mean", "numbers_differ"),
    *("letters_behind_source", "letters_behind_target"),
)
#: Pairs of names that are looked at together.
BLOCK = 50_000
#: Names of one side: vectors of words, vectors of letters, texts.
_Compared = tuple[csr_array, csr_array, NDArray[np.object_]]


@dataclass(frozen=True, eq=False)
class Likely:
    """The likely pairs of entities of one kind, and their evidence.

    Parameters
    ----------
    rows, columns
        Positions of the source and of the target entity; sorted.
    equal
        Whether the two share a name, or all stems of one.
    facts
        Value of each fact (`FACTS`) for each pair.
    """

    rows: Indices
    columns: Indices
    equal: NDArray[np.bool_]
    facts: Facts

    def __len__(self) -> int:
        return len(self.rows)


def likely_pairs(group: KindCandidates) -> Likely:
    """Return the likely pairs of one kind, with the evidence of their most similar names."""
    source = names_of(group.source)
    target = names_of(group.target)
    if not len(source) or not len(target):
        nothing = np.empty(0, dtype=np.int64)
        facts = dict.fromkeys(FACTS, np.empty(0))
        return Likely(nothing, nothing, nothing.astype(bool), facts)
    vectors = vectors_of(source, target, group.wordnet)
    soft = [csr_array(stems @ vectors.closeness) for stems in vectors.stems]
    pairs = _name_pairs(source, target, vectors, soft)
    owners = source.owners[pairs[:, 0]], target.owners[pairs[:, 1]]
    pairs = pairs[group.are_open(*owners) | group.are_accepted(*owners)]
    values = _compared(source, target, vectors, soft[0], pairs)
    rows = source.owners[pairs[:, 0]]
    columns = target.owners[pairs[:, 1]]
    # of the pairs of names of two entities, the most similar one is taken
    best = values.pop("best")
    order = np.lexsort((-values["equal_labels"], -values["mean"], -best, columns, rows))
    taken = order[first_of_equals(rows[order], columns[order])]
    rows = rows[taken]
    columns = columns[taken]
    facts = {name: value[taken] for name, value in values.items()}
    letters = facts.pop("letters")
    for side, entities in (("source", rows), ("target", columns)):
        lead = letters - largest(letters, entities)
        facts[f"letters_behind_{side}"] = np.maximum(6.0 * lead, -FURTHEST)
    equal = (facts["equal"] > 0.0) | (facts.pop("equal_stems") > 0.0)
    return Likely(rows, columns, equal, facts)


def largest(values: Values, entities: Indices) -> Values:
    """Return for each pair the largest value of a pair of the same entity."""
    by_entity = np.full(entities.max(initial=0) + 1, -np.inf)
    np.maximum.at(by_entity, entities, values)
    return by_entity[entities]


def _name_pairs(
    source: Names, target: Names, vectors: Vectors, soft: Sequence[csr_array]
) -> Indices:
    """Return the pairs of names with equal keys, similar stems or similar letters, sorted."""
    size = len(source) * len(target)
    most, of_stems, of_letters = (15, 0.2, 0.2) if size <= SMALL else (8, 0.4, 0.45)
    equal = np.concatenate(
        [
            equal_pairs(source.keys, target.keys, MOST_EQUAL),
            equal_pairs(source.bags, target.bags, MOST_EQUAL),
        ]
    )
    found = [equal]
    open_names = [np.ones(len(names), dtype=bool) for names in (source, target)]
    share_left_out = min(max(size / LARGE - 1.0, 0.0), 1.0)
    for is_open, names in zip(open_names, equal.T, strict=True):
        is_open[_spread(np.unique(names), share_left_out)] = False
    for side, is_open in enumerate(open_names):
        searched = np.flatnonzero(is_open)
        letters = vectors.letters[side][searched]
        by_letters = nearest(letters, vectors.letters[1 - side], most, of_letters)
        by_letters[:, 0] = searched[by_letters[:, 0]]
        by_stems = nearest(soft[side], vectors.stems[1 - side], most, of_stems)
        pairs = np.concatenate([by_letters, by_stems])
        found.append(pairs if side == 0 else pairs[:, ::-1])
    codes = np.sort(np.concatenate(found) @ np.array([len(target), 1]))
    codes = codes[np.diff(codes, prepend=-1) > 0]  # np.unique would hash, which takes longer
    return np.column_stack(np.divmod(codes, len(target)))


def _spread(names: Indices, share: float) -> Indices:
    """Return a share of names, evenly spread.

    Examples
    --------
    >>> _spread(np.array([3, 5, 6, 8]), 0.5).tolist(), _spread(np.array([3, 5]), 1.0).tolist()
    ([3, 8], [3, 5])
    """
    places = np.linspace(0, len(names) - 1, round(share * len(names)))
    return names[places.astype(np.int64)]


def _compared(
    source: Names, target: Names, vectors: Vectors, soft: csr_array, pairs: Indices
) -> Facts:
    """Return the facts of pairs of names."""
    rows, columns = pairs.T
    texts = [
        np.array([" ".join(words) for words in names.words], dtype=object)
        for names in (source, target)
    ]
    right = executor().put(tuple, [vectors.stems[1], vectors.letters[1], texts[1]])

    def tasks() -> Iterator[tuple[_Compared, _Compared, Indices]]:
        for cut in slabs(len(pairs), BLOCK):
            of_slab = pairs[cut]
            first, last = of_slab[0, 0], of_slab[-1, 0] + 1  # pairs are sorted
            left = soft[first:last], vectors.letters[0][first:last], texts[0][first:last]
            yield left, right, of_slab - [first, 0]

    parts = [[np.empty(0)] * 3, *in_order(_similarities, tasks())]
    words, letters, edit = map(np.concatenate, zip(*parts, strict=True))
    equal = _same(source.keys, target.keys, pairs)
    spelt = np.maximum(letters, edit)
    numbers = source.numbers, target.numbers
    have_numbers = [np.array([bool(n) for n in of], dtype=bool) for of in numbers]
    both = have_numbers[0][rows] & have_numbers[1][columns]
    numbers_differ = both * (_same(*numbers, pairs) - 1.0)
    both_labels = source.is_label[rows] & target.is_label[columns]
    return {
        "equal_labels": equal * both_labels,
        "equal": equal,
        "mean": (words + letters + edit) / 3.0,
        "numbers_differ": numbers_differ,
        "best": np.maximum(words, spelt),
        "letters": spelt,
        "equal_stems": _same(source.bags, target.bags, pairs),
    }


def _similarities(left: _Compared, right: _Compared, pairs: Indices) -> list[Values]:
    """Return the similarities of pairs of names by words, by letters and by edits."""
    rows, columns = pairs.T
    words = np.minimum(dots(left[0], right[0], pairs), 1.0)
    letters = np.minimum(dots(left[1], right[1], pairs), 1.0)
    texts = left[2][rows], right[2][columns]
    scorer = Levenshtein.normalized_similarity
    return [words, letters, cpdist(*texts, scorer=scorer, dtype=np.float64, workers=1)]


def dots(rows: csr_array, columns: csr_array, pairs: Indices) -> Values:
    """Return the dot products of pairs of rows of two matrices."""
    parts = [
        rows[block[:, 0]].multiply(columns[block[:, 1]]).sum(axis=1)
        for block in np.array_split(pairs, len(pairs) // BLOCK + 1)
    ]
    return np.concatenate(parts)


def _same(sources: list[str], targets: list[str], pairs: Indices) -> Values:
    """Return 1 for pairs of names with the same text, else 0."""
    numbers: dict[str, int] = {}
    codes = [
        np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)
        for texts in (sources, targets)
    ]
    same = codes[0][pairs[:, 0]] == codes[1][pairs[:, 1]]
    return np.asarray(same, dtype=np.float64)


def neighbour_facts(
    groups: Groups, likely: Sequence[Likely], probabilities: Sequence[Values]
) -> list[Facts]:
    r"""Return how many neighbours of each likely pair probably belong together.

    With P the probability of a pair (0 where it is no candidate), and N_r(i) the neighbours of an
    entity in relation r, a fact is

        ln(1 + sum_r sum_{k in N_r(i), l in N_r(j)} P(k, l)),

    over the relations r of one sort: parents and wholes; children and parts; domains, ranges and
    types; and the entities that have the entity as their domain, range or type.

    Parameters
    ----------
    groups
        The candidates of each kind; neighbours may be of another kind.
    likely
        The likely pairs of each kind.
    probabilities
        Of each likely pair. Pairs that are not to count have 0.
    """
    corners = np.cumsum([[0, 0], *([len(g.source), len(g.target)] for g in groups)], axis=0)
    rows = [pairs.rows + corner[0] for pairs, corner in zip(likely, corners, strict=False)]
    columns = [pairs.columns + corner[1] for pairs, corner in zip(likely, corners, strict=False)]
    cells = np.concatenate(probabilities), (np.concatenate(rows), np.concatenate(columns))
    matched = csr_array(cells, shape=tuple(corners[-1]))
    matched.eliminate_zeros()
    relations1 = _relations([group.source for group in groups])
    relations2 = _relations([group.target for group in groups])
    facts_of_kinds: list[Facts] = [{} for _ in groups]
    for name, relations in relations1.items():
        reached = [csr_array(relation @ matched) for relation in relations]
        for facts, *places in zip(facts_of_kinds, rows, columns, strict=True):
            pairs = np.column_stack(places)
            sums = [dots(a, b, pairs) for a, b in zip(reached, relations2[name], strict=True)]
            facts[name] = np.log1p(np.sum(sums, axis=0))
    return facts_of_kinds


def _relations(sides: Sequence[Side]) -> Relations:
    """Return for each relation which entities are neighbours, as matrices of zeros and ones."""
    ontology = sides[0].ontology
    iris = [iri for side in sides for iri in side.iris]
    index = {iri: k for k, iri in enumerate(iris)}

    def links(pairs: Iterable[tuple[str, str]]) -> csr_array:
        cells = {(index[a], index[b]) for a, b in pairs if a in index and b in index and a != b}
        rows, columns = np.array(sorted(cells), dtype=np.int64).reshape(-1, 2).T
        return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(iris), len(iris)))

    parents = [(child, parent) for child, above in ontology.parents.items() for parent in above]
    wholes = [(a, b) for a, relation, b in ontology.links if relation not in (DOMAIN, RANGE)]
    above = [links({*parents, *wholes})]
    types = [(individual, of) for individual, classes in ontology.types.items() for of in classes]
    roles = [
        links((a, b) for a, relation, b in ontology.links if relation == DOMAIN),
        links((a, b) for a, relation, b in ontology.links if relation == RANGE),
        links(types),
    ]
    return {
        "above": above,
        "below": _turned(above),
        "roles": roles,
        "bearers": _turned(roles),
    }


def _turned(relations: Sequence[csr_array]) -> list[csr_array]:
    return [csr_array(relation.T) for relation in relations]
