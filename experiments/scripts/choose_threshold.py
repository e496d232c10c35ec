"""Where should each metric be cut, if its threshold comes from other entities?

python -m alignrank.experiments.scripts.choose_threshold [TASK] [FOLDER] [METRICS]
"""

import pandas as pd

from alignrank.evaluation import parent_clusters, score
from alignrank.evaluation.measures.threshold_curve import crossfit
from alignrank.experiments.scripts.results_folder import ResultsFolder, one_task, run
from alignrank.matchers import match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment


def main(name: str = "library", folder: str = "threshold", metrics: str = "standard") -> None:
    """Choose each threshold by cross-validation; compare F1 with that of the uncut alignment."""
    task = one_task(name)
    files = task.source, task.target, task.reference
    results = ResultsFolder(folder, __file__, *files, metrics=metrics)

    def f1_uncut_and_cut() -> pd.DataFrame:
        source, reference = load_ontology(task.source), read_alignment(task.reference)
        # classes that share a parent resemble each other: none chooses the threshold of another
        source_clusters, rows = parent_clusters(source), {}
        candidates = prepare(source, load_ontology(task.target))
        for matching in match_all(candidates, select_metrics(metrics.split(","))):
            fitted = crossfit(matching.alignment, reference, clusters=source_clusters)
            uncut, cut = (score(a, reference).f1 for a in (matching.alignment, fitted.alignment))
            low, _, high = fitted.range
            rows[matching.metric] = {"uncut": uncut, "cut": cut, "from": low, "to": high}
        return pd.DataFrame(rows).T

    print(results.table("thresholds", f1_uncut_and_cut).to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    run(main, __doc__)
