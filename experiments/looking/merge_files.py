"""Two ontologies merged by an alignment, and what that breaks (`alignrank merge`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from evaluation.measures.logic.culprits import Breakage, breakage
from experiments.errors import ExperimentError
from experiments.inputs.input_cautions import ontology_cautions
from experiments.inputs.named_inputs import labels
from experiments.report.console import (
    ROWS,
    console,
    print_cautions,
    print_json,
    print_prose,
    terminal_table,
)
from ontologies import Correspondence, load_ontology, read_alignment
from ontologies.common.names import count
from ontologies.common.table import Table
from ontologies.merging import MergedOntology, merge_ontologies, write_merged


def merge_files(
    source: Path,
    target: Path,
    alignment: Path,
    *,
    out: Path,
    join: bool = False,
    imports: Path | None = None,
    overwrite: bool = False,
    form: str = "table",
) -> None:
    """Merge two ontologies by an alignment; say what breaks and why.

    Every axiom of both files and of their imports is kept; each correspondence is an axiom with its
    confidence and file. What became unsatisfiable is found by HermiT (needs Java), in what was
    read back.

    Example: alignrank merge a.owl b.owl reference.rdf --out merged.owl

    Parameters
    ----------
    source, target, alignment, imports
        The files, and the folder of their imports.
    out
        The merged ontology: RDF/XML, Turtle or N-Triples by its ending.
    join
        Whether entities that ``=`` relates go under one IRI.
    overwrite
        Whether a file that is there is replaced.
    form
        ``table`` or ``json``.
    """
    if out.exists() and not overwrite:
        raise ExperimentError(f"{out} exists: name another file, or add --overwrite")
    one, two = (load_ontology(path, imports=imports) for path in (source, target))
    merged = merge_ontologies(one, two, read_alignment(alignment), join=join)
    write_merged(merged, out)
    broken = breakage(load_ontology(out, imports=imports), one, two, merged.used)
    if form == "json":
        facts = {"triples": len(merged.triples), "correspondences": len(merged.used)}
        rest = {"left_out": merged.left_out, "joined": len(merged.joined)}
        print_json({"out": str(out), **asdict(broken), **facts, **rest})
        return
    print_prose(f"{out} {_answer(broken)}")
    _print_broken(broken, labels(one, two))
    used = f"{count(len(merged.used), 'correspondence')} as axioms{' or joined' if join else ''}"
    print_prose(f"{used}; {len(merged.triples)} triples, all read back")
    read = (replace(ontology, left_out={}) for ontology in (one, two))  # nothing of it is
    print_cautions([*broken.cautions, *_cautions(merged), *ontology_cautions(*read)])


def _answer(broken: Breakage) -> str:
    """Say in a sentence what became impossible."""
    classes = f"of {broken.classes} classes"
    earlier = f" ({broken.before} were unsatisfiable before)" if broken.before else ""
    if not broken.unsatisfiable and not broken.inconsistent:
        return f"holds together: none {classes} became unsatisfiable{earlier}, by {broken.reasoner}"
    what = "everything: it is inconsistent"
    if not broken.inconsistent:
        what = f"{len(broken.unsatisfiable)} {classes}{earlier}"
    blame = count(len(broken.conflicts), "correspondence")
    return f"breaks {what}, by {broken.reasoner}; to blame: {blame}"


def _print_broken(broken: Breakage, label: Callable[[str], str]) -> None:
    """Print who did it, together with whom, then what can have no instance any more."""

    def equation(c: Correspondence) -> str:
        return f"{label(c.entity1)} {c.relation} {label(c.entity2)}"

    rows = [
        [equation(first), first.confidence, ", ".join(map(equation, others))]
        for first, *others in broken.conflicts[:ROWS]
    ]
    if rows:
        table = Table("", ["to blame", "confidence", "together with"], rows)
        console().print(terminal_table(table, wrapped=("to blame", "together with")))
    if named := ", ".join(map(label, broken.unsatisfiable[:ROWS])):
        print_prose(f"unsatisfiable: {named}{' ...' if len(broken.unsatisfiable) > ROWS else ''}")


def _cautions(merged: MergedOntology) -> list[str]:
    """Return a sentence on what of the alignment is not there, or may not be meant."""
    cautions = [
        f"{count(n, 'correspondence')} left out: {reason}" for reason, n in merged.left_out.items()
    ]
    if several := sum(n > 1 for n in Counter(merged.joined.values()).values()):
        cautions.append(
            f"{count(several, 'IRI')} stand for three entities or more, as the alignment is not "
            "one-to-one: leave out --join to keep them apart"
        )
    return cautions
