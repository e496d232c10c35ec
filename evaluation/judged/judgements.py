"""Judgements: the verdicts in a file of questions, how it was drawn, how far two judges agree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain, repeat

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.names import Texts, count
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.ontology import local_name

from .pool import ENOUGH_QUESTIONS, Pair

#: Verdicts of a column ``verdict``: 1 right, 0 wrong, NaN cannot tell.
VERDICTS = {
    "right": 1.0,
    "wrong": 0.0,
    "cannot tell": math.nan,
    "unsure": math.nan,
    "correct": 1.0,
    "incorrect": 0.0,
    "positive": 1.0,
    "negative": 0.0,
}
#: The same in SSSOM's slot reviewer_agreement.
AGREEMENTS = {"1": 1.0, "0": math.nan, "-1": 0.0}
#: Justifications of rows that somebody has judged.
JUDGED = {"ManualMappingCuration", "MappingReview"}
#: The names of facts about the draw in a file's header.
SEED, POOL, SYSTEM, NUMBERS = "seed", "pool", "system ", "verdicts"
#: Before a reason: the entities, one a line, whose pairs the questions leave out for it.
LEFT_OUT = "left out "


@dataclass(frozen=True)
class Judgements:
    """The verdicts on pairs.

    Parameters
    ----------
    verdicts
        1 right, 0 wrong, NaN cannot tell, by pair; a pair that is not judged is absent.
    pairs
        All pairs of the file.
    weights
        By source entity: the weight of its question; empty where the questions were not drawn.
    seed
        Of the draw.
    digests
        By system: the SHA-256 of its file when the questions were drawn.
    left_out
        By entity: why the questions leave out its pairs (`alignrank.evaluation.judged`).
    verdict_numbers
        The numbers of answers at which verdicts come; None where the file names none.
    path
        The file.
    other_relations
        The number of rows left out because they state no equivalence: they are no verdicts.
    """

    verdicts: Mapping[Pair, float]
    pairs: frozenset[Pair]
    weights: Mapping[str, float] = field(default_factory=dict)
    seed: str = "0"
    digests: Texts = field(default_factory=dict)
    left_out: Texts = field(default_factory=dict)
    verdict_numbers: tuple[int, ...] | None = None
    path: str = ""
    other_relations: int = 0

    @property
    def is_drawn(self) -> bool:
        """Whether the questions were drawn in an order whose every beginning is a sample."""
        return bool(self.weights)

    @property
    def cannot_tell(self) -> int:
        """The number of verdicts *cannot tell*."""
        return sum(map(math.isnan, self.verdicts.values()))


def pool_digest(pairs: Iterable[Pair]) -> str:
    """Return a digest of a pool's pairs."""
    text = "\n".join("\t".join(pair) for pair in sorted(pairs))
    return sha256(text.encode()).hexdigest()[:16]


