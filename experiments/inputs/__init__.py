"""The user's inputs, read and checked: files, names, clusters, weights; what to be wary of."""
