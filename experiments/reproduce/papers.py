"""The papers' tables and figures recomputed, printed beside the published ones.

On measures: Table 8 of Ehrig & Euzenat 2005, the poster, 5NS, the OAEI 2016 anatomy track. On many
tasks: García & Herrera 2008, Demšar 2006, García et al. 2010. Those of the McNemar paper stand in
`mohammadi_2018`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from alignrank.common.errors import OntologyError
from alignrank.common.files import write_text
from alignrank.common.names import hint
from alignrank.evaluation import (
    BalancedDistance,
    LearningAccuracy,
    adjust,
    mapping_scores,
    ranked_list_scores,
    read_candidates,
    read_choices,
    read_gold,
    relaxed,
    residual,
    score,
    trivial_alignment,
    values,
)
from alignrank.evaluation.multitask import (
    friedman,
    iman_davenport,
    nemenyi_critical_difference,
    posthoc,
    read_scores,
    signed_rank,
    task_ranks,
)
from alignrank.evaluation.multitask.posthoc import (
    friedman_of_mean_ranks,
    iman_davenport_of_mean_ranks,
)
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import find_entity
from alignrank.experiments.report.console import print_cautions, say
from alignrank.experiments.results.folder import handed_over
from alignrank.experiments.results.steps import Steps, fingerprint
from alignrank.ontologies import Hierarchy, Kind, load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_folder, bundled_task, data_folders
from alignrank.ontologies.tasks.filters import filters

from . import mohammadi_2018
from .side_by_side import Reproduction, as_printed, published


def table8() -> Reproduction:
    """Recompute Table 8 of Ehrig & Euzenat 2005 on the bundled ``vehicles`` pair."""
    facts = published("measures", "table8")
    task = bundled_task("vehicles")
    reference = read_alignment(task.reference)
    source_hierarchy, target_hierarchy = (
        Hierarchy.of(load_ontology(path)) for path in (task.source, task.target)
    )
    proximities = {"symmetric": "symmetric", "edit": "effort", "oriented": "oriented"}
    measures = ("standard", *proximities)
    paper = {name: [x for m in measures for x in by[m]] for name, by in facts["values"].items()}
    ours = {}
    for name in paper:
        alignment = reference if name == "R" else read_alignment(task.alignments[name])
        standard = score(alignment, reference)
        ours[name] = [standard.precision, standard.recall]
        for proximity in proximities.values():
            near = relaxed(alignment, reference, source_hierarchy, target_hierarchy, proximity)
            ours[name] += [near.precision, near.recall]
    columns = [f"{m[:9]} {x}" for m in measures for x in ("P", "R")]
    note = "The ontologies are reconstructed: only the links that Table 8 forces are certain."
    return Reproduction.of_numbers(facts, columns, paper, ours, [note])


def bdm(data: Path) -> Reproduction:
    """Recompute the poster's BDM and learning accuracy on PROTON, with n1 computed and 5.5."""
    facts = published("measures", "bdm")
    proton = data / "proton"
    ontology = load_ontology(proton / "protonu.owl", imports=proton)
    hierarchy = Hierarchy.of(ontology, kinds=[Kind.CLASS])
    computed, rounded = BalancedDistance(hierarchy), BalancedDistance(hierarchy, n1=5.5)
    accuracy = LearningAccuracy(hierarchy)
    paper, ours = {}, {}
    for key, response, printed_bdm, printed_accuracy in facts["rows"]:
        pair = [find_entity(ontology, name, [Kind.CLASS]).iri for name in (key, response)]
        paper[f"{key} / {response}"] = [printed_bdm, printed_bdm, printed_accuracy]
        ours[f"{key} / {response}"] = [f(*pair) for f in (computed, rounded, accuracy)]
    mean = computed.chains.total.mean
    off = [[abs(ours[row][k] - float(paper[row][k])) for row in paper] for k in (0, 1)]
    equal = sum(as_printed(paper[row][1], ours[row][1]) == paper[row][1] for row in paper)
    notes = [
        f"n1 is {mean:.5f} here; the poster's figures fit 5.5. With n1 computed all {len(paper)} "
        f"BDM lie within {max(off[0]):.4f} of the poster's; with 5.5 {equal} are equal, and "
        f"the other is {max(off[1]):.4f} off."
    ]
    columns = [f"n1 {mean:.4f}", "n1 5.5", "LA"]
    return Reproduction.of_numbers(facts, columns, paper, ours, notes)


