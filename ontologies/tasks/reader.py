"""The alignment files of one evaluation, read by the columns and predicates that a user chose."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from alignrank.common.files import read_beginning
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.formats import read_alignment
from alignrank.ontologies.formats.delimited import column_names
from alignrank.ontologies.formats.predicates import as_equivalences, judged_by

#: Bytes of a file in which the names of its columns are looked for.
BEGINNING = 1_000_000
_JSON = re.compile(r"\s*(\{|\[\s*[{\]])")
_KEY = re.compile(r'"([^"\\\n]*)"\s*:')


@dataclass(frozen=True)
class AlignmentReader:
    """Reads alignments by the columns of tables and the predicates that a user chose.

    Parameters
    ----------
    columns
        Names of columns by role, as `read_alignment` takes them.
    predicates
        The predicates of a reference that count; empty for those that state a relation.
    elsewhere
        Titles of chosen columns that a file may lack, because another one has them.
    """

    columns: Mapping[str, str] | None = None
    predicates: Sequence[str] = ()
    elsewhere: frozenset[str] = frozenset()

    def among(self, files: Iterable[Path]) -> AlignmentReader:
        """Return the reader of several files: a chosen column need be in one of them only.

        Where no file has it, the first file is refused when it is read.
        """
        if not self.columns:
            return self
        titles = set().union(*map(titles_of, files))
        return replace(self, elsewhere=frozenset(titles & set(self.columns.values())))

    def system(
        self, alignment: str | os.PathLike[str] | Alignment, name: str | None = None
    ) -> Alignment:
        """Return a system's alignment, where chosen predicates of no known relation state ``=``."""
        read = self._read(alignment, name)
        return as_equivalences(read, self.predicates) if self.predicates else read

    def reference(
        self, alignment: str | os.PathLike[str] | Alignment, name: str | None = None
    ) -> Alignment:
        """Return a reference, where only the chosen predicates count.

        Raises
        ------
        AlignmentError
            If the file cannot be read, or has none of the predicates.
        """
        read = self._read(alignment, name)
        return judged_by(read, self.predicates) if self.predicates else read

    def _read(self, alignment: str | os.PathLike[str] | Alignment, name: str | None) -> Alignment:
        if isinstance(alignment, Alignment):
            return alignment
        columns = self.columns
        if columns and self.elsewhere:
            columns = self._columns_in(columns, titles_of(Path(alignment)))
        return read_alignment(alignment, name=name, columns=columns)

    def _columns_in(self, columns: Mapping[str, str], titles: set[str]) -> dict[str, str]:
        """Return the chosen columns without those that only other files have."""
        if not titles & set(columns.values()):
            return {}
        return {
            role: title
            for role, title in columns.items()
            if title in titles or title not in self.elsewhere
        }


def titles_of(path: Path) -> set[str]:
    """Return the names of a table's columns, or of the fields of JSON, as a file begins."""
    if not path.is_file():  # a pipe can be read only once
        return set()
    return titles_in(read_beginning(path, BEGINNING).decode(errors="replace"))


def titles_in(text: str) -> set[str]:
    """Return the names of a table's columns, or of the fields of JSON, in a text.

    Examples
    --------
    >>> sorted(titles_in("old;new")), titles_in('{"entity1": "a"}')
    (['new', 'old'], {'entity1'})
    """
    if begins_as_json(text):
        return set(_KEY.findall(text))
    return {title.strip() for title in re.split(r"[\t,;|\"]+", column_names(text))}


def begins_as_json(text: str) -> bool:
    """Return whether a text begins as a JSON object, or as a list of them."""
    return _JSON.match(text) is not None
