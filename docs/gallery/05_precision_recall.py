"""Precision and recall.

Every threshold on the similarity is a point; the grey lines are those of equal F1. A best threshold
that was found by looking at the reference is exploratory: see the page on choosing one.
"""

from pathlib import Path

from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.experiments.report.figures import draw_precision_recall, save
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
reference = read_alignment(task.reference)
matchings = match_all(prepare(source, target), select_metrics(["standard"]))
alignments = {m.metric: m.alignment for m in matchings}

curves = {name: curve(alignment, reference) for name, alignment in alignments.items()}
figure = draw_precision_recall(curves, title="library")
save(figure, Path("05_precision_recall"), ("svg",))
