"""An ontology pair from files to files: ranked metrics, or one alignment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.errors import ExperimentError
from experiments.results.folder import check_writable, results_folder
from matchers import Settings, get_metric, match, prepare, select_metrics
from matchers.metrics.by_name import FAMILIES
from matchers.warm_up import warm_up
from ontologies import load_ontology, write_alignment
from ontologies.common.wording import count

from .second_process import SecondProcess

if TYPE_CHECKING:
    from .rank import Ranking

#: Bytes of an ontology that is loaded in some tenths of a second.
_SMALL = 2_000_000


def rank_pair(
    source: Path,
    target: Path,
    reference: Path,
    *,
    metrics: Sequence[str],
    settings: Settings,
    imports: Path | None,
    test: str,
    correction: str,
    alpha: float,
    best_threshold: bool = False,
    seed: int = 0,
    out: Path | None,
    overwrite: bool,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Load, rank, print, and write the results folder (`alignrank rank`).

    `facts` go into ``summary.json`` as they are.
    """
    chosen = select_metrics(metrics)
    folder = undrawn = None
    with ExitStack() as stack:
        if out is not None:
            folder = stack.enter_context(results_folder(out, overwrite=overwrite))
        second = stack.enter_context(SecondProcess(folder / "figures" if folder else None))
        loading = {path: second.load(path, imports) for path in _given_away(source, target)}
        second.get_ready_to_draw()

        # imported only now, while the other process loads
        from experiments.inputs.named_inputs import read_reference
        from experiments.report.comparison_page import comparison_report, write_report
        from experiments.report.console import finish, print_comparison
        from experiments.results.writing import Provenance, score_bounds, summary, write_comparison

        from .rank import labels, plain_settings, rank

        judge = read_reference(reference)
        ontologies = {
            path: load_ontology(path, imports=imports)
            for path in (source, target)
            if path not in loading
        }
        warm_up(chosen)
        ontologies |= {path: loaded() for path, loaded in loading.items()}
        left, right = ontologies[source], ontologies[target]
        ranking = rank(
            left,
            right,
            judge,
            metrics=metrics,
            settings=settings,
            test=test,
            correction=correction,
            alpha=alpha,
            best_threshold=best_threshold,
            seed=seed,
            second=second,
        )
        provenance = Provenance(
            settings={
                "command": "rank",
                **plain_settings(settings),
                "metrics": list(ranking.matchings),
                "test": test,
                "correction": correction,
                "alpha": alpha,
                **({"threshold": "best", "seed": seed} if best_threshold else {}),
            },
            inputs={
                "source": {"path": str(source), "sha256": left.sha256},
                "target": {"path": str(target), "sha256": right.sha256},
                "reference": {"path": str(reference), "sha256": judge.sha256},
            },
        )
        extra = {
            "total_similarity": {name: dict(m.totals) for name, m in ranking.matchings.items()},
            "protocol": settings.protocol,
            "thresholds": {name: list(pair) for name, pair in ranking.thresholds.items()},
            "tie_proof": {view: list(arrows) for view, arrows in ranking.tie_proof.items()},
            "notes": list(ranking.notes),
            **(facts or {}),
        }
        content = summary(ranking.comparison, provenance, extra)
        for name, known in ranking.ties.items():
            content["counts"][name] |= {
                "correct_min": known.correct_min,
                "correct_max": known.correct_max,
            }
        content["intervals"] = score_bounds(ranking.alignments, judge)
        if folder is not None:
            report = comparison_report(
                ranking.comparison,
                content,
                ranking.alignments,
                judge,
                ranking.curves,
                title=f"{len(ranking.alignments)} metrics on {source.stem} and {target.stem}",
                label=labels(left, right),
                parents=(left.parents, right.parents),
            )
            write_comparison(folder, ranking.comparison, content, ranking.alignments)
        try:
            second.wait()
        except ExperimentError as error:  # what was computed is kept
            undrawn = error
        if folder is not None:
            write_report(folder, report)
    # after all is written: whoever reads this may leave
    print_comparison(content, heading=_heading(ranking, settings))
    finish(content, out)
    if undrawn:
        raise undrawn


def _given_away(*paths: Path) -> list[Path]:
    """Return which ontologies the second process loads: the largest first, and small ones.

    It has loaded small ones before this one has imported what it needs itself.
    """
    # another process finds the same file by its name: not /dev/stdin
    files = [
        path
        for path in dict.fromkeys(paths)
        if path.is_file() and path.absolute().parts[1:2] not in (("dev",), ("proc",))
    ]
    by_size = sorted(files, key=lambda path: path.stat().st_size, reverse=True)
    return by_size[:1] + [path for path in by_size[1:] if path.stat().st_size <= _SMALL]


def match_pair(
    source: Path,
    target: Path,
    *,
    metric: str,
    settings: Settings,
    imports: Path | None,
    out: Path,
    overwrite: bool,
) -> None:
    """Load, match with one metric and write the alignment (`alignrank match`)."""
    from experiments.inputs.input_cautions import nameless_notes, ontology_notes
    from experiments.report.console import finish, print_notes, say

    if out.exists() and not overwrite:
        raise ExperimentError(f"{out} exists: name another file with --out, or add --overwrite")
    check_writable(out)
    if metric in FAMILIES:
        raise ExperimentError(
            f"{metric!r} is nine metrics: name one, such as {FAMILIES[metric][1]}"
        )
    chosen = get_metric(metric)
    left = load_ontology(source, imports=imports)
    right = load_ontology(target, imports=imports)
    candidates = prepare(left, right, settings)
    matching = match(candidates, chosen)
    write_alignment(matching.alignment, out)
    notes = [*ontology_notes(left, right), *nameless_notes(candidates)]
    print_notes(notes)
    found = count(len(matching.alignment), "correspondence")
    say(f"{found} ({matching.protocol}), total similarity {matching.total:.6f}: {out}")
    content = {
        "metric": matching.metric,
        "correspondences": len(matching.alignment),
        "total_similarity": matching.total,
        "protocol": matching.protocol,
        "out": str(out),
        "notes": notes,
    }
    finish(content, None)


def demo(out: Path | None, *, overwrite: bool) -> None:
    """Rank the nine standard metrics on the bundled library pair (`alignrank demo`)."""
    from ontologies.tasks import bundled_task

    task = bundled_task("library")
    rank_pair(
        task.source,
        task.target,
        task.reference,
        metrics=["standard"],
        settings=Settings(),
        imports=None,
        test="mid-p",
        correction="bergmann-hommel",
        alpha=0.05,
        out=out,
        overwrite=overwrite,
    )


def _heading(ranking: Ranking, settings: Settings) -> str:
    names = "labels and synonyms" if settings.synonyms else "labels"
    cut = f", threshold {settings.threshold:g}" if settings.threshold else ""
    if ranking.thresholds:
        cut = ", cross-fitted thresholds"
    return (
        f"{len(ranking.matchings)} metrics on {names} ({settings.labels}), "
        f"{settings.assignment} assignment, {settings.protocol}{cut}"
    )
