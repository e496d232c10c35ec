"""Where ``alignrank`` starts: nothing heavy is imported before Ctrl-C is seen to."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line; Ctrl-C gives one line and exit code 130, from the first moment on."""
    try:
        from .cli import main as run

        run()
    except KeyboardInterrupt:
        print("alignrank: interrupted; nothing half-written is left", file=sys.stderr)
        sys.exit(130)
    finally:
        gc.freeze()  # else all objects are looked at once more before the process ends: .2 s
