"""A quick look at an ontology or a mapping (`alignrank show`), and at names of options (`list`).

Of a mapping also a page to correct it.
"""

from __future__ import annotations

import shlex
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from alignrank.common.errors import MatcherError
from alignrank.common.files import unpacked_name, write_text
from alignrank.common.names import Pair, count, first_of, hint, one_line, short
from alignrank.common.table import Table
from alignrank.evaluation import CLUSTER_TESTS, CORRECTIONS, MEASURES, TESTS
from alignrank.evaluation.measures.balanced_distance import Chains
from alignrank.evaluation.multitask import POSTHOC_TESTS
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.input_cautions import ontology_cautions
from alignrank.experiments.inputs.kinds_of_files import serves_as
from alignrank.experiments.inputs.named_inputs import labels
from alignrank.experiments.ranking.matching import print_mapping, several_partners
from alignrank.experiments.report.console import (
    console,
    finish,
    print_cautions,
    print_prose,
    print_table,
    say,
)
from alignrank.experiments.report.pairs_page import review_page
from alignrank.matchers import get_metric, metrics_table, prepare
from alignrank.matchers.by_name import FAMILIES
from alignrank.matchers.matcher import scores_pairs
from alignrank.matchers.settings import DEFAULT_METRIC
from alignrank.ontologies import (
    Alignment,
    Entity,
    Hierarchy,
    Kind,
    KindCounts,
    Ontology,
    load_ontology,
    load_pair,
    read_alignment,
)
from alignrank.ontologies.alignment import OBJECT_LABEL, SUBJECT_LABEL, with_labels
from alignrank.ontologies.curation import current_rows, decisions_of
from alignrank.ontologies.formats.delimited import is_joined_file, joined_tables

#: Entities of each kind that are shown.
_EXAMPLES = 5


@dataclass(frozen=True)
class Overview:
    """The content of an ontology.

    Parameters
    ----------
    path, sha256, iri
        File, fingerprint and the ontology's own IRI.
    counts
        By kind: entities, those with a label, synonyms.
    languages
        Number of labels and synonyms by language; '' where none is stated.
    shared_names
        Number of names that two or more entities of one kind have (case ignored).
    depth
        By kind: levels of the hierarchy, 1 where nothing is below anything; kinds without links
        are absent.
    roots
        Number of classes without a super-class.
    cycles
        Groups of entities that are below each other.
    cautions
        What was mended to read the file, and what is not there though it might be.
    examples
        Some entities of each kind, spread over the ontology.
    """

    path: str
    sha256: str
    iri: str
    counts: Mapping[Kind, KindCounts]
    languages: Mapping[str, int]
    shared_names: int
    depth: Mapping[Kind, int]
    roots: int
    cycles: tuple[tuple[str, ...], ...]
    cautions: tuple[str, ...]
    examples: Mapping[Kind, tuple[Entity, ...]]


def overview(ontology: Ontology) -> Overview:
    """Return the content of an ontology: counts, names, hierarchy, examples.

    Examples
    --------
    >>> from alignrank.ontologies import Label
    >>> item = Entity("http://ex.org#Item", Kind.CLASS)
    >>> book = Entity("http://ex.org#Book", Kind.CLASS, (Label("book", "en"),))
    >>> library = Ontology("", {e.iri: e for e in (book, item)}, {book.iri: (item.iri,)})
    >>> seen = overview(library)
    >>> seen.depth[Kind.CLASS], seen.roots, dict(seen.languages)
    (2, 1, {'en': 1})
    """
    hierarchies = {kind: Hierarchy.of(ontology, kinds=[kind]) for kind in ontology.kinds}
    roots = 0
    if Kind.CLASS in hierarchies:
        roots = len(hierarchies[Kind.CLASS].roots)
    names = Counter(
        (entity.kind, name)
        for entity in ontology
        for name in {text.casefold() for text in entity.names()}
    )
    tags = Counter(name.lang for entity in ontology for name in (*entity.labels, *entity.synonyms))
    return Overview(
        path=ontology.path,
        sha256=ontology.sha256,
        iri=ontology.iri,
        counts=ontology.counts(),
        languages=dict(sorted(tags.items(), key=lambda item: (-item[1], item[0]))),
        shared_names=sum(count > 1 for count in names.values()),
        depth={k: depth for k, h in hierarchies.items() if (depth := levels(h)) > 1},
        roots=roots,
        cycles=tuple(cycle for h in hierarchies.values() for cycle in h.cycles),
        cautions=tuple(map(str, ontology_cautions(ontology))),
        examples={kind: _spread(ontology.of_kind(kind)) for kind in ontology.kinds},
    )


def levels(hierarchy: Hierarchy) -> int:
    """Return the number of nodes on the longest path from a root downwards."""
    return 1 + max(Chains(hierarchy, virtual_root=False).longest.values(), default=-1)


