"""Where the real OAEI files are."""

from __future__ import annotations

import os
from pathlib import Path

from experiments.errors import ExperimentError


def data_folder(given: Path | None = None) -> Path:
    """Return the folder that holds ``anatomy/``: `given`, else ``$ALIGNRANK_DATA``.

    A checkout that has the files beside it (``../shared/oaei``) needs neither.

    Raises
    ------
    ExperimentError
        If there is no such folder.
    """
    beside = Path("..") / "shared" / "oaei"
    named = given or os.environ.get("ALIGNRANK_DATA")
    folder = Path(named) if named else beside
    if not (folder / "anatomy").is_dir():
        where = f"{folder} has no folder anatomy" if named else "the OAEI files are not here"
        raise ExperimentError(
            f"{where}: name the folder that holds anatomy/ with --data or $ALIGNRANK_DATA"
        )
    return folder
