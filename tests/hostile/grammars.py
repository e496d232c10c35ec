"""Small grammars: a file of every kind that alignrank reads, mostly right, with odd words in it."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from html import escape
from typing import Any

from alignrank import compare, study
from alignrank.ontologies.tasks import bundled_task

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
ALIGNMENT = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"

#: Words that some reader, writer, terminal or spreadsheet may take for something else.
ODD_WORDS = [
    *("", " ", "\t", "\n", "\r", "\0", "\x0b", "\x1b[31m", "\x85", "\u2028", "\ufeff", "\u202e"),
    *("\ud800", "\uffff", "🫀", "ß" * 3, "é", "x" * 300, "<b>", "&amp;", "&#0;", "]]>", "--", '"'),
    *("'", "\\", "\\u12", "\\x", "%s", "%", "{0}", "#", "|", ";", ",", "=1+1", "../../x", "null"),
    *("http://", ":", "a:b", "_:x", "urn:", "<", ">", "@", "@en", "^^", "$", "*", "~", "None"),
]
ODD_NUMBERS = [
    *("", "-1", "1.5", "62.9", "1e400", "-1e400", "NaN", "nan", "inf", "-inf", "1_0", "0x10"),
    *("５", "٣", "1e-400", "5e-324", "1e308", "9223372036854775808", "-0.0", "true", "1" * 5000),
    *("1,5", "+.5", "1.", ".", "1e", "½", "1 2"),
]
RELATIONS = [*"=<>%?", "InstanceOf", "&lt;", "PartOf", "SubsumedBy", "skos:exactMatch"]
METRICS = ["jaro", "levenshtein", "standard", "equality", "rapidfuzz:ratio", "words", "smoa"]


class Draw(random.Random):
    """Draws parts of files; now and then an odd one."""

    def rarely(self, odds: int = 12) -> bool:
        return self.randrange(odds) == 0

    def word(self) -> str:
        if self.rarely():
            return self.choice(ODD_WORDS)
        return self.choice(["heart", "lung", "Ventricle", "part_of", "x1", "Wirbelsäule", "item"])

    def name(self) -> str:
        return f"{self.choice('ABCp')}{self.randrange(9)}" if not self.rarely(40) else self.word()

    def iri(self) -> str:
        if self.rarely(25):
            return self.word()
        return f"http://{self.choice('ab')}.org/o#{self.name()}"

    def text(self) -> str:
        return " ".join(self.word() for _ in range(self.randint(1, 4)))

    def number(self) -> str:
        if self.rarely():
            return self.choice(ODD_NUMBERS)
        return self.choice(["1", "0", "1.0", "0.5", "0.25", f"{self.random():.3f}", "3", "12"])

    def some(self, make: Callable[[], str], most: int = 5, mark: str = "") -> str:
        return mark.join(make() for _ in range(self.randint(0 if self.rarely() else 1, most)))


def _xml(text: str) -> str:
    return escape(text)


def alignment_rdf(draw: Draw) -> str:
    def cell() -> str:
        about = f' rdf:about="{_xml(draw.iri())}"' if draw.rarely(4) else ""
        parts = [
            f'<entity1 rdf:resource="{_xml(draw.iri())}"/>',
            f'<entity2 rdf:resource="{_xml(draw.iri())}"/>',
            f'<measure rdf:datatype="xsd:float">{_xml(draw.number())}</measure>',
            f"<relation>{_xml(draw.choice(RELATIONS))}</relation>",
        ]
        if draw.rarely(4):
            parts.append(
                f'<e:note xmlns:e="http://e#" rdf:resource="x">{_xml(draw.text())}</e:note>'
            )
        if draw.rarely(10):
            draw.shuffle(parts)
        return f"<map><Cell{about}>\n{chr(10).join(parts)}\n</Cell></map>\n"

    encoding = draw.choice(
        ["", '<?xml version="1.0"?>\n', '<?xml version="1.0" encoding="utf-8"?>\n']
    )
    onto = "".join(
        f'<onto{k}><Ontology rdf:about="{_xml(draw.iri())}"><location>{_xml(draw.text())}'
        f"</location></Ontology></onto{k}>\n"
        for k in (1, 2)
        if not draw.rarely(4)
    )
    mark = draw.choice(["", "#"])
    return (
        f'{encoding}<rdf:RDF xmlns="{ALIGNMENT}{mark}" xmlns:rdf="{RDF}" xmlns:xsd="{XSD}">\n'
        f"<Alignment>\n<xml>yes</xml><level>0</level><type>??</type>\n{onto}{draw.some(cell)}</Alignment>\n"
        "</rdf:RDF>\n"
    )


def sssom(draw: Draw) -> str:
    header = ["#curie_map:", "#  a: http://a.org/o#", f"#  b: {draw.iri()}"]
    for key in ("mapping_set_id", "license", "creator_id", "comment", "other", "subject_source"):
        if draw.rarely(3):
            header.append(f"#{key}: {json.dumps(draw.text()) if draw.rarely(2) else draw.text()}")
    if draw.rarely(4):
        header += ["#extension_definitions:", "#  - slot_name: ext_x", "#    property: a:x"]

    def row() -> str:
        ends = [f"a:{draw.name()}" if draw.rarely(2) else draw.iri() for _ in range(2)]
        predicate = draw.choice(["skos:exactMatch", "skos:broadMatch", "owl:sameAs", draw.word()])
        fields = [ends[0], predicate, ends[1], "semapv:LexicalMatching", draw.number()]
        if is_negated:
            fields.append(draw.choice(["", "Not", "not", " ", draw.word()]))
        return "\t".join(fields)

    is_negated = draw.rarely(2)
    names = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence"
    names += "\tpredicate_modifier" if is_negated else ""
    return "\n".join([*header, names, draw.some(row, mark="\n")]) + "\n"


def sssom_json(draw: Draw) -> str:
    """SSSOM/JSON as sssom-py and sssom-java write it."""

    def mapping() -> dict[str, object]:
        slots: dict[str, object] = {
            "subject_id": draw.choice([f"a:{draw.name()}", draw.iri()]),
            "predicate_id": draw.choice(["skos:exactMatch", "owl:sameAs", draw.word()]),
            "object_id": draw.choice([f"b:{draw.name()}", draw.iri(), "sssom:NoTermFound"]),
            "mapping_justification": "semapv:LexicalMatching",
        }
        if draw.rarely(2):
            slots["confidence"] = draw.choice([draw.random(), draw.number(), None, math.nan, []])
        if draw.rarely(4):
            slots[draw.choice(["predicate_modifier", "subject_type", draw.word()])] = draw.choice(
                ["Not", "rdfs literal", [draw.word(), 1], {}, True]
            )
        return slots

    prefixes: object = {"a": "http://a.org/o#", "b": {"@id": draw.iri()}, draw.word(): draw.word()}
    document = {
        "@context": draw.choice([prefixes, prefixes, prefixes, [prefixes], draw.word()]),
        "mapping_set_id": draw.choice([draw.iri(), draw.iri(), [], 1]),
        "creator_id": draw.choice([[draw.word()], draw.word(), None]),
        "mappings": [mapping() for _ in range(draw.randint(0, 4))],
    }
    if draw.rarely(3):
        good = {"a": "http://a.org/o#"}
        document["curie_map"] = [] if draw.rarely() else draw.choice([prefixes, good])
    return json.dumps(document, indent=draw.choice([None, 1]))


def sssom_metadata(draw: Draw) -> str:
    """The YAML file beside an SSSOM table."""
    lines = ["curie_map:", "  a: http://a.org/o#", f"  b: {draw.iri()}", "mapping_set_id: a:set"]
    lines += [f"{draw.choice(['license', 'comment', 'other'])}: {draw.text()}" for _ in range(2)]
    if draw.rarely(3):
        lines += ["extension_definitions:", "  - slot_name: ext_x", f"    property: {draw.word()}"]
    return "\n".join(lines) + "\n"


def links(draw: Draw) -> str:
    """Links between entities as triples, some with SSSOM's annotations."""

    def link() -> tuple[str, str, str]:
        names = ["skos:exactMatch", "skos:broadMatch", "owl:equivalentClass", "owl:sameAs"]
        return draw.iri(), draw.choice(names), draw.iri()

    def triple() -> str:
        subject, predicate, value = link()
        return f"<{subject}> {predicate} <{value}> .\n"

    def axiom() -> str:
        subject, predicate, value = link()
        return (
            f"[] a owl:Axiom ; owl:annotatedSource <{subject}> ; owl:annotatedTarget <{value}> ;"
            f" owl:annotatedProperty {predicate} ; sssom:confidence {_quoted(draw)} ;"
            f" sssom:confidence {draw.number()} .\n"
        )

    text = draw.some(triple) + (draw.some(axiom, 2) if draw.rarely(2) else "")
    prefixes = {"skos": SKOS, "owl": OWL, "sssom": "https://w3id.org/sssom/"}
    if draw.rarely(3):  # as N-Triples and as JSON-LD
        return json.dumps(
            {
                "@context": {**prefixes, "e": {"@id": "skos:exactMatch", "@type": "@id"}},
                "@graph": [{"@id": draw.iri(), "e": draw.iri()} for _ in range(3)],
            }
        )
    return "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items()) + text


