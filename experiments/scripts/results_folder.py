"""The scripts' common parts: a results folder that goes on where a run was stopped, and a start."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import ParamSpec

import pandas as pd

from alignrank.common.files import FilePath, write_text
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs import named_inputs
from alignrank.experiments.results.steps import fingerprint
from alignrank.functions import Result
from alignrank.ontologies.tasks import MatchingTask
from alignrank.ontologies.tasks.system_files import past_files

from . import stop

P = ParamSpec("P")
_MADE_OF = "made-of.txt"


class ResultsFolder:
    """A folder of tables: a table that is there is read, not computed again.

    Parameters
    ----------
    folder
        Where the tables go.
    made_of
        Files that the results depend on: the script itself (``__file__``) and its input files.
    options
        What they depend on beside, such as the names of metrics.

    Raises
    ------
    ExperimentError
        If the folder holds results of other files or options, or files of the user's own.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> results = ResultsFolder(mkdtemp())
    >>> first = results.table("scores", pd.DataFrame, {"F1": [0.5]})
    >>> results.table("scores", lambda: 1 / 0)["F1"].tolist()  # not computed again
    [0.5]
    """

    def __init__(self, folder: FilePath, *made_of: FilePath, **options: object) -> None:
        self.folder = Path(folder)
        now = fingerprint(options, map(Path, made_of))
        mark = self.folder / _MADE_OF
        if not mark.is_file() and any(self.folder.glob("[!.]*")):
            raise ExperimentError(f"{folder} holds files of your own: name another folder")
        if mark.is_file() and mark.read_text(encoding="utf-8") != now:
            raise ExperimentError(
                f"{folder} holds results of other options, or of another script, input or version: "
                "remove it, or name another folder"
            )
        write_text(mark, now)

    def table(
        self,
        name: str,
        compute: Callable[P, Result | pd.DataFrame],
        *arguments: P.args,
        **options: P.kwargs,
    ) -> pd.DataFrame:
        """Return the table of ``compute(*arguments, **options)``, and write it: `NAME.csv`.

        If the file is there, nothing is computed. Of a result also its page is written.
        """
        path = self.folder / f"{name}.csv"
        if not path.is_file():
            computed = compute(*arguments, **options)
            if isinstance(computed, Result):
                computed.report(self.folder / f"{name}.html")
                print(f"{name}: {computed.answer}")
                computed = computed.to_frame()
            write_text(path, computed.to_csv())  # last: it says that the step is complete
        return pd.read_csv(path, index_col=0)


def systems_of(task: MatchingTask, campaign: str) -> dict[str, Path]:
    """Return the alignments that lie beside a task, or else the alignments of a campaign."""
    return dict(task.alignments or past_files(task, [campaign]))


def one_task(name: str) -> MatchingTask:
    """Return the task of a name, as ``anatomy``, ``library`` or a folder; refuse several."""
    return named_inputs.one_task(name, None)


def run(main: Callable[..., None], about: str | None) -> None:
    """Call a script's `main` with the typed words; an error ends it, and a warning is, one line."""
    words = sys.argv[1:]
    if words[:1] in (["-h"], ["--help"]):
        print(about)
        return
    try:
        signature(main).bind(*words)
    except TypeError:
        print(about, file=sys.stderr)
        sys.exit(2)
    warnings.showwarning = lambda message, *_: print(f"! {message}", file=sys.stderr)
    try:
        main(*words)
    except (ValueError, OSError) as error:
        sys.exit(f"{Path(sys.argv[0]).stem}: {error}")
    except KeyboardInterrupt:
        stop()
