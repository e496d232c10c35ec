"""Outperforms graph.

Systems in layers, best on top; an arrow points from the significantly better to the worse one.
Systems side by side do not differ significantly. Arrows that follow from others are not drawn.
"""

from pathlib import Path

from alignrank.evaluation import compare
from alignrank.experiments.report.figures import draw_outperforms, save
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
reference = read_alignment(task.reference)
matchings = match_all(prepare(source, target), select_metrics(["standard"]))
alignments = {m.metric: m.alignment for m in matchings}

ranking = compare(alignments, reference).views["ifp"].ranking
figure = draw_outperforms(ranking.layers, ranking.edges, title="library, false positives ignored")
save(figure, Path("01_outperforms"), ("svg",))
