"""What is known of each correction: where it applies, when it is valid, who published it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Comparisons = Literal["N×N", "N×1"]

_ANY = "any dependence between the p-values"
_SIMES = "independence or positive dependence (MTP2) that gives the Simes inequality"


@dataclass(frozen=True)
class Correction:
    """Facts of one correction for multiple comparisons.

    Parameters
    ----------
    name
        As `adjust` and the command line take it.
    title
        As it is written in a text.
    comparisons
        ``N×N`` (every system against every other), ``N×1`` (all against one), or both.
    dependence
        The dependence between the p-values under which the family-wise error is at most alpha;
        empty where nothing is controlled.
    source
        Author, year, journal and pages.
    alternative
        The correction to take for the comparisons that this one does not serve; empty if it
        serves both.
    strong
        Whether the control holds whichever hypotheses are true, and not only while all are.
    """

    name: str
    title: str
    comparisons: tuple[Comparisons, ...]
    dependence: str
    source: str
    alternative: str = ""
    strong: bool = True

    @property
    def any_dependence(self) -> bool:
        """Whether the family-wise error is controlled however the p-values depend."""
        return self.dependence == _ANY

    @property
    def validity(self) -> str:
        """One sentence: what is controlled, and when."""
        if not self.dependence:
            return "No correction: the family-wise error is not controlled."
        if not self.strong:
            return (
                f"{self.title} controls the family-wise error only while every hypothesis is true, "
                "under independence; with false ones among them it can be several times alpha."
            )
        return f"{self.title} controls the family-wise error under {self.dependence}."


_BOTH: tuple[Comparisons, ...] = ("N×N", "N×1")

_ALL = (
    Correction("none", "No correction", _BOTH, "", "-"),
    Correction(
        "nemenyi",
        "Nemenyi",
        ("N×N",),
        _ANY,
        "Nemenyi 1963, Distribution-free multiple comparisons, PhD thesis, Princeton",
        "bonferroni",
    ),
    Correction(
        "bonferroni",
        "Bonferroni–Dunn",
        ("N×1",),
        _ANY,
        "Dunn 1961, Journal of the American Statistical Association 56:52–64",
        "nemenyi",
    ),
    Correction(
        "holm", "Holm", _BOTH, _ANY, "Holm 1979, Scandinavian Journal of Statistics 6:65–70"
    ),
    Correction(
        "holland",
        "Holland–Copenhaver",
        _BOTH,
        "positive orthant dependence (or independence)",
        "Holland and Copenhaver 1987, Biometrics 43:417–423",
    ),
    Correction(
        "finner",
        "Finner",
        _BOTH,
        "independence",
        "Finner 1993, Journal of the American Statistical Association 88:920–923",
        strong=False,
    ),
    Correction("hochberg", "Hochberg", _BOTH, _SIMES, "Hochberg 1988, Biometrika 75:800–802"),
    Correction("hommel", "Hommel", _BOTH, _SIMES, "Hommel 1988, Biometrika 75:383–386"),
    Correction("rom", "Rom", _BOTH, "independence", "Rom 1990, Biometrika 77:663–665"),
    Correction(
        "li",
        "Li",
        ("N×1",),
        "independence (and it is weak where the largest p is near 1)",
        "Li 2008, Journal of Statistical Planning and Inference 138:1521–1527",
        "holm",
    ),
    Correction(
        "shaffer",
        "Shaffer (static)",
        ("N×N",),
        _ANY,
        "Shaffer 1986, Journal of the American Statistical Association 81:826–831",
        "holm",
    ),
    Correction(
        "bergmann-hommel",
        "Bergmann–Hommel",
        ("N×N",),
        _ANY,
        "Bergmann and Hommel 1988, in: Multiple Hypotheses Testing, Springer, 100–115",
        "holm",
    ),
)

#: Name to facts, in the order in which tables show them.
CORRECTIONS: Mapping[str, Correction] = MappingProxyType({c.name: c for c in _ALL})
