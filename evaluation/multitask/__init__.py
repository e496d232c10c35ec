"""Which systems are really better over many tasks: tests, effect sizes, the study of a table."""

from .bayesian import BayesianSignedRank, bayesian_signed_rank
from .cautions import LeftOut, leave_one_ontology_out
from .effects import Effects, Estimate, effects
from .mean_ranks import (
    RankStudy,
    bonferroni_dunn_critical_difference,
    nemenyi_critical_difference,
    study_ranks,
)
from .omnibus import Omnibus, friedman, friedman_aligned, iman_davenport, omnibus_tests, quade
from .pair_tests import PairedT, SignedRank, SignTest, paired_t, sign_test, signed_rank
from .posthoc import POSTHOC_TESTS, Decision, PostHoc, decide, posthoc
from .ranks import aligned_ranks, quade_ranks, task_ranks
from .results_folder import score_folder
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
    "bonferroni_dunn_critical_difference",
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
    "score_folder",
    "sign_test",
    "signed_rank",
    "study",
    "study_ranks",
    "task_ranks",
]