def catalog(draw: Draw) -> str:
    """The XML catalog of imports that lies beside an ontology."""

    def entry() -> str:
        iri = draw.choice(["http://a.org/o", _xml(draw.iri())])
        place = draw.choice(["imported.ttl", "file:imported.ttl", ".", "", _xml(draw.word())])
        return f'<uri id="x" name="{iri}" uri="{place}"/>\n'

    base = f' xml:base="{_xml(draw.word())}"' if draw.rarely(4) else ""
    return (
        '<?xml version="1.0"?>\n<catalog prefer="public" '
        f'xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">\n<group{base}>'
        f"{draw.some(entry)}</group></catalog>\n"
    )


def table_of_cells(draw: Draw) -> str:
    mark = draw.choice([",", "\t", ";", "|"])
    names = ["entity1", "entity2", "relation", "confidence", "note"][: draw.randint(2, 5)]
    if draw.rarely(5):
        names = ["SrcEntity", "TgtEntity", "Score"]
    elif draw.rarely(5):  # headers of other tools, and of nobody
        names = draw.choice(
            [["sourceIRI", "mappedIRI", "score"], ["id1", "id2", "p"], ["old", "new", "Score"]]
        )

    def row() -> str:
        cells = {
            "relation": draw.choice(RELATIONS),
            "confidence": draw.number(),
            "Score": draw.number(),
            "note": f'"{draw.text()}"' if draw.rarely(3) else draw.word(),
        }
        return mark.join(cells.get(name) or draw.iri() for name in names)

    return "\n".join([mark.join(names), draw.some(row, mark="\n")]) + "\n"


