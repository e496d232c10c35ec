"""Alterators: each changes one thing in the target, and the reference with it."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from alignrank.ontologies.ontology import Kind, Label

from .model import Item, Model, free_name, safe_name
from .seed import Names, local_part, order, select, stream
from .spec import Alteration, Rename, lexicon, words_in

#: What no relation of an alignment says: such a pair is not judged.
INVERSE = "inverse"


@dataclass
class Draft:
    """A pair in the making.

    Parameters
    ----------
    source
        The seed ontology; it stays as it is.
    target
        The ontology that is altered.
    cells
        The reference: relation by (number in the source, number in the target).
    seed
        Of all choices by chance.
    step
        0; in a cumulative suite the number of the alteration, so that each chooses anew.
    unchanged
        How many entities each method of renaming left as they were, because it knows no other
        name of them.
    """

    source: Model
    target: Model
    cells: dict[tuple[int, int], str]
    seed: int
    step: int = 0
    unchanged: dict[str, int] = field(default_factory=dict)

    def chosen(self, keys: Iterable[int], level: float, *purpose: object) -> list[int]:
        """Return the share `level` of the keys; see `streams.select`."""
        return select(keys, level, self.seed, self.step, *purpose)

    def forget(self, keys: set[int]) -> None:
        """Take the cells of target entities out of the reference."""
        self.cells = {cell: r for cell, r in self.cells.items() if cell[1] not in keys}

    @property
    def sources(self) -> dict[int, list[int]]:
        """Source entities by the target entity that is equivalent to them."""
        found: dict[int, list[int]] = {}
        for (source, target), relation in self.cells.items():
            if relation == "=":
                found.setdefault(target, []).append(source)
        return found


def alter(draft: Draft, alteration: Alteration) -> None:
    """Apply every alterator, in their fixed order, to the draft."""
    for step in STEPS:
        step(draft, alteration)


def _remove_classes(draft: Draft, a: Alteration) -> None:
    model = draft.target
    inner = [key for key, parents in model.parents.items() if parents]
    _take_out(draft, draft.chosen(inner, a.remove_classes, "remove_classes"), a.subsumptions)


def _flatten(draft: Draft, a: Alteration) -> None:
    if a.flatten:
        depths = draft.target.depths()
        gone = [key for key, depth in depths.items() if depth in a.flatten]
        _take_out(draft, gone, a.subsumptions)


def _take_out(draft: Draft, gone: list[int], subsumptions: bool) -> None:
    """Take classes out; with `subsumptions` what they matched is narrower than what stays above."""
    if not gone:
        return
    model = draft.target
    above = {key: model.parents[key] for key in gone}
    if subsumptions:
        stays = {key: _first_kept(key, above) for key in gone}
        narrower = {
            (s, stays[t]): "<" for (s, t), r in draft.cells.items() if t in stays if r == "="
        }
        draft.cells = narrower | draft.cells
    draft.forget(set(gone))
    model.replace_classes(above)


def _first_kept(key: int, above: dict[int, tuple[int, ...]]) -> int:
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
    inner = [key for key, parents in model.parents.items() if parents]
    sources = draft.sources if a.subsumptions else {}
    for key in draft.chosen(inner, a.expand, "expand"):
        first, *others = model.parents[key]
        between = model.add(_made_of(model, key, "general"))
        model.parents[between] = (first,)
        model.parents[key] = (between, *others)
        for source in sources.get(key, []):
            draft.cells[source, between] = "<"


def _made_of(model: Model, key: int, *words: str) -> Item:
    """Return a class named after another: no seed ontology has these words."""
    made = (*words, *model.items[key].words)
    return Item(Kind.CLASS, made, local_part(Kind.CLASS, made), " ".join(made))


def _add_entities(draft: Draft, a: Alteration) -> None:
    model = draft.target
    levels = ((Kind.CLASS, a.add_classes), (Kind.PROPERTY, a.add_properties))
    classes = model.keys(Kind.CLASS)
    names = Names(draft.seed, "added", draft.step)
    # also those of the source: what is new must not be called like what was taken out
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
    inner = [key for key, parents in model.parents.items() if parents]
    halves: dict[int, tuple[int, int]] = {}
    for key in draft.chosen(inner, a.split, "split"):
        one, two = (model.add(_made_of(model, key, word)) for word in ("indoor", "outdoor"))
        model.parents[one] = model.parents[two] = model.parents[key]
        halves[key] = (one, two)
    if not halves:
        return
    # each child and each individual of a split class goes to one half only
    for members in (model.parents, model.types):
        for i, (key, classes) in enumerate(members.items()):
            if key not in halves:
                members[key] = tuple(halves[c][i % 2] if c in halves else c for c in classes)
    above = {key: model.parents[key][0] for key in halves}
    for uses in (model.domains, model.ranges):
        # what holds of both halves is said of the class above
        for key, used in uses.items():
            while used in above:
                used = above[used]
            uses[key] = used
    _stand_in(draft, dict(halves), ">")


def _merge(draft: Draft, a: Alteration) -> None:
    model = draft.target
    children = model.children()
    groups: dict[tuple[int, ...], list[int]] = {}
    for key, parents in model.parents.items():
        if parents and key not in children:
            groups.setdefault(parents, []).append(key)
    pairs: dict[int, tuple[int, int]] = {}
    for members in groups.values():
        shuffled = order(members, draft.seed, draft.step, "merge")
        pairs |= {x: (x, y) for x, y in zip(shuffled[::2], shuffled[1::2], strict=False)}
    wanted = int(a.merge * len(model.keys(Kind.CLASS)) / 2 + 0.5)
    merged: dict[int, tuple[int, ...]] = {}
    for key in order(pairs, draft.seed, draft.step, "merge pairs")[:wanted]:
        one, two = pairs[key]
        made = (*model.items[one].words, "or", *model.items[two].words)
        whole = model.add(Item(Kind.CLASS, made, local_part(Kind.CLASS, made), " ".join(made)))
        model.parents[whole] = model.parents[one]
        merged |= {one: (whole,), two: (whole,)}
    _stand_in(draft, merged, "<")


def _stand_in(draft: Draft, by: dict[int, tuple[int, ...]], relation: str) -> None:
    """Let classes stand for others in the target and, with a relation, in the reference."""
    if not by:
        return
    cells: dict[tuple[int, int], str] = {}
    for (source, target), stated in draft.cells.items():
        if target not in by:
            cells[source, target] = stated
        elif stated == "=":
            cells |= {(source, other): relation for other in by[target]}
    draft.cells = cells
    draft.target.replace_classes(by)


def _change_hierarchy(draft: Draft, a: Alteration) -> None:
    model = draft.target
    if a.no_hierarchy:
        model.parents = dict.fromkeys(model.parents, ())
    inner = [key for key, parents in model.parents.items() if parents]
    classes = list(model.parents)
    for key in draft.chosen(inner, a.shuffle_hierarchy, "shuffle_hierarchy"):
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
    model.restrictions = [r for r in model.restrictions if r[1] not in swapped]
    object_properties = [key for key in model.keys(Kind.PROPERTY) if key in model.ranges]
    turned = set(draft.chosen(object_properties, a.invert_property, "invert_property"))
    for key in turned:
        model.domains[key], model.ranges[key] = model.ranges[key], model.domains[key]
        words = ("inverse", "of", *model.items[key].words)
        label = " ".join(words) if model.items[key].label is not None else None
        model.change(key, words=words, name=local_part(Kind.PROPERTY, words), label=label)
    model.facts = [
        (o, p, s) if p in turned and isinstance(o, int) else (s, p, o) for s, p, o in model.facts
    ]
    model.restrictions = [r for r in model.restrictions if r[1] not in turned]
    if a.inverse == INVERSE:
        draft.cells = {c: INVERSE if c[1] in turned else r for c, r in draft.cells.items()}


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


Words = tuple[str, ...]


def rename(model: Model, keys: Iterable[int], how: Rename, seed: int, *purpose: object) -> int:
    """Rename entities; a name that another has already gets a number behind it.

    Parameters
    ----------
    model
        Changed in place.
    keys
        Which entities.
    how
        By which method, and whether name or label change.
    seed, purpose
        Of the choices by chance: each entity has its own.

    Returns
    -------
    int
        How many entities kept their words, as the method has no other for them.
    """
    keys = sorted(keys)
    renamed = {key: _renamed(key, model.items[key], how, seed, *purpose) for key in keys}
    taken = {item.name for key, item in model.items.items() if key not in renamed}
    unchanged = 0
    for key, (words, text, lang) in renamed.items():
        old = model.items[key]
        unchanged += words == old.words and not text
        changes: dict[str, object] = {"words": words}
        if how.what in ("both", "label") and old.label is not None:
            changes["label"] = text or " ".join(words)
            changes["lang"] = old.lang if lang is None else lang
        if how.what in ("both", "name"):
            name = safe_name(text) if text else local_part(old.kind, words)
            changes["name"] = free_name(name, taken)
        taken.add(str(changes.get("name", old.name)))
        model.change(key, **changes)
    return unchanged


class _New(NamedTuple):
    """An entity's new words, the text that is name and label alike, and another language."""

    words: Words
    text: str = ""
    lang: str | None = None