def read_judgements(alignment: Alignment) -> Judgements:
    """Return the judgements that a file holds.

    A row is right, wrong or undecided by its column ``verdict``; else it is wrong if it is negated
    (predicate_modifier ``Not``), undecided if its reviewer_agreement is 0, and right if it was
    curated or reviewed by hand (mapping_justification). Other rows are not judged, and those of
    another relation than equivalence, such as skos:broadMatch or skos:closeMatch, are left out. An
    empty relation, or ``?``, leaves a row out unless its column ``verdict`` is filled.

    Parameters
    ----------
    alignment
        The file, as `alignrank.ontologies.read_alignment` reads it.

    Raises
    ------
    EvaluationError
        If a verdict is unknown, or rows are missing or doubled.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> rows = [Correspondence("x", "1", extra=(("verdict", "right"),)), Correspondence("y", "2")]
    >>> read_judgements(Alignment(rows)).verdicts
    {('x', '1'): 1.0}
    """
    path = alignment.path or "the judgements"
    if doubled := alignment.notes.duplicates:
        raise EvaluationError(f"{path}: {count(doubled, 'pair')} doubled: leave one row of each")
    header = alignment.metadata
    usual = header.get("mapping_justification", "")
    verdicts: dict[Pair, float] = {}
    weights: dict[str, float] = {}
    pairs, other_relations = set(), 0
    columns = alignment.columns
    # of a relation that is not understood, ? is read, and its text is in stated_relation
    relations = (
        "" if relation == "?" and stated is None else relation
        for relation, stated in zip(columns.relation, columns.stated_relation, strict=True)
    )
    asserted = zip(columns.entity1, columns.entity2, relations, columns.extra, repeat(False))
    negated = ((n.entity1, n.entity2, n.relation, n.extra, True) for n in alignment.negated)
    for source, target, relation, extra, is_negated in chain(asserted, negated):
        fields = {local_name(name).lower(): text for name, text in extra}
        if relation != "=" and (relation or not fields.get("verdict", "").strip()):
            other_relations += 1
            continue
        pairs.add((source, target))
        if "weight" in fields:
            weights[source] = _weight(fields["weight"], path)
        place = f"{path}: {source} {target}"
        if POOL in header:
            # people fill or empty this column in a spreadsheet, and leave the others as they are
            fields = {"verdict": fields.get("verdict", "")}
            verdict = _verdict(fields, "", place, is_negated=False)
        else:
            verdict = _verdict(fields, usual, place, is_negated=is_negated)
        if verdict is not None:
            if (source, target) in verdicts:
                raise EvaluationError(f"{place}: judged in two rows: leave one of them")
            verdicts[source, target] = verdict
    drawn = header.get(POOL)
    if drawn is not None and drawn != pool_digest(pairs):
        raise EvaluationError(
            f"{path}: its {len(pairs)} pairs are not those drawn: rows were deleted, added or "
            "changed; keep every row, also those without a verdict"
        )
    digests = {
        name.removeprefix(SYSTEM): text for name, text in header.items() if name.startswith(SYSTEM)
    }
    left_out = {
        iri: name.removeprefix(LEFT_OUT)
        for name, text in header.items()
        if name.startswith(LEFT_OUT)
        for iri in text.split("\n")
    }
    return Judgements(
        verdicts,
        frozenset(pairs),
        weights,
        header.get(SEED, "0"),
        digests,
        left_out,
        _verdict_numbers(header.get(NUMBERS), path),
        alignment.path,
        other_relations,
    )


def _verdict(fields: Texts, usual: str, place: str, *, is_negated: bool) -> float | None:
    """Return the verdict of a row, None where it has none."""
    if text := fields.get("verdict", "").strip():
        verdict = VERDICTS.get(text.lower())
        if verdict is None:
            names = ", ".join(VERDICTS)
            raise EvaluationError(f"{place}: unknown verdict {text!r}: write one of {names}")
        if is_negated and verdict == 1:
            raise EvaluationError(
                f"{place}: the verdict is right, but the row is negated: empty predicate_modifier"
            )
        return verdict
    if is_negated:
        return 0.0
    if text := fields.get("reviewer_agreement", ""):
        agreement = AGREEMENTS.get(text.removesuffix(".0"))
        if agreement is None:
            raise EvaluationError(f"{place}: reviewer_agreement {text!r}: write 1, 0 or -1")
        return agreement
    reason = local_name(fields.get("mapping_justification", usual))
    return 1.0 if reason in JUDGED else None


def _verdict_numbers(text: str | None, path: str) -> tuple[int, ...] | None:
    """Return the numbers of answers at which verdicts come; None where the file names none."""
    if text is None:
        return None
    words = text.split()
    numbers = tuple(int(word) for word in words if word.isdecimal())
    is_list = len(numbers) == len(words) and numbers == tuple(sorted(set(numbers)))
    if not is_list or min(numbers, default=ENOUGH_QUESTIONS) < ENOUGH_QUESTIONS:
        raise EvaluationError(
            f"{path}: the list of verdicts in its header was changed ({text!r}): restore it"
        )
    return numbers


