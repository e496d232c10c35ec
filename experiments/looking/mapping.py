"""A quick look at a mapping (`alignrank show`): on the screen, and as a page to correct it."""

from __future__ import annotations

import shlex
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from alignrank.common.files import unpacked_name, write_text
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.named_inputs import labels
from alignrank.experiments.judging.review_page import review_page
from alignrank.experiments.ranking.matching import print_mapping, several_partners
from alignrank.experiments.report.console import finish, print_cautions, print_prose, say
from alignrank.ontologies import load_pair, read_alignment
from alignrank.ontologies.alignment import with_labels
from alignrank.ontologies.curation import decisions_of


def show_mapping(
    path: Path,
    source: Path,
    target: Path,
    *,
    page: bool = False,
    out: Path | None = None,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    overwrite: bool = False,
) -> None:
    """Print a mapping, and write the page on which it is corrected."""
    ontology1, ontology2 = load_pair(
        source, target, imports=imports, label_properties=label_properties
    )
    alignment = read_alignment(path)
    notes = alignment.notes
    alignment = with_labels(alignment, ontology1, ontology2)
    strange = [
        f"{sum(c.pair[side] not in ontology for c in alignment)} of {len(alignment)} "
        f"correspondences name no entity of {ontology.path}: is it the ontology that was matched?"
        for side, ontology in enumerate((ontology1, ontology2))
        if any(c.pair[side] not in ontology for c in alignment)
    ]
    decided = decisions_of(alignment)
    kinds = [kind for kind in ontology1.kinds if kind in ontology2.kinds]
    sides = [
        [entity.iri for kind in kinds for entity in ontology.of_kind(kind)]
        for ontology in (ontology1, ontology2)
    ]
    print_mapping(alignment, sides, (labels(ontology1), labels(ontology2)))
    if decided.accepted or decided.rejected:
        print_prose(f"Decided: {len(decided.accepted)} accepted, {len(decided.rejected)} rejected.")
    if page and out is None:
        out = Path(f"{unpacked_name(path).name.partition('.')[0]}.html")
    if out is not None:
        if out.suffix != ".html":
            raise ExperimentError(f"--out {out}: the page must end in .html")
        refuse_taken(out, overwrite=overwrite)
        saved = f"{out.stem}-corrected.sssom.tsv"
        write_text(out, review_page(alignment, ontology1, ontology2, name=saved))
        files = shlex.join(map(str, (source, target)))
        say(f"Page: {out}")
        say(f"Next: alignrank match {files} --from {saved} --out FILE")
    else:
        print_prose("--open shows all of it, and you correct it there.")
    print_cautions([*notes.mended, *strange])
    if page and out is not None:
        webbrowser.open(out.resolve().as_uri())
    content = {
        "correspondences": len(alignment),
        "not_one_to_one": len(several_partners(alignment)),
        "accepted": len(decided.accepted),
        "rejected": len(decided.rejected),
        "page": out and str(out),
    }
    finish(content)
