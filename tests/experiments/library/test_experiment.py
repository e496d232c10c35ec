"""Experiments as TOML files: grids, tasks and systems by name, all mistakes at once."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from alignrank.experiments.errors import ExperimentError, MistakesError
from alignrank.experiments.library.experiment import (
    TEMPLATE,
    Experiment,
    find_experiment,
    read_experiment,
    shipped,
)
from alignrank.matchers.learned.names import PARTS_OF_SPEECH
from alignrank.ontologies.tasks import bundled_task

TEXT = """
[[task]]
name = "mine"
source = "source.owl"
target = "target.owl"
reference = "reference.rdf"

[match]
metrics = ["equality", "levenshtein"]
labels = ["lower", "words"]
synonyms = [true, false]
"""


def read(folder: Path, text: str) -> Experiment:
    file = folder / "experiment.toml"
    file.write_text(text)
    return read_experiment(file, folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of a pair."""
    task = bundled_task("library")
    for path in (task.source, task.target, task.reference):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_every_combination_is_a_step_of_its_own(folder: Path) -> None:
    steps = read(folder, TEXT).steps
    assert [step.name for step in steps] == [
        "mine/lower-synonyms",
        "mine/lower-no-synonyms",
        "mine/words-synonyms",
        "mine/words-no-synonyms",
    ]
    assert len({step.fingerprint for step in steps}) == 4
    assert steps[1].levels == {"labels": "lower", "synonyms": "no-synonyms"}


def test_any_option_may_be_a_list_and_sets_are_lists_of_lists(folder: Path) -> None:
    text = """
task = ["library", "vehicles"]
[match]
metrics = [["equality", "jaro"], ["standard"]]
threshold = [0.5, "best"]
langs = [["en"], ["de", "en"]]
[compare]
test = ["exact", "mid-p"]
alpha = [0.05, 0.01]
"""
    steps = read(folder, text).steps
    assert len(steps) == 2 * 2 * 2 * 2 * 2 * 2
    assert len({step.name for step in steps}) == len(steps)
    first = steps[0]
    assert first.options.metrics == ("equality", "jaro")
    assert first.options.settings.langs == ("en",)
    assert first.levels["threshold"] == "threshold-0.5"
    assert steps[-1].options.crossfits
    assert steps[-1].options.metrics == ("standard",)


def test_label_properties_vary_as_sets(folder: Path) -> None:
    text = TEXT + 'label_properties = [["http://a#name"], ["http://a#title", "http://b#x"]]'
    first, second = read(folder, text).steps[:2]
    assert first.task.files.label_properties == ("http://a#name",)
    assert second.task.files.label_properties == ("http://a#title", "http://b#x")
    assert first.matched_by != second.matched_by


def test_words_of_wordnet_and_neighbours_are_chosen(folder: Path) -> None:
    (folder / "words").mkdir()
    for part in PARTS_OF_SPEECH:
        (folder / "words" / f"data.{part}").write_text("", "ascii")
    text = TEXT + 'wordnet = "words"\nstructure = [true, false]\n'
    first, second = read(folder, text).steps[:2]
    assert first.options.settings.wordnet == str(folder / "words")
    assert (first.options.settings.structure, second.options.settings.structure) == (True, False)
    made_by = first.matched_by
    (folder / "words" / "data.noun").write_text("other", "ascii")
    assert first.matched_by != made_by


def test_a_missing_wordnet_is_told_before_any_step_runs(folder: Path) -> None:
    with pytest.raises(ExperimentError, match=r"\[match\] wordnet: .*data\.noun is missing"):
        read(folder, TEXT + 'wordnet = ["", "none"]\n')


def test_more_combinations_than_anyone_runs_are_refused(folder: Path) -> None:
    levels = ", ".join(str(k / 1000) for k in range(1, 200))
    text = TEXT + f"threshold = [{levels}]\n[compare]\nalpha = [{levels}]\n"
    with pytest.raises(ExperimentError, match="combinations of options: name 10,000"):
        read(folder, text)


def test_folders_name_empty_lists_truly(folder: Path) -> None:
    text = TEXT + 'langs = [["en"], []]\n[compare]\nfilter = [["relation=any"], []]\n'
    names = {step.name for step in read(folder, text).steps}
    assert any("all-langs-no-filter" in name for name in names), names


def test_a_changed_test_leaves_what_it_was_matched_by(folder: Path) -> None:
    before = read(folder, TEXT).steps[0]
    after = read(folder, TEXT + '[compare]\ntest = "exact"\n').steps[0]
    assert before.fingerprint != after.fingerprint
    assert (made_by := before.matched_by) == after.matched_by
    with (folder / "source.owl").open("a") as file:
        file.write("<!-- another byte -->")
    assert read(folder, TEXT).steps[0].matched_by != made_by


def test_systems_are_files_folders_and_our_own(folder: Path) -> None:
    alignments = folder / "alignments"
    shutil.copytree(bundled_task("library").reference.parent / "alignments", alignments)
    (tasks := folder / "by-task").mkdir()
    for name in ("library", "vehicles"):
        shutil.copy(alignments / "system_good.rdf", tasks / f"mine-{name}.rdf")
    one = 'task = ["library"]\nsystems = ["best=alignments/system_good.rdf", "alignments"]\n'
    assert sorted(read(folder, one).steps[0].task.systems) == [
        "best",
        "system_bad",
        "system_good",
        "system_near_miss",
    ]
    two = 'task = ["library", "vehicles"]\nsystems = ["by-task", "bundled"]\n'
    systems = [step.task.systems for step in read(folder, two).steps]
    assert systems[0]["mine"] == tasks / "mine-library.rdf"
    assert {"mine", "A1"} <= systems[1].keys()


