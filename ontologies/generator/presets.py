"""Suites that are ready to use."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ontologies.common.registry import refuse_unknown
from ontologies.errors import OntologyError

from .spec import Alteration, Rename, Suite

#: What is done to the structure, and the numbers that the OAEI's benchmark track gives it: names as
#: they are, and names and comments changed.
_STRUCTURES: tuple[tuple[str, str, Alteration], ...] = (
    ("101", "202", Alteration()),
    ("221", "248", Alteration(no_hierarchy=True)),
    ("222", "251", Alteration(flatten=(2,))),
    ("223", "252", Alteration(expand=0.5)),
    ("224", "249", Alteration(remove_individuals=1.0)),
    ("228", "250", Alteration(remove_properties=1.0)),
    ("232", "253", Alteration(no_hierarchy=True, remove_individuals=1.0)),
    ("233", "254", Alteration(no_hierarchy=True, remove_properties=1.0)),
    ("236", "257", Alteration(remove_individuals=1.0, remove_properties=1.0)),
    ("237", "258", Alteration(flatten=(2,), remove_individuals=1.0)),
    ("238", "259", Alteration(expand=0.5, remove_individuals=1.0)),
    ("239", "260", Alteration(flatten=(2,), remove_properties=1.0)),
    ("240", "261", Alteration(expand=0.5, remove_properties=1.0)),
    ("241", "262", Alteration(no_hierarchy=True, remove_individuals=1.0, remove_properties=1.0)),
    ("246", "265", Alteration(flatten=(2,), remove_individuals=1.0, remove_properties=1.0)),
    ("247", "266", Alteration(expand=0.5, remove_individuals=1.0, remove_properties=1.0)),
)

#: Steps of the two grids.
_STEPS = (0.0, 0.3, 0.6, 0.9)

_LARGEST = (100, 1_000, 10_000, 100_000)


def preset(name: str, classes: int) -> Suite:
    """Return a suite by name.

    Parameters
    ----------
    name
        ``oaei-like``: names, comments and structure changed one by one and together, named as in
        the OAEI's benchmark track (101, 201-2 to 266). ``discriminant``: a grid of removed
        properties, removed comments and renamed entities. ``scale``: the same mild alteration of
        100, 1,000, ... classes. ``near-miss``: classes put in between, taken out and split, so that
        near answers differ from wrong ones.
    classes
        Number of classes; of ``scale`` the largest.

    Raises
    ------
    OntologyError
        If there is no such suite.

    Examples
    --------
    >>> list(preset("scale", 10_000).pairs)
    ['100', '1000', '10000']
    """
    refuse_unknown("preset", name, PRESETS, OntologyError)
    return PRESETS[name](classes)


def _oaei_like(_: int) -> Suite:
    pairs = {plain: structure for plain, _, structure in _STRUCTURES}
    levels = {"-2": 0.2, "-4": 0.4, "-6": 0.6, "-8": 0.8, "": 1.0}
    for suffix, level in levels.items():
        pairs[f"201{suffix}"] = Alteration(rename=(Rename(level, "random"),))
    for (_plain, renamed, structure), (suffix, level) in product(_STRUCTURES, levels.items()):
        pairs[f"{renamed}{suffix}"] = Alteration(
            remove_properties=structure.remove_properties,
            remove_individuals=structure.remove_individuals,
            remove_comments=level,
            remove_synonyms=level,
            flatten=structure.flatten,
            expand=structure.expand,
            no_hierarchy=structure.no_hierarchy,
            rename=(Rename(level, "random"),),
        )
    return Suite(dict(sorted(pairs.items())))


def _discriminant(_: int) -> Suite:
    return Suite(
        {
            f"p{properties * 10:.0f}-c{comments * 10:.0f}-n{names * 10:.0f}": Alteration(
                remove_properties=properties, remove_comments=comments, rename=(Rename(names),)
            )
            for properties, comments, names in product(_STEPS, repeat=3)
        }
    )


def _scale(classes: int) -> Suite:
    sizes = [n for n in _LARGEST if n <= classes] or [classes]
    mild = Alteration(
        remove_classes=0.05, add_classes=0.05, remove_comments=0.2, rename=(Rename(0.2),)
    )
    return Suite({str(n): mild for n in sizes}, classes={str(n): n for n in sizes})


def _near_miss(_: int) -> Suite:
    return Suite(
        {
            f"{level * 100:.0f}": Alteration(
                remove_classes=level / 2,
                flatten=(3,) if level > 0.2 else (),
                expand=level,
                split=level / 2,
                merge=level / 2,
                subsumptions=True,
                rename=(Rename(level, "synonym"),),
            )
            for level in (0.1, 0.2, 0.3, 0.4, 0.5)
        }
    )


#: The suites, by name.
PRESETS: dict[str, Callable[[int], Suite]] = {
    "oaei-like": _oaei_like,
    "discriminant": _discriminant,
    "scale": _scale,
    "near-miss": _near_miss,
}