def json_lines(draw: Draw) -> str:
    def odd() -> object:
        return draw.choice([None, True, [], {}, {"a": [1]}, 1, 10**20, 1e300, -1, draw.word()])

    def line() -> str:
        cell: dict[str, object] = {"entity1": draw.iri(), "entity2": draw.iri()}
        cell |= {"relation": draw.choice(RELATIONS), "confidence": draw.random()}
        if draw.rarely(4):
            cell[draw.choice(["extra", "stated_confidence", "relation", draw.word()])] = odd()
        return json.dumps(cell)

    facts = {"ontology1": draw.iri(), "metadata": {draw.word(): draw.text()}}
    head = {"alignment": facts | ({"negated": negated(draw)} if draw.rarely(3) else {})}
    return draw.some(lambda: json.dumps(head), 1) + "\n" + draw.some(line, mark="\n") + "\n"


def logmap(draw: Draw) -> str:
    def row() -> str:
        kind = draw.choice(["CLS", "OPROP", "DPROP", "INST"])
        return "|".join([draw.iri(), draw.iri(), draw.choice("=<>"), draw.number(), kind])

    return draw.some(row, mark="\n") + "\n"


def negated(draw: Draw) -> object:
    record: object = {"entity1": draw.iri(), "entity2": draw.iri(), "predicate": draw.word()}
    return draw.choice([[record], [record, record], record, [[]], [{"entity1": 1}], None])


