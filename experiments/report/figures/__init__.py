"""The figures of a paper: functions that draw.

matplotlib takes half a second to import: who does not always draw imports this package late.
"""

from .curves import draw_precision_recall, draw_similarities, draw_threshold_sweep
from .heatmaps import draw_discordance, draw_p_values, draw_similarity_matrix
from .ranking_diagrams import draw_critical_difference, draw_outperforms
from .style import save, svg_text

__all__ = [
    "draw_critical_difference",
    "draw_discordance",
    "draw_outperforms",
    "draw_p_values",
    "draw_precision_recall",
    "draw_similarities",
    "draw_similarity_matrix",
    "draw_threshold_sweep",
    "save",
    "svg_text",
]
