"""How an alignment is judged: scores, tests, corrections, comparison."""

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.comparison.answers import Answers, CountMatrix, read_answers, read_counts
from alignrank.evaluation.comparison.cautions import validity
from alignrank.evaluation.comparison.compare import (
    compare,
    compare_answers,
    compare_counts,
    compare_judged,
)
from alignrank.evaluation.comparison.contingency import VIEWS, ContingencyTable, contingency_table
from alignrank.evaluation.comparison.pairwise import Focused, Pairwise, focus_on
from alignrank.evaluation.comparison.result import Comparison, Matched
from alignrank.evaluation.comparison.robustness import (
    Sensitivity,
    sensitivity,
    with_alternatives,
)
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.credit.counts import Judged, Scores, judged, score
from alignrank.evaluation.credit.credits import Credits, Judgement, PrecisionRecall, pooled, values
from alignrank.evaluation.measures.averaging import Averages, averages
from alignrank.evaluation.measures.breakdown import (
    Agreement,
    Arity,
    Breakdown,
    agreement,
    arity,
    by_kind,
    by_relation,
)
from alignrank.evaluation.measures.logic.coherence import (
    Coherence,
    Conservativity,
    coherence,
    conservativity,
)
from alignrank.evaluation.measures.logic.reachability import semantic
from alignrank.evaluation.measures.measure import (
    MEASURES,
    Context,
    Measure,
    get_measure,
    universe_size,
)
from alignrank.evaluation.measures.relaxed.balanced_distance import (
    BalancedDistance,
    ClassDistance,
    LearningAccuracy,
)
from alignrank.evaluation.measures.relaxed.concepts import (
    ConceptScores,
    concept_scores,
    read_concepts,
)
from alignrank.evaluation.measures.relaxed.near_pairs import (
    PROXIMITIES,
    PairWeights,
    Proximity,
    RelaxedOptions,
)
from alignrank.evaluation.measures.relaxed.precision_recall import Match, RelaxedScores, relaxed
from alignrank.evaluation.measures.residual import (
    NORMALISATIONS,
    Normalisation,
    residual,
    trivial_alignment,
    weighted,
)
from alignrank.evaluation.measures.retrieval.candidate_files import (
    candidates_of_frame,
    read_candidates,
)
from alignrank.evaluation.measures.retrieval.candidates import (
    Candidate,
    Queries,
    RankedCandidates,
    candidates_of,
    gold_of,
)
from alignrank.evaluation.measures.retrieval.gold_files import read_choices, read_gold, read_queries
from alignrank.evaluation.measures.retrieval.query_lists import (
    MappingScores,
    RankingScores,
    discordant_items,
    mapping_scores,
    ranking_scores,
)
from alignrank.evaluation.measures.retrieval.rankings import Rankings, rankings_of
from alignrank.evaluation.measures.threshold_curve import Curve, curve
from alignrank.evaluation.significance.clustered import (
    CLUSTER_TESTS,
    parent_clusters,
    read_clusters,
)
from alignrank.evaluation.significance.mcnemar import TESTS, CochranQ, McNemar, cochran_q, mcnemar
from alignrank.evaluation.uncertainty.bootstrap import (
    Interval,
    Intervals,
    bootstrap,
    bootstrap_difference,
    score_intervals,
)
from alignrank.evaluation.uncertainty.effects import Effects, Verdicts, effects, verdicts
from alignrank.evaluation.uncertainty.planning import Detectable, detectable, mid_p_power

from .corrections import CORRECTIONS, Adjusted, adjust
from .ranking import Ranking, rank
