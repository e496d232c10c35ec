"""Tasks by name: bundled pairs, the OAEI's, and folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from alignrank.ontologies import OntologyError, load_ontology, read_alignment
from alignrank.ontologies.tasks import (
    BUNDLED,
    OAEI_HOST,
    archived,
    bundled_task,
    find_tasks,
    folder_tasks,
    task_of_reference,
)


def _copy(task_folder: Path, *, ending: str = ".owl") -> Path:
    task = bundled_task("library")
    task_folder.mkdir(parents=True)
    shutil.copy(task.source, task_folder / f"source{ending}")
    shutil.copy(task.target, task_folder / f"target{ending}")
    shutil.copy(task.reference, task_folder / "reference.rdf")
    return task_folder


def test_one_of_the_bundled_pairs_is_named_as_one_of_a_track() -> None:
    (task,) = find_tasks("bundled/library")
    assert task == bundled_task("library")


def test_bundled_names_every_pair_once() -> None:
    assert [task.name for task in find_tasks("bundled")] == list(BUNDLED)
    assert [task.name for task in find_tasks("library")] == ["library"]


def test_a_folder_is_a_task_and_a_folder_of_such_folders_are_several(tmp_path: Path) -> None:
    _copy(tmp_path / "b")
    _copy(tmp_path / "a", ending=".rdf")
    (tmp_path / "not-a-task").mkdir()
    assert [task.name for task in find_tasks(str(tmp_path))] == ["a", "b"]
    (alone,) = find_tasks(str(tmp_path / "a"))
    assert (alone.name, alone.source.name) == ("a", "source.rdf")


def test_a_reference_and_its_folder_name_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the folder is spelled: provenance holds these paths."""
    folder = _copy(tmp_path / "a")
    (tmp_path / "linked").symlink_to(folder)
    monkeypatch.chdir(folder)
    for spelled in (folder, folder / ".." / "a", tmp_path / "linked", Path(), Path("..", "a")):
        (task,) = folder_tasks(spelled)
        own = task_of_reference(task.reference)
        assert own is not None
        assert (own.source, own.target, own.reference) == (
            task.source,
            task.target,
            task.reference,
        )


def test_ontologies_are_found_beside_a_linked_reference(tmp_path: Path) -> None:
    folder = _copy(tmp_path / "a")
    (tmp_path / "mine.rdf").symlink_to(folder / "reference.rdf")
    own = task_of_reference(tmp_path / "mine.rdf")
    assert own is not None
    assert own.source == (folder / "source.owl").resolve()


def test_another_file_beside_a_reference_is_the_reference_of_no_task(tmp_path: Path) -> None:
    folder = _copy(tmp_path / "a")
    shutil.copy(folder / "reference.rdf", folder / "mine.rdf")
    assert task_of_reference(folder / "mine.rdf") is None


def test_a_folder_that_lacks_a_file_is_no_task(tmp_path: Path) -> None:
    (_copy(tmp_path / "a") / "reference.rdf").unlink()
    assert folder_tasks(tmp_path / "a") == []
    assert folder_tasks(tmp_path / "nowhere") == []


def test_a_track_laid_out_as_in_melts_cache_is_read(tmp_path: Path) -> None:
    track = tmp_path / "cache" / OAEI_HOST / "conference" / "conference-v1"
    _copy(track / "cmt-ekaw", ending=".rdf")
    _copy(track / "cmt-edas", ending=".rdf")
    roots = [tmp_path / "empty", tmp_path / "cache"]
    names = [task.name for task in find_tasks("conference/conference-v1", roots)]
    assert names == ["cmt-edas", "cmt-ekaw"]
    (one,) = find_tasks("conference/conference-v1/cmt-ekaw", roots)
    assert one.name == "cmt-ekaw"


def test_tasks_that_share_ontologies_lie_as_melt_lays_them(tmp_path: Path) -> None:
    library = bundled_task("library")
    for name in ("marvel", "memory-alpha", "stexpanded"):
        (tmp_path / "ontologies").mkdir(exist_ok=True)
        shutil.copy(library.source, tmp_path / "ontologies" / f"{name}.rdf")
    (tmp_path / "references").mkdir()
    for name in ("memory-alpha-stexpanded", "Marvel-memory-alpha", "marvel-nothing"):
        shutil.copy(library.reference, tmp_path / "references" / f"{name}.rdf")
    tasks = {t.name: (t.source.stem, t.target.stem) for t in folder_tasks(tmp_path)}
    assert tasks == {
        "Marvel-memory-alpha": ("marvel", "memory-alpha"),
        "memory-alpha-stexpanded": ("memory-alpha", "stexpanded"),
    }


