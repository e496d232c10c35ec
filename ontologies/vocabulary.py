"""IRIs of the vocabularies that ontologies are written in; CURIEs, and usual prefixes."""

from __future__ import annotations

import re

from alignrank.common.errors import AlignmentError
from alignrank.common.files import parse_json
from alignrank.common.names import MutableTexts, Texts

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOS_XL = "http://www.w3.org/2008/05/skos-xl#"
SWRL = "http://www.w3.org/2003/11/swrl#"
#: Bio-ML's annotation: false where a class is in the file but not to be matched.
USE_IN_ALIGNMENT = "http://oaei.ontologymatching.org/bio-ml/ann/use_in_alignment"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
ALIGNMENT = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
EXTENSION = "http://exmo.inrialpes.fr/align/ext/1.0/"
SSSOM = "https://w3id.org/sssom/"
OBO = "http://purl.obolibrary.org/obo/"
IAO = f"{OBO}IAO_"

#: Namespaces whose terms are the language and never the content of an ontology. That of alignments
#: is one, so that an alignment is not taken for an ontology of cells.
LANGUAGE = (RDF, RDFS, OWL, XSD, SKOS, SKOS_XL, SWRL, ALIGNMENT)

LABELS = (f"{RDFS}label", f"{SKOS}prefLabel", f"{SKOS_XL}prefLabel")

#: Scope of the synonyms by predicate; '' where it states none. skos:hiddenLabel holds misspellings
#: and is left out.
SYNONYMS = {
    f"{SKOS}altLabel": "",
    f"{SKOS_XL}altLabel": "",
    f"{OBO_IN_OWL}hasSynonym": "",
    f"{IAO}0000118": "",  # alternative term
    "http://www.ebi.ac.uk/efo/alternative_term": "",
    f"{OBO_IN_OWL}hasExactSynonym": "exact",
    f"{OBO_IN_OWL}hasRelatedSynonym": "related",
    f"{OBO_IN_OWL}hasBroadSynonym": "broad",
    f"{OBO_IN_OWL}hasNarrowSynonym": "narrow",
}

#: How a deprecated entity names the one that stands for it now.
REPLACED_BY = (f"{IAO}0100001", "http://purl.org/dc/terms/isReplacedBy")
#: Entities that may stand for a deprecated one, and the identifiers of entities merged into one.
CONSIDER, ALTERNATIVE_ID = f"{OBO_IN_OWL}consider", f"{OBO_IN_OWL}hasAlternativeId"

#: Texts that say what an entity is.
DEFINITIONS = (
    f"{SKOS}definition",
    f"{IAO}0000115",
    f"{OBO_IN_OWL}hasDefinition",
    f"{RDFS}comment",
)

#: How a node that stands for a label, a synonym or a definition holds its text.
NODE_TEXTS = (f"{RDFS}label", f"{SKOS_XL}literalForm", f"{RDF}value")

#: What no XML 1.0 file holds.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

#: Base of relative IRIs in a file that states none.
NO_BASE = "file:///"

