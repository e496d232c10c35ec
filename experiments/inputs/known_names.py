"""Names that options take, with what they mean (`alignrank list`), and for the shell to complete.

Nothing heavy is imported before a name is asked for: the shell asks at every press of its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from experiments.errors import ExperimentError


def metrics() -> Iterator[tuple[str, str]]:
    """Yield the name of each metric and family, and what it is."""
    from matchers.registry import FAMILIES, metrics_table

    for family, members in FAMILIES.items():
        yield family, f"family: {', '.join(members)}"
    table = metrics_table()
    yield from zip(table["name"], table["summary"], strict=True)
    yield "rapidfuzz:SCORER", "any scorer of RapidFuzz, as rapidfuzz:token_sort_ratio"
    yield "textdistance:ALGORITHM", "any algorithm of textdistance, as textdistance:cosine"
    yield "MODULE:FUNCTION", "your own: a function of two strings into [0, 1]"


def measures() -> Iterator[tuple[str, str]]:
    """Yield the name of each measure and what it is."""
    from evaluation.measures.registry import MEASURES

    for measure in MEASURES.values():
        needs = " (needs --source and --target)" if measure.needs_ontologies else ""
        yield measure.name, measure.summary + needs


def corrections() -> Iterator[tuple[str, str]]:
    """Yield the name of each correction, and what it serves and controls."""
    from evaluation.corrections.adjustment import CORRECTIONS

    for correction in CORRECTIONS.values():
        yield correction.name, f"{' and '.join(correction.comparisons)}. {correction.validity}"


def tests() -> Iterator[tuple[str, str]]:
    """Yield the name of each test, and the command that takes it."""
    from evaluation.multitask import POSTHOC_TESTS
    from evaluation.significance.clustered import CLUSTER_TESTS
    from evaluation.significance.mcnemar import TESTS

    yield from ((name, "rank, compare: McNemar's test") for name in TESTS)
    yield from ((name, "compare --cluster: dependent items") for name in CLUSTER_TESTS)
    yield from ((name, "study: after the omnibus test") for name in POSTHOC_TESTS)


#: What can be listed, by name.
LISTS: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "metrics": metrics,
    "measures": measures,
    "corrections": corrections,
    "tests": tests,
}


def print_names(wanted: Sequence[str]) -> None:
    """Print what options can be given (`alignrank list`)."""
    from rich.table import Table

    from experiments.report.console import console
    from ontologies.common.wording import hint

    unknown = [name for name in wanted if name not in LISTS]
    if unknown:
        raise ExperimentError(f"nothing called {unknown[0]!r} is listed: {hint(unknown[0], LISTS)}")
    out = console()
    for name in wanted or LISTS:
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for row in LISTS[name]():
            table.add_row(*row)
        out.print(f"{name}:")
        out.print(table)


def completing(what: str) -> Callable[[str], list[str]]:
    """Return a function from the start of a word to the names that begin so."""

    def complete(incomplete: str) -> list[str]:
        return [n for n, _ in LISTS[what]() if n.startswith(incomplete) and ":" not in n]

    return complete


def one_of(*words: str) -> Callable[[str], list[str]]:
    """Return a function from the start of a word to the given words that begin so."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete
