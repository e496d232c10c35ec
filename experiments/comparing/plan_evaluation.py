"""How large an evaluation must be, from a pilot (`alignrank plan`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, Message
from alignrank.common.files import plain
from alignrank.common.results import version
from alignrank.evaluation.comparison.answers import Answers
from alignrank.evaluation.comparison.compare import pooled_items
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.table_checks import score_sheet
from alignrank.evaluation.multitask.posthoc import (
    JACKKNIFE,
    default_test,
    hub_sentence,
    hubs,
    ontologies_if_shared,
    shared_ontologies,
)
from alignrank.evaluation.multitask.score_table import ScoreTable, differences, read_scores
from alignrank.evaluation.significance.clustered import cluster_index
from alignrank.evaluation.significance.runs import SeveralRuns, by_system, compare_runs
from alignrank.evaluation.uncertainty.planning import (
    Pilot,
    Repeated,
    SamplePlan,
    pilot,
    plan,
    plan_runs,
    plan_tasks,
)
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions, EvaluationInput
from alignrank.experiments.inputs.kinds_of_files import may_be_table
from alignrank.experiments.inputs.named_inputs import named_files
from alignrank.experiments.inputs.tables import (
    ITEMS,
    TableInput,
    TableOptions,
    kind_of_table,
    opened,
)
from alignrank.experiments.report.console import (
    finish,
    is_verbose,
    print_cautions,
    print_numbers,
    print_prose,
)

from .kinds_of_input import Choices, read_input, read_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INDEPENDENT_ITEMS = "items are taken as independent: a column cluster says which are not"
_INDEPENDENT_ENTITIES: str = Message(
    "source entities are taken as independent: where classes that share a parent are right or "
    "wrong together, more are needed: on anatomy 1.7 times as many for metrics. Two alignments and "
    "their ontology (",
    Argument("source"),
    ") measure how many",
)
_INDEPENDENT_ENTITIES_OF_RUNS: str = Message(
    "source entities are taken as independent: ", Argument("source"), " says which share a parent"
)
_TASKS = "tasks are taken as independent: where they share ontologies, more are needed"
_SHARED = (
    "these tasks share ontologies: not tasks are counted but ontologies, paired as in the pilot"
)
#: Rows of a whole curve; on the screen every second one.
_CURVE_ROWS = 16
#: The signed-rank test's Pitman efficiency relative to the paired t-test.
_SIGNED_RANK = 3 / math.pi
_COLUMNS = "leave the columns of two in the table"
_NOT_TWO = "a plan is about the difference of two systems, and there are {}: {}"


@dataclass(frozen=True)
class PlanOptions:
    """The figures of a plan, and the ontologies of its pilot.

    Parameters
    ----------
    difference, discordant, spread
        The difference to find; the share of entities that one of the two has right, and the
        standard deviation over tasks, instead of a pilot.
    size
        A number of entities, runs or tasks, to ask what it finds.
    systems, alpha
        Number of systems to compare, and the family-wise level.
    source, target
        The ontologies. None: those of the task that the reference belongs to.
    """

    difference: float | None = None
    size: int | None = None
    discordant: float | None = None
    spread: float | None = None
    systems: int = 2
    alpha: float = DEFAULTS.alpha
    source: Path | None = None
    target: Path | None = None


def plan_evaluation(
    reference: Path | None = None, alignments: Sequence[str] = (), *, options: PlanOptions
) -> None:
    """Say how many correspondences, runs or tasks find a difference between two systems.

    The pilot is two alignments and a reference, runs of two systems, a table of tasks, or two
    numbers.

    Raises
    ------
    ExperimentError
        If there is no pilot, or more than one.
    """
    plan_of_pilot = planned_evaluation(reference, alignments, options)
    planned, cautions = plan_of_pilot.plan, list(plan_of_pilot.cautions)
    print_prose(plan_of_pilot.answer)
    if isinstance(planned, SamplePlan) and planned.uncertain is not None:
        print_prose(_uncertainty(*planned.uncertain, plan_of_pilot.unit_name))
    unit = planned.unit if isinstance(planned, Repeated) else plan_of_pilot.unit_name
    rows = [[str(n), f"{chance:.3f}"] for n, chance in planned.curve]
    # every second row: of sixteen the eighth holds the number that is needed
    if len(rows) >= _CURVE_ROWS and not is_verbose():
        rows = rows[1::2]
    print_numbers([unit, "power"], rows)
    print_prose(
        f"power: chance of a significant result if the difference is {planned.difference:.3g}."
    )
    print_prose(f"Method: {plan_of_pilot.basis} at level {planned.level:.2g}.")
    print_cautions(cautions)
    finish(plain({**asdict(planned), "cautions": cautions, "version": version()}), None)


@dataclass(frozen=True)
class Planned:
    """How large an evaluation must be.

    Parameters
    ----------
    plan
        The number of items, runs or tasks, and the power of other numbers.
    basis
        The pilot's figures and the test, in words.
    cautions
        Sentences that the reader must know.
    systems, unit_name
        The number of systems that will be compared, and the name of an item.
    size
        The number of items, runs or tasks that was asked about; None: it is what is planned.
    """

    plan: SamplePlan | Repeated
    basis: str
    cautions: tuple[str, ...]
    systems: int
    unit_name: str
    size: int | None = None

    @property
    def answer(self) -> str:
        """The sentence that the command line prints first."""
        return _answer(self.plan, self.systems, self.unit_name, self.size)

    def plot(self) -> Figure:
        """Draw the power of evaluations of several sizes."""
        from alignrank.experiments.report.figures.curves import draw_power  # matplotlib

        planned = self.plan
        if isinstance(planned, Repeated):
            unit, needed = planned.unit, planned.needed
        else:
            unit, needed = self.unit_name, planned.items
        return draw_power(planned.curve, needed=needed, power=planned.power, unit=unit)


def planned_evaluation(
    reference: object, alignments: Sequence[str], options: PlanOptions
) -> Planned:
    """Return how large an evaluation must be, as `plan_evaluation` prints it.

    `reference` may also be a table in memory, as `read_table` takes it.
    """
    difference, size, systems = options.difference, options.size, options.systems
    discordant, spread = options.discordant, options.spread
    if systems < 2:
        raise ExperimentError(f"{Argument('systems', systems)}: a plan is about 2 systems or more")
    is_alone = (
        isinstance(reference, Path)
        and not alignments
        and not reference.is_dir()
        and not may_be_table(reference)
    )
    if size is not None and difference is not None:
        raise ExperimentError(
            f"{Argument('size', size)} asks for the difference: leave {Argument('difference')} out"
        )
    for name in ("source", "target"):
        if getattr(options, name) and not alignments:
            raise ExperimentError(
                f"{Argument(name)} goes with a reference and alignments: leave it out"
            )
    pilots = [pilot for pilot in (reference, discordant, spread) if pilot is not None]
    has_no_difference = reference is None and difference is None and size is None
    if is_alone or has_no_difference or len(pilots) != 1:
        raise ExperimentError(
            "a plan needs a pilot: REFERENCE and two alignments, or several runs of two systems; a "
            f"table of two systems' scores on tasks; or {Argument('difference')} with "
            f"{Argument('discordant')} or {Argument('spread')}"
        )
    cautions: list[str] = []
    unit_name = "items"
    table, is_of_tasks = reference, False
    if reference is not None and not alignments:
        if isinstance(reference, Path):
            table = opened(reference)  # once: the file may be a pipe
        is_of_tasks = (
            kind_of_table(table, TableOptions()) == ITEMS
            and "item" not in score_sheet(table).titles
        )
    if reference is not None and not is_of_tasks:
        choices = Choices(alignments=AlignmentOptions(source=options.source, target=options.target))
        if alignments:
            read = read_input(named_files(alignments), reference, choices)
        else:
            read = read_table(table, choices)
        if isinstance(read, EvaluationInput):
            unit_name = "source entities"
            cautions += map(str, read.cautions)
            planner, basis, dependent = _of_alignments(read, difference)
        elif isinstance(read, TableInput) and isinstance(read.table, Answers):
            planner, basis, dependent = _of_items(read.table, difference)
        else:
            raise ExperimentError(
                f"{reference}: a pilot is a reference with the alignments of two systems after it, "
                "or a table of answers to items"
            )
    elif discordant is not None:
        unit_name = "source entities"
        measured = Pilot(discordant, difference or 0.0)
        planner, basis = partial(plan, measured), _basis(measured)
        dependent = [_INDEPENDENT_ENTITIES]
    elif spread is not None:
        planner = partial(plan_tasks, spread, difference or 0.0)
        basis, dependent = _varies(spread), [_TASKS]
    else:
        planner, basis, dependent = _of_tasks(read_scores(table), difference)
    planned = planner(pairs=systems * (systems - 1) // 2, alpha=options.alpha, size=size)
    cautions += dependent
    return Planned(planned, basis, tuple(cautions), systems, unit_name, size)


#: A function that plans for a number of pairs, a level and a size; the pilot's figures in words;
#: and cautions.
_Planning = tuple[Callable[..., SamplePlan | Repeated], str, list[str]]


def _of_alignments(read: EvaluationInput, difference: float | None) -> _Planning:
    """Plan the number of items from two alignments, or of runs from the runs of two systems."""
    if (count := len(by_system(read.systems))) != 2:
        raise ExperimentError(_NOT_TWO.format(count, "name two"))
    table = incidence(read.systems, read.reference)
    items, clusters = pooled_items([table], read.clusters)
    is_clustered = read.clusters.are_known
    if len(read.systems) == 2:
        measured = pilot(items.correct, *clusters, is_clustered=is_clustered)
        dependent = [] if is_clustered else [_INDEPENDENT_ENTITIES]
        return partial(plan, measured, difference=difference), _basis(measured), dependent
    by_run = dict(zip(table.systems, items.correct, strict=True))
    right = {
        system: np.stack([by_run[run] for run in runs])
        for system, runs in by_system(read.systems).items()
    }
    planner, basis = _of_runs(compare_runs(right, *clusters), difference)
    return planner, basis, [] if is_clustered else [_INDEPENDENT_ENTITIES_OF_RUNS]


def _uncertainty(fewest: float, most: float, unit_name: str) -> str:
    """Return the numbers that are needed at the limits of the pilot's difference."""
    uncertain = "The files only estimate the difference: at the upper limit of its 60% interval"
    enough = f"{fewest:,.0f} {unit_name} are enough"
    if math.isinf(most):
        return f"{uncertain} {enough}, at the lower limit no number is."
    return f"{uncertain} {enough}, at the lower limit {most:,.0f} are needed."


