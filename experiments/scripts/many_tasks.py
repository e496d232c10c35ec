"""Which string metrics are better over many pairs, not only on one?

    python -m alignrank.experiments.scripts.many_tasks [TASKS] [FOLDER] [METRICS]

TASKS: bundled, conference (after alignrank data fetch conference), or a folder of pairs.
"""

from itertools import chain

import pandas as pd

import alignrank as ar
from alignrank.experiments.scripts.results_folder import ResultsFolder, run
from alignrank.ontologies.tasks import data_folders, find_tasks


def main(name: str = "bundled", folder: str = "many-tasks", metrics: str = "standard") -> None:
    """Rank the metrics on each pair, cut where F1 is best elsewhere; then study the scores."""
    tasks = find_tasks(name, data_folders())
    files = {task.name: (task.source, task.target, task.reference) for task in tasks}
    results = ResultsFolder(folder, __file__, *chain(*files.values()), metrics=metrics)
    f1 = {}
    for task, its_files in files.items():
        title, chosen = task.replace("/", "-"), metrics.split(",")
        table = results.table(title, ar.rank, *its_files, metrics=chosen, threshold="best")
        f1[task] = table["F1"]
    print(results.table("study", ar.study, pd.DataFrame(f1).T).to_string())


if __name__ == "__main__":
    run(main, __doc__)
