"""Matching: labels give similarities, similarities give pairs, pairs give an alignment."""

from alignrank.common.errors import MatcherError

from .assignment.optimal import Assignment
from .assignment.pairs import assign, assign_edges
from .assignment.ties import CountRange, Ties, find_ties
from .by_name import ONTOSIM, STANDARD, get_metric, metrics_table, select_metrics
from .candidates import Candidates, Side, prepare
from .matcher import AlignmentTies, Matching, match, match_all
from .metrics import Metric
from .settings import PRESETS, Settings
from .similarity.matrix import similarity_matrix
