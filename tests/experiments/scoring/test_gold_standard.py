"""`alignrank score` of candidates: what they print, and what they refuse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from alignrank.common.results import version
from alignrank.evaluation import mcnemar
from alignrank.evaluation.measures.retrieval.candidates import candidates_of, gold_of
from alignrank.evaluation.measures.retrieval.ranked_lists import ranked_list_scores
from alignrank.experiments.scoring.gold_standard import retrieve
from alignrank.matchers import Settings, get_metric, prepare
from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Label, Ontology
from alignrank.ontologies.tasks import bundled_folder, bundled_task
from tests.experiments.conftest import only_cautions

ALIGNRANK = Path(sys.executable).with_name("alignrank")
SYNSETS = bundled_folder("synsets")
GOLD, CANDIDATES = SYNSETS / "gold.tsv", SYNSETS / "candidates.tsv"
MATCHES = sorted((SYNSETS / "matches").glob("*.tsv"))


def table(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(line.replace(" ", "\t") for line in lines) + "\n", "utf-8")
    return path


# mapping ------------------------------------------------------------------------------------------


def test_mapping_in_a_subprocess_prints_what_the_readme_says() -> None:
    result = subprocess.run(
        [
            ALIGNRANK,
            "score",
            "--kind",
            "mapping",
            GOLD,
            CANDIDATES,
            SYNSETS / "match.tsv",
            *MATCHES,
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0
    assert only_cautions(result.stderr)
    assert result.stdout.startswith("Best F1: system_good 0.851; then match 0.727, ")
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["1", "0.6528", "0.6528", "0.6528"] in rows
    by_name = {row[0]: row[1:] for row in rows if row}
    assert by_name["match"][:6] == ["20", "16", "0.8000", "0.6667", "0.7273", "0.7000"]
    assert by_name["system_good"][:6] == ["23", "20", "0.8696", "0.8333", "0.8511", "0.8333"]
    assert by_name["system_near_miss"][:6] == ["26", "11", "0.4231", "0.4583", "0.4400", "0.4333"]
    assert by_name["system_bad"][:6] == ["23", "3", "0.1304", "0.1250", "0.1277", "0.1667"]
    assert result.stdout.count("McNemar") == 6
    assert "adjusted for 6 pairs (bergmann-hommel)" in result.stdout
    assert "2 gold items not in the candidates (first: harvest-1)" in result.stderr


def test_5ns_exactly(shell: Any) -> None:
    folder = SYNSETS / "5ns"
    content = shell.json(
        "score",
        folder / "gold.tsv",
        folder / "candidates.tsv",
        folder / "match.tsv",
        *("--at", "1", "--at", "2", "--at", "3"),
    )
    ranked, mapped = content["candidates"], content["mappings"]["match"]
    assert ranked["recall_at"] == {"1": 1 / 4, "2": 3 / 4, "3": 1}
    assert ranked["mrr"] == pytest.approx(7 / 12)
    rates = [mapped[k] for k in ("precision", "recall", "f1", "accuracy")]
    assert rates == pytest.approx([2 / 3, 2 / 4, 4 / 7, 3 / 5])
    assert content["mcnemar"] == content["cautions"] == []


def test_two_mappings_are_tested_without_correction(shell: Any) -> None:
    content = shell.json(
        "score", "--kind", "mapping", GOLD, CANDIDATES, MATCHES[0], f"other={MATCHES[1]}"
    )
    (test,) = content["mcnemar"]
    assert (test["first"], test["second"]) == ("system_bad", "other")
    expected = mcnemar(test["first_alone"], test["second_alone"]).p
    assert test["p"] == test["adjusted"] == pytest.approx(float(expected))
    _, out, _ = shell("score", "--kind", "mapping", GOLD, CANDIDATES, MATCHES[0], MATCHES[1])
    assert "adjusted" not in out


def test_grades_that_count_as_right(shell: Any) -> None:
    content = shell.json("score", "--kind", "mapping", GOLD, CANDIDATES)
    only = content["candidates"]
    assert content["version"] == version()
    more = shell.json(
        "score",
        "--kind",
        "mapping",
        GOLD,
        CANDIDATES,
        "--positive",
        "match",
        "--positive",
        "related",
    )["candidates"]
    assert (only["positives"], more["positives"]) == (24, 26)


def test_ties_by_expectation_optimistic_and_pessimistic(shell: Any, tmp_path: Path) -> None:
    gold = table(tmp_path / "gold.tsv", "item candidate", "p b")
    ranked = table(tmp_path / "ranked.tsv", "item candidate score", "p a 0.5", "p b 0.5")
    recall = {
        tie: shell.json("score", "--kind", "mapping", gold, ranked, "--tie", tie)["candidates"][
            "recall_at"
        ]["1"]
        for tie in ("average", "min", "max", "stable")
    }
    assert recall == {"average": 0.5, "min": 1, "max": 0, "stable": 0}


def test_what_one_side_lacks_and_repeats_is_said(shell: Any, tmp_path: Path) -> None:
    gold = table(tmp_path / "gold.tsv", "item candidate", "p a", "q b", "r null")
    ranked = table(tmp_path / "c.tsv", "item candidate rank", "p x 1", "p a 3", "z y 1")
    mine = table(tmp_path / "mine.tsv", "item candidate", "p a", "y q", "z q")
    content = shell.json("score", "--kind", "mapping", gold, ranked, mine, "--at", "2", "--at", "9")
    assert content["candidates"]["recall_at"] == {"2": 0.5, "9": 0.5}
    assert content["cautions"] == [
        "2 gold items not in the candidates (first: q)",
        "1 item of the candidates not in the gold standard: ignored (first: z)",
        "2 gold items not in mine (first: q)",
        "2 items of mine not in the gold standard: ignored (first: y)",
    ]
    assert content["mappings"]["mine"]["accuracy"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(("convention", "empty"), [("oaei", 1.0), ("zero", 0.0), ("nan", None)])
def test_zero_division(shell: Any, tmp_path: Path, convention: str, empty: float | None) -> None:
    gold = table(tmp_path / "gold.tsv", "item candidate", "p a")
    nothing = table(tmp_path / "nothing.tsv", "item candidate", "p null")
    ranked = table(tmp_path / "c.tsv", "item candidate rank", "p b 1")
    content = shell.json(
        "score", "--kind", "mapping", gold, ranked, nothing, "--zero-division", convention
    )
    mapped = content["mappings"]["nothing"]
    assert (mapped["precision"], mapped["recall"], mapped["accuracy"]) == (empty, 0, 0)
    assert content["candidates"]["recall_at"]["1"] == 0


def test_without_positives_recall_is_undefined_and_accuracy_is_not(
    shell: Any, tmp_path: Path
) -> None:
    gold = table(tmp_path / "gold.tsv", "item candidate", "p null")
    ranked = table(tmp_path / "c.tsv", "item candidate rank", "p b 1")
    content = shell.json(
        "score",
        "--kind",
        "mapping",
        gold,
        ranked,
        table(tmp_path / "m.tsv", "item candidate", "p a"),
    )
    mapped = content["mappings"]["m"]
    assert mapped["recall"] is content["candidates"]["mrr"] is None
    assert (mapped["precision"], mapped["accuracy"]) == (0, 0)
    _, out, _ = shell("score", "--kind", "mapping", gold, ranked)
    assert "MRR –" in out


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("candidates", ["item candidate rank", "p a 0"], "line 2: the rank is not a whole number"),
        ("candidates", ["item candidate rank", "p a 1.5"], "line 2: the rank is not a whole"),
        ("candidates", ["item candidate score", "p a nan"], "line 2: the score is not a finite"),
        ("candidates", ["item candidate rank", "p null 1"], "line 2: the candidate is empty"),
        ("candidates", ["item candidate"], "line 1: candidates need a column rank or score"),
        ("candidates", ["item candidate rank"], "has no query of the gold standard, such as 'p'"),
        ("candidates", ["item candidate rank", "p a 1", "p a 2"], "line 3: item 'p' has candidate"),
        ("candidates", ["item rank"], "line 1: no column candidate"),
        ("gold", ["item candidate", "p a", "p null"], "line 3: item 'p' has a candidate and null"),
        ("gold", ["item candidate"], "gold.tsv: the gold standard has no items below the header"),
        ("match", ["item candidate", "p a", "p b"], "line 3: item 'p' is mapped a second time"),
    ],
)
def test_bad_files_in_one_line(
    shell: Any, tmp_path: Path, name: str, lines: list[str], message: str
) -> None:
    files = {
        "gold": table(tmp_path / "gold.tsv", "item candidate", "p a"),
        "candidates": table(tmp_path / "candidates.tsv", "item candidate rank", "p a 1"),
        "match": table(tmp_path / "match.tsv", "item candidate", "p a"),
    }
    table(files[name], *lines)
    assert message in shell.refused("score", "--kind", "mapping", *files.values())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--at", "0"], "cut-off k = 0 is below 1"),
        (["--tie", "best"], "--tie 'best' is unknown: use one of average, min, max, stable"),
        (["--zero-division", "x"], "--zero-division 'x' is unknown"),
    ],
)
def test_mapping_refuses(shell: Any, options: list[str], message: str) -> None:
    assert message in shell.refused("score", "--kind", "mapping", GOLD, CANDIDATES, *options)


# retrieve -----------------------------------------------------------------------------------------


def test_retrieve_prints_the_rankings_of_metrics(shell: Any) -> None:
    task = bundled_task("petclinic")
    result = shell.run("score", task.source, task.target, task.reference, "--at", "1", "--verbose")
    assert result.returncode == 0
    assert only_cautions(result.stderr, verbose=True)
    rows = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line}
    assert len({"equality", "smoa", "jaro", "ngram"} & set(rows)) == 4
    assert float(rows["smoa"][0]) > float(rows["equality"][0])
    assert "the first 100 targets of each entity" in result.stderr


def test_retrieve_is_the_whole_matrix_ranked() -> None:
    def ontology(side: str, *names: str) -> Ontology:
        entities = [Entity(f"{side}#{i}", Kind.CLASS, (Label(n),)) for i, n in enumerate(names)]
        return Ontology("", {e.iri: e for e in entities})

    candidates = prepare(
        ontology("s", "heart", "lung", "kidney"),
        ontology("t", "hearts", "heart", "lunge"),
        Settings(),
    )
    reference = Alignment(
        [Correspondence("s#0", "t#0"), Correspondence("s#1", "t#2"), Correspondence("s#9", "t#1")]
    )
    got = retrieve(candidates, reference, get_metric("levenshtein"), cutoffs=[1, 2])
    assert got.recall_at == {1: pytest.approx(1 / 3), 2: pytest.approx(2 / 3)}
    assert got.mrr == pytest.approx((1 / 2 + 1) / 3)
    assert got.missing == ("s#9",)
    assert got.ignored == ()


def test_retrieve_agrees_with_the_library_on_library(shell: Any) -> None:
    from alignrank.matchers import similarity_matrix
    from alignrank.ontologies import load_ontology, read_alignment

    task = bundled_task("library")
    content = shell.json(
        "score", task.source, task.target, task.reference, "--metric", "smoa", "--tie", "max"
    )
    candidates = prepare(load_ontology(task.source), load_ontology(task.target), Settings())
    reference = read_alignment(task.reference)
    found: dict[str, Any] = {}
    for group in candidates.groups:
        matrix = similarity_matrix(group.source.names, group.target.names, get_metric("smoa"))
        found |= candidates_of(matrix, group.source.iris, group.target.iris, top=10**6)
    gold = gold_of(reference)
    expected = ranked_list_scores(
        gold, {i: found.get(i, ()) for i in gold}, ks=[1, 5, 10], tie="max"
    )
    got = content["metrics"]["smoa"]
    assert got["recall_at"] == {str(k): v for k, v in expected.recall_at.items()}
    assert got["mrr"] == pytest.approx(expected.mrr)


def test_retrieve_refuses(shell: Any) -> None:
    task = bundled_task("library")
    files = (task.source, task.target, task.reference)
    assert "metric" in shell.refused("score", *files, "--metric", "nonsense")
    assert "below 1" in shell.refused("score", *files, "--metric", "equality", "--at", "0")
    complaint = shell.refused("score", task.target, task.source, task.reference)
    assert "swapping source and target mends it" in complaint


TAXONOMY = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
 xml:base="http://example.org/place"><owl:Ontology rdf:about=""/>
{}</rdf:RDF>"""


