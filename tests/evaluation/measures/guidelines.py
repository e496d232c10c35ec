"""The poster's guidelines for metrics as an audit of every measure.

Maynard, Peters & Li ask that a metric reach its highest value for perfect quality and its lowest
for the worst, and be monotonic. This is counted: on a small pair of ontologies every part of the
reference is judged, alone and with every possible wrong correspondence beside it. (That a metric be
clear and agree with human judgement is not for a program to say.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, product

from alignrank.evaluation.credit.credits import values
from alignrank.evaluation.measures.measure import MEASURES, Context, Measure
from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Ontology

#: Left out: it needs Java, and minutes for each system.
SLOW = ("semantic-hermit",)
#: Confidence of an unsure correspondence; a sure one has 1.
UNSURE = 0.1
#: Differences below it are rounding.
TINY = 1e-9


def small_pair() -> Context:
    """Return two taxonomies of five classes; Rock and Cloud have nothing to do with the others."""
    source = {"Bird": "Animal", "Fish": "Animal", "Duck": "Bird", "Animal": "", "Rock": ""}
    target = {
        "Fowl": "Creature",
        "Swimmer": "Creature",
        "Duck": "Fowl",
        "Creature": "",
        "Cloud": "",
    }

    def ontology(side: str, parents: Mapping[str, str], *disjoint: str) -> Ontology:
        return Ontology(
            "",
            {f"{side}#{name}": Entity(f"{side}#{name}", Kind.CLASS) for name in parents},
            parents={f"{side}#{c}": (f"{side}#{p}",) for c, p in parents.items() if p},
            disjoints=((f"{side}#{disjoint[0]}", f"{side}#{disjoint[1]}"),) if disjoint else (),
        )

    return Context(ontology("s", source, "Bird", "Fish"), ontology("t", target))


#: The right correspondences of `small_pair`; the ducks are found by their names alone.
PERFECT = tuple(
    Correspondence(f"s#{one}", f"t#{two}")
    for one, two in (
        ("Animal", "Creature"),
        ("Bird", "Fowl"),
        ("Duck", "Duck"),
        ("Fish", "Swimmer"),
    )
)
#: A wrong correspondence of two classes that no link joins to anything.
WRONG = Correspondence("s#Rock", "t#Cloud")


@dataclass(frozen=True)
class Audit:
    """How one value of one measure keeps the guidelines.

    Parameters
    ----------
    measure, value
        Which.
    perfect, worst
        Value of the perfect answer, and of the worst one that holds nothing right or near.
    perfect_is_best, worst_is_worst
        Whether no other alignment is better or worse.
    as_good
        Share of the other alignments that are as good as the perfect one.
    right_lowers
        Share of the cases in which one more right correspondence, sure or unsure, makes the value
        worse.
    far_raises, near_raises
        Share of the cases in which one more wrong correspondence makes it better: one that no link
        joins to anything, and any other.
    """

    measure: str
    value: str
    perfect: float
    worst: float
    perfect_is_best: bool
    worst_is_worst: bool
    as_good: float
    right_lowers: float
    far_raises: float
    near_raises: float

    @property
    def keeps(self) -> bool:
        """Whether best, worst, and monotony hold without exception (near misses aside)."""
        monotone = self.right_lowers == 0 and self.far_raises == 0
        return self.perfect_is_best and self.worst_is_worst and monotone


Chosen = frozenset[Correspondence]
#: Without and with one correspondence more.
Step = tuple[Chosen, Chosen]


@dataclass(frozen=True)
class Cases:
    """What is judged.

    Parameters
    ----------
    bases
        Every part of the reference, alone and with a wrong correspondence beside it.
    wrong
        Every wrong correspondence, sure and unsure.
    """

    bases: tuple[Chosen, ...]
    wrong: tuple[Correspondence, ...]

    @cached_property
    def far(self) -> list[Step]:
        """Each base without and with one more wrong correspondence that nothing joins to any."""
        return list(self.wrong_added(far=True))

    @cached_property
    def near(self) -> list[Step]:
        """The same with any other wrong one."""
        return list(self.wrong_added(far=False))

    @cached_property
    def right(self) -> list[Step]:
        """Each case without and with one more right correspondence."""
        return list(self.right_added())

    @cached_property
    def judged(self) -> dict[Chosen, Alignment]:
        """Everything that is judged."""
        steps = [*self.far, *self.near, *self.right]
        return {case: Alignment(case) for case in dict.fromkeys(c for step in steps for c in step)}

    @classmethod
    def of(cls, context: Context) -> Cases:
        """Return the cases of a pair of ontologies whose reference is `PERFECT`."""
        parts = [frozenset(s) for n in range(len(PERFECT) + 1) for s in combinations(PERFECT, n)]
        right = {c.pair for c in PERFECT}
        wrong = [
            Correspondence(a.iri, b.iri, "=", confidence)
            for a, b in product(*context.ontologies)
            for confidence in (1.0, UNSURE)
            if (a.iri, b.iri) not in right
        ]
        return cls((*parts, *(part | {WRONG} for part in parts)), tuple(wrong))

    def wrong_added(self, *, far: bool) -> Iterator[Step]:
        """Yield each base without and with one more wrong correspondence, far or near."""
        for base, extra in product(self.bases, self.wrong):
            if is_far(extra) is far and extra.pair not in {c.pair for c in base}:
                yield base, base | {extra}

    def right_added(self) -> Iterator[Step]:
        """Yield each case without and with one more right correspondence; sure, or also unsure."""
        unsure = [replace(c, confidence=UNSURE) for c in PERFECT]
        cases = [(base, [*PERFECT, *unsure]) for base in self.bases]
        cases += [(case, [*PERFECT]) for _, case in [*self.far, *self.near]]
        for case, extras in cases:
            pairs = {c.pair for c in case}
            yield from ((case, case | {extra}) for extra in extras if extra.pair not in pairs)


def is_far(wrong: Correspondence) -> bool:
    """Tell whether no link joins a wrong correspondence to any right one."""
    return "s#Rock" in wrong.pair or "t#Cloud" in wrong.pair


@cache
def small_cases() -> tuple[Context, Cases]:
    """Return the small pair and its cases, which are the same for every measure."""
    context = small_pair()
    return context, Cases.of(context)


def audit(measure: Measure) -> list[Audit]:
    """Judge all those alignments by one measure, and count what breaks the guidelines."""
    context, cases = small_cases()
    reference = Alignment(PERFECT)
    known = {
        case: values(measure(alignment, reference, context))
        for case, alignment in cases.judged.items()
    }
    return [_audited(measure, value, known, cases) for value in measure.columns]


def _audited(
    measure: Measure,
    value: str,
    known: Mapping[Chosen, Mapping[str, float]],
    cases: Cases,
) -> Audit:
    sign = -1 if measure.less_is_better else 1
    good = {case: sign * by_name[value] for case, by_name in known.items()}
    perfect = good[frozenset(PERFECT)]
    right = {c.pair for c in PERFECT}
    others = [g for case, g in good.items() if {c.pair for c in case} != right]
    worst = min(g for case, g in good.items() if case and all(map(is_far, case)))

    def rises(pairs: Sequence[Step], direction: int = 1) -> float:
        return _share(direction * (good[after] - good[before]) > TINY for before, after in pairs)

    return Audit(
        measure=measure.name,
        value=value,
        perfect=sign * perfect,
        worst=sign * worst,
        perfect_is_best=not any(g > perfect + TINY for g in others),
        worst_is_worst=not any(g < worst - TINY for g in others),
        as_good=_share(abs(g - perfect) < TINY for g in others),
        right_lowers=rises(cases.right, -1),
        far_raises=rises(cases.far),
        near_raises=rises(cases.near),
    )


def _share(cases: Iterator[bool]) -> float:
    seen = list(cases)
    return sum(seen) / len(seen)


def audit_all(names: Sequence[str] | None = None) -> list[Audit]:
    """Audit every measure, or those named."""
    chosen = [MEASURES[n] for n in names or MEASURES if names or n not in SLOW]
    return [row for measure in chosen for row in audit(measure)]