def metadata_beside(draw: Draw) -> str:
    facts: dict[str, object] = {
        "ontology1": draw.iri(),
        "ontology2": draw.iri(),
        "metadata": {draw.word(): draw.text()},
    }
    if draw.rarely(3):
        facts["negated"] = negated(draw)
    notes: object = draw.choice([[facts], [facts], [], facts, [[]], None])
    return json.dumps({"@context": "http://www.w3.org/ns/csvw", "url": "a.csv", "notes": notes})


def rdf_xml(draw: Draw, *, skos: bool = False) -> str:
    kinds = ["skos:Concept"] if skos else ["owl:Class", "owl:ObjectProperty", "owl:NamedIndividual"]
    above = "skos:broader" if skos else "rdfs:subClassOf"

    def label() -> str:
        language = draw.choice(["", ' xml:lang="en"', ' xml:lang=""', ' xml:lang="e n"'])
        name = "skos:prefLabel" if skos else "rdfs:label"
        return f"<{name}{language}>{_xml(draw.text())}</{name}>"

    def link() -> str:
        return f'<{above} rdf:resource="{_xml(draw.iri())}"/>'

    def entity() -> str:
        kind = draw.choice(kinds)
        parts = draw.some(lambda: draw.choice([label, label, link])(), 4, "\n")
        name = draw.choice([f'rdf:about="{_xml(draw.iri())}"', f'rdf:ID="{_xml(draw.name())}"'])
        return f"<{kind} {name}>\n{parts}\n</{kind}>\n"

    def group() -> str:
        listed = draw.some(lambda: f'<rdf:Description rdf:about="{_xml(draw.iri())}"/>\n', 4)
        return (
            '<owl:AllDisjointClasses><owl:members rdf:parseType="Collection">\n'
            f"{listed}</owl:members></owl:AllDisjointClasses>\n"
        )

    imports = f'<owl:imports rdf:resource="{_xml(draw.iri())}"/>' if draw.rarely(4) else ""
    return (
        f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}" '
        f'xmlns:skos="{SKOS}" xml:base="http://a.org/o">\n'
        f'<owl:Ontology rdf:about="">{imports}</owl:Ontology>\n{draw.some(entity)}'
        f"{'' if skos else draw.some(group, 2)}</rdf:RDF>\n"
    )


def owl_xml(draw: Draw) -> str:
    def expression(depth: int = 0) -> str:
        if depth > 3 or draw.rarely(2):
            return f'<Class IRI="{_xml(draw.iri())}"/>'
        kind = draw.choice(["ObjectComplementOf", "ObjectUnionOf", "ObjectSomeValuesFrom"])
        role = f'<ObjectProperty IRI="{_xml(draw.iri())}"/>' if kind.endswith("From") else ""
        count = 2 if kind == "ObjectUnionOf" else 1
        return f"<{kind}>{role}{''.join(expression(depth + 1) for _ in range(count))}</{kind}>"

    def axiom() -> str:
        iri = _xml(draw.iri())
        return draw.choice(
            [
                f'<Declaration><Class IRI="{iri}"/></Declaration>\n',
                f"<SubClassOf>{expression()}{expression()}</SubClassOf>\n",
                f"<DisjointClasses>{expression()}\n{expression()}</DisjointClasses>\n",
                f'<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/><IRI>{iri}'
                f"</IRI><Literal>{_xml(draw.text())}</Literal></AnnotationAssertion>\n",
            ]
        )

    return (
        f'<?xml version="1.0"?>\n<Ontology xmlns="{OWL}" ontologyIRI="http://a.org/o">\n'
        f'<Prefix name="rdfs" IRI="{RDFS}"/>\n<Declaration><Class IRI="http://a.org/o#A1"/>'
        f"</Declaration>\n{draw.some(axiom)}</Ontology>\n"
    )


