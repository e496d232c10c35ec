"""The metrics again, compiled: one kernel for each design of metric, equal to it in every bit.

`matchers.kernels.families.rows` is the way in. Whoever comes in brings numba, which takes a quarter
of a second: the other rooms do so when a matrix is asked for. What is compiled is kept on disk for
the next process.
"""

from pathlib import Path

from ontologies.common.compiled import forget_stale

#: Where all of them lie: numba keeps what it makes of a source beside it.
KERNELS = Path(__file__).parent
forget_stale(KERNELS)