@pytest.mark.parametrize("name", ["anatomy", "conference", "conference/cmt-nothing", "nonsense"])
def test_what_is_not_there_is_named_with_the_way_to_get_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match=rf"{name}.*data fetch"):
        find_tasks(name, [tmp_path])


def test_what_can_be_fetched_is_told_from_what_nobody_knows(tmp_path: Path) -> None:
    known = "anatomy_track/anatomy_track-default"
    for name in (known, f"{known}/mouse-human-suite"):
        with pytest.raises(OntologyError, match=f"^{name} is not there.* data fetch {known}$"):
            find_tasks(name, [tmp_path])
    with pytest.raises(OntologyError, match="no task is named 'anatomi': did you mean anatomy"):
        find_tasks("anatomi", [tmp_path])
    with pytest.raises(OntologyError, match=r"no task is named 'mine': use .* or a folder"):
        find_tasks("mine", [tmp_path])


def test_a_case_that_a_track_does_not_have_is_answered_with_the_nearest(tmp_path: Path) -> None:
    _copy(tmp_path / OAEI_HOST / "food" / "v1" / "ciqual-siren")
    with pytest.raises(OntologyError, match=r"food/v1 has no task 'siren'.*ciqual-siren"):
        find_tasks("food/v1/siren", [tmp_path])


def test_conference_is_21_pairs_whose_references_fit(oaei: Path) -> None:
    tasks = find_tasks("conference", [oaei])
    assert len(tasks) == 21
    entities = {
        path: set(load_ontology(path).entities)
        for path in sorted({p for t in tasks for p in (t.source, t.target)})
    }
    assert len(entities) == 7
    correspondences = 0
    for task in tasks:
        for c in read_alignment(task.reference):
            assert c.entity1 in entities[task.source]
            assert c.entity2 in entities[task.target]
            correspondences += 1
    assert correspondences == 305


def test_anatomy_comes_with_the_systems_of_2016(oaei: Path) -> None:
    (task,) = find_tasks("anatomy", [oaei])
    assert task.source.name == "mouse.owl"
    assert len(task.alignments) == 11
    assert [t.name for t in find_tasks("conference/cmt-ekaw", [oaei])] == ["cmt-ekaw"]


def test_a_pair_in_the_data_folder_is_a_task_by_its_folders_name(tmp_path: Path) -> None:
    _copy(tmp_path / "mine")
    (found,) = find_tasks("mine", [tmp_path])
    assert (found.name, found.source) == ("mine", tmp_path / "mine" / "source.owl")
    with pytest.raises(OntologyError, match="did you mean mine"):
        find_tasks("mien", [tmp_path])


def test_the_archive_of_a_track_of_the_oaei_is_found_under_its_plain_name(tmp_path: Path) -> None:
    track = "largebio/largebio-fma_nci_small_2016"
    _copy(tmp_path / OAEI_HOST / track / "fma-nci")
    (archive := tmp_path / "largebio" / "systems-2018").mkdir(parents=True)
    for name in ("POMAP++-fma_nci_small", "AML-fma_nci_small", "AML-fma_nci_whole"):
        (archive / f"{name}.rdf").touch()
    (task,) = find_tasks(track, [tmp_path])
    systems = archived(task)["2018"]
    assert {name: path.stem for name, path in systems.items()} == {
        "AML": "AML-fma_nci_small",
        "POMAP++": "POMAP++-fma_nci_small",
    }


def test_a_copy_that_an_editor_left_is_no_file_of_a_task(tmp_path: Path) -> None:
    folder = bundled_task("library").reference.parent
    for name in ("source.owl", "target.owl", "reference.rdf"):
        shutil.copy(folder / name, tmp_path / name)
    (tmp_path / "reference.rdf~").write_text("an earlier draft")
    (task,) = folder_tasks(tmp_path)
    assert task.reference == tmp_path / "reference.rdf"
