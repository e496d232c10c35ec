"""Is a system better than a string metric and than another system, and by how much?

python experiments/scripts/03_compare_systems.py A.owl B.owl reference.rdf ONE.rdf TWO.rdf ...
"""

import sys
from pathlib import Path

from alignrank.evaluation import compare, effects, parent_clusters
from alignrank.evaluation.ranking import answer
from alignrank.matchers import Settings, get_metric, match, prepare
from alignrank.ontologies import load_ontology, read_alignment

if __name__ == "__main__":
    one, two, right, *files = sys.argv[1:] or sys.exit(__doc__)
    source, target = load_ontology(one), load_ontology(two)
    systems = {Path(file).stem: read_alignment(file) for file in files}
    # the baseline: equal words, which are matched without a threshold
    candidates = prepare(source, target, Settings(labels="words"))
    systems["equality"] = match(candidates, get_metric("equality")).alignment
    # siblings are resampled together: what holds for one holds for the others
    found = compare(systems, read_alignment(right), clusters=parent_clusters(source))
    print(answer(found.systems, found.edges["entity"][found.correction]))
    print(effects(found.views["entity"]).to_frame().to_string(index=False))
