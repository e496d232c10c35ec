"""How an alignment is judged: scores, tests, corrections, comparison."""

from evaluation.comparison.answers import Answers, CountMatrix, read_answers, read_counts
from evaluation.comparison.cautions import validity
from evaluation.comparison.compare import (
    Comparison,
    compare,
    compare_answers,
    compare_counts,
    compare_judged,
)
from evaluation.comparison.contingency import VIEWS, ContingencyTable, contingency_table
from evaluation.comparison.pairwise import Focused, Pairwise, focus_on
from evaluation.comparison.robustness import Sensitivity, sensitivity
from evaluation.credit.counts import Judged, Scores, judged, score
from evaluation.credit.credits import Credits, Judgement, PrecisionRecall, pooled, values
from evaluation.measures.averaging import Averages, averages
from evaluation.measures.breakdown import (
    Agreement,
    Arity,
    Breakdown,
    agreement,
    arity,
    by_kind,
    by_relation,
)
from evaluation.measures.logic.coherence import Coherence, Conservativity, coherence, conservativity
from evaluation.measures.logic.reachability import semantic
from evaluation.measures.measure import MEASURES, Context, Measure, get_measure, universe_size
from evaluation.measures.relaxed.balanced_distance import (
    BalancedDistance,
    ClassDistance,
    LearningAccuracy,
)
from evaluation.measures.relaxed.concepts import ConceptScores, concept_scores, read_concepts
from evaluation.measures.relaxed.precision_recall import Match, RelaxedScores, relaxed
from evaluation.measures.relaxed.proximity import (
    PROXIMITIES,
    PairWeights,
    Proximity,
    RelaxedOptions,
)
from evaluation.measures.residual import (
    NORMALISATIONS,
    Normalisation,
    residual,
    trivial_alignment,
    weighted,
)
from evaluation.measures.retrieval.choices import MappingScores, discordant_items, mapping_scores
from evaluation.measures.retrieval.ranked_candidates import (
    Candidate,
    RankingScores,
    candidates_of,
    gold_of,
    ranking_scores,
)
from evaluation.measures.retrieval.retrieval_files import read_candidates, read_choices, read_gold
from evaluation.measures.threshold_curve import Curve, curve
from evaluation.significance.clustered import CLUSTER_TESTS, parent_clusters, read_clusters
from evaluation.significance.mcnemar import TESTS, CochranQ, McNemar, cochran_q, mcnemar
from evaluation.uncertainty.bootstrap import (
    Interval,
    Intervals,
    bootstrap,
    bootstrap_difference,
    score_intervals,
)
from evaluation.uncertainty.effects import Effects, Verdicts, effects, verdicts
from evaluation.uncertainty.planning import Detectable, detectable, mid_p_power
from ontologies.errors import EvaluationError

from .corrections import CORRECTIONS, Adjusted, adjust
from .ranking import Ranking, rank
