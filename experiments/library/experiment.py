"""An experiment as a TOML file: tasks × options, each combination a step.

Any option may be a list: the steps are the product of them all. All mistakes of a file are told
in one message.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from alignrank.common.errors import EvaluationError
from alignrank.common.files import read_toml
from alignrank.common.names import hint, refuse_unknown
from alignrank.evaluation.comparison.answers import by_system as runs_by_system
from alignrank.evaluation.comparison.settings import PROTOCOLS
from alignrank.evaluation.corrections import corrections_for
from alignrank.evaluation.measures.measure import measure_and_value
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.experiments.comparing.compare_files import CompareOptions
from alignrank.experiments.errors import ExperimentError, MistakesError
from alignrank.experiments.inputs.named_inputs import PairFiles, named_files, slugs
from alignrank.experiments.ranking.rank import RankOptions, read_threshold
from alignrank.experiments.results import handed_over
from alignrank.experiments.results.steps import fingerprint, metric_files
from alignrank.matchers import MatcherError, Metric, Settings, select_metrics
from alignrank.matchers.by_name import runs_code
from alignrank.matchers.learned.names import wordnet_files
from alignrank.ontologies import Kind, OntologyError
from alignrank.ontologies.generator import MOST_CLASSES, generate_suite, preset
from alignrank.ontologies.tasks import MatchingTask, data_folders, find_tasks, folder_tasks
from alignrank.ontologies.tasks.filters import read_filter
from alignrank.ontologies.tasks.system_files import by_system_and_task, past_systems

#: Where the shipped experiments lie.
SHIPPED = Path(str(files(__package__)))
#: The one to begin with (`alignrank run --new`).
TEMPLATE = SHIPPED / "template.toml"

#: Combinations of options in one file: each gets a folder.
MOST_COMBINATIONS = 10_000
#: It is a part of a folder's name.
_LARGEST_SEED = 2**63 - 1

_KEYS = ("about", "out", "task", "systems", "match", "compare")
_PAIR = ("source", "target", "reference")
_TASK = ("name", *_PAIR, "imports", "systems", "generate", "classes", "seed")
_MATCH: dict[str, object] = {
    "metrics": ("standard",),
    **{f.name: f.default for f in fields(Settings) if f.name != "tiles"},
    "threshold": "best",
    "kinds": (),
    "langs": (),
    "label_properties": (),
}
_COMPARE: dict[str, object] = {
    "test": "mid-p",
    "correction": "bergmann-hommel",
    "alpha": 0.05,
    "protocol": "",
    "measure": "",
    "filter": (),
}
#: Options that are lists by themselves: they vary by a list of lists.
_LISTS = ("metrics", "kinds", "langs", "label_properties", "filter")
#: What a level of every other option must be.
_MUST: dict[str, tuple[str, Callable[[object], bool]]] = {
    "synonyms": ("true or false", lambda x: isinstance(x, bool)),
    "structure": ("true or false", lambda x: isinstance(x, bool)),
    "threshold": ('a number in [0, 1], or "best"', lambda x: x == "best" or _is_number(x)),
    "alpha": ("a number between 0 and 1", lambda x: _is_number(x) and 0 < float(str(x)) < 1),
}
_TEXT = ("text", lambda x: isinstance(x, str))


@dataclass(frozen=True)
class TaskFiles:
    """A task of an experiment: its ontology pair, and systems' alignments by name."""

    name: str
    files: PairFiles
    systems: Mapping[str, Path] = field(default_factory=dict)


class _Combination(NamedTuple):
    """One combination of options: its folder, and the level of each option that varies."""

    options: RankOptions
    judging: CompareOptions
    label_properties: tuple[str, ...]
    folder: str
    levels: Mapping[str, str]