def test_systems_of_two_campaigns_are_told_apart_by_their_years(
    folder: Path, oaei: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALIGNRANK_DATA", str(oaei))
    text = 'task = ["conference/cmt-ekaw"]\nsystems = ["2019"]\n'
    assert "AML" in read(folder, text).steps[0].task.systems
    text = 'task = ["anatomy"]\nsystems = ["2022", "2023"]\n[compare]\nfilter = "oaei-anatomy"\n'
    (step,) = read(folder, text).steps
    assert {"LogMapBio-2022", "LogMapBio-2023"} <= step.task.systems.keys()
    assert step.judging.filters == ("oaei-anatomy",)


def test_generated_pairs_are_tasks(folder: Path) -> None:
    text = '[[task]]\ngenerate = "near-miss"\nclasses = 12\n'
    once, twice = read(folder, text), read(folder, text)
    assert [step.task.name for step in once.steps][:2] == ["near-miss-10", "near-miss-20"]
    assert [s.fingerprint for s in once.steps] == [s.fingerprint for s in twice.steps]


def test_all_mistakes_are_told_at_once(folder: Path) -> None:
    text = TEXT.replace("target.owl", "nowhere.owl").replace("levenshtein", "levenstein")
    text += 'kind = "class"\n[compare]\ntest = "midp"\nalpha = 3.0\n[extra]\n'
    with pytest.raises(ExperimentError) as caught:
        read(folder, text)
    message = str(caught.value)
    assert "6 mistakes" in message
    for part in ("nowhere.owl", "levenstein", "'kind' is unknown", "midp", "alpha", "extra"):
        assert part in message
    assert "\n" not in message
    with pytest.raises(ExperimentError, match="alpha"):
        read(folder, TEXT + "[compare]\nalpha = -0.05\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('task = ["libary"]', "did you mean library"),
        ("task = []", "there is no task"),
        ('task = ["library", 3]', "task 3 must be a name or a table"),
        ('task = ["library"]\nsystems = ["1999"]', "no campaign is known that solved library"),
        ('task = ["library"]\n[compare]\nfilter = "oaei-anatmy"', "did you mean oaei-anatomy"),
        (
            'task = ["library"]\nsystems = ["bundled", "system_bad=source.owl"]',
            "two are called 'system_bad' on library",
        ),
        ('task = ["library"]\nsystems = ["Jaro=source.owl"]', "give the same file name 'Jaro'"),
        ('task = ["library"]\nsystems = ["x=gone.rdf"]', "gone.rdf is not there"),
        ('task = ["library"]\nsystems = ["jaro=source.owl"]', "called jaro, as a metric is"),
        ('task = ["library"]\n[match]\nmetrics = ["jaro"]', "nothing to compare"),
        ('task = ["library"]\n[match]\nlabels = []', "labels [] must be text"),
        ('task = ["library"]\n[match]\nmetrics = [3]', "metrics must be text"),
        ('task = ["library"]\n[match]\nthreshold = true', "threshold True must be a number"),
        ('task = ["library"]\n[match]\nkinds = ["clas"]', "kind 'clas' is unknown"),
        ('task = ["library"]\n[compare]\nmeasure = "residual:f7"', "has no value 'f7'"),
        ('[[task]]\ngenerate = "near-mis"', "did you mean near-miss"),
        (
            '[[task]]\ngenerate = "scale"\nclasses = 0',
            "classes 0 must be a whole number from 1",
        ),
        (f'[[task]]\ngenerate = "scale"\nseed = {10**300}', "must be a whole number from 0 to 922"),
        ('task = ["library"]\nmatch = 3', "[match] must be a table"),
        (
            'task = ["library"]\n[match]\nthreshold = "best"\norder = "cut-then-assign"',
            'leave order="cut-then-assign" out',
        ),
    ],
)
def test_a_mistake_is_told(folder: Path, text: str, said: str) -> None:
    with pytest.raises(MistakesError) as caught:
        read(folder, text)
    assert said in str(caught.value)
    assert "1 mistake:" in str(caught.value)


def test_what_is_no_toml_is_said(folder: Path) -> None:
    with pytest.raises(ExperimentError, match=r"not TOML.*line 1"):
        read(folder, "[[task]\n")


def test_an_experiment_is_found_by_path_or_name(folder: Path) -> None:
    assert find_experiment(str(TEMPLATE)).steps
    with pytest.raises(ExperimentError, match="did you mean languages"):
        find_experiment("langauges")
    assert all(about.endswith(".") for about in shipped().values())


@pytest.mark.parametrize(
    "metrics",
    ['["jaro", "own_metric:same"]', '[["standard"], ["jaro", "own_metric:same"]]'],
)
def test_a_metric_that_runs_code_needs_leave(
    folder: Path, monkeypatch: pytest.MonkeyPatch, metrics: str
) -> None:
    module = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n"
    (folder / "own_metric.py").write_text(f"{module}def same(s, t):\n    return s == t\n")
    monkeypatch.syspath_prepend(folder)
    text = TEXT.replace('["equality", "levenshtein"]', metrics)
    said = r"experiment\.toml: \[match\] metrics '.*own_metric:same' runs code .* --allow-code$"
    with pytest.raises(ExperimentError, match=said):
        read(folder, text)
    assert not (folder / "ran").exists()
    read_experiment(folder / "experiment.toml", folder, allow_code=True)
    assert (folder / "ran").exists()
    del sys.modules["own_metric"]


def test_no_leave_makes_a_metric_of_python_itself(folder: Path) -> None:
    (folder / "experiment.toml").write_text(TEXT.replace('"equality"', '"shutil:rmtree"'))
    with pytest.raises(MistakesError, match="the module shutil is part of Python"):
        read_experiment(folder / "experiment.toml", folder, allow_code=True)
