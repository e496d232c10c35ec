"""The command `match`: what it keeps of a corrected mapping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.common.executor import Cluster, using
from alignrank.ontologies import read_alignment, write_alignment
from alignrank.ontologies.alignment import COMMENT, JUSTIFICATION
from alignrank.ontologies.curation import CURATED
from alignrank.ontologies.tasks import bundled_task, bundled_tasks

TASK = bundled_task("library")
MARKED, ACCEPTED = {COMMENT: "marked"}, {JUSTIFICATION: CURATED}


def test_the_command_keeps_decisions_and_names_what_is_wrong(tmp_path: Path, shell: Any) -> None:
    path, again = tmp_path / "ab.sssom.tsv", tmp_path / "again.sssom.tsv"
    files = TASK.source, TASK.target
    shell.printed("match", *files, "--out", path)
    refusal = shell.refused("match", *files, "--from", path)
    assert "accepts and rejects nothing" in refusal
    lines = path.read_text("utf-8").splitlines()
    row = next(k for k, line in enumerate(lines) if "\tsemapv:" in line)
    lines[row] = "\t".join(
        CURATED if field.startswith("semapv:") else field for field in lines[row].split("\t")
    )
    path.write_text("\n".join(lines) + "\n", "utf-8")
    printed = shell.printed("match", *files, "--from", path, "--out", again)
    assert printed.startswith("35 correspondences between 60 source and 72 target entities.")
    lines = " ".join(printed.split())
    assert "and neighbours; probability at least 0.5." in lines
    assert f"Next: alignrank show {again} {TASK.source} {TASK.target} --open" in lines
    assert f"Kept from {path}: 1 accepted, 0 rejected" in " ".join(printed.split())
    assert read_alignment(again).pairs == read_alignment(path).pairs
    assert again.read_text("utf-8").count(CURATED) == 1
    refusal = shell.refused("match", *reversed(files), "--from", path)
    assert "swap the ontologies?" in refusal


def test_a_corrected_mapping_keeps_its_threshold_and_its_marks(tmp_path: Path, shell: Any) -> None:
    path, again = tmp_path / "ab.sssom.tsv", tmp_path / "again.sssom.tsv"
    files = TASK.source, TASK.target
    shell.printed("match", *files, "-t", "0.05", "--out", path)
    before = read_alignment(path)
    unsure = sorted(before, key=lambda c: c.confidence)
    assert unsure[0].confidence < 0.5
    accepted, marked = unsure[-1], unsure[:2]
    remarks = {c.pair: MARKED for c in marked} | {accepted.pair: ACCEPTED}
    corrected = (
        replace(c, extra=tuple({**dict(c.extra), **remarks.get(c.pair, {})}.items()))
        for c in before
    )
    write_alignment(before.with_correspondences(corrected), path)
    printed = " ".join(shell.printed("match", *files, "--from", path, "--out", again).split())
    assert f"Kept from {path}: 1 accepted, 0 rejected, threshold 0.05." in printed
    assert "probability at least 0.05." in printed
    after = read_alignment(again)
    assert after.pairs == before.pairs
    assert {c.pair for c in after if dict(c.extra).get(COMMENT)} == {c.pair for c in marked}
    page = tmp_path / "again.html"
    shell.printed("show", again, *files, "--out", page)
    assert page.read_text("utf-8").count('"marked"') > 2
    higher = tmp_path / "higher.sssom.tsv"
    arguments = "match", *files, "--from", path, "-t", "0.5", "--out", higher
    printed = " ".join(shell.printed(*arguments).split())
    lost = len(before.pairs - read_alignment(higher).pairs)
    assert lost > 1
    assert printed.count("not proposed again: ") == lost


CLASSES = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://v.org/note> a owl:Class ; rdfs:label "note" .
<http://{0}.org/1> a owl:Class ; rdfs:label "heart" .
<http://{0}.org/2> a owl:Class ; rdfs:label "lung" .
"""


