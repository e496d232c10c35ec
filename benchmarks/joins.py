"""All pairs of labels at Levenshtein similarity .8 or above: ours beside other libraries.

    python benchmarks/joins.py [--peers PYTHON] [--sizes 6000 40000]

writes ``results/joins.md`` beside this script. PYTHON is the interpreter of an environment of its
own that has the other libraries; those that it has not are named. Every library gets the same
labels in a process of its own: processor seconds are those of all its threads, imports and the
reading of labels left out, memory is the most that the process ever held. The true pairs are those
whose edit distance, a whole number, is at most a fifth of the longer length: RapidFuzz's distances
of all pairs say which. A library that looks for something else returns others as well; those it
would have to be rid of by computing their distances are counted.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

RESULTS = Path(__file__).parent / "results"
PROJECT = Path(__file__).parents[1]
THRESHOLD = 0.8
#: Rows at a time, where a library would fill a matrix or a table of all pairs.
CHUNK = 500

Names = list[str]
Found = list[tuple[int, int]]


def chunks(sources: Names) -> Iterator[tuple[int, Names]]:
    """Yield some sources at a time, and the number of the first."""
    for first in range(0, len(sources), CHUNK):
        yield first, sources[first : first + CHUNK]


def ours(sources: Names, targets: Names) -> Found:
    """Return the edges of `similar_pairs`."""
    tiles = importlib.import_module("alignrank.matchers.similarity.tiles")
    metric = importlib.import_module("matchers").get_metric("levenshtein")
    edges = tiles.similar_pairs(sources, targets, metric, THRESHOLD).tocoo()
    return list(zip(edges.row.tolist(), edges.col.tolist(), strict=True))


def rapidfuzz_distances(sources: Names, targets: Names) -> Found:
    """Return the true pairs: whole numbers decide."""
    process, distance = (importlib.import_module(f"rapidfuzz.{m}") for m in ("process", "distance"))
    lengths = np.array([len(t) for t in targets])
    found: Found = []
    for first, some in chunks(sources):
        costs = process.cdist(some, targets, scorer=distance.Levenshtein.distance, dtype=np.int32)
        longer = np.maximum(np.array([len(s) for s in some])[:, None], lengths)
        rows, columns = np.nonzero(5 * costs <= longer)
        found += zip((rows + first).tolist(), columns.tolist(), strict=True)
    return found


def rapidfuzz_cutoff(sources: Names, targets: Names) -> Found:
    """Return the pairs that pass RapidFuzz's own cut-off, in its default numbers (float32)."""
    process, distance = (importlib.import_module(f"rapidfuzz.{m}") for m in ("process", "distance"))
    scorer = distance.Levenshtein.normalized_similarity
    found: Found = []
    for first, some in chunks(sources):
        values = process.cdist(some, targets, scorer=scorer, score_cutoff=THRESHOLD)
        rows, columns = np.nonzero(values >= THRESHOLD)
        found += zip((rows + first).tolist(), columns.tolist(), strict=True)
    return found


def duckdb(sources: Names, targets: Names) -> Found:
    """Return the pairs of a join on `levenshtein`, after one on lengths."""
    pandas, database = (importlib.import_module(name) for name in ("pandas", "duckdb"))
    session = database.connect()
    for side, names in (("a", sources), ("b", targets)):
        session.register(side, pandas.DataFrame({"k": range(len(names)), "s": names}))
    return list(
        session.sql(
            "SELECT a.k, b.k FROM a JOIN b ON"
            " 5 * abs(length(a.s) - length(b.s)) <= greatest(length(a.s), length(b.s))"
            " WHERE 5 * levenshtein(a.s, b.s) <= greatest(length(a.s), length(b.s))"
        ).fetchall()
    )


def polars_strsim(sources: Names, targets: Names) -> Found:
    """Return the pairs of a cross join that pass `levenshtein`."""
    polars, strsim = (importlib.import_module(name) for name in ("polars", "polars_strsim"))
    right = polars.DataFrame({"t": targets}).with_row_index("j")
    found: Found = []
    for first, some in chunks(sources):
        left = polars.DataFrame({"s": some}).with_row_index("i", offset=first)
        value = strsim.levenshtein(polars.col("s"), polars.col("t"))
        found += left.join(right, how="cross").filter(value >= THRESHOLD).select("i", "j").rows()
    return found


