"""Where downloaded data lies, and how it gets there: fetched once, checked always."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Return the folder that downloads go to: ``$ALIGNRANK_DATA``, or the user's cache folder."""
    named = os.environ.get("ALIGNRANK_DATA")
    if named:
        return Path(named)
    import pooch

    return Path(pooch.os_cache("alignrank"))


def data_folders(given: Path | None = None) -> list[Path]:
    """Return the folders in which data is looked for, in this order.

    Parameters
    ----------
    given
        Folder to look in, and in no other.

    Returns
    -------
    list of pathlib.Path
        `given`; without it, `data_folder` and MELT's cache in the home folder.
    """
    return [given] if given else [data_folder(), Path.home() / "oaei_track_cache"]