def five_synsets() -> Reproduction:
    """Recompute the example 5NS."""
    facts = published("measures", "5ns")
    folder = bundled_folder("synsets") / "5ns"
    gold = read_gold(folder / "gold.tsv")
    ranked = ranked_list_scores(gold, read_candidates(folder / "candidates.tsv"), ks=(1, 2, 3))
    mapped = mapping_scores(gold, read_choices(folder / "match.tsv"))
    ours = {f"recall@{k}": value for k, value in ranked.recall_at.items()}
    ours |= {"precision": mapped.precision, "recall": mapped.recall}
    ours |= {"F1": mapped.f1, "accuracy": mapped.accuracy}
    return Reproduction.of_values(facts, facts["values"], ours)


def oaei_2016(data: Path) -> Reproduction:
    """Recompute size, precision, recall and recall+ of nine systems on anatomy."""
    facts = published("measures", "oaei-2016")
    anatomy = data / "anatomy"
    reference = read_alignment(anatomy / "reference.rdf")
    trivial = trivial_alignment(
        load_ontology(anatomy / "mouse.owl"), load_ontology(anatomy / "human.owl"), "oaei-2016"
    )
    ours, rule = {}, filters()["oaei-anatomy"]
    for name in facts["systems"]:
        system = read_alignment(anatomy / "systems-2016" / f"{name}.rdf", name=name)
        filtered = system.where(lambda c: rule.keeps(c.key, ()))
        scores = score(filtered, reference)
        plus = values(residual(filtered, reference, trivial))["recall"]
        ours[name] = (float(scores.found), scores.precision, scores.recall, plus)
    columns = ["size", "precision", "recall", "recall+"]
    notes = [
        facts["note"],
        "As the track does, only = cells count, and none with an oboInOwl entity or "
        "UNDEFINED_part_of; the other commands judge the files as they are.",
    ]
    return Reproduction.of_numbers(facts, columns, facts["systems"], ours, notes)


def score_file(data: Path, name: str) -> Path:
    """Return a published score table: it lies in ``scores``, in the data folder or beside it.

    Raises
    ------
    ExperimentError
        If it is not there.
    """
    places = [folder / "scores" / name for folder in (data, data.parent)]
    existing = [path for path in places if path.is_file()]
    if not existing:
        raise ExperimentError(
            f"{places[0]} is not there: put the paper's table of scores there as CSV, "
            "tasks in rows and classifiers in columns (the R package scmamp holds it)"
        )
    return existing[0]


def garcia_herrera(data: Path) -> Reproduction:
    """Recompute the ten p-values of García & Herrera 2008 under every correction."""
    facts = published("multitask", "garcia-herrera")
    table = read_scores(score_file(data, facts["file"]))
    p = posthoc(table.scores, "friedman").p
    corrections = ("none", "nemenyi", "holm", "shaffer", "bergmann-hommel")
    columns = [adjust(p, name).values for name in corrections]
    columns.append(adjust(p, "bergmann-hommel", monotone=True).values)
    paper, ours = {}, {}
    for first, second, *printed in facts["pairs"]:
        place = table.systems.index(first), table.systems.index(second)
        paper[f"{first} - {second}"] = printed
        ours[f"{first} - {second}"] = [float(values[place]) for values in columns]
    return Reproduction.of_numbers(facts, facts["columns"], paper, ours)


def rank_statistics(name: str, data: Path) -> Reproduction:
    """Mean ranks, Friedman and Iman–Davenport of a published score table."""
    facts = published("multitask", name)
    table = read_scores(score_file(data, facts["file"]))
    means = task_ranks(table.scores).mean(axis=0)
    ours = {f"rank {s}": float(r) for s, r in zip(table.systems, means, strict=True)}
    ours["Friedman"] = friedman(table.scores).statistic
    ours["Iman–Davenport"] = iman_davenport(table.scores).statistic
    return Reproduction.of_values(facts, facts["statistics"], ours)


def demsar() -> Reproduction:
    """Demšar 2006, from the published rank sums."""
    facts = published("multitask", "demsar")
    tasks = facts["tasks"]
    mean_ranks = np.array(facts["rank_sums"]) / tasks
    ours = {
        "Friedman": friedman_of_mean_ranks(mean_ranks, tasks).statistic,
        "Iman–Davenport": iman_davenport_of_mean_ranks(mean_ranks, tasks).statistic,
        "critical difference": nemenyi_critical_difference(len(mean_ranks), tasks, alpha=0.05),
    }
    return Reproduction.of_values(facts, facts["statistics"], ours)


