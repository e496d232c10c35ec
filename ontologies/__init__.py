"""Ontologies, and the alignments between them."""

from alignrank.common.errors import AlignmentError, LoadingError, OntologyError

from .alignment import (
    RELATIONS,
    Alignment,
    Correspondence,
    Key,
    NegatedCorrespondence,
    ReadingNotes,
)
from .formats import FORMATS, Written, read_alignment, write_alignment
from .hierarchy import Hierarchy
from .lint import Diagnosis, Finding, Mend, Severity, diagnose, lint_alignment
from .loading import load_ontology, load_pair
from .ontology import Entity, Kind, KindCounts, Label, Ontology, local_name, namespace
