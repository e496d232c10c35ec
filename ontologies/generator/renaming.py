"""Other names for the same things: typing errors, synonyms, translations, conventions, codes."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple

from ontologies.ontology import Kind, Label

from .lexicon import LANGUAGES, lexicon, words_in
from .model import Item, Model, free_name, safe_name
from .seed import local_part
from .spec import Rename
from .streams import stream

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
        return _stated(stated) or _New(_all_looked_up(item.words, argument), lang=argument)
    if method == "synonym":
        stated = [s for s in item.synonyms if s.lang == item.lang]
        return _stated(stated) or _New(_all_looked_up(item.words, "synonym"))
    if method == "abbrev":
        return _New(_all_looked_up(item.words, "abbreviation"))
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


def _all_looked_up(words: Words, column: str) -> Words:
    return tuple(_looked_up(word, column) for word in words)


def _looked_up(word: str, column: str) -> str:
    known = lexicon().get(word.casefold())
    if known is not None:
        return str(getattr(known, column))
    # a proper name, or a word of an ontology that is not ours: short for an abbreviation
    return word if column in (*LANGUAGES, "synonym") else word[:3]


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
