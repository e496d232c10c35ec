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
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from urllib.parse import unquote

from alignrank.common.errors import AlignmentError
from alignrank.common.files import (
    FilePath,
    parse_json,
    read_text,
    refuse_halves,
    text_of,
    unpacked_name,
)
from alignrank.ontologies.alignment import NO_TERM, Alignment
from alignrank.ontologies.vocabulary import ALIGNMENT, EXTENSION, SSSOM

from .cells import MODIFIER, Cells
from .columns import LABELS, with_point
from .curies import BUILT_IN, Prefixes, UnknownPrefix, expand
from .delimited import column_names, data_lines, delimiter, line_count

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
#: Columns that a row may leave empty, but not leave out.
_NEEDED = {*_IDS, "mapping_justification"}
# the first that a row fills is its confidence
_CONFIDENCES = ("stated_confidence", "confidence", "similarity_score")
_UNDERSTOOD = {*_IDS, *_CONFIDENCES, *EXTENSIONS, MODIFIER, "mapping_justification"}

_LITERAL = "rdfs literal"
#: Lists and maps one within another that a header may hold.
_DEEPEST = 50

#: A row's line and its filled fields.
_Fields = tuple[int, dict[str, str]]
#: A row's line, its filled fields and its three IRIs.
_Row = tuple[int, dict[str, str], dict[str, str]]
_MAPPINGS = re.compile(r'"mappings"\s*:\s*\[')


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


def _table(text: str, cells: Cells) -> tuple[dict[str, object], Iterator[_Fields]]:
    """Return the header and the rows of a table."""
    lines, first = data_lines(text)
    names = next(lines)
    mark = delimiter(names)
    comments = text.split("\n", first - 1)[: first - 1]
    header = _beside(cells.path) | _header(comments, mark, os.fspath(cells.path))
    unfinished = 0 if text.endswith("\n") else line_count(text)
    return header, _rows(chain([names], lines), first, mark, unfinished, cells)


def _rows(
    lines: Iterable[str], first: int, mark: str, unfinished: int, cells: Cells
) -> Iterator[_Fields]:
    """Yield the filled fields of each row, by column.

    `unfinished` is the number of a last line that has no end, and 0 where it has one.
    """
    rows = csv.DictReader(lines, delimiter=mark)
    rows.fieldnames = [_column(title) for title in rows.fieldnames or ()]
    missing = set(_IDS) - set(rows.fieldnames)
    if missing:
        raise cells.error(first, f"the column {min(missing)} is missing")
    for row in rows:
        line = first - 1 + rows.line_num
        if any(text.strip() for text in row.pop(None, ())):
            raise cells.error(line, f"more fields than the {len(rows.fieldnames)} columns")
        absent = [key for key, value in row.items() if value is None]
        is_last = line == unfinished
        # a file that breaks off within a row has lost its confidence, not only that row's comments
        lost = _NEEDED.union(_CONFIDENCES) if is_last else _NEEDED
        if not lost.isdisjoint(absent):
            raise cells.error(line, f"the row ends before {absent[0]}: the file is truncated")
        if is_last and absent:
            cells.mend(line, f"the last row ends before {absent[0]}: is the file complete?")
        fields = {key: value.strip() for key, value in row.items() if value and value.strip()}
        if fields:
            yield line, fields


def _json_document(text: str, cells: Cells) -> tuple[dict[str, object], Iterator[_Fields]]:
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


def _mappings(text: str, mappings: list[object], cells: Cells) -> Iterator[_Fields]:
    """Yield the filled fields of each mapping, and the line where it begins."""
    match = _MAPPINGS.search(text)
    end = match.end() if match else 0
    line = text.count("\n", 0, end) + 1
    decoder = json.JSONDecoder()
    for mapping in mappings:
        start = text.find("{", end)
        if start < 0 or not isinstance(mapping, dict):
            raise cells.error(line, "a mapping is not a JSON object")
        line += text.count("\n", end, start)
        yield line, {key: words for key, value in mapping.items() if (words := _text(value))}
        _, end = decoder.raw_decode(text, start)
        line += text.count("\n", start, end)


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


def _mapping_set(header: dict[str, object], rows: Iterable[_Fields], cells: Cells) -> Alignment:
    """Return the alignment of a mapping set's metadata and rows."""
    curie_map = _require_dict(header.pop("curie_map", {}), "curie_map", cells.path)
    declared = {prefix: str(namespace) for prefix, namespace in curie_map.items()}
    prefixes = BUILT_IN | declared
    extensions = _extensions(header, prefixes)
    types = {slot: str(header.get(slot, "")) for slot in ("subject_type", "object_type")}
    foreign: Counter[str] = Counter()
    # the first IRI that is written with each prefix
    examples: dict[str, str] = {}
    literal_lines: list[int] = []
    stated: list[_Row] = []
    negated: list[_Row] = []
    for line, fields in rows:
        if any(fields.get(slot, usual) == _LITERAL for slot, usual in types.items()):
            literal_lines.append(line)
            continue
        try:
            ids = {slot: expand(fields.get(slot, ""), prefixes) for slot in _IDS}
        except UnknownPrefix as unknown:
            raise cells.error(line, str(unknown)) from None
        if ids["subject_id"] == ids["object_id"] == NO_TERM:  # says nothing of any entity
            foreign["sssom:NoTermFound"] += 1
            continue
        for slot, iri in ids.items():
            examples.setdefault(fields.get(slot, "").partition(":")[0], iri)
        if _is_negated(fields, ids, line, cells):
            negated.append((line, fields, ids))
        else:
            stated.append((line, fields, ids))
        foreign.update(fields.keys() - _UNDERSTOOD - LABELS.keys())
    if literal_lines:
        cells.mend(
            literal_lines[0],
            f"mappings of a literal, which is no entity, are left out: {len(literal_lines)}",
        )
    # rows that state the name that matched are justified by it; others by the set
    reasons = {
        fields.get("mapping_justification", "")
        for _, fields, _ in stated
        if "match_string" not in fields
    }
    reason = reasons.pop() if len(reasons) == 1 else ""
    for line, fields, ids in stated:
        cells.add(
            ids["subject_id"],
            ids["object_id"],
            fields.get("alignment_relation", ids["predicate_id"]),
            _confidence(fields),
            line=line,
            extra=_extra(fields, extensions, usual=BY_NAME if "match_string" in fields else reason),
        )
    if negated:
        usual = justification(str(header.get("similarity_measure", "")))
        _add_negated(negated, stated, cells, extensions, usual)
    metadata = _metadata(header, reason)
    sources = [metadata.pop(f"{side}_source", "") for side in ("subject", "object")]
    ontology1, ontology2 = (_source(source, prefixes) for source in sources)
    for source, iri in zip(sources, (ontology1, ontology2), strict=True):
        examples.setdefault(source.partition(":")[0], iri)
    if own := _own_prefixes(declared, examples):
        metadata["curie_map"] = json.dumps(own, sort_keys=True)
    return cells.alignment(
        ontology1=ontology1, ontology2=ontology2, metadata=metadata, foreign=foreign
    )


def _own_prefixes(declared: Mapping[str, str], examples: Mapping[str, str]) -> dict[str, str]:
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


def _confidence(fields: Mapping[str, str]) -> str | None:
    return next((with_point(fields[slot]) for slot in _CONFIDENCES if slot in fields), None)


def _is_negated(fields: Mapping[str, str], ids: Mapping[str, str], line: int, cells: Cells) -> bool:
    """Return whether a row says that its predicate does not hold, or that there is no match."""
    modifier = fields.get(MODIFIER, "")
    if modifier.lower() not in ("", "not"):
        raise cells.error(line, f"{MODIFIER} is {modifier!r}: write Not, or leave it empty")
    if modifier and "predicate_id" not in fields:
        raise cells.error(line, f"{MODIFIER} is Not, but predicate_id is empty: what is negated?")
    is_no_match = NO_TERM in (ids["subject_id"], ids["object_id"])
    if modifier and is_no_match:
        raise cells.error(
            line, f"{MODIFIER} is Not beside sssom:NoTermFound: a match is not denied twice"
        )
    return bool(modifier) or is_no_match


