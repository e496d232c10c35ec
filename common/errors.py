"""Errors that the user of ontologies, alignments, metrics and judgements can mend."""

from __future__ import annotations


class OntologyError(ValueError):
    """Base class: an ontology, alignment or task that cannot be used as it is.

    The message is one sentence: what is wrong, where (file and line, or the argument's name),
    and what to do.
    """


class LoadingError(OntologyError):
    """An ontology file that cannot be read."""


class AlignmentError(OntologyError):
    """An alignment file or correspondence that cannot be read, written or built."""


class MergingError(OntologyError):
    """Ontologies that cannot be merged, or not written as was asked."""


class MatcherError(ValueError):
    """An unknown metric, preset or option, or input that cannot be matched."""


class EvaluationError(ValueError):
    """Input that cannot be judged: a bad count, p-value, score table or alignment."""


class RecordError(ValueError):
    """A stored result that cannot be read back."""
