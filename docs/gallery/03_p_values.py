"""Heat map of p-values.

Every pair of systems: the colour says who is better, the shade how small the adjusted p-value is.
Grey pairs do not differ significantly.
"""

from pathlib import Path

from alignrank.evaluation import compare
from alignrank.experiments.report.figures import draw_p_values, save
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
reference = read_alignment(task.reference)
matchings = match_all(prepare(source, target), select_metrics(["standard"]))
alignments = {m.metric: m.alignment for m in matchings}

view = compare(alignments, reference).views["ifp"]
p = view.in_order(view.adjusted_p)
figure = draw_p_values(view.order, p, view.edges, title="adjusted p (Bergmann–Hommel)")
save(figure, Path("03_p_values"), ("svg",))
