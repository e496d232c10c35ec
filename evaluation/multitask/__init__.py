"""Which systems are really better over many tasks: tests, effect sizes, the study of a table."""

from .alignments_folder import read_track, score_folder
from .cautions import LeftOut, leave_one_ontology_out
from .effects import Effects, Estimate, effects
from .omnibus import (
    Omnibus,
    RankStudy,
    friedman,
    friedman_aligned,
    iman_davenport,
    nemenyi_critical_difference,
    omnibus_tests,
    quade,
    study_ranks,
)
from .pair_tests import (
    BayesianSignedRank,
    PairedT,
    SignedRank,
    SignTest,
    bayesian_signed_rank,
    paired_t,
    sign_test,
    signed_rank,
)
from .posthoc import POSTHOC_TESTS, Decision, PostHoc, decide, posthoc
from .ranks import aligned_ranks, quade_ranks, task_ranks
from .score_table import ScoreTable, read_scores
from .study import Pair, Study, study

__all__ = [
    "POSTHOC_TESTS",
    "BayesianSignedRank",
    "Decision",
    "Effects",
    "Estimate",
    "LeftOut",
    "Omnibus",
    "Pair",
    "PairedT",
    "PostHoc",
    "RankStudy",
    "ScoreTable",
    "SignTest",
    "SignedRank",
    "Study",
    "aligned_ranks",
    "bayesian_signed_rank",
    "decide",
    "effects",
    "friedman",
    "friedman_aligned",
    "iman_davenport",
    "leave_one_ontology_out",
    "nemenyi_critical_difference",
    "omnibus_tests",
    "paired_t",
    "posthoc",
    "quade",
    "quade_ranks",
    "read_scores",
    "read_track",
    "score_folder",
    "sign_test",
    "signed_rank",
    "study",
    "study_ranks",
    "task_ranks",
]
