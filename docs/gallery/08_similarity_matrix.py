"""Similarity matrix.

The part of a similarity matrix around a pair: its strongest rivals on both sides, what the
assignment chose (rings) and what the reference says (frames). `alignrank explain --figure` draws it
for any pair.
"""

from pathlib import Path

from alignrank.experiments.looking.explain import draw_neighbourhood
from alignrank.experiments.report.figures import save
from alignrank.matchers import get_metric, prepare
from alignrank.ontologies import Kind, load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
pair = (f"{source.iri}#Volume", f"{target.iri}#book_vol")
figure = draw_neighbourhood(
    prepare(source, target),
    get_metric("jaro"),
    Kind.CLASS,
    pair,
    reference=read_alignment(task.reference),
    size=8,
)
save(figure, Path("08_similarity_matrix"), ("svg",))
