"""Compare systems by alignments, items, counts, rankings or judged questions.

Each function makes the complete comparison of one kind of input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alignrank.common.errors import Argument, EvaluationError, Message
from alignrank.common.names import first_of
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.evaluation import (
    Answers,
    Comparison,
    CountMatrix,
    RankedListValues,
    compare_answers,
    compare_counts,
)
from alignrank.evaluation.comparison.judged_samples import compare_judgements
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    EvaluationInput,
    comparable_tasks,
    compare_systems,
)
from alignrank.experiments.inputs.judged_files import JudgedSystems
from alignrank.ontologies import Ontology

from .kinds_of_input import (
    ALIGNMENTS,
    JUDGED,
    OPTIONS,
    RANKINGS,
    Choices,
    RankedInput,
    SystemsInput,
    TableInput,
)


@dataclass(frozen=True)
class Compared:
    """A comparison, and the parts of its input that the results folder also shows.

    Parameters
    ----------
    result
        The comparison, with its provenance.
    alignments
        The systems and the reference, if each system is one alignment; else None.
    rankings
        Every measure of the ranked candidates, with its range over ties; None for other inputs.
    disputed
        The pairs on which two judges disagree.
    """

    result: Comparison
    alignments: EvaluationInput | None = None
    rankings: RankedListValues | None = None
    disputed: tuple[tuple[str, str], ...] = ()


def compare_input(record: SystemsInput, choices: Choices) -> Compared:
    """Compare the systems of an input by the function of its kind."""
    if isinstance(record, EvaluationInput):
        return compare_alignments(record, choices)
    if isinstance(record, RankedInput):
        return _compare_rankings(record, choices)
    if isinstance(record, JudgedSystems):
        return _compare_judged_questions(record, choices)
    if isinstance(record.table, Answers):
        return _compare_items(record.table, record, choices)
    return _compare_count_matrix(record.table, record, choices)


def compare_alignments(evaluation: EvaluationInput, choices: Choices) -> Compared:
    """Compare systems by their alignments on one task."""
    result = compare_systems(evaluation, choices.analysis, choices.measure)
    sides = {"source": evaluation.context.source, "target": evaluation.context.target}
    in_force = {
        "filters": list(evaluation.filters),
        **{side: _path(o) for side, o in sides.items()},
    }
    result = _with_provenance(result, ALIGNMENTS, choices, evaluation.inputs, in_force=in_force)
    if result.runs is not None:  # of several runs no alignment is the system's
        return Compared(result)
    # copies of the focus are not compared
    systems = {name: evaluation.systems[name] for name in result.systems}
    return Compared(result, replace(evaluation, systems=systems))


def _path(ontology: Ontology | None) -> str | None:
    return None if ontology is None else str(ontology.path)


def compare_tasks(results: TrackResults, choices: Choices) -> dict[str, Comparison]:
    """Compare on each task on which systems can be compared (`comparable_tasks`)."""
    evaluations = comparable_tasks(results, choices.analysis.focus)
    return {task: compare_alignments(each, choices).result for task, each in evaluations}


def _compare_judged_questions(record: JudgedSystems, choices: Choices) -> Compared:
    """Compare systems by judged questions."""
    result = compare_judgements(record.sample, choices.analysis)
    result = _with_provenance(result, JUDGED, choices, record.inputs, record.cautions)
    return Compared(result, disputed=record.disputed)


def _compare_rankings(record: RankedInput, choices: Choices) -> Compared:
    """Compare systems by how they rank candidates.

    A caution names the verdicts that the order of tied candidates decides.
    """
    rankings, measure = record.rankings, record.rankings.measure
    result = compare_answers(rankings.answers(), choices.analysis, view=measure)
    # a measure that is 0 or 1, as hits at 1, would be called "right"
    result = replace(result, views={measure: replace(result.deciding, quantity=measure)})
    dependent = rankings.dependent_on_ties(
        result.deciding.edges, correction=result.correction, alpha=result.alpha
    )
    cautions = [Caution("rankings", text) for text in rankings.cautions]
    if dependent:
        listed = first_of((f"{better} > {worse}" for better, worse in dependent), 6)
        text = f"decided by how tied candidates are ordered: {listed}"
        cautions.insert(0, Caution("ties", text))
    result = _with_provenance(result, RANKINGS, choices, record.inputs, cautions)
    return Compared(result, rankings=rankings)


def _compare_count_matrix(matrix: CountMatrix, record: TableInput, choices: Choices) -> Compared:
    """Compare systems by the discordant counts of one view."""
    views = choices.analysis.views or ()
    if len(views) > 1:
        raise ExperimentError(
            f"{Argument('views')}: a table of counts is of one view only: name one"
        )
    view_of_counts = "ifp"
    text = Message(
        f"the counts are taken for those of {view_of_counts} (",
        Argument("views"),
        " names another)",
    )
    cautions = [Caution("view-of-counts", text)]
    if views:
        view_of_counts, cautions = views[0], []
    try:
        result = compare_counts(
            matrix.matrix,
            matrix.systems,
            replace(choices.analysis, views=None),
            view=view_of_counts,
            reference=choices.table.items,
        )
    except EvaluationError as error:
        (file,) = record.inputs.values()
        raise ExperimentError(f"{file.path}: {error}") from None
    return Compared(_with_provenance(result, record.kind, choices, record.inputs, cautions))


def _compare_items(answers: Answers, record: TableInput, choices: Choices) -> Compared:
    """Compare systems by their scores on items, in a table or in files of answers."""
    result = compare_answers(answers, choices.analysis)
    cautions = [Caution("answers", text) for text in answers.cautions]
    if answers.lower_is_better:
        text = "lower is better: a difference is positive if the first system has fewer errors."
        cautions.insert(0, Caution("lower-is-better", text))
    return Compared(_with_provenance(result, record.kind, choices, record.inputs, cautions))


def _with_provenance(
    result: Comparison,
    kind: str,
    choices: Choices,
    inputs: Mapping[str, InputFile],
    cautions: Sequence[Caution] = (),
    *,
    in_force: Mapping[str, object] | None = None,
) -> Comparison:
    """Return the comparison with its provenance, and with cautions on the input.

    `in_force` holds settings whose value differs from the stated option, as the filter of a track.
    """
    values = choices.values
    settings = {
        "command": "compare",
        **{name: values[name] for name in OPTIONS[kind]},
        **(in_force or {}),
        "test": result.test,
        "correction": result.correction,
        "views": list(result.views),
    }
    return replace(
        result,
        provenance=Provenance(settings, inputs),
        cautions=(*cautions, *result.cautions),
    )