def table1() -> Reproduction:
    """Table 1 of the statistical-perspective paper, as far as it can be inferred: 2/2^N."""
    facts = published("multitask", "table1")
    paper, ours = {}, {}
    for pair, tasks, printed in facts["values"]:
        better = np.arange(1.0, tasks + 1)  # all differences of one sign, none tied
        paper[f"{pair} (N = {tasks})"] = [printed]
        ours[f"{pair} (N = {tasks})"] = [signed_rank(better, np.zeros(tasks)).p]
    note = "The scores behind Table 1 are not published: nothing else of it can be recomputed."
    return Reproduction.of_numbers(facts, ["p"], paper, ours, [note])


#: The reproductions by name: functions of the data folder.
REPRODUCTIONS: dict[str, tuple[Callable[[Path], Reproduction | str], ...]] = {
    "table2": (partial(mohammadi_2018.discordant_table, "table2"),),
    "table3": (partial(mohammadi_2018.discordant_table, "table3"),),
    "table4": (mohammadi_2018.table4,),
    "table5": (
        partial(mohammadi_2018.discordant_table, "table5"),
        mohammadi_2018.rematched_table5,
    ),
    "figures": (mohammadi_2018.figures,),
    "grid": (mohammadi_2018.grid,),
    "n-by-1": (mohammadi_2018.one_against_all,),
    "garcia-herrera": (garcia_herrera, partial(rank_statistics, "garcia-herrera")),
    "garcia-2010": (partial(rank_statistics, "garcia-2010"),),
    "demsar": (lambda _: demsar(),),
    "table8": (lambda _: table8(),),
    "bdm": (bdm,),
    "5ns": (lambda _: five_synsets(),),
    "oaei-2016": (oaei_2016,),
    "table1": (lambda _: table1(),),
}

#: Reproductions that need no data.
WITHOUT_DATA = ("demsar", "table8", "5ns", "table1")
#: The folder that is needed where that is not ``anatomy``.
FOLDERS = dict.fromkeys((*WITHOUT_DATA, "garcia-herrera", "garcia-2010"), "") | {"bdm": "proton"}


def reproduce(
    tables: Sequence[str] = (),
    data: Path | None = None,
    out: Path | None = None,
    *,
    resume: bool = False,
) -> int:
    """Recompute the papers' tables, paper and ours side by side.

    What lacks its data is left out, and said at the end. With `out` what is finished is kept until
    all is, and with `resume` not computed again.

    Returns
    -------
    int
        Exit code: 1 if something was left out.

    Raises
    ------
    ExperimentError
        If a name is unknown, or everything that is named lacks its data.
    """
    unknown = sorted(set(tables) - REPRODUCTIONS.keys())
    if unknown:
        raise ExperimentError(
            f"nothing called {unknown[0]!r} can be reproduced: " + hint(unknown[0], REPRODUCTIONS)
        )
    chosen = list(tables) or list(REPRODUCTIONS)
    steps = Steps(out, resume=resume, overwrite=True)
    left_out: dict[str, ValueError] = {}
    for name in chosen:
        try:
            say(_kept(name, _folder_for(name, data), steps))
        except (ExperimentError, OntologyError) as reason:
            left_out[name] = reason
    if len(left_out) == len(chosen):
        raise left_out[chosen[0]]
    if out is not None:
        with handed_over(out, overwrite=True) as stage:
            for name in (name for name in chosen if name not in left_out):
                steps.copy(name, stage)
    if not left_out:
        steps.forget()
    print_cautions(f"{name} is left out: {reason}" for name, reason in left_out.items())
    return int(bool(left_out))


def _text(name: str, data: Path) -> str:
    """Return the text of a reproduction."""
    return "\n".join(f"{table(data)}\n" for table in REPRODUCTIONS[name])


def _kept(name: str, data: Path, steps: Steps) -> str:
    """Return the text of a reproduction, computed now or in a finished step."""
    if not steps.kept:
        return _text(name, data)
    file = f"{name}.txt"
    stamps = []
    if name not in WITHOUT_DATA:
        stats = {path: path.stat() for path in sorted(data.rglob("*"))}
        stamps = [(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()]
    folder = steps.step(
        name,
        fingerprint({"name": name, "data": stamps}),
        lambda stage: write_text(stage / file, _text(name, data)),
    )
    return (folder / file).read_text(encoding="utf-8")


def _folder_for(name: str, data_folder: Path | None) -> Path:
    """Return the folder that holds the needed data: `data_folder`, or one of the usual ones."""
    folders, needed = data_folders(data_folder), FOLDERS.get(name, "anatomy")
    holding = [folder for folder in folders if (folder / needed).is_dir()]
    if holding or not needed:
        return [*holding, *folders][0]
    raise ExperimentError(
        f"{folders[0]} has no folder {needed}: name the folder that holds {needed}/ with --data or "
        f"$ALIGNRANK_DATA, or fetch it (alignrank data fetch {needed})"
    )