def _renamed(key: int, item: Item, how: Rename, seed: int, *purpose: object) -> _New:
    method, _, argument = how.method.partition(":")
    if method == "convention":
        return _New(item.words, _STYLES[argument](item.words))
    if method == "opaque_id":
        code = f"{_LETTERS[item.kind]}{key:07d}"
        return _New((code,), code)
    if method == "translate":
        stated = [s for s in item.synonyms if s.lang.partition("-")[0] == argument]
        return _stated(stated) or _New(_looked_up(item.words, argument), lang=argument)
    if method == "synonym":
        stated = [s for s in item.synonyms if s.lang == item.lang]
        return _stated(stated) or _New(_looked_up(item.words, "synonym"))
    if method == "abbrev":
        return _New(_looked_up(item.words, "abbreviation"))
    if method == "reorder":
        return _New(item.words[1:] + item.words[:1])
    if method == "drop_vowels":
        return _New(tuple(map(_without_vowels, item.words)))
    rng = stream(seed, how.method, key, *purpose)
    if method == "random":
        return _New(tuple(_letters(rng, len(word)) for word in item.words))
    return _New(_mistyped(item.words, how.edits, rng))


def _stated(names: Sequence[Label]) -> _New | None:
    """Return the first of the names that the ontology itself states, if it states any."""
    return _New(words_in(names[0].text), lang=names[0].lang) if names else None


