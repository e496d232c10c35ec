"""How an alignment is judged: scores, tests, corrections, comparison."""

from .against import Against, against
from .agreement import Agreement, agreement
from .averaging import Averages, averages
from .bootstrap import Interval, Intervals, bootstrap, bootstrap_difference
from .breakdown import Arity, Breakdown, arity, by_kind, by_relation
from .clustered import CLUSTER_TESTS
from .clusters import parent_clusters, read_clusters
from .cochran import CochranQ, cochran_q
from .coherence import Coherence, Conservativity, coherence, conservativity
from .comparison import Comparison, compare, compare_counts
from .concepts import ConceptScores, concept_scores, read_concepts
from .context import Context
from .contingency import VIEWS, ContingencyTable, contingency_table, discordant_matrix
from .corrections import CORRECTIONS, Adjusted, adjust
from .count_matrix import CountMatrix, read_counts
from .credits import Credits, PrecisionRecall, pooled
from .curves import Curve, curve
from .effects import Effects, effects
from .equivalence import Verdicts, verdicts
from .errors import EvaluationError
from .fragility import Fragility, fragility
from .hierarchical import BalancedDistance, ClassDistance, LearningAccuracy
from .judgement import Judgement, values
from .mapping import MappingScores, best_choices, discordant_items, mapping_scores
from .mcnemar import TESTS, McNemar, mcnemar
from .measured import compare_judged, compare_measure
from .measures import MEASURES, Measure, get_measure, measures_table
from .pairwise import Pairwise
from .partial import Judged, judged
from .power import Detectable, detectable, mid_p_power
from .proximity import PROXIMITIES, PairWeights, Proximity
from .proximity import Options as RelaxedOptions
from .ranking import Ranking, rank
from .relaxed import Match, RelaxedScores, relaxed
from .retrieval import Candidate, RankingScores, candidates_of, gold_of, ranking_scores
from .retrieval_files import read_candidates, read_choices, read_gold
from .score_intervals import score_intervals
from .scores import Scores, score
from .semantic import SemanticScores, semantic
from .sensitivity import Sensitivity, sensitivity
from .trivial import NORMALISATIONS, Normalisation, residual, trivial_alignment
from .universe import universe_size
from .validity import validity
from .weighted import weighted

__all__ = [
    "CLUSTER_TESTS",
    "CORRECTIONS",
    "MEASURES",
    "NORMALISATIONS",
    "PROXIMITIES",
    "TESTS",
    "VIEWS",
    "Adjusted",
    "Against",
    "Agreement",
    "Arity",
    "Averages",
    "BalancedDistance",
    "Breakdown",
    "Candidate",
    "ClassDistance",
    "CochranQ",
    "Coherence",
    "Comparison",
    "ConceptScores",
    "Conservativity",
    "Context",
    "ContingencyTable",
    "CountMatrix",
    "Credits",
    "Curve",
    "Detectable",
    "Effects",
    "EvaluationError",
    "Fragility",
    "Interval",
    "Intervals",
    "Judged",
    "Judgement",
    "LearningAccuracy",
    "MappingScores",
    "Match",
    "McNemar",
    "Measure",
    "Normalisation",
    "PairWeights",
    "Pairwise",
    "PrecisionRecall",
    "Proximity",
    "Ranking",
    "RankingScores",
    "RelaxedOptions",
    "RelaxedScores",
    "Scores",
    "SemanticScores",
    "Sensitivity",
    "Verdicts",
    "adjust",
    "against",
    "agreement",
    "arity",
    "averages",
    "best_choices",
    "bootstrap",
    "bootstrap_difference",
    "by_kind",
    "by_relation",
    "candidates_of",
    "cochran_q",
    "coherence",
    "compare",
    "compare_counts",
    "compare_judged",
    "compare_measure",
    "concept_scores",
    "conservativity",
    "contingency_table",
    "curve",
    "detectable",
    "discordant_items",
    "discordant_matrix",
    "effects",
    "fragility",
    "get_measure",
    "gold_of",
    "judged",
    "mapping_scores",
    "mcnemar",
    "measures_table",
    "mid_p_power",
    "parent_clusters",
    "pooled",
    "rank",
    "ranking_scores",
    "read_candidates",
    "read_choices",
    "read_clusters",
    "read_concepts",
    "read_counts",
    "read_gold",
    "relaxed",
    "residual",
    "score",
    "score_intervals",
    "semantic",
    "sensitivity",
    "trivial_alignment",
    "universe_size",
    "validity",
    "values",
    "verdicts",
    "weighted",
]