def _of_items(answers: Answers, difference: float | None) -> _Planning:
    """Plan the number of items from two systems' answers, or of runs from their runs."""
    if len(answers.scores) != 2:
        raise ExperimentError(_NOT_TWO.format(len(answers.scores), _COLUMNS))
    cautions = list(answers.cautions)
    if answers.clusters is None:
        cautions.append(_INDEPENDENT_ITEMS)
    source = cluster_index(answers.items, answers.clusters)
    if answers.several:
        planner, basis = _of_runs(compare_runs(answers.scores, source), difference)
        return planner, basis, cautions
    if not answers.whole:
        raise ExperimentError(
            "items are planned for by right (1) and wrong (0) answers; for other scores name the "
            "first column task"
        )
    measured = pilot(answers.first == 1, source)
    return partial(plan, measured, difference=difference), _basis(measured), cautions


def _of_runs(
    runs: SeveralRuns, difference: float | None
) -> tuple[Callable[..., SamplePlan | Repeated], str]:
    """Plan the number of runs from the variance between the pilot's runs."""
    item_variance, run_variance = float(runs.item_variance[0, 1]), 2 * runs.run_variance
    gap = float(runs.values[0] - runs.values[1]) if difference is None else difference
    basis = (
        f"the difference of the shares of right items has a standard error of "
        f"{math.sqrt(item_variance):.3f} from these items, and of {math.sqrt(run_variance):.3f} "
        "from one run of each; Satterthwaite t test"
    )
    return partial(plan_runs, item_variance, run_variance, gap), basis


