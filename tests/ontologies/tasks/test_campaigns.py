"""A new campaign is a file: no code knows it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from alignrank import score
from alignrank.common.errors import OntologyError
from alignrank.common.files import sha256
from alignrank.experiments.comparing.place import place
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions
from alignrank.experiments.looking.data_sets import fetch_data, list_data, path_of_data, verify_data
from alignrank.experiments.scoring.every_measure import ScoringOptions
from alignrank.experiments.scoring.score_files import score_files
from alignrank.ontologies import read_alignment
from alignrank.ontologies.tasks import bundled_task, find_tasks
from alignrank.ontologies.tasks.catalogue import data_sets
from alignrank.ontologies.tasks.filters import filters

#: The files of CONTRIBUTING's recipe, "A new campaign year".
TRACK = """name = "shelves"
about = "two libraries"
files = '''
{files}
'''

[sources.zenodo]
name = "the campaign's record"
url = "https://host.invalid/records/1/files"
licence = "CC-BY-4.0"

[filter]
relations = ["="]
"""
YEAR = """name = "shelves/systems-2026"
about = "alignments of 2 systems of 2026"
files = '''
{files}
'''

[sources.zenodo]
name = "the campaign's record"
url = "https://host.invalid/records/2/files"
licence = "CC-BY-4.0"

[published]
good = [{good}]
bad = [1, 2, 3]
"""


def listed(folder: Path, paths: list[Path]) -> str:
    """Return the lines of a campaign's file for files that are there."""
    rows = []
    for path in paths:
        data = path.read_bytes()
        rows.append(f"{path.relative_to(folder)} zenodo {path.name} {len(data)} {sha256(data)}")
    return "\n".join(rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder with a campaign of 2026 on a track that no code knows."""
    task = bundled_task("library")
    track = tmp_path / "shelves"
    (track / "systems-2026").mkdir(parents=True)
    files = [Path(shutil.copy(p, track)) for p in (task.source, task.target, task.reference)]
    systems = [
        Path(shutil.copy(task.alignments[f"system_{name}"], track / "systems-2026" / f"{name}.rdf"))
        for name in ("good", "bad")
    ]
    reference = read_alignment(task.reference)
    system = read_alignment(systems[0]).where(lambda c: c.relation == "=")
    right = len(reference.keys & system.keys)
    precision, recall = right / len(system), right / len(reference)
    f1 = 2 * precision * recall / (precision + recall)
    rates = ", ".join(f"{100 * rate:.2f}" for rate in (precision, recall, f1))
    (tmp_path / "campaign.toml").write_text(TRACK.format(files=listed(tmp_path, files)))
    (tmp_path / "campaign-2026.toml").write_text(
        YEAR.format(files=listed(tmp_path, systems), good=rates)
    )
    return tmp_path


def test_a_new_year_is_fetched_checked_and_compared_with_by_its_file_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetch_data(["shelves"], folder, systems=["2026"], offline=True)
    assert "shelves/systems-2026: 0 files fetched, 2 there before" in capsys.readouterr().out
    assert verify_data(["shelves"], folder) == 0
    path_of_data("shelves/systems-2026", folder)
    assert capsys.readouterr().out.splitlines()[-1] == str(folder / "shelves/systems-2026")
    mine = bundled_task("library").alignments["system_near_miss"]
    place(f"mine={mine}", task="shelves", years=["2026"], data=folder)
    shown = " ".join(capsys.readouterr().out.split())
    assert "oaei-shelves" in shown
    assert "(2026) of 1 of 2 systems are those computed here; not those of bad" in shown


def test_a_filter_of_a_named_folder_is_known_without_a_task(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = bundled_task("library")
    mine = str(task.alignments["system_near_miss"])
    reading = AlignmentOptions(filters=("oaei-shelves",))
    score_files(task.reference, [mine], options=ScoringOptions(), reading=reading, data=folder)
    with pytest.raises(OntologyError, match="filter 'oaei-shelves' is unknown"):
        score_files(task.reference, [mine], options=ScoringOptions(), reading=reading)
    known = {"systems": {"mine": mine}, "filters": "oaei-shelves", "measures": "standard"}
    assert score(task.reference, data=folder, **known).values


def test_a_named_folder_is_of_its_call_only(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list_data(folder)
    (task,) = find_tasks("shelves", [folder])
    assert task.rule is not None
    assert task.rule.name == "oaei-shelves"
    capsys.readouterr()
    list_data()
    assert "shelves" not in capsys.readouterr().out
    assert not {"shelves", "oaei-shelves"} & {*data_sets(), *filters()}
    file = folder / "campaign.toml"
    file.write_text(file.read_text().replace("two libraries", "three libraries"))
    assert data_sets([folder])["shelves"].about == "three libraries"


WHOLE = YEAR.format(files="", good="1, 2, 3")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("name = 'shelves'\n", "'sources' is missing"),
        (YEAR.format(files="../out.rdf zenodo out.rdf 1 0", good="1, 2, 3"), "out.rdf leads out"),
        (YEAR.format(files="C:/out.rdf zenodo out.rdf 1 0", good="1, 2, 3"), "out.rdf leads out"),
        (YEAR.format(files="", good="98.1, 92.0"), "give precision, recall and F1"),
        (f"{WHOLE}[filter]\nkinds = ['klass']\n", "'klass' is unknown"),
        (f"{WHOLE}[filter]\nkind = ['class']\n", "'kind' is unknown"),
        (f"{WHOLE}[filter]\nwithout = 'http://a.org#'\n", "filter without: give a list"),
    ],
)
def test_a_file_that_describes_no_campaign_is_named_and_left_out(
    text: str, fault: str, folder: Path
) -> None:
    (folder / "campaign.toml").write_text(text)
    with pytest.warns(UserWarning, match=f"campaign.toml does not describe .*{fault}"):
        assert "anatomy" in data_sets([folder])
    assert "oaei-shelves" not in filters([folder])


def test_a_folder_that_is_called_as_a_campaign_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").mkdir()
    with pytest.warns(UserWarning, match="campaign.toml does not describe a campaign"):
        assert "anatomy" in data_sets([tmp_path])
