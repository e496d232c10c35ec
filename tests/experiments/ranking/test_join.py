"""Files of strings joined from the command line: every kind in, CSV and Parquet out."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.ranking import join as join_command
from alignrank.experiments.ranking.join import almost_equal, join_files, read_table
from alignrank.matchers import Metric
from alignrank.matchers.similarity.join import join
from alignrank.matchers.similarity.strings import Strings
from alignrank.matchers.similarity.tiles import Edges

EDGES = """left_row,right_row,left,right,similarity,right.id
1,2,heart,hearts,0.8333333333333334,2
3,1,"'=lung, left","'=lung, left",1.0,1
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("left.txt").write_text("heart\n\n=lung, left\n")
    Path("right.csv").write_text('id,name\n1,"=lung, left"\n2,hearts\n3,\n')
    return tmp_path


def test_text_and_csv(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    join_files(Path("left.txt"), Path("right.csv"), metric="levenshtein", threshold=0.8,
        column=["name"])  # fmt: skip
    assert Path("edges.csv").read_text() == EDGES
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == "2 pairs of similarity 0.8 or more: edges.csv"
    assert [line.split() for line in lines[3:5]] == [
        ["0.833", "heart", "hearts"],
        ["1.000", "=lung,", "left", "=lung,", "left"],
    ]
    assert said.err.startswith("! left.txt: 1 row of 3 without text: they match nothing\n")
    with pytest.raises(ExperimentError, match=r"edges\.csv exists"):
        join_files(Path("left.txt"), metric="levenshtein", threshold=0.8)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_separator_is_that_of_the_header(files: Path, mark: str) -> None:
    for name in ("table.csv", "table.tsv"):
        Path(name).write_text(f"id{mark}name\n1{mark}heart\n")
        assert [*read_table(Path(name), "name").strings] == ["heart"]
    Path("one.tsv").write_text("name\nlung, left\n")
    assert [*read_table(Path("one.tsv")).strings] == ["lung, left"]


def test_parquet(files: Path) -> None:
    missing = "pyarrow is not installed: pip install '.[join]'"
    parquet = pytest.importorskip("pyarrow.parquet", reason=missing)
    arrow = pytest.importorskip("pyarrow")
    parquet.write_table(arrow.table({"name": ["hearts", None, "=lung, left"]}), "right.parquet")
    join_files(Path("left.txt"), Path("right.parquet"), metric="levenshtein", threshold=0.8,
        out=Path("edges.parquet"))  # fmt: skip
    found = parquet.read_table("edges.parquet").to_pylist()
    assert [(row["left_row"], row["right_row"], row["right"]) for row in found] == [
        (1, 1, "hearts"),
        (3, 3, "=lung, left"),
    ]


def test_case_is_warned_of_and_prepared_away(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("upper.csv").write_text("row,name\n7,HEART\n8,Heart_\n")
    options = {"column": ["name"], "overwrite": True}
    join_files(Path("left.txt"), Path("upper.csv"), **options)
    said = capsys.readouterr()
    assert said.out.startswith("0 pairs of similarity 0.7 or more: edges.csv\n")
    assert "or Unicode form: 1; --labels words ignores this" in said.err
    join_files(Path("left.txt"), Path("upper.csv"), labels="words", **options)
    said = capsys.readouterr()
    assert "--labels" not in said.err
    assert Path("edges.csv").read_text().splitlines()[1:] == [
        "1,1,heart,HEART,1.0,7",
        "1,2,heart,Heart_,1.0,8",
    ]


def test_strings_that_differ_in_the_normal_form_are_equal() -> None:
    assert almost_equal(["M\u00fcller"], ["Mu\u0308ller", "m\u00fcller"]) == 0
    assert almost_equal(["M\u00fcller"], ["mu\u0308ller"]) == 1


def test_what_cannot_be_read_is_told_in_a_line(files: Path) -> None:
    with pytest.raises(ExperimentError, match=r"right\.csv has the columns id, name: name one"):
        read_table(Path("right.csv"))
    with pytest.raises(ExperimentError, match=r"column of right\.csv .nam. is unknown"):
        read_table(Path("right.csv"), "nam")
    Path("bad.csv").write_text('name\n"open\n')
    with pytest.raises(ExperimentError, match=r"bad\.csv, line \d: .* not closed"):
        read_table(Path("bad.csv"))
    Path("ragged.csv").write_text("id,name\n1,heart\n\n2\n")
    with pytest.raises(
        ExperimentError, match=r"ragged\.csv, line 4: 1 cell where the header has 2"
    ):
        read_table(Path("ragged.csv"), "name")
    Path("latin.txt").write_bytes(b"\xe4")
    with pytest.raises(ExperimentError, match="is not UTF-8"):
        read_table(Path("latin.txt"))
    for name in ("edges.tsv", "right.csv"):  # another ending; what is read
        with pytest.raises(ExperimentError, match=f"{name}: name a .csv or .parquet of its own"):
            join_files(
                Path("left.txt"),
                Path("right.csv"),
                metric="jaro",
                threshold=0.8,
                out=Path(name),
                overwrite=True,
            )
    Path("empty.csv").write_text("")
    with pytest.raises(ExperimentError, match=r"empty\.csv is empty"):
        read_table(Path("empty.csv"))
    Path("twice.csv").write_text("name,name\na,b\n")
    with pytest.raises(ExperimentError, match=r"twice\.csv has two columns 'name'"):
        read_table(Path("twice.csv"), "name")
    with pytest.raises(ExperimentError, match="name a second one"):
        join_files(Path("left.txt"), metric="jaro", threshold=0.8, one_to_one=True)
    with pytest.raises(ExperimentError, match="is an ontology: alignrank match"):
        join_files(Path("a.owl"), Path("b.owl"), metric="jaro", threshold=0.8)


def test_ctrl_c_stops_workers_without_a_word_of_theirs(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[distributed]'")
    words = ["".join(letters) for letters in product("abcdef", repeat=6)]
    (tmp_path / "words.txt").write_text("\n".join(words))
    joining = subprocess.Popen(
        [Path(sys.executable).with_name("alignrank"), "join", "words.txt", "--metric", "smoa",
         "--threshold", "0.5", "--workers", "1"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len([*tmp_path.iterdir()]) == 1:  # no edges yet
        time.sleep(0.1)
    time.sleep(1)
    os.killpg(joining.pid, signal.SIGINT)  # a terminal sends it to every process
    printed, said = joining.communicate(timeout=30)
    assert (joining.returncode, printed) == (130, "")
    assert said == "alignrank: interrupted; nothing half-written is left\n"
    assert [path.name for path in tmp_path.iterdir()] == ["words.txt"]


def test_packed_tables_are_read_and_pointers_refused(tmp_path: Path) -> None:
    packed = tmp_path / "mine.csv.gz"
    packed.write_bytes(gzip.compress(b'name,n\nheart,1\n"two\nlines",2\n'))
    table = read_table(packed, "name")
    assert (list(table.strings), list(table.columns["n"])) == (["heart", "two\nlines"], ["1", "2"])
    for name in ("mine.csv", "mine.txt", "mine.parquet"):
        pointer = tmp_path / name
        pointer.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
        with pytest.raises(ExperimentError, match=f"{name} is a Git LFS pointer"):
            read_table(pointer)


def test_joined_tables_are_sampled_judged_and_shown(tmp_path: Path, shell: Any) -> None:
    names = [f"{side} {organ}" for side in ("left", "right") for organ in ("heart", "lung", "limb")]
    left, right = tmp_path / "left.csv", tmp_path / "right.csv"
    left.write_text("name,id\n" + "".join(f"{n},A{k}\n" for k, n in enumerate(names)), "utf-8")
    right.write_text("name,city\n" + "".join(f"{n}s,Rome {k}\n" for k, n in enumerate(names)))
    files = tmp_path / "strict.csv", tmp_path / "loose.csv"
    for path, threshold in zip(files, (0.8, 0.4), strict=True):
        shell.printed("join", left, right, "--column", "name", "-t", threshold, "--out", path)
    judge = tmp_path / "judge"
    shell.printed("sample", *files, "--out", judge)
    questions = judge / "questions.sssom.tsv"
    header, *rows = [line for line in questions.read_text("utf-8").splitlines() if line[0] != "#"]
    place = header.split("\t").index("verdict")
    answered = []
    for row in rows:
        fields = row.split("\t")
        same = fields[1].partition(":")[2] == fields[6].partition(":")[2]
        fields[place] = "right" if same else "wrong"
        answered.append("\t".join(fields))
    head = [line for line in questions.read_text("utf-8").splitlines() if line[0] == "#"]
    gate = ("gate", *files, "--judged", questions)
    assert "no row is judged" in shell.refused(*gate)
    questions.write_text("\n".join([*head, header, *answered]) + "\n", "utf-8")
    blocked = shell.run(*gate)
    assert blocked.returncode == 1
    assert blocked.stdout.startswith("block: F1 in the pool 1.000 → ")
    assert shell.printed("gate", *files[::-1], "--judged", questions).startswith("pass: ")
    refusal = shell.refused(*gate, "--measure", "precision")
    assert "not with judged questions" in refusal
    assert "strict has the best F1" in shell.printed("compare", "--judged", questions, *files)
    assert "strict" in shell.printed("score", "--judged", questions, *files)
    page = tmp_path / "page.html"
    shell.printed("show", files[1], "--out", page)
    text = page.read_text("utf-8")
    assert "id: A0" in text
    assert "city: Rome 5" in text


@pytest.mark.parametrize("right", [None, Path("right.txt")])
def test_an_interrupted_join_goes_on_at_the_slab_that_was_not_finished(
    right: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["".join(letters) for letters in product("abc", repeat=3)]
    Path("left.txt").write_text("\n".join(words))
    Path("right.txt").write_text("\n".join(f"{word}d" for word in words[::2]))

    def run(out: str, *, resume: bool = False) -> bytes:
        join_files(
            Path("left.txt"),
            right,
            metric="levenshtein",
            threshold=0.5,
            out=Path(out),
            resume=resume,
        )
        return Path(out).read_bytes()

    whole = run("whole.csv")
    monkeypatch.setattr(join_command, "SLAB", 10)
    begun: list[int] = []

    def interrupted(
        rows: Strings, columns: Strings | None, metric: Metric, threshold: float
    ) -> Iterator[Edges]:
        begun.append(len(rows))
        if len(begun) == 2:
            raise KeyboardInterrupt
        return join(rows, columns, metric, threshold)

    monkeypatch.setattr(join_command, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run("edges.csv")
    assert not Path("edges.csv").exists()
    assert run("edges.csv", resume=True) == whole
    assert begun == [10, 10, 10, 7]  # the first slab was not done again
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_negative_number_in_another_column_stays_a_number(files: Path) -> None:
    Path("numbers.csv").write_text("name,n\nheart,-5\nlung,-x\n")
    join_files(Path("numbers.csv"), Path("numbers.csv"), column=["name"], metric="jaro")
    rows = [line.split(",") for line in Path("edges.csv").read_text().splitlines()]
    assert [row[-1] for row in rows] == ["right.n", "-5", "'-x"]


def test_a_second_column_needs_a_second_file(files: Path) -> None:
    with pytest.raises(ExperimentError, match="give it once for each"):
        join_files(Path("right.csv"), column=["name", "id"])


def test_the_case_of_an_ending_makes_no_difference(files: Path) -> None:
    Path("right.csv").rename("RIGHT.CSV")
    table = read_table(Path("RIGHT.CSV"), "name")
    assert list(table.strings) == ["=lung, left", "hearts", ""]


def test_a_joined_file_is_not_replaced_by_the_edges(files: Path) -> None:
    for out in (Path("right.csv"), Path("right.csv").absolute()):
        with pytest.raises(ExperimentError, match="of its own"):
            join_files(Path("left.txt"), Path("right.csv"), out=out, overwrite=True)


def test_a_file_without_strings_is_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty.txt").write_text("")
    with pytest.raises(ExperimentError, match=r"empty\.txt is empty"):
        join_files(Path("empty.txt"), Path("left.txt"))
    Path("header.csv").write_text("name\n")
    join_files(Path("header.csv"), Path("left.txt"))
    assert "! header.csv: there is no row below the header" in capsys.readouterr().err
