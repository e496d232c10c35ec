"""How an alignment is judged: scores, tests, corrections, comparison."""

from .against import Against, against
from .clustered import CLUSTER_TESTS
from .clusters import parent_clusters, read_clusters
from .cochran import CochranQ, cochran_q
from .comparison import Comparison, compare, compare_counts
from .contingency import VIEWS, ContingencyTable, contingency_table, discordant_matrix
from .corrections import CORRECTIONS, Adjusted, adjust
from .count_matrix import CountMatrix, read_counts
from .effects import Effects, effects
from .equivalence import Verdicts, verdicts
from .errors import EvaluationError
from .fragility import Fragility, fragility
from .mcnemar import TESTS, McNemar, mcnemar
from .measured import compare_judged, compare_measure
from .pairwise import Pairwise
from .power import Detectable, detectable, mid_p_power
from .ranking import Ranking, rank
from .scores import Scores, score
from .sensitivity import Sensitivity, sensitivity
from .validity import validity

__all__ = [
    "CLUSTER_TESTS",
    "CORRECTIONS",
    "TESTS",
    "VIEWS",
    "Adjusted",
    "Against",
    "CochranQ",
    "Comparison",
    "ContingencyTable",
    "CountMatrix",
    "Detectable",
    "Effects",
    "EvaluationError",
    "Fragility",
    "McNemar",
    "Pairwise",
    "Ranking",
    "Scores",
    "Sensitivity",
    "Verdicts",
    "adjust",
    "against",
    "cochran_q",
    "compare",
    "compare_counts",
    "compare_judged",
    "compare_measure",
    "contingency_table",
    "detectable",
    "discordant_matrix",
    "effects",
    "fragility",
    "mcnemar",
    "mid_p_power",
    "parent_clusters",
    "rank",
    "read_clusters",
    "read_counts",
    "score",
    "sensitivity",
    "validity",
    "verdicts",
]
