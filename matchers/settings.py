"""How to match: the settings of the matcher, checked."""

from __future__ import annotations

from dataclasses import dataclass

from ontologies.ontology import Kind

from . import labels
from .assignment import METHODS
from .errors import MatcherError

#: How threshold and assignment follow each other.
PROTOCOLS = ("assign-then-cut", "cut-then-assign")


@dataclass(frozen=True, slots=True)
class Settings:
    """How to match.

    Parameters
    ----------
    labels
        Preset by which names are prepared (`matchers.labels`).
    synonyms
        Whether synonyms count as names.
    kinds
        Kinds of entity to match; None for every kind that both ontologies have.
    langs
        Languages of labels; None for all. Labels without a language are always kept.
    threshold
        Smallest similarity that makes a correspondence (``>=``); similarity 0 never does.
    assignment
        ``hungarian``, ``greedy`` or ``mutual-best`` (`matchers.assignment.assign`).
    protocol
        ``assign-then-cut``: assign on the full matrix, then drop what is below the threshold, as
        the McNemar paper did. ``cut-then-assign``: drop first, then assign what is left. They
        can differ by many correspondences under ``hungarian``, and never under the other two.

    Raises
    ------
    MatcherError
        If a setting is unknown or the threshold outside [0, 1].
    """

    labels: str = "words"
    synonyms: bool = True
    kinds: tuple[Kind, ...] | None = None
    langs: tuple[str, ...] | None = None
    threshold: float = 0.0
    assignment: str = "hungarian"
    protocol: str = "assign-then-cut"

    def __post_init__(self) -> None:
        labels.prepare("", self.labels)
        if not 0.0 <= self.threshold <= 1.0:
            raise MatcherError(f"threshold {self.threshold} is outside [0, 1]")
        for name, value, known in [
            ("assignment", self.assignment, METHODS),
            ("protocol", self.protocol, PROTOCOLS),
        ]:
            if value not in known:
                raise MatcherError(f"{name} {value!r} is unknown: use one of {', '.join(known)}")
