"""Two ontologies merged by an alignment: what the reasoner HermiT finds."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment
from ontologies.common.inputs import read_input
from ontologies.errors import LoadingError
from ontologies.loading.conversion import readable
from ontologies.loading.syntax import recognise
from ontologies.ontology import Kind, Ontology
from ontologies.vocabulary import NO_BASE

from .merged import Link, Merged

if TYPE_CHECKING:
    from owlready2 import World

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_AXIOM = re.compile(r"^(\w+)\( ((?:<[^>]+>\s*)+)\)$", re.MULTILINE)
_PROPERTY_TYPES = ("ObjectProperty", "DatatypeProperty", "AnnotationProperty")


class Reasoned(Merged):
    """What O1 ∪ O2 ∪ A entails about named entities, by HermiT's classification.

    As `Merged`, and what follows from all OWL axioms of the two files. Java is needed; HermiT comes
    with owlready2. Disjointness is read off the classified hierarchy, and identity of individuals
    by reachability: both stay sound, and may miss some.

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
        output = _classify(_triples(self, alignment), memory, timeout)
        self._inconsistent = output is None
        self._impossible: set[str] = set()
        for axiom, text in _AXIOM.findall(output or ""):
            iris = re.findall(r"<([^>]+)>", text)
            if axiom.startswith("Equivalent"):
                if f"{_OWL}Nothing" in iris:
                    self._impossible.update(iris)
                for one, two in zip(iris, iris[1:] + iris[:1], strict=True):
                    self.links[one].append(Link(two))
            elif axiom.startswith("Sub") or axiom == "Type":
                self.links[iris[0]].append(Link(iris[1]))

    @cached_property
    def inconsistent(self) -> bool:
        """Whether HermiT finds the merged ontologies inconsistent."""
        return self._inconsistent

    @cached_property
    def unsatisfiable(self) -> frozenset[str]:
        """Named classes that HermiT finds equivalent to owl:Nothing."""
        return frozenset(c for c in self._named(Kind.CLASS) if c in self._impossible)


def _triples(merged: Merged, alignment: Alignment) -> bytes:
    """Both files' triples, what the ontologies hold, and the alignment, as N-Triples."""
    from owlready2 import World

    world = World()
    for number, ontology in enumerate((merged.source, merged.target)):
        if ontology.path:
            _parse(world, ontology, f"urn:alignrank:{number}#")
    ours = world.get_ontology("urn:alignrank:alignment#")
    for s, p, o in (
        *_stated(merged.source),
        *_stated(merged.target),
        *_told(merged, alignment, world),
    ):
        ours._add_obj_triple_spo(world._abbreviate(s), world._abbreviate(p), world._abbreviate(o))
    saved = io.BytesIO()
    world.save(saved, format="ntriples", filter=_no_imports)
    world.close()
    return saved.getvalue()


def _parse(world: World, ontology: Ontology, name: str) -> None:
    """Add a file's triples, made readable as the loader does it, whatever its format."""
    base = f"{NO_BASE}{quote(Path(ontology.path).name)}"
    try:
        data = read_input(ontology.path, LoadingError)
        content, _ = readable(data, recognise(data, ontology.path), ontology.path, base)
        world.get_ontology(name).graph.parse(io.BytesIO(content), default_base=base)
    except Exception as error:  # owlready2 raises whatever its parsers raise
        raise EvaluationError(
            f"{ontology.path} cannot be read again for HermiT: {error}; use reachability"
        ) from error


def _no_imports(graph: object, s: object, p: int, o: object, d: object) -> bool:
    from owlready2.base import owl_imports

    return bool(p != owl_imports)


Triple = tuple[str, str, str]


def _stated(ontology: Ontology) -> Iterator[Triple]:
    """Generate what an Ontology holds; that may come from imports, which the file lacks."""
    for entity in ontology:
        if entity.kind is Kind.CLASS:
            yield entity.iri, f"{_RDF}type", f"{_OWL}Class"
    for iri, above in ontology.parents.items():
        if iri in ontology and ontology.entities[iri].kind is Kind.CLASS:
            for parent in above:
                yield iri, f"{_RDFS}subClassOf", parent
    for one, two in ontology.disjoints:
        yield one, f"{_OWL}disjointWith", two
    for iri, classes in ontology.types.items():
        for parent in classes:
            yield iri, f"{_RDF}type", parent


def _told(merged: Merged, alignment: Alignment, world: World) -> Iterator[Triple]:
    """Generate what the alignment says."""
    for c in alignment:
        if not merged.translatable(c):
            continue
        kind = next((k for k in merged.kinds(c) if k is not None), Kind.CLASS)
        if kind in (Kind.PROPERTY, Kind.ANNOTATION_PROPERTY):
            if _property_type(world, c.entity1) != _property_type(world, c.entity2):
                continue  # OWL has no axiom that joins an object and a data property
            same, below = f"{_OWL}equivalentProperty", f"{_RDFS}subPropertyOf"
        elif kind is Kind.INDIVIDUAL and c.relation == "=":
            same, below = f"{_OWL}sameAs", ""
        else:
            same, below = f"{_OWL}equivalentClass", f"{_RDFS}subClassOf"
        one, two = c.pair
        yield {
            "=": (one, same, two),
            "<": (one, below, two),
            ">": (two, below, one),
            "%": (one, f"{_OWL}disjointWith", two),
            "InstanceOf": (one, f"{_RDF}type", two),
            "HasInstance": (two, f"{_RDF}type", one),
        }[c.relation]


def _property_type(world: World, iri: str) -> frozenset[str]:
    number = world._abbreviate(iri)
    is_a = world._abbreviate(f"{_RDF}type")
    return frozenset(
        t
        for t in _PROPERTY_TYPES
        if world._has_obj_triple_spo(number, is_a, world._abbreviate(f"{_OWL}{t}"))
    )


def _classify(triples: bytes, memory: int, timeout: float) -> str | None:
    """HermiT's classification as text, or None if the ontology is inconsistent."""
    import owlready2

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
        command += ["org.semanticweb.HermiT.cli.CommandLine", "-c", "-O", "-D", "-I", file.as_uri()]
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
