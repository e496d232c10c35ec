"""The command that scores alignments, candidates and classes by a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import get_args

import typer
from typer.models import OptionInfo

from alignrank.common.defaults import DEFAULTS
from alignrank.common.names import listed, refuse_unknown
from alignrank.evaluation.credit.counts import Completeness
from alignrank.evaluation.measures.measure import MEASURES
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.scoring.gold_standard import map_files, retrieve_pair, score_concepts
from alignrank.experiments.scoring.score_files import RELAXED_NAMES, score_files

from .options import argument, choice, command, completing, named_values, option

#: What is scored, as --kind names it.
KIND_NAMES = ("alignments", "mapping", "retrieval", "concepts")
KIND = option(
    "KIND",
    "Of what is scored, told by the files if they come first: "
    "alignments (REFERENCE ALIGNMENT...), "
    "retrieval (SOURCE TARGET REFERENCE: metrics by the rank of the right targets), "
    "mapping (GOLD CANDIDATES MATCHES...), "
    "concepts (ONTOLOGY KEY RESPONSE). Each has its own help: score --kind mapping --help.",
)

RELAXED = option(
    "CHOICES",
    "Of the relaxed measures, as aggregate=mean,max_distance=2: "
    f"{', '.join(f'{name}={values}' for name, values in RELAXED_NAMES.items())}.",
)
RELAXED.callback = named_values("--relaxed", RELAXED_NAMES)

alignments = command(
    score_files,
    "kind reference alignments judged task source target measures zero_division completeness "
    "relaxed breakdown "
    "references resamples focus clusters seed imports filters on_mismatch columns predicates out",
    kind=KIND,
    judged=option(
        "FILE", "Instead of a reference: questions.sssom.tsv of alignrank sample with answers."
    ),
    measures=option(
        "NAME",
        f"{listed(MEASURES)} (repeatable; default: the usual ones).",
        flag="--measure",
        autocompletion=completing(MEASURES),
    ),
    completeness=choice(
        "SIDE", get_args(Completeness), "For which entities the reference is complete: {}."
    ),
    relaxed=RELAXED,
    references=option(
        "FILE",
        "A second reference, as a repaired one (FILE or NAME=FILE; repeatable): precision, recall "
        "and F1 by each, side by side.",
        flag="--reference",
    ),
    breakdown=typer.Option(
        "--breakdown", help="The first measure by kind and relation; one-to-one or not."
    ),
    resamples=option(
        "N",
        f"Print {DEFAULTS.level:.0%} intervals: by formula, or else by N resamples, as "
        f"{DEFAULTS.n_bootstrap}.",
        flag="--bootstrap",
        min=0,
        max=1_000_000,
    ),
    focus=option("SYSTEM", "Its differences from each other system, with intervals."),
    seed=option("N", "Of the bootstrap.", min=0),
)


def _cutoffs(default: Sequence[int]) -> OptionInfo:
    ranks = ", ".join(map(str, default))
    return option("N", f"Cut-off n (repeatable; default: {ranks}).", flag="--at")


mapping = command(
    map_files,
    kind=KIND,
    gold=argument("GOLD", "TSV: item, candidate[, grade]; null for none."),
    candidates=argument("CANDIDATES", "TSV: item, candidate, rank or score."),
    matches=argument("MATCHES", "TSV: item, candidate; FILE, or NAME=FILE."),
    target=option("FILE", "Of typed lists: target ontology, or TSV of child_id, parent_id."),
    positive=option("GRADE", "Grade that counts as right (repeatable; default: match)."),
    cutoffs=_cutoffs(DEFAULTS.mapping_cutoffs),
)

retrieval = command(
    retrieve_pair,
    "kind source target reference metrics cutoffs tie labels synonyms kinds langs imports",
    kind=KIND,
    cutoffs=_cutoffs(DEFAULTS.cutoffs),
)

concepts = command(
    score_concepts,
    kind=KIND,
    path=argument("ONTOLOGY", "The ontology."),
    key=argument("KEY", "Right class (IRI, its last part, or label), or a TSV of item, class."),
    response=argument("RESPONSE", "Given class, or a TSV of item, class."),
    n1=option("X", "Mean chain length (default: computed)."),
)


_COMMANDS = dict(zip(KIND_NAMES, (alignments, mapping, retrieval, concepts), strict=True))


def of_kind(words: Sequence[str]) -> Callable[..., int | None]:
    """Return the command of the kind of input: by --kind, else by the first file's content."""
    for word, value in zip_longest(words, words[1:], fillvalue=""):
        name, _, joined = word.partition("=")
        if name == "--kind" and (kind := joined or value):
            refuse_unknown("--kind", kind, KIND_NAMES, ExperimentError)
            return _COMMANDS[kind]
    first, second, _, fourth = (word and content_of(Path(word)) for word in [*words, *[""] * 4][:4])
    if first == "ontology" and fourth != "alignment":  # else REFERENCE says what the order is
        if second == "ontology":
            return retrieval
        return concepts
    if first == "folder":
        raise ExperimentError(
            f"{words[0]} is a folder: alignrank study ALIGNMENTS --reference {words[0]} has micro "
            "and macro averages over its tasks"
        )
    if first == "items":
        return mapping
    return alignments
