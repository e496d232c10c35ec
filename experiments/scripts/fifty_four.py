"""What matters more: the metric, the preparation of labels, synonyms, or the threshold?

    python -m alignrank.experiments.scripts.fifty_four [TASK] [FOLDER]

Nine metrics x three preparations x synonyms or not are 54 ways to match; each with a threshold
chosen by cross-validation, and without. Needs: alignrank data fetch anatomy
"""

from functools import partial
from itertools import product

import pandas as pd

import alignrank as ar
from alignrank.experiments.scripts.results_folder import ResultsFolder, one_task, run
from alignrank.ontologies import Kind


def main(name: str = "anatomy", folder: str = "fifty-four", metrics: str = "standard") -> None:
    """Match in every way; split the variance of F1 into what each choice explains."""
    task = one_task(name)
    files = task.source, task.target, task.reference
    results = ResultsFolder(folder, __file__, *files, metrics=metrics)
    match = partial(ar.rank, *files, kinds=[Kind.CLASS], metrics=metrics.split(","))
    f1: dict[tuple[object, ...], float] = {}
    for way in product(("lower", "underscore", "words"), (True, False), (0.0, "best")):
        options = dict(zip(("labels", "synonyms", "threshold"), way, strict=True))
        table = results.table("-".join(map(str, way)), partial(match, **options))
        f1 |= {(*way, metric): value for metric, value in table["F1"].items()}
    choices = ["labels", "synonyms", "threshold", "metric"]
    scores = pd.Series(f1, name="F1").rename_axis(choices)
    print(scores.groupby(choices[:3]).describe()[["mean", "min", "max"]])
    # an analysis of variance of the complete design: the variance of each choice's means
    for choice in choices:
        share = scores.groupby(choice).mean().var(ddof=0) / scores.var(ddof=0)
        print(f"{choice:10} explains {share:.1%} of the spread of F1")


if __name__ == "__main__":
    run(main, __doc__)
