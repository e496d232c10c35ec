"""The report: one self-contained HTML file, readable without a network and without JavaScript.

Labels and names are untrusted text: on the page they are escaped, in the data they cannot end the
script element, and the page's policy forbids it to load or send anything.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from typing import Any

from alignrank.common.files import write_text
from alignrank.common.results import Caution
from alignrank.common.table import Table

#: Columns of the table of mistakes: what the page's script calls them, and their headings.
KINDS = {
    "right": "correct",
    "wrong": "wrong",
    "near": "near misses",
    "missed": "missed",
    "only": "correct, found by no other",
}
#: Name of the fact in the provenance that is a command line.
AGAIN = "again with"
#: Names of the facts that are input files start with this.
INPUT = "input "
#: Tables with more rows than this are folded.
LONG = 12
SCRIPTS = ("common", "answer", "graph", "curves", "cases")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Picture:
    """A titled figure of the report, as SVG text that the house's own figures give."""

    title: str
    svg: str
    note: str = ""


@dataclass(frozen=True)
class Report:
    """What a report says, from the answer down to where it comes from.

    Parameters
    ----------
    title
        Heading.
    answer
        The result in sentences; the first one is the answer.
    ranking
        Table whose last column, the rank, follows the chosen view, test, correction and alpha, as
        a column ``letters`` does.
    bounds
        By row and column of the ranking: the limits that stand small below a value.
    decided
        How the answer was decided: test, correction, level.
    cautions
        What the reader must know before believing it.
    validity
        What test and correction control: the last caution, which follows the choices.
    graph
        The graph as the figures have it, as SVG text, for readers without JavaScript; the page's
        script draws the one that follows the chosen view, test, correction and alpha.
    mistakes
        Table that counts each system's cases by the kinds of `KINDS`.
    pictures, tables
        Further figures and tables; long tables are folded.
    tables_of_views
        By view: the table that is shown with this view only.
    data
        For the page's script: ``systems``, ``scores``, ``views``, ``defaults``, ``curves`` and
        ``cases``.
    checklist
        What a reviewer asks for, and the answer to it.
    provenance
        Name and value of every fact about where the result comes from.
    """

    title: str
    answer: Sequence[str]
    ranking: Table | None
    bounds: Mapping[tuple[int, int], str] = field(default_factory=dict)
    decided: str = ""
    cautions: Sequence[Caution] = ()
    validity: str = ""
    graph: str = ""
    mistakes: Table | None = None
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    tables_of_views: Mapping[str, Table] = field(default_factory=dict)
    # Any: what the page keeps as JSON; each key has a shape of its own
    data: Mapping[str, Any] = field(default_factory=dict)
    checklist: Sequence[tuple[str, str]] = ()
    provenance: Sequence[tuple[str, str]] = ()

    def to_html(self) -> str:
        """Return the whole page."""
        script = "".join(asset(f"{name}.js") for name in SCRIPTS)
        return "".join(
            [
                "<!doctype html>\n",
                '<html lang="en"><head><meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
                f"<title>{escape(self.title)}</title><style>{asset('report.css')}</style></head>",
                f"<body><main><h1>{escape(self.title)}</h1>",
                '<div class="answer">',
                self._answer(),
                f'<p class="soft">Method: {escape(self.decided)}.</p>' if self.decided else "",
                "</div>",
                self._navigation(),
                asset("choices.html") if "views" in self.data else "",
                self._ranking(),
                self._cautions(),
                self._graph(),
                *(_picture(picture) for picture in self.pictures),
                *([] if self.ranking else self._tables()),
                asset("curves.html") if self.data.get("curves") else "",
                self._cases(),
                *(self._tables() if self.ranking else []),
                self._checklist(),
                self._provenance(),
                f'</main><script type="application/json" id="data">{data_json(self.data)}</script>',
                f"<script>{script}</script></body></html>\n",
            ]
        )

    def to_text(self) -> str:
        """Return title, answer, tables and cautions as plain text."""
        tables = (table.to_text() for table in (*self.tables_of_views.values(), *self.tables))
        return "\n\n".join([self.title, *self.answer, *tables, *map(str, self._warnings())])

    def write(self, folder: Path | None, name: str) -> str:
        """Write the page into a folder, where there is one; return the text."""
        if folder is not None:
            write_text(folder / f"{name}.html", self.to_html())
        return self.to_text()

    def _answer(self) -> str:
        first, *further = self.answer or [""]
        return f"<p><strong>{escape(first)}</strong> {escape(' '.join(further))}</p>"

    def _navigation(self) -> str:
        parts = [("ranking", "Ranking", self.ranking is not None)]
        parts += [("outperforms", "Graph", "views" in self.data)]
        parts += [("pairs", "Pairs", "views" in self.data)]
        parts += [("curves", "Curves", bool(self.data.get("curves")))]
        parts += [("cases", "Cases", bool(self.data.get("cases")))]
        parts += [("details", "Details", bool(self.tables or self.tables_of_views))]
        parts += [("checklist", "Checklist", bool(self.checklist)), ("origin", "Provenance", True)]
        links = "".join(
            f'<a href="#{name}">{title}</a>' for name, title, is_there in parts if is_there
        )
        return f'<nav aria-label="Sections">{links}</nav>'

    def _ranking(self) -> str:
        if self.ranking is None:
            return ""
        systems = list(self.data["systems"])
        # the script changes ranks and letters where a reader switches the test
        marks = [" data-letters" if name == "letters" else "" for name in self.ranking.header]
        rows = "".join(
            _row_head(row[0])
            + f'<td data-rank="{systems.index(row[0])}">{escape(row[-1])}</td>'
            + "".join(
                f"<td{marks[k]}>{escape(cell)}{_small(self.bounds.get((i, k)))}</td>"
                for k, cell in enumerate(row[1:-1], 1)
            )
            + "</tr>"
            for i, row in enumerate(self.ranking.cells())
        )
        first, *middle, last = self.ranking.header  # the rank beside the name: seen on a phone too
        table = replace(self.ranking, header=[first, last, *middle])
        return _titled("ranking", table, rows)

    def _warnings(self) -> list[Caution]:
        if not self.validity:
            return [*self.cautions]
        return [*self.cautions, Caution("validity", self.validity)]

    def _cautions(self) -> str:
        n = len(self._warnings())
        if not n:
            return ""
        summary = "One caution" if n == 1 else f"{n} cautions: read them before you quote a result"
        views = self.data.get("views", ())
        items = "".join(
            f"<li{_of_view(caution.view, views)}>{escape(str(caution))}</li>"
            for caution in self.cautions
        )
        if self.validity:
            items += f'<li id="validity">{escape(self.validity)}</li>'
        return (
            f'<details class="cautions"{" open" if n <= 3 else ""}><summary>{summary}</summary>'
            f"<ul>{items}</ul></details>"
        )

    def _graph(self) -> str:
        if "views" not in self.data:
            return ""
        picture = _drawing(self.graph, ' role="img" aria-label="Who outperforms whom"')
        return asset("graph.html").replace("<!-- graph -->", picture if self.graph else "")

    def _cases(self) -> str:
        if not self.data.get("cases"):
            return ""
        if self.mistakes is None:
            return asset("cases.html")
        systems = list(self.data["systems"])
        rows = "".join(
            _row_head(row[0])
            + "".join(
                f'<td data-kind="{kind}" data-system="{systems.index(row[0])}">{escape(cell)}</td>'
                for kind, cell in zip(KINDS, row[1:], strict=True)
            )
            + "</tr>"
            for row in self.mistakes.cells()
        )
        counted = _titled("mistakes", self.mistakes, rows)
        return asset("cases.html").replace("<!-- mistakes -->", counted)

    def _tables(self) -> list[str]:
        """Return the further tables; long ones folded, but where a table is the main thing."""
        tables = [(view, table) for view, table in self.tables_of_views.items()]
        tables += [("", table) for table in self.tables]
        if not tables:
            return []
        views = self.data.get("views", ())
        parts = []
        for k, (view, table) in enumerate(tables):
            fold = self.ranking is not None or k > 0
            section = f'<section class="table"{_of_view(view, views)}>'
            parts.append(f"{section}{_table(table, fold=fold)}</section>")
        return ['<div id="details"></div>', *parts]

    def _checklist(self) -> str:
        if not self.checklist:
            return ""
        switched = '<dt>switched</dt><dd id="switched">nothing since the results were made</dd>'
        listed = _facts(self.checklist).replace("</dl>", f"{switched}</dl>")
        return f'<h2 id="checklist">Reporting checklist</h2>{listed}'

    def _provenance(self) -> str:
        inputs = [fact for fact in self.provenance if fact[0].startswith(INPUT)]
        facts = [fact for fact in self.provenance if fact not in inputs]
        listed = _facts(inputs)
        if len(inputs) > LONG:
            listed = f"<details><summary>{len(inputs)} input files</summary>{listed}</details>"
        return f'<h2 id="origin">Where this comes from</h2>{_facts(facts)}{listed}'


