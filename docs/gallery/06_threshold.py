"""Threshold sweep.

F1 of every system along the threshold; of a single system, precision and recall too. The lines are
steps: between two similarities that occur nothing changes.
"""

from pathlib import Path

from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.experiments.report.figures import draw_threshold_sweep, save
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
reference = read_alignment(task.reference)
matchings = match_all(prepare(source, target), select_metrics(["standard"]))
alignments = {m.metric: m.alignment for m in matchings}

figure = draw_threshold_sweep({"n-gram": curve(alignments["ngram"], reference)}, title="n-gram")
save(figure, Path("06_threshold"), ("svg",))
