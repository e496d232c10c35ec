"""IRIs of the vocabularies that ontologies are written in, and what their XML cannot hold."""

from __future__ import annotations

import re

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
