"""Where should each metric be cut, if no reference may judge the threshold that it has chosen?

python experiments/scripts/02_choose_threshold.py A.owl B.owl reference.rdf
"""

import sys

from alignrank.evaluation import parent_clusters, score
from alignrank.evaluation.measures.threshold_curve import crossfit
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment

if __name__ == "__main__":
    *pair, right = sys.argv[1:] or sys.exit(__doc__)
    source, target = map(load_ontology, pair)
    reference = read_alignment(right)
    # siblings resemble each other: none of them chooses the threshold of another
    siblings = parent_clusters(source)
    print(f"{'metric':20} {'uncut':>6} {'cut':>6}  thresholds")
    for matching in match_all(prepare(source, target), select_metrics(["standard"])):
        fitted = crossfit(matching.alignment, reference, clusters=siblings)
        uncut, cut = (score(a, reference).f1 for a in (matching.alignment, fitted.alignment))
        low, _, high = fitted.range
        print(f"{matching.metric:20} {uncut:6.3f} {cut:6.3f}  {low:.2f} to {high:.2f}")
