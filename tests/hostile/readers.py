"""Every kind of file that is read: the grammar that makes it, its name, and who reads it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from alignrank.evaluation import read_clusters
from alignrank.evaluation.comparison.answers import read_answers, read_counts
from alignrank.evaluation.judged.judgements import read_judgements
from alignrank.evaluation.measures.retrieval.candidate_files import read_candidates
from alignrank.evaluation.measures.retrieval.gold_files import (
    read_choices,
    read_gold,
    read_queries,
)
from alignrank.evaluation.multitask.score_table import read_scores
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.looking.show_results import TABLES, show_results
from alignrank.experiments.ranking.join import read_table
from alignrank.experiments.scoring.score_files import read_weights
from alignrank.matchers.by_name import imported_metric
from alignrank.matchers.metrics import plain_matrix
from alignrank.ontologies import Alignment, load_ontology, read_alignment, write_alignment
from alignrank.ontologies.formats import WRITABLE
from alignrank.ontologies.formats.delimited import beside
from tests.hostile import grammars, mutations

#: A case is mostly of some kilobytes; of so many, one may be as large as this.
_SIZES = {1: 10_000, 20: 200_000, 150: 3_000_000}


class Kind(NamedTuple):
    """A kind of file: what makes it, what it is called, and what reads it."""

    grammar: Callable[[grammars.Draw], str]
    name: str
    read: Callable[[Path], object]
    spoil: bool = True


def _alignment(path: Path) -> Alignment:
    """Read an alignment; what can be read can be written in every format, and comes back."""
    alignment = read_alignment(path)
    for name, form in WRITABLE.items():
        copy = path.with_name(f"copy{form.endings[0]}")
        write_alignment(alignment, copy)
        copied = read_alignment(copy)
        assert list(copied) == list(alignment), f"{name} loses what {path.name} states"
    return alignment


def _table_with_metadata(path: Path) -> Alignment:
    table = path.with_name("table.csv")
    table.write_text("entity1,entity2\nhttp://a#x,http://b#y\n")
    path.rename(beside(table))
    return read_alignment(table)


def _table_with_yaml(path: Path) -> Alignment:
    """Read an SSSOM table beside whose file hostile metadata lie."""
    table = path.with_suffix(".tsv")
    table.write_text(
        "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
        "a:x\tskos:exactMatch\thttp://b#y\tsemapv:LexicalMatching\n"
    )
    return _alignment(table)


def _questions(path: Path) -> object:
    return read_judgements(read_alignment(path))


def _importing(path: Path) -> object:
    """Read an ontology in whose folder of imports a hostile file lies."""
    above = path.with_name("importing.ttl")
    above.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://o> a owl:Ontology ; owl:imports "
        "<http://a.org/o>, <http://p/hostile> . <http://o#A> a owl:Class .\n"
    )
    folder = path.with_name("imports")
    folder.mkdir(exist_ok=True)
    path.rename(folder / path.name)
    return load_ontology(above, imports=folder)


def _with_catalog(path: Path) -> object:
    """Read an ontology beside which a hostile catalog says where its import lies."""
    ontology = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://o#A> a owl:Class .\n"
    path.with_name("imported.ttl").write_text(ontology)
    importing = path.with_name("importing.ttl")
    importing.write_text(f"{ontology}<http://o> a owl:Ontology ; owl:imports <http://a.org/o> .\n")
    return load_ontology(importing)


def _strings(path: Path) -> object:
    table = read_table(path, "name")
    return list(table.strings)


def _metric(path: Path) -> object:
    """Let a metric of the user's own see some strings."""
    sys.path.insert(0, str(path.parent))
    try:
        metric = imported_metric(f"{path.stem}:f")
        return plain_matrix(metric.similarity, ["heart", ""], ["lung", "heart"])
    finally:
        sys.path.remove(str(path.parent))
        sys.modules.pop(path.stem, None)


def _results(path: Path) -> object:
    """Show a hostile summary, and all its tables."""
    show_results(path.parent)
    for table in TABLES:
        with suppress(ExperimentError):  # not all results have all tables
            show_results(path.parent, table=table, out=path.with_name(f"{table}.tex"))
    return None


