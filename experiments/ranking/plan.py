"""An experiment as a TOML file: tasks × label presets × synonyms, resumed where it was stopped.

Each step is one run of `rank` in a folder of its own. A step is done if its folder's summary holds
the step's fingerprint: the settings, the SHA-256 of its inputs and alignrank's version. So nothing
is computed twice, and a run that was killed goes on where it was.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import cast

from evaluation.comparison.compare import PROTOCOLS
from evaluation.corrections import CORRECTIONS
from evaluation.significance.mcnemar import TESTS
from experiments.errors import ExperimentError, MistakesError
from experiments.inputs.named_inputs import slugs
from experiments.inputs.named_tasks import PairFiles
from experiments.report.console import say
from experiments.results.handover import finish_handover
from experiments.results.result import SCHEMA
from experiments.results.steps import fingerprint
from matchers import MatcherError, Settings, select_metrics
from ontologies import Kind
from ontologies.common.names import hint
from ontologies.common.progress import track

from .pair import rank_pair
from .rank import RankOptions

_TABLES = {
    "task": ("name", *(field.name for field in fields(PairFiles))),
    "match": ("metrics", *(field.name for field in fields(Settings) if field.name != "tiles")),
    "compare": ("test", "correction", "alpha", "protocol"),
}


@dataclass(frozen=True)
class Step:
    """One run of `rank`: its folder's name, its files, and how to match and decide."""

    name: str
    files: PairFiles
    options: RankOptions

    @property
    def fingerprint(self) -> str:
        """SHA-256 over everything that the result depends on."""
        choices = {"name": self.name, **asdict(self.options)}
        return fingerprint(choices, vars(self.files).values())

    def is_done(self, folder: Path) -> bool:
        """Tell whether `folder` holds this step's result."""
        finish_handover(folder)
        try:
            content = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        same_form = content.get("schema") == SCHEMA
        return same_form and bool(content.get("fingerprint") == self.fingerprint)


@dataclass(frozen=True)
class Plan:
    """An experiment: its results folder and its steps."""

    out: Path
    steps: tuple[Step, ...]


def read_plan(path: Path) -> Plan:
    """Read an experiment file.

    Paths are relative to the file's folder.

    Raises
    ------
    ExperimentError
        If anything is wrong: all mistakes of the file in one message.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path} is no TOML: {error}") from error
    mistakes: list[str] = []
    _check_keys(content, mistakes)
    base = path.parent
    tasks = list(_tasks(content, base, mistakes))
    match, compare = (_table(content, name) for name in ("match", "compare"))
    out = content.get("out", "results")
    if not isinstance(out, str):
        mistakes.append(f"out {out!r} must be text: the results folder")
    settings = _settings(match, mistakes)
    metrics = tuple(_strings(match, "metrics", ["standard"], mistakes))
    decided_by = _options(compare, metrics, mistakes)
    best = match.get("threshold") == "best"
    choices = [replace(decided_by, settings=one, best_threshold=best) for one in settings]
    if mistakes:
        raise MistakesError(path, list(dict.fromkeys(mistakes)))
    steps = tuple(
        Step(
            f"{names[name]}/{choice.settings.labels}"
            + ("-synonyms" if choice.settings.synonyms else "-labels"),
            files,
            choice,
        )
        for names in [slugs([name for name, _ in tasks])]
        for (name, files), choice in product(tasks, choices)
    )
    return Plan(base / out, steps)


def run_plan(path: Path) -> None:
    """Run every step of an experiment file that is not done yet (`alignrank run`)."""
    plan = read_plan(path)
    for k, step in enumerate(track(plan.steps, len(plan.steps), "steps"), 1):
        folder = plan.out / step.name
        heading = f"[{k}/{len(plan.steps)}] {step.name}"
        if step.is_done(folder):
            say(f"{heading}: done before")
            continue
        say(heading)
        rank_pair(
            step.files, step.options, out=folder, overwrite=True, fingerprint=step.fingerprint
        )


def _check_keys(content: Mapping[str, object], mistakes: list[str]) -> None:
    for key in content:
        if key != "out" and key not in _TABLES:
            mistakes.append(f"{key!r} is unknown: {hint(key, ('out', *_TABLES))}")
    for table, known in _TABLES.items():
        found = content.get(table, {})
        for part in found if isinstance(found, list) else [found]:
            if not isinstance(part, dict):
                mistakes.append(f"[{table}] must be a table")
                continue
            for key in part:
                if key not in known:
                    mistakes.append(f"[{table}] {key!r} is unknown: {hint(key, known)}")


def _table(content: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return a table; an empty one where something else stands, which is reported already."""
    found = content.get(name, {})
    return found if isinstance(found, dict) else {}