def _quoted(draw: Draw) -> str:
    text = draw.text().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def turtle(draw: Draw, *, skos: bool = False) -> str:
    kinds = ["skos:Concept"] if skos else ["owl:Class", "owl:ObjectProperty", "owl:NamedIndividual"]

    def node() -> str:
        return draw.choice([f":{draw.name()}", f"<{draw.iri()}>", "[]", f"_:b{draw.randrange(5)}"])

    def fact() -> str:
        label = f"{_quoted(draw)}{draw.choice(['', '@en', '@de-DE', '^^xsd:string'])}"
        listed = f"( {draw.some(node, 4, ' ')} )"
        return draw.choice(
            [
                f"rdfs:label {label}",
                f"skos:prefLabel {label}",
                f"{'skos:broader' if skos else 'rdfs:subClassOf'} {node()}",
                f"owl:unionOf {listed}",
                f"rdfs:subClassOf [ a owl:Restriction ; owl:onProperty {node()} ]",
            ]
        )

    def entity() -> str:
        facts = draw.some(fact, 3, " ;\n  ")
        return f":{draw.name()} a {draw.choice(kinds)} ;\n  {facts} .\n"

    group = f"[] a owl:AllDisjointClasses ; owl:members ( {draw.some(node, 5, ' ')} ) .\n"
    return (
        f"@prefix : <http://a.org/o#> .\n@prefix owl: <{OWL}> .\n@prefix rdfs: <{RDFS}> .\n"
        f"@prefix skos: <{SKOS}> .\n@prefix xsd: <{XSD}> .\n<http://a.org/o> a owl:Ontology .\n"
        f"{draw.some(entity)}{'' if skos else group}"
    )


def n_triples(draw: Draw) -> str:
    def line() -> str:
        link = draw.choice([f"{RDFS}subClassOf", f"{OWL}disjointWith", f"{OWL}imports", draw.iri()])
        return draw.choice(
            [
                f"<{draw.iri()}> <{RDF}type> <{OWL}Class> .",
                f"<{draw.iri()}> <{RDFS}label> {_quoted(draw)}@en .",
                f"<{draw.iri()}> <{link}> <{draw.iri()}> .",
                f"_:b{draw.randrange(3)} <{RDF}rest> _:b{draw.randrange(3)} .",
                f"<{draw.iri()}> <{OWL}members> _:b{draw.randrange(3)} .",
            ]
        )

    return f"<http://a.org/o#A> <{RDF}type> <{OWL}Class> .\n{draw.some(line, 9, chr(10))}\n"


def json_ld(draw: Draw) -> str:
    def entity() -> dict[str, object]:
        return {
            "@id": draw.iri(),
            "@type": draw.choice(["owl:Class", ["owl:Class", "owl:Thing"], "skos:Concept"]),
            "rdfs:label": draw.choice([draw.text(), {"@value": draw.text(), "@language": "en"}]),
            "rdfs:subClassOf": draw.choice([{"@id": draw.iri()}, {"@list": [draw.iri()]}, []]),
        }

    context: object = {"owl": OWL, "rdfs": RDFS, "skos": SKOS, draw.name(): draw.iri()}
    if draw.rarely():
        context = draw.choice(["http://e.org/context.json", None, [], [{}], 1])
    return json.dumps(
        {"@context": context, "@graph": [entity() for _ in range(draw.randint(1, 4))]}, indent=1
    )


def functional(draw: Draw) -> str:
    def name() -> str:
        return f":{draw.name()}" if draw.rarely(2) else f"<{draw.iri()}>"

    def expression(depth: int = 0) -> str:
        if depth > 3 or draw.rarely(2):
            return name()
        kind = draw.choice(["ObjectComplementOf({})", "ObjectUnionOf({} {})"])
        return kind.format(expression(depth + 1), expression(depth + 1))

    def axiom() -> str:
        return draw.choice(
            [
                f"Declaration(Class({name()}))\n",
                f"SubClassOf({expression()} {expression()})\n",
                f"DisjointClasses({name()} {name()} {expression()})\n",
                f"ClassAssertion({expression()} {name()})\n",
                f"AnnotationAssertion(rdfs:label {name()} {_quoted(draw)}@en)\n",
            ]
        )

    return (
        f"Prefix(:=<http://a.org/o#>)\nPrefix(rdfs:=<{RDFS}>)\n"
        f"Ontology(<http://a.org/o>\nDeclaration(Class(:A1))\n{draw.some(axiom, 6)})\n"
    )


