"""How much noise does a metric bear: F1 where more and more letters of all labels are wrong?

    python -m alignrank.experiments.scripts.noise [ONTOLOGY] [FOLDER]

The ontology is matched with a copy of itself, in whose labels a share of the letters is by chance.
"""

from dataclasses import replace
from random import Random
from string import ascii_lowercase

import pandas as pd

import alignrank as ar
from alignrank.evaluation import score
from alignrank.experiments.scripts.results_folder import ResultsFolder, run
from alignrank.ontologies.tasks import bundled_task

METRICS = ("equality", "levenshtein", "jaro-winkler", "ngram", "smoa")


def with_noise(ontology: ar.Ontology, share: float) -> ar.Ontology:
    """Return a copy in which about this share of the letters is replaced."""
    draw, noisy = Random(0), {}
    for entity in ontology:
        texts = [
            "".join(
                draw.choice(ascii_lowercase) if draw.random() < share else x for x in label.text
            )
            for label in entity.labels
        ]
        labels = (label._replace(text=t) for label, t in zip(entity.labels, texts, strict=True))
        noisy[entity.iri] = replace(entity, labels=tuple(labels))
    return replace(ontology, entities=noisy)


def main(path: str = str(bundled_task("library").source), folder: str = "noise") -> None:
    """Match the ontology with noisy copies of itself."""
    ontology, results = ar.load(path), ResultsFolder(folder, __file__, path)
    reference = ar.Alignment(ar.Correspondence(entity.iri, entity.iri) for entity in ontology)

    def f1_at(share: float) -> pd.DataFrame:
        pair = ontology, with_noise(ontology, share)
        found = {m: ar.match(*pair, metric=m, threshold=0.5) for m in METRICS}
        return pd.DataFrame({"F1": {m: score(found[m], reference).f1 for m in METRICS}})

    f1 = {x: results.table(f"noise-{x}", lambda x=x: f1_at(x))["F1"] for x in (0, 0.1, 0.2, 0.4)}
    print(pd.DataFrame(f1).to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    run(main, __doc__)