def _tasks(
    content: Mapping[str, object], base: Path, mistakes: list[str]
) -> Iterator[tuple[str, PairFiles]]:
    """Yield name and files of every task; of one that lacks a file only the mistake is told."""
    tasks = content.get("task", [])
    if not isinstance(tasks, list) or not tasks:
        mistakes.append("there is no [[task]] with source, target and reference")
        return
    for number, task in enumerate(tasks, 1):
        if not isinstance(task, dict):
            continue
        name = str(task.get("name", f"task-{number}"))
        files: dict[str, Path] = {}
        for key in ("source", "target", "reference", "imports"):
            if key not in task:
                if key != "imports":
                    mistakes.append(f"[[task]] {name}: {key} is missing")
                continue
            files[key] = base / str(task[key])
            if not isinstance(task[key], str):
                mistakes.append(f"[[task]] {name}: {key} {task[key]!r} must be text: a path")
            elif not files[key].exists():
                mistakes.append(f"[[task]] {name}: {key} {files[key]} is not there")
        if {"source", "target", "reference"} <= files.keys():
            yield name, PairFiles(**files)


def _settings(match: Mapping[str, object], mistakes: list[str]) -> list[Settings]:
    """Return the settings of every label preset, with and without synonyms."""
    threshold = match.get("threshold", 0.0)
    if threshold != "best" and (
        isinstance(threshold, bool) or not isinstance(threshold, int | float)
    ):
        mistakes.append(f'[match] threshold {threshold!r} must be a number in [0, 1], or "best"')
        threshold = 0.0
    kinds = _strings(match, "kinds", [], mistakes)
    langs = _strings(match, "langs", [], mistakes)
    unknown = [kind for kind in kinds if kind not in set(Kind)]
    if unknown:
        mistakes.append(f"[match] kinds: {', '.join(unknown)} (known: {', '.join(Kind)})")
    synonyms = match.get("synonyms", True)
    with_or_without = synonyms if isinstance(synonyms, list) else [synonyms]
    if not all(isinstance(one, bool) for one in with_or_without):
        mistakes.append(f"[match] synonyms {synonyms!r} must be true, false or [true, false]")
    presets = _strings(match, "labels", ["words"], mistakes)
    choices = []
    for preset, with_synonyms in product(dict.fromkeys(presets), dict.fromkeys(with_or_without)):
        try:
            choices.append(
                Settings(
                    labels=preset,
                    synonyms=bool(with_synonyms),
                    kinds=tuple(Kind(k) for k in kinds if k not in unknown) or None,
                    langs=tuple(langs) or None,
                    threshold=threshold if isinstance(threshold, int | float) else 0.0,
                    # what is no text is refused there, as an unknown name is
                    assignment=cast(str, match.get("assignment", "hungarian")),
                    order=cast(str, match.get("order", "assign-then-cut")),
                )
            )
        except MatcherError as error:
            mistakes.append(f"[match] {error}")
    return choices


def _options(
    compare: Mapping[str, object], metrics: tuple[str, ...], mistakes: list[str]
) -> RankOptions:
    """Return the metrics and what decides."""
    for name in metrics:
        try:
            select_metrics([name])
        except MatcherError as error:
            mistakes.append(f"[match] {error}")
    test, correction = compare.get("test", "mid-p"), compare.get("correction", "bergmann-hommel")
    if test not in TESTS:
        mistakes.append(f"[compare] test {test!r} is unknown: {hint(str(test), TESTS)}")
    known = [name for name, c in CORRECTIONS.items() if "N×N" in c.comparisons]
    if correction not in known:
        todo = hint(str(correction), known, listed_by="alignrank list corrections")
        mistakes.append(f"[compare] correction {correction!r} does not serve all pairs: {todo}")
    alpha = compare.get("alpha", 0.05)
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        mistakes.append(f"[compare] alpha {alpha!r} must be a number between 0 and 1")
        alpha = 0.05
    protocol = compare.get("protocol")
    if protocol is not None and protocol not in PROTOCOLS:
        mistakes.append(
            f"[compare] protocol {protocol!r} is unknown: {hint(str(protocol), PROTOCOLS)}"
        )
        protocol = None
    return RankOptions(
        metrics,
        test=str(test),
        correction=str(correction),
        alpha=alpha,
        protocol=None if protocol is None else str(protocol),
    )


def _strings(
    table: Mapping[str, object], key: str, default: list[str], mistakes: list[str]
) -> list[str]:
    value = table.get(key, default)
    values = value if isinstance(value, list) else [value]
    texts = [text for text in values if isinstance(text, str)]
    if len(texts) < len(values):
        mistakes.append(f"[match] {key} must be text, or a list of texts")
        return default
    return texts