def string_grouper(sources: Names, targets: Names) -> Found:
    """Return the pairs whose trigrams, weighted, have a cosine of .5 or more."""
    pandas, grouper = (importlib.import_module(name) for name in ("pandas", "string_grouper"))
    left, right = pandas.Series(targets), pandas.Series(sources)
    matches = grouper.match_strings(left, right, min_similarity=0.5, max_n_matches=len(sources))
    pairs = matches["right_index"], matches["left_index"]
    return list(zip(*(side.tolist() for side in pairs), strict=True))


def sparse_dot_topn(sources: Names, targets: Names) -> Found:
    """Return for each source the ten targets whose trigrams have the largest cosine."""
    text = importlib.import_module("sklearn.feature_extraction.text")
    topn = importlib.import_module("sparse_dot_topn")
    vectors = text.TfidfVectorizer(analyzer="char", ngram_range=(3, 3)).fit(sources + targets)
    left, right = vectors.transform(sources), vectors.transform(targets)
    best = topn.sp_matmul_topn(left, right.T.tocsr(), top_n=10, threshold=0.5).tocoo()
    return list(zip(best.row.tolist(), best.col.tolist(), strict=True))


def symspellpy(sources: Names, targets: Names) -> Found:
    """Return the true pairs at most two edits apart; more would take too much memory."""
    module = importlib.import_module("symspellpy")
    numbers: dict[str, list[int]] = {}
    for j, t in enumerate(targets):
        numbers.setdefault(t, []).append(j)
    dictionary = module.SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
    for t in numbers:
        dictionary.create_dictionary_entry(t, 1)
    found: Found = []
    for i, s in enumerate(sources):
        for hit in dictionary.lookup(s, module.Verbosity.ALL, max_edit_distance=2):
            if 5 * hit.distance <= max(len(s), len(hit.term)):
                found += [(i, j) for j in numbers[hit.term]]
    return found


def faiss(sources: Names, targets: Names) -> Found:
    """Return for each source its ten nearest targets, by trigrams hashed to 512 numbers."""
    index_of = importlib.import_module("faiss")
    text = importlib.import_module("sklearn.feature_extraction.text")
    hashed = text.HashingVectorizer(analyzer="char", ngram_range=(3, 3), n_features=512)
    left, right = (hashed.transform(x).toarray().astype("float32") for x in (sources, targets))
    index = index_of.IndexFlatIP(512)
    index.add(right)
    _, nearest = index.search(left, 10)
    return [(i, int(j)) for i, row in enumerate(nearest) for j in row]


def simstring(sources: Names, targets: Names) -> Found:
    """Return the pairs whose trigrams have a cosine of .5 or more."""
    extractor = importlib.import_module("simstring.feature_extractor.character_ngram")
    database = importlib.import_module("simstring.database.dict").DictDatabase(
        extractor.CharacterNgramFeatureExtractor(3)
    )
    numbers: dict[str, list[int]] = {}
    for j, t in enumerate(targets):
        numbers.setdefault(t, []).append(j)
    for t in numbers:
        database.add(t)
    measure = importlib.import_module("simstring.measure.cosine").CosineMeasure()
    searcher = importlib.import_module("simstring.searcher").Searcher(database, measure)
    return [
        (i, j) for i, s in enumerate(sources) for t in searcher.search(s, 0.5) for j in numbers[t]
    ]


class Tool(NamedTuple):
    """A library as it is used here: the most labels that it is given, and what it looks for."""

    find: Callable[[Names, Names], Found]
    package: str
    most: int
    what: str


TOOLS = {
    "alignrank": Tool(ours, "", 10**9, "similarity ≥ .8"),
    "RapidFuzz cdist": Tool(rapidfuzz_distances, "rapidfuzz", 10**9, "distance ≤ a fifth"),
    "RapidFuzz score_cutoff": Tool(rapidfuzz_cutoff, "rapidfuzz", 10**9, "similarity ≥ .8"),
    "DuckDB": Tool(duckdb, "duckdb", 10_000, "distance ≤ a fifth"),
    "polars-strsim": Tool(polars_strsim, "polars-strsim", 10_000, "similarity ≥ .8"),
    "string_grouper": Tool(string_grouper, "string-grouper", 10**9, "cosine of trigrams ≥ .5"),
    "sparse_dot_topn": Tool(sparse_dot_topn, "sparse-dot-topn", 10**9, "cosine ≥ .5, best ten"),
    "symspellpy": Tool(symspellpy, "symspellpy", 10**9, "distance ≤ 2"),
    "faiss": Tool(faiss, "faiss-cpu", 10**9, "ten nearest of 512 dimensions"),
    "simstring-fast": Tool(simstring, "simstring-fast", 10_000, "cosine of trigrams ≥ .5"),
}