def _weight(text: str, path: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = 0.0
    if not 0 < weight < math.inf:
        raise EvaluationError(f"{path}: the weight {text!r} of a question was changed: restore it")
    return weight


@dataclass(frozen=True)
class JudgeAgreement:
    """How far two judges agree on right and wrong.

    Parameters
    ----------
    pairs
        The number of pairs that both have judged right or wrong.
    share
        The share on which they agree, in [0, 1].
    kappa
        Cohen's kappa (1960), at most 1; NaN where both always give the same one verdict.
    ac1
        Gwet's AC1 (2008), which a rare verdict does not lower.
    error_rate
        ε, where both err independently and equally often: 1 − share = 2 ε (1 − ε). NaN where they
        disagree on more than half.
    disputed
        The pairs on which they disagree.
    """

    pairs: int
    share: float
    kappa: float
    ac1: float
    error_rate: float
    disputed: tuple[Pair, ...]


def judge_agreement(
    first: Judgements, second: Judgements, weights: Mapping[Pair, float] | None = None
) -> JudgeAgreement | None:
    """Return how far two judges agree; None where no pair is judged by both.

    Parameters
    ----------
    first, second
        Their verdicts; *cannot tell* is left out.
    weights
        1 / the probability that a pair was judged; None: all pairs count the same.

    Examples
    --------
    >>> one = Judgements({("a", "1"): 1.0, ("b", "2"): 0.0}, frozenset())
    >>> two = Judgements({("a", "1"): 1.0, ("b", "2"): 1.0}, frozenset())
    >>> judge_agreement(one, two).disputed
    (('b', '2'),)
    """
    of_first = {pair for pair, verdict in first.verdicts.items() if not math.isnan(verdict)}
    of_second = {pair for pair, verdict in second.verdicts.items() if not math.isnan(verdict)}
    both = sorted(of_first & of_second)
    if weights is not None:
        both = [pair for pair in both if pair in weights]
    if not both:
        return None
    weight = np.array([1.0 if weights is None else weights[pair] for pair in both])
    weight /= weight.sum()
    ones = np.array([first.verdicts[pair] for pair in both])
    twos = np.array([second.verdicts[pair] for pair in both])
    share = min(float(weight @ (ones == twos)), 1.0)
    p, q = float(weight @ ones), float(weight @ twos)
    by_chance = p * q + (1 - p) * (1 - q)
    is_one_verdict = len({*ones.tolist(), *twos.tolist()}) == 1
    kappa = math.nan if is_one_verdict else (share - by_chance) / (1 - by_chance)
    mean = (p + q) / 2
    by_chance = 2 * mean * (1 - mean)
    ac1 = (share - by_chance) / (1 - by_chance)
    error_rate = (1 - math.sqrt(2 * share - 1)) / 2 if share >= 0.5 else math.nan
    disputed = tuple(pair for pair, a, b in zip(both, ones, twos, strict=True) if a != b)
    return JudgeAgreement(len(both), share, kappa, ac1, error_rate, disputed)


def joined_judgements(first: Judgements, second: Judgements) -> Judgements:
    """Return the verdicts of two judges; where they disagree, the verdict is *cannot tell*.

    Where one of them cannot tell or has not judged, the other's verdict stands.

    Raises
    ------
    EvaluationError
        If they did not answer the same questions.
    """
    if first.pairs != second.pairs or first.weights != second.weights:
        message = (
            f"{first.path} and {second.path} hold different questions: two judges answer the same "
            "file"
        )
        if rows := " and ".join(
            f"{count(judge.other_relations, 'row')} of {judge.path}"
            for judge in (first, second)
            if judge.other_relations
        ):
            message += f"; left out, because they state no equivalence: {rows}"
        raise EvaluationError(message)
    verdicts = {**first.verdicts}
    for pair, verdict in second.verdicts.items():
        earlier = verdicts.get(pair, math.nan)
        if math.isnan(earlier):
            verdicts[pair] = verdict
        elif not math.isnan(verdict) and verdict != earlier:
            verdicts[pair] = math.nan
    other_relations = first.other_relations + second.other_relations
    return replace(first, verdicts=verdicts, other_relations=other_relations)


def joined_parts(files: Sequence[Judgements]) -> Sequence[Judgements]:
    """Return one judge's answers where several files hold parts of them, else the files.

    Files are parts if their questions were not drawn and no pair is in two of them.

    Examples
    --------
    >>> parts = [Judgements({(name, "1"): 1.0}, frozenset({(name, "1")})) for name in "ab"]
    >>> joined_parts(parts)[0].verdicts
    {('a', '1'): 1.0, ('b', '1'): 1.0}
    """
    pairs = frozenset().union(*(file.pairs for file in files))
    is_shared = sum(len(file.pairs) for file in files) > len(pairs)
    if len(files) == 1 or is_shared or any(file.is_drawn for file in files):
        return files
    verdicts = {pair: v for file in files for pair, v in file.verdicts.items()}
    other_relations = sum(file.other_relations for file in files)
    return [replace(files[0], verdicts=verdicts, pairs=pairs, other_relations=other_relations)]
