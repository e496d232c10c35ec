"""`alignrank score`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import hashlib
import json
import math
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.evaluation import (
    compare_measure,
    get_measure,
    parent_clusters,
    relaxed,
    score,
    values,
    without_unknown,
)
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.measures.logic import reasoner
from alignrank.evaluation.measures.logic.coherence import coherence
from alignrank.evaluation.measures.precision_recall import RelaxedOptions
from alignrank.evaluation.significance.clustered import cluster_indices
from alignrank.evaluation.significance.crossed import reference_clusters
from alignrank.evaluation.significance.randomisation import ratio_sums, sums_by_unit
from alignrank.evaluation.significance.score_limits import difference_limits
from alignrank.evaluation.uncertainty.score_intervals import credit_intervals
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions
from alignrank.experiments.scoring.every_measure import ScoringOptions
from alignrank.experiments.scoring.score_files import score_files
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Hierarchy,
    load_ontology,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.tasks import MatchingTask, bundled_task
from tests.experiments.conftest import only_cautions

ALIGNRANK = Path(sys.executable).with_name("alignrank")
LIBRARY = bundled_task("library")
SYSTEMS = ("system_bad", "system_good", "system_near_miss")


def pair(task: MatchingTask, *, ontologies: bool = True) -> list[str]:
    """Arguments of `score` for a bundled pair."""
    given = [str(task.reference), *map(str, task.alignments.values())]
    sides = ["--source", str(task.source), "--target", str(task.target)] if ontologies else []
    return ["score", *given, *sides]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ALIGNRANK, *map(str, arguments)], capture_output=True, text=True, timeout=120
    )


def by_name(content: Any) -> dict[tuple[str, str, str], Any]:
    return {(row["system"], row["measure"], row["name"]): row for row in content["scores"]}


# in a subprocess -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("score") / "results"
    options = ["--bootstrap", "200", "--breakdown", "--focus", "system_good"]
    result = run(*pair(LIBRARY), *options, "--out", out, "--verbose")
    assert result.returncode == 0, result.stderr
    assert only_cautions(result.stderr, verbose=True)
    text = result.stdout + result.stderr
    assert "system_good − system_bad" in text
    assert "recall+" in text
    assert "inconsistent: it entails everything" in text
    assert "labels; lower case; underscores, spaces and hyphens deleted" in text
    assert "near misses that count in relaxed-symmetric: system_bad 1, system_good 1" in text
    return out


def test_results_folder_can_be_read_back(results: Path) -> None:
    content = json.loads((results / "summary.json").read_text("utf-8"))
    with (results / "tables" / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(content["scores"])
    for row, value in zip(rows, content["scores"], strict=True):
        assert row["system"] == value["system"]
        assert float(row["estimate"]) == value["value"]
    reference = read_alignment(LIBRARY.reference)
    found = by_name(content)
    for name in SYSTEMS:
        expected = score(read_alignment(LIBRARY.alignments[name]), reference)
        for key in ("precision", "recall", "f1"):
            row = found[name, "standard", key]
            assert row["value"] == pytest.approx(getattr(expected, key))
            assert row["low"] <= row["value"] <= row["high"]
        assert (
            found[name, "residual", "recall+"]["value"] < found[name, "standard", "recall"]["value"]
        )
    difference = found["system_good − system_bad", "standard", "f1"]
    apart = [found[n, "standard", "f1"]["value"] for n in ("system_good", "system_bad")]
    assert difference["value"] == pytest.approx(apart[0] - apart[1])
    assert difference["low"] > 0
    assert found["system_bad", "coherence", "unsatisfiable"]["low"] is None
    assert sorted(content["inputs"]) == [
        *(f"alignment {name}" for name in SYSTEMS),
        "reference",
        "source",
        "target",
    ]
    assert len(content["cautions"]) == 5
    assert "have no parent" in content["cautions"][0]
    assert content["cautions"][0].endswith(": `compare` takes your own groups (clusters=...)")
    assert "too high for new data" in content["cautions"][1]


def test_near_misses_are_listed_with_their_links(results: Path) -> None:
    with (results / "tables" / "near-misses.csv").open(encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["measure"] == "relaxed-symmetric"]
    assert [r["system"] for r in rows].count("system_near_miss") == 15
    for row in rows:
        assert float(row["proximity"]) in (0.25, 0.5)
        assert row["link"]
        assert (row["entity1"], row["entity2"], row["relation"]) != (
            row["correct1"],
            row["correct2"],
            row["correct_relation"],
        )


def test_breakdown_adds_up(results: Path) -> None:
    with (results / "tables" / "breakdown.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    content = json.loads((results / "summary.json").read_text("utf-8"))
    for name in SYSTEMS:
        size = len(read_alignment(LIBRARY.alignments[name]))
        for by in ("kind", "relation"):
            parts = [r for r in rows if (r["system"], r["by"]) == (name, by)]
            assert sum(int(r["found"]) for r in parts) == size
            assert sum(int(r["reference"]) for r in parts) == len(read_alignment(LIBRARY.reference))
            assert {r["measure"] for r in parts} == {"standard"}
        assert sum(content["arity"][name].values()) == size


def test_report_holds_curves_notes_and_labels(results: Path) -> None:
    page = (results / "report.html").read_text("utf-8")
    start = page.index('id="data">') + len('id="data">')
    data = json.loads(page[start : page.index("</script>", start)])
    assert set(data["curves"]) == set(SYSTEMS)
    assert len(data["curves"]["system_good"]["threshold"]) > 1
    assert "Near misses" in page
    assert "audio recording = av_material" in page
    assert "it entails everything" in page


def test_same_input_gives_the_same_bytes(results: Path, tmp_path: Path) -> None:
    options = ["--bootstrap", "200", "--breakdown", "--focus", "system_good"]
    again = tmp_path / "again"
    assert run(*pair(LIBRARY), *options, "--out", again).returncode == 0
    for path in sorted(results.rglob("*")):
        if path.is_file() and path.name != "manifest.json":
            assert path.read_bytes() == (again / path.relative_to(results)).read_bytes()


# the figures -------------------------------------------------------------------------------------


def test_foodchain_as_its_readme_says(shell: Any) -> None:
    content = shell.json(
        *pair(bundled_task("foodchain")),
        "--measure",
        "relaxed-symmetric",
        "--measure",
        "relaxed-effort",
        "--measure",
        "relaxed-oriented",
        "--measure",
        "coherence",
    )
    found = by_name(content)
    expected = {
        "system_good": (0.899, 0.899, 0.918, 0),
        "system_near_miss": (0.429, 0.400, 0.607, 0),
        "system_bad": (0.143, 0.133, 0.184, 6),
    }
    for system, (symmetric, effort, oriented, broken) in expected.items():
        for name, value in (("symmetric", symmetric), ("effort", effort), ("oriented", oriented)):
            row = found[system, f"relaxed-{name}", "f1"]
            assert row["value"] == pytest.approx(value, abs=5e-4)
        assert found[system, "coherence", "unsatisfiable"]["value"] == broken


def test_unjudged_pairs_and_completeness_are_reported(shell: Any) -> None:
    task = bundled_task("citytransit")
    marked = "not judged: the reference marks them ?"
    noted = []
    for mode in ("complete", "source", "target", "source-target", "none"):
        content = shell.json(
            *pair(task), "--completeness", mode, "--measure", "standard", "--measure", "coherence"
        )
        found = by_name(content)
        for name, path in task.alignments.items():
            kept = without_unknown(read_alignment(path), read_alignment(task.reference), mode)  # type: ignore[arg-type]
            expected = values(get_measure("standard")(kept.alignment, kept.reference))
            for key, value in expected.items():
                assert found[name, "standard", key]["value"] == pytest.approx(value)
            if kept.left_out_found:
                assert any(
                    n.startswith(f"{name}: {kept.left_out_found} found correspondence")
                    and marked in n
                    for n in content["cautions"]
                )
                noted.append((mode, name))
        # what is not judged may still break the ontologies
        assert found["system_bad", "coherence", "unsatisfiable"]["value"] > 0
    assert ("none", "system_bad") in noted


def test_intervals_are_those_of_the_library_and_clusters_are_used(
    shell: Any, tmp_path: Path
) -> None:
    reference = read_alignment(LIBRARY.reference)
    earned = {
        n: get_measure("standard")(read_alignment(LIBRARY.alignments[n]), reference)
        for n in SYSTEMS
    }
    one = earned["system_good"]
    source_clusters = parent_clusters(load_ontology(LIBRARY.source))
    table = tmp_path / "clusters.tsv"
    table.write_text("".join(f"{e}\t{c}\n" for e, c in source_clusters.items()), "utf-8")
    options = ("--measure", "standard", "--bootstrap", "100", "--seed", "3")
    options += ("--focus", "system_good")
    by_parent = shell.json(*pair(LIBRARY), *options, "--cluster", "parent")
    by_file = shell.json(*pair(LIBRARY, ontologies=False), *options, "--cluster", table)
    alone = shell.json(*pair(LIBRARY, ontologies=False), *options)
    source_only = ("--source", LIBRARY.source, "--cluster", "parent")
    found = shell.json(*pair(LIBRARY, ontologies=False), *options, *source_only)
    assert found["scores"] == by_file["scores"]
    target_clusters = reference_clusters(
        reference.pairs, parent_clusters(load_ontology(LIBRARY.target))
    )
    for content, clusters, across in (
        (by_parent, source_clusters, target_clusters),
        (by_file, source_clusters, None),
        (alone, None, None),
    ):
        interval = credit_intervals(one, clusters=clusters, partners=across)["f1"]
        row = by_name(content)["system_good", "standard", "f1"]
        assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
        entities = sorted(frozenset().union(*(each.sources for each in earned.values())))
        sums = ratio_sums("f1", sums_by_unit(earned, None))
        assert sums is not None
        apart = difference_limits(
            tuple(earned),
            *sums,
            *cluster_indices(entities, clusters, across),
            measure="f1",
            focus="system_good",
        )
        pair_of_both = apart.systems.index("system_good"), apart.systems.index("system_near_miss")
        expected = [x[pair_of_both] for x in (apart.difference, apart.low, apart.high)]
        row = by_name(content)["system_good − system_near_miss", "standard", "f1"]
        assert (row["value"], row["low"], row["high"]) == pytest.approx(expected)
    assert by_name(alone) != by_name(by_file)


def test_differences_have_the_intervals_of_compare(shell: Any, tmp_path: Path) -> None:
    reference = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(150))
    systems = {
        name: Alignment(Correspondence(f"a#{k}", f"b#{k if k % n else -k}") for k in range(150))
        for name, n in {"mine": 9, "other": 5, "third": 3}.items()
    }
    for name, alignment in {"reference": reference, **systems}.items():
        write_alignment(alignment, tmp_path / f"{name}.rdf")
    files = [tmp_path / f"{name}.rdf" for name in ("reference", *systems)]
    scored = by_name(shell.json("score", *files, "--measure", "standard", "--focus", "mine"))
    compared = compare_measure(
        systems,
        reference,
        get_measure("standard"),
        "f1",
        settings=AnalysisSettings(focus="mine"),
        name="f1",
    )
    known = compared.views["f1"].intervals.tested
    assert known is not None
    for other in (1, 2):
        row = scored[f"mine − {known.systems[other]}", "standard", "f1"]
        limits = known.difference[0, other], known.low[0, other], known.high[0, other]
        assert (row["value"], row["low"], row["high"]) == pytest.approx(limits)


def test_a_difference_has_intervals_without_being_asked_for_them(shell: Any) -> None:
    content = shell.json(
        *pair(LIBRARY, ontologies=False),
        "--focus",
        "system_good",
        "--measure",
        "standard",
        "--measure",
        "overall",
    )
    found = by_name(content)
    assert found["system_good", "standard", "f1"]["low"] is None
    assert found["system_good − system_bad", "overall", "overall"]["low"] > 0


@pytest.mark.parametrize(("convention", "empty"), [("oaei", 1.0), ("zero", 0.0), ("nan", None)])
def test_zero_division(shell: Any, tmp_path: Path, convention: str, empty: float | None) -> None:
    write_alignment(Alignment(), tmp_path / "nothing.rdf")
    content = shell.json(
        "score",
        LIBRARY.reference,
        tmp_path / "nothing.rdf",
        "--source",
        LIBRARY.source,
        "--target",
        LIBRARY.target,
        "--zero-division",
        convention,
    )
    found = by_name(content)
    for measure in ("standard", "residual", "relaxed-symmetric", "relaxed-oriented", "semantic"):
        assert found["nothing", measure, "precision"]["value"] == empty
        recall = "recall+" if measure == "residual" else "recall"
        assert found["nothing", measure, recall]["value"] == 0
        assert found["nothing", measure, "f1"]["value"] == 0
    assert found["nothing", "overall", "overall"]["value"] == 0
    assert found["nothing", "jaccard", "jaccard"]["value"] == 0
    assert "nothing: no correspondence in" in content["cautions"][0]


def test_undefined_values_are_dashes_and_empty_cells(shell: Any, tmp_path: Path) -> None:
    write_alignment(Alignment(), tmp_path / "nothing.rdf")
    given = ("score", LIBRARY.reference, tmp_path / "nothing.rdf", "--zero-division", "nan")
    _, table, _ = shell(*given)
    assert table.splitlines()[2].split() == ["standard", "precision", "–"]
    shell(*given, "--out", tmp_path / "out")
    lines = (tmp_path / "out" / "tables" / "scores.csv").read_text()
    assert lines.splitlines()[1] == "nothing,standard,precision,,,"


def test_many_systems_do_not_get_lost_at_the_edge(shell: Any, tmp_path: Path) -> None:
    source = LIBRARY.alignments["system_good"]
    names = [f"system-number-{i}" for i in range(14)]
    code, out, _ = shell(
        "score",
        LIBRARY.reference,
        *(f"{name}={source}" for name in names),
        "--measure",
        "standard",
        "--bootstrap",
        "20",
    )
    assert code == 0
    assert all(name in out for name in names)
    assert "…" not in out


# weights of one's own ----------------------------------------------------------------------------


def test_own_weights_add_a_measure(shell: Any, tmp_path: Path) -> None:
    half = dict.fromkeys(("target_super", "source_super", "target_sub", "source_sub"), 0.5)
    weights = {"concepts": half, "individuals": half, "relations": {"= <": 0.5, "= >": 0.5}}
    (tmp_path / "mine.json").write_text(json.dumps(weights), "utf-8")
    content = shell.json(
        *pair(LIBRARY),
        "--relaxed",
        f"weights={tmp_path / 'mine.json'}",
        "--measure",
        "relaxed-symmetric",
    )
    found = by_name(content)
    for (system, measure, name), row in found.items():
        assert row["value"] == found[system, "relaxed-symmetric", name]["value"], measure
    assert ("system_good", "relaxed-mine", "f1") in found
    mine = [m for m in content["near_misses"] if m["measure"] == "relaxed-mine"]
    assert len(mine) == 17
    digest = hashlib.sha256((tmp_path / "mine.json").read_bytes()).hexdigest()
    assert content["inputs"]["weights"]["sha256"] == digest


def test_own_weights_hide_no_measure(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "symmetric.json").write_text("{}", "utf-8")
    complaint = shell.refused(*pair(LIBRARY), "--relaxed", f"weights={tmp_path / 'symmetric.json'}")
    assert "there is a measure relaxed-symmetric already: rename the file" in complaint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"concepts":', "line 1: not JSON"),
        ("[1]", "the file must be a JSON object"),
        ('{"concept": {}}', "the file holds 'concept': use concepts, individuals"),
        ('{"concepts": 3}', "concepts must be a JSON object"),
        ('{"concepts": {"target": 1}}', "concepts holds 'target': use target_super"),
        ('{"concepts": {"target_sub": "1"}}', "target_sub is '1': a weight is a number"),
        ('{"other_relations": true}', "other_relations is True: a weight is a number"),
        ('{"individuals": {"target_sub": 1.5}}', "target_sub is 1.5: a proximity lies in"),
        ('{"relations": {"=": 1}}', "relations holds '=': write two"),
    ],
)
def test_bad_weights_are_named(shell: Any, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, "utf-8")
    complaint = shell.refused(*pair(LIBRARY), "--relaxed", f"weights={path}")
    assert f"{path}" in complaint
    assert message in complaint


# what is refused ---------------------------------------------------------------------------------

CLUSTERED = ("--measure", "standard", "--bootstrap", "20", "--cluster")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--completeness", "some"],
            "--completeness 'some' is unknown: use one of complete, partial, source",
        ),
        (["--zero-division", "1"], "--zero-division '1' is unknown: use one of oaei, zero, nan"),
        (["--measure", "relaxed-symetric"], "did you mean relaxed-symmetric"),
        (["--measure", "semantic"], "measure semantic needs the two ontologies"),
        (["--focus", "x"], "focus 'x' is unknown: use one of"),
        (["--cluster", "parent"], "--cluster is of the intervals: add --bootstrap"),
        (["--seed", "3"], "--seed is of the intervals: add --bootstrap"),
        ([*CLUSTERED, "parent"], "--cluster parent needs the source ontology: give --source"),
        ([*CLUSTERED, "parents"], "--cluster parents: no such file: name parent, or a TSV file"),
        (["--source", "a.owl"], "--source and --target go together"),
        (["--measure", "overall", "--breakdown"], "--breakdown needs a measure that has parts"),
        (["--bootstrap", "1"], "resamples 1 must be at least 2"),
    ],
)
def test_bad_options_in_one_line(shell: Any, options: list[str], message: str) -> None:
    assert message in shell.refused(*pair(LIBRARY, ontologies=False), *options)


def test_one_system_has_no_other_to_be_compared_with(shell: Any) -> None:
    """It was a division by zero."""
    alone = ("score", LIBRARY.reference, LIBRARY.alignments["system_good"])
    assert "there is only system_good" in shell.refused(*alone, "--focus", "system_good")


def test_files_of_another_task_are_refused(shell: Any) -> None:
    other = bundled_task("petclinic")
    complaint = shell.refused("score", LIBRARY.reference, other.alignments["system_good"])
    assert "occurs in the reference" in complaint
    complaint = shell.refused(
        "score",
        LIBRARY.reference,
        LIBRARY.alignments["system_good"],
        "--source",
        LIBRARY.target,
        "--target",
        LIBRARY.source,
    )
    assert "swapping source and target mends it" in complaint
    swapped = shell.refused(
        "score",
        LIBRARY.reference,
        other.reference,
        "--source",
        other.source,
        "--target",
        other.target,
    )
    assert "occurs in the reference" in swapped


def cyclic(path: Path, names: str) -> Path:
    """An ontology whose classes are each below the next, in a circle."""
    ring = zip(names, names[1:] + names[0], strict=True)
    classes = "".join(
        f'<owl:Class rdf:about="http://example.org/{path.stem}#{a}"><rdfs:subClassOf '
        f'rdf:resource="http://example.org/{path.stem}#{b}"/></owl:Class>'
        for a, b in ring
    )
    path.write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" '
        f'xmlns:owl="http://www.w3.org/2002/07/owl#"><owl:Ontology/>{classes}</rdf:RDF>',
        "utf-8",
    )
    return path


def test_cycles_and_undeclared_entities_are_reported(shell: Any, tmp_path: Path) -> None:
    one, two = cyclic(tmp_path / "one.owl", "ABC"), cyclic(tmp_path / "two.owl", "xyz")
    pairs = [
        Correspondence(f"http://example.org/one#{a}", f"http://example.org/two#{b}")
        for a, b in ("Ax", "By")
    ]
    stranger = Correspondence("http://example.org/one#Q", "http://example.org/two#z")
    write_alignment(Alignment(pairs), tmp_path / "reference.rdf")
    write_alignment(Alignment([pairs[0], stranger]), tmp_path / "mine.rdf")
    content = shell.json(
        "score", tmp_path / "reference.rdf", tmp_path / "mine.rdf", "--source", one, "--target", two
    )
    notes = " ".join(content["cautions"])
    assert "Entities that no hierarchy holds: 1, such as http://example.org/one#Q" in notes
    assert "Cycles in the hierarchies, each collapsed to one entity: 2" in notes
    found = by_name(content)
    assert all(math.isfinite(row["value"]) for row in found.values() if row["value"] is not None)


def test_a_system_may_be_called_as_the_reference(shell: Any, tmp_path: Path) -> None:
    content = shell.json("score", LIBRARY.reference, LIBRARY.reference)
    assert by_name(content)["reference", "standard", "f1"]["value"] == 1
    assert sorted(content["inputs"]) == ["alignment reference", "reference"]


def test_scores_by_two_references_have_the_version(shell: Any) -> None:
    sssom = LIBRARY.reference.with_name("reference.sssom.tsv")
    system = LIBRARY.alignments["system_good"]
    content = shell.json("score", LIBRARY.reference, system, "--reference", f"sssom={sssom}")
    assert list(content["references"]) == ["reference", "sssom"]
    assert content["version"] == ar.__version__


def test_too_little_memory_is_one_line(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise MemoryError("Unable to allocate 3.00 GiB")

    monkeypatch.setattr("alignrank.experiments.scoring.score_files.read_evaluation", fails)
    complaint = shell.refused(*pair(LIBRARY))
    assert "not enough memory (Unable to allocate 3.00 GiB): match in tiles" in complaint


@pytest.fixture
def track(tmp_path: Path) -> tuple[Path, Path]:
    """Two tasks: 'one' has four pairs, 'two' has one; system b has no result for 'two'."""
    gold, found = tmp_path / "gold", tmp_path / "found"
    gold.mkdir()
    found.mkdir()
    four = [Correspondence(f"a{i}", f"b{i}") for i in range(4)]
    single = [Correspondence("c", "d")]
    write_alignment(Alignment(four), gold / "one.rdf")
    write_alignment(Alignment(single), gold / "two.rdf")
    write_alignment(Alignment(four[:2]), found / "a-one.rdf")
    write_alignment(Alignment(single), found / "a-two.rdf")
    write_alignment(Alignment(four), found / "b-one.rdf")
    return gold, found


def test_melts_seconds_are_told(shell: Any, track: tuple[Path, Path], tmp_path: Path) -> None:
    for matcher in ("one", "two"):
        (place := tmp_path / "results_1" / "track" / "one" / matcher).mkdir(parents=True)
        (place / "systemAlignment.rdf").write_bytes((track[1] / "a-one.rdf").read_bytes())
        (place / "performance.csv").write_text("Type,Time\nALL,2500000000\n")
    files = track[0] / "one.rdf", tmp_path / "results_1"
    for command in ("score", "compare"):
        said = shell(command, *files)[1]
        assert "Seconds, as MELT measured them: one 2.5, two 2.5" in said


def test_averages_over_a_folder_are_those_of_study(shell: Any, track: tuple[Path, Path]) -> None:
    said = shell.refused("score", *track)
    assert f"alignrank study ALIGNMENTS --reference {track[0]}" in said
    printed = shell.printed("study", track[1], "--reference", track[0], "--on-mismatch", "zero")
    rows = [line.split() for line in printed.partition("Averages:")[2].splitlines()]
    found = {row[0]: row[1:8] for row in rows if row and row[0] in ("a", "b")}
    assert found["a"] == ["1.000", "0.600", "0.750", "1.000", "0.750", "0.833", "0.857"]
    assert found["b"][:3] == ["1.000", "0.800", "0.889"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ([], {}),
        (["--relaxed", "confidence=paper"], {"confidence": "paper"}),
        (
            ["--relaxed", "aggregate=mean,relations=strict"],
            {"aggregate": "mean", "relations": "strict"},
        ),
        (
            ["--relaxed", "max_distance=2,both-sides=product"],
            {"max_distance": 2, "both_sides": "product"},
        ),
        (["--relaxed", "direction=backward"], {"direction": "backward"}),
    ],
)
def test_what_the_relaxed_paper_leaves_open_is_an_option(
    typed: list[str], meant: dict[str, Any], shell: Any, tmp_path: Path
) -> None:
    task = bundled_task("foodchain")
    found = read_alignment(task.alignments["system_near_miss"])
    halved = found.with_correspondences(replace(c, confidence=0.5) for c in found)
    write_alignment(halved, tmp_path / "halved.rdf")
    said = shell.json(
        "score",
        task.reference,
        tmp_path / "halved.rdf",
        "--source",
        task.source,
        "--target",
        task.target,
        "--measure",
        "relaxed-oriented",
        *typed,
    )
    hierarchies = [Hierarchy.of(load_ontology(path)) for path in (task.source, task.target)]
    expected = relaxed(
        halved,
        read_alignment(task.reference),
        *hierarchies,
        "oriented",
        options=RelaxedOptions(**meant),
    )
    values = {row["name"]: row["value"] for row in said["scores"]}
    assert (values["precision"], values["recall"]) == (expected.precision, expected.recall)
    assert said["settings"]["relaxed"] == {**asdict(RelaxedOptions(**meant)), "part_of": []}


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("near=1", "--relaxed 'near' is unknown"),
        ("aggregate=most", "aggregate 'most' is unknown: use one of product, mean"),
        ("max_distance=far", "--relaxed max_distance=far: give a whole number"),
        ("aggregate", "write each name once, of both_sides=...,"),
    ],
)
def test_a_wrong_choice_is_refused(stated: str, message: str, shell: Any) -> None:
    assert message in shell.refused(*pair(LIBRARY), "--relaxed", stated)


@pytest.mark.parametrize("command", ["score", "compare"])
def test_ontologies_beside_a_task_are_refused(command: str, shell: Any) -> None:
    system = f"mine={LIBRARY.alignments['system_good']}"
    sides = ("--source", LIBRARY.source, "--target", LIBRARY.target)
    said = shell.refused(command, "--task", "library", system, *sides)
    assert "--task library names the files itself" in said


def test_ontologies_before_the_reference_are_told_of(shell: Any) -> None:
    task = bundled_task("foodchain")
    systems = [*task.alignments.values()][:2]
    said = shell.refused("score", task.source, task.target, task.reference, *systems)
    assert "REFERENCE:" in said
    assert "then the reference, then alignments" in said


@pytest.mark.parametrize(
    ("title", "precision", "cautions"),
    [
        ("confidence_score", 1.0, []),
        ("certainty", 2 / 3, ["'certainty' holds numbers", "No confidence is stated"]),
    ],
)
def test_scores_under_usual_names_rank(
    shell: Any, tmp_path: Path, title: str, precision: float, cautions: list[str]
) -> None:
    pairs = "entity1,entity2\nhttp://a#1,http://b#1\nhttp://a#2,http://b#2\n"
    (tmp_path / "right.csv").write_text(pairs)
    rows = "http://a#1,http://b#1,0.95\nhttp://a#2,http://b#2,0.90\nhttp://a#3,http://b#4,0.10\n"
    (tmp_path / "mine.csv").write_text(f"source,target,{title}\n{rows}")
    content = shell.json("score", tmp_path / "right.csv", tmp_path / "mine.csv")
    found = by_name(content)["mine", "curve", "average_precision"]["value"]
    assert found == pytest.approx(precision)
    wanted = ("certainty", "No confidence")
    told = [caution for caution in content["cautions"] if any(word in caution for word in wanted)]
    assert len(told) == len(cautions)
    assert all(words in caution for words, caution in zip(cautions, told, strict=True))


NEGATIVE = """#curie_map:
#  a: http://a#
#  b: http://b#
subject_id\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification
a:1\tskos:exactMatch\t\tb:1\tsemapv:ManualMappingCuration
a:2\towl:equivalentClass\tNot\tb:2\tsemapv:ManualMappingCuration
a:3\tskos:exactMatch\tNot\tb:3\tsemapv:ManualMappingCuration
a:3\tskos:broadMatch\t\tb:3\tsemapv:ManualMappingCuration
"""
ANSWERS = {
    "perfect": ["1=1", "3<3"],
    "careless": ["1=1", "2=2", "3<3"],
    "rough": ["1=1", "3=3"],
}


def negative_files(folder: Path) -> list[Path]:
    """Write a reference that negates, and systems."""
    files = [folder / "gold.sssom.tsv"]
    files[0].write_text(NEGATIVE)
    for name, cells in ANSWERS.items():
        rows = (f"http://a#{one},{relation},http://b#{two}" for one, relation, two in cells)
        files.append(folder / f"{name}.csv")
        files[-1].write_text("\n".join(["entity1,relation,entity2", *rows]) + "\n")
    return files


@pytest.mark.parametrize("mode", ["complete", "none"])
def test_negated_correspondences_are_never_to_be_found_and_wrong_as_answers(
    shell: Any, tmp_path: Path, mode: str
) -> None:
    content = shell.json(
        "score", *negative_files(tmp_path), "--measure", "standard", "--completeness", mode
    )
    found = by_name(content)
    expected = {"perfect": (1, 1), "careless": (2 / 3, 1), "rough": (1 / 2, 1 / 2)}
    for name, values_of in expected.items():
        for value, number in zip(("precision", "recall"), values_of, strict=True):
            assert found[name, "standard", value]["value"] == pytest.approx(number)
    asserted = "1 correspondence that the reference negates: wrong"
    assert sum(asserted in caution for caution in content["cautions"]) == 2


def test_negated_rows_of_a_system_are_no_answers(shell: Any, tmp_path: Path) -> None:
    gold, perfect, *_ = negative_files(tmp_path)
    content = shell.json("score", perfect, gold, "--measure", "standard")
    assert by_name(content)["gold", "standard", "precision"]["value"] == 1
    assert "gold: 2 negated correspondences not taken as answers" in content["cautions"]


def test_compare_prefers_the_system_that_asserts_no_negated_pair(
    shell: Any, tmp_path: Path
) -> None:
    content = shell.json("compare", *negative_files(tmp_path))
    scores = {name: (s["precision"], s["recall"]) for name, s in content["scores"].items()}
    assert scores == {"perfect": (1, 1), "careless": (2 / 3, 1), "rough": (1 / 2, 1 / 2)}


def test_what_a_reference_calls_incompatible_or_unmatched_is_wrong_to_assert(
    shell: Any, tmp_path: Path
) -> None:
    gold = tmp_path / "gold.csv"
    rows = ["a#1,b#1,=", "a#2,b#2,=", "a#3,b#3,%", "a#4,b#4,INCOMPAT", "a#5,null,="]
    gold.write_text("\n".join(["entity1,entity2,relation", *rows]) + "\n")
    answers = {"perfect": "12", "careless": "1235", "unjudged": "126"}
    files = []
    for name, numbers in answers.items():
        files.append(tmp_path / f"{name}.csv")
        cells = (f"a#{i},b#{i}" for i in numbers)
        files[-1].write_text("\n".join(["entity1,entity2", *cells]) + "\n")
    arguments = (gold, *files, "--measure", "standard", "--completeness", "none")
    content = shell.json("score", *arguments)
    scores = by_name(content)
    precision = [scores[name, "standard", "precision"]["value"] for name in answers]
    recall = [scores[name, "standard", "recall"]["value"] for name in answers]
    assert (precision, recall) == ([1, 0.5, 1], [1, 1, 1])
    assert content["cautions"][:3] == [
        "the reference holds 2 negated correspondences and 1 unmatched entity: nothing to find, "
        "and wrong to assert",
        "perfect holds just the reference alignment: is its file the reference?",
        "careless: 2 correspondences that the reference negates: wrong",
    ]


CLOSE = [f"a:{i}\tskos:closeMatch\tb:{i}\tsemapv:ManualMappingCuration" for i in range(1, 5)]
EXACT = ["a:9\tskos:exactMatch\tb:9\tsemapv:ManualMappingCuration"]


@pytest.fixture
def close_reference(tmp_path: Path) -> Path:
    path = tmp_path / "gold.sssom.tsv"
    head = "#curie_map:\n#  a: 'a#'\n#  b: 'b#'\n"
    columns = "subject_id\tpredicate_id\tobject_id\tmapping_justification"
    path.write_text(head + "\n".join([columns, *CLOSE, *EXACT, ""]))
    return path


def test_a_reference_of_close_matches_is_told_first_and_can_be_chosen(
    shell: Any, tmp_path: Path, close_reference: Path
) -> None:
    system = tmp_path / "mine.csv"
    system.write_text("entity1,entity2\n" + "".join(f"a#{i},b#{i}\n" for i in (1, 2, 9)))
    scored = (close_reference, system, "--measure", "standard")
    content = shell.json("score", *scored)
    assert content["cautions"][0] == (
        "4 of 5 correspondences of the reference are skos:closeMatch, and are not judged: 1 count "
        '(to count these, too: predicates=["skos:closeMatch", "skos:exactMatch"])'
    )
    recall = {(): 1, ("closeMatch",): 0.5, ("skos:closeMatch", "skos:exactMatch"): 0.6}
    for predicates, value in recall.items():
        options = [word for name in predicates for word in ("--predicates", name)]
        content = shell.json("score", *scored, *options)
        assert by_name(content)["mine", "standard", "recall"]["value"] == pytest.approx(value)
    assert content["cautions"] == []
    result = shell.run("score", *scored, "--predicates", "skos:sameAs")
    assert "it has skos:closeMatch (4), skos:exactMatch (1)" in " ".join(result.stderr.split())


def test_columns_are_chosen_for_the_tables_that_have_them(
    shell: Any, tmp_path: Path, close_reference: Path
) -> None:
    system = tmp_path / "mine.csv"
    system.write_text("old,new,p\na#9,b#9,0.5\n")
    scored = ("score", close_reference, system, "--measure", "standard", "--columns")
    content = shell.json(*scored, "subject=old,object=new,confidence=p")
    assert by_name(content)["mine", "standard", "f1"]["value"] == 1
    for columns, message in {
        "subject=old": "choose two (--columns)",
        "subject=old,object=news": "--columns object: 'news' is no column; the columns are old,",
        "subject": "write each name once, of subject=...,object=...,relation=...,confidence=...",
        "first=old": "--columns 'first' is unknown",
    }.items():
        assert message in " ".join(shell.run(*scored, columns).stderr.split())


def test_a_track_s_rule_by_kind_reads_the_ontologies_that_lie_there(
    tmp_path: Path, shell: Any
) -> None:
    """The rule of the OAEI's conference needs them, also where only the reference is named."""
    track = tmp_path / "conference"
    for folder, files in (
        ("ontologies", {"a": LIBRARY.source, "b": LIBRARY.target}),
        ("reference", {"a-b": LIBRARY.reference}),
    ):
        (track / folder).mkdir(parents=True)
        for name, path in files.items():
            shutil.copy(path, track / folder / f"{name}{path.suffix}")
    reference, system = track / "reference" / "a-b.rdf", LIBRARY.alignments["system_good"]
    printed = shell.json("score", reference, system)
    assert set(printed["inputs"]) == {"reference", "source", "target", "alignment system_good"}
    assert "by the rule oaei-conference" in " ".join(printed["cautions"])
    by_hand = ["--filter", "kind=class"]
    shell.printed("score", LIBRARY.reference, system, *by_hand)
    assert ar.score(reference, {"good": system}, measures="standard").cautions
    refusal = shell.refused("score", shutil.copy(reference, tmp_path / "r.rdf"), system, *by_hand)
    assert "a filter by kind needs both ontologies: give source and target" in refusal
    assert "folder" not in refusal