def manchester(draw: Draw) -> str:
    def expression(depth: int = 0) -> str:
        if depth > 3 or draw.rarely(2):
            return f":{draw.name()}"
        kind = draw.choice(["not ({})", "({}) and ({})", ":p some ({})", "({}) or ({})"])
        return kind.format(expression(depth + 1), expression(depth + 1))

    def frame() -> str:
        return (
            f"Class: :{draw.name()}\n  Annotations: rdfs:label {_quoted(draw)}\n"
            f"  SubClassOf: {expression()}, {expression()}\n"
        )

    return (
        f"Prefix: : <http://a.org/o#>\nPrefix: rdfs: <{RDFS}>\nOntology: <http://a.org/o>\n"
        f"ObjectProperty: :p\n{draw.some(frame, 4)}"
    )


def obo(draw: Draw) -> str:
    def stanza() -> str:
        number = draw.randrange(9)
        lines = [
            f"name: {draw.text()}",
            f'def: "{draw.text()}" [X:1]',
            f'synonym: "{draw.text()}" {draw.choice(["EXACT", "RELATED"])} []',
            f"is_a: X:{draw.randrange(9)} ! {draw.text()}",
            f"xref: X:{draw.word()}",
            f"relationship: part_of X:{draw.randrange(9)}",
            "is_obsolete: true",
            f"disjoint_from: X:{draw.randrange(9)}",
        ]
        chosen = "\n".join(draw.sample(lines, draw.randint(1, 4)))
        return f"[Term]\nid: X:{number}\n{chosen}\n\n"

    relation = "[Typedef]\nid: part_of\nname: part of\n\n"
    return (
        f"format-version: 1.2\nontology: x\n\n{draw.some(stanza)}{draw.some(lambda: relation, 1)}"
    )


def skos(draw: Draw) -> str:
    return turtle(draw, skos=True) if draw.rarely(2) else rdf_xml(draw, skos=True)


def imported(draw: Draw) -> str:
    """Return a file that lies in the folder of imports."""
    return draw.choice([rdf_xml, owl_xml, turtle, functional, manchester, obo, logmap])(draw)


def scores(draw: Draw) -> str:
    """A table of scores: wide or long, with any delimiter, decimal commas or percent signs."""
    if draw.rarely(4):
        return _long_scores(draw)
    mark = draw.choice(",,;\t")
    is_percent, has_commas = draw.rarely(8), mark != "," and draw.rarely(3)
    text = _wide_scores(draw)
    if is_percent:
        text = re.sub(r"(\d)(,|$)", r"\1%\2", text, flags=re.M)
    text = text.replace(",", mark)
    return text.replace(".", ",") if has_commas else text


def _long_scores(draw: Draw) -> str:
    names = draw.choice([("task", "system", "score"), ("dataset", "classifier", "accuracy")])
    fold = [draw.choice(["fold", "seed", "run", "n_instances"])] if draw.rarely(3) else []

    rows = [
        ",".join([f"t{k}", f"s{j}", draw.number(), *(str(j) for _ in fold)])
        for k in range(draw.randint(1, 4))
        for j in range(draw.randint(1, 3) if draw.rarely(6) else 2)
    ]
    return "\n".join([",".join([*names, *fold]), *rows]) + "\n"


def items(draw: Draw) -> str:
    """A table of scores on items, some with clusters."""
    text = re.sub(r"\b(12|3)\b", "1", scores(draw)).replace("task", "item", 1)
    return text.replace("s0", "cluster", 1) if draw.rarely(4) else text


def strings(draw: Draw) -> str:
    """A table in which a column of names is to be joined."""
    mark = draw.choice(",;\t|")
    columns = draw.sample(["name", "id", "note"], draw.randint(1, 3))

    def row() -> str:
        return mark.join(f'"{draw.text()}"' if draw.rarely(4) else draw.word() for _ in columns)

    return "\n".join([mark.join(columns), draw.some(row, 6, "\n")]) + "\n"


def _wide_scores(draw: Draw) -> str:
    systems = draw.randint(1, 5)
    names = ",".join(["task", *(f"s{k}" for k in range(systems))])
    rows = [
        ",".join([f"t{k}" if not draw.rarely(30) else draw.word(), *map(str, cells)])
        for k in range(draw.randint(1, 6))
        for cells in [[draw.number() if not draw.rarely(20) else "NA" for _ in range(systems)]]
    ]
    return "\n".join([names, *rows]) + "\n"


