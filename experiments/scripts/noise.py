"""How many wrong letters does a metric bear? An ontology is matched with noisy copies of itself.

python -m alignrank.experiments.scripts.noise [ONTOLOGY] [FOLDER]
"""

from random import Random
from string import ascii_lowercase as letters

import pandas as pd

import alignrank as ar
from alignrank.evaluation import score
from alignrank.experiments.scripts.results_folder import ResultsFolder, run
from alignrank.ontologies import Entity, Label
from alignrank.ontologies.tasks import bundled_task

METRICS = ("equality", "levenshtein", "jaro-winkler", "ngram", "smoa")


def main(path: str = str(bundled_task("library").source), folder: str = "noise") -> None:
    """Match the ontology with copies in which about a share of the letters is replaced."""
    ontology, results = ar.load(path), ResultsFolder(folder, __file__, path)
    reference = ar.Alignment(ar.Correspondence(e.iri, f"{e.iri}-copy") for e in ontology)

    def f1_at(share: float, draw: Random) -> pd.DataFrame:
        def noisy(text: str) -> Label:
            changed = (draw.choice(letters) if draw.random() < share else x for x in text)
            return Label("".join(changed))

        names = {f"{e.iri}-copy": (e.kind, tuple(map(noisy, e.names()))) for e in ontology}
        copy = ar.Ontology("", {iri: Entity(iri, *facts) for iri, facts in names.items()})
        alignments = {m: ar.match(ontology, copy, metric=m, threshold=0.5) for m in METRICS}
        return pd.DataFrame({"F1": {m: score(alignments[m], reference).f1 for m in METRICS}})

    f1 = {x: results.table(f"noise-{x}", f1_at, x, Random(0))["F1"] for x in (0, 0.1, 0.2, 0.4)}
    print(pd.DataFrame(f1).to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    run(main, __doc__)