def taxonomy(path: Path, **parents: str) -> Path:
    classes = "".join(
        f'<owl:Class rdf:about="#{name}">'
        + (f'<rdfs:subClassOf rdf:resource="#{parent}"/>' if parent else "")
        + "</owl:Class>"
        for name, parent in parents.items()
    )
    path.write_text(TAXONOMY.format(classes), "utf-8")
    return path


@pytest.fixture
def places(tmp_path: Path) -> Path:
    return taxonomy(tmp_path / "place.owl", City="Location", Country="Location", Location="")


def test_two_classes(shell: Any, places: Path) -> None:
    content = shell.json("score", places, "City", "location")
    # n1 = n2 = 2 edges from a leaf to the virtual root, BR = 2 / ((2 + 1) / 2)
    assert content["branching"] == pytest.approx(4 / 3)
    assert content["bdm"] == pytest.approx((4 / 3 / 2) / (4 / 3 / 2 + 1 / 2))
    assert content["learning_accuracy"] == 1
    code, out, _ = shell("score", places, "City", "Location")
    assert code == 0
    assert out.splitlines()[0] == "BDM 0.5714, learning accuracy 1.0000"
    assert "most specific common class: Location; CP 1, DPK 1, DPR 0" in out
    given = shell.json("score", places, "City", "Location", "--n1", "1")
    assert given["bdm"] == pytest.approx((4 / 3) / (4 / 3 + 1 / 2))


