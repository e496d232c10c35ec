"""Score tables from a folder of alignments."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alignrank.common.errors import EvaluationError, OntologyError
from alignrank.evaluation.multitask import ScoreTable, read_track, score_track
from alignrank.evaluation.multitask.alignments_folder import f1
from alignrank.experiments.presentation.tables import track_tables
from alignrank.ontologies import Alignment, Correspondence, write_alignment
from alignrank.ontologies.tasks.filters import read_filter

# --- folders -------------------------------------------------------------------------------------

ONE, TWO = "http://Left#", "http://right#"


def alignment(*names: str, one: str = ONE, two: str = TWO) -> Alignment:
    return Alignment([Correspondence(one + name, two + name) for name in names])


@pytest.fixture
def folders(tmp_path) -> tuple[Path, Path]:
    """Two tasks, two systems; the files write the second task in another case."""
    for task in ("x-Y", "x-Z"):
        write_alignment(alignment("a", "b"), tmp_path / "reference" / f"{task}.rdf")
    for name, found in (
        ("My-System-x-y", alignment("a", "b")),
        ("My-System-x-Z", alignment("a", "c")),
        ("Other-x-Y", alignment("c", "d")),
        ("Other-X-z", alignment("a")),
    ):
        write_alignment(found, tmp_path / "systems" / f"{name}.rdf")
    return tmp_path / "systems", tmp_path / "reference"


def score_folder(
    systems: Path, references: Path, *, on_mismatch: Any = "refuse", measure: Any = f1, **how: Any
) -> ScoreTable:
    track = read_track(systems, references, on_mismatch=on_mismatch, **how)
    return score_track(track, measure=measure, on_mismatch=on_mismatch)


def test_a_folder_becomes_a_table(folders):
    table = score_folder(*folders)
    assert (table.tasks, table.systems) == (("x-Y", "x-Z"), ("My-System", "Other"))
    assert table.scores == pytest.approx(np.array([[1, 0], [0.5, 2 / 3]]))
    assert table.measure == "F1"
    assert table.cautions == (
        "x-Y: Other: none of its 2 entity1 entities occurs in the reference",
        "x-Y: Other: none of its 2 entity2 entities occurs in the reference",
    )


def test_any_measure_will_do(folders):
    def found(one: Alignment, reference: Alignment) -> float:
        return float(len(one))

    assert score_folder(*folders, measure=found).scores.tolist() == [[2, 2], [2, 1]]
    assert score_folder(*folders, measure=found).measure == "found"
    with pytest.raises(EvaluationError, match="the measure is nan"):
        score_folder(*folders, measure=lambda a, r: math.nan)


def test_namespaces_that_differ_in_case_are_mended_never_a_silent_zero(folders):
    systems, references = folders
    write_alignment(alignment("a", "b", one="http://LEFT#"), systems / "Other-x-Y.rdf")
    table = score_folder(systems, references)
    assert table.scores[0, 1] == 1
    assert table.cautions == (
        "1 file names http://LEFT# where the reference has http://Left# (Other/x-Y): read as "
        "the reference's.",
    )


def test_a_foreign_result_is_refused_or_counts_as_0_or_is_left_out(folders):
    systems, references = folders
    write_alignment(alignment("a", one="http://q#", two="http://r#"), systems / "Other-x-Y.rdf")
    with pytest.raises(EvaluationError, match=r"Other/x-Y\): leave .*on_mismatch=\"drop\"\) or"):
        score_folder(systems, references)
    zero = score_folder(systems, references, on_mismatch="zero")
    assert zero.scores[0, 1] == 0
    kept = read_track(systems, references, on_mismatch="zero").alignments["x-Y"]["Other"]
    assert len(kept) == 1, "a wrong correspondence stays one, as MELT counts it"
    assert "1 result foreign to the reference (Other/x-Y): counted as 0." in (zero.cautions)
    assert score_folder(systems, references, on_mismatch="drop").tasks == ("x-Z",)


def test_what_cannot_be_read_is_named_with_all_that_is_foreign_and_the_rest_goes_on(folders):
    systems, references = folders
    (systems / "Other-x-Y.rdf").write_text("<rdf:RDF")
    write_alignment(alignment("a", one="http://q#", two="http://r#"), systems / "Other-X-z.rdf")
    with pytest.raises(EvaluationError, match=r"Other/x-Z\); not readable: .*Other-x-Y.rdf"):
        score_folder(systems, references)
    zero = score_folder(systems, references, on_mismatch="zero")
    assert zero.scores.tolist() == [[1, 0], [0.5, 0]]
    assert any("not readable: " in c and c.endswith("counted as 0.") for c in zero.cautions)
    track = read_track(systems, references, on_mismatch="zero")
    assert (track.unreadable, len(track.alignments["x-Y"]["Other"])) == ({("Other", "x-Y")}, 0)
    # it had precision 1 in the averages, as an empty alignment has
    _, by_task = track_tables(track, "zero")
    assert ["x-Y", "Other", 0.0, 0.0, 0.0] in [list(row) for row in by_task.rows]
    assert read_track(systems, references, on_mismatch="drop").alignments["x-Y"].keys() == {
        "My-System"
    }
    write_alignment(alignment("a"), systems / "Other-X-z.rdf")
    assert score_folder(systems, references, on_mismatch="drop").tasks == ("x-Z",)


def test_melts_results_are_read_as_they_lie(folders, tmp_path):
    systems, references = folders
    for path in systems.iterdir():
        system, *pair = path.stem.rsplit("-", 2)
        task = "-".join(pair)
        folder = tmp_path / "results_1" / "track_v1" / task / f"{system}%20two"
        folder.mkdir(parents=True)
        path.rename(folder / "systemAlignment.rdf")
        measured = "Type,F1,Time\nALL,1.0,1500000000\nCLASSES,1.0,-\n"
        (folder / "performance.csv").write_text(measured)
    sums = tmp_path / "results_1" / "track_v1" / "aggregated" / "Other%20two"
    sums.mkdir(parents=True)
    (sums / "systemAlignment.rdf").write_text("no alignment of a task")
    table = score_folder(tmp_path / "results_1", references)
    assert [name.endswith(" two") for name in table.systems] == [True, True]
    assert table.tasks == ("x-Y", "x-Z")
    seconds = read_track(tmp_path / "results_1", references).seconds
    assert set(seconds.values()) == {3.0}, "1.5 seconds on each of two tasks"


def test_references_lie_in_folders_too(folders):
    systems, references = folders
    flat = score_folder(systems, references).scores
    for path in list(references.iterdir()):
        (references / path.stem).mkdir()
        path.rename(references / path.stem / "reference.rdf")
    assert score_folder(systems, references).scores.tolist() == flat.tolist()


def test_filters_are_counted_over_all_tasks(folders):
    systems, references = folders
    table = score_folder(systems, references, rules=[read_filter("relation=<")])
    assert not table.scores.any()
    assert "left out, neither right nor wrong, by the rule relation=<: " in table.cautions[-1]


def test_missing_files_of_a_folder(folders):
    systems, references = folders
    (systems / "Other-X-z.rdf").unlink()
    with pytest.raises(EvaluationError, match=r"1 result is missing: x-Z \(Other\)"):
        score_folder(systems, references)
    assert score_folder(systems, references, on_mismatch="zero").scores[1, 1] == 0
    assert score_folder(systems, references, on_mismatch="drop").tasks == ("x-Y",)


def test_folders_that_cannot_be_read(folders, tmp_path):
    systems, references = folders
    with pytest.raises(OntologyError, match="is not a folder"):
        score_folder(tmp_path / "none", references)
    (tmp_path / "empty").mkdir()
    with pytest.raises(OntologyError, match="holds no alignment file"):
        score_folder(tmp_path / "empty", references)
    write_alignment(alignment("a"), systems / "Other-x-y.rdf")
    with pytest.raises(OntologyError, match="are both 'Other' on 'x-Y'"):
        score_folder(systems, references)
    (systems / "Other-x-y.rdf").rename(systems / "Other-p-q.rdf")
    with pytest.raises(OntologyError, match="must be SYSTEM-task"):
        score_folder(systems, references)
    write_alignment(alignment("a"), references / "X-y.rdf")
    with pytest.raises(EvaluationError, match="differ in case only"):
        score_folder(systems, references)


def test_the_conference_track(oaei):
    systems, references = oaei / "conference" / "systems-2019", oaei / "conference" / "reference"
    table = score_folder(systems, references)
    assert table.scores.shape == (21, 7)
    assert (table.scores > 0).all()
    assert table.systems[1] == "AML"
    assert len(table.cautions) == 1


def test_a_focus_with_runs_has_no_copies(tmp_path: Path) -> None:
    """A system without a correspondence was said to have the same ones, and was left out."""
    for task in ("x", "y"):
        write_alignment(alignment("a", "b"), tmp_path / "reference" / f"{task}.rdf")
        for name in ("Mine@1", "Mine@2"):
            write_alignment(alignment("a"), tmp_path / "systems" / f"{name}-{task}.rdf")
        write_alignment(Alignment([]), tmp_path / "systems" / f"Empty-{task}.rdf")
    results = read_track(tmp_path / "systems", tmp_path / "reference")
    assert results.without_copies("Mine").systems == ("Empty", "Mine@1", "Mine@2")


def test_a_focus_among_copies_only_is_told_so(folders: tuple[Path, Path]) -> None:
    """It said that there are fewer than two systems."""
    systems, references = folders
    for task, copied in (("x-Y", "x-y"), ("X-z", "x-Z")):
        text = (systems / f"My-System-{copied}.rdf").read_text("utf-8")
        (systems / f"Other-{task}.rdf").write_text(text, "utf-8")
    with pytest.raises(EvaluationError, match="all systems have the correspondences of Other"):
        read_track(systems, references).without_copies("Other")


def test_one_kind_of_fault_of_many_tasks_is_one_caution(tmp_path: Path) -> None:
    """Each task and each number of confidences had a caution of its own."""
    for k in range(30):
        write_alignment(alignment("a", "b"), tmp_path / "reference" / f"x-{k:02}.rdf")
        for number, system in enumerate("ABCDE", start=1):
            high = 1 + (k + number) % 3
            rows = [f"{ONE}{name},{TWO}{name},62.8" for name in "abc"[:high]]
            rows += [f"{ONE}q,{TWO}q,0.5"] * (1 + k % 2)
            path = tmp_path / "systems" / f"{system}-x-{k:02}.csv"
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(["entity1,entity2,confidence", *rows]))
    cautions = read_track(tmp_path / "systems", tmp_path / "reference").cautions
    assert cautions == (
        "30 tasks (x-00, x-01, x-02 and 27 more) and 5 systems (A, D, B and 2 more), for example "
        "x-00: A, D: 2 confidences outside [0, 1] clipped (largest 62.8; they look like "
        "percentages)",
        "15 tasks (x-01, x-03, x-05 and 12 more): A, B, C, D, E: 1 duplicate correspondence merged",
    )


def test_a_comma_in_a_name_parts_no_faults(tmp_path: Path) -> None:
    """The systems of a caution were looked for in its text: two faults were told here."""
    for task, number in (("x", 1), ("y", 2)):
        write_alignment(alignment("a", "b"), tmp_path / "reference" / f"{task}.rdf")
        path = tmp_path / "systems" / f"{'A' if task == 'x' else 'My, tool'}-{task}.csv"
        path.parent.mkdir(exist_ok=True)
        rows = [f"{ONE}a,{TWO}a,0.5"] * (1 + number)
        path.write_text("\n".join(["entity1,entity2,confidence", *rows]))
    (caution,) = read_track(tmp_path / "systems", tmp_path / "reference").cautions
    assert caution == (
        "2 tasks (x, y) and 2 systems (A, My, tool), for example x: A: 1 duplicate correspondence "
        "merged"
    )


def test_different_faults_have_a_caution_each(folders: tuple[Path, Path]) -> None:
    systems, references = folders
    write_alignment(alignment("c", "d", "e"), systems / "Other-X-z.rdf")
    assert read_track(systems, references).cautions == tuple(
        "2 tasks (x-Y, x-Z) and 1 system (Other), for example x-Y: Other: none of its 2 "
        f"{role} entities occurs in the reference"
        for role in ("entity1", "entity2")
    )
