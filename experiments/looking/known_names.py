"""Names that options take, with what they mean (`alignrank list`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evaluation.corrections.adjustment import CORRECTIONS
from evaluation.measures.measure import MEASURES
from evaluation.multitask import POSTHOC_TESTS
from evaluation.significance.clustered import CLUSTER_TESTS
from evaluation.significance.mcnemar import TESTS
from experiments.errors import ExperimentError
from experiments.report.console import console, terminal_table
from matchers import metrics_table
from matchers.by_name import FAMILIES
from ontologies.common.names import hint
from ontologies.common.table import Table


def metrics() -> Iterator[tuple[str, str]]:
    """Yield the name of each metric and family, and what it is."""
    for family, members in FAMILIES.items():
        yield family, f"family: {', '.join(members)}"
    table = metrics_table()
    yield from zip(table["name"], table["summary"], strict=True)
    yield "rapidfuzz:SCORER", "any scorer of RapidFuzz, as rapidfuzz:token_sort_ratio"
    yield "textdistance:ALGORITHM", "any algorithm of textdistance, as textdistance:cosine"
    yield "MODULE:FUNCTION", "your own: a function of two strings into [0, 1]"


def measures() -> Iterator[tuple[str, str]]:
    """Yield the name of each measure and what it is."""
    for measure in MEASURES.values():
        needs = " (needs --source and --target)" if measure.needs_ontologies else ""
        yield measure.name, measure.summary + needs


def corrections() -> Iterator[tuple[str, str]]:
    """Yield the name of each correction, and what it serves and controls."""
    for correction in CORRECTIONS.values():
        yield correction.name, f"{' and '.join(correction.comparisons)}. {correction.validity}"


def tests() -> Iterator[tuple[str, str]]:
    """Yield the name of each test, and the command that takes it."""
    yield from ((name, "rank, compare: McNemar's test") for name in TESTS)
    yield from ((name, "compare: siblings resampled together") for name in CLUSTER_TESTS)
    yield from ((name, "study: after the omnibus test") for name in POSTHOC_TESTS)


#: What can be listed, by name.
LISTS: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "metrics": metrics,
    "measures": measures,
    "corrections": corrections,
    "tests": tests,
}


def print_names(wanted: Sequence[str] = ()) -> None:
    """List the metrics, measures, corrections and tests.

    Example: alignrank list metrics
    """
    unknown = [name for name in wanted if name not in LISTS]
    if unknown:
        raise ExperimentError(f"nothing called {unknown[0]!r} is listed: {hint(unknown[0], LISTS)}")
    out = console()
    for name in wanted or LISTS:
        out.print(f"{name}:")
        rows = Table("", ["", ""], list(LISTS[name]()), kinds=["text", "text"])
        out.print(terminal_table(rows, wrapped=[""]))
