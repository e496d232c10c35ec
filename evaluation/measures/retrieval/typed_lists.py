"""Ranked lists of targets with a relation each: relation-aware MRR and hierarchy-aware nDCG@10.

The measures are those of Bio-ML's second track, as its package oaei-bioml-eval 0.2.1 defines them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import product
from typing import NamedTuple, TypeAlias

from alignrank.common.errors import EvaluationError
from alignrank.common.files import FilePath, read_text
from alignrank.common.names import count
from alignrank.ontologies.formats.columns import as_number, with_point
from alignrank.ontologies.hierarchy import distances, inverse

from .candidate_files import columns_of, first_row, is_typed, listed, rows

#: Relations of source to target as files name them; their order breaks ties.
RELATIONS = {"equivalent": "=", "source_subsumed_by_target": "<", "source_subsumes_target": ">"}
_ORDER = "=<>"
#: Links between the preferred target and another that still has a gain.
_FARTHEST = 3
#: Entries of a list that its nDCG looks at.
_CUTOFF = 10
#: The gain of an entry that a preferred equivalence implies.
_IMPLIED = 0.6

#: Source entity and number of a query.
QueryKey: TypeAlias = tuple[str, str]
#: Target and relation.
Entry: TypeAlias = tuple[str, str]
#: Direct super-entities by entity.
Parents: TypeAlias = Mapping[str, Collection[str]]


class TypedQuery(NamedTuple):
    """The preferred entries of a query, all of one relation, sorted; and its candidate targets."""

    preferred: tuple[Entry, ...]
    pool: frozenset[str]


class TypedLists(NamedTuple):
    """The entries of each query, the best first; and cautions on those that are left out."""

    entries: dict[QueryKey, list[Entry]]
    cautions: list[str]


class TypedValues(NamedTuple):
    """The values of one query; the nDCG is NaN without a hierarchy."""

    reciprocal_rank: float
    ndcg: float


def has_relations(path: FilePath) -> bool:
    """Tell whether a gold standard has relations, query by query."""
    titles, _ = first_row(read_text(path, EvaluationError))
    return is_typed(columns_of(titles))


def read_typed_queries(path: FilePath) -> dict[QueryKey, TypedQuery]:
    """Read ``SrcEntity, QueryID, TgtEntity, Relation, TgtCandidates``; targets may be lists.

    Equivalence is preferred to subsumption by the target, and that to subsumption of the target.

    Raises
    ------
    EvaluationError
        If a line is malformed, a relation unknown, or a query has other candidates than on an
        earlier line; with the line.
    """
    entries: dict[QueryKey, set[Entry]] = defaultdict(set)
    pools: dict[QueryKey, frozenset[str]] = {}
    needed = ("SrcEntity", "TgtEntity", "Relation", "TgtCandidates")
    for line, row in rows(path, needed, ("QueryID",)):
        targets, relations = (
            listed(path, line, cell)[0] if cell.startswith("[") else [cell]
            for cell in (row["TgtEntity"], row["Relation"])
        )
        if len(targets) != len(relations):
            raise EvaluationError(f"{path}, line {line}: give one relation for each target")
        key = row["SrcEntity"], row.get("QueryID", "")
        signs = (_relation(path, line, relation) for relation in relations)
        entries[key].update(zip(targets, signs, strict=True))
        pool = frozenset(listed(path, line, row["TgtCandidates"])[0])
        if pools.setdefault(key, pool) != pool:
            raise EvaluationError(
                f"{path}, line {line}: query {' '.join(key).strip()!r} has other candidates than "
                "on an earlier line: give it the same ones"
            )
    if not entries:
        raise EvaluationError(f"{path} has no queries")
    queries = {}
    for key, of_query in entries.items():
        best = min(_ORDER.index(relation) for _, relation in of_query)
        preferred = sorted(entry for entry in of_query if entry[1] == _ORDER[best])
        queries[key] = TypedQuery(tuple(preferred), pools[key])
    return queries


def _relation(path: FilePath, line: int, text: str) -> str:
    relation = RELATIONS.get(text, text)
    if relation not in RELATIONS.values():
        names = ", ".join((*RELATIONS, *RELATIONS.values()))
        raise EvaluationError(f"{path}, line {line}: relation {text!r}: use {names}")
    return relation


def read_typed_lists(path: FilePath, queries: Mapping[QueryKey, TypedQuery]) -> TypedLists:
    """Read ``SrcEntity, TgtEntity, Relation, Score``.

    Only targets of the query's pool are ranked. Scores that agree to twelve decimals are equal:
    then the relation decides (equivalent, subsumed, subsumes), then the target's name. Without the
    gold standard's column ``QueryID`` the lists stand in the order of the queries, all of one
    length, and what such a file lacks of a pool has the score 0.

    Raises
    ------
    EvaluationError
        If a line is malformed, a relation unknown, a score no finite number, or the lists do not
        fit the queries; with the line. If no entry is a candidate of its query.
    """
    table = list(rows(path, ("SrcEntity", "TgtEntity", "Relation", "Score"), ("QueryID",)))
    keys = [(row["SrcEntity"], row.get("QueryID", "")) for _, row in table]
    in_order = not any(number for _, number in keys) and any(number for _, number in queries)
    if in_order:
        size = len(table) // len(queries)
        in_turn = [query for query in queries for _ in range(size)]
        if [source for source, _ in in_turn] != [source for source, _ in keys]:
            raise EvaluationError(
                f"{path}: without a column QueryID each of the {len(queries)} queries needs a list "
                "of the same length, in the order of the gold standard"
            )
        keys = in_turn
    foreign: dict[str, list[int]] = defaultdict(list)
    scores: dict[QueryKey, dict[Entry, float]] = defaultdict(dict)
    for key, (line, row) in zip(keys, table, strict=True):
        entry = row["TgtEntity"], _relation(path, line, row["Relation"])
        score = as_number(with_point(row["Score"]))
        if not math.isfinite(score):
            raise EvaluationError(f"{path}, line {line}: the score is not a finite number")
        if key not in queries:
            foreign["of queries that the gold standard lacks"].append(line)
        elif entry[0] not in queries[key].pool:
            foreign["with a target that is no candidate of its query"].append(line)
        else:
            scores[key][entry] = max(score, scores[key].get(entry, -math.inf))
    if not scores:
        raise EvaluationError(
            f"{path}: none of its {len(table)} entries is a candidate of a query of the gold "
            "standard: do both write entities and QueryID alike?"
        )
    lists = {}
    for key, of_query in scores.items():
        if in_order:
            of_query = dict.fromkeys(product(queries[key].pool, _ORDER), 0.0) | of_query
        places = {e: (-round(s, 12), _ORDER.index(e[1]), e[0]) for e, s in of_query.items()}
        lists[key] = sorted(places, key=places.__getitem__)
    cautions = [
        f"{path}: {count(len(lines), 'entry')} {fault}: left out (first: line {lines[0]})"
        for fault, lines in foreign.items()
    ]
    return TypedLists(lists, cautions)


def typed_values(
    queries: Mapping[QueryKey, TypedQuery],
    lists: Mapping[QueryKey, list[Entry]],
    parents: Parents | None = None,
) -> dict[QueryKey, TypedValues]:
    r"""Return the reciprocal rank and the nDCG@10 of every query.

    The reciprocal rank is that of the best preferred entry, 0 where none is ranked. With the gain
    :math:`g` of each entry (`gains`),

    .. math:: nDCG@10 = \sum_{i \le 10} \frac{g_i}{\log_2(i + 1)} \Big/
       \sum_{i \le 10} \frac{g^*_i}{\log_2(i + 1)}

    where :math:`g^*` are the gains in descending order; 0 where no entry of the pool has a gain.

    Parameters
    ----------
    queries, lists
        As `read_typed_queries` and `read_typed_lists` return them (the entries).
    parents
        Of the target ontology.

    Examples
    --------
    >>> queries = {("a", ""): TypedQuery((("x", "="),), frozenset("xy"))}
    >>> typed_values(queries, {("a", ""): [("y", "="), ("x", "=")]})[("a", "")].reciprocal_rank
    0.5
    """
    children = inverse(parents or {})
    values = {}
    for key, query in queries.items():
        entries = lists.get(key, [])
        ranks = (1 / rank for rank, entry in enumerate(entries, 1) if entry in query.preferred)
        ndcg = math.nan
        if parents is not None:
            gain = gains(query, parents, children)
            ideal = _discounted(sorted(gain.values(), reverse=True))
            ndcg = 0.0
            if ideal:
                ndcg = _discounted([gain.get(entry, 0.0) for entry in entries]) / ideal
        values[key] = TypedValues(max(ranks, default=0.0), ndcg)
    return values


def _discounted(gain: list[float]) -> float:
    return sum(g / math.log2(rank + 1) for rank, g in enumerate(gain[:_CUTOFF], 1))


def gains(query: TypedQuery, parents: Parents, children: Parents) -> dict[Entry, float]:
    """Return the gain of each entry of the pool that has one.

    The preferred entry (v, r) has 1. If r is an equivalence, both subsumptions of v have 0.6, and
    0.6 / (d + 1) the targets d ≤ 3 links above v that subsume the source, and those d links below
    that it subsumes. If r is a subsumption, the targets d links farther in its direction have
    1 / (d + 1).
    """
    target, relation = query.preferred[0]
    gain = {}
    for direction, links in (("<", parents), (">", children)):
        if relation in ("=", direction):
            whole = _IMPLIED if relation == "=" else 1.0
            for relative, distance in distances(target, links, _FARTHEST).items():
                gain[relative, direction] = whole / (distance + 1)
    gain[target, relation] = 1.0
    return {entry: value for entry, value in gain.items() if entry[0] in query.pool}