#: Namespaces and the prefixes that people write for them, by Bioregistry (bioregistry.io, 2025);
#: those of OBO follow from its IRIs.
PREFERRED = {
    "http://www.ebi.ac.uk/efo/EFO_": "EFO",
    "http://www.orpha.net/ORDO/Orphanet_": "Orphanet",
    "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#": "NCIT",
    "http://snomed.info/id/": "SNOMEDCT",
    "http://purl.bioontology.org/ontology/SNOMEDCT/": "SNOMEDCT",
    "http://id.nlm.nih.gov/mesh/": "MESH",
    "http://purl.bioontology.org/ontology/MESH/": "MESH",
    "http://purl.bioontology.org/ontology/RXNORM/": "RXNORM",
    "http://purl.bioontology.org/ontology/ICD10CM/": "ICD10CM",
    "http://purl.org/sig/ont/fma/fma": "FMA",
    "http://purl.org/sig/ont/fma/": "FMA",
    "http://semanticscience.org/resource/SIO_": "SIO",
    "http://semanticscience.org/resource/CHEMINF_": "CHEMINF",
    "http://www.bioassayontology.org/bao#BAO_": "BAO",
    "http://edamontology.org/": "edam",
    "http://aims.fao.org/aos/agrovoc/": "agrovoc",
    "http://eurovoc.europa.eu/": "eurovoc",
    "http://id.loc.gov/authorities/subjects/": "lcsh",
    "https://d-nb.info/gnd/": "gnd",
    "http://dbpedia.org/ontology/": "dbo",
    "http://schema.org/": "schema",
    "https://schema.org/": "schema",
    "http://www.wikidata.org/entity/": "wikidata",
    "http://www.ontology-of-units-of-measure.org/resource/om-2/": "om",
    "http://qudt.org/schema/qudt/": "qudt",
    "http://xmlns.com/foaf/0.1/": "foaf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://www.w3.org/ns/prov#": "prov",
    "http://www.w3.org/ns/dcat#": "dcat",
    OBO_IN_OWL: "oboInOwl",
}
_OBO_NAME = re.compile(rf"{re.escape(OBO)}[A-Za-z][A-Za-z0-9]*_(?=\w+\Z)")
_LONGEST_FIRST = sorted(PREFERRED, key=len, reverse=True)


def preferred_namespace(iri: str) -> tuple[str, str]:
    """Return the namespace of an IRI and the prefix that people write for it, else two ''.

    Examples
    --------
    >>> preferred_namespace("http://purl.obolibrary.org/obo/XAO_0000006")
    ('http://purl.obolibrary.org/obo/XAO_', 'XAO')
    """
    if match := _OBO_NAME.match(iri):
        return match[0], match[0][len(OBO) : -1]
    namespace = next((n for n in _LONGEST_FIRST if iri.startswith(n) and n != iri), "")
    return namespace, PREFERRED.get(namespace, "")


def preferred_curie(iri: str) -> str:
    """Return the CURIE that people write for an IRI, or the IRI itself.

    Examples
    --------
    >>> preferred_curie("http://snomed.info/id/80891009"), preferred_curie("http://e.org/a")
    ('SNOMEDCT:80891009', 'http://e.org/a')
    """
    namespace, prefix = preferred_namespace(iri)
    if prefix:
        return f"{prefix}:{iri[len(namespace) :]}"
    return iri


#: Prefixes that SSSOM lets every file use.
BUILT_IN = {
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": SSSOM,
}
_CURIE = re.compile(r"[\w.-]+:(?!//)")
_IRI_SCHEMES = {"http", "https", "urn", "file", "ftp", "mailto", "tag", "info", "doi"}
_NO_PREFIX = {"owl", "rdf", "www", "com", "org", "net", "ontology"}


class UnknownPrefixError(ValueError):
    """A CURIE whose prefix nobody declared."""


def expand(text: str, prefixes: Texts) -> str:
    """Return the IRI of a CURIE; what is no CURIE is returned as it is.

    Raises
    ------
    UnknownPrefixError
        If the prefix is in none of `prefixes`, and is no scheme of IRIs either.

    Examples
    --------
    >>> expand("skos:exactMatch", BUILT_IN), expand("urn:x:y", BUILT_IN)
    ('http://www.w3.org/2004/02/skos/core#exactMatch', 'urn:x:y')
    >>> expand("3d-met:B1", {"3d-met": "http://e.org/"})
    'http://e.org/B1'
    """
    prefix, colon, name = text.partition(":")
    if not colon or name.startswith("//"):
        return text
    if prefix in prefixes:
        return prefixes[prefix] + name
    if _CURIE.match(text) and prefix.lower() not in _IRI_SCHEMES:
        raise UnknownPrefixError(
            f"the prefix {prefix!r} of {text} is not in the curie_map: add it there, or to the "
            "file of metadata beside the table"
        )
    return text


def declared_prefixes(name: str, metadata: Texts) -> MutableTexts:
    """Return the prefixes, with namespaces, that an alignment of this name has in its metadata.

    Raises
    ------
    AlignmentError
        If the metadata ``curie_map`` is no JSON object of texts.
    """
    try:
        prefixes = parse_json(metadata.get("curie_map", "{}"))
    except ValueError:
        prefixes = None
    if not isinstance(prefixes, dict) or not all(isinstance(n, str) for n in prefixes.values()):
        raise AlignmentError(
            f"alignment {name!r}: its metadata curie_map must be a JSON object of prefixes and "
            "namespaces"
        )
    return prefixes


