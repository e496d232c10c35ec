"""Is a system better than a string metric and than another system, and by how much?

python experiments/scripts/03_compare_systems.py A.owl B.owl reference.rdf ONE.rdf TWO.rdf ...
"""

import sys
from pathlib import Path

from alignrank.evaluation import (
    AnalysisSettings,
    EntityClusters,
    compare,
    effects,
    parent_clusters,
)
from alignrank.matchers import Settings, get_metric, match, prepare
from alignrank.ontologies import load_ontology, read_alignment

if __name__ == "__main__":
    one, two, right, *files = sys.argv[1:] or sys.exit(__doc__)
    source, target = load_ontology(one), load_ontology(two)
    systems = {Path(file).stem: read_alignment(file) for file in files}
    # the baseline: equal words, which are matched without a threshold
    candidates = prepare(source, target, Settings(labels="words"))
    systems["equality"] = match(candidates, get_metric("equality")).alignment
    # classes that share a parent depend on each other
    settings = AnalysisSettings(clusters=EntityClusters(parent_clusters(source)))
    result = compare(systems, read_alignment(right), settings)
    print(*result.answer())
    print(effects(result.deciding).to_frame().to_string(index=False))
