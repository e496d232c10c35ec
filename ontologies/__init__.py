"""What is matched: ontologies, and the alignments between them."""

from alignrank.common.errors import AlignmentError, LoadingError, OntologyError

from .alignment import (
    RELATIONS,
    Alignment,
    Correspondence,
    Key,
    NegatedCorrespondence,
    ReadingNotes,
)
from .diagnosis import Diagnosis, Mend, diagnose
from .formats import FORMATS, Written, read_alignment, write_alignment
from .hierarchy import Hierarchy
from .lint import Finding, Severity, lint_alignment
from .loading import load_ontology, load_pair
from .ontology import Entity, Kind, KindCounts, Label, Ontology, local_name, namespace
