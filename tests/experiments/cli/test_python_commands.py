"""The functions of the library have the arguments of the commands, and the commands' answers."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable
from dataclasses import is_dataclass, replace
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.experiments.comparing.compare_files import compare_files
from alignrank.experiments.comparing.gate_files import gate_files
from alignrank.experiments.comparing.place import place
from alignrank.experiments.comparing.plan_evaluation import plan_evaluation
from alignrank.experiments.comparing.study_files import study_scores
from alignrank.experiments.looking.alignment_files import check_files, convert_file
from alignrank.experiments.ranking.matching import match_pair
from alignrank.experiments.ranking.pair import rank_files
from alignrank.experiments.scoring.sample import sample
from alignrank.experiments.scoring.score_files import score_files
from alignrank.ontologies import NegatedCorrespondence
from alignrank.ontologies.alignment import JUSTIFICATION
from alignrank.ontologies.curation import CURATED
from alignrank.ontologies.tasks import bundled_task
from alignrank.ontologies.vocabulary import SKOS

LIBRARY = bundled_task("library")
#: What only a command has: where it writes, how it prints, who computes.
OF_COMMANDS = {
    "out",
    "overwrite",
    "resume",
    "candidates",
    "figure",
    "markdown",
    "mend",
    "scheduler",
    "workers",
}
#: Arguments that hold several files by name in Python.
RENAMED = {"alignments": "systems"}


def parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the parameters of a command, the fields of a record among them."""
    flat: dict[str, Parameter] = {}
    fields: dict[str, Parameter] = {}
    for name, parameter in signature(function, eval_str=True).parameters.items():
        if isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation):
            fields |= signature(parameter.annotation, eval_str=True).parameters
        else:
            flat[name] = parameter
    for name in ("settings", "reader"):  # of `RankOptions`: their fields are parameters already
        fields.pop(name, None)
    return {**fields, **flat}


@pytest.mark.parametrize(
    ("command", "function", "only_typed"),
    [
        (match_pair, ar.match, set()),
        # several tasks are ranked by the command, which resumes where it stopped
        (rank_files, ar.rank, {"rule", "task"}),
        (compare_files, ar.compare, set()),
        # in Python judged questions are compared only (`compare`), and each reference is a call
        (score_files, ar.score, {"judged", "references"}),
        (sample, ar.sample, {"add"}),
        (study_scores, ar.study, set()),
        (place, ar.place, set()),
        # a gate takes its clusters from the ontologies alone
        (gate_files, ar.gate, {"judged", "clusters"}),
        (plan_evaluation, ar.plan, set()),
        (convert_file, ar.convert, set()),
        (check_files, ar.check, set()),
    ],
)
def test_a_function_has_the_arguments_and_defaults_of_its_command(
    command: Callable[..., Any], function: Callable[..., Any], only_typed: set[str]
) -> None:
    in_python = signature(function).parameters
    for name, parameter in parameters(command).items():
        if (name in OF_COMMANDS and name not in in_python) or name in only_typed:
            continue
        ours = in_python.get(name) or in_python[RENAMED.get(name, name)]
        if name not in RENAMED and Parameter.empty not in (ours.default, parameter.default):
            assert ours.default == parameter.default, name


def test_place_and_compare_say_the_same_in_python(oaei: Path, shell: Any, tmp_path: Path) -> None:
    systems = oaei / "conference" / "systems-2019"
    mine = shutil.copy(systems / "AML-cmt-ekaw.rdf", tmp_path / "mine.rdf")
    task = "conference/cmt-ekaw"
    placed = ar.place(mine, task=task, data=oaei)
    joined = ar.compare(systems={"mine": mine}, task=task, data=oaei, focus="mine")
    assert placed.summary.to_dict() == joined.summary.to_dict()
    typed = json.loads(shell("--json", "place", mine, "--task", task, "--data", oaei)[1])
    assert json.loads(json.dumps(placed.summary.to_dict())) == typed
    in_memory = ar.place(ar.read_alignment(mine, name="mine"), task=task, data=oaei)
    assert in_memory.answer == placed.answer


def test_scores_are_those_of_the_command(shell: Any) -> None:
    good = LIBRARY.alignments["system_good"]
    scored = ar.score(LIBRARY.reference, {"good": good}, measures="standard")
    typed = shell("--json", "score", LIBRARY.reference, f"good={good}", "--measure", "standard")[1]
    assert [value["value"] for value in json.loads(typed)["scores"]] == [
        value.value for value in scored.values
    ]
    assert list(scored.to_frame().columns)[:4] == ["system", "measure", "name", "value"]


