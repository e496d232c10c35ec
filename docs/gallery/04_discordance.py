"""Heat map of discordant counts.

What McNemar's test decides by: how many correspondences one system has right and the other wrong.
Compare a cell with its mirror image.
"""

from pathlib import Path

from alignrank.evaluation import compare
from alignrank.experiments.report.figures import draw_discordance, save
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
reference = read_alignment(task.reference)
matchings = match_all(prepare(source, target), select_metrics(["standard"]))
alignments = {m.metric: m.alignment for m in matchings}

view = compare(alignments, reference).views["ifp"]
assert view.counts is not None
counts = view.in_order(view.counts.discordant)
figure = draw_discordance(view.order, counts, title="library, false positives ignored")
save(figure, Path("04_discordance"), ("svg",))
