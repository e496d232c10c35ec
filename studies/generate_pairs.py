"""Generate ontology pairs with known correspondences: each is an ontology and an altered copy.

    python studies/generate_pairs.py OUT --classes 1000 --preset oaei-like
    python studies/generate_pairs.py OUT --from mouse.owl --alter spec.toml

A folder for each pair; of a single pair OUT itself. `alignrank rank --task OUT` takes them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from alignrank.common.progress import track
from alignrank.experiments.report.console import show_bars
from alignrank.ontologies import OntologyError
from generator import PRESETS, Alteration, Suite, generate_suite, preset, read_suite
from generator.seed import read_user_ontology

#: Classes of a made-up ontology, where nothing else is said.
CLASSES = 300


def main(words: list[str] | None = None) -> None:
    """Write the pairs; print what of a given ontology they do not have."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("out", type=Path)
    made_of = parser.add_mutually_exclusive_group()
    made_of.add_argument("--classes", type=int, default=CLASSES)
    made_of.add_argument("--from", type=Path, dest="source")
    changes = parser.add_mutually_exclusive_group()
    changes.add_argument("--preset", choices=PRESETS)
    changes.add_argument("--alter", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    typed = parser.parse_args(words)
    if typed.out.is_dir() and any(typed.out.iterdir()):
        parser.error(f"{typed.out} is not empty: name another folder")
    suite = Suite({"pair": Alteration()})
    unchanged: Counter[str] = Counter()
    try:
        if typed.alter:
            suite = read_suite(typed.alter)
        elif typed.preset:
            suite = preset(typed.preset, typed.classes)
        ontology = typed.classes
        if typed.source:
            ontology = read_user_ontology(typed.source)
            for reason, number in ontology.left_out.items():
                print(f"left out of both ontologies: {reason} ({number})")
        for pair in track(generate_suite(suite, ontology, seed=typed.seed), len(suite.pairs), ""):
            pair.write(typed.out / pair.name if len(suite.pairs) > 1 else typed.out)
            unchanged.update(pair.unchanged)
    except OntologyError as error:
        parser.error(str(error))
    for method, number in unchanged.items():
        print(f"{number} entities kept their names: for them {method!r} has no other")


if __name__ == "__main__":
    show_bars()
    main()
