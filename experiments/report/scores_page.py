"""Scores on the terminal, and as a results folder with tables and a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from alignrank.common.files import write_json, write_text
from alignrank.common.names import Texts, count, grouped
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.common.table import Table, write_rows
from alignrank.evaluation import MEASURES, Curve
from alignrank.evaluation.credit.counts import Parents, cases
from alignrank.experiments.presentation.columns import number_text
from alignrank.ontologies import Alignment, local_name

from .console import (
    ROWS,
    best_first,
    console,
    is_short,
    print_cautions,
    print_numbers,
    print_prose,
)
from .html import Report
from .result_pages import case_data, mistakes, thinned_out

#: Any: a row holds text and numbers, and the whole holds rows, as ``summary.json`` of `score` does.
Row = Mapping[str, Any]
Content = Row

#: Near misses that the page lists; the CSV file has all.
MOST = 100
#: Up to this number of systems they are columns; more systems are rows.
_BESIDE = 3
#: The question that a highest value leaves open.
COMPARE = "alignrank compare tells whether a difference is significant."
HEADER = ("system", "measure", "value", "estimate", "low", "high")
_KEYS = ("system", "measure", "name", "value", "low", "high")
_PART = ("system", "measure", "by", "part", "found", "reference", "precision", "recall", "f1")
_BROKEN = ("system", "class", "correspondences")
_MISS = (
    *("system", "measure", "entity1", "entity2", "relation"),
    *("correct1", "correct2", "correct_relation", "proximity", "link"),
)
_ARITY = ("system", "one_to_one", "one_to_many", "many_to_one", "many_to_many")


def print_scores(content: Content) -> None:
    """Print who scores highest, then the values: systems are columns where there are few."""
    out, short = console(), is_short()
    print_prose(_answer(content))
    _, best = _best_first(content)
    systems = list(dict.fromkeys(row["system"] for row in (*best, *content["scores"])))
    header, rows = _by_system(content["scores"], systems)
    names, measures = 2, [row[0] for row in rows]
    if len(systems) > _BESIDE:
        names, (header, rows) = 1, _turned(header, rows)
    printed = rows[:ROWS] if short else rows
    print_numbers(header, printed, names=names)
    if more := len(rows) - len(printed):
        print_prose(f"and {count(more, 'more row')} (--verbose prints all, --out keeps them)")
    if meanings := _meanings(measures):
        print_prose(meanings)
    if content["reasoner"]:
        print_prose(f"Entailments by {content['reasoner']}.")
    for sentence in _first_causes(content):
        print_prose(sentence)
    for table in _breakdown(content):
        out.print(f"\n{table.title}")
        print_numbers(table.header, table.rows)
    if content["settings"]["focus"]:
        print_prose(_interval_note(content))
    if not short:
        for sentence in _near_misses(content):
            print_prose(sentence)
    print_cautions(content["cautions"])


def _best_first(content: Content) -> tuple[str, list[Row]]:
    """Return the name of the value that answers, F1 or else the first, and the systems' by it."""
    systems = content["systems"]
    # and not a difference of two
    scores = (row for row in content["scores"] if row["system"] in systems)
    by_value = grouped(((row["measure"], row["name"]), row) for row in scores)
    (_, name), rows = next(iter(by_value.items()))
    if ("standard", "f1") in by_value:
        name, rows = "F1", by_value["standard", "f1"]
    sign = 1 if rows[0]["less_is_better"] else -1
    rows.sort(key=lambda row: (row["value"] is None, sign * (row["value"] or 0.0)))
    return name.replace("f1", "F1"), rows


def _answer(content: Content) -> str:
    """Return the sentence that answers: who scores highest."""
    name, rows = _best_first(content)
    shown_by_system = {row["system"]: _shown(row) for row in rows}
    if any(row["is_lower_bound"] for row in rows):  # no system is the best by a bound
        listed = ", ".join(f"{system} {text}" for system, text in shown_by_system.items())
        return f"{name}, by reachability only: {listed}."
    return best_first(name, shown_by_system)