def counts(draw: Draw) -> str:
    systems = [f"s{k}" if not draw.rarely(40) else draw.word() for k in range(draw.randint(2, 5))]
    mark = draw.choice(",;\t")

    def cell(i: int, j: int) -> str:
        if i == j:
            return draw.choice(["", "0", "-"]) if draw.rarely(5) else ""
        return draw.number() if draw.rarely(9) else str(draw.randrange(9))

    rows = [
        mark.join([name, *(cell(i, j) for j in range(len(systems)))])
        for i, name in enumerate(systems)
    ]
    return "\n".join([mark.join(["", *systems]), *rows]) + "\n"


def candidates(draw: Draw) -> str:
    by_rank = draw.rarely(2)

    def row() -> str:
        number = str(draw.randint(1, 5)) if by_rank and not draw.rarely() else draw.number()
        return f"{draw.iri()}\t{draw.iri()}\t{number}"

    return f"item\tcandidate\t{'rank' if by_rank else 'score'}\n{draw.some(row, 6, chr(10))}\n"


def ranking(draw: Draw) -> str:
    """A run as Bio-ML, DeepOnto, TREC or JSON have it."""

    def listed() -> str:
        names = [draw.iri() for _ in range(draw.randint(0, 3))]
        pairs = [(name, draw.random()) for name in names]
        return f"{draw.iri()}\t{pairs if draw.rarely(3) else names}"

    def scored() -> str:
        return f"{draw.iri()}\t{draw.iri()}\t{draw.number()}"

    def trec() -> str:
        return f"{draw.name()} Q0 {draw.name()} {draw.number()} {draw.number()} {draw.word()}"

    form = draw.randrange(4)
    if form == 0:
        return f"SrcEntity\tTgtCandidates\n{draw.some(listed, 6, chr(10))}\n"
    if form == 1:
        return f"SrcEntity\tTgtEntity\tScore\n{draw.some(scored, 6, chr(10))}\n"
    if form == 2:
        return f"{draw.some(trec, 6, chr(10))}\n"
    return json.dumps({draw.iri(): {draw.iri(): draw.random()} for _ in range(3)})


def judgements(draw: Draw) -> str:
    """A gold standard as Bio-ML or TREC have it."""
    if draw.rarely(2):
        rows = draw.some(lambda: f"{draw.iri()}\t{draw.iri()}\t['{draw.iri()}']", 6, "\n")
        return f"SrcEntity\tTgtEntity\tTgtCandidates\n{rows}\n"
    rows = draw.some(lambda: f"{draw.name()} 0 {draw.name()} {draw.number()}", 6, "\n")
    return f"{rows}\n"


def questions(draw: Draw) -> str:
    """Questions with answers, as a judge's spreadsheet may leave them."""

    def row() -> str:
        verdict = draw.choice(["right", "wrong", "cannot tell", "", draw.word()])
        agreement = draw.choice(["", "1", "0", "-1.0", draw.number()])
        curated = draw.choice(["semapv:ManualMappingCuration", "semapv:UnspecifiedMatching"])
        cells = [draw.iri(), verdict, draw.choice(["", "Not"]), "skos:exactMatch", draw.iri()]
        return "\t".join([*cells, curated, agreement, draw.choice(["1000", draw.number()])])

    head = "subject_id verdict predicate_modifier predicate_id object_id mapping_justification"
    columns = [*head.split(), "reviewer_agreement", "weight"]
    facts = '#other: "seed=0|pool=1f7c"\n' if draw.rarely(3) else ""
    return "\n".join([facts + "\t".join(columns), draw.some(row, 6, "\n")]) + "\n"


def gold(draw: Draw) -> str:
    def row() -> str:
        right = draw.choice([draw.iri(), draw.iri(), "null", ""])
        return f"{draw.iri()}\t{right}\t{draw.choice(['match', 'related', 'part-of', draw.word()])}"

    return f"synset\tarticle\tcategory\n{draw.some(row, 6, chr(10))}\n"


def mapping(draw: Draw) -> str:
    rows = draw.some(lambda: f"{draw.iri()}\t{draw.choice([draw.iri(), 'null', ''])}", 6, "\n")
    return f"item\tcandidate\n{rows}\n"


def clusters(draw: Draw) -> str:
    return draw.some(lambda: f"{draw.iri()}\t{draw.word()}", 6, "\n") + "\n"


