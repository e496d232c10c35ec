"""Alterators: each changes one thing in the target, and the reference with it."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from alignrank.ontologies.ontology import Kind

from .model import Item, Keys, Model, Pair, free_name, safe_name
from .seed import NameMaker, local_part, order, select, stream
from .spec import Alteration, Rename, Words, lexicon, words_in

#: Relation of inverse properties, which alignments cannot express: such a pair is not judged.
INVERSE = "inverse"


@dataclass
class Draft:
    """A pair in the making.

    Parameters
    ----------
    source
        The seed ontology; it is not changed.
    target
        The ontology that is altered.
    cells
        The reference: relation by (number in the source, number in the target).
    seed
        Seed of all random choices.
    step
        0; in a cumulative suite the number of the alteration, so that each has its own choices.
    unchanged
        Number of entities that each method of renaming left unchanged, because it knows no other
        name for them.
    """

    source: Model
    target: Model
    cells: dict[Pair, str]
    seed: int
    step: int = 0
    unchanged: dict[str, int] = field(default_factory=dict)

    def chosen(self, keys: Iterable[int], level: float, *purpose: object) -> list[int]:
        """Return the share `level` of the keys; see `seed.select`."""
        return select(keys, level, self.seed, self.step, *purpose)

    def forget(self, keys: set[int]) -> None:
        """Take the cells of target entities out of the reference."""
        self.cells = {cell: r for cell, r in self.cells.items() if cell[1] not in keys}

    @property
    def sources(self) -> dict[int, list[int]]:
        """Source entities by the target entity that is equivalent to them."""
        by_target: dict[int, list[int]] = {}
        for (source, target), relation in self.cells.items():
            if relation == "=":
                by_target.setdefault(target, []).append(source)
        return by_target


def alter(draft: Draft, alteration: Alteration) -> None:
    """Apply all alterators to the draft, in their fixed order."""
    for step in STEPS:
        step(draft, alteration)


def _remove_classes(draft: Draft, a: Alteration) -> None:
    gone = draft.chosen(draft.target.below_roots, a.remove_classes, "remove_classes")
    _take_out(draft, gone, a.subsumptions)


def _flatten(draft: Draft, a: Alteration) -> None:
    if a.flatten:
        depths = draft.target.depths()
        gone = [key for key, depth in depths.items() if depth in a.flatten]
        _take_out(draft, gone, a.subsumptions)


def _take_out(draft: Draft, gone: list[int], subsumptions: bool) -> None:
    """Remove classes; with `subsumptions` their partners get ``<`` to the next class above."""
    if not gone:
        return
    model = draft.target
    above = {key: model.parents[key] for key in gone}
    if subsumptions:
        narrower = {}
        for (source, target), relation in draft.cells.items():
            if target in above and relation == "=":
                narrower[source, _remaining(target, above)] = "<"
        draft.cells = narrower | draft.cells
    draft.forget(set(gone))
    model.replace_classes(above)


def _remaining(key: int, above: dict[int, Keys]) -> int:
    """Return the first class above that is not removed."""
    while key in above:
        key = above[key][0]
    return key


def _remove_properties_and_individuals(draft: Draft, a: Alteration) -> None:
    levels = {Kind.PROPERTY: a.remove_properties, Kind.INDIVIDUAL: a.remove_individuals}
    for kind, level in levels.items():
        gone = set(draft.chosen(draft.target.keys(kind), level, "remove", str(kind)))
        draft.forget(gone)
        draft.target.drop(kind, gone)


def _remove_axioms(draft: Draft, a: Alteration) -> None:
    model = draft.target
    for name, level in (("restrictions", a.remove_restrictions), ("disjoint", a.remove_disjoint)):
        axioms = getattr(model, name)
        gone = set(draft.chosen(range(len(axioms)), level, "remove", name))
        setattr(model, name, [axiom for i, axiom in enumerate(axioms) if i not in gone])


def _remove_annotations(draft: Draft, a: Alteration) -> None:
    items = draft.target.items
    for name, level, nothing in (
        ("label", a.remove_labels, None),
        ("comment", a.remove_comments, None),
        ("synonyms", a.remove_synonyms, ()),
    ):
        bearers = [key for key, item in items.items() if getattr(item, name)]
        for key in draft.chosen(bearers, level, "remove", name):
            draft.target.change(key, **{name: nothing})


def _expand(draft: Draft, a: Alteration) -> None:
    model = draft.target
    sources = draft.sources if a.subsumptions else {}
    for key in draft.chosen(model.below_roots, a.expand, "expand"):
        parents = model.parents[key]
        between = model.add(_class("general", *model.items[key].words))
        model.parents[between] = parents[:1]
        model.parents[key] = (between, *parents[1:])
        for source in sources.get(key, []):
            draft.cells[source, between] = "<"


def _class(*words: str) -> Item:
    """Return a class of these words."""
    return Item(Kind.CLASS, words, local_part(Kind.CLASS, words), " ".join(words))


def _add_entities(draft: Draft, a: Alteration) -> None:
    model = draft.target
    levels = ((Kind.CLASS, a.add_classes), (Kind.PROPERTY, a.add_properties))
    classes = model.keys(Kind.CLASS)
    names = NameMaker(draft.seed, "added", draft.step)
    # also those of the source: a new entity must not have the name of a removed one
    for item in (*draft.source.items.values(), *model.items.values()):
        names.take(item.kind, item.words)
    for kind, level in (*levels, (Kind.INDIVIDUAL, a.add_individuals)):
        rng = stream(draft.seed, draft.step, "add", kind)
        for i in range(int(level * len(model.keys(kind)) + 0.5)):
            item = names.item(kind)
            key = model.add(item)
            model.change(key, label=" ".join(item.words))
            if kind is Kind.CLASS:
                model.parents[key] = (rng.choice(classes),)
            elif kind is Kind.INDIVIDUAL:
                model.types[key] = (rng.choice(classes),)
            else:
                model.domains[key] = rng.choice(classes)
                if i % 2 == 0:
                    model.ranges[key] = rng.choice(classes)


def _split(draft: Draft, a: Alteration) -> None:
    model = draft.target
    halves: dict[int, Pair] = {}
    for key in draft.chosen(model.below_roots, a.split, "split"):
        words = model.items[key].words
        indoor, outdoor = (model.add(_class(half, *words)) for half in ("indoor", "outdoor"))
        model.parents[indoor] = model.parents[outdoor] = model.parents[key]
        halves[key] = (indoor, outdoor)
    if not halves:
        return
    # each child and each individual of a split class goes to one half only
    for members in (model.parents, model.types):
        for i, (key, classes) in enumerate(members.items()):
            if key not in halves:
                members[key] = tuple(halves[c][i % 2] if c in halves else c for c in classes)
    above = {key: model.parents[key][0] for key in halves}
    for uses in (model.domains, model.ranges):
        # a domain or range of both halves becomes the class above
        for key, used in uses.items():
            while used in above:
                used = above[used]
            uses[key] = used
    _stand_in(draft, dict(halves), ">")


def _merge(draft: Draft, a: Alteration) -> None:
    model = draft.target
    children = model.children()
    groups: dict[Keys, list[int]] = {}
    for key, parents in model.parents.items():
        if parents and key not in children:
            groups.setdefault(parents, []).append(key)
    pairs: dict[int, Pair] = {}
    for members in groups.values():
        shuffled = order(members, draft.seed, draft.step, "merge")
        pairs |= {x: (x, y) for x, y in zip(shuffled[::2], shuffled[1::2], strict=False)}
    n_merges = int(a.merge * len(model.keys(Kind.CLASS)) / 2 + 0.5)
    merged: dict[int, Keys] = {}
    for key in order(pairs, draft.seed, draft.step, "merge pairs")[:n_merges]:
        first, second = (model.items[half].words for half in pairs[key])
        whole = model.add(_class(*first, "or", *second))
        model.parents[whole] = model.parents[key]
        merged |= dict.fromkeys(pairs[key], (whole,))
    _stand_in(draft, merged, "<")


def _stand_in(draft: Draft, by: dict[int, Keys], relation: str) -> None:
    """Replace classes by others in the target and, with a relation, in the reference."""
    if not by:
        return
    cells: dict[Pair, str] = {}
    for (source, target), stated in draft.cells.items():
        if target not in by:
            cells[source, target] = stated
        elif stated == "=":
            cells |= {(source, stand_in): relation for stand_in in by[target]}
    draft.cells = cells
    draft.target.replace_classes(by)


def _change_hierarchy(draft: Draft, a: Alteration) -> None:
    model = draft.target
    if a.no_hierarchy:
        model.parents = dict.fromkeys(model.parents, ())
    classes = list(model.parents)
    for key in draft.chosen(model.below_roots, a.shuffle_hierarchy, "shuffle_hierarchy"):
        rng = stream(draft.seed, draft.step, "new parent", key)
        for parent in (rng.choice(classes) for _ in range(20)):
            if parent not in model.parents[key] and key not in model.ancestors(parent):
                model.parents[key] = (parent,)
                break
    if a.shuffle_hierarchy:
        model.drop_contradictions()


def _change_properties(draft: Draft, a: Alteration) -> None:
    model = draft.target
    properties = model.keys(Kind.PROPERTY)
    swapped = set(draft.chosen(properties, a.swap_property_kind, "swap_property_kind"))
    for key in swapped:
        if key in model.ranges:
            del model.ranges[key]
        else:
            model.ranges[key] = model.domains[key]
    model.facts = [f for f in model.facts if f[1] not in swapped]
    inverted = set(draft.chosen(model.ranges, a.invert_property, "invert_property"))
    for key in inverted:
        model.domains[key], model.ranges[key] = model.ranges[key], model.domains[key]
        words = ("inverse", "of", *model.items[key].words)
        model.change(key, words=words, name=local_part(Kind.PROPERTY, words))
        if model.items[key].label is not None:
            model.change(key, label=" ".join(words))
    for i, (subject, property_, value) in enumerate(model.facts):
        if property_ in inverted and isinstance(value, int):
            model.facts[i] = (value, property_, subject)
    changed = swapped | inverted
    model.restrictions = [r for r in model.restrictions if r[1] not in changed]
    if a.inverse == INVERSE:
        draft.cells |= {cell: INVERSE for cell in draft.cells if cell[1] in inverted}


def _rename(draft: Draft, a: Alteration) -> None:
    for i, renaming in enumerate(a.rename):
        for kind in renaming.kinds:
            keys = draft.chosen(draft.target.keys(kind), renaming.level, "rename", i, str(kind))
            unchanged = rename(draft.target, keys, renaming, draft.seed, draft.step, i)
            if unchanged:
                before = draft.unchanged.get(renaming.method, 0)
                draft.unchanged[renaming.method] = before + unchanged


def _reference_noise(draft: Draft, a: Alteration) -> None:
    gone = set(select(draft.cells, a.reference_drop, draft.seed, draft.step, "reference_drop"))
    draft.cells = {cell: r for cell, r in draft.cells.items() if cell not in gone}
    marked = select(draft.cells, a.reference_unjudged, draft.seed, draft.step, "unjudged")
    draft.cells |= dict.fromkeys(marked, "?")


#: Every alterator, in the order in which they are applied.
STEPS: tuple[Callable[[Draft, Alteration], None], ...] = (
    _remove_classes,
    _remove_properties_and_individuals,
    _remove_axioms,
    _remove_annotations,
    _flatten,
    _expand,
    _add_entities,
    _split,
    _merge,
    _change_hierarchy,
    _change_properties,
    _rename,
    _reference_noise,
)


def rename(model: Model, keys: Iterable[int], renaming: Rename, seed: int, *purpose: object) -> int:
    """Rename entities; a number is appended to a name that another entity has.

    Parameters
    ----------
    model
        Changed in place.
    keys
        Numbers of the entities.
    renaming
        The method, and whether name or label change.
    seed, purpose
        Of the random choices: each entity has its own.

    Returns
    -------
    int
        Number of entities that keep their words, because the method has no other words for them.
    """
    renamed = {
        key: _renamed(key, model.items[key], renaming, seed, *purpose) for key in sorted(keys)
    }
    used_names = {item.name for key, item in model.items.items() if key not in renamed}
    unchanged = 0
    for key, (words, text, lang) in renamed.items():
        old = model.items[key]
        unchanged += words == old.words and not text
        model.change(key, words=words)
        if renaming.what != "name" and old.label is not None:
            model.change(key, label=text or " ".join(words))
            if lang is not None:
                model.change(key, lang=lang)
        if renaming.what != "label":
            name = safe_name(text) or local_part(old.kind, words)
            model.change(key, name=free_name(name, used_names))
        used_names.add(model.items[key].name)
    return unchanged


class _New(NamedTuple):
    """An entity's new words, the text that is name and label alike, and another language."""

    words: Words
    text: str = ""
    lang: str | None = None


