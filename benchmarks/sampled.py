"""Run a command of alignrank, and write the processor seconds of each stage as JSON.

    python benchmarks/sampled.py OUT.json COMMAND ...

`stages.py` runs this. It imports nothing large of its own: imports are a stage.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType

INTERVAL = 0.002
#: Stage by folder; the first that fits. Where nothing fits, it is the rest.
STAGES = {
    "ontologies/loading": "ontologies read",
    "ontologies/": "alignments read and written",
    "matchers/": "similarities, assignment, ties",
    "evaluation/measures/threshold": "thresholds by cross-validation",
    "evaluation/": "statistics",
    "experiments/report/figures": "figures",
    "experiments/": "page, tables, files",
}
IMPORTS, PLOTTING, REST = "imports", "imports for figures", "rest"


def stage_of(frame: FrameType | None, root: Path) -> str:
    """Return the stage of the innermost function of alignrank, or the import that is under way."""
    stage = ""
    is_import = False
    while frame is not None:
        path = frame.f_code.co_filename
        if "matplotlib" in path and is_import:
            return PLOTTING
        is_import = is_import or path.startswith("<frozen importlib")
        if not stage and path.startswith(str(root)):
            inside = str(Path(path).relative_to(root))
            stage = next((name for folder, name in STAGES.items() if inside.startswith(folder)), "")
        frame = frame.f_back
    if is_import:
        return IMPORTS
    return stage or REST


def sample(arguments: list[str], out: Path) -> None:
    """Run a command in this process, and write the seconds of each stage as JSON."""
    seconds: Counter[str] = Counter()
    last = 0.0
    root = Path(importlib.import_module("alignrank").__file__ or "").parent
    if not (root / "evaluation").is_dir():
        root = root.parent  # a clone

    def stop(_number: int, frame: FrameType | None) -> None:
        nonlocal last
        now = time.process_time()
        seconds[stage_of(frame, root)] += now - last
        last = now

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    sys.argv = ["alignrank", *arguments]
    try:
        importlib.import_module("alignrank.experiments.start").main()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        seconds[REST] += time.process_time() - last
        out.write_text(json.dumps(seconds))


if __name__ == "__main__":
    sample(sys.argv[2:], Path(sys.argv[1]))