def test_of_damage_the_least_comes_first() -> None:
    got = run(*pair(LIBRARY), "--measure", "coherence", "--measure", "conservativity").stdout
    assert got.startswith("Best unsatisfiable: system_good and system_near_miss 0 each; ")
    order = ["system_good", "system_near_miss", "system_bad"]  # also of the columns
    assert got.splitlines()[1].split()[2:] == order


def test_no_system_is_the_best_by_a_lower_bound(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(reasoner, "find_spec", lambda _: None)
    monkeypatch.setattr(reasoner.shutil, "which", lambda _: None)
    reasoner.reasoned.cache_clear()
    coherence.cache_clear()
    score_files(
        LIBRARY.reference,
        [str(LIBRARY.alignments["system_bad"]), str(LIBRARY.alignments["system_good"])],
        options=ScoringOptions(),
        reading=AlignmentOptions(source=LIBRARY.source, target=LIBRARY.target),
        measures=["coherence"],
        out=tmp_path / "scores",
    )
    first = capsys.readouterr().out.splitlines()[0]
    expected = "system_good at least 0, system_bad at least 21"
    assert first == f"unsatisfiable, by reachability only: {expected}."
    content = json.loads((tmp_path / "scores" / "summary.json").read_text())
    assert all(row["is_lower_bound"] and row["less_is_better"] for row in content["scores"])
    assert content["reasoner"] == "reachability"
    assert "at least 21" in (tmp_path / "scores" / "report.html").read_text()


# two references --------------------------------------------------------------------------------


def mapping(path: Path, *pairs: str) -> Path:
    """Write an alignment; each pair is such as "a x"."""
    rows = [f"http://one#{pair[0]}\thttp://two#{pair[2]}\t=\t1.0\n" for pair in pairs]
    path.write_text("".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "original": mapping(tmp_path / "original.tsv", "a x", "b y", "c z"),
        "repaired": mapping(tmp_path / "repaired.tsv", "a x"),
        "wide": mapping(tmp_path / "wide.tsv", "a x", "b y", "c z", "d w"),
        "short": mapping(tmp_path / "short.tsv", "a x"),
    }


def test_scores_by_two_references_stand_side_by_side_with_the_changes_of_order(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    systems = [str(files["wide"]), str(files["short"])]
    files["wide"].write_text(files["wide"].read_text().replace("1.0\n", "1.5\n", 1))
    score_files(
        files["original"],
        systems,
        options=ScoringOptions(),
        reading=AlignmentOptions(),
        references=[f"fixed={files['repaired']}"],
    )
    out, err = capsys.readouterr()
    assert (
        err.count("1 confidence outside [0, 1] clipped") == err.count("! wide: 1 confidence") == 1
    )
    lines = out.split("\n")
    order = "wide before short by original, behind it by fixed"
    assert lines[0] == f"The order by F1 differs: {order}."
    assert lines[1].split("  ")[0] == "system"
    assert lines[2].split() == ["wide", "0.750", "1.000", "0.857", "0.250", "1.000", "0.400"]
    assert lines[3].split() == ["short", "1.000", "0.333", "0.500", "1.000", "1.000", "1.000"]


def test_what_a_second_reference_does_not_serve_is_refused(files: dict[str, Path]) -> None:
    with pytest.raises(ExperimentError, match="--reference prints precision, recall and F1"):
        score_files(
            files["original"],
            [str(files["wide"])],
            options=ScoringOptions(resamples=100),
            reading=AlignmentOptions(),
            references=[str(files["repaired"])],
        )


def test_a_measure_of_which_less_is_better_says_so(tmp_path: Path, shell: Any) -> None:
    words = ["--task", "library", "--measure", "fallout", "--measure", "mcc"]
    printed = shell.printed("score", *words, "--out", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    for text in (printed, page):
        assert "fallout: share of the wrong pairs that were found; less is better. mcc: " in text