def _renamed(key: int, item: Item, renaming: Rename, seed: int, *purpose: object) -> _New:
    method, _, argument = renaming.method.partition(":")
    if method == "convention":
        return _New(item.words, _STYLES[argument](item.words))
    if method == "opaque_id":
        code = f"{_LETTERS[item.kind]}{key:07d}"
        return _New((code,), code)
    if method == "translate":
        for synonym in item.synonyms:
            if synonym.lang.partition("-")[0] == argument:
                return _New(words_in(synonym.text), lang=synonym.lang)
        return _New(_looked_up(item.words, argument), lang=argument)
    if method == "synonym":
        for synonym in item.synonyms:
            if synonym.lang == item.lang:
                return _New(words_in(synonym.text), lang=synonym.lang)
        return _New(_looked_up(item.words, "synonym"))
    if method == "abbrev":
        return _New(_looked_up(item.words, "abbreviation"))
    if method == "reorder":
        return _New(item.words[1:] + item.words[:1])
    if method == "drop_vowels":
        return _New(tuple(map(_without_vowels, item.words)))
    rng = stream(seed, method, key, *purpose)
    if method == "random":
        return _New(tuple(_letters(rng, len(word)) for word in item.words))
    return _New(_mistyped(item.words, renaming.edits, rng))


