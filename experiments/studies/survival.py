"""Which metric survives which kind of renaming, measured on generated pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from evaluation import score
from experiments.report.figures.style import figure_style, line, save
from matchers import Settings, match_all, prepare, select_metrics
from ontologies import Kind, load_ontology, read_alignment
from ontologies.common.progress import track
from ontologies.common.table import Frame, Table, frame, write_rows
from ontologies.generator import Alteration, Rename, Shape, generate

#: Ways to rename, from the mildest on.
METHODS = (
    "convention:camel",
    "typo",
    "drop_vowels",
    "abbrev",
    "reorder",
    "synonym",
    "translate:de",
    "random",
)

LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

#: Classes, and levels, of the pairs: the large one is measured where all classes are renamed.
SIZES: tuple[tuple[int, tuple[float, ...]], ...] = ((300, LEVELS), (3_000, (1.0,)))

#: The same for the comparison of sizes, at one threshold: the largest pair's matrix of 900 million
#: similarities would fill 7 GB, so that only those at or above a threshold are kept.
LARGE_SIZES: tuple[tuple[int, tuple[float, ...]], ...] = (
    (300, LEVELS),
    (3_000, LEVELS),
    (30_000, (0.0, 0.4, 1.0)),
)
LARGE_METHODS = ("typo", "abbrev", "reorder", "synonym")
THRESHOLD = 0.8

#: Only classes, each with its one label; as many without a counterpart on both sides.
SHAPE = Shape(properties=0, individuals=0, comments=0, synonyms=0)
UNMATCHED = 0.1


@dataclass(frozen=True)
class Point:
    """F1 of a metric on one pair.

    Parameters
    ----------
    classes, method, level
        Of the pair: how many classes, and what share of them was renamed how.
    threshold
        What was cut before the assignment; 0 for nothing.
    metric
        Name of the metric.
    f1
        Of the assignment that was found, in [0, 1].
    f1_min, f1_max
        Smallest and largest of any optimal assignment.
    """

    classes: int
    method: str
    level: float
    threshold: float
    metric: str
    f1: float
    f1_min: float
    f1_max: float


@dataclass(frozen=True)
class Survival:
    """What `survival` measured."""

    points: tuple[Point, ...]

    def to_frame(self) -> Frame:
        """Return one row for each point."""
        return frame([asdict(point) for point in self.points])

    def of(self, classes: int, level: float) -> dict[str, dict[str, Point]]:
        """Return the points of one size and level by metric and method."""
        found: dict[str, dict[str, Point]] = {}
        for p in self.points:
            if (p.classes, p.level) == (classes, level):
                found.setdefault(p.metric, {})[p.method] = p
        return found

    def to_text(self) -> str:
        """Return for each size F1 where everything was renamed, metrics by methods."""
        blocks = []
        for classes in dict.fromkeys(p.classes for p in self.points):
            values = self.of(classes, 1.0)
            methods = list(next(iter(values.values())))
            cut = self.points[0].threshold
            after = f", cut at {cut:g} and then assigned" if cut else ""
            title = f"F1 with {classes} classes, all of them renamed{after}"
            rows = [[metric, *(by[m].f1 for m in methods)] for metric, by in values.items()]
            blocks.append(Table(title, ["", *methods], rows).to_text())
        return "\n\n".join(blocks)


def survival(
    sizes: Sequence[tuple[int, Sequence[float]]] = SIZES,
    methods: Sequence[str] = METHODS,
    metrics: Sequence[str] = ("standard",),
    *,
    threshold: float = 0.0,
    seed: int = 0,
) -> Survival:
    """Match generated pairs with every metric.

    A tenth of the classes is taken out of the target and as many others put in; at each level the
    same classes are renamed by every method, and those of a lower level are among them.

    Parameters
    ----------
    sizes
        Number of classes, and the levels of renaming.
    methods
        Of renaming (`ontologies.generator.METHODS`).
    metrics
        Names of metrics or families.
    threshold
        Smallest similarity that may be assigned (cut, then assign; tile by tile); 0 for no cut.
    seed
        Of the generator.
    """
    work = [(n, m, level) for n, levels in sizes for m in methods for level in levels]
    plain: dict[int, list[Point]] = {}  # without renaming the method does not matter
    points: list[Point] = []
    for n, method, level in track(work, len(work), "pairs"):
        if level == 0.0 and n in plain:
            points += [replace(point, method=method) for point in plain[n]]
            continue
        found = list(_points(n, method, level, metrics, threshold, seed))
        if level == 0.0:
            plain[n] = found
        points += found
    return Survival(tuple(points))


def _points(
    classes: int, method: str, level: float, metrics: Sequence[str], threshold: float, seed: int
) -> Iterator[Point]:
    rename = Rename(level, method, kinds=(Kind.CLASS,))
    alteration = Alteration(remove_classes=UNMATCHED, add_classes=UNMATCHED, rename=(rename,))
    with TemporaryDirectory() as folder:
        generate(classes, alteration, seed=seed, shape=SHAPE).write(Path(folder))
        source, target = (load_ontology(Path(folder) / f"{s}.owl") for s in ("source", "target"))
        reference = read_alignment(Path(folder) / "reference.rdf")
    chosen = select_metrics(metrics)
    settings = Settings(synonyms=False)
    if threshold:
        settings = replace(settings, threshold=threshold, order="cut-then-assign", tiles=True)
    for matching in match_all(prepare(source, target, settings), chosen):
        f1 = score(matching.alignment, reference).f1
        low = high = f1
        if matching.ties is not None:
            correct, size = matching.ties.count(reference.pairs), matching.ties.size
            # optimal assignments may differ in size: the bounds take the worse one each
            low = 2 * correct.smallest / (size.largest + len(reference))
            high = 2 * correct.largest / (size.smallest + len(reference))
        yield Point(classes, method, level, threshold, matching.metric, f1, low, high)


def draw_survival(result: Survival, classes: int) -> Figure:
    """Draw F1 against the share of classes renamed, a panel for each method, a line a metric."""
    with figure_style():
        points = [p for p in result.points if p.classes == classes]
        methods = list(dict.fromkeys(p.method for p in points))
        metrics = list(dict.fromkeys(p.metric for p in points))
        figure = Figure(figsize=(11, 2.6 * ((len(methods) + 3) // 4)), layout="constrained")
        panels = figure.subplots((len(methods) + 3) // 4, 4, sharex=True, sharey=True)
        for panel, method in zip(panels.flat, methods, strict=False):
            for k, metric in enumerate(metrics):
                mine = [p for p in points if (p.method, p.metric) == (method, metric)]
                _draw_levels(panel, mine, metric, k)
            panel.set_title(method)
            panel.set_ylim(0, 1.02)
        figure.supxlabel("share of classes renamed")
        figure.supylabel("F1")
        handles, labels = panels.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center", frameon=False)
        return figure


def _draw_levels(panel: Axes, points: Sequence[Point], metric: str, k: int) -> None:
    """Draw the line of the k-th metric: F1 against the share of classes renamed."""
    panel.plot([p.level for p in points], [p.f1 for p in points], label=metric, **line(k))


def draw_sizes(result: Survival) -> Figure:
    """Draw F1 against the share of classes renamed and, where all are, against their number.

    A row for each method, a column for each size with more than one level, and one for all sizes.
    """
    with figure_style():
        methods = list(dict.fromkeys(p.method for p in result.points))
        metrics = list(dict.fromkeys(p.metric for p in result.points))
        sizes = list(dict.fromkeys(p.classes for p in result.points if p.level not in (0.0, 1.0)))
        figure = Figure(figsize=(9, 1.7 * len(methods) + 0.8), layout="constrained")
        panels = figure.subplots(
            len(methods), len(sizes) + 1, sharex="col", sharey=True, squeeze=False
        )
        for method, (*by_level, by_size) in zip(methods, panels, strict=True):
            mine = [p for p in result.points if p.method == method]
            for k, metric in enumerate(metrics):
                at = [p for p in mine if p.metric == metric]
                for classes, panel in zip(sizes, by_level, strict=True):
                    _draw_levels(panel, [p for p in at if p.classes == classes], metric, k)
                numbers, values = zip(
                    *((p.classes, p.f1) for p in at if p.level == 1.0), strict=True
                )
                by_size.plot(numbers, values, label=metric, marker="o", ms=3, **line(k))
            for classes, panel in zip(sizes, by_level, strict=True):
                panel.set_title(f"{method}, {classes:,} classes")
            by_size.set_title(f"{method}, all renamed")
            by_size.set_xscale("log")
            every = sorted({p.classes for p in mine})
            by_size.set_xticks(every, [f"{n:,}" for n in every])
            by_size.minorticks_off()
            by_size.set_ylim(0, 1.02)
        for panel in panels[-1][:-1]:
            panel.set_xlabel("share of classes renamed")
        panels[-1][-1].set_xlabel("classes")
        figure.supylabel("F1")
        handles, labels = panels.flat[-1].get_legend_handles_labels()
        figure.legend(
            handles, labels, loc="outside upper center", ncols=5, frameon=False, handlelength=4
        )
        return figure


def run(_data: Path, out: Path | None) -> str:
    """Return the experiment's text; write its table and figure (`alignrank reproduce`)."""
    result = survival()
    if out is not None:
        _write(result, out / "generator.csv")
        save(draw_survival(result, SIZES[0][0]), out / "generator")
    return result.to_text()


def run_large(_data: Path, out: Path | None) -> str:
    """Return the text of the comparison of sizes; write its table and figure."""
    result = survival(LARGE_SIZES, LARGE_METHODS, threshold=THRESHOLD)
    if out is not None:
        _write(result, out / "generator-sizes.csv")
        save(draw_sizes(result), out / "generator-sizes")
    return result.to_text()


def _write(result: Survival, path: Path) -> None:
    rows = [list(asdict(point).values()) for point in result.points]
    write_rows(path, list(asdict(result.points[0])), rows)
