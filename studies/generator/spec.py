"""Settings of the generator: the seed ontology's shape, the target's alterations, the suites."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from alignrank.common.errors import OntologyError
from alignrank.common.files import read_text
from alignrank.common.names import refuse_unknown
from alignrank.ontologies.ontology import Kind

Words = tuple[str, ...]

#: Languages that words are translated to.
LANGUAGES = ("de", "fr", "es")


@dataclass(frozen=True)
class Word:
    """A word of the lists: its role in a name, and its other names."""

    role: str
    word: str
    synonym: str
    abbreviation: str
    de: str
    fr: str
    es: str


@cache
def lexicon() -> dict[str, Word]:
    """Return the entries of all words.

    Examples
    --------
    >>> lexicon()["valve"].synonym, lexicon()["valve"].de
    ('tap', 'Ventil')
    """
    text = Path(__file__).with_name("words.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {row["word"]: Word(**row) for row in rows}


@cache
def words_of(role: str) -> Words:
    """Return the words of a role (``modifier``, ``head``, ``verb``, ``noun``) in their order."""
    return tuple(word.word for word in lexicon().values() if word.role == role)


def words_in(text: str) -> Words:
    """Split a name into words at signs and inner capitals.

    Examples
    --------
    >>> words_in("Cell of skin (2nd)"), words_in("hasDOINumber")
    (('Cell', 'of', 'skin', '2nd'), ('has', 'DOI', 'Number'))
    """
    spaced = re.sub(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)
    return tuple(re.findall(r"[^\W_]+", spaced)) or (text,)


#: Methods of renaming; ``translate`` and ``convention`` take an argument after the colon.
METHODS = (
    "random",
    "typo",
    "synonym",
    "abbrev",
    *(f"translate:{lang}" for lang in LANGUAGES),
    *(f"convention:{style}" for style in ("camel", "snake", "kebab", "upper")),
    "reorder",
    "drop_vowels",
    "opaque_id",
)

#: Kinds of entities that are renamed.
KINDS = (Kind.CLASS, Kind.PROPERTY, Kind.INDIVIDUAL)

#: The names that a renaming can change.
WHAT = ("both", "name", "label")


#: Properties and individuals for each class, and children.
MOST_OF_EACH = 1_000_000


@dataclass(frozen=True)
class Shape:
    """Shape of the seed ontology; shares are in [0, 1].

    Parameters
    ----------
    properties, individuals
        Number for each class; half of the properties are object properties, half datatype ones.
    max_children
        Largest number of children that a class gets; 0 for no bound.
    multi_parent
        Share of classes with two parents.
    disjoint
        Share of groups of siblings of which two are stated disjoint.
    restrictions
        Share of object properties whose domain gets an existential restriction.
    labels, comments, synonyms
        Share of entities that have one.

    Raises
    ------
    OntologyError
        If a value is out of range.
    """

    properties: float = 0.5
    individuals: float = 0.5
    max_children: int = 8
    multi_parent: float = 0.05
    disjoint: float = 0.1
    restrictions: float = 0.2
    labels: float = 1.0
    comments: float = 0.5
    synonyms: float = 0.3

    def __post_init__(self) -> None:
        largest = dict.fromkeys(("properties", "individuals", "max_children"), MOST_OF_EACH)
        for f in fields(self):
            _check_number(f"shape: {f.name}", getattr(self, f.name), largest.get(f.name, 1.0))
        if self.max_children == 1:
            raise OntologyError(
                "shape: max_children = 1 makes one long chain: use 0, or 2 and more"
            )


#: Typing errors in one name: more leave nothing of it.
MOST_EDITS = 1000


@dataclass(frozen=True)
class Rename:
    """Other names for a share of the entities of some kinds.

    Parameters
    ----------
    level
        Share in [0, 1].
    method
        One of `METHODS`.
    kinds
        Of `KINDS`.
    what
        ``name`` (the IRI's last part), ``label`` or ``both``.
    edits
        Number of typing errors of ``typo``, from 1 to `MOST_EDITS`.

    Raises
    ------
    OntologyError
        If a value is unknown or out of range.
    """

    level: float
    method: str = "typo"
    kinds: tuple[Kind, ...] = KINDS
    what: str = "both"
    edits: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", tuple(self.kinds))
        _check_number("rename: level", self.level)
        refuse_unknown("rename: method", self.method, METHODS, OntologyError)
        refuse_unknown("rename: what", self.what, WHAT, OntologyError)
        for kind in self.kinds:
            refuse_unknown("rename: kinds", kind, KINDS, OntologyError)
        object.__setattr__(self, "kinds", tuple(Kind(kind) for kind in self.kinds))
        if not 1 <= self.edits <= MOST_EDITS:
            raise OntologyError(f"rename: edits = {self.edits}: use 1 to {MOST_EDITS}")


@dataclass(frozen=True)
class Alteration:
    """Differences of the target from the seed ontology; applied in this order.

    Every number is a level: a share, in [0, 1], of the entities of its kind at that step.

    Parameters
    ----------
    remove_classes, remove_properties, remove_individuals
        Removed entities; statements on a class move to its parents. Roots stay.
    remove_restrictions, remove_disjoint
        Removed axioms.
    remove_labels, remove_comments, remove_synonyms
        Removed annotations.
    flatten
        Levels of the hierarchy (roots are 0) whose classes are removed.
    expand
        Classes that get a new class between them and their first parent.
    add_classes, add_properties, add_individuals
        New entities without correspondence.
    split
        Classes, not roots, that are split in two; the reference has ``>`` to both.
    merge
        Childless classes that are merged with a sibling; the reference has ``<``.
    no_hierarchy
        Whether all classes lose their parents.
    shuffle_hierarchy
        Classes that get another parent.
    swap_property_kind
        Properties that turn from object to datatype property, or back.
    invert_property
        Object properties that become their inverse.
    inverse
        Relation of these in the reference: ``=``, or ``inverse``, which alignments cannot express
        and which is therefore not judged.
    rename
        The renamings, one after the other.
    reference_drop
        Share of the reference's correspondences left out.
    reference_unjudged
        Share of the reference's correspondences marked ``?``.
    subsumptions
        Whether the reference gets ``<`` from a removed class to the parent that stays, and from a
        class to the new class above it.

    Raises
    ------
    OntologyError
        If a value is out of range.
    """

    remove_classes: float = 0.0
    remove_properties: float = 0.0
    remove_individuals: float = 0.0
    remove_restrictions: float = 0.0
    remove_disjoint: float = 0.0
    remove_labels: float = 0.0
    remove_comments: float = 0.0
    remove_synonyms: float = 0.0
    flatten: tuple[int, ...] = ()
    expand: float = 0.0
    add_classes: float = 0.0
    add_properties: float = 0.0
    add_individuals: float = 0.0
    split: float = 0.0
    merge: float = 0.0
    no_hierarchy: bool = False
    shuffle_hierarchy: float = 0.0
    swap_property_kind: float = 0.0
    invert_property: float = 0.0
    inverse: str = "="
    rename: tuple[Rename, ...] = ()
    reference_drop: float = 0.0
    reference_unjudged: float = 0.0
    subsumptions: bool = False

    def __post_init__(self) -> None:
        for f in fields(self):
            if isinstance(f.default, float):
                _check_number(f"alteration: {f.name}", getattr(self, f.name))
        refuse_unknown("alteration: inverse", self.inverse, ("=", "inverse"), OntologyError)
        if not all(isinstance(level, int) and level >= 1 for level in self.flatten):
            raise OntologyError("alteration: flatten takes levels from 1 on: the roots (0) stay")


@dataclass(frozen=True)
class Suite:
    """Pairs that are generated together.

    Parameters
    ----------
    pairs
        Alteration of each pair's target, by the pair's name.
    shape
        Shape of the seed ontology.
    cumulative
        Whether each pair alters the target of the previous pair, and not the seed ontology.
    classes
        Number of classes by pair, if it differs.
    """

    pairs: Mapping[str, Alteration]
    shape: Shape = field(default_factory=Shape)
    cumulative: bool = False
    classes: Mapping[str, int] = field(default_factory=dict)


def _read_toml(path: Path) -> dict[str, object]:
    """Return the content of a TOML file."""
    text = read_text(path, OntologyError)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise OntologyError(f"{path}: not TOML: it is nested too deeply") from None
    except tomllib.TOMLDecodeError as reason:
        raise OntologyError(f"{path}: not TOML: {reason}") from None
    except ValueError:  # Python's limit, which its message tells how to lift
        raise OntologyError(f"{path}: a whole number has more than 4300 digits") from None


def read_suite(path: Path) -> Suite:
    """Read a suite from a TOML file.

    The file holds ``cumulative``, a table ``[shape]`` and, for each pair, ``[pair.NAME]`` with the
    parameters of `Alteration`; each renaming is a table ``[[pair.NAME.rename]]``.

    Raises
    ------
    OntologyError
        If the file is no TOML, or a key or value is unknown; the message names it.
    """
    content = _read_toml(path)
    for key in sorted(content):
        refuse_unknown(f"{path}:", key, ("cumulative", "shape", "pair"), OntologyError)
    pairs = content.get("pair", {})
    if not isinstance(pairs, dict) or not pairs:
        raise OntologyError(f"{path}: describes no pair: add a table [pair.NAME]")
    try:
        alterations = {}
        for name, pair in pairs.items():
            alterations[_folder(name)] = _alteration(pair, f"pair.{name}")
        shape = _parse(Shape, content.get("shape", {}), "shape")
        cumulative = _of_type("cumulative", content.get("cumulative", False), bool)
        return Suite(alterations, shape, cumulative)
    except OntologyError as error:
        raise OntologyError(f"{path}: {error}") from None


def _folder(name: str) -> str:
    """Return a pair's name, checked: it is the name of its folder, too."""
    if name in ("", ".", "..") or set(name) & {"/", "\\"}:
        raise OntologyError(f"pair {name!r}: its name becomes that of a folder: use letters")
    return name


def _alteration(content: object, where: str) -> Alteration:
    table = _of_type(where, content, dict)
    renames = _of_type(f"{where}: rename", table.get("rename", []), list)
    parsed = tuple(_parse(Rename, r, f"{where}.rename") for r in renames)
    return _parse(Alteration, {**table, "rename": parsed}, where)


T = TypeVar("T", Shape, Alteration, Rename)


def _parse(kind: type[T], content: object, where: str) -> T:
    table = _of_type(where, content, dict)
    defaults = {f.name: f.default for f in fields(kind)}
    for name in sorted(table):
        refuse_unknown(f"{where}:", name, defaults, OntologyError)
    for name, default in defaults.items():
        if default is MISSING and name not in table:
            raise OntologyError(f"{where}: {name} is missing")
    values = {}
    for name, value in table.items():
        values[name] = _of_type(f"{where}: {name}", value, type(defaults[name]))
    return kind(**values)


#: Description of a value in the file, by the type of the default; numbers are checked above.
_DESCRIPTIONS = {
    bool: "true or false",
    int: "a whole number",
    str: "a text in quotes",
    tuple: "a list in brackets",
    list: "a list of tables: write [[pair.NAME.rename]]",
    dict: "a table",
}


# Any: the expected type, which is checked here
def _of_type(where: str, value: object, expected: type) -> Any:
    """Return a value of the file if it has the expected type; a list can become a tuple."""
    if expected is tuple and isinstance(value, list):
        return tuple(value)
    if expected in _DESCRIPTIONS and type(value) is not expected:
        raise OntologyError(f"{where} is {value!r}, and should be {_DESCRIPTIONS[expected]}")
    return value


def _check_number(name: str, value: float, largest: float = 1.0) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OntologyError(f"{name} = {value!r} is not a number")
    if not 0.0 <= value <= largest:
        raise OntologyError(f"{name} = {value} is outside [0, {largest:,.0f}]")


#: The OAEI benchmark track's numbers of each change of structure: with unchanged names, and with
#: changed names and comments.
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
        100, 1,000, ... classes. ``near-miss``: classes inserted, removed and split, so that near
        answers differ from wrong ones.
    classes
        Number of classes; for ``scale`` the largest.

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
        renaming = (Rename(level, "random"),)
        pairs[f"201{suffix}"] = Alteration(rename=renaming)
        for _plain, renamed, structure in _STRUCTURES:
            pairs[f"{renamed}{suffix}"] = replace(
                structure, remove_comments=level, remove_synonyms=level, rename=renaming
            )
    return Suite(dict(sorted(pairs.items())))


def _discriminant(_: int) -> Suite:
    pairs = {}
    for properties, comments, names in product(_STEPS, repeat=3):
        name = f"p{properties * 10:.0f}-c{comments * 10:.0f}-n{names * 10:.0f}"
        pairs[name] = Alteration(
            remove_properties=properties, remove_comments=comments, rename=(Rename(names),)
        )
    return Suite(pairs)


def _scale(classes: int) -> Suite:
    sizes = [n for n in _LARGEST if n <= classes] or [classes]
    mild = Alteration(
        remove_classes=0.05, add_classes=0.05, remove_comments=0.2, rename=(Rename(0.2),)
    )
    return Suite({str(n): mild for n in sizes}, classes={str(n): n for n in sizes})


def _near_miss(_: int) -> Suite:
    pairs = {}
    for level in (0.1, 0.2, 0.3, 0.4, 0.5):
        pairs[f"{level * 100:.0f}"] = Alteration(
            remove_classes=level / 2,
            flatten=(3,) if level > 0.2 else (),
            expand=level,
            split=level / 2,
            merge=level / 2,
            subsumptions=True,
            rename=(Rename(level, "synonym"),),
        )
    return Suite(pairs)


#: The suites, by name.
PRESETS: dict[str, Callable[[int], Suite]] = {
    "oaei-like": _oaei_like,
    "discriminant": _discriminant,
    "scale": _scale,
    "near-miss": _near_miss,
}
