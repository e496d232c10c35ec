"""Where ``alignrank`` starts: nothing heavy is imported before Ctrl-C is seen to."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys

#: New objects after which Python looks for objects that only refer to each other. A command makes
#: few of them, and they hold little: four rankings of anatomy leave 2,000 of 250,000 objects and no
#: matrix. Python's own 700 costs a ninth of the processor time of one, 50,000 a thirtieth.
NEW_OBJECTS = 2_000_000


def main() -> None:
    """Run the command line; Ctrl-C gives one line and exit code 130, from the first moment on."""
    _open_closed_streams()
    # threads of OpenBLAS wait for each other in a loop, at a tenth of the processor time of `rank`
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Python looks through all objects once more when it ends, for .6 s after `rank` on anatomy
    atexit.register(gc.freeze)
    try:
        # as after Ctrl-C nothing is left behind; the exit code is that of the signal
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        gc.set_threshold(NEW_OBJECTS)
        from .cli import main as run

        run()
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 wraps what is raised while a class is made
        signalled = error.__cause__ if isinstance(error, RuntimeError) else error
        if isinstance(signalled, SystemExit):
            raise signalled from None
        if not isinstance(signalled, KeyboardInterrupt):
            raise
        print("alignrank: interrupted; nothing half-written is left", file=sys.stderr)
        sys.exit(130)


def _open_closed_streams() -> None:
    """Give the standard streams that are closed (``2>&-``) a place where nothing is seen.

    Else the next file that is opened would be the error stream.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)
    sys.stdin = sys.stdin or os.fdopen(0)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")
