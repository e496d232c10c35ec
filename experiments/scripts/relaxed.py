"""Does it matter how near misses count: do relaxed measures put systems into another order?

    python -m alignrank.experiments.scripts.relaxed [TASK] [FOLDER] [RESAMPLES]

Ehrig, Euzenat: Relaxed precision and recall for ontology matching, 2005, tried on the systems of
anatomy 2016. Needs: alignrank data fetch anatomy --systems 2016
"""

import pandas as pd

import alignrank as ar
from alignrank.experiments.scripts.results_folder import ResultsFolder, one_task, run, systems_of


def main(name: str = "anatomy", folder: str = "relaxed", resamples: str = "20000") -> None:
    """Compare the systems by F1 and by two relaxed F1, each by paired randomisation."""
    task = one_task(name)
    systems = systems_of(task, "2016")
    files = task.source, task.target, task.reference, *systems.values()
    results = ResultsFolder(folder, __file__, *files, resamples=resamples)
    f1 = {}
    for name in ("standard", "relaxed-symmetric", "relaxed-oriented"):
        table = results.table(
            name,
            ar.compare,
            task.reference,
            systems,
            source=task.source,
            target=task.target,
            measure=f"{name}:f1",
            n_resamples=int(resamples),
        )
        f1[name] = table[f"{name}-f1"]
    scores = pd.DataFrame(f1).sort_values("standard", ascending=False)
    print(scores.to_string(float_format="{:.3f}".format))
    print("Kendall's tau of the orders:\n", scores.corr("kendall").round(2).to_string())


if __name__ == "__main__":
    run(main, __doc__)
