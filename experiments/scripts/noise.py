"""How much noise does a metric bear: F1 where more and more letters of all labels are wrong?

    python -m alignrank.experiments.scripts.noise [ONTOLOGY] [FOLDER]

The ontology is matched with a copy of itself, in whose labels a share of the letters is by chance.
"""

from functools import partial
from random import Random
from string import ascii_lowercase

import pandas as pd

import alignrank as ar
from alignrank.evaluation import score
from alignrank.experiments.scripts.results_folder import ResultsFolder, run
from alignrank.ontologies.ontology import Entity, Label
from alignrank.ontologies.tasks import bundled_task

METRICS = ("equality", "levenshtein", "jaro-winkler", "ngram", "smoa")


def with_noise(ontology: ar.Ontology, share: float) -> ar.Ontology:
    """Return a copy in which about this share of the letters is replaced."""
    draw = Random(0)

    def noisy(text: str) -> str:
        return "".join(draw.choice(ascii_lowercase) if draw.random() < share else x for x in text)

    names = {f"{e.iri}-copy": (e.kind, map(noisy, e.names())) for e in ontology}
    return ar.Ontology("", {i: Entity(i, k, tuple(map(Label, t))) for i, (k, t) in names.items()})


def main(path: str = str(bundled_task("library").source), folder: str = "noise") -> None:
    """Match the ontology with noisy copies of itself."""
    ontology, results = ar.load(path), ResultsFolder(folder, __file__, path)
    reference = ar.Alignment(ar.Correspondence(e.iri, f"{e.iri}-copy") for e in ontology)

    def f1_at(share: float) -> pd.DataFrame:
        pair = ontology, with_noise(ontology, share)
        found = {m: ar.match(*pair, metric=m, threshold=0.5) for m in METRICS}
        return pd.DataFrame({"F1": {m: score(found[m], reference).f1 for m in METRICS}})

    f1 = {x: results.table(f"noise-{x}", partial(f1_at, x))["F1"] for x in (0, 0.1, 0.2, 0.4)}
    print(pd.DataFrame(f1).to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    run(main, __doc__)
