"""Names as the default matcher compares them: words, stems and keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from snowballstemmer import stemmer

from alignrank.matchers.evidence import Side
from alignrank.ontologies.ontology import LABEL

Indices = NDArray[np.int64]

#: Words that name nothing: they are no stems, unless a name has no other words.
STOP_WORDS = frozenset(
    "a an and as at by for from has in is of on or the to with without".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W\d_]+|\d+")
_ENGLISH: Callable[[str], str] = lru_cache(maxsize=2**17)(stemmer("english").stemWord)


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name without accents; a name of signs only is one word.

    Letters and digits are different words.

    Examples
    --------
    >>> words_of("Straße d'Été 12b"), words_of("***")
    (('strasse', 'd', 'ete', '12', 'b'), ('***',))
    """
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return tuple(_WORD.findall(plain)) or (name,)


def stems_of(words: Sequence[str]) -> frozenset[str]:
    """Return the English stems of words without stop words; of all words if none is left.

    Examples
    --------
    >>> sorted(stems_of(["arteries", "of", "the", "heart"])), sorted(stems_of(["of"]))
    (['arteri', 'heart'], ['of'])
    """
    content = [word for word in words if word not in STOP_WORDS]
    return frozenset(map(_ENGLISH, content or words))


@dataclass(frozen=True, eq=False)
class Names:
    """The names of the entities of one kind in one ontology.

    Parameters
    ----------
    owners
        Position of the entity that bears each name.
    is_label
        Whether each name is a label.
    words
        Words of each name.
    stems
        Stems of each name.
    """

    owners: Indices
    is_label: NDArray[np.bool_]
    words: list[tuple[str, ...]]
    stems: list[frozenset[str]]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def keys(self) -> list[str]:
        """Words of each name without spaces: equal names have equal keys."""
        return ["".join(words) for words in self.words]

    @property
    def bags(self) -> list[str]:
        """Stems of each name in alphabetical order."""
        return [" ".join(sorted(stems)) for stems in self.stems]


def names_of(side: Side) -> Names:
    """Return the names of one side, in the order of its entities."""
    bearers = [(k, name) for k, names in enumerate(side.names) for name in names]
    scopes = np.array([scope for scopes in side.scopes for scope in scopes], dtype=str)
    words = [words_of(name) for _, name in bearers]
    owners = np.array([owner for owner, _ in bearers], dtype=np.int64)
    return Names(owners, scopes == LABEL, words, list(map(stems_of, words)))
