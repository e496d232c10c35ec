"""The words of SSSOM: predicates, slots, and the two columns that it lacks."""

from __future__ import annotations

from ..vocabulary import ALIGNMENT, EXTENSION, RDF, SKOS

PREDICATES = {
    "=": f"{SKOS}exactMatch",
    "<": f"{SKOS}broadMatch",
    ">": f"{SKOS}narrowMatch",
    "%": f"{SKOS}exactMatch",  # with the modifier Not
    "InstanceOf": f"{RDF}type",
}
ANY_RELATION = f"{SKOS}mappingRelation"
NO_TERM = "https://w3id.org/sssom/NoTermFound"
UNLICENSED = "https://w3id.org/sssom/license/unspecified"

#: Extension columns, and the property that each stands for.
EXTENSIONS = {
    "alignment_relation": f"{ALIGNMENT}#relation",
    "stated_confidence": f"{EXTENSION}#statedConfidence",
}
#: Namespace of SSSOM's slots: of every column that no extension definition explains.
SLOT = "https://w3id.org/sssom/"
#: What a column is called that holds what is said of a correspondence beyond SSSOM's own slots.
EXTRA = "ext_"
OWN_ID = "urn:alignrank:sha256:"

#: Slots of a mapping set that metadata of the same name fills; of some, several values by ``|``.
SLOTS = """cardinality_scope comment creator_id creator_label curation_rule curation_rule_text
    issue_tracker license mapping_date mapping_provider mapping_set_confidence
    mapping_set_description mapping_set_id mapping_set_source mapping_set_title mapping_set_version
    mapping_tool mapping_tool_id mapping_tool_version object_match_field object_preprocessing
    object_source_version object_type publication_date see_also similarity_measure
    subject_match_field subject_preprocessing subject_source_version subject_type""".split()  # noqa: SIM905
MULTIVALUED = """creator_id creator_label curation_rule curation_rule_text mapping_set_source
    object_match_field object_preprocessing see_also subject_match_field
    subject_preprocessing""".split()  # noqa: SIM905


def justification(measure: str) -> str:
    """Return why a mapping of this similarity measure is thought right.

    Examples
    --------
    >>> justification("jaro"), justification("equality"), justification("")[7:]
    ('semapv:LexicalSimilarityThresholdMatching', 'semapv:LexicalMatching', 'UnspecifiedMatching')
    """
    if not measure:
        return "semapv:UnspecifiedMatching"
    if measure == "equality":
        return "semapv:LexicalMatching"
    return "semapv:LexicalSimilarityThresholdMatching"
