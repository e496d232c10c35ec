"""Score systems, or a single one, by judged questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alignrank.common.records import record_dict
from alignrank.evaluation.comparison.judged_samples import sample_of
from alignrank.experiments.inputs.judged_files import read_judged_systems
from alignrank.experiments.report.console import finish, print_cautions, print_prose, print_ranked
from alignrank.experiments.report.pool_table import pool_sentences, pool_table
from alignrank.ontologies.tasks.reader import AlignmentReader


def score_judged(
    judged: Sequence[Path], alignments: Sequence[str], reader: AlignmentReader
) -> None:
    """Print precision, recall, F1 and correct in the pool, with intervals."""
    read = read_judged_systems(judged, alignments, reader)
    sample = sample_of(read.systems, read.judgements)
    estimate = sample.estimate()
    names = list(read.systems)
    table = pool_table(estimate, names, {})
    sentences = pool_sentences(estimate)
    print_ranked(table.header, table.cells(), beside=sentences)
    for sentence in sentences:
        print_prose(sentence)
    cautions = [*sample.cautions, *read.cautions]
    print_cautions(cautions)
    content = record_dict(estimate, "judged scores")
    finish({"systems": names, **content, "cautions": [str(caution) for caution in cautions]})
