"""Matching: labels give similarities, similarities give pairs, pairs give an alignment."""

from alignrank.common.errors import MatcherError
from alignrank.matchers.assignment.choose import assign, assign_edges
from alignrank.matchers.assignment.optimal import Assignment
from alignrank.matchers.assignment.ties import CountRange, Ties, find_ties
from alignrank.matchers.by_name import ONTOSIM, STANDARD, get_metric, metrics_table, select_metrics
from alignrank.matchers.evidence import Side
from alignrank.matchers.metrics import Metric
from alignrank.matchers.similarity.matrix import similarity_matrix

from .candidates import Candidates, prepare
from .matcher import AlignmentTies, Matching, match, match_all
from .settings import PRESETS, Settings
