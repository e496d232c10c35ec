"""The installed command line, in a subprocess where that matters, with what it writes read back."""

from __future__ import annotations

import csv
import hashlib
import json
import math
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from alignrank.evaluation import Comparison
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task
from tests.experiments.conftest import only_cautions

ALIGNRANK = Path(sys.executable).with_name("alignrank")
LIBRARY = bundled_task("library")
PAIR = [str(LIBRARY.source), str(LIBRARY.target), str(LIBRARY.reference)]

HOST = "example.org"


def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ALIGNRANK, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=300
    )


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rank") / "results"
    result = run("rank", *PAIR, "--out", out)
    assert result.returncode == 0, result.stderr
    assert only_cautions(result.stderr)  # no progress in a pipe
    assert "levenshtein" in result.stdout
    return out


def test_the_version_is_the_installed_one() -> None:
    result = run("--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"alignrank {metadata.version('alignrank')}\n"


def test_demo_prints_a_ranking_of_nine_metrics(shell: Any) -> None:
    shown = shell.printed("demo")
    rows = [line.split()[0] for line in shown.splitlines() if line.split()]
    assert {"equality", "smoa", "needleman-wunsch", "jaro-winkler"} <= set(rows)


@pytest.mark.parametrize(
    "line",
    [
        "{rank} /dev/stdin <(cat {target}) {reference} < {source}",
        "cat {target} | {rank} <(cat {source}) /dev/stdin {reference}",
    ],
)
def test_ontologies_come_from_pipes_too(shell: Any, line: str) -> None:
    source, target, reference = (shlex.quote(str(path)) for path in PAIR)
    rank = f"{ALIGNRANK} rank --metric equality --metric levenshtein"
    given = line.format(rank=rank, source=source, target=target, reference=reference)
    done = subprocess.run(
        ["bash", "-c", given],
        capture_output=True,
        text=True,
        timeout=120,
    )
    expected = shell.run("rank", *PAIR, "--metric", "equality", "--metric", "levenshtein")
    assert done.returncode == 0
    assert only_cautions(done.stderr)
    # what came through a pipe cannot be named again
    lines = expected.stdout.splitlines(keepends=True)
    after = [
        k for k, line in enumerate(lines) if line.startswith(("The data do not decide", "Next: "))
    ]
    assert lines[after[-1]].startswith("Next: alignrank match")
    assert done.stdout == "".join([*lines[: after[0]], lines[-1]])


def test_rank_leaves_everything_that_it_promises(ranked: Path) -> None:
    summary = json.loads((ranked / "summary.json").read_text())
    systems = summary["systems"]
    assert len(systems) == 9
    n = len(systems)
    assert list(summary["views"]) == ["entity", "ifp", "cfp"]
    for view in summary["views"].values():
        matrix = view["counts"]["discordant"]
        assert [len(row) for row in matrix] == [n] * n
        assert view["test"] == "sign-flip"
        for test in ("asymptotic", "continuity", "exact", "mid-p", "sign-flip"):
            for key in ("p", "log10_p"):
                values = view["tests"][test][key]
                assert all((values[i][j] is None) == (i == j) for i in range(n) for j in range(n))
        for correction in ("nemenyi", "bergmann-hommel"):
            adjusted = view["adjusted"][correction]["values"]
            edges = set(map(tuple, view["rankings"][correction]["edges"]))
            for i in range(n):
                for j in range(n):
                    wins = i != j and matrix[i][j] > matrix[j][i] and adjusted[i][j] <= 0.05
                    assert wins == ((systems[i], systems[j]) in edges)
            layers = view["rankings"][correction]["layers"]
            assert sorted(s for layer in layers for s in layer) == sorted(systems)
    origin = summary["provenance"]
    assert all(len(f["sha256"]) == 64 for f in origin["inputs"].values())
    assert origin["settings"]["labels"] == "words"
    assert all(caution["text"] for caution in summary["cautions"])
    svg = ranked / "figures" / "outperforms-entity.svg"
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert (ranked / "report.html").read_text().startswith("<!doctype html>")


def test_counts_follow_from_the_alignments_written(ranked: Path) -> None:
    summary = json.loads((ranked / "summary.json").read_text())
    reference = read_alignment(LIBRARY.reference)
    for name, scores in summary["scores"].items():
        alignment = read_alignment(ranked / "alignments" / f"{name}.rdf")
        assert scores["found"] == len(alignment)
        assert scores["correct"] == len(alignment & reference)
        fewest, most = summary["matched"]["correct_range"][name]
        assert fewest <= scores["correct"] <= most
    with (ranked / "tables" / "scores.csv").open() as file:
        rows = {row["system"]: row for row in csv.DictReader(file)}
    for name, scores in summary["scores"].items():
        assert float(rows[name]["f1"]) == scores["f1"]


def test_tables_hold_the_p_values_of_the_test_that_decides(ranked: Path) -> None:
    written = {path.stem for path in (ranked / "tables").glob("*p-*.csv")}
    assert written == {
        name
        for view in ("entity", "ifp", "cfp")
        for name in (f"p-{view}-sign-flip", f"log10-p-{view}-sign-flip", f"adjusted-p-{view}")
    }


def test_the_same_input_gives_the_same_bytes_whoever_reads_what_is_printed(
    ranked: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    command = shlex.join([str(ALIGNRANK), "rank", *PAIR, "--out", str(again)])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | true"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert only_cautions(done.stderr)
    files = {p.relative_to(ranked) for p in ranked.rglob("*") if p.is_file()}
    assert files == {p.relative_to(again) for p in again.rglob("*") if p.is_file()}
    for name in files - {Path("manifest.json")}:
        assert (ranked / name).read_bytes() == (again / name).read_bytes(), name


def test_match_writes_an_alignment_that_compare_reads(shell: Any, tmp_path: Path) -> None:
    files = []
    for metric in ("levenshtein", "rapidfuzz:token_sort_ratio", "textdistance:cosine"):
        out = tmp_path / f"{metric.replace(':', '-')}.rdf"
        options = ["--metric", metric, "--threshold", "0.6", "--no-synonyms"]
        result = shell.run("match", *PAIR[:2], *options, "--out", out)
        assert result.returncode == 0, result.stderr
        assert all(c.confidence >= 0.6 for c in read_alignment(out))
        files.append(f"{metric}={out}")
    result = shell.run("compare", LIBRARY.reference, *files, "--out", tmp_path / "results")
    assert result.returncode == 0, result.stderr
    names = sorted(p.name for p in (tmp_path / "results" / "alignments").iterdir())
    assert names == ["levenshtein.rdf", "rapidfuzz-token_sort_ratio.rdf", "textdistance-cosine.rdf"]


def test_match_refuses_to_replace_a_file(shell: Any, tmp_path: Path) -> None:
    out = tmp_path / "a.rdf"
    out.write_text("mine")
    assert "exists" in shell.refused("match", *PAIR[:2], "--metric", "jaro", "--out", out)
    assert out.read_text() == "mine"


class TestBadInput:
    """One clear line, exit code 2, nothing written or lost."""

    def test_missing_file(self, shell: Any, tmp_path: Path) -> None:
        line = shell.refused("rank", "nowhere.owl", *PAIR[1:], "--out", tmp_path / "out")
        assert "nowhere.owl" in line
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (LIBRARY.source.read_bytes()[:3000], "line"),
            (b"<!DOCTYPE html><html><body>Not found</body></html>", "HTML"),
            (b"", "empty"),
            (
                b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF>',
                "no ",
            ),
        ],
    )
    def test_broken_ontology(
        self, shell: Any, tmp_path: Path, content: bytes, expected: str
    ) -> None:
        path = tmp_path / "broken.owl"
        path.write_bytes(content)
        line = shell.refused("rank", path, *PAIR[1:], "--out", tmp_path / "out")
        assert "broken.owl" in line
        assert expected in line
        assert not (tmp_path / "out").exists()

    def test_ontologies_that_the_reference_does_not_fit(self, shell: Any, tmp_path: Path) -> None:
        line = shell.refused("rank", PAIR[1], PAIR[0], PAIR[2], "--out", tmp_path / "out")
        assert "swapping source and target mends it" in line
        reference = tmp_path / "other.rdf"
        text = LIBRARY.reference.read_text().replace(HOST, "elsewhere.example")
        reference.write_text(text)
        line = shell.refused("rank", *PAIR[:2], reference, "--out", tmp_path / "out")
        assert "0 of its" in line
        assert "would not mend it" in line

    def test_reference_without_correspondences(self, shell: Any, tmp_path: Path) -> None:
        path = tmp_path / "empty.rdf"
        path.write_text(
            "<rdf:RDF xmlns='http://knowledgeweb.semanticweb.org/heterogeneity/alignment' "
            "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><Alignment/></rdf:RDF>"
        )
        line = shell.refused("rank", *PAIR[:2], path, "--out", tmp_path / "out")
        assert "no correspondence" in line

    def test_results_folder_that_is_not_empty(self, shell: Any, tmp_path: Path) -> None:
        (tmp_path / "mine.txt").write_text("mine")
        assert "not empty" in shell.refused("rank", *PAIR, "--out", tmp_path)
        assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]

    def test_unknown_names(self, shell: Any, tmp_path: Path) -> None:
        out = ["--out", tmp_path / "out"]
        assert "levenshtein" in shell.refused("rank", *PAIR, "--metric", "levenstein", *out)
        assert "words" in shell.refused("rank", *PAIR, "--labels", "word", *out)
        assert "class" in shell.refused("rank", *PAIR, "--entities", "classes", *out)
        assert "hungarian" in shell.refused("rank", *PAIR, "--assignment", "optimal", *out)
        assert "mean mutual-best?" in shell.refused("rank", *PAIR, "--assignment", "best", *out)
        assert "use nemenyi" in shell.refused("rank", *PAIR, "--correction", "bonferroni", *out)
        assert "did you mean mid-p?" in shell.refused("rank", *PAIR, "--test", "midp", *out)

    def test_usage(self, shell: Any) -> None:
        assert "TARGET" in shell.refused("rank", PAIR[0]).upper()
        assert "no such" in shell.refused("ranks").lower()

    def test_alignments_of_another_task(self, shell: Any, tmp_path: Path) -> None:
        good = LIBRARY.alignments["system_good"]
        other = tmp_path / "other.rdf"
        other.write_text(good.read_text().replace(HOST, "elsewhere.example"))
        line = shell.refused("compare", PAIR[2], good, other, "--out", tmp_path / "out")
        assert "other.rdf" in line
        assert "swapping" in line

    def test_a_single_system(self, shell: Any, tmp_path: Path) -> None:
        good = LIBRARY.alignments["system_good"]
        assert "two" in shell.refused("compare", PAIR[2], good, "--out", tmp_path / "out")


