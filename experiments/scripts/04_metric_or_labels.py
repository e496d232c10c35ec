"""What matters more: the metric, or how the labels are prepared for it?

python experiments/scripts/04_metric_or_labels.py A.owl B.owl reference.rdf
"""

import sys

import numpy as np

from alignrank.evaluation import score
from alignrank.matchers import Settings, match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment

if __name__ == "__main__":
    *pair, right = sys.argv[1:] or sys.exit(__doc__)
    source, target = map(load_ontology, pair)
    reference, metrics = read_alignment(right), select_metrics(["standard"])
    f1 = np.zeros((3, 2, len(metrics)))
    for i, labels in enumerate(("lower", "underscore", "words")):
        for j, synonyms in enumerate((False, True)):
            candidates = prepare(source, target, Settings(labels=labels, synonyms=synonyms))
            matchings = match_all(candidates, metrics)
            f1[i, j] = [score(matching.alignment, reference).f1 for matching in matchings]
            print(f"{labels:10} synonyms {synonyms!s:5}  mean F1 {f1[i, j].mean():.3f}")
    # analysis of variance of the complete design: the variance of each choice's means
    for axis, choice in enumerate(("labels", "synonyms", "metric")):
        means = np.moveaxis(f1, axis, 0).reshape(f1.shape[axis], -1).mean(axis=1)
        print(f"{choice:15} explains {means.var() / f1.var():.1%} of the spread of F1")