def measure(name: str, folder: Path) -> dict[str, Any]:
    """Find pairs in this process: once among few labels, so that all is loaded, then measured."""
    sources, targets = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    find = TOOLS[name].find
    find(sources[:60], targets[:600])
    start = time.process_time()
    found = find(sources, targets)
    seconds = time.process_time() - start
    np.save(folder / "found.npy", np.array(found, dtype=np.int64).reshape(-1, 2))
    package = TOOLS[name].package
    return {
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "version": importlib.metadata.version(package) if package else "",
    }


def in_a_process(python: str, name: str, folder: Path) -> dict[str, Any] | str:
    """Return `measure` of a new process, or why there is none."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [python, __file__, "--measure", name, "--folder", str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    print(name, done.stdout.strip() or done.stderr.strip()[-300:], flush=True)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["it was killed"])[-1]
        return "not installed" if "NotFoundError" in why else why
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    pairs = np.load(folder / "found.npy")
    return {**measured, "pairs": {(int(i), int(j)) for i, j in pairs}}


def table(size: int, peers: str) -> list[str]:
    """Return the table for so many made labels on either side, and who is not in it."""
    labels = importlib.import_module("labels")
    sources = labels.labels(size, seed=1)
    targets = labels.perturbed(sources, 0.3, seed=2)
    rows, absent = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "labels.json").write_text(json.dumps([sources, targets]), encoding="utf-8")
        measured = {}
        for name, tool in TOOLS.items():
            if tool.most >= size:
                python = peers if tool.package else sys.executable
                measured[name] = in_a_process(python, name, folder)
    exact = measured["RapidFuzz cdist"]
    truth = exact["pairs"] if isinstance(exact, dict) else set()
    least = measured["alignrank"]["seconds"]
    for name, found in measured.items():
        if isinstance(found, str):
            absent.append(f"{name} ({found})")
            continue
        cells = [
            f"{name} {found['version']}".strip(),
            TOOLS[name].what,
            f"{found['seconds']:.2f}",
            f"{found['seconds'] / least:,.0f} ×",
            f"{len(found['pairs'] & truth) / len(truth):.4f}",
            f"{len(found['pairs'] - truth):,}",
            f"{found['peak']:.0f}",
        ]
        rows.append("| " + " | ".join(cells) + " |")
    missing = f"Not measured: {'; '.join(absent)}." if absent else ""
    return [
        f"## {size:,} × {size:,} labels, {len(truth):,} true pairs",
        "",
        "| library | looks for | processor s | of ours | true pairs found | others | peak MB |",
        "|---|---|---:|---:|---:|---:|---:|",
        *rows,
        "",
        missing,
        "",
    ]


def main() -> None:
    """Write the tables, or measure one library for them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=sys.executable, help="Python that has the libraries")
    parser.add_argument("--sizes", type=int, nargs="+", default=[6_000, 40_000])
    parser.add_argument("--measure", choices=TOOLS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measure(asked.measure, asked.folder)))
        return
    lines = [
        "# Joins beside other libraries",
        "",
        "All pairs of labels at Levenshtein similarity .8 or above. The labels are made "
        "(`benchmarks/labels.py`: 28 characters on average, 120 at most); three in ten of the "
        "targets are sources with up to two characters changed. Each library has a process of its "
        "own, on the same machine, one after the other, and has seen a few labels before the clock "
        "starts; processor seconds are those of all its threads. The true pairs are counted with "
        "whole numbers (five times the distance is at most the longer length). *Others* are pairs "
        "that a library returns and whose distances "
        "one would still have to compute. symspellpy is asked for two edits, as many as the labels "
        "were given: in others' labels there are more. Larger sizes leave out what takes hours or "
        "would. `python benchmarks/joins.py` makes this page.",
        "",
        importlib.import_module("kernels").machine(),
        "",
    ]
    for size in asked.sizes:
        lines += table(size, asked.peers)
        (RESULTS / "joins.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
