"""Which languages help: labels in one language, in two, in four (as in the track multifarm)?

    python -m alignrank.experiments.scripts.languages [TASK] [FOLDER]

citytransit has English and French on one side, German, Spanish and some English on the other.
"""

import pandas as pd

import alignrank as ar
from alignrank.experiments.scripts.results_folder import ResultsFolder, one_task, run

METRICS = ["equality", "levenshtein", "ngram", "smoa"]


def main(name: str = "citytransit", folder: str = "languages") -> None:
    """Rank four metrics on labels of each set of languages."""
    task = one_task(name)
    files = task.source, task.target, task.reference
    results = ResultsFolder(folder, __file__, *files)
    f1 = {}
    for langs in (["en"], ["fr", "es"], ["en", "de"], ["en", "de", "es", "fr"]):
        together = "-".join(langs)
        table = results.table(
            together, ar.rank, *files, metrics=METRICS, langs=langs, threshold=0.8
        )
        f1[together] = table["F1"]
    print(pd.DataFrame(f1).to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    run(main, __doc__)
