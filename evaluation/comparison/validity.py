"""Whether a test and a correction together control the family-wise error: said honestly."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from evaluation.corrections import CORRECTIONS

#: What each valid test rests on. The other tests' p-values are only close to valid.
CONDITIONS: Mapping[str, str] = MappingProxyType(
    {
        "exact": "the items are independent",
        "sign-flip": "the clusters are independent and, where two systems are equally good, each "
        "cluster favours either alike",
        "randomisation": "two equally good systems' answers for an entity could be exchanged",
    }
)


def validity(test: str, correction: str) -> str:
    """Say in a sentence what the family-wise error of a test with a correction is.

    Parameters
    ----------
    test
        A McNemar test, a test for clusters, or ``randomisation``.
    correction
        A name of `evaluation.corrections.CORRECTIONS`.

    Examples
    --------
    >>> print(validity("exact", "holm"))  # doctest: +NORMALIZE_WHITESPACE
    exact with holm: the family-wise error is at most alpha, however the pairs depend on each
    other, if the items are independent.
    """
    facts = CORRECTIONS[correction]
    pair = f"{test} with {correction}"
    if not facts.dependence:
        return f"{pair}: every pair is tested by itself, the family-wise error is not controlled."
    if not facts.strong:
        return f"{pair}: {facts.validity}"
    if test in CONDITIONS and facts.any_dependence:
        return (
            f"{pair}: the family-wise error is at most alpha, however the pairs depend on each "
            f"other, if {CONDITIONS[test]}."
        )
    if test in CONDITIONS:
        return (
            f"{pair}: the family-wise error is at most alpha if {CONDITIONS[test]}, and under "
            f"{facts.dependence}, which pairs that share a system need not have."
        )
    doubts = [f"{test} p-values are not strictly valid (those of {_strict(test)} are)"]
    if not facts.any_dependence:
        doubts.append(f"pairs that share a system need not have {facts.dependence}")
    return (
        f"{pair}: the family-wise error is close to alpha or below, but not guaranteed: "
        f"{', and '.join(doubts)}."
    )


def _strict(test: str) -> str:
    return "sign-flip" if test in ("obuchowski", "durkalski") else "exact"
