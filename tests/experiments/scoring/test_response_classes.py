"""`alignrank score` of concepts: how near response classes are to key classes; what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def table(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(line.replace(" ", "\t") for line in lines) + "\n", "utf-8")
    return path


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
    assert out.splitlines()[1].split() == ["Oslo", "–", "City", "0.0000", "0.0000"]


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
