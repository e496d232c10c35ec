"""What every alignment reader does with one cell: relation, confidence, and what was mended."""

from __future__ import annotations

import html
import math
import os
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress

from alignrank.common.errors import AlignmentError
from alignrank.common.files import FilePath, unpacked_name
from alignrank.common.names import first_of
from alignrank.ontologies.alignment import (
    CONFIDENCE,
    NO_TERM,
    PREDICATE,
    PREDICATES,
    Alignment,
    Columns,
    Extra,
    NegatedCorrespondence,
    ReadingNotes,
)

from .columns import are_labels, as_number, unread_scores, verdict

# Names are compared in lower case and without namespace, package and the ending "Relation", so
# that one word covers skos:exactMatch, its full IRI and Java's class names.
_NAMES = {
    "=": "equivalence equivalent equiv classmapping equivalentclass equivalentproperty sameas"
    " exactmatch",
    "<": "subsumedby subsumed subclassof subpropertyof subclass broadmatch",
    ">": "subsumes subsume superclass narrowmatch",
    "%": ">< disjointfrom disjoint disjointwith incompat",
    "InstanceOf": "instanceof type",
    "HasInstance": "hasinstance",
}
_MEANING = {name: relation for relation, names in _NAMES.items() for name in names.split()}
_MEANING |= {symbol: symbol for symbol in "=<>%?"}
_LAST_PART = re.compile(r"[^.#/:]+\Z")


@lru_cache(maxsize=1000)
def understood_relation(text: str) -> str | None:
    """Return the relation that `text` means, or None if it is not understood.

    Parameters
    ----------
    text
        A symbol (``=``, ``&lt;``), a word of the Alignment API, MELT or AML (``Equivalence``,
        ``fr.inrialpes.exmo.align.impl.rel.SubsumedRelation``), or an IRI or CURIE
        (``skos:exactMatch``).

    Returns
    -------
    str or None
        One of `alignrank.ontologies.alignment.RELATIONS`.

    Notes
    -----
    ``skos:narrowMatch`` says that entity2 is the narrower one, hence ``>``.

    Examples
    --------
    >>> [understood_relation(x) for x in ("&lt;", "skos:exactMatch", "SubsumedBy", "PartOf")]
    ['<', '=', '<', None]
    """
    # some writers escape twice, so that a second unescaping is due after the XML parser's
    text = html.unescape(text.strip())
    if text in _MEANING:
        return _MEANING[text]
    last = _LAST_PART.search(text)
    if last is None:
        return None
    return _MEANING.get(last.group().lower().removesuffix("relation"))


#: SSSOM's column that says Not. Only its own reader knows the predicate that is negated.
MODIFIER = "predicate_modifier"
#: So many lines that cannot be read are named beside the first.
_MOST_LINES = 10


_NEGATES = (
    "only SSSOM negates a correspondence (subject_id, predicate_id, predicate_modifier, object_id)"
)