def _looked_up(words: Words, column: str) -> Words:
    # a proper name, or a word of the user's ontology, is not in the lexicon
    length = 3 if column == "abbreviation" else None
    replaced = []
    for word in words:
        entry = lexicon().get(word.casefold())
        replaced.append(getattr(entry, column) if entry else word[:length])
    return tuple(replaced)


def _without_vowels(word: str) -> str:
    return word[:1] + "".join(c for c in word[1:] if c.lower() not in "aeiou")


def _letters(rng: Random, n: int) -> str:
    return "".join(rng.choice(string.ascii_lowercase) for _ in range(n))


def _mistyped(words: Words, edits: int, rng: Random) -> Words:
    text = " ".join(words)
    for _ in range(edits):
        at = rng.randrange(len(text))
        letter = rng.choice(string.ascii_lowercase)
        before = text[:at]
        sign = text[at]
        after = text[at + 1 :]
        inserted = before + letter + sign + after
        deleted = before + after or letter
        substituted = before + letter + after
        exchanged = before + after[:1] + sign + after[1:]
        text = rng.choice((inserted, deleted, substituted, exchanged))
    return tuple(text.split()) or words


_LETTERS = {Kind.CLASS: "C", Kind.PROPERTY: "P", Kind.INDIVIDUAL: "I"}

_STYLES: dict[str, Callable[[Words], str]] = {
    "camel": lambda words: "".join(word[:1].upper() + word[1:] for word in words),
    "snake": lambda words: "_".join(word.lower() for word in words),
    "kebab": lambda words: "-".join(word.lower() for word in words),
    "upper": lambda words: "_".join(word.upper() for word in words),
}
