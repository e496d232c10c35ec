"""Which string metrics are better over many pairs, not only on one?

    python -m alignrank.experiments.scripts.many_tasks [TASKS] [FOLDER] [METRICS]

TASKS: bundled, conference (after alignrank data fetch conference), or a folder of pairs.
"""

import pandas as pd

import alignrank as ar
from alignrank.experiments.scripts.results_folder import ResultsFolder, run
from alignrank.ontologies.tasks import data_folders, find_tasks


def main(name: str = "bundled", folder: str = "many-tasks", metrics: str = "standard") -> None:
    """Rank the metrics on each pair, cut where F1 is best elsewhere; then study the scores."""
    tasks = find_tasks(name, data_folders())
    results = ResultsFolder(folder, __file__, *(task.reference for task in tasks))
    f1 = {}
    for task in tasks:
        files = task.source, task.target, task.reference
        title, chosen = task.name.replace("/", "-"), metrics.split(",")
        table = results.table(title, ar.rank, *files, metrics=chosen, threshold="best")
        f1[task.name] = table["F1"]
    print(results.table("study", ar.study, pd.DataFrame(f1).T).to_string())


if __name__ == "__main__":
    run(main, __doc__)
