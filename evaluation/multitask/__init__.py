"""Which systems are really better over many tasks: tests, effect sizes, the study of a table."""

from .alignments_folder import read_track, score_track
from .pair_tests import (
    BayesianSignedRank,
    Estimate,
    PairedT,
    SignedRank,
    SignTest,
    TaskEffects,
    bayesian_signed_ranks,
    effects,
    paired_t,
    sign_test,
    signed_rank,
)
from .posthoc import (
    POSTHOC_TESTS,
    Omnibus,
    PostHoc,
    friedman,
    friedman_aligned,
    iman_davenport,
    nemenyi_critical_difference,
    omnibus_tests,
    posthoc,
    quade,
)
from .score_table import ScoreTable, aligned_ranks, quade_ranks, read_scores, task_ranks
from .study import KindSummary, Pair, Study, study
