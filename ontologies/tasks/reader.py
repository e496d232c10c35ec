"""The alignment files of one evaluation, read by the columns and predicates that a user chose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from alignrank.common.errors import AlignmentError, Argument, Message, Words
from alignrank.common.files import FilePath, read_beginning
from alignrank.common.names import Texts
from alignrank.common.results import Caution
from alignrank.ontologies.alignment import PREDICATE, PREDICATES, Alignment, Correspondence
from alignrank.ontologies.formats import read_alignment
from alignrank.ontologies.formats.delimited import column_names
from alignrank.ontologies.ontology import local_name
from alignrank.ontologies.vocabulary import Prefixes, UnknownPrefixError, expand

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

    columns: Texts | None = None
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

    def system(self, alignment: FilePath | Alignment, name: str | None = None) -> Alignment:
        """Return a system's alignment, where chosen predicates of no known relation state ``=``."""
        return _by_predicates(self._read(alignment, name), self.predicates, only=False)

    def reference(self, alignment: FilePath | Alignment) -> Alignment:
        """Return a reference, where only the chosen predicates count.

        Raises
        ------
        AlignmentError
            If the file cannot be read, or has none of the predicates.
        """
        return with_counted(self._read(alignment), self.predicates)

    def cautions_on(self, reference: Alignment) -> list[Caution]:
        """Return a caution if most correspondences of a reference state only a predicate.

        Such a correspondence has no relation, and does not count. A user who has chosen predicates
        gets no caution.
        """
        left_open = reference.columns.relation.count("?")
        if self.predicates or 2 * left_open <= len(reference):
            return []
        # a ``?`` that the file itself states, without a predicate, is no reason for a caution
        unknown = reference.where(lambda c: c.relation == "?" and c.stated_relation is not None)
        if 2 * len(unknown) <= len(reference):
            return []
        text = Message(
            f"{len(unknown)} of {len(reference)} correspondences of the reference are "
            f"{' or '.join(counts_by_predicate(unknown))}, and are not judged: "
            f"{len(reference) - left_open} count (to count these, too: ",
            Argument("predicates", list(counts_by_predicate(reference))),
            ")",
        )
        return [Caution("predicates", text)]

    def _read(self, alignment: FilePath | Alignment, name: str | None = None) -> Alignment:
        if isinstance(alignment, Alignment):
            return alignment
        columns = self.columns
        if columns and self.elsewhere:
            titles = titles_of(Path(alignment))
            if titles.isdisjoint(columns.values()):
                columns = None
            else:  # without those that only other files have
                columns = {
                    role: title
                    for role, title in columns.items()
                    if title in titles or title not in self.elsewhere
                }
        return read_alignment(alignment, name=name, columns=columns)


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


def predicate_of(c: Correspondence) -> str:
    """Return the IRI of the predicate that states a correspondence, '' where there is none.

    Examples
    --------
    >>> predicate_of(Correspondence("a#x", "b#y", "="))
    'http://www.w3.org/2004/02/skos/core#exactMatch'
    """
    if c.stated_relation is not None:
        return c.stated_relation
    return dict(c.extra).get(PREDICATE) or PREDICATES.get(c.relation, "")


def counts_by_predicate(alignment: Alignment) -> Counter[str]:
    """Return the number of correspondences of each predicate, by its CURIE."""
    prefixes = Prefixes.declared_by(alignment.name, alignment.metadata)
    predicates = filter(None, map(predicate_of, alignment))
    return Counter(prefixes.curie(predicate) for predicate in predicates)


def with_counted(reference: Alignment, predicates: Sequence[str]) -> Alignment:
    """Return the reference where only chosen predicates count; without any, all do.

    A chosen predicate of no known relation states ``=``; what another predicate states is ``?``,
    unknown.

    Parameters
    ----------
    reference
        As it was read.
    predicates
        As IRIs, CURIEs or last parts of IRIs: ``skos:closeMatch`` or ``closeMatch``.

    Raises
    ------
    AlignmentError
        If no correspondence has one of the predicates; the message names those that there are.

    Examples
    --------
    >>> close = Correspondence("a#x", "b#x", "?", stated_relation="http://e.org#closeMatch")
    >>> reference = Alignment([close, Correspondence("a#y", "b#y")])
    >>> [c.relation for c in with_counted(reference, ["closeMatch"])]
    ['=', '?']
    """
    for name in predicates:
        if not any(_matching(reference, [name])):
            listed = ", ".join(
                f"{p} ({n})" for p, n in counts_by_predicate(reference).most_common()
            )
            raise AlignmentError(
                f"{Argument('predicates', Words(name))}: no correspondence of {reference.path} has "
                "this predicate: it "
                f"has {listed or 'none'}"
            )
    return _by_predicates(reference, predicates, only=True)


def _matching(alignment: Alignment, names: Sequence[str]) -> Iterator[bool]:
    """Yield for each correspondence whether its predicate is named."""
    prefixes = Prefixes.declared_by(alignment.name, alignment.metadata).namespaces
    wanted = set(names)
    for name in names:
        try:
            wanted.add(expand(name, prefixes))
        except UnknownPrefixError:
            continue
    for c in alignment:
        predicate = predicate_of(c)
        yield bool(predicate) and (predicate in wanted or local_name(predicate) in wanted)


def _by_predicates(alignment: Alignment, names: Sequence[str], *, only: bool) -> Alignment:
    """Return the alignment where chosen predicates of no known relation state ``=``.

    With `only`, what another predicate states is ``?``, unknown.
    """
    if not names:
        return alignment
    correspondences = []
    for c, is_chosen in zip(alignment, _matching(alignment, names), strict=True):
        relation = c.relation
        if is_chosen and relation == "?":
            relation = "="
        elif only and not is_chosen:
            relation = "?"
        if relation != c.relation:
            c = replace(c, relation=relation, stated_relation=predicate_of(c) or None)
        correspondences.append(c)
    chosen = alignment.with_correspondences(correspondences)
    chosen.notes = alignment.notes
    return chosen
