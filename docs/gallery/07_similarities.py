"""Similarities of right and wrong pairs.

How similar the correspondences are that a metric found: right ones upwards, wrong ones downwards.
Where the two do not overlap, a threshold can tell them apart.
"""

from pathlib import Path

from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.experiments.report.figures import draw_similarities, save
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
reference = read_alignment(task.reference)
matchings = match_all(prepare(source, target), select_metrics(["standard"]))
alignments = {m.metric: m.alignment for m in matchings}

curves = {name: curve(alignment, reference) for name, alignment in alignments.items()}
figure = draw_similarities(curves, title="library")
save(figure, Path("07_similarities"), ("svg",))
