"""From significant differences to a graph, its layers, its picture and its answer in words."""