def _basis(measured: Pilot) -> str:
    dependence = ""
    if measured.design_effect != 1:
        dependence = (
            "; dependence between items makes the variance of the difference "
            f"{measured.design_effect:.2f} times as large (design effect)"
        )
    return (
        f"{measured.discordant:.1%} of the items are answered rightly by exactly one of the two"
        f"{dependence}; {'sign-flip' if measured.is_clustered else 'mid-p'} test"
    )


def _of_tasks(scores: ScoreTable, difference: float | None) -> _Planning:
    """Plan the number of tasks from two systems' scores, or of ontologies that tasks share."""
    if len(scores.systems) != 2:
        raise ExperimentError(_NOT_TWO.format(len(scores.systems), _COLUMNS))
    gaps = differences(*scores.gains.T)
    gap = float(gaps.mean()) if difference is None else difference
    test = default_test(scores)
    cautions = list(scores.cautions)
    if test == JACKKNIFE:
        pairs = ontologies_if_shared(scores)
        around = hubs(pairs)
        if len(around) == 2:
            raise ExperimentError(
                f"{hub_sentence(pairs)} Nothing can be tested, with more partners neither: add "
                "tasks around other ontologies"
            )
        shared = shared_ontologies(scores, pairs)
        error, ontologies = float(shared.standard_error[0, 1]), len(around or shared.ontologies)
        basis = (
            f"the mean difference over the tasks of {ontologies} ontologies has a standard error "
            f"of {error:.3f}; {test} over ontologies"
        )
        planner = partial(plan_tasks, error * math.sqrt(ontologies), gap, unit="ontologies")
        counted = f"{hub_sentence(pairs)} Such ontologies are counted." if around else _SHARED
        return planner, basis, [*cautions, counted]
    spread = float(gaps.std(ddof=1)) if np.ptp(gaps) else 0.0
    if test == "paired-t":  # which takes rounded scores to vary by so much
        spread = max(spread, scores.spread_of_rounding)
    efficiency = _SIGNED_RANK if test == "signed-rank" else 1.0
    planner = partial(plan_tasks, spread, gap, efficiency=efficiency)
    return planner, _varies(spread, test), [*cautions, _TASKS]