def _of_view(view: str | None, views: Collection[str]) -> str:
    """Return the attribute of what is shown with one view only."""
    return f' data-view="{escape(view)}"' if view in views and view else ""


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    pairs = (
        (escape(k), f"<code>{escape(v)}</code>" if k == AGAIN else escape(v)) for k, v in facts
    )
    return f"<dl>{''.join(f'<dt>{k}</dt><dd>{v}</dd>' for k, v in pairs)}</dl>"


def _titled(name: str, table: Table, rows: str) -> str:
    """Return heading, table and note, where the rows are made already."""
    return f'<h2 id="{name}">{escape(table.title)}</h2>{_grid(table, rows)}'


def _grid(table: Table, rows: str, is_text: Sequence[bool] = ()) -> str:
    head = "".join(
        f'<th scope="col"{" class=left" if words else ""}>{escape(name)}</th>'
        for name, words in zip_longest(table.header, is_text)
    )
    note = f'<p class="soft">{escape(table.footnote)}</p>' if table.footnote else ""
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(table.title)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}"
    )


def _row_head(name: str) -> str:
    return f'<tr><th scope="row" class="name" title="{escape(name)}">{escape(name)}</th>'


def _small(limits: str | None) -> str:
    """Return the limits of a value, small and below it."""
    return f"<small>{escape(limits)}</small>" if limits else ""


