"""How long files of just under 10 MB take to read: ``python -m tests.hostile.large``.

Each is as dense as its format allows: as many statements as fit. They are read in processes of
their own, and the table goes into ``docs/robustness.md``.
"""

from __future__ import annotations

import multiprocessing
import re
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from alignrank.ontologies import read_alignment
from tests.hostile.readers import KINDS
from tests.hostile.runner import PROJECT

_PAGE = PROJECT / "docs" / "robustness.md"
_TABLE = re.compile(r"(?<=<!-- large files -->\n\n).*?(?=\n<!-- end -->)", re.S)
_SIZE = 9_900_000
_ALIGNMENTS = ("alignment RDF", "SSSOM", "CSV and TSV")
_OWL = "http://www.w3.org/2002/07/owl#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_ROOT = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    f'xmlns:o="{_OWL}" xmlns:r="{_RDFS}">\n'
)
_ALIGNMENT = (
    '<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment" '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Alignment>\n'
)
_CELL = (
    '<map><Cell><entity1 rdf:resource="a#{0:x}"/><entity2 rdf:resource="b#{0:x}"/>'
    "<relation>=</relation><measure>1</measure></Cell></map>\n"
)
_TURTLE = f"@prefix : <a#> .\n@prefix o: <{_OWL}> .\n@prefix r: <{_RDFS}> .\n"
#: What a file begins with, what is repeated with a number, and what it ends with, by what it holds.
FILES: dict[str, tuple[str, str, str, str]] = {
    "alignment RDF": ("alignment RDF", _ALIGNMENT, _CELL, "</Alignment></rdf:RDF>"),
    "SSSOM": (
        "SSSOM",
        "subject_id\tpredicate_id\tobject_id\n",
        "http://a#{0:x}\tskos:exactMatch\thttp://b#{0:x}\n",
        "",
    ),
    "CSV and TSV": ("CSV and TSV", "entity1,entity2\n", "a#{0:x},b#{0:x}\n", ""),
    "RDF/XML: classes": ("RDF/XML", _ROOT, '<o:Class rdf:about="a#{0:x}"/>\n', "</rdf:RDF>"),
    "Turtle: classes": ("Turtle", _TURTLE, ":{0:x} a o:Class.\n", ""),
    "Turtle: classes, each below two": (
        "Turtle",
        _TURTLE,
        ":{0:x} a o:Class;r:subClassOf :{1:x},:{2:x}.\n",
        "",
    ),
    "Turtle: one class below a million": (
        "Turtle",
        f"{_TURTLE}:a a o:Class.\n:a r:subClassOf ",
        ":{0:x},",
        ":z.\n",
    ),
    "N-Triples: classes": (
        "N-Triples",
        "",
        f"<a:{{0:x}}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{_OWL}Class> .\n",
        "",
    ),
    "functional syntax: classes": (
        "functional syntax",
        "Prefix(:=<http://a#>)\nOntology(<http://a>\n",
        "Declaration(Class(:{0:x}))\n",
        ")",
    ),
    "OBO: terms": (
        "OBO",
        "format-version: 1.2\nontology: a\n\n",
        "[Term]\nid: A:{0}\nname: a{0}\n\n",
        "",
    ),
}


def written(begin: str, repeated: str, end: str) -> Iterator[str]:
    """Yield the parts of a file of just under 10 MB."""
    size = len(begin) + len(end)
    yield begin
    for number in count(1):
        part = repeated.format(number, number // 2, number // 3)
        if (size := size + len(part)) > _SIZE:
            break
        yield part
    yield end


def taken(read: Callable[[Path], object], path: Path) -> tuple[float, int]:
    """Return the seconds of computing and the bytes of memory that reading a file takes."""
    before = _seconds()
    read(path)
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return _seconds() - before, max(resource.getrusage(one).ru_maxrss for one in who) << 10


def _seconds() -> float:
    used = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Read every large file, print what each takes, and write it into the page."""
    lines = ["| file of 9.9 MB | seconds of computing | MB |", "|:---|---:|---:|"]
    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, *parts) in FILES.items():
            path = Path(folder, KINDS[kind].name)
            path.write_text("".join(written(*parts)))
            with multiprocessing.get_context("fork").Pool(1) as pool:
                read = read_alignment if kind in _ALIGNMENTS else KINDS[kind].read
                seconds, memory = pool.apply(taken, (read, path))
            lines.append(f"| {name} | {seconds:.1f} | {memory / 1e6:,.0f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    table = "\n".join(lines) + "\n"
    page = _PAGE.read_text(encoding="utf-8")
    _PAGE.write_text(_TABLE.sub(lambda _: table, page), encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()
