"""``python -m alignrank`` is the command line."""

import sys

from alignrank.experiments.start import main

sys.argv[0] = "alignrank"
main()
