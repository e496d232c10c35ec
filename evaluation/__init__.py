"""How an alignment is judged: scores, tests, corrections, comparison."""

from .comparison import Comparison, compare, compare_counts
from .contingency import (
    VIEWS,
    ContingencyTable,
    contingency_table,
    discordant_matrix,
)
from .errors import EvaluationError
from .mcnemar import TESTS, McNemar, mcnemar
from .pairwise import Pairwise
from .ranking import Ranking, rank
from .scores import Scores, score

__all__ = [
    "TESTS",
    "VIEWS",
    "Comparison",
    "ContingencyTable",
    "EvaluationError",
    "McNemar",
    "Pairwise",
    "Ranking",
    "Scores",
    "compare",
    "compare_counts",
    "contingency_table",
    "discordant_matrix",
    "mcnemar",
    "rank",
    "score",
]
