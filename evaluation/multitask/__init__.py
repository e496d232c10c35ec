"""Which systems are really better over many tasks: tests, effect sizes, the study of a table."""

from .bayesian import BayesianSignedRank, bayesian_signed_rank
from .decision import Decision, decide
from .effects import Effects, Estimate, effects
from .leave_one_out import LeftOut, leave_one_ontology_out
from .mean_ranks import bonferroni_dunn_critical_difference, nemenyi_critical_difference
from .omnibus import Omnibus, friedman, friedman_aligned, iman_davenport, omnibus_tests, quade
from .pair_tests import SignedRank, signed_rank
from .paired import PairedT, SignTest, paired_t, sign_test
from .posthoc import POSTHOC_TESTS, PostHoc, posthoc
from .published_ranks import RankStudy, study_ranks
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
