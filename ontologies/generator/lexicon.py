"""Our own words to build names of: with a synonym, an abbreviation and three translations each."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

#: Languages that words are translated to.
LANGUAGES = ("de", "fr", "es")


@dataclass(frozen=True)
class Word:
    """A word of the lists: what it does in a name, and what else it is called."""

    role: str
    word: str
    synonym: str
    abbreviation: str
    de: str
    fr: str
    es: str


@cache
def lexicon() -> dict[str, Word]:
    """Return all words by the word itself.

    Examples
    --------
    >>> lexicon()["valve"].synonym, lexicon()["valve"].de
    ('tap', 'Ventil')
    """
    text = (files("ontologies") / "generator" / "words.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {row["word"]: Word(**row) for row in rows}


@cache
def words_of(role: str) -> tuple[str, ...]:
    """Return the words of a role (``modifier``, ``head``, ``verb``, ``noun``) in their order."""
    return tuple(word.word for word in lexicon().values() if word.role == role)


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a name: what stands between signs, and between humps.

    Examples
    --------
    >>> words_in("Cell of skin (2nd)"), words_in("hasDOINumber")
    (('Cell', 'of', 'skin', '2nd'), ('has', 'DOI', 'Number'))
    """
    apart = re.sub(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)
    return tuple(re.findall(r"[^\W_]+", apart)) or (text,)