def _looked_up(words: Words, column: str) -> Words:
    # a proper name, or a word of an ontology that is not ours: short for an abbreviation
    longest = 3 if column == "abbreviation" else None
    known = ((word, lexicon().get(word.casefold())) for word in words)
    return tuple(getattr(entry, column) if entry else word[:longest] for word, entry in known)


def _without_vowels(word: str) -> str:
    return word[:1] + "".join(c for c in word[1:] if c.lower() not in "aeiou")


def _letters(rng: Random, n: int) -> str:
    return "".join(rng.choice(string.ascii_lowercase) for _ in range(n))


def _mistyped(words: Words, edits: int, rng: Random) -> Words:
    text = " ".join(words)
    for _ in range(edits):
        at = rng.randrange(len(text))
        letter = rng.choice(string.ascii_lowercase)
        text = rng.choice(
            (
                text[:at] + letter + text[at:],
                text[:at] + text[at + 1 :] or letter,
                text[:at] + letter + text[at + 1 :],
                text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
            )
        )
    return tuple(text.split()) or words


_LETTERS = {Kind.CLASS: "C", Kind.PROPERTY: "P", Kind.INDIVIDUAL: "I"}

_STYLES: dict[str, Callable[[Words], str]] = {
    "camel": lambda words: "".join(word[:1].upper() + word[1:] for word in words),
    "snake": lambda words: "_".join(word.lower() for word in words),
    "kebab": lambda words: "-".join(word.lower() for word in words),
    "upper": lambda words: "_".join(word.upper() for word in words),
}
