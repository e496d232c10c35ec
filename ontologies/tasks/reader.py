"""The alignments of one task: read as a user chose, and checked against their reference.

Whichever way alignments come in, alone or in a folder of tasks, `AlignmentReader` reads them and
`checked` checks them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from alignrank.common.errors import AlignmentError, Argument, Message, Words
from alignrank.common.files import FilePath, read_beginning
from alignrank.common.names import MutableTexts, Pair, Texts, count
from alignrank.common.results import Caution
from alignrank.ontologies.alignment import (
    PREDICATE,
    PREDICATES,
    RELATIONS,
    Alignment,
    Correspondence,
)
from alignrank.ontologies.formats import read_alignment
from alignrank.ontologies.formats.delimited import column_names
from alignrank.ontologies.ontology import Ontology, local_name, namespace
from alignrank.ontologies.vocabulary import Prefixes, UnknownPrefixError, expand

from .filters import Filter, filtered

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

    def system_or_fault(
        self, alignment: FilePath | Alignment, name: str
    ) -> tuple[Alignment, str | None]:
        """Return a system's alignment; or an empty one, and why it cannot be read."""
        try:
            return self.system(alignment, name), None
        except AlignmentError as fault:
            return Alignment(), str(fault)

    def reference(self, alignment: FilePath | Alignment) -> Alignment:
        """Return a reference, where only the chosen predicates count and ``%`` is a negation.

        Raises
        ------
        AlignmentError
            If the file cannot be read, has none of the predicates, or holds no correspondence of
            a known relation.
        """
        reference = with_counted(self._read(alignment), self.predicates)
        reference = reference.with_incompatible_negated()
        if set(reference.columns.relation) <= {"?"}:
            hint = "is it the reference alignment?"
            if predicates := ", ".join(counts_by_predicate(reference)):
                hint = f"choose {Argument('predicates')} among {predicates}"
            raise AlignmentError(f"{reference.path} holds no correspondence to judge by: {hint}")
        return reference

    def cautions_on(self, reference: Alignment) -> list[Caution]:
        """Return cautions on the correspondences of a reference that are nothing to find.

        Those that state only a predicate have no relation, and do not count: a caution says so if
        they are most of all and the user has chosen no predicates.
        """
        cautions = self._without_relation(reference)
        if "%" in reference.columns.relation:
            text = (
                "the reference holds no relation but % (incompatible), which is taken for what is "
                "to be found; beside other relations it would be wrong to assert"
            )
            cautions.append(Caution("negated", text))
        if reference.negated:
            denied = " and ".join(reference.negative_counts)
            text = f"the reference holds {denied}: nothing to find, and wrong to assert"
            cautions.append(Caution("negated", text))
        return cautions

    def _without_relation(self, reference: Alignment) -> list[Caution]:
        """Return a caution if most correspondences of a reference state only a predicate."""
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
    wanted = _wanted(alignment, names)
    return (_is_wanted(predicate_of(c), wanted) for c in alignment)


def _wanted(alignment: Alignment, names: Sequence[str]) -> set[str]:
    """Return names of predicates, and the IRIs that they stand for in an alignment."""
    prefixes = Prefixes.declared_by(alignment.name, alignment.metadata).namespaces
    wanted = set(names)
    for name in names:
        try:
            wanted.add(expand(name, prefixes))
        except UnknownPrefixError:
            continue
    return wanted


def _is_wanted(predicate: str, wanted: set[str]) -> bool:
    return bool(predicate) and (predicate in wanted or local_name(predicate) in wanted)


