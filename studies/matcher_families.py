"""The families of pairs on which the default matcher is fitted and judged.

A family is a set of pairs of one origin. What is judged of a family was never fitted on it: the
matcher is fitted on the other families (`OTHER_ORIGINS`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from alignrank.evaluation import score
from alignrank.experiments.inputs.input_cautions import evaluated_kinds
from alignrank.matchers import Candidates, Settings, prepare
from alignrank.matchers.candidates import KindCandidates
from alignrank.matchers.likely_pairs import Likely, Values, likely_pairs
from alignrank.ontologies import Alignment, Correspondence, load_ontology, read_alignment
from alignrank.ontologies.tasks import MatchingTask, find_tasks
from generator import Alteration, Rename, generate
from made_pairs import MadePair, numbered_pairs, wrapped_pairs

#: Weight of each family in the fit, whatever its size.
WEIGHTS = {
    "anatomy": 1.0,
    "conference": 1.0,
    "bundled": 0.5,
    "materials": 0.5,
    "humanities": 0.7,
    "generated": 0.5,
    "wrapped": 0.5,
    "numbered": 0.25,
    "anatomies": 0.25,
}
#: Families that share names: they are left out together.
SHARE_NAMES = frozenset({"anatomy", "wrapped", "numbered"})
#: Families without hierarchies.
FLAT = frozenset({"wrapped", "numbered"})
#: Families whose references know a part of the entities. Only pairs are judged of which the
#: reference knows an end.
PARTIAL = frozenset({"anatomies"})
#: Number of wrapped and of numbered pairs.
MADE = 4
#: How names of generated pairs differ, and what differs beside them.
METHODS = ("typo", "abbrev", "reorder", "synonym", "drop_vowels", "random")
CHANGED = Alteration(remove_classes=0.1, add_classes=0.1, shuffle_hierarchy=0.1)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two ontologies with a reference, and their likely pairs of entities.

    Parameters
    ----------
    name
        Name of the task.
    candidates, reference
        The prepared ontologies, and the reference alignment.
    likely
        The likely pairs of each kind.
    right, weight
        For each kind whether each likely pair is right, and 0 where the reference leaves it open.
    hashes
        SHA-256 of the files; empty for generated ones.
    partial
        Whether only pairs are judged of which the reference knows an end.
    """

    name: str
    candidates: Candidates
    reference: Alignment
    likely: list[Likely]
    right: list[Values]
    weight: list[Values]
    hashes: tuple[str, ...] = ()
    partial: bool = False

    def f1(self, cells: Sequence[Correspondence]) -> float:
        """Return F1 of correspondences, of those that are judged."""
        if self.partial:
            ends = {iri for c in self.reference for iri in c.pair}
            cells = [c for c in cells if not ends.isdisjoint(c.pair)]
        return score(Alignment(dict.fromkeys(cells)), self.reference).f1


Families = Mapping[str, Sequence[Pair]]


def read_families(folder: Path) -> Families:
    """Return the pairs of all families.

    Parameters
    ----------
    folder
        The data: anatomy/ and conference/ (`alignrank data fetch`), and tuning/ with folders mse,
        dh and anatomies.
    """
    tasks = {
        "anatomy": find_tasks("anatomy", [folder]),
        "conference": find_tasks("conference", [folder]),
        "bundled": find_tasks("bundled"),
        "materials": find_tasks(str(folder / "tuning" / "mse")),
        "humanities": find_tasks(str(folder / "tuning" / "dh")),
    }
    families = {name: [read_pair(task) for task in of_family] for name, of_family in tasks.items()}
    with TemporaryDirectory() as place:
        families["generated"] = [read_pair(task, made=True) for task in generated(Path(place))]
    real = anatomy_names(tasks["anatomy"][0])
    made = {"wrapped": wrapped_pairs(real, MADE), "numbered": numbered_pairs(real, MADE)}
    for name, pairs in made.items():
        families[name] = [
            with_evidence(p.name, prepare(p.source, p.target), p.reference) for p in pairs
        ]
    partial = find_tasks(str(folder / "tuning" / "anatomies"))
    families["anatomies"] = [read_pair(task, partial=True) for task in partial]
    return families


def other_origins(families: Families, name: str) -> Families:
    """Return the families that share no names with one."""
    left_out = SHARE_NAMES if name in SHARE_NAMES else {name}
    return {key: pairs for key, pairs in families.items() if key not in left_out}


def read_pair(task: MatchingTask, *, made: bool = False, partial: bool = False) -> Pair:
    """Return a task's candidates and their evidence."""
    source, target = load_ontology(task.source), load_ontology(task.target)
    reference = read_alignment(task.reference)
    settings, _ = evaluated_kinds(Settings(), task.rule, (source, target))
    hashes = () if made else (source.sha256, target.sha256, reference.sha256)
    candidates = prepare(source, target, settings)
    return with_evidence(task.name, candidates, reference, hashes, partial=partial)


def with_evidence(
    name: str,
    candidates: Candidates,
    reference: Alignment,
    hashes: tuple[str, ...] = (),
    *,
    partial: bool = False,
) -> Pair:
    """Return candidates with their evidence, and whether each likely pair is right."""
    likely = [likely_pairs(group) for group in candidates.groups]
    equivalent = {c.pair for c in reference if c.relation == "="}
    open_pairs = {c.pair for c in reference if c.relation == "?"}
    ends = {iri for c in reference for iri in c.pair}
    right, weight = [], []
    for group, pairs in zip(candidates.groups, likely, strict=True):
        iris = [c.pair for c in correspondences(group, pairs.rows, pairs.columns)]
        right.append(np.array([pair in equivalent for pair in iris], dtype=float))
        judged = [
            pair not in open_pairs and not (partial and ends.isdisjoint(pair)) for pair in iris
        ]
        weight.append(np.array(judged, dtype=float))
    return Pair(name, candidates, reference, likely, right, weight, hashes, partial)


def generated(folder: Path) -> Iterator[MatchingTask]:
    """Yield generated pairs: names, classes and parents differ in part."""
    for seed, method in enumerate(METHODS * 2):
        place = folder / f"{method}-{seed}"
        alteration = replace(CHANGED, rename=(Rename(0.6, method),))
        generate(150, alteration, seed=seed).write(place)
        yield from find_tasks(str(place))


def anatomy_names(task: MatchingTask) -> MadePair:
    """Return the ontologies and the reference of the anatomy track."""
    source, target = load_ontology(task.source), load_ontology(task.target)
    return MadePair(task.name, source, target, read_alignment(task.reference))


def correspondences(
    group: KindCandidates, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> list[Correspondence]:
    """Return the correspondences of pairs of positions."""
    places = zip(rows.tolist(), columns.tolist(), strict=True)
    return [Correspondence(group.source.iris[i], group.target.iris[j]) for i, j in places]