def _add_negated(
    negated: Iterable[_Row],
    stated: Iterable[_Row],
    cells: Cells,
    extensions: Mapping[str, str],
    usual: str,
) -> None:
    """Add the rows that negate a predicate, with all that they say.

    Raises
    ------
    AlignmentError
        If another row states the same predicate of the same entities.
    """
    line_of = {tuple(ids.values()): line for line, _, ids in stated}
    for line, fields, ids in negated:
        if stated_line := line_of.get(tuple(ids.values())):
            text = " ".join(fields[slot] for slot in _IDS)
            raise cells.error(
                line, f"{text} is negated, but line {stated_line} states it: remove one of the two"
            )
        texts = {
            extensions.get(column, f"{SSSOM}{column}"): text
            for column, text in fields.items()
            if column not in {*_IDS, MODIFIER}
            and (column, text) != ("mapping_justification", usual)
        }
        cells.negate(
            ids["subject_id"],
            ids["object_id"],
            ids["predicate_id"],
            line=line,
            extra=texts,
            confidence=_confidence(fields),
        )


def _extensions(header: Mapping[str, object], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Return what each extension column stands for, as the header defines it."""
    keys = {}
    definitions = header.get("extension_definitions", [])
    for definition in definitions if isinstance(definitions, list) else []:
        match definition:
            case {"slot_name": slot, "property": text} if slot and text:
                iri = _source(str(text), prefixes)
                own = iri.removeprefix(f"{EXTENSION}#")
                keys[str(slot)] = iri if own == iri else unquote(own)
    return keys


def _extra(
    fields: Mapping[str, str], extensions: Mapping[str, str], *, usual: str
) -> list[tuple[str, str]]:
    """Return what a row says beyond what a correspondence holds.

    The justification is left out where it is the usual one.
    """
    columns = fields.keys() - _UNDERSTOOD
    if fields.get("mapping_justification", "") != usual:
        columns |= fields.keys() & {"mapping_justification"}
    if fields.get("confidence") != fields.get("similarity_score", fields.get("confidence")):
        columns |= fields.keys() & {"similarity_score"} if "confidence" in fields else set()
    return [(extensions.get(column, f"{SSSOM}{column}"), fields[column]) for column in columns]


def _source(text: str, prefixes: Mapping[str, str]) -> str:
    """Return an ontology's IRI; a source is often a free word, and its prefix nobody's."""
    try:
        return expand(text, prefixes)
    except UnknownPrefix:
        return text


def _header(comments: Iterable[str], mark: str, path: str) -> dict[str, object]:
    """Return the metadata in the comments before a table's column names."""
    marked = [_comment(line, mark) for line in comments]
    # the mark is "#", with or without a blank after it throughout
    if all(line.startswith(" ") for line in marked if line.strip()):
        marked = [line[1:] for line in marked]
    return _yaml("\n".join(marked), path)


def _comment(line: str, mark: str) -> str:
    """Return a line of metadata without its # and what a spreadsheet adds: quotes, empty cells."""
    if line.startswith('"'):
        line = next(csv.reader([line], delimiter=mark))[0]
    return line.rstrip(f"\r{mark} ")[1:]


def _beside(path: FilePath) -> dict[str, object]:
    """Return the metadata in the YAML file of the same name beside a table."""
    for ending in (".yml", ".yaml"):
        metadata = unpacked_name(path).with_suffix(ending)
        if metadata.is_file():
            header = _yaml(read_text(metadata, AlignmentError), os.fspath(metadata))
            # another file may have the same name by chance
            if header.keys() & {"curie_map", "mapping_set_id"}:
                return header
            return {}
    return {}


def _yaml(text: str, path: str) -> dict[str, object]:
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


def _require_dict(value: object, slot: str, path: FilePath) -> dict[str, object]:
    if not isinstance(value, dict):
        raise AlignmentError(f"{path}: the {slot} is not a list of keys with values")
    return value


def _metadata(header: Mapping[str, object], reason: str) -> dict[str, str]:
    """Return the header's facts but those that `sssom` makes up anew.

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
