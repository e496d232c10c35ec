"""The McNemar paper, section 5.1: which systems of the OAEI 2016 outperform which on anatomy?

    python -m alignrank.experiments.scripts.mohammadi_2018_systems [TASK] [FOLDER]

Mohammadi, Atashin, Hofman, Tan: Comparison of ontology alignment systems across single matching
task via the McNemar's test, 2018. Needs: alignrank data fetch anatomy --systems 2016
"""

import alignrank as ar
from alignrank.experiments.scripts.results_folder import ResultsFolder, one_task, run, systems_of


def main(name: str = "anatomy", folder: str = "mohammadi-2018-systems") -> None:
    """Compare the systems by McNemar's mid-p test, under three corrections."""
    task = one_task(name)
    systems = systems_of(task, "2016")
    results = ResultsFolder(folder, __file__, task.reference, *systems.values())
    # the paper's views (ifp, cfp) and test; every correspondence is an independent case
    pair, protocol = (task.reference, systems), "mohammadi-2018"
    for name in ("bergmann-hommel", "nemenyi", "holm"):
        table = results.table(name, ar.compare, *pair, protocol=protocol, correction=name)
        print(f"\n{name}: systems that share a letter do not differ significantly")
        print(table[["F1", "letters", "rank"]].to_string())


if __name__ == "__main__":
    run(main, __doc__)