#: Every kind, by the name of its category.
KINDS = {
    "alignment RDF": Kind(grammars.alignment_rdf, "hostile.rdf", _alignment),
    "SSSOM": Kind(grammars.sssom, "hostile.sssom.tsv", _alignment),
    "CSV and TSV": Kind(grammars.table_of_cells, "hostile.csv", _alignment),
    "JSON Lines": Kind(grammars.json_lines, "hostile.jsonl", _alignment),
    "LogMap text": Kind(grammars.logmap, "hostile.txt", _alignment),
    "metadata beside a table": Kind(grammars.metadata_beside, "hostile.json", _table_with_metadata),
    "RDF/XML": Kind(grammars.rdf_xml, "hostile.owl", load_ontology),
    "OWL/XML": Kind(grammars.owl_xml, "hostile.owx", load_ontology),
    "Turtle": Kind(grammars.turtle, "hostile.ttl", load_ontology),
    "N-Triples": Kind(grammars.n_triples, "hostile.nt", load_ontology),
    "JSON-LD": Kind(grammars.json_ld, "hostile.jsonld", load_ontology),
    "functional syntax": Kind(grammars.functional, "hostile.ofn", load_ontology),
    "Manchester syntax": Kind(grammars.manchester, "hostile.omn", load_ontology),
    "OBO": Kind(grammars.obo, "hostile.obo", load_ontology),
    "SKOS": Kind(grammars.skos, "hostile.skos", load_ontology),
    "imports": Kind(grammars.imported, "hostile.owl", _importing),
    "scores": Kind(grammars.scores, "hostile.csv", read_scores),
    "counts": Kind(grammars.counts, "hostile.csv", read_counts),
    "candidates": Kind(grammars.candidates, "hostile.tsv", read_candidates),
    "ranking": Kind(grammars.ranking, "hostile.run", read_candidates),
    "judgements": Kind(grammars.judgements, "hostile.qrels", read_queries),
    "SSSOM/JSON": Kind(grammars.sssom_json, "hostile.sssom.json", _alignment),
    "SSSOM metadata": Kind(grammars.sssom_metadata, "hostile.sssom.yml", _table_with_yaml),
    "links": Kind(grammars.links, "hostile.ttl", _alignment),
    "catalog of imports": Kind(grammars.catalog, "catalog-v001.xml", _with_catalog),
    "items": Kind(grammars.items, "hostile.csv", read_answers),
    "strings": Kind(grammars.strings, "hostile.csv", _strings),
    "questions": Kind(grammars.questions, "hostile.sssom.tsv", _questions),
    "gold": Kind(grammars.gold, "hostile.tsv", read_gold),
    "mapping": Kind(grammars.mapping, "hostile.tsv", read_choices),
    "clusters": Kind(grammars.clusters, "hostile.tsv", read_clusters),
    "weights": Kind(grammars.weights, "hostile.json", read_weights),
    "metric module": Kind(grammars.metric_module, "hostile.py", _metric, spoil=False),
    "results summary": Kind(grammars.summary, "summary.json", _results, spoil=False),
}


class Case(NamedTuple):
    """A hostile file."""

    category: str
    data: bytes


def cases(number: int, seed: int, categories: Sequence[str] = tuple(KINDS)) -> Iterator[Case]:
    """Yield hostile files, of one category after the other: the same for the same seed."""
    for k in range(number):
        category = categories[k % len(categories)]
        yield hostile_file(category, k // len(categories), seed)


def hostile_file(category: str, number: int, seed: int) -> Case:
    """Return one case: the same, whatever else is tried."""
    draw = grammars.Draw(f"{seed}/{category}/{number}")
    kind = KINDS[category]
    text = kind.grammar(draw)
    if not kind.spoil:  # code that runs may not become other code
        return Case(category, text.encode("utf-8", errors="surrogatepass"))
    largest = max(size for odds, size in _SIZES.items() if draw.rarely(odds))
    other = draw.choice([one.grammar for one in KINDS.values()])
    return Case(category, mutations.spoiled(draw, text, partial(other, draw), largest))
