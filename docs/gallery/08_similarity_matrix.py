"""Similarity matrix.

The part of a similarity matrix around a pair: its strongest rivals on both sides, what the
assignment chose (rings) and what the reference says (frames).
"""

from pathlib import Path

from alignrank.experiments.report.figures import draw_similarity_matrix, save
from alignrank.matchers import get_metric, match, prepare
from alignrank.matchers.similarity.matrix import similarity_matrix
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task

task = bundled_task("library")
source, target = load_ontology(task.source), load_ontology(task.target)
candidates, metric = prepare(source, target), get_metric("jaro")
classes = candidates.groups[0]
similarities = similarity_matrix(classes.source.names, classes.target.names, metric)
row = classes.source.iris.index(f"{source.iri}#Volume")
column = classes.target.iris.index(f"{target.iri}#book_vol")
# the pair first, then its strongest rivals
rows = sorted(range(len(classes.source)), key=lambda k: (k != row, -similarities[k, column]))[:8]
columns = sorted(range(len(classes.target)), key=lambda k: (k != column, -similarities[row, k]))[:8]


def places(pairs: set[tuple[str, str]]) -> list[tuple[int, int]]:
    """Return where pairs of entities stand in the part."""
    part = {
        (classes.source.iris[r], classes.target.iris[c]): (i, j)
        for i, r in enumerate(rows)
        for j, c in enumerate(columns)
    }
    return [part[pair] for pair in sorted(pairs & part.keys())]


figure = draw_similarity_matrix(
    similarities[rows][:, columns],
    [classes.source.names[k][0] for k in rows],
    [classes.target.names[k][0] for k in columns],
    assigned=places({c.pair for c in match(candidates, metric).alignment}),
    right=places({c.pair for c in read_alignment(task.reference)}),
    title=f"{metric.name}: {classes.source.names[row][0]} – {classes.target.names[column][0]}",
)
save(figure, Path("08_similarity_matrix"), ("svg",))
