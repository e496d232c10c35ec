"""Matching: labels give similarities, similarities give pairs, pairs give an alignment."""

from matchers.assignment.choose import assign, assign_edges
from matchers.assignment.optimal import Assignment
from matchers.assignment.ties import CountRange, Ties, find_ties
from matchers.by_name import ONTOSIM, STANDARD, get_metric, metrics_table, select_metrics
from matchers.evidence.own import Side
from matchers.metrics.metric import Metric
from matchers.similarity.matrix import similarity_matrix
from ontologies.errors import MatcherError

from .candidates import Candidates, prepare
from .matcher import AlignmentTies, Matching, match, match_all
from .settings import PRESETS, Settings