def test_help_names_every_command(shell: Any) -> None:
    result = shell.run("--help")
    assert result.returncode == 0
    for command in ("demo", "rank", "match", "compare", "study", "reproduce"):
        assert command in result.stdout


COUNTS = "x,Alin,AML,CroMatcher\nAlin,0,0,13\nAML,911,0,62\nCroMatcher,873,11,0\n"


class TestCompare:
    """Options of `compare`, and what they cannot do together."""

    def test_a_bare_table_of_counts(self, shell: Any, tmp_path: Path) -> None:
        table = tmp_path / "counts.csv"
        table.write_text(COUNTS)
        result = shell.run("compare", table, "--out", tmp_path / "out")
        assert result.returncode == 0, result.stderr
        summary = json.loads((tmp_path / "out" / "summary.json").read_text())
        ranking = summary["views"]["ifp"]["rankings"]["bergmann-hommel"]
        assert ["AML", "CroMatcher"] in ranking["edges"]
        assert not (tmp_path / "out" / "tables" / "effects.csv").exists()
        sized = shell.run("compare", table, "--items", "1516", "--out", tmp_path / "sized")
        assert sized.returncode == 0, sized.stderr
        with (tmp_path / "sized" / "tables" / "effects.csv").open() as file:
            first = next(csv.DictReader(file))
        assert float(first["difference"]) == pytest.approx(-911 / 1516)

    def test_a_margin_that_was_named_is_answered(self, shell: Any, tmp_path: Path) -> None:
        table = tmp_path / "counts.csv"
        table.write_text(COUNTS)
        sized = ["compare", table, "--items", "1516"]
        assert "margin" not in shell.run(*sized).stdout
        told = (
            "Equivalent (margin 0.05): none.\nDifferent, but by less (margin 0.05): AML and CroMa"
        )
        assert told in shell.run(*sized, "--margin", "0.05").stdout

    def test_a_mistyped_count_is_refused(self, shell: Any, tmp_path: Path) -> None:
        table = tmp_path / "counts.csv"
        table.write_text(COUNTS.replace("62", "26"))
        said = shell.refused("compare", table, "--out", tmp_path / "out")
        assert f"{table}: the counts" in said
        assert "must add up to 0" in said

    def test_what_nobody_wrote_by_hand_is_not_quoted_in_full(
        self, shell: Any, tmp_path: Path
    ) -> None:
        table = tmp_path / "counts.csv"
        table.write_text(COUNTS.replace("62", "6" * 100_000))
        said = shell.refused("compare", table, "--out", tmp_path / "out")
        assert len(said) < 1_100
        assert said.endswith("a count is a whole number, 0 or more")

    def test_what_a_table_cannot_answer_is_refused(self, shell: Any, tmp_path: Path) -> None:
        table = tmp_path / "counts.csv"
        table.write_text(COUNTS)
        out = ["--out", tmp_path / "out"]
        assert "goes with alignments" in shell.refused("compare", table, "--measure", "f1", *out)
        assert "unknown" in shell.refused("compare", table, "--view", "../../evil", *out)
        assert "no table" in shell.refused("compare", LIBRARY.reference, *out)
        assert "--items" in shell.refused("compare", table, "--items", "0", *out)

    def test_one_foreign_side_is_no_silent_zero(self, shell: Any, tmp_path: Path) -> None:
        good = LIBRARY.alignments["system_good"]
        shouted = tmp_path / "shouted.rdf"
        shouted.write_text(good.read_text().replace("/library/lending#", "/Library/Lending#"))
        content = shell.json("compare", LIBRARY.reference, good, shouted)
        first, second = content["scores"].values()
        assert first == second
        assert "1 file names" in str(content["cautions"])
        shouted.write_text(good.read_text().replace("/library/lending#", "/elsewhere#"))
        line = shell.refused("compare", LIBRARY.reference, good, shouted, "--out", tmp_path / "out")
        assert "shouted.rdf" in line
        assert "entity1" in line

    def test_clusters_of_other_entities_are_refused(self, shell: Any, tmp_path: Path) -> None:
        systems = [LIBRARY.alignments[name] for name in ("system_good", "system_bad")]
        clusters = ["--cluster", "parent", "--source", LIBRARY.target]
        # a copy of the reference has no ontologies beside it
        reference = shutil.copy(LIBRARY.reference, tmp_path / "reference.rdf")
        line = shell.refused("compare", reference, *systems, *clusters, "--out", tmp_path / "o")
        assert "none of the" in line

    def test_what_an_ontology_imports_is_found_in_its_folder(
        self, shell: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        library, source = load_ontology(LIBRARY.source), tmp_path / "source.ttl"
        source.write_text(
            "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
            f"<http://e.org/o> a owl:Ontology ; owl:imports <{library.iri}> .\n"
            "<http://e.org/o#A> a owl:Class .\n"
        )
        systems = [LIBRARY.alignments[name] for name in ("system_good", "system_bad")]
        clusters = ["--cluster", "parent", "--source", source]
        lost = shell.run("compare", LIBRARY.reference, *systems, *clusters)
        assert lost.returncode == 2
        assert f"the import {library.iri} is missing: give its folder (--imports)" in caplog.text
        clusters += ["--imports", LIBRARY.source.parent]
        found = shell.run("compare", LIBRARY.reference, *systems, *clusters)
        assert found.returncode == 0, found.stderr

    def test_ontologies_the_wrong_way_round_are_refused(self, shell: Any, tmp_path: Path) -> None:
        good = LIBRARY.alignments["system_good"]
        sides = ["--source", LIBRARY.target, "--target", LIBRARY.source]
        systems = [good, LIBRARY.alignments["system_bad"]]
        line = shell.refused(
            "compare", LIBRARY.reference, *systems, *sides, "--out", tmp_path / "o"
        )
        assert "swapping source and target mends it" in line

    def test_what_systems_were_compared_by_is_in_the_table(
        self, shell: Any, tmp_path: Path
    ) -> None:
        out = tmp_path / "out"
        files = LIBRARY.alignments.values()
        shell.run("compare", LIBRARY.reference, *files, "--measure", "f0.5", "--out", out)
        values = json.loads((out / "summary.json").read_text())["views"]["f0.5"]["values"]
        rows = shell.run("report", out, "--table", "scores", "--format", "csv").stdout.splitlines()
        assert rows[0] == "system,rank,f0.5,letters"
        assert {row.split(",")[0]: float(row.split(",")[2]) for row in rows[1:]} == values

        written = (out / "tables" / "values.csv").read_text().splitlines()
        assert {row.split(",")[0]: float(row.split(",")[1]) for row in written[1:]} == values

    def test_of_one_rank_the_better_by_the_measure_comes_first(
        self, shell: Any, tmp_path: Path
    ) -> None:
        right = list(read_alignment(LIBRARY.reference))
        for name, size in (("a", 20), ("b", 22), ("c", 21)):
            lines = [f"{c.entity1},{c.entity2},{c.relation}" for c in right[:size]]
            (tmp_path / f"{name}.csv").write_text("\n".join(["entity1,entity2,relation", *lines]))
        files = [tmp_path / f"{name}.csv" for name in "abc"]
        for measure, order in (("f1", "bca"), ("fallout", "abc")):
            sides = ["--source", LIBRARY.source, "--target", LIBRARY.target]
            shown = shell.run("compare", LIBRARY.reference, *files, "--measure", measure, *sides)
            rows = [line.split() for line in shown.stdout.splitlines()[2:5]]
            assert {row[1] for row in rows} == {"1–3"}, shown.stdout + shown.stderr
            assert "".join(row[0] for row in rows) == order

    def test_the_view_of_a_table_of_counts_is_named_and_not_guessed(
        self, shell: Any, tmp_path: Path
    ) -> None:
        systems = [LIBRARY.alignments[name] for name in ("system_good", "system_bad")]
        shell.run("compare", LIBRARY.reference, *systems, "--out", tmp_path / "out")
        table = tmp_path / "out" / "tables" / "discordant-cfp.csv"
        shown = shell.run("compare", table)
        assert "counts are taken for those of ifp (--view names another)" in shown.stderr
        assert "McNemar's mid-p test, assuming independent" in shown.stdout
        for view in ("cfp", "entity"):
            printed = shell.printed("compare", table, "--view", view, "--json")
            assert list(json.loads(printed)["views"]) == [view]

    def test_options_that_would_do_nothing_are_refused(self, shell: Any) -> None:
        systems = [LIBRARY.alignments[name] for name in ("system_good", "system_bad")]
        for options in (
            ["--measure", "f1", "--view", "ifp"],
            ["--resamples", "99"],
            ["--seed", "1"],
        ):
            assert "leave" in shell.refused("compare", LIBRARY.reference, *systems, *options)

    def test_every_file_that_was_read_is_listed_with_its_hash(
        self, shell: Any, tmp_path: Path
    ) -> None:
        names = ("system_good", "system_bad")
        clusters = tmp_path / "clusters.tsv"
        right = read_alignment(LIBRARY.reference)
        clusters.write_text("".join(f"{c.entity1}\t{k // 2}\n" for k, c in enumerate(right)))
        read = {
            "reference": LIBRARY.reference,
            "source": LIBRARY.source,
            "target": LIBRARY.target,
            "clusters": clusters,
            **{f"alignment {name}": LIBRARY.alignments[name] for name in names},
        }
        sides = ["--source", LIBRARY.source, "--target", LIBRARY.target, "--cluster", clusters]
        systems = [LIBRARY.alignments[name] for name in names]
        out = tmp_path / "out"
        result = shell.run("compare", LIBRARY.reference, *systems, *sides, "--out", out)
        assert result.returncode == 0, result.stderr
        inputs = json.loads((out / "summary.json").read_text())["provenance"]["inputs"]
        hashes = {
            name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in read.items()
        }
        assert {name: file["sha256"] for name, file in inputs.items()} == hashes
        page = (out / "report.html").read_text()
        assert all(f"(SHA-256 {one})" in page for one in hashes.values())

    def test_one_against_all_and_exact(self, shell: Any, tmp_path: Path) -> None:
        systems = list(LIBRARY.alignments.values())
        out = tmp_path / "out"
        result = shell.run(
            "compare", LIBRARY.reference, *systems, "--focus", "system_good", "--out", out
        )
        assert result.returncode == 0, result.stderr
        with (out / "tables" / "pairs-entity.csv").open() as file:
            verdicts = {row["other"]: row["it is"] for row in csv.DictReader(file)}
        assert verdicts == {"system_near_miss": "better", "system_bad": "better"}
        options = ("--focus", "system_good", "--correction", "finner")
        printed = shell.printed("--json", "compare", LIBRARY.reference, *systems, *options)
        result = Comparison.from_dict(json.loads(printed))
        assert (result.settings.focus, result.correction) == ("system_good", "finner")
        assert list(result.deciding.adjusted) == ["finner"]
        view = result.deciding
        assert view.verdicts["system_good", "system_bad"] == "better"
        assert view.adjusted_p[tuple(map(view.systems.index, ("system_good", "system_bad")))] < 0.05
        assert "Finner controls the family-wise error only while" in result.validity
        result = shell.run(
            "compare", LIBRARY.reference, *systems, "--test", "exact", "--out", tmp_path / "s"
        )
        assert (
            json.loads((tmp_path / "s" / "summary.json").read_text())["settings"]["test"] == "exact"
        )


def test_what_is_printed_may_be_read_in_part(tmp_path: Path) -> None:
    systems = shlex.join(map(str, LIBRARY.alignments.values()))
    for command in ("score", "compare"):
        line = f"{ALIGNRANK} {command} {LIBRARY.reference} {systems} --out {command} | head -1"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0
        assert only_cautions(done.stderr)
        assert (tmp_path / command / "manifest.json").exists()


def test_what_no_metric_can_find_is_said(shell: Any) -> None:
    names = ("--metric", "equality", "--metric", "ngram")
    shown = shell.run("rank", "--task", "foodchain", *names).stderr
    assert "20 of 42 reference correspondences have another relation than =" in shown
    shown = shell.run("rank", "--task", "library", *names, "--entities", "property").stderr
    assert "reference correspondences are not of kind property" in shown
    several = ("--task", "foodchain", "--task", "library")
    shown = shell.run("rank", *several, *names).stderr
    assert "24 of 90 reference correspondences have another relation than =" in shown


def test_thresholds_are_told_wherever_they_were_used(shell: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    names = ("--metric", "equality", "--metric", "jaro")
    shown = shell.run("rank", *PAIR, *names, "--out", out).stdout
    summary = json.loads((out / "summary.json").read_text())
    low, middle, high = summary["matched"]["thresholds"]["jaro"]
    assert f"(equality 1, jaro {low:.3g}" in (out / "paper.txt").read_text()
    assert f"--metric jaro --threshold {math.floor(1000 * middle) / 1000:g}" in shown
    stated = read_alignment(out / "alignments" / "jaro.rdf").metadata["threshold"]
    assert stated == f"best ({low:.4g} to {high:.4g})"
    turned = shell.printed("rank", *PAIR, *names[2:], *names[:2], "--threshold", "best", "--json")
    assert json.loads(turned)["scores"] == summary["scores"]
    for name, (fewest, most) in summary["matched"]["correct_range"].items():
        assert fewest <= summary["scores"][name]["correct"] <= most


def test_json_is_all_that_is_printed(shell: Any) -> None:
    judged = (LIBRARY.reference, LIBRARY.alignments["system_good"])
    for command in (
        ["show", LIBRARY.source],
        ["explain", LIBRARY.source, LIBRARY.target, "copy", "item_copy", "-m", "jaro"],
        ["score", *judged],
        ["score", "--kind", "concepts", LIBRARY.source, "copy", "book"],
        ["compare", *judged, LIBRARY.alignments["system_bad"]],
        ["plan", "--discordant", ".1", "--difference", ".02"],
    ):
        shown = shell.run(*command, "--json")
        assert json.loads(shown.stdout)
        assert shown.stderr == ""


def test_a_study_prints_the_p_values_that_decide(shell: Any, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    rows = [f"t{k},{0.5 + k / 100},{0.4 + k / 90},{0.3 + k / 80}" for k in range(9)]
    scores.write_text("\n".join(["task,new,old,base", *rows]))
    options = ("--test", "friedman", "--out", tmp_path / "out", "--verbose")
    shown = shell.run("study", scores, *options).stdout
    pairs = json.loads((tmp_path / "out" / "summary.json").read_text())["pairs"]
    (p,) = (x["adjusted_p"] for x in pairs if {x["system1"], x["system2"]} == {"new", "base"})
    after = shown.partition("Adjusted p-values")[2].splitlines()
    assert after[1].split() == ["system", "new", "old", "base"]
    assert after[2].split()[-1] == f"{p:.3g}"
    assert "friedman with bergmann-hommel" in after[5]
    shown = shell.run("study", scores, "--focus", "old").stdout
    method = "Method: Paired t test, assuming independent tasks, larger is better; "
    assert f"{method}Holm correction, 2 pairs, 5%." in shown
    assert "old is significantly better than base; significantly worse than new." in shown
    table = [line.split()[:2] for line in shown.splitlines()[1:4]]
    assert table == [["against", "old"], ["new", "worse"], ["base", "better"]]
    names = [f"s{k:02}" for k in range(20)]
    rows = [
        f"t{t}," + ",".join(f"{0.3 + k / 50 + t * k / 9e3}" for k in range(20)) for t in range(9)
    ]
    scores.write_text("\n".join([",".join(["task", *names]), *rows]))
    shown = shell.run("study", scores, "--focus", "s08", "--correction", "none").stdout
    assert shown.startswith(
        "s08 is significantly better than 8 of 19 systems and worse than 11. s09 is the nearest "
        "that is significantly better than s08, s07 the nearest that is significantly worse."
    )
    listed = [line.split()[0] for line in shown.splitlines()[2:14]]
    assert listed == [f"s{k:02}" for k in range(14, 1, -1) if k != 8]
    assert "and 7 more (all are in the report: --out FOLDER)" in shown


def test_study_reads_a_table_and_draws_it(shell: Any, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    rows = [f"t{k},{0.5 + k / 40:.3f},{0.4 + k / 40:.3f},{0.41 + k / 41:.3f}" for k in range(12)]
    scores.write_text("task,new,old,base\n" + "\n".join(rows) + "\n")
    out = tmp_path / "out"
    result = shell.run("study", scores, "--out", out)
    assert result.returncode == 0, result.stderr
    assert "new scores best (mean score 0.638); " in result.stdout
    summary = json.loads((out / "summary.json").read_text())
    assert ["new", "old"] in summary["views"]["tasks"]["rankings"]["bergmann-hommel"]["edges"]
    for name in ("critical-difference", "outperforms"):
        assert (out / "figures" / f"{name}.svg").exists()
    assert "Mean ranks" in (out / "report.html").read_text()
    scores.write_text(scores.read_text().replace("0.500", "nan"))
    assert "line 2" in shell.refused("study", scores)


def test_quiet_json_and_verbose_stand_anywhere(shell: Any, tmp_path: Path) -> None:
    systems = list(LIBRARY.alignments.values())
    arguments = ["compare", LIBRARY.reference, *systems, "--out"]
    quiet = shell.run("--quiet", *arguments, tmp_path / "quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    as_json = shell.run(*arguments, tmp_path / "json", "--json")
    assert as_json.returncode == 0
    assert json.loads(as_json.stdout) == json.loads(
        (tmp_path / "json" / "summary.json").read_text()
    )
    told = run("rank", *PAIR, "--metric", "equality", "--metric", "jaro", "--verbose")
    assert "candidate pairs" in told.stderr
