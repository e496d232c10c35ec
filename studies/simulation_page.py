"""The false-positive study on paper: two tables, a figure, and the page that holds them.

python studies/simulation_page.py docs          # 2,000 runs of each design: hours
python studies/simulation_page.py FOLDER 100    # a quick look, at a copy of `simulation.md`
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from alignrank.common.files import write_text
from alignrank.common.progress import track
from alignrank.common.table import Table, write_rows
from alignrank.experiments.report.console import show_bars
from alignrank.experiments.report.figures.style import COLOURS, figure_style, save
from promises import Measured, designs, measure
from simulation import (
    DESIGNS,
    FAMILY_CORRECTIONS,
    SETTINGS,
    TRUTHS,
    Coverage,
    ErrorRates,
    RejectionRates,
    coverage,
    error_of_measure,
    error_of_runs,
    error_rates,
    errors_of_shared_ontologies,
    rejection_rates,
)

#: Of each design.
RUNS = 2000
#: Ten thousand items are simulated so many times less often.
LONGER = 20

#: Heading, truth and measure of the columns that show a method whole.
_COLUMNS = (
    ("all equal: false arrow", "equal", "family_wise"),
    ("far apart: arrow between equals", "wide", "family_wise"),
    ("close: arrow from worse to better", "close", "wrong_direction"),
    ("far apart: differences found", "wide", "found"),
)


def write_simulation(
    folder: Path,
    null: Sequence[RejectionRates],
    power: RejectionRates,
    errors: list[ErrorRates],
    robust: list[ErrorRates],
) -> None:
    """Write ``simulation-*.csv``, ``simulation.svg`` and the tables in ``simulation.md``.

    Parameters
    ----------
    folder
        Where ``simulation.md`` lies, with a place for each table:
        ``<!-- NAME -->`` … ``<!-- end NAME -->``.
    null
        Rejection rates under the null hypothesis, one for each number of items.
    power
        Rejection rates where one system is better.
    errors
        Error rates of the corrections.
    robust
        The same with tests that know the clusters.
    """
    rates = [
        [r.items, r.odds, test, psi, rate]
        for r in (*null, power)
        for test, row in zip(r.tests, r.rates.tolist(), strict=True)
        for psi, rate in zip(r.discordant.tolist(), row, strict=True)
    ]
    header = ["items", "odds", "test", "discordant", "rejection_rate"]
    write_rows(folder / "simulation-tests.csv", header, rates)
    write_records(folder / "simulation-corrections.csv", [*errors, *robust])
    _draw(folder / "simulation", null, power, errors)
    tables = {
        "sizes": size_table(null),
        "power": power_table(power),
        "equal": error_table(errors, "equal", "family_wise"),
        "wide": error_table(errors, "wide", "family_wise"),
        "wrong": error_table(errors, "close", "wrong_direction"),
        "found": error_table(errors, "wide", "found"),
        "robust": robust_table(robust),
    }
    fill(folder / "simulation.md", tables)


def write_records(path: Path, records: Sequence[ErrorRates | Coverage | Measured]) -> None:
    """Write records into a table, one row each."""
    write_rows(path, list(vars(records[0])), [list(vars(record).values()) for record in records])


def fill(page: Path, tables: Mapping[str, Table]) -> None:
    """Put the tables into their places on the page."""
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        text = filled(text, name, table.to_markdown().strip())
    write_text(page, text)


def filled(text: str, name: str, table: str) -> str:
    r"""Put a table into its place.

    Examples
    --------
    >>> filled("a <!-- t --> old <!-- end t --> b", "t", "new")
    'a <!-- t -->\n\nnew\n\n<!-- end t --> b'
    """
    start, end = f"<!-- {name} -->", f"<!-- end {name} -->"
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}\n\n{table}\n\n{end}{after}"


def size_table(null: Sequence[RejectionRates]) -> Table:
    """Tabulate the largest rejection rate: over discordance up to one half, and over all of it."""
    header = [*(f"{r.items} items: ψ ≤ ½" for r in null), *(f"{r.items}: any ψ" for r in null)]
    rows = []
    for t, test in enumerate(null[0].tests):
        half = [r.rates[t, r.discordant <= 0.5].max() for r in null]
        rows.append([test, *half, *(r.rates[t].max() for r in null)])
    return Table("", ["test", *header], rows, show="{:.4f}".format)


def power_table(power: RejectionRates) -> Table:
    """Tabulate how often a real difference is found."""
    shares = [0.1, 0.2, 0.3, 0.4, 0.5]
    columns = [abs(power.discordant - share).argmin() for share in shares]
    rows = [[test, *rates[columns]] for test, rates in zip(power.tests, power.rates, strict=True)]
    return Table("", ["test", *(f"ψ = {share:g}" for share in shares)], rows)


def error_table(errors: Iterable[ErrorRates], truth: str, measure: str) -> Table:
    """Tabulate one error rate: a row for each test and correction, a column for each setting."""
    errors = list(errors)
    settings = dict.fromkeys(rate.setting for rate in errors if rate.truth == truth)
    return _rates_table(errors, {setting: (setting, truth, measure) for setting in settings})


def robust_table(robust: Iterable[ErrorRates]) -> Table:
    """Tabulate all error rates of the tests that know the clusters."""
    setting = SETTINGS[2].name
    return _rates_table(
        robust, {head: (setting, truth, measure) for head, truth, measure in _COLUMNS}
    )


def _rates_table(rates: Iterable[ErrorRates], columns: Mapping[str, tuple[str, str, str]]) -> Table:
    """Tabulate rates by test and correction; a column is of a setting, a truth and a measure."""
    cells = {(r.test, r.correction, r.setting, r.truth): r for r in rates}
    rows = []
    for test, correction in dict.fromkeys((t, c) for t, c, *_ in cells):
        values = [
            getattr(cells[test, correction, setting, truth], measure)
            for setting, truth, measure in columns.values()
        ]
        rows.append([f"{test}, {correction}", *values])
    return Table("", ["test, correction", *columns], rows)


def _draw(
    stem: Path, null: Sequence[RejectionRates], power: RejectionRates, errors: list[ErrorRates]
) -> None:

    with figure_style():
        figure = Figure(figsize=(10, 6.8), layout="constrained")
        (top, strong), (family, wrong) = figure.subplots(2, 2)
        _rate_lines(top, null[1], f"True null hypothesis, {null[1].items} items")
        top.axhline(0.05, color="0.6", linewidth=0.8, linestyle="--", zorder=0)
        top.set_ylim(0, 0.08)
        _rate_lines(strong, power, f"One system better (odds {power.odds:g}), {power.items} items")
        strong.legend(frameon=False, fontsize=8)
        _error_dots(family, errors, "wide", "family_wise", "Some arrow between equal systems")
        _error_dots(wrong, errors, "close", "wrong_direction", "Some arrow from worse to better")
        family.legend(frameon=False, fontsize=8)
        save(figure, stem)


def _rate_lines(axes: Axes, rates: RejectionRates, title: str) -> None:
    for test, row, colour in zip(rates.tests, rates.rates, COLOURS, strict=False):
        dashes = (0, (4, 2)) if test == "unconditional" else "-"
        axes.plot(rates.discordant, row, color=colour, linewidth=1.3, linestyle=dashes, label=test)
    axes.set_xlabel("share of discordant items ψ")
    axes.set_ylabel(f"share of p ≤ {rates.alpha:g}")
    axes.set_title(title)


def _error_dots(axes: Axes, errors: list[ErrorRates], truth: str, measure: str, title: str) -> None:
    chosen = [r for r in errors if r.truth == truth and r.test == "mid-p"]
    corrections = list(dict.fromkeys(r.correction for r in chosen))
    settings = list(dict.fromkeys(r.setting for r in chosen))
    for s, setting in enumerate(settings):
        here = {r.correction: getattr(r, measure) for r in chosen if r.setting == setting}
        places = [i + 0.12 * (s - 2) for i in range(len(corrections))]
        values = [here[c] for c in corrections]
        axes.plot(places, values, "o", markersize=4, color=COLOURS[s], label=setting)
    axes.axhline(0.05, color="0.6", linewidth=0.8, linestyle="--", zorder=0)
    axes.set_xticks(range(len(corrections)), corrections, rotation=35, ha="right")
    axes.set_ylabel("share of runs")
    axes.set_title(f"{title} (mid-p)")


def write_details(folder: Path, runs: int) -> None:
    """Simulate coverage, several runs, measures and shared ontologies, and write it down."""
    covered = [
        coverage(setting, measure, items, runs=runs if items < 10_000 else runs // LONGER)
        for measure in ("share", "f1")
        for setting, items in DESIGNS
    ]
    write_records(folder / "simulation-coverage.csv", covered)
    each = [1, 2, 3, 4]
    errors = [error_of_runs(k, runs=runs) for k in each]
    tables = {
        "coverage": coverage_table(covered),
        "runs": Table("", ["runs of each", *map(str, each)], [["told apart", *errors]]),
        "measures": measures_table(runs),
        "ontologies": ontologies_table(runs),
    }
    fill(folder / "simulation.md", tables)


def write_promises(folder: Path, runs: int) -> None:
    """Measure every bound that is promised, and write it down (`promises`)."""
    every = designs()
    measured = [
        line for design in track(every, len(every), "designs") for line in measure(design, runs)
    ]
    write_records(folder / "simulation-promises.csv", measured)
    fill(folder / "simulation.md", {"promises": promises_table(measured)})


def promises_table(measured: Iterable[Measured]) -> Table:
    """Tabulate promise, design, bound and what was measured; ``*`` marks a bound that is missed."""
    rows = []
    for line in measured:
        bound = ""
        if line.bound is not None:
            sign = "≤" if line.at_most else "≥"
            bound = f"{sign} {line.bound:g}"
        if not line.held:
            bound += " *"
        rows.append([line.promise, line.design, bound, line.measured])
    return Table("", ["promise", "design", "bound", "measured"], rows)


def measures_table(runs: int) -> Table:
    """Tabulate how often equal systems get a false arrow from `compare --measure`."""
    cases = (("f1", False), ("f1", True), ("precision", False), ("recall", False))
    rows = [
        [f"{name}{', unequal precision and recall' if unequal else ''}", *rates]
        for name, unequal in cases
        if (rates := [error_of_measure(name, n, unequal=unequal, runs=runs) for n in (120, 500)])
    ]
    return Table("", ["measure", "120 entities", "500 entities"], rows)


def ontologies_table(runs: int) -> Table:
    """Tabulate how often equal systems are told apart on tasks that share ontologies."""
    numbers = (5, 7, 10, 20)
    found = [errors_of_shared_ontologies(k, runs=runs) for k in numbers]
    tests = ("paired t, tasks as if independent", "ontologies left out in turn")
    rows = [[test, *rates] for test, rates in zip(tests, zip(*found, strict=True), strict=True)]
    return Table("", ["test", *(f"{k} ontologies" for k in numbers)], rows)


def coverage_table(covered: Iterable[Coverage]) -> Table:
    """Tabulate how often all intervals, and all rank sets, hold together."""
    rows = [[c.setting, c.items, c.measure, c.intervals, c.rank_sets, c.runs] for c in covered]
    header = ["design", "items", "measure", "all intervals", "all rank sets", "runs"]
    return Table("", header, rows)


def main(folder: Path, runs: int) -> None:
    """Run the study and write it into `folder`."""
    discordant = np.arange(1, 50) / 50
    null = [rejection_rates(items, discordant) for items in (25, 50, 100, 200)]
    power = rejection_rates(50, discordant, odds=3.0)
    cases = list(product(SETTINGS, TRUTHS))
    errors = [
        rate
        for setting, truth in track(cases, len(cases), "settings")
        for rate in error_rates(setting, truth, runs=2 * runs)
    ]
    knowing = tuple(product(("sign-flip", "obuchowski"), FAMILY_CORRECTIONS))
    robust = [
        rate
        for truth in track(TRUTHS, len(TRUTHS), "settings with clusters")
        for rate in error_rates(SETTINGS[2], truth, runs=runs, methods=knowing)
    ]
    write_simulation(folder, null, power, errors, robust)
    write_promises(folder, runs)
    write_details(folder, runs)


if __name__ == "__main__":
    show_bars()
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else RUNS)