def test_a_plan_and_a_check_answer_in_python() -> None:
    systems = {name: LIBRARY.alignments[name] for name in ("system_good", "system_bad")}
    planned = ar.plan(LIBRARY.reference, systems, difference=0.1)
    assert "a difference of 0.1" in planned.answer
    assert planned.cautions
    codes = [f.code for f in ar.check([LIBRARY.source, LIBRARY.target, LIBRARY.reference])]
    assert "no-labels" in codes


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda: ar.match(5, LIBRARY.target),
            "source is of type int: give an ontology or its file",
        ),
        (lambda: ar.match(), "give source and target, or a task"),
        (lambda: ar.rank(LIBRARY.source), "give source, target and reference, or a task"),
        (
            lambda: ar.compare(LIBRARY.reference, list(LIBRARY.alignments.values())),
            "systems is of type list: give a dict of names and alignments or files",
        ),
        (
            lambda: ar.compare(LIBRARY.reference, {"a": 3}),
            "a is of type int: give an alignment or its file",
        ),
        (lambda: ar.score(LIBRARY.reference), "give reference and systems, or a task"),
        (lambda: ar.gate(None, "b.rdf", task="library"), "old is of type NoneType: give the path"),
        (
            lambda: ar.place(7, task="library"),
            "alignment is of type int: give an alignment or its file",
        ),
        (lambda: ar.check([LIBRARY]), "paths is of type MatchingTask: give the path of a file"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_one_line(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        wrong()
    assert "\n" not in str(refused.value)


#: Scores by system and task.
SCORES = {"a": {"t1": 0.1, "t2": 0.2, "t3": 0.3}, "b": {"t1": 0.2, "t2": 0.4, "t3": 0.3}}


def test_the_tasks_where_lower_is_better_are_recorded() -> None:
    """It was recorded that lower is better on all."""
    studied = ar.study(SCORES, lower_is_better="t1").summary
    assert studied.provenance.settings["lower_is_better"] == ("t1",)
    assert studied.table.lower_is_better == ("t1",)


def test_rankings_are_judged_by_a_gold_standard(tmp_path: Path) -> None:
    """The title said: by judgements."""
    gold = {f"q{k}": ["d1"] for k in range(8)}
    runs = {
        name: {q: {"d1": 0.9, "d2": other} for q in gold} for name, other in (("a", 0.1), ("b", 1))
    }
    page = ar.compare(gold, runs).report(tmp_path / "report.html").read_text("utf-8")
    assert "2 systems judged by the gold standard" in page


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda p: ar.study(p), "name the folder of the references with reference=..."),
        (
            lambda p: ar.study(p, reference=p, lower_is_better=True),
            "lower_is_better=... goes with a table of scores",
        ),
        (lambda p: ar.study(p / "s.csv", reference=p), "reference=... goes with a folder"),
        (
            lambda p: ar.study(p / "s.csv", predicates="skos:closeMatch"),
            "predicates=... goes with a folder of alignments",
        ),
        (
            lambda p: ar.score(LIBRARY.reference, LIBRARY.alignments, source=LIBRARY.source),
            "source=... and target=... go together",
        ),
        (
            lambda p: ar.score(LIBRARY.reference, LIBRARY.alignments, seed=3),
            "seed=... is of the intervals: add resamples=...",
        ),
        (
            lambda p: ar.score(LIBRARY.reference, {"a": LIBRARY.reference}, focus="a"),
            "focus=... asks about one system",
        ),
        (
            lambda p: ar.score(
                LIBRARY.reference, LIBRARY.alignments, measures="f2", breakdown=True
            ),
            "breakdown=... needs a measure that has parts",
        ),
        (lambda p: ar.study(SCORES, reference=p), "reference=... goes with a folder"),
        (lambda p: ar.study(SCORES, filters="x"), "filters=... goes with a folder of alignments"),
        (
            lambda p: ar.rank(task="library", protocol="cautious", views="fp"),
            "protocol=... sets the views and the test: leave views=... and test=... out",
        ),
        (
            lambda p: ar.rank(task="library", order="cut-then-assign"),
            'name a threshold, or leave order="cut-then-assign" out',
        ),
        (
            lambda p: ar.rank(task="library", metrics="jaro"),
            "name another with metrics=... (`match` writes the alignment of one)",
        ),
        (lambda p: ar.rank(task="library", data=p / "no"), 'no": there is no such folder'),
        (
            lambda p: ar.convert(LIBRARY.reference, p / "s.csv"),
            "exists: name another, or add overwrite=True",
        ),
    ],
)
def test_a_refusal_names_arguments(
    wrong: Callable[[Path], Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "s.csv").write_text("task,a,b\nt1,1,2\nt2,1,3\n")
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        wrong(tmp_path)
    assert "--" not in str(refused.value).replace(str(tmp_path), "")


def test_a_warning_comes_once(tmp_path: Path) -> None:
    """Nine metrics on one pair would say it nine times."""
    source = tmp_path / "source.owl"
    text = LIBRARY.source.read_text()
    named = [line for line in text.splitlines() if "rdfs:label" in line]
    source.write_text(text.replace(named[0], ""))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for metric in ("equality", "ngram"):
            ar.match(source, LIBRARY.target, metric=metric)
    texts = [str(warning.message) for warning in seen]
    assert len(texts) == len(set(texts))


def test_match_goes_on_from_a_corrected_alignment() -> None:
    before = ar.match(LIBRARY.source, LIBRARY.target)
    assert {"subject_label", "object_label"} <= set(before.to_frame().columns)
    first, second, *_ = before
    accepted = replace(second, extra=((JUSTIFICATION, CURATED),))
    denied = NegatedCorrespondence(*first.pair, f"{SKOS}exactMatch", "=")
    corrected = ar.Alignment([accepted], negated=[denied])
    after = ar.match(LIBRARY.source, LIBRARY.target, reviewed=corrected)
    assert first.pair not in after.pairs
    assert second.pair in after.pairs
    recorded = ar.Alignment([accepted], metadata={"metric": "combined", "threshold": "0.05"})
    with_recorded = ar.match(LIBRARY.source, LIBRARY.target, reviewed=recorded)
    assert min(c.confidence for c in with_recorded) < 0.5