@dataclass(frozen=True)
class Step:
    """One combination of a task and of options, whose results get a folder of their own.

    Parameters
    ----------
    name
        The folder, below that of the experiment.
    task
        What is matched, and systems' alignments beside.
    options
        How to match and decide.
    judging
        How metrics and systems are compared: of decisions by a test, or by a measure.
    levels
        The value of each option that varies, by its name.
    """

    name: str
    task: TaskFiles
    options: RankOptions
    judging: CompareOptions
    levels: Mapping[str, str]

    @property
    def way(self) -> str:
        """The options that vary, without the task."""
        return self.name.partition("/")[2]

    @property
    def metrics(self) -> list[Metric]:
        """The metrics; none where only systems are compared."""
        return _metrics(self.options)

    @property
    def matched_by(self) -> str:
        """SHA-256 over everything that the metrics' alignments depend on."""
        pair = self.task.files
        facts = {
            "settings": asdict(self.options.settings),
            "metrics": [metric.name for metric in self.metrics],
            "crossfits": self.options.crossfits,
            "label properties": pair.label_properties,
        }
        read = [pair.source, pair.target, pair.reference, pair.imports]
        if (folder := self.options.settings.wordnet) is not None:
            read += wordnet_files(folder)
        return fingerprint(facts, [*read, *metric_files(self.metrics)])

    @property
    def fingerprint(self) -> str:
        """SHA-256 over everything that the result depends on."""
        facts = {"judging": asdict(self.judging), "matched by": self.matched_by}
        names = {"name": self.name, "systems": list(self.task.systems)}
        return fingerprint({**facts, **names}, self.task.systems.values())


@dataclass(frozen=True)
class Experiment:
    """An experiment: what it is about, its results folder and its steps."""

    about: str
    out: Path
    steps: tuple[Step, ...]


def shipped() -> dict[str, str]:
    """Return what each shipped experiment is about, by its name."""
    return {
        path.stem: str(tomllib.loads(path.read_text(encoding="utf-8"))["about"])
        for path in sorted(SHIPPED.glob("*.toml"))
        if path != TEMPLATE
    }


def find_experiment(name: str, *, allow_code: bool = False) -> Experiment:
    """Return the experiment that a path, or the name of a shipped one, stands for.

    Paths in a file are relative to its folder; in a shipped one, to the current folder. Argument
    and errors are those of `read_experiment`.
    """
    if Path(name).suffix == ".toml" or Path(name).is_file():
        return read_experiment(Path(name), Path(name).parent, allow_code=allow_code)
    refuse_unknown("experiment", name, shipped(), ExperimentError, listed_by="alignrank run --list")
    return read_experiment(SHIPPED / f"{name}.toml", Path())


def read_experiment(path: Path, base: Path, *, allow_code: bool = False) -> Experiment:
    """Read an experiment file.

    Parameters
    ----------
    path
        The file.
    base
        The folder to which its paths are relative.
    allow_code
        Whether the file may name functions to import as metrics (``module:function``): importing
        a module runs its code.

    Raises
    ------
    ExperimentError
        If anything is wrong: all mistakes of the file in one message. A metric that would run
        code is refused before anything else is read.
    """
    content = read_toml(path, ExperimentError)
    if not allow_code:
        _refuse_code(path, content)
    read = _Reading(base, content)
    experiment = read.experiment()
    if read.mistakes:
        raise MistakesError(path, list(dict.fromkeys(read.mistakes)))
    return experiment


def _refuse_code(path: Path, content: Mapping[str, object]) -> None:
    match = content.get("match")
    if not isinstance(match, dict):
        return
    for name in _texts(match.get("metrics")):
        if runs_code(name):
            raise ExperimentError(
                f"{path}: [match] metrics {name!r} runs code that is not alignrank's: read that "
                "code, then add --allow-code"
            )


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a TOML value, however deep its lists are."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _list_of(stated: object) -> list[object]:
    """Return several values of a TOML file as they are, one value as a list."""
    if isinstance(stated, list):
        return stated
    return [stated]


def _check_correction(name: str) -> None:
    names = corrections_for("N×N")
    if name not in names:
        todo = hint(name, names, listed_by="alignrank list corrections")
        raise ExperimentError(f"correction {name!r} does not serve all pairs: {todo}")


#: What refuses a text of an option, by table and option.
_CHECKS: tuple[tuple[str, str, Callable[[str], object]], ...] = (
    ("match", "metrics", lambda name: select_metrics([name])),
    ("match", "wordnet", wordnet_files),
    ("compare", "test", TESTS.lookup),
    ("compare", "correction", _check_correction),
    ("compare", "protocol", lambda name: name and PROTOCOLS.lookup(name)),
    ("compare", "measure", lambda name: name and measure_and_value(name)),
    ("compare", "filter", read_filter),
)