def _meanings(names: Iterable[str]) -> str:
    """Return a sentence on each of these measures, apart from precision, recall and F1."""
    measures = [MEASURES[name] for name in dict.fromkeys(names) if name in MEASURES]
    return " ".join(f"{m.name}: {m.description}." for m in measures if m.name != "standard")


def _first_causes(content: Content) -> Iterator[str]:
    """Yield for each system the first class with a cause of its own, and that cause."""
    for system in content["systems"]:
        rows = [row for row in content["unsatisfiable"] if row["system"] == system]
        roots = [row for row in rows if row["correspondences"]]
        if roots:
            yield (
                f"{system}: {len(roots)} of {len(rows)} unsatisfiable classes have a cause of "
                f"their own. {local_name(roots[0]['iri'])}: {_cause(roots[0], local_name)} "
                "(--out lists all)"
            )


def _near_misses(content: Content) -> Iterator[str]:
    counts: dict[str, Counter[str]] = {}
    for row in content["near_misses"]:
        counts.setdefault(row["measure"], Counter())[row["system"]] += 1
    for measure, by_system in counts.items():
        listed = ", ".join(f"{system} {count}" for system, count in by_system.items())
        yield f"near misses that count in {measure}: {listed} (--out lists them)"


def _by_system(scores: Sequence[Row], systems: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return a header and a row for each value of each measure, with a column for each system."""
    at = {(row["measure"], row["name"], row["system"]): _shown(row) for row in scores}
    values = dict.fromkeys((row["measure"], row["name"]) for row in scores)
    rows = [[m, name, *(at.get((m, name, s), "") for s in systems)] for m, name in values]
    return ["measure", "value", *systems], rows


def _turned(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """Return the same table with a row for each system, and F1 as the first value."""
    ordered = sorted(rows, key=lambda row: row[:2] != ["standard", "f1"])
    names = [
        name if measure in ("standard", name) else f"{measure} {name}"
        for measure, name, *_ in ordered
    ]
    turned = [[name, *(row[k] for row in ordered)] for k, name in enumerate(header[2:], 2)]
    return ["system", *names], turned


def _shown(row: Row) -> str:
    text = number_text(row["value"])
    if row["is_lower_bound"]:
        text = f"at least {text}"
    if row["low"] is not None:
        text += f" [{number_text(row['low'])}, {number_text(row['high'])}]"
    return text


def _breakdown(content: Content) -> list[Table]:
    """Return the first measure by kind and relation, and how often entities occur, if asked for."""
    if not content["parts"]:
        return []
    title = f"By kind and relation ({content['parts'][0]['measure']})"
    header = [key for key in _PART if key != "measure"]
    parts = [[row[key] for key in header] for row in content["parts"]]
    arity = [[s, *(of[name] for name in _ARITY[1:])] for s, of in content["arity"].items()]
    return [Table(title, header, parts), Table("How often entities occur", _ARITY, arity)]


def write_scores(folder: Path, content: Content, report: Report) -> None:
    """Write tables, ``summary.json`` and ``report.html`` into `folder`."""
    tables = {"scores": (HEADER, _KEYS, "scores"), "near-misses": (_MISS, _MISS, "near_misses")}
    if content["unsatisfiable"]:
        broken = [[row["system"], row["iri"], _cause(row, str)] for row in content["unsatisfiable"]]
        write_rows(folder / "tables" / "unsatisfiable.csv", _BROKEN, broken)
    if content["parts"]:
        tables["breakdown"] = (_PART, _PART, "parts")
    for name, (header, keys, rows) in tables.items():
        cells = ([row[key] for key in keys] for row in content[rows])
        write_rows(folder / "tables" / f"{name}.csv", header, cells)
    write_json(folder / "summary.json", content)
    write_text(folder / "report.html", report.to_html())


def scores_report(
    content: Content,
    systems: Mapping[str, Alignment],
    reference: Alignment,
    curves: Mapping[str, Curve],
    names: Texts,
    parents: tuple[Parents, Parents] | None = None,
) -> Report:
    """Build the report of `score`.

    Parameters
    ----------
    content
        What ``summary.json`` holds.
    systems, reference
        For the cases.
    curves
        Each system at every threshold.
    names
        What an entity is called, by IRI; the last part of the IRI where there is none.
    parents
        Parents of the entities of both sides, by IRI.
    """
    columns = list(dict.fromkeys(row["system"] for row in content["scores"]))
    header, rows = _by_system(content["scores"], columns)
    notes = [_meanings(row[0] for row in rows), _interval_note(content)]
    tables = [Table("Every value", header, rows, " ".join(filter(None, notes)))]
    tables += _breakdown(content)
    if content["near_misses"]:
        tables.append(_near_miss_table(content["near_misses"], names))
    if content["unsatisfiable"]:
        tables.append(_broken_table(content, names))
    listed = cases(systems.values(), reference, parents)
    inputs = {name: InputFile(**file) for name, file in content["inputs"].items()}
    return Report(
        title=f"Scores of {len(systems)} systems",
        answer=[_answer(content), COMPARE],
        cautions=[Caution("scores", text) for text in content["cautions"]],
        mistakes=mistakes(list(systems), listed),
        tables=tables,
        systems=list(systems),
        data={
            "curves": thinned_out(curves),
            "cases": case_data(listed, lambda iri: names.get(iri, local_name(iri))),
        },
        provenance=Provenance(content["settings"], inputs),
    )


def _near_miss_table(misses: Sequence[Row], names: Texts) -> Table:
    def pair(iri1: str, relation: str, iri2: str) -> str:
        first, second = (names.get(iri, local_name(iri)) for iri in (iri1, iri2))
        return f"{first} {relation} {second}"

    rows = [
        [
            row["system"],
            row["measure"],
            pair(row["entity1"], row["relation"], row["entity2"]),
            pair(row["correct1"], row["correct_relation"], row["correct2"]),
            f"{row['proximity']:.2f}",
            row["link"],
        ]
        for row in misses[:MOST]
    ]
    note = "The link leads from the found pair to the correct one that it is credited for."
    if len(misses) > MOST:
        note += f" The first {MOST} of {len(misses)}; tables/near-misses.csv has all."
    header = ["system", "measure", "found", "correct", "proximity", "link"]
    return Table("Near misses", header, rows, note)


def _cause(row: Row, name: Callable[[str], str]) -> str:
    """Return the correspondences that make a class unsatisfiable."""
    return "; ".join(
        f"{name(iri1)} {relation} {name(iri2)}" for iri1, iri2, relation in row["correspondences"]
    )


def _broken_table(content: Content, names: Texts) -> Table:
    def name(iri: str) -> str:
        return names.get(iri, local_name(iri))

    listed = content["unsatisfiable"][:MOST]
    rows = [[row["system"], name(row["iri"]), _cause(row, name)] for row in listed]
    note = f"By {content['reasoner']}. A class without correspondences depends on one above it."
    if len(content["unsatisfiable"]) > MOST:
        note += f" The first {MOST}; tables/unsatisfiable.csv has all."
    return Table("Unsatisfiable classes", list(_BROKEN), rows, note)


def _interval_note(content: Content) -> str:
    if all(row["low"] is None for row in content["scores"]):
        return ""
    units = "source entities"
    if content["settings"]["cluster"]:
        units = "clusters of source entities"
    return (
        "In brackets: 95% intervals; of precision, recall and F1 Wilson's with the effective "
        f"number of cases, of others by resampling {units} of alignment and reference. Of "
        "differences in a value of at least 120 source entities all hold together, as those of "
        "compare --measure."
    )
