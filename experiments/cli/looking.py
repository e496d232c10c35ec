"""The command that says why: explain, which matches too."""

from __future__ import annotations

from experiments.looking.explain import explain_pair

from . import matching_options as matching
from . import options as shared
from .options import argument, command, option

explain = command(
    explain_pair,
    source=shared.SOURCE,
    target=shared.TARGET,
    name1=argument("E1", "Source entity: IRI, its last part, or a label."),
    name2=argument("E2", "Target entity."),
    reference=option("FILE", "Reference alignment: is the pair right?"),
    metrics=matching.METRICS,
    labels=matching.LABELS,
    synonyms=matching.SYNONYMS,
    langs=matching.LANGS,
    threshold=matching.THRESHOLD,
    assignment=matching.ASSIGNMENT,
    order=matching.ORDER,
    imports=shared.IMPORTS,
    figure=option("FILE", "Draw the first metric's similarities near the pair: .svg, .pdf, .png."),
    overwrite=shared.REPLACE,
    form=shared.TABLE_OR_JSON,
)