class _Reading:
    """The reading of one file; what is wrong is collected, and the reading goes on."""

    def __init__(self, base: Path, content: Mapping[str, object]) -> None:
        self.base = base
        self.content = content
        self.mistakes: list[str] = []

    def experiment(self) -> Experiment:
        self._check_keys("", self.content, _KEYS)
        about, out = self.content.get("about", ""), self.content.get("out", "results")
        for key, text in (("about", about), ("out", out)):
            if not isinstance(text, str):
                self.mistakes.append(f"{key} {text!r} must be text")
        match, compare = self._table("match", _MATCH), self._table("compare", _COMPARE)
        match["wordnet"] = [
            str(self.base / str(folder)) if folder else None for folder in match["wordnet"]
        ]
        options, tasks = list(self._options(match, compare)), []
        if isinstance(out, str):
            tasks = self._tasks(self.base / out)
        for task, combination in product(tasks, options):
            self._check_systems(task, combination.options)
        with self._collected():
            return Experiment(str(about), self.base / str(out), tuple(_steps(tasks, options)))
        return Experiment("", self.base, ())

    def _check_keys(self, where: str, table: Mapping[str, object], keys: Sequence[str]) -> None:
        for key in table:
            if key not in keys:
                self.mistakes.append(f"{where}{key!r} is unknown: {hint(key, keys)}")

    @contextmanager
    def _collected(self, where: str = "") -> Iterator[None]:
        try:
            yield
        except (OntologyError, MatcherError, EvaluationError, ExperimentError) as error:
            self.mistakes.append(f"{where}{error}")

    def _table(self, name: str, defaults: Mapping[str, object]) -> dict[str, list[object]]:
        """Return the levels of each option of a table."""
        table = self.content.get(name, {})
        if not isinstance(table, dict):
            self.mistakes.append(f"[{name}] must be a table")
            table = {}
        self._check_keys(f"[{name}] ", table, list(defaults))
        levels = {}
        for key, default in defaults.items():
            levels[key] = [default]
            if key in table:
                levels[key] = self._levels(f"[{name}] {key}", key, table[key], default)
        return levels

    def _levels(self, where: str, key: str, stated: object, default: object) -> list[object]:
        levels: list[Any] = _list_of(stated)  # Any: whatever TOML holds
        if key in _LISTS:
            if not levels or not all(isinstance(level, list) for level in levels):
                levels = [levels]
            if all(isinstance(text, str) for level in levels for text in level):
                return [tuple(level) for level in levels]
            self.mistakes.append(f"{where} must be text, a list of texts, or a list of such lists")
            return [default]
        requirement, is_right = _MUST.get(key, _TEXT)
        for level in levels or [stated]:
            if not is_right(level):
                self.mistakes.append(f"{where} {level!r} must be {requirement}")
        return [level for level in levels if is_right(level)] or [default]

    def _options(
        self, match: Mapping[str, list[object]], compare: Mapping[str, list[object]]
    ) -> Iterator[_Combination]:
        """Yield every combination of levels."""
        levels = {**match, **compare}
        if (number := math.prod(map(len, levels.values()))) > MOST_COMBINATIONS:
            self.mistakes.append(
                f"{number:,} combinations of options: name {MOST_COMBINATIONS:,} at most"
            )
            return
        for table, key, check in _CHECKS:
            for text in _texts(levels[key]):
                with self._collected(f"[{table}] "):
                    check(text)
        for values in product(*levels.values()):
            chosen = dict(zip(levels, values, strict=True))
            varied = {
                key: _level_name(key, value)
                for key, value in chosen.items()
                if len(levels[key]) > 1
            }
            with self._collected("[match] "):
                judging = _compare_options(chosen)
                option = _rank_options(chosen, judging)
                option.check_order()
                folder = dict.fromkeys([_level_name("labels", chosen["labels"]), *varied.values()])
                yield _Combination(
                    option,
                    judging,
                    tuple(_texts(chosen["label_properties"])),
                    "-".join(folder),
                    varied,
                )

    def _tasks(self, out: Path) -> list[TaskFiles]:
        """Return every task; of one that lacks a file only the mistake is told."""
        stated = self.content.get("task", [])
        if not isinstance(stated, list) or not stated:
            self.mistakes.append(
                'there is no task: task = ["library"], or [[task]] with source, target, reference'
            )
            return []
        tasks: list[tuple[MatchingTask, Path | None, object]] = []
        for number, item in enumerate(stated, 1):
            with self._collected():
                if isinstance(item, str):
                    tasks += [(task, None, []) for task in self._named(item)]
                elif isinstance(item, dict):
                    tasks += self._described(item, number, out)
                else:
                    self.mistakes.append(f"task {item!r} must be a name or a table")
        shared = self._systems(self.content.get("systems", []), [task for task, *_ in tasks])
        return [
            TaskFiles(
                task.name,
                PairFiles(task.source, task.target, task.reference, imports),
                {**shared.get(task.name, {}), **self._systems(own, [task]).get(task.name, {})},
            )
            for task, imports, own in tasks
        ]

    def _named(self, name: str) -> list[MatchingTask]:
        try:
            return find_tasks(name, data_folders())
        except OntologyError:
            if tasks := folder_tasks(self.base / name):
                return tasks
            raise

    def _described(
        self, item: Mapping[str, object], number: int, out: Path
    ) -> list[tuple[MatchingTask, Path | None, object]]:
        """Return what a table `[[task]]` describes: a pair by its files, or generated pairs."""
        name = str(item.get("name", f"task-{number}"))
        self._check_keys("[[task]] ", item, _TASK)
        own = item.get("systems", [])
        if "generate" in item:
            return [(task, None, own) for task in self._generated(item, out)]
        paths: dict[str, Path] = {}
        for key in (*_PAIR, "imports"):
            if key not in item:
                if key != "imports":
                    self.mistakes.append(f"[[task]] {name}: {key} is missing")
                continue
            path = self.base / str(item[key])
            if not isinstance(item[key], str):
                self.mistakes.append(f"[[task]] {name}: {key} {item[key]!r} must be text: a path")
            elif not path.exists():
                self.mistakes.append(f"[[task]] {name}: {key} {path} is not there")
            else:
                paths[key] = path
        imports = paths.pop("imports", None)
        if len(paths) < len(_PAIR):
            return []
        source, target, reference = (paths[key] for key in _PAIR)
        return [(MatchingTask(name, source, target, reference), imports, own)]

    def _generated(self, item: Mapping[str, object], out: Path) -> list[MatchingTask]:
        """Return generated pairs; they lie beside the results, and are the same every time."""
        classes, seed = item.get("classes", 100), item.get("seed", 0)
        for key, number, least, most in (
            ("classes", classes, 1, MOST_CLASSES),
            ("seed", seed, 0, _LARGEST_SEED),
        ):
            if not isinstance(number, int) or not least <= number <= most:
                raise ExperimentError(
                    f"[[task]] {key} {number!r} must be a whole number from {least} to {most}"
                )
        assert isinstance(classes, int)
        assert isinstance(seed, int)
        suite = preset(str(item["generate"]), classes)
        folder = out / "pairs" / f"{item['generate']}-{classes}-{seed}"
        if not folder.is_dir():
            with handed_over(folder) as stage:
                for pair in generate_suite(suite, classes, seed=seed):
                    pair.write(stage / pair.name)
        name = item.get("name", item["generate"])
        return [replace(task, name=f"{name}-{task.name}") for task in folder_tasks(folder)]

    def _systems(self, stated: object, tasks: Sequence[MatchingTask]) -> dict[str, dict[str, Path]]:
        """Return the systems' files by task and system."""
        specs = _list_of(stated)
        files_by_task: dict[str, dict[str, Path]] = {task.name: {} for task in tasks}
        years = [s for s in specs if str(s).isdecimal() and not (self.base / str(s)).exists()]
        if years:
            for task in tasks:
                with self._collected("systems: "):
                    past = past_systems(task, list(map(str, years)))
                    files_by_task[task.name] = {name: Path(a.path) for name, a in past.items()}
        for spec in specs:
            if not isinstance(spec, str):
                self.mistakes.append(f"systems {spec!r} must be text: NAME=FILE, a folder, a year")
                continue
            if spec in years:
                continue
            with self._collected("systems: "):
                for (system, name), path in self._files_of(spec, tasks).items():
                    if not path.exists():
                        self.mistakes.append(f"systems: {path} is not there")
                    if system in files_by_task[name]:
                        twice = f"{files_by_task[name][system]} and {path}"
                        raise ExperimentError(f"two are called {system!r} on {name}: {twice}")
                    files_by_task[name][system] = path
        return files_by_task

    def _files_of(self, spec: str, tasks: Sequence[MatchingTask]) -> dict[tuple[str, str], Path]:
        if spec == "bundled":
            return {(s, task.name): path for task in tasks for s, path in task.alignments.items()}
        name, sign, file_name = spec.partition("=")
        path = self.base / (file_name or name)
        if path.is_dir() and len(tasks) > 1:
            return by_system_and_task(path, [task.name for task in tasks])
        files = named_files([f"{name}={path}" if sign else str(path)])
        return {(system, tasks[0].name): file for system, file in files.items() if tasks}

    def _check_systems(self, task: TaskFiles, options: RankOptions) -> None:
        try:
            names = [metric.name for metric in _metrics(options)]
        except MatcherError:
            return  # said where the metrics are read
        with self._collected():
            twice = sorted(task.systems.keys() & set(names))
            if twice:
                raise ExperimentError(f"{task.name}: a system is called {twice[0]}, as a metric is")
            slugs([*names, *runs_by_system(task.systems)])
            if len(names) + len(task.systems) < 2:
                raise ExperimentError(
                    f"{task.name}: there is nothing to compare: name two metrics or systems"
                )


