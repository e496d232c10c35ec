"""One summary over all steps of an experiment: what was best where, and which choice matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from alignrank.common.files import write_text
from alignrank.common.names import count
from alignrank.common.results import Caution, Provenance, installation
from alignrank.common.table import Table, write_rows
from alignrank.evaluation import AnalysisSettings, Comparison
from alignrank.evaluation.multitask import ScoreTable, Study, study
from alignrank.experiments.comparing.study_files import write_study
from alignrank.experiments.ranking.task_results import ontology_names
from alignrank.experiments.report.html import Report
from alignrank.experiments.results import results_folder

from .experiment import Experiment, Step

#: From so many tasks on, a study compares over them.
ENOUGH_TASKS = 5
#: Options that change verdicts, and no score.
_NO_SCORE = ("test", "correction", "alpha", "protocol", "measure")


@dataclass(frozen=True)
class Outcome:
    """A step and its result."""

    step: Step
    result: Comparison

    @property
    def measure(self) -> str:
        """What is compared, or told beside decisions."""
        if self.step.judging.measure:
            return self.step.judging.measure
        if self.result.runs:
            return "right"
        return "F1"

    @property
    def values(self) -> dict[str, float]:
        """The measure's value of each system; 0 for 0/0."""
        view = self.result.deciding
        if self.result.scores:
            return {name: scores.f1 for name, scores in self.result.scores.items()}
        return dict(view.values or {})

    @property
    def best(self) -> str:
        """The first of the ranking."""
        return self.result.deciding.order[0]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Largest groups of systems of which no two can be told apart, or of one; best first."""
        order = self.result.deciding.order
        several = self.result.deciding.ranking.groups
        alone = [(name,) for name in order if not any(name in group for group in several)]
        groups = [tuple(sorted(group, key=order.index)) for group in (*several, *alone)]
        return sorted(groups, key=lambda group: [order.index(name) for name in group])

    @property
    def sentence(self) -> str:
        """The outcome in a line."""
        value = f"({self.measure} {self.values[self.best]:.3f})"
        first = f"{self.best} comes first {value}"
        if equal := len(self.groups[0]) - 1:
            rivals = count(equal, "other")
            first = (
                f"{self.best} is highest {value} and is not significantly different from {rivals}"
            )
        return f"{first}; {count(len(self.groups), 'group')} of {len(self.values)}"


def sum_up(experiment: Experiment, outcomes: Sequence[Outcome]) -> list[str]:
    """Write ``summary.csv``, ``scores.csv``, ``summary.html``; a study for each way of matching.

    A study needs `ENOUGH_TASKS`; it gets a results folder in ``over-tasks``.

    Parameters
    ----------
    experiment
        The experiment.
    outcomes
        Of its steps, those that did not fail.

    Returns
    -------
    list of str
        What all steps say together, in sentences.
    """
    out, factors = experiment.out, list(outcomes[0].step.levels)
    best = [
        [o.step.name, *o.step.levels.values(), o.best, o.measure, o.values[o.best], _listed(o)]
        for o in outcomes
    ]
    header = ["step", *factors, "best", "value of", "value", "groups"]
    write_rows(out / "summary.csv", header, best)
    rows = (
        [o.step.name, *o.step.levels.values(), system, o.measure, value]
        for o in outcomes
        for system, value in o.values.items()
    )
    write_rows(out / "scores.csv", ["step", *factors, "system", "value of", "value"], rows)
    studies = dict(_studies(outcomes, out / "over-tasks"))
    effects = _effects(outcomes)
    sentences = _sentences(outcomes, studies, effects)
    tables = [Table("Step by step", header, best)]
    if effects is not None:
        tables.insert(0, effects)
    write_text(out / "summary.html", _page(experiment, outcomes, sentences, tables).to_html())
    return sentences


def _listed(outcome: Outcome) -> str:
    return " | ".join(", ".join(group) for group in outcome.groups)


def _studies(outcomes: Sequence[Outcome], folder: Path) -> Iterator[tuple[str, Study]]:
    """Compare the systems over the tasks, for each way in which enough were matched."""
    ways: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        ways.setdefault(outcome.step.way, []).append(outcome)
    for way, of_way in ways.items():
        systems = _common(of_way)
        if len(of_way) < ENOUGH_TASKS or len(systems) < 2:
            continue
        scores = np.array([[o.values[system] for system in systems] for o in of_way])
        tasks = tuple(o.step.task.name for o in of_way)
        options = of_way[0].step.options
        pairs = [(o.step.task.files.source, o.step.task.files.target) for o in of_way]
        table = ScoreTable(
            tasks, tuple(systems), scores, of_way[0].measure, ontologies=ontology_names(pairs)
        )
        analysis = AnalysisSettings(correction=options.correction, alpha=options.alpha)
        studied = study(table, analysis)
        settings = {"command": "run", "way": way, "correction": options.correction}
        inputs = {
            f"{o.step.task.name} {role}": file
            for o in of_way
            for role, file in o.result.provenance.inputs.items()
        }
        studied = replace(studied, provenance=Provenance(settings, inputs))
        with results_folder(folder / way, overwrite=True) as stage:
            write_study(stage, studied)
        yield way, studied


def _common(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the systems that every step has."""
    return [name for name in outcomes[0].values if all(name in o.values for o in outcomes)]


