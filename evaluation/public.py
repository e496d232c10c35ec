"""The public names of `alignrank.evaluation`."""

from alignrank.common.errors import EvaluationError

from .comparison.answers import Answers, CountMatrix, read_answers, read_counts
from .comparison.cautions import validity
from .comparison.compare import (
    compare,
    compare_answers,
    compare_counts,
    compare_incidence,
    compare_measure,
)
from .comparison.contingency import VIEWS, ContingencyTable, contingency_table
from .comparison.pairwise import Pairwise
from .comparison.result import Comparison, Matched
from .comparison.robustness import (
    Sensitivity,
    sensitivity,
    with_alternatives,
)
from .comparison.settings import AnalysisSettings, EntityClusters
from .corrections.adjusting import CORRECTIONS, Adjusted, adjust
from .credit.counts import Evaluated, Scores, score, without_unknown
from .credit.credits import Credits, Evaluation, PrecisionRecall, pooled, values
from .measures.balanced_distance import (
    BalancedDistance,
    ClassDistance,
    ConceptScores,
    LearningAccuracy,
    concept_scores,
    read_concepts,
)
from .measures.logic.coherence import (
    Coherence,
    Conservativity,
    coherence,
    conservativity,
)
from .measures.logic.reachability import semantic
from .measures.measure import (
    MEASURES,
    NORMALISATIONS,
    Context,
    Measure,
    Normalisation,
    get_measure,
    residual,
    trivial_alignment,
    universe_size,
    weighted,
)
from .measures.precision_recall import (
    PROXIMITIES,
    Match,
    PairWeights,
    Proximity,
    RelaxedOptions,
    RelaxedScores,
    relaxed,
)
from .measures.retrieval.candidate_files import (
    candidates_of_frame,
    read_candidates,
)
from .measures.retrieval.candidates import (
    Candidate,
    Queries,
    RankedCandidates,
    candidates_of,
    gold_of,
)
from .measures.retrieval.gold_files import read_choices, read_gold, read_queries
from .measures.retrieval.ranked_lists import (
    MappingScores,
    RankedListScores,
    RankedListValues,
    discordant_items,
    mapping_scores,
    ranked_list_scores,
    ranked_list_values,
)
from .measures.summaries import (
    Arity,
    Averages,
    Breakdown,
    arity,
    averages,
    by_kind,
    by_relation,
)
from .measures.threshold_curve import Curve, curve
from .ranking import Ranking, rank
from .significance.clustered import (
    CLUSTER_TESTS,
    parent_clusters,
    read_clusters,
)
from .significance.mcnemar import TESTS, CochranQ, McNemar, cochran_q, mcnemar
from .uncertainty.effects import Effects, Verdicts, effects, verdicts
from .uncertainty.planning import Detectable, detectable, mid_p_power
from .uncertainty.score_intervals import (
    Interval,
    Intervals,
    bootstrap,
    credit_intervals,
)
