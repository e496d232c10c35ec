"""Two ontologies merged by an alignment: what the reasoner HermiT finds."""

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

_AXIOM = re.compile(r"^(\w+)\( ((?:<[^>]+>\s*)+)\)$", re.MULTILINE)
_PROPERTY_TYPES = {f"{OWL}{kind}Property" for kind in ("Object", "Datatype", "Annotation")}
_SAME = {Kind.CLASS: f"{OWL}equivalentClass", Kind.INDIVIDUAL: f"{OWL}sameAs"}
_OF_ITSELF = re.compile(rf"^(<[^>]*>) <{re.escape(OWL)}disjointWith> \1 \.\n".encode(), re.M)
#: What an impossible class and an empty property are equivalent to.
_BOTTOM = {f"{OWL}{name}" for name in ("Nothing", "bottomObjectProperty", "bottomDataProperty")}


class Reasoned(Merged):
    """What O1 ∪ O2 ∪ A entails about named entities, by HermiT's classification.

    As `Merged`, and what follows from all OWL axioms of the files and of their imports. Java is
    needed; HermiT comes with owlready2. Disjointness is read off the classified hierarchy, and
    identity of individuals by reachability: both stay sound, and may miss some.

    Parameters
    ----------
    source, target
        The ontologies; their files are read again for the axioms that an `Ontology` does not hold.
        One that was made in memory contributes what it holds.
    alignment
        As for `Merged`.
    memory
        Java's memory in megabytes.
    timeout
        Seconds after which HermiT is given up.

    Raises
    ------
    EvaluationError
        If Java is not there, a file cannot be read again, or HermiT fails.

    References
    ----------
    Glimm, Horrocks, Motik, Stoilos & Wang (2014), "HermiT: an OWL 2 reasoner".
    """

    def __init__(
        self,
        source: Ontology,
        target: Ontology,
        alignment: Alignment,
        *,
        memory: int = 2000,
        timeout: float = 600,
    ) -> None:
        super().__init__(source, target, alignment)
        output = _classify(_axioms(self, alignment), memory, timeout)
        self._inconsistent = output is None
        self._impossible: set[str] = set()
        for axiom, text in _AXIOM.findall(output or ""):
            iris = re.findall(r"<([^>]+)>", text)
            if axiom.startswith("Equivalent"):
                if _BOTTOM & set(iris):
                    self._impossible.update(iris)
                for one, two in zip(iris, iris[1:] + iris[:1], strict=True):
                    self.links[one].append(Link(two))
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
    """All that the files and their imports state, what the ontologies hold, and the alignment."""
    with closing(Triples()) as triples:
        for ontology in (merged.source, merged.target):
            for path in (ontology.path, *ontology.imported) if ontology.path else ():
                try:
                    read_triples(triples, path)
                except LoadingError as error:
                    raise EvaluationError(
                        f"{path} cannot be read again for HermiT: {error}; use reachability"
                    ) from error
        types = _PropertyTypes(triples, merged)
        ours = (
            *_stated(merged.source, types),
            *_stated(merged.target, types),
            *_told(merged, alignment, types),
        )
        lines = ("{} {} {} .\n".format(*map(_node, triple)) for triple in ours)
        # HermiT stops at what is disjoint with itself, of which `Ontology.empty` tells it
        return _OF_ITSELF.sub(b"", triples.n_triples()) + "".join(lines).encode()


class _PropertyTypes:
    """Which properties OWL lets an axiom join: two of objects, or two of data."""

    def __init__(self, triples: Triples, merged: Merged) -> None:
        self._types: defaultdict[str, set[str]] = defaultdict(set)
        for iri, name in triples.links(f"{RDF}type"):
            if name in _PROPERTY_TYPES:
                self._types[iri].add(name)
        composite = {s for s, o in triples.links(f"{RDF}type") if o == f"{OWL}TransitiveProperty"}
        composite |= {s for s, _ in triples.links(f"{OWL}propertyChainAxiom")}
        self._composite = {above for iri in composite for above in merged.above(iri)}

    def agree(self, one: str, two: str) -> bool:
        """Return whether two properties are of the same type."""
        return self._types[one] == self._types[two]

    def may_be_disjoint(self, one: str, two: str) -> bool:
        """Return whether OWL lets two properties be disjoint: annotations and chains may not."""
        annotation = f"{OWL}AnnotationProperty" in self._types[one] | self._types[two]
        return self.agree(one, two) and not annotation and not {one, two} & self._composite


def _stated(ontology: Ontology, types: _PropertyTypes) -> Iterator[Statement]:
    """Generate what an Ontology holds: all there is of one that was made in memory."""
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
    for one, two in ontology.equivalents:
        same = _SAME.get(kinds.get(one, Kind.CLASS), f"{OWL}equivalentProperty")
        if kinds.get(one) is kinds.get(two) and types.agree(one, two):
            yield one, same, two
    for group in ontology.disjoints:
        yield from _disjoint(group)
    for iri in ontology.empty:
        yield iri, f"{RDFS}subClassOf", f"{OWL}Nothing"
    for iri, classes in ontology.types.items():
        for parent in classes:
            yield iri, f"{RDF}type", parent


def _disjoint(group: Sequence[str]) -> Iterator[Statement]:
    """Generate that classes are disjoint: as a list, which grows with their number only."""
    if len(group) == 2:
        yield group[0], f"{OWL}disjointWith", group[1]
        return
    name = f"_:group{sha256(' '.join(group).encode())}"
    yield name, f"{RDF}type", f"{OWL}AllDisjointClasses"
    yield name, f"{OWL}members", f"{name}x0"
    for place, member in enumerate(group, start=1):
        yield f"{name}x{place - 1}", f"{RDF}first", member
        end = f"{RDF}nil" if place == len(group) else f"{name}x{place}"
        yield f"{name}x{place - 1}", f"{RDF}rest", end


def _node(name: str) -> str:
    return name if name.startswith("_:") else bracketed(name)


def _told(merged: Merged, alignment: Alignment, types: _PropertyTypes) -> Iterator[Statement]:
    """Generate what the alignment says."""
    for c in alignment:
        # OWL has no axiom that joins an object and a data property
        may = types.may_be_disjoint if c.relation == "%" else types.agree
        if may(*c.pair):
            yield from statements(c, merged.kinds(c))


def _classify(triples: bytes, memory: int, timeout: float) -> str | None:
    """HermiT's classification as text, or None if the ontology is inconsistent."""
    import owlready2  # slow: only who asks for HermiT waits for it

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
        command = [java, f"-Xmx{memory}M", "-Xss512M"]
        command += ["-cp", f"{here}{os.pathsep}{here / 'HermiT.jar'}"]
        command += ["org.semanticweb.HermiT.cli.CommandLine", "-c", "-O", "-D", "-I"]
        # such as xsd:date, of which OWL 2 knows nothing: else it stops at them
        command += ["--ignoreUnsupportedDatatypes", file.as_uri()]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise EvaluationError(
                f"HermiT has not finished after {timeout:g} seconds: give it more, or use "
                "reachability"
            ) from error
    if done.returncode == 0:
        return done.stdout
    message = done.stdout + done.stderr
    if "Inconsistent ontology" in message or "InconsistentOntologyException" in message:
        return None
    raise EvaluationError(f"HermiT failed: {message.strip().splitlines()[0] if message else '?'}")
