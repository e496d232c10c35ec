"""Two ontologies merged by an alignment: their OWL axioms, and entailments by a reasoner."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import pyoxigraph

from alignrank.common.errors import EvaluationError, LoadingError
from alignrank.common.files import sha256
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.loading import read_triples
from alignrank.ontologies.loading.entities import list_members
from alignrank.ontologies.loading.merging import Statement, statements
from alignrank.ontologies.loading.syntax import bracketed
from alignrank.ontologies.loading.triples import Triples
from alignrank.ontologies.ontology import Kind, Ontology
from alignrank.ontologies.vocabulary import OWL, RDF, RDFS

from .reachability import Link, Merged, merge

#: Java's memory in megabytes, and the seconds after which a reasoner is stopped.
MEMORY, TIMEOUT = 2000, 600.0

_IRI = re.compile("<([^>]+)>")
_AXIOM = re.compile(r"^(\w+)\( ((?:<[^>]+>\s*)+)\)$", re.MULTILINE)
#: Unsatisfiable classes and empty properties are equivalent to these.
_BOTTOM = {f"{OWL}{name}" for name in ("Nothing", "bottomObjectProperty", "bottomDataProperty")}
#: N-Triples name a blank node by any letters and digits, RDF/XML by those that begin with a letter.
#: Here and below, a pattern that begins with what it looks for is found twenty times as fast.
_BLANK_NODE = re.compile(rb"_:(?<![^\n ]_:)(?=\S+ )")
_PREDICATE = re.compile(rb"^\S+ <([^>]*)> ", re.MULTILINE)
#: How a predicate ends that has no XML name, as annotations of some files do; and its triples.
_NO_NAME = re.compile(rb"[^\w>.-][\d.-]*\Z")
_NO_XML_NAME = re.compile(rb"^\S+ <[^>]*[^\w>.-][\d.-]*> .*$\n?", re.MULTILINE)

#: How an IRI begins, unless it is relative; and the base that relative ones get for rustdl.
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:")
_RELATIVE = re.compile(rb"<(?<![^\n ]<)(?![A-Za-z][\w+.-]*:)")
_BASE = "relative:"

_PROPERTY_TYPES = {f"{OWL}{kind}Property" for kind in ("Object", "Datatype", "Annotation")}
_SAME = {Kind.CLASS: f"{OWL}equivalentClass", Kind.INDIVIDUAL: f"{OWL}sameAs"}
_OF_ITSELF = re.compile(rf"^(<[^>]*>) <{re.escape(OWL)}disjointWith> \1 \.\n".encode(), re.M)


def merged_axioms(merged: Merged, alignment: Alignment) -> bytes:
    """Return the axioms of both ontologies, of their imports and of the alignment as N-Triples.

    Parameters
    ----------
    merged
        The ontologies; their files are read again for the axioms that an `Ontology` does not hold.
        An ontology without a file contributes the axioms of the object.
    alignment
        Correspondences without a meaning (`alignrank.ontologies.loading.merging.statements`) add
        nothing.
        Both entities of each correspondence are declared.

    Raises
    ------
    EvaluationError
        If a file cannot be read again.
    """
    triples, types = _ontology_axioms(merged.source, merged.target)
    return triples + _lines(_axioms_of_alignment(merged, alignment, types))


# cached: a track has many alignments of two ontologies
@lru_cache(maxsize=2)
def _ontology_axioms(source: Ontology, target: Ontology) -> tuple[bytes, _PropertyTypes]:
    """Return the axioms of two ontologies as N-Triples, and the types of their properties."""
    without = Merged(source, target, Alignment())
    triples = Triples()
    for ontology in (source, target):
        if not ontology.path:
            continue
        for path in (ontology.path, *ontology.imported):
            try:
                read_triples(triples, path)
            except LoadingError as error:
                raise EvaluationError(
                    f"{path} cannot be read again for a reasoner: {error}; use reachability"
                ) from error
    types = _PropertyTypes(triples, without)
    added = [*_axioms_of_ontology(source, types), *_axioms_of_ontology(target, types)]
    added += _disjoint_properties(triples)
    # HermiT stops at a class that is disjoint with itself; `Ontology.empty` states it instead
    return _OF_ITSELF.sub(b"", triples.n_triples()) + _lines(added), types


def _lines(triples: Iterable[Statement]) -> bytes:
    return "".join("{} {} {} .\n".format(*map(_node, triple)) for triple in triples).encode()


class _PropertyTypes:
    """The types of the properties: OWL has axioms only for two properties of the same type."""

    def __init__(self, triples: Triples, merged: Merged) -> None:
        self._types: defaultdict[str, set[str]] = defaultdict(set)
        self._composite: set[str] = set()
        for iri, name in triples.links(f"{RDF}type"):
            if name in _PROPERTY_TYPES:
                self._types[iri].add(name)
            if name == f"{OWL}TransitiveProperty":
                self._composite |= merged.above(iri)
        for iri, _ in triples.links(f"{OWL}propertyChainAxiom"):
            self._composite |= merged.above(iri)

    def agree(self, first: str, second: str) -> bool:
        """Return whether two properties are of the same type."""
        return self._types[first] == self._types[second]

    def may_be_disjoint(self, first: str, second: str) -> bool:
        """Return whether OWL lets two properties be disjoint: annotations and chains may not."""
        annotation = f"{OWL}AnnotationProperty" in self._types[first] | self._types[second]
        composite = {first, second} & self._composite
        return self.agree(first, second) and not annotation and not composite


def _axioms_of_ontology(ontology: Ontology, types: _PropertyTypes) -> Iterator[Statement]:
    """Yield the axioms of an `Ontology`, which are all for one without a file."""
    kinds = {entity.iri: entity.kind for entity in ontology}
    for iri, kind in kinds.items():
        if kind is Kind.CLASS:
            yield iri, f"{RDF}type", f"{OWL}Class"
    for iri, above in ontology.parents.items():
        for parent in above:
            if kinds.get(iri) is Kind.CLASS:
                yield iri, f"{RDFS}subClassOf", parent
            elif kinds.get(iri) is Kind.PROPERTY and types.agree(iri, parent):
                yield iri, f"{RDFS}subPropertyOf", parent
    for first, second in ontology.equivalents:
        same = _SAME.get(kinds.get(first, Kind.CLASS), f"{OWL}equivalentProperty")
        if kinds.get(first) is kinds.get(second) and types.agree(first, second):
            yield first, same, second
    for group in ontology.disjoints:
        yield from _disjoint(group)
    for iri in ontology.empty:
        yield iri, f"{RDFS}subClassOf", f"{OWL}Nothing"
    for iri, classes in ontology.types.items():
        for parent in classes:
            yield iri, f"{RDF}type", parent


def _disjoint(group: Sequence[str]) -> Iterator[Statement]:
    """Yield axioms of disjoint classes; their number is linear in that of the classes.

    Each is disjoint with the union of those after it. (rustdl drops ``owl:AllDisjointClasses``.)
    """
    name = f"urn:alignrank:union:{sha256(' '.join(group).encode())}"
    union = group[-1]
    for place in range(len(group) - 2, -1, -1):
        yield group[place], f"{OWL}disjointWith", union
        if place:
            larger = f"{name}:{place}"
            yield larger, f"{RDF}type", f"{OWL}Class"
            yield group[place], f"{RDFS}subClassOf", larger
            yield union, f"{RDFS}subClassOf", larger
            union = larger


def _disjoint_properties(triples: Triples) -> Iterator[Statement]:
    """Yield each two members of ``owl:AllDisjointProperties``, which rustdl drops."""
    groups = {s for s, o in triples.links(f"{RDF}type") if o == f"{OWL}AllDisjointProperties"}
    first, tails = dict(triples.links(f"{RDF}first")), dict(triples.links(f"{RDF}rest"))
    for group, head in triples.links(f"{OWL}members"):
        if group in groups:
            for member, disjoint in combinations(list_members(head, first, tails), 2):
                yield member, f"{OWL}propertyDisjointWith", disjoint


def _node(name: str) -> str:
    return name if name.startswith("_:") else bracketed(name)


def _axioms_of_alignment(
    merged: Merged, alignment: Alignment, types: _PropertyTypes
) -> Iterator[Statement]:
    """Yield the axioms of an alignment, and first that both entities of each are declared."""
    for c in alignment:
        kinds = merged.kinds(c)
        if c.relation in ("=", "<", ">", "%") and set(kinds) <= {None, Kind.CLASS}:
            yield from ((iri, f"{RDF}type", f"{OWL}Class") for iri in c.pair)
        # OWL has no axiom that joins an object and a data property
        allowed = types.may_be_disjoint if c.relation == "%" else types.agree
        if allowed(*c.pair):
            yield from statements(c, kinds)


@dataclass(frozen=True)
class Classified:
    """The classification of an ontology by a reasoner.

    Parameters
    ----------
    inconsistent
        Whether it has no model.
    empty
        Classes and properties that cannot have an instance.
    links
        Pairs (lower, upper) of named entities: subsumptions and types, from which all others
        follow; equivalent entities are linked in a circle.
    cautions
        Why something may be missing.
    """

    inconsistent: bool
    empty: frozenset[str] = frozenset()
    links: tuple[tuple[str, str], ...] = ()
    cautions: tuple[str, ...] = ()


class Reasoned(Merged):
    """Entailments of O1 ∪ O2 ∪ A about named entities, by a reasoner's classification.

    They include those of `Merged`, and follow from all OWL axioms of the files and of their
    imports. Disjointness is read from the classified hierarchy, and identity of individuals from
    reachability: both are sound, but may be incomplete.

    Parameters
    ----------
    source, target
        The ontologies; their files are read again for the axioms that an `Ontology` does not hold.
    alignment
        As for `Merged`.
    reasoner
        ``rustdl``, which is an extra of alignrank, or ``HermiT``, which needs Java.

    Raises
    ------
    EvaluationError
        If the reasoner is not installed, a file cannot be read again, or the reasoner fails or
        takes longer than `TIMEOUT`.

    References
    ----------
    Glimm, Horrocks, Motik, Stoilos & Wang (2014), "HermiT: an OWL 2 reasoner".
    """

    def __init__(
        self, source: Ontology, target: Ontology, alignment: Alignment, reasoner: str = "HermiT"
    ) -> None:
        super().__init__(source, target, alignment)
        self.reasoner = reasoner
        self.alignment = alignment
        self._axioms = merged_axioms(self, alignment)
        self._classified = REASONERS[reasoner](self._axioms)
        self.cautions = self._classified.cautions
        for lower, upper in self._classified.links:
            self.links[lower].append(Link(upper))

    @cached_property
    def inconsistent(self) -> bool:
        """Whether the reasoner finds the merged ontologies inconsistent, or reachability does."""
        return self._classified.inconsistent or super().inconsistent

    @cached_property
    def empty(self) -> frozenset[str]:
        """Classes and properties that the reasoner, or reachability, finds without instances."""
        return self._classified.empty | super().empty

    def causes(self) -> dict[str, frozenset[Correspondence]]:
        """Return for each root unsatisfiable class correspondences that make it so together.

        A class is a root if no other unsatisfiable class makes it so. HermiT gives no reasons: with
        it they are those of reachability.
        """
        causes = merge(self.source, self.target, self.alignment).causes()
        if self.reasoner != "rustdl" or not self.unsatisfiable:
            return causes
        import rustdl  # late: an extra

        by_pair = {frozenset(c.pair): c for c in self.alignment}
        with _rdf_xml(self._axioms) as file:
            roots = sorted(map(_stated, rustdl.diagnose(file)[1]))
            unexplained = [root for root in roots if root not in causes]
            if not unexplained:
                return {root: causes[root] for root in roots}
            prepared = rustdl.prepare(file)
        for root in unexplained:
            axioms = prepared.justify(["unsat", root if _SCHEME.match(root) else _BASE + root])
            pairs = (frozenset(map(_stated, _IRI.findall(axiom))) for axiom in axioms)
            causes[root] = frozenset(by_pair[pair] for pair in pairs if pair in by_pair)
        return {root: causes[root] for root in roots}


def _by_hermit(triples: bytes) -> Classified:
    """Classify by HermiT, which owlready2 contains."""
    import owlready2  # late: it is slow, and only HermiT needs it

    java = shutil.which(owlready2.JAVA_EXE)
    if java is None:
        raise EvaluationError("HermiT needs Java, which is not here: install it, or rustdl")
    here = Path(owlready2.__file__).parent / "hermit"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "merged.nt"
        file.write_bytes(triples)
        # HermiT recurses deeply: with Java's own stack it dies on the anatomy track's ontologies
        command = [java, f"-Xmx{MEMORY}M", "-Xss512M"]
        command += ["-cp", f"{here}{os.pathsep}{here / 'HermiT.jar'}"]
        command += ["org.semanticweb.HermiT.cli.CommandLine", "-c", "-O", "-D", "-I"]
        # HermiT would stop at datatypes that OWL 2 lacks, such as xsd:date
        command += ["--ignoreUnsupportedDatatypes", file.as_uri()]
        try:
            process = subprocess.run(
                command,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise EvaluationError(f"HermiT has not finished after {TIMEOUT:g} seconds") from error
    if process.returncode == 0:
        return _hermit_hierarchy(process.stdout)
    message = process.stdout + process.stderr
    if "Inconsistent ontology" in message or "InconsistentOntologyException" in message:
        return Classified(inconsistent=True)
    first_line = message.strip().splitlines()[0] if message else "?"
    raise EvaluationError(f"HermiT failed: {first_line}")


def _hermit_hierarchy(output: str) -> Classified:
    """Read the axioms that HermiT prints."""
    empty = set[str]()
    links = list[tuple[str, str]]()
    for axiom, text in _AXIOM.findall(output):
        iris = _IRI.findall(text)
        if axiom.startswith("Equivalent"):
            if _BOTTOM & set(iris):
                empty.update(iris)
            links += _circle(iris)
        elif axiom.startswith("Sub") or axiom == "Type":
            links.append((iris[0], iris[1]))
    return Classified(False, frozenset(empty), tuple(links))


def _circle(iris: Sequence[str]) -> list[tuple[str, str]]:
    """Return links around a circle, which make entities equivalent."""
    return list(zip(iris, [*iris[1:], *iris[:1]], strict=True))


def _by_rustdl(triples: bytes) -> Classified:
    """Classify by rustdl: classes, the hierarchies of properties, and types of individuals."""
    import rustdl  # late: an extra

    links = list[tuple[str, str]]()
    try:
        with _rdf_xml(triples) as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they say what the cautions below say
            classes = rustdl.classify(
                file, per_pair_timeout_ms=0, global_timeout_ms=int(1000 * TIMEOUT)
            )
            if classes.inconsistent:
                return Classified(inconsistent=True)
            # those that are empty are below all others, and would be linked to each
            for iri in set(classes.classes).difference(classes.unsatisfiable):
                links += _circle(classes.equivalent_classes(iri))
                links += [(iri, upper) for upper in classes.direct_subsumers(iri)]
            hierarchies = [rustdl.object_property_hierarchy]
            if b"#DatatypeProperty>" in triples:  # each reads the whole file
                hierarchies.append(rustdl.data_property_hierarchy)
            for hierarchy in hierarchies:
                groups, subsumptions = hierarchy(file)
                links += [link for group in groups for link in _circle(group)]
                links += subsumptions
            for iri, types in rustdl.realize(file).items():
                links += [(iri, upper) for upper in types]
            dropped = rustdl.dropped_axioms(file)
    except rustdl.RustdlError as error:
        raise EvaluationError(f"rustdl failed: {error}") from error
    cautions = []
    if not classes.complete or classes.consistency_undetermined:
        cautions.append(f"rustdl did not finish in {TIMEOUT:g} seconds: more may follow")
    if dropped:
        kinds = ", ".join(f"{kind} ({number})" for kind, number in dropped.items())
        cautions.append(f"rustdl leaves out axioms that it cannot represent: {kinds}")
    return Classified(
        inconsistent=False,
        empty=frozenset(map(_stated, classes.unsatisfiable)),
        links=tuple((_stated(lower), _stated(upper)) for lower, upper in links),
        cautions=tuple(cautions),
    )


@contextmanager
def _rdf_xml(triples: bytes) -> Iterator[str]:
    """Write N-Triples as RDF/XML, which rustdl reads, into a file for the length of a block."""
    if any(map(_NO_NAME.search, set(_PREDICATE.findall(triples)))):
        triples = _NO_XML_NAME.sub(b"", triples)
    absolute = _RELATIVE.sub(b"<" + _BASE.encode(), _BLANK_NODE.sub(b"_:b", triples))
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/merged.rdf"
        try:
            parsed = pyoxigraph.parse(absolute, format=pyoxigraph.RdfFormat.N_TRIPLES)
            pyoxigraph.serialize(parsed, file, format=pyoxigraph.RdfFormat.RDF_XML)
        except SyntaxError as error:
            message = f"rustdl cannot read an IRI of the ontologies: {error}"
            raise EvaluationError(message) from error
        yield file


def _stated(iri: str) -> str:
    """Return an IRI as the ontology states it."""
    return iri.removeprefix(_BASE)


#: Functions that classify axioms, by the reasoner's name; the preferred one first.
REASONERS: dict[str, Callable[[bytes], Classified]] = {"rustdl": _by_rustdl, "HermiT": _by_hermit}


def installed_reasoner() -> str | None:
    """Return the name of the preferred reasoner that is installed, None if there is none."""
    if find_spec("rustdl") is not None:
        return "rustdl"
    if shutil.which("java") is not None:
        return "HermiT"
    return None


@lru_cache(maxsize=8)
def reasoned(source: Ontology, target: Ontology, alignment: Alignment) -> Merged:
    """Return the entailments by the preferred reasoner that is installed, or else by reachability.

    Cached: several measures need the same. Without a reasoner, or where it fails, `Merged.reasoner`
    is ``reachability``, and a caution says why.
    """
    reasoner = installed_reasoner()
    if reasoner is None:
        return Merged(source, target, alignment)
    try:
        return Reasoned(source, target, alignment, reasoner)
    except EvaluationError as error:
        merged = Merged(source, target, alignment)
        merged.cautions = (str(error),)
        return merged
