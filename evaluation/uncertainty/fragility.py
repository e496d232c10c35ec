"""How few of the winner's advantages an arrow hangs on."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from evaluation.comparison.pairwise import Pairwise
from evaluation.errors import EvaluationError
from evaluation.ranking import Edge
from evaluation.significance.mcnemar import TESTS, mcnemar
from ontologies.common.table import Frame, Tabular, frame


@dataclass(frozen=True)
class Fragility(Tabular):
    """For each arrow, the number of the winner's advantages whose loss would erase it.

    Parameters
    ----------
    view, correction
        Where the arrows come from.
    items
        By arrow (better, worse): how many items that only the better system has right would have to
        fall out of the reference.
    advantages
        By arrow: how many items only the better system has right.
    """

    view: str
    correction: str
    items: dict[Edge, int]
    advantages: dict[Edge, int]

    def to_frame(self) -> Frame:
        """Tabulate, one row for an arrow, the most fragile first."""
        arrows = sorted(self.items, key=lambda arrow: (self.items[arrow], arrow))
        return frame(
            {
                "view": self.view,
                "better": [better for better, _ in arrows],
                "worse": [worse for _, worse in arrows],
                "fragility": [self.items[arrow] for arrow in arrows],
                "advantages": [self.advantages[arrow] for arrow in arrows],
            }
        )


def countable(view: Pairwise) -> bool:
    """Tell whether a view's arrows hang on counts of items, of which no entity holds several.

    What ``westfall-young`` says hangs on all systems' answers together.
    """
    counted = view.discordant is not None and not view.several
    return counted and view.test in TESTS and view.correction != "westfall-young"


def fragility(view: Pairwise) -> Fragility:
    """Return how many of the winner's advantages would have to fall out to erase each arrow.

    Source entities are taken as independent.
    The correction's multiplier of the pair, adjusted p / p, is held where it is: an arrow falls
    when its p exceeds alpha divided by it. (Items that fall out of the reference change other
    pairs' counts too; that depends on which items they are, and is left out.)

    Under ``ifp`` an item that falls out is judged no more: b falls by one. Under ``cfp`` the better
    system's correspondence is wrong from then on and the other's silence right: b falls by one and
    c grows by one. So it is under ``entity``, unless the other gave a wrong answer: there the
    number is the least that can do it.

    Parameters
    ----------
    view
        A view of discordant counts that a McNemar test decided.

    Raises
    ------
    EvaluationError
        If the view has no counts, or another test decided.

    Notes
    -----
    After the fragility index of Walsh et al. 2014, Journal of Clinical Epidemiology 67:622–628.

    Examples
    --------
    >>> from evaluation import compare_counts
    >>> view = compare_counts([[0, 30], [12, 0]], ["a", "b"]).views["ifp"]
    >>> fragility(view).items
    {('a', 'b'): 7}
    >>> from evaluation import mcnemar
    >>> [round(float(mcnemar(b, 12).p), 3) for b in (24, 23)]
    [0.047, 0.065]
    """
    if not countable(view):
        raise EvaluationError(
            f"fragility is counted in items: {view.test} in {view.view} is no McNemar test of them"
        )
    assert view.discordant is not None
    place = {name: k for k, name in enumerate(view.systems)}
    items, advantages = {}, {}
    for better, worse in view.ranking.edges:
        i, j = place[better], place[worse]
        b, c = int(view.discordant[i, j]), int(view.discordant[j, i])
        level = view.alpha / _multiplier(view, i, j)
        gained = 0 if view.view == "ifp" else 1
        items[better, worse] = _losses(b, c, view.test, level, gained)
        advantages[better, worse] = b
    return Fragility(view.view, view.correction, items, advantages)


def _losses(b: int, c: int, test: str, level: float, gained: int) -> int:
    """Return the smallest loss f with p(b − f, c + f · gained) > level.

    p grows with f until the two counts meet, where it is 1.
    """
    meet = -(-(b - c) // (1 + gained))
    return bisect_left(
        range(meet),
        True,
        key=lambda loss: bool(mcnemar(b - loss, c + gained * loss, test).p > level),
    )


def _multiplier(view: Pairwise, i: int, j: int) -> float:
    """Return adjusted p / p; for a p that underflows the largest there is, the number of pairs."""
    p, adjusted = float(view.chosen.p[i, j]), float(view.adjusted[view.correction].values[i, j])
    return adjusted / p if p > 1e-290 else float(view.questions)
