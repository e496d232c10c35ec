"""Critical-difference diagram.

Mean ranks over many tasks on an axis, the best on the left; a bar joins systems of which no two
differ significantly. Here: five classifiers on 30 data sets, from the mean ranks that García and
Herrera (2008) published, with Nemenyi's test.
"""

from pathlib import Path

import numpy as np

from alignrank.evaluation import adjust, rank
from alignrank.evaluation.multitask import nemenyi_critical_difference
from alignrank.evaluation.multitask.posthoc import PostHoc, friedman_z, p_of_z
from alignrank.experiments.report.figures import draw_critical_difference, save

mean_ranks = {"C4.5": 2.1, "1-NN": 3.25, "NaiveBayes": 2.2, "Kernel": 4.333, "CN2": 3.117}
z = friedman_z(np.array(list(mean_ranks.values())), tasks=30)
pairs = PostHoc("friedman", p_of_z(z), z)
groups = rank(list(mean_ranks), pairs.lead, adjust(pairs.p, "nemenyi").values).groups
distance = nemenyi_critical_difference(len(mean_ranks), tasks=30)
figure = draw_critical_difference(
    mean_ranks, groups, critical_difference=distance, title="30 data sets"
)
save(figure, Path("02_critical_difference"), ("svg",))
