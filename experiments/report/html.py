"""The report: one self-contained HTML file, readable without a network and without JavaScript.

Labels and names are untrusted text: on the page they are escaped, in the data they cannot end the
script element, and the page's policy forbids it to load or send anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Table:
    """A titled table of the report, with text cells (the first column is left-aligned)."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


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
        The result in words, one paragraph each.
    ranking
        Table whose last column, the rank, follows the chosen view, test, correction and alpha.
    warnings
        What the reader must know before believing it.
    pictures, tables
        Further figures and tables.
    data
        For the page's script: ``systems``, ``scores``, ``views``, ``defaults``, ``curves`` and
        ``cases``.
    provenance
        Name and value of every fact about where the result comes from.
    """

    title: str
    answer: Sequence[str]
    ranking: Table | None
    warnings: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    provenance: Sequence[tuple[str, str]] = ()

    def to_html(self) -> str:
        """Return the whole page."""
        return "".join(
            [
                "<!doctype html>\n",
                '<html lang="en"><head><meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
                f"<title>{escape(self.title)}</title><style>{_asset('report.css')}</style></head>",
                f"<body><h1>{escape(self.title)}</h1>",
                '<div class="answer">',
                *(f"<p>{escape(line)}</p>" for line in self.answer),
                "</div>",
                self._navigation(),
                self._ranking(),
                *(f'<p class="warning">{escape(line)}</p>' for line in self.warnings),
                _GRAPH if "views" in self.data else "",
                *(_picture(picture) for picture in self.pictures),
                *(_table(table) for table in self.tables),
                _CURVES if self.data.get("curves") else "",
                _CASES if self.data.get("cases") else "",
                self._provenance(),
                f'<script type="application/json" id="data">{_json(self.data)}</script>',
                f"<script>{_asset('report.js')}</script></body></html>\n",
            ]
        )

    def _navigation(self) -> str:
        parts = [("ranking", "Ranking", self.ranking is not None)]
        parts += [("outperforms", "Graph", "views" in self.data)]
        parts += [("curves", "Curves", bool(self.data.get("curves")))]
        parts += [("cases", "Cases", bool(self.data.get("cases"))), ("origin", "Provenance", True)]
        links = "".join(f'<a href="#{name}">{title}</a>' for name, title, shown in parts if shown)
        return f'<nav aria-label="Sections">{links}</nav>'

    def _ranking(self) -> str:
        if self.ranking is None:
            return ""
        systems = list(self.data["systems"])
        rows = "".join(
            "<tr>"
            + "".join(f'<td class="name" title="{escape(c)}">{escape(c)}</td>' for c in row[:1])
            + "".join(f"<td>{escape(c)}</td>" for c in row[1:-1])
            + f'<td data-rank="{systems.index(row[0])}">{escape(row[-1])}</td></tr>'
            for row in self.ranking.rows
        )
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.ranking.header)
        return (
            f'<h2 id="ranking">{escape(self.ranking.title)}</h2><div class="scroll" tabindex="0">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
            f'<p class="soft">{escape(self.ranking.note)}</p>'
        )

    def _provenance(self) -> str:
        facts = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in self.provenance)
        return f'<h2 id="origin">Where this comes from</h2><dl>{facts}</dl>'


def _picture(picture: Picture) -> str:
    drawing = picture.svg[picture.svg.index("<svg") :]
    note = f'<p class="soft">{escape(picture.note)}</p>' if picture.note else ""
    return f'<h2>{escape(picture.title)}</h2><div class="picture">{drawing}</div>{note}'


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.header)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    note = f'<p class="soft">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h2>{escape(table.title)}</h2><div class="scroll" tabindex="0"><table><thead><tr>{head}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>{note}"
    )


def _json(data: Mapping[str, Any]) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _asset(name: str) -> str:
    return (files("experiments") / "report" / "page" / name).read_text(encoding="utf-8")


_GRAPH = """
<h2 id="outperforms">Who outperforms whom</h2>
<div class="controls">
<label>View <select id="view"></select></label>
<label>Test <select id="test"></select></label>
<label>Correction <select id="correction"></select></label>
<label>α <input id="alpha" type="number" min="0.001" max="0.5" step="0.005"></label>
<button id="zoom-in" type="button">Zoom in</button>
<button id="zoom-out" type="button">Zoom out</button>
<button id="zoom-all" type="button">Whole graph</button>
</div>
<div id="graph"></div>
<p class="soft" id="graph-note"></p>
<p class="readout" id="readout" aria-live="polite">Point at an arrow, or move to it with the Tab
key, for its counts and p-values.</p>
<h2>Every pair</h2>
<div class="scroll" id="matrix"></div>
<p class="soft">▲ the row's system is better, ▽ it is worse; no mark: the two cannot be told
apart.</p>
<p class="readout" id="matrix-readout" aria-live="polite"></p>
"""

_CURVES = """
<h2 id="curves">Precision, recall and the threshold</h2>
<div class="charts"><div class="chart" id="pr-chart"></div>
<div class="chart" id="threshold-chart"></div></div>
<p class="legend" id="legend"></p>
<p class="soft">A threshold chosen on the reference that also judges it is exploratory.</p>
"""

_CASES = """
<h2 id="cases">Cases</h2>
<div class="controls">
<label>Show <select id="case-kind"></select></label>
<label>System <select id="case-system"></select></label>
<label>Search labels and IRIs <input id="case-search" type="search"></label>
<button id="case-back" type="button">Back</button><button id="case-next" type="button">Next</button>
</div>
<p class="soft" id="case-count" aria-live="polite"></p>
<div class="scroll" tabindex="0"><table><thead><tr><th class="left">source</th>
<th class="left">target</th><th class="left">judged</th><th class="left">found by</th></tr></thead>
<tbody id="case-rows"></tbody></table></div>
"""
