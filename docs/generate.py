"""Write the pages that are made from the code: metrics, measures, corrections, API, reproduction.

    python docs/generate.py            # all but the last
    python docs/generate.py --data D   # and reproduction.md, from the OAEI files in the folder D

`tests/test_docs.py` fails where a page is not what this script would write.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).parent
#: Front of a page with a wide table: it takes the place of the table of contents.
WIDE = "---\nhide: [toc]\n---\n"
MADE = "<!-- made by docs/generate.py: do not edit -->"
#: Around the tables that are made of the registries of what is read.
FORMATS_BEGIN, FORMATS_END = "<!-- formats, by docs/generate.py -->", "<!-- end formats -->"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; bars inside cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in r) + " |" for r in lines)


def metrics_page() -> str:
    """Return the page of the metrics that are our own, and how to name others'."""
    from alignrank.matchers import metrics_table

    rows = [
        [
            f"`{m['name']}`",
            m["summary"],
            "∞" if m["maximum"] == float("inf") else f"{m['maximum']:g}",
            "yes" if m["symmetric"] else "no",
            m["source"],
            ", ".join(f"`{s}`" for s in m["synonyms"].split(", ") if s),
        ]
        for m in metrics_table().to_dict("records")
    ]
    head = [
        "name",
        "similarity of strings of lengths n, m",
        "at most",
        "symmetric",
        "source",
        "other names",
    ]
    return f"""{WIDE}{MADE}
# Metrics

A metric takes two strings and returns a similarity, 0 for unrelated ones. `--metric NAME` takes any
name of this table and is repeatable; `--metric standard` stands for the nine textbook metrics (the
default), `--metric ontosim` for the same nine as OntoSim 2.4 computes them, bit by bit.

{markdown_table(head, rows)}

Others go by these names:

| name | what it is |
| --- | --- |
| `rapidfuzz:token_sort_ratio` | a scorer of RapidFuzz: `ratio`, `WRatio`, `Indel`, `OSA`, … |
| `textdistance:Cosine` | an algorithm of textdistance: `Jaccard`, `MongeElkan`, … |
| `my_module:my_function` | [a function of your own](tasks/metric.md) |

In Python: `alignrank.matchers.metrics_table()` is this table as a DataFrame,
`alignrank.matchers.get_metric(name)` the metric itself.
"""


def measures_page() -> str:
    """Return the page of the measures of `alignrank score`."""
    from alignrank.evaluation.measures.measure import MEASURES

    rows = [
        [
            f"`{m.name}`",
            ", ".join(m.columns),
            m.description,
            "yes" if m.needs_ontologies else "",
            m.source,
        ]
        for m in MEASURES.values()
    ]
    return f"""{WIDE}{MADE}
# Measures

`alignrank score REFERENCE ALIGNMENT… --measure NAME` takes any name of this table and is
repeatable. A measure that needs the ontologies takes `--source` and `--target`.

{markdown_table(["name", "values", "what it is", "needs the ontologies", "source"], rows)}

In Python: `alignrank.evaluation.measures.measure.MEASURES` holds them by name. `alignrank
score --kind retrieval`, `mapping` and `concepts` compute the measures of rankings, of mappings that
may choose nothing, and of classes in a hierarchy ([commands](commands.md)).
"""


def corrections_page() -> str:
    """Return the page of the corrections for multiple comparisons."""
    from alignrank.evaluation.corrections.adjusting import CORRECTIONS

    rows = [
        [f"`{c.name}`", ", ".join(c.comparisons), c.dependence or "never", c.source]
        for c in CORRECTIONS.values()
    ]
    head = ["name", "comparisons", "family-wise error at most alpha under", "source"]
    return f"""{WIDE}{MADE}
# Corrections

`--correction NAME` of `rank`, `compare` and `study`. N×N: every system against every other; N×1:
all others against one (`--focus`); N×N of answers: for `compare` of alignments only, since it
resamples who is right on what. Which to take: [the decision list](choosing.md). What they do
on simulated systems: [the simulation](simulation.md).

{markdown_table(head, rows)}
"""


