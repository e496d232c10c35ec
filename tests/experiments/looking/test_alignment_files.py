"""Converting, checking and diagnosing alignment files from the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from alignrank.evaluation.measures.logic import reasoner
from alignrank.evaluation.multitask import read_track
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    NegatedCorrespondence,
    load_ontology,
    load_pair,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import NO_TERM
from alignrank.ontologies.loading.merging import merge_ontologies
from alignrank.ontologies.tasks import BUNDLED, bundled_task
from alignrank.ontologies.vocabulary import OWL, RDFS, SKOS

LIBRARY = bundled_task("library")


@pytest.mark.parametrize("ending", [".sssom.tsv", ".csv", ".tsv", ".jsonl"])
def test_there_and_back_again_loses_nothing(shell: Any, tmp_path: Path, ending: str) -> None:
    for name in ("library", "petclinic"):  # petclinic's reference holds <, > and ?
        reference = bundled_task(name).reference
        there, back = tmp_path / f"{name}{ending}", tmp_path / f"{name}.rdf"
        assert shell.run("convert", reference, there).returncode == 0
        assert shell.run("convert", there, back).returncode == 0
        assert read_alignment(back) == read_alignment(reference)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_sssom_says_what_the_reference_says(name: str) -> None:
    reference = bundled_task(name).reference
    sssom = read_alignment(reference.with_name("reference.sssom.tsv"))
    assert sssom == read_alignment(reference)
    assert sssom.metadata["mapping_justification"] == "semapv:ManualMappingCuration"
    assert "apache.org" in sssom.metadata["license"]


def test_convert_refuses_to_replace_and_unknown_endings(shell: Any, tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    out.write_text("mine")
    result = shell.run("convert", LIBRARY.reference, out)
    assert result.returncode == 2
    assert out.read_text() == "mine"
    result = shell.run("convert", LIBRARY.reference, tmp_path / "a.docx")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1


def test_convert_says_that_repeated_cells_are_merged(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("entity1,entity2,confidence\na#x,b#y,0.5\na#x,b#y,0.7\n")
    result = shell.run("convert", table, tmp_path / "a.jsonl")
    assert result.returncode == 0
    assert "note: cells that repeat another are merged, by the highest confidence: 1" in (
        result.stdout
    )


def test_check_tells_by_its_exit_code(shell: Any, tmp_path: Path) -> None:
    assert shell.run("check", LIBRARY.reference).returncode == 0
    text = LIBRARY.reference.read_text()
    cell = text[text.index("<map>") : text.index("</map>") + 6]
    double = tmp_path / "double.rdf"
    double.write_text(text.replace("<map>", cell + "<map>", 1))
    result = shell.run("check", double)
    assert result.returncode == 1
    assert "repeat another: 1" in result.stdout
    entities = [LIBRARY.source, LIBRARY.target]
    assert shell.run("check", *entities, LIBRARY.reference).returncode == 0
    assert shell.run("check", *entities, bundled_task("vehicles").reference).returncode == 1


def test_check_finds_and_mends_a_changed_namespace(shell: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.rdf"
    text = LIBRARY.alignments["system_good"].read_text()
    broken.write_text(
        text.replace("http://example.org/library/lending#", "https://example.org/library/lending/")
    )
    files = [LIBRARY.source, LIBRARY.target, LIBRARY.reference]
    result = shell.run("check", *files, broken)
    assert result.returncode == 1
    assert "http and https" in result.stdout or "https" in result.stdout
    assert "--fix" in result.stdout
    result = shell.run("check", *files, broken, "--fix", "--out", tmp_path / "mended")
    mended = read_alignment(tmp_path / "mended" / "broken.rdf")
    assert mended.keys == read_alignment(LIBRARY.alignments["system_good"]).keys
    result = shell.run("check", *files, LIBRARY.alignments["system_good"])
    assert result.returncode == 0, result.stdout


def test_check_finds_swapped_ontologies(shell: Any) -> None:
    result = shell.run("check", LIBRARY.target, LIBRARY.source, LIBRARY.reference)
    assert result.returncode == 1
    assert "swap" in result.stdout


def test_a_name_with_missing_in_it_loses_no_caution(tmp_path: Path) -> None:
    for folder, side in (("references", "a"), ("systems", "foreign")):
        (tmp_path / folder).mkdir()
        found = Alignment([Correspondence(f"http://{side}#x", f"http://{side}#y")])
        name = "cmt-ekaw" if folder == "references" else "missingX-cmt-ekaw"
        write_alignment(found, tmp_path / folder / f"{name}.rdf")
    track = read_track(tmp_path / "systems", tmp_path / "references", on_mismatch="zero")
    assert track.cautions == (
        "1 result foreign to the reference (missingX/cmt-ekaw): counted as 0.",
    )


ALIGNRANK = Path(sys.executable).with_name("alignrank")
FOOD = bundled_task("foodchain")
BAD = FOOD.reference.parent / "alignments" / "system_bad.rdf"


def test_what_breaks_comes_first_then_who_did_it(tmp_path: Path) -> None:
    """The installed command, where there is no Java."""
    out = tmp_path / "merged.ttl"
    done = subprocess.run(
        [ALIGNRANK, "merge", FOOD.source, FOOD.target, BAD, "--out", out],
        env={**os.environ, "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "breaks 6 of 108 classes, by rustdl; to blame: 2 correspondences" in lines[0]
    assert "pears = pork" in done.stdout
    assert "triples, all read back" in lines[-1]
    assert len(load_ontology(out)) >= 108


def test_json_and_no_silent_replacement(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasoner, "installed_reasoner", lambda: None)
    out = tmp_path / "merged.owl"
    one, two = tmp_path / "a.ttl", tmp_path / "b.ttl"
    for path, name in ((one, "a"), (two, "b")):
        path.write_text(f"<http://{name}#X> a <http://www.w3.org/2002/07/owl#Class> .")
    aligned = tmp_path / "mine.csv"
    aligned.write_text("entity1,entity2,relation,confidence\nhttp://a#X,http://b#X,=,0.5\n")
    done = shell.run("--json", "merge", one, two, aligned, "-o", out, "--join")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["correspondences"], found["joined"], found["unsatisfiable"]) == (1, 1, [])
    assert "http://a#X" in load_ontology(out)
    assert "http://b#X" not in load_ontology(out)
    again = shell.run("merge", one, two, aligned, "--out", out)
    assert again.returncode == 2
    assert "add --overwrite" in again.stderr


def test_merge_refuses_files_that_it_cannot_write_before_it_writes_any(
    shell: Any, tmp_path: Path
) -> None:
    task, out = bundled_task("library"), tmp_path / "merged.owl"
    merge = ("merge", task.source, task.target, task.reference, "--out", out, "--repaired")
    assert f"--out and --repaired are both {out}" in shell.refused(*merge, out)
    # judged by the file that it has replaced, the merged ontology would break nothing
    target = tmp_path / "target.owl"
    target.write_bytes(task.target.read_bytes())
    into = ("merge", task.source, target, task.reference, "--overwrite", "--out", target)
    assert "is one of the files to merge" in shell.refused(*into)
    assert target.read_bytes() == task.target.read_bytes()
    assert "repaired.txt names no alignment format" in shell.refused(
        *merge, tmp_path / "repaired.txt"
    )
    assert not out.exists()


NEGATIVE = """#curie_map:
#  a: http://a#
#  b: http://b#
subject_id\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification\tauthor_id
a:1\tskos:exactMatch\t\tb:1\tsemapv:ManualMappingCuration\t
a:2\towl:equivalentClass\tNot\tb:2\tsemapv:ManualMappingCuration\torcid:1
a:3\tskos:exactMatch\tNot\tb:3\tsemapv:ManualMappingCuration\torcid:2
a:3\tskos:broadMatch\t\tb:3\tsemapv:ManualMappingCuration\t
"""


def test_convert_keeps_negations_and_counts_those_that_it_cannot(
    shell: Any, tmp_path: Path
) -> None:
    path = tmp_path / "a.sssom.tsv"
    path.write_text(NEGATIVE)
    for ending in (".sssom.tsv", ".csv", ".jsonl"):
        there, back = tmp_path / f"there{ending}", tmp_path / f"back{ending}.sssom.tsv"
        assert "2 correspondences, 2 negated correspondences: " in shell.printed(
            "convert", path, there
        )
        shell.printed("convert", there, back)
        rows = [row.split("\t") for row in back.read_text().splitlines() if "\tNot\t" in row]
        assert [[row[0], row[1], row[-1]] for row in rows] == [
            ["a:2", "owl:equivalentClass", "orcid:1"],
            ["a:3", "skos:exactMatch", "orcid:2"],
        ]
    said = shell.printed("convert", path, tmp_path / "there.rdf")
    assert "note: negated correspondences have no place in there.rdf: 2, left out" in said
    assert read_alignment(tmp_path / "there.rdf").keys == read_alignment(path).keys


def test_check_counts_negated_correspondences(shell: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.sssom.tsv"
    path.write_text(NEGATIVE)
    said = shell.printed("check", path)
    assert "nothing to mend, 2 notes" in said  # the other is of the column author_id
    assert "negated correspondences: 2;" in " ".join(said.split())


@pytest.mark.parametrize("join", [(), ("--join",)])
def test_merge_writes_no_axiom_of_a_negation(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, join: tuple[str, ...]
) -> None:
    monkeypatch.setattr(reasoner, "installed_reasoner", lambda: None)
    path, out = tmp_path / "a.sssom.tsv", tmp_path / "merged.nt"
    path.write_text(NEGATIVE)
    one, two = tmp_path / "a.ttl", tmp_path / "b.ttl"
    for file, name in ((one, "a"), (two, "b")):
        classes = (f"<http://{name}#{k}> a <{OWL}Class> .\n" for k in (1, 2, 3))
        file.write_text("".join(classes))
    result = shell.run("merge", one, two, path, "--out", out, *join)
    assert result.returncode == 0, result.stderr
    assert "2 correspondences left out: negated" in " ".join(result.stderr.split())
    text = out.read_text()
    assert f"<http://a#3> <{RDFS}subClassOf> <http://b#3>" in text
    assert "disjointWith" not in text
    assert "http://a#2> <http://www.w3.org/2002/07/owl#equivalentClass" not in text
    assert text.count(f"<{OWL}equivalentClass> <http://b#1>") == (0 if join else 1)
    assert "http://b#2> <http://purl.org/dc/terms/replaces" not in text
    assert "replaces> <http://b#2>" not in text


def test_a_check_names_the_options_of_the_command_line(tmp_path: Path, shell: Any) -> None:
    printed = shell.printed("check", LIBRARY.source, LIBRARY.target)
    assert "If a property holds their names, give its IRI (--label-property)" in printed


def test_no_mended_file_takes_the_place_of_another(shell: Any, tmp_path: Path) -> None:
    text = LIBRARY.reference.read_text().replace("http://example.org", "https://example.org")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.rdf").write_text(text)
    files = [tmp_path / folder / "mine.rdf" for folder in ("a", "b")]
    out = tmp_path / "mended"
    fix = ("check", LIBRARY.source, LIBRARY.target, *files, "--fix", "--overwrite", "--out", out)
    done = shell.run(*fix)
    assert done.returncode == 2
    assert "two of the files to mend are called mine.rdf" in done.stderr
    assert not out.exists()


def test_merge_says_what_the_repaired_alignment_cannot_hold(shell: Any, tmp_path: Path) -> None:
    aligned, out = tmp_path / "mine.csv", tmp_path / "merged.ttl"
    negated = NegatedCorrespondence("http://a#x", "http://b#x", f"{SKOS}exactMatch", "=")
    write_alignment(Alignment(read_alignment(LIBRARY.reference), negated=[negated]), aligned)
    repaired = tmp_path / "repaired.rdf"
    merge = ("merge", LIBRARY.source, LIBRARY.target, aligned, "--out", out)
    done = shell.run(*merge, "--repaired", repaired)
    assert "no place in repaired.rdf: 1, left out" in " ".join(done.stderr.split())


def test_merge_writes_no_axiom_of_an_entity_without_a_match() -> None:
    source, target = load_pair(LIBRARY.source, LIBRARY.target)
    stated = read_alignment(LIBRARY.reference)
    first = next(iter(stated))
    no_match = NegatedCorrespondence(first.entity1, NO_TERM, f"{SKOS}exactMatch", "=")
    merged = merge_ontologies(source, target, Alignment(stated, negated=[no_match]))
    assert first not in merged.used
    assert merged.left_out["stated, but negated by the same alignment"] == 1
