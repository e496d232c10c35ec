"""Matching: labels to similarities, similarities to pairs, pairs to an alignment."""

from matchers.assignment.choose import assign, assign_edges
from matchers.assignment.pairs_and_prices import Assignment
from matchers.assignment.ties import CountRange, Ties, find_ties
from matchers.by_name import ONTOSIM, STANDARD, get_metric, metrics_table, select_metrics
from matchers.evidence.evidence import Side
from matchers.metrics.metric import Metric
from matchers.similarity.matrix import similarity_matrix

from .candidates import Candidates, prepare
from .errors import MatcherError
from .labels import PRESETS
from .matcher import AlignmentTies, Matching, match, match_all
from .settings import Settings
