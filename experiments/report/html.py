"""The report: one self-contained HTML file, readable without a network and without JavaScript.

Labels and names are untrusted text: on the page they are escaped, in the data they cannot end the
script element, and the page's policy forbids it to load or send anything.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib.resources import files

from alignrank.common.results import Caution, Provenance, command, installation
from alignrank.common.table import Table
from alignrank.experiments.presentation.present import Presentation

#: Columns of the table of mistakes: their names in the page's script, and their headings.
KINDS = {
    "right": "correct",
    "wrong": "wrong",
    "near": "near misses",
    "missed": "missed",
    "only": "correct, found by no other",
}
#: Columns that tell the page's script what a row is about.
KEYS = ("view", "system", "other")
#: Tables with more rows than this are folded; with more cautions than `FEW` they are, too.
LONG, FEW = 12, 3
SCRIPTS = ("common", "answer", "graph", "curves", "cases")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Report:
    """The content of a report, from the answer down to the provenance.

    Parameters
    ----------
    title
        Heading.
    answer
        The result in sentences, where nothing else is said of it; the first one is the answer.
    presentation
        What is said of the result; None where there is only an answer.
    cautions
        What the reader must know, where nothing else is said of the result.
    graph
        The graph as the figures have it, as SVG text, for readers without JavaScript; the page's
        script draws the one that follows the chosen view, test, correction and alpha.
    mistakes
        Table that counts each system's cases by the kinds of `KINDS`.
    mean_ranks
        The critical-difference diagram as SVG text; empty where there is none.
    tables
        Further tables; long ones are folded.
    tables_of_views
        By view: the table that is shown with this view only.
    systems
        Names, in the order in which the page's script counts them.
    views
        By view, its data for the page's script; empty where nothing can be switched.
    data
        Further data for the script: ``scores``, ``defaults``, ``curves`` and ``cases``.
    provenance
        Where the result comes from.
    """

    title: str
    answer: Sequence[str] = ()
    presentation: Presentation | None = None
    cautions: Sequence[Caution] = ()
    graph: str = ""
    mistakes: Table | None = None
    mean_ranks: str = ""
    tables: Sequence[Table] = ()
    tables_of_views: Mapping[str, Table] = field(default_factory=dict)
    systems: Sequence[str] = ()
    views: Mapping[str, object] = field(default_factory=dict)
    data: Mapping[str, object] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    def to_html(self) -> str:
        """Return the whole page."""
        sections = [
            self._answer(),
            self._navigation(),
            self._part(self.views, "choices.html"),
            self._ranking(),
            self._cautions(),
            self._graph(),
            self._mean_ranks(),
        ]
        details = [
            self._part(self.data.get("curves"), "curves.html"),
            self._cases(),
            self._tables(),
        ]
        if self.presentation is None:  # the tables are the main thing
            details.insert(0, details.pop())
        data = {"systems": self.systems, **self.data}
        if self.views:
            data["views"] = self.views
        script = "".join(asset(f"{name}.js") for name in SCRIPTS)
        return "".join(
            [
                "<!doctype html>\n",
                '<html lang="en"><head><meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
                f"<title>{escape(self.title)}</title><style>{asset('report.css')}</style></head>",
                f"<body><main><h1>{escape(self.title)}</h1>",
                *sections,
                *details,
                self._checklist(),
                self._provenance(),
                f'</main><script type="application/json" id="data">{data_json(data)}</script>',
                f"<script>{script}</script></body></html>\n",
            ]
        )

    def _part(self, data: object, file: str) -> str:
        """Return the part of the page that shows some data; '' where there are none."""
        return asset(file) if data else ""

    def _answer(self) -> str:
        sentences, notes = list(self.answer), ""
        if (presentation := self.presentation) is not None:
            sentences = [*presentation.answer, *presentation.further, *presentation.advice]
            notes = _note(f"Method: {presentation.method}.")
            if presentation.next_command:
                notes += _note(f"Next: {presentation.next_command}")
        first, *further = sentences or [""]
        answer = f"<p><strong>{escape(first)}</strong> {escape(' '.join(further))}</p>"
        return f'<div class="answer">{answer}{notes}</div>'

    def _navigation(self) -> str:
        views = self.views
        parts = [
            ("ranking", "Ranking", self.presentation),
            ("outperforms", "Graph", views),
            ("pairs", "Pairs", views),
            ("curves", "Curves", self.data.get("curves")),
            ("cases", "Cases", self.data.get("cases")),
            ("details", "Details", self.tables or self.tables_of_views),
            ("checklist", "Checklist", self.presentation and self.presentation.checklist),
            ("origin", "Provenance", True),
        ]
        links = "".join(
            f'<a href="#{name}">{title}</a>' for name, title, content in parts if content
        )
        return f'<nav aria-label="Sections">{links}</nav>'

    def _ranking(self) -> str:
        presentation = self.presentation
        if presentation is None:
            return ""
        table = presentation.table(
            presentation.at("page"), title=presentation.title, notes=presentation.table_notes
        )
        footnote = " ".join(filter(None, [table.footnote, presentation.limits_note]))
        places, rows = list(self.systems), []
        for name in presentation.systems:
            cells = []
            for column in presentation.at("page"):
                # the script changes ranks and letters where a reader switches the test
                followed = {
                    "rank": f' data-rank="{places.index(name)}"',
                    "letters": " data-letters",
                }
                text = escape(column.text(name))
                if not column.has_own_limits and (below := column.limits_text(name)):
                    text += f"<small>{escape(below)}</small>"
                cells.append(f"<td{followed.get(column.name, '')}>{text}</td>")
            rows.append(_row(name, cells))
        return _titled("ranking", replace(table, footnote=footnote), rows)

    def _cautions(self) -> str:
        cautions, validity = self.cautions, ""
        if self.presentation is not None:
            cautions, validity = self.presentation.cautions, self.presentation.validity
        items = [
            f"<li{_of_view(caution.view, self.views)}>{escape(str(caution))}</li>"
            for caution in cautions
        ]
        if validity:
            items.append(f'<li id="validity">{escape(validity)}</li>')
        if not items:
            return ""
        summary = f"{len(items)} cautions: read them before you quote a result"
        if len(items) == 1:
            summary = "One caution"
        state = " open" if len(items) <= FEW else ""
        return (
            f'<details class="cautions"{state}><summary>{summary}</summary>'
            f"<ul>{''.join(items)}</ul></details>"
        )

    def _graph(self) -> str:
        picture = ""
        if self.graph:
            picture = _drawing(self.graph, ' role="img" aria-label="Who outperforms whom"')
        return self._part(self.views, "graph.html").replace("<!-- graph -->", picture)

    def _mean_ranks(self) -> str:
        if not self.mean_ranks:
            return ""
        note = "A bar joins systems of which no two differ significantly."
        return f"<h2>Mean ranks</h2>{_drawing(self.mean_ranks)}{_note(note)}"

    def _cases(self) -> str:
        page = self._part(self.data.get("cases"), "cases.html")
        if self.mistakes is None or not page:
            return page
        systems = list(self.systems)
        rows = []
        for name, *counts in self.mistakes.cells():
            cells = [
                f'<td data-kind="{kind}" data-system="{systems.index(name)}">{escape(number)}</td>'
                for kind, number in zip(KINDS, counts, strict=True)
            ]
            rows.append(_row(name, cells))
        counted = _titled("mistakes", self.mistakes, rows)
        return page.replace("<!-- mistakes -->", counted)

    def _tables(self) -> str:
        """Return the further tables; long ones folded, but where a table is the main thing."""
        tables = [*self.tables_of_views.items(), *(("", table) for table in self.tables)]
        sections = []
        for k, (view, table) in enumerate(tables):
            folds = self.presentation is not None or k > 0
            content = _table(table, folds=folds)
            sections.append(
                f'<section class="table"{_of_view(view, self.views)}>{content}</section>'
            )
        if sections:
            sections.insert(0, '<div id="details"></div>')
        return "".join(sections)

    def _checklist(self) -> str:
        if self.presentation is None:
            return ""
        switched = '<dt>switched</dt><dd id="switched">nothing since the results were made</dd>'
        listed = _facts(self.presentation.checklist, switched)
        return f'<h2 id="checklist">Reporting checklist</h2>{listed}'

    def _provenance(self) -> str:
        """Return versions, settings, the command that was typed, and inputs with their hashes."""
        facts = installation()
        for name, value in self.provenance.settings.items():
            if isinstance(value, list | tuple):
                value = ", ".join(map(str, value))
            if value not in (None, ""):
                facts.append((name, str(value)))
        typed = ""
        if again := command():
            typed = f"<dt>again with</dt><dd><code>{escape(again)}</code></dd>"
        inputs = []
        for name, file in self.provenance.inputs.items():
            role = "" if name == file.path else name
            inputs.append((f"input {role}", f"{file.path} (SHA-256 {file.sha256})"))
        listed = _facts(inputs)
        if len(inputs) > LONG:
            listed = f"<details><summary>{len(inputs)} input files</summary>{listed}</details>"
        return f'<h2 id="origin">Where this comes from</h2>{_facts(facts, typed)}{listed}'


def _note(text: str) -> str:
    """Return a text as a note; '' without text."""
    return f'<p class="soft">{escape(text)}</p>' if text else ""


def _of_view(view: str | None, views: Collection[str]) -> str:
    """Return the attribute of an element that is shown with one view only."""
    if not view or view not in views:
        return ""
    return f' data-view="{escape(view)}"'


def _facts(facts: Sequence[tuple[str, str]], last: str = "") -> str:
    """Return facts as a list of names and values; `last` is the element at its end."""
    listed = [f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts]
    return f"<dl>{''.join(listed)}{last}</dl>"


def _row(name: str, cells: Iterable[str]) -> str:
    """Return a row of a table, headed by a name."""
    text = escape(name)
    head = f'<th scope="row" class="name" title="{text}">{text}</th>'
    return f"<tr>{head}{''.join(cells)}</tr>"


def _titled(anchor: str, table: Table, rows: Iterable[str]) -> str:
    """Return heading, table and note, where the rows are made already."""
    head = [f'<th scope="col">{escape(name)}</th>' for name in table.header]
    return f'<h2 id="{anchor}">{escape(table.title)}</h2>{_grid(table, head, rows)}'


def _grid(table: Table, head: Iterable[str], rows: Iterable[str]) -> str:
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(table.title)}"><table>'
        f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"{_note(table.footnote)}"
    )


def _drawing(svg: str, attributes: str = "") -> str:
    """Return a figure's SVG element on white in any theme."""
    return f'<div class="picture"{attributes}>{svg[svg.find("<svg") :]}</div>'


