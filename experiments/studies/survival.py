"""Which metric survives which kind of renaming, measured on generated pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

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
            title = f"F1 with {classes} classes, all of them renamed"
            rows = [[metric, *(by[m].f1 for m in methods)] for metric, by in values.items()]
            blocks.append(Table(title, ["", *methods], rows).to_text())
        return "\n\n".join(blocks)


def survival(
    sizes: Sequence[tuple[int, Sequence[float]]] = SIZES,
    methods: Sequence[str] = METHODS,
    metrics: Sequence[str] = ("standard",),
    *,
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
        found = list(_points(n, method, level, metrics, seed))
        if level == 0.0:
            plain[n] = found
        points += found
    return Survival(tuple(points))


def _points(
    classes: int, method: str, level: float, metrics: Sequence[str], seed: int
) -> Iterator[Point]:
    rename = Rename(level, method, kinds=(Kind.CLASS,))
    alteration = Alteration(remove_classes=UNMATCHED, add_classes=UNMATCHED, rename=(rename,))
    with TemporaryDirectory() as folder:
        generate(classes, alteration, seed=seed, shape=SHAPE).write(Path(folder))
        source, target = (load_ontology(Path(folder) / f"{s}.owl") for s in ("source", "target"))
        reference = read_alignment(Path(folder) / "reference.rdf")
    chosen = select_metrics(metrics)
    settings = Settings(synonyms=False)
    for matching in match_all(prepare(source, target, settings), chosen):
        f1 = score(matching.alignment, reference).f1
        low = high = f1
        if matching.ties is not None:
            correct, size = matching.ties.count(reference.pairs), matching.ties.size
            # optimal assignments may differ in size: the bounds take the worse one each
            low = 2 * correct.smallest / (size.largest + len(reference))
            high = 2 * correct.largest / (size.smallest + len(reference))
        yield Point(classes, method, level, matching.metric, f1, low, high)


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
                panel.plot([p.level for p in mine], [p.f1 for p in mine], label=metric, **line(k))
            panel.set_title(method)
            panel.set_ylim(0, 1.02)
        figure.supxlabel("share of classes renamed")
        figure.supylabel("F1")
        handles, labels = panels.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center", frameon=False)
        return figure


def run(_data: Path, out: Path | None) -> str:
    """Return the experiment's text; write its table and figure (`alignrank reproduce`)."""
    result = survival()
    if out is not None:
        rows = [list(asdict(point).values()) for point in result.points]
        write_rows(out / "generator.csv", list(asdict(result.points[0])), rows)
        save(draw_survival(result, SIZES[0][0]), out / "generator")
    return result.to_text()