def formats_page() -> str:
    """Return the page of file formats with the tables of what is read."""
    from alignrank.ontologies.alignment import NO_TERM, NegatedCorrespondence
    from alignrank.ontologies.formats import FORMATS
    from alignrank.ontologies.loading.syntax import MENDED

    no_match = NegatedCorrespondence("a", NO_TERM, "", "=")
    negated = NegatedCorrespondence("a", "b", "", "=")
    rows = []
    for row in FORMATS.values():
        kept = "all that the file says"
        if row.write is None:
            kept = ""
        elif row.beside:
            kept = "correspondences; the rest in `TABLE-metadata.json` beside it"
        elif not row.negates(negated):
            kept = "all but negated correspondences"
            kept += "; entities without a match are kept" if row.negates(no_match) else ""
        endings = ", ".join(f"`{ending}`" for ending in row.endings) or "not written"
        rows.append([f"`{row.name}`", row.mended, endings, kept])
    ontologies = markdown_table(["ontologies in", "also read, or mended"], MENDED.items())
    head = ["alignments in", "also read, or mended", "written to", "what is kept there"]
    tables = f"{ontologies}\n\n{markdown_table(head, rows)}"
    before, start, rest = (DOCS / "formats.md").read_text(encoding="utf-8").partition(FORMATS_BEGIN)
    _, end, after = rest.partition(FORMATS_END)
    return f"{before}{start}\n\n{tables}\n\n{end}{after}"


def public_names(package: ModuleType) -> list[str]:
    """Return what a package's ``__init__`` imports, its modules aside."""
    found = [n for n in dir(package) if n[0] != "_" and not inspect.ismodule(getattr(package, n))]
    return list(getattr(package, "__all__", found))


def api_page(package: str) -> str:
    """Return the reference of a package's public names, each taken from where it is defined.

    (A function that is called as its module, such as `alignrank.evaluation.mcnemar`, is found only
    there.)
    """
    module = importlib.import_module(package)

    def entry(name: str) -> str:
        value = getattr(module, name)
        path = f"{package}.{name}"
        if inspect.isclass(value) or inspect.isfunction(value):
            path = f"{value.__module__}.{value.__qualname__}"
        return f'::: {path}\n    options:\n      heading: "{name}"\n      toc_label: "{name}"\n'

    entries = "\n".join(
        entry(name)
        for name in sorted(public_names(module), key=lambda name: (name.casefold(), name))
    )
    return f"""{MADE}
# {package}

{inspect.getdoc(module)}

{entries}"""


def reproduction_page(data: Path) -> str:
    """Return the papers' tables beside ours, as `alignrank reproduce` prints them."""
    from alignrank.experiments.reproduce.papers import REPRODUCTIONS

    sections = [
        f"## {name}\n\n" + "\n\n".join(f"```text\n{table(data)}\n```" for table in tables)
        for name, tables in REPRODUCTIONS.items()
    ]
    body = "\n\n".join(sections)
    return f"""{WIDE}{MADE}
# Paper and ours side by side

What `alignrank reproduce` prints: left what the paper prints, right what alignrank computes from
the same input; a cell that differs carries a star. It needs the OAEI files (their place in
`$ALIGNRANK_DATA` or `--data`), which are not part of this repository. One table alone: its name,
as `alignrank reproduce table5`.

| name | from |
| --- | --- |
| `table2` … `table5`, `figures`, `grid`, `n-by-1` | Mohammadi et al. 2018, McNemar's test |
| `table1` | Mohammadi, Hofman & Tan, Ontology Matching Evaluation: A Statistical Perspective |
| `garcia-herrera` | García & Herrera 2008 |
| `garcia-2010` | García et al. 2010 |
| `demsar` | Demšar 2006 |
| `table8` | Ehrig & Euzenat 2005, relaxed precision and recall |
| `bdm` | Maynard, Peters & Li, Evaluating Evaluation Metrics for Ontology-Based Applications |
| `5ns` | five synsets of a paper on mapping synsets to articles |
| `oaei-2016` | results of the OAEI 2016 anatomy track |

{body}
"""


PAGES: dict[str, Callable[[], str]] = {
    "metrics.md": metrics_page,
    "measures-table.md": measures_page,
    "corrections.md": corrections_page,
    "formats.md": formats_page,
    "api/alignrank.md": partial(api_page, "alignrank"),
    "api/ontologies.md": partial(api_page, "alignrank.ontologies"),
    "api/matchers.md": partial(api_page, "alignrank.matchers"),
    "api/evaluation.md": partial(api_page, "alignrank.evaluation"),
    "api/multitask.md": partial(api_page, "alignrank.evaluation.multitask"),
}


def main() -> None:
    """Write the pages."""
    parser = argparse.ArgumentParser(description="Write the pages that are made from the code.")
    parser.add_argument("--data", type=Path, help="folder of the OAEI files, for reproduction.md")
    data = parser.parse_args().data
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
    if data:
        (DOCS / "reproduction.md").write_text(reproduction_page(data), encoding="utf-8")


if __name__ == "__main__":
    main()
