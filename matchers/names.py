"""Names as the default matcher compares them: words, stems, keys, and the synonyms of WordNet."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from snowballstemmer import stemmer

from alignrank.common.errors import Argument, MatcherError
from alignrank.common.files import read_text
from alignrank.ontologies.ontology import LABEL

from .candidates import Side
from .settings import with_digits

Indices = NDArray[np.int64]

#: Words that name nothing: they are no stems, unless a name has no other words.
STOP_WORDS = frozenset(
    "a an and as at by for from has in is of on or the to with without".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W\d_]+|\d+")
#: Combining classes of vowels, the nukta, the voicing marks of kana, the virama, tones.
_SIGNS = {0, 7, 8, 9, *range(84, 133)}
_ENGLISH: Callable[[str], str] = lru_cache(maxsize=2**17)(stemmer("english").stemWord)


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name without accents; a name of signs only is one word.

    Letters and digits are different words, and numbers are digits (`with_digits`).

    Examples
    --------
    >>> words_of("Straße d'Été 12b"), words_of("Rib IV"), words_of("***")
    (('strasse', 'd', 'ete', '12', 'b'), ('rib', '4'), ('***',))
    """
    plain = name.casefold()
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in decomposed if not unicodedata.combining(c) or _is_sign(c))
    plain = with_digits(plain)
    # a sign is no letter to `_WORD`, but a part of its word
    letters = plain if plain.isascii() else "".join("a" if _is_sign(c) else c for c in plain)
    return tuple(plain[slice(*word.span())] for word in _WORD.finditer(letters)) or (name,)


def _is_sign(character: str) -> bool:
    """Return whether a mark makes another letter, as a vowel of Hindi or Thai; no accent does."""
    return (
        "\u0780" <= character < "\ufe00"
        and unicodedata.category(character) in ("Mc", "Mn")
        and unicodedata.combining(character) in _SIGNS
    )


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

    @property
    def numbers(self) -> list[str]:
        """Numbers in each name, in order."""
        return [" ".join(filter(str.isdigit, words)) for words in self.words]


def names_of(side: Side) -> Names:
    """Return the names of one side, in the order of its entities."""
    bearers = [(k, name) for k, names in enumerate(side.names) for name in names]
    scopes = np.array([scope for scopes in side.scopes for scope in scopes], dtype=str)
    owners = np.array([owner for owner, _ in bearers], dtype=np.int64)
    words = [words_of(name) for _, name in bearers]
    return Names(owners, scopes == LABEL, words, list(map(stems_of, words)))


#: Endings of the files that hold the sets of synonyms.
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")


@lru_cache(maxsize=1)
def read_wordnet(folder: str) -> Mapping[str, frozenset[str]]:
    """Return for each word all that share a meaning with it, itself included; phrases are left out.

    Parameters
    ----------
    folder
        The database files, as Linux distributions ship them (``/usr/share/wordnet``).

    Raises
    ------
    MatcherError
        If a file is missing, or is no file of WordNet.
    """
    synonyms: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for path in wordnet_files(folder):
        for number, line in enumerate(read_text(path, MatcherError).splitlines(), 1):
            if line.startswith("  "):  # the licence
                continue
            try:
                words = words_of_line(line)
            except (IndexError, ValueError):
                raise MatcherError(
                    f"wordnet: {path}, line {number} holds no set of synonyms: take the files of "
                    "WordNet's own database"
                ) from None
            for word in words:
                synonyms[word] |= words
    return synonyms


def wordnet_files(folder: str) -> list[Path]:
    """Return the files of WordNet's database that hold sets of synonyms.

    Raises
    ------
    MatcherError
        If one is missing.
    """
    paths = [Path(folder) / f"data.{part}" for part in PARTS_OF_SPEECH]
    for path in paths:
        if not path.is_file():
            raise MatcherError(
                f"{Argument('wordnet', folder)}: {path.name} is missing: name the folder of "
                "WordNet's database files (/usr/share/wordnet where a Linux distribution's package "
                "wordnet is installed)"
            )
    return paths


def words_of_line(line: str) -> frozenset[str]:
    """Return the words of a line of a data file: number, file, type, count of words, words.

    Examples
    --------
    >>> line = "00009147 29 v 03 spit_up 0 vomit(p) 1 Retch 0 001 @ 00008435 v 0000 | eject"
    >>> sorted(words_of_line(line))
    ['retch', 'vomit']
    """
    fields = line.split(" ")
    end = 4 + 2 * int(fields[3], 16)
    if not len(fields) > end > 4:
        raise ValueError(line)
    words = (word.partition("(")[0].lower() for word in fields[4:end:2])
    return frozenset(word for word in words if "_" not in word)
