"""Critical-difference diagram.

Mean ranks over many tasks on an axis, the best on the left; a bar joins systems of which no two
differ significantly. Here: five classifiers on 30 data sets, from the mean ranks that García and
Herrera (2008) published, with Nemenyi's test.
"""

from pathlib import Path

from evaluation import adjust, rank
from evaluation.multitask import study_ranks
from experiments.report.figures import draw_critical_difference, save

mean_ranks = {"C4.5": 2.1, "1-NN": 3.25, "NaiveBayes": 2.2, "Kernel": 4.333, "CN2": 3.117}
found = study_ranks(list(mean_ranks.values()), tasks=30)
p = adjust(found.posthoc.p, "nemenyi").values
groups = rank(list(mean_ranks), found.posthoc.lead, p).groups
figure = draw_critical_difference(
    mean_ranks, groups, critical_difference=found.critical_difference, title="30 data sets"
)
save(figure, Path("02_critical_difference"), ("svg",))
