"""The cells of an alignment file: relation and confidence understood, faults mended or refused."""

from __future__ import annotations

import html
import math
import os
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from alignrank.common.errors import AlignmentError
from alignrank.common.files import FilePath, unpacked_name
from alignrank.common.names import Texts, first_of
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
    extra_of,
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


#: Entities that name none: MELT's null, and SSSOM's sssom:NoTermFound.
_NOTHING = {NO_TERM, "sssom:NoTermFound", "null", "Null", "NULL"}
_NO_ENTITIES = {*_NOTHING, ""}

#: A cell as its file states it: entity1, entity2, relation, confidence, what is said beyond, its
#: line, and whether it denies its relation, which is then a predicate.
_Cell = tuple[str, str, str | None, str | None, Extra, int, bool]


class _Meaning(NamedTuple):
    """The meaning of a relation's text.

    The text itself is kept where no relation is understood, and its predicate where that is not the
    usual one.
    """

    relation: str
    text: str | None = None
    predicate: str = ""


class Cells:
    """Gather the cells of one file and count the mends.

    Parameters
    ----------
    path
        The file, for error messages and as the alignment's path.
    name
        The alignment's; the file's stem where none is given.
    sha256
        Of the file's bytes.
    mended
        Mends that reading it as text needed, in sentences.
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
        columns: Texts | None = None,
    ) -> None:
        self.path = path
        self.columns: Texts = columns or {}
        #: Whether the confidences are labels: a cell with 0 or false is a negated correspondence.
        self.has_labels = False
        self._name = unpacked_name(path).stem.removesuffix(".sssom") if name is None else name
        self._sha256 = sha256
        self._mended = list(mended)
        self._cells: list[_Cell] = []
        self._unreadable: list[tuple[int, str]] = []

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
        """Note a mend in `line` and after it."""
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
        is_negated: bool = False,
    ) -> None:
        """Add one cell as the file states it; None where it states nothing (``=`` and 1.0).

        An empty relation is ``?``, but ``=`` in a file that states no relation at all.
        A cell with null for an entity is a no-match, as MELT writes it. A cell that is negated
        states that its relation, which is a predicate then, does not hold.
        """
        facts: dict[str, str] = {}
        for name, text in extra:
            if text and name.lower().replace(" ", "_").endswith(MODIFIER):
                self._unreadable.append((line, f"{name} is {text!r}: {_NEGATES}"))
            facts[name] = f"{facts[name]}; {text}" if name in facts else text
        beyond = extra_of(facts)
        self._cells.append((entity1, entity2, relation, confidence, beyond, line, is_negated))

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
        """Add cells that are given as columns.

        What is said beyond is given as the texts of each name, '' where nothing is said.
        """
        cells = zip(entity1, entity2, relation, confidence, lines, strict=True)
        for row, (source, target, stated, number, line) in enumerate(cells):
            facts = [(name, texts[row]) for name, texts in extra if texts[row]]
            self.add(source, target, stated, number, line=line, extra=facts)

    def _why_unreadable(self, cell: _Cell) -> str:
        """Return the fault of a cell that no reader can mend, '' where there is none."""
        entity1, entity2, _, confidence, *_ = cell
        for name, iri in (("entity1", entity1), ("entity2", entity2)):
            if not iri:
                return f"{name} of this cell is missing: name an entity by its IRI"
        if {entity1, entity2} <= _NO_ENTITIES:
            return "both entities are null: name one by its IRI"
        if confidence is not None and not math.isfinite(self._number(confidence)):
            return f"confidence {confidence.strip()!r} is not a number: write one in [0, 1]"
        return ""

    def _negation(self, cell: _Cell, meaning: _Meaning) -> NegatedCorrespondence:
        """Return the negation in a cell that denies its relation, has label 0, or is a no-match."""
        entity1, entity2, relation, confidence, extra, _, is_negated = cell
        facts = dict(extra)
        predicate = meaning.predicate or facts.pop(PREDICATE, "")
        if is_negated:
            predicate = relation or ""
        elif self._is_denied(confidence):
            usual = meaning.text or PREDICATES.get(meaning.relation, meaning.relation)
            predicate = predicate or usual
        else:
            # MELT states a no-match with = or with INCOMPAT
            predicate = (
                predicate or PREDICATES[meaning.relation if meaning.relation in ("<", ">") else "="]
            )
            if confidence is not None and self._number(confidence) != 1.0:
                facts.setdefault(CONFIDENCE, confidence.strip())
        entities = [NO_TERM if iri in _NOTHING else iri for iri in (entity1, entity2)]
        return negation(entities[0], entities[1], predicate, facts)

    def _is_denied(self, confidence: str | None) -> bool:
        return self.has_labels and confidence is not None and not verdict(confidence)

    def _not_read(self) -> AlignmentError:
        (line, reason), *further = sorted(self._unreadable, key=itemgetter(0))
        lines = [str(number) for number, _ in further if number != line]
        if lines:
            listed = first_of(dict.fromkeys(lines), _MOST_LINES)
            reason = f"{reason} (see {'line' if listed in lines else 'lines'} {listed} as well)"
        return self.error(line, reason)

    def _mend_some(self, sentence: str, lines: Sequence[int], total: int, advice: str = "") -> None:
        """Note that some of all cells, in these lines, are read in a certain way."""
        if lines:
            self.mend(lines[0], f"{sentence} (cells: {len(lines)} of {total}){advice}")

    def alignment(
        self,
        *,
        ontology1: str = "",
        ontology2: str = "",
        metadata: Texts | None = None,
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
        cells, self._cells = self._cells, []
        texts = {cell[2] for cell in cells}
        empty = {text for text in texts if text is not None and not text.strip()}
        # an empty relation is open, but in a file that states none at all it is =
        usual = "?" if texts - empty - {None} else "="
        meanings = {text: _meaning(usual if text in empty else text) for text in texts}
        numbers = {text: self._number(text) for text in {cell[3] for cell in cells}}
        denied = {text for text in numbers if self._is_denied(text)}
        unusual = denied.union(text for text in numbers if not math.isfinite(numbers[text]))
        stating: list[_Cell] = []
        negations: list[NegatedCorrespondence] = []
        denied_lines: list[int] = []
        for cell in cells:
            entity1, entity2, relation, confidence, _, line, is_negated = cell
            is_named = entity1 not in _NO_ENTITIES and entity2 not in _NO_ENTITIES
            if is_named and confidence not in unusual and not is_negated:
                stating.append(cell)
            elif reason := self._why_unreadable(cell):
                self._unreadable.append((line, reason))
            else:
                negations.append(self._negation(cell, meanings[relation]))
                denied_lines += [line] if confidence in denied else []
        if self._unreadable:
            raise self._not_read()
        size = len(stating)
        sources, targets, relations, stated, extra, lines, _ = (
            zip(*stating, strict=True) if size else [()] * 7
        )
        understood = [meanings[text] for text in relations]
        columns = Columns(
            list(sources),
            list(targets),
            [meaning.relation for meaning in understood],
            array("d", [min(max(0.0, numbers[text]), 1.0) for text in stated]),
            [meaning.text for meaning in understood],
            [None if 0.0 <= numbers[text] <= 1.0 else numbers[text] for text in stated],
            list(map(_with_predicate, extra, understood)),
        )
        silent = [line for line, text in zip(lines, stated, strict=True) if text is None]
        if usual == "?":
            unrelated = [line for line, text in zip(lines, relations, strict=True) if text in empty]
            sentence = "the relation is empty, and ? (not judged) is read"
            self._mend_some(sentence, unrelated, size)
        self._mend_some("pairs labelled 0 are read as negated", denied_lines, len(cells))
        if len(silent) < size:
            advice = ": state one in each"
            self._mend_some("no confidence is stated, and 1.0 is read", silent, size, advice)
        else:
            self._mended += [f"{self.path}: {text}" for text in unread_scores(columns.extra)]
        alignment = Alignment(
            columns=columns,
            ontology1=ontology1,
            ontology2=ontology2,
            name=self._name,
            path=os.fspath(self.path),
            sha256=self._sha256,
            metadata=metadata,
            has_confidences=not size or len(silent) < size,
            negated=(*negations, *negated),
        )
        unknown = Counter(filter(None, columns.stated_relation))
        used = {numbers[text] for text in set(stated)}
        alignment.notes = ReadingNotes(
            cells=len(cells),
            duplicates=len(cells) - len(alignment) - len(set(negations)),
            clipped=size - columns.stated_confidence.count(None),
            largest=max(used, default=math.nan),
            smallest=min(used, default=math.nan),
            unknown_relations=dict(sorted(unknown.items())),
            foreign=dict(sorted((foreign or {}).items())),
            mended=tuple(self._mended),
        )
        return alignment

    def _number(self, confidence: str | None) -> float:
        if confidence is None or self.has_labels:
            return 1.0
        return as_number(confidence)


def _meaning(text: str | None) -> _Meaning:
    """Return the meaning of the text that stands for a relation; None where nothing is stated."""
    stated = "=" if text is None else text.strip() or "?"
    relation = understood_relation(stated)
    if relation is None:
        return _Meaning("?", stated)
    is_unusual = "://" in stated and stated != PREDICATES.get(relation)
    return _Meaning(relation, predicate=stated if is_unusual else "")


def _with_predicate(extra: Extra, meaning: _Meaning) -> Extra:
    """Return the further facts of a cell, with the predicate that states its relation."""
    if not meaning.predicate:
        return extra
    return extra_of({**dict(extra), PREDICATE: meaning.predicate})


def negation(entity1: str, entity2: str, predicate: str, extra: Texts) -> NegatedCorrespondence:
    """Return the statement that a predicate does not hold between two entities."""
    relation = understood_relation(predicate) or predicate
    return NegatedCorrespondence(entity1, entity2, predicate, relation, extra_of(extra))
