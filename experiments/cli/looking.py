"""Commands that show what is there, and why: show and explain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from experiments.looking.show import show_ontology

from . import matching_options as matching
from . import options as shared
from .matching_options import settings_from
from .options import argument, option


def show(
    ontology: Annotated[Path, argument("ONTOLOGY", "The ontology.")],
    find: Annotated[str | None, option("WORD", "List what is called so instead.")] = None,
    examples: Annotated[int, option("N", "Of each kind.", min=0)] = 5,
    imports: shared.Imports = None,
    form: shared.TableOrJson = "table",
) -> None:
    """Take a quick look at an ontology.

    What it holds, how its entities are named, what was left out.

    Example: alignrank show a.owl --find reviewer
    """
    show_ontology(ontology, imports=imports, examples=examples, word=find, form=form)


def explain(
    source: shared.Source,
    target: shared.Target,
    entity1: Annotated[str, argument("E1", "Source entity: IRI, its last part, or a label.")],
    entity2: Annotated[str, argument("E2", "Target entity.")],
    reference: Annotated[
        Path | None, option("FILE", "Reference alignment: is the pair right?")
    ] = None,
    metric: matching.Metrics = None,
    labels: matching.Labels = "words",
    synonyms: matching.Synonyms = True,
    lang: matching.Langs = None,
    threshold: matching.Threshold = 0.0,
    assignment: matching.AssignmentMethod = "hungarian",
    protocol: matching.Protocol = "assign-then-cut",
    imports: shared.Imports = None,
    figure: Annotated[
        Path | None,
        option("FILE", "Draw the first metric's similarities near the pair: .svg, .pdf, .png."),
    ] = None,
    overwrite: shared.Replace = False,
    form: shared.TableOrJson = "table",
) -> None:
    """Say why two entities were matched or not, metric by metric.

    Example: alignrank explain a.owl b.owl Reviewer Referee --reference reference.rdf
    """
    from experiments.looking.explain import explain_pair  # matches: what show never needs

    explain_pair(
        source,
        target,
        entity1,
        entity2,
        metrics=metric or ["standard"],
        settings=settings_from(labels, synonyms, None, lang, threshold, assignment, protocol),
        imports=imports,
        reference=reference,
        form=form,
        figure=figure,
        overwrite=overwrite,
    )
