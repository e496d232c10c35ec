"""Many systems on one task: views, tests, corrections, graph, cautions."""
