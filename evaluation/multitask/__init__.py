"""Which systems are really better over many tasks: tests, effect sizes, the study of a table."""

from .alignments_folder import read_track, score_track
from .effects import Estimate, TaskEffects, effects
from .omnibus import (
    Omnibus,
    friedman,
    friedman_aligned,
    iman_davenport,
    nemenyi_critical_difference,
    omnibus_tests,
    quade,
)
from .pair_tests import (
    BayesianSignedRank,
    PairedT,
    SignedRank,
    SignTest,
    bayesian_signed_ranks,
    paired_t,
    sign_test,
    signed_rank,
)
from .posthoc import POSTHOC_TESTS, PostHoc, posthoc
from .score_table import ScoreTable, aligned_ranks, quade_ranks, read_scores, task_ranks
from .study import KindSummary, Pair, Study, study