def weights(draw: Draw) -> str:
    def weight() -> object:
        return (
            draw.choice([0.5, 0, 1, True, None, "x", 1e300, -1, 10**30]) if draw.rarely() else 0.5
        )

    steps = ["target_super", "source_super", "target_sub", "source_sub"]
    content = {
        "concepts": {step: weight() for step in steps if draw.rarely(2)},
        "individuals": {step: weight() for step in steps if draw.rarely(2)},
        "relations": {draw.choice(["= <", "> =", "< =", "= >"]): weight()},
        "other_relations": weight(),
    }
    if draw.rarely():
        content[draw.word()] = weight()  # type: ignore[assignment]
    return json.dumps(content, indent=1)


def metric_module(draw: Draw) -> str:
    results = ["float(s == t)"] * 8 + [
        *("1.0", "0", "True", "float(s == t)", "None", "'x'", "10**400", "float('nan')", "2", "-1"),
        *("[1]", "1j", "s", "len(s) / 0", "f(s, t)", "exit()", "sys.exit(3)", "os.chdir('/') or 1"),
        *("print(s) or 0.5", "undefined", "type('T', (), {'__float__': lambda _: 1 / 0})()"),
        *(
            "type('T', (Exception,), {'__str__': lambda _: 1})()",
            "(_ for _ in ()).throw(OSError(5))",
        ),
        *("type('R', (), {'__repr__': lambda _: 1 / 0})()", "(_ for _ in ()).throw(MemoryError)"),
    ]
    tops = [
        "",
        "import nothing_like_it\n",
        "sys.exit(0)\n",
        "1 / 0\n",
        "os.chdir('/')\n",
        "print(1)\n",
    ]
    top = draw.choice(tops) if draw.rarely(3) else ""
    doc = f'    """{draw.text().replace(chr(92), "")}"""\n' if draw.rarely(3) else ""
    name = "f" if not draw.rarely() else draw.choice(["g", "f = 1  #", "class f", "async def f"])
    head = f"def {name}" if name in ("f", "g") else name
    signature = draw.choice(["(s, t):", "(s, t):", "(s):", "(*s):", "(s, t"])
    return f"import os, sys\n{top}{head}{signature}\n{doc}    return {draw.choice(results)}\n"


def summary(draw: Draw) -> str:
    """Return the summary of a comparison or a study, in which some values are odd, or are gone."""
    content = json.loads(draw.choice(_summaries()))
    for _ in range(draw.randint(0, 3)):
        _alter(draw, content)
    return json.dumps(content, indent=1)


@cache
def _summaries() -> tuple[str, ...]:
    """Return summaries as the commands write them."""
    items = {"a": [1, 1, 0, 1], "b": [0, 1, 0, 1], "c": [0, 0, 0, 1]}
    scores = {"a": [0.9, 0.8, 0.7], "b": [0.5, 0.6, 0.4], "c": [0.1, 0.2, 0.3]}
    tables = (
        {name: {f"x{k}": value for k, value in enumerate(row * 8)} for name, row in table.items()}
        for table in (items, scores)
    )
    answers, means = tables
    task = bundled_task("library")
    results = (compare(answers), study(means), compare(task.reference, task.alignments))
    return tuple(json.dumps(result.summary.to_dict()) for result in results)


def _alter(draw: Draw, content: Any) -> None:
    """Put an odd value, or a part of the same document, in the place of a value; or remove it."""
    places = list(_places(content))
    holder, key = draw.choice(places)
    odd = [None, 1, -1, 0.5, [], {}, "x", "", True, [[None]], {"a": []}, -1e300, 2**70, "nan"]
    source, source_key = draw.choice(places)
    match draw.randrange(4):
        case 0:
            del holder[key]
        case 1:
            holder[key] = deepcopy(source[source_key])
        case 2 if isinstance(holder, list):
            holder.append(deepcopy(holder[key]))
        case _:
            holder[key] = draw.choice([*odd, draw.word()])


def _places(content: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where each value of a document stands: its list or dictionary, and its key."""
    keys = list(content) if isinstance(content, dict) else range(len(content))
    for key in keys:
        yield content, key
        if isinstance(content[key], dict | list):
            yield from _places(content[key])
