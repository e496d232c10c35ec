"""Read judgements and the judged systems, and describe the judges' agreement."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from alignrank.common.errors import Argument, Message
from alignrank.common.names import count, first_of
from alignrank.common.results import Caution, InputFile
from alignrank.evaluation import AnalysisSettings, Comparison
from alignrank.evaluation.comparison.judged_samples import compare_judgements, sample_of
from alignrank.evaluation.judged.conclusions import Sample
from alignrank.evaluation.judged.judgements import (
    JudgeAgreement,
    joined_judgements,
    joined_parts,
    judge_agreement,
    read_judgements,
)
from alignrank.evaluation.judged.pool import Pair
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import input_files
from alignrank.ontologies import Alignment
from alignrank.ontologies.tasks.reader import AlignmentReader

JUDGED = "judged questions"
#: At most so many disputed pairs are listed.
LISTED = 10


@dataclass(frozen=True)
class JudgedSystems:
    """Systems and the judgements of their pairs.

    Parameters
    ----------
    systems
        What each proposes.
    sample
        The judged questions; of two judges, where they agree.
    inputs
        Every file that was read, by its role.
    cautions
        What the reader must know.
    disputed
        The pairs on which two judges disagree.
    """

    systems: Mapping[str, Alignment]
    sample: Sample
    inputs: Mapping[str, InputFile]
    cautions: tuple[Caution, ...]
    disputed: tuple[Pair, ...] = ()


def read_judged_systems(
    judged: Sequence[Path | Alignment],
    alignments: Mapping[str, Path | Alignment],
    reader: AlignmentReader,
) -> JudgedSystems:
    """Read the answers of one or two judges, and the systems' alignments by name.

    Files without a common pair are parts of one judge's answers, such as positive.sssom.tsv,
    negative.sssom.tsv and unsure.sssom.tsv of sssom-curator.

    Raises
    ------
    ExperimentError
        If there is no system, or there are more than two judges.
    EvaluationError
        As `sample_of` and `joined_judgements`.
    """
    if not alignments:
        raise ExperimentError(
            f"{Argument('judged')}: name the systems' alignments, as those that were sampled"
        )
    reader = reader.among(file for file in alignments.values() if isinstance(file, Path))
    systems = {name: reader.system(file, name) for name, file in alignments.items()}
    files = [AlignmentReader().system(file) for file in judged]
    judges = joined_parts([read_judgements(file) for file in files])
    if len(judges) > 2:
        raise ExperimentError(
            f"{len(judges)} files of judgements share pairs: one or two judges are read"
        )
    judgements, agreement = judges[0], None
    if len(judges) == 2:
        judgements = joined_judgements(judges[0], judges[1])
    sample = sample_of(systems, judgements)
    if len(judges) == 2:
        weight = 1 / sample.probability[sample.pool.question]
        used = sample.judged[sample.pool.question]
        pairs = zip(sample.pool.pairs, weight.tolist(), used.tolist(), strict=True)
        weights = {pair: of_pair for pair, of_pair, is_used in pairs if is_used}
        agreement = judge_agreement(judges[0], judges[1], weights)
    inputs = input_files(**{f"alignment {name}": system for name, system in systems.items()})
    inputs |= input_files(**{f"judgements {k}": file for k, file in enumerate(files, 1)})
    cautions = []
    for name, system in systems.items():
        if judgements.digests and system.sha256 not in judgements.digests.values():
            text = f"{name} is not a file that the questions were drawn from: has it changed since?"
            cautions.append(Caution("changed", text, system=name))
    cautions += (Caution("judges", text) for text in agreement_sentences(agreement))
    disputed = () if agreement is None else agreement.disputed
    return JudgedSystems(systems, sample, inputs, tuple(cautions), disputed)


def compare_judged(record: JudgedSystems, settings: AnalysisSettings) -> Comparison:
    """Compare systems by judged questions."""
    result = compare_judgements(record.sample, settings)
    return replace(result, cautions=(*record.cautions, *result.cautions))


def agreement_sentences(agreement: JudgeAgreement | None) -> list[str]:
    """Return sentences on the agreement of two judges, or on the errors of one."""
    if agreement is None:
        of_one = Message(
            "There is one judge: if 2% of the answers were wrong, each F1 would be about 0.01 "
            "lower, in the same order of systems. A second judge's answers (a second file: ",
            Argument("judged"),
            ") measure errors.",
        )
        return [of_one]
    if math.isnan(agreement.error_rate):
        errors = "one of them has taken right for wrong, or they judged by different rules"
    else:
        errors = f"each errs in about {100 * agreement.error_rate:.1f}% of the pairs"
    # kappa is 0/0 where both always give the same verdict
    measured = f"AC1 {agreement.ac1:.2f}"
    if not math.isnan(agreement.kappa):
        measured = f"kappa {agreement.kappa:.2f}, {measured}"
    sentence = (
        f"The two judges agree on {100 * agreement.share:.0f}% of "
        f"{count(agreement.pairs, 'pair')} ({measured}): {errors}."
    )
    if not agreement.disputed:
        return [sentence]
    disputed = (f"{source} = {target}" for source, target in agreement.disputed)
    listed = first_of(disputed, LISTED, "; ")
    return [sentence, f"Disputed, counted as cannot tell: {listed}."]