def _spread(entities: list[Entity]) -> tuple[Entity, ...]:
    """Return some entities at equal distances in the order of the IRIs."""
    step = max(1, len(entities) // _EXAMPLES)
    return tuple(entities[::step][:_EXAMPLES])


def show_files(
    paths: Sequence[Path],
    *,
    page: bool = False,
    out: Path | None = None,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    overwrite: bool = False,
) -> None:
    """Take a quick look at an ontology, or at a mapping.

    Of an ontology: what it holds, how its entities are named, what was left out. Of an alignment
    and its two ontologies: the surest and the least sure pairs, what is not one-to-one, what is
    left over. The page shows all pairs with their neighbours and saves a corrected mapping.

    Parameters
    ----------
    paths
        An ontology; or an alignment, its source and its target.
    page, out
        Whether to open the page in the browser; the file that it is written to.
    imports
        The folder of the ontologies' imports.
    label_properties
        Further properties whose texts are an ontology's labels.
    overwrite
        Whether a page that is there is replaced.
    """
    if len(paths) == 3 or (len(paths) == 1 and _names_entities(paths[0])):
        show_mapping(
            *paths,
            page=page,
            out=out,
            imports=imports,
            label_properties=label_properties,
            overwrite=overwrite,
        )
        return
    if len(paths) != 1 or not serves_as(paths[0], "ontology"):
        raise ExperimentError("name one ontology, or an alignment, its source and its target")
    if page or out is not None:
        raise ExperimentError(
            "--open and --out show a mapping: name an alignment and its ontologies"
        )
    ontology = load_ontology(paths[0], imports=imports, label_properties=label_properties)
    facts = overview(ontology)
    print_overview(facts)
    finish(asdict(facts))


def _names_entities(path: Path) -> bool:
    """Tell whether a mapping names its entities, so that it is shown without ontologies."""
    if is_joined_file(path):
        return True
    return not serves_as(path, "ontology") and any(
        {SUBJECT_LABEL, OBJECT_LABEL} <= {key for key, _ in c.extra} for c in read_alignment(path)
    )


def show_mapping(
    path: Path,
    source: Path | None = None,
    target: Path | None = None,
    *,
    page: bool = False,
    out: Path | None = None,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    overwrite: bool = False,
) -> None:
    """Print a mapping, and write the page on which it is corrected.

    A joined table needs no ontologies: its rows hold all columns of both sides.
    """
    if page and out is None:
        name, _, _ = unpacked_name(path).name.lstrip(".").partition(".")
        out = Path(f"{name}.html")
    if out is not None and out.suffix != ".html":
        raise ExperimentError(f"--out {out}: the page must end in .html")
    refuse_taken(out, overwrite=overwrite)
    alignment = read_alignment(path)
    if source is None or target is None:
        ontologies = joined_tables([alignment])
    else:
        ontologies = load_pair(source, target, imports=imports, label_properties=label_properties)
    notes = alignment.notes
    alignment = with_labels(alignment, *ontologies)
    current, gone = current_rows(alignment)
    strange = []
    for side, ontology in enumerate(ontologies):
        if lost := sum(c.pair[side] not in ontology for c in current):
            strange.append(
                f"{lost} of {len(current)} correspondences name no entity of {ontology.path}: is "
                "it the ontology that was matched?"
            )
    decided = decisions_of(alignment)
    kinds = [kind for kind in ontologies[0].kinds if kind in ontologies[1].kinds]
    sides = [
        [entity.iri for kind in kinds for entity in ontology.of_kind(kind)]
        for ontology in ontologies
    ]
    print_mapping(alignment, sides, (labels(ontologies[0]), labels(ontologies[1])))
    if decided.accepted or decided.rejected:
        print_prose(f"Decided: {len(decided.accepted)} accepted, {len(decided.rejected)} rejected.")
    if out is not None:
        saved = f"{out.stem}-corrected.sssom.tsv"
        page_text = review_page(
            alignment,
            *ontologies,
            name=saved,
            likely=({}, {}) if source is None else likely_partners(alignment, *ontologies),
            matchable=sides,
        )
        write_text(out, page_text)
        say(f"Page: {out}")
        if source is not None:
            files = shlex.join(map(str, (source, target)))
            say(f"Next: alignrank match {files} --from {shlex.quote(saved)} --out FILE")
    else:
        print_prose("--open shows all of it, and you correct it there.")
    print_cautions([*notes.mended, *strange])
    if page and out is not None:
        webbrowser.open(out.resolve().as_uri())
    content = {
        "correspondences": len(current),
        "gone": len(gone),
        "not_one_to_one": len(several_partners(current)),
        "accepted": len(decided.accepted),
        "rejected": len(decided.rejected),
        "page": out and str(out),
    }
    finish(content)


#: The likely partners of each entity, each with its probability.
Partners = dict[str, list[tuple[str, float]]]
#: Number of likely partners of each entity on the page.
_LIKELY = 3


def likely_partners(
    alignment: Alignment, source: Ontology, target: Ontology
) -> tuple[Partners, Partners]:
    """Return the likeliest partners of source and of target entities that an alignment leaves out.

    The probabilities are those of the default metric.
    """
    metric = get_metric(DEFAULT_METRIC)
    assert scores_pairs(metric)
    assert metric.scored is not None
    try:
        candidates = prepare(source, target, decisions=decisions_of(alignment))
    except MatcherError:  # no kind of entity is on both sides
        return {}, {}
    stated = alignment.pairs | {(n.entity1, n.entity2) for n in alignment.negated}
    likely: tuple[Partners, Partners] = {}, {}
    for group, pairs in zip(candidates.groups, metric.scored(candidates.groups), strict=True):
        for k in np.argsort(-pairs.similarities, kind="stable").tolist():
            pair = group.source.iris[pairs.rows[k]], group.target.iris[pairs.columns[k]]
            probability = round(float(pairs.similarities[k]), 4)
            if pair in stated or not probability:
                continue
            for side in (0, 1):
                partners = likely[side].setdefault(pair[side], [])
                if len(partners) < _LIKELY:
                    partners.append((pair[1 - side], probability))
    return likely


def print_overview(facts: Overview) -> None:
    """Print counts, languages, examples and cautions."""
    out = console()
    print_prose(f"{facts.path}: {one_line(facts.iri) or 'no IRI of its own'}")
    rows = [
        [kind, counts.entities, counts.labelled, counts.synonyms, facts.depth.get(kind, 1)]
        for kind, counts in facts.counts.items()
    ]
    header = ["kind", "entities", "labelled", "synonyms", "levels"]
    print_table(Table("", header, rows))
    tags = ", ".join(f"{one_line(tag) or 'none stated'} {n}" for tag, n in facts.languages.items())
    print_prose(f"languages of labels and synonyms: {tags or 'no labels'}")
    out.print(f"classes without a super-class: {facts.roots}")
    out.print()
    for kind, entities in facts.examples.items():
        out.print(f"{kind}, for example:")
        for entity in entities:
            print_prose(f"  {describe(entity)}")
    cautions = [*facts.cautions]
    if facts.shared_names:
        cautions.append(
            f"{count(facts.shared_names, 'name')} of several entities of one kind: ties"
        )
    cautions += [f"a cycle of super-entities: {', '.join(map(one_line, c))}" for c in facts.cycles]
    print_cautions(cautions)


def describe(entity: Entity) -> str:
    """Return one line on an entity: name, kind, IRI, further labels and synonyms."""
    first, *synonyms = entity.names()
    line = f"{short(first, 80)} ({entity.kind}, {one_line(entity.iri)})"
    if synonyms:
        line += f"; also {first_of((short(name, 60) for name in synonyms), 8)}"
    return line


def metrics() -> Iterator[Pair]:
    """Yield the name of each metric and family, and its description."""
    for family, members in FAMILIES.items():
        yield family, f"family: {', '.join(members)}"
    table = metrics_table()
    yield from zip(table["name"], table["summary"], strict=True)
    yield "rapidfuzz:SCORER", "any scorer of RapidFuzz, as rapidfuzz:token_sort_ratio"
    yield "textdistance:ALGORITHM", "any algorithm of textdistance, as textdistance:cosine"
    yield "MODULE:FUNCTION", "your own: a function of two strings into [0, 1]"


def measures() -> Iterator[Pair]:
    """Yield the name of each measure, and its description."""
    for measure in MEASURES.values():
        summary = measure.description
        if measure.needs_ontologies:
            summary += " (needs --source and --target)"
        yield measure.name, summary


def corrections() -> Iterator[Pair]:
    """Yield the name of each correction, its comparisons and its validity."""
    for correction in CORRECTIONS.values():
        yield correction.name, f"{' and '.join(correction.comparisons)}. {correction.validity}"


def tests() -> Iterator[Pair]:
    """Yield the name of each test, and the command that takes it."""
    yield from ((name, "rank, compare: McNemar's test") for name in TESTS)
    yield from ((name, "compare: siblings resampled together") for name in CLUSTER_TESTS)
    yield from ((name, "study: after the omnibus test") for name in POSTHOC_TESTS)


#: The lists, by name.
LISTS: dict[str, Callable[[], Iterator[Pair]]] = {
    "metrics": metrics,
    "measures": measures,
    "corrections": corrections,
    "tests": tests,
}


def print_names(lists: Sequence[str] = ()) -> None:
    """List the metrics, measures, corrections and tests."""
    unknown = [name for name in lists if name not in LISTS]
    if unknown:
        raise ExperimentError(f"nothing called {unknown[0]!r} is listed: {hint(unknown[0], LISTS)}")
    out = console()
    for name in lists or LISTS:
        out.print(f"{name}:")
        rows = Table("", ["", ""], list(LISTS[name]()), kinds=["text", "text"])
        print_table(rows, wrapped=[""])