def test_two_files_list_every_pair(shell: Any, places: Path, tmp_path: Path) -> None:
    key = table(tmp_path / "key.tsv", "item class", "Sochi City", "Rome City", "Oslo null")
    response = table(
        tmp_path / "found.tsv", "item class", "Sochi Location", "Oslo City", "Rome City"
    )
    content = shell.json("score", places, key, response)
    pairs = {p["item"]: (p["key"], p["response"], p["bdm"]) for p in content["pairs"]}
    city, location = (f"http://example.org/place#{n}" for n in ("City", "Location"))
    assert pairs == {
        "Oslo": (None, city, 0),
        "Rome": (city, city, 1),
        "Sochi": (city, location, pytest.approx(4 / 7)),
    }
    assert content["augmented"]["precision"] == pytest.approx((1 + 4 / 7) / 3)
    assert content["augmented"]["recall"] == pytest.approx((1 + 4 / 7) / 2)
    assert content["exact"] == {
        "precision": pytest.approx(1 / 3),
        "recall": 0.5,
        "f1": pytest.approx(0.4),
    }
    _, out, _ = shell("score", places, key, response)
    assert "3 pairs; 0 keys missing, 1 response spurious" in out
    assert out.startswith("augmented by BDM: precision 0.524, ")
    assert out.splitlines()[4].split() == ["Oslo", "–", "City", "0.0000", "0.0000"]


def test_a_cycle_is_one_class_and_reported(shell: Any, tmp_path: Path) -> None:
    path = taxonomy(tmp_path / "ring.owl", A="B", B="A", C="A")
    content = shell.json("score", path, "A", "B")
    assert content["bdm"] == content["learning_accuracy"] == 1
    (note,) = content["cautions"]
    assert note.startswith("a cycle was taken as one class: ")
    code, _, errors = shell("score", path, "C", "B")
    assert code == 0
    assert "! a cycle was taken as one class" in errors


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        ("Town", "City", "is called 'Town'"),
        ("key.tsv", "City", "give two classes or two files"),
        ("key.tsv", "odd.tsv", "odd.tsv, line 2: class 'Town' is not in the ontology"),
    ],
)
def test_concepts_refuses(
    shell: Any,
    places: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    response: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    table(tmp_path / "key.tsv", "item class", "Sochi City")
    table(tmp_path / "odd.tsv", "item class", "Sochi Town")
    assert message in shell.refused("score", places, key, response)
    assert "n1 0.0 is unknown" in shell.refused("score", places, "City", "City", "--n1", "0")