def _design(outcomes: Sequence[Outcome]) -> tuple[dict[str, list[str]], NDArray[np.float64]] | None:
    """Return the levels of every factor, the metric last, and the values; None if some lack."""
    factors = [name for name in outcomes[0].step.levels if name not in _NO_SCORE]
    cells = {tuple(o.step.levels[name] for name in factors): o.values for o in outcomes}
    foreign = {name for o in outcomes for name in o.step.task.systems}
    systems = [name for name in _common(outcomes) if name not in foreign] or _common(outcomes)
    levels = [list(dict.fromkeys(cell[k] for cell in cells)) for k in range(len(factors))]
    one_measure = len({o.measure for o in outcomes}) == 1
    if not (factors and systems and one_measure and len(cells) == prod(map(len, levels))):
        return None
    scores = np.array([[cells[cell][system] for system in systems] for cell in product(*levels)])
    levels_by_factor = {**dict(zip(factors, levels, strict=True)), "metric": systems}
    return levels_by_factor, scores.reshape([len(each) for each in levels_by_factor.values()])


def _effects(outcomes: Sequence[Outcome]) -> Table | None:
    """Return how much of the spread each factor explains, its best level and its worst."""
    design = _design(outcomes)
    if design is None:
        return None
    levels, scores = design
    shares = variance_shares(scores, list(levels))
    if not shares:
        return None
    rows: list[list[object]] = []
    for axis, (name, of_factor) in enumerate(levels.items()):
        means = level_means(scores, axis)
        best, worst = int(means.argmax()), int(means.argmin())
        extremes = [of_factor[best], float(means[best]), of_factor[worst], float(means[worst])]
        rows.append([name, f"{shares[name]:.1%}", *extremes])
    rows.sort(key=lambda row: -shares[str(row[0])])
    interactions = [name for name in shares if name not in levels]
    rows += [[name, f"{shares[name]:.1%}", "", None, "", None] for name in interactions]
    return Table(
        f"What explains the spread of {outcomes[0].measure}",
        ["choice", "share of the variance", "best", "its mean", "worst", "its mean"],
        rows,
        "Analysis of variance of the complete design; interplay is what main effects leave.",
    )


def _sentences(
    outcomes: Sequence[Outcome], studies: dict[str, Study], effects: Table | None
) -> list[str]:
    """Return what all steps say together; nothing where each speaks for itself."""
    sentences = []
    if len(outcomes) == 1:
        sentences += outcomes[0].result.answer()
    if effects is not None:
        explained = ", ".join(f"{row[0]} {row[1]}" for row in effects.rows)
        sentences.append(
            f"Of the spread of {outcomes[0].measure} the choices explain: {explained}."
        )
    for way, studied in studies.items():
        sentences.append(f"{way}: {' '.join(studied.answer())}")
    return sentences


def _page(
    experiment: Experiment, outcomes: Sequence[Outcome], sentences: list[str], tables: list[Table]
) -> Report:
    text = "Which step is best by these references is exploratory for any other task."
    cautions = [Caution("exploratory", text)]
    missing = len(experiment.steps) - len(outcomes)
    if missing:
        text = f"{missing} of {count(len(experiment.steps), 'step')} failed."
        cautions.insert(0, Caution("failed", text))
    return Report(
        title=experiment.about or experiment.out.name,
        answer=sentences or [f"{o.step.name}: {o.sentence}" for o in outcomes],
        ranking=None,
        cautions=cautions,
        tables=tables,
        data={"systems": list(outcomes[0].values)},
        provenance=installation(),
    )


#: What no choice explains by itself.
INTERPLAY = "their interplay"


def variance_shares(scores: NDArray[np.float64], factors: Sequence[str]) -> dict[str, float]:
    """Split the spread of scores into main effects and what is left to their interplay.

    The design is complete and balanced, so the sums of squares add up: the share (η²) of a factor
    is the variance of its levels' means over the variance of all scores (an analysis of variance
    without replication).

    Parameters
    ----------
    scores
        An axis for each factor.
    factors
        Their names.

    Returns
    -------
    dict
        Share in [0, 1] by factor, and of `INTERPLAY`; all together 1. Empty where all scores are
        equal.

    Examples
    --------
    >>> scores = np.array([[0.2, 0.4], [0.6, 0.8]])
    >>> shares = variance_shares(scores, ["labels", "cut"])
    >>> {name: round(share, 3) for name, share in shares.items()}
    {'labels': 0.8, 'cut': 0.2, 'their interplay': 0.0}
    """
    total = float(scores.var())
    if not total:
        return {}
    main = {
        name: float(level_means(scores, axis).var()) / total for axis, name in enumerate(factors)
    }
    return {**main, INTERPLAY: 1 - sum(main.values())}


def level_means(scores: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return the mean score of each level of the factor along an axis."""
    other_axes = tuple(axis_index for axis_index in range(scores.ndim) if axis_index != axis)
    means: NDArray[np.float64] = scores.mean(axis=other_axes)
    return means
