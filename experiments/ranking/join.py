"""Two files of strings joined by their similarity (`alignrank join`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.inputs.columns import EdgeRow, read_column, write_edges
from experiments.report.console import console, finish, print_cautions, say, terminal_table
from experiments.results.handover import check_writable
from matchers.similarity.join import Plan, join, plan
from matchers.similarity.strings import Strings
from ontologies.common.executor import HERE, Cluster
from ontologies.common.files import replacing
from ontologies.common.names import count
from ontologies.common.table import Table

from .matching import one_metric


def join_files(
    left: Path,
    right: Path | None = None,
    *,
    metric: str,
    threshold: float,
    column: Sequence[str] = (),
    one_to_one: bool = False,
    out: Path = Path("edges.csv"),
    overwrite: bool = False,
    dry_run: bool = False,
    within: float = 1.0,
    cluster: Cluster = HERE,
) -> None:
    """Join two files of strings: all pairs that are similar enough.

    Example: alignrank join left.csv right.csv --metric levenshtein --threshold 0.8 --out edges.csv
    """
    if out.exists() and not (overwrite or dry_run):
        raise ExperimentError(f"{out} exists: name another file with --out, or add --overwrite")
    if one_to_one and right is None:
        raise ExperimentError("--one-to-one pairs the strings of two files: name a second one")
    if len(column) > 2:
        raise ExperimentError("--column names one column of each file: give it twice at most")
    chosen = one_metric(metric)
    names = read_column(left, *column[:1])
    others = None if right is None else read_column(right, *column[-1:])
    print_cautions(_cautions(left, names) + ([] if others is None else _cautions(right, others)))
    if dry_run:
        tell_plan(plan(names, others, chosen, threshold), within)
        return
    check_writable(out)
    pairs = 0

    def chunks() -> Iterator[list[EdgeRow]]:
        nonlocal pairs
        for edges in join(names, others, chosen, threshold, one_to_one=one_to_one):
            pairs += len(edges.rows)
            found = zip(*(values.tolist() for values in edges), strict=True)
            to = names if others is None else others
            yield [(k + 1, j + 1, names[k], to[j], value) for k, j, value in found]

    with cluster.used(), replacing(out) as part:
        write_edges(part, chunks())
    say(f"{count(pairs, 'pair')} with {chosen.name} from {threshold:g} on: {out}")
    finish({"metric": chosen.name, "threshold": threshold, "pairs": pairs, "out": str(out)}, None)


def _cautions(path: Path | None, names: Strings) -> list[str]:
    blank = sum(not name.strip() for name in names)
    told = f"{path}: {count(blank, 'row')} of {len(names)} without text: they match nothing"
    return [told] if blank else []


def tell_plan(made: Plan, within: float) -> None:
    """Say what a join will take: `within` is the wanted number of hours."""

    def time(hours: float) -> str:
        return f"{3600 * hours:.3g} s" if hours < 0.1 else f"{hours:.3g} h"

    workers = made.workers(within)
    enough = "more workers than are of use" if workers is None else count(workers, "worker")
    each = f"one thread and {made.worker_memory / 1e9:.1f} GB each"
    say(f"Within {time(within)}: {enough}, {each}.")
    rows = [
        ("pairs", f"{made.pairs:,}"),
        ("tiles", f"{made.tiles:,} in {count(made.parts, 'part')}"),
        ("processor time", time(made.seconds / 3600)),
        *((f"with {count(n, 'worker')}", time(made.hours(n))) for n in (1, 10, 100, 1000)),
        ("expected edges", f"{made.edges:,}"),
        ("memory here", f"{made.memory / 1e9:.1f} GB"),
    ]
    console().print(terminal_table(Table("", ["", ""], rows)))
    say(f"Measured on {made.measured:,} pairs of a sample, on this machine.")
    finish({**asdict(made), "within_hours": within, "workers": workers}, None)