class Prefixes:
    """CURIEs for IRIs: by declared prefixes, else by those that people write, else by new ones.

    A new prefix is its namespace's last word. It is numbered where it is taken.

    Parameters
    ----------
    declared
        Namespace by prefix.

    Examples
    --------
    >>> prefixes = Prefixes({"HP": "http://e.org/HP_"})
    >>> prefixes.curie("http://e.org/HP_1")
    'HP:1'
    >>> prefixes.curie("http://mouse.owl#MA_1"), prefixes.curie("http://e.org/mouse/1")
    ('mouse:MA_1', 'mouse2:1')
    """

    def __init__(self, declared: Texts | None = None) -> None:
        own = dict(declared or {})
        # two prefixes of a namespace are an error for SSSOM's tools; justifications need semapv
        built_in = {
            p: n for p, n in BUILT_IN.items() if n not in own.values() or p in (*own, "semapv")
        }
        #: Namespace by prefix.
        self.namespaces = built_in | own
        self._by_namespace: MutableTexts = {}
        for prefix, namespace in self.namespaces.items():
            self._by_namespace.setdefault(namespace, prefix)
        # the longest namespace of an IRI is its own
        self._sizes = sorted(set(map(len, self._by_namespace)), reverse=True)

        #: What stands before the name in the CURIEs of a namespace; '' where that depends on the
        #: name, because a longer namespace is declared.
        self._stems: MutableTexts = {}

    @classmethod
    def declared_by(cls, name: str, metadata: Texts) -> Prefixes:
        """Return the prefixes that an alignment of this name declares in its metadata.

        Errors are those of `declared_prefixes`.
        """
        return cls(declared_prefixes(name, metadata))

    def curie(self, iri: str) -> str:
        """Return the CURIE of `iri`, or `iri` itself where it has no namespace."""
        hash_mark = iri.rfind("#")
        slash = iri.rfind("/")
        cut = (hash_mark if hash_mark > slash else slash) + 1  # max() takes twice as long
        if iri.startswith(OBO):
            # of an OBO name, its prefix belongs to the namespace
            cut = iri.find("_", cut) + 1 or cut
        namespace = iri[:cut]
        name = iri[cut:]
        stem = self._stems.get(namespace)
        if stem and name:
            return stem + name
        curie = self._new_curie(iri)
        if stem is None and name:
            longer = (
                len(declared) > cut and declared.startswith(namespace)
                for declared in (*self.namespaces.values(), *PREFERRED)
            )
            self._stems[namespace] = "" if any(longer) else curie.removesuffix(name)
        return curie

    def _new_curie(self, iri: str) -> str:
        """Return the CURIE of `iri`, whose namespace may get a prefix."""
        for size in self._sizes:
            prefix = self._by_namespace.get(iri[:size])
            name = iri[size:]
            if prefix is not None and name and not name.startswith("//"):
                return f"{prefix}:{name}"
        namespace, preferred = preferred_namespace(iri)
        if not preferred:
            namespace = iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
        name = iri[len(namespace) :]
        if "://" not in namespace or namespace.endswith("://") or not name:
            return iri
        prefix = self._by_namespace.get(namespace)
        if prefix is None:
            prefix = self._new(namespace, preferred)
            self._stems.clear()
            self._by_namespace[namespace] = prefix
            self.namespaces[prefix] = namespace
        return f"{prefix}:{name}"

    def _new(self, namespace: str, preferred: str) -> str:
        words: list[str] = re.findall(r"[A-Za-z][\w-]*", namespace.partition("://")[2])
        words = [w for w in words if w.lower() not in _NO_PREFIX] or ["ns"]
        word = preferred or words[-1]
        candidate = word
        number = 1
        while candidate in self.namespaces or candidate in _IRI_SCHEMES:
            number += 1
            candidate = f"{word}{number}"
        return candidate