def _table(table: Table, *, folds: bool) -> str:
    # numbers stand flush right
    styles = ["" if is_number else " class=left" for is_number in table.is_number()]
    names = table.names or [""] * len(styles)
    head = [
        f'<th scope="col" data-column="{escape(name)}"{style}>{escape(heading)}</th>'
        for name, heading, style in zip(names, table.header, styles, strict=True)
    ]
    rows = []
    for i, row in enumerate(table.cells()):
        cells = []
        for k, (text, style) in enumerate(zip(row, styles, strict=True)):
            content = escape(text)
            if (i, k) in table.strong:
                content = f"<strong>{content}</strong>"
            cells.append(f"<td{style}>{content}</td>")
        keys = [
            f' data-{name}="{escape(row[names.index(name)])}"' for name in KEYS if name in names
        ]
        rows.append(f"<tr{''.join(keys)}>{''.join(cells)}</tr>")
    grid = _grid(table, head, rows)
    title = escape(table.title)
    if not folds or len(rows) <= LONG:
        return f"<h2>{title}</h2>{grid}"
    summary = f"<summary>{title} ({len(rows)} rows)</summary>"
    return f'<details data-title="{title}">{summary}{grid}</details>'


def data_json(data: Mapping[str, object]) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def asset(name: str) -> str:
    """Return the text of a file of the pages."""
    return (files("alignrank.experiments") / "report" / "page" / name).read_text(encoding="utf-8")
