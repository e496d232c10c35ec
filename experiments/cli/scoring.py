"""The command that scores alignments, candidates and classes by a reference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import get_args

from alignrank.common.defaults import DEFAULTS, RELAXED_NAMES, Completeness
from alignrank.common.names import refuse_unknown
from alignrank.experiments.errors import ExperimentError

from .options import Command, Option, argument, choice, measure_names, named_values, switch

KIND = Option(
    "KIND",
    "Of what is scored, told by the files if they come first: "
    "alignments (REFERENCE ALIGNMENT...), "
    "retrieval (SOURCE TARGET REFERENCE: metrics by the rank of the right targets), "
    "mapping (GOLD CANDIDATES MATCHES...), "
    "concepts (ONTOLOGY KEY RESPONSE). Each has its own help: score --kind mapping --help.",
)

RELAXED = Option(
    "CHOICES",
    "Of the relaxed measures, as aggregate=mean,max_distance=2: "
    f"{', '.join(f'{name}={values}' for name, values in RELAXED_NAMES.items())}.",
    check=named_values("--relaxed", RELAXED_NAMES),
)


alignments = Command(
    "scoring.score_files:score_files",
    "kind [reference] [alignments] judged task --source --target measures zero_division "
    "completeness relaxed breakdown references resamples focus clusters seed imports "
    "filters on_mismatch columns predicates out data overwrite",
    """Score alignment files by every measure of the field.

    Example: alignrank score reference.rdf aml.rdf logmap.rdf --source a.owl --target b.owl

    Example: alignrank score --task anatomy mine.rdf

    Example: alignrank score --judged questions.sssom.tsv mine.rdf (no reference)

    Example: alignrank score original.rdf mine.rdf theirs.rdf --reference repaired.rdf
    """,
    kind=KIND,
    judged=Option(
        "FILE",
        "Instead of a reference: questions.sssom.tsv of alignrank sample with answers.",
        Path,
        several=True,
    ),
    measures=Option(
        "NAME",
        "{} (repeatable; default: the usual ones).",
        several=True,
        names=measure_names,
    ),
    completeness=choice(
        "SIDE",
        get_args(Completeness),
        "For which entities the reference is complete: {}.",
        "complete",
    ),
    relaxed=RELAXED,
    references=Option(
        "FILE",
        "A second reference, as a repaired one (FILE or NAME=FILE; repeatable): precision, recall "
        "and F1 by each, side by side.",
        flag="--reference",
        several=True,
    ),
    breakdown=switch("--breakdown", "The first measure by kind and relation; one-to-one or not."),
    resamples=Option(
        "N",
        f"Print {DEFAULTS.level:.0%} intervals: by formula, or else by N resamples, as "
        f"{DEFAULTS.n_bootstrap}.",
        int,
        0,
        least=0,
        most=1_000_000,
    ),
    focus=Option("SYSTEM", "Its differences from each other system, with intervals."),
    seed=Option("N", "Of the bootstrap.", int, DEFAULTS.seed, least=0),
)


def _cutoffs(default: Sequence[int]) -> Option:
    ranks = ", ".join(map(str, default))
    text = f"Cut-off n (repeatable; default: {ranks})."
    return Option("N", text, int, flag="--at", several=True)


mapping = Command(
    "scoring.gold_standard:map_files",
    "kind gold candidates [matches] positive tie cutoffs zero_division --target",
    """Score ranked candidates and mappings by a gold standard.

    A mapping may choose nothing for an item, and the gold standard may want that. By a gold
    standard with relations all files are ranked lists: typed MRR and nDCG@10.

    Example: alignrank score gold.tsv candidates.tsv mine.tsv theirs.tsv

    Example: alignrank score answers.tsv mine.tsv theirs.tsv --target hierarchy.tsv
    """,
    kind=KIND,
    gold=argument("GOLD", "TSV: item, candidate[, grade]; null for none.", Path),
    candidates=argument("CANDIDATES", "TSV: item, candidate, rank or score.", Path),
    matches=argument("MATCHES", "TSV: item, candidate; FILE, or NAME=FILE.", several=True),
    target=Option("FILE", "Of typed lists: target ontology, or TSV of child_id, parent_id.", Path),
    positive=Option(
        "GRADE", "Grade that counts as right (repeatable; default: match).", several=True
    ),
    cutoffs=_cutoffs(DEFAULTS.mapping_cutoffs),
)


retrieval = Command(
    "scoring.gold_standard:retrieve_pair",
    "kind source target reference metrics cutoffs tie labels synonyms kinds langs imports",
    """Score metrics by where they rank the right targets.

    No assignment is made: each source entity has its own list of targets.

    Example: alignrank score mouse.owl human.owl reference.rdf --metric smoa --at 1 --at 10
    """,
    kind=KIND,
    cutoffs=_cutoffs(DEFAULTS.cutoffs),
)


concepts = Command(
    "scoring.gold_standard:score_concepts",
    "kind path key response imports n1",
    """Measure how near classes are to the right ones (BDM).

    Balanced distance metric and learning accuracy, of two classes or of files of them.

    Example: alignrank score protonu.owl City Location --imports proton
    """,
    kind=KIND,
    path=argument("ONTOLOGY", "The ontology.", Path),
    key=argument("KEY", "Right class (IRI, its last part, or label), or a TSV of item, class."),
    response=argument("RESPONSE", "Given class, or a TSV of item, class."),
    n1=Option("X", "Mean chain length (default: computed).", float),
)


#: By what is scored, as --kind names it.
_COMMANDS = {
    "alignments": alignments,
    "mapping": mapping,
    "retrieval": retrieval,
    "concepts": concepts,
}


def of_kind(words: Sequence[str]) -> Command:
    """Return the command of the kind of input: by --kind, else by the first file's content."""
    for word, value in zip_longest(words, words[1:], fillvalue=""):
        name, _, joined = word.partition("=")
        if name == "--kind" and (kind := joined or value):
            refuse_unknown("--kind", kind, _COMMANDS, ExperimentError)
            return _COMMANDS[kind]
    if not (words and Path(words[0]).exists()):
        return alignments
    from alignrank.experiments.inputs.kinds_of_files import content_of  # help needs it not

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
    if first == "ranking":
        return mapping
    return alignments