def _metrics(options: RankOptions) -> list[Metric]:
    if not options.metrics:
        return []
    return select_metrics(options.metrics)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _level_name(key: str, value: object) -> str:
    """Return a level as folders and tables name it.

    Examples
    --------
    >>> _level_name("synonyms", False), _level_name("threshold", 0.8)
    ('no-synonyms', 'threshold-0.8')
    >>> _level_name("langs", ("de", "en")), _level_name("langs", ()), _level_name("filter", ())
    ('de-en', 'all-langs', 'no-filter')
    """
    if value is True:
        return key
    if isinstance(value, tuple):
        value = "-".join(value)
    elif _is_number(value):
        return f"{key}-{value:g}"
    if value:
        return str(value)
    if key in ("kinds", "langs"):
        return f"all-{key}"
    return f"no-{key}"


def _rank_options(chosen: Mapping[str, object], judging: CompareOptions) -> RankOptions:
    """Return one combination of the options' levels, whose types are checked already."""
    settings = {f.name: chosen[f.name] for f in fields(Settings) if f.name in chosen}
    settings |= {"threshold": read_threshold(chosen["threshold"])}
    settings |= {key: settings[key] or None for key in ("kinds", "langs")}
    match_settings = Settings(**settings)  # type: ignore[arg-type]  # checked when the file was read
    if match_settings.kinds:
        match_settings = replace(match_settings, kinds=tuple(map(Kind, match_settings.kinds)))
    return RankOptions(
        chosen["metrics"],  # type: ignore[arg-type]  # as above
        match_settings,
        judging.test,
        str(chosen["correction"]),
        judging.alpha,
        protocol=judging.protocol,
    )


def _compare_options(chosen: Mapping[str, object]) -> CompareOptions:
    """Return how one combination compares; what is the default is not asked for."""
    test = None
    if chosen["test"] != _COMPARE["test"]:
        test = str(chosen["test"])
    return CompareOptions(
        test=test,
        correction=str(chosen["correction"]),
        alpha=float(str(chosen["alpha"])),
        protocol=str(chosen["protocol"]) or None,
        measure=str(chosen["measure"]) or None,
        filters=chosen["filter"],  # type: ignore[arg-type]  # checked when the file was read
    )


def _steps(tasks: Sequence[TaskFiles], combinations: Sequence[_Combination]) -> Iterator[Step]:
    names = slugs([task.name for task in tasks])
    ways = slugs([combination.folder for combination in combinations])
    for task, (options, judging, properties, folder, levels) in product(tasks, combinations):
        if len(tasks) > 1:
            levels = {"task": task.name, **levels}
        labelled = replace(task, files=replace(task.files, label_properties=properties))
        yield Step(f"{names[task.name]}/{ways[folder]}", labelled, options, judging, levels)