def test_entities_of_one_iri_are_told_apart(tmp_path: Path, shell: Any) -> None:
    files = tmp_path / "a.ttl", tmp_path / "b.ttl"
    for path in files:
        path.write_text(CLASSES.format(path.stem), "utf-8")
    printed = " ".join(shell.printed("match", *files).split())
    assert printed.startswith("3 correspondences")
    assert "Same IRI in both: 1 of these correspondences, not in the table (note)" in printed
    own = {("http://a.org/1", "http://b.org/1"), ("http://a.org/2", "http://b.org/2")}
    shared = {("http://v.org/note",) * 2}
    for way, expected in (("keep", own | shared), ("drop", own), ("only", shared)):
        out = tmp_path / f"{way}.rdf"
        shell.printed("match", *files, "--shared", way, "--metric", "equality", "--out", out)
        assert read_alignment(out).pairs == expected
    reference = tmp_path / "drop.rdf"
    ranked = shell.run("rank", *files, reference, "--metric", "equality", "--metric", "ngram")
    assert "1 entity with the same IRI on both sides: left out of the ranking" in ranked.stderr


def test_structure_is_left_out_where_asked(tmp_path: Path, shell: Any) -> None:
    out = tmp_path / "names.sssom.tsv"
    files = TASK.source, TASK.target
    printed = shell.printed("match", *files, "--no-structure", "--out", out)
    assert "Method: combined on labels and synonyms (words); probability" in printed
    assert "structure=no" in out.read_text("utf-8")
    whole = shell.printed("match", *files).splitlines()[0]
    assert printed.splitlines()[0] != whole
    for arguments in (("--no-structure",), ("--wordnet", tmp_path)):
        refusal = shell.refused("match", *files, *arguments, "--metric", "ngram")
        assert "wordnet and structure are for the default metric" in refusal
    assert "data.noun is missing" in shell.refused("match", *files, "--wordnet", tmp_path)


def test_what_cannot_be_written_or_contradicts_a_task_is_refused_before_the_work(
    shell: Any, tmp_path: Path
) -> None:
    files = TASK.source, TASK.target
    refusal = shell.refused("match", *files, "--task", "library")
    assert "--task library names the files itself: leave its ontologies and" in refusal
    with pytest.raises(ValueError, match='task="library" names the files itself'):
        ar.rank(*files, TASK.reference, task="library")
    with pytest.raises(ValueError, match='task="library" names the files itself'):
        ar.compare(task="library", source=TASK.source)
    refusal = shell.refused("match", *files, "--metric", "nosuch", "--out", tmp_path / "x.txt")
    assert "x.txt names no alignment format" in refusal
    assert f"--wordnet {tmp_path}: data.noun is missing" in shell.refused(
        "match", *files, "--wordnet", tmp_path
    )


@pytest.mark.parametrize("further", [(), ("--tiles", "--threshold", "0.8")])
def test_an_order_without_an_assignment_is_refused(shell: Any, further: Sequence[str]) -> None:
    """It stood in the file, and nothing followed it."""
    match = ("match", "--task", "library", "--order", "cut-then-assign", *further)
    assert "'combined' chooses its pairs itself: leave --order cut-then" in shell.refused(*match)
    assert "cut-then-assign)" in shell.printed(*match, "--assignment", "hungarian")


@pytest.mark.parametrize("option", ["--assignment=greedy", "--order=cut-then-assign", "--tiles"])
def test_what_candidates_do_not_follow_is_refused(shell: Any, tmp_path: Path, option: str) -> None:
    match = ("match", "--task", "library", "--candidates", 2, "--out", tmp_path / "a.csv")
    assert "--candidates compares all pairs and assigns none" in shell.refused(*match, option)


def test_settings_that_no_cluster_takes_are_refused_before_one_starts(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_: Cluster) -> None:
        raise AssertionError("the cluster is started")

    monkeypatch.setattr(Cluster, "used", start)
    files = TASK.source, TASK.target
    match = ("match", *files, "--metric", "jaro", "--workers", 2)
    assert "choose the order cut-then-assign" in shell.refused(*match)
    unfit = shell.refused(*match, "--order", "cut-then-assign", "--no-tiles")
    assert "a cluster (--workers) computes in tiles: leave out --no-tiles" in unfit
    rank = ("rank", *files, TASK.reference, "--workers", 2)
    assert "choose a threshold above 0" in shell.refused(*rank)


