"""SSSOM, the Simple Standard for Sharing Ontological Mappings, read as TSV, CSV or JSON.

Definition: Nicolas Matentzoglu et al., "A Simple Standard for Sharing Ontological Mappings",
Database 2022 (baac035), and https://mapping-commons.github.io/sssom.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from alignrank.common.errors import AlignmentError
from alignrank.common.files import (
    FilePath,
    JsonObject,
    parse_json,
    read_text,
    refuse_halves,
    text_of,
    unpacked_name,
)
from alignrank.common.names import MutableTexts, Texts
from alignrank.ontologies.alignment import NO_TERM, Alignment
from alignrank.ontologies.vocabulary import (
    ALIGNMENT,
    BUILT_IN,
    EXTENSION,
    SSSOM,
    Prefixes,
    UnknownPrefixError,
    expand,
)

from .cells import MODIFIER, Cells
from .columns import LABELS, with_point
from .delimited import (
    column_names,
    columns_of,
    data_lines,
    delimiter,
    first_filled,
    line_count,
)
from .json_lines import listed_values

#: Extension columns, and the property that each stands for.
EXTENSIONS = {
    "alignment_relation": f"{ALIGNMENT}#relation",
    "stated_confidence": f"{EXTENSION}#statedConfidence",
}
OWN_ID = "urn:alignrank:sha256:"

#: Slots of a mapping set that metadata of the same name fills; of some, several values by ``|``.
SLOTS = """cardinality_scope comment creator_id creator_label curation_rule curation_rule_text
    issue_tracker license mapping_date mapping_provider mapping_set_confidence
    mapping_set_description mapping_set_id mapping_set_source mapping_set_title mapping_set_version
    mapping_tool mapping_tool_id mapping_tool_version object_match_field object_preprocessing
    object_source_version object_type predicate_type publication_date see_also similarity_measure
    subject_match_field subject_preprocessing subject_source_version subject_type""".split()  # noqa: SIM905
MULTIVALUED = """cardinality_scope creator_id creator_label curation_rule curation_rule_text
    mapping_set_source object_match_field object_preprocessing see_also subject_match_field
    subject_preprocessing""".split()  # noqa: SIM905
_IDS = ("subject_id", "predicate_id", "object_id")
_SIDES, _TYPES = ("subject_id", "object_id"), ("subject_type", "object_type")
_JUSTIFICATION = "mapping_justification"
#: Columns that a row may leave empty, but not leave out.
_NEEDED = {*_IDS, _JUSTIFICATION}
# the first that a row fills is its confidence
_CONFIDENCES = ("stated_confidence", "confidence", "similarity_score")
_UNDERSTOOD = {*_IDS, *_CONFIDENCES, *EXTENSIONS, MODIFIER, _JUSTIFICATION}

_LITERAL = "rdfs literal"
#: Lists and maps one within another that a header may hold.
_DEEPEST = 50

_MAPPINGS = re.compile(r'"mappings"\s*:\s*\[')


class _MappingRows(NamedTuple):
    """The lines of rows, and their texts by slot; '' where a row fills none."""

    lines: list[int]
    columns: Mapping[str, list[str]]

    def texts(self, slot: str) -> list[str]:
        """Return the texts of a slot, all empty where no row fills it."""
        return self.columns.get(slot) or [""] * len(self.lines)

    def both(self, slot: str, other_slot: str) -> Iterator[tuple[str, str]]:
        """Return the texts of two slots, row by row."""
        return zip(self.texts(slot), self.texts(other_slot), strict=True)

    def where(self, flags: Sequence[bool]) -> _MappingRows:
        """Return the rows whose flag is true."""
        if all(flags):
            return self
        columns = {slot: list(compress(texts, flags)) for slot, texts in self.columns.items()}
        return _MappingRows(list(compress(self.lines, flags)), columns)


def is_mapping_set(text: str) -> bool:
    """Return whether a file's text is a table with the columns of SSSOM, or SSSOM/JSON."""
    if text.lstrip().startswith("{"):
        return _MAPPINGS.search(text) is not None
    names = column_names(text)
    return "subject_id" in {name.strip(' "\r\n') for name in names.split(delimiter(names))}