def _picture(picture: Picture) -> str:
    note = f'<p class="soft">{escape(picture.note)}</p>' if picture.note else ""
    return f"<h2>{escape(picture.title)}</h2>{_drawing(picture.svg)}{note}"


def _drawing(svg: str, attributes: str = "") -> str:
    """Return a figure's SVG without what precedes its element, on white in any theme."""
    return f'<div class="picture"{attributes}>{svg[svg.find("<svg") :]}</div>'


def _table(table: Table, *, fold: bool) -> str:
    words = [not number for number in table.is_number()]
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td{' class=left' if is_text else ''}>{_cell(cell, (i, k) in table.strong)}</td>"
            for k, (cell, is_text) in enumerate(zip(row, words, strict=True))
        )
        + "</tr>"
        for i, row in enumerate(table.cells())
    )
    if not fold or len(table.rows) <= LONG:
        return f"<h2>{escape(table.title)}</h2>{_grid(table, rows, words)}"
    title = f"{escape(table.title)} ({len(table.rows)} rows)"
    return f"<details><summary>{title}</summary>{_grid(table, rows, words)}</details>"


def _cell(text: str, is_strong: bool) -> str:
    return f"<strong>{escape(text)}</strong>" if is_strong else escape(text)


def data_json(data: Mapping[str, Any]) -> str:  # Any: as `Report.data`
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def asset(name: str) -> str:
    """Return the text of a file of the pages."""
    return (files("alignrank.experiments") / "report" / "page" / name).read_text(encoding="utf-8")
