"""What is matched: ontologies, and the alignments between them."""

from .alignment import RELATIONS, Alignment, Correspondence, Key, ReadingNotes
from .errors import AlignmentError, LoadingError, OntologyError
from .formats import AlignmentFormat, Written, read_alignment, write_alignment
from .loading import load_ontology
from .ontology import Entity, Kind, KindCounts, Label, Ontology, local_name

__all__ = [
    "RELATIONS",
    "Alignment",
    "AlignmentError",
    "AlignmentFormat",
    "Correspondence",
    "Entity",
    "Key",
    "Kind",
    "KindCounts",
    "Label",
    "LoadingError",
    "Ontology",
    "OntologyError",
    "ReadingNotes",
    "Written",
    "load_ontology",
    "local_name",
    "read_alignment",
    "write_alignment",
]