def _by_predicates(alignment: Alignment, names: Sequence[str], *, only: bool) -> Alignment:
    """Return the alignment where chosen predicates of no known relation state ``=``, or deny it.

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
    wanted = _wanted(alignment, names)
    chosen.negated = tuple(
        replace(n, relation="=")
        if n.relation not in RELATIONS and _is_wanted(n.predicate, wanted)
        else n
        for n in alignment.negated
    )
    chosen.notes = alignment.notes
    return chosen


@dataclass(frozen=True)
class CheckedAlignments:
    """The alignments of one task, checked and filtered.

    Parameters
    ----------
    systems, reference
        By system what it found, ``%`` as a negation and namespaces spelt as the reference's; and
        what is right.
    facts
        The cautions on the systems' files: names of systems, and a caution that does without them.
    foreign
        By system, why nothing of it could be right.
    respelt
        The systems by a namespace of theirs and the reference's, which differ in case only.
    left_out
        By system, the number of correspondences that filters leave out.
    filtering
        The cautions on namespaces and filters.
    """

    systems: Mapping[str, Alignment]
    reference: Alignment
    facts: Sequence[tuple[Sequence[str], Caution]]
    foreign: Mapping[str, str]
    respelt: Mapping[Pair, list[str]]
    left_out: Mapping[str, int]
    filtering: Sequence[Caution]

    @property
    def cautions(self) -> list[Caution]:
        """The cautions on the systems' files, which begin with the systems' names."""
        return [with_names(names, caution) for names, caution in self.facts]


def with_names(names: Sequence[str], caution: Caution) -> Caution:
    """Return a caution that begins with the names of systems, if there are any."""
    if not names:
        return caution
    return caution.after(f"{', '.join(names)}: ")


def checked(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    on_mismatch: str = "refuse",
    rules: Sequence[Filter] = (),
    ontologies: Iterable[Ontology | None] = (),
) -> CheckedAlignments:
    """Check the systems on one task against the reference, and filter both.

    Parameters
    ----------
    systems, reference
        Alignments by system, and what is right, as `AlignmentReader` reads them.
    on_mismatch
        A system whose entities are foreign to the reference is evaluated as it is, which is all
        wrong (``zero``), or left out (``drop``). With ``refuse`` the caller raises: the files
        belong to another task, or are swapped, and a score of zero would not say why.
    rules, ontologies
        As `filtered` takes them.
    """
    referred = _entities(reference)
    usable: dict[str, Alignment] = {}
    foreign: MutableTexts = {}
    respelt: dict[Pair, list[str]] = {}
    systems_by_caution: dict[Caution, list[str]] = {}
    facts: list[tuple[Sequence[str], Caution]] = []
    for name, read in systems.items():
        system, twins = _spelt_as(referred, read.with_incompatible_negated())
        for twin in twins.items():
            respelt.setdefault(twin, []).append(name)
        answered = _entities(system)
        reason = _foreign(answered, referred, reference.path)
        if reason:
            foreign[name] = reason
            text = f"all that {name} found counts as wrong: {reason}"
            if on_mismatch == "drop":
                text = f"{name} is left out: {reason}"
            facts.append(((), Caution("foreign", text, system=name)))
            if on_mismatch != "drop":
                usable[name] = system
            continue
        usable[name] = system
        if not system:
            text = f"no correspondence in {system.path}"
            facts.append(((name,), Caution("empty", text, system=name)))
        for role, entities, right_entities in zip(_ROLES, answered, referred, strict=True):
            if entities and entities.isdisjoint(right_entities):
                text = f"none of its {len(entities)} {role} entities occurs in the reference"
                facts.append(((name,), Caution("foreign", text, system=name)))
        if len(system) == len(reference) and system.keys == reference.keys:
            text = f"{name} holds just the reference alignment: is its file the reference?"
            facts.append(((), Caution("twin", text, system=name)))
        if reference.negated and (denied := len(system.keys & reference.denied)):
            text = f"{count(denied, 'correspondence')} that the reference negates: wrong"
            facts.append(((name,), Caution("negated", text, system=name)))
        facts += (((), Caution("mended", text, system=name)) for text in system.notes.mended)
        for caution in _reading_cautions(system):
            systems_by_caution.setdefault(caution, []).append(name)
    facts += ((names, caution) for caution, names in systems_by_caution.items())
    filtering = [Caution("respelt", respelling(*twin)) for twin in respelt.items()]
    remaining, reference, left_out_texts = filtered(usable, reference, rules, ontologies)
    filtering += (Caution("filtered", text) for text in left_out_texts)
    left_out = {name: len(usable[name]) - len(remaining[name]) for name in remaining}
    return CheckedAlignments(remaining, reference, facts, foreign, respelt, left_out, filtering)


def respelling(twin: Pair, names: Sequence[str]) -> str:
    """Return a sentence on files whose namespace is read as the reference's."""
    listed = ", ".join(names[:2]) + (", …" if len(names) > 2 else "")
    files = "1 file names" if len(names) == 1 else f"{len(names)} files name"
    fact = f"{files} {twin[0]} where the reference has {twin[1]} ({listed})"
    return f"{fact}: read as the reference's."