def parse_sssom(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment that an SSSOM table or SSSOM/JSON holds.

    CURIEs are expanded by the curie_map of the header, or of the file of metadata that lies beside
    a table. Rows with the ``predicate_modifier`` Not are negated correspondences, whatever their
    predicate; so are rows about sssom:NoTermFound, as no-matches. Rows about a literal are left
    out, and noted.

    Raises
    ------
    AlignmentError
        If the header is not YAML, a needed column is missing, a row makes no sense, or a row
        negates what another states.
    """
    text = text_of(data, cells.path, AlignmentError)
    if text.lstrip().startswith("{"):
        header, rows = _json_document(text, cells)
    else:
        header, rows = _table(text, cells)
    return _mapping_set(header, rows, cells)


def _table(text: str, cells: Cells) -> tuple[JsonObject, _MappingRows]:
    """Return the header and the rows of a table."""
    data, first = data_lines(text)
    names = next(data)
    mark = delimiter(names)
    comments = text.split("\n", first - 1)[: first - 1]
    header = _beside(cells.path) | _header(comments, mark, os.fspath(cells.path))
    # a last line that has no end may be cut off
    unfinished = 0 if text.endswith("\n") else line_count(text)
    reader = csv.reader(chain([names], data), delimiter=mark)
    titles = [_column(title) for title in next(reader)]
    if missing := set(_IDS) - set(titles):
        raise cells.error(first, f"the column {min(missing)} is missing")
    repeated = [title for title, number in Counter(titles).items() if title and number > 1]
    if repeated:
        raise cells.error(first, f"two columns are called {repeated[0]}: rename one")
    width = len(titles)
    listed = [(first - 1 + reader.line_num, row) for row in reader if any(map(str.strip, row))]
    for number, (line, row) in enumerate(listed):
        if len(row) != width:
            is_last = line == unfinished
            listed[number] = line, _mended_row(row, titles, line, cells, is_last=is_last)
    lines, texts = columns_of(listed, width)
    return header, _MappingRows(lines, dict(zip(titles, texts, strict=True)))


def _mended_row(
    row: Sequence[str], titles: Sequence[str], line: int, cells: Cells, *, is_last: bool
) -> list[str]:
    """Return the fields of a row that has more or fewer than there are columns."""
    if any(map(str.strip, row[len(titles) :])):
        raise cells.error(line, f"more fields than the {len(titles)} columns")
    absent = titles[len(row) :]
    # a file that breaks off within a row has lost its confidence, not only that row's comments
    lost = _NEEDED.union(_CONFIDENCES) if is_last else _NEEDED
    if not lost.isdisjoint(absent):
        raise cells.error(line, f"the row ends before {absent[0]}: the file is truncated")
    if is_last and absent:
        cells.mend(line, f"the last row ends before {absent[0]}: is the file complete?")
    return [*row[: len(titles)], *("" for _ in absent)]


def _json_document(text: str, cells: Cells) -> tuple[JsonObject, _MappingRows]:
    """Return the metadata and the mappings of SSSOM/JSON."""
    try:
        document = parse_json(text)
    except json.JSONDecodeError as reason:
        raise cells.error(reason.lineno, f"not valid SSSOM/JSON: {reason.msg}") from None
    except ValueError as reason:
        raise AlignmentError(f"{cells.path}: not valid SSSOM/JSON: {reason}") from None
    header = _require_dict(document, "document", cells.path)
    mappings = header.pop("mappings", None)
    context = header.pop("@context", {})
    if isinstance(context, dict):
        # @vocab and its like are no prefixes
        prefixes = (item for item in context.items() if not item[0].startswith("@"))
        namespaces = {prefix: _namespace(value) for prefix, value in prefixes}
        curie_map = _require_dict(header.get("curie_map", {}), "curie_map", cells.path)
        header["curie_map"] = {p: n for p, n in namespaces.items() if n} | curie_map
    if not isinstance(mappings, list):
        raise AlignmentError(f"{cells.path}: its mappings are not a list")
    return header, _mappings(text, mappings, cells)


def _namespace(value: object) -> str:
    """Return the namespace that a JSON-LD context gives a prefix, '' for another definition."""
    if isinstance(value, dict):
        value = value.get("@id")
    is_namespace = isinstance(value, str) and "://" in value and value[-1] in "#/_:=-"
    if is_namespace:
        return str(value)
    return ""


def _mappings(text: str, mappings: list[object], cells: Cells) -> _MappingRows:
    """Return the texts of mappings by field, and the lines where the mappings begin."""
    match = _MAPPINGS.search(text)
    first = match.end() if match else 0
    before = text.count("\n", 0, first)
    lines = [before + line for line, _ in listed_values(text[first:], 0)][: len(mappings)]
    # another list of that name may come before: then lines are unknown
    lines += [0] * (len(mappings) - len(lines))
    listed = []
    for mapping, line in zip(mappings, lines, strict=True):
        if not isinstance(mapping, dict):
            raise cells.error(line, "a mapping is not a JSON object")
        listed.append({slot: _text(value) for slot, value in mapping.items()})
    slots = dict.fromkeys(chain.from_iterable(listed))
    columns = {slot: [texts.get(slot, "") for texts in listed] for slot in slots}
    return _MappingRows(lines, columns)


def _text(value: object) -> str:
    """Return a value of YAML or JSON as a table holds it, '' for nothing."""
    if isinstance(value, list):
        return "|".join(str(part).replace("|", r"\|") for part in value)
    text = "" if value is None else str(value).strip()
    # sssom-py writes NaN for nothing
    if text.lower() == "nan":
        return ""
    return text


def parts(text: str) -> list[str]:
    r"""Return the values that a slot holds in one text.

    Examples
    --------
    >>> parts(r"a|b\|c")
    ['a', 'b|c']
    """
    return [part.replace(r"\|", "|") for part in re.split(r"(?<!\\)\|", text)]


def _mapping_set(header: JsonObject, rows: _MappingRows, cells: Cells) -> Alignment:
    """Return the alignment of a mapping set's metadata and rows."""
    curie_map = _require_dict(header.pop("curie_map", {}), "curie_map", cells.path)
    declared = {prefix: str(namespace) for prefix, namespace in curie_map.items()}
    prefixes = BUILT_IN | declared
    extensions = _extensions(header, prefixes)
    rows = _of_entities(header, rows, cells)
    # row, prefix and IRI of the first use of each prefix in a slot
    uses: list[tuple[int, str, str]] = []
    iris = {slot: _expanded(rows, slot, prefixes, uses, cells) for slot in _IDS}
    rows = _MappingRows(rows.lines, {**rows.columns, **iris})
    slots = rows.columns.keys() - _UNDERSTOOD - LABELS.keys()
    foreign = Counter({slot: len(rows.lines) - rows.columns[slot].count("") for slot in slots})
    modifiers = zip(rows.texts(MODIFIER), rows.both(*_SIDES), strict=True)
    is_stated = [not modifier and NO_TERM not in pair for modifier, pair in modifiers]
    stated = rows.where(is_stated)
    negated = rows.where([not flag for flag in is_stated])
    # rows that state the name that matched are justified by it; others by the set
    justified = stated.both(_JUSTIFICATION, "match_string")
    reasons = {reason for reason, name in justified if not name}
    reason = reasons.pop() if len(reasons) == 1 else ""
    relations = stated.both("alignment_relation", "predicate_id")
    cells.extend(
        stated.texts("subject_id"),
        stated.texts("object_id"),
        [relation or predicate for relation, predicate in relations],
        _confidences(stated),
        lines=stated.lines,
        extra=_extra(stated, extensions, reason),
    )
    usual = justification(str(header.get("similarity_measure", "")))
    curie = Prefixes(declared).curie
    silent = _add_negated(negated, stated, cells, extensions, usual, curie)
    foreign["sssom:NoTermFound"] = silent
    metadata = _metadata(header, reason)
    sources = [metadata.pop(f"{side}_source", "") for side in ("subject", "object")]
    ontology1, ontology2 = (_source(source, prefixes) for source in sources)
    # the first IRI that is written with each prefix
    examples: MutableTexts = {}
    for _, prefix, iri in sorted(uses, key=itemgetter(0)):
        examples.setdefault(prefix, iri)
    for source, iri in zip(sources, (ontology1, ontology2), strict=True):
        examples.setdefault(source.partition(":")[0], iri)
    if own := _own_prefixes(declared, examples):
        metadata["curie_map"] = json.dumps(own, sort_keys=True)
    return cells.alignment(
        ontology1=ontology1, ontology2=ontology2, metadata=metadata, foreign=+foreign
    )


def _of_entities(header: Mapping[str, object], rows: _MappingRows, cells: Cells) -> _MappingRows:
    """Return the rows of entities, and note the rows of a literal."""
    usual1, usual2 = (str(header.get(slot, "")) for slot in _TYPES)
    flags = [
        _LITERAL not in (type1 or usual1, type2 or usual2) for type1, type2 in rows.both(*_TYPES)
    ]
    if number := flags.count(False):
        cells.mend(
            rows.lines[flags.index(False)],
            f"mappings of a literal, which is no entity, are left out: {number}",
        )
    return rows.where(flags)


def _expanded(
    rows: _MappingRows,
    slot: str,
    prefixes: Texts,
    uses: list[tuple[int, str, str]],
    cells: Cells,
) -> list[str]:
    """Return the IRIs of a slot; the first use of each prefix goes to `uses`."""
    texts = rows.texts(slot)
    iri_by_text = {}
    used: set[str] = set()
    for text in dict.fromkeys(texts):
        try:
            iri_by_text[text] = expand(text, prefixes)
        except UnknownPrefixError as unknown:
            raise cells.error(rows.lines[texts.index(text)], str(unknown)) from None
        prefix = text.partition(":")[0]
        if prefix not in used:
            used.add(prefix)
            uses.append((texts.index(text), prefix, iri_by_text[text]))
    return [iri_by_text[text] for text in texts]


def _own_prefixes(declared: Texts, examples: Texts) -> MutableTexts:
    """Return the declared prefixes that a writer would not choose by itself."""
    own = {p: n for p, n in declared.items() if BUILT_IN.get(p) != n}
    unused = {p: n for p, n in own.items() if p not in examples}
    written = Prefixes(unused)
    for iri in examples.values():
        written.curie(iri)
    if written.namespaces == {**BUILT_IN, **declared}:
        return unused
    return own


def _column(title: str) -> str:
    """Return a column's name; a slot that means something here in its own spelling."""
    name = title.strip()
    if name.lower() in _UNDERSTOOD:
        return name.lower()
    return name


def _confidences(rows: _MappingRows) -> list[str | None]:
    """Return the confidence of each row, None where it states none."""
    columns = [rows.columns[slot] for slot in _CONFIDENCES if slot in rows.columns]
    return [text and with_point(text) for text in first_filled(columns, len(rows.lines))]


def _add_negated(
    negated: _MappingRows,
    stated: _MappingRows,
    cells: Cells,
    extensions: Texts,
    usual: str,
    curie: Callable[[str], str],
) -> int:
    """Add the rows that negate a predicate, or state that there is no match, with all they say.

    The number of rows that say nothing of any entity is returned: those are left out.

    Raises
    ------
    AlignmentError
        If a modifier is not Not, nothing is negated, or another row states the same predicate of
        the same entities.
    """
    keys = zip(*map(stated.texts, _IDS), strict=True)
    line_by_key = dict(zip(keys, stated.lines, strict=True)) if negated.lines else {}
    silent = 0
    for row, line in enumerate(negated.lines):
        fields = {slot: texts[row] for slot, texts in negated.columns.items() if texts[row]}
        modifier = fields.pop(MODIFIER, "")
        subject, predicate, value = key = tuple(fields.pop(slot, "") for slot in _IDS)
        if subject == value == NO_TERM:
            silent += 1
            continue
        if modifier.lower() not in ("", "not"):
            raise cells.error(line, f"{MODIFIER} is {modifier!r}: write Not, or leave it empty")
        if modifier and not predicate:
            raise cells.error(
                line, f"{MODIFIER} is Not, but predicate_id is empty: what is negated?"
            )
        if modifier and NO_TERM in key:
            raise cells.error(
                line, f"{MODIFIER} is Not beside sssom:NoTermFound: a match is not denied twice"
            )
        if key in line_by_key:
            raise cells.error(
                line,
                f"{' '.join(map(curie, key))} is negated, but line {line_by_key[key]} states it: "
                "remove one of the two",
            )
        if fields.get(_JUSTIFICATION) == usual:
            del fields[_JUSTIFICATION]
        fields |= {slot: with_point(fields[slot]) for slot in _CONFIDENCES if slot in fields}
        confidence = next((fields[slot] for slot in _CONFIDENCES if slot in fields), None)
        extra = [(extensions.get(slot, f"{SSSOM}{slot}"), text) for slot, text in fields.items()]
        cells.add(subject, value, predicate, confidence, line=line, extra=extra, is_negated=True)
    return silent


def _extensions(header: Mapping[str, object], prefixes: Texts) -> MutableTexts:
    """Return the property of each extension column, as the header defines it."""
    keys = {}
    definitions = header.get("extension_definitions", [])
    for definition in definitions if isinstance(definitions, list) else []:
        match definition:
            case {"slot_name": slot, "property": text} if slot and text:
                iri = _source(str(text), prefixes)
                own = iri.removeprefix(f"{EXTENSION}#")
                keys[str(slot)] = iri if own == iri else unquote(own)
    return keys


def _extra(rows: _MappingRows, extensions: Texts, reason: str) -> list[tuple[str, list[str]]]:
    """Return the further facts of rows, by name: those beyond a correspondence.

    A justification is left out where it is the usual one: `reason`, or that by a name.
    """
    texts = {slot: rows.columns[slot] for slot in rows.columns.keys() - _UNDERSTOOD}
    justified = rows.both(_JUSTIFICATION, "match_string")
    texts[_JUSTIFICATION] = [
        text if text != (BY_NAME if name else reason) else "" for text, name in justified
    ]
    scored = rows.both("similarity_score", "confidence")
    texts["similarity_score"] = [
        text if number not in ("", text) else "" for text, number in scored
    ]
    return [
        (extensions.get(slot, f"{SSSOM}{slot}"), texts[slot]) for slot in texts if any(texts[slot])
    ]


def _source(text: str, prefixes: Texts) -> str:
    """Return an ontology's IRI; a source is often a free word, and its prefix nobody's."""
    try:
        return expand(text, prefixes)
    except UnknownPrefixError:
        return text


def _header(comments: Iterable[str], mark: str, path: str) -> JsonObject:
    """Return the metadata in the comments before a table's column names."""
    marked = [_comment(line, mark) for line in comments]
    # the mark is "#", with or without a blank after it throughout
    if all(line.startswith(" ") for line in marked if line.strip()):
        marked = [line[1:] for line in marked]
    return _yaml("\n".join(marked), path)


def _comment(line: str, mark: str) -> str:
    """Return a line of metadata without its # and a spreadsheet's quotes and empty cells."""
    if line.startswith('"'):
        line = next(csv.reader([line], delimiter=mark))[0]
    return line.rstrip(f"\r{mark} ")[1:]


def _beside(path: FilePath) -> JsonObject:
    """Return the metadata in the YAML file of the same name beside a table."""
    metadata = metadata_file(path)
    if metadata is not None:
        header = _yaml(read_text(metadata, AlignmentError), os.fspath(metadata))
        # another file may have the same name by chance
        if header.keys() & {"curie_map", "mapping_set_id"}:
            return header
    return {}


def metadata_file(path: FilePath) -> Path | None:
    """Return the YAML file of the same name beside a table; None where there is none."""
    places = [unpacked_name(path).with_suffix(ending) for ending in (".yml", ".yaml")]
    return next((place for place in places if place.is_file()), None)


def _yaml(text: str, path: str) -> JsonObject:
    import yaml  # none of the other formats needs it

    try:
        # parts that stand for others may stand for more than any memory holds; and each part within
        # another makes all that follow slower
        depth = 0
        for event in yaml.parse(text, Loader=yaml.BaseLoader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent) or depth > _DEEPEST:
                raise yaml.YAMLError
        # texts stay texts: no dates, no numbers
        header = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as reason:
        cause = getattr(reason, "problem", None) or "it breaks off, or nests or repeats parts"
        raise AlignmentError(f"{path}: the header is not YAML: {cause}") from None
    try:
        refuse_halves(text, header)
    except ValueError as reason:
        raise AlignmentError(f"{path}: the header: {reason}") from None
    return _require_dict(header or {}, "header", path)


def _require_dict(value: object, slot: str, path: FilePath) -> JsonObject:
    if not isinstance(value, dict):
        raise AlignmentError(f"{path}: the {slot} is not a list of keys with values")
    return value


def _metadata(header: Mapping[str, object], reason: str) -> MutableTexts:
    """Return the header's facts, except for the keys that `sssom` writes anew.

    `reason` is the justification of all rows without a matching name; '' if they have several.
    """
    metadata = {
        key: _text(value)
        for key, value in header.items()
        if key not in ("sssom_version", "extension_definitions", "other")
    }
    for pair in filter(None, str(header.get("other", "")).split("|")):
        key, _, value = pair.partition("=")
        metadata[unquote(key)] = unquote(value)
    if metadata.get("mapping_set_id", "").startswith(OWN_ID):
        del metadata["mapping_set_id"]
    if metadata.get("license") == UNLICENSED:
        del metadata["license"]
    measure = metadata.get("similarity_measure", "")
    if measure and metadata.get("metric") == measure:
        del metadata["similarity_measure"]
    if reason not in ("", justification(measure)):
        metadata["mapping_justification"] = reason
    return metadata


#: The justification of a mapping whose entities share a name.
BY_NAME = "semapv:LexicalMatching"
UNLICENSED = "https://w3id.org/sssom/license/unspecified"


def justification(measure: str) -> str:
    """Return why a mapping of this similarity measure is thought right.

    Examples
    --------
    >>> justification("jaro"), justification("equality"), justification("")[7:]
    ('semapv:LexicalSimilarityThresholdMatching', 'semapv:LexicalMatching', 'UnspecifiedMatching')
    """
    if not measure:
        return "semapv:UnspecifiedMatching"
    if measure == "equality":
        return BY_NAME
    return "semapv:LexicalSimilarityThresholdMatching"
