"""Two ontologies merged by an alignment: entailments by the reasoner HermiT."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path

from alignrank.common.errors import EvaluationError, LoadingError
from alignrank.common.files import sha256
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.loading import read_triples
from alignrank.ontologies.loading.syntax import bracketed
from alignrank.ontologies.loading.triples import Triples
from alignrank.ontologies.merging import Statement, statements
from alignrank.ontologies.ontology import Kind, Ontology
from alignrank.ontologies.vocabulary import OWL, RDF, RDFS

from .reachability import Link, Merged

#: Java's memory in megabytes, and the seconds after which HermiT is stopped.
MEMORY, TIMEOUT = 2000, 600.0

_AXIOM = re.compile(r"^(\w+)\( ((?:<[^>]+>\s*)+)\)$", re.MULTILINE)
_PROPERTY_TYPES = {f"{OWL}{kind}Property" for kind in ("Object", "Datatype", "Annotation")}
_SAME = {Kind.CLASS: f"{OWL}equivalentClass", Kind.INDIVIDUAL: f"{OWL}sameAs"}
_OF_ITSELF = re.compile(rf"^(<[^>]*>) <{re.escape(OWL)}disjointWith> \1 \.\n".encode(), re.M)
#: Unsatisfiable classes and empty properties are equivalent to these.
_BOTTOM = {f"{OWL}{name}" for name in ("Nothing", "bottomObjectProperty", "bottomDataProperty")}


class Reasoned(Merged):
    """Entailments of O1 ∪ O2 ∪ A about named entities, by HermiT's classification.

    They include those of `Merged`, and follow from all OWL axioms of the files and of their
    imports. Java is needed; owlready2 contains HermiT. Disjointness is read from the classified
    hierarchy, and identity of individuals from reachability: both are sound, but may be incomplete.

    Parameters
    ----------
    source, target
        The ontologies; their files are read again for the axioms that an `Ontology` does not hold.
        An ontology without a file contributes the axioms of the object.
    alignment
        As for `Merged`.

    Raises
    ------
    EvaluationError
        If Java is not installed, a file cannot be read again, or HermiT fails or takes longer than
        `TIMEOUT`.

    References
    ----------
    Glimm, Horrocks, Motik, Stoilos & Wang (2014), "HermiT: an OWL 2 reasoner".
    """

    def __init__(self, source: Ontology, target: Ontology, alignment: Alignment) -> None:
        super().__init__(source, target, alignment)
        output = _classify(_axioms(self, alignment))
        self._inconsistent = output is None
        self._impossible: set[str] = set()
        for axiom, text in _AXIOM.findall(output or ""):
            iris = re.findall(r"<([^>]+)>", text)
            if axiom.startswith("Equivalent"):
                if _BOTTOM & set(iris):
                    self._impossible.update(iris)
                # a circle of links makes them equivalent
                for iri, following in zip(iris, iris[1:] + iris[:1], strict=True):
                    self.links[iri].append(Link(following))
            elif axiom.startswith("Sub") or axiom == "Type":
                self.links[iris[0]].append(Link(iris[1]))

    @cached_property
    def inconsistent(self) -> bool:
        """Whether HermiT finds the merged ontologies inconsistent, or reachability does."""
        return self._inconsistent or super().inconsistent

    @cached_property
    def empty(self) -> frozenset[str]:
        """Classes and properties that HermiT finds without instances, or reachability does."""
        return frozenset(self._impossible) | super().empty


def _axioms(merged: Merged, alignment: Alignment) -> bytes:
    """Return the triples of the files and their imports, of the ontologies, and the alignment."""
    with closing(Triples()) as triples:
        for ontology in (merged.source, merged.target):
            if not ontology.path:
                continue
            for path in (ontology.path, *ontology.imported):
                try:
                    read_triples(triples, path)
                except LoadingError as error:
                    raise EvaluationError(
                        f"{path} cannot be read again for HermiT: {error}; use reachability"
                    ) from error
        types = _PropertyTypes(triples, merged)
        added = (
            *_axioms_of_ontology(merged.source, types),
            *_axioms_of_ontology(merged.target, types),
            *_axioms_of_alignment(merged, alignment, types),
        )
        lines = ("{} {} {} .\n".format(*map(_node, triple)) for triple in added)
        # HermiT stops at a class that is disjoint with itself; `Ontology.empty` states it instead
        return _OF_ITSELF.sub(b"", triples.n_triples()) + "".join(lines).encode()


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
    """Yield that classes are disjoint: as a list, whose length is linear in their number."""
    if len(group) == 2:
        yield group[0], f"{OWL}disjointWith", group[1]
        return
    name = f"_:group{sha256(' '.join(group).encode())}"
    yield name, f"{RDF}type", f"{OWL}AllDisjointClasses"
    yield name, f"{OWL}members", f"{name}x0"
    nodes = [f"{name}x{place}" for place in range(len(group))]
    following = [*nodes[1:], f"{RDF}nil"]
    for node, member, tail in zip(nodes, group, following, strict=True):
        yield node, f"{RDF}first", member
        yield node, f"{RDF}rest", tail


def _node(name: str) -> str:
    return name if name.startswith("_:") else bracketed(name)


def _axioms_of_alignment(
    merged: Merged, alignment: Alignment, types: _PropertyTypes
) -> Iterator[Statement]:
    """Yield the axioms of an alignment."""
    for c in alignment:
        # OWL has no axiom that joins an object and a data property
        allowed = types.may_be_disjoint if c.relation == "%" else types.agree
        if allowed(*c.pair):
            yield from statements(c, merged.kinds(c))


def _classify(triples: bytes) -> str | None:
    """Return HermiT's classification as text, or None if the ontology is inconsistent."""
    import owlready2  # late: it is slow, and only HermiT needs it

    java = shutil.which(owlready2.JAVA_EXE)
    if java is None:
        raise EvaluationError(
            "semantic measures by HermiT need Java, which is not here: install it, or use "
            "reachability"
        )
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
        return process.stdout
    message = process.stdout + process.stderr
    if "Inconsistent ontology" in message or "InconsistentOntologyException" in message:
        return None
    first_line = message.strip().splitlines()[0] if message else "?"
    raise EvaluationError(f"HermiT failed: {first_line}")
