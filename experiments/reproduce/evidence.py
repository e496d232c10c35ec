"""What evidence beyond one string is worth: words, structure and combinations, against N-gram.

No threshold and no choice of a way is judged by what it was made on: on one task both are made on
other families of entities, on several tasks on tasks that share no ontology with the one judged.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.special import stdtrit

from alignrank.common.table import Table
from alignrank.evaluation import compare, score
from alignrank.evaluation.measures.threshold_curve import crossfit
from alignrank.evaluation.multitask import Study, study
from alignrank.evaluation.multitask.effects import effects
from alignrank.evaluation.multitask.posthoc import JACKKNIFE
from alignrank.evaluation.multitask.shared_ontologies import shared_ontologies
from alignrank.evaluation.ranking import verdict_words
from alignrank.evaluation.significance.clustered import parent_clusters
from alignrank.experiments.ranking import task_results as tasks_of
from alignrank.experiments.ranking.task_results import TaskResult
from alignrank.matchers import Settings, match_all, prepare, select_metrics
from alignrank.ontologies import Alignment, load_ontology, read_alignment
from alignrank.ontologies.generator import Alteration, Rename, generate
from alignrank.ontologies.tasks import MatchingTask, find_tasks

#: What everything is compared with: N-gram, and N-gram sharpened as the combinations are.
PLAIN, SHARP = "ngram", "combine:ngram:power=2"
WAYS = (
    PLAIN,
    SHARP,
    "words",
    "combine:words:power=2",
    "structure",
    "combine:ngram+words:power=2",
    "combine:ngram+structure:power=2",
    "combine:words+structure:power=2",
    "combine:ngram+words+structure",
    "combine:ngram+words+structure:power=2",
    "combined",
)
#: The way that what it is not judged by has chosen, at the thresholds chosen there.
CHOSEN = "chosen elsewhere"
#: On one task the families of entities are divided into so many parts.
PARTS = 10
#: How names of generated pairs differ, and what differs beside them.
METHODS = ("typo", "abbrev", "reorder", "synonym", "drop_vowels", "random")
CHANGED = Alteration(remove_classes=0.1, add_classes=0.1, shuffle_hierarchy=0.1)
_HEADER = ("way", "F1", "less ngram", "verdict", "less ngram squared", "verdict")


@dataclass(frozen=True, eq=False)
class Part:
    """The ways on one data set.

    Parameters
    ----------
    name
        Of the data set.
    f1
        By way, k of them; the mean over tasks where there are several.
    measure
        What the differences are differences of.
    limits
        (3, k, k): the difference row − column, and the ends of its 95 % interval.
    verdicts
        By pair of ways, what the default analysis says of the first.
    choices
        How often each way was the one chosen elsewhere.
    """

    name: str
    f1: Mapping[str, float]
    measure: str
    limits: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
    verdicts: Mapping[tuple[str, str], str]
    choices: Mapping[str, int]

    def table(self) -> Table:
        """Return one row for each way."""
        ways = list(self.f1)
        rows = [[way, f"{value:.3f}"] for way, value in self.f1.items()]
        for i, row in enumerate(rows):
            for j in map(ways.index, (PLAIN, SHARP)):
                cell = "{:+.3f} [{:+.3f}, {:+.3f}]".format(*self.limits[:, i, j])
                row += ["", ""] if i == j else [cell, self.verdicts[ways[i], ways[j]]]
        chosen = ", ".join(f"{way} ({times})" for way, times in self.choices.items())
        note = f"Differences: {self.measure}. {CHOSEN.capitalize()}: {chosen}."
        return Table(self.name, _HEADER, rows, note)


def on_one_task(task: MatchingTask) -> Part:
    """Judge the ways on one task, cut at thresholds that other families of entities chose.

    The comparison is that of `alignrank.evaluation.compare` with siblings resampled together.
    """
    source, target = load_ontology(task.source), load_ontology(task.target)
    reference, families = read_alignment(task.reference), parent_clusters(source)
    matchings = match_all(prepare(source, target), select_metrics(WAYS))
    alignments = {matching.metric: matching.alignment for matching in matchings}
    cut = {
        way: crossfit(a, reference, clusters=families).alignment for way, a in alignments.items()
    }
    cut[CHOSEN], choices = chosen_inside(alignments, reference, families)
    compared = compare(cut, reference, clusters=families)
    view = next(iter(compared.views.values()))
    simultaneous = view.simultaneous
    assert simultaneous is not None, "too few correspondences for intervals"
    f1 = {way: of.f1 for way, of in compared.scores.items()}
    limits = np.array([simultaneous.difference, simultaneous.low, simultaneous.high])
    return Part(task.name, f1, "share of source entities right", limits, view.verdicts, choices)


def chosen_inside(
    alignments: Mapping[str, Alignment], reference: Alignment, families: Mapping[str, str]
) -> tuple[Alignment, Counter[str]]:
    """Cut each part of the families as the other parts choose: which way, and where to cut it.

    Parameters
    ----------
    alignments
        Alignments by way, not yet cut.
    reference
        What is right.
    families
        Family by source entity; entities in none stand for themselves.

    Returns
    -------
    Alignment
        The parts together: not one-to-one where the ways differ from part to part.
    Counter
        How many parts each way was chosen for.
    """
    sources = sorted(
        {c.entity1 for alignment in (*alignments.values(), reference) for c in alignment}
    )
    part_of = {s: zlib.crc32(families.get(s, s).encode()) % PARTS for s in sources}
    confident, choices = [], Counter[str]()
    for fold in range(PARTS):
        training = {s for s in sources if part_of[s] != fold}
        right = _from(training, reference)
        fitted = {
            way: crossfit(_from(training, alignment), right, clusters=families, entities=sources)
            for way, alignment in alignments.items()
        }
        f1 = {way: score(fit.alignment, right).f1 for way, fit in fitted.items()}
        best = max(f1, key=f1.__getitem__)
        cut = fitted[best].thresholds
        mine = _from(set(sources) - training, alignments[best])
        confident += [c for c in mine if c.confidence >= cut[c.entity1]]
        choices[best] += 1
    return Alignment(confident), choices


def _from(sources: Collection[str], alignment: Alignment) -> Alignment:
    return alignment.where(lambda c: c.entity1 in sources)


def on_tasks(name: str, tasks: Sequence[MatchingTask]) -> Part:
    """Judge the ways on several tasks by `alignrank.evaluation.multitask.study`.

    Each task is cut where other tasks say that it is best, and they choose the way too: only those
    that share no ontology with it, if there are any. Where tasks share ontologies, the intervals
    are those with the ontologies left out in turn.
    """
    metrics = select_metrics(WAYS)
    whole = [tasks_of.match_task(task, metrics, Settings()) for task in tasks]
    chosen = chosen_by_others(whole)
    results = [
        replace(
            result,
            alignments={**result.alignments, CHOSEN: result.alignments[way]},
            credits={**result.credits, CHOSEN: result.credits[way]},
        )
        for result in tasks_of.cut_by_other_tasks(whole)[0]
        for way in [chosen[result.task.name]]
    ]
    studied = study(tasks_of.score_table(results), margin=None)
    ways, means = studied.table.systems, studied.table.scores.mean(axis=0).tolist()
    f1, verdicts = dict(zip(ways, means, strict=True)), verdict_words(ways, studied.edges)
    return Part(name, f1, "mean F1", _differences(studied), verdicts, Counter(chosen.values()))


def chosen_by_others(results: Sequence[TaskResult]) -> dict[str, str]:
    """Return for each task the way with the best mean F1 on others, at its best threshold there."""
    paired = tasks_of.task_ontologies(results)
    best = {}
    for task in paired:
        other_names = set(tasks_of.other_tasks(task, paired))
        elsewhere = [r.credits for r in results if r.task.name in other_names]
        f1 = {}
        for way in WAYS:
            curves = [tasks_of.f1_by_threshold(of[way][tasks_of.ALL]) for of in elsewhere]
            f1[way] = float(np.mean(curves, axis=0).max())
        best[task] = max(f1, key=f1.__getitem__)
    return best


def _differences(studied: Study) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return (3, k, k): mean differences of F1, and the ends of their intervals."""
    table = studied.table
    if studied.test == JACKKNIFE:
        simultaneous = shared_ontologies(table, table.ontologies)
        reach = stdtrit(len(simultaneous.ontologies) - 1, 0.975) * simultaneous.standard_error
        return np.array(
            [
                simultaneous.difference,
                simultaneous.difference - reach,
                simultaneous.difference + reach,
            ]
        )
    pairs = [effects(x, y).mean_difference for x in table.scores.T for y in table.scores.T]
    limits = np.array([(pair.value, pair.low, pair.high) for pair in pairs])
    return limits.T.reshape(3, *[len(table.systems)] * 2)


@contextmanager
def generated_tasks(classes: int = 150) -> Iterator[list[MatchingTask]]:
    """Give generated pairs, which share no ontology: names, classes and parents differ in part."""
    with TemporaryDirectory() as folder:
        tasks = []
        for seed, method in enumerate(METHODS * 4):
            place = Path(folder) / f"{method}-{seed}"
            generate(classes, replace(CHANGED, rename=(Rename(0.6, method),)), seed=seed).write(
                place
            )
            tasks += find_tasks(str(place))
        yield tasks


def parts(data: Path) -> Iterator[Part]:
    """Yield the study's parts: anatomy, conference, the bundled pairs, generated ones."""
    yield on_one_task(*find_tasks("anatomy", [data]))
    yield on_tasks("conference, 21 pairs", find_tasks("conference", [data]))
    yield on_tasks("the bundled pairs", find_tasks("bundled"))
    with generated_tasks() as tasks:
        yield on_tasks(f"{len(tasks)} generated pairs", tasks)


def run(data: Path) -> list[str]:
    """Return the study's tables (`alignrank reproduce evidence`)."""
    return [figure.table().to_text() for figure in parts(data)]
