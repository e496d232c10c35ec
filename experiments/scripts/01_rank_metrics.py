"""Which string metrics match this pair best, and which differences are real?

python experiments/scripts/01_rank_metrics.py A.owl B.owl reference.rdf
"""

import sys

from alignrank.evaluation import compare
from alignrank.matchers import Settings, match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment

if __name__ == "__main__":
    source, target, reference = sys.argv[1:] or sys.exit(__doc__)
    right = read_alignment(reference)
    # names are split into words; synonyms count as names; nothing is cut
    candidates = prepare(load_ontology(source), load_ontology(target), Settings(labels="words"))
    matchings = list(match_all(candidates, select_metrics(["standard"])))
    # McNemar's mid-p test of each pair, Bergmann and Hommel's correction
    result = compare({m.metric: m.alignment for m in matchings}, right)
    view = result.deciding
    for name in view.order:
        print(f"{name:20} F1 {result.scores[name].f1:.3f}  rank {view.ranks[name]}")
    print(*result.answer())