OBO = """format-version: 1.2
data-version: {0}-2025
ontology: {0}

[Term]
id: {0}:1
name: heart
def: "An organ." []
alt_id: {0}:9

[Typedef]
id: part_of
name: part of
xref: BFO:0000050
"""


def test_terms_of_vocabularies_are_no_mappings_and_versions_are_stated(
    tmp_path: Path, shell: Any
) -> None:
    files = tmp_path / "a.obo", tmp_path / "b.obo"
    for path, name in zip(files, ("AA", "EHDAA2"), strict=True):
        path.write_text(OBO.format(name), "utf-8")
    out = tmp_path / "ab.sssom.tsv"
    shell.printed("match", *files, "--out", out)
    text = out.read_text("utf-8")
    rows = [line.split("\t")[0] for line in text.splitlines() if "exactMatch" in line]
    assert rows == ["AA:1", "BFO:0000050"]
    assert "EHDAA2:1" in text
    versions = read_alignment(out).metadata
    assert versions["subject_source_version"] == "AA-2025"
    assert versions["object_source_version"] == "EHDAA2-2025"


def test_rows_of_terms_that_are_gone_count_nowhere(tmp_path: Path, shell: Any) -> None:
    stanza = "[Term]\nid: {0}:{1}\nname: {2}\n{3}\n"

    def obo(prefix: str, lung: str = "") -> Path:
        terms = (stanza.format(prefix, 1, "heart", ""), stanza.format(prefix, 2, "lung", lung))
        path = tmp_path / f"{prefix}{len(lung)}.obo"
        path.write_text("\n".join((f"ontology: {prefix}\n", *terms)), "utf-8")
        return path

    source, target, later = obo("AA"), obo("BB"), obo("AA", "is_obsolete: true")
    first, second, rdf = (tmp_path / name for name in ("1.sssom.tsv", "2.sssom.tsv", "2.rdf"))
    shell.printed("match", source, target, "--out", first)
    text = first.read_text("utf-8")
    assert "semapv:LexicalMatching" in text
    first.write_text(text.replace("semapv:LexicalMatching", CURATED), "utf-8")
    matched = shell.printed("match", later, target, "--from", first, "--out", second)
    assert "1 accepted, 0 rejected" in matched
    assert "0 of 1 pair are new" in matched
    page = tmp_path / "page.html"
    shown = shell.printed("show", second, later, target, "--out", page)
    assert "Decided: 1 accepted, 0 rejected" in shown
    assert "is it the ontology that was matched" not in shown
    for printed in (matched, shown):
        assert printed.startswith("1 correspondence between 1 source and 2 target entities")
        assert "1 row of terms that are gone is kept aside" in printed
        assert "Not matched: 1 of 2 target entities (lung)" in printed
    assert '"curie":"AA:2"' in page.read_text("utf-8").replace(": ", ":")
    assert "left out" in shell.printed("convert", second, rdf)
    assert [c.entity1[-1] for c in read_alignment(rdf)] == ["1"]


def test_workers_match_the_tasks_of_a_track_as_one_process_does(tmp_path: Path, shell: Any) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install '.[distributed]'"
    )
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    printed = shell.printed("match", "--task", "bundled", "--out", alone)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as started,
        distributed.Client(started, set_as_default=False) as client,
        using(client),
    ):
        assert shell.printed("match", "--task", "bundled", "--out", shared) == printed.replace(
            str(alone), str(shared)
        )
    names = [f"combined-{task.name}.rdf" for task in bundled_tasks()]
    assert sorted(path.name for path in alone.iterdir()) == sorted(names)
    for name in names:
        assert (alone / name).read_bytes() == (shared / name).read_bytes()
    refusal = shell.refused("match", "--task", "bundled")
    assert "--task bundled is 5 tasks: name one, as bundled/" in refusal
