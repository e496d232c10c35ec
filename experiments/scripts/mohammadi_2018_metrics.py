"""The McNemar paper, section 5.2: which of OntoSim's nine string metrics matches anatomy best?

    python -m alignrank.experiments.scripts.mohammadi_2018_metrics [TASK] [FOLDER]

Needs: alignrank data fetch anatomy
"""

import alignrank as ar
from alignrank.experiments.scripts.results_folder import ResultsFolder, one_task, run
from alignrank.ontologies import Kind


def main(name: str = "anatomy", folder: str = "mohammadi-2018-metrics") -> None:
    """Match the classes with each metric, one to one and nothing cut, and compare the metrics."""
    task = one_task(name)
    files = task.source, task.target, task.reference
    results = ResultsFolder(folder, __file__, *files)
    table = results.table(
        "metrics",
        ar.rank,
        *files,
        metrics="ontosim",
        labels="lower",  # lower-cased rdfs:labels, as the paper took them
        synonyms=False,
        kinds=[Kind.CLASS],
        protocol="mohammadi-2018",
    )
    print(table[["F1", "letters", "rank"]].to_string())


if __name__ == "__main__":
    run(main, __doc__)
