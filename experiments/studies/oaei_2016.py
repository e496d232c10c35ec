"""The ten systems of the OAEI 2016 anatomy track, as the track counts their correspondences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluation.measures.context import Context
from ontologies import Alignment, Correspondence, load_ontology, read_alignment

#: The systems whose files differ: DKP-AOM-Lite.rdf holds the same as DKP-AOM.rdf.
SYSTEMS = (
    *("AML", "Alin", "CroMatcher", "DKP-AOM", "FCA_Map"),
    *("LPHOM", "LYAM", "Lily", "LogMapLite", "XMap"),
)


@dataclass(frozen=True, eq=False)
class Anatomy:
    """The anatomy track of 2016: both ontologies, the reference, and the systems by name."""

    context: Context
    reference: Alignment
    systems: dict[str, Alignment]


def judged_by_oaei(correspondence: Correspondence) -> bool:
    """Tell whether the anatomy track counts a cell: ``=`` between anatomical entities.

    Examples
    --------
    >>> judged_by_oaei(Correspondence("http://mouse.owl#MA_0000001", "http://human.owl#NCI_C12219"))
    True
    >>> judged_by_oaei(Correspondence("http://mouse.owl#UNDEFINED_part_of", "http://human.owl#x"))
    False
    """
    entities = " ".join(correspondence.pair)
    return (
        correspondence.relation == "="
        and "oboInOwl" not in entities
        and "UNDEFINED_part_of" not in entities
    )


def read_system(data: Path, name: str) -> Alignment:
    """Read what the track counts of one system's file."""
    path = data / "anatomy" / "systems-2016" / f"{name}.rdf"
    return read_alignment(path, name=name).where(judged_by_oaei)


def read_anatomy(data: Path) -> Anatomy:
    """Read ontologies, reference and systems from the folder that holds ``anatomy/``."""
    folder = data / "anatomy"
    source, target = (load_ontology(folder / f"{name}.owl") for name in ("mouse", "human"))
    return Anatomy(
        Context(source, target),
        read_alignment(folder / "reference.rdf"),
        {name: read_system(data, name) for name in SYSTEMS},
    )
