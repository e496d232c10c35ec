"""Other names for the same things: typing errors, synonyms, translations, conventions, codes."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from random import Random

from ..ontology import Kind
from .model import Item, Model
from .seed import local_part
from .spec import Rename
from .streams import stream
from .words import LANGUAGES, lexicon

Words = tuple[str, ...]


def rename(model: Model, keys: Iterable[int], how: Rename, seed: int, *purpose: object) -> None:
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
    """
    keys = sorted(keys)
    renamed = {key: _renamed(key, model.items[key], how, seed, *purpose) for key in keys}
    taken = {item.name for key, item in model.items.items() if key not in renamed}
    for key, (words, text) in renamed.items():
        old = model.items[key]
        changes: dict[str, object] = {"words": words}
        if how.what in ("both", "label") and old.label is not None:
            changes["label"] = text or " ".join(words)
            if how.method.startswith("translate:"):
                changes["lang"] = how.method.partition(":")[2]
        if how.what in ("both", "name"):
            changes["name"] = _free(text or local_part(old.kind, words), taken)
        taken.add(str(changes.get("name", old.name)))
        model.change(key, **changes)


def _free(name: str, taken: set[str]) -> str:
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def _renamed(key: int, item: Item, how: Rename, seed: int, *purpose: object) -> tuple[Words, str]:
    """Return an entity's new words, and the text that is name and label alike ('' for none)."""
    method, _, argument = how.method.partition(":")
    if method == "convention":
        return item.words, _STYLES[argument](item.words)
    if method == "opaque_id":
        code = f"{_LETTERS[item.kind]}{key:07d}"
        return (code,), code
    if method == "translate":
        return tuple(_looked_up(word, argument) for word in item.words), ""
    if method in ("synonym", "abbrev"):
        column = "synonym" if method == "synonym" else "abbreviation"
        return tuple(_looked_up(word, column) for word in item.words), ""
    if method == "reorder":
        return item.words[1:] + item.words[:1], ""
    if method == "drop_vowels":
        return tuple(map(_without_vowels, item.words)), ""
    rng = stream(seed, how.method, key, *purpose)
    if method == "random":
        return tuple(_letters(rng, len(word)) for word in item.words), ""
    return _mistyped(item.words, how.edits, rng), ""


def _looked_up(word: str, column: str) -> str:
    known = lexicon().get(word)
    if known is not None:
        return str(getattr(known, column))
    # a proper name, or a word of a target that was renamed before: short for an abbreviation
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
