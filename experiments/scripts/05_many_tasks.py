"""Which string metrics are better over many pairs, not only on this one?

python experiments/scripts/05_many_tasks.py bundled        (or conference, a folder of pairs, ...)
"""

import sys

import numpy as np

from alignrank.evaluation import score
from alignrank.evaluation.multitask import ScoreTable, study
from alignrank.matchers import Settings, match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import data_folders, find_tasks

if __name__ == "__main__":
    metrics, f1, names = select_metrics(["standard"]), [], []
    (tasks,) = sys.argv[1:] or sys.exit(__doc__)
    for task in find_tasks(tasks, data_folders()):
        pair = load_ontology(task.source), load_ontology(task.target)
        matchings = match_all(prepare(*pair, Settings(threshold=0.8)), metrics)
        f1.append([score(m.alignment, read_alignment(task.reference)).f1 for m in matchings])
        names.append(task.name)
    # Wilcoxon's signed-rank test of each two metrics, Bergmann and Hommel's correction
    result = study(ScoreTable(tuple(names), tuple(m.name for m in metrics), np.array(f1), "F1"))
    for name in result.deciding.order:
        print(f"{name:20} mean rank {result.mean_ranks[name]:.2f}")
    print(*result.answer())