def _varies(spread: float, test: str = "paired-t") -> str:
    """Say how much the difference varies, and by which test."""
    return f"from task to task the difference varies by {spread:.3f} (standard deviation); {test}"


def _answer(planned: SamplePlan | Repeated, systems: int, unit_name: str, size: int | None) -> str:
    among = "" if systems == 2 else f" between any two of {systems} systems"
    larger = "" if size is None else " or more"
    of_scores = isinstance(planned, Repeated) and planned.unit != "runs of each"
    quantity = "the mean score" if of_scores else "the share of right answers"
    difference = f"a difference of {planned.difference:.3g}{larger} in {quantity}{among}"
    chance = f"with a chance of {planned.power:.0%}"
    if isinstance(planned, Repeated) and math.isinf(planned.needed):
        reason = "" if of_scores else ": the items are too few"
        return (
            f"No number of {planned.unit} up to 100,000 would find {difference} {chance}{reason}."
        )
    if isinstance(planned, SamplePlan):
        number, unit = size or planned.items, unit_name
        if size is None and planned.clusters < planned.items:
            unit += f" in about {planned.clusters} clusters (such as classes that share a parent)"
    else:
        number, unit = size or round(planned.needed), planned.unit
    if size is None:
        return f"{number} {unit} are needed to find {difference} {chance}."
    return f"With {number} {unit}, {difference} is found {chance}."
