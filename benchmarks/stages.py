"""Where the processor seconds of the commands go, and what other libraries take for the same stage.

    python benchmarks/stages.py [FOLDER OF THE ANATOMY TRACK] > benchmarks/results/stages.md

Each command runs in a process of its own, once to compile and then `RUNS` times. A timer stops it
every two milliseconds of processor time; the time since the last stop belongs to the stage of the
innermost function of alignrank, and to an import where one is under way. The other libraries
(``pip install pronto ranx autorank sssom``) are called in this process, one after the other; a
library that is not installed is left out.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import date
from io import StringIO
from pathlib import Path
from types import ModuleType

import numpy as np
from kernels import machine
from sampled import IMPORTS, PLOTTING, REST, STAGES
from timing import least_seconds

from alignrank.evaluation import ranked_list_values
from alignrank.evaluation.multitask import ScoreTable, study
from alignrank.matchers import get_metric
from alignrank.matchers.assignment.pairs import assign
from alignrank.matchers.similarity.matrix import string_similarities
from alignrank.ontologies import load_ontology, read_alignment

ANATOMY = Path(__file__).parents[2] / "shared" / "oaei" / "anatomy"
RUNS = 5
PACKAGE = "alignrank"
#: The script that runs a command, and its stages.
SAMPLED = Path(__file__).with_name("sampled.py")
#: In place of a library that is not installed.
MISSING = ModuleType("missing")
END = "end of the process"


def measured(arguments: list[str]) -> Counter[str]:
    """Return the processor seconds of each stage of a command, run in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "seconds.json"
        words = [word.replace("{out}", f"{folder}/results") for word in arguments]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        subprocess.run(
            [sys.executable, str(SAMPLED), str(out), *words],
            stdout=subprocess.DEVNULL,
            env=environment,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds: Counter[str] = Counter(json.loads(out.read_text()))
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    seconds[END] = max(0.0, whole - seconds.total())
    return seconds


def stages(anatomy: Path) -> list[str]:
    """Return the table of stages of the commands."""
    files = [str(anatomy / name) for name in ("mouse.owl", "human.owl", "reference.rdf")]
    sides = ["--source", files[0], "--target", files[1]]
    commands = {
        "rank": ["rank", *files, "--out", "{out}"],
        "compare": ["compare", files[2], str(anatomy / "systems-2018"), *sides, "--out", "{out}"],
        "match": ["match", *files[:2], "--out", "{out}.sssom.tsv"],
        "demo": ["demo"],
    }
    columns: dict[str, dict[str, float]] = {}
    for name, arguments in commands.items():
        measured(arguments)  # compiles what is new
        runs = [measured(arguments) for _ in range(RUNS)]
        columns[name] = {
            stage: statistics.median(run[stage] for run in runs) for run in runs for stage in run
        }
        print(name, round(sum(columns[name].values()), 2), file=sys.stderr)
    order = [IMPORTS, PLOTTING, *dict.fromkeys(STAGES.values()), END, REST]
    lines = [f"| stage | {' | '.join(commands)} |", "| --- |" + " ---: |" * len(commands)]
    for stage in order:
        cells = [f"{of.get(stage, 0.0):.2f}" for of in columns.values()]
        lines.append(f"| {stage} | {' | '.join(cells)} |")
    wholes = [f"{sum(of.values()):.2f}" for of in columns.values()]
    return [*lines, f"| whole | {' | '.join(wholes)} |"]


def module(name: str) -> ModuleType:
    """Return a library, or `MISSING`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return MISSING


def sssom_rows(number: int) -> str:
    """Return a made mapping in SSSOM."""
    return (
        "# curie_map:\n#   a: http://a.org/\n#   b: http://b.org/\n"
        "# mapping_set_id: http://a.org/m\n# license: https://x.org/l\n"
        "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence\n"
    ) + "".join(
        f"a:{k}\tskos:exactMatch\tb:{k}\tsemapv:ManualMappingCuration\t0.5\n" for k in range(number)
    )


def peers(anatomy: Path) -> list[str]:
    """Return the table of the same stage by other libraries; ours is first."""
    mouse, human = anatomy / "mouse.owl", anatomy / "human.owl"
    pair = [load_ontology(path) for path in (mouse, human)]
    names = [[entity.iri.rpartition("#")[2] for entity in o.entities.values()] for o in pair]
    levenshtein = get_metric("levenshtein")
    matrix = string_similarities(*names, levenshtein)
    rng = np.random.default_rng(1)
    scores = rng.uniform(0.3, 0.7, 60) + rng.normal(0, 0.08, (41, 60))
    systems = tuple(f"s{k}" for k in range(60))
    table = ScoreTable(tuple(f"t{k}" for k in range(41)), systems, scores, "F1")
    gold = {f"q{k}": {f"d{k % 50}": 1} for k in range(4_000)}
    run = {query: {f"d{k}": rng.random() for k in range(50)} for query in gold}
    right = {query: list(by) for query, by in gold.items()}
    horned, pronto, owlready = map(module, ("pyhornedowl", "pronto", "owlready2"))
    process, distance = map(module, ("rapidfuzz.process", "rapidfuzz.distance"))
    ranx, autorank, sssom, pandas = map(module, ("ranx", "autorank", "sssom.parsers", "pandas"))
    scipy = module("scipy.optimize")

    def by_ranx() -> object:
        return ranx.evaluate(ranx.Qrels(gold), ranx.Run(run), ["mrr", "ndcg@10"])

    def by_rapidfuzz() -> object:
        scorer = distance.Levenshtein.normalized_similarity
        return process.cdist(*names, scorer=scorer, dtype=np.float64)

    def by_owlready2(path: Path) -> object:
        return owlready.World().get_ontology(path.as_uri()).load()

    def both(load: Callable[[Path], object]) -> Callable[[], object]:
        return lambda: [load(path) for path in (mouse, human)]

    with tempfile.TemporaryDirectory() as folder:
        mapping = Path(folder) / "rows.sssom.tsv"
        mapping.write_text(sssom_rows(10_000))
        works: dict[str, list[tuple[str, ModuleType, Callable[[], object]]]] = {
            "read both ontologies of anatomy": [
                (PACKAGE, np, both(load_ontology)),
                ("py-horned-owl", horned, both(lambda path: horned.open_ontology(str(path)))),
                ("pronto", pronto, both(lambda path: pronto.Ontology(str(path)))),
                ("owlready2", owlready, both(by_owlready2)),
            ],
            "read 10,000 rows of SSSOM": [
                (PACKAGE, np, lambda: read_alignment(mapping)),
                ("sssom-py", sssom, lambda: sssom.parse_sssom_table(str(mapping))),
                (
                    "pandas, cells only",
                    pandas,
                    lambda: pandas.read_csv(mapping, sep="\t", comment="#"),
                ),
            ],
            "Levenshtein of all pairs of anatomy": [
                (PACKAGE, np, lambda: string_similarities(*names, levenshtein)),
                ("RapidFuzz", process, by_rapidfuzz),
            ],
            "one-to-one assignment of these": [
                (PACKAGE, np, lambda: assign(matrix)),
                ("scipy", scipy, lambda: scipy.linear_sum_assignment(matrix, maximize=True)),
            ],
            "MRR and nDCG@10 of 4,000 queries": [
                (
                    PACKAGE,
                    np,
                    lambda: ranked_list_values(right, [("run", run)], ["MRR", "nDCG@10"]),
                ),
                ("ranx", ranx, by_ranx),
            ],
            "60 systems on 41 tasks, all pairs": [
                (PACKAGE, np, lambda: study(table)),
                ("autorank", autorank, lambda: autorank.autorank(pandas.DataFrame(scores))),
            ],
        }
        lines = ["| stage | program | processor seconds | of ours |", "| --- | --- | ---: | ---: |"]
        for stage, programs in works.items():
            own = 0.0
            for name, library, work in programs:
                if library is MISSING:
                    continue
                with redirect_stdout(StringIO()):  # autorank prints
                    work()  # compiles, imports
                    taken = statistics.median(least_seconds(work) for _ in range(3))
                own = own or taken
                lines.append(f"| {stage} | {name} | {taken:.3f} | {taken / own:.2f} |")
                print(lines[-1], file=sys.stderr)
    return lines


def main() -> None:
    """Print the page."""
    anatomy = Path(sys.argv[1]) if sys.argv[1:] else ANATOMY
    page = [
        "# Where the seconds go",
        "",
        machine(),
        "",
        f"Processor seconds on the anatomy track, warm, the median of {RUNS} runs of each command,",
        f"on {date.today():%d %B %Y}. The sampling itself is in them.",
        "",
        *stages(anatomy),
        "",
        "The same stage by other libraries, in one process, warm, the median of three runs.",
        "",
        *peers(anatomy),
    ]
    print("\n".join(page))


if __name__ == "__main__":
    main()
