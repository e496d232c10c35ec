"""From what was typed to what experiments take; what does not fit is refused."""

from __future__ import annotations

from typing import Any, NoReturn


def settings_from(
    labels: str,
    synonyms: bool,
    kinds: list[str] | None,
    langs: list[str] | None,
    threshold: float,
    assignment: str,
    protocol: str,
    tiles: bool | None = None,
) -> Any:
    """Return the matching's settings; a kind that is unknown is refused."""
    from matchers import Settings
    from ontologies import Kind

    from ..errors import ExperimentError

    unknown = sorted(set(kinds or ()) - set(Kind))
    if unknown:
        raise ExperimentError(f"--kind {unknown[0]!r} is unknown: use one of {', '.join(Kind)}")
    return Settings(
        labels=labels,
        synonyms=synonyms,
        kinds=tuple(Kind(k) for k in kinds) if kinds else None,
        langs=tuple(langs) if langs else None,
        threshold=threshold,
        assignment=assignment,
        protocol=protocol,
        tiles=tiles,
    )


def refuse(reason: str) -> NoReturn:
    """Raise the error that is printed as one line."""
    from ..errors import ExperimentError

    raise ExperimentError(reason)


def threshold_from(text: str) -> float:
    """Return a threshold; ``best`` is chosen later, on the uncut alignments."""
    from ..errors import ExperimentError

    if text == "best":
        return 0.0
    try:
        return float(text)
    except ValueError:
        raise ExperimentError(f"--threshold {text!r}: give a number in [0, 1], or best") from None