class Cells:
    """Gather the cells of one file and count what had to be mended.

    Parameters
    ----------
    path
        The file, for error messages and as the alignment's path.
    name
        The alignment's; the file's stem where none is given.
    sha256
        Of the file's bytes.
    mended
        What had to be mended to read it as text, in sentences.
    columns
        Names of the columns that the user has chosen, by role.

    Examples
    --------
    >>> cells = Cells("a.rdf")
    >>> cells.add("http://a#x", "http://b#x", "PartOf", "62.9", line=3)
    >>> alignment = cells.alignment()
    >>> alignment.notes.clipped, dict(alignment.notes.unknown_relations)
    (1, {'PartOf': 1})
    """

    def __init__(
        self,
        path: FilePath,
        name: str | None = None,
        sha256: str = "",
        mended: tuple[str, ...] = (),
        columns: Mapping[str, str] | None = None,
    ) -> None:
        self.path = path
        self.columns: Mapping[str, str] = columns or {}
        #: Whether the confidences are labels: a cell with 0 or false is a negated correspondence.
        self.has_labels = False
        self._name = unpacked_name(path).stem.removesuffix(".sssom") if name is None else name
        self._sha256 = sha256
        self._mended = list(mended)
        self._found = Columns.of()
        self._negated: list[NegatedCorrespondence] = []
        self._unstated = array("q")  # the lines of cells without a confidence
        self._empty_relations: list[tuple[int, int]] = []  # their rows and lines
        self._states_relations = False
        self._unreadable: list[tuple[int, str]] = []
        self._denied: list[int] = []  # lines of cells labelled 0

    def look_for_labels(self, confidences: Sequence[str]) -> None:
        """Read a column of confidences as labels if it holds such, and was chosen.

        In a column called ``confidence`` or alike 0.0 and 1.0 are numbers: files of alignments
        that are written here hold them.
        """
        is_chosen = "confidence" in self.columns
        self.has_labels = are_labels(confidences) and (
            is_chosen or not any("." in text for text in set(confidences))
        )

    def error(self, line: int, reason: str) -> AlignmentError:
        """Return the error that says `reason` is wrong in `line` of the file."""
        return AlignmentError(f"{self._place(line)}: {reason}")

    def mend(self, line: int, sentence: str) -> None:
        """Note what had to be mended in `line` and after it."""
        self._mended.append(f"{self._place(line)}: {sentence}")

    def _place(self, line: int) -> str:
        """Return the file and the line; line 0 is that of triples, which have none."""
        if line:
            return f"{self.path}, line {line}"
        return str(self.path)

    def add(
        self,
        entity1: str,
        entity2: str,
        relation: str | None = None,
        confidence: str | None = None,
        *,
        line: int,
        extra: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Add one cell as the file states it; None where it states nothing (``=`` and 1.0).

        An empty relation is ``?``, but ``=`` in a file that states no relation at all.
        A cell with null for an entity is a no-match, as MELT writes it.
        """
        if not (entity1 and entity2) and self._lacks_an_entity(entity1, entity2, line):
            return
        facts = self._facts(extra, line) if extra else {}
        text = "=" if relation is None else relation.strip() or "?"
        is_empty = relation is not None and not relation.strip()
        self._states_relations |= relation is not None and not is_empty
        meaning = understood_relation(text)
        if meaning and "://" in text and text != PREDICATES.get(meaning):
            facts[PREDICATE] = text
        if self.has_labels and confidence is not None:
            if not verdict(confidence):
                predicate = facts.pop(PREDICATE, PREDICATES.get(meaning or "", text))
                self._denied.append(line)
                self.negate(entity1, entity2, predicate, line=line, extra=facts)
                return
            confidence = "1"
        if is_nothing(entity1) or is_nothing(entity2):
            # MELT states a no-match with = or with INCOMPAT
            usual = PREDICATES[meaning if meaning in ("<", ">") else "="]
            predicate = facts.pop(PREDICATE, usual)
            if confidence is not None and as_number(confidence) != 1.0:
                facts.setdefault(CONFIDENCE, confidence.strip())
            self.negate(entity1, entity2, predicate, line=line, extra=facts, confidence=confidence)
            return
        if is_empty:
            self._empty_relations.append((len(self._found.entity1), line))
        if confidence is None:
            self._unstated.append(line)
        stated = 1.0 if confidence is None else self._number(confidence, line)
        clipped = min(max(stated, 0.0), 1.0)
        found = self._found
        found.entity1.append(entity1)
        found.entity2.append(entity2)
        found.relation.append(meaning or "?")
        found.confidence.append(clipped)
        found.stated_relation.append(text if meaning is None else None)
        found.stated_confidence.append(stated if clipped != stated else None)
        found.extra.append(tuple(sorted(facts.items())) if facts else ())

    def extend(
        self,
        entity1: Sequence[str],
        entity2: Sequence[str],
        relation: Sequence[str | None],
        confidence: Sequence[str | None],
        *,
        lines: Sequence[int],
        extra: Sequence[tuple[str, Sequence[str]]] = (),
    ) -> None:
        """Add cells that are given as columns: `add` for each of them, but faster.

        What is said beyond is given as the texts of each name, '' where nothing is said. Cells of
        two entities with a known relation and a confidence in [0, 1] are added together. Where
        cells have to be mended, all are added one by one.
        """
        size = len(lines)
        columns = (entity1, entity2, relation, confidence, *(texts for _, texts in extra))
        if {size} != set(map(len, columns)):
            raise ValueError("the columns of cells must have one length")
        names = [name for name, _ in extra]
        numbers = _confidences(confidence)
        relations = {text: _plain_relation(text) for text in set(relation)}
        is_plain = (
            not self.has_labels
            and "" not in relations.values()
            and all(map(_is_plain_fact, names))
            and len(set(names)) == len(names)
            and all(map(_may_be_named, (entity1, entity2)))
        )
        if not is_plain or numbers is None:
            rows = zip(entity1, entity2, relation, confidence, lines, strict=True)
            for row, (source, target, text, number, line) in enumerate(rows):
                facts = [(name, texts[row]) for name, texts in extra if texts[row]]
                self.add(source, target, text, number, line=line, extra=facts)
            return
        self._states_relations |= relations.keys() != {None}
        if None in confidence:
            self._unstated.extend(compress(lines, (text is None for text in confidence)))
        found = self._found
        found.entity1.extend(entity1)
        found.entity2.extend(entity2)
        found.relation.extend(map(relations.__getitem__, relation))
        found.confidence.extend(numbers)
        found.stated_relation.extend([None] * size)
        found.stated_confidence.extend([None] * size)
        found.extra.extend(_facts_by_row(extra) if extra else [()] * size)

    def _facts(self, extra: Iterable[tuple[str, str]], line: int) -> dict[str, str]:
        """Return what is said beyond a correspondence, by its name."""
        facts: dict[str, str] = {}
        for key, words in extra:
            if not _is_plain_fact(key):
                self._unreadable.append((line, f"{key} is {words!r}: {_NEGATES}"))
            facts[key] = f"{facts[key]}; {words}" if key in facts else words
        return facts

    def negate(
        self,
        entity1: str,
        entity2: str,
        predicate: str,
        *,
        line: int,
        extra: Mapping[str, str],
        confidence: str | None = None,
    ) -> None:
        """Add a cell that states a predicate not to hold, or an entity to have no match."""
        if self._lacks_an_entity(entity1, entity2, line):
            return
        entities = [NO_TERM if is_nothing(iri) else iri for iri in (entity1, entity2)]
        if entities == [NO_TERM, NO_TERM]:
            self._unreadable.append((line, "both entities are null: name one by its IRI"))
            return
        if confidence is not None:
            self._number(confidence, line)
        self._negated.append(negation(entities[0], entities[1], predicate, extra))

    def _lacks_an_entity(self, entity1: str, entity2: str, line: int) -> bool:
        for name, iri in (("entity1", entity1), ("entity2", entity2)):
            if not iri:
                reason = f"{name} of this cell is missing: name an entity by its IRI"
                self._unreadable.append((line, reason))
                return True
        return False

    def _number(self, text: str, line: int) -> float:
        number = as_number(text)
        if not math.isfinite(number):
            reason = f"confidence {text.strip()!r} is not a number: write one in [0, 1]"
            self._unreadable.append((line, reason))
            return 1.0
        return number

    def _read_empty_relations(self) -> None:
        """Read empty relations as ``=`` in a file that states none; count those read as ``?``."""
        if not self._states_relations:
            for row, _ in self._empty_relations:
                self._found.relation[row] = "="
        elif self._empty_relations:
            _, line = self._empty_relations[0]
            cells = f"{len(self._empty_relations)} of {len(self._found.entity1)}"
            self.mend(line, f"the relation is empty, and ? (not judged) is read (cells: {cells})")

    def _not_read(self) -> AlignmentError:
        (line, reason), *further = self._unreadable
        lines = [str(number) for number, _ in further if number != line]
        if lines:
            reason = f"{reason} (see lines {first_of(dict.fromkeys(lines), _MOST_LINES)} as well)"
        return self.error(line, reason)

    def _silence(self) -> Iterator[str]:
        """Yield a sentence on cells without a confidence, and on what it may be instead."""
        size = len(self._found.extra)
        if len(self._unstated) == size:
            for sentence in unread_scores(self._found.extra):
                yield f"{self.path}: {sentence}"
        elif self._unstated:
            yield (
                f"{self._place(self._unstated[0])}: no confidence is stated, and 1.0 is read "
                f"(cells: {len(self._unstated)} of {size}): state one in each"
            )

    def alignment(
        self,
        *,
        ontology1: str = "",
        ontology2: str = "",
        metadata: Mapping[str, str] | None = None,
        foreign: Mapping[str, int] | None = None,
        negated: Iterable[NegatedCorrespondence] = (),
    ) -> Alignment:
        """Return the alignment of all cells; what `negated` holds is negated beside them.

        The alignment owns the cells from then on: this object holds none any more.

        Raises
        ------
        AlignmentError
            If cells cannot be read; it names the lines of the first.
        """
        if self._unreadable:
            raise self._not_read()
        self._read_empty_relations()
        if self._denied:
            cells = f"{len(self._denied)} of {len(self._found.entity1) + len(self._negated)}"
            self.mend(self._denied[0], f"pairs labelled 0 are read as negated (cells: {cells})")
        silence = tuple(self._silence())
        found = self._found
        self._found = Columns.of()
        size = len(found.entity1)
        alignment = Alignment(
            columns=found,
            ontology1=ontology1,
            ontology2=ontology2,
            name=self._name,
            path=os.fspath(self.path),
            sha256=self._sha256,
            metadata=metadata,
            has_confidences=not size or len(self._unstated) < size,
            negated=(*self._negated, *negated),
        )
        repeated = len(self._negated) - len(set(self._negated))
        clipped = size - found.stated_confidence.count(None)
        stated = found.confidence[:]
        if clipped:
            for row, number in enumerate(found.stated_confidence):
                if number is not None:
                    stated[row] = number
        unknown = Counter(text for text in found.stated_relation if text is not None)
        alignment.notes = ReadingNotes(
            cells=size + len(self._negated),
            duplicates=size - len(alignment) + repeated,
            clipped=clipped,
            largest=max(stated, default=math.nan),
            smallest=min(stated, default=math.nan),
            unknown_relations=dict(sorted(unknown.items())),
            foreign=dict(sorted((foreign or {}).items())),
            mended=(*self._mended, *silence),
        )
        return alignment


def _confidences(texts: Sequence[str | None]) -> list[float] | None:
    """Return the numbers that texts state, 1.0 where there is none; None unless all are plain.

    A plain number lies in [0, 1].
    """
    if "_" in "".join(filter(None, texts)):  # Python alone would read 1_0 as ten
        return None
    try:
        numbers = [1.0 if text is None else float(text) for text in texts]
    except ValueError:
        return None
    if all(0.0 <= number <= 1.0 for number in numbers):
        return numbers
    return None


def _facts_by_row(extra: Sequence[tuple[str, Sequence[str]]]) -> Iterator[Extra]:
    """Yield what each row says beyond, by name, of columns that have different names."""
    names, columns = zip(*sorted(extra), strict=True)
    for texts in zip(*columns, strict=True):
        yield tuple(fact for fact in zip(names, texts, strict=True) if fact[1])


def _plain_relation(text: str | None) -> str:
    """Return the relation that a text means; '' where more than that is to be kept of it."""
    if text is None:
        return "="
    meaning = understood_relation(text)
    is_usual = "://" not in text or text.strip() == PREDICATES.get(meaning or "")
    if meaning and is_usual:
        return meaning
    return ""


def _is_plain_fact(key: str) -> bool:
    """Return whether what is stated under a name leaves the correspondence as it is."""
    return not key.lower().replace(" ", "_").endswith(MODIFIER)


def _may_be_named(entities: Sequence[str]) -> bool:
    """Return whether each of these names an entity: none is missing, and none is `is_nothing`."""
    return _NOTHING.isdisjoint(entities) and set(map(len, entities)).isdisjoint((0, 4))


def is_nothing(entity: str) -> bool:
    """Return whether a file names no entity: MELT's null, or SSSOM's sssom:NoTermFound.

    Examples
    --------
    >>> [is_nothing(entity) for entity in ("null", "sssom:NoTermFound", "http://a#null")]
    [True, True, False]
    """
    return entity in _NOTHING or (len(entity) == 4 and entity.casefold() == "null")


_NOTHING = {NO_TERM, "sssom:NoTermFound"}


def negation(
    entity1: str, entity2: str, predicate: str, extra: Mapping[str, str]
) -> NegatedCorrespondence:
    """Return the statement that a predicate does not hold between two entities."""
    relation = understood_relation(predicate) or predicate
    return NegatedCorrespondence(
        entity1, entity2, predicate, relation, tuple(sorted(extra.items()))
    )