def _spelt_as(
    referred: tuple[set[str], set[str]], system: Alignment
) -> tuple[Alignment, MutableTexts]:
    """Return a system with the reference's namespaces, and those that differed in case only."""
    of_reference = {namespace(iri) for iri in referred[0] | referred[1]}
    unknown = set().union(*_entities(system)) - referred[0] - referred[1]
    folded = {space.casefold(): space for space in sorted(of_reference)}
    spaces = sorted({namespace(iri) for iri in unknown} - of_reference)
    twins = {space: folded[space.casefold()] for space in spaces if space.casefold() in folded}
    if not twins:
        return system, twins

    def mend(iri: str) -> str:
        space = namespace(iri)
        return twins.get(space, space) + iri[len(space) :]

    mended = system.renamed(mend, mend)
    mended.notes = system.notes
    return mended, twins


_ROLES = ("entity1", "entity2")


def _entities(alignment: Alignment) -> tuple[set[str], set[str]]:
    """Return the source entities and the target entities."""
    return set(alignment.columns.entity1), set(alignment.columns.entity2)


def _foreign(
    answered: tuple[set[str], set[str]], referred: tuple[set[str], set[str]], path: str
) -> str:
    """Return why nothing of a system could be right; '' where something could.

    Parameters
    ----------
    answered, referred
        Source and target entities of the system, and of the reference.
    path
        The reference's file.
    """
    # OBO's ontologies share one namespace: only the entities show that the sides are swapped
    swapped = bool(answered[0] & referred[1] and answered[1] & referred[0])
    for side, role in enumerate(_ROLES):
        if not answered[side] or not answered[side].isdisjoint(referred[side]):
            continue
        spaces, right_spaces = ({namespace(iri) for iri in x[side]} for x in (answered, referred))
        if spaces & right_spaces and not swapped:
            continue
        hint = "swapping source and target would not mend it; `alignrank check` says why"
        if answered[side] & referred[1 - side]:
            hint = "its sides are swapped: `alignrank check A B REFERENCE FILE --fix` mends that"
        addition = ""
        if not spaces & right_spaces:
            addition = ", nor their namespace,"
        return (
            f"none of its {len(answered[side])} {role} entities{addition} occurs in the "
            f"reference {path} (such as {min(answered[side])}); {hint}"
        )
    return ""


def _reading_cautions(system: Alignment) -> Iterator[Caution]:
    """Yield cautions on rows of a system that were changed while they were read."""
    if system.notes.duplicates:
        duplicates = count(system.notes.duplicates, "duplicate correspondence")
        yield Caution("merged", f"{duplicates} merged")
    if system.notes.clipped:
        largest = f"largest {system.notes.largest:g}"
        if 10 < system.notes.largest <= 100:
            largest += "; they look like percentages"
        confidences = count(system.notes.clipped, "confidence")
        yield Caution("clipped", f"{confidences} outside [0, 1] clipped ({largest})")
    if system.negated:
        text = f"{' and '.join(system.negative_counts)} not taken as answers"
        yield Caution("negated", text)
    for relation, n in sorted(system.notes.unknown_relations.items()):
        text = f"{count(n, 'cell')} with unknown relation {relation!r} taken as ?"
        yield Caution("unknown-relation", text)
