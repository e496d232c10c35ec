"""WordNet: words that share a meaning, from its database files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from alignrank.common.errors import MatcherError
from alignrank.common.files import read_text

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
                f"wordnet: {path} is missing: name the folder of WordNet's database files "
                "(/usr/share/wordnet where a Linux distribution's package wordnet is installed)"
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
